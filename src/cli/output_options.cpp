// SPDX-License-Identifier: MIT
// Style of the output, and checks that prevent deleting or running too much. The terminal and the
// environment are read here (TERM, NO_COLOR, LS_COLORS, the locale), so that the style has all
// settings of the output.
#include "cli/request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/option_table.h"
#include "ffind/issue.h"
#include "ffind/query.h"
#include "foreign/foreign.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/terminal.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"
#include "text/sizes.h"

namespace ffind::cli {
namespace {

/// Words that are accepted, for suggestions.
using Choices = std::vector<std::string_view>;

/// The nearest of `words` is suggested, or all are listed if none is near.
[[noreturn]] void fail_unknown(const text::ValueSource& source, const std::string& text,
                               std::size_t position, std::string_view word, std::string_view what,
                               const Choices& words) {
  const std::string near = foreign::field_suggestion(word, words);
  text::fail_at(source, text, position,
                text::format("unknown {} '{}'{}", what, word,
                             near.empty() ? text::format(": {}", fmt::join(words, ", ")) : ""),
                near);
}

/// The index of `word` among the choices of the option. Throws UsageError.
std::size_t choice_in(Id id, const std::string& word) {
  const Choices words = words_in(option_of(id).choices);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) fail_unknown(source_of(id), word, 0, word, "value", words);
  return static_cast<std::size_t>(found - words.begin());
}

/// Evaluates `when`: always, never, or auto, which depends on the terminal. A dumb terminal
/// understands neither colours nor links.
bool wants(Id id, const std::string& when, bool terminal) {
  choice_in(id, when);
  return when == "always" || (when == "auto" && terminal && os::environment("TERM") != "dumb");
}

/// NO_COLOR counts if it is not empty (no-color.org), but a typed --color=always overrides it.
bool wants_color(const Options& options, bool terminal) {
  const std::string when = options.last(Id::color, "auto");
  const bool wanted = wants(Id::color, when, terminal);
  return wanted && (when == "always" || os::environment("NO_COLOR").value_or("").empty());
}

/// The output format. Options that exclude each other have been refused; --quiet overrides all.
/// --tree with --long is one format. Commands use that of -0.
output::Format format_of(const Options& options) {
  if (options.has(Id::quiet)) return output::Format::nothing;
  if (const std::optional<Id> data = options.data_format()) {
    return data == Id::json ? output::Format::json : output::Format::csv;
  }
  if (options.has(Id::format)) return output::Format::templated;
  if (options.has(Id::tree)) return output::Format::tree;
  if (options.has(Id::details)) return output::Format::details;
  if (options.takes_away()) return output::Format::removal;
  return options.has(Id::null) || options.has_action() ? output::Format::null
                                                       : output::Format::text;
}

/// Calls `parse`; errors of templates point at the character, with a near field or the list of all.
/// "{sizze}" fails at the name with "did you mean 'size'?".
template <typename Parse>
auto parsed(const text::ValueSource& source, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const output::TemplateError& error) {
    std::string what = error.what();
    std::string near;
    if (!error.word().empty()) {
      // List all choices if there are few: words of a letter or two have no near misses.
      const bool few = error.choices().size() < 10;
      if (!few) near = foreign::field_suggestion(error.word(), error.choices());
      if (near.empty()) what += text::format(": {}", fmt::join(error.choices(), ", "));
    }
    text::fail_at(source, text, error.position(), what, near);
  }
}

/// Parses --format.
output::Template template_of(const std::string& text) {
  const text::ValueSource source = source_of(Id::format);
  if (text.empty()) text::fail_at(source, text, 0, "a template is missing");
  if (!foreign::format_called(text).empty()) {
    text::fail_at(
        source, text, 0,
        text::format("'{}' has no field such as {{path}}, and would be printed for each match",
                     text));
  }
  return parsed(source, text, output::parse_template);
}

/// True for formats for people. Templates and paths with NULs are for programs, without colours and
/// links.
bool is_for_looking(output::Format format) {
  return format == output::Format::text || format == output::Format::details ||
         format == output::Format::tree;
}

/// The columns of "lines", which --json, --csv and --tsv alone mean.
std::string usual_columns(Id id) {
  return id == Id::json ? "path,name,type,depth,size,modified" : "path,type,size,modified";
}

/// Adds the columns of a comma-separated list of --json, --csv or --tsv, each once. "size,,owner"
/// fails at the second comma. In CSV, "path_b64" is the column of a path's exact bytes; NDJSON has
/// such members by itself, for values that need them.
void add_columns(std::vector<output::DataColumn>& chosen, Id id, const std::string& list) {
  const auto add = [&](const output::RecordField* field, bool is_base64) {
    const output::DataColumn column{field, is_base64};
    if (std::find(chosen.begin(), chosen.end(), column) == chosen.end()) chosen.push_back(column);
  };
  constexpr std::string_view base64_end = "_b64";
  text::for_each_part(list, ',', [&](std::size_t from, std::string_view word) {
    if (word.empty()) text::fail_at(source_of(id), list, from, "a field is missing");
    if (word == "lines") return add_columns(chosen, id, usual_columns(id));
    if (const output::RecordField* const field = output::find_record_field(word)) {
      return add(field, false);
    }
    Choices names{"full"};
    for (const output::RecordField& one : output::record_fields()) {
      if (word == "full" && one.in_full) add(&one, false);
      names.push_back(one.name);
    }
    if (word == "full") return;
    if (id != Id::json && word.ends_with(base64_end)) {
      const auto* const field =
          output::find_record_field(word.substr(0, word.size() - base64_end.size()));
      if (field != nullptr && field->sort == output::ValueSort::bytes) return add(field, true);
    }
    fail_unknown(source_of(id), list, from, word, "field", names);
  });
}

/// The columns of the option's lists. Records of NDJSON begin with the path.
std::vector<output::DataColumn> data_columns(const Options& options, Id id) {
  std::vector<output::DataColumn> chosen;
  if (id == Id::json) add_columns(chosen, id, "path");
  for (const std::string& list : options.all(id)) add_columns(chosen, id, list);
  return chosen;
}

/// Orders that only the list of --pick has, as keys of --sort.
constexpr std::string_view list_orders[] = {"match", "found", "space"};

/// Adds the key in a list of --sort: "-size" is the field, reversed. An order of --pick is no key
/// of the output.
void add_key(std::vector<output::SortKey>& keys, const text::ValueSource& source,
             const std::string& list, std::size_t from, std::string_view word, const Choices& words,
             bool picks) {
  const bool reversed = word.starts_with('-');
  if (reversed) word.remove_prefix(1);
  from += reversed ? 1 : 0;
  if (word.empty()) text::fail_at(source, list, from, "a key is missing");
  if (std::find(std::begin(list_orders), std::end(list_orders), word) != std::end(list_orders)) {
    if (picks) return;
    text::fail_at(source, list, from, text::format("'{}' is an order of the list of --pick", word));
  }
  const output::RecordField* const field = output::find_record_field(word);
  if (field == nullptr || std::find(words.begin(), words.end(), field->name) == words.end()) {
    fail_unknown(source, list, from, word, "sort key", words);
  }
  keys.push_back({field, reversed});
}

/// Parses the keys of --count, each once. After dir:, what begins as a number is one of levels, and
/// everything else a conversion.
std::vector<output::CountKey> count_keys(const std::string& list) {
  std::vector<output::CountKey> keys;
  const text::Clock clock{os::wall_now()};
  text::for_each_part(list, ',', [&](std::size_t from, std::string_view word) {
    constexpr std::string_view prefix = "dir:";
    const bool has_depth =
        word.starts_with(prefix) && (word.size() == prefix.size() || word[prefix.size()] == '-' ||
                                     text::is_digit(word[prefix.size()]));
    output::CountKey key = parsed(source_of(Id::count), list, [&](const std::string&) {
      return output::parse_count_key(has_depth ? "dir" : word, from, clock);
    });
    if (has_depth) {
      key.grouping = output::Grouping::above;
      key.depth = static_cast<std::uint32_t>(
          parse_number(word.substr(prefix.size()), UINT32_MAX - 1, Id::count));
    }
    const auto is_same = [&](const output::CountKey& one) { return one.name == key.name; };
    if (std::none_of(keys.begin(), keys.end(), is_same)) keys.push_back(std::move(key));
  });
  return keys;
}

/// A column of a table of counts as a key of --sort; nullopt for other words.
std::optional<output::SortKey> column_called(std::string_view word,
                                             const std::vector<output::CountKey>& keys) {
  const bool reversed = word.starts_with('-');
  if (reversed) word.remove_prefix(1);
  if (word == "count") return output::SortKey{nullptr, reversed};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view field = keys[i].field.field->name;
    if (word == "size" || (word != keys[i].name && word != field)) continue;
    return output::SortKey{keys[i].field.field, reversed, i + 1};
  }
  return {};
}

/// True if the environment names a UTF-8 locale. setlocale would depend on the installed locales.
/// As in the C library, the first of the three that is not empty counts. "de_DE.UTF-8@euro" and
/// "C.utf8" are UTF-8.
bool is_utf8_locale() {
  std::string locale;
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    locale = os::environment(name).value_or("");
    if (!locale.empty()) break;
  }
  const std::size_t dot = locale.find('.');
  std::string encoding;
  for (const char c : locale.substr(std::min(dot, locale.size()))) {
    if (c == '@') break;
    if (c != '.' && c != '-') encoding += static_cast<char>(c | 0x20);
  }
  return encoding == "utf8" || locale == "UTF-8";  // the latter is what macOS calls LC_CTYPE's
}

/// Parses the value of --usage: rows, a number of levels, or both: "files,2". Levels are also the
/// value of -d; the fewest count.
output::UsageStyle usage_style(const Options& options) {
  output::UsageStyle usage{.apparent = options.has(Id::apparent),
                           .follows = options.has(Id::follow)};
  const auto limit_levels = [&](std::uint64_t levels) {
    usage.levels = std::min(usage.levels.value_or(UINT32_MAX), static_cast<std::uint32_t>(levels));
  };
  for (const std::string& value : options.all(Id::usage)) {
    text::for_each_part(value, ',', [&](std::size_t from, std::string_view word) {
      if (text::is_digits(word)) return limit_levels(parse_number(word, UINT32_MAX, Id::usage));
      if (word == "dirs") usage.rows = output::UsageRows::directories;
      if (word == "files") usage.rows = output::UsageRows::files;
      if (word != "all" && word != "dirs" && word != "files") {
        fail_unknown(source_of(Id::usage), value, from, word, "value",
                     {"dirs", "files", "all", "a number of levels"});
      }
    });
  }
  for (const std::string& value : options.all(Id::max_depth)) {
    limit_levels(parse_number(value, unlimited_depth - 1, Id::max_depth));
  }
  return usage;
}

/// Adds order and counts; `style.format` has to be set.
void add_order(output::OutputStyle& style, const Options& options) {
  const bool counts = options.has(Id::count);
  for (const std::string& list : options.all(Id::count)) {
    style.count_by = list == "matches" ? std::vector<output::CountKey>() : count_keys(list);
  }
  if (options.has(Id::usage)) style.usage = usage_style(options);
  style.counts = counts;
  if (counts && style.count_by.empty() && options.has(Id::sort)) {
    throw UsageError({.what = "--count prints one number, which --sort cannot sort",
                      .place = {.options = {"--count", "--sort"}},
                      .example = "--count=ext --sort -size"});
  }
  // Rows have keys and sums only: "owner" would have no value to compare.
  const bool table = counts || style.usage;
  Choices words = table ? Choices{"name", "path", "size"} : sort_words();
  if (counts) words.emplace_back("count");
  text::ValueSource source = source_of(Id::sort);
  if (table) source.example = "--sort name or --sort -size";
  for (const std::string& list : options.all(Id::sort)) {
    text::for_each_part(list, ',', [&](std::size_t from, std::string_view word) {
      const auto column = counts ? column_called(word, style.count_by) : std::nullopt;
      if (column) return style.sort.push_back(*column);
      add_key(style.sort, source, list, from, word, words, options.has(Id::pick));
    });
  }
  const bool dumb = style.terminal && os::environment("TERM") == "dumb";
  style.box_characters = is_utf8_locale() && !dumb;
}

output::Palette palette_of_environment() {
  const std::optional<std::string> colors = os::environment("LS_COLORS");
  return colors ? output::Palette::parse(*colors) : output::Palette::standard();
}

/// The option that takes the matches away, for messages.
std::string name_of_removal(const Options& options) {
  const Id id = options.has(Id::trash)     ? Id::trash
                : options.has(Id::restore) ? Id::restore
                                           : Id::remove;
  return std::string(main_name(option_of(id)));
}

/// Throws UsageError for a --delete or --trash that would take too much: through links, or with an
/// empty pattern: in a script, a variable was not set. `ffind "$pattern" --delete` would delete
/// everything, with a filter that looks like one.
void check_deletion(const Options& options, const Operands& operands, const Query& query) {
  if (!options.takes_away()) return;
  const std::string removal = name_of_removal(options);
  // Through a link, it would reach files outside the roots.
  if (query.scope.follow) {
    throw UsageError({.what = removal + " never follows links and excludes --follow",
                      .place = {.options = {"--follow", removal}}});
  }
  const auto fail = [&removal](const std::string& pattern) {
    throw UsageError(
        {.what = pattern + " is empty, so " + removal + " is refused: is a variable not set?",
         .place = {.options = {pattern, removal}},
         .example = "ffind --ends .bak " + removal});
  };
  if (operands.has_text && operands.text.empty()) fail("TEXT");
  std::vector<Id> patterns(pattern_options.begin(), pattern_options.end());
  patterns.insert(patterns.end(), {Id::comment, Id::where_from});
  for (const Id id : patterns) {
    const std::vector<std::string> values = options.all(id);
    if (std::find(values.begin(), values.end(), "") == values.end()) continue;
    fail(std::string(main_name(option_of(id))));
  }
}

/// Throws UsageError for an action on whole groups of --duplicates.
void refuse_to_take_all(const Options& options) {
  if (!options.has(Id::duplicates) || options.has(Id::keep)) return;
  const std::string action = options.takes_away()    ? name_of_removal(options)
                             : options.has(Id::exec) ? "--exec"
                                                     : "--exec-batch";
  std::vector<std::string> line = {"--keep", "first"};
  line.insert(line.end(), options.words.begin(), options.words.end());
  throw UsageError({.what = action + " with --duplicates needs --keep, or no copy would be left",
                    .place = {.options = {action}},
                    .suggestion = foreign::line_to_paste(line)});
}

std::vector<output::CommandTemplate> templates_of(
    const std::vector<std::vector<std::string>>& commands) {
  return {commands.begin(), commands.end()};
}

/// True if the query tests more than names, places and types. The Deleter compares type and inode
/// of each match again; after such tests its ctime, too, since a file that has changed may not
/// match any more.
bool goes_by_metadata(const Query& query) {
  constexpr Needs lasting = needs::type | needs::identity | needs::depth | needs::directory |
                            needs::relative_path | needs::absolute_path | needs::origin;
  const Needs asked =
      needs_of(query.where) | needs_of(query.scope.exclude) | needs_of(query.scope.prune);
  return (asked & ~lasting) != 0;
}

}  // namespace

output::ArgumentTemplate argument_of(const std::string& word, const text::ValueSource& source) {
  return parsed(source, word,
                [](const std::string& text) { return output::ArgumentTemplate(text); });
}

std::size_t choice_of(const Options& options, Id id) {
  return options.has(id) ? choice_in(id, options.last(id)) : 0;
}

output::Speaker speaker_of(const Options& options) {
  if (!options.has(Id::as)) return {};
  constexpr auto first = static_cast<std::size_t>(output::Speaker::Program::find);
  return {static_cast<output::Speaker::Program>(first + choice_of(options, Id::as)),
          is_utf8_locale()};
}

bool wants_human_sizes(const Options& options, bool for_people) {
  const std::string when = options.last(Id::human, "auto");
  return when == "auto" ? for_people : wants(Id::human, when, for_people);
}

bool wants_colored_messages(const Options& options) {
  return os::is_terminal(os::standard_error) && wants_color(options, true);
}

bool wants_colored_help(const Options& options) {
  return os::is_terminal(os::standard_output) && wants_color(options, true);
}

/// The list is always on a terminal, whatever standard output is.
std::optional<output::Palette> palette_of_screen(const Options& options) {
  if (!wants_color(options, true)) return {};
  return palette_of_environment();
}

/// The completions have the same list, which a test compares.
std::vector<std::string_view> sort_words() {
  Choices words;
  for (const output::RecordField& field : output::record_fields()) {
    if (output::has_order(field)) words.push_back(field.name);
  }
  return words;
}

os::ScreenHeight height_of(const Options& options) {
  if (!options.has(Id::height)) return {};
  const std::string typed = options.last(Id::height);
  std::string_view text = typed;
  constexpr std::uint64_t most_rows = 10'000;
  constexpr std::uint64_t all = 100;
  const bool in_percent = text.ends_with('%');
  if (in_percent) text.remove_suffix(1);
  const std::uint64_t number = parse_number(text, in_percent ? all : most_rows, Id::height);
  if (in_percent) return {.percent = static_cast<unsigned>(number)};
  return {.rows = text::at_most(most_rows, number)};
}

output::OutputStyle build_output_style(const Options& options, const Accounts& accounts) {
  refuse_contradictions(options);
  output::OutputStyle style;
  style.format = format_of(options);
  style.tree_details = style.format == output::Format::tree && options.has(Id::details);
  for (const std::string& value : options.all(Id::max_depth)) {
    const std::uint64_t depth = parse_number(value, unlimited_depth - 1, Id::max_depth);
    style.deepest = std::min(style.deepest, static_cast<std::uint32_t>(depth));
  }
  style.has_permissions =
      std::count_if(options.given.begin(), options.given.end(),
                    [](const Given& one) { return one.id == Id::details && !one.off; }) > 1;
  style.now = os::wall_now();
  // Picked paths are for the caller, byte for byte, even at a terminal.
  style.terminal = os::is_terminal(os::standard_output) && !options.has(Id::pick);
  style.messages = !options.has(Id::no_messages);
  // Other programs write each message at once.
  style.brief_messages = os::is_terminal(os::standard_error) && !options.has(Id::as);
  style.json_messages = options.has(Id::json_errors);
  style.speaker = speaker_of(options);
  if (options.has(Id::as))
    style.advice = [](const std::string&, int) { return std::string_view(); };
  style.accounts = &accounts;
  add_order(style, options);
  style.in_list_order = options.has_list();
  style.duplicates = options.has(Id::duplicates);
  if (options.has(Id::keep)) style.keep = static_cast<output::Keep>(choice_of(options, Id::keep));
  style.of_trash = options.has(Id::trashed);
  // Checked even if --quiet suppresses the output.
  if (const auto data = options.data_format()) {
    style.columns = data_columns(options, *data);
    // The usual ones.
    if (style.duplicates && options.last(*data) == "lines") {
      style.columns.push_back({output::find_record_field("duplicate_group")});
    }
    if (data != Id::json) style.cell_separator = data == Id::csv ? ',' : '\t';
  }
  if (options.has(Id::format)) style.record_template = template_of(options.last(Id::format));
  if (options.has(Id::null)) style.end = '\0';
  style.human_sizes = wants_human_sizes(options, style.for_people());
  const bool colored = wants_color(options, style.terminal);
  const bool linked = wants(Id::hyperlink, options.last(Id::hyperlink, "never"), style.terminal);
  if (linked && is_for_looking(style.format)) style.link_host = os::host_name();
  if (colored && is_for_looking(style.format)) {
    style.palette = palette_of_environment();
    if (style.terminal) os::reset_colors_when_interrupted();
  }
  if (style.usage && style.for_people()) style.screen = os::terminal_size(os::standard_output);
  const bool has_paths = is_for_looking(style.format) || style.format == output::Format::null;
  const bool marks = options.has(Id::mark) || (style.for_people() && !style.palette);
  style.marks_directories = marks && has_paths && !options.is_off(Id::mark);
  return style;
}

///                         standard error is a terminal    it is not
///     --progress          a line                          messages
///     --no-progress       nothing                         nothing
///     neither             a line, unless into a pipe      nothing
///
/// A dumb terminal, or --json-errors, counts as none.
output::ProgressStyle build_progress_style(const Options& options) {
  output::ProgressStyle style;
  style.json = options.has(Id::json_errors);
  if (options.has(Id::no_progress)) return style;
  const bool drawable = os::is_terminal(os::standard_error) && os::environment("TERM") != "dumb" &&
                        !options.has(Id::json_errors);
  if (options.has(Id::progress)) {
    style.form = drawable ? output::ProgressForm::line : output::ProgressForm::messages;
  } else if (drawable && !os::is_piped(os::standard_output)) {
    // The reader of a pipe may write to the same terminal, or draw on it.
    style.form = output::ProgressForm::line;
  }
  return style;
}

bool acts_on_everything(const Options& options, const Query& query) {
  // The command of --if may select anything, a list has, --duplicates spares one of each group, and
  // one of --pick is picked from by hand.
  constexpr Id selecting[] = {Id::duplicates, Id::condition, Id::pick};
  const bool is_selected = (options.has_list() && !options.has(Id::trashed)) ||
                           std::any_of(std::begin(selecting), std::end(selecting),
                                       [&](Id id) { return options.has(id); });
  return options.has_action() && !is_selected && !selects(optimise(query.where));
}

bool decide_question(output::Action& action, const Options& options, const Query& query) {
  if (options.has(Id::yes) || options.has(Id::confirm) || options.has(Id::dry_run)) return true;
  const bool everything = acts_on_everything(options, query);
  const bool takes_away = options.takes_away() || destroys(options.commands(Id::exec)) ||
                          destroys(options.commands(Id::exec_batch));
  action.asks = (everything || takes_away) && os::can_ask(takes_away);
  action.whole = action.asks;
  return action.asks || !everything;
}

void refuse_unlimited_action(const Options& options, const std::vector<std::string>& words) {
  const std::string option = options.takes_away()     ? name_of_removal(options)
                             : !options.has(Id::exec) ? "--exec-batch"
                                                      : "--exec";
  std::vector<std::string> line = {"--yes"};
  line.insert(line.end(), words.begin(), words.end());
  throw UsageError({.what = option + " without a filter would " +
                            (options.has(Id::restore)  ? "restore everything"
                             : options.has(Id::remove) ? "delete everything"
                             : options.has(Id::trash)  ? "move everything to the Trash"
                                                       : "run on everything") +
                            (options.has(Id::trashed) ? " in the Trash" : "") +
                            "; give a filter, or --yes to do it without asking",
                    .place = {.options = {option}},
                    .suggestion = foreign::line_to_paste(line)});
}

/// Leaves `style.action` empty if matches are printed, with or without --if.
void add_action(output::OutputStyle& style, const Options& options, const Operands& operands,
                const Query& query) {
  check_deletion(options, operands, query);
  style.threads = query.scope.threads != 0 ? query.scope.threads : os::processors();
  constexpr std::pair<Id, std::string_view> commands[] = {
      {Id::condition, "--if"}, {Id::exec, "-x"}, {Id::exec_batch, "-X"}};
  for (const auto& [id, name] : commands) check_fields(options, id, name);
  if (options.has(Id::condition)) {
    style.condition = {.kind = output::ActionKind::condition,
                       .commands = templates_of(options.commands(Id::condition))};
    refuse_bare_names(style.condition->commands, "--if");
  }
  for (const auto& [id, name] : commands) refuse_no_programs(options.commands(id), name);
  if (!options.has_action()) return;
  refuse_to_take_all(options);
  output::Action action;
  action.in_directory = options.has(Id::exec_in_dir);
  action.follow = query.scope.follow;
  action.confirm = options.has(Id::confirm);
  action.dry_run = options.has(Id::dry_run);
  action.in_order = !style.sort.empty();
  action.refusal_of_more = refusal_of_gathering(options);
  if (options.takes_away()) {
    action.by_metadata = goes_by_metadata(query) || options.has(Id::condition) || style.duplicates;
    action.kind = options.has(Id::restore) ? output::ActionKind::restore
                  : options.has(Id::trash) ? output::ActionKind::trash
                                           : output::ActionKind::remove;
    action.in_trash = options.has(Id::trashed);
    action.whole = options.has(Id::yes) || options.has(Id::confirm);
  } else if (options.has(Id::exec_batch)) {
    action.kind = output::ActionKind::batch;
    action.commands = templates_of(options.commands(Id::exec_batch));
    if (options.has(Id::batch_size)) {
      constexpr std::size_t most = 1'000'000'000;
      action.batch_size =
          text::at_most(most, parse_number(options.last(Id::batch_size), most, Id::batch_size));
    }
    // `-X {}`: the program would be the first of many matches.
    for (const output::CommandTemplate& command : action.commands) {
      if (!command.program_varies()) continue;
      throw UsageError(
          {.what = text::format("--exec-batch: '{}' cannot be the program of many matches",
                                command.program),
           .place = {.options = {"--exec-batch"}, .quoted = command.program},
           .example = text::format("ffind -g '*.sh' --exec {}", command.program)});
    }
  } else {
    action.commands = templates_of(options.commands(Id::exec));
    if (!action.in_directory) refuse_bare_names(action.commands, "--exec");
    // Picked matches are few, and for programs such as editors, which need the terminal.
    const bool picked = options.has(Id::pick) && query.scope.threads == 0;
    const bool one_at_a_time =
        query.scope.threads == 1 || picked || action.confirm || action.dry_run;
    // With 0, commands have the standard streams of this process, which prompts and editors need.
    action.jobs = one_at_a_time ? 0 : style.threads;
  }
  style.action = std::move(action);
}

}  // namespace ffind::cli
