// SPDX-License-Identifier: MIT
// Requests for lines of find and fd: the parts that the search has no options of ours for. Reads
// the files of rules that a line of fd names, and $XDG_CONFIG_HOME/fd/ignore.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/advice.h"
#include "cli/request.h"
#include "cli/search_plan.h"
#include "foreign/foreign.h"
#include "os/files.h"
#include "os/machine.h"
#include "output/commands/action.h"
#include "output/output_style.h"
#include "text/format.h"

namespace ffind::cli {
namespace {

/// Adds the rules of the files that a line of fd names, and of fd's own.
void read_ignore_files(const foreign::FdSearch& search, Scope& scope, const foreign::Host& host) {
  std::string here;
  try {
    here = os::current_directory();
  } catch (const std::system_error&) {
    return;  // deleted: fd reads none, either
  }
  std::vector<std::string> files = search.ignore_files;
  if (search.reads_global_file) {
    std::string directory = os::environment("XDG_CONFIG_HOME").value_or("");
    if (!directory.starts_with('/')) {
      directory = os::environment("HOME").value_or("") + "/.config";
    }
    const std::string global = directory + "/fd/ignore";
    if (os::type_at(global) != FileType::unknown) files.insert(files.begin(), global);
  }
  for (const std::string& file : files) {
    IgnoreText text{.file = file, .rules = {}, .base = here};
    constexpr std::size_t most = std::size_t{16} << 20U;
    if (const int error = os::read_to_end(file, most, text.rules); error != 0) {
      host.tell(text::format("Malformed pattern in custom ignore file. {}: {} (os error {}).", file,
                             std::generic_category().message(error), error));
    }
    // Later ones decide first.
    scope.ignore_texts.push_back(std::move(text));
  }
}

/// The commands of a line of fd; nullopt if it has none.
std::optional<output::Action> action_of(const foreign::FdSearch& search, bool colored) {
  std::vector<std::vector<std::string>> commands = search.options.commands(Id::exec);
  const bool each = !commands.empty();
  if (!each) commands = search.options.commands(Id::exec_batch);
  if (search.lists_details) {
    commands = {{"ls", "-l", "-h", "-d"}};
    if (!os::system_traits.bsd_find) {
      commands.front().emplace_back(colored ? "--color=always" : "--color=never");
    } else if (colored) {
      commands.front().emplace_back("-G");
    }
  }
  if (commands.empty()) return {};
  output::Action action;
  action.kind = each ? output::ActionKind::each : output::ActionKind::batch;
  action.follow = search.scope.follow;
  action.batch_size = search.batch_size;
  action.tries_each = true;
  action.runs_scripts = false;
  action.ends_with_nul = each && search.ends_with_nul;
  const unsigned threads = search.scope.threads != 0 ? search.scope.threads : os::processors();
  action.jobs = threads == 1 ? 0 : threads;
  for (const std::vector<std::string>& words : commands) {
    const output::CommandTemplate& command = action.commands.emplace_back(
        words, output::PlaceRules{.of_fd = true, .separator = search.separator});
    if (each) continue;
    if (command.program_varies()) {
      throw UsageError(foreign::fd_usage_error(
          "First argument of --exec-batch must be a fixed executable, not a placeholder"));
    }
    const auto places =
        std::count_if(command.arguments.begin(), command.arguments.end(),
                      [](const output::ArgumentTemplate& one) { return one.has_place(); });
    if (places > 1) {
      throw UsageError(foreign::fd_usage_error("Only one placeholder allowed for batch commands"));
    }
  }
  return action;
}

}  // namespace

Request understand_as_find(const foreign::FindSearch& search, Options options,
                           const query::Meaning& meaning) {
  Request request;
  if (!search.wider.empty() && gives_hints(options)) {
    std::vector<std::string> line = {"--as", "find"};
    line.insert(line.end(), search.wider.begin(), search.wider.end());
    request.hint = text::format("nothing found: -name compares the whole name\n  try: {}",
                                foreign::line_to_paste(line));
  }
  options.add(Id::no_hints);
  if (search.end == '\0') options.add(Id::null);
  if (search.roots_file) options.add(Id::files0_from, *search.roots_file);
  output::OutputStyle& style = request.style;
  style = build_output_style(options, *meaning.context.accounts);
  style.returns = search.returns;
  request.options = std::move(options);
  std::copy_if(search.roots.begin(), search.roots.end(), std::back_inserter(request.operands.paths),
               [](const std::string& root) { return !root.empty(); });
  request.query.where = search.where(meaning);
  Scope& scope = request.query.scope;
  scope = search.scope;
  scope.prune = search.prune(meaning);
  if (search.steps) {
    style.steps = search.steps(meaning);
    const bool in_order = style.steps->in_order();
    style.format = in_order ? output::Format::nothing : output::Format::of_find;
    if (in_order) {
      scope.order = style.steps->order.value_or(Scope::Order{});
      scope.threads = 1;
      scope.method = Method::walk;
    }
  } else if (style.for_people()) {
    // find shows paths without colours, and with a question mark for what cannot be printed.
    style.steps = FindSteps{.top = {.kind = FindStep::Kind::print}};
    style.format = output::Format::of_find;
  }
  return request;
}

Request understand_as_fd(const foreign::FdSearch& search, const foreign::Host& host,
                         const query::Meaning& meaning) {
  Request request;
  request.options = search.options;
  request.options.add(Id::no_hints);
  request.options.add(Id::no_progress);
  request.operands.paths = search.roots;
  output::OutputStyle& style = request.style;
  style = build_output_style(search.options, *meaning.context.accounts);
  style.action = action_of(search, style.palette.has_value());
  style.messages = search.shows_errors;
  if (search.ends_with_nul && !style.action) style.end = '\0';
  style.separator = search.separator;
  style.sorts_at_once = true;
  if (search.format) {
    style.path_template.emplace(*search.format,
                                output::PlaceRules{.of_fd = true, .separator = search.separator});
  }
  request.query.where = search.where(meaning);
  request.query.limit = search.limit;
  Scope& scope = request.query.scope;
  scope = search.scope;
  scope.prune = search.prune(meaning);
  read_ignore_files(search, scope, host);
  read_ignore_rules(request.options, scope);
  return request;
}

}  // namespace ffind::cli
