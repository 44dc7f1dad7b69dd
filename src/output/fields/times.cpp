// SPDX-License-Identifier: MIT
// Digits written by hand: a long listing writes a million of these. See times.h.
#include "output/fields/times.h"

#include <chrono>
#include <ctime>
#include <string_view>

namespace ffind {
namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr std::int64_t day_seconds = 86'400;

std::int64_t floor_divide(std::int64_t number, std::int64_t by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

/// Collects one short text, so that the buffer is extended once.
class Digits {
 public:
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

Digits& add_date(Digits& digits, std::int64_t days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return digits.number(static_cast<int>(date.year()), 4)
      .character('-')
      .number(static_cast<unsigned>(date.month()), 2)
      .character('-')
      .number(static_cast<unsigned>(date.day()), 2);
}

Digits& add_minute(Digits& digits, std::int64_t of_day) {
  return digits.number(of_day / 3600, 2).character(':').number(of_day / 60 % 60, 2);
}

/// From the fields of the C library's answer: its own tm_gmtoff is not everywhere.
std::int64_t ask_offset(std::int64_t seconds) {
  const auto moment = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (localtime_r(&moment, &parts) == nullptr) return 0;
  const std::chrono::year_month_day date{
      std::chrono::year(parts.tm_year + 1900),
      std::chrono::month(static_cast<unsigned>(parts.tm_mon + 1)),
      std::chrono::day(static_cast<unsigned>(parts.tm_mday))};
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * day_seconds + parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec - seconds;
}

}  // namespace

std::int64_t LocalZone::offset(std::int64_t seconds) {
  const std::int64_t number = floor_divide(seconds, day_seconds);
  Day& day = days_[static_cast<std::uint64_t>(number) % days_.size()];
  if (day.number != number) {
    // Equal at both ends, it is so all day: in no zone there is do two changes lie within two days.
    const std::int64_t first = ask_offset(number * day_seconds);
    const std::int64_t last = ask_offset((number + 1) * day_seconds - 1);
    day = {number, static_cast<std::int32_t>(first), first != last};
  }
  return day.changes ? ask_offset(seconds) : day.offset;
}

void append_rfc3339(std::string& out, Nanoseconds time) {
  const std::int64_t seconds = floor_divide(time, second);
  const std::int64_t days = floor_divide(seconds, day_seconds);
  const std::int64_t of_day = seconds - days * day_seconds;
  Digits digits;
  add_minute(add_date(digits, days).character('T'), of_day)
      .character(':')
      .number(of_day % 60, 2)
      .character('.')
      .number((time % second + second) % second, 9)
      .character('Z')
      .append_to(out);
}

void append_local_time(std::string& out, Nanoseconds time, LocalZone& zone) {
  const std::int64_t seconds = floor_divide(time, second);
  const std::int64_t offset = zone.offset(seconds);
  const std::int64_t days = floor_divide(seconds + offset, day_seconds);
  const std::int64_t of_day = seconds + offset - days * day_seconds;
  // RFC 3339 has no seconds in offsets; zones had them until they were counted from Greenwich.
  const std::int64_t distance = offset < 0 ? -offset : offset;
  Digits digits;
  add_minute(add_date(digits, days).character('T'), of_day).character(':').number(of_day % 60, 2);
  add_minute(digits.character(offset < 0 ? '-' : '+'), distance).append_to(out);
}

void append_local_minute(std::string& out, Nanoseconds time, LocalZone& zone) {
  const std::int64_t seconds = floor_divide(time, second);
  const std::int64_t local = seconds + zone.offset(seconds);
  const std::int64_t days = floor_divide(local, day_seconds);
  Digits digits;
  add_minute(add_date(digits, days).character(' '), local - days * day_seconds).append_to(out);
}

void append_epoch(std::string& out, Nanoseconds time) {
  // As a number of seconds reads: -0.5 s is "-0.500000000", not a second less and half a one more.
  const bool negative = time < 0;
  const auto distance =
      negative ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  if (negative) out += '-';
  out += std::to_string(distance / second);
  Digits digits;
  digits.character('.').number(static_cast<std::int64_t>(distance % second), 9).append_to(out);
}

}  // namespace ffind
