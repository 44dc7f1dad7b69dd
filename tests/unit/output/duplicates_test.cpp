// SPDX-License-Identifier: MIT
// Groups of equal files from several lanes, read by several threads, of files that do not exist: a
// loader has their contents, and changes or loses some of them while they are read.
#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "output/duplicates.h"

namespace duplicates_test {

using namespace ffind;
using namespace ffind::output;

namespace {

struct File {
  std::string contents;
  std::uint64_t inode;
  bool changes = false;  ///< its time is another one once files are read
  bool unreadable = false;
};
using Files = std::map<std::string, File>;  ///< by path

class FakeLoader final : public LateLoader {
 public:
  explicit FakeLoader(const Files& files, std::atomic<std::size_t>& bytes_read)
      : files_(files), bytes_read_(bytes_read) {}

  void turn_to(const Root&, std::string_view below) override {
    directory_ = below;
    if (!directory_.empty()) directory_ += '/';
  }
  void load(Entry& entry, Needs wanted) override {
    const File& file = files_.at(directory_ + std::string(entry.name));
    entry.directory = directory_;
    entry.type = FileType::file;
    entry.metadata.size = file.contents.size();
    entry.metadata.inode = file.inode;
    entry.metadata.device = 7;
    entry.metadata.modified = {1000 + (file.changes && bytes_read_ > 0 ? 1 : 0), 0};
    entry.present |= wanted;
  }
  bool read_contents(Entry& entry, ContentSink& sink) override {
    const File& file = files_.at(directory_ + std::string(entry.name));
    const std::string_view all = file.contents;
    const std::size_t ends = std::min<std::uint64_t>(sink.exact_ends(), all.size());
    if (file.unreadable) return false;
    if (all.size() <= 2 * ends) return take(sink, all);
    return take(sink, all.substr(0, ends)) && take(sink, all.substr(all.size() - ends));
  }

 private:
  bool take(ContentSink& sink, std::string_view bytes) {
    bytes_read_ += bytes.size();
    return sink.take(bytes, false);
  }

  const Files& files_;
  std::atomic<std::size_t>& bytes_read_;
  std::string directory_;
};

class Collected final : public RecordStage {
 public:
  bool take(std::string_view records) override {
    text += records;
    return true;
  }
  std::string text;
};

/// Emits the files into lanes, each in a thread of its own.
void emit(Duplicates& duplicates, const Files& files, const Root& root, std::size_t lanes) {
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < lanes; ++number) {
    threads.emplace_back([&, number] {
      const std::unique_ptr<Lane> lane = duplicates.open_lane();
      std::size_t at = 0;
      for (const auto& [path, file] : files) {
        if (at++ % lanes != number) continue;
        const std::size_t slash = path.rfind('/') + 1;
        Entry entry{};
        entry.name = std::string_view(path).substr(slash);
        entry.type = FileType::file;
        entry.directory = std::string_view(path).substr(0, slash);
        entry.found_from = &root;
        entry.present = ~needs::none;
        entry.metadata.size = file.contents.size();
        entry.metadata.inode = file.inode;
        entry.metadata.device = 7;
        entry.metadata.modified = {1000, 0};
        lane->emit(entry);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

std::string groups_of(const Files& files, unsigned threads, std::size_t* bytes_read = nullptr) {
  OutputStyle style;
  style.duplicates = true;
  style.threads = threads;
  Collected collected;
  Duplicates duplicates(style, collected, nullptr, {});
  std::atomic<std::size_t> bytes{0};
  Plan plan;
  duplicates.begin(plan, [&] { return std::make_unique<FakeLoader>(files, bytes); });
  emit(duplicates, files, Root{}, threads);
  duplicates.group();
  duplicates.pass_on();
  if (bytes_read != nullptr) *bytes_read = bytes;
  return collected.text;
}

}  // namespace

TEST_CASE("files of many lanes are grouped, whatever the number of threads") {
  Files files;
  std::uint64_t inode = 0;
  for (int directory = 0; directory < 20; ++directory) {
    for (int name = 0; name < 30; ++name) {
      const std::string path = "d" + std::to_string(directory) + "/" + std::to_string(name);
      files[path] = {
          std::string(static_cast<std::size_t>(1 + name % 7), static_cast<char>('a' + name)),
          ++inode};
    }
  }
  const std::string one = groups_of(files, 1);
  CHECK(std::count(one.begin(), one.end(), '\n') == 600 + 29);
  CHECK(groups_of(files, 2) == one);
  CHECK(groups_of(files, 9) == one);
}

TEST_CASE("a large file is read as a whole only if its ends are those of another one") {
  Files files = {{"a", {std::string(100'000, 'x'), 1}},
                 {"b", {std::string(100'000, 'x'), 2}},
                 {"c", {std::string(100'000, 'x'), 3}}};
  files["b"].contents[50'000] = 'y';
  files["c"].contents[0] = 'y';
  std::size_t bytes_read = 0;
  CHECK(groups_of(files, 1, &bytes_read).empty());
  CHECK(bytes_read == 3 * 2 * 16'384 + 2 * 100'000);
  files["b"].contents[50'000] = 'x';
  CHECK(groups_of(files, 2) == "a\nb\n");
}

TEST_CASE("of a file with several names the first is listed; it is read by one that can be") {
  const Files files = {{"a/z", {"same", 1}},
                       {"b", {"same", 1, false, true}},
                       {"c", {"same", 2}},
                       {"d", {"once", 3}},
                       {"e", {"once", 3}}};
  CHECK(groups_of(files, 1) == "a/z\nc\n");
}

TEST_CASE("a file that changes while it is read, or cannot be, is in no group") {
  const Files files = {{"a", {"same", 1}},        {"b", {"same", 2, true}},
                       {"c", {"same", 3}},        {"d", {"same", 4, false, true}},
                       {"e", {"other", 5, true}}, {"f", {"other", 6}}};
  CHECK(groups_of(files, 1) == "a\nc\n");
}

}  // namespace duplicates_test
