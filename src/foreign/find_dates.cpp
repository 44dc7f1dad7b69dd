// SPDX-License-Identifier: MIT
// Times as GNU's find reads them after -newermt: a date, a time of day, a zone and steps from
// there, in any order.
//
//     2026-01-31 12:00:05.5 +0100    20260131    1/31/2026    31 Jan 2026    Jan 31, 2026 8pm
//     3 days ago     -2 hours    last month    2026-01-31 +1 week    yesterday    @1769860800.5
//
// A date without a time of day begins at 00:00, steps alone count from now. Weekdays without a date
// and names of zones other than UTC's throw, as does all that find refuses.
#include <chrono>
#include <optional>
#include <utility>

#include "foreign/find_line.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/times.h"

namespace ffind::foreign {

namespace {

class DateReader {
 public:
  DateReader(std::string_view text, Nanoseconds now) : text_(text), now_(text::instant_of(now)) {}

  text::Instant read() {
    if (!skip_spaces()) throw Untranslatable();
    while (skip_spaces()) read_item();
    if (has_weekday_ && !month_) throw Untranslatable();
    if (month_ && !year_) year_ = static_cast<int>(text::day_of(wall_now()).year());
    if (month_.has_value() != day_.has_value()) throw Untranslatable();
    const bool is_moved = month_ || seconds_of_day_ || months_ != 0 || days_ != 0;
    text::Instant instant = now_;
    if (is_moved) {
      const text::WallSeconds wall = wall_time();
      const bool is_new = month_ || seconds_of_day_;
      // Steps alone keep the offset of now.
      if (!is_new && !offset_) offset_ = text::offset_at(now_.seconds);
      instant.seconds = offset_ ? wall - *offset_ : text::first_second_of(wall);
      // The clock shows it twice, or never.
      if (!offset_ && (text::last_second_of(wall) != instant.seconds ||
                       text::wall_time_at(instant.seconds) != wall)) {
        throw Untranslatable();
      }
      if (is_new) instant.nanoseconds = nanoseconds_;
    }
    instant.seconds += seconds_;
    return instant;
  }

 private:
  text::WallSeconds wall_now() const { return text::wall_time_at(now_.seconds); }

  /// Days that a month does not have are those after it.
  text::WallSeconds wall_time() const {
    using namespace std::chrono;
    const text::Day today = text::day_of(wall_now());
    const text::Day day =
        month_ ? text::Day{year{*year_}, month{*month_}, std::chrono::day{*day_}} : today;
    if (!day.ok()) throw Untranslatable();
    const year_month first = year_month{day.year(), day.month()} + std::chrono::months{months_};
    const sys_days moved = sys_days{first / 1} +
                           (sys_days{day} - sys_days{day.year() / day.month() / 1}) +
                           std::chrono::days{days_};
    const text::WallSeconds now_of_day = wall_now() - text::midnight(today);
    return text::midnight(moved) + seconds_of_day_.value_or(month_ ? 0 : now_of_day);
  }

  /// False at the end.
  bool skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == ',')) ++at_;
    return at_ < text_.size();
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  std::string_view take_digits() {
    const std::size_t first = at_;
    while (text::is_digit(peek())) ++at_;
    if (at_ == first || at_ - first > 9) throw Untranslatable();
    return text_.substr(first, at_ - first);
  }

  int take_number() { return std::stoi(std::string(take_digits())); }

  std::string take_word() {
    const std::size_t first = at_;
    while (text::is_letter(peek())) ++at_;
    return text::fold_ascii(text_.substr(first, at_ - first));
  }

  void read_item() {
    const char first = peek();
    const bool is_zone = std::exchange(zone_may_follow_, false);
    if (first == '+' || first == '-') {
      ++at_;
      skip_spaces();
      const int number = take_number();
      const int sign = first == '-' ? -1 : 1;
      if (!is_zone) return step(sign * number, take_unit());
      const int minutes = take(':') ? take_number() : number > 23 ? number % 100 : 0;
      const int hours = number > 23 ? number / 100 : number;
      offset_ = sign * (hours * 3600 + minutes * 60);
    } else if (text::is_digit(first)) {
      read_number();
    } else if (text::is_letter(first)) {
      read_word(take_word());
    } else {
      throw Untranslatable();
    }
  }

  void read_number() {
    const std::string_view digits = take_digits();
    const int number = std::stoi(std::string(digits));
    if (peek() == ':') return read_time_of_day(number);
    if (digits.size() == 8 && !month_)
      return set_date(number / 10000, number / 100 % 100, number % 100);
    if (digits.size() >= 4 && take('-')) {
      const int month = take_number();
      if (!take('-')) throw Untranslatable();
      set_date(number, month, take_number());
      if (peek() == 'T' || peek() == 't') ++at_;
      return;
    }
    if (digits.size() >= 4 && take('/')) {
      const int month = take_number();
      return set_date(number, month, take('/') ? take_number() : 0);
    }
    if (take('/')) {
      const int day = take_number();
      return set_date(take('/') ? take_year() : std::optional<int>(), number, day);
    }
    if (month_ && !year_ && day_ && digits.size() == 4) {
      year_ = number;
      return;
    }
    skip_spaces();
    const std::string word = take_word();
    if (word == "am" || word == "pm") {
      set_hour(number, word);
    } else if (const unsigned month = month_called(word); month != 0) {
      set_date({}, static_cast<int>(month), number);
    } else if (month_ && !day_ && word.empty()) {
      day_ = static_cast<unsigned>(number);
    } else {
      step(number, word);
    }
  }

  std::optional<int> take_year() {
    const std::string_view digits = take_digits();
    if (digits.size() != 4) throw Untranslatable();
    return std::stoi(std::string(digits));
  }

  void set_date(std::optional<int> year, int month, int day) {
    if (month_ || month < 1 || day < 1) throw Untranslatable();
    year_ = year;
    month_ = static_cast<unsigned>(month);
    day_ = static_cast<unsigned>(day);
  }

  void read_time_of_day(int hour) {
    if (seconds_of_day_) throw Untranslatable();
    take(':');
    const int minute = take_number();
    const int second = take(':') ? take_number() : 0;
    if (take('.')) {
      std::string fraction(take_digits());
      fraction.resize(9, '0');
      nanoseconds_ = std::stoi(fraction);
    }
    if (hour > 23 || minute > 59 || second > 59) throw Untranslatable();
    seconds_of_day_ = hour * 3600 + minute * 60 + second;
    const std::size_t before = at_;
    skip_spaces();
    const std::string half = take_word();
    if (half == "am" || half == "pm") {
      seconds_of_day_ = minute * 60 + second;
      add_hour(hour, half);
    } else {
      at_ = before;
      zone_may_follow_ = true;
    }
  }

  void set_hour(int hour, std::string_view half) {
    if (seconds_of_day_) throw Untranslatable();
    seconds_of_day_ = 0;
    add_hour(hour, half);
  }

  void add_hour(int hour, std::string_view half) {
    if (hour < 1 || hour > 12) throw Untranslatable();
    *seconds_of_day_ += (hour % 12 + (half == "pm" ? 12 : 0)) * 3600;
  }

  static unsigned month_called(std::string_view word) {
    for (unsigned i = 0; i < month_names.size(); ++i) {
      const std::string_view name = month_names[i];
      if (word == name || word == name.substr(0, 3) || (i == 8 && word == "sept")) return i + 1;
    }
    return 0;
  }

  std::string take_unit() {
    skip_spaces();
    return take_word();
  }

  void read_word(const std::string& word) {
    if (word == "z" || word == "utc" || word == "gmt" || word == "ut") {
      if (offset_) throw Untranslatable();
      offset_ = 0;
    } else if (word == "yesterday" || word == "tomorrow") {
      step(word == "tomorrow" ? 1 : -1, "day");
    } else if (word == "last" || word == "next" || word == "this") {
      step(word == "next" ? 1 : word == "last" ? -1 : 0, take_unit());
    } else if (const unsigned month = month_called(word); month != 0) {
      if (month_) throw Untranslatable();
      month_ = month;
    } else if ((word.size() == 3 || word.ends_with("day")) &&
               lists("sun mon tue wed thu fri sat", std::string_view(word).substr(0, 3))) {
      has_weekday_ = true;
    } else if (word != "now" && word != "today") {
      step(1, word);
    }
  }

  /// Moves by a number of units, back if "ago" follows.
  void step(std::int64_t number, std::string_view unit) {
    if (unit.size() > 1 && unit.ends_with('s')) unit.remove_suffix(1);
    const std::size_t before = at_;
    skip_spaces();
    if (take_word() == "ago") {
      number = -number;
    } else {
      at_ = before;
    }
    constexpr std::string_view scales =
        "year=12 month=1 fortnight=14 week=7 day=1 hour=3600 minute=60 min=60 second=1 sec=1";
    const std::string scale(value_in(scales, unit));
    if (scale.empty() || number > 100'000'000 || number < -100'000'000) throw Untranslatable();
    const std::int64_t distance = number * std::stoi(scale);
    if (unit == "year" || unit == "month") {
      months_ += static_cast<int>(distance);
    } else if (unit == "fortnight" || unit == "week" || unit == "day") {
      days_ += static_cast<int>(distance);
    } else {
      seconds_ += distance;
    }
  }

  std::string_view text_;
  text::Instant now_;
  std::size_t at_ = 0;
  std::optional<int> year_;
  std::optional<unsigned> month_;
  std::optional<unsigned> day_;
  std::optional<int> seconds_of_day_;
  std::int32_t nanoseconds_ = 0;
  std::optional<std::int64_t> offset_;  ///< seconds east of UTC
  bool zone_may_follow_ = false;
  bool has_weekday_ = false;
  int months_ = 0;
  int days_ = 0;
  std::int64_t seconds_ = 0;
};

}  // namespace

Nanoseconds time_of(std::string_view text, Nanoseconds now) {
  if (text.starts_with("@")) {
    try {
      return text::parse_time_range(text, {now}, {"", ""}).first;
    } catch (const UsageError&) {
      throw Untranslatable();
    }
  }
  return text::clamped(DateReader(text, now).read());
}

}  // namespace ffind::foreign
