// SPDX-License-Identifier: MIT
// Sets and tokens of Rust's regular expressions, and their parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/patterns/pattern.h"

namespace ffind::foreign {

using query::CodePointRange;
using Ranges = std::vector<CodePointRange>;

inline constexpr char32_t last_code_point = 0x10FFFF;

/// \w of Unicode, but for combining marks of symbols that RE2 has no property for.
inline constexpr std::string_view word_members =
    R"(\pL\pM\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149})"
    R"(\x{1f150}-\x{1f169}\x{1f170}-\x{1f189})";
inline constexpr std::string_view digit_members = R"(\p{Nd})";
inline constexpr std::string_view space_members = R"(\t-\r\x{85}\pZ)";

struct RustFlags {
  bool folds = false;
  bool lines = false;
  bool dot_is_any = true;
  bool unicode = true;
  bool spaces = false;  ///< (?x)
  bool crlf = false;
};

/// A set of characters; with (?-u), of bytes.
struct RustSet {
  Ranges ranges{};
  std::string members{};  ///< in brackets of RE2
  bool negated = false;
};

/// A part of an expression; with the others in a row, without a tree.
struct RustToken {
  enum class Kind : std::uint8_t { set, open, close, alternation, repeat, flags, assertion };
  enum class Assertion : std::uint8_t {
    begin,
    end,
    line_begin,
    line_end,
    boundary,
    no_boundary,
    word_begin,
    word_end,
    word_begin_half,
    word_end_half,
  };

  Kind kind;
  bool captures = false;  ///< of open
  RustFlags flags{};
  RustSet set{};
  std::string repeat{};
  Assertion assertion{};

  bool is_literal() const {
    return kind == Kind::set && !set.negated && set.members.empty() && set.ranges.size() == 1 &&
           set.ranges.front().first == set.ranges.front().last;
  }
  char32_t literal() const { return set.ranges.front().first; }
};

/// An error of an expression. Positions are bytes of it.
struct RustError {
  std::size_t begin;
  std::size_t end;
  std::string what;
};

/// Throws RustError. `folds`: letters match both cases, unless a flag says otherwise.
std::vector<RustToken> parse_rust(std::string_view regex, bool folds);

/// `c` in the syntax of RE2, outside and inside of classes.
std::string escaped_for_re2(char32_t c);
/// The class in the syntax of RE2. `excluded` are members that a negated one lacks.
std::string in_brackets(RustSet set, std::string_view excluded = {});
/// All members of `set`.
Ranges ranges_of(const RustSet& set, bool folds);
/// Code points up to `last` that are in none of them; sorted and without overlaps.
Ranges complement(Ranges ranges, char32_t last);
Ranges joined(Ranges one, const Ranges& other);
Ranges common(const Ranges& one, const Ranges& other);
/// The class [:name:].
std::optional<Ranges> ascii_class(std::string_view name);

}  // namespace ffind::foreign
