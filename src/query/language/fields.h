// SPDX-License-Identifier: MIT
// Fields and flags of the expression language, one row each, and what their rows work on: a value
// as it was typed, a comparison taken apart, the context that decides what it means. The parser
// reads the rows, cli makes options of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/accounts.h"
#include "ffind/entry.h"
#include "ffind/query.h"
#include "query/patterns/pattern.h"
#include "text/ascii.h"
#include "text/problem.h"
#include "text/ranges.h"

namespace ffind::query {

struct QueryContext {
  text::Clock clock{};
  const Accounts* accounts = nullptr;  ///< outlives every test made with it
  /// Reads the metadata of `path`, links followed; returns 0 or an errno. Null if files cannot be
  /// read.
  int (*metadata_of)(const std::string& path, Metadata& found) = nullptr;
  /// Whether this system keeps needs::added.
  bool has_added = false;
};

/// The value of an option, or a whole expression.
struct Typed {
  std::string text;
  text::ValueSource source;
  bool is_expression = false;  ///< an expression; else a value, or a line of --query
};

enum class Quote : std::uint8_t {
  none,
  raw,      ///< '...': ends at the next one
  escaped,  ///< "...": with backslashes
};

struct Value {
  std::string text;              ///< without quotes and escapes
  const Typed* typed = nullptr;  ///< outlives it
  std::size_t at = 0;            ///< of its first byte in `typed`, or of its quote
  Quote quote = Quote::none;
  bool dropped = false;  ///< see drop_backslashes

  /// `word`, which is in lower case, in any case.
  bool is_bare(std::string_view word) const {
    return quote == Quote::none && text::fold_ascii(text) == word;
  }
  /// Of a bare value in an expression: a backslash that keeps a mark in it is no part of it. Not
  /// where the value is a pattern, which reads its backslashes itself.
  void drop_backslashes();
  /// The place of `position` in what was typed.
  std::size_t place_of(std::size_t position) const;
  [[noreturn]] void fail(std::size_t position, std::string_view what,
                         std::string_view guess = {}) const;
};

/// The values between the commas of a bare one, and the spaces behind those; each is `what`: "a
/// kind". Throws UsageError where one is missing. With `escapes`, one behind a backslash is text.
std::vector<Value> split_at_commas(const Value& list, std::string_view what, bool escapes = false);

/// The first comma of a bare value from `from` on that no backslash precedes; npos where
/// there is none.
std::size_t find_bare_comma(std::string_view text, std::size_t from);

/// Reads the character or escape that begins at `at` of a text in double quotes, and moves
/// past it: \" \\ \n \t \xNN; any other backslash is literal, so that "\.c$" is what it
/// looks like.
std::string take_escaped(std::string_view text, std::size_t& at);

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

struct Field {
  std::string_view name;
  std::string_view other_names;  ///< with commas between them
  std::string_view example;
  Operators operators;
  Modifiers modifiers;
  Expression (*make)(const Comparison& comparison, const Meaning& meaning);
  bool value_may_have_spaces = false;  ///< bare, as in 7 days
  std::string_view list_of = {};       ///< "a kind", where a bare value may be several: pdf,docx
  bool has_key = false;                ///< a name may precede the operator
  bool needs_no_operator = false;      ///< a value alone is equality: has .git
};

/// A test without an operator.
struct Flag {
  std::string_view name;
  std::string_view other_names;
  /// Throws UsageError if the context cannot answer.
  Expression (*make)(const Meaning& meaning);
};

std::span<const Field> fields();
std::span<const Flag> flags();

/// By any of its names, in any case, with - for _; null when there is none.
const Field* find_field(std::string_view name);
const Flag* find_flag(std::string_view name);

/// The type that `word` means, in lower case, as in `type = dir`; nothing where it is none.
std::optional<FileType> find_type(std::string_view word);
/// The words that people have for types, letters left out.
std::vector<std::string_view> type_names();

/// Every name of every field and flag.
std::vector<std::string_view> field_and_flag_names();

}  // namespace ffind::query
