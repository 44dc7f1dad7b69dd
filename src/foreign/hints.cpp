// SPDX-License-Identifier: MIT
// Hints at what was meant, for words that are right in another program.
//
// Two occasions. An unknown option: advice_on_habit() reads the tables for its counterpart, and
// with_second_dash(), nearest_option() and field_suggestion() find what a misspelt word may have
// been. A search that is over: hints_for() looks at its words for a habit that made it look for
// something else than was meant, one function each, and proposes the line without it:
//
//     -e pdf                  fd's extension, here a regular expression
//     -E a,b and -E /usr/x    a comma that separates nothing, an absolute path out of reach
//     '*.txt'                 TEXT that looks like a pattern; also one that the shell expanded
//     src                     TEXT that is a directory
//     Resume                  TEXT with a capital, which made case matter
//     --tree src              TEXT that is the only directory found
//
// All but the last and the first two apply to a search that found nothing.
#include "foreign/foreign.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::foreign {
namespace {

std::string shown(std::string_view text) {
  return "'" + text::excerpt(text) + "'";
}

/// A search that is over, with the access to the disk that its hints need. The functions below
/// return nullopt if they have nothing to say.
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

/// A message: `what`, followed by the line to try if that may be offered.
std::string advice(std::string_view what, const Context& context, const Words& line) {
  const Offer offered = offer(context.search.typed, line, context.host);
  if (offered.line.empty()) return std::string(what);
  return text::format("{}\n  try: {}", what, offered.line);
}

/// The typed words with `replacement` in place of TEXT; `replacement` alone if TEXT is part of a
/// saved search. `ffind '*.txt' src -t f` with {-g, *.txt} is `-g '*.txt' src -t f`.
Words in_place_of_text(const FinishedSearch& search, const Words& replacement) {
  Words line = search.typed;
  for (const std::size_t place : search.options.argument_places) {
    if (place >= line.size() || line[place] != *search.text) continue;
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(place));
    line.insert(line.begin() + static_cast<std::ptrdiff_t>(place), replacement.begin(),
                replacement.end());
    // After `--` the replacement would not be read as an option.
    line.erase(std::remove(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(place), "--"),
               line.begin() + static_cast<std::ptrdiff_t>(place));
    return line;
  }
  return replacement;
}

/// -g or -e for TEXT that looks like a glob or a regular expression; else empty.
///
///     *.txt, a?c, *.*           -g
///     .*\.c, ^a, a|b, [ab]*     -e
std::string_view pattern_option_for(std::string_view text) {
  if (text.find_first_of("*?[|^$\\") == std::string_view::npos) return {};
  // Signs that globs do not have, combinations that are rare in one, or a set alone, which as a
  // glob would have to be the whole name.
  const bool expression = text.find_first_of("|^$\\+(") != std::string_view::npos ||
                          text.find(".*") != std::string_view::npos ||
                          text.find(".+") != std::string_view::npos ||
                          text.find("]*") != std::string_view::npos ||
                          text.find_first_of("*?") == std::string_view::npos;
  // *.* is a glob although .* is in it.
  const bool shells =
      text.starts_with("*") && text.find_first_of("|^$\\+(") == std::string_view::npos;
  return expression && !shells ? "-e" : "-g";
}

/// The glob that the shell expanded, such as `*.md`: TEXT and all roots are files that end alike.
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

/// The first hint at TEXT that applies, the most certain first.
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

/// A capital in a pattern makes case matter; -i undoes that.
std::optional<std::string> hint_on_case(const Context& context) {
  if (!context.search.matches_in_any_case) return {};
  const cli::Options& options = context.search.options;
  Words texts;
  if (context.search.text != nullptr) texts.push_back(*context.search.text);
  for (const auto* list : {&options.texts, &options.globs, &options.exacts, &options.starts,
                           &options.ends, &options.regexes, &options.queries}) {
    texts.insert(texts.end(), list->begin(), list->end());
  }
  const auto capital = std::find_if(texts.begin(), texts.end(), has_upper_case_ascii);
  Words line = context.search.typed;
  line.insert(line.begin(), "-i");
  return advice(
      capital == texts.end()
          ? std::string("nothing found: case mattered")
          : text::format("nothing found: {} has a capital, so case mattered", shown(*capital)),
      context, line);
}

/// `--tree Documents` finds a directory of that name and shows nothing below it.
std::optional<std::string> hint_on_tree(const Context& context) {
  const FinishedSearch& search = context.search;
  if (!search.options.tree || search.matches != 1 || search.text == nullptr) return {};
  if (!search.field.empty() || !search.options.types.empty()) return {};
  if (!context.is_directory(*search.text)) return {};
  return advice(
      text::format("only {} itself was found; for the tree below it", shown(*search.text)), context,
      in_place_of_text(search, {"--in", *search.text}));
}

/// False if no path below `root` can match `glob`, because their literal beginnings differ.
/// "/home/*/.cache" may be below /home, /home/me and /, but not below /usr.
bool may_lie_below(std::string_view glob, std::string root) {
  const std::string_view literal = glob.substr(0, glob.find_first_of("*?[{\\"));
  if (!root.ends_with('/')) root += '/';
  return std::string_view(root).starts_with(literal) || literal.starts_with(root) ||
         literal == root;
}

/// Replaces the value of an option, whether it is a word of its own or the end of one.
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

/// -E takes one glob, and an absolute one is compared with absolute paths. `-E a,b` becomes -E
/// '{a,b}', and `-E /build` becomes -E ./build.
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

/// fd's -e, given once or more. No hint if one of the values can only be an expression: then -e was
/// meant as it is here. A known extension is one that has a kind of file.
std::optional<std::string> hint_on_extension(const Context& context) {
  const Words& words = context.search.typed;
  const std::vector<std::string>& texts = context.search.options.regexes;
  const auto known = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
    return query::kind_of_file("x." + text) != 0;
  });
  if (known == texts.end() || !std::all_of(texts.begin(), texts.end(), may_be_extension)) return {};
  Words line = words;
  // From the last one, since an inserted word moves those after it. Words of a command are not in
  // `begins`, so an -e among them stays.
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

/// A message if TEXT is a value of an option that takes it after "=" only, as in "--count dir";
/// else empty.
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
  // No proposal to a search that acts: the line would do the same to more files.
  const bool harmless = !options.has_action() && options.conditions.empty();
  if (options.quiet || !hints.empty() || !harmless) return hints;
  if (search.matches == 0) add(hint_on_text(context));
  if (search.matches == 0 && hints.empty()) add(hint_on_case(context));
  add(hint_on_tree(context));
  return hints;
}

namespace {

std::string_view without_value(std::string_view word) {
  return word.substr(0, word.find('='));
}

/// `here` is a row's advice. -exec and -group begin like options of ours that take a pattern.
/// "-exec is an option of find; here: ffind -x COMMAND", and "the pattern 'xec' is written -e xec".
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

/// Only options of fd and rg have advice; a row of grep's that has one is rg's, too.
UsageParts advice_on(std::string_view name, const Foreign& row) {
  UsageParts parts;
  parts.what = text::format("{}'s {} is {}{}", row.program == Program::fd ? "fd" : "rg", name,
                            row.advice, row.advice[0] == '-' ? " here" : "");
  return parts;
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

/// The first option that begins with `name`, else the nearest by spelling. Short ones have no near
/// misses.
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

std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names) {
  const query::Field* const field = query::find_field(word);
  const bool known =
      field != nullptr && std::find(names.begin(), names.end(), field->name) != names.end();
  return text::did_you_mean(known ? std::string(field->name) : text::fold_ascii(word), names);
}

}  // namespace ffind::foreign
