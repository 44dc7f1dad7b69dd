// SPDX-License-Identifier: MIT
// One function for each thing that hands do by habit.
#include "foreign/foreign.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "query/kinds.h"
#include "text/ascii.h"
#include "text/format.h"
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

}  // namespace ffind::foreign
