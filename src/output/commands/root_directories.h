// SPDX-License-Identifier: MIT
// Roots of the search, for stages that must reach a match itself, and not a file that took the
// place of a directory on the way to it. From the path of a match, locate_below() finds its root
// and the path below it; os::OpenAncestors opens directories from there without following links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/plan.h"
#include "os/safe_open.h"

namespace ffind::output {

/// Kinds of roots. If a directory has several, the first counts.
enum class RootKind : std::uint8_t {
  root,    ///< a directory that was named as a root
  volume,  ///< a mounted volume below one
  files,   ///< a directory with files that are roots
};

/// A root, and the beginning of the paths below it. For roots that are files, the directory that
/// they were typed with.
struct RootDirectory {
  std::string printed;  ///< with a slash at its end, or empty
  os::KnownDirectory directory;
  std::string canonical{};  ///< absolute, without links, a slash at its end
  RootKind kind = RootKind::root;
};

/// The roots of a search, sorted by the beginning of their paths, each beginning once. A list of
/// roots from a file may be as long as a tree has files.
class RootDirectories {
 public:
  RootDirectories() = default;
  explicit RootDirectories(std::vector<RootDirectory> roots);

  std::vector<RootDirectory>::const_iterator begin() const { return roots_.begin(); }
  std::vector<RootDirectory>::const_iterator end() const { return roots_.end(); }
  /// Returns the root with the longest beginning of `text`; null if there is none.
  const RootDirectory* longest(std::string_view text) const;
  /// Returns the next shorter root that `root`, one of these, begins with; null if there is none.
  const RootDirectory* around(const RootDirectory& root) const;

 private:
  static constexpr std::size_t no_root = static_cast<std::size_t>(-1);

  std::vector<RootDirectory> roots_;
  std::vector<std::size_t> around_;  ///< index of the next shorter root of each, or no_root
};

/// Identifies the roots. Call before the search: a directory that has taken the place of a root
/// afterwards is not the one that was searched.
RootDirectories root_directories_of(const Plan& plan);

struct Located {
  const RootDirectory* root = nullptr;  ///< null if the path is below none of them
  std::string_view path{};              ///< relative to it; empty for a root or a volume itself
};

/// Finds the nearest root of `path`, a path as printed.
Located locate_below(const RootDirectories& roots, std::string_view path);

/// Splits `path` into its directory, with a slash at its end or empty, and its name.
std::pair<std::string_view, std::string_view> split_path(std::string_view path);

/// Returns words for an errno of OpenAncestors::open to use instead of the system's; may be empty.
std::string_view detail_of_opening(int error);

}  // namespace ffind::output
