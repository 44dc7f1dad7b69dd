// SPDX-License-Identifier: MIT
// The words behind the kinds: their names, extensions and whole names of files. Data only; read by
// kinds.cpp and by the tests that hold the table to its rules.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "query/kinds.h"

namespace ffind::query {

/// Words are separated by blanks, in lower case, each once in the whole table.
struct KindRow {
  Kind kind;
  std::string_view name;
  std::string_view other_names;
  /// Without their dots; one with a dot in it ("fb2.zip") goes before what follows its last dot.
  std::string_view extensions;
  /// Files that are known by their whole name. "dockerfile.*" means those that begin so and
  /// have an extension that says nothing: Dockerfile.dev.
  std::string_view files = {};
};

/// In the order of the enumeration.
std::span<const KindRow> kind_table();

/// Calls `take` with each word.
template <typename Take>
void for_each_word(std::string_view words, const Take& take) {
  while (true) {
    const std::size_t first = words.find_first_not_of(" \n");
    if (first == std::string_view::npos) return;
    words.remove_prefix(first);
    const std::size_t size = std::min(words.find_first_of(" \n"), words.size());
    take(words.substr(0, size));
    words.remove_prefix(size);
  }
}

}  // namespace ffind::query
