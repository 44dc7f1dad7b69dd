// SPDX-License-Identifier: MIT
// Files of the source tree as texts, for tests that hold documents to the program. Seen by tests
// only.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "catch.h"

/// The top of the source tree.
std::string source_directory();

/// Of the file `name`, a path from the top of the tree; empty where there is none.
inline std::string source_text(const std::string& name) {
  std::ifstream stream(source_directory() + "/" + name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What stands between the first `from` and the first `to` behind it.
inline std::string between(const std::string& text, const std::string& from,
                           const std::string& to) {
  const std::size_t start = text.find(from);
  INFO(from);
  REQUIRE(start != std::string::npos);
  const std::size_t end = text.find(to, start + from.size());
  REQUIRE(end != std::string::npos);
  return text.substr(start + from.size(), end - start - from.size());
}
