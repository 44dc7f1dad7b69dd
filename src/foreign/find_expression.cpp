// SPDX-License-Identifier: MIT
// Trees of regular expressions: construction, spelling, derivatives. Those with equal spellings are
// the same. Others may match the same texts, too; then no line is offered.
#include "foreign/find_expression.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "text/format.h"
#include "text/utf8.h"

namespace ffind::foreign {

namespace {

using Sort = Expression::Kind;

// A derivative can grow with each letter of the root. A longer pattern is not a line to paste.
constexpr std::size_t longest_pattern = 2000;

}  // namespace

Pattern pattern_of(Expression expression) {
  return std::make_shared<const Expression>(std::move(expression));
}

Pattern nothing() {
  return pattern_of({.kind = Sort::nothing});
}
Pattern empty_text() {
  return pattern_of({.kind = Sort::empty});
}
Pattern one(char32_t character) {
  return pattern_of({.kind = Sort::one, .character = character});
}
Pattern any() {
  return pattern_of({.kind = Sort::any});
}

Pattern repeat(const Pattern& what, unsigned least, unsigned most) {
  if (most == 0) return empty_text();
  if (least == 1 && most == 1) return what;
  return pattern_of({.kind = Sort::repeat, .parts = {what}, .least = least, .most = most});
}

Pattern join(const std::vector<Pattern>& patterns) {
  std::vector<Pattern> parts;
  for (const Pattern& pattern : patterns) {
    if (pattern->kind == Sort::nothing) return pattern;
    if (pattern->kind == Sort::empty) continue;
    if (pattern->kind == Sort::join) {
      parts.insert(parts.end(), pattern->parts.begin(), pattern->parts.end());
    } else {
      parts.push_back(pattern);
    }
  }
  if (parts.empty()) return empty_text();
  if (parts.size() == 1) return parts.front();
  return pattern_of({.kind = Sort::join, .parts = std::move(parts)});
}

Pattern either(const std::vector<Pattern>& patterns) {
  std::vector<Pattern> parts;
  for (const Pattern& pattern : patterns) {
    const std::vector<Pattern> inner =
        pattern->kind == Sort::either ? pattern->parts : std::vector{pattern};
    for (const Pattern& part : inner) {
      if (part->kind == Sort::nothing) continue;
      if (is_any_text(part)) return part;
      const bool known = std::any_of(parts.begin(), parts.end(),
                                     [&](const Pattern& other) { return is_same(part, other); });
      if (!known) parts.push_back(part);
    }
  }
  if (parts.empty()) return nothing();
  if (parts.size() == 1) return parts.front();
  return pattern_of({.kind = Sort::either, .parts = std::move(parts)});
}

bool is_any_text(const Pattern& pattern) {
  return pattern->kind == Sort::repeat && pattern->least == 0 && pattern->most == unlimited &&
         pattern->parts.front()->kind == Sort::any;
}

bool is_same(const Pattern& one, const Pattern& other) {
  if (one->kind == Sort::nothing || other->kind == Sort::nothing) return one->kind == other->kind;
  return spelled(*one, Level::alternatives) == spelled(*other, Level::alternatives);
}

// --- Spelling

std::string escaped(char32_t c, std::string_view special) {
  std::string text;
  if (c < 0x80 && special.find(static_cast<char>(c)) != std::string_view::npos) text += '\\';
  if (c == '\n') return "\\n";
  text::append_utf8(text, c);
  return text;
}

namespace {

/// All that is special between brackets is escaped, so that each member may be at any place.
std::string spelled_set(const Expression& set) {
  std::string text = set.negated ? "[^" : "[";
  for (const auto& [first, last] : set.ranges) {
    text += escaped(first, "\\]^-[");
    if (first != last) text += "-" + escaped(last, "\\]^-[");
  }
  return text + "]";
}

}  // namespace

std::string spelled(const Expression& expression, Level level) {
  std::string text;
  switch (expression.kind) {
    case Sort::nothing:
      throw Untranslatable();
    case Sort::empty:
      return level == Level::atom ? "()" : "";
    case Sort::one:
      return escaped(expression.character, "\\^$.|?*+()[]{}");
    case Sort::any:
      return ".";
    case Sort::set:
      return spelled_set(expression);
    case Sort::join:
      for (const Pattern& part : expression.parts) text += spelled(*part, Level::sequence);
      return level == Level::atom ? "(" + text + ")" : text;
    case Sort::either:
      for (const Pattern& part : expression.parts) {
        if (&part != expression.parts.data()) text += '|';
        text += spelled(*part, Level::alternatives);
      }
      return level == Level::alternatives ? text : "(" + text + ")";
    case Sort::repeat:
      break;
  }
  text = spelled(*expression.parts.front(), Level::atom);
  if (expression.parts.front()->kind == Sort::repeat) text = "(" + text + ")";
  if (expression.most == unlimited && expression.least <= 1) {
    text += expression.least == 0 ? "*" : "+";
  } else if (expression.least == 0 && expression.most == 1) {
    text += "?";
  } else if (expression.most == unlimited) {
    text += text::format("{{{},}}", expression.least);
  } else if (expression.least == expression.most) {
    text += text::format("{{{}}}", expression.least);
  } else {
    text += text::format("{{{},{}}}", expression.least, expression.most);
  }
  return level == Level::atom ? "(" + text + ")" : text;
}

// --- Derivatives

bool is_in_set(const Expression& set, char32_t c) {
  return std::any_of(set.ranges.begin(), set.ranges.end(), [&](const CharacterRange& range) {
    return range.first <= c && c <= range.second;
  });
}

namespace {

/// True if the empty text matches ("nullable" in the literature). `a*`, `()`, `a|b?` do; `a`, `a+`
/// do not.
bool matches_empty_text(const Expression& expression) {
  const auto& parts = expression.parts;
  const auto holds = [](const Pattern& part) { return matches_empty_text(*part); };
  switch (expression.kind) {
    case Sort::empty:
      return true;
    case Sort::join:
      return std::all_of(parts.begin(), parts.end(), holds);
    case Sort::either:
      return std::any_of(parts.begin(), parts.end(), holds);
    case Sort::repeat:
      return expression.least == 0 || holds(parts.front());
    default:
      return false;
  }
}

char32_t other_case(char32_t c) {
  if ('a' <= c && c <= 'z') return c - 'a' + 'A';
  if ('A' <= c && c <= 'Z') return c - 'A' + 'a';
  return c;
}

/// True for letters outside ASCII that are a case of an ASCII letter: dotted and dotless i, long s,
/// the signs of kelvin. The two programs differ on them.
bool folds_to_ascii(char32_t c) {
  return c == 0x130 || c == 0x131 || c == 0x17F || c == 0x212A;
}

/// True if the expression, a single character, matches `c`. Throws if that depends on the folding
/// of letters outside ASCII, which differs between the two programs. A set ignores case by testing
/// both letters of a pair.
bool takes(const Expression& expression, char32_t c, bool sensitive) {
  if (expression.kind == Sort::any) return true;
  if (expression.kind == Sort::one) {
    if (expression.character == c) return true;
    if (sensitive) return false;
    const char32_t greater = std::max(c, expression.character);
    if (greater < 0x80) return expression.character == other_case(c);
    if (std::min(c, expression.character) >= 0x80 || folds_to_ascii(greater)) {
      throw Untranslatable();
    }
    return false;
  }
  if (!sensitive && c >= 0x80) throw Untranslatable();
  const bool in_set =
      is_in_set(expression, c) || (!sensitive && is_in_set(expression, other_case(c)));
  return in_set != expression.negated;
}

/// The pattern of the texts that may follow `c`.
///
///     ab      by a    b
///     a*b     by a    a*b
///     a?ab    by a    ab|b     first may be empty, so `rest` can begin with the letter, too
///     a{2,3}  by a    a{1,2}
///     a|b     by a    the empty text
Pattern derive(const Pattern& pattern, char32_t c, bool sensitive) {
  switch (pattern->kind) {
    case Sort::nothing:
    case Sort::empty:
      return nothing();
    case Sort::one:
    case Sort::any:
    case Sort::set:
      return takes(*pattern, c, sensitive) ? empty_text() : nothing();
    case Sort::join: {
      const Pattern& first = pattern->parts.front();
      const Pattern rest = join({pattern->parts.begin() + 1, pattern->parts.end()});
      Pattern after = join({derive(first, c, sensitive), rest});
      if (!matches_empty_text(*first)) return after;
      return either({after, derive(rest, c, sensitive)});
    }
    case Sort::either: {
      std::vector<Pattern> parts;
      for (const Pattern& part : pattern->parts) parts.push_back(derive(part, c, sensitive));
      return either(parts);
    }
    case Sort::repeat:
      break;
  }
  const Pattern& what = pattern->parts.front();
  const unsigned least = pattern->least == 0 ? 0 : pattern->least - 1;
  const unsigned most = pattern->most == unlimited ? unlimited : pattern->most - 1;
  return join({derive(what, c, sensitive), repeat(what, least, most)});
}

}  // namespace

Pattern derive_all(Pattern pattern, std::string_view text, bool sensitive) {
  for (std::size_t at = 0; at < text.size();) {
    pattern = derive(pattern, text::next_code_point(text, at), sensitive);
    if (pattern->kind == Sort::nothing) break;
    if (spelled(*pattern, Level::alternatives).size() > longest_pattern) throw Untranslatable();
  }
  return pattern;
}

bool matches(Pattern pattern, std::string_view text, bool sensitive) {
  return matches_empty_text(*derive_all(std::move(pattern), text, sensitive));
}

}  // namespace ffind::foreign
