// SPDX-License-Identifier: MIT
// Words that are a query, or nearly: terms of Everything and Spotlight, plain words that name a
// kind, a size or a time, and several words without a path among them.
//
//     dm:today ext:jpg;png        modified:today ext:jpg,png     corrected_query()
//     empty folders last summer   is:empty type:directory modified:2026-06..2026-08
//     shopping list               shopping list, in any order    words_as_query()
//
// Of 250 lines that newcomers typed first 16 were two or three such words; at a terminal those are
// run (cli, line_of_words()), so each phrase here is one of theirs, with a row in the cases
// several-words and sentences.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "foreign/foreign.h"
#include "foreign/tables.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "query/language/query_line.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/times.h"

namespace ffind::foreign {
namespace {

using cli::Id;

/// A term of Everything's or of our own query lines as one of ours: "dm:today" is modified:today,
/// "kind:pdf" ext:pdf, "ext:jpg;png" ext:jpg,png, "pic:" kind:image. Empty if it is none. Sets
/// `is_guess` if it may mean something else.
std::string query_term(std::string_view word, const text::Clock& clock, bool& is_guess) {
  const bool is_excluded = word.starts_with('-') || word.starts_with('!');
  if (is_excluded) word.remove_prefix(1);
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view name = word.substr(0, colon);
  std::string value(word.substr(colon + 1));
  if (value.empty() && name == "empty") return is_excluded ? "-is:empty" : "is:empty";
  const query::Field* const field = query::find_field(name);
  if (field == nullptr) {
    std::string own = term_of_other_finders(name, value, is_guess);
    if (value.empty() && own.ends_with(' ')) own.pop_back();
    // Two terms cannot be excluded as one.
    if (own.empty() || own.ends_with(':') || (is_excluded && own.find(' ') != std::string::npos)) {
      return {};
    }
    // "kind:image beach" is right as it is.
    const bool is_one = own.find(' ') == std::string::npos;
    const std::string term = is_one ? query_term(own, clock, is_guess) : std::string();
    return (is_excluded ? "-" : "") + (term.empty() ? own : term);
  }
  if (value.empty()) return {};
  std::string_view field_name = field->name;
  const std::string ext = value.starts_with('.') ? value.substr(1) : value;
  const auto kinds = query::kind_names();
  const bool is_kind =
      std::find(kinds.begin(), kinds.end(), text::fold_ascii(value)) != kinds.end();
  if (field->name == "kind" && !is_kind && query::kind_of_file("x." + ext) != 0) {
    field_name = "ext";
    value = ext;
  }
  const std::string option = "--" + std::string(field->name);
  const Correction meant = corrected(option, value, clock);
  if (meant.values.size() == 1) {
    const bool is_of_everything = lists("empty tiny small medium large huge gigantic", value);
    is_guess = is_guess || !(is_of_everything || meant.is_only);
    value = meant.values.front();
  }
  if (value.find(' ') != std::string::npos && !value.starts_with('"')) value = "\"" + value + "\"";
  return text::format("{}{}:{}", is_excluded ? "-" : "", field_name, value);
}

/// False for the rest of `std::string` and `http://x` after the colon.
bool may_be_value(std::string_view text) {
  return !text.starts_with(':') && !text.starts_with("//");
}

/// True for `dm:today`, `pic:` and `empty:`.
bool is_term_of_others(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon < 2) return false;
  const std::string_view name = word.substr(0, colon);
  const std::string_view value = word.substr(colon + 1);
  if (!may_be_value(value)) return false;
  if (value.empty() && text::fold_ascii(name) == "empty") return true;
  bool is_guess = false;
  const std::string term = term_of_other_finders(name, value, is_guess);
  return !term.empty() && !is_guess && (!value.empty() || term.ends_with(' '));
}

}  // namespace

bool is_query_line(const std::string& text) {
  const query::Typed source{text, {"", ""}};
  for (const query::Alternatives& any : query::terms_of(source)) {
    for (const query::QueryTerm& term : any) {
      const std::string_view value = term.value.text;
      const bool is_term = term.field != nullptr || term.is_flag;
      if (is_term ? !value.empty() && may_be_value(value) : is_term_of_others(value)) return true;
    }
  }
  return false;
}

std::string with_terms(const std::string& typed, const TermOf& corrected) {
  const query::Typed source{typed, {"", ""}};
  std::string line = typed;
  std::vector<query::QueryTerm> terms;
  for (const query::Alternatives& any : query::terms_of(source)) {
    terms.insert(terms.end(), any.begin(), any.end());
  }
  std::sort(terms.begin(), terms.end(),
            [](const auto& one, const auto& other) { return one.begin > other.begin; });
  for (const query::QueryTerm& term : terms) {
    const std::string by = corrected(term, typed.substr(term.begin, term.end - term.begin));
    if (!by.empty()) line.replace(term.begin, term.end - term.begin, by);
  }
  return line;
}

Correction corrected_query(std::string line, const text::Clock& clock) {
  const std::string typed = line;
  bool is_guess = false;
  replace_all(line,
              {{" OR ", " | "}, {" || ", " | "}, {" AND ", " "}, {" && ", " "}, {" NOT ", " !"}});
  // Spotlight's modified:this week
  for (const std::string_view period :
       {"this week", "this month", "this year", "last week", "last month", "last year"}) {
    replace_all(line, {{text::format(":{}", period), text::format(":\"{}\"", period)}});
  }
  // <a | b> c is a | b c here. A group of other terms has no counterpart.
  const std::size_t open = line.find('<');
  const std::size_t close = std::min(line.find("> ", open), line.size() - 1);
  if (open != line.npos && line[close] == '>' && (open == 0 || line[open - 1] == ' ')) {
    const std::string group = line.substr(open + 1, close - open - 1);
    const Words parts = split(group);
    bool alternates = parts.size() % 2 == 1;
    for (std::size_t i = 1; i < parts.size(); i += 2) alternates = alternates && parts[i] == "|";
    if (alternates) line.replace(open, close + 1 - open, group);
  }
  line = with_terms(line, [&](const query::QueryTerm& /*term*/, const std::string& word) {
    return query_term(word, clock, is_guess);
  });
  return {line == typed ? Words() : Words{std::move(line)}, !is_guess};
}

namespace {

/// Small words of a phrase, which few file names have.
constexpr std::string_view small = "a an and for from in is my of on the to where with";

/// The time that words from `at` on name, as a value of `modified`: "today", "last month", "summer
/// 2026", "last winter", "march 2025", "2025-Q1", and "may" or "2025" after "from" or "in". Sets
/// `used` to their number. Seasons are those of the northern half, in whole months.
std::string time_in(const Words& words, std::size_t at, const text::Clock& clock,
                    std::size_t& used) {
  const auto word_at = [&](std::size_t i) {
    return i < words.size() ? text::fold_ascii(words[i]) : std::string();
  };
  std::string word = word_at(at);
  const std::string next = word_at(at + 1);
  used = 1;
  if (lists("today yesterday", word)) return word;
  const bool is_last = word == "last";
  used = 2;
  if ((is_last || word == "this") && lists("week month year", next)) {
    return text::format("\"{} {}\"", word, next);
  }
  const auto months_from = [](std::int64_t year, int first, int count) {
    const int last = first + count - 1;
    return text::format("{}-{:02}..{}-{:02}", year, first, year + (last - 1) / 12,
                        (last - 1) % 12 + 1);
  };
  // "2025-Q1", "Q1 2025", "summer 2025", "last summer"
  std::string period = word;
  std::string year = next;
  if (word.size() == 7 && word.substr(4, 2) == "-q") {
    period = word.substr(5);
    year = word.substr(0, 4);
    used = 1;
  } else if (is_last || word == "this") {
    period = next;
    year.clear();
  } else if (year.size() != 4 || !text::is_digits(year)) {
    if (at == 0 || !lists("from in", word_at(at - 1))) return {};
    used = 1;
    if (text::is_digits(word) && (word.starts_with("19") || word.starts_with("20"))) {
      return word.size() == 4 ? word : std::string();
    }
    year.clear();
  }
  constexpr std::string_view quarters = "q1=1 q2=4 q3=7 q4=10";
  constexpr std::string_view seasons = "spring=3 summer=6 autumn=9 fall=9 winter=12";
  constexpr std::string_view months =
      "january=1 february=2 march=3 april=4 may=5 june=6 july=7 august=8 september=9 october=10 "
      "november=11 december=12";
  int count = 3;
  std::string_view first = value_in(seasons, period);
  if (first.empty() && !year.empty()) first = value_in(quarters, period);
  if (first.empty()) {
    first = value_in(months, period);
    count = 1;
  }
  if (first.empty()) return {};
  const int month = std::stoi(std::string(first));
  if (!year.empty()) return months_from(std::stoi(year), month, count);
  const text::Day now = text::day_of(text::wall_time_at(clock.now.seconds));
  // The last one is over, and one that files are from has begun.
  const std::int64_t current = int{now.year()} * 12 + static_cast<int>(unsigned{now.month()}) - 1;
  const std::int64_t begin = int{now.year()} * 12 + month - 1;
  const bool is_this_years =
      is_last ? begin + count <= current : word == "this" || begin <= current;
  return months_from(int{now.year()} - (is_this_years ? 0 : 1), month, count);
}

/// The size that words from `at` on name, as a value of `size`: "bigger than 1G", "under 10MB".
/// Empty if they name none; else sets `used` to their number.
std::string size_in(const Words& words, std::size_t at, std::size_t& used) {
  const std::string word = text::fold_ascii(words[at]);
  const bool is_more = lists("above bigger greater larger over", word);
  if (!is_more && !lists("below less smaller under", word)) return {};
  const bool has_than = at + 1 < words.size() && text::fold_ascii(words[at + 1]) == "than";
  const std::size_t number = at + (has_than ? 2 : 1);
  if (number >= words.size() || !text::is_digit(words[number].front())) return {};
  used = number + 1 - at;
  return (is_more ? ">" : "<") + words[number];
}

/// A property of files that a plain word names; empty if it is none.
std::string property_of(const std::string& word) {
  if (lists("broken empty hidden", word)) return "is:" + word;
  if (lists("link links symlinks", word)) return "type:symlink";
  if (lists("new recent", word)) return "modified:7d";
  if (word == "old") return "modified:>1y";
  if (lists("file files", word)) return "type:file";
  if (lists("directories directory folder folders", word)) return "type:directory";
  return query::find_kind(word) ? "kind:" + word : std::string();
}

/// A sentence as a query: "pdf from last month" is pdf modified:"last month", and "empty folders",
/// of properties alone, is:empty type:directory. Everything's count:3 and "how many" are options,
/// which are added to `line`. `text` itself if it has nothing but words to find.
std::string query_of_sentence(const std::string& text, const text::Clock& clock,
                              cli::Options& line) {
  constexpr std::string_view asking = "all are find how me search show";
  const Words words = split(text);
  std::size_t used = 0;
  const auto value_at = [&](std::size_t i) {
    if (i == words.size()) return std::string();
    const std::string time = time_in(words, i, clock, used);
    if (!time.empty()) return "modified:" + time;
    const std::string size = size_in(words, i, used);
    return size.empty() ? size : "size:" + size;
  };
  const auto is_before_time = [&](std::size_t i) {
    return lists("changed modified", text::fold_ascii(words[i])) && !value_at(i + 1).empty();
  };
  const auto task_of = [](const std::string& word) {
    // "photos", "biggest"; which files are big depends on the others.
    const Foreign* const task =
        find_foreign("--" + (lists("big huge large", word) ? "biggest" : word));
    const bool is_task = task != nullptr && task->program != Program::guess &&
                         task->treatment == Treatment::flag &&
                         task->here.find(' ') != task->here.npos;
    return is_task ? task : nullptr;
  };
  // "holiday photos", or a word alone, may be a name.
  bool are_properties = words.size() > 1;
  for (std::size_t i = 0; i < words.size(); i += used) {
    if (!value_at(i).empty()) continue;
    const std::string word = text::fold_ascii(words[i]);
    are_properties =
        are_properties && (lists(small, word) || lists(asking, word) || is_before_time(i) ||
                           task_of(word) != nullptr || !property_of(word).empty());
    used = 1;
  }
  std::string query;
  bool is_sentence = false;
  const auto add = [&](const std::string& term, bool is_name = false) {
    is_sentence = is_sentence || !is_name;
    query += (query.empty() || term.empty() ? "" : " ") + term;
  };
  for (std::size_t i = 0; i < words.size(); i += used) {
    const std::string word = text::fold_ascii(words[i]);
    const std::string value = value_at(i);
    if (!value.empty()) {
      add(value);
      continue;
    }
    const bool is_asking =
        lists(asking, word) || is_before_time(i) || (i == 0 && words[i] == "open");
    used = 1;
    const Foreign* const task = task_of(word);
    if (task != nullptr && (are_properties || i == 0)) {
      line.given.push_back(options_in(task->here).back());
      if (task->here.starts_with("--sort") && words.size() > 1) {
        line.given.push_back(options_in("-n 20").front());
      }
      add("");
    } else if (word.starts_with("count:") && text::is_digits(word.substr(6))) {
      line.add(Id::limit, word.substr(6));
      add("");
    } else if (word == "many" && i > 0) {
      line.given.push_back(options_in("--count").front());
      const bool is_of_kind =
          i + 1 < words.size() && query::find_kind(text::fold_ascii(words[i + 1]));
      add(is_of_kind ? "kind:" + text::fold_ascii(words[i + 1]) : "");
      if (is_of_kind) used = 2;
    } else if (is_asking) {
      add("");
    } else if (!lists(small, word)) {
      add(are_properties ? property_of(word) : words[i], !are_properties);
    }
  }
  return is_sentence ? query : text;
}

}  // namespace

std::optional<WordsAsQuery> words_as_query(const FinishedSearch& search, const Host& host) {
  Words words = search.options.arguments;
  if (words.empty()) return {};
  // "pdf in Documents"
  std::string root;
  if (words.size() > 2 && lists("from in", words[words.size() - 2]) &&
      is_directory(host, words.back()) &&
      host.place_of(words[words.size() - 2]) == Place::missing) {
    root = words.back();
    words.resize(words.size() - 2);
  }
  const bool is_query = search.text == nullptr && words.size() > 1 && is_query_line(words.front());
  if (!is_query && (search.text == nullptr || words.front() != *search.text)) return {};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].find('/') != std::string::npos) return {};
    if (host.place_of(words[i]) != Place::missing) return {};
  }
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  cli::Options options = search.line;
  options.arguments.clear();
  if (!root.empty()) options.add(Id::in, root);
  const std::string sentence =
      search.has(Variant::words_apart) ? text : query_of_sentence(text, host.clock, options);
  bool has_terms = sentence != text || (text.size() > 1 && text.front() == '!');
  bool is_guess = false;
  std::string query = with_terms(has_terms ? sentence : words_apart(text),
                                 [&](const query::QueryTerm& /*term*/, const std::string& word) {
                                   std::string term = query_term(word, host.clock, is_guess);
                                   has_terms = has_terms || !term.empty();
                                   return term;
                                 });
  const bool is_text = words.size() == 1 && root.empty();
  if (is_text && !has_terms && !search.has(Variant::words_apart)) return {};
  if (query.starts_with('-')) query.front() = '!';  // no option
  if (!query.empty()) options.add(Id::query, query);
  if (text.starts_with("open ") && sentence != text) {
    options.given.push_back(
        {.id = Id::exec, .command = {host.dialect == Dialect::bsd ? "open" : "xdg-open"}});
  }
  Words line = written(options);
  if (!host.is_valid(line)) return {};
  return WordsAsQuery{std::move(text), std::move(line), has_terms};
}

/// Leaves out the small words of a phrase.
std::string words_apart(const std::string& text) {
  if (text.find('"') != std::string::npos) return text;
  std::string kept;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = text::take_part(rest, ' ');
    if (!word.empty() && !lists(small, text::fold_ascii(word)))
      kept.append(kept.empty() ? "" : " ").append(word);
  }
  return kept.empty() ? text : kept;
}

}  // namespace ffind::foreign
