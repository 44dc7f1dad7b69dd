// SPDX-License-Identifier: MIT
// Hints after a search. hints_for() looks at its words for a habit that made it look for something
// else than was meant, one function each, and proposes the line without it. Most apply only to a
// search that found nothing. -e, `. src` and TEXT that is a directory are doubts: before an action
// they are errors.
#include "foreign/foreign.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "foreign/tables.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "query/language/query_line.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::foreign {
namespace {

using cli::Id;

std::string shown(std::string_view text) {
  return "'" + text::excerpt(text) + "'";
}

// The functions below return nullopt if they have nothing to say.
using Hint = std::optional<std::string>;

/// A message: `what`, followed by the line to try.
std::string advice(std::string_view what, const Words& line) {
  return text::format("{}\n  try: {}", what, line_to_paste(line));
}

/// The typed line with values of `id` in place of TEXT, or with another TEXT: `ffind 'a|b' src -t
/// f` by -e is `-t f -e 'a|b' src`. Only these if TEXT is of a saved search.
Words in_place_of_text(const FinishedSearch& search, std::optional<Id> id, const Words& values) {
  cli::Options line = search.line;
  if (std::erase(line.arguments, *search.text) == 0) line = {};
  for (const std::string& value : values) {
    if (id) line.add(*id, value);
    if (!id) line.arguments.insert(line.arguments.begin(), value);
  }
  // Without TEXT, the argument after it would be read as TEXT.
  if (id == Id::in) {
    for (const std::string& path : std::exchange(line.arguments, {})) line.add(Id::in, path);
  }
  return written(line);
}

/// -g or -e for TEXT that looks like a glob or a regular expression; else empty.
///
///     *.*, *.tar.*              -g
///     .*\.c, ^a, a|b, [ab]*     -e
std::string_view pattern_option_for(std::string_view text) {
  const auto has = [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; };
  const auto has_any = [&](std::string_view signs) {
    return text.find_first_of(signs) != std::string_view::npos;
  };
  // c++ is a name.
  const bool repeats = has("+") && text[0] != '+' && !has("++");
  if (!has_any("*?[|^$\\") && !repeats) return {};
  // Signs that globs do not have, combinations that are rare in one, or a set alone, which as a
  // glob would have to be the whole name.
  if (has_any("|^$\\+(")) return "-e";
  const bool expression = has(".*") || has(".+") || has("]*") || !has_any("*?");
  // *.* is a glob although .* is in it.
  return expression && !text.starts_with("*") ? "-e" : "-g";
}

/// The typed line with `value`, and perhaps another `id`, in place of an option.
Words with_value(const FinishedSearch& search, const cli::Given& one, const std::string& value,
                 std::optional<Id> id = {}) {
  cli::Options line = search.line;
  cli::Given& changed = line.given[static_cast<std::size_t>(&one - search.line.given.data())];
  changed.id = id.value_or(one.id);
  changed.value = value;
  return written(line);
}

/// Words that would be parts of one TEXT, or terms of --query: `ffind annual report` without a path
/// `report`, and `ffind ext:jpg`. A TEXT with blanks only if its words apart were seen to match.
Hint hint_on_words(const FinishedSearch& search, const Host& host) {
  const auto read = words_as_query(search, host);
  if (!read) return {};
  const Words& words = search.options.arguments;
  const std::string what =
      read->has_terms && words.size() == 1
          ? text::format("nothing found: {} was read as text, not as a query", shown(read->text))
      : words.size() == 1
          ? text::format("nothing found: {} was read as one text; for its words in any order",
                         shown(read->text))
          : text::format("the first argument is the text, the others are paths; for {} words",
                         words.size() == 2 ? "both" : "all");
  return advice(what, read->line);
}

/// Fields of Everything that queries do not have, as TEXT.
Hint hint_on_everything(const FinishedSearch& search, const Host& /*host*/) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"attrib", "--only-hidden and --locked find by attributes"},
      {"case", "-s makes case matter"},
      {"dupe sizedupe", "ffind --help duplicates"},
      {"childcount len", "there is none like it here"},
      {"album artist dimensions height orientation title width",
       "--if asks a program, such as exiftool or ffprobe"}};
  if (search.text == nullptr) return {};
  const std::string& text = *search.text;
  const std::string name = text::fold_ascii(text.substr(0, text.find(':')));
  if (name.size() == text.size()) return {};
  if (name.size() + 1 == text.size() && is_query_line(text + "1")) {
    return text::format("nothing found: {} has no value; a shell takes > and < that are not quoted",
                        shown(text));
  }
  for (const auto& [known, here] : words) {
    if (!lists(known, name)) continue;
    return text::format("nothing found: {}: is a word of Everything; {}", name, here);
  }
  return {};
}

/// A query of mdfind: 'kMDItemFSName == "*.pdf"c' is a glob, 'kMDItemFSSize > 1000' an expression.
Hint hint_on_spotlight(const FinishedSearch& search, const Host& host) {
  if (search.text == nullptr || !search.text->starts_with("kMDItem")) return {};
  const std::string& text = *search.text;
  const std::size_t begin = text.find('"');
  const std::size_t end = text.rfind('"');
  const bool is_name = text.substr(0, text.find_first_of(" =")).ends_with("Name");
  const std::string what = "nothing found: kMDItem is of Spotlight";
  std::string meant = text;
  if (is_name && begin < end && text.find_first_of("&|") == text.npos) {
    meant = text.substr(begin + 1, end - begin - 1);
  } else {
    if (meant.ends_with("\"c")) meant.pop_back();
    replace_all(meant, {{"kMDItemFS", ""},
                        {"kMDItem", ""},
                        {"Display", ""},
                        {"ContentModificationDate", "modified"},
                        {"ContentChangeDate", "modified"},
                        {"ContentCreationDate", "created"},
                        {"LastUsedDate", "last_opened"},
                        {"\"c ", "\" "},
                        {"== \"*", "glob \"*"}});
  }
  const bool is_expression = meant.find_first_of("<>=") != meant.npos;
  const Words line = in_place_of_text(search, is_expression ? Id::where : Id::glob, {meant});
  return host.is_valid(line) ? advice(what, line) : what + "; ffind --help --where lists fields";
}

/// The globs of "*.jpg;*.png", "*.jpg|*.png" and "*.jpg *.png"; none for anything else.
Words globs_in(std::string text) {
  replace_all(text, {{";", " "}, {"|", " "}, {",", " "}});
  Words globs = split(text);
  std::erase(globs, "");
  const bool are_alike = std::all_of(globs.begin(), globs.end(), [](const std::string& glob) {
    return glob.starts_with("*.") && glob.find_first_of("^$\\+(") == std::string::npos;
  });
  return are_alike && globs.size() > 1 ? globs : Words();
}

/// `text`, a path with backslashes as Windows has them, with slashes. Empty if its first part is no
/// directory here, and for a regular expression, such as "src/.*\.c$".
std::string path_of_windows(std::string text, const Host& host) {
  if (text.find('\\') == 0 || text.find('\\') == std::string::npos) return {};
  if (text.find_first_of("*?$^|()[]+") != std::string::npos) return {};
  std::replace(text.begin(), text.end(), '\\', '/');
  return is_directory(host, text.substr(0, text.find('/'))) ? text : std::string();
}

Hint hint_on_backslashes(const FinishedSearch& search, const Host& host) {
  const std::string path = search.text == nullptr ? "" : path_of_windows(*search.text, host);
  if (path.empty() || search.options.acts()) return {};
  const bool is_root = is_directory(host, path);
  return advice(text::format("nothing found: {} has backslashes", shown(*search.text)),
                in_place_of_text(search, is_root ? std::optional(Id::in) : std::nullopt, {path}));
}

/// "help" or "version" as TEXT, whatever was found.
Hint hint_on_help(const FinishedSearch& search) {
  if (search.typed != Words{"help"} && search.typed != Words{"version"}) return {};
  const std::string& word = search.typed.front();
  return advice(text::format("names with {} were sought; for the option", shown(word)),
                {"--" + word});
}

/// The hint at TEXT that looks like a pattern, or a glob that looks like another one. A search that
/// acts gets no line: it would do the same to more files.
Hint hint_on_pattern(const FinishedSearch& search, const Host& host) {
  if (search.text == nullptr) return {};
  const std::string& text = *search.text;
  const std::string_view option = pattern_option_for(text);
  const Words globs = globs_in(text);
  if (option.empty() || (search.text_is_glob && globs.empty() && option == "-g")) return {};
  const std::string what =
      text::format("{}{} was taken as {}", search.matches == 0 ? "nothing found: " : "",
                   shown(text), search.text_is_glob ? "one glob" : "text, not as a pattern");
  if (search.options.acts()) return what;
  const Id id = option == "-e" && globs.empty() ? Id::regex : Id::glob;
  const Words line = in_place_of_text(search, id, globs.empty() ? Words{text} : globs);
  if (!host.is_valid(line)) return {};  // C:\Users
  return advice(what, line);
}

/// A glob, as TEXT or of -g, has to match the whole name; a wider one was seen to match. For TEXT
/// that was taken as letters, it is TEXT itself.
Hint hint_on_whole_name(const FinishedSearch& search, const Host& /*host*/) {
  if (!search.has(Variant::wider_glob)) return {};
  const std::string& wider = search.met.at(Variant::wider_glob);
  if (search.text != nullptr) {
    return advice(text::format("nothing found: {} was taken as {}", shown(*search.text),
                               search.text_is_glob ? "a glob, which matches from end to end"
                                                   : "text, not as a pattern"),
                  in_place_of_text(search, Id::glob, {wider}));
  }
  const auto option = std::find_if(search.line.given.begin(), search.line.given.end(),
                                   [](const cli::Given& one) { return one.id == Id::glob; });
  const std::string what =
      text::format("nothing found: -g {} matches from end to end", shown(option->value));
  if (!search.field.empty() || option->value.find_first_of("*?[{\\") != std::string::npos) {
    return advice(what, with_value(search, *option, wider));
  }
  cli::Options line = search.line;
  line.take_out(Id::glob);
  line.arguments.insert(line.arguments.begin(), option->value);
  return advice(what, written(line));
}

/// A glob that the shell expanded, such as `*.md`: TEXT and all PATHs are files of one directory
/// that end alike.
Hint hint_on_expansion(const FinishedSearch& search, const Host& host) {
  if (search.text == nullptr || search.paths.empty()) return {};
  const std::size_t dot = std::min(search.text->rfind('.'), search.text->size());
  const std::string end = search.text->substr(dot);
  const std::string directory(text::parent_of(*search.text));
  const auto is_alike = [&](const std::string& path) {
    const std::size_t at = path.rfind('.');
    const Place place = host.place_of(path);
    return at != 0 && at != std::string::npos && path.substr(at) == end &&
           text::parent_of(path) == directory && (place == Place::link || place == Place::other);
  };
  if (!is_alike(*search.text)) return {};
  // `*.md docs`, if one file ends so
  if (search.paths.size() == 1 && is_directory(host, search.paths.front())) {
    return advice("nothing found: the shell may have expanded a pattern",
                  in_place_of_text(search, Id::glob, {"*" + end}));
  }
  if (!std::all_of(search.paths.begin(), search.paths.end(), is_alike)) return {};
  cli::Options line = search.line;
  line.arguments.clear();
  line.add(Id::glob, "*" + end);
  // "Documents/*.md" is of one directory; "*.md" was meant for all.
  if (!directory.empty()) line.add(Id::max_depth, "1");
  if (!directory.empty()) line.add(Id::in, directory);
  return advice("nothing found: the shell expanded an unquoted pattern", written(line));
}

/// A capital in a pattern makes case matter, and diacritics do; both can be ignored. Names that
/// would have matched as well are worth a line.
Hint hint_on_letters(const FinishedSearch& search, const Host& /*host*/) {
  const bool by_case = search.has(Variant::any_case);
  const bool by_diacritics = search.has(Variant::without_diacritics);
  const bool both = by_case == by_diacritics;
  if (both && !search.has(Variant::any_letters)) return {};
  const bool has_matches = search.matches > 0;
  if (has_matches && (search.options.has(Id::limit) || search.options.has(Id::one))) return {};
  Words line = search.typed;
  if (both || by_diacritics) line.insert(line.begin(), "--ignore-diacritics");
  if (both || by_case) line.insert(line.begin(), "-i");
  const std::string_view what = both ? "case and diacritics" : by_case ? "case" : "diacritics";
  if (has_matches && by_case && !both) {
    return advice(search.met.at(Variant::any_case) + " more if case did not matter", line);
  }
  if (has_matches) return advice(text::format("{} mattered; to find more", what), line);
  if (!by_case || both) return advice(text::format("nothing found: {} mattered", what), line);
  const cli::Options& options = search.options;
  Words texts;
  if (search.text != nullptr) texts.push_back(*search.text);
  for (const cli::Given& one : options.given) {
    if (cli::is_pattern_option(one.id)) texts.push_back(one.value);
  }
  const auto capital = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
    return text::fold_ascii(text) != text;
  });
  return advice(
      capital == texts.end()
          ? std::string("nothing found: case mattered")
          : text::format("nothing found: {} has a capital, so case mattered", shown(*capital)),
      line);
}

/// False if no path below `root` can match `glob`, because their literal beginnings differ.
/// "/home/*/.cache" may be below /home, /home/me and /, but not below /usr.
bool may_lie_below(std::string_view glob, std::string root) {
  const std::string_view literal = glob.substr(0, glob.find_first_of("*?[{\\"));
  if (!root.ends_with('/')) root += '/';
  return std::string_view(root).starts_with(literal) || literal.starts_with(root) ||
         literal == root;
}

/// A size is read as its granule: 10M is 10.0 to 10.9 MB.
Hint hint_on_granule(const FinishedSearch& search, const Host& /*host*/) {
  for (const cli::Given& one : search.line.given) {
    const bool is_plain = one.value.find_first_of("<>=+-.") == std::string::npos;
    if (one.id != Id::size || !is_plain || search.options.acts()) continue;
    return advice(text::format("nothing found: --size {} is that size only; for at least that",
                               shown(one.value)),
                  with_value(search, one, ">=" + one.value));
  }
  return {};
}

/// '!' is a letter in a glob, so -E '!x', and a -g '!x' that finds nothing, was meant as -E x. An
/// absolute -E is compared with absolute paths: `-E /build` is -E ./build.
void hints_on_globs(std::vector<std::string>& hints, const FinishedSearch& search,
                    const Host& host) {
  const cli::Options& options = search.options;
  const bool knows_roots =
      !options.has(Id::files0_from) && !options.has(Id::all_volumes) && !options.has(Id::volume);
  for (const cli::Given& one : search.line.given) {
    const bool is_glob = one.id == Id::glob && search.matches == 0;
    if (!is_glob && one.id != Id::exclude) continue;
    const std::string& glob = one.value;
    if (glob.starts_with('!') && glob.size() > 1 && !options.acts()) {
      hints.push_back(advice(text::format("{} {}: '!' is a letter in a glob; to skip what matches",
                                          is_glob ? "-g" : "-E", shown(glob)),
                             with_value(search, one, glob.substr(1), Id::exclude)));
    }
    if (is_glob || !glob.starts_with('/') || !knows_roots) continue;
    const std::vector<std::string> roots = search.paths.empty() ? Words{"."} : search.paths;
    const bool reaches = std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
      return may_lie_below(glob, host.absolute_path(root)) || may_lie_below(glob, root);
    });
    if (reaches) continue;
    hints.push_back(advice(
        text::format("-E {}: nothing below the roots has such an absolute path", shown(glob)),
        with_value(search, one, "." + glob)));
  }
}

/// A word of --query that looks like a regular expression, which is name:~ there.
Hint hint_on_query(const FinishedSearch& search, const Host& host) {
  for (const cli::Given& one : search.line.given) {
    if (one.id != Id::query) continue;
    std::string culprit;
    const std::string meant =
        with_terms(one.value, [&](const query::QueryTerm& term, const std::string& word) {
          const bool is_word = term.field == nullptr && !term.is_flag && !term.excluded &&
                               term.value.quote == query::Quote::none;
          if (!is_word || pattern_option_for(term.value.text) != "-e") return std::string();
          culprit = word;
          const std::string path = path_of_windows(word, host);
          return path.empty() ? "name:~" + word : path;
        });
    const Words line = with_value(search, one, meant);
    if (culprit.empty() || !host.is_valid(line)) continue;
    return advice(
        text::format("nothing found: {} was taken as text, not as a pattern", shown(culprit)),
        line);
  }
  return {};
}

/// fd's flags -F and --regex: `ffind -F -t f report` looks for "-t". A search that acts gets no
/// line.
Hint hint_on_text_option(const FinishedSearch& search, const Host& host) {
  const bool is_regex = !search.options.has(Id::text);
  const std::vector<std::string> texts = search.options.all(is_regex ? Id::regex : Id::text);
  const auto option = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
    return cli::is_option_word(text) || is_foreign_option(text);
  });
  if (option == texts.end()) return {};
  const std::string what = text::format("nothing found: {} was taken as the {}", shown(*option),
                                        is_regex ? "expression of -e" : "text of -F");
  if (search.options.acts()) return what;
  const auto line = line_as_fd(search.typed, host);
  return line ? Hint(advice(what, *line)) : Hint();
}

// A search that is valid here, and that people who come from fd mean otherwise, has two meanings:
// the likelier one, and that of the line as typed.

UsageParts with_meanings(std::string what, std::string_view purpose, const Words& line,
                         std::string_view other_purpose, const Words& other_line) {
  return {.what = std::move(what),
          .meanings = {{std::string(purpose), line_to_paste(line)},
                       {std::string(other_purpose), line_to_paste(other_line)}}};
}

/// fd's -e js, an extension. `path -e` is none of fd's.
std::optional<UsageParts> doubt_on_extension(const FinishedSearch& search, const Host& host) {
  const std::vector<std::string> values = search.options.all(Id::regex);
  const auto is_extension = [](std::string_view value) {
    return query::is_extension(value.substr(value.starts_with('.') ? 1 : 0));
  };
  if (values.empty() || search.field == "path" ||
      !std::all_of(values.begin(), values.end(), is_extension)) {
    return {};
  }
  cli::Options expression = search.line;
  for (cli::Given& one : expression.given) {
    if (one.id == Id::regex) one.value.insert(0, "(").append(")");
  }
  // The option is in a saved search.
  if (!search.line.has(Id::regex)) {
    expression = {};
    expression.add(Id::regex, "(" + values.front() + ")");
  }
  // Arguments next to -e are PATHs, and would be TEXT. One that does not exist was meant as that.
  cli::Options extension = search.line;
  if (!search.line.has(Id::regex)) extension = {};
  if (!search.line.has(Id::regex)) extension.add(Id::ext, values.front());
  for (cli::Given& one : extension.given) {
    if (one.id == Id::regex) one.id = Id::ext;
  }
  std::erase(extension.arguments, search.field);
  std::erase(extension.arguments, ".");
  for (const std::string& word : std::exchange(extension.arguments, {})) {
    const bool is_text = host.place_of(word) == Place::missing && extension.arguments.empty();
    if (is_text) extension.arguments.push_back(word);
    if (!is_text) extension.add(Id::in, word);
  }
  return with_meanings(text::format("-e {} was read as a regular expression", values.front()),
                       "for the extension", written(extension), "for the expression",
                       written(expression));
}

/// fd's `. src`, the pattern and a directory. Here both are PATHs. If `.` contains the others, the
/// plan drops them, and an action is in doubt.
std::optional<UsageParts> doubt_on_dot(const FinishedSearch& search, const Host& /*host*/) {
  const Words& arguments = search.options.arguments;
  const bool is_dropped = std::any_of(search.dropped.begin(), search.dropped.end(),
                                      [](const DroppedRoot& root) { return root.typed == "."; });
  const bool contains = !search.dropped.empty() && !is_dropped &&
                        search.dropped.size() + 1 == search.paths.size() &&
                        std::find(arguments.begin(), arguments.end(), ".") != arguments.end();
  const bool is_apart = search.dropped.empty() && arguments.size() == 2 &&
                        search.paths.size() == 2 && arguments.front() == "." &&
                        !search.options.acts();
  if ((!contains && !is_apart) || search.options.has(Id::in)) return {};
  cli::Options others = search.line;
  std::erase(others.arguments, ".");
  cli::Options dot = search.line;
  std::erase_if(dot.arguments, [&](const std::string& word) {
    return word != "." &&
           std::find(search.paths.begin(), search.paths.end(), word) != search.paths.end();
  });
  return with_meanings(contains ? text::format("'.' is a path, and {} is below it",
                                               shown(search.dropped.front().typed))
                                : std::string("'.' is a path, and was searched, too"),
                       "to leave out '.'", written(others), "to search all of '.'", written(dot));
}

/// TEXT that is a directory. Its name alone is common as TEXT, so there is no doubt if something
/// was found.
std::optional<UsageParts> doubt_on_directory(const FinishedSearch& search, const Host& host) {
  const cli::Options& options = search.options;
  if (search.text == nullptr || search.text->empty()) return {};
  const bool has_root = !search.paths.empty() || options.has(Id::files0_from) ||
                        options.has(Id::volume) || options.has(Id::all_volumes);
  const bool finds_nothing = search.matches == 0 && !options.acts();
  if (!finds_nothing && (has_root || !search.has_more_than_text)) return {};
  if (!is_directory(host, *search.text)) return {};
  // `Documents pdf`
  const std::vector<std::size_t>& places = options.argument_places;
  if (finds_nothing && places.size() == 2 &&
      host.place_of(search.paths.front()) == Place::missing) {
    Words line = search.typed;
    std::swap(line[places.front()], line[places.back()]);
    return UsageParts{.what = text::format("{} is a directory", shown(*search.text)),
                      .meanings = {{"to search below it", line_to_paste(line)}}};
  }
  return with_meanings(text::format("{} was read as text, but is a directory", shown(*search.text)),
                       "to search below it", in_place_of_text(search, Id::in, {*search.text}),
                       "to find the text", in_place_of_text(search, Id::text, {*search.text}));
}

/// Nothing that passes the filters has TEXT in its name, but something in a folder has: album and
/// artist are often the folder.
Hint hint_on_folder(const FinishedSearch& search, const Host& /*host*/) {
  if (!search.has(Variant::in_folder)) return {};
  cli::Options line = search.line;
  if (std::erase(line.arguments, *search.text) == 0) return {};
  line.arguments.insert(line.arguments.begin(), "path");
  line.add(Id::text, *search.text);
  return advice(
      text::format("nothing found: {} is in no name, but a folder has it", shown(*search.text)),
      written(line));
}

/// A name was met with a word that is spelt almost as TEXT, or as one of --query.
Hint hint_on_spelling(const FinishedSearch& search, const Host& /*host*/) {
  if (!search.has(Variant::misspelt)) return {};
  const std::string& met = search.met.at(Variant::misspelt);
  std::string name = text::fold_ascii(met);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !text::is_letter(c); }, ' ');
  const Words words = split(name);
  const auto query = std::find_if(search.line.given.begin(), search.line.given.end(),
                                  [](const cli::Given& one) { return one.id == Id::query; });
  const bool is_text = query == search.line.given.end();
  if (is_text && search.text == nullptr) return {};
  std::string meant;
  for (const std::string& word : split(is_text ? *search.text : query->value)) {
    const std::string near = text::nearest(text::fold_ascii(word), {words.begin(), words.end()});
    if (is_text && near.empty()) return {};
    meant.append(meant.empty() ? "" : " ").append(near.empty() ? word : near);
  }
  if (meant == (is_text ? *search.text : query->value)) return {};
  return advice(
      "nothing found; a name like it: " + shown(met),
      is_text ? in_place_of_text(search, {}, {meant}) : with_value(search, *query, meant));
}

/// TEXT is a value of an option that takes it after "=" only, as in "--count dir".
Hint hint_on_value(const FinishedSearch& search) {
  if (search.text == nullptr || !search.field.empty()) return {};
  const std::string_view text = *search.text;
  for (const cli::OptionRow& row : cli::option_table()) {
    if (!has_optional_value(row)) continue;
    const bool alone = search.options.last(row.id) == row.value_when_absent;
    const std::vector<std::string_view> words = cli::words_in(row.choices);
    if (!alone || std::find(words.begin(), words.end(), text) == words.end()) continue;
    const bool groups = row.id == Id::count;
    const std::string_view name = text == "dir" ? "directory" : text;
    return text::format("'{}' was read as TEXT; {}: {}={}", text,
                        groups ? text::format("to group by {}", name) : "as the value",
                        main_name(row), text);
  }
  return {};
}

}  // namespace

std::string spellings_near(std::string_view text, std::size_t least) {
  const std::string word = text::fold_ascii(text);
  const bool is_word = std::all_of(word.begin(), word.end(), text::is_letter);
  if (!is_word || word.size() < least || word.size() > 20) return {};
  std::string any;
  for (std::size_t i = 2; i <= word.size(); ++i) {
    any += (i == 2 ? "" : "|") + word.substr(0, i - 2) + ".{0,3}" + word.substr(i);
  }
  return "(^|[^a-z])(" + any + ")([^a-z]|$)";
}

std::optional<UsageParts> doubt_before_action(const FinishedSearch& search, const Host& host) {
  for (const auto doubt_on : {doubt_on_extension, doubt_on_dot, doubt_on_directory}) {
    if (auto found = doubt_on(search, host)) return found;
  }
  return {};
}

std::vector<std::string> hints_for(const FinishedSearch& search, const Host& host) {
  const cli::Options& options = search.options;
  std::vector<std::string> hints;
  const auto add = [&](Hint hint) {
    if (hint) hints.push_back(std::move(*hint));
  };
  add(hint_on_value(search));
  const auto doubt = hints.empty() ? doubt_before_action(search, host) : std::nullopt;
  if (doubt && !options.has(Id::quiet)) {
    const UsageMeaning& meant = doubt->meanings.front();
    hints.push_back(text::format("{}; {}\n  try: {}", doubt->what, meant.purpose, meant.line));
  }
  hints_on_globs(hints, search, host);
  if (search.matches == 0 && hints.empty()) add(hint_on_text_option(search, host));
  if (options.has(Id::quiet) || !hints.empty()) return hints;
  // .*\.c was meant as an expression, whatever letters were found.
  const bool has_wildcard = search.text != nullptr && !search.text_is_glob &&
                            search.text->find_first_of("*?") != std::string::npos;
  if (search.matches == 0 ? options.acts() : has_wildcard) {
    add(hint_on_pattern(search, host));
  }
  if (options.acts()) return hints;
  for (const auto hint : {hint_on_words, hint_on_everything, hint_on_spotlight, hint_on_expansion,
                          hint_on_whole_name, hint_on_backslashes, hint_on_pattern, hint_on_query,
                          hint_on_folder, hint_on_letters, hint_on_granule, hint_on_spelling}) {
    if (search.matches == 0 && hints.empty()) add(hint(search, host));
  }
  add(hint_on_help(search));
  if (hints.empty()) add(hint_on_letters(search, host));
  return hints;
}

}  // namespace ffind::foreign
