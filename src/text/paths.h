// SPDX-License-Identifier: MIT
// Paths and names as text: splitting and joining, without access to the file system. A canonical
// path is absolute, without "." and "..", with one slash between components and none at the end
// except that of the root.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace ffind::text {

/// True for `/x`, `./x`, `../x`, `.` and `..`: a path by its form, whatever is on disk.
constexpr bool looks_like_path(std::string_view word) {
  return word.starts_with('/') || word.starts_with("./") || word.starts_with("../") ||
         word == "." || word == "..";
}

/// The part after the last slash, or the whole path.
constexpr std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// `path` without the slashes at its end; "/" of a path that is nothing else.
constexpr std::string_view without_end_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

/// Parent directory of a canonical path; empty for "/" and for a path without a slash.
constexpr std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || path == "/") return {};
  return path.substr(0, std::max<std::size_t>(slash, 1));
}

/// Returns `path` with a slash at the end.
inline std::string with_slash(std::string path) {
  if (!path.ends_with('/')) path += '/';
  return path;
}

/// The part of a canonical `path` below `directory`, which must contain it; empty for the directory
/// itself.
constexpr std::string_view path_below(std::string_view path, std::string_view directory) {
  if (directory != "/") path.remove_prefix(directory.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

/// "/a" and "b/c" make "/a/b/c", "/" and "b" make "/b", "/a" and "" make "/a". The inverse of
/// path_below.
inline std::string join_paths(std::string_view directory, std::string_view below) {
  std::string path(directory);
  if (below.empty()) return path;
  if (!path.ends_with('/')) path += '/';
  return path += below;
}

/// Position of the extension's dot, or the end. A name that only begins with a dot has no
/// extension.
constexpr std::size_t extension_dot(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const bool none =
      dot == std::string_view::npos || name.find_first_not_of('.') >= dot || dot + 1 == name.size();
  return none ? name.size() : dot;
}

/// `name` without its extension: "a.tar" of "a.tar.gz", all of ".profile".
constexpr std::string_view stem_of(std::string_view name) {
  return name.substr(0, extension_dot(name));
}

/// Extension without its dot; empty if there is none.
constexpr std::string_view extension_of(std::string_view name) {
  const std::size_t dot = extension_dot(name);
  return dot < name.size() ? name.substr(dot + 1) : std::string_view();
}

}  // namespace ffind::text
