// SPDX-License-Identifier: MIT
// Values of find as values of ours: sizes, ages, times, permissions, accounts. The two read the
// same words differently:
//
//     -size -1M     rounds sizes up to whole units: empty files          <=0
//     -size 2k      more than 1 unit, at most 2                          >1Ki, <=2Ki
//     -mtime +3     rounds ages down to whole days: four days or more    >4d
//     -mmin 5       rounds up to whole minutes                           5min..4min
//     -newermt DAY  later than its first instant; ours compares days     >DAYT00:00:00.0
//
// -size of find looks at everything, ours at regular files, so its term is one of stat_size unless
// there are no others. A value that find refuses, or that has no exact counterpart, is
// Untranslatable.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "cli/option_table.h"
#include "foreign/find_line.h"
#include "query/expression.h"
#include "query/predicates/predicates.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/times.h"

namespace ffind::foreign {

namespace {

/// A number of find: +N, -N or N, and what comes after it. `rest` points into the text that was
/// parsed.
struct Signed {
  char sign = ' ';
  std::uint64_t number = 0;
  std::string_view rest{};
};

/// "+10k" is {'+', 10, "k"}; find accepts "-+1", too. Nineteen digits fit into 64 bits.
Signed signed_number(std::string_view text) {
  Signed read;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    read.sign = text[0];
    text.remove_prefix(text.substr(1).starts_with('+') ? 2 : 1);
  }
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  if (end == 0 || end > 19) throw Untranslatable();
  read.number = std::stoull(std::string(text.substr(0, end)));
  read.rest = text.substr(end);
  return read;
}

/// A number of find without a unit.
Signed plain_number(const std::string& text) {
  const Signed read = signed_number(text);
  if (!read.rest.empty()) throw Untranslatable();
  return read;
}

/// True for "60min", which as the value of an option is a greatest age: digits and a unit in small
/// letters, which units of sizes are not.
bool is_age(std::string_view value) {
  const std::size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  const std::string_view unit = value.substr(digits);
  return digits > 0 && !unit.empty() &&
         std::all_of(unit.begin(), unit.end(), [](char c) { return 'a' <= c && c <= 'z'; });
}

/// The test of `predicate` by one value, or by ranges which all have to contain it.
Test test_by(const Predicate& predicate, Words values) {
  const cli::OptionRow* const row = cli::find_option(predicate.here);
  return {.field = predicate.field,
          .values = std::move(values),
          .option = row == nullptr ? std::nullopt : std::optional(row->id)};
}

/// -size. Without a unit it counts blocks of 512 bytes. A size is rounded up to whole units first,
/// so `-size -1M` is true for empty files only; by BSD's find only to blocks, so there it is true
/// below 1 MiB, and `-size 1M` of exactly that. `c` is exact, and nothing has less than 0.
Test size_test(const Predicate& predicate, std::string_view text, Dialect dialect) {
  const Signed read = signed_number(text);
  const std::string_view unit = read.rest;
  const bool has_suffix = lists("k M G T P", unit);
  if (!unit.empty() && !has_suffix && !lists("c w b", unit)) throw Untranslatable();
  const unsigned bytes = has_suffix || unit == "c" ? 1 : unit == "w" ? 2 : 512;
  const std::string suffix = !has_suffix ? "" : unit == "k" ? "Ki" : std::string(unit) + "i";
  const auto amount = [&](std::uint64_t number) {
    return number == 0 ? "0" : std::to_string(number * bytes) + suffix;
  };
  const std::uint64_t number = read.number;
  if (read.sign == '-' && number == 0) return constant(false);
  const std::size_t power = has_suffix ? std::string_view("kMGTP").find(unit[0]) + 1 : 0;
  // Beyond 64 bits; no file is as large.
  if (number > UINT64_MAX / bytes >> power * 10) return constant(read.sign == '-');
  const bool is_unrounded = dialect == Dialect::bsd && has_suffix;
  Words values;
  if (read.sign == '+') {
    values = {">" + amount(number)};
  } else if (read.sign == '-') {
    values = {is_unrounded ? "<" + amount(number) : "<=" + amount(number - 1)};
  } else if (is_unrounded) {
    values = {">=" + amount(number), "<=" + amount(number)};
  } else if (number == 0 || unit == "c") {
    values = {amount(number)};
  } else {
    values = {">" + amount(number - 1), "<=" + amount(number)};
  }
  return test_by(predicate, std::move(values));
}

/// -mtime, -mmin and their like. An age is rounded down to whole days, but up to whole minutes: 3
/// days are from 3 up to, not including, 4, and 3 minutes more than 2 and at most 3. Without a
/// sign, times in the future do not match.
Test whole_age_test(const Predicate& predicate, const std::string& text) {
  const Signed read = plain_number(text);
  const bool in_days = predicate.form == Form::days;
  const std::string_view unit = in_days ? "d" : "min";
  const std::uint64_t most = read.number + (in_days ? 1 : 0);
  // -0 is the last second in find, and gone by the time that a line is pasted.
  if (read.number == 0 && (read.sign == '-' || most == 0)) throw Untranslatable();
  return test_by(predicate,
                 {read.sign == '+'   ? text::format(">{}{}", most, unit)
                  : read.sign == '-' ? text::format("{}{}", read.number, unit)
                                     : text::format("{}{}..{}{}", most, unit, most - 1, unit)});
}

/// A step from now: "3 days ago", "-2 hours", "last month", "yesterday".
struct Step {
  std::int64_t number = 0;
  std::string unit{};
};

/// Units of steps in seconds, but for months and years.
constexpr std::string_view scales =
    "fortnight=1209600 week=604800 day=86400 hour=3600 minute=60 min=60 second=1 sec=1";

std::string_view singular(std::string_view unit) {
  return unit.substr(0, unit.size() - (unit.size() > 1 && unit.ends_with('s') ? 1 : 0));
}

std::optional<Step> step_in(std::string_view text) {
  std::string rest = text::fold_ascii(text);
  if (const std::string_view days = value_in("now=0 today=0 yesterday=-1 tomorrow=1", rest);
      !days.empty()) {
    return Step{std::stoi(std::string(days)), "day"};
  }
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  Step step;
  if (const std::string_view word = value_in("last=-1 this=0 next=1", rest.substr(0, blank));
      !word.empty()) {
    step = {std::stoi(std::string(word)), rest.substr(std::min(blank + 1, rest.size()))};
  } else {
    const std::size_t sign = rest.find_first_of("+-") == 0 ? 1 : 0;
    const std::size_t end = std::min(rest.find_first_not_of("0123456789", sign), rest.size());
    if (end == sign || end > 9) return {};
    const bool is_ago = rest.ends_with(" ago");
    step.number = std::stoi(rest.substr(sign, end - sign));
    if (rest.starts_with('-') != is_ago) step.number = -step.number;
    rest.resize(rest.size() - (is_ago ? 4 : 0));
    step.unit = rest.substr(std::min(rest.find_first_not_of(' ', end), rest.size()));
  }
  const std::string_view unit = singular(step.unit);
  const bool is_known = lists("month year", unit) || !value_in(scales, unit).empty();
  return is_known ? std::optional(std::move(step)) : std::nullopt;
}

}  // namespace

/// A date is one of ours, "2026-01-31 12:00:05.5 +0100", or has no dashes.
Nanoseconds time_of(const std::string& text, Nanoseconds now) {
  if (const std::optional<Step> step = step_in(text)) {
    text::Instant instant = text::instant_of(now);
    const std::string scale(value_in(scales, singular(step->unit)));
    if (!scale.empty()) {
      instant.seconds += step->number * std::stoi(scale);
    } else {
      // A day that the month does not have is one of the next.
      const text::Day today = text::day_of(text::wall_time_at(instant.seconds));
      const text::Day first = today.year() / today.month() / 1;
      const int months = singular(step->unit) == "year" ? 12 : 1;
      if (std::abs(step->number) > 10'000) throw Untranslatable();
      const text::Day moved = first + std::chrono::months{step->number * months};
      instant.seconds += text::midnight(moved) - text::midnight(first);
    }
    return text::clamped(instant);
  }
  std::string date = text;
  if (date.find_first_not_of("0123456789") == 8 || (date.size() == 8 && text::is_digits(date))) {
    date.insert(6, "-").insert(4, "-");
  }
  const bool is_date = date.size() > 9 && date[4] == '-' && date[7] == '-';
  if ((!is_date && !date.starts_with('@')) || date.find("..") != date.npos) throw Untranslatable();
  try {
    return text::parse_time_range(date, {now}, {"", ""}).first;
  } catch (const UsageError&) {
    throw Untranslatable();
  }
}

namespace {

/// -newermt and its like: "7 days ago", "-2 hours", "@1577836800", "2026-01-31 12:00". Only later
/// times match. The fraction makes ours an instant instead of a whole second or day. No months and
/// years: find counts those by the calendar.
Test newer_test(const Predicate& predicate, const std::string& text) {
  if (const std::optional<Step> step = step_in(text)) {
    const std::string_view scale = value_in(scales, singular(step->unit));
    if (step->number >= 0 || scale.empty()) throw Untranslatable();
    return test_by(predicate, {text::format("{}{}", -step->number, step->unit)});
  }
  const Nanoseconds instant = time_of(text, 0);
  if (instant % text::nanoseconds_a_second != 0) throw Untranslatable();
  static const text::TimeFormat local("%FT%T");
  std::string date = text;
  if (!text.starts_with("@")) {
    date.clear();
    local.append(date, instant);
  }
  return test_by(predicate, {text::format(">{}.0", date)});
}

/// The bits that a mode sets, starting from 0, whatever the umask: "u=rw,go=r" is 0644, "g+w" is
/// 0020, "u+rw,g=u" is 0660. An X is an x in directories, and after an x.
std::uint32_t bits_of(std::string_view mode, bool of_directory) {
  if (!mode.empty() && mode.find_first_not_of("01234567") == std::string_view::npos) {
    if (mode.find_first_not_of('0') + 4 < mode.size()) throw Untranslatable();
    return static_cast<std::uint32_t>(std::stoul(std::string(mode), nullptr, 8));
  }
  // The bits of a class, and of a permission in all of them.
  constexpr std::pair<char, std::uint32_t> classes[] = {
      {'u', 04700}, {'g', 02070}, {'o', 01007}, {'a', 07777}};
  constexpr std::pair<char, std::uint32_t> permissions[] = {
      {'r', 0444}, {'w', 0222}, {'x', 0111}, {'s', 06000}, {'t', 01000}, {'X', 0111}};
  const auto row_of = [](const auto& rows, char letter) {
    const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                         [&](const auto& one) { return one.first == letter; });
    return row == std::end(rows) ? 0U : row->second;
  };
  std::uint32_t bits = 0;
  std::size_t at = 0;
  const auto letter = [&] { return at < mode.size() ? mode[at] : ','; };
  do {
    std::uint32_t who = 0;
    for (; row_of(classes, letter()) != 0; ++at) who |= row_of(classes, letter());
    if (who == 0) who = 07777;
    do {
      const char action = letter();
      if (std::string_view("+-=").find(action) == std::string_view::npos) throw Untranslatable();
      ++at;
      std::uint32_t value = 0;
      if (const char source = letter(); std::string_view("ugo").find(source) < 3) {
        const std::uint32_t copied = bits & row_of(classes, source);
        for (std::size_t i = 0; i < 3; ++i) {
          if ((copied & permissions[i].second) != 0) value |= permissions[i].second;
        }
        ++at;
      } else {
        for (; row_of(permissions, letter()) != 0; ++at) {
          const bool is_unset = letter() == 'X' && !of_directory && (bits & 0111U) == 0;
          if (!is_unset) value |= row_of(permissions, letter());
        }
      }
      value &= who;
      bits = action == '-' ? bits & ~value : (action == '=' ? bits & ~who : bits) | value;
    } while (letter() != ',');
  } while (at++ < mode.size());
  return bits;
}

/// -perm: MODE, -MODE (all bits) or /MODE (any bit), once written +MODE. "-u+w" stays symbolic,
/// since --perm reads it like find. Every mode has -000; by GNU's find also /000, by BSD's none.
/// There is a second value for directories if X makes a difference.
Test permission_test(const Predicate& predicate, std::string text, Dialect dialect) {
  if (text.starts_with("+") && text.size() > 1 && text::is_digit(text[1])) text[0] = '/';
  const std::string prefix =
      text.starts_with("-") || text.starts_with("/") ? text.substr(0, 1) : std::string();
  const std::string mode = text.substr(prefix.size());
  const std::uint32_t bits = bits_of(mode, false);
  const std::uint32_t of_directories = bits_of(mode, true);
  if (bits != of_directories) {
    return test_by(predicate, {text::format("{}{:o}", prefix, bits),
                               text::format("{}{:o}", prefix, of_directories)});
  }
  if (!prefix.empty() && bits == 0) return constant(prefix == "-" || dialect == Dialect::gnu);
  const bool is_ours = text::is_digit(mode.back()) ||
                       (!prefix.empty() && mode.find_first_of("Xt") == std::string::npos &&
                        mode.find_first_of("ugo", mode.find_first_of("+-=")) == std::string::npos);
  return test_by(predicate, {is_ours ? text : text::format("{}{:o}", prefix, bits)});
}

/// -links, -inum, -uid, -gid, and -depth of BSD's, whose -uid and -gid accept names, too.
Test count_test(const Predicate& predicate, const std::string& text) {
  const bool is_account = lists("uid gid", predicate.field);
  if (is_account && !text.empty() && text.find_first_of("0123456789") != 0 &&
      text.find_first_of("+-") != 0) {
    Test test = test_by(predicate, {text});
    test.field = predicate.field == "uid" ? "owner" : "group";
    return test;
  }
  const Signed read = plain_number(text);
  if (read.sign == '-' && read.number == 0) return constant(false);
  if (predicate.field == "depth" && read.number > UINT32_MAX) return constant(read.sign == '-');
  const std::string_view sign = read.sign == ' ' ? "" : read.sign == '+' ? ">" : "<";
  Test test = test_by(predicate, {text::format("{}{}", sign, read.number)});
  // --owner and --group take no range; a term does.
  if (read.sign != ' ' && is_account) test.option = {};
  return test;
}

/// -user, -group and tests that compare with a file.
Test named_test(const Predicate& predicate, std::string value) {
  if (value.empty()) throw Untranslatable();
  // A path that begins with a dash would be read as an option.
  if (predicate.form == Form::file && value.starts_with("-")) value.insert(0, "./");
  return test_by(predicate, {std::move(value)});
}

/// `text` as a value of an expression, in double quotes if it needs them: "alice", "a b".
std::string value_of(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return text::is_letter(c) || text::is_digit(c) ||
           std::string_view("./_-").find(c) != std::string_view::npos;
  });
  return plain && !query::is_word_of_the_language(text) ? std::string(text) : query::quoted(text);
}

/// "size > 0", "modified < 7d", "owner = alice", "type in (f,d)", "perm all 222".
std::string comparison_of(std::string_view field, const std::string& value, bool is_range) {
  if (field == "perm") {
    const std::string_view op = value[0] == '-' ? "all" : value[0] == '/' ? "any" : "=";
    return text::format("perm {} {}", op, value.substr(op == "=" ? 0 : 1));
  }
  if (field.ends_with("type") && value.find(',') != std::string::npos) {
    return text::format("{} in ({})", field, value);
  }
  if (!is_range) return text::format("{} = {}", field, value_of(value));
  const std::size_t length = value.find_first_not_of("<>=");
  const std::string op = length > 0 ? value.substr(0, length) : is_age(value) ? "<" : "=";
  const std::string end = value.substr(length);
  // A number or a time; else a word or a file.
  const bool is_number = text::is_digit(end[0]) || end[0] == '@';
  return text::format("{} {} {}", field, op, is_number ? end : value_of(end));
}

query::Modifiers modifiers_of(const Test& test) {
  if (!test.is_pattern()) return query::modifiers::none;
  return test.sensitive ? query::modifiers::match_case : query::modifiers::ignore_case;
}

}  // namespace

Test constant(bool value) {
  return {.field = value ? "true" : "false"};
}

bool has_ranges(const Test& test) {
  const query::Field* const field = query::find_field(test.field);
  return field != nullptr && (field->operators & query::bit_of(query::Operator::less)) != 0;
}

std::string term_of(const Test& test, bool of_files, bool has_case) {
  if (test.values.empty()) return std::string(test.field);
  if (test.is_pattern()) {
    return text::format("{} {}{} {}", test.field,
                        !has_case        ? ""
                        : test.sensitive ? "case "
                                         : "nocase ",
                        test.op == query::Operator::glob ? "glob" : "~",
                        query::quoted(test.text()));
  }
  const std::string_view field = test.field == "size" && !of_files ? "stat_size" : test.field;
  std::string term;
  for (const std::string& value : test.values) {
    term += (term.empty() ? "" : " and ") + comparison_of(field, value, has_ranges(test));
  }
  return test.values.size() > 1 ? "(" + term + ")" : term;
}

namespace {

std::string bound(std::string_view relation, Nanoseconds instant) {
  std::string value = text::format("{}@", relation);
  text::append_epoch(value, instant);
  return value;
}

/// "1.5" units, or "2h30m" of BSD's find, in nanoseconds.
struct Age {
  long double length = 0;
  bool has_units = false;
};

Age age_of(std::string_view text, std::int64_t unit) {
  Age age;
  do {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string number(text.substr(0, end));
    const std::string scale(value_in("s=1 m=60 h=3600 d=86400 w=604800", text.substr(end, 1)));
    const bool is_number = number.find_first_of("0123456789") != std::string::npos &&
                           std::count(number.begin(), number.end(), '.') <= 1 && number.size() < 19;
    const bool ends = end == text.size() && !age.has_units;
    if (!is_number || (!ends && scale.empty())) throw Untranslatable();
    age.has_units = !ends;
    const std::int64_t one = ends ? unit : std::stoi(scale) * text::nanoseconds_a_second;
    age.length += std::stold(number) * static_cast<long double>(one);
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  return age;
}

}  // namespace

Test later_test(std::string_view field, Nanoseconds instant) {
  return {.field = field, .values = {bound(">", instant)}};
}

Test age_test(const Predicate& predicate, std::string_view text, Nanoseconds now,
              bool from_midnight) {
  const char sign = !text.empty() && std::string_view("+-").find(text[0]) < 2 ? text[0] : ' ';
  if (sign != ' ') text.remove_prefix(1);
  constexpr std::int64_t second = text::nanoseconds_a_second;
  constexpr std::int64_t day = text::seconds_a_day * second;
  const std::int64_t unit = predicate.form == Form::minutes ? 60 * second : day;
  const Age age = age_of(text, unit);
  if (age.has_units && (unit != day || sign == ' ')) throw Untranslatable();
  // Beyond some centuries; all files are younger.
  if (age.length > 9e18L) return constant(sign == '-');
  const auto length = static_cast<std::int64_t>(age.length);
  Test test{.field = predicate.field};
  if (predicate.form == Form::used) {
    test.values = {sign == ' ' ? ">@0.0" : ">=@0.0"};
    if (sign == ' ') test.values.push_back(bound(">", length - day));
    test.values.push_back(bound(sign == ' ' ? "<=" : sign == '+' ? ">" : "<", length));
    return test;
  }
  // The last instant of age 0.
  std::int64_t origin = now;
  if (from_midnight) {
    const text::Day today = text::day_of(text::wall_time_at(now / second));
    origin = text::first_second_of(text::midnight(today)) * second + day;
  }
  const auto before = [&](std::int64_t instant) {
    return instant < INT64_MIN + 1 + length ? INT64_MIN + 1 : instant - length;
  };
  // Whole days are rounded down, minutes up: an age of N minutes is more than N - 1. Ages with
  // units are exact.
  const std::int64_t first = before(origin - (unit == day && !age.has_units ? day : 0));
  if (sign == '-' && unit == day && !age.has_units) {
    test.values = {bound(">", before(origin - second))};
  } else if (sign == ' ') {
    test.values = {bound(">", first), bound("<=", first + unit)};
  } else {
    test.values = {bound(sign == '+' ? "<" : ">", first)};
  }
  return test;
}

MakeTest made(const Test& test) {
  return [test](const query::Meaning& meaning) {
    if (test.values.empty()) return query::find_flag(test.field)->make(meaning);
    static const text::ValueSource source{"", ""};
    const query::CaseRule rule =
        test.sensitive ? query::CaseRule::sensitive : query::CaseRule::insensitive;
    if (test.library) {
      const query::PatternKind kind =
          test.op == query::Operator::glob ? query::PatternKind::glob : query::PatternKind::regex;
      const query::PatternSpec spec{kind, test.text(), rule, source, false, test.library};
      if (test.field == "target") return Expression::of(query::text_test(query::target_row, spec));
      return Expression::of(query::pattern_test(
          test.field == "name" ? query::Subject::name : query::Subject::printed_path, spec));
    }
    // The numbers are those that find has at its start, of a link or of its target.
    if (test.field == "same_file" && test.values.size() == 3) {
      return Expression::of(query::same_file_test(std::stoull(test.values[1]),
                                                  std::stoull(test.values[2]), test.text()));
    }
    if (test.field == "used") {
      text::TimeRange range;
      for (const std::string& value : test.values) {
        range = narrow(range, text::parse_time_range(value, meaning.context.clock, source));
      }
      return Expression::of(query::range_test(query::used_row, range));
    }
    const query::Field* const field =
        query::find_field(test.field == "size" ? "stat_size" : test.field);
    return query::test_of_options(*field,
                                  {.op = test.op, .modifiers = modifiers_of(test), .narrow = true},
                                  test.values, source, meaning);
  };
}

Test test_of_value(const Predicate& predicate, const std::string& value, Dialect dialect) {
  switch (predicate.form) {
    case Form::constant:
      return constant(predicate.here == "true");
    case Form::size:
      return size_test(predicate, value, dialect);
    case Form::permissions:
      return permission_test(predicate, value, dialect);
    case Form::days:
    case Form::minutes:
      return whole_age_test(predicate, value);
    case Form::used:
      throw Untranslatable();
    case Form::newer:
      return newer_test(predicate, value);
    case Form::depth_first:
    case Form::count:
      return count_test(predicate, value);
    case Form::account:
    case Form::file:
      return named_test(predicate, value);
    case Form::file_system:
      return test_by(predicate, {value});
    default:
      return test_by(predicate, {});
  }
}

}  // namespace ffind::foreign
