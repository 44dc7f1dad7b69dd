// SPDX-License-Identifier: MIT
// Finds the ignore files that apply to a directory, and tests entries against them. As in git,
// these are its own, those of the directories around it up to the top of the working tree, the
// repository's and the user's; besides, files of other names, and rules given for each root. Used
// by the walker's workers, and by cli for the few directories of a plan.
//
//     IgnoreFilter       a worker's test of each entry; keeps the chains in the Nodes
//       ├ IgnoreFiles        git's rules: working trees, configuration, .gitignore
//       └ OtherIgnoreFiles   rules of other files and of the command line
//     IgnoreChain        rules of one directory and, by reference, of those around it
//
// A chain is immutable and shared: a directory without rules of its own has its parent's, so the
// walk copies a pointer per directory, and rules live as long as something below them is searched.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ffind/query.h"
#include "os/dirent_block.h"
#include "os/files.h"
#include "search/ignore_rules.h"
#include "search/opener.h"
#include "search/state.h"

namespace ffind::search {

class Node;

/// Rules of one file, and the level that decides if they do not match. Directories without rules of
/// their own share their parent's level.
struct IgnoreLevel {
  std::shared_ptr<const IgnoreLevel> outer;
  IgnoreRules rules;
  std::size_t base = 0;  ///< length of the path, with a slash, that its paths are relative to
  /// Priority of rules other than git's: all levels of a higher tier decide before any of a lower
  /// one. 0 for rules given for a root, 1 for the first name of Scope::ignore_files.
  std::size_t tier = 0;
};
/// Null if there are no rules so far and case counts in those to come.
using IgnoreChain = std::shared_ptr<const IgnoreLevel>;

/// Rules for the entries of one directory.
struct IgnoreChains {
  IgnoreChain git{};
  IgnoreChain others{};
  bool empty() const { return git == nullptr && others == nullptr; }
};

/// Access to files, and reporting, as the caller wants it; each worker has its own.
class IgnoreAccess {
 public:
  virtual ~IgnoreAccess() = default;
  /// Reads the whole regular file `path` like read_ignore_file.
  virtual int read(const os::Directory* at, const std::string& path, bool follow,
                   std::string& text) = 0;
  /// Returns 0 if something exists at `path`, links followed, or an errno.
  virtual int find(const std::string& path) = 0;
  /// Reports an ignore file, by its printed path, that exists and cannot be read.
  virtual void report(std::string path, int error) = 0;
};

/// Largest file that is read. Public ones end at some 100 KiB; rules take some 15 times the bytes
/// of a hostile one.
inline constexpr std::size_t largest_ignore_file = std::size_t{16} * 1024 * 1024;

/// Reads the whole regular file `path`. EFBIG if it is larger than largest_ignore_file; other
/// errors like read_beginning.
int read_ignore_file(os::FileSystem& file_system, const os::Directory* at, const std::string& path,
                     bool follow, std::string& text);

/// Implements IgnoreAccess::find.
int find_path(os::FileSystem& file_system, const std::string& path);

/// Finds git's rules. Belongs to its thread.
class IgnoreFiles {
 public:
  IgnoreFiles(const GitIgnore& settings, IgnoreAccess& access)
      : settings_(settings), access_(access) {}

  /// Returns the rules that apply in the directory `path` (canonical) without its own. Outside of a
  /// working tree, files from the directory `top` down count, which is `path` or around it.
  IgnoreChain around(const std::string& path, const std::string& top);

  /// Directory to be entered. Its paths are built only when needed.
  struct Place {
    const os::Directory* at = nullptr;       ///< open, or null: files are opened by path
    std::function<std::string()> canonical;  ///< absolute, without links
    std::function<std::string()> shown;      ///< with a slash at its end
    bool may_have_rules = true;              ///< false: it has no `.gitignore`
    bool may_be_top = true;                  ///< false: it has no `.git`
  };
  /// Returns `outer` with the directory's own rules; the top of a repository starts afresh.
  IgnoreChain within(const Place& place, const IgnoreChain& outer);

 private:
  std::string common_directory(const Place& place);
  bool is_there(const std::string& path, int error);
  IgnoreChain with_file(const Place& place, const IgnoreChain& outer);
  IgnoreChain with_far_file(const std::string& file, const std::string& base,
                            const IgnoreChain& outer);
  IgnoreChain repository(const std::string& top, const std::string& common);

  const GitIgnore& settings_;
  IgnoreAccess& access_;
};

/// Finds the rules that are not git's, in which case always counts. Belongs to its thread.
class OtherIgnoreFiles {
 public:
  OtherIgnoreFiles(const Scope& scope, IgnoreAccess& access) : scope_(scope), access_(access) {}

  /// Like IgnoreFiles::around, but with the files of all directories around `path`.
  IgnoreChain around(const std::string& path, const std::string& top);
  /// Returns `outer` with the directory's own rules. `may_have_rules` refers to these files.
  IgnoreChain within(const IgnoreFiles::Place& place, const IgnoreChain& outer);

 private:
  const Scope& scope_;
  IgnoreAccess& access_;
};

/// Returns whether the search of the directory `root` ignores the directory `below` it (without
/// slashes at its ends), not counting the directories on the way. Reads files on each call; for few
/// calls.
bool passes_over(const Scope& scope, os::FileSystem& file_system, const std::string& root,
                 std::string_view below);

/// Tests a worker's entries against the rules. Belongs to its thread.
class IgnoreFilter final : private IgnoreAccess {
 public:
  IgnoreFilter(const Scope& scope, Opener& opener, IssueReporter& issues)
      : scope_(scope),
        opener_(opener),
        issues_(issues),
        files_(scope.gitignore, *this),
        others_(scope, *this) {}

  /// Finds the rules of a directory; called before its first entry is matched, while no other
  /// worker has the node. If the first block is the whole directory, it shows which files exist;
  /// otherwise two calls find out.
  void take_rules(Node& node, os::DirentBlock& block);
  /// Moves to the entries of `node`.
  void turn_to(const Node& node) {
    node_ = &node;
    path_known_ = false;
  }
  /// Returns whether the entry is ignored; may load its type.
  bool ignores(Entry& entry);

 private:
  int read(const os::Directory* at, const std::string& path, bool follow,
           std::string& text) override;
  int find(const std::string& path) override;
  void report(std::string path, int error) override;

  const Scope& scope_;
  Opener& opener_;
  IssueReporter& issues_;
  IgnoreFiles files_;
  OtherIgnoreFiles others_;
  const Node* node_ = nullptr;
  std::string path_;             ///< of the entry, canonical
  std::size_t path_length_ = 0;  ///< of its directory's part, with a slash
  bool path_known_ = false;      ///< path_ and path_needed_ are the directory's
  bool path_needed_ = false;
};

}  // namespace ffind::search
