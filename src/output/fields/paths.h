// SPDX-License-Identifier: MIT
// Parts of names and paths, as templates and commands have them. Pure.
#pragma once

#include <string>
#include <string_view>

#include "ffind/entry.h"

namespace ffind {

/// Where the extension's dot is, or the end. A name has none that only begins with a dot.
inline std::size_t extension_dot(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const bool none =
      dot == std::string_view::npos || name.find_first_not_of('.') >= dot || dot + 1 == name.size();
  return none ? name.size() : dot;
}

/// `name` without its extension: "a.tar" of "a.tar.gz", all of ".profile".
inline std::string_view stem_of(std::string_view name) {
  return name.substr(0, extension_dot(name));
}

/// Without its dot; empty where there is none.
inline std::string_view extension_of(std::string_view name) {
  const std::size_t dot = extension_dot(name);
  return dot < name.size() ? name.substr(dot + 1) : std::string_view();
}

/// Appends the path as it is printed; one that would begin with "-", and be an option to whoever
/// reads it, gets "./" before it.
inline void append_path(std::string& out, Entry& entry) {
  entry.require(needs::directory);
  if (entry.directory.empty() && entry.name.front() == '-') out += "./";
  out += entry.directory;
  out += entry.name;
}

}  // namespace ffind
