// SPDX-License-Identifier: MIT
// Rules of one ignore file in git's syntax (gitignore(5)), and git's wildcard patterns, in which
// they are written. The search compiles one IgnoreRules from each ignore file and applies it to all
// entries below the file's directory.
//
// These patterns match bytes, not characters, and are not the globs of the command line
// (query/patterns/glob.cpp), which have other rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::search {

/// git's core.ignoreCase, which applies to ASCII letters.
enum class LetterCase : std::uint8_t { kept, ignored };

/// False for patterns that never match in git: a class that is not closed or has an unknown name, a
/// backslash at the end.
bool can_match(std::string_view pattern);

/// True if `pattern` matches all of `name`, which has no slash; `**` is the same as `*`. The number
/// of steps taken, at most the product of both lengths, is added to `steps` unless that is null.
bool matches_name(std::string_view pattern, std::string_view name,
                  LetterCase letters = LetterCase::kept, std::uint64_t* steps = nullptr);

/// The same for a path. Its slashes are matched only by slashes and by `**` between slashes.
bool matches_path(std::string_view pattern, std::string_view path,
                  LetterCase letters = LetterCase::kept, std::uint64_t* steps = nullptr);

/// Returns `rules` with a line for each alternative of {a,b}, which is no syntax of git's. Lines
/// whose braces are not balanced are left out.
std::string with_braces_spelt_out(std::string_view rules);

/// The parts of an entry that rules are matched against, computed once for all ignore files that
/// apply to it. `letters` must be the same as theirs.
struct IgnoreSubject {
  IgnoreSubject(std::string_view entry_name, bool is_directory,
                LetterCase letters = LetterCase::kept);

  std::string_view name;
  std::string_view extension;  ///< from the last dot on; empty if there is none
  std::uint64_t name_hash = 0;
  std::uint64_t extension_hash = 0;
  bool directory = false;
};

enum class IgnoreDecision : std::uint8_t {
  none,      ///< no rule matches; the next file up decides
  ignored,   ///< the last rule that matches is a plain one
  included,  ///< the last rule that matches begins with `!`
};

/// Immutable after construction, shared by all threads.
class IgnoreRules {
 public:
  /// Any text is accepted. Lines that are not rules match nothing.
  explicit IgnoreRules(std::string text, LetterCase letters = LetterCase::kept);

  bool empty() const { return rules_.empty(); }
  LetterCase letters() const { return letters_; }
  /// True if a rule is matched against paths, so that `judge` uses its `path`.
  bool need_path() const { return has_paths_; }

  /// `path` is the entry's path relative to the directory of the ignore file, without a leading
  /// slash.
  IgnoreDecision judge(const IgnoreSubject& subject, std::string_view path) const;

 private:
  struct Rule {
    std::uint32_t begin = 0;  ///< of the pattern in text_
    std::uint32_t length = 0;
    std::uint32_t literal = 0;  ///< literal bytes at its beginning
    std::uint32_t tail = 0;     ///< literal bytes at its end, in its last component
    bool included = false;
    bool directories_only = false;
    bool path = false;    ///< matched against the path, not the name
    bool suffix = false;  ///< `*` followed by literal text
  };
  /// The last rules of one text, which is a name, an extension or a path. Numbers of rules plus
  /// one; 0 if there is none.
  struct Slot {
    std::uint32_t of_any = 0;
    std::uint32_t of_directories = 0;
    bool free() const { return of_any == 0 && of_directories == 0; }
    std::uint32_t latest() const { return of_any > of_directories ? of_any : of_directories; }
  };
  enum class Key : std::uint64_t { name, extension, path };

  void add_line(std::size_t begin, std::size_t end);
  void add_rule(Rule rule);
  bool add_to_table(std::uint32_t number);
  void grow_table();
  Key key_of(const Rule& rule) const;
  std::size_t find_slot(const std::vector<Slot>& table, Key key, std::string_view text,
                        std::uint64_t hash) const;
  std::size_t find_slot(const std::vector<Slot>& table, const Rule& rule) const;
  std::uint32_t look_up(Key key, std::string_view text, std::uint64_t hash, bool directory) const;
  bool matches(const Rule& rule, const IgnoreSubject& subject, std::string_view path) const;
  std::string_view pattern_of(const Rule& rule) const {
    return std::string_view(text_).substr(rule.begin, rule.length);
  }
  /// The part of the pattern that is the rule's key in the table.
  std::string_view text_of(const Rule& rule) const {
    return pattern_of(rule).substr(rule.suffix ? 1 : 0);
  }

  std::string text_;
  LetterCase letters_;
  std::vector<Rule> rules_;
  std::vector<std::uint32_t> others_;  ///< numbers of rules that are not in the table
  std::vector<Slot> table_;            ///< open addressing, at most half full
  std::size_t in_table_ = 0;
  bool has_paths_ = false;
  bool has_literal_paths_ = false;
  bool has_extensions_ = false;
};

}  // namespace ffind::search
