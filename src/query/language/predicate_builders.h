// SPDX-License-Identifier: MIT
// Builders: functions that turn a comparison into an expression of tests, one for each row of the
// table in fields.cpp. Those of texts are in pattern_builders.cpp, all others in
// metadata_builders.cpp. They also reject comparisons that could never match, with advice.
#pragma once

#include "query/language/fields.h"
#include "query/predicates/predicates.h"

namespace ffind::query::make {

// pattern_builders.cpp

Expression name(const Comparison& comparison, const Meaning& meaning);
Expression path(const Comparison& comparison, const Meaning& meaning);
Expression absolute_path(const Comparison& comparison, const Meaning& meaning);
Expression extension(const Comparison& comparison, const Meaning& meaning);
Expression tag(const Comparison& comparison, const Meaning& meaning);
Expression attribute(const Comparison& comparison, const Meaning& meaning);
Expression contents(const Comparison& comparison, const Meaning& meaning);
Expression texts(const Comparison& comparison, const Meaning& meaning, const TextRow& row);

// metadata_builders.cpp

Expression type(const Comparison& comparison, const Meaning& meaning);
Expression kind(const Comparison& comparison, const Meaning& meaning);
Expression target_type(const Comparison& comparison, const Meaning& meaning);
Expression has(const Comparison& comparison, const Meaning& meaning);
/// Builds tests of sizes, which may have units.
Expression size(const Comparison& comparison, const Meaning& meaning, const NumberRow& row);
/// Builds tests of plain numbers.
Expression number(const Comparison& comparison, const Meaning& meaning, const NumberRow& row);
Expression time(const Comparison& comparison, const Meaning& meaning, const TimeRow& row);
Expression account(const Comparison& comparison, const Meaning& meaning, const AccountKind& kind);
Expression depth(const Comparison& comparison, const Meaning& meaning);
Expression newer_than(const Comparison& comparison, const Meaning& meaning);
Expression older_than(const Comparison& comparison, const Meaning& meaning);
Expression flags(const Comparison& comparison, const Meaning& meaning);
Expression permissions(const Comparison& comparison, const Meaning& meaning);
Expression same_file(const Comparison& comparison, const Meaning& meaning);
Expression orphaned(const Meaning& meaning, const AccountKind& kind);

// Shared by both files.

/// The disjunction of `operands`, or the operand itself if there is only one.
Expression any_of(std::vector<Expression> operands);

/// Fails if the value contains a NUL, which no name, path, account or attribute does. It would
/// never match, or be cut off if passed on as a C string.
void refuse_nul(const Value& value, std::string_view what);

/// Calls `read` for the value; its errors point into what was typed, and name the operator.
template <typename Read>
auto read_value(const Comparison& comparison, const Value& value, Read read) {
  text::ValueSource source = value.typed->source;
  source.relation = to_text(comparison.op);
  try {
    return read(value.text, source);
  } catch (const text::ValueError& error) {
    value.fail(error.position(), error.what_is_wrong(), error.parts().guess);
  }
}

}  // namespace ffind::query::make
