// SPDX-License-Identifier: MIT
// Writers of times, the offset of the local zone, and calendar arithmetic. Digits are written
// without a formatter: a long listing has a million times.
//
// The C library converts instants to wall time only (localtime_r); mktime is not used for the
// reverse, since what it returns for a wall time that comes twice or never depends on the system.
// first_second_of() and last_second_of() compute the reverse from the offsets around it. In Berlin:
//
//     2026-03-29   02:00 to 03:00 is skipped     both ends of it are at the jump, 01:00 UTC
//     2026-10-25   02:00 to 03:00 comes twice    from the first time it begins, 00:00 UTC, to the
//                                                second time it ends, 02:00 UTC
#include "text/times.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <limits>
#include <string_view>

#include "text/ascii.h"

namespace ffind::text {
namespace {

/// Buffer for one short text, so that the output is extended once.
class Digits {
 public:
  /// `value`, which is not negative, in `width` digits with leading zeros.
  Digits& number(std::int64_t value, std::size_t width) {
    for (std::size_t place = width; place-- > 0; value /= 10) {
      text_[size_ + place] = static_cast<char>('0' + value % 10);
    }
    size_ += width;
    return *this;
  }

  Digits& character(char value) {
    text_[size_++] = value;
    return *this;
  }

  void append_to(std::string& out) const { out.append(text_.data(), size_); }

 private:
  std::array<char, 40> text_{};  // the longest here has 30
  std::size_t size_ = 0;
};

/// "2026-01-31", `days` after 1970-01-01. The year has four digits.
Digits& add_date(Digits& digits, std::int64_t days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return digits.number(static_cast<int>(date.year()), 4)
      .character('-')
      .number(static_cast<unsigned>(date.month()), 2)
      .character('-')
      .number(static_cast<unsigned>(date.day()), 2);
}

/// "13:00", `of_day` being seconds.
Digits& add_minute(Digits& digits, std::int64_t of_day) {
  return digits.number(of_day / 3600, 2).character(':').number(of_day / 60 % 60, 2);
}

// --- Formats of the user's own

/// Conversions that every strftime knows, but for k, l and P, and f. Not +: only BSD's know it,
/// others print it unchanged.
constexpr std::string_view conversions = "aAbBcCdDeFfgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%";

/// False if strftime returns 0 for it, as musl's does for the flags ^ and #.
bool is_taken(const std::string& conversion) {
  std::array<char, 256> room{};
  const std::tm parts{};
  return std::strftime(room.data(), room.size(), (conversion + ' ').c_str(), &parts) != 0;
}

/// The piece as every strftime knows it: "%_H" for "%k", "%-I" for "%-l".
std::string portable(std::string_view piece) {
  std::string text(piece);
  if (piece.size() == 1 || (piece.back() != 'k' && piece.back() != 'l')) return text;
  text.back() = piece.back() == 'k' ? 'H' : 'I';
  if (text.size() == 2) text.insert(1, 1, '_');
  return text;
}

/// Length of the conversion at `at`: a %, a flag (GNU, BSD), a modifier (POSIX), a letter. 0 if
/// strftime does not know it.
std::size_t length_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  const auto take = [&](std::string_view characters) {
    const bool is_one = end < text.size() && characters.find(text[end]) != std::string_view::npos;
    if (is_one) ++end;
    return is_one;
  };
  take("_-0^#");
  take("EO");
  if (!take(conversions)) return 0;
  const bool ours = text[end - 1] == 'f' || text.substr(at, end - at) == "%P";
  return ours || is_taken(portable(text.substr(at, end - at))) ? end - at : 0;
}

/// `format` ends with a space, so a result of length 0 means that the room was too small.
void append_strftime(std::string& out, const std::string& format, const std::tm& parts) {
  const std::size_t before = out.size();
  for (std::size_t room = 64;; room *= 2) {
    out.resize(before + room);
    const std::size_t length = std::strftime(out.data() + before, room, format.c_str(), &parts);
    if (length == 0) continue;
    out.resize(before + length - 1);  // less the space
    return;
  }
}

}  // namespace

std::int64_t LocalZone::offset(std::int64_t seconds) {
  const std::int64_t number = floor_divide(seconds, seconds_a_day);
  // One slot for each day modulo 256. A later day replaces an earlier one.
  Day& day = days_[static_cast<std::uint64_t>(number) % days_.size()];
  if (day.number != number) {
    // Equal at both ends means equal all day: in no zone are two changes within two days.
    const std::int64_t first = offset_at(number * seconds_a_day);
    const std::int64_t last = offset_at((number + 1) * seconds_a_day - 1);
    day = {number, static_cast<std::int32_t>(first), first != last};
  }
  return day.changes ? offset_at(seconds) : day.offset;
}

void append_rfc3339(std::string& out, Instant time) {
  const std::int64_t days = floor_divide(time.seconds, seconds_a_day);
  const std::int64_t of_day = time.seconds - days * seconds_a_day;
  Digits digits;
  add_minute(add_date(digits, days).character('T'), of_day)
      .character(':')
      .number(of_day % 60, 2)
      .character('.')
      .number(time.nanoseconds, 9)
      .character('Z')
      .append_to(out);
}

std::optional<Instant> rfc3339_time(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00";
  const auto has_form = [](std::string_view part, std::string_view as) {
    return std::equal(part.begin(), part.end(), as.begin(), as.end(),
                      [](char c, char of) { return of == '0' ? is_digit(c) : of == c; });
  };
  const auto number = [](std::string_view digits) {
    int value = 0;
    for (const char digit : digits) value = 10 * value + (digit - '0');
    return value;
  };
  if (!has_form(text.substr(0, form.size()), form)) return {};
  const auto part = [&](std::size_t at, std::size_t size = 2) {
    return static_cast<unsigned>(number(text.substr(at, size)));
  };
  const Day day{std::chrono::year(number(text.substr(0, 4))), std::chrono::month(part(5)),
                std::chrono::day(part(8))};
  if (!day.ok() || part(11) > 23 || part(14) > 59 || part(17) > 60) return {};
  Instant time{midnight(day) + part(11) * 3600 + part(14) * 60 + part(17)};
  std::string_view rest = text.substr(form.size());
  if (rest.starts_with('.')) {
    const std::size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (end < 2 || end > 10) return {};
    time.nanoseconds = number(std::string(rest.substr(1, end - 1)).append(10 - end, '0'));
    rest.remove_prefix(end);
  }
  if (rest == "Z") return time;
  if (!has_form(rest, "+00:00") && !has_form(rest, "-00:00")) return {};
  const int offset = number(rest.substr(1, 2)) * 3600 + number(rest.substr(4)) * 60;
  return moved(time, rest.front() == '-' ? offset : -offset);
}

void append_local_time(std::string& out, Instant time, LocalZone& zone) {
  const std::int64_t offset = zone.offset(time.seconds);
  const std::int64_t days = floor_divide(time.seconds + offset, seconds_a_day);
  const std::int64_t of_day = time.seconds + offset - days * seconds_a_day;
  // RFC 3339 has no seconds in offsets; local mean times, before standard zones, had them.
  const std::int64_t distance = offset < 0 ? -offset : offset;
  Digits digits;
  add_minute(add_date(digits, days).character('T'), of_day).character(':').number(of_day % 60, 2);
  add_minute(digits.character(offset < 0 ? '-' : '+'), distance).append_to(out);
}

void append_local_minute(std::string& out, Instant time, LocalZone& zone) {
  const std::int64_t local = time.seconds + zone.offset(time.seconds);
  const std::int64_t days = floor_divide(local, seconds_a_day);
  Digits digits;
  add_minute(add_date(digits, days).character(' '), local - days * seconds_a_day).append_to(out);
}

void append_age(std::string& out, Instant time, Instant now, LocalZone& zone) {
  struct Unit {
    std::int64_t seconds;
    std::string_view name;
  };
  constexpr std::int64_t month = 365 * seconds_a_day / 12;
  constexpr Unit units[] = {{month, " mo ago"},
                            {seconds_a_day, " d ago"},
                            {3600, " h ago"},
                            {60, " min ago"},
                            {1, " s ago"}};
  const std::int64_t age = now.seconds - time.seconds;
  Digits digits;
  if (age < 0 || age >= 365 * seconds_a_day) {
    const std::int64_t days = floor_divide(time.seconds + zone.offset(time.seconds), seconds_a_day);
    add_date(digits, days).append_to(out);
    return;
  }
  const Unit* unit = std::begin(units);
  while (age < unit->seconds && unit->seconds > 1) ++unit;
  out += std::to_string(age / unit->seconds);
  out += unit->name;
}

void append_epoch(std::string& out, Instant time) {
  // A decimal number: -0.5 s is "-0.500000000", not minus one second and half a second more.
  const bool is_between = time.seconds < 0 && time.nanoseconds > 0;
  if (is_between && time.seconds == -1) out += '-';
  out += std::to_string(time.seconds + (is_between ? 1 : 0));
  const std::int64_t fraction =
      is_between ? nanoseconds_a_second - time.nanoseconds : time.nanoseconds;
  Digits digits;
  digits.character('.').number(fraction, 9).append_to(out);
}

std::size_t TimeFormat::find_unknown(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\0') return at;  // strftime would end here
    const std::size_t length = text[at] == '%' ? length_at(text, at) : 1;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

// "%H:%M:%S.%f %Z" has the parts "%H:%M:%S. " and " %Z ". find_unknown(text) must be npos: an
// unknown conversion has the length 0 here.
TimeFormat::TimeFormat(std::string_view text) : parts_(1) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '%' ? length_at(text, at) : 1;
    const std::string_view piece = text.substr(at, length);
    if (piece == "%P" || (piece.size() > 1 && piece.back() == 'f')) {
      ours_ += piece.back();
      parts_.emplace_back();
    } else {
      parts_.back() += portable(piece);
    }
    at += length;
  }
  for (std::string& part : parts_) part += ' ';
}

bool TimeFormat::append(std::string& out, Instant time) const {
  const std::time_t moment = time.seconds;
  std::tm parts{};
  if (localtime_r(&moment, &parts) == nullptr) return false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i > 0 && ours_[i - 1] == 'f') Digits().number(time.nanoseconds, 9).append_to(out);
    if (i > 0 && ours_[i - 1] == 'P') out += parts.tm_hour < 12 ? "am" : "pm";
    append_strftime(out, parts_[i], parts);
  }
  return true;
}

namespace {

/// TZ allows offsets of up to 24 hours and an hour of summer time, so an instant is strictly
/// between its wall time minus this and plus this. Clocks have never changed twice in that time.
constexpr std::int64_t more_than_any_offset = 26 * 3600;

}  // namespace

Instant moved(Instant time, std::int64_t seconds, std::int64_t nanoseconds) {
  using Limits = std::numeric_limits<Instant>;
  const std::int64_t all = time.nanoseconds + nanoseconds;
  const std::int64_t carry = floor_divide(all, nanoseconds_a_second);
  std::int64_t sum = 0;
  if (__builtin_add_overflow(time.seconds, seconds, &sum) ||
      __builtin_add_overflow(sum, carry, &sum)) {
    return sum < 0 ? Limits::max() : Limits::min();  // the sum went round
  }
  return {sum, static_cast<std::int32_t>(all - carry * nanoseconds_a_second)};
}

WallSeconds wall_time_at(std::int64_t seconds) {
  using Limits = std::numeric_limits<time_t>;
  // If time_t has 32 bits, the zone's rules end with it.
  const auto time =
      static_cast<time_t>(std::clamp<std::int64_t>(seconds, Limits::min(), Limits::max()));
  struct tm civil {};
  if (localtime_r(&time, &civil) == nullptr) return seconds;
  const Day day{std::chrono::year{civil.tm_year + 1900},
                std::chrono::month{static_cast<unsigned>(civil.tm_mon + 1)},
                std::chrono::day{static_cast<unsigned>(civil.tm_mday)}};
  const WallSeconds wall = midnight(day) + civil.tm_hour * 3600 + civil.tm_min * 60 + civil.tm_sec;
  return wall + (seconds - std::int64_t{time});
}

std::int64_t first_second_of(WallSeconds wall) {
  std::int64_t before = wall - more_than_any_offset;
  std::int64_t after = wall + more_than_any_offset;
  const std::int64_t old_offset = offset_at(before);
  const std::int64_t new_offset = offset_at(after);

  // The larger offset gives the earlier instant: the first of two if a wall time comes twice.
  for (const std::int64_t offset :
       {std::max(old_offset, new_offset), std::min(old_offset, new_offset)}) {
    if (wall_time_at(wall - offset) == wall) return wall - offset;
  }

  // The clock skips it: find the first second with the new offset.
  while (after - before > 1) {
    const std::int64_t middle = before + (after - before) / 2;
    (offset_at(middle) == old_offset ? before : after) = middle;
  }
  return after;
}

// As above, with the smaller offset first: the second of two instants.
std::int64_t last_second_of(WallSeconds wall) {
  const std::int64_t old_offset = offset_at(wall - more_than_any_offset);
  const std::int64_t new_offset = offset_at(wall + more_than_any_offset);
  for (const std::int64_t offset :
       {std::min(old_offset, new_offset), std::max(old_offset, new_offset)}) {
    if (wall_time_at(wall - offset) == wall) return wall - offset;
  }
  return first_second_of(wall) - 1;
}

WallSeconds midnight(Day day) {
  return std::int64_t{std::chrono::sys_days{day}.time_since_epoch().count()} * seconds_a_day;
}

Day day_of(WallSeconds wall) {
  const std::int64_t days = floor_divide(wall, seconds_a_day);
  return std::chrono::sys_days{std::chrono::days{days}};
}

Day months_before(Day day, int months) {
  const Day same = day - std::chrono::months{months};
  return same.ok() ? same : Day{same.year() / same.month() / std::chrono::last};
}

}  // namespace ffind::text
