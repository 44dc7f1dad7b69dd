// SPDX-License-Identifier: MIT
// Values of find as tests: sizes, ages, times, permissions, accounts.
//
//     -size -1M     rounds sizes up to whole units: empty files
//     -size 2k      more than 1 unit, at most 2
//     -mtime +3     rounds ages down to whole days: four days or more
//     -mmin 5       rounds up to whole minutes: more than four, at most five
//     -newermt DAY  later than its first instant
//
// A value that find refuses, or that cannot be read exactly, is NotRunnable.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

#include "foreign/find_line.h"
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
  if (end == 0 || end > 19) throw NotRunnable();
  read.number = std::stoull(std::string(text.substr(0, end)));
  read.rest = text.substr(end);
  return read;
}

/// A number of find without a unit.
Signed plain_number(const std::string& text) {
  const Signed read = signed_number(text);
  if (!read.rest.empty()) throw NotRunnable();
  return read;
}

Expression range_of_sizes(std::uint64_t first, std::uint64_t last) {
  if (first > last) return Expression::any({});
  return Expression::of(query::range_test(query::stat_size_row, {first, last}));
}

/// -size. Without a unit it counts blocks of 512 bytes. A size is rounded up to whole units first,
/// so `-size -1M` is true for empty files only; by BSD's find only to blocks, so there it is true
/// below 1 MiB, and `-size 1M` of exactly that. `c` is exact, and nothing has less than 0.
Expression size_test(std::string_view text, Dialect dialect) {
  const Signed read = signed_number(text);
  const std::string_view unit = read.rest;
  const bool has_suffix = lists("k M G T P", unit);
  if (!unit.empty() && !has_suffix && !lists("c w b", unit)) throw NotRunnable();
  const std::size_t power = has_suffix ? std::string_view("kMGTP").find(unit[0]) + 1 : 0;
  const std::uint64_t bytes = has_suffix    ? std::uint64_t{1} << power * 10
                              : unit == "c" ? 1
                              : unit == "w" ? 2
                                            : 512;
  // Beyond 64 bits; no file is as large.
  if (read.number > UINT64_MAX / bytes) {
    return read.sign == '-' ? Expression::all({}) : Expression::any({});
  }
  const bool is_unrounded = dialect == Dialect::bsd && has_suffix;
  const std::uint64_t size = read.number * bytes;
  // The sizes that are rounded up to the next smaller number end here.
  const std::uint64_t below = size - (is_unrounded ? std::min<std::uint64_t>(size, 1) : bytes);
  switch (read.sign) {
    case '+':
      return size == UINT64_MAX ? Expression::any({}) : range_of_sizes(size + 1, UINT64_MAX);
    case '-':
      return size == 0 ? Expression::any({}) : range_of_sizes(0, below);
    default:
      return range_of_sizes(is_unrounded || size == 0 ? size : below + 1, size);
  }
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
      if (std::abs(step->number) > 10'000) throw NotRunnable();
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
  if ((!is_date && !date.starts_with('@')) || date.find("..") != date.npos) throw NotRunnable();
  try {
    return text::parse_time_range(date, {now}, {"", ""}).first;
  } catch (const UsageError&) {
    throw NotRunnable();
  }
}

namespace {

/// The bits that a mode sets, starting from 0, whatever the umask: "u=rw,go=r" is 0644, "g+w" is
/// 0020, "u+rw,g=u" is 0660. An X is an x in directories, and after an x.
std::uint32_t bits_of(std::string_view mode, bool of_directory) {
  if (!mode.empty() && mode.find_first_not_of("01234567") == std::string_view::npos) {
    if (mode.find_first_not_of('0') + 4 < mode.size()) throw NotRunnable();
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
      if (std::string_view("+-=").find(action) == std::string_view::npos) throw NotRunnable();
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

/// -perm: MODE, -MODE (all bits) or /MODE (any bit), once written +MODE. Every mode has -000; by
/// GNU's find also /000, by BSD's none. An X makes a difference between directories and others.
Expression permission_test(std::string text, Dialect dialect) {
  if (text.starts_with("+") && text.size() > 1 && text::is_digit(text[1])) text[0] = '/';
  const char prefix = text.starts_with("-") || text.starts_with("/") ? text[0] : ' ';
  const std::string mode = text.substr(prefix == ' ' ? 0 : 1);
  const auto test = [&](bool of_directory) {
    const std::uint32_t bits = bits_of(mode, of_directory);
    if (prefix != ' ' && bits == 0) {
      return prefix == '-' || dialect == Dialect::gnu ? Expression::all({}) : Expression::any({});
    }
    return Expression::of(query::permissions_test(
        {.bits = bits, .counted = prefix == ' ' ? 07777 : bits, .any = prefix == '/'}));
  };
  if (bits_of(mode, false) == bits_of(mode, true)) return test(false);
  const Expression is_directory = Expression::of(query::type_test({FileType::directory}));
  return Expression::any({Expression::all({is_directory, test(true)}),
                          Expression::all({Expression::negation(is_directory), test(false)})});
}

template <typename T>
Expression count_range(const query::RangeRow<T>& row, const Signed& read) {
  constexpr T most = std::numeric_limits<T>::max();
  const std::uint64_t number = read.number;
  if (read.sign == '-') {
    if (number == 0) return Expression::any({});
    return Expression::of(
        query::range_test(row, {0, static_cast<T>(std::min<std::uint64_t>(number - 1, most))}));
  }
  if (number > most || (read.sign == '+' && number == most)) return Expression::any({});
  const auto first = static_cast<T>(number);
  return Expression::of(query::range_test(row, read.sign == '+'
                                                   ? text::Range<T>{static_cast<T>(first + 1), most}
                                                   : text::Range<T>{first, first}));
}

/// The test of `field` as options of ours read `value`: an account, a kind of file system.
MakeTest test_of_field(std::string_view field, const std::string& value) {
  return [field = query::find_field(field), value](const query::Meaning& meaning) {
    static const text::ValueSource source{"", ""};
    return query::test_of_options(*field, {.narrow = true}, {value}, source, meaning);
  };
}

MakeTest test_of(Expression test) {
  return [test = std::move(test)](const query::Meaning&) { return test; };
}

/// -links, -inum, -uid, -gid, and -depth of BSD's, whose -uid and -gid accept names, too.
MakeTest count_test(std::string_view field, const std::string& text) {
  const bool is_account = lists("uid gid", field);
  if (is_account && !text.empty() && text.find_first_of("0123456789+-") != 0) {
    return test_of_field(field == "uid" ? "owner" : "group", text);
  }
  const Signed read = plain_number(text);
  if (field == "depth") return test_of(count_range(query::depth_row, read));
  return test_of(count_range(field == "links"   ? query::links_row
                             : field == "inode" ? query::inode_row
                             : field == "uid"   ? query::uid_row
                                                : query::gid_row,
                             read));
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
    if (!is_number || (!ends && scale.empty())) throw NotRunnable();
    age.has_units = !ends;
    const std::int64_t one = ends ? unit : std::stoi(scale) * text::nanoseconds_a_second;
    age.length += std::stold(number) * static_cast<long double>(one);
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  return age;
}

}  // namespace

const query::TimeRow* time_row_of(std::string_view field) {
  return field == "modified"   ? &query::modified_row
         : field == "accessed" ? &query::accessed_row
         : field == "changed"  ? &query::changed_row
         : field == "created"  ? &query::created_row
                               : nullptr;
}

namespace {

/// After `first`, up to and including `last`.
Expression time_range(const query::TimeRow& row, Nanoseconds first, Nanoseconds last) {
  if (first >= last) return Expression::any({});
  return Expression::of(query::range_test(row, {first + 1, last}));
}

constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();

}  // namespace

Expression later_test(const query::TimeRow& row, Nanoseconds instant) {
  return time_range(row, instant, never);
}

Expression age_test(const Predicate& predicate, std::string_view text, Nanoseconds now,
                    bool from_midnight) {
  const char sign = !text.empty() && std::string_view("+-").find(text[0]) < 2 ? text[0] : ' ';
  if (sign != ' ') text.remove_prefix(1);
  constexpr std::int64_t second = text::nanoseconds_a_second;
  constexpr std::int64_t day = text::seconds_a_day * second;
  const std::int64_t unit = predicate.form == Form::minutes ? 60 * second : day;
  const Age age = age_of(text, unit);
  if (age.has_units && (unit != day || sign == ' ')) throw NotRunnable();
  // Beyond some centuries; all files are younger.
  if (age.length > 9e18L) return sign == '-' ? Expression::all({}) : Expression::any({});
  const auto length = static_cast<std::int64_t>(age.length);
  if (predicate.form == Form::used) {
    const query::TimeRow& row = query::used_row;
    if (sign == ' ') return time_range(row, std::max<std::int64_t>(length - day, 0), length);
    return sign == '+' ? time_range(row, length, never) : time_range(row, -1, length - 1);
  }
  const query::TimeRow& row = *time_row_of(predicate.field);
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
    return later_test(row, before(origin - second));
  }
  if (sign == ' ') return time_range(row, first, first + unit);
  if (sign == '-') return later_test(row, first);
  return Expression::of(
      query::range_test(row, {std::numeric_limits<Nanoseconds>::min(), first - 1}));
}

MakeTest test_of_value(const Predicate& predicate, const std::string& value, Dialect dialect) {
  switch (predicate.form) {
    case Form::size:
      return test_of(size_test(value, dialect));
    case Form::permissions:
      return test_of(permission_test(value, dialect));
    case Form::depth_first:
    case Form::count:
      return count_test(predicate.field, value);
    case Form::account:
      if (value.empty()) throw NotRunnable();
      return test_of_field(predicate.field, value);
    case Form::file_system:
      return test_of_field(predicate.field, value);
    default:
      return [flag = query::find_flag(predicate.field)](const query::Meaning& meaning) {
        return flag->make(meaning);
      };
  }
}

}  // namespace ffind::foreign
