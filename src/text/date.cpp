// SPDX-License-Identifier: MIT
// Dates as options write them, and the spans they stand for. Called by time_range.cpp. Must not
// ask what time it is.
//
//     2026  2026-01  2026-01-31  2026-01-31T12  ..T12:00  ..T12:00:05  ..T12:00:05.25
//     ..T12:00Z  ..T12:00+02:00     a space may stand for the T
//     @1769860800  @-1.5            seconds since 1970 UTC
#include "text/date.h"
#include "text/format.h"

#include <algorithm>
#include <optional>
#include <string>

namespace ffind::text {
namespace {

enum class Precision : std::uint8_t { year, month, day, hour, minute, second, nanosecond };

struct WrittenDate {
  Precision precision = Precision::year;
  Day day{std::chrono::year{1970}, std::chrono::January, std::chrono::day{1}};
  int second_of_day = 0;
  std::int32_t nanoseconds = 0;
  std::optional<std::int64_t> offset;  ///< seconds east of UTC; none: local time
};

/// Two digits not above `most`.
int take_two_digits(Scanner& scanner, std::string_view what, int most) {
  const std::size_t at = scanner.position();
  const std::string_view digits = scanner.take_digits();
  if (digits.size() != 2) scanner.fail(at, text::format("{} has two digits", what));
  const int value = (digits[0] - '0') * 10 + (digits[1] - '0');
  if (value > most) scanner.fail(at, text::format("{} goes up to {:02}", what, most));
  return value;
}

/// Digits behind a decimal point; what is finer than a nanosecond is dropped, since some tools
/// print ten digits.
std::int32_t take_nanoseconds(Scanner& scanner) {
  const std::string_view digits = scanner.take_digits();
  if (digits.empty()) scanner.fail("digits are missing after the decimal point");
  std::int32_t value = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    value = value * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  }
  return value;
}

void take_day(Scanner& scanner, WrittenDate& date) {
  using namespace std::chrono;
  const auto number = static_cast<int>(scanner.take_number());
  date.day = year{number} / January / 1;
  if (!scanner.take('-')) return;
  if (scanner.peek() == 'W' || scanner.peek() == 'w') {
    scanner.fail("a week is given by its days, as 2026-01-26..2026-02-01");
  }
  if (scanner.at_letter()) scanner.fail("dates are written 2026-01-31");

  const std::size_t month_at = scanner.position();
  const int month_number = take_two_digits(scanner, "a month", 12);
  if (month_number == 0) scanner.fail(month_at, "a month is 01 to 12");
  date.day = year{number} / month{static_cast<unsigned>(month_number)} / 1;
  date.precision = Precision::month;
  if (!scanner.take('-')) return;

  const std::size_t day_at = scanner.position();
  const int day_number = take_two_digits(scanner, "a day", 31);
  date.day = date.day.year() / date.day.month() / day{static_cast<unsigned>(day_number)};
  if (!date.day.ok()) {
    scanner.fail(day_at,
                 text::format("{:04}-{:02} has no day {:02}", number, month_number, day_number));
  }
  date.precision = Precision::day;
}

void take_time_of_day(Scanner& scanner, WrittenDate& date) {
  date.second_of_day = take_two_digits(scanner, "an hour", 23) * 3600;
  date.precision = Precision::hour;
  if (!scanner.take(':')) return;
  date.second_of_day += take_two_digits(scanner, "a minute", 59) * 60;
  date.precision = Precision::minute;
  if (!scanner.take(':')) return;
  date.second_of_day += take_two_digits(scanner, "a second", 59);
  date.precision = Precision::second;
  if (!scanner.take('.') && !scanner.take(',')) return;
  date.nanoseconds = take_nanoseconds(scanner);
  date.precision = Precision::nanosecond;
}

/// `Z`, `+02`, `+02:00` or `+0200`.
void take_zone(Scanner& scanner, WrittenDate& date) {
  scanner.skip_spaces();
  if (scanner.take('Z') || scanner.take('z')) {
    date.offset = 0;
    return;
  }
  const bool west = scanner.take('-');
  if (!west && !scanner.take('+')) return;
  const std::size_t at = scanner.position();
  std::string digits{scanner.take_digits()};
  if (digits.size() == 2 && scanner.take(':')) digits += scanner.take_digits();
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4) scanner.fail(at, "a time zone is written Z, +02:00 or -05:30");
  const int hours = (digits[0] - '0') * 10 + (digits[1] - '0');
  const int minutes = (digits[2] - '0') * 10 + (digits[3] - '0');
  if (hours > 23 || minutes > 59) scanner.fail(at, "no time zone is that far from UTC");
  const int offset = hours * 3600 + minutes * 60;
  date.offset = west ? -offset : offset;
}

WrittenDate read_written_date(Scanner scanner) {
  WrittenDate date;
  take_day(scanner, date);
  if (date.precision == Precision::day) {
    const bool marked = scanner.take('T') || scanner.take('t');
    if (!marked) scanner.skip_spaces();
    if (marked || scanner.at_digit()) {
      take_time_of_day(scanner, date);
      take_zone(scanner, date);
    }
  }
  scanner.skip_spaces();
  if (!scanner.done()) {
    scanner.fail(Scanner::quote(scanner.rest()) +
                 " does not belong here: a date is written 2026-01-31 or 2026-01-31T12:00:05");
  }
  return date;
}

/// The wall time at which the year, month, day or hour behind the one that was written begins.
WallSeconds wall_time_behind(const WrittenDate& date, WallSeconds begin) {
  using namespace std::chrono;
  switch (date.precision) {
    case Precision::year:
      return midnight(date.day + years{1});
    case Precision::month:
      return midnight(date.day + months{1});
    case Precision::day:
      return begin + seconds_a_day;
    case Precision::hour:
      return begin + 3600;
    case Precision::minute:
      return begin + 60;
    case Precision::second:
    case Precision::nanosecond:
      break;
  }
  return begin + 1;
}

}  // namespace

Moment moment_of(WallSeconds begin, WallSeconds behind) {
  return {{first_second_of(begin)}, {last_second_of(behind - 1) + 1}};
}

Moment read_date(Scanner scanner) {
  const WrittenDate date = read_written_date(scanner);
  const WallSeconds begin = midnight(date.day) + date.second_of_day;
  const WallSeconds behind = wall_time_behind(date, begin);
  Moment moment = moment_of(begin, behind);
  if (date.offset) moment = {{begin - *date.offset}, {behind - *date.offset}};
  if (date.precision == Precision::nanosecond) {
    if (moment.begin == moment.end) return moment;  // its second never comes
    moment.begin.nanoseconds = date.nanoseconds;
    moment.end = nanosecond_after({moment.end.seconds - 1, date.nanoseconds});
  }
  return moment;
}

Moment read_epoch(Scanner scanner) {
  scanner.take('@');
  const std::size_t first = scanner.position();
  const bool negative = scanner.take('-');
  const std::uint64_t number = scanner.take_number();
  const bool has_fraction = scanner.take('.');
  const std::int32_t fraction = has_fraction ? take_nanoseconds(scanner) : 0;
  if (!scanner.done()) {
    scanner.fail(Scanner::quote(scanner.rest()) + " does not belong behind a number of seconds");
  }

  Instant begin;
  constexpr std::uint64_t beyond = 1'000'000'000'000;
  begin.seconds = static_cast<std::int64_t>(std::min(number, beyond));
  begin.nanoseconds = fraction;
  if (negative) {
    begin.seconds = -begin.seconds - (fraction == 0 ? 0 : 1);
    begin.nanoseconds = fraction == 0 ? 0 : 1'000'000'000 - fraction;
  }
  if (instant_of(clamped(begin)) != begin) {
    scanner.fail(first,
                 "times are kept in nanoseconds, from @-9223372036 (1677) to @9223372036 (2262)");
  }
  return {begin, has_fraction ? nanosecond_after(begin) : Instant{begin.seconds + 1}};
}

}  // namespace ffind::text
