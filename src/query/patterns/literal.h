// SPDX-License-Identifier: MIT
// Literal patterns: a text contained in a subject, equal to it, at its start or its end, or a text
// with wildcards. Most patterns are, and globs and expressions that mean no more become one;
// regex.cpp also looks for its required text with the finder. Knows no syntax.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "query/patterns/pattern.h"
#include "text/unicode.h"

namespace ffind::query {

/// Looks for an ASCII text in ASCII texts. Immutable and thread-safe.
class AsciiFinder {
 public:
  /// `needle` must be ASCII; with `KeyCase::folded`, in lower case.
  AsciiFinder(std::string needle, text::KeyCase key_case);
  bool found_in(std::string_view ascii) const {
    return key_case_ == text::KeyCase::folded ? find<true>(ascii) : find<false>(ascii);
  }

 private:
  template <bool folding>
  bool find(std::string_view ascii) const;

  std::string needle_;
  std::uint64_t first_;  ///< the needle's first byte, eight times
  std::uint64_t last_;
  text::KeyCase key_case_;
};

/// `kind` is one of contains, exact, starts, ends. No text is refused: one that is not UTF-8
/// matches only subjects that are not either.
std::unique_ptr<const Pattern> make_literal(PatternKind kind, std::string_view text,
                                            text::KeyRules rules);

struct WildcardSegment {
  enum class Kind : std::uint8_t {
    text,
    one,     ///< any character but a slash; any byte where the subject is not UTF-8
    number,  ///< any number of them, none as well; no two in a row
  };

  Kind kind;
  std::string text;  ///< of text only; no two in a row
};

/// The segments, one after the other, must match the whole subject.
std::unique_ptr<const Pattern> make_wildcards(const std::vector<WildcardSegment>& segments,
                                              text::KeyRules rules);

}  // namespace ffind::query
