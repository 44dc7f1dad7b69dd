// SPDX-License-Identifier: MIT
// Steps of answer_to(), which looks for a line that does what was meant, and of hints_after(),
// which looks for a likelier search. Both call foreign/, which knows the other programs;
// foreign_host() is its access to the disk, the clock and the parser:
//
//     words of a usage error                      a search that is over
//        │ foreign::translate()                      │ left_out_hint()
//        ▼                                           │ hint_on_hidden_match()
//     line ──makes_sense()                           ▼ foreign::hints_for()
#include "cli/advice.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/argument_file.h"
#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/request.h"
#include "cli/search_plan.h"
#include "foreign/foreign.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/name_patterns.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "output/messages.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

/// Kind of file at a path, for the translation of roots of other programs. A link to a file, or to
/// nothing, is a plain link.
foreign::Place place_of(const std::string& path) {
  const FileType type = os::type_at(path);
  if (type == FileType::directory) return foreign::Place::directory;
  if (type == FileType::symlink) {
    return os::is_directory(path) ? foreign::Place::link_to_directory : foreign::Place::link;
  }
  return type == FileType::unknown ? foreign::Place::missing : foreign::Place::other;
}

/// True if a line searches and prints, by its own words alone: it reads no rules and no saved
/// search, and neither changes a file nor asks.
bool only_looks(const Options& line) {
  constexpr Id others[] = {Id::pick,     Id::preview,      Id::save,        Id::forget,
                           Id::download, Id::exclude_from, Id::ignore_files};
  return !line.acts() && search_called(line).empty() &&
         std::none_of(std::begin(others), std::end(others), [&](Id id) { return line.has(id); });
}

/// True if a search with `options`, which are valid, asks before it acts on everything. False for a
/// saved search, which is not read for that: it may be changed by the time that the line is pasted.
bool asks_about_everything(const Options& options) {
  if (!search_called(options).empty()) return false;
  const std::unique_ptr<const Accounts> accounts = os::accounts();
  const Request request = understand(options, *accounts);
  return acts_on_everything(options, request.query) && !options.has(Id::yes) &&
         !options.has(Id::confirm) && !options.has(Id::dry_run);
}

/// True if `words`, a corrected line, is a valid command line, and does not delete everything. Only
/// the options are checked of a line with a saved search.
bool makes_sense(const std::vector<std::string>& words) {
  try {
    const Options options = parse(words);
    refuse_with_modes(options);
    if (!search_called(options).empty()) return true;
    refuse_alone(options, words);
    return !asks_about_everything(options) || !options.takes_away();
  } catch (const UsageError&) {
    return false;
  }
}

/// "2 volumes below were skipped; --cross-volumes searches them too".
std::string left_out_hint(const std::vector<Boundary>& left_out, bool crossing) {
  const std::size_t count = left_out.size();
  const bool all_network = std::all_of(left_out.begin(), left_out.end(), [](const Boundary& edge) {
    return edge.kind == VolumeKind::network;
  });
  std::string_view option = "--cross-volumes";
  if (all_network) option = crossing ? "--network" : "--cross-volumes --network";
  return text::format("{} volume{} below {} skipped; {} searches {} too", count,
                      count == 1 ? "" : "s", count == 1 ? "was" : "were", option,
                      count == 1 ? "it" : "them");
}

/// `todo --contains` as `--contains todo`: the only argument as the value that the last option
/// lacks. Empty for other words.
std::vector<std::string> with_value_at_end(const std::vector<std::string>& words) {
  const OptionRow* const row = words.empty() ? nullptr : find_option(words.back());
  if (row == nullptr || is_flag(*row) || takes_command(*row) || has_optional_value(*row)) return {};
  std::vector<std::string> line(words.begin(), words.end() - 1);
  try {
    const Options others = parse(line);
    if (others.arguments.size() != 1) return {};
    line.insert(line.end(), {words.back(), others.arguments.front()});
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(others.argument_places.front()));
  } catch (const UsageError&) {
    return {};
  }
  return makes_sense(line) ? line : std::vector<std::string>();
}

/// The first variant of the configuration that noted something; the end if there is none.
std::vector<Variation>::const_iterator cause_in(const std::vector<Variation>& variations,
                                                bool (NearMiss::*noted)() const) {
  return std::find_if(variations.begin(), variations.end(), [&](const Variation& one) {
    return one.kind == foreign::Variant::configuration && (*one.near.*noted)();
  });
}

/// A message on the configuration, "`beginning` '--no-hidden' in PATH, line 3`end`", with the line
/// that ignores it.
std::string about_configuration(const std::vector<std::string>& words, const Variation& cause,
                                std::string_view beginning, std::string_view end) {
  std::vector<std::string> line = words;
  line.insert(line.begin(), "--no-config");
  const std::string option = text::escaped(cause.option);
  return text::format("{}{}{}\n  try: {}", beginning,
                      cause.place.empty() ? "the configuration " + option
                                          : text::format("'{}' {}", option, cause.place),
                      end, foreign::line_to_paste(line));
}

/// Hint at the option of the configuration that hid a match; empty if none did.
std::string hint_on_hidden_match(const std::vector<std::string>& words,
                                 const std::vector<Variation>& variations) {
  const auto cause = cause_in(variations, &NearMiss::matches);
  if (cause == variations.end()) return {};
  return about_configuration(words, *cause, "nothing found because of ", "");
}

/// Hint at the option of the configuration that kept the search out of directories: there may be a
/// match in them. If several did, the file is named in their place.
std::string hint_on_skipped_directories(const std::vector<std::string>& words,
                                        const std::vector<Variation>& variations) {
  const auto cause = cause_in(variations, &NearMiss::enters);
  if (cause == variations.end()) return {};
  const auto others = std::count_if(cause, variations.end(), [](const Variation& one) {
    return !one.place.empty() && one.near->enters();
  });
  return about_configuration(words, others > 1 ? variations.back() : *cause, "nothing found; ",
                             " skipped directories");
}

/// Hint at the recipes for documents, if there were any whose contents the search could not read as
/// text; empty if not.
std::string hint_on_documents(const std::vector<Variation>& variations) {
  const auto found = std::find_if(variations.begin(), variations.end(), [](const Variation& one) {
    return one.kind == foreign::Variant::documents && one.near->matches();
  });
  if (found == variations.end()) return {};
  const std::uint64_t count = found->near->count();
  return text::format(
      "nothing found; {} document{} (pdf, docx, zip and others) {} not readable as text: see "
      "ffind --help documents",
      count, count == 1 ? "" : "s", count == 1 ? "was" : "were");
}

/// True if a filter, format, order, depth or action was typed, or is in the saved search.
bool has_more_than_text(const Request& request) {
  const Options& options = request.configuration ? request.configuration->rest : request.options;
  const std::string_view filters = option_of(Id::type).group;
  const std::string_view commands = option_of(Id::exec).group;
  const std::string_view formats = option_of(Id::count).replaces;
  return std::any_of(options.given.begin(), options.given.end(), [&](const Given& one) {
    const std::string_view group = option_of(one.id).group;
    return !one.off &&
           (group == filters || group == commands || has_in(formats, one.id) ||
            one.id == Id::duplicates || one.id == Id::max_depth || one.id == Id::min_depth);
  });
}

/// The search for foreign/, as it is before it begins.
foreign::FinishedSearch search_of(const Request& request, const std::vector<DroppedRoot>& dropped) {
  const Operands& operands = request.operands;
  return {.typed = request.typed.words,
          .line = request.typed,
          .options = request.options,
          .field = operands.field,
          .text = operands.has_text ? &operands.text : nullptr,
          .text_is_glob = operands.is_glob,
          .paths = operands.paths,
          .dropped = dropped,
          .has_more_than_text = has_more_than_text(request)};
}

/// Globs for a part of the name or path, in place of TEXT or of the only -g: src/*.c is **/src/*.c
/// or **/*src/*.c*. `options` loses the glob. None if there is no glob, or TEXT has no sign of one;
/// a TEXT that was taken as letters, such as "Track (*)", is a glob itself.
std::vector<std::string> take_wider_globs(const Request& request, Options& options) {
  const auto& [field, has_text, text, is_glob, query, paths] = request.operands;
  const bool has_wildcard = text.find_first_of("*?") != std::string::npos;
  const bool is_expression = !text.starts_with('*') && (text.find(".*") != std::string::npos ||
                                                        text.find_first_of("\\^$") != text.npos);
  const bool is_text = has_text && options.arguments.front() == text && !is_expression &&
                       (has_wildcard || text.find('{') != std::string::npos);
  const bool is_option = options.all(Id::glob).size() == 1 && request.typed.has(Id::glob);
  if (!is_text && !is_option) return {};
  const std::string glob = is_text ? text : options.last(Id::glob);
  options.take_out(Id::glob);
  if (is_text) options.arguments.erase(options.arguments.begin());
  if (is_text && has_wildcard && !is_glob) return {glob};
  const std::string wider =
      (glob.starts_with('*') ? "" : "*") + glob + (glob.ends_with('*') ? "" : "*");
  const bool in_path = field.empty() ? glob.find('/') != std::string::npos : field != "name";
  if (!in_path) return {wider};
  return {"**/" + glob, "**/" + wider};
}

std::vector<Variation> variations_of(const Request& request, const Accounts& accounts) {
  std::vector<Variation> variations;
  const Options& all = request.options;
  if (!gives_hints(all) || all.has(Id::quiet) || all.has(Id::explain) || all.acts()) {
    return variations;
  }
  using Kind = foreign::Variant;
  const std::string where = to_text(request.query.where);
  const bool has_plain_names = text::is_ascii(where) && where.find("path") == std::string::npos;
  const auto add = [&](Kind kind, const Options& options, std::string option, std::string place) {
    try {
      Query query = build_query(options, sort_arguments(options), query_context(accounts, options));
      if (kind != Kind::configuration && to_text(query.where) == where) return;
      // A near miss depends on whether there are any, not on their text.
      if (options.has(Id::exclude_from)) {
        query.scope.ignore_texts = request.query.scope.ignore_texts;
      }
      const bool by_diacritics =
          (kind == Kind::without_diacritics || kind == Kind::any_letters) && has_plain_names;
      // No expression, which takes longer than the search.
      const bool by_case =
          kind == Kind::any_case && has_plain_names && where.find('~') == std::string::npos;
      const bool counts = by_case || kind == Kind::documents;
      variations.push_back({kind, std::move(option), std::move(place),
                            std::make_unique<NearMiss>(query, by_diacritics, counts),
                            by_case || by_diacritics});
    } catch (const UsageError&) {
      // The other options need the one that was left out.
    }
  };
  Options loose = all;
  loose.add(Id::ignore_diacritics);
  add(Kind::without_diacritics, loose, {}, {});
  const bool has_capital = text::fold_ascii(where) != where || !text::is_ascii(where);
  if (has_capital && !all.has(Id::ignore_case) && !all.has(Id::case_sensitive)) {
    Options options = all;
    options.add(Id::ignore_case);
    add(Kind::any_case, options, {}, {});
    loose.add(Id::ignore_case);
    add(Kind::any_letters, loose, {}, {});
  }
  Options without_glob = all;
  for (const std::string& glob : take_wider_globs(request, without_glob)) {
    Options options = without_glob;
    options.add(Id::glob, glob);
    add(Kind::wider_glob, options, glob, {});
  }
  // A term with a field could need the metadata of every entry.
  const std::string& text = request.operands.text;
  if (request.operands.has_text && text.find(':') == std::string::npos &&
      request.options.arguments.front() == text) {
    const std::string spellings = foreign::spellings_near(text);
    Options options = request.options;
    options.arguments.erase(options.arguments.begin());
    if (!spellings.empty() && !all.has(Id::case_sensitive)) {
      options.add(Id::regex, spellings);
      // One half is there as it was typed, which is faster to look for.
      const std::string word = text::fold_ascii(text);
      const std::size_t half = word.size() / 2 - 1;
      options.add(Id::text, word.substr(0, half));
      options.add(Id::text, word.substr(word.size() - half));
      add(Kind::misspelt, options, {}, {});
    } else if (text.find(' ') != std::string::npos) {
      options.add(Id::query, foreign::words_apart(text));
      add(Kind::words_apart, options, {}, {});
    }
  }
  // `electricty bill`, which is run as --query.
  const std::vector<std::string> queries = all.all(Id::query);
  if (queries.size() == 1 && std::all_of(queries[0].begin(), queries[0].end(),
                                         [](char c) { return text::is_letter(c) || c == ' '; })) {
    Options options = all;
    options.take_out(Id::query);
    for (std::string_view rest = queries[0]; !rest.empty();) {
      const std::string word(text::take_part(rest, ' '));
      const std::string spellings = foreign::spellings_near(word, 3);
      options.add(Id::where, spellings.empty() ? text::format("path contains '{}'", word)
                                               : text::format("path ~ '(?i){}'", spellings));
    }
    add(Kind::misspelt, options, {}, {});
  }
  // `--kind music Beatles`, which is a folder.
  if (request.operands.has_text && !request.operands.is_glob && has_more_than_text(request) &&
      text.find('/') == std::string::npos && request.options.arguments.front() == text) {
    Options options = request.options;
    options.arguments.front() = "path";
    options.add(Id::text, text);
    add(Kind::in_folder, options, {}, {});
  }
  if ((all.has(Id::contains) || all.has(Id::contains_regex)) && !all.has(Id::binary)) {
    Options options = all;
    options.take_out(Id::contains);
    options.take_out(Id::contains_regex);
    options.add(Id::where,
                "type = file and ext in (pdf, docx, xlsx, pptx, odt, ods, odp, epub, zip)");
    add(Kind::documents, options, {}, {});
  }
  if (!request.configuration) return variations;
  const auto& [file, options, rest] = *request.configuration;
  for (std::size_t i = 0; i < options.given.size(); ++i) {
    Options left = options;
    left.given.erase(left.given.begin() + static_cast<std::ptrdiff_t>(i));
    const std::size_t word = options.given[i].word;
    add(Kind::configuration, over_configuration(std::move(left), rest), file.arguments[word],
        place_in(file, {.word = word}, options));
  }
  if (options.given.size() > 1) add(Kind::configuration, rest, file.path, {});
  return variations;
}

/// Patterns of find are the only ones that depend on the locale.
void use_locale_of_find() {
  // mutable: the locale of the process is set once
  static const bool is_set = (os::adopt_locale(), true);
  static_cast<void>(is_set);
}

}  // namespace

foreign::Host foreign_host() {
  return {.place_of = place_of,
          .metadata_of =
              [](const std::string& path, bool follow, Metadata& found) {
                const int error = follow ? os::metadata_of(path, found) : ENOENT;
                const bool is_link = error == ENOENT || error == ENOTDIR;
                return is_link ? os::metadata_of_link(path, found) : error;
              },
          .account_of =
              [](bool is_user, const std::string& name) {
                const std::unique_ptr<const Accounts> accounts = os::accounts();
                return is_user ? accounts->user_id(name) : accounts->group_id(name);
              },
          .quoted =
              [](std::string_view word) {
                Options as_find;
                as_find.add(Id::as, "find");
                return output::quoted(word, speaker_of(as_find));
              },
          .absolute_path = os::absolute_path,
          .enter = [](const std::string& path) { return os::change_directory(path) == 0; },
          .is_program =
              [](const std::string& word) {
                std::string path;
                return os::find_program(word, path) == 0;
              },
          .is_valid = makes_sense,
          .glob_of_find =
              [](const std::string& glob, bool ignore_case) {
                use_locale_of_find();
                return os::glob_predicate(glob, ignore_case);
              },
          .regex_of_find =
              [](const std::string& regex, std::string_view syntax, bool ignore_case,
                 std::string& error) {
                use_locale_of_find();
                os::RegexPredicate compiled = os::regex_predicate(regex, syntax, ignore_case);
                error = compiled.error;
                return compiled.matches;
              },
          .clock = {os::wall_now()},
          .dialect = os::system_traits.bsd_find ? foreign::Dialect::bsd : foreign::Dialect::gnu,
          .knows_file_systems = [] { return !os::mount_table().empty(); }};
}

bool find_warns() {
  return os::is_terminal(os::standard_input) && !os::environment("POSIXLY_CORRECT");
}

namespace {

/// True if nothing forbids hints, to programs too.
bool allows_hints(const Options& options) {
  return !options.has(Id::no_messages) && !options.has(Id::no_hints) &&
         !options.has(Id::json_errors) && os::environment("FFIND_HINTS") != "never";
}

}  // namespace

bool gives_hints(const Options& options) {
  return allows_hints(options) && os::is_terminal(os::standard_error);
}

namespace {

/// True if a line that only looks may be run in the place of another one.
bool may_run_another(const Options& options) {
  return gives_hints(options) && os::is_terminal(os::standard_output);
}

}  // namespace

Answer answer_to(UsageParts parts, const std::vector<std::string>& words) {
  if (!parts.meanings.empty()) return {std::move(parts)};
  const foreign::Host host = foreign_host();
  const auto as = [](std::string_view program, const std::vector<std::string>& line) {
    std::vector<std::string> whole = {"--as", std::string(program)};
    whole.insert(whole.end(), line.begin(), line.end());
    return whole;
  };
  // --no-hints comes from an alias.
  Options shown;
  std::vector<std::string> rest = words;
  if (!rest.empty() && rest[0] == "--no-hints") {
    shown.add(Id::no_hints);
    rest.erase(rest.begin());
  }
  std::vector<std::string> of_find = rest;
  if (!rest.empty() && rest[0] == "--explain") of_find.erase(of_find.begin());
  auto find = makes_sense(words) ? std::nullopt : foreign::search_of_find(of_find, host);
  if (find && find->error.empty() && find->culprit.empty()) {
    shown.words = as("find", rest);
    if (rest != of_find) shown.add(Id::explain);
    if (!find->acts) return {std::move(parts), std::move(shown), std::move(find)};
    parts.suggestion = foreign::line_to_paste(shown.words);
    return {std::move(parts)};
  }
  // For what find refuses there is no guess at another meaning.
  auto [corrected, doubt, is_certain, stand_in] =
      !find || find->has_other_word ? foreign::translate(words, host) : foreign::Translation();
  if (!stand_in.empty() && !makes_sense(words)) {
    shown.words = as(stand_in, rest);
    if (is_certain)
      return {.message = std::move(parts), .line = std::move(shown), .is_of_fd = true};
    parts.suggestion = foreign::line_to_paste(shown.words);
    return {std::move(parts)};
  }
  // After fd, where --prune and -g are flags.
  if (std::vector<std::string> line = with_value_at_end(rest); !line.empty()) {
    parts.suggestion = foreign::line_to_paste(line);
    return {std::move(parts)};
  }
  if (!corrected && find) {
    const std::string& culprit = find->culprit;
    auto about = foreign::advice_on_habit(culprit.substr(0, culprit.find(' ')));
    if (about && culprit != parts.place.quoted) {
      about->see = parts.see;
      about->advice.clear();  // the pattern that -exec could be
      parts = *std::move(about);
    }
    parts.reason =
        "as a line of find: " +
        (find->error.empty() ? text::format("'{}' is not done exactly here", text::excerpt(culprit))
                             : text::escaped(find->error));
  }
  if (!corrected) return {std::move(parts)};
  Options line = foreign::rewritten(*corrected);
  if (line.words == words) return {std::move(parts)};
  if (!makes_sense(line.words)) {
    parts.advice.clear();  // -group is known as find's, and its value is wrong
    return {std::move(parts)};
  }
  // An error may also be that of a configuration.
  const bool is_run = is_certain && only_looks(line) && !makes_sense(words);
  // Other programs do not ask, so the line must run without a terminal, too.
  if (!os::can_ask() && asks_about_everything(checked(line))) {
    line.words.insert(line.words.begin(), "--yes");
  }
  if (doubt.empty() || !line.acts()) {
    parts.suggestion = foreign::line_to_paste(line.words);
    if (is_run) return {std::move(parts), std::move(line)};
    return {std::move(parts)};
  }
  parts.reason = text::format(
      "no line to try, since it would delete or run a command, and '{}' may mean something else",
      text::excerpt(doubt));
  parts.see.clear();
  return {std::move(parts)};
}

DirectoryReading::DirectoryReading(const Request& request) {
  const Options& options = request.options;
  const Operands& operands = request.operands;
  constexpr Id others[] = {Id::files0_from, Id::volume,  Id::all_volumes, Id::limit,
                           Id::one,         Id::explain, Id::quiet};
  const bool is_alone =
      operands.has_text && operands.paths.empty() && only_looks(options) && !options.has_list() &&
      std::none_of(std::begin(others), std::end(others), [&](Id id) { return options.has(id); });
  if (!is_alone || !has_more_than_text(request) || !os::is_directory(operands.text)) return;
  // A line of another program was written anew.
  const bool is_typed = std::all_of(
      options.given.begin(), options.given.end(),
      [](const Given& one) { return one.id != Id::no_config || one.word != UsagePlace::unknown; });
  Options line = request.typed;
  if (!is_typed || std::erase(line.arguments, operands.text) != 1) return;  // of a saved search
  line.add(Id::in, operands.text);
  std::vector<std::string> words = foreign::written(line);
  if (!makes_sense(words)) return;
  line_ = std::move(words);
  directory_ = operands.text;
  while (directory_.ends_with('/')) directory_.pop_back();
  is_said_ = allows_hints(options);
  is_run_ = may_run_another(options);
}

std::function<bool(Entry&)> DirectoryReading::observed(std::function<bool(Entry&)> condition) {
  if (line_.empty()) return condition;
  return [this, condition = std::move(condition)](Entry& entry) {
    if (condition && !condition(entry)) return false;
    if (has_others_.load(std::memory_order_relaxed)) return true;
    const bool is_it = entry.require(needs::relative_path) && entry.relative_path == directory_;
    if (!is_it) has_others_.store(true, std::memory_order_relaxed);
    return true;
  };
}

std::string DirectoryReading::message(std::uint64_t matches,
                                      const std::vector<Variation>& variations) const {
  if (line_.empty() || has_others_ || !is_said_) return {};
  if (matches == 0 && cause_in(variations, &NearMiss::matches) != variations.end()) return {};
  const std::string name = text::escaped(directory_);
  const std::string what = matches > 0
                               ? text::format("only the folder is called '{}'", name)
                               : text::format("'{}' was read as text, but is a directory", name);
  return text::format("{}; {}{}", what, is_run_ ? "below it: " : "to search below it\n  try: ",
                      foreign::line_to_paste(line_));
}

std::vector<std::string> DirectoryReading::line_to_run() const {
  return is_run_ ? line_ : std::vector<std::string>();
}

std::vector<std::string> line_of_words(const Request& request) {
  const Options& options = request.options;
  const std::vector<std::string>& words = options.arguments;
  const bool has_text = request.operands.has_text || !request.operands.query.empty();
  if (!may_run_another(options) || !has_text || words.size() < 2 || !only_looks(options) ||
      options.has(Id::in) || options.has(Id::explain) || options.arguments_after_dashes ||
      request.typed.arguments != words) {
    return {};
  }
  const bool are_words = std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return !word.empty() && (word.find_first_of("/*?[]{}|\\^$~:<>()\"'!") == std::string::npos ||
                             foreign::is_query_line(word));
  });
  if (!are_words) return {};
  std::vector<std::string> names;
  if (os::names_in(".", names) != 0) return {};
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    if (!os::is_directory(*word) && !text::nearest(*word, candidates).empty()) return {};
  }
  const auto read = foreign::words_as_query(search_of(request, {}), foreign_host());
  if (!read || !only_looks(scan(read->line))) return {};
  std::vector<std::string> line = read->line;
  const bool folds = options.has(Id::ignore_diacritics) || options.has(Id::case_sensitive);
  if (!folds && !read->has_terms) line.insert(line.begin(), "--ignore-diacritics");
  return line;
}

void refuse_loose_levels(const Options& typed) {
  const auto usage = std::find_if(typed.given.begin(), typed.given.end(),
                                  [](const Given& one) { return one.id == Id::usage; });
  if (usage == typed.given.end() || usage->word + 1 >= typed.words.size()) return;
  const std::string& levels = typed.words[usage->word + 1];
  if (usage->value_word != UsagePlace::unknown || !text::is_digits(levels) ||
      place_of(levels) != foreign::Place::missing) {
    return;
  }
  std::vector<std::string> line = typed.words;
  line[usage->word] += "=" + levels;
  line.erase(line.begin() + static_cast<std::ptrdiff_t>(usage->word) + 1);
  throw UsageError({.what = text::format("'{}' is no directory here; the levels of --usage follow "
                                         "a '='",
                                         levels),
                    .place = {.quoted = levels},
                    .suggestion = foreign::line_to_paste(line)});
}

std::vector<Variation> observe_variations(Request& request, const Accounts& accounts) {
  std::vector<Variation> variations = variations_of(request, accounts);
  for (const Variation& one : variations) request.query.near_misses.push_back(one.near.get());
  return variations;
}

void refuse_doubtful_action(const Request& request, const std::vector<DroppedRoot>& dropped) {
  if (!request.options.has_action()) return;
  auto doubt = foreign::doubt_before_action(search_of(request, dropped), foreign_host());
  if (doubt) throw UsageError(std::move(*doubt));
}

std::vector<std::string> hints_after(const Request& request,
                                     const std::vector<Variation>& variations,
                                     const std::vector<DroppedRoot>& dropped,
                                     const SearchResult& result) {
  std::vector<std::string> hints;
  const Options& options = request.options;
  if (!request.hint.empty() && result.statistics.matches == 0) return {request.hint};
  if (!gives_hints(options)) return hints;
  // Not after a match: most searches that found something were right without the other volumes.
  // -xdev of find asks for them to be left out.
  if (!result.left_out.empty() && result.statistics.matches == 0 &&
      request.query.scope.mounts == Scope::Mounts::by_kind) {
    hints.push_back(left_out_hint(result.left_out, options.has(Id::cross_volumes)));
  }
  try {
    foreign::FinishedSearch search = search_of(request, dropped);
    search.matches = result.statistics.matches;
    for (const Variation& one : variations) {
      if (!one.near->matches() || (search.matches > 0 && !one.after_match)) continue;
      using Kind = foreign::Variant;
      search.met.emplace(one.kind, one.kind == Kind::misspelt   ? one.near->first_name()
                                   : one.kind == Kind::any_case ? text::grouped(one.near->count())
                                                                : one.option);
    }
    // The first kind of hint that applies; the configuration only if nothing was found.
    std::vector<std::string> others;
    const auto add = [&](std::string hint) {
      if (search.matches == 0 && others.empty() && !hint.empty()) others.push_back(std::move(hint));
    };
    add(hint_on_hidden_match(search.typed, variations));
    add(hint_on_documents(variations));
    if (others.empty()) others = foreign::hints_for(search, foreign_host());
    add(hint_on_skipped_directories(search.typed, variations));
    const bool has_no_directories = result.statistics.directories == 1 && search.matches > 0;
    // `--usage node_modules`, which are further down.
    if (options.has(Id::usage) && search.paths.size() == 1 &&
        search.paths.front().find('/') == std::string::npos &&
        place_of(search.paths.front()) == foreign::Place::missing) {
      Options line = search.line;
      std::erase(line.arguments, search.paths.front());
      line.add(Id::text, search.paths.front());
      others = {"PATHs stand beside --usage; for what has this name\n  try: " +
                foreign::line_to_paste(foreign::written(line))};
    }
    if (others.empty() && options.last(Id::usage) == "all" && has_no_directories &&
        !os::is_terminal(os::standard_output)) {
      Options line = search.line;
      line.take_out(Id::usage);
      line.add(Id::usage, "files");
      others.push_back("into a pipe only directories are shown; for the files\n  try: " +
                       foreign::line_to_paste(foreign::rewritten(line).words));
    }
    std::move(others.begin(), others.end(), std::back_inserter(hints));
    const Statistics& counts = result.statistics;
    if (hints.empty() && counts.matches == 0 && counts.issues == 0 && !options.has(Id::quiet) &&
        !options.has_list()) {
      const std::string topic =
          search.typed.size() == 1 && has_help_on(search.typed.front()) &&
                  text::fold_ascii(search.typed.front()) == search.typed.front()
              ? text::format("; ffind --help {} is about that", search.typed.front())
              : std::string();
      hints.push_back(text::format("nothing found among {} {}{}", text::grouped(counts.entries),
                                   counts.entries == 1 ? "name" : "names", topic));
    }
  } catch (const std::system_error&) {
    // For example, the current directory was deleted. The search is complete all the same.
  }
  return hints;
}

}  // namespace ffind::cli
