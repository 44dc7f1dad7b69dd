// SPDX-License-Identifier: MIT
// Digits written by hand: a long listing writes a million of these. See times.h.
#include "text/times.h"

#include <chrono>
#include <ctime>
#include <string_view>

#include "text/calendar.h"

namespace ffind::text {
namespace {

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

// --- Formats of the user's own

/// What every strftime knows behind a %, and f. Not +: only BSD's do, others print it unchanged.
constexpr std::string_view conversions = "aAbBcCdDeFfgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%";

/// The length of what begins with the % at `at`: a flag (GNU, BSD), a modifier (POSIX), a letter.
/// 0 when that is nothing that strftime knows.
std::size_t length_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  const auto take = [&](std::string_view characters) {
    const bool is_one = end < text.size() && characters.find(text[end]) != std::string_view::npos;
    if (is_one) ++end;
    return is_one;
  };
  take("_-0^#");
  take("EO");
  return take(conversions) ? end - at : 0;
}

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
  Day& day = days_[static_cast<std::uint64_t>(number) % days_.size()];
  if (day.number != number) {
    // Equal at both ends, it is so all day: in no zone there is do two changes lie within two days.
    const std::int64_t first = offset_at(number * seconds_a_day);
    const std::int64_t last = offset_at((number + 1) * seconds_a_day - 1);
    day = {number, static_cast<std::int32_t>(first), first != last};
  }
  return day.changes ? offset_at(seconds) : day.offset;
}

void append_rfc3339(std::string& out, Nanoseconds time) {
  const std::int64_t seconds = floor_divide(time, nanoseconds_a_second);
  const std::int64_t days = floor_divide(seconds, seconds_a_day);
  const std::int64_t of_day = seconds - days * seconds_a_day;
  Digits digits;
  add_minute(add_date(digits, days).character('T'), of_day)
      .character(':')
      .number(of_day % 60, 2)
      .character('.')
      .number(floor_remainder(time, nanoseconds_a_second), 9)
      .character('Z')
      .append_to(out);
}

void append_local_time(std::string& out, Nanoseconds time, LocalZone& zone) {
  const std::int64_t seconds = floor_divide(time, nanoseconds_a_second);
  const std::int64_t offset = zone.offset(seconds);
  const std::int64_t days = floor_divide(seconds + offset, seconds_a_day);
  const std::int64_t of_day = seconds + offset - days * seconds_a_day;
  // RFC 3339 has no seconds in offsets; zones had them until they were counted from Greenwich.
  const std::int64_t distance = offset < 0 ? -offset : offset;
  Digits digits;
  add_minute(add_date(digits, days).character('T'), of_day).character(':').number(of_day % 60, 2);
  add_minute(digits.character(offset < 0 ? '-' : '+'), distance).append_to(out);
}

void append_local_minute(std::string& out, Nanoseconds time, LocalZone& zone) {
  const std::int64_t seconds = floor_divide(time, nanoseconds_a_second);
  const std::int64_t local = seconds + zone.offset(seconds);
  const std::int64_t days = floor_divide(local, seconds_a_day);
  Digits digits;
  add_minute(add_date(digits, days).character(' '), local - days * seconds_a_day).append_to(out);
}

void append_epoch(std::string& out, Nanoseconds time) {
  // As a number of seconds reads: -0.5 s is "-0.500000000", not a second less and half a one more.
  const bool negative = time < 0;
  const auto distance =
      negative ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  if (negative) out += '-';
  out += std::to_string(distance / nanoseconds_a_second);
  Digits digits;
  digits.character('.')
      .number(static_cast<std::int64_t>(distance % nanoseconds_a_second), 9)
      .append_to(out);
}

std::size_t TimeFormat::find_unknown(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\0') return at;  // where strftime ends
    const std::size_t length = text[at] == '%' ? length_at(text, at) : 1;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

TimeFormat::TimeFormat(std::string_view text) : parts_(1) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '%' ? length_at(text, at) : 1;
    const std::string_view piece = text.substr(at, length);
    if (piece.size() > 1 && piece.back() == 'f') {
      parts_.emplace_back();
    } else {
      parts_.back() += piece;
    }
    at += length;
  }
  for (std::string& part : parts_) part += ' ';
}

void TimeFormat::append(std::string& out, Nanoseconds time) const {
  const Nanoseconds rest = floor_remainder(time, nanoseconds_a_second);
  const auto moment = static_cast<std::time_t>(floor_divide(time, nanoseconds_a_second));
  std::tm parts{};
  if (localtime_r(&moment, &parts) == nullptr) return;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i > 0) out += std::to_string(nanoseconds_a_second + rest).substr(1);
    append_strftime(out, parts_[i], parts);
  }
}

}  // namespace ffind::text
