// SPDX-License-Identifier: MIT
// Dates of find's -newerXt, read as GNU's parse_datetime reads them: "Jan 1 2024 10:00 +0200",
// "last monday", "2 weeks ago", the output of date(1).
//
//     text ── words_in ──▶ tokens ── Reader ──▶ Parts: a date, a time, a weekday, a zone, steps
//                                                 │ instant_of(): mktime(3), then the steps
//                                                 ▼
//                                              Instant
//
// A text is a row of items in any order, each of a kind at most once, steps as often as there are.
// The longer of two possible items is meant, even if the rest then has no meaning, as by the tables
// of a parser made by yacc. So "10:00 +2 days" has the zone +02, and a day.
// Time and weekday without a date are those of today; a date alone is its midnight; a step alone
// starts from now. An empty text is today's midnight.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/find_line.h"
#include "text/ascii.h"
#include "text/times.h"

namespace ffind::foreign {

namespace {

struct Token {
  enum class Kind : unsigned char {
    end,
    character,
    number,
    month,
    weekday,
    meridian,
    universal_zone,  ///< minutes east of UTC, as `zone`, which a local zone may have as its name
    zone,
    summer_zone,
    local_zone,  ///< `value` as tm_isdst
    summer,      ///< "DST"
    years,       ///< units of steps, in this order
    months,
    days,
    hours,
    minutes,
    seconds,
    shift,  ///< "yesterday"
    ordinal,
    ago,
  };
  Kind kind = Kind::end;
  std::int64_t value = 0;
  std::int32_t nanoseconds = 0;
  std::size_t digits = 0;
  bool is_signed = false;
  bool is_decimal = false;

  bool is_unit() const { return Kind::years <= kind && kind <= Kind::seconds; }
  bool is_zone() const { return Kind::universal_zone <= kind && kind <= Kind::local_zone; }
};

using enum Token::Kind;

constexpr std::pair<Token::Kind, std::string_view> words[] = {
    {month,
     "january=1 jan=1 february=2 feb=2 march=3 mar=3 april=4 apr=4 may=5 june=6 jun=6 july=7 jul=7 "
     "august=8 aug=8 september=9 sept=9 sep=9 october=10 oct=10 november=11 nov=11 december=12 "
     "dec=12"},
    {weekday,
     "sunday=0 sun=0 monday=1 mon=1 tuesday=2 tues=2 tue=2 wednesday=3 wednes=3 wed=3 thursday=4 "
     "thur=4 thurs=4 thu=4 friday=5 fri=5 saturday=6 sat=6"},
    {meridian, "am=0 a.m.=0 pm=12 p.m.=12"},
    {universal_zone, "gmt=0 ut=0 utc=0"},
    {zone,
     "wet=0 art=-180 brt=-180 nst=-210 ast=-240 clt=-240 est=-300 cst=-360 mst=-420 pst=-480 "
     "akst=-540 hst=-600 hast=-600 sst=-720 wat=60 cet=60 met=60 mez=60 eet=120 cat=120 sast=120 "
     "eat=180 msk=180 ist=330 sgt=480 kst=540 jst=540 gst=600 nzst=720"},
    {summer_zone,
     "west=60 bst=60 brst=-120 ndt=-150 adt=-180 clst=-180 edt=-240 cdt=-300 mdt=-360 pdt=-420 "
     "akdt=-480 hadt=-540 cest=120 mest=120 mesz=120 eest=180 msd=240 nzdt=780"},
    {summer, "dst=1"},
    {years, "year=1"},
    {months, "month=1"},
    {days, "fortnight=14 week=7 day=1"},
    {hours, "hour=1"},
    {minutes, "minute=1 min=1"},
    {seconds, "second=1 sec=1"},
    {shift, "tomorrow=1 yesterday=-1 today=0 now=0"},
    {ordinal,
     "last=-1 this=0 next=1 first=1 third=3 fourth=4 fifth=5 sixth=6 seventh=7 eighth=8 ninth=9 "
     "tenth=10 eleventh=11 twelfth=12"},
    {ago, "ago=-1 hence=1"},
};

std::optional<Token> find_word(std::string_view name) {
  for (const auto& [kind, list] : words) {
    const std::string value(value_in(list, name));
    if (!value.empty()) return Token{.kind = kind, .value = std::stoi(value)};
  }
  return {};
}

std::tm local_time(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  localtime_r(&time, &parts);
  return parts;
}

/// A name of the local zone, as it has now or later in the year. One that it has in summer and in
/// winter leaves open which is meant.
std::optional<Token> local_zone_called(std::string_view name, std::int64_t now) {
  std::optional<Token> found;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const std::tm parts = local_time(now + quarter * 90 * text::seconds_a_day);
    if (text::fold_ascii(parts.tm_zone) != name) continue;
    if (found && found->value != parts.tm_isdst) found->value = -1;
    if (!found) found = {.kind = local_zone, .value = parts.tm_isdst};
  }
  return found;
}

/// The word `name`, in small letters and with its dots; nullopt if it has no meaning.
std::optional<Token> token_of(std::string name, std::int64_t now) {
  const std::size_t dot = name.find('.');
  std::optional<Token> found = find_word(name);
  if (!found && dot == 3 && name.size() == 4) {
    found = find_word(name.substr(0, 3));
    if (found && found->kind != month && found->kind != weekday) found.reset();
  }
  if (found && found->kind != zone && found->kind != summer_zone) return found;
  if (std::optional<Token> local = local_zone_called(name, now)) return local;
  if (found) return found;
  if (name.ends_with('s')) {
    found = find_word(name.substr(0, name.size() - 1));
    if (found && found->is_unit()) return found;
  }
  // Zones of the military: A to M without J are east, N to Y west.
  if (name.size() == 1 && name != "j") {
    const char letter = name[0];
    if (letter == 't') return Token{.kind = character, .value = 'T'};
    const int east = letter == 'z'  ? 0
                     : letter > 'm' ? 'm' - letter
                                    : letter - 'a' + (letter > 'j' ? 0 : 1);
    return Token{.kind = zone, .value = east * 60};
  }
  if (dot == name.npos) return {};
  std::erase(name, '.');
  found = local_zone_called(name, now);
  if (!found) found = find_word(name);
  return found && found->is_zone() ? found : std::nullopt;
}

/// Reads digits, and a fraction if one follows, from `at` on. nullopt for what is too large.
std::optional<Token> number_at(std::string_view text, std::size_t& at, char sign) {
  Token token{.kind = number, .is_signed = sign != ' '};
  while (at < text.size() && text::is_digit(text[at])) {
    if (++token.digits > 18) return {};
    token.value = token.value * 10 + (text[at++] - '0');
  }
  if (sign == '-') token.value = -token.value;
  const bool has_fraction =
      at + 1 < text.size() && (text[at] == '.' || text[at] == ',') && text::is_digit(text[at + 1]);
  if (!has_fraction) return token;
  token.is_decimal = true;
  bool is_rounded = false;
  int places = 0;
  for (++at; at < text.size() && text::is_digit(text[at]); ++at) {
    if (places++ < 9) {
      token.nanoseconds = token.nanoseconds * 10 + (text[at] - '0');
    } else {
      is_rounded = is_rounded || text[at] != '0';
    }
  }
  for (; places < 9; ++places) token.nanoseconds *= 10;
  if (sign != '-') return token;
  // Rounded down, as a time before 1970 is written.
  token.nanoseconds += is_rounded ? 1 : 0;
  if (token.nanoseconds == 0) return token;
  token.value -= 1;
  token.nanoseconds = static_cast<std::int32_t>(text::nanoseconds_a_second - token.nanoseconds);
  return token;
}

/// The end of the comment that begins at `at` with a parenthesis.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  int open = 0;
  for (; at < text.size(); ++at) {
    open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (open == 0) return at + 1;
  }
  return at;
}

/// Empty for a text with a word that has no meaning.
std::vector<Token> tokens_in(std::string_view text, std::int64_t now) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  const auto skip_spaces = [&] {
    while (at < text.size() && text::is_space(text[at])) ++at;
  };
  for (skip_spaces(); at < text.size(); skip_spaces()) {
    const char c = text[at];
    std::optional<Token> token = Token{.kind = character, .value = c};
    if (c == '(') {
      at = end_of_comment(text, at);
      continue;
    }
    if (text::is_letter(c)) {
      const std::size_t begin = at;
      while (at < text.size() && (text::is_letter(text[at]) || text[at] == '.')) ++at;
      token = token_of(text::fold_ascii(text.substr(begin, at - begin)), now);
    } else if (c == '-' || c == '+' || text::is_digit(c)) {
      if (!text::is_digit(c)) ++at;
      skip_spaces();
      // A sign without a number is ignored.
      if (at == text.size() || !text::is_digit(text[at])) continue;
      token = number_at(text, at, text::is_digit(c) ? ' ' : c);
    } else {
      ++at;
    }
    if (!token) return {};
    tokens.push_back(*token);
  }
  tokens.emplace_back();
  return tokens;
}

/// A text, read. Counters say which kinds of items there were.
struct Parts {
  int dates = 0, times = 0, weekdays = 0, zones = 0, local_zones = 0;
  bool has_steps = false;
  std::int64_t year = 0, month = 0, day = 0;
  std::size_t year_digits = 0;
  std::int64_t hour = 0, minute = 0, second = 0;
  std::int32_t nanosecond = 0;
  int meridian = -1;  ///< hours to add to those from 0 to 11; -1: of 24 hours
  std::int64_t weekday = 0, weekday_ordinal = 0;
  std::int64_t zone = 0;  ///< seconds east of UTC
  std::int64_t local_summer = -1;
  std::int64_t step_years = 0, step_months = 0, step_days = 0, step_seconds = 0;
  std::int64_t step_nanoseconds = 0;
};

/// Reads items. A function that returns false leaves the text without a meaning.
class Reader {
 public:
  Reader(std::vector<Token> tokens, Parts& parts) : tokens_(std::move(tokens)), parts_(parts) {}

  bool read() {
    while (!is(end)) {
      if (!read_item()) return false;
    }
    return true;
  }

 private:
  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool is(Token::Kind kind) const { return peek().kind == kind; }
  bool is_character(char wanted) const { return is(character) && peek().value == wanted; }
  bool is_number(bool is_signed, std::size_t ahead = 0) const {
    const Token& next = peek(ahead);
    return next.kind == number && next.is_signed == is_signed && !next.is_decimal;
  }
  const Token& take() { return tokens_[at_++]; }
  bool take_character(char wanted) {
    const bool is_there = is_character(wanted);
    if (is_there) ++at_;
    return is_there;
  }

  bool read_item() {
    const Token& token = take();
    switch (token.kind) {
      case number:
        return token.is_signed || token.is_decimal ? add_steps(token) : read_number(token);
      case month:
        return read_month(token);
      case weekday:
        take_character(',');
        return set_weekday(0, token);
      case ordinal:
        return is(weekday) ? set_weekday(token.value, take()) : add_steps(token);
      case shift:
        parts_.has_steps = true;
        parts_.step_days += token.value;
        return true;
      case universal_zone:
      case zone:
        return read_zone(token);
      case summer_zone:
        return set_zone(token.value);
      case local_zone:
        parts_.local_summer = is(summer) ? take().value : token.value;
        ++parts_.local_zones;
        return true;
      case character:
        if (token.value != 'T' || !set_zone(-7 * 60)) return false;
        return !is_number(true) || add_steps(take(), false);
      default:
        --at_;
        return add_steps({.value = 1});
    }
  }

  /// An item that begins with a number without a sign.
  bool read_number(const Token& first) {
    if (is(meridian) || is_character(':')) return read_time(first, true);
    if (is_character('/') && is_number(false, 1)) {
      take();
      const Token& second = take();
      if (!take_character('/')) return set_date(first.value, second.value);
      if (!is_number(false)) return false;
      const Token& third = take();
      return first.digits >= 4 ? set_date(second.value, third.value, first)
                               : set_date(first.value, second.value, third);
    }
    if (is(month)) {
      const Token& named = take();
      const bool has_year = is_number(true) || is_number(false);
      return set_date(named.value, first.value, has_year ? take() : Token{});
    }
    if (is_number(true)) {
      const Token& second = take();
      if (peek().is_unit()) return set_digits(first) && add_steps(second, false);
      if (is_number(true)) {
        set_date(-second.value, -take().value, first);
        return !take_character('T') || (is_number(false) && read_time(take(), false));
      }
      --at_;
      return read_time(first, false);
    }
    if (peek().is_unit()) return add_steps(first);
    return is(weekday) ? set_weekday(first.value, take()) : set_digits(first);
  }

  /// The rest of a time after its hour, up to the zone. A time of ISO 8601 has no am and pm.
  bool read_time(const Token& hour, bool may_be_half) {
    set_time(hour.value, 0);
    const bool has_minutes = take_character(':');
    if (has_minutes) {
      if (!is_number(false)) return false;
      parts_.minute = take().value;
      if (take_character(':')) {
        if (!is(number) || peek().is_signed) return false;
        parts_.second = peek().value;
        parts_.nanosecond = take().nanoseconds;
      }
    }
    if (may_be_half && is(meridian)) {
      parts_.meridian = static_cast<int>(take().value);
      return true;
    }
    return is_number(true) ? read_offset(0) : has_minutes;
  }

  /// "+02", "+0200", "+2:00" after a time or a zone of `base` minutes.
  bool read_offset(std::int64_t base) {
    const Token& sign = take();
    std::int64_t offset = sign.digits <= 2 ? sign.value * 100 : sign.value;
    offset = offset / 100 * 60 + offset % 100;
    if (take_character(':')) {
      if (!is_number(false)) return false;
      const std::int64_t rest = take().value;
      offset = sign.value * 60 + (sign.value < 0 ? -rest : rest);
    }
    return offset >= -24 * 60 && offset <= 24 * 60 && set_zone(base + offset);
  }

  bool read_zone(const Token& named) {
    if (is_number(true) && !peek(1).is_unit()) return read_offset(named.value);
    if (is_number(true)) return set_zone(named.value) && add_steps(take(), false);
    const bool is_summer = is(summer);
    if (is_summer) take();
    return set_zone(named.value + (is_summer ? 60 : 0));
  }

  bool read_month(const Token& named) {
    if (is_number(true) && is_number(true, 1)) {
      const Token& day = take();
      return set_date(named.value, -day.value, take());
    }
    if (!is_number(false)) return false;
    const Token& day = take();
    if (!take_character(',')) return set_date(named.value, day.value);
    return is_number(false) && set_date(named.value, day.value, take());
  }

  /// A number alone: a year after a date, a date of at least five digits, or a time.
  bool set_digits(const Token& all) {
    if (parts_.dates > 0 && parts_.year_digits == 0 && !parts_.has_steps &&
        (parts_.times > 0 || all.digits > 2)) {
      parts_.year = all.value;
      parts_.year_digits = all.digits;
      return true;
    }
    if (all.digits > 4) {
      const Token year{.value = all.value / 10'000, .digits = all.digits - 4};
      return set_date(all.value / 100 % 100, all.value % 100, year);
    }
    return all.digits > 2 ? set_time(all.value / 100, all.value % 100) : set_time(all.value, 0);
  }

  bool set_date(std::int64_t month, std::int64_t day, const Token& year = {}) {
    parts_.month = month;
    parts_.day = day;
    if (year.digits > 0) {
      parts_.year = year.is_signed ? -year.value : year.value;
      parts_.year_digits = year.digits;
    }
    ++parts_.dates;
    return true;
  }

  bool set_time(std::int64_t hour, std::int64_t minute) {
    parts_.hour = hour;
    parts_.minute = minute;
    parts_.second = parts_.nanosecond = 0;
    parts_.meridian = -1;
    ++parts_.times;
    return true;
  }

  bool set_weekday(std::int64_t which, const Token& day) {
    parts_.weekday = day.value;
    parts_.weekday_ordinal = which;
    ++parts_.weekdays;
    return true;
  }

  bool set_zone(std::int64_t minutes_east) {
    parts_.zone = minutes_east * 60;
    ++parts_.zones;
    return true;
  }

  /// Steps of the unit that follows, the other way round before "ago". The limit leaves room for
  /// all products, and mktime(3) has a lower one.
  bool add_steps(const Token& count, bool may_be_ago = true) {
    constexpr std::int64_t most = 100'000'000'000'000;
    if (!peek().is_unit() || (count.is_decimal && !is(seconds)) || count.digits > 14) return false;
    const Token& unit = take();
    const std::int64_t sign = may_be_ago && is(ago) ? take().value : 1;
    std::int64_t& sum = unit.kind == years    ? parts_.step_years
                        : unit.kind == months ? parts_.step_months
                        : unit.kind == days   ? parts_.step_days
                                              : parts_.step_seconds;
    const std::int64_t scale = unit.kind == hours ? 3600 : unit.kind == minutes ? 60 : unit.value;
    sum += count.value * scale * sign;
    parts_.step_nanoseconds += count.nanoseconds * sign;
    parts_.has_steps = true;
    return sum < most * 3600 && sum > -most * 3600;
  }

  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Parts& parts_;
};

bool set_field(int& field, std::int64_t value) {
  field = static_cast<int>(value);
  return field == value;
}

/// mktime(3), or nullopt beyond its range.
std::optional<std::int64_t> second_of(std::tm& parts) {
  parts.tm_wday = -1;
  const std::time_t seconds = std::mktime(&parts);
  return parts.tm_wday < 0 ? std::nullopt : std::optional<std::int64_t>(seconds);
}

std::optional<Instant> instant_of(const Parts& parts, Instant now) {
  // More than one of a kind.
  if ((parts.times | parts.dates | parts.weekdays | (parts.local_zones + parts.zones)) > 1)
    return {};
  std::tm date = local_time(now.seconds);
  std::int32_t nanosecond = now.nanoseconds;
  if (parts.dates > 0) {
    std::int64_t year = parts.year < 0 ? -parts.year : parts.year;
    if (parts.year_digits == 2) year += year < 69 ? 2000 : 1900;
    if (parts.year_digits > 0 && !set_field(date.tm_year, year - 1900)) return {};
    if (!set_field(date.tm_mon, parts.month - 1) || !set_field(date.tm_mday, parts.day)) return {};
  }
  if (parts.times > 0) {
    std::int64_t hour = parts.hour;
    if (parts.meridian >= 0) {
      if (hour < 1 || hour > 12) return {};
      hour = hour % 12 + parts.meridian;
    }
    if (hour < 0 || hour > 23 || !set_field(date.tm_hour, hour) ||
        !set_field(date.tm_min, parts.minute) || !set_field(date.tm_sec, parts.second)) {
      return {};
    }
    nanosecond = parts.nanosecond;
  } else if (!parts.has_steps || parts.dates > 0 || parts.weekdays > 0) {
    date.tm_hour = date.tm_min = date.tm_sec = nanosecond = 0;
  }
  if (parts.dates + parts.weekdays + parts.times > 0) date.tm_isdst = -1;
  if (parts.local_zones > 0) date.tm_isdst = static_cast<int>(parts.local_summer);

  const std::tm wanted = date;
  std::optional<std::int64_t> seconds = second_of(date);
  const auto is_as_wanted = [&] {
    return date.tm_sec == wanted.tm_sec && date.tm_min == wanted.tm_min &&
           date.tm_hour == wanted.tm_hour && date.tm_mday == wanted.tm_mday &&
           date.tm_mon == wanted.tm_mon && date.tm_year == wanted.tm_year;
  };
  // The clock skips it, or there is no such day. In another zone there may be such a time.
  if (!seconds || !is_as_wanted()) {
    if (parts.zones == 0) return {};
    date = wanted;
    const std::time_t there = timegm(&date);
    if (!is_as_wanted()) return {};
    seconds = there;
    date.tm_gmtoff = 0;
  }
  if (parts.weekdays > 0 && parts.dates == 0) {
    const bool counts_today = parts.weekday_ordinal > 0 && date.tm_wday != parts.weekday;
    const std::int64_t days = (parts.weekday - date.tm_wday + 7) % 7 +
                              7 * (parts.weekday_ordinal - (counts_today ? 1 : 0));
    if (!set_field(date.tm_mday, date.tm_mday + days)) return {};
    date.tm_isdst = -1;
    if (!(seconds = second_of(date))) return {};
  }
  if ((parts.step_years | parts.step_months | parts.step_days) != 0) {
    std::tm moved = wanted;
    if (!set_field(moved.tm_year, date.tm_year + parts.step_years) ||
        !set_field(moved.tm_mon, date.tm_mon + parts.step_months) ||
        !set_field(moved.tm_mday, date.tm_mday + parts.step_days) ||
        !(seconds = second_of(moved))) {
      return {};
    }
    date = moved;
  }
  if (parts.zones > 0) *seconds += date.tm_gmtoff - parts.zone;
  return text::moved({*seconds, nanosecond}, parts.step_seconds, parts.step_nanoseconds);
}

}  // namespace

std::optional<Instant> date_of(std::string_view text, Instant now) {
  std::vector<Token> tokens = tokens_in(text, now.seconds);
  if (tokens.empty()) return {};
  if (tokens[0].kind == character && tokens[0].value == '@') {
    if (tokens.size() != 3 || tokens[1].kind != number) return {};
    return Instant{tokens[1].value, tokens[1].nanoseconds};
  }
  Parts parts;
  return Reader(std::move(tokens), parts).read() ? instant_of(parts, now) : std::nullopt;
}

}  // namespace ffind::foreign
