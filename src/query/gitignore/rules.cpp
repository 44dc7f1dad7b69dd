// SPDX-License-Identifier: MIT
// Lines to rules, and the look-up. What most rules are (a name, *.ext, a path without wildcards) is
// found by one hash each, however many there are; the others are tried last first.
#include "query/gitignore/rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/ascii.h"

namespace ffind::query {
namespace {

constexpr std::string_view wildcards = "*?[\\";

/// Of half as many texts as slots none lies so far from its place, unless their hashes were made
/// alike: a table of 2^20 slots has runs of about 70. Those are tried one by one.
constexpr std::size_t most_probes = 128;
constexpr std::size_t no_slot = static_cast<std::size_t>(-1);

/// FNV-1a: names are short, and nothing has to be set up for it.
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

/// Without the blanks at the end of a line, unless a backslash precedes them.
std::string_view without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    if (line[at] == '\\' && ++at == line.size()) return line;
    end = at + 1;
  }
  return line.substr(0, end);
}

}  // namespace

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

void IgnoreRules::add_line(std::size_t begin, std::size_t end) {
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (line.starts_with('#')) return;
  if (line.ends_with('\r')) line.remove_suffix(1);
  // To git a line is a text of C's.
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
  // Of classes nothing is in it: they end with a bracket.
  rule.tail = static_cast<std::uint32_t>(line.size() - (line.find_last_of("*?[]\\/") + 1));
  rule.suffix = !rule.path && line.starts_with('*') &&
                line.find_first_of(wildcards, 1) == std::string_view::npos;
  if (!line.empty() && can_match(line)) add_rule(rule);
}

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

/// Where in `table` the slot is that holds rules of this text, or the free one for them; nowhere
/// when neither is near enough to where it should be.
std::size_t IgnoreRules::find_slot(const std::vector<Slot>& table, Key key, std::string_view text,
                                   std::uint64_t hash) const {
  const std::size_t mask = table.size() - 1;
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

/// False if the rule has to be tried separately.
bool IgnoreRules::add_to_table(std::uint32_t number) {
  if (2 * (in_table_ + 1) > table_.size()) grow_table();
  const Rule& rule = rules_[number];
  const std::size_t at = find_slot(table_, rule);
  if (at == no_slot) return false;
  Slot& slot = table_[at];
  if (slot.free()) ++in_table_;
  (rule.directories_only ? slot.of_directories : slot.of_any) = number + 1;
  return true;
}

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
  // They are tried in their order.
  if (others_.size() != others) std::sort(others_.begin(), others_.end());
  table_.swap(larger);
}

std::uint32_t IgnoreRules::look_up(Key key, std::string_view text, std::uint64_t hash,
                                   bool directory) const {
  const std::size_t at = find_slot(table_, key, text, hash);
  if (at == no_slot) return 0;
  return directory ? table_[at].latest() : table_[at].of_any;
}

IgnoreDecision IgnoreRules::judge(const IgnoreSubject& subject, std::string_view path) const {
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
  if (rule.suffix) return ends_with(subject.name, pattern.substr(1), letters_);
  const std::string_view text = rule.path ? path : subject.name;
  // This rejects nearly all of thousands of rules.
  if (!ends_with(text, pattern.substr(pattern.size() - rule.tail), letters_)) return false;
  // As in git, what is before the first wildcard is no part of what is matched: so a `**` at that
  // place counts as one between slashes, whatever precedes it.
  const std::string_view literal = pattern.substr(0, rule.literal);
  if (!begins_with(text, literal, letters_)) return false;
  const std::string_view rest = text.substr(rule.literal);
  return rule.path ? matches_path(pattern.substr(rule.literal), rest, letters_)
                   : matches_name(pattern.substr(rule.literal), rest, letters_);
}

namespace {

constexpr std::size_t nowhere = std::string_view::npos;

bool is_between(unsigned char byte, unsigned char first, unsigned char last) {
  return first <= byte && byte <= last;
}
bool is_digit(unsigned char byte) {
  return is_between(byte, '0', '9');
}
bool is_lower(unsigned char byte) {
  return is_between(byte, 'a', 'z');
}
bool is_upper(unsigned char byte) {
  return is_between(byte, 'A', 'Z');
}
bool is_letter(unsigned char byte) {
  return is_lower(byte) || is_upper(byte);
}
/// As git has it: without the vertical tab and the form feed.
bool is_space(unsigned char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}
bool is_printed(unsigned char byte) {
  return is_between(byte, 0x20, 0x7E);
}

struct NamedClass {
  std::string_view name;
  bool (*has)(unsigned char byte);
};

constexpr std::array<NamedClass, 12> named_classes = {{
    {"alnum", [](unsigned char byte) { return is_letter(byte) || is_digit(byte); }},
    {"alpha", is_letter},
    {"blank", [](unsigned char byte) { return byte == ' ' || byte == '\t'; }},
    {"cntrl", [](unsigned char byte) { return byte < 0x20 || byte == 0x7F; }},
    {"digit", is_digit},
    {"graph", [](unsigned char byte) { return is_printed(byte) && byte != ' '; }},
    {"lower", is_lower},
    {"print", is_printed},
    {"punct",
     [](unsigned char byte) {
       return is_printed(byte) && byte != ' ' && !is_letter(byte) && !is_digit(byte);
     }},
    {"space", is_space},
    {"upper", is_upper},
    {"xdigit",
     [](unsigned char byte) {
       return is_digit(byte) || is_between(byte, 'a', 'f') || is_between(byte, 'A', 'F');
     }},
}};

/// One [...] of a pattern.
struct Class {
  bool valid = false;
  bool holds = false;   ///< for the byte that was asked about
  std::size_t end = 0;  ///< behind its bracket
};

class ClassReader {
 public:
  /// Where case is ignored, `byte` is in lower case.
  ClassReader(std::string_view pattern, std::size_t open, unsigned char byte,
              LetterCase letters = LetterCase::kept)
      : pattern_(pattern),
        at_(open + 1),
        byte_(byte),
        other_(letters == LetterCase::ignored && is_lower(byte) ? byte - 'a' + 'A' : byte) {}

  Class read() {
    bool negated = false;
    if (at_ < pattern_.size() && (pattern_[at_] == '!' || pattern_[at_] == '^')) {
      negated = true;
      ++at_;
    }
    // The first character is one of the class, whatever it is.
    for (bool first = true; first || peek(0) != ']'; first = false) {
      if (at_ >= pattern_.size() || !take_member()) return {};
    }
    return {.valid = true, .holds = found_ != negated, .end = at_ + 1};
  }

 private:
  int peek(std::size_t ahead) const {
    return at_ + ahead < pattern_.size() ? static_cast<unsigned char>(pattern_[at_ + ahead]) : -1;
  }

  /// The next byte, which a backslash may precede; -1 if there is none.
  int take_byte() {
    if (peek(0) == '\\') ++at_;
    const int byte = peek(0);
    ++at_;
    return byte;
  }

  /// A byte, the end of a range that began with the byte before, or a named class.
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
      // Of a thousand such beginnings the same bracket ends each: it is looked for once.
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

  bool take_named(std::string_view name, std::size_t close) {
    const auto* const named = std::find_if(named_classes.begin(), named_classes.end(),
                                           [&](const NamedClass& row) { return row.name == name; });
    if (named == named_classes.end()) return false;
    found_ = found_ || named->has(byte_) ||
             (name == "upper" && named->has(static_cast<unsigned char>(other_)));
    before_ = -1;
    at_ = close + 1;
    return true;
  }

  std::string_view pattern_;
  std::size_t at_;
  unsigned char byte_;
  int other_;  ///< the same as a capital: git asks ranges for it, no single member
  bool found_ = false;
  int before_ = -1;        ///< what a range could begin with
  std::size_t close_ = 0;  ///< the last bracket that was looked for
};

/// Where the element of `pattern` that begins at `at` ends, if it matches `byte`; else nowhere. A
/// element matches one byte: a class, a question mark, or itself.
std::size_t match_one(std::string_view pattern, std::size_t at, char byte, LetterCase letters) {
  const bool folding = letters == LetterCase::ignored;
  if (folding) byte = text::fold_ascii(byte);
  switch (pattern[at]) {
    case '?':
      return at + 1;
    case '[': {
      const Class set = ClassReader(pattern, at, static_cast<unsigned char>(byte), letters).read();
      return set.valid && set.holds ? set.end : nowhere;
    }
    case '\\':
      // As in git, a capital behind a backslash is not folded: it matches nothing then.
      return at + 1 < pattern.size() && pattern[at + 1] == byte ? at + 2 : nowhere;
    default:
      return (folding ? text::fold_ascii(pattern[at]) : pattern[at]) == byte ? at + 1 : nowhere;
  }
}

/// What lies between two slashes of a pattern.
struct Component {
  std::string_view text;
  std::size_t next = nowhere;  ///< where the component behind it begins
  bool escaped_slash = false;  ///< it ends with \/

  bool is_last() const { return next == nowhere; }
  bool is_stars() const {
    return text.size() > 1 && text.find_first_not_of('*') == std::string_view::npos;
  }
};

Component component_at(std::string_view pattern, std::size_t from) {
  std::size_t at = from;
  while (at < pattern.size() && pattern[at] != '/') {
    if (pattern[at] == '[') {
      at = ClassReader(pattern, at, 0).read().end;  // valid, or the rule would not be here
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

/// Where the component behind the one at `from` begins.
std::size_t next_of(std::string_view path, std::size_t from) {
  const std::size_t slash = path.find('/', from);
  return slash == nowhere ? nowhere : slash + 1;
}

std::string_view name_at(std::string_view path, std::size_t from) {
  return path.substr(from, path.find('/', from) - from);
}

}  // namespace

bool can_match(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '[') {
      const Class set = ClassReader(pattern, at, 0).read();
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

/// Of several stars only the last is ever taken back: what an earlier one matched more, a later one
/// can match as well. So the work is bounded by the two lengths multiplied.
bool matches_name(std::string_view pattern, std::string_view name, LetterCase letters,
                  std::uint64_t* steps) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t behind_star = nowhere;
  std::size_t star_end = 0;  // of what the star matches
  std::uint64_t work = 0;
  bool matched = false;
  while (true) {
    ++work;
    if (p < pattern.size() && pattern[p] == '*') {
      behind_star = ++p;
      star_end = n;
      matched = p == pattern.size();
      if (matched) break;
      continue;
    }
    if (n == name.size()) {
      // With more in the star, even less would be left.
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
    if (behind_star == nowhere) break;
    p = behind_star;
    n = ++star_end;
  }
  if (steps != nullptr) *steps += work;
  return matched;
}

/// The same with components: only the last `**` is ever taken back.
bool matches_path(std::string_view pattern, std::string_view path, LetterCase letters,
                  std::uint64_t* steps) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t behind_stars = nowhere;
  std::size_t stars_end = 0;
  while (true) {
    if (p == nowhere && n == nowhere) return true;
    if (p != nowhere) {
      const Component component = component_at(pattern, p);
      if (steps != nullptr) ++*steps;
      if (component.is_stars()) {
        // At the end it matches anything there is; before a slash also no component at all, unless
        // that is escaped, which git's look at the next character does not see through.
        if (component.is_last()) return n != nowhere;
        if (component.escaped_slash) n = n == nowhere ? nowhere : next_of(path, n);
        if (n == nowhere) return false;
        p = behind_stars = component.next;
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
    if (behind_stars == nowhere || stars_end == nowhere) return false;
    stars_end = next_of(path, stars_end);
    if (stars_end == nowhere) return false;
    p = behind_stars;
    n = stars_end;
  }
}

}  // namespace ffind::query
