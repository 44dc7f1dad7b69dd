// SPDX-License-Identifier: MIT
// Literal patterns: a fixed text that a subject contains, is equal to, starts or ends with; and
// sequences of fixed texts and wildcards. Most patterns are one of these, including globs and
// regular expressions that mean no more.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "query/patterns/pattern.h"
#include "text/unicode.h"

namespace ffind::query {

/// `kind` is contains, exact, starts or ends. Any text is accepted; one that is not UTF-8 matches
/// only subjects that are not UTF-8 either.
std::unique_ptr<const Pattern> make_literal(PatternKind kind, std::string_view text,
                                            text::KeyRules rules);

struct WildcardSegment {
  enum class Kind : std::uint8_t {
    text,
    one,     ///< any character but a slash; any byte if the subject is not UTF-8
    number,  ///< any number of those, zero included; never two in a row
  };

  Kind kind;
  std::string text;  ///< for Kind::text; never two in a row
};

/// Matches subjects that consist of the segments, one after the other.
std::unique_ptr<const Pattern> make_wildcards(const std::vector<WildcardSegment>& segments,
                                              text::KeyRules rules);

}  // namespace ffind::query
