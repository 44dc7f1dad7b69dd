// SPDX-License-Identifier: MIT
// Runs a command line from argv to the exit status. The way of a search:
//
//     argv ──parse──▶ Options ──understand_with_files──▶ Request {operands, query, style}
//                     (arguments)                        (request, query_builder, output_options)
//                                                             │
//               Matcher ◀── query ────────────────────────────┤
//                  │                                          ▼ style
//     plan_search ◀┴─── mount table        Output ◀── Writer (standard output, messages)
//     (search_plan)        │                  │ needs, limit
//                          ▼                  ▼
//                        Plan ─────────▶ run_search ──▶ SearchResult ──▶ summary, hints, status
//
// Other actions branch off in run_with: help, volumes, saved searches, --compare-readers, --pick. A
// UsageError from any step ends in answer_or_message: a line of another program is run, or the
// message gets the corrected line. Errors of the search itself are Issues and go to the output.
#include "cli/run.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/advice.h"
#include "cli/argument_file.h"
#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/request.h"
#include "cli/search_plan.h"
#include "ffind/searcher.h"
#include "foreign/foreign.h"
#include "os/catalog.h"
#include "os/directory_reader.h"
#include "os/dirent_block.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "output/messages.h"
#include "output/output.h"
#include "output/progress_reporter.h"
#include "output/statistics.h"
#include "pick/pick.h"
#include "search/entry_reload.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"
#include "text/sizes.h"

namespace ffind::cli {
namespace {

using Program = output::Speaker::Program;

/// Closes standard output and reports a failure on standard error; writer.error() has it, too. A
/// failure of the last write shows only now, as on a full disk or NFS.
void close_output(output::Writer& writer, const Options& options) {
  writer.close();
  if (writer.error() == 0 || options.has(Id::no_messages)) return;
  const std::string reason = "standard output: " + output::reason_of(writer.error());
  writer.write_message(options.has(Id::json_errors)
                           ? output::record_of({"", "write", writer.error(), reason})
                           : output::message(reason, speaker_of(options)));
}

void write_hints(const std::vector<std::string>& hints, output::Writer& writer) {
  for (const std::string& hint : hints) writer.write_message(output::message(hint));
}

/// Text of --stats; NDJSON if the matches or the errors are that.
std::string statistics_text(const Options& options, const Statistics& counts, Nanoseconds elapsed) {
  using Form = output::StatisticsForm;
  const bool as_record = options.has(Id::json_errors) || options.has(Id::json);
  const bool human = wants_human_sizes(options, os::is_terminal(os::standard_error));
  return output::statistics_text(counts, elapsed,
                                 as_record                  ? Form::record
                                 : options.has(Id::details) ? Form::lines
                                                            : Form::line,
                                 human);
}

/// Written by os::end_when_out_of_memory(), which cannot allocate: whole messages, as literals.
constexpr std::string_view out_of_memory = "ffind: out of memory\n";
constexpr std::string_view out_of_memory_record =
    R"({"type":"error","operation":"allocate","errno":"ENOMEM","message":"out of memory"})"
    "\n";

/// Writes a text that is not a search result: help, plan, list of volumes. Always reported, since
/// there is no --no-messages for them.
ExitStatus print(output::Writer& writer, std::string_view text) {
  if (writer.write(text) && writer.close()) return ExitStatus::complete;
  writer.write_message(output::message("standard output: " + output::reason_of(writer.error())));
  return ExitStatus::incomplete;
}

std::size_t help_width() {
  return os::is_terminal(os::standard_output) ? os::terminal_size(os::standard_output).columns
                                              : usual_width;
}

/// Runs --help with words. Its message has no corrected line of another program: the words are no
/// command line.
ExitStatus print_help(const Options& options, output::Writer& writer) {
  try {
    return print(writer, help_on(options.help_words, help_width()));
  } catch (const UsageError& error) {
    writer.write_message(output::message(error.what()));
    return ExitStatus::usage;
  }
}

/// Returns the system's warning before a search of these roots; empty if there is none.
std::string_view warning_before(const Plan& plan) {
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      const std::string_view warning = os::warning_before(root.canonical);
      if (!warning.empty()) return warning;
    }
  }
  return {};
}

/// Decides the exit status of a search. The output has been closed: a write may fail only then.
ExitStatus status_of(const Options& options, const SearchResult& result,
                     const output::Writer& writer, const output::Output& output) {
  if (const int status = output.exit_status(); status != 0) return static_cast<ExitStatus>(status);
  if (output.failed()) return ExitStatus::incomplete;
  // fd fails neither for what it cannot read nor, above, for what it cannot write.
  const bool reads_all =
      result.statistics.issues == 0 || speaker_of(options).program == Program::fd;
  // With --quiet a match is decisive whatever else failed; without a match, errors leave it
  // undecided.
  const Statistics& counts = result.statistics;
  const bool complete =
      options.has(Id::quiet) ? counts.matches > 0 : reads_all && writer.error() == 0;
  return complete ? ExitStatus::complete : ExitStatus::incomplete;
}

/// Tasks of the progress thread: ordering short output, flushing, noticing a closed pipe. Their
/// times count from the start of the search; the thread starts only once the search takes long.
std::vector<output::ScheduledTask> scheduled_tasks(output::Output& output, output::Writer& writer) {
  std::vector<output::ScheduledTask> tasks;
  if (output.waits_a_moment()) {
    tasks.push_back({output::EarlyOrder::moment, {}, [&output] { output.stream(); }});
  }
  if (output.keeps_small_parts()) {
    constexpr Nanoseconds pause = output::SharedBuffer::usual_pause;
    tasks.push_back({0, pause, [&output] { output.write_if_due(); }});
  }
  if (output.only_prints() && os::is_piped(os::standard_output)) {
    // A write fails at once; this is for a search without matches for a long time.
    constexpr Nanoseconds pause = 500'000'000;
    tasks.push_back({pause, pause, [&writer] { writer.end_without_reader(); }});
  }
  return tasks;
}

/// True if directories may have several names, as in backups by Time Machine: on HFS+.
bool has_linked_directories(const MountTable& table) {
  return std::any_of(table.begin(), table.end(),
                     [](const Volume& volume) { return volume.file_system == "hfs"; });
}

/// Runs a search from the request to the exit status. The progress display starts before the plan,
/// and ends after the last match has been printed or passed to its command. Order matters: the
/// reporter is created after, and so destroyed before, what its thread reads (output and progress).
ExitStatus search_and_report(Request& request, const Accounts& accounts, output::Writer& writer) {
  auto& [options, typed, operands, query, style, configuration, files, hint, next] = request;
  refuse_loose_levels(typed);
  const Nanoseconds begin = os::monotonic_now();
  const std::vector<Variation> variations = observe_variations(request, accounts);
  MountTable table = os::mount_table();
  // du(1) counts such a directory once.
  if (options.has(Id::usage) && has_linked_directories(table)) query.scope.unique = true;
  const Matcher matcher(query);
  style.limit = text::at_most(SIZE_MAX, query.limit);
  if (options.has(Id::explain)) {  // commands need a terminal or a program
    style.action.reset();
    style.condition.reset();
    style.steps.reset();
  }
  const bool may_act = !style.action || decide_question(*style.action, options, query);
  const bool runs_commands =
      style.action || style.condition || (style.steps && style.steps->in_order());
  output::Output output(std::move(style), writer);
  Progress progress;
  std::optional<output::ProgressReporter> reporter;
  // Before the plan, which calls volumes that may be slow.
  if (!options.has(Id::explain)) {
    reporter.emplace(build_progress_style(options), progress, writer,
                     scheduled_tasks(output, writer));
    progress.when_long_running(reporter->starter());
    // A list of roots may come from a slow pipe.
    if (runs_commands || output.waits_a_moment() || options.has(Id::files0_from)) {
      progress.mark_long_running();
    }
  }
  DirectoryReading below_text(request);
  std::vector<Issue> issues;
  const Plan plan =
      plan_search(options, operands, query, matcher, output.needs(), &issues, std::move(table));
  const std::uint64_t search_limit = output.search_limit(query.limit);
  if (options.has(Id::explain)) {
    const std::string whose =
        options.has(Id::as) ? text::format("line of {}\n", options.last(Id::as)) : std::string();
    return print(writer, whose + explanation(options, query, matcher, plan, search_limit, files));
  }

  constexpr Nanoseconds long_plan = 2'000'000;
  if (os::monotonic_now() - begin > long_plan) progress.mark_long_running();
  refuse_doubtful_action(request, plan.dropped);
  ListReader read_list = open_lists(options, query.scope);
  if (!may_act) refuse_unlimited_action(options, typed.words);
  // From here on the output may print: there is no UsageError any more.
  const std::shared_ptr<search::EntryReload> late =
      options.has(Id::duplicates)
          ? std::make_shared<search::EntryReload>(plan, matcher, output, os::open_file_system)
          : nullptr;
  output.begin(plan, [late] { return late->make_loader(); });
  for (const Issue& issue : issues) output.report(issue);
  if (os::is_terminal(os::standard_error) && !options.has(Id::as)) {
    output.advise(warning_before(plan));
  }
  SearchResult result = run_search(
      plan, matcher, search_limit, output, output.needs(),
      {os::open_file_system, os::open_catalog, os::device_directories, output.descriptors(),
       below_text.observed(output.condition()), std::move(read_list)},
      &progress);
  const auto note_not_local = [&output](Statistics& counts) {
    if (counts.not_local_directories + counts.not_local_files == 0) return;
    output.report(output::not_local_issue(counts.not_local_files, counts.not_local_directories));
    ++counts.issues;
  };
  note_not_local(result.statistics);
  result.statistics.issues += issues.size();
  // Also after an abandoned search: the limit has been reached. finish() may take long to sort, or
  // to wait for commands; the status line shows that.
  reporter->search_is_over(output.last_task());
  output.finish();
  reporter.reset();
  if (late) {
    Statistics counts = late->statistics();
    note_not_local(counts);
    result.statistics += counts;
  }

  const std::string meant = below_text.message(result.statistics.matches, variations);
  if (!meant.empty() && !result.abandoned && !below_text.line_to_run().empty()) {
    write_hints({meant}, writer);
    next = below_text.line_to_run();
    return ExitStatus::complete;
  }
  // Asks whether standard output is a terminal, so before it is closed.
  const std::vector<std::string> hints =
      meant.empty() ? hints_after(request, variations, plan.dropped, result)
                    : std::vector<std::string>{meant};
  close_output(writer, options);
  write_hints(hints, writer);
  output.write_issues();
  if (options.has(Id::stats)) {
    writer.write_message(statistics_text(options, result.statistics, os::monotonic_now() - begin));
  }
  // Threads that are blocked in a volume still use `matcher` and `output`, so nothing is destroyed.
  const ExitStatus status = status_of(options, result, writer, output);
  if (result.abandoned) std::_Exit(static_cast<int>(status));
  return status;
}

/// Runs --compare-readers. The configuration does not apply: there are no matches to show.
ExitStatus compare(const Options& typed, const Accounts& accounts, output::Writer& writer) {
  Request request = understand(typed, accounts);
  read_ignore_rules(request.options, request.query.scope);
  const bool complete =
      compare_readers(request.options, request.operands, request.query, request.style, writer);
  const ExitStatus printed = print(writer, {});
  return complete ? printed : ExitStatus::incomplete;
}

/// Runs --list-volumes. Errors in PATHs are reported first. No configuration applies.
ExitStatus print_volumes(const Options& typed, const Accounts& accounts, output::Writer& writer) {
  const output::OutputStyle style = build_output_style(typed, accounts);
  const VolumeList list = list_volumes(typed, style);
  for (const Issue& issue : list.issues) {
    if (!style.messages) break;
    writer.write_message(style.json_messages ? output::record_of(issue)
                                             : output::message_of(issue));
  }
  ExitStatus status = print(writer, list.text);
  if (!list.issues.empty()) status = ExitStatus::incomplete;
  if (list.waits) std::_Exit(static_cast<int>(status));
  return status;
}

/// Runs --saved. Unreadable searches are reported after the list.
ExitStatus print_searches(output::Writer& writer) {
  std::vector<std::string> problems;
  const std::string list = list_searches(problems);
  const ExitStatus status = list.empty() ? ExitStatus::complete : print(writer, list);
  for (const std::string& problem : problems) writer.write_message(output::message(problem));
  if (list.empty() && problems.empty()) {
    writer.write_message(
        output::message("no search is saved\n  for example: ffind --save big -S +100M -t f"));
  }
  return problems.empty() ? status : ExitStatus::incomplete;
}

/// Changes the current directory, as `cd` before the command. Several -C are entered one after
/// another, each relative to the last.
void enter(const std::string& directory) {
  const int error = os::change_directory(directory);
  if (error == 0) return;
  throw UsageError({.what = text::format("{}: {}", text::escaped(directory),
                                         std::generic_category().message(error)),
                    .place = {.option = "--base-directory", .value = directory},
                    .example = "ffind report -C src"});
}

/// Writes a message without allocating, after memory has run out. Anything but printable ASCII
/// becomes `?`.
void write_plainly(output::Writer& writer, std::string_view text) {
  writer.write_message("ffind: ");
  for (const char c : text) {
    const char plain = (c >= ' ' && c <= '~') || c == '\n' ? c : '?';
    writer.write_message({&plain, 1});
  }
  writer.write_message("\n");
}

/// Returns the answer with the line to run in place of the words, or prints the usage error. The
/// correction reads the disk and can fail; the error is printed all the same.
Answer answer_or_message(const UsageError& error, const std::vector<std::string>& words,
                         output::Writer& writer) {
  // An allocation that fails below throws instead of ending the process, so that the status is 2.
  os::throw_when_out_of_memory();
  try {
    Answer answer = answer_to(error.parts(), words);
    if (answer.line) {
      os::end_when_out_of_memory(out_of_memory);
      return answer;
    }
    writer.write_message(output::message(rendered(answer.message)));
  } catch (...) {
    try {
      writer.write_message(output::message(error.what()));
    } catch (const std::bad_alloc&) {
      write_plainly(writer, error.what());
    }
  }
  return {};
}

/// Prints the line that is run in place of the typed one, at a terminal.
void show(const Options& line, output::Writer& writer) {
  if (!gives_hints(line)) return;
  std::string text = output::message(foreign::line_to_paste(line.words));
  if (wants_colored_messages(line)) {
    text.pop_back();
    text = "\033[2m" + text + "\033[0m\n";
  }
  writer.write_message(text);
}

/// Runs --pick: a list in place of a search that prints. Does not return if a volume holds up a
/// thread. The list shows the progress; there are hints if the search found nothing to pick from.
ExitStatus pick_and_report(Request& request, const Accounts& accounts, output::Writer& writer) {
  const Nanoseconds begin = os::monotonic_now();
  const Options& options = request.options;
  refuse_doubtful_action(request, {});
  const std::vector<Variation> variations = observe_variations(request, accounts);
  const Matcher matcher(request.query);
  const std::optional<output::Palette> palette = palette_of_screen(options);
  const query::QueryContext context = query_context(accounts, options);
  const query::Meaning meaning = meaning_of(options, context);
  const auto plan = [&](Needs needs, std::vector<Issue>& issues) {
    return plan_search(options, request.operands, request.query, matcher, needs, &issues);
  };
  request.style.limit = text::at_most(SIZE_MAX, request.query.limit);
  const std::vector<std::string> keys = options.all(Id::sort);
  pick::Job job{matcher,
                request.query.limit,
                plan,
                meaning,
                accounts,
                keys.empty() ? std::string() : keys.front(),
                palette ? &*palette : nullptr,
                height_of(options),
                options.last(Id::pick),
                options.last(Id::preview),
                options.has(Id::no_history) ? std::string() : state_directory(),
                open_lists(options, request.query.scope)};
  output::Output output(std::move(request.style), writer);
  pick::Pick pick(std::move(job), output);
  ExitStatus status = ExitStatus::not_picked;
  try {
    const bool picked = pick.run();
    output.finish();
    close_output(writer, options);
    pick.report_issues();
    if (pick.result() != nullptr && pick.result()->statistics.matches == 0) {
      write_hints(hints_after(request, variations, {}, *pick.result()), writer);
    }
    output.write_issues();
    if (options.has(Id::stats) && pick.result() != nullptr) {
      writer.write_message(
          statistics_text(options, pick.result()->statistics, os::monotonic_now() - begin));
    }
    if (picked) {
      const bool complete = !output.failed() && writer.error() == 0;
      status = complete ? ExitStatus::complete : ExitStatus::incomplete;
    }
  } catch (const std::exception& error) {
    if (pick.all_ended()) throw;
    // Threads that are left behind use what unwinding would destroy.
    writer.write_message(output::message(error.what()));
    status = ExitStatus::incomplete;
  }
  if (!pick.all_ended()) std::_Exit(static_cast<int>(status));
  return status;
}

/// Writes a message of find's about a line that is not run.
ExitStatus refuse_as_find(std::string_view culprit, std::string_view reason,
                          output::Writer& writer) {
  Options line;
  line.add(Id::as, "find");
  const output::Speaker speaker = speaker_of(line);
  writer.write_message(output::message(
      text::format("{} is not done exactly here{}{}", output::quoted(culprit, speaker),
                   reason.empty() ? "" : ": ", reason),
      speaker));
  return ExitStatus::incomplete;
}

/// Runs a line of find by its rules.
ExitStatus run_as_find(const foreign::FindSearch& search, const Options& options,
                       output::Writer& writer) try {
  const output::Speaker speaker = speaker_of(options);
  for (const std::string& warning : search.warnings) {
    writer.write_message(output::message(warning, speaker));
  }
  if (!search.error.empty()) {
    writer.write_message(output::message(search.error, speaker));
    return ExitStatus::incomplete;
  }
  if (!search.culprit.empty()) return refuse_as_find(search.culprit, {}, writer);
  if (search.help == foreign::FindSearch::Help::version) {
    // Its clients read the first number.
    return print(writer, "find (GNU findutils) 4.9.0 (ffind as find, ffind " FFIND_VERSION ")\n");
  }
  if (search.help == foreign::FindSearch::Help::options) {
    return print(writer, "ffind " FFIND_VERSION
                         " as find: reads a command line of find, by its rules.\n\n"
                         "man find       the line, if find is installed\n"
                         "man ffind-as   what differs here\nffind --help   ffind itself\n");
  }
  const std::unique_ptr<const Accounts> accounts = os::accounts();
  const query::QueryContext context = query_context(*accounts, {});
  // An empty path of find is one that does not exist; here it would be the current directory.
  const auto empty = std::count(search.roots.begin(), search.roots.end(), std::string());
  for (auto i = empty; i > 0; --i)
    writer.write_message(output::message_of({"", "", ENOENT}, speaker));
  const bool has_empty = empty > 0;
  Request request = understand_as_find(search, options, {context, query::CaseRule::sensitive});
  if (has_empty && request.operands.paths.empty()) return ExitStatus::incomplete;
  const ExitStatus status = search_and_report(request, *accounts, writer);
  return has_empty && status == ExitStatus::complete ? ExitStatus::incomplete : status;
} catch (const std::runtime_error& error) {  // of an action: its format, its file
  writer.write_message(output::message(error.what(), speaker_of(options)));
  return ExitStatus::incomplete;
} catch (const UsageError& error) {
  return refuse_as_find(error.parts().place.value, error.parts().what, writer);
}

constexpr output::Speaker fd{.program = Program::fd};

/// Runs a line of fd by its rules.
ExitStatus run_as_fd(const std::vector<std::string>& words, output::Writer& writer) try {
  foreign::Host host = foreign_host();
  host.tell = [&](const std::string& text) { writer.write_message(output::message(text, fd)); };
  const foreign::FdSearch search = foreign::read_fd(words, host);
  using Help = foreign::FdSearch::Help;
  if (search.help == Help::version) {
    return print(writer, "fd 10.5.0 (ffind as fd, ffind " FFIND_VERSION ")\n");
  }
  if (search.help == Help::options) return print(writer, foreign::fd_help());
  const std::unique_ptr<const Accounts> accounts = os::accounts();
  const query::QueryContext context = query_context(*accounts, {});
  Request request = understand_as_fd(search, host, {context, query::CaseRule::sensitive});
  return search_and_report(request, *accounts, writer);
} catch (const UsageError& error) {
  const std::string& what = error.parts().what;
  const bool of_options = what.starts_with("error: ");
  writer.write_message(of_options ? what : output::message(what, fd));
  return of_options ? ExitStatus::usage : ExitStatus::incomplete;
}

/// The program whose words are read.
struct CalledAs {
  Program program = Program::ffind;
  std::optional<foreign::Dialect> dialect{};  ///< of find, if it is not that of the system's
};

/// Names under which this program reads the lines of another one.
constexpr std::pair<std::string_view, CalledAs> names[] = {
    {"find", {Program::find}},
    {"gfind", {Program::find, foreign::Dialect::gnu}},
    {"bfs", {Program::find, foreign::Dialect::bfs}},
    {"fd", {Program::fd}},
    {"fdfind", {Program::fd}}};

/// Removes the name of this program from `words`, and `--as PROGRAM` after it.
CalledAs take_program(std::vector<std::string>& words) {
  const std::string called = words.empty() ? std::string() : words.front();
  if (!words.empty()) words.erase(words.begin());
  if (words.size() > 1 && words[0] == "--as") {
    Options line;
    line.add(Id::as, words[1]);
    const Program program = speaker_of(line).program;
    words.erase(words.begin(), words.begin() + 2);
    return {program};
  }
  for (const auto& [name, program] : names) {
    if (text::name_of(called) == name) return program;
  }
  return {};
}

/// Reads `words` as a line of another program, and runs it. Like find and fd, it lists folders that
/// are only in a cloud.
ExitStatus run_as(CalledAs called, std::vector<std::string> words, output::Writer& writer) {
  os::allow_downloads();
  if (called.program == Program::fd) return run_as_fd(words, writer);
  const bool explains = !words.empty() && words.front() == "--explain";
  if (explains) words.erase(words.begin());
  Options options;
  options.add(Id::as, "find");
  options.add(Id::no_progress);
  if (explains) options.add(Id::explain);
  foreign::Host host = foreign_host();
  host.dialect = called.dialect.value_or(host.dialect);
  host.warns = find_warns();
  return run_as_find(foreign::read_find(words, host), options, writer);
}

/// Colours messages about a command line that may be wrong.
void color_messages(output::Writer& writer, const Options& scanned) {
  try {
    writer.color_messages(wants_colored_messages(scanned));
  } catch (const UsageError&) {
    // Reported after the line is parsed.
  }
}

/// State of the process that outlives a usage error.
struct Session {
  bool json_errors = false;  ///< the format of errors
  std::size_t entered = 0;   ///< number of directories of -C that were entered
};

/// Runs the command line. Sets `session.json_errors` as soon as it is known. The actions that need
/// no search come first, in the order of their precedence; for --help, --version and the like,
/// other options are ignored, and no configuration is read.
ExitStatus run_with(Options scanned, output::Writer& writer, Session& session) {
  bool& json_errors = session.json_errors;
  const Options typed = checked(std::move(scanned));
  json_errors = typed.has(Id::json_errors);
  writer.color_messages(wants_colored_messages(typed));
  if (typed.has(Id::short_help)) {
    return print(writer, short_help(help_width(), wants_colored_help(typed)));
  }
  if (!typed.help_words.empty()) return print_help(typed, writer);
  if (typed.has(Id::help)) return print(writer, long_help(help_width()));
  if (typed.has(Id::version)) return print(writer, "ffind " FFIND_VERSION "\n");
  if (typed.has(Id::as)) {
    choice_of(typed, Id::as);
    throw UsageError({.what = "--as is the first word of a line",
                      .place = {.options = {"--as"}},
                      .example = std::string(option_of(Id::as).example)});
  }
  if (typed.has(Id::completions)) {
    const auto shell = static_cast<Shell>(choice_of(typed, Id::completions));
    return print(writer, completions(shell));
  }
  refuse_with_modes(typed);
  const std::vector<std::string> directories = typed.all(Id::base_directory);
  while (session.entered < directories.size()) {
    enter(directories[session.entered]);
    ++session.entered;
  }
  const std::unique_ptr<const Accounts> accounts = os::accounts();
  if (typed.has(Id::save)) {
    writer.write_message(output::message(keep_search(typed, *accounts)));
    return ExitStatus::complete;
  }
  if (typed.has(Id::forget)) {
    for (const std::string& name : typed.all(Id::forget)) {
      writer.write_message(output::message(forget_search(name)));
    }
    return ExitStatus::complete;
  }
  if (typed.has(Id::saved)) return print_searches(writer);
  if (typed.has(Id::list_volumes)) return print_volumes(typed, *accounts, writer);
  if (typed.has(Id::compare_readers)) return compare(typed, *accounts, writer);
  Request request = understand_with_files(typed, *accounts);
  refuse_alone(request.configuration ? request.configuration->rest : request.options, typed.words);
  if (request.options.has(Id::download)) os::allow_downloads();
  read_ignore_rules(request.options, request.query.scope);
  read_trash(request.options, request.operands, request.query.scope);
  // A configuration or a saved search may set them, too.
  json_errors = request.options.has(Id::json_errors);
  writer.color_messages(wants_colored_messages(request.options));
  if (json_errors) os::end_when_out_of_memory(out_of_memory_record);
  if (request.options.has(Id::no_messages)) os::end_when_out_of_memory({});
  request.next = line_of_words(request);
  if (!request.next.empty()) {
    Options line = scan(request.next);
    show(line, writer);
    return run_with(std::move(line), writer, session);
  }
  ExitStatus status{};
  try {
    // Explaining the plan needs no terminal.
    const bool picks = request.options.has(Id::pick) && !request.options.has(Id::explain);
    status = picks ? pick_and_report(request, *accounts, writer)
                   : search_and_report(request, *accounts, writer);
  } catch (const UsageError& error) {
    // The plan finds out only now what a volume cannot do.
    if (!request.configuration) throw;
    UsageParts parts = error.parts();
    parts.note = "the configuration applies here; --no-config ignores it";
    throw UsageError(std::move(parts));
  }
  return request.next.empty() ? status : run_with(scan(request.next), writer, session);
}

}  // namespace

/// Prepares the process first: memory, signals that request a status, closed standard streams, side
/// effects of reading. Every exception ends here, as a message and a status.
ExitStatus run(std::span<char* const> words) {
  os::end_when_out_of_memory(out_of_memory);
  std::vector<std::string> arguments(words.begin(), words.end());
  os::hold_status_requests();
  os::secure_standard_descriptors();
  os::forbid_side_effects();
  os::raise_low_descriptor_limit();
  output::Writer writer(os::standard_output, os::standard_error);
  Session session;
  Answer answer;
  try {
    if (const CalledAs called = take_program(arguments); called.program != Program::ffind) {
      return run_as(called, arguments, writer);
    }
    try {
      Options scanned = scan(arguments);
      color_messages(writer, scanned);
      return run_with(std::move(scanned), writer, session);
    } catch (const UsageError& error) {
      answer = answer_or_message(error, arguments, writer);
    }
    if (!answer.line) return ExitStatus::usage;
    answer.line->add(Id::no_config);
    color_messages(writer, *answer.line);
    show(*answer.line, writer);
    if (answer.is_of_fd) {
      const std::vector<std::string>& line = answer.line->words;
      return run_as_fd({line.begin() + 2, line.end()}, writer);
    }
    if (answer.find) {
      if (answer.line->has(Id::explain)) answer.line->add(Id::as, "find");
      return run_as_find(*answer.find, *answer.line, writer);
    }
    return run_with(*std::move(answer.line), writer, session);
  } catch (const UsageError& error) {
    writer.write_message(output::message(error.what()));
    return ExitStatus::usage;
  } catch (const std::system_error& error) {
    writer.write_message(session.json_errors
                             ? output::record_of({"", "start", error.code().value(), error.what()})
                             : output::message(text::escaped(error.what())));
    return ExitStatus::incomplete;
  } catch (const std::exception& error) {
    writer.write_message(output::message(text::escaped(error.what())));
    return ExitStatus::incomplete;
  }
}

}  // namespace ffind::cli
