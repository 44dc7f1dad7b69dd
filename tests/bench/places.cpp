// SPDX-License-Identifier: MIT
// places: the place of a path in the list of --pick, without a terminal. Reads paths from standard
// input, one a line, one that ends with a slash being a directory; then an empty line; then
// queries, each a path, a tab and what is typed. Prints the row of each path, from 1, or 0 if it is
// not in the list; then a tab and the number of matches. Used by pick_places.py. Built with
// FFIND_BENCH.
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>

#include "os/machine.h"
#include "pick/list.h"
#include "pick/prompt.h"
#include "pick/store.h"
#include "query/language/fields.h"

namespace {

using namespace ffind;

struct Loader final : EntryLoader {
  void load(Entry& entry, Needs wanted) override {
    entry.found_from = &root;
    entry.present |= wanted & (needs::origin | needs::directory | needs::type);
  }
  Root root{};
};

/// Offers one path as a search does.
void offer(Lane& lane, Loader& loader, std::string path) {
  Entry entry;
  entry.type = path.ends_with('/') ? FileType::directory : FileType::file;
  if (entry.type == FileType::directory) path.pop_back();
  const std::size_t name = path.rfind('/') + 1;
  entry.directory = std::string_view(path).substr(0, name);
  entry.name = std::string_view(path).substr(name);
  entry.depth = 1;
  for (const char c : path) entry.depth += c == '/' ? 1U : 0U;
  entry.present = needs::directory | needs::type;
  entry.loader = &loader;
  lane.emit(entry);
}

}  // namespace

int main() {
  const auto store = std::make_shared<pick::EntryStore>();
  pick::PickSink sink(store);
  Loader loader;
  loader.root.open_path = ".";
  loader.root.absolute = loader.root.canonical = "/";
  const auto lane = sink.open_lane();
  std::string line;
  while (std::getline(std::cin, line) && !line.empty()) offer(*lane, loader, line);
  lane->flush();
  std::unordered_map<std::string, pick::EntryId> ids;
  for (pick::EntryId id = 0; id < store->size(); ++id) {
    ids[store->path(id)] = id;
  }
  const query::QueryContext context{};
  const query::Meaning meaning{context};
  pick::Narrower narrower(store, {.threads = os::processors()});
  narrower.search_is_over();
  while (std::getline(std::cin, line)) {
    const std::size_t tab = line.find('\t');
    const pick::PromptMeaning read = pick::read_prompt(line.substr(tab + 1), meaning);
    const std::uint64_t generation = narrower.set_query({read.typed, false, read.apart});
    auto list = narrower.list();
    while (list->state().generation != generation || !list->state().complete) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      list = narrower.list();
    }
    const auto id = ids.find(line.substr(0, tab));
    const auto row = id == ids.end() ? std::nullopt : list->row_of(id->second);
    std::cout << (row ? *row + 1 : 0) << '\t' << list->size() << '\n';
  }
  return 0;
}
