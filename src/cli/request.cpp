// SPDX-License-Identifier: MIT
// A file is checked by itself before anything is put on top of it: a line that makes no sense is an
// error even where something typed would have taken its place. See request.h.
#include "cli/request.h"

#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/action_options.h"
#include "cli/argument_file.h"
#include "cli/arguments.h"
#include "cli/combine.h"
#include "cli/configuration.h"
#include "cli/output_options.h"
#include "cli/parser.h"
#include "cli/saved_searches.h"
#include "ffind/issue.h"
#include "os/os.h"
#include "text/format.h"

namespace ffind {
namespace {

constexpr int standard_output = 1;

using Arguments = std::vector<std::string>;

/// What is wrong with `options`; empty: nothing.
std::string problem_of(const Options& options, const Accounts& accounts) {
  try {
    understand(options, accounts);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

void check_place_in_search(const Arguments& arguments) {
  const PreparedArguments prepared = prepare(arguments);
  for (const std::string_view name :
       {"-h", "--help", "--version", "--volumes", "--save", "--saved"}) {
    if (!has_option(prepared, name)) continue;
    throw UsageError(text::format("{} has no place in a saved search", name));
  }
  if (!search_called(prepared.arguments, prepared.arguments_after_dashes).empty()) {
    throw UsageError("a saved search cannot run another, '" + prepared.arguments.front() + "'");
  }
}

using Join = std::function<Options(const Arguments&)>;

/// What `join` makes of the arguments of `file` and of what was typed, which is to blame alone
/// where it says the same alone; else the message tells where the other half is, and ends with
/// `advice`.
Request understand_joined(const ArgumentFile& file, const Join& join, const Options& typed,
                          const std::string& advice, const Accounts& accounts) {
  const auto check = [&](const Arguments& arguments) { understand(join(arguments), accounts); };
  try {
    return understand(join(file.arguments), accounts);
  } catch (const UsageError& error) {
    const std::string problem = error.what();
    if (problem == problem_of(typed, accounts)) throw;
    throw UsageError(problem + "\n  together with what stands " + place_of(problem, file, check) +
                     advice);
  }
}

/// `typed` behind what is saved in `file`.
Request behind(const ArgumentFile& file, Options typed, const Accounts& accounts) {
  check_arguments(file, [&](const Arguments& arguments) {
    check_place_in_search(arguments);
    understand(parse(arguments), accounts);
  });
  typed.arguments.erase(typed.arguments.begin());  // @NAME
  const auto join = [&](const Arguments& saved) { return followed_by(parse(saved), typed); };
  return understand_joined(file, join, typed, "", accounts);
}

/// `typed` over the configuration in `file`.
Request over(const ArgumentFile& file, const Options& typed, const Accounts& accounts) {
  check_arguments(file, [&](const Arguments& arguments) {
    check_place_in_configuration(arguments);
    understand(parse(arguments), accounts);
  });
  const auto join = [&](const Arguments& configuration) {
    return over_configuration(parse(configuration), typed);
  };
  return understand_joined(file, join, typed, "; --no-config leaves it out", accounts);
}

}  // namespace

Request understand(Options options, const Accounts& accounts) {
  const Operands operands = sort_arguments(options);
  Query query = build_query(options, operands,
                            {.clock = {os::wall_now()},
                             .accounts = &accounts,
                             .metadata_of = os::metadata_of,
                             .has_added = os::has_added()});
  OutputStyle style = build_output_style(options, accounts);
  add_action(style, options, operands, query);
  return {std::move(options), operands, std::move(query), std::move(style)};
}

Request understand_with_files(const Options& typed, const Accounts& accounts) {
  const std::string name = search_called(typed.arguments, typed.arguments_after_dashes);
  std::optional<Request> searched;
  if (!name.empty()) searched = behind(read_search(name), typed, accounts);
  const Options& options = searched ? searched->options : typed;
  std::optional<ArgumentFile> configuration;
  if (!options.no_config) configuration = read_configuration(os::is_terminal(standard_output));
  if (!configuration) return searched ? std::move(*searched) : understand(typed, accounts);
  Request request = over(*configuration, options, accounts);
  request.configured = !configuration->arguments.empty();
  return request;
}

std::string keep_search(const Arguments& arguments, const Options& typed,
                        const Accounts& accounts) {
  const Arguments kept = arguments_to_save(arguments, typed);
  check_place_in_search(kept);
  understand(parse(kept), accounts);
  return save_search(typed.save.front(), kept);
}

}  // namespace ffind
