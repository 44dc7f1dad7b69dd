// SPDX-License-Identifier: MIT
// The only file that includes CLI11: registers the rows that were typed and has argv parsed
// into Options. What the words mean is the query builder's.
#include "cli/parser.h"

#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/option_relations.h"
#include "cli/option_table.h"
#include "ffind/issue.h"

namespace ffind::cli {
namespace {

void register_row(CLI::App& app, const OptionRow& row, Options& options) {
  const std::string names(row.names);
  if (const auto* flag = std::get_if<FlagTarget>(&row.target)) {
    app.add_flag(names, options.*(*flag));
    return;
  }
  // One value each time, as often as it is given, and untouched: as a plain vector CLI11 would
  // swallow what follows, take [a,b] apart and drop {}.
  std::vector<std::string>& values = options.*std::get<ValueTarget>(row.target);
  const auto keep = [&values](const CLI::results_t& results) {
    values = results;
    return true;
  };
  app.add_option(names, keep)->type_size(1)->expected(1)->take_all()->allow_extra_args(false);
}

/// In our words; CLI11's own name its types.
[[noreturn]] void fail_last_value_missing(const std::vector<std::string>& arguments) {
  const OptionRow* const row = find_option(arguments.back());
  if (row == nullptr) throw UsageError("an option needs a value");
  fail_missing_value(arguments.back(), *row);
}

/// The options among the words that were typed.
void parse_options(const PreparedArguments& prepared, Options& options) {
  CLI::App app;
  app.set_help_flag();
  // CLI11 compares each option with all before it: registering all of them took a third of what an
  // empty search takes.
  for (const OptionRow* row : prepared.rows) register_row(app, *row, options);
  // CLI11 takes them last first.
  std::vector<std::string> reversed(prepared.options.rbegin(), prepared.options.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch&) {
    fail_last_value_missing(prepared.options);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

Options parse(const std::vector<std::string>& arguments) {
  const PreparedArguments prepared = prepare(arguments);
  Options options;
  if (!prepared.options.empty()) parse_options(prepared, options);
  for (const auto& [row, words] : prepared.commands) {
    (options.*std::get<CommandTarget>(row->target)).push_back(words);
  }
  keep_last_of_opposites(options, prepared.rows);
  for (const OptionRow* row : prepared.undone) take_out(options, *row);
  options.undone = prepared.undone;
  options.arguments = prepared.arguments;
  options.arguments_after_dashes = prepared.arguments_after_dashes;
  options.argument_places = prepared.argument_places;
  return options;
}

}  // namespace ffind::cli
