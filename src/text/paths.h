// SPDX-License-Identifier: MIT
// The two things that plan does with paths. Absolute and canonical ones only: no "." or "..", one
// slash between components, none at the end but the root's own.
#pragma once

#include <string>
#include <string_view>

namespace ffind::text {

/// What of `path` is below `directory`, which it lies within; empty for the directory itself.
inline std::string_view path_below(std::string_view path, std::string_view directory) {
  if (directory != "/") path.remove_prefix(directory.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

inline std::string join_paths(std::string_view directory, std::string_view below) {
  std::string path(directory);
  if (below.empty()) return path;
  if (!path.ends_with('/')) path += '/';
  return path += below;
}

}  // namespace ffind::text
