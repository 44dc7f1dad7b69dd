// SPDX-License-Identifier: MIT
// Which ignore files count for a directory. As git has it: its own, those of the directories around
// it up to the top of the working tree, the repository's and the user's. Beside them files of other
// names, and rules that hold from each root. Used by the walker's workers, and by cli for the few
// directories that the plan asks about.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ffind/query.h"
#include "os/dirent_block.h"
#include "os/files.h"
#include "query/gitignore/rules.h"
#include "search/opener.h"
#include "search/state.h"

namespace ffind::search {

class Node;

/// The rules of one file, and what decides where they say nothing. Directories that have no rules
/// of their own share their parent's; a directory's lives as long as something below it is
/// searched.
struct IgnoreLevel {
  std::shared_ptr<const IgnoreLevel> outer;
  query::IgnoreRules rules;
  std::size_t base = 0;  ///< length of the path, with a slash, from which its paths are counted
  /// Of rules that are not git's: all levels of a higher one decide before any of a lower one. 0 is
  /// what holds from a root, 1 the first name of Scope::ignore_files.
  std::size_t tier = 0;
};
/// Null where there are no rules, and case counts in those to come.
using IgnoreChain = std::shared_ptr<const IgnoreLevel>;

/// Whether git ignores the entry at the absolute `path`; of the directories around it nothing is
/// asked. `path` is looked at only if need_path said so.
bool is_ignored(const IgnoreLevel* chain, const query::IgnoreSubject& subject,
                std::string_view path);

/// What counts for the entries of one directory.
struct IgnoreChains {
  IgnoreChain git{};
  IgnoreChain others{};
  bool empty() const { return git == nullptr && others == nullptr; }
};
/// The same by all rules: those of the last of Scope::ignore_files, and so on to the first, then
/// git's, then what holds from the root.
bool is_ignored(const IgnoreChains& chains, const Scope& scope, std::string_view name,
                bool directory, std::string_view path);
bool need_path(const IgnoreLevel* chain);
/// How the rules of all its levels take letters, and subjects must be made for it.
inline query::LetterCase letters_of(const IgnoreLevel* chain) {
  return chain != nullptr ? chain->rules.letters() : query::LetterCase::kept;
}

/// The ways to files that this takes; each worker has its own.
class IgnoreAccess {
 public:
  virtual ~IgnoreAccess() = default;
  /// Everything in the regular file `path`, as read_ignore_file has it.
  virtual int read(const os::Directory* at, const std::string& path, bool follow,
                   std::string& text) = 0;
  /// Whether something is there, links followed: 0 or an errno.
  virtual int find(const std::string& path) = 0;
  /// An ignore file, by the name that people know it by, that is there and cannot be read.
  virtual void report(std::string path, int error) = 0;
};

/// The largest file that is read. Public ones end at some 100 KiB; what a hostile one makes of its
/// bytes is some 15 times as many.
inline constexpr std::size_t largest_ignore_file = std::size_t{16} * 1024 * 1024;

/// Everything in the regular file `path`; EFBIG for what is larger than largest_ignore_file, the
/// rest as read_beginning.
int read_ignore_file(os::FileSystem& file_system, const os::Directory* at, const std::string& path,
                     bool follow, std::string& text);

/// As IgnoreAccess::find.
int find_path(os::FileSystem& file_system, const std::string& path);

/// Belongs to its thread.
class IgnoreFiles {
 public:
  IgnoreFiles(const GitIgnore& settings, IgnoreAccess& access)
      : settings_(settings), access_(access) {}

  /// What counts in the directory `path` (absolute, without links) beside what it holds itself. In
  /// no working tree the files from the directory `top` down count, which is `path` or around it.
  IgnoreChain around(const std::string& path, const std::string& top);

  /// A directory that is being entered. Its paths are spelled only where they are needed.
  struct Place {
    const os::Directory* at = nullptr;       ///< open, or null: by its path
    std::function<std::string()> canonical;  ///< absolute, without links
    std::function<std::string()> shown;      ///< with a slash at its end
    bool may_have_rules = true;              ///< false: no `.gitignore` is there
    bool may_be_top = true;                  ///< false: no `.git` is there
  };
  /// `outer` and what the directory itself adds; in a repository of its own that alone.
  IgnoreChain within(const Place& place, const IgnoreChain& outer);

 private:
  std::string common_directory(const Place& place);
  bool is_there(const std::string& path, int error);
  IgnoreChain with_file(const Place& place, const IgnoreChain& outer);
  IgnoreChain with_far_file(const std::string& file, const std::string& base,
                            const IgnoreChain& outer);
  static IgnoreChain beginning(bool ignore_case);
  static IgnoreChain with_rules(std::string text, const std::string& base,
                                const IgnoreChain& outer);
  IgnoreChain repository(const std::string& top, const std::string& common);

  const GitIgnore& settings_;
  IgnoreAccess& access_;
};

/// The rules that are not git's; in files of other names case always counts. Belongs to its thread.
class OtherIgnoreFiles {
 public:
  OtherIgnoreFiles(const Scope& scope, IgnoreAccess& access) : scope_(scope), access_(access) {}

  /// As IgnoreFiles::around; files of all directories around `path` count.
  IgnoreChain around(const std::string& path, const std::string& top);
  /// `outer` and what the directory itself adds. `may_have_rules` is of these files.
  IgnoreChain within(const IgnoreFiles::Place& place, const IgnoreChain& outer);

 private:
  const Scope& scope_;
  IgnoreAccess& access_;
};

/// Whether the search of the directory `root` passes over the directory `below` it (without slashes
/// at its ends), all on the way to it aside. Reads what it needs; for few questions.
bool passes_over(const Scope& scope, os::FileSystem& file_system, const std::string& root,
                 std::string_view below);

/// Belongs to its thread.
class IgnoreFilter final : private IgnoreAccess {
 public:
  IgnoreFilter(const Scope& scope, Opener& opener, IssueReporter& issues)
      : scope_(scope),
        opener_(opener),
        issues_(issues),
        files_(scope.gitignore, *this),
        others_(scope, *this) {}

  /// Before the first entry of a directory is looked at, while no other worker has it. Where
  /// `block`, its first, is all of it, that tells what it holds; elsewhere two calls find out.
  void take_rules(Node& node, os::DirentBlock& block);
  /// The entries are those of `node` from now on.
  void turn_to(const Node& node) {
    node_ = &node;
    path_known_ = false;
  }
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
  std::size_t path_length_ = 0;  ///< of its directory in that, with a slash
  bool path_known_ = false;      ///< of the present directory
  bool path_needed_ = false;
};

}  // namespace ffind::search
