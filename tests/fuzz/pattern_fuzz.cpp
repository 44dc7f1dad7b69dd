// SPDX-License-Identifier: MIT
// Fuzzes literals and regular expressions with what reads them (regex_syntax). Input: a byte of
// rules, the pattern, a newline, the subject.
#include <string>

#include "fuzz/fuzz.h"
#include "query/patterns/pattern.h"
#include "query/patterns/regex_syntax.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::fuzz::pattern_fuzz {

namespace {

void check_bound(const ffind::query::Pattern& pattern, std::string_view subject) {
  const text::KeyRules& rules = pattern.rules();
  if (!text::is_utf8(subject)) return;
  const std::string key = text::key_of(subject, rules);
  require(key.find(pattern.required_literal()) != std::string::npos,
          "a match contains what every match contains");
}

}  // namespace

FUZZ_TARGET(pattern) {
  Input input(data, size);
  const auto rules = input.take<std::uint8_t>();
  query::PatternSpec spec;
  constexpr query::PatternKind kinds[] = {query::PatternKind::regex, query::PatternKind::contains,
                                          query::PatternKind::exact, query::PatternKind::starts,
                                          query::PatternKind::ends};
  spec.kind = kinds[(rules >> 2 & 0x1F) % 5];
  spec.text = input.take_until('\n');
  spec.case_rule = static_cast<query::CaseRule>((rules & 3) % 3);
  spec.ignore_diacritics = (rules & 0x80) != 0;
  const std::string_view subject = input.rest();
  if (spec.text.size() > 200 || subject.size() > 1000) return 0;  // RE2's own time is not at stake
  try {
    const auto pattern = query::compile_pattern(spec);
    if (pattern->matches(subject)) check_bound(*pattern, subject);
    // A name is what it is in any form: composed and folded as the rules have it.
    if (text::is_utf8(subject)) {
      const std::string nfc = text::key_of(subject, text::KeyCase::kept);
      require(pattern->matches(subject) == pattern->matches(nfc),
              "names that differ in normalisation match alike");
    }
  } catch (const UsageError&) {
    require(spec.kind == query::PatternKind::regex, "no literal is refused");
  }
  return 0;
}

}  // namespace ffind::fuzz::pattern_fuzz
