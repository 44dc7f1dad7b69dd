// SPDX-License-Identifier: MIT
// Sets of characters in Rust's regular expressions: ranges, and RE2's own sets. Operators of
// classes need the ranges of those: matching each character by RE2 gives them.
#include <algorithm>
#include <utility>

#include "foreign/rust_syntax.h"
#include "text/ascii.h"

namespace ffind::foreign {
namespace {

std::string hex(char32_t c) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (; c != 0 || text.empty(); c /= 16) text.insert(text.begin(), digits[c % 16]);
  return "\\x{" + text + "}";
}

Ranges without_surrogates(const Ranges& ranges) {
  Ranges result;
  for (const auto& [first, last] : ranges) {
    if (first > 0xDFFF || last < 0xD800) {
      result.push_back({first, last});
      continue;
    }
    if (first < 0xD800) result.push_back({first, 0xD7FF});
    if (last > 0xDFFF) result.push_back({0xE000, last});
  }
  return result;
}

std::string members_of(const RustSet& set) {
  std::string text = set.members;
  for (const auto& [first, last] : set.ranges) {
    text += escaped_for_re2(first);
    if (first != last) text.append("-").append(escaped_for_re2(last));
  }
  return text;
}

struct AsciiClass {
  std::string_view name;
  std::string_view pairs;  ///< first and last of each range
};
constexpr AsciiClass ascii_classes[] = {
    {"alnum", "09AZaz"},
    {"alpha", "AZaz"},
    {"ascii", {"\0\x7f", 2}},
    {"blank", "\t\t  "},
    {"cntrl", {"\0\x1f\x7f\x7f", 4}},
    {"digit", "09"},
    {"graph", "!~"},
    {"lower", "az"},
    {"print", " ~"},
    {"punct", "!/:@[`{~"},
    {"space", "\t\r  "},
    {"upper", "AZ"},
    {"word", "09AZ__az"},
    {"xdigit", "09AFaf"},
};

}  // namespace

std::string escaped_for_re2(char32_t c) {
  if (c >= 0x80 || c < 0x20 || c == 0x7F) return hex(c);
  const char ascii = static_cast<char>(c);
  return text::is_letter(ascii) || text::is_digit(ascii) ? std::string(1, ascii)
                                                         : std::string{'\\', ascii};
}

/// Surrogates are no characters, but RE2 would match their bytes.
std::string in_brackets(RustSet set, std::string_view excluded) {
  if (!set.negated) set.ranges = without_surrogates(set.ranges);
  std::string members = members_of(set);
  constexpr std::string_view nothing = R"([^\x00-\x{10ffff}])";
  if (!set.negated) return members.empty() ? std::string(nothing) : "[" + members + "]";
  return "[^" + members.append(R"(\x{d800}-\x{dfff})").append(excluded) + "]";
}

Ranges ranges_of(const RustSet& set, bool folds) {
  return query::ranges_of_class((folds ? "(?i)" : "") + in_brackets(set));
}

Ranges complement(Ranges ranges, char32_t last) {
  Ranges result;
  char32_t next = 0;
  std::sort(ranges.begin(), ranges.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [from, to] : ranges) {
    if (from > next) result.push_back({next, from - 1});
    next = std::max<char32_t>(next, to + 1);
  }
  if (next <= last) result.push_back({next, last});
  return result;
}

Ranges joined(Ranges one, const Ranges& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// By De Morgan's laws, so that the complement is all that it takes.
Ranges common(const Ranges& one, const Ranges& other) {
  return complement(joined(complement(one, last_code_point), complement(other, last_code_point)),
                    last_code_point);
}

std::optional<Ranges> ascii_class(std::string_view name) {
  for (const AsciiClass& one : ascii_classes) {
    if (one.name != name) continue;
    Ranges ranges;
    for (std::size_t i = 0; i < one.pairs.size(); i += 2) {
      ranges.push_back(
          {static_cast<unsigned char>(one.pairs[i]), static_cast<unsigned char>(one.pairs[i + 1])});
    }
    return ranges;
  }
  return {};
}

}  // namespace ffind::foreign
