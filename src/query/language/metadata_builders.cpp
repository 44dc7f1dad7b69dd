// SPDX-License-Identifier: MIT
// Builders for types, kinds, sizes, times, numbers, accounts, permissions and other files.
//
// Ranges are read by the parsers of the options, with the operator as their relation, so that both
// have one syntax and one meaning. Values that need the environment (accounts, times of other
// files) are looked up in the context, when the query is built.
//
//     size >= 10M        at_least, "10M" ─ text::parse_size_range ─▶ [10,000,000, no end]
//     modified = today   "today" ───────── text::parse_time_range ─▶ the day, from the clock
//     owner = alice      "alice" ───────── Accounts::user_id ──────▶ 1000
//     newer_than = a.c   "a.c" ─────────── metadata_of ────────────▶ times after its last change

#include <algorithm>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include "query/language/fields.h"
#include "query/language/predicate_builders.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/ranges.h"
#include "text/times.h"

namespace ffind::query {
namespace {

struct TypeRow {
  std::string_view word;
  FileType type;
};

// Words for types, in lower case. The letters are those of find's -type.
constexpr TypeRow type_rows[] = {
    {"f", FileType::file},
    {"file", FileType::file},
    {"d", FileType::directory},
    {"directory", FileType::directory},
    {"dir", FileType::directory},
    {"folder", FileType::directory},
    {"l", FileType::symlink},
    {"symlink", FileType::symlink},
    {"link", FileType::symlink},
    {"s", FileType::socket},
    {"socket", FileType::socket},
    {"p", FileType::fifo},
    {"fifo", FileType::fifo},
    {"pipe", FileType::fifo},
    {"b", FileType::block},
    {"block", FileType::block},
    {"c", FileType::character},
    {"char", FileType::character},
    {"character", FileType::character},
};

}  // namespace

std::optional<FileType> find_type(std::string_view word) {
  for (const TypeRow& row : type_rows) {
    if (row.word == word) return row.type;
  }
  return {};
}

std::vector<std::string_view> type_names() {
  std::vector<std::string_view> names;
  for (const TypeRow& row : type_rows) {
    if (row.word.size() > 1) names.push_back(row.word);
  }
  return names;
}

}  // namespace ffind::query

namespace ffind::query::make {
namespace {

/// A range that is empty is false, not a test.
template <typename T>
Expression range_expression(const RangeRow<T>& row, const text::Range<T>& range) {
  return range.first > range.last ? Expression::any({}) : Expression::of(range_test(row, range));
}

/// Builds the test of the ranges that `read` returns for the values. Several values are
/// alternatives in an expression (`size in (1k, 2k)`), but for a repeated option all must be true:
/// --size '>1M' --size '<2M' is one range.
template <typename T, typename Read>
Expression ranges(const Comparison& comparison, const RangeRow<T>& row, Read read) {
  std::vector<Expression> any;
  text::Range<T> all;
  for (const Value& value : comparison.values) {
    const text::Range<T> range = read(value);
    all = text::narrow(all, range);
    any.push_back(range_expression(row, range));
  }
  return comparison.narrow ? range_expression(row, all) : any_of(std::move(any));
}

/// The same with a parser of what a value may be: `10M`, `1k..2M`, or `>10M` as options have it.
template <typename T, typename Parse>
Expression parsed_ranges(const Comparison& comparison, const RangeRow<T>& row, Parse parse) {
  return ranges(comparison, row, [&](const Value& value) {
    return read_value(comparison, value,
                      [&](const std::string& text, const text::ValueSource& source) {
                        return parse(text, source, row_of(comparison.op).relation);
                      });
  });
}

/// Rejects ages after `before` and `after`: `modified < 7d` means the last seven days, but `before
/// 7d` would read the other way round.
void refuse_age(const Value& value) {
  const std::size_t after_number = value.text.find_first_not_of("0123456789");
  if (after_number == 0 || after_number == std::string::npos) return;
  const std::size_t unit = value.text.find_first_not_of(' ', after_number);
  if (unit == std::string::npos || !text::is_letter(value.text[unit])) return;
  value.fail(0, "before and after need dates; for ages use < (younger) and > (older)");
}

// Words

/// Reads a word for a type, in any case. Fails with the nearest word or with all of them.
FileType read_type(const Value& value) {
  const std::string typed = text::fold_ascii(value.text);
  if (const auto type = find_type(typed)) return *type;
  const std::string near = text::did_you_mean(typed, type_names());
  value.fail(
      0,
      text::format("unknown type '{}'{}", value.text,
                   near.empty() ? ": file, directory, symlink, socket, fifo, block, char" : ""),
      near);
}

/// Returns ": file, directory".
std::string list_of(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) list.append(list.empty() ? ": " : ", ").append(name);
  return list;
}

/// Suggests a kind of similar spelling, else the extension of that name, else lists all kinds.
[[noreturn]] void fail_unknown_kind(const Value& value) {
  const std::string what = text::format("unknown kind '{}'", value.text);
  const std::span<const std::string_view> names = kind_names();
  const std::string near =
      text::did_you_mean(text::fold_ascii(value.text), {names.begin(), names.end()});
  if (!near.empty()) value.fail(0, what, near);
  const bool plain = !value.text.empty() &&
                     std::all_of(value.text.begin(), value.text.end(), text::is_letter_or_digit);
  if (plain && kind_of_file("x." + value.text) != 0) {
    value.fail(0, what + text::format("; did you mean {} {}?",
                                      value.typed->is_expression ? "ext =" : "--ext", value.text));
  }
  value.fail(0, what + list_of(names));
}

Kind read_kind(const Value& value) {
  if (const auto kind = find_kind(value.text)) return *kind;
  fail_unknown_kind(value);
}

/// Reads a type, or "broken" for links whose target is of no type.
FileType read_target_type(const Value& value) {
  return text::fold_ascii(value.text) == "broken" ? FileType::unknown : read_type(value);
}

/// Reads all values with `read`, without repetitions.
std::vector<FileType> read_types(const Comparison& comparison, FileType (*read)(const Value&)) {
  std::vector<FileType> types;
  for (const Value& value : comparison.values) {
    const FileType type = read(value);
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  return types;
}

// Flags

using FileFlagWord = file_flags::Word;

/// Finds the flag that a value names, among those that the system has.
FileFlagWord read_flag(const Value& value, const std::string& typed, FileFlags own) {
  std::vector<std::string_view> names;
  bool of_other_system = false;
  for (const FileFlagWord& word : file_flags::words) {
    const bool is_own = (word.flags & own) != 0;
    if (word.word == typed && is_own) return word;
    of_other_system = of_other_system || word.word == typed;
    if (is_own) names.push_back(word.word);
  }
  names.push_back("none");
  const std::string near = of_other_system ? std::string() : text::did_you_mean(typed, names);
  std::string what = text::format("unknown flag '{}'", value.text);
  if (of_other_system) what = text::format("this system has no flag '{}'", value.text);
  value.fail(0, near.empty() ? what + list_of(names) : what, near);
}

// Accounts

/// Reads a name or number. Digits are a number, even if there is an account of that name.
Account read_account(const Comparison& comparison, const Value& value, const Meaning& meaning,
                     const AccountKind& kind) {
  const Accounts* const accounts = meaning.context.accounts;
  if (text::is_digits(value.text)) {
    const text::SizeRange number =
        read_value(comparison, value, [](const std::string& text, const text::ValueSource& source) {
          return text::parse_count_range(text, source);
        });
    if (number.first > std::numeric_limits<std::uint32_t>::max()) {
      value.fail(0, "account numbers go up to 4294967295");
    }
    return {static_cast<std::uint32_t>(number.first), value.text};
  }
  if (value.text.empty()) value.fail(0, text::format("a {} is missing", kind.name));
  refuse_nul(value, "the name of a " + std::string(kind.name));
  if (accounts == nullptr) {
    value.fail(0, text::format("no {} can be looked up by name here; use a number", kind.name));
  }
  const std::optional<std::uint32_t> id = (accounts->*kind.id_of)(value.text);
  if (!id && !meaning.context.of_records) {
    value.fail(0, text::format("unknown {} '{}'; a number works too", kind.name, value.text));
  }
  return {id, value.text};
}

// Other files

/// A file that a value names, or the reason why there is none.
struct NamedFile {
  std::optional<Metadata> metadata{};
  std::string reason{};
};

/// Looks up the file `value`, links followed. Does not fail if there is none.
NamedFile find_file(const Value& value, const Meaning& meaning) {
  if (value.text.empty()) value.fail(0, "a path is missing");
  refuse_nul(value, "a path");
  const auto look = meaning.context.metadata_of;
  if (look == nullptr) return {.reason = "files cannot be looked up here"};
  Metadata found{};
  const int error = look(value.text, found);
  if (error != 0) return {.reason = std::generic_category().message(error)};
  return {.metadata = found};
}

/// The same for values that have to be a file.
Metadata metadata_of(const Value& value, const Meaning& meaning) {
  const NamedFile file = find_file(value, meaning);
  if (!file.metadata) value.fail(0, text::format("'{}': {}", value.text, file.reason));
  return *file.metadata;
}

// Ends of times: what is later than the last or earlier than the first is an empty range.
constexpr text::TimeRange nothing{{1}, {0}};

constexpr Instant first_time = std::numeric_limits<Instant>::min();
constexpr Instant last_time = std::numeric_limits<Instant>::max();

/// The time of a file, or the beginning of a day, a month, an age.
struct TimeReference {
  Instant time{};
  bool itself = false;  ///< exactly this time counts as later
};

/// newer_than = FILE excludes what changed at the same time as FILE; newer_than = 2026-01-31
/// includes the first moment of that day.
text::TimeRange later_than(const TimeReference& mark) {
  if (mark.itself) return {mark.time, last_time};
  return mark.time == last_time ? nothing
                                : text::TimeRange{text::nanosecond_after(mark.time), last_time};
}

text::TimeRange earlier_than(const TimeReference& mark) {
  return mark.time == first_time ? nothing
                                 : text::TimeRange{first_time, text::nanosecond_before(mark.time)};
}

/// Reads a path, or a time if there is no such file.
TimeReference time_reference_of(const Comparison& comparison, const Value& value,
                                const Meaning& meaning) {
  const NamedFile file = find_file(value, meaning);
  if (file.metadata) return {file.metadata->modified, false};
  // A file may be called ">a", so operators are rejected only now.
  const char first = value.text.front();
  if (first == '<' || first == '>' || first == '+' || first == '-') {
    value.fail(0, text::format("'{}' is not a file, and '{}' is not allowed with a time",
                               value.text, first));
  }
  try {
    const text::TimeRange range = read_value(
        comparison, value, [&](const std::string& text, const text::ValueSource& source) {
          return text::parse_time_range(text, meaning.context.clock, source);
        });
    return {range.first, true};
  } catch (const text::ValueError& error) {
    // A value that begins with a digit was meant as a time; else the file was.
    if (value.text.find_first_of("0123456789") != 0) {
      value.fail(0, text::format("'{}': {}, and it is not a time", value.text, file.reason));
    }
    throw;
  }
}

}  // namespace

Expression any_of(std::vector<Expression> operands) {
  return operands.size() == 1 ? std::move(operands.front()) : Expression::any(std::move(operands));
}

Expression type(const Comparison& comparison, const Meaning&) {
  return Expression::of(type_test(read_types(comparison, read_type)));
}

Expression target_type(const Comparison& comparison, const Meaning&) {
  return Expression::of(target_type_test(read_types(comparison, read_target_type)));
}

Expression has(const Comparison& comparison, const Meaning&) {
  std::vector<Expression> any;
  for (const Value& value : comparison.values) {
    if (value.text.empty()) value.fail(0, "the name of an entry is missing");
    refuse_nul(value, "the name of an entry");
    const std::size_t slash = value.text.find('/');
    if (slash != std::string::npos) {
      value.fail(slash, "'has' takes the name of an entry, which cannot contain '/'");
    }
    if (value.text == "." || value.text == "..") value.fail(0, "every directory contains it");
    any.push_back(Expression::of(has_test(value.text)));
  }
  return any_of(std::move(any));
}

/// All kinds become one test. `pdf` is no kind but often typed as one: regular files with that
/// extension.
Expression kind(const Comparison& comparison, const Meaning&) {
  Kinds kinds = 0;
  std::vector<Expression> any;
  for (const Value& value : comparison.values) {
    if (text::fold_ascii(value.text) == "pdf") {
      any.push_back(Expression::all({Expression::of(type_test({FileType::file})),
                                     Expression::of(extension_test({"pdf"}, false))}));
      continue;
    }
    kinds |= bit_of(read_kind(value));
  }
  if (kinds != 0) any.insert(any.begin(), Expression::of(kind_test(kinds)));
  return any_of(std::move(any));
}

/// Throws if no entry of this system has a value for `row`.
template <typename T>
void refuse_lacking(const Comparison& comparison, const Meaning& meaning, const RangeRow<T>& row) {
  if ((row.need & meaning.context.lacks) == 0) return;
  comparison.values.front().fail(
      0, row.need == needs::added     ? "only macOS records when a file was added to its directory"
         : row.need == needs::trashed ? "a field of what is in the Trash, which --trashed searches"
                                      : "only APFS records what a file shares with its clones");
}

Expression size(const Comparison& comparison, const Meaning& meaning, const NumberRow& row) {
  refuse_lacking(comparison, meaning, row);
  return parsed_ranges(comparison, row, text::parse_size_range);
}
Expression number(const Comparison& comparison, const Meaning&, const NumberRow& row) {
  return parsed_ranges(comparison, row, text::parse_count_range);
}
Expression depth(const Comparison& comparison, const Meaning&) {
  return parsed_ranges(comparison, depth_row, text::parse_depth_range);
}

/// Range of times after (`>FILE`) or before (`<FILE`) the last change of FILE. `text` is a value
/// that could not be parsed as a time, with its relation unless that is given.
std::optional<text::TimeRange> range_after_file(std::string_view text, text::Relation relation,
                                                const Meaning& meaning) {
  using text::Relation;
  if (relation == Relation::unsaid && !text.empty() && (text[0] == '<' || text[0] == '>')) {
    const bool itself = text.size() > 1 && text[1] == '=';
    relation = text[0] == '>' ? (itself ? Relation::at_least : Relation::more)
                              : (itself ? Relation::at_most : Relation::less);
    text.remove_prefix(itself ? 2 : 1);
  }
  const std::size_t name = text.find_first_not_of(' ');
  const auto look = meaning.context.metadata_of;
  if (name == std::string::npos || text.find('\0') != std::string::npos || look == nullptr) {
    return {};
  }
  Metadata found{};
  if (look(std::string(text.substr(name)), found) != 0) return {};
  switch (relation) {
    case Relation::more:
      return later_than({found.modified, false});
    case Relation::at_least:
      return text::TimeRange{found.modified, last_time};
    case Relation::less:
      return earlier_than({found.modified, false});
    case Relation::at_most:
      return text::TimeRange{first_time, found.modified};
    default:
      return {};
  }
}

Expression time(const Comparison& comparison, const Meaning& meaning, const TimeRow& row) {
  if (comparison.op == Operator::after || comparison.op == Operator::before) {
    for (const Value& value : comparison.values) refuse_age(value);
  }
  refuse_lacking(comparison, meaning, row);
  return parsed_ranges(
      comparison, row,
      [&](const std::string& text, const text::ValueSource& source, text::Relation relation) {
        try {
          return text::parse_time_range(text, meaning.context.clock, source, relation);
        } catch (const text::ValueError&) {
          if (const auto range = range_after_file(text, relation, meaning)) return *range;
          throw;
        }
      });
}

Expression newer_than(const Comparison& comparison, const Meaning& meaning) {
  return ranges(comparison, modified_row, [&](const Value& value) {
    return later_than(time_reference_of(comparison, value, meaning));
  });
}
Expression older_than(const Comparison& comparison, const Meaning& meaning) {
  return ranges(comparison, modified_row, [&](const Value& value) {
    return earlier_than(time_reference_of(comparison, value, meaning));
  });
}

/// Values with the same number count once.
Expression account(const Comparison& comparison, const Meaning& meaning, const AccountKind& kind) {
  std::vector<Account> accounts;
  for (const Value& value : comparison.values) {
    Account account = read_account(comparison, value, meaning, kind);
    const bool known = std::any_of(accounts.begin(), accounts.end(), [&](const Account& other) {
      return account.id && other.id == account.id;
    });
    if (!known) accounts.push_back(std::move(account));
  }
  return Expression::of(account_test(kind, std::move(accounts)));
}

Expression flags(const Comparison& comparison, const Meaning& meaning) {
  FileFlags any = 0;
  bool none = false;
  std::vector<std::string_view> words;
  for (const Value& value : comparison.values) {
    const std::string typed = text::fold_ascii(value.text);
    if (typed == "none") {
      none = true;
      continue;
    }
    const FileFlagWord word = read_flag(value, typed, meaning.context.flags);
    any |= word.flags & meaning.context.flags;
    if (std::find(words.begin(), words.end(), word.word) == words.end()) words.push_back(word.word);
  }
  std::vector<Expression> either;
  if (!words.empty()) either.push_back(Expression::of(flags_test(any, std::move(words))));
  if (none) either.push_back(Expression::of(flags_test(0, {"none"})));
  return any_of(std::move(either));
}

Expression permissions(const Comparison& comparison, const Meaning&) {
  using text::PermissionPrefix;
  const PermissionPrefix prefix = comparison.op == Operator::all   ? PermissionPrefix::all
                                  : comparison.op == Operator::any ? PermissionPrefix::any
                                                                   : PermissionPrefix::none;
  std::vector<Expression> any;
  for (const Value& value : comparison.values) {
    if (value.typed->is_expression && value.quote == Quote::none && value.text.ends_with(',')) {
      value.fail(value.text.size() - 1, "no spaces in a mode, or quote it: \"u+w, go-w\"");
    }
    any.push_back(Expression::of(permissions_test(read_value(
        comparison, value, [&](const std::string& text, const text::ValueSource& source) {
          return text::parse_permissions(text, source, prefix);
        }))));
  }
  return any_of(std::move(any));
}

Expression same_file(const Comparison& comparison, const Meaning& meaning) {
  std::vector<Expression> any;
  for (const Value& value : comparison.values) {
    const Metadata found = metadata_of(value, meaning);
    any.push_back(Expression::of(same_file_test(found.device, found.inode, value.text)));
  }
  return any_of(std::move(any));
}

Expression orphaned(const Meaning& meaning, const AccountKind& kind) {
  if (meaning.context.accounts == nullptr) throw UsageError("accounts cannot be looked up here");
  return Expression::of(orphan_test(kind, *meaning.context.accounts));
}

}  // namespace ffind::query::make
