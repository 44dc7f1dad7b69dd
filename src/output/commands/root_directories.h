// SPDX-License-Identifier: MIT
// From the path of a match back to the root that it was found below. Used by what must reach the
// match itself, and nothing that took the place of a directory on the way to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"
#include "os/safe_open.h"

namespace ffind::output {

/// Where there are several, the first counts most.
enum class RootKind : std::uint8_t {
  root,    ///< a directory that was named
  volume,  ///< mounted below one, and searched
  files,   ///< roots are files in it
};

/// A root, and how the paths below it begin; of files the directory that they were typed with.
struct RootDirectory {
  std::string printed;  ///< with a slash at its end, or empty
  os::KnownDirectory directory;
  std::string canonical{};  ///< absolute, without links, a slash at its end
  RootKind kind = RootKind::root;
};

/// Those of a search, in the order of what they begin with, each beginning once. A list of roots
/// from a file may be as long as a tree has files.
class RootDirectories {
 public:
  RootDirectories() = default;
  explicit RootDirectories(std::vector<RootDirectory> roots);

  std::vector<RootDirectory>::const_iterator begin() const { return roots_.begin(); }
  std::vector<RootDirectory>::const_iterator end() const { return roots_.end(); }
  /// The one with the longest beginning that `text` has; null: none.
  const RootDirectory* longest(std::string_view text) const;
  /// The next shorter one that `root`, which is one of these, begins with; null: none.
  const RootDirectory* around(const RootDirectory& root) const;

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  std::vector<RootDirectory> roots_;
  std::vector<std::size_t> around_;  ///< of each its next shorter one, or nobody
};

/// Asks the system what the roots are. To be called before the search: what is another directory
/// afterwards is not the one that was searched.
RootDirectories root_directories_of(const Plan& plan);

struct Located {
  const RootDirectory* root = nullptr;  ///< null: below none of them
  std::string_view path{};              ///< from there; empty for a root or a volume itself
};

/// Of several roots the one nearest to `path`, which is printed as any other.
Located locate_below(const RootDirectories& roots, std::string_view path);

/// Opens the directory `below` the root of `located`. 0 or an errno, as OpenAncestors::open has it;
/// ESTALE where there is no root, too.
int open_directory(os::OpenAncestors& ancestors, const Located& located, std::string_view below,
                   int& fd);

/// The same by names on the way; see OpenAncestors::open.
int open_directory(os::OpenAncestors& ancestors, const RootDirectory* root,
                   std::span<const std::string_view> names, std::size_t same, int& fd);

/// What to say of an errno of that in the place of the system's words; empty: nothing.
std::string_view detail_of_opening(int error);

}  // namespace ffind::output
