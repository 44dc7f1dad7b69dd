// SPDX-License-Identifier: MIT
// Reads the orders to the simulated kernel (see orders.h) and keeps its log.
#include "orders.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "host.h"

namespace simulated {
namespace {

using Words = std::vector<std::string>;

[[noreturn]] void refuse(const std::string& line) {
  std::fprintf(stderr, "FFIND_DARWIN: cannot read the order: %s\n", line.c_str());
  std::exit(70);
}

int error_of(const std::string& name, const std::string& line) {
  static const std::map<std::string, int> numbers = {
      {"EIO", EIO},         {"EPERM", EPERM},     {"EACCES", EACCES},   {"ENOENT", ENOENT},
      {"EBUSY", EBUSY},     {"ENOTSUP", ENOTSUP}, {"EINVAL", EINVAL},   {"ERANGE", ERANGE},
      {"ENOBUFS", ENOBUFS}, {"EDEADLK", EDEADLK}, {"ENOTDIR", ENOTDIR}, {"ETIMEDOUT", ETIMEDOUT},
      {"EAGAIN", EAGAIN},   {"EINTR", EINTR}};
  const auto found = numbers.find(name);
  if (found == numbers.end()) refuse(line);
  return found->second;
}

std::uint64_t number_of(const Words& words, std::size_t at, const std::string& line) {
  if (at >= words.size()) refuse(line);
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(words[at].c_str(), &end, 0);
  if (*end != '\0') refuse(line);
  return number;
}

/// "~" is $HOME. Where it does not exist, as it was written: an order may speak of what there is
/// not.
std::string resolved(std::string path) {
  if (path.front() == '~') {
    const char* const home = std::getenv("HOME");
    path.replace(0, 1, home != nullptr ? home : ".");
  }
  const std::string real = host::real_path(path);
  if (!real.empty() || path.front() == '/') return real.empty() ? path : real;
  return host::real_path(".") + "/" + path;
}

/// The same of a symbolic link itself.
std::string absolute(const std::string& path) {
  return path.front() == '/' ? path : host::real_path(".") + "/" + path;
}

void read_search(const Words& words, const std::string& line, SearchOrders& search) {
  const std::string& what = words[1];
  if (what == "slice" || what == "eagain") {
    search.slice = static_cast<unsigned>(number_of(words, 2, line));
  } else if (what == "ebusy") {
    search.busy_after = number_of(words, 2, line);
    search.busy_times = 1;
    if (words.size() > 3 && words[3] == "ever") {
      search.busy_for_ever = true;
    } else if (words.size() > 3) {
      search.busy_times = static_cast<unsigned>(number_of(words, 4, line));
    }
  } else if (what == "delay") {
    search.delay = static_cast<unsigned>(number_of(words, 2, line));
  } else if (what == "odd" && words.size() > 2) {
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (words[i] == "types") {
        search.odd_types = true;
      } else if (words[i] == "directories") {
        search.odd_directories = true;
      } else if (words[i] == "links") {
        search.odd_links = true;
      } else {
        refuse(line);
      }
    }
  } else if (what == "error" && words.size() > 2) {
    search.error = error_of(words[2], line);
  } else {
    refuse(line);
  }
}

void read_bulk(const Words& words, const std::string& line, BulkOrders& bulk) {
  const std::string& what = words[1];
  if (what == "slice") {
    bulk.slice = static_cast<unsigned>(number_of(words, 2, line));
  } else if (what == "erange-at-end") {
    bulk.range_at_end = true;
  } else if (what == "unmarked") {
    bulk.unmarked = true;
  } else if (what == "error" && words.size() > 2) {
    bulk.error = error_of(words[2], line);
  } else if (what == "entry" && words.size() > 3) {
    bulk.entry_errors[words[2]] = error_of(words[3], line);
  } else if (what == "lookup" && words.size() > 3) {
    bulk.look_up_errors[words[2]] = error_of(words[3], line);
  } else if (what == "without" && words.size() > 3) {
    static const char* const groups[] = {"common", "volume", "directory", "file", "fork"};
    std::size_t group = 0;
    while (group < 5 && words[2] != groups[group]) ++group;
    if (group == 5) refuse(line);
    bulk.without[group] |= static_cast<std::uint32_t>(number_of(words, 3, line));
  } else {
    refuse(line);
  }
}

void read_order(const std::string& line, Orders& orders) {
  static const std::map<std::string, Marks> kinds = {{"dataless", marks::dataless},
                                                     {"trigger", marks::trigger},
                                                     {"bundle", marks::bundle},
                                                     {"private", marks::secret},
                                                     {"hidden", marks::hidden},
                                                     {"locked", marks::locked},
                                                     {"waslinked", marks::once_linked},
                                                     {"unsettled", marks::unsettled},
                                                     {"dirlink", marks::directory_link},
                                                     {"acl", marks::acl},
                                                     {"emptyacl", marks::empty_acl},
                                                     {"syncroot", marks::sync_root},
                                                     {"clone", marks::cloned}};
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty() || words[0].front() == '#') return;
  if (words.size() < 2) refuse(line);
  const std::string& verb = words[0];
  if (const auto kind = kinds.find(verb); kind != kinds.end()) {
    std::string path = words[1];  // the rest of the line: it may contain blanks
    for (std::size_t i = 2; i < words.size(); ++i) path += " " + words[i];
    orders.marked[resolved(path)] |= kind->second;
    if (kind->second == marks::directory_link) orders.linked.push_back(resolved(path));
  } else if (verb == "flags" && words.size() > 2) {
    orders.marked[resolved(words[1])] |= Marks{number_of(words, 2, line)} << marks::flags_at;
  } else if (verb == "log") {
    orders.log = resolved(words[1]);
  } else if (verb == "default") {
    orders.default_type = words[1];
  } else if (verb == "volume") {
    VolumeOrder volume{resolved(words[1]), {}, {}};
    volume.words.assign(words.begin() + 2, words.end());
    orders.volumes.push_back(std::move(volume));
  } else if (verb == "firmlink" && words.size() > 2) {
    orders.firmlinks.push_back({resolved(words[1]), words[2]});
  } else if (verb == "searchfs") {
    read_search(words, line, orders.search);
  } else if (verb == "bulk") {
    read_bulk(words, line, orders.bulk);
  } else if (verb == "attributes" && words[1] == "grow") {
    orders.attributes.grow = true;
  } else if (verb == "attributes" && words.size() > 2) {
    orders.attributes.errors[words[1]] = error_of(words[2], line);
  } else if (verb == "listing" && words.size() > 3) {
    ListingOrder& listing = orders.listings[words[1]];
    listing.entries = static_cast<unsigned>(number_of(words, 2, line));
    listing.error = error_of(words[3], line);
  } else if (verb == "policy" && words.size() > 2) {
    const auto type = static_cast<int>(number_of(words, 1, line));
    orders.policies[type] = static_cast<int>(number_of(words, 2, line));
  } else if (verb == "exchange" && words.size() > 2) {
    orders.exchanged = {resolved(words[1]), absolute(words[2])};
  } else if (verb == "fsgetpath") {
    orders.longest_path_asked = number_of(words, 1, line);
  } else if (verb == "trash" &&
             (words[1] == "none" || words[1] == "deletes" || words[1] == "elsewhere")) {
    orders.trash = words[1];
  } else if (verb == "processors") {
    orders.fast_processors = static_cast<unsigned>(number_of(words, 1, line));
  } else if (verb == "open" && words.size() > 2) {
    orders.open_errors[words[1]] = error_of(words[2], line);
  } else {
    refuse(line);
  }
}

Orders read_orders() {
  Orders orders;
  const char* const variable = std::getenv("FFIND_DARWIN");
  if (variable == nullptr) return orders;
  std::string text = variable;
  if (text.starts_with('/') && text.find_first_of(" ;\n") == std::string::npos) {
    std::string read;
    if (!host::read_file(text.c_str(), read)) refuse(text + ": " + std::strerror(errno));
    text = read;
  }
  for (char& byte : text) {
    if (byte == ';') byte = '\n';
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) read_order(line, orders);
  return orders;
}

}  // namespace

const Orders& orders() {
  static const Orders read = read_orders();
  return read;
}

bool logging() {
  return !orders().log.empty();
}

void log(const std::string& line) {
  if (logging()) host::append_line(orders().log, line);
}

}  // namespace simulated
