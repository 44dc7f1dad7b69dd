// SPDX-License-Identifier: MIT
// Finds the ignore files that apply to a directory, and tests entries against them. As in git,
// these are its own, those of the directories around it up to the top of the working tree, the
// repository's and the user's; also files of other names, and rules given for each root. Used by
// the walker's workers, and by cli for the few directories of a plan.
//
//     IgnoreFilter   a worker's test of each entry; keeps the chains in the Nodes
//     IgnoreFiles    finds git's rules (working trees, configuration, .gitignore), and those of
//                    other files and of the command line (ignore.cpp)
//     IgnoreChain    rules of one directory and, by reference, of those around it
//
// A chain is immutable and shared: a directory without rules of its own has its parent's, so the
// walk copies a pointer per directory, and rules live as long as something below them is searched.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "ffind/query.h"
#include "os/dirent_block.h"
#include "os/files.h"
#include "search/opener.h"
#include "search/state.h"

namespace ffind::search {

class Node;

struct IgnoreLevel;
/// Null if there are no rules so far and case matters in those to come.
using IgnoreChain = std::shared_ptr<const IgnoreLevel>;

/// Rules for the entries of one directory.
struct IgnoreChains {
  IgnoreChain git{};
  IgnoreChain others{};
  bool empty() const { return git == nullptr && others == nullptr; }
};

/// Largest file that is read. Public ones end at some 100 KiB; rules take some 15 times the bytes
/// of a hostile one.
inline constexpr std::size_t largest_ignore_file = std::size_t{16} * 1024 * 1024;

/// Returns 0 if something exists at `path`, links followed, or an errno.
int find_path(os::FileSystem& file_system, const std::string& path);

/// Returns true if the search of the directory `root` ignores the directory `below` it (without
/// slashes at its ends), not counting the directories on the way. Reads files on each call; for few
/// calls.
bool passes_over(const Scope& scope, os::FileSystem& file_system, const std::string& root,
                 std::string_view below);

/// Tests a worker's entries against the rules. Belongs to its thread.
class IgnoreFilter {
 public:
  IgnoreFilter(const Scope& scope, Opener& opener, IssueReporter& issues)
      : scope_(scope), opener_(opener), issues_(issues) {}

  /// Finds the rules of a directory; called before its first entry is matched, while no other
  /// worker has the node. If the first block is the whole directory, it shows which files exist;
  /// otherwise two calls find out.
  void take_rules(Node& node, os::DirentBlock& block);
  /// Moves to the entries of `node`.
  void turn_to(const Node& node) {
    node_ = &node;
    path_known_ = false;
  }
  /// Returns true if the entry is ignored; may load its type.
  bool ignores(Entry& entry);

 private:
  const Scope& scope_;
  Opener& opener_;
  IssueReporter& issues_;
  const Node* node_ = nullptr;
  std::string path_;             ///< of the entry, canonical
  std::size_t path_length_ = 0;  ///< of its directory's part, with a slash
  bool path_known_ = false;      ///< path_ and path_needed_ are the directory's
  bool path_needed_ = false;
};

}  // namespace ffind::search
