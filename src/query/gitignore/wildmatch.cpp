// SPDX-License-Identifier: MIT
// Patterns are read where they lie, nothing is compiled: a file of a thousand of them weighs what
// it weighs on disk. See wildmatch.h.
#include "query/gitignore/wildmatch.h"

#include <algorithm>
#include <array>

#include "text/ascii.h"

namespace ffind::query {
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
