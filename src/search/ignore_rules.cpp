// SPDX-License-Identifier: MIT
// Compilation and look-up of ignore rules, and git's wildmatch.
//
// The last rule that matches an entry decides. Most rules are a name, *.ext, or a path without
// wildcards; they are found by one hash look-up each, however many there are. The others are tried
// from the last one back, as far as they come after what the look-ups found:
//
//     build/      name       ┐
//     *.o         extension  ├─▶ table_: text → number of the last rule, and of the last one for
//     /doc/html   path       ┘           directories only
//     lib*.a[0-9]            ──▶ others_
//
// Patterns are matched as they are in the text of the file; nothing is compiled, so that a file of
// a thousand rules takes little more memory than on disk. A rule is tried only if its literal
// beginning and end fit.
//
//     line         pattern    path  included  directories_only  literal  tail  suffix
//     *.o          *.o        -     -         -                 0        2     yes
//     !/doc/       doc        yes   yes       yes               3        3     -
//     a/**/b?      a/**/b?    yes   -         -                 2        0     -
//
// matches_name and matches_path are git's wildmatch (wildmatch.c) without its recursion, in time
// bounded by the product of the lengths.
#include "search/ignore_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/ascii.h"

namespace ffind::search {
namespace {

/// The bytes that git's simple_length() stops at (dir.c).
constexpr std::string_view wildcards = "*?[\\";

/// In a table that is half full, runs are shorter than this (a table of 2^20 slots has runs of
/// about 70), unless hashes collide on purpose. Rules that find no slot are tried one by one.
constexpr std::size_t most_probes = 128;
constexpr std::size_t no_slot = static_cast<std::size_t>(-1);

/// FNV-1a: names are short, and it needs no setup.
std::uint64_t hash_of(std::string_view text, LetterCase letters) {
  const bool folding = letters == LetterCase::ignored;
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char byte : text) {
    hash = (hash ^ static_cast<unsigned char>(folding ? text::fold_ascii(byte) : byte)) *
           0x100000001B3U;
  }
  return hash;
}

bool equal(std::string_view a, std::string_view b, LetterCase letters) {
  if (letters == LetterCase::kept) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return text::fold_ascii(x) == text::fold_ascii(y); });
}

bool begins_with(std::string_view text, std::string_view beginning, LetterCase letters) {
  return text.size() >= beginning.size() &&
         equal(text.substr(0, beginning.size()), beginning, letters);
}

bool ends_with(std::string_view text, std::string_view end, LetterCase letters) {
  return text.size() >= end.size() && equal(text.substr(text.size() - end.size()), end, letters);
}

/// Removes blanks at the end of a line that are not escaped by a backslash: `a\ ` followed by two
/// more blanks keeps the first. A backslash at the end leaves the line as it is, as in git.
std::string_view without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    if (line[at] == '\\' && ++at == line.size()) return line;
    end = at + 1;
  }
  return line.substr(0, end);
}

/// Most patterns that the braces of one line may become.
constexpr std::size_t most_alternatives = 1000;

/// Finds the first brace that is not escaped or in a class; npos if there is none.
std::size_t find_brace(std::string_view pattern, std::size_t from) {
  for (std::size_t at = from; at < pattern.size(); ++at) {
    if (pattern[at] == '{' || pattern[at] == '}' || pattern[at] == ',') return at;
    if (pattern[at] == '\\') ++at;
    // A bracket that closes nothing, or is the first member, is a character.
    const std::size_t close =
        pattern[at] == '[' ? pattern.find(']', at + 2) : std::string_view::npos;
    if (close != std::string_view::npos) at = close;
  }
  return std::string_view::npos;
}

/// Appends the patterns that `pattern` means, the first pair of braces first. Returns false if the
/// braces are not balanced, or are too many.
bool append_alternatives(std::vector<std::string>& patterns, const std::string& pattern) {
  const auto next = [&](std::size_t from) { return find_brace(pattern, from); };
  std::size_t open = next(0);
  while (open != std::string::npos && pattern[open] == ',') open = next(open + 1);
  if (open == std::string::npos) {
    patterns.push_back(pattern);
    return patterns.size() <= most_alternatives;
  }
  if (pattern[open] == '}') return false;
  std::vector<std::size_t> ends = {open};  // of the alternatives, after the brace
  std::size_t depth = 1;
  for (std::size_t at = next(open + 1); at != std::string::npos; at = next(at + 1)) {
    if (pattern[at] == '{') ++depth;
    if (pattern[at] == '}') --depth;
    if (depth == 0 || (depth == 1 && pattern[at] == ',')) ends.push_back(at);
    if (depth == 0) break;
  }
  if (depth != 0) return false;
  const auto with = [&](std::size_t begin, std::size_t end) {
    std::string whole = pattern;
    whole.erase(end, ends.back() + 1 - end).erase(open, begin - open);
    return append_alternatives(patterns, whole);
  };
  bool any = false;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const std::size_t begin = ends[i - 1] + 1;
    if (begin == ends[i]) continue;  // as in ripgrep, no alternative
    any = true;
    if (!with(begin, ends[i])) return false;
  }
  return any || with(open, open);
}

}  // namespace

std::string with_braces_spelt_out(std::string_view rules) {
  std::string text;
  while (!rules.empty()) {
    std::string_view line = rules.substr(0, rules.find('\n'));
    rules.remove_prefix(std::min(line.size() + 1, rules.size()));
    if (line.starts_with('#') || line.find_first_of("{}") == std::string_view::npos) {
      text.append(line) += '\n';
      continue;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t begin = line.starts_with('!') ? 1 : 0;
    // A slash in one alternative makes paths of all of them.
    const std::size_t slash = line.find('/', begin);
    const bool is_path =
        slash != std::string_view::npos && slash > begin && slash + 1 < line.size();
    std::vector<std::string> patterns;
    if (!append_alternatives(patterns, std::string(line.substr(begin)))) continue;
    for (const std::string& pattern : patterns) {
      text.append(line.substr(0, begin)).append(is_path ? "/" : "").append(pattern) += '\n';
    }
  }
  return text;
}

IgnoreSubject::IgnoreSubject(std::string_view entry_name, bool is_directory, LetterCase letters)
    : name(entry_name), name_hash(hash_of(entry_name, letters)), directory(is_directory) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return;
  extension = name.substr(dot);
  extension_hash = hash_of(extension, letters);
}

IgnoreRules::IgnoreRules(std::string text, LetterCase letters)
    : text_(std::move(text)), letters_(letters) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::size_t begin = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while (begin < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    add_line(begin, end);
    begin = end + 1;
  }
}

// Takes a line apart in git's order: comment, line end, blanks, `!`, slash at the end, slash
// elsewhere, slash at the beginning. The order shows in odd lines: `\!a` is a plain rule for "!a",
// `a/` is matched against names, `/a` against paths. A line that can match nothing adds no rule.
void IgnoreRules::add_line(std::size_t begin, std::size_t end) {
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (line.starts_with('#')) return;
  if (line.ends_with('\r')) line.remove_suffix(1);
  // git reads a line as a C string.
  line = without_trailing_blanks(line.substr(0, line.find('\0')));
  Rule rule;
  rule.included = line.starts_with('!');
  if (rule.included) line.remove_prefix(1);
  rule.directories_only = line.ends_with('/');
  if (rule.directories_only) line.remove_suffix(1);
  rule.path = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  rule.begin = static_cast<std::uint32_t>(line.data() - text_.data());
  rule.length = static_cast<std::uint32_t>(line.size());
  const std::size_t wildcard = std::min(line.find_first_of(wildcards), line.size());
  rule.literal = static_cast<std::uint32_t>(wildcard);
  // Contains no part of a class, since those end with a bracket.
  rule.tail = static_cast<std::uint32_t>(line.size() - (line.find_last_of("*?[]\\/") + 1));
  rule.suffix = !rule.path && line.starts_with('*') &&
                line.find_first_of(wildcards, 1) == std::string_view::npos;
  if (!line.empty() && can_match(line)) add_rule(rule);
}

// Puts the rule into the table if it is a literal or *.ext, else into others_. An extension is from
// the last dot on, so *.tar.gz is among the others.
void IgnoreRules::add_rule(Rule rule) {
  const bool literal = rule.literal == rule.length;
  const auto number = static_cast<std::uint32_t>(rules_.size());
  rules_.push_back(rule);
  const std::string_view text = text_of(rule);
  const bool extension = rule.suffix && text.size() > 1 && text.rfind('.') == 0;
  has_paths_ = has_paths_ || rule.path;
  has_literal_paths_ = has_literal_paths_ || (rule.path && literal);
  has_extensions_ = has_extensions_ || extension;
  if ((!literal && !extension) || !add_to_table(number)) others_.push_back(number);
}

IgnoreRules::Key IgnoreRules::key_of(const Rule& rule) const {
  if (rule.path) return Key::path;
  return rule.suffix ? Key::extension : Key::name;
}

/// Returns the slot in `table` that has rules of this text, or a free one for them; no_slot if
/// there is neither within most_probes.
std::size_t IgnoreRules::find_slot(const std::vector<Slot>& table, Key key, std::string_view text,
                                   std::uint64_t hash) const {
  const std::size_t mask = table.size() - 1;
  // Linear probing. The kind of key is mixed in, so that the name ".o" and the extension start at
  // different slots; `key_of` tells them apart in a run.
  std::size_t at = (hash ^ (hash >> 29U) ^ static_cast<std::uint64_t>(key)) & mask;
  for (std::size_t probes = 0; probes < most_probes; ++probes, at = (at + 1) & mask) {
    if (table[at].free()) return at;
    const Rule& rule = rules_[table[at].latest() - 1];
    if (key_of(rule) == key && equal(text_of(rule), text, letters_)) return at;
  }
  return no_slot;
}

std::size_t IgnoreRules::find_slot(const std::vector<Slot>& table, const Rule& rule) const {
  const std::string_view text = text_of(rule);
  return find_slot(table, key_of(rule), text, hash_of(text, letters_));
}

/// Returns false if the rule has to go to others_.
bool IgnoreRules::add_to_table(std::uint32_t number) {
  if (2 * (in_table_ + 1) > table_.size()) grow_table();
  const Rule& rule = rules_[number];
  const std::size_t at = find_slot(table_, rule);
  if (at == no_slot) return false;
  Slot& slot = table_[at];
  if (slot.free()) ++in_table_;
  // A later rule for the same text replaces an earlier one, which could not decide any more.
  (rule.directories_only ? slot.of_directories : slot.of_any) = number + 1;
  return true;
}

// Doubles the table. Texts are found again in the rules and hashed anew, since slots have no room
// for hashes. Rules that find no slot in the larger table, because of collisions, go to others_.
void IgnoreRules::grow_table() {
  std::vector<Slot> larger(table_.empty() ? 16 : 2 * table_.size());
  const std::size_t others = others_.size();
  for (const Slot& slot : table_) {
    if (slot.free()) continue;
    const std::size_t at = find_slot(larger, rules_[slot.latest() - 1]);
    if (at != no_slot) {
      larger[at] = slot;
      continue;
    }
    --in_table_;
    for (const std::uint32_t number : {slot.of_any, slot.of_directories}) {
      if (number != 0) others_.push_back(number - 1);
    }
  }
  // They are tried in order.
  if (others_.size() != others) std::sort(others_.begin(), others_.end());
  table_.swap(larger);
}

// Returns the number plus one of the last rule for `text`, or 0. Rules for directories count only
// if the entry is one.
std::uint32_t IgnoreRules::look_up(Key key, std::string_view text, std::uint64_t hash,
                                   bool directory) const {
  const std::size_t at = find_slot(table_, key, text, hash);
  if (at == no_slot) return 0;
  return directory ? table_[at].latest() : table_[at].of_any;
}

IgnoreDecision IgnoreRules::judge(const IgnoreSubject& subject, std::string_view path) const {
  // The highest number wins. At most three look-ups, then the others from the last one back, until
  // their numbers are lower than what is known.
  std::uint32_t last = 0;
  const auto consider = [&](Key key, std::string_view text, std::uint64_t hash) {
    last = std::max(last, look_up(key, text, hash, subject.directory));
  };
  if (!table_.empty()) {
    consider(Key::name, subject.name, subject.name_hash);
    if (has_extensions_ && !subject.extension.empty()) {
      consider(Key::extension, subject.extension, subject.extension_hash);
    }
    if (has_literal_paths_) consider(Key::path, path, hash_of(path, letters_));
  }
  for (auto number = others_.rbegin(); number != others_.rend() && *number + 1 > last; ++number) {
    if (!matches(rules_[*number], subject, path)) continue;
    last = *number + 1;
    break;
  }
  if (last == 0) return IgnoreDecision::none;
  return rules_[last - 1].included ? IgnoreDecision::included : IgnoreDecision::ignored;
}

bool IgnoreRules::matches(const Rule& rule, const IgnoreSubject& subject,
                          std::string_view path) const {
  if (rule.directories_only && !subject.directory) return false;
  const std::string_view pattern = pattern_of(rule);
  // A suffix such as *.tar.gz or *~; *.o is in the table.
  if (rule.suffix) return ends_with(subject.name, pattern.substr(1), letters_);
  const std::string_view text = rule.path ? path : subject.name;
  // This check rejects nearly all of thousands of rules.
  if (!ends_with(text, pattern.substr(pattern.size() - rule.tail), letters_)) return false;
  // As in git, the text before the first wildcard is compared separately. So a `**` right after it
  // counts as one between slashes, whatever precedes it.
  const std::string_view literal = pattern.substr(0, rule.literal);
  if (!begins_with(text, literal, letters_)) return false;
  const std::string_view rest = text.substr(rule.literal);
  return rule.path ? matches_path(pattern.substr(rule.literal), rest, letters_)
                   : matches_name(pattern.substr(rule.literal), rest, letters_);
}

namespace {

constexpr std::size_t nowhere = std::string_view::npos;

bool is_printed(char byte) {
  return byte >= 0x20 && byte <= 0x7E;
}

/// POSIX classes in ASCII, as in git, whatever the locale.
struct NamedClass {
  std::string_view name;
  bool (*has)(char byte);
};

constexpr std::array<NamedClass, 12> named_classes = {{
    {"alnum", text::is_letter_or_digit},
    {"alpha", text::is_letter},
    {"blank", [](char byte) { return byte == ' ' || byte == '\t'; }},
    {"cntrl", [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; }},
    {"digit", text::is_digit},
    {"graph", [](char byte) { return is_printed(byte) && byte != ' '; }},
    {"lower", text::is_lower},
    {"print", is_printed},
    {"punct",
     [](char byte) { return is_printed(byte) && byte != ' ' && !text::is_letter_or_digit(byte); }},
    {"space", text::is_space},
    {"upper", text::is_upper},
    {"xdigit", [](char byte) { return text::hex_value(byte).has_value(); }},
}};

/// A class [...] of a pattern.
struct Class {
  bool valid = false;
  bool holds = false;   ///< the class contains the byte
  std::size_t end = 0;  ///< after its bracket
};

/// Parses a class [...] of wildmatch and decides in the same pass if it contains `byte`, so that
/// nothing has to be kept. `open` is the position of the bracket. Members, in git's order:
///
///     a-z          a range; needs a byte before the - and one other than ] after it
///     [:alpha:]    a named class
///     \]           the byte after a backslash
///     ]            a member only in the first place
class ClassParser {
 public:
  /// `byte` must be in lower case if case is ignored.
  ClassParser(std::string_view pattern, std::size_t open, unsigned char byte,
              LetterCase letters = LetterCase::kept)
      : pattern_(pattern),
        at_(open + 1),
        byte_(byte),
        other_(letters == LetterCase::ignored && text::is_lower(static_cast<char>(byte))
                   ? byte - 'a' + 'A'
                   : byte) {}

  /// Parses the whole class, even if the byte is found early: the end has to be known.
  Class read() {
    bool negated = false;
    if (at_ < pattern_.size() && (pattern_[at_] == '!' || pattern_[at_] == '^')) {
      negated = true;
      ++at_;
    }
    // The first character is always a member, also a ].
    for (bool first = true; first || peek(0) != ']'; first = false) {
      if (at_ >= pattern_.size() || !take_member()) return {};
    }
    return {.valid = true, .holds = found_ != negated, .end = at_ + 1};
  }

 private:
  int peek(std::size_t ahead) const {
    return at_ + ahead < pattern_.size() ? static_cast<unsigned char>(pattern_[at_ + ahead]) : -1;
  }

  /// Takes the next byte, after a backslash if there is one; -1 at the end.
  int take_byte() {
    if (peek(0) == '\\') ++at_;
    const int byte = peek(0);
    ++at_;
    return byte;
  }

  /// Takes a byte, the end of a range that started with the previous byte, or a named class.
  bool take_member() {
    if (peek(0) == '-' && before_ >= 0 && peek(1) >= 0 && peek(1) != ']') {
      ++at_;
      const int last = take_byte();
      if (last < 0) return false;
      found_ =
          found_ || (before_ <= byte_ && byte_ <= last) || (before_ <= other_ && other_ <= last);
      before_ = -1;
      return true;
    }
    if (peek(0) == '[' && peek(1) == ':') {
      // Remembered, since a thousand such beginnings may all end at the same bracket.
      if (close_ < at_ + 2) close_ = pattern_.find(']', at_ + 2);
      if (close_ == nowhere) return false;
      if (close_ > at_ + 2 && pattern_[close_ - 1] == ':') {
        return take_named(pattern_.substr(at_ + 2, close_ - at_ - 3), close_);
      }
    }
    const int byte = take_byte();
    if (byte < 0) return false;
    found_ = found_ || byte == byte_;
    before_ = byte;
    return true;
  }

  /// False for an unknown name, which makes the whole pattern match nothing.
  bool take_named(std::string_view name, std::size_t close) {
    const auto* const named = std::find_if(named_classes.begin(), named_classes.end(),
                                           [&](const NamedClass& row) { return row.name == name; });
    if (named == named_classes.end()) return false;
    found_ = found_ || named->has(static_cast<char>(byte_)) ||
             // git has [:upper:] match small letters too if case is ignored.
             (name == "upper" && named->has(static_cast<char>(other_)));
    before_ = -1;
    at_ = close + 1;
    return true;
  }

  std::string_view pattern_;
  std::size_t at_;
  unsigned char byte_;
  int other_;  ///< byte_ in upper case, which git compares with ranges but not with members
  bool found_ = false;
  int before_ = -1;        ///< the previous byte, which may start a range
  std::size_t close_ = 0;  ///< the last bracket that was found
};

/// Returns the end of the element at `at` of `pattern` if it matches `byte`, else npos. An element
/// matches one byte: a class, a question mark, or the byte itself.
std::size_t match_one(std::string_view pattern, std::size_t at, char byte, LetterCase letters) {
  const bool folding = letters == LetterCase::ignored;
  if (folding) byte = text::fold_ascii(byte);
  switch (pattern[at]) {
    case '?':
      return at + 1;
    case '[': {
      const Class set = ClassParser(pattern, at, static_cast<unsigned char>(byte), letters).read();
      return set.valid && set.holds ? set.end : nowhere;
    }
    case '\\':
      // As in git, a capital after a backslash is not folded and so matches nothing.
      return at + 1 < pattern.size() && pattern[at + 1] == byte ? at + 2 : nowhere;
    default:
      return (folding ? text::fold_ascii(pattern[at]) : pattern[at]) == byte ? at + 1 : nowhere;
  }
}

/// The part of a pattern between two slashes. A slash in a class or escaped is found by parsing it.
struct Component {
  std::string_view text;
  std::size_t next = nowhere;  ///< start of the next component
  bool escaped_slash = false;  ///< it ends with \/

  bool is_last() const { return next == nowhere; }
  bool is_stars() const {
    return text.size() > 1 && text.find_first_not_of('*') == std::string_view::npos;
  }
};

/// Returns the component that starts at `from`: for "a/b" at 0, "a" with `next` 2; at 2, "b", the
/// last.
Component component_at(std::string_view pattern, std::size_t from) {
  std::size_t at = from;
  while (at < pattern.size() && pattern[at] != '/') {
    if (pattern[at] == '[') {
      at = ClassParser(pattern, at, 0).read().end;  // valid: checked by can_match
    } else if (pattern[at] == '\\') {
      if (at + 1 < pattern.size() && pattern[at + 1] == '/') {
        return {pattern.substr(from, at - from), at + 2, true};
      }
      at += 2;
    } else {
      ++at;
    }
  }
  if (at >= pattern.size()) return {pattern.substr(from)};
  return {pattern.substr(from, at - from), at + 1};
}

/// Returns the start of the component after the one at `from`, or npos.
std::size_t next_of(std::string_view path, std::size_t from) {
  const std::size_t slash = path.find('/', from);
  return slash == nowhere ? nowhere : slash + 1;
}

/// The component of `path` that starts at `from`; a path has no escapes.
std::string_view name_at(std::string_view path, std::size_t from) {
  return path.substr(from, path.find('/', from) - from);
}

}  // namespace

bool can_match(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '[') {
      const Class set = ClassParser(pattern, at, 0).read();
      if (!set.valid) return false;
      at = set.end;
    } else if (pattern[at] == '\\') {
      if (at + 1 == pattern.size()) return false;
      at += 2;
    } else {
      ++at;
    }
  }
  return true;
}

/// Backtracks only to the last star, since anything more that an earlier one could match, a later
/// one can match as well. So the work is bounded by the product of the lengths.
bool matches_name(std::string_view pattern, std::string_view name, LetterCase letters,
                  std::uint64_t* steps) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t after_star = nowhere;
  std::size_t star_end = 0;  // end of the text that the star matches
  std::uint64_t work = 0;
  bool matched = false;
  while (true) {
    ++work;
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      star_end = n;
      matched = p == pattern.size();
      if (matched) break;
      continue;
    }
    if (n == name.size()) {
      // A star that matches more would leave even less.
      matched = p == pattern.size();
      break;
    }
    const std::size_t next = p < pattern.size() ? match_one(pattern, p, name[n], letters) : nowhere;
    if (next != nowhere) {
      work += next - p - 1;
      p = next;
      ++n;
      continue;
    }
    if (after_star == nowhere) break;
    p = after_star;
    n = ++star_end;
  }
  if (steps != nullptr) *steps += work;
  return matched;
}

/// The same for components: backtracks only to the last `**`.
///
///     pattern  a/**/c/*.o      path  a/b/c/d/c/x.o
///     a        a
///     **       takes nothing; c is not b, so it takes b
///     c/*.o    c fits, *.o is not d: ** takes c, then d, before c and x.o fit
///
/// `p` and `n` are the starts of the components to compare, npos after the last one; a match ends
/// with both.
bool matches_path(std::string_view pattern, std::string_view path, LetterCase letters,
                  std::uint64_t* steps) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t after_stars = nowhere;
  std::size_t stars_end = 0;
  while (true) {
    if (p == nowhere && n == nowhere) return true;
    if (p != nowhere) {
      const Component component = component_at(pattern, p);
      if (steps != nullptr) ++*steps;
      if (component.is_stars()) {
        // At the end it matches everything. Before a slash it may match no component, unless the
        // slash is escaped: git only checks whether the next character is a slash.
        if (component.is_last()) return n != nowhere;
        if (component.escaped_slash) n = n == nowhere ? nowhere : next_of(path, n);
        if (n == nowhere) return false;
        p = after_stars = component.next;
        stars_end = n;
        continue;
      }
      if (n == nowhere) return false;
      if (matches_name(component.text, name_at(path, n), letters, steps)) {
        p = component.next;
        n = next_of(path, n);
        continue;
      }
    }
    if (after_stars == nowhere || stars_end == nowhere) return false;
    stars_end = next_of(path, stars_end);
    if (stars_end == nowhere) return false;
    p = after_stars;
    n = stars_end;
  }
}

}  // namespace ffind::search
