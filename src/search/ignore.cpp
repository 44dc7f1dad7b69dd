// SPDX-License-Identifier: MIT
// Finding and reading of ignore files, as git does it: git_around() goes up from a directory to the
// top of its working tree, common_directory() recognises such a top, repository() reads the
// configuration for it, git_within() adds a directory's own file. The rules themselves are parsed
// and matched by ignore_rules.
//
// A chain for /w/src in the working tree /w, innermost first; the first level with a matching rule
// decides:
//
//     /w/src/.gitignore ─▶ /w/.gitignore ─▶ /w/.git/info/exclude ─▶ core.excludesFile
//     git_within()         git_around() or   repository()
//                          the parent's
//
// The walk of a root calls around() once, for the root; every other directory starts from its
// parent's chain. A file that exists and cannot be read is reported, and counts as empty.
#include "search/ignore.h"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>
#include <vector>

#include "search/frontier.h"
#include "search/git_config.h"
#include "search/ignore_rules.h"
#include "search/opener.h"
#include "text/paths.h"

namespace ffind::search {

/// Rules of one file, and the level that decides if they do not match. Directories without rules of
/// their own share their parent's level.
struct IgnoreLevel {
  std::shared_ptr<const IgnoreLevel> outer;
  IgnoreRules rules;
  std::size_t base = 0;  ///< length of the path, with a slash, that its paths are relative to
  /// Priority of rules other than git's: all levels of a higher tier decide before any of a lower
  /// one. 0 for rules given for a root, 1 for the first name of Scope::ignore_files; one more than
  /// for the last name for given rules that decide first.
  std::size_t tier = 0;
};

namespace {

/// No such file, or none that git would read: it has not followed links since 2.32.
bool is_no_file(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENXIO || error == EINVAL;
}

/// A .git directory contains no working tree.
bool is_git_directory_name(std::string_view path) {
  return path.ends_with("/.git");
}

/// Returns the decision of the nearest level of `tier` with a matching rule.
IgnoreDecision decide(const IgnoreLevel* chain, std::size_t tier, const IgnoreSubject& subject,
                      std::string_view path) {
  for (; chain != nullptr; chain = chain->outer.get()) {
    if (chain->tier != tier) continue;
    const std::string_view below =
        chain->rules.need_path() ? path.substr(chain->base) : std::string_view();
    const IgnoreDecision decision = chain->rules.judge(subject, below);
    if (decision != IgnoreDecision::none) return decision;
  }
  return IgnoreDecision::none;
}

/// Case sensitivity of the chain's rules, the same in all levels; subjects are created with it.
LetterCase letters_of(const IgnoreChain& chain) {
  return chain != nullptr ? chain->rules.letters() : LetterCase::kept;
}

/// Returns whether the entry at the absolute `path` is ignored; the directories around it are not
/// tested. Rules decide in this order: those of the last of Scope::ignore_files, and so on to the
/// first, git's, those given for the root. `path` is used only if need_path() returns true.
bool is_ignored(const IgnoreChains& chains, const Scope& scope, std::string_view name,
                bool directory, std::string_view path) {
  constexpr auto none = IgnoreDecision::none;
  const IgnoreLevel* const others = chains.others.get();
  const auto by_others = [&](std::size_t tier) {
    return decide(others, tier, IgnoreSubject(name, directory), path);
  };
  IgnoreDecision decision = none;
  if (others != nullptr) {
    // Other files decide before git's, as in ripgrep, where .ignore comes before .gitignore.
    for (std::size_t tier = scope.ignore_files.size() + 1; tier > 0 && decision == none; --tier) {
      decision = by_others(tier);
    }
  }
  if (decision == none && chains.git != nullptr) {
    const IgnoreSubject subject(name, directory, letters_of(chains.git));
    decision = decide(chains.git.get(), 0, subject, path);
  }
  if (decision == none && others != nullptr) decision = by_others(0);
  if (decision == none) return scope.ignores_hidden && name.starts_with('.');
  return decision == IgnoreDecision::ignored;
}

/// Returns whether some rule of the chain needs the entry's path, not only its name.
bool need_path(const IgnoreLevel* chain) {
  for (; chain != nullptr; chain = chain->outer.get()) {
    if (chain->rules.need_path()) return true;
  }
  return false;
}

/// Directory to be entered. Its paths are built only when needed.
struct Place {
  const os::Directory* at = nullptr;       ///< open, or null: files are opened by path
  std::function<std::string()> canonical;  ///< absolute, without links
  std::function<std::string()> shown;      ///< with a slash at its end
  bool may_have_rules = true;              ///< false: it has no `.gitignore`
  bool may_be_top = true;                  ///< false: it has no `.git`
  bool may_have_others = true;             ///< false: it has none of Scope::ignore_files
};

Place place_at(const std::string& path) {
  return {.canonical = [path] { return path; }, .shown = [path] { return text::with_slash(path); }};
}

/// The directories around `path` up to `top`, the outermost first; all of them if it is empty.
std::vector<std::string> directories_around(const std::string& path, std::string_view top) {
  std::vector<std::string> directories;
  for (std::string_view directory = path; directory != top;) {
    directory = text::parent_of(directory);
    if (directory.empty()) break;
    directories.emplace_back(directory);
  }
  std::reverse(directories.begin(), directories.end());
  return directories;
}

/// Returns the level that sets case sensitivity for those to come, even if the first rules are far
/// below; null if case counts, unless a level `marks` the working tree.
IgnoreChain beginning(bool ignore_case, bool marks) {
  if (!ignore_case && !marks) return {};
  const LetterCase letters = ignore_case ? LetterCase::ignored : LetterCase::kept;
  return std::make_shared<IgnoreLevel>(IgnoreLevel{{}, IgnoreRules(std::string(), letters)});
}

/// Finds the rules that apply in a directory. Belongs to its thread.
class IgnoreFiles {
 public:
  /// Files are opened with room made for their descriptors, if `opener` is not null. Nothing is
  /// reported if `issues` is null.
  IgnoreFiles(const Scope& scope, os::FileSystem& file_system, Opener* opener,
              IssueReporter* issues)
      : scope_(scope),
        git_(scope.gitignore),
        file_system_(file_system),
        opener_(opener),
        issues_(issues) {}

  /// Returns the rules that apply in the directory `path` (canonical) without its own. Outside of a
  /// working tree, git's files from the directory `top` down count, which is `path` or around it;
  /// of other files, those of all directories around `path`.
  IgnoreChains around(const std::string& path, const std::string& top) {
    return {git_.enabled ? git_around(path, top) : IgnoreChain(), others_around(path, top)};
  }

  /// Returns `outer` with the directory's own rules; the top of a repository starts afresh.
  IgnoreChains within(const Place& place, const IgnoreChains& outer) {
    return {git_.enabled ? git_within(place, outer.git) : IgnoreChain(),
            others_within(place, outer.others)};
  }

 private:
  /// Reads the whole regular file `path`. EFBIG if it is larger than largest_ignore_file; other
  /// errors like read_beginning.
  int read(const os::Directory* at, const std::string& path, bool follow, std::string& text) {
    FileBeginning beginning;
    const auto try_it = [&] {
      return read_beginning(file_system_, at, path, follow, largest_ignore_file + 1, beginning);
    };
    const int error = opener_ != nullptr ? opener_->with_room(try_it) : try_it();
    const bool is_large = beginning.bytes.size() > largest_ignore_file;
    text = is_large ? std::string() : std::move(beginning.bytes);
    return is_large ? EFBIG : error;
  }

  /// Reports an ignore file, by its printed path, that exists and cannot be read.
  void report(std::string path, int error) {
    if (issues_ != nullptr) issues_->report(std::move(path), "read ignore file", error);
  }

  /// Returns `outer` with one level more, or `outer` itself if the text has no rules. Paths are
  /// absolute without a base.
  IgnoreChain with_rules(std::string text, const std::string& base, const IgnoreChain& outer,
                         std::size_t tier = 0) const {
    if (scope_.loose_ignores) text = with_braces_spelt_out(text);
    IgnoreRules rules(std::move(text), letters_of(outer));
    if (rules.empty()) return outer;
    const std::size_t size = base.empty() ? 0 : text::with_slash(base).size();
    return std::make_shared<IgnoreLevel>(IgnoreLevel{outer, std::move(rules), size, tier});
  }

  /// Reads the file `name` in the directory; empty if there is none or it cannot be read.
  std::string text_of(const Place& place, const std::string& name) {
    std::string text;
    const int error =
        read(place.at, place.at != nullptr ? name : text::with_slash(place.canonical()) + name,
             scope_.loose_ignores, text);
    if (error != 0 && !is_no_file(error)) report(place.shown() + name, error);
    return text;
  }

  IgnoreChain git_around(const std::string& path, const std::string& top) {
    // Goes up until a directory is the top of a working tree.
    std::string common;
    std::string directory = path;
    const bool loose = scope_.loose_ignores;
    while (restarts() && !directory.empty() && (loose || !is_git_directory_name(directory))) {
      common = common_directory(place_at(directory));
      if (!common.empty()) break;
      directory.resize(text::parent_of(directory).size());
    }
    // The directory itself is the top: within() will find its rules.
    if (directory == path && !common.empty()) return {};
    if (common.empty() && scope_.ignores_need_tree) return {};
    // Outside of any working tree: the user's rules, and those of the directories from `top` down.
    if (common.empty()) directory = loose ? std::string() : top;
    const bool of_user = common.empty() || !scope_.ignores_of_parents;
    IgnoreChain chain = of_user
                            ? with_far_file(git_.excludes_file, top,
                                            beginning(git_.ignore_case, scope_.ignores_need_tree))
                            : repository(directory, common);
    if (!scope_.ignores_of_parents) return chain;
    // The outermost first, since each level refers to the one around it.
    for (const std::string& around : directories_around(path, directory)) {
      chain = restarts() ? with_file(place_at(around), chain) : git_within(place_at(around), chain);
    }
    return chain;
  }

  /// Returns true if the top of a working tree starts afresh. In ripgrep it does not if git's rules
  /// count everywhere.
  bool restarts() const { return !scope_.loose_ignores || scope_.ignores_need_tree; }

  IgnoreChain git_within(const Place& place, const IgnoreChain& outer) {
    IgnoreChain chain = outer;
    const std::string common = place.may_be_top ? common_directory(place) : std::string();
    if (!common.empty()) {
      chain = restarts() ? repository(place.canonical(), common)
                         : with_far_file(common + "/info/exclude", place.canonical(), chain);
    }
    const bool counts = !scope_.ignores_need_tree || chain != nullptr;
    return counts && place.may_have_rules ? with_file(place, chain) : chain;
  }

  /// Returns whether a part of a repository exists: `error` is from reading it. Like git, treats
  /// what is closed to this user as missing.
  bool is_there(const std::string& path, int error) {
    if (error != 0 && error != EACCES && !is_no_file(error)) report(path, error);
    return error == 0;
  }

  /// If the directory is the top of a working tree, returns the directory with what all working
  /// trees of its repository share; else an empty string. Like git, ignores other directories
  /// called
  /// `.git`.
  std::string common_directory(const Place& place) {
    const bool loose = scope_.loose_ignores;
    std::string text;
    const std::string name =
        place.at != nullptr ? std::string(".git") : text::with_slash(place.canonical()) + ".git";
    // A file, if the directory is a submodule or a linked working tree: "gitdir:
    // ../.git/modules/x". ENXIO is a directory; EACCES may be one.
    const int error = read(place.at, name, true, text);
    const std::string top = place.canonical();
    std::string directory = text::with_slash(top) + ".git";
    if (error != 0 && error != ENXIO && error != EACCES) {
      if (!is_no_file(error)) report(place.shown() + ".git", error);
      const std::string other = text::with_slash(top) + ".jj";
      return loose && find_path(file_system_, other) == 0 ? other : std::string();
    }
    if (error == 0) {
      const std::string_view told = git_directory_of(text);
      if (told.empty()) return loose ? directory : std::string();
      directory = git_path(told, top, {});
    }
    const auto read_part = [&](const std::string& path) {
      return is_there(path, read(nullptr, path, true, text));
    };
    const auto exists = [&](const std::string& path) {
      return is_there(path, find_path(file_system_, path));
    };
    if (!loose && (!read_part(directory + "/HEAD") || !is_git_head(text))) return {};
    std::string common = directory;
    // A linked working tree has a HEAD of its own, and objects and refs of the main one.
    if (read_part(directory + "/commondir")) {
      common = git_path(text.substr(0, text.find_first_of("\r\n")), directory, {});
    }
    const bool whole = loose || (exists(common + "/objects") && exists(common + "/refs"));
    return whole ? common : std::string();
  }

  /// Returns the rules for a whole working tree: the repository's own decide before those of its
  /// user.
  IgnoreChain repository(const std::string& top, const std::string& common) {
    const ReadFile read_file = [&](const std::string& path, std::string& text) {
      return is_there(path, read(nullptr, path, true, text));
    };
    // given_..., from the environment, comes before the repository's configuration, and that before
    // the user's.
    const IgnoreSettings found =
        scope_.loose_ignores
            ? IgnoreSettings()
            : read_ignore_settings(common + "/config", top, git_.home, read_file, {});
    const auto choose = [](const auto& given, const auto& own, const auto& users) {
      return given ? *given : own.value_or(users);
    };
    const std::string file =
        choose(git_.given_excludes_file, found.excludes_file, git_.excludes_file);
    const bool ignore_case = choose(git_.given_ignore_case, found.ignore_case, git_.ignore_case);
    return with_far_file(common + "/info/exclude", top,
                         with_far_file(git_path(file, top, git_.home), top,
                                       beginning(ignore_case, scope_.ignores_need_tree)));
  }

  /// Adds a file whose rules are not relative to its own directory but to `base`.
  IgnoreChain with_far_file(const std::string& file, const std::string& base,
                            const IgnoreChain& outer) {
    if (file.empty()) return outer;
    std::string text;
    const int error = read(nullptr, file, true, text);
    if (error != 0 && !is_no_file(error)) report(file, error);
    return with_rules(std::move(text), base, outer);
  }

  IgnoreChain with_file(const Place& place, const IgnoreChain& outer) {
    std::string text = text_of(place, ".gitignore");
    if (text.empty()) return outer;
    return with_rules(std::move(text), place.canonical(), outer);
  }

  IgnoreChain others_around(const std::string& path, const std::string& top) {
    IgnoreChain chain;
    for (const auto& [file, rules, base, decides_first] : scope_.ignore_texts) {
      const bool inside = text::with_slash(path).starts_with(text::with_slash(base));
      chain = with_rules(rules,
                         base.empty() ? top
                         : inside     ? base
                                      : std::string(),
                         chain, decides_first ? scope_.ignore_files.size() + 1 : 0);
    }
    if (scope_.ignore_files.empty() || !scope_.ignores_of_parents) return chain;
    for (const std::string& around : directories_around(path, {})) {
      chain = others_within(place_at(around), chain);
    }
    return chain;
  }

  IgnoreChain others_within(const Place& place, const IgnoreChain& outer) {
    IgnoreChain chain = outer;
    if (!place.may_have_others) return chain;
    for (std::size_t i = 0; i < scope_.ignore_files.size(); ++i) {
      std::string text = text_of(place, scope_.ignore_files[i]);
      if (!text.empty()) chain = with_rules(std::move(text), place.canonical(), chain, i + 1);
    }
    return chain;
  }

  const Scope& scope_;
  const GitIgnore& git_;
  os::FileSystem& file_system_;
  Opener* const opener_;
  IssueReporter* const issues_;
};

}  // namespace

int find_path(os::FileSystem& file_system, const std::string& path) {
  Metadata metadata{};
  Needs got = needs::none;
  return file_system.stat(nullptr, path.c_str(), {.follow = true}, needs::type, metadata, got);
}

bool passes_over(const Scope& scope, os::FileSystem& file_system, const std::string& root,
                 std::string_view below) {
  const std::string path = text::with_slash(root).append(below);
  const std::string name = std::string(text::name_of(path));
  if (scope.gitignore.enabled && !scope.loose_ignores && name == ".git") return true;
  const std::string parent(text::parent_of(path));
  const auto its_path = [&parent] { return std::string(parent); };
  // Without reports: the search will report.
  IgnoreFiles files(scope, file_system, nullptr, nullptr);
  const IgnoreChains chains =
      files.within({.canonical = its_path, .shown = its_path}, files.around(parent, root));
  return is_ignored(chains, scope, name, true, path);
}

void IgnoreFilter::take_rules(Node& node, os::DirentBlock& block) {
  Place place;
  if (node.directory.is_open()) place.at = &node.directory;
  place.canonical = [&] {
    std::string path;
    node.spell_canonical(path);
    if (path.size() > 1) path.pop_back();
    return path;
  };
  place.shown = [&] { return node.printed_path(); };
  // The block is the whole directory: it shows whether the files exist, which saves a call for each
  // in nearly every directory.
  if (node.directory.at_end) {
    place.may_have_rules = place.may_be_top = place.may_have_others = false;
    const std::vector<std::string>& names = scope_.ignore_files;
    os::Dirent dirent;
    while (block.next(dirent)) {
      if (dirent.name == ".gitignore") place.may_have_rules = true;
      if (dirent.name == ".git" || dirent.name == ".jj") place.may_be_top = true;
      if (std::find(names.begin(), names.end(), dirent.name) != names.end()) {
        place.may_have_others = true;
      }
    }
    block.rewind();
  }
  IgnoreFiles files(scope_, opener_.file_system(), &opener_, &issues_);
  IgnoreChains outer;
  if (node.parent() != nullptr) {
    outer = node.parent()->ignore;
  } else {
    const Root& root = node.root();
    // For a mounted volume, the rules of the named root's directories count, too.
    const std::size_t below = root.below.empty() ? 0 : root.below.size() + 1;
    const std::string top = root.canonical.substr(0, root.canonical.size() - below);
    const std::string around = top.empty() ? "/" : top;
    outer = files.around(root.canonical, around);
  }
  node.ignore = files.within(place, outer);
}

bool IgnoreFilter::ignores(Entry& entry) {
  if (scope_.gitignore.enabled && !scope_.loose_ignores && entry.name == ".git") return true;
  const IgnoreChains& chains = node_->ignore;
  // ripgrep's walk returns links that lead nowhere before it looks at rules.
  if (scope_.loose_ignores && scope_.follow && entry.type == FileType::symlink) return false;
  if (chains.empty()) return scope_.ignores_hidden && entry.name.starts_with('.');
  // A rule that ends with a slash matches directories only.
  if (entry.type == FileType::unknown) entry.require(needs::type);
  if (!path_known_) {
    path_known_ = true;
    path_needed_ = need_path(chains.git.get()) || need_path(chains.others.get());
    path_.clear();
    if (path_needed_) node_->spell_canonical(path_);
    path_length_ = path_.size();
  }
  if (path_needed_) {
    path_.resize(path_length_);
    path_ += entry.name;
  }
  return is_ignored(chains, scope_, entry.name, entry.type == FileType::directory, path_);
}

}  // namespace ffind::search
