// SPDX-License-Identifier: MIT
// Fuzzes the order of names. Input: a byte (reversed, limited), then names, each ended by a
// newline. Natural keys are held against a comparison of their parts, the store against std::sort.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "fuzz/fuzz.h"
#include "output/sort_store.h"
#include "text/unicode.h"

namespace ffind::fuzz::order_fuzz {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

/// Less than 0, 0, or more: byte by byte, but numbers by their value.
int compare_naturally(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view left = take_number(a);
      const std::string_view right = take_number(b);
      if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
      if (const int order = left.compare(right); order != 0) return order;
      continue;
    }
    // A number stands where its first digit could be any: at 0.
    const auto byte = [](char c) { return is_digit(c) ? '0' : static_cast<unsigned char>(c); };
    if (byte(a.front()) != byte(b.front())) return byte(a.front()) < byte(b.front()) ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.empty() ? (b.empty() ? 0 : -1) : 1;
}

struct Name {
  std::string key;
  std::string path;
};

}  // namespace

FUZZ_TARGET(order) {
  Input input(data, size);
  const auto flags = input.take<std::uint8_t>();
  const bool reversed = (flags & 1U) != 0;
  const std::uint64_t limit = (flags & 2U) != 0 ? flags >> 2U : UINT64_MAX;
  std::vector<Name> names;
  while (!input.empty()) {
    std::string path(input.take_until('\n'));
    path.erase(std::remove(path.begin(), path.end(), '\0'), path.end());
    Name name{{}, path};
    if ((flags & 4U) != 0) text::append_natural(name.key, path);
    name.key += '\0';
    names.push_back(name);
  }
  if (!names.empty() && (flags & 4U) != 0) {
    const Name& first = names.front();
    for (const Name& name : names) {
      const int order = compare_naturally(first.path, name.path);
      const int keys = first.key.compare(name.key);
      require((order < 0) == (keys < 0) && (order > 0) == (keys > 0), "keys compare naturally");
    }
  }
  output::SortStore<std::string_view> store(output::StoredOrder(reversed), limit);
  for (const auto& [key, path] : names) {
    if (store.wants({key, path})) store.add({key, path}, path + "\n");
  }
  store.sort();
  std::sort(names.begin(), names.end(), [&](const Name& a, const Name& b) {
    if (a.key != b.key) return (a.key < b.key) != reversed;
    return reversed ? b.path < a.path : a.path < b.path;
  });
  require(store.size() == std::min<std::uint64_t>(names.size(), limit),
          "all are kept, or the first");
  for (std::size_t i = 0; i < store.size(); ++i) {
    require(store[i].kept == names[i].path + "\n", "they come out in order");
  }
  return 0;
}

}  // namespace ffind::fuzz::order_fuzz
