// SPDX-License-Identifier: MIT
// Combines typed options with those of files. Each file is checked alone first: a wrong line is an
// error even if a typed option would replace it. An error of the combination is reported with the
// file's line only if the typed options alone cannot be its cause (part_in_file).
//
//     configuration       over_configuration()     under everything
//     FFIND_PICK_OPTS     over_pick_options()      with a typed --pick only
//     saved search        followed_by()            as if typed before the rest of the line
//     typed words
//
// They are combined from the bottom up. Each step builds a Request, which checks its options; that
// of the last step is the result.
#include "cli/request.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cli/argument_file.h"
#include "cli/arguments.h"
#include "cli/option_table.h"
#include "ffind/issue.h"
#include "foreign/foreign.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/terminal.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

using Arguments = std::vector<std::string>;

/// True if `options` has the option, with that value unless `value` is empty. An error may quote a
/// part of a value, so a piece of it is enough.
bool has_typed(const Options& options, const std::string& name, const std::string& value) {
  const OptionRow* const row = find_option(name);
  return std::any_of(options.given.begin(), options.given.end(), [&](const Given& one) {
    return !one.off && row == &option_of(one.id) &&
           (value.empty() || is_flag(*row) || takes_command(*row) ||
            one.value.find(value) != std::string::npos);
  });
}

/// Returns the part of `place` that was not typed and so is in a file; nullopt if there is none.
/// For example, with `--json` in a file and a typed `-l`, the place of their contradiction is
/// {--json, -l}, and the part {--json}.
std::optional<UsagePlace> part_in_file(const UsagePlace& place, const Options& typed) {
  UsagePlace part;
  if (find_option(place.option) != nullptr) {
    if (has_typed(typed, place.option, place.value)) return std::nullopt;
    part.option = place.option;
    part.value = place.value;
    return part;
  }
  for (const std::string& name : place.options) {
    if (find_option(name) != nullptr && !has_typed(typed, name, {})) part.options.push_back(name);
  }
  return part.options.empty() ? std::nullopt : std::optional(part);
}

/// Understands the options of `file` alone, with errors at their lines, and then joined with the
/// typed ones. If an error is about both, a note names the line of the file, followed by `advice`.
Request over_file(const ArgumentFile& file, const OptionCheck& check_place,
                  Options (*join)(Options, const Options&), const Options& typed,
                  const std::string& advice, const Accounts& accounts) {
  const Options options = options_of(file, [&](const Options& alone) {
    check_place(alone);
    understand(alone, accounts);
  });
  try {
    Request request = understand(join(options, typed), accounts);
    request.configuration = {file, options, typed};
    return request;
  } catch (const UsageError& error) {
    const std::optional<UsagePlace> part = part_in_file(error.parts().place, typed);
    if (!part || word_of(*part, options) == UsagePlace::unknown) throw;
    UsageParts parts = error.parts();
    parts.note = "combined with what is " + place_in(file, *part, options) + advice;
    throw UsageError(std::move(parts));
  }
}

/// Applies the typed options over those of FFIND_PICK_OPTS, if --pick was typed. The variable is
/// one line, split as a shell splits words.
Options over_pick_options(const Options& typed, const Accounts& accounts) {
  constexpr const char* variable = "FFIND_PICK_OPTS";
  const std::string line = os::environment(variable).value_or("");
  if (!typed.has(Id::pick) || line.empty()) return typed;
  try {
    const std::optional<Arguments> words = text::shell_words(line);
    if (!words) throw UsageError("a quote is not closed");
    const Options options = parse(*words);
    check_place_in_configuration(options);
    Options alone = options;
    alone.add(Id::pick);
    understand(alone, accounts);
    return over_configuration(options, typed);
  } catch (const UsageError& error) {
    fail_in(variable, error.parts());
  }
}

/// True if a pipe or file on standard input is the list to pick from: nothing else says where to
/// look.
bool takes_list_from_input(const Options& options) {
  const auto says_where = [](const Given& one) {
    return one.id == Id::in || one.id == Id::volume || one.id == Id::all_volumes ||
           one.id == Id::files0_from || is_list(one.id) || one.id == Id::trashed;
  };
  return options.has(Id::pick) && os::gives_text(os::standard_input) &&
         std::none_of(options.given.begin(), options.given.end(), says_where) &&
         sort_arguments(options).paths.empty();
}

}  // namespace

query::QueryContext query_context(const Accounts& accounts, const Options& options) {
  // Records may be of another system.
  const bool of_records = options.has(Id::from_json);
  return {
      .clock = {os::wall_now()},
      .accounts = &accounts,
      .metadata_of = os::metadata_of,
      .lacks = of_records ? needs::none : os::system_traits.lacks,
      .hides_by_flag = os::system_traits.hides_by_flag && !of_records,
      .flags = of_records ? file_flags::of_linux | file_flags::of_macos : os::system_traits.flags,
      .term_of_other_finders = foreign::term_of_other_finders,
      .of_records = of_records};
}

/// The order decides which of several errors is reported: arguments, values of the query, output,
/// action.
Request understand(Options options, const Accounts& accounts) {
  const Operands operands = sort_arguments(options);
  query::QueryContext context = query_context(accounts, options);
  if (!options.has(Id::trashed)) context.lacks |= needs::trashed;
  Query query = build_query(options, operands, context);
  output::OutputStyle style = build_output_style(options, accounts);
  height_of(options);
  check_preview(options);
  add_action(style, options, operands, query);
  // Without a filter everything matches, the roots too.
  if (style.usage) {
    style.usage->roots_count = query.scope.min_depth == 0 && !options.has(Id::condition) &&
                               !narrows(optimise(query.where)) && !options.has_list();
    // A list may have a file several times, and on any volume.
    style.usage->follows = style.usage->follows || options.has_list();
  }
  return {.options = std::move(options),
          .operands = operands,
          .query = std::move(query),
          .style = std::move(style)};
}

/// --no-config may be typed or in the saved search, hence the order: the saved search is read
/// first.
Request understand_with_files(const Options& typed, const Accounts& accounts) {
  const std::string name = search_called(typed);
  std::optional<Request> searched;
  if (!name.empty()) {
    Options rest = typed;
    rest.arguments.erase(rest.arguments.begin());  // @NAME
    rest.argument_places.erase(rest.argument_places.begin());
    searched = over_file(read_search(name), check_place_in_search, followed_by, rest, "", accounts);
  }
  Options options = over_pick_options(searched ? searched->options : typed, accounts);
  if (takes_list_from_input(options)) options.add(Id::from, "-");
  std::optional<ArgumentFile> configuration;
  if (!options.has(Id::no_config)) {
    // --pick is at a terminal even if its output is not.
    configuration =
        read_configuration(os::is_terminal(os::standard_output) || options.has(Id::pick));
  }
  Request request =
      configuration ? over_file(*configuration, check_place_in_configuration, over_configuration,
                                options, "; --no-config ignores it", accounts)
                    : understand(options, accounts);
  request.typed = typed;
  if (searched) request.files.push_back(searched->configuration->file.path);
  if (request.configuration && configuration->arguments.empty()) request.configuration.reset();
  if (request.configuration) request.files.push_back(configuration->path);
  return request;
}

/// The words are saved as typed, not as Options: the file reads like the command line.
std::string keep_search(const Options& typed, const Accounts& accounts) {
  const Arguments kept = arguments_to_save(typed);
  const Options options = parse(kept);
  check_place_in_search(options);
  refuse_alone(understand(options, accounts).options, typed.words);
  return save_search(typed.last(Id::save), kept);
}

}  // namespace ffind::cli
