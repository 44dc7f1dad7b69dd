// SPDX-License-Identifier: MIT
// One comparison, FIELD OPERATOR VALUE, taken apart but not yet understood. An option makes it of
// its values, the parser of a piece of the expression; the field turns it into a test. This is what
// gives `--size 10M` and `size = 10M` one meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ffind/query.h"
#include "query/patterns/pattern.h"
#include "query/query_context.h"
#include "query/where/value.h"

namespace ffind::query {

enum class Operator : std::uint8_t {
  equal,    ///< what the option means by a bare value: a granule, a whole day, the whole name
  exactly,  ///< `==`: the number itself
  less,
  at_most,
  more,
  at_least,
  contains,
  starts,
  ends,
  glob,
  matches,
  all,  ///< of some permissions
  any,
  after,  ///< of times that are no ages
  before,
};

/// A set of operators, one bit each.
using Operators = std::uint16_t;

constexpr Operators bit_of(Operator op) {
  return static_cast<Operators>(1U << static_cast<unsigned>(op));
}

/// How a message and the help write it.
std::string_view to_text(Operator op);

/// Words between a field and its operator.
using Modifiers = std::uint8_t;
namespace modifiers {
inline constexpr Modifiers none = 0;
inline constexpr Modifiers match_case = 1U << 0;    ///< case
inline constexpr Modifiers ignore_case = 1U << 1;   ///< nocase
inline constexpr Modifiers nodiacritics = 1U << 2;  ///< nodiacritics
inline constexpr Modifiers binary = 1U << 3;        ///< binary
inline constexpr Modifiers of_case = match_case | ignore_case;
inline constexpr Modifiers of_patterns = of_case | nodiacritics;
}  // namespace modifiers

struct Comparison {
  Operator op = Operator::equal;
  std::size_t operator_at = 0;  ///< where it is in what was typed
  Modifiers modifiers = modifiers::none;
  std::optional<Value> key{};  ///< the attribute's name in `xattr "user.x" contains "v"`
  std::vector<Value> values{};
  /// An option given twice: ranges narrow each other. Otherwise any of the values will do.
  bool narrow = false;
};

/// What a comparison means depends on beside itself.
struct Meaning {
  const QueryContext& context;
  CaseRule case_rule = CaseRule::smart;  ///< of patterns that have no modifier of their own
  bool ignore_diacritics = false;
  bool binary = false;  ///< contents of binary files are searched
};

}  // namespace ffind::query
