// SPDX-License-Identifier: MIT
// See action_options.h.
#include "cli/action_options.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/option_table.h"
#include "ffind/issue.h"
#include "ffind/matcher.h"
#include "os/files.h"
#include "os/machine.h"
#include "text/format.h"
#include "text/problem.h"

namespace ffind::cli {
namespace {

/// Options that say how, without one that says what.
void refuse_without_action(const Options& options) {
  for (const FlagTarget target : {&Options::exec_in_dir, &Options::confirm, &Options::dry_run}) {
    if (!(options.*target)) continue;
    throw UsageError(
        text::format("{0} needs -x, -X or --delete\n  for example: ffind -g '*.bak' {0} {1}",
                     main_name(option_of(target)), options.exec_in_dir ? "-x gzip" : "--delete"));
  }
}

/// What a script gets of a variable that is not set: never meant.
void refuse_empty_patterns(const Options& options, const Operands& operands) {
  constexpr std::string_view message =
      "{} is empty, so --delete is refused: is a variable not set?\n"
      "  for example: ffind --ends .bak --delete";
  if (operands.has_text && operands.text.empty()) throw UsageError(text::format(message, "TEXT"));
  std::vector<ValueTarget> targets(pattern_targets.begin(), pattern_targets.end());
  targets.insert(targets.end(), {&Options::comments, &Options::where_froms});
  for (const ValueTarget target : targets) {
    const std::vector<std::string>& values = options.*target;
    if (std::find(values.begin(), values.end(), "") == values.end()) continue;
    throw UsageError(text::format(message, main_name(option_of(target))));
  }
}

void check_deletion(const Options& options, const Operands& operands, const Query& query) {
  if (!options.batch_size.empty() && options.exec_batches.empty()) {
    throw UsageError(
        "--batch-size needs -X\n  for example: ffind -g '*.bak' --batch-size 100 -X rm");
  }
  if (options.yes && !options.remove) throw UsageError("--yes needs --delete");
  if (!options.remove) return;
  if (options.exec_in_dir) throw UsageError("--exec-in-dir needs --exec or --exec-batch");
  if (query.scope.follow) {
    throw UsageError("--delete never follows links and excludes --follow");
  }
  refuse_empty_patterns(options, operands);
  if (!options.yes && !options.dry_run && options.conditions.empty() &&
      !narrows(optimise(query.where))) {
    throw UsageError(
        "--delete without a filter would delete everything; give a filter, or --yes to confirm\n"
        "  for example: ffind -g '*.bak' --delete");
  }
}

std::vector<output::CommandTemplate> templates_of(
    const std::vector<std::vector<std::string>>& commands) {
  return {commands.begin(), commands.end()};
}

/// Whether anything but names, places and types decides what matches.
bool goes_by_metadata(const Query& query) {
  constexpr Needs lasting = needs::type | needs::identity | needs::depth | needs::directory |
                            needs::relative_path | needs::absolute_path | needs::origin;
  const Needs asked =
      needs_of(query.where) | needs_of(query.scope.exclude) | needs_of(query.scope.prune);
  return (asked & ~lasting) != 0;
}

std::size_t batch_size_of(const Options& options) {
  if (options.batch_size.empty()) return 0;
  return parse_number(options.batch_size.back(), 1'000'000'000, &Options::batch_size);
}

/// Another file of that name in the current directory would be run.
void refuse_bare_names(const std::vector<output::CommandTemplate>& commands,
                       std::string_view option) {
  for (const output::CommandTemplate& command : commands) {
    if (!command.arguments.front().is_bare_name()) continue;
    throw UsageError(text::format(
        "{0}: '{1}' as the program is a file in the current directory, not the match\n  for "
        "example: ffind -g '*.sh' {0} {{}}{2}",
        option, command.program,
        option == "--if" ? std::string() : " or --exec-in-dir --exec '" + command.program + "'"));
  }
}

/// find's -x of BSD and -X, followed by a root. No directory can be run; a word without a slash is
/// looked up in PATH.
void refuse_directories(const std::vector<std::vector<std::string>>& commands,
                        std::string_view option) {
  for (const std::vector<std::string>& command : commands) {
    const std::string& program = command.front();
    const bool is_path = program.find('/') != std::string::npos || looks_like_path(program);
    if (!is_path || !os::is_directory(program)) continue;
    const std::string_view of_bsd =
        option == "-x"   ? "\n  -x is an option of find (BSD's): other volumes are skipped "
                           "without --cross-volumes"
        : option == "-X" ? "\n  -X is an option of find (BSD's); for xargs: ffind -0"
                         : "";
    throw UsageError(text::format(
        "{0} runs a command, but '{1}' is a directory{2}\n  for example: ffind -g '*.bak' {0} {3}",
        option, text::excerpt(program), of_bsd, option == "--if" ? "grep -q x" : "rm"));
  }
}

}  // namespace

void add_action(output::OutputStyle& style, const Options& options, const Operands& operands,
                const Query& query) {
  check_deletion(options, operands, query);
  style.conditions = templates_of(options.conditions);
  refuse_bare_names(style.conditions, "--if");
  refuse_directories(options.conditions, "--if");
  refuse_directories(options.execs, "-x");
  refuse_directories(options.exec_batches, "-X");
  if (!options.has_action()) return refuse_without_action(options);
  output::Action action;
  action.in_directory = options.exec_in_dir;
  action.follow = query.scope.follow;
  action.confirm = options.confirm;
  action.dry_run = options.dry_run;
  action.in_order = !options.sort.empty();
  if (options.remove) {
    action.by_metadata = goes_by_metadata(query) || !options.conditions.empty();
    action.kind = output::ActionKind::remove;
  } else if (!options.exec_batches.empty()) {
    action.kind = output::ActionKind::batch;
    action.commands = templates_of(options.exec_batches);
    action.batch_size = batch_size_of(options);
    for (const output::CommandTemplate& command : action.commands) {
      if (!command.program_varies()) continue;
      throw UsageError(
          text::format("--exec-batch: '{}' cannot be the program of many matches\n"
                       "  for example: ffind -g '*.sh' --exec {}",
                       command.program, command.program));
    }
  } else {
    action.commands = templates_of(options.execs);
    if (!action.in_directory) refuse_bare_names(action.commands, "--exec");
    const unsigned threads = query.scope.threads != 0 ? query.scope.threads : os::processors();
    // A person picks few, and for programs such as editors, which need the terminal.
    const bool picked = options.pick && query.scope.threads == 0;
    const bool one_at_a_time =
        query.scope.threads == 1 || picked || action.confirm || action.dry_run;
    action.jobs = one_at_a_time ? 0 : threads;
  }
  style.action = std::move(action);
}

}  // namespace ffind::cli
