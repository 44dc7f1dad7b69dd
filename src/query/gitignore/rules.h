// SPDX-License-Identifier: MIT
// The rules of one ignore file, in git's syntax (gitignore(5)), and what they say of an entry. Made
// by search of the text of each such file; applied to every entry below it. Knows no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::query {

/// Whether a letter of ASCII matches the other case's: git's core.ignoreCase.
enum class LetterCase : std::uint8_t { kept, ignored };

/// False for what git never matches with anything: a class that is not closed or of an unknown
/// name, a backslash with nothing behind it.
bool can_match(std::string_view pattern);

/// Whether `pattern` matches all of `name`, in which there is no slash; `**` is `*`. `steps`, where
/// it is not null, grows by the work done: at most pattern times name, whatever the pattern.
bool matches_name(std::string_view pattern, std::string_view name,
                  LetterCase letters = LetterCase::kept, std::uint64_t* steps = nullptr);

/// The same for a path, whose slashes nothing but a slash and `**` between slashes matches.
bool matches_path(std::string_view pattern, std::string_view path,
                  LetterCase letters = LetterCase::kept, std::uint64_t* steps = nullptr);

/// An entry as rules look at it; made once for all the files that count for it. `letters` must be
/// theirs.
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
  none,      ///< no rule matches: a file farther away decides
  ignored,   ///< the last rule that matches is a plain one
  included,  ///< it begins with `!`
};

/// Immutable after construction: all workers share one.
class IgnoreRules {
 public:
  /// Nothing is wrong in an ignore file: what is no rule matches nothing.
  explicit IgnoreRules(std::string text, LetterCase letters = LetterCase::kept);

  bool empty() const { return rules_.empty(); }
  LetterCase letters() const { return letters_; }
  /// Some rule is about paths: `path` is looked at.
  bool need_path() const { return has_paths_; }

  /// `path` is the entry's, from the directory that the file lies in, without a slash in front.
  IgnoreDecision judge(const IgnoreSubject& subject, std::string_view path) const;

 private:
  struct Rule {
    std::uint32_t begin = 0;  ///< of its pattern in the text
    std::uint32_t length = 0;
    std::uint32_t literal = 0;  ///< so many bytes of it are literal
    std::uint32_t tail = 0;     ///< so do these at its end, in its last component
    bool included = false;
    bool directories_only = false;
    bool path = false;    ///< matched against the path, not the name
    bool suffix = false;  ///< `*` and a text
  };
  /// The last rules of one text that a name, an extension or a path may be: their number and one.
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
  /// The part of it that the table knows it by.
  std::string_view text_of(const Rule& rule) const {
    return pattern_of(rule).substr(rule.suffix ? 1 : 0);
  }

  std::string text_;
  LetterCase letters_;
  std::vector<Rule> rules_;
  std::vector<std::uint32_t> others_;  ///< numbers of rules that no table holds
  std::vector<Slot> table_;            ///< open addressing, at most half full
  std::size_t in_table_ = 0;
  bool has_paths_ = false;
  bool has_literal_paths_ = false;
  bool has_extensions_ = false;
};

}  // namespace ffind::query
