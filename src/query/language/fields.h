// SPDX-License-Identifier: MIT
// Fields and flags of the expression language: one row each, with names, operators and a function
// that turns a comparison into a test.
//
//     --size 10M         ┐                               ┌ Field::make
//     size = 10M         ├─▶ Comparison {op, values} ───▶┤ with Meaning    ──▶ Expression
//     size:10M (--query) ┘                               └ (clock, accounts)
//
// Options, expressions and query lines are all reduced to comparisons, which gives the three of
// them one meaning. A Value keeps the place where it was typed, so that errors found later still
// point there. The parser, the command line, hints and the tests of manual and completions read the
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "ffind/query.h"
#include "query/patterns/pattern.h"
#include "text/ascii.h"
#include "text/problem.h"
#include "text/ranges.h"

namespace ffind::query {

/// The environment that values may depend on. Provided by the command line, since this room calls
/// no operating system, and by tests.
struct QueryContext {
  text::Clock clock{};
  const Accounts* accounts = nullptr;  ///< outlives every test made with it
  /// Reads the metadata of `path`, links followed; returns 0 or an errno. Null if files cannot be
  /// read.
  int (*metadata_of)(const std::string& path, Metadata& found) = nullptr;
  Needs lacks = needs::added | needs::private_size;  ///< metadata that no entry has
  /// True if it also hides entries by flags (needs::hidden).
  bool hides_by_flag = false;
  FileFlags flags = file_flags::of_linux | file_flags::of_macos;  ///< those that it has
  /// Returns the term that does the same as WORD:VALUE of another program, or an empty text, for
  /// messages.
  std::string (*term_of_other_finders)(std::string_view word, std::string_view value) = nullptr;
  bool of_records = false;  ///< entries may have names of accounts that are unknown here
};

/// The value of an option, or a whole expression.
struct Typed {
  std::string text;
  text::ValueSource source;
  bool is_expression = false;  ///< an expression; else a value, or a line of --query
};

enum class Quote : std::uint8_t {
  none,
  raw,      ///< '...': without escapes
  escaped,  ///< "...": with backslash escapes
};

/// A value with its place: the whole value of an option, one between commas, or a word of an
/// expression.
struct Value {
  std::string text;              ///< quotes and escapes removed
  const Typed* typed = nullptr;  ///< outlives it
  std::size_t at = 0;            ///< position in `typed` of its first byte or its quote
  Quote quote = Quote::none;

  /// True if the value is `word` (in lower case), in any case and without quotes.
  bool is_bare(std::string_view word) const {
    return quote == Quote::none && text::fold_ascii(text) == word;
  }
  /// Removes the backslashes that protect punctuation in a bare value of an expression. Not for
  /// patterns, which interpret backslashes themselves.
  void drop_backslashes();
  /// Fails at `position` in `text`.
  [[noreturn]] void fail(std::size_t position, std::string_view what,
                         std::string_view guess = {}) const;
};

/// Splits a bare value at its commas and the spaces after them. Throws UsageError for an empty
/// part; `what` names a part in the message ("a kind"). With `escapes`, commas after a backslash
/// are text.
std::vector<Value> split_at_commas(const Value& list, std::string_view what, bool escapes = false);

/// Position of the first comma from `from` on that is not escaped by a backslash, or npos.
std::size_t find_bare_comma(std::string_view text, std::size_t from);

/// Reads the character or escape at `at` of a text in double quotes and advances `at`. Escapes are
/// \" \\ \n \t \xNN; any other backslash is literal, so that "\.c$" means what it seems to.
std::string take_escaped(std::string_view text, std::size_t& at);

enum class Operator : std::uint8_t {
  equal,    ///< as the option reads a bare value: a granule, a whole day, the whole name
  exactly,  ///< `==`: the exact number
  less,
  at_most,
  more,
  at_least,
  contains,
  starts,
  ends,
  glob,
  matches,
  all,  ///< of a set of permissions
  any,
  after,  ///< for dates, not for ages
  before,
};

/// A set of operators, one bit each.
using Operators = std::uint16_t;

constexpr Operators bit_of(Operator op) {
  return static_cast<Operators>(1U << static_cast<unsigned>(op));
}

/// Spellings and meaning of an operator.
struct OperatorRow {
  std::string_view text;     ///< in messages and in the help
  std::string_view symbols;  ///< separated by spaces
  std::string_view words;    ///< the same; `with` may follow if it is in `text`
  text::Relation relation = text::Relation::unsaid;  ///< of values in a range
  PatternKind pattern = PatternKind::exact;
};

const OperatorRow& row_of(Operator op);
inline std::string_view to_text(Operator op) {
  return row_of(op).text;
}
/// Finds the operator of which `spelling` is one of the symbols or words.
std::optional<Operator> find_operator(std::string_view OperatorRow::*list,
                                      std::string_view spelling);

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

/// FIELD OPERATOR VALUE, taken apart but not yet interpreted.
struct Comparison {
  Operator op = Operator::equal;
  std::size_t operator_at = 0;  ///< its position in what was typed
  Modifiers modifiers = modifiers::none;
  std::optional<Value> key{};  ///< the attribute's name in `xattr "user.x" contains "v"`
  std::vector<Value> values{};
  /// Set for a repeated option: all ranges must contain the entry's value. Else one value suffices.
  bool narrow = false;
};

/// Settings and environment that the meaning of a comparison depends on.
struct Meaning {
  const QueryContext& context;
  CaseRule case_rule = CaseRule::smart;  ///< for patterns without a modifier of their own
  bool ignore_diacritics = false;
  bool binary = false;  ///< search the contents of binary files
};

/// Deviations of a field from FIELD [MODIFIERS] OPERATOR VALUE.
struct FieldSyntax {
  bool has_spaces = false;         ///< in a bare value: 7 days
  std::string_view list_of{};      ///< "a kind" if a bare value may be a list: pdf,docx
  bool has_key = false;            ///< a name may precede the operator
  bool needs_no_operator = false;  ///< a value alone means equality: has .git
};

/// A field: FIELD [MODIFIERS] OPERATOR VALUE.
struct Field {
  std::string_view name;
  std::string_view other_names;  ///< separated by commas
  std::string_view example;
  Operators operators;
  Modifiers modifiers;
  Expression (*make)(const Comparison& comparison, const Meaning& meaning);
  FieldSyntax syntax{};
};

/// A test without an operator, true or false of an entry. Either `holds` is set or `special`.
struct Flag {
  std::string_view name;
  std::string_view other_names{};
  FileTypes types = all_types;  ///< of which entries it may be true; all others are not loaded
  Needs need = needs::none;     ///< attributes that `holds` may load, besides the type
  int cost = 1;                 ///< as Test::cost
  bool (*holds)(Entry& entry) = nullptr;
  /// After a failure of an attribute that does not always decide: false if the test is false for
  /// certain.
  bool (*may_hold)(const Entry& entry) = nullptr;
  /// Builds a test that depends on the context; throws UsageError if that cannot answer.
  Expression (*special)(const Meaning& meaning) = nullptr;

  Expression make(const Meaning& meaning) const;
};

/// The test of `field` by `values`, each as an option has it: ">1k" for a range, "pdf,docx" for a
/// field of lists. `comparison` says all else. Throws UsageError with the place in a value.
Expression test_of_options(const Field& field, Comparison comparison,
                           const std::vector<std::string>& values, const text::ValueSource& source,
                           const Meaning& meaning);

std::span<const Field> fields();
std::span<const Flag> flags();

/// Finds a row by any of its names, in any case and with - for _. Null if there is none.
const Field* find_field(std::string_view name);
const Flag* find_flag(std::string_view name);
/// Returns the test of a flag that does not depend on the context.
std::shared_ptr<const Test> flag_test(std::string_view name);

/// Finds the type that `word` (in lower case) means, as in `type = dir`.
std::optional<FileType> find_type(std::string_view word);
/// The words for types, without the single letters.
std::vector<std::string_view> type_names();

/// All names of all fields and flags.
std::vector<std::string_view> field_and_flag_names();

}  // namespace ffind::query
