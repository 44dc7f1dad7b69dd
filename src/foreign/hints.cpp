// SPDX-License-Identifier: MIT
// One function for each thing that hands do by habit.
#include "foreign/foreign.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "foreign/find_line.h"
#include "foreign/tables.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::foreign {
namespace {

std::string shown(std::string_view text) {
  return "'" + text::excerpt(text) + "'";
}

/// A search that is over, and what its hints are found out with.
struct Context {
  const FinishedSearch& search;
  const Host& host;

  bool is_directory(const std::string& path) const {
    const Place place = host.place_of(path);
    return place == Place::directory || place == Place::link_to_directory;
  }
  bool is_file(const std::string& path) const {
    const Place place = host.place_of(path);
    return place == Place::link || place == Place::other;
  }
};

/// `what` and the line, if it may be offered for the words that were typed.
std::string advice(std::string_view what, const Context& context, const Words& line) {
  const Offer offered = offer(context.search.typed, line, context.host);
  if (offered.line.empty()) return std::string(what);
  return text::format("{}\n  try: {}", what, offered.line);
}

/// `words` with `replacement` in place of TEXT; `replacement` alone where TEXT is not among them
/// but in a saved search.
Words in_place_of_text(const FinishedSearch& search, const Words& replacement) {
  Words line = search.typed;
  for (const std::size_t place : search.options.argument_places) {
    if (place >= line.size() || line[place] != *search.text) continue;
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(place));
    line.insert(line.begin() + static_cast<std::ptrdiff_t>(place), replacement.begin(),
                replacement.end());
    // Behind `--` nothing is an option.
    line.erase(std::remove(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(place), "--"),
               line.begin() + static_cast<std::ptrdiff_t>(place));
    return line;
  }
  return replacement;
}

/// -g or -e for TEXT that looks like one; nothing where it does not.
std::string_view pattern_option_for(std::string_view text) {
  if (text.find_first_of("*?[|^$\\") == std::string_view::npos) return {};
  const bool expression = text.find_first_of("|^$\\+(") != std::string_view::npos ||
                          text.find(".*") != std::string_view::npos ||
                          text.find(".+") != std::string_view::npos ||
                          text.find("]*") != std::string_view::npos ||
                          text.find_first_of("*?") == std::string_view::npos;
  // *.* and a.*b: the shell's.
  const bool shells =
      text.starts_with("*") && text.find_first_of("|^$\\+(") == std::string_view::npos;
  return expression && !shells ? "-e" : "-g";
}

/// `*.md` without quotes: a.md was TEXT, and all others were roots.
std::optional<std::string> expanded_glob(const Context& context) {
  const auto extension = [](std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot);
  };
  const std::string& text = *context.search.text;
  const std::string_view common = extension(text);
  if (common.empty() || context.search.paths.empty() || !context.is_file(text)) return {};
  for (const std::string& path : context.search.paths) {
    if (extension(path) != common || !context.is_file(path)) return {};
  }
  return "*" + std::string(common);
}

bool has_upper_case_ascii(std::string_view text) {
  return text::fold_ascii(text) != text;
}

std::optional<std::string> hint_on_text(const Context& context) {
  const FinishedSearch& search = context.search;
  if (search.text == nullptr || search.text->empty()) return {};
  const std::string& text = *search.text;
  const auto replaced = [&](const Words& by) { return in_place_of_text(search, by); };
  if (const auto glob = expanded_glob(context)) {
    Words line;
    for (std::size_t i = 0; i < search.typed.size(); ++i) {
      const auto& places = search.options.argument_places;
      if (std::find(places.begin(), places.end(), i) == places.end()) {
        line.push_back(search.typed[i]);
      }
    }
    line.insert(line.end(), {"-g", *glob});
    return advice("nothing found: the shell expanded an unquoted pattern", context, line);
  }
  if (context.is_directory(text)) {
    return advice(
        text::format("nothing found, but {} is a directory; to search below it", shown(text)),
        context, replaced({"--in", text}));
  }
  if (const std::string_view option = pattern_option_for(text); !option.empty()) {
    return advice(
        text::format("nothing found: {} was taken as text, not as a pattern", shown(text)), context,
        replaced({std::string(option), text}));
  }
  return {};
}

std::optional<std::string> hint_on_case(const Context& context) {
  const cli::Options& options = context.search.options;
  if (options.ignore_case || options.case_sensitive) return {};
  const std::vector<std::string>* const lists[] = {&options.texts, &options.globs, &options.exacts,
                                                   &options.starts, &options.ends};
  bool upper = context.search.text != nullptr && has_upper_case_ascii(*context.search.text);
  for (const auto* list : lists)
    upper = upper || std::any_of(list->begin(), list->end(), has_upper_case_ascii);
  if (!upper) return {};
  Words line = context.search.typed;
  line.insert(line.begin(), "-i");
  return advice("nothing found: upper case in a pattern makes it case-sensitive", context, line);
}

/// Whether something below `root` may have a path that begins with what `glob` begins with.
bool may_lie_below(std::string_view glob, std::string root) {
  const std::string_view literal = glob.substr(0, glob.find_first_of("*?[{\\"));
  if (!root.ends_with('/')) root += '/';
  return std::string_view(root).starts_with(literal) || literal.starts_with(root) ||
         literal == root;
}

void replace_value(Words& words, std::string_view old_value, const std::string& by) {
  for (std::string& word : words) {
    if (word == old_value) {
      word = by;
    } else if (word.size() > old_value.size() && word.starts_with("-") &&
               word.ends_with(old_value)) {
      word.replace(word.size() - old_value.size(), old_value.size(), by);
    }
  }
}

void hints_on_excludes(std::vector<std::string>& hints, const Context& context) {
  const FinishedSearch& search = context.search;
  const cli::Options& options = search.options;
  for (const std::string& glob : options.excludes) {
    const bool list =
        glob.find(',') != std::string::npos && glob.find_first_of("{[\\ ") == std::string::npos;
    if (list) {
      Words line = search.typed;
      replace_value(line, glob, "{" + glob + "}");
      hints.push_back(
          advice(text::format("-E {}: a comma in a glob is a comma", shown(glob)), context, line));
      continue;
    }
    if (!glob.starts_with('/') || !options.roots_files.empty() || options.all_volumes ||
        !options.volumes.empty()) {
      continue;
    }
    std::vector<std::string> roots = search.paths;
    if (roots.empty()) roots.emplace_back(".");
    const bool reaches = std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
      return may_lie_below(glob, context.host.absolute_path(root)) || may_lie_below(glob, root);
    });
    if (reaches) continue;
    Words line = search.typed;
    replace_value(line, glob, "." + glob);
    hints.push_back(advice(
        text::format("-E {}: nothing below the roots has such an absolute path", shown(glob)),
        context, line));
  }
}

bool may_be_extension(const std::string& text) {
  return !text.empty() && text.size() <= 8 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

/// fd's -e, given once or more. Not where one of them is an expression: that is known to be meant.
std::optional<std::string> hint_on_extension(const Context& context) {
  const Words& words = context.search.typed;
  const std::vector<std::string>& texts = context.search.options.regexes;
  const auto known = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
    return query::kind_of_file("x." + text) != 0;
  });
  if (known == texts.end() || !std::all_of(texts.begin(), texts.end(), may_be_extension)) return {};
  Words line = words;
  // From the last, so that places stay right; the words of a command are its own.
  const std::vector<std::size_t>& begins = context.search.begins;
  for (auto place = begins.rbegin(); place != begins.rend(); ++place) {
    std::string& word = line[*place];
    if (word == "-e" || word == "--regex") {
      word = "--ext";
    } else if (word.starts_with("--regex=")) {
      word.replace(0, word.find('='), "--ext");
    } else if (word.starts_with("-e") && word.size() > 2) {
      const std::string value = word.substr(2);
      word = "--ext";
      line.insert(line.begin() + static_cast<std::ptrdiff_t>(*place) + 1, value);
    }
  }
  if (line == words) return {};
  return advice(text::format("-e {} is a regular expression; for the extension", *known), context,
                line);
}

/// What to say when TEXT is a value that was meant for an option which takes it with "=" only, as
/// in "--count dir". Empty when it is none.
std::string misplaced_value(const cli::Options& options, std::string_view text) {
  for (const cli::OptionRow& row : cli::option_table()) {
    if (row.value_when_absent.empty()) continue;
    const auto& given = options.*std::get<cli::ValueTarget>(row.target);
    const bool alone = !given.empty() && given.back() == row.value_when_absent;
    const std::vector<std::string_view> words = cli::words_in(row.choices);
    if (!alone || std::find(words.begin(), words.end(), text) == words.end()) continue;
    return text::format("'{0}' was looked for in names; as the value of {1} it is written {1}={0}",
                        text, main_name(row));
  }
  return {};
}

}  // namespace

std::vector<std::string> hints_for(const FinishedSearch& search, const Host& host) {
  const Context context{search, host};
  const cli::Options& options = search.options;
  std::vector<std::string> hints;
  const auto add = [&](std::optional<std::string> hint) {
    if (hint) hints.push_back(std::move(*hint));
  };
  if (search.text != nullptr && search.field.empty()) {
    std::string misplaced = misplaced_value(options, *search.text);
    if (!misplaced.empty()) hints.push_back(std::move(misplaced));
  }
  add(hint_on_extension(context));
  hints_on_excludes(hints, context);
  // A search that deletes or runs a command and found nothing: no line that does it to more.
  const bool harmless = !options.has_action() && options.conditions.empty();
  if (!search.found && !options.quiet && hints.empty() && harmless) {
    add(hint_on_text(context));
    if (hints.empty()) add(hint_on_case(context));
  }
  return hints;
}

namespace {

std::string_view without_value(std::string_view word) {
  return word.substr(0, word.find('='));
}

UsageParts find_advice(std::string_view word, std::string_view here) {
  UsageParts parts;
  const bool example = here.substr(0, 6) == "ffind ";
  parts.what = text::format("{} is an option of find", word);
  if (!here.empty()) parts.guess = text::format("; {}{}", example ? "here: " : "", here);
  if (word[1] == 'e' || word[1] == 'g') {
    parts.advice =
        text::format("the pattern '{}' is written -{} {}", word.substr(2), word[1], word.substr(2));
  }
  return parts;
}

/// A word of find's or an option of fd's or rg's as what it is here; both have an example, or half
/// a sentence.
UsageParts advice_on(std::string_view name, const Foreign& row) {
  UsageParts parts;
  parts.what = text::format("{}'s {} is {}{}", row.program == Program::fd ? "fd" : "rg", name,
                            row.advice, row.advice[0] == '-' ? " here" : "");
  return parts;
}

/// Walks over the words of a command line of any program, to find one whose meaning is a guess: a
/// long option with one dash, an option of a program that cannot be told, a root that find would
/// not take. A guess is good enough for a line that searches.
class WordCheck {
 public:
  explicit WordCheck(const Words& words) : words_(words) {}

  /// Empty if every word is understood.
  std::string first_doubt() {
    while (at_ < words_.size() && !at_end_) {
      const std::string& word = words_[at_++];
      if (!understands(word)) return word;
    }
    return of_find_ ? foreign_ : std::string();
  }

  bool of_find() const { return of_find_; }

 private:
  bool understands(std::string_view word);
  bool understands_long(std::string_view word);
  bool understands_short(std::string_view word);
  bool is_flag_of_bsd(std::string_view word) const;
  bool skip_values_of_find(Values values);
  bool skip_foreign(const Foreign& foreign, bool has_value);

  /// A word that looks like an option is none of the values of ours that a line with an error has.
  bool skip_value() {
    if (at_ == words_.size()) return false;
    const std::string& value = words_[at_++];
    return !(find_word_of_find(value) != nullptr) &&
           cli::find_option(value.substr(0, value.find('='))) == nullptr;
  }

  const Words& words_;
  std::size_t at_ = 0;
  bool at_end_ = false;  ///< what follows is a command, or no option
  bool of_find_ = false;
  std::string foreign_{};  ///< an option of another program; it has no place in a line of find
};

bool WordCheck::understands(std::string_view word) {
  if (word == "--") return at_end_ = true;
  if (word.size() < 2 || word[0] != '-') {
    const bool joins = word == "(" || word == ")" || word == "!";
    of_find_ = of_find_ || word == "(" || word == "!";
    return joins || !of_find_;  // find has its roots before its expression
  }
  return word[1] == '-' ? understands_long(word) : understands_short(word);
}

bool WordCheck::understands_long(std::string_view word) {
  const std::string_view name = without_value(word);
  const bool has_value = name.size() < word.size();
  if (const cli::OptionRow* const row = cli::find_option(name)) {
    at_end_ = takes_command(*row);
    return at_end_ || has_value || !takes_value(*row) || skip_value();
  }
  if (const Foreign* const foreign = find_foreign(name)) return skip_foreign(*foreign, has_value);
  return cli::find_undone(name) != nullptr;
}

bool WordCheck::skip_foreign(const Foreign& foreign, bool has_value) {
  foreign_ = foreign.name;
  return foreign.program != Program::unknown &&
         (has_value || !takes_value(foreign) || skip_value());
}

bool WordCheck::understands_short(std::string_view word) {
  if (word == "-P" || (word == "-a" && of_find_)) return true;
  // -o is an option of fd, too.
  const Predicate* const of_find = find_word_of_find(word);
  if (of_find != nullptr && (word.size() > 2 || of_find_)) {
    of_find_ = true;
    return skip_values_of_find(of_find->values);
  }
  if (const Foreign* const foreign = find_foreign(word)) return skip_foreign(*foreign, false);
  if (!with_second_dash(word).empty()) return false;
  if (is_flag_of_bsd(word)) return true;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const cli::OptionRow* const row = cli::find_option(std::string{'-', word[i]});
    if (row == nullptr) return false;
    at_end_ = takes_command(*row);
    if (at_end_) return true;
    if (takes_value(*row)) return i + 1 < word.size() || skip_value();
  }
  return true;
}

/// -x and -X before a root and an expression of find.
bool WordCheck::is_flag_of_bsd(std::string_view word) const {
  return (word == "-x" || word == "-X") && at_ + 1 < words_.size() &&
         words_[at_].find('/') != std::string::npos &&
         find_word_of_find(words_[at_ + 1]) != nullptr;
}

bool WordCheck::skip_values_of_find(Values values) {
  if (values == Values::command) {
    while (at_ < words_.size()) {
      const std::string& part = words_[at_++];
      if (part == ";" || (part == "+" && words_[at_ - 2] == "{}")) return true;
    }
    return false;
  }
  at_ += values == Values::none ? 0 : values == Values::one ? 1 : 2;
  return at_ <= words_.size();
}

/// The argument that `line` takes for something else than the typed words say: find's root, if it
/// is missing, as TEXT; TEXT of others, in `. src`, as a directory. Empty if there is none.
std::string reread_argument(const Words& typed, const Words& line, bool of_find) {
  const std::string_view option = of_find ? "-F" : "--in";
  if (std::find(typed.begin(), typed.end(), option) != typed.end()) return {};
  if (!of_find && (typed.empty() || !text::looks_like_path(typed.front()))) return {};
  const auto found = std::find(line.begin(), line.end(), option);
  return found == line.end() || found + 1 == line.end() ? std::string() : *(found + 1);
}

}  // namespace

std::optional<UsageParts> advice_on_habit(std::string_view name) {
  const bool is_long = name.substr(0, 2) == "--";
  if (is_long) {
    const Foreign* const foreign = find_foreign(name);
    if (foreign != nullptr && !foreign->advice.empty()) return advice_on(name, *foreign);
  }
  const std::string_view word = without_value(is_long ? name.substr(1) : name);
  const Predicate* const of_find = find_word_of_find(word);
  if (of_find == nullptr) return std::nullopt;
  return find_advice(word, of_find->advice);
}

std::string with_second_dash(std::string_view word) {
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return {};
  std::string longer = "-" + std::string(word);
  const std::string_view name = without_value(longer);
  return name == "--in" || cli::find_option(name) == nullptr ? std::string() : longer;
}

std::string nearest_option(std::string_view name) {
  std::vector<std::string_view> candidates;
  const bool is_long = name.substr(0, 2) == "--";
  for (const cli::OptionRow& row : cli::option_table()) {
    for (const std::string_view known : names_of(row)) {
      if (is_long != (known.substr(0, 2) == "--")) continue;
      if (is_long && name.size() > 3 && known.substr(0, name.size()) == name) {
        return std::string(known);
      }
      candidates.push_back(known);
    }
  }
  return is_long ? text::nearest(name, candidates) : std::string();
}

std::string line_to_paste(const Words& words) {
  std::string line = "ffind";
  for (const std::string& word : words) line += ' ' + text::shell_word(word);
  return line;
}

Offer offer(const Words& typed, const Words& line, const Host& host) {
  if (host.acts(line)) {
    WordCheck check(typed);
    if (std::string doubt = check.first_doubt(); !doubt.empty()) return {{}, std::move(doubt)};
    if (std::string doubt = reread_argument(typed, line, check.of_find()); !doubt.empty()) {
      return {{}, std::move(doubt)};
    }
  }
  return {line_to_paste(line), {}};
}

std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names) {
  const query::Field* const field = query::find_field(word);
  const bool known =
      field != nullptr && std::find(names.begin(), names.end(), field->name) != names.end();
  return text::did_you_mean(known ? std::string(field->name) : text::fold_ascii(word), names);
}

}  // namespace ffind::foreign
