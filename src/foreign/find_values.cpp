// SPDX-License-Identifier: MIT
// Values of find as tests: sizes, ages, times, permissions, accounts.
//
//     -size -1M     rounds sizes up to whole units: empty files
//     -size 2k      more than 1 unit, at most 2
//     -mtime +3     rounds ages down to whole days: four days or more
//     -mmin 5       rounds up to whole minutes: more than four, at most five
//
// A value that find refuses is NotRunnable, without words; refusal_of() has those.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>

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

/// "+10k" is {'+', 10, "k"}; find accepts "-+1" and "+ 1", too.
Signed signed_number(std::string_view text) {
  Signed read;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    read.sign = text[0];
    text.remove_prefix(1);
  }
  while (!text.empty() && text::is_space(text[0])) text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read.number);
  if (error != std::errc()) throw NotRunnable();
  read.rest = text.substr(static_cast<std::size_t>(end - text.data()));
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
  const bool has_suffix = lists(dialect == Dialect::gnu ? "k M G" : "k M G T P", unit);
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

/// -perm: MODE, -MODE (all bits), or any bit: /MODE by GNU's find, +MODE by BSD's, both by bfs (+
/// before digits only). Every mode has -000 and /000, and none has +000 of BSD's. An X makes a
/// difference between directories and others.
Expression permission_test(std::string text, Dialect dialect, Words& warnings) {
  if (dialect == Dialect::bsd && text.starts_with("/")) throw NotRunnable();
  if (dialect != Dialect::gnu && text.starts_with("+") &&
      (dialect == Dialect::bsd || text::is_digits(std::string_view(text).substr(1, 1)))) {
    text[0] = '/';
  }
  const char prefix = text.starts_with("-") || text.starts_with("/") ? text[0] : ' ';
  const std::string mode = text.substr(prefix == ' ' ? 0 : 1);
  const auto test = [&](bool of_directory) {
    const std::uint32_t bits = bits_of(mode, of_directory);
    if (prefix != ' ' && bits == 0) {
      return prefix == '-' || dialect != Dialect::bsd ? Expression::all({}) : Expression::any({});
    }
    return Expression::of(query::permissions_test(
        {.bits = bits, .counted = prefix == ' ' ? 07777 : bits, .any = prefix == '/'}));
  };
  const std::uint32_t bits = bits_of(mode, false);
  if (prefix == '/' && bits == 0 && bits_of(mode, true) == 0 && dialect == Dialect::gnu) {
    warnings.push_back(text::format(
        "warning: you have specified a mode pattern {} (which is equivalent to /000). The meaning "
        "of -perm /000 has now been changed to be consistent with -perm -000; that is, while it "
        "used to match no files, it now matches all files.",
        text));
  }
  if (bits == bits_of(mode, true)) return test(false);
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
/// -fstype. By BSD's, `local` is a flag of the mount (MNT_LOCAL), which those of servers lack.
MakeTest file_system_test(std::string_view field, const std::string& value, Dialect dialect) {
  if (value.empty()) return [](const query::Meaning&) { return Expression::any({}); };
  const bool is_flag = dialect == Dialect::bsd && value == "local";
  Words types = {value};
  if (is_flag) types = {"nfs", "smbfs", "afpfs", "webdav", "ftp", "acfs", "macfuse", "autofs"};
  return [field = query::find_field(field), types, is_flag](const query::Meaning& meaning) {
    static const text::ValueSource source{"", ""};
    Expression any = query::test_of_options(*field, {.narrow = true}, types, source, meaning);
    return is_flag ? Expression::negation(std::move(any)) : any;
  };
}

MakeTest test_of(Expression test) {
  return [test = std::move(test)](const query::Meaning&) { return test; };
}

Expression count_test(std::string_view field, const std::string& text, const Host& host);

/// -user and -group: a name, or else a number, by BSD's also +N and -N.
Expression account_test(bool is_user, const std::string& value, const Host& host) {
  if (value.empty()) {
    refuse(is_user ? "The argument to -user should not be empty"
                   : "argument to -group is empty, but should be a group name");
  }
  std::optional<std::uint32_t> id = host.account_of(is_user, value);
  if (!id && text::is_digits(value)) id = number_of(value);
  if (!id && host.dialect == Dialect::bsd && value.find_first_of("+-") == 0) {
    return count_test(is_user ? "uid" : "gid", value, host);
  }
  if (!id && is_user) refuse(host.quoted(value) + " is not the name of a known user");
  if (!id) {
    const std::size_t suffix = value.find_first_not_of("0123456789");
    refuse(host.quoted(value) + " is not the name of an existing group" +
           (suffix == 0 ? ""
                        : " and it does not look like a numeric group ID because it has the "
                          "unexpected suffix " +
                              host.quoted(value.substr(suffix))));
  }
  return Expression::of(query::range_test(is_user ? query::uid_row : query::gid_row, {*id, *id}));
}

/// -links, -inum, -uid, -gid, and -depth of BSD's. -uid and -gid of BSD's and bfs accept names,
/// too.
Expression count_test(std::string_view field, const std::string& text, const Host& host) {
  const bool is_account = lists("uid gid", field);
  if (is_account && host.dialect != Dialect::gnu && !text.empty() &&
      text.find_first_of("0123456789+-") != 0) {
    return account_test(field == "uid", text, host);
  }
  const Signed read = plain_number(text);
  if (field == "depth") return count_range(query::depth_row, read);
  return count_range(field == "links"   ? query::links_row
                     : field == "inode" ? query::inode_row
                     : field == "uid"   ? query::uid_row
                                        : query::gid_row,
                     read);
}

/// A number of `unit` seconds, or "2h30m" of BSD's find, in seconds.
struct Age {
  double seconds = 0;
  bool has_units = false;
};

Age age_of(const std::string& text, double unit, Dialect dialect) {
  const auto read = [](const std::string& number) {
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (end == number.c_str() || *end != '\0' || std::isnan(value)) throw NotRunnable();
    return value;
  };
  if (dialect == Dialect::gnu || text.find_first_of("smhdw") == text.npos) {
    return {read(text) * unit};
  }
  Age age{.has_units = true};
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
    const std::string scale(value_in("s=1 m=60 h=3600 d=86400 w=604800", rest.substr(end, 1)));
    if (scale.empty()) throw NotRunnable();
    age.seconds += read(std::string(rest.substr(0, end))) * std::stoi(scale);
    rest.remove_prefix(end + 1);
  }
  return age;
}

}  // namespace

bool prints_file_system(std::string_view format) {
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at)) {
    at = std::min(format.find_first_not_of("-+ #.0123456789", at + 1), format.size());
    if (at == format.size()) break;
    if (format[at] == 'F') return true;
    at += std::string_view("ABCT").find(format[at]) < 4 ? 2U : 1U;
  }
  return false;
}

unsigned number_of(const std::string& digits) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || number > INT32_MAX) {
    refuse(digits + ": " + std::generic_category().message(ERANGE));
  }
  return number;
}

const query::TimeRow* time_row_of(std::string_view field) {
  return field == "modified"   ? &query::modified_row
         : field == "accessed" ? &query::accessed_row
         : field == "changed"  ? &query::changed_row
         : field == "created"  ? &query::created_row
                               : nullptr;
}

namespace {

/// After `first`, up to and including `last`.
Expression time_range(const query::TimeRow& row, Instant first, Instant last) {
  if (first >= last) return Expression::any({});
  return Expression::of(query::range_test(row, {text::nanosecond_after(first), last}));
}

constexpr Instant never = std::numeric_limits<Instant>::max();

}  // namespace

Expression later_test(const query::TimeRow& row, Instant instant) {
  return time_range(row, instant, never);
}

Expression age_test(const Predicate& predicate, const std::string& text, const Host& host,
                    bool from_midnight) {
  const char sign = !text.empty() && std::string_view("+-").find(text[0]) < 2 ? text[0] : ' ';
  const std::string number = text.substr(sign == ' ' ? 0 : 1);
  const bool in_minutes = predicate.form == Form::minutes;
  const std::int64_t unit = in_minutes ? 60 : text::seconds_a_day;
  const Age age = age_of(number, static_cast<double>(unit), host.dialect);
  if (age.has_units && in_minutes) throw NotRunnable();
  constexpr double longest = 9e18;
  if (age.seconds < -longest) {
    refuse(text::format("arithmetic overflow while converting {} {} to a number of seconds", number,
                        in_minutes ? "minutes" : "days"));
  }
  double whole = 0;
  const double fraction = std::modf(std::min(age.seconds, longest), &whole);
  const auto seconds = static_cast<std::int64_t>(whole);
  const auto nanoseconds = static_cast<std::int64_t>(fraction * 1e9);
  if (predicate.form == Form::used) {
    const query::TimeRow& row = query::used_row;
    const Instant length = text::moved({}, seconds, nanoseconds);
    const Instant before_0 = text::nanosecond_before({});
    if (sign == ' ') return time_range(row, std::max(text::moved(length, -unit), {}), length);
    return sign == '+' ? time_range(row, std::max(length, before_0), never)
                       : time_range(row, before_0, text::nanosecond_before(length));
  }
  const query::TimeRow& row = *time_row_of(predicate.field);
  // The last instant of age 0.
  Instant origin = host.clock.now;
  if (from_midnight) {
    const text::Day today = text::day_of(text::wall_time_at(origin.seconds));
    origin = {text::first_second_of(text::midnight(today)) + text::seconds_a_day};
  }
  const Instant start = text::moved(origin, -seconds, -nanoseconds);
  // Whole days are rounded down, minutes up: an age of N minutes is more than N - 1. Ages with
  // units are exact.
  const bool in_days = !in_minutes && !age.has_units;
  const Instant first = in_days ? text::moved(start, -unit) : start;
  if (sign == '-') return later_test(row, in_days ? text::moved(start, -1) : start);
  if (sign == '+') {
    return Expression::of(query::range_test(
        row, {std::numeric_limits<Instant>::min(), text::nanosecond_before(first)}));
  }
  if (age.has_units) {
    return Expression::of(query::range_test(row, {{first.seconds}, {first.seconds, 999'999'999}}));
  }
  // C divides towards 0: BSD's age 0 begins a day ahead.
  const bool is_age_0 = host.dialect == Dialect::bsd && !in_minutes && age.seconds == 0;
  return time_range(row, first, text::moved(first, is_age_0 ? 2 * unit : unit));
}

MakeTest test_of_value(const Predicate& predicate, const std::string& value, const Host& host,
                       Words& warnings) {
  switch (predicate.form) {
    case Form::size:
      return test_of(size_test(value, host.dialect));
    case Form::permissions:
      return test_of(permission_test(value, host.dialect, warnings));
    case Form::depth_first:
    case Form::count:
      return test_of(count_test(predicate.field, value, host));
    case Form::account:
      return test_of(account_test(predicate.field == "owner", value, host));
    case Form::file_system:
      return file_system_test(predicate.field, value, host.dialect);
    default:
      return [flag = query::find_flag(predicate.field)](const query::Meaning& meaning) {
        return flag->make(meaning);
      };
  }
}

std::string refusal_of(const Predicate& predicate, const std::string& word,
                       const std::string& value, const Host& host) {
  switch (predicate.form) {
    case Form::size:
      if (value.empty()) return "invalid null argument to -size";
      if (std::string_view("0123456789bckwMG").find(value.back()) == std::string_view::npos) {
        return text::format("invalid -size type `{}'", value.back());
      }
      return text::format("Invalid argument `{}' to -size", value);
    case Form::permissions:
      if (host.dialect == Dialect::bsd) {
        return text::format("-perm: {}: illegal mode string", value);
      }
      return "invalid mode " + host.quoted(value);
    case Form::used:
      return text::format("Invalid argument {} to -used", value);
    default:
      return text::format("invalid argument `{}' to `{}'", value, word);
  }
}

}  // namespace ffind::foreign
