// SPDX-License-Identifier: MIT
// Fuzzes globs. Input: a byte of rules, the glob, a newline, the subject. What consists of ASCII
// without braces, classes and ** is held against a matcher that tries everything.
#include <string>

#include "fuzz/fuzz.h"
#include "query/patterns/pattern.h"
#include "text/ascii.h"

namespace ffind::fuzz::glob_fuzz {

namespace {

/// Exponential, so for short globs only.
bool naive(std::string_view glob, std::string_view subject) {
  if (glob.empty()) return subject.empty();
  if (glob.front() == '*') {
    return naive(glob.substr(1), subject) ||
           (!subject.empty() && subject.front() != '/' && naive(glob, subject.substr(1)));
  }
  if (subject.empty()) return false;
  if (glob.front() == '?') {
    return subject.front() != '/' && naive(glob.substr(1), subject.substr(1));
  }
  if (glob.front() == '\\') glob.remove_prefix(1);
  return glob.front() == subject.front() && naive(glob.substr(1), subject.substr(1));
}

bool is_simple(std::string_view glob, std::string_view subject) {
  const bool short_enough = glob.size() <= 16 && subject.size() <= 24;
  return short_enough && ffind::text::is_ascii(glob) && ffind::text::is_ascii(subject) &&
         glob.find_first_of("[{") == std::string_view::npos &&
         glob.find("**") == std::string_view::npos && !glob.ends_with('\\');
}

}  // namespace

FUZZ_TARGET(glob) {
  Input input(data, size);
  const auto rules = input.take<std::uint8_t>();
  query::PatternSpec spec;
  spec.kind = query::PatternKind::glob;
  spec.text = input.take_until('\n');
  spec.case_rule = static_cast<query::CaseRule>(rules % 3);
  spec.ignore_diacritics = (rules & 0x80) != 0;
  const std::string_view subject = input.rest();
  try {
    const auto pattern = query::compile_pattern(spec);
    const bool matches = pattern->matches(subject);
    require(matches == pattern->matches(subject), "a glob answers the same again");
    if (!is_simple(spec.text, subject)) return 0;
    const bool folds = pattern->rules().folds();
    require(matches == naive(folds ? text::fold_ascii(spec.text) : spec.text,
                             folds ? text::fold_ascii(subject) : std::string(subject)),
            "a glob matches what it says");
  } catch (const UsageError&) {
    require(!is_simple(spec.text, subject), "nothing is wrong with text, * and ?");
  }
  return 0;
}

}  // namespace ffind::fuzz::glob_fuzz
