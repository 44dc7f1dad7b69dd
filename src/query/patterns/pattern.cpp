// SPDX-License-Identifier: MIT
// Compilation of patterns: decides about case and chooses the cheapest engine. A regular expression
// that is only a literal between anchors or `.*` becomes a literal, at about a tenth of the cost:
//
//     kind       text            compiled as
//     contains   report          LiteralPattern, also for exact, starts and ends
//     glob       *.pdf           StarredLiteral, the suffix .pdf
//     glob       [a-z]*          RegexPattern \A[a-z][^/]*\z
//     regex      ^report.*       LiteralPattern that starts with report
//     regex      ^a|b$           RegexPattern
#include "query/patterns/pattern.h"

#include "query/expression.h"
#include "query/patterns/regex_syntax.h"
#include "text/unicode.h"

namespace ffind::query {

namespace {

/// Decides about smart case: kept if the pattern has an upper-case letter. In a regular expression
/// only literal letters count, so \S and \pL do not make it case-sensitive.
text::KeyCase key_case_of(const PatternSpec& spec) {
  if (spec.case_rule == CaseRule::insensitive) return text::KeyCase::folded;
  if (spec.case_rule == CaseRule::sensitive) return text::KeyCase::kept;
  const bool upper = spec.kind == PatternKind::regex ? regex_has_upper_case(spec.text)
                                                     : text::has_upper_case(spec.text);
  return upper ? text::KeyCase::kept : text::KeyCase::folded;
}

/// RE2 never sees a plain literal. No error is missed by that: it consists of letters, anchors and
/// `.*` only.
std::unique_ptr<const Pattern> compile_regex(const PatternSpec& spec, text::KeyRules rules) {
  const auto plain = plain_literal(spec.text);
  if (!plain) return make_regex(spec.text, rules, spec.source, spec.text);
  const PatternKind kind = plain->at_start
                               ? (plain->at_end ? PatternKind::exact : PatternKind::starts)
                               : (plain->at_end ? PatternKind::ends : PatternKind::contains);
  return make_literal(kind, plain->text, rules);
}

}  // namespace

std::unique_ptr<const Pattern> compile_pattern(const PatternSpec& spec) {
  const text::KeyRules rules(key_case_of(spec), spec.ignore_diacritics);
  if (spec.library) return make_library_pattern(spec, rules);
  switch (spec.kind) {
    case PatternKind::regex:
      return compile_regex(spec, rules);
    case PatternKind::glob:
      return make_glob(spec.text, rules, spec.source);
    default:
      return make_literal(spec.kind, spec.text, rules);
  }
}

std::string pattern_text(std::string_view field, const PatternSpec& spec) {
  constexpr std::string_view operators[] = {"contains",  "is",   "starts with",
                                            "ends with", "glob", "~"};
  std::string text(field);
  // Smart case follows from the pattern, also when the text is parsed again.
  if (spec.case_rule == CaseRule::sensitive) text += " case";
  if (spec.case_rule == CaseRule::insensitive) text += " nocase";
  if (spec.ignore_diacritics) text += " nodiacritics";
  const std::string_view op = operators[static_cast<std::size_t>(spec.kind)];
  return text.append(" ").append(op).append(" ").append(quoted(spec.text));
}

}  // namespace ffind::query
