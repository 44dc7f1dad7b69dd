// SPDX-License-Identifier: MIT
// Values and names of our own options as people type them from memory.
//
// Values: "10M-20M" for 10M..20M, "Nov 20" for 2026-11-20, "pdf;docx" for pdf,docx. A range is
// tried as it is typed, then each guess in turn, all by the parser of the option; the first guess
// that it reads is the answer, so a correction never leads to another error.
//
// Names: advice_on_habit() reads the tables for the counterpart of an unknown option, and
// with_second_dash() and field_suggestion() find what a misspelt one may have
// been.
#include "foreign/foreign.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>
#include <optional>
#include <utility>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "query/language/fields.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/ranges.h"
#include "text/times.h"

namespace ffind::foreign {
namespace {

constexpr std::array<std::string_view, 12> month_names = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

/// The words of a value in lower case, without commas.
Words words_in_value(std::string_view value) {
  std::string folded = text::fold_ascii(value);
  std::replace(folded.begin(), folded.end(), ',', ' ');
  Words words = split(folded);
  std::erase(words, "");
  return words;
}

unsigned number_in(std::string_view digits) {
  return static_cast<unsigned>(std::stoul(std::string(digits.substr(0, 6))));
}

/// 1 to 12 for "nov" and "november", else 0.
unsigned month_called(std::string_view word) {
  for (unsigned i = 0; i < month_names.size(); ++i) {
    if (word.size() >= 3 && month_names[i].starts_with(word)) return i + 1;
  }
  return 0;
}

/// A guess at a value. An empty text is none, and a day that does not exist is rejected later.
struct Guess {
  std::string text;
  bool is_only = false;  ///< Correction::is_only
};
using Guesses = std::vector<Guess>;

/// "nov 20", "20 nov", "nov 20 2025", "november", "november 2025" and "month 11": the last one, if
/// no year is given. Months are words here, so day and month cannot be confused.
std::string date_in_words(const Words& words, text::Day today) {
  unsigned month = 0;
  unsigned day = 0;
  int year = 0;
  bool is_month = false;
  for (const std::string& word : words) {
    const bool after_month = std::exchange(is_month, word == "month");
    if (is_month) continue;
    if (month == 0 && month_called(word) != 0) {
      month = month_called(word);
    } else if (month == 0 && after_month && text::is_digits(word)) {
      month = number_in(word);
    } else if (year == 0 && text::is_digits(word) && word.size() == 4) {
      year = static_cast<int>(number_in(word));
    } else if (day == 0 && text::is_digits(word) && word.size() <= 2) {
      day = number_in(word);
    } else {
      return {};
    }
  }
  if (month == 0) return {};
  const bool is_written = year != 0;
  if (!is_written) year = static_cast<int>(today.year());
  const text::Day date{std::chrono::year{year}, std::chrono::month{month},
                       std::chrono::day{std::max(day, 1U)}};
  if (!is_written && date > today) --year;
  return day == 0 ? text::format("{:04}-{:02}", year, month)
                  : text::format("{:04}-{:02}-{:02}", year, month, day);
}

/// 20261120, 2026/11/20, 20.11.2026, 20/11/2026 and 11/20/2026; not 03/04/2026, which may be
/// either.
std::string date_in_numbers(std::string_view value) {
  const std::size_t sign = value.find_first_of("/.-");
  std::vector<std::string_view> parts;
  if (value.size() == 8 && text::is_digits(value)) {
    parts = {value.substr(0, 4), value.substr(4, 2), value.substr(6)};
  } else if (sign != std::string_view::npos) {
    for (std::string_view rest = value; !rest.empty();) {
      parts.push_back(text::take_part(rest, value[sign]));
    }
  }
  if (parts.size() != 3 || !std::all_of(parts.begin(), parts.end(), text::is_digits)) return {};
  const auto date = [&](std::size_t year, std::size_t month, std::size_t day) {
    return text::format("{}-{:0>2}-{:0>2}", parts[year], parts[month], parts[day]);
  };
  if (parts[0].size() == 4) return date(0, 1, 2);
  if (parts[2].size() != 4) return {};
  // With dots the day is first everywhere.
  if (value[sign] == '.' || number_in(parts[0]) > 12) return date(2, 1, 0);
  return number_in(parts[1]) > 12 ? date(2, 0, 1) : std::string();
}

/// Guesses at a time: "in may", "october 2026", "20.11.2026", and Everything's thisweek, pastmonth
/// and last2weeks.
Guesses guesses_at_time(const std::string& value, text::Day today) {
  const Words words = words_in_value(value);
  if (words.empty()) return {};
  if (lists("in on from during of the", words[0])) {
    return guesses_at_time(value.substr(std::min(value.find(' '), value.size() - 1) + 1), today);
  }
  Guesses guesses = {{date_in_words(words, today), true}};
  if (words.size() > 1) return guesses;
  guesses.push_back({date_in_numbers(value), true});
  if (text::is_digits(value) && value.size() < 4) guesses.push_back({value + "d"});  // for find
  const auto period = [](std::string_view word) { return lists("week month year", word); };
  for (const std::string_view begin : {"this", "last", "past"}) {
    if (!words[0].starts_with(begin)) continue;
    const std::string rest = words[0].substr(begin.size());
    const std::string of_period = begin == "past" ? "1" + rest : std::string(begin) + " " + rest;
    if (period(rest)) guesses.push_back({of_period, true});
    if (!rest.empty() && text::is_digit(rest[0])) guesses.push_back({rest, begin != "this"});
  }
  return guesses;
}

/// A value in two parts, for each of the signs that is once in it and between them.
using Halves = std::vector<std::pair<std::string, std::string>>;
Halves halves_of(std::string_view value, std::initializer_list<std::string_view> signs) {
  Halves halves;
  for (const std::string_view sign : signs) {
    const std::size_t at = value.find(sign);
    if (at == std::string_view::npos || at == 0) continue;
    const std::string_view last = value.substr(at + sign.size());
    if (last.empty() || last.find(sign) != std::string_view::npos) continue;
    halves.emplace_back(value.substr(0, at), last);
  }
  return halves;
}

/// "10M-20M" and "10M to 20M" as 10M..20M. A lower end without a unit has that of the upper one.
Guesses guesses_at_span(std::string_view value, bool is_size) {
  Guesses guesses;
  for (auto& [first, last] : halves_of(value, {"...", " to ", " - ", "-"})) {
    const std::size_t unit = last.find_first_not_of("0123456789.");
    const bool lacks_unit = is_size && text::is_digits(first) && unit != std::string::npos;
    if (lacks_unit) first += last.substr(unit);
    guesses.push_back({text::format("{}..{}", first, last), !lacks_unit});
  }
  return guesses;
}

/// Sizes that Everything has words for.
std::string_view size_called(std::string_view word) {
  return value_in(
      "tiny=1..10Ki small=10241..100Ki medium=102401..1Mi large=1048577..16Mi "
      "huge=16777217..128Mi gigantic=>128Mi empty=0 zero=0 big=>10M",
      word);
}

/// Guesses at a range of any kind. find's -7 is within 7 days.
Guesses guesses_at_range(const std::string& value, bool is_time, bool is_size, text::Day today) {
  if (is_time) {
    const bool is_age = value.size() > 1 && value[0] == '-' && text::is_digits(value.substr(1));
    return is_age ? Guesses{{value.substr(1) + "d"}} : guesses_at_time(value, today);
  }
  Guesses guesses = guesses_at_span(value, is_size);
  if (value.ends_with('+')) guesses.push_back({">=" + value.substr(0, value.size() - 1), true});
  if (is_size) guesses.push_back({std::string(size_called(text::fold_ascii(value)))});
  return guesses;
}

/// "pdf;docx", "pdf|docx" and "*.pdf" as lists of extensions.
Words corrected_extensions(std::string value) {
  const std::string typed = value;
  std::replace(value.begin(), value.end(), ';', ',');
  std::replace(value.begin(), value.end(), '|', ',');
  for (std::size_t at = value.find("*."); at != std::string::npos; at = value.find("*.")) {
    value.erase(at, 2);
  }
  std::erase(value, ' ');
  if (value == typed || value.find('*') != std::string::npos) return {};
  return {value};
}

/// "newest" as -modified, "size:desc" as -size and "+name" as name; empty for a key of ours.
std::string corrected_key(std::string_view key) {
  const std::string_view meant = value_in(
      "newest=-modified latest=-modified recent=-modified oldest=modified largest=-size "
      "biggest=-size smallest=size date-modified=modified dm=modified date-created=created "
      "dc=created alphabetical=name natural=name",
      key);
  if (!meant.empty()) return std::string(meant);
  for (const std::string_view ending : {"desc", "descending", "asc", "ascending"}) {
    if (!key.ends_with(ending) || key.size() < ending.size() + 2) continue;
    const std::size_t size = key.size() - ending.size() - 1;
    if (std::string_view(":- _/").find(key[size]) == std::string_view::npos) continue;
    std::string plain = corrected_key(key.substr(0, size));
    if (plain.empty()) plain = key.substr(0, size);
    return (ending[0] == 'd' && !plain.starts_with('-') ? "-" : "") + plain;
  }
  return {};
}

/// The keys of --sort; "size,desc" is -size.
Words corrected_keys(std::string_view value) {
  std::string keys;
  bool changed = false;
  while (!value.empty()) {
    const std::string_view typed = text::take_part(value, ',');
    const std::string_view next = value.substr(0, value.find(','));
    std::string key = corrected_key(typed);
    if (next == "desc" || next == "asc") {
      key = (next == "desc" ? "-" : "") + std::string(typed);
      text::take_part(value, ',');
    }
    changed = changed || !key.empty();
    if (!keys.empty()) keys += ',';
    keys += key.empty() ? std::string(typed) : key;
  }
  if (!changed) return {};
  return {std::move(keys)};
}

/// True for a text between the braces of a placeholder of fzf: flags, and q, n or fields ("2",
/// "-1", "2.."), but not for "1..9", nine words in bash.
bool is_placeholder_of_fzf(std::string_view text) {
  const std::size_t span = text.find("..");
  const bool is_of_bash = span != text.npos && span > 0 && span + 2 < text.size();
  return !text.empty() && !is_of_bash &&
         text.find_first_not_of("+*sfrqn0123456789.-") == std::string_view::npos;
}

/// A command with {} for the placeholders that mean the path, unless there are others.
Words corrected_command(std::string command) {
  bool changed = false;
  while (const auto found = foreign_placeholder(command)) {
    if (!found->is_path) return {};
    command.replace(found->begin, found->size, "{}");
    changed = true;
  }
  if (!changed) return {};
  replace_all(command, {{"\"{}\"", "{}"}, {"'{}'", "{}"}});  // in quotes it would be an error
  return {std::move(command)};
}

/// A template with fields in place of the placeholders of --exec.
Words corrected_template(std::string value) {
  const std::string typed = value;
  replace_all(value, {{"{}", "{path}"}, {"{/}", "{name}"}, {"{//}", "{dir}"}, {"{/.}", "{stem}"}});
  return value == typed ? Words() : Words{std::move(value)};
}

/// "size between 1k and 10k" as size = 1k..10k.
Words corrected_expression(std::string value) {
  constexpr std::string_view between = " between ";
  constexpr std::string_view conjunction = " and ";
  const std::string folded = text::fold_ascii(value);
  const std::size_t at = folded.find(between);
  const std::size_t middle = folded.find(conjunction, at);
  if (at == value.npos || middle == value.npos || value.find_first_of("\"'") != value.npos) {
    return {};
  }
  value.replace(middle, conjunction.size(), "..").replace(at, between.size(), " = ");
  return {std::move(value)};
}

/// True for options whose value is a time or a range of times.
bool is_time_option(std::string_view option) {
  return lists("--modified --created --accessed --changed --added --newer-than --older-than",
               option);
}

/// False for a value that the parser of the option cannot read.
bool is_read(std::string_view option, const std::string& value, const text::Clock& clock) {
  static const text::ValueSource source{"", ""};
  try {
    if (is_time_option(option)) {
      text::parse_time_range(value, clock, source);
    } else if (option == "--size") {
      text::parse_size_range(value, source);
    } else if (option == "--depth") {
      text::parse_depth_range(value, source);
    } else {
      text::parse_count_range(value, source);
    }
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

Correction corrected(std::string_view option, const std::string& value, const text::Clock& clock) {
  if (lists("--ext --kind", option)) return {corrected_extensions(value), true};
  if (option == "--sort") return {corrected_keys(value), true};
  // "~40%" is 40 percent at most for fzf.
  if (option == "--height") {
    return {value.size() > 1 && value[0] == '~' ? Words{value.substr(1)} : Words()};
  }
  if (option == "--preview") return {corrected_command(value)};
  if (option == "--format") {
    // For fd other braces and backslashes are letters.
    std::string letters = value;
    replace_all(letters, {{"{}", ""}, {"{/}", ""}, {"{//}", ""}, {"{/.}", ""}});
    return {corrected_template(value), letters.find_first_of("{}\\") == std::string::npos};
  }
  if (option == "--query") return corrected_query(value, clock);
  if (lists("--where --exclude-where --prune-where", option)) {
    return {corrected_expression(value), true};
  }
  const bool is_time = is_time_option(option);
  const auto reads = [&](const std::string& each) { return is_read(option, each, clock); };
  if ((!is_time && !lists("--size --depth --links", option)) || reads(value)) return {};
  const text::Day today = text::day_of(text::wall_time_at(clock.now.seconds));
  for (Guess& guess : guesses_at_range(value, is_time, option == "--size", today)) {
    if (!guess.text.empty() && reads(guess.text)) return {{std::move(guess.text)}, guess.is_only};
  }
  return {};
}

std::string_view format_called(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> formats[] = {
      {"csv", "--csv=size,modified"},
      {"json", "--json"},
      {"long", "-l"},
      {"table", "-l"},
      {"tree", "--tree"},
      {"tsv", "--tsv=size,modified"}};
  const auto found = std::find_if(std::begin(formats), std::end(formats),
                                  [&](const auto& row) { return row.first == name; });
  return found == std::end(formats) ? std::string_view() : found->second;
}

std::optional<ForeignPlaceholder> foreign_placeholder(std::string_view command) {
  // A list has one column, and one entry is current.
  constexpr std::string_view paths = "+ * s 1 -1 .. 1.. +1 s1";
  constexpr std::string_view before = " \t\n'\"=:(;|&";
  constexpr std::string_view after = " \t\n'\":);|&<>";
  for (std::size_t begin = command.find('{'); begin != std::string_view::npos;
       begin = command.find('{', begin + 1)) {
    const std::size_t end = command.find('}', begin);
    if (end == std::string_view::npos) break;
    if (begin > 0 && before.find(command[begin - 1]) == std::string_view::npos) continue;
    if (end + 1 < command.size() && after.find(command[end + 1]) == std::string_view::npos)
      continue;
    const std::string_view text = command.substr(begin + 1, end - begin - 1);
    const bool is_of_exec = lists("/ // . /.", text);
    if (!is_of_exec && !is_placeholder_of_fzf(text)) continue;
    return ForeignPlaceholder{begin, end + 1 - begin, is_of_exec ? "--exec" : "fzf",
                              lists(paths, text)};
  }
  return {};
}

namespace {

/// `here` is a row's advice. -exec and -group begin like options of ours that take a pattern.
/// "-exec is an option of find; here: ffind -x COMMAND", and "the pattern 'xec' is written -e xec".
UsageParts find_advice(std::string_view word, std::string_view here) {
  UsageParts parts;
  parts.what = text::format("{} is an option of find", word);
  if (!here.empty()) {
    parts.guess = text::format("; {}{}", here.starts_with("ffind ") ? "here: " : "", here);
  }
  if (word[1] == 'e' || word[1] == 'g') {
    parts.advice =
        text::format("the pattern '{}' is written -{} {}", word.substr(2), word[1], word.substr(2));
  }
  return parts;
}

/// True for advice that is a line or options: "ffind ...", "diff ..." and "-i -g".
bool is_command(std::string_view advice) {
  return advice.starts_with("ffind ") || advice.starts_with("diff ") || advice.starts_with("-");
}

/// "--bind is an option of fzf; ffind-pick(7) lists the keys" and "fd's --show-errors is the
/// default here". An option of no program has an example.
UsageParts advice_on(std::string_view name, const Foreign& row) {
  constexpr std::string_view programs[] = {"",   "fd",     "fd", "rg",  "grep", "locate",
                                           "ls", "mdfind", "du", "fzf", ""};
  const std::string_view program = programs[static_cast<std::size_t>(row.program)];
  UsageParts parts;
  const bool has_advice = !row.advice.empty();
  if (!is_of_program(row) || !has_advice) {
    parts.what =
        text::format("unknown option '{}'{}", name,
                     row.program == Program::guess ? ", which may mean several things" : "");
    const bool is_sentence =
        has_advice && row.treatment == Treatment::none && !is_command(row.advice);
    if (is_sentence) parts.guess = text::format("; {}", row.advice);
    const bool lacks_value = row.treatment == Treatment::value && !has_advice;
    const cli::OptionRow* const here = lacks_value ? cli::find_option(row.here) : nullptr;
    if (!is_sentence) parts.example = here == nullptr ? row.advice : here->example;
  } else if (row.treatment == Treatment::none) {
    parts.what = text::format("{} is an option of {}", name, program);
    parts.guess = text::format("; {}", row.advice);
  } else {
    parts.what = text::format("{}'s {} is {}{}", program, name, row.advice,
                              row.advice[0] == '-' ? " here" : "");
  }
  return parts;
}

}  // namespace

std::optional<UsageParts> advice_on_habit(std::string_view name) {
  const bool is_long = name.substr(0, 2) == "--";
  const std::string_view word = is_long ? name.substr(1) : name;
  const Predicate* const of_find = find_word_of_find(word);
  const Foreign* const foreign = find_foreign(name);
  const bool is_one = name.size() > 2 && of_find == nullptr && with_second_dash(name).empty();
  // -lt is -l -t as well.
  const bool may_be_ours = foreign != nullptr && !is_long && foreign->here.starts_with("-l");
  if (foreign != nullptr && !may_be_ours && (is_long || is_one)) {
    return advice_on(name, *foreign);
  }
  if (of_find == nullptr) {
    const query::Field* const field = is_long ? query::find_field(name.substr(2)) : nullptr;
    if (field == nullptr) return std::nullopt;
    return UsageParts{.what = text::format("unknown option '{}'", name),
                      .example = text::format("ffind --where '{}'", field->example)};
  }
  return find_advice(word.substr(0, word.find('=')), of_find->advice);
}

std::string counterpart_of_task(std::string task) {
  std::replace(task.begin(), task.end(), ' ', '-');
  const Foreign* const row = find_foreign("--" + text::fold_ascii(task));
  if (row == nullptr || row->advice.ends_with("--help " + task)) return {};
  const bool has_line = !is_of_program(*row) && is_command(row->advice);
  if (has_line || row->here.empty()) return std::string(row->advice);
  if (!takes_value(*row)) return text::format("ffind {}", row->here);
  return text::format("ffind {} ...", row->here.substr(0, row->here.find_first_of(" =")));
}

std::string with_second_dash(std::string_view word) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return {};
  // -Ext is of PowerShell.
  const bool is_capital = text::fold_ascii(word.substr(1, 1)) != word.substr(1, 1);
  std::string longer = "-" + (is_capital ? text::fold_ascii(word) : std::string(word));
  if (is_capital && find_word_of_find(longer.substr(1)) != nullptr) return {};
  const std::string name = longer.substr(0, longer.find('='));
  return name == "--in" || cli::find_option(name) == nullptr ? std::string() : longer;
}

std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names) {
  const query::Field* const field = query::find_field(word);
  const bool known =
      field != nullptr && std::find(names.begin(), names.end(), field->name) != names.end();
  return text::did_you_mean(known ? std::string(field->name) : text::fold_ascii(word), names);
}

}  // namespace ffind::foreign
