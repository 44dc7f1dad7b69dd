// SPDX-License-Identifier: MIT
// Parser of times and ranges of them, parse_time_range() of ranges.h. The current time is a
// parameter. A value becomes a Moment, a span from its first instant to the one after its last:
//
//     7d  2h30m  last 1y6mo   a duration back from now; mo and y by the calendar, d is 24 hours
//     now  today  monday      a weekday is the last one, today included; also yesterday
//     this week  last month   calendar weeks (from Monday on), months and years; also this-week
//
//     2026  2026-01  2026-01-31  2026-01-31T12  ..T12:00  ..T12:00:05  ..T12:00:05.25
//     ..T12:00Z  ..T12:00+02:00     a space may replace the T
//     @1769860800  @-1.5            seconds since 1970 UTC
//
// Wall times are computed first, as seconds since 1970 on a clock without a zone; first_second_of
// and last_second_of (times.h) turn both ends into instants. So a day on which clocks change has 23
// or 25 hours, and the ends of neighbouring days meet.
#include <time.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/ranges.h"
#include "text/times.h"

namespace ffind::text {
namespace {

/// A span of time. A date is as long as its last part; with a fraction of a second it is that
/// nanosecond. A local time that comes twice (clocks are put back) is from the first to the second;
/// one that never comes (they are put forward) is an empty span at the jump.
struct Moment {
  Instant begin;
  Instant end;          ///< first instant after it
  bool is_age = false;  ///< a duration: only `begin` counts
};

// --- Dates

enum class Precision : std::uint8_t { year, month, day, hour, minute, second, nanosecond };

/// A date as typed; parts that were not typed are the first of their kind.
struct WrittenDate {
  Precision precision = Precision::year;
  Day day{std::chrono::year{1970}, std::chrono::January, std::chrono::day{1}};
  int second_of_day = 0;
  std::int32_t nanoseconds = 0;
  std::optional<std::int64_t> offset;  ///< seconds east of UTC; none: local time
};

/// Takes two digits, not above `most`.
int take_two_digits(Scanner& scanner, std::string_view what, int most) {
  const std::size_t at = scanner.position();
  const std::string_view digits = scanner.take_digits();
  if (digits.size() != 2) scanner.fail(at, text::format("{} has two digits", what));
  const int value = (digits[0] - '0') * 10 + (digits[1] - '0');
  if (value > most) scanner.fail(at, text::format("{} goes up to {:02}", what, most));
  return value;
}

/// Takes the digits after a decimal point; those finer than a nanosecond are dropped, since some
/// tools print ten digits.
std::int32_t take_nanoseconds(Scanner& scanner) {
  const std::string_view digits = scanner.take_digits();
  if (digits.empty()) scanner.fail("digits are missing after the decimal point");
  std::int32_t value = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    value = value * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  }
  return value;
}

/// Takes `2026`, `2026-01` or `2026-01-31`, and sets the precision.
void take_day(Scanner& scanner, WrittenDate& date) {
  using namespace std::chrono;
  const auto number = static_cast<int>(scanner.take_number());
  date.day = year{number} / January / 1;
  if (!scanner.take('-')) return;
  if (scanner.peek() == 'W' || scanner.peek() == 'w') {
    scanner.fail("write a week as its days: 2026-01-26..2026-02-01");
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

/// Takes `12`, `12:00`, `12:00:05` or `12:00:05.25`, which begin after the T.
void take_time_of_day(Scanner& scanner, WrittenDate& date) {
  date.second_of_day = take_two_digits(scanner, "an hour", 23) * 3600;
  date.precision = Precision::hour;
  if (!scanner.take(':')) return;
  date.second_of_day += take_two_digits(scanner, "a minute", 59) * 60;
  date.precision = Precision::minute;
  if (!scanner.take(':')) return;
  date.second_of_day += take_two_digits(scanner, "a second", 59);
  date.precision = Precision::second;
  // ISO 8601 allows both.
  if (!scanner.take('.') && !scanner.take(',')) return;
  date.nanoseconds = take_nanoseconds(scanner);
  date.precision = Precision::nanosecond;
}

/// Takes `Z`, `+02`, `+02:00` or `+0200`.
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

/// Reads a date up to the end of `scanner`. A time of day follows a whole date only, a zone only a
/// time of day: "2026-01 12:00" and "2026-01-31Z" are errors.
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
                 " is unexpected in a date: write 2026-01-31 or 2026-01-31T12:00:05");
  }
  return date;
}

/// Wall time at which the next year, month, day or hour after the written one begins.
WallSeconds wall_time_after(const WrittenDate& date, WallSeconds begin) {
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

/// The half-open span between two wall times. It ends after the last second that shows its end: if
/// clocks go back at 00:01, as in St. John's, the end of the day before comes twice.
Moment moment_of(WallSeconds begin, WallSeconds end) {
  return {{first_second_of(begin)}, {last_second_of(end - 1) + 1}};
}

/// Reads up to the end of `scanner`. The first four digits must be there.
Moment read_date(Scanner scanner) {
  const WrittenDate date = read_written_date(scanner);
  const WallSeconds begin = midnight(date.day) + date.second_of_day;
  const WallSeconds end = wall_time_after(date, begin);
  Moment moment = moment_of(begin, end);
  // With an offset in the text, each wall time is one instant.
  if (date.offset) moment = {{begin - *date.offset}, {end - *date.offset}};
  if (date.precision == Precision::nanosecond) {
    if (moment.begin == moment.end) return moment;  // the clock skips its second
    moment.begin.nanoseconds = date.nanoseconds;
    moment.end = nanosecond_after({moment.end.seconds - 1, date.nanoseconds});
  }
  return moment;
}

/// Reads seconds since 1970, after an '@'.
Moment read_epoch(Scanner scanner) {
  scanner.take('@');
  const std::size_t first = scanner.position();
  const bool negative = scanner.take('-');
  const std::uint64_t number = scanner.take_number();
  const bool has_fraction = scanner.take('.');
  const std::int32_t fraction = has_fraction ? take_nanoseconds(scanner) : 0;
  if (!scanner.done()) {
    scanner.fail(Scanner::quote(scanner.rest()) + " is unexpected after a number of seconds");
  }

  // Instants count nanoseconds forward: -1.5 is -2 s and 500,000,000 ns.
  const bool is_between = negative && fraction != 0;
  if (number > std::uint64_t{INT64_MAX} + (negative && !is_between ? 1 : 0)) {
    scanner.fail(first, "this number is too large");
  }
  const std::uint64_t seconds = negative ? 0 - number - (is_between ? 1 : 0) : number;
  const Instant begin{static_cast<std::int64_t>(seconds),
                      is_between ? 1'000'000'000 - fraction : fraction};
  return {begin, has_fraction ? nanosecond_after(begin) : moved(begin, 1)};
}

// --- Durations

/// A row has either months, which the calendar measures, or seconds.
struct DurationUnit {
  std::string_view name;
  int months = 0;
  std::int64_t seconds = 0;
};

constexpr std::array duration_units = {
    DurationUnit{"s", 0, 1},         DurationUnit{"sec", 0, 1},
    DurationUnit{"second", 0, 1},    DurationUnit{"m", 0, 60},
    DurationUnit{"min", 0, 60},      DurationUnit{"minute", 0, 60},
    DurationUnit{"h", 0, 3600},      DurationUnit{"hour", 0, 3600},
    DurationUnit{"d", 0, 86400},     DurationUnit{"day", 0, 86400},
    DurationUnit{"w", 0, 7 * 86400}, DurationUnit{"week", 0, 7 * 86400},
    DurationUnit{"mo", 1, 0},        DurationUnit{"month", 1, 0},
    DurationUnit{"y", 12, 0},        DurationUnit{"year", 12, 0},
};

/// 10,000 years: more than any file's age, and sums do not overflow.
constexpr std::uint64_t longest_months = 120'000;
constexpr std::uint64_t longest_seconds = longest_months * 31 * 86400;

DurationUnit take_duration_unit(Scanner& scanner) {
  const std::size_t at = scanner.position();
  if (scanner.done()) {
    scanner.fail("a unit is missing, as in 7d (s, m or min, h, d, w, mo, y); a year has 4 digits");
  }
  if (scanner.peek() == '.') scanner.fail("a duration has no decimals: write 1h30m for 1.5h");
  const std::string_view word = scanner.take_letters();
  for (const DurationUnit& unit : duration_units) {
    // "mins", "days", "months", but not "ds" or "mos". In lower case only, so that M is no minute.
    const bool plural = unit.name.size() > 2 && !word.empty() && word.back() == 's';
    if (unit.name == word.substr(0, word.size() - (plural ? 1 : 0))) return unit;
  }
  const std::string_view wrong = word.empty() ? scanner.take_word() : word;
  scanner.fail(at, "unknown unit of time " + Scanner::quote(wrong) +
                       ": s, m or min, h, d, w, mo, y; dates are written 2026-01-31");
}

/// Reads `1y6mo`, `2h 30m`, `3 days ago` up to the end of `scanner`. Months are subtracted first,
/// on the calendar (a month before March 31 is the last of February, at the same time of day), then
/// seconds.
Moment read_duration(Scanner scanner, Instant now) {
  std::uint64_t months = 0;
  std::uint64_t seconds = 0;
  while (!scanner.done()) {
    const std::size_t first = scanner.position();
    const std::uint64_t count = scanner.take_number();
    scanner.skip_spaces();
    const DurationUnit unit = take_duration_unit(scanner);
    scanner.skip_spaces();
    Scanner ahead = scanner;
    if (fold_ascii(ahead.take_word()) == "ago" && ahead.done()) scanner = ahead;
    if (count > longest_seconds) scanner.fail(first, "this is longer than 10,000 years");
    months += count * static_cast<std::uint64_t>(unit.months);
    // Neither a count of weeks below the limit nor the sum can overflow.
    seconds += count * static_cast<std::uint64_t>(unit.seconds);
    if (months > longest_months || seconds > longest_seconds) {
      scanner.fail(first, "this is longer than 10,000 years");
    }
  }

  Instant then = now;
  if (months != 0) {
    const WallSeconds wall = wall_time_at(now.seconds);
    const Day today = day_of(wall);
    const Day day = months_before(today, static_cast<int>(months));
    then.seconds = first_second_of(midnight(day) + (wall - midnight(today)));
  }
  then.seconds -= static_cast<std::int64_t>(seconds);
  return {then, then, true};
}

// --- Words

/// From midnight to midnight by the wall clock.
Moment whole_day(Day day) {
  const WallSeconds begin = midnight(day);
  return moment_of(begin, begin + seconds_a_day);
}

/// Period of `this week` and the like, with a space or a hyphen; nullopt for other words.
std::optional<Moment> calendar_period(std::string_view word, std::chrono::sys_days today) {
  using namespace std::chrono;
  const bool is_last = word.starts_with("last");
  if ((!is_last && !word.starts_with("this")) || word.size() < 5) return std::nullopt;
  if (word[4] != ' ' && word[4] != '-') return std::nullopt;
  const std::string_view unit = word.substr(5);
  Day begin{today};
  Day end{today};
  if (unit == "week") {
    // Weeks begin on Mondays (ISO 8601).
    const sys_days monday_before = today - (weekday{today} - Monday);
    const sys_days first = monday_before - days{is_last ? 7 : 0};
    begin = first;
    end = first + days{7};
  } else if (unit == "month") {
    begin = Day{begin.year(), begin.month(), day{1}} - months{is_last ? 1 : 0};
    end = begin + months{1};
  } else if (unit == "year") {
    begin = Day{begin.year(), January, day{1}} - years{is_last ? 1 : 0};
    end = begin + years{1};
  } else {
    return std::nullopt;
  }
  return moment_of(midnight(begin), midnight(end));
}

/// Reads a word of the table at the head of the file, in any case; weekdays from three letters on.
Moment read_word(Scanner scanner, Instant now) {
  constexpr std::array<std::string_view, 7> weekdays = {
      "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
  const std::size_t at = scanner.position();
  std::string typed{scanner.take_word()};
  scanner.skip_spaces();
  const std::string first = fold_ascii(typed);
  if ((first == "this" || first == "last") && scanner.at_letter()) {
    typed.append(" ").append(scanner.take_word());
    scanner.skip_spaces();
  }
  if (!scanner.done()) {
    if (first == "after" || first == "since" || first == "before") {
      scanner.fail(at, "write > for after, >= for since and < for before, as in >yesterday");
    }
    scanner.fail(Scanner::quote(scanner.rest()) + " is unexpected after '" + typed +
                 "'; dates are written 2026-01-31");
  }

  const std::string word = fold_ascii(typed);
  const std::chrono::sys_days today = day_of(wall_time_at(now.seconds));
  if (word == "now") return {now, nanosecond_after(now)};
  if (word == "today") return whole_day(today);
  if (word == "yesterday") return whole_day(today - std::chrono::days{1});
  if (const auto period = calendar_period(word, today)) return *period;
  for (unsigned i = 0; i < weekdays.size(); ++i) {
    if (word.size() < 3 || !weekdays[i].starts_with(word)) continue;
    // The difference of two weekdays is 0 to 6 days.
    const std::chrono::days ago = std::chrono::weekday{today} - std::chrono::weekday{i};
    return whole_day(today - ago);
  }
  std::vector<std::string_view> words(weekdays.begin(), weekdays.end());
  words.insert(words.end(), {"now", "today", "yesterday", "this week", "last week", "this month",
                             "last month", "this year", "last year"});
  const std::string near = word.size() < 4 ? "" : did_you_mean(word, words);
  constexpr std::string_view all =
      ": now, today, yesterday, a weekday, this or last week, month or year, a date such as "
      "2026-01-31 or a duration such as 7d";
  scanner.fail(at, text::format("unknown time '{}'{}", typed, near.empty() ? all : ""), near);
}

// --- Ranges

/// Reads one value up to the end of `scanner`; its first character decides between the kinds.
Moment read_moment(Scanner scanner, Instant now) {
  if (scanner.peek() == '@') return read_epoch(scanner);
  if (!scanner.at_digit()) return read_word(scanner, now);
  // Four digits are a year, unless a unit makes them a duration (2000 d).
  Scanner ahead = scanner;
  const bool four = ahead.take_digits().size() == 4;
  const bool dash = ahead.peek() == '-';
  for (const char between : {'.', '/'}) {
    // 31.01.2026 and 01/31/2026; a single point may be that of 1.5h.
    Scanner further = ahead;
    if (further.take(between) && !further.take_digits().empty() && further.take(between)) {
      scanner.fail("dates are written 2026-01-31");
    }
  }
  ahead.skip_spaces();
  if (four && !ahead.at_letter()) return read_date(scanner);
  if (dash) scanner.fail("a year has four digits, as in 2026-01-31");
  return read_duration(scanner, now);
}

/// Takes "last" before a number.
bool take_last(Scanner& scanner) {
  Scanner ahead = scanner;
  const std::string word = fold_ascii(ahead.take_word());
  ahead.skip_spaces();
  if (word != "last" || !ahead.at_digit()) return false;
  scanner = ahead;
  return true;
}

/// Times in that relation to a value. An age grows into the past, so for durations the operators
/// compare ages: >7d is older than a week.
///
///               7d                       2026-01
///     unsaid    since then               in January
///     =         an error                 in January
///     <         since then               before January
///     <=        since then               before February
///     >         before then              from February on
///     >=        up to then               from January on
TimeRange relate(Relation relation, const Moment& moment, const Scanner& value) {
  const Instant before = nanosecond_before(moment.begin);
  const Instant last = nanosecond_before(moment.end);
  TimeRange range;
  if (moment.is_age) {
    switch (relation) {
      case Relation::equal:
        value.fail("exactly this duration would be one nanosecond: write 7d..6d");
      case Relation::unsaid:
      case Relation::less:
      case Relation::at_most:
        range.first = moment.begin;
        return range;
      case Relation::more:
        range.last = before;
        return range;
      case Relation::at_least:
        range.last = moment.begin;
        return range;
    }
  }
  switch (relation) {
    case Relation::unsaid:
    case Relation::equal:
      if (moment.begin == moment.end) {
        value.fail("this time was skipped when the clocks went forward");
      }
      return {moment.begin, last};
    case Relation::less:
      range.last = before;
      break;
    case Relation::at_most:
      range.last = last;
      break;
    case Relation::more:
      range.first = moment.end;
      break;
    case Relation::at_least:
      range.first = moment.begin;
      break;
  }
  return range;
}

}  // namespace

TimeRange parse_time_range(std::string_view text, const Clock& clock, const ValueSource& source,
                           Relation given) {
  tzset();  // localtime_r need not read TZ itself
  const Instant now = clock.now;
  RangeParts parts = split_range(text, source, given);
  if (!parts.is_span && parts.relation == Relation::unsaid && take_last(parts.first)) {  // 2 weeks
    return relate(Relation::unsaid, read_duration(parts.first, now), parts.first);
  }
  if (!parts.is_span) return relate(parts.relation, read_moment(parts.first, now), parts.first);

  // A span includes both of its values: 2026-01..2026-02 is January and February, 7d..2d is from
  // seven days ago to two days ago.
  std::optional<Moment> first;
  std::optional<Moment> last;
  if (!parts.first.done()) first = read_moment(parts.first, now);
  if (!parts.last.done()) last = read_moment(parts.last, now);
  if (first && last && first->begin > last->begin) {
    // Ages may be in either order: 7d..2d as time runs, 2d..7d as numbers rise.
    if (first->is_age && last->is_age) {
      std::swap(first, last);
    } else if (first->begin >= last->end) {
      parts.last.fail("this is earlier than the first end: write the earlier time first");
    }
  }
  TimeRange range;
  if (first) range.first = first->begin;
  if (last) range.last = last->is_age ? last->begin : nanosecond_before(last->end);
  return range;
}

}  // namespace ffind::text
