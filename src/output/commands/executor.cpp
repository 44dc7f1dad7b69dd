// SPDX-License-Identifier: MIT
// From the words of a command to its end: starting, keeping output, reporting.
//
// Effects of a failure:
//
//     status other than 0       note_failure(): exit status 1; the next commands of this match are
//                               not run, other matches are
//     ended by a signal         likewise, and reported
//     no such program           reported once; nothing more is started (fails_for_all)
//     lack of resources         tried again (start), then as above
//     arguments too long        the batch is halved until it fits
//     directory vanished        the match is skipped
//     field without a value     note_failure(), reported; the next commands of this match are not
//                               run either
//     --confirm: quit, or EOF   nothing more is started
#include "output/commands/executor.h"

#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "os/files.h"
#include "os/processes.h"
#include "os/safe_open.h"
#include "output/commands/action.h"
#include "output/messages.h"
#include "output/record_fields.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::output {
namespace {

/// True for errors that pass once other commands have ended.
bool is_shortage(int error) {
  return error == EAGAIN || error == EMFILE || error == ENFILE || error == ENOMEM;
}

/// Returns the directory as issues name it.
std::string name_of(std::string_view directory) {
  return directory.empty() ? "." : std::string(directory);
}

/// True if a command that could not be started would fail in the same way for every other match:
/// the system lacks resources, or `program`, which is empty if each match has its own, cannot be
/// executed.
bool fails_for_all(const os::Ending& ending, const std::string& program) {
  if (ending.is_directorys) return false;
  return is_shortage(ending.error) ||
         (ending.error != 0 && ending.error != E2BIG && !program.empty());
}

/// "ended by signal 9 (KILL)".
std::string text_of_signal(int number, bool of_find) {
  const std::string_view name = os::signal_name(number);
  if (of_find) return text::format("terminated by signal {}", number);
  if (name.empty()) return text::format("ended by signal {}", number);
  return text::format("ended by signal {} ({})", number, name);
}

/// "not run, because {tags} has no value".
std::string text_of_missing(const RecordField& field) {
  return text::format("not run, because {{{}}} has no value", field.name);
}

/// The beginning of a longer question would scroll off the screen.
constexpr std::size_t longest_shown = 2000;

/// Cuts a long question, at a whole character.
std::string beginning_of(const std::string& line) {
  if (line.size() <= longest_shown) return line;
  const std::string_view shown = text::whole_characters(line, longest_shown);
  return text::format("{}... ({} more bytes)", shown, line.size() - shown.size());
}

}  // namespace

Executor::Executor(const ActionContext& context, bool is_kept)
    : context_(context), action_(context.action), is_kept_(is_kept), turns_([this] {
        return stopped() || (context_.processes != nullptr && context_.processes->is_ending());
      }) {
  for (const CommandTemplate& command : action_.commands) {
    std::string& program = programs_.emplace_back();
    if (command.program_varies() || action_.tries_each) continue;
    // Doubled braces are single by now.
    std::string word;
    std::string_view no_values;
    command.arguments.front().append(word, {}, no_values);
    const int error = action_.dry_run ? 0 : os::find_program(word, program);
    if (error != 0) {
      throw std::system_error(error, std::generic_category(),
                              "command '" + text::escaped(word) + "'");
    }
    if (action_.dry_run) program = word;
    // A relative path is relative to the directory in which it was typed.
    const bool found_in_path = word.find('/') == std::string::npos && action_.dry_run;
    if (action_.in_directory && !found_in_path) program = os::absolute_path(program);
  }
  if (action_.dry_run) return;
  // In this order: commands begin with the signals blocked that were blocked before either.
  if (action_.confirm) confirmation_.emplace();
  context_.writer.end_by([this] { context_.processes->end_by_broken_pipe(); });
}

Executor::~Executor() {
  context_.writer.end_by({});
}

bool Executor::run(Job job) {
  // Declared first, to outlive the output that it protects.
  std::optional<os::Processes::OutputHold> hold;
  std::optional<KeptOutput> kept;
  if (is_kept_ && !action_.dry_run) {
    hold.emplace(*context_.processes);
    // Later numbers wait for the end of this one, however it ends.
    kept.emplace(context_.writer, turns_, job.number, action_.kind == ActionKind::condition);
    job.output = &*kept;
  }
  if (stopped()) return false;
  os::OpenAncestors ancestors(action_.follow, 1);
  if (action_.in_directory && !action_.dry_run) {
    std::string whole(job.directory);
    // locate_below() needs a path below the root; the dot stays on the directory itself.
    whole += '.';
    const Located located = locate_below(roots_, whole);
    const int error = located.root == nullptr ? ESTALE
                                              : ancestors.open(located.root->directory,
                                                               located.path, job.open_directory);
    // A directory that disappears meanwhile is skipped, as in a search. One that a link has
    // replaced has disappeared.
    if (error == ENOENT || error == ENOTDIR || (error == ELOOP && !action_.follow)) return false;
    if (error != 0) {
      context_.report({name_of(job.directory), "", error, std::string(detail_of_opening(error))});
      note_failure();
      return false;
    }
  }
  std::size_t succeeded = 0;
  while (succeeded < action_.commands.size() && run_command(succeeded, job)) ++succeeded;
  if (action_.ends_with_nul && !action_.dry_run) {
    constexpr std::string_view nul{"\0", 1};
    if (kept) {
      kept->append(os::Stream::output, nul);
    } else {
      context_.writer.write(nul);
    }
  }
  if (kept) kept->write();
  if (!action_.of_find && context_.writer.error() != 0) {
    stopped_.store(true, std::memory_order_relaxed);
  }
  return succeeded == action_.commands.size();
}

bool Executor::run_command(std::size_t index, Job& job) {
  const CommandTemplate& command = action_.commands[index];
  if (const RecordField* const missing = missing_field(command, job.values)) {
    note_failure();
    report(job, command.program, 0, text_of_missing(*missing));
    return false;
  }
  if (action_.dry_run || action_.confirm) {
    std::string_view values = job.values;
    const std::string line =
        line_of(index, expand(command, job.paths, job.count, values), job.directory);
    if (action_.dry_run) {
      job.values = values;
      return context_.show(line);
    }
    if (!agreed(line)) return false;
  }
  return run_part(index, job);
}

/// Runs a command for each half of the paths if its arguments are too long for the kernel, which
/// counts them differently. Takes its values from the job.
bool Executor::run_part(std::size_t index, Job& job) {
  std::vector<std::string> words =
      expand(action_.commands[index], job.paths, job.count, job.values);
  const std::string name = words.front();
  const os::Ending ending = start(index, std::move(words), job);
  if (ending.error == E2BIG && job.count > 1) {
    Job first = job;
    Job second = job;
    first.count = job.count / 2;
    second.paths += first.count;
    second.count -= first.count;
    const bool done = run_part(index, first);
    return run_part(index, second) && done;
  }
  if (ending.error == 0) {
    ++run_;
    if (ending.failed()) ++without_success_;
  }
  if (ending.interrupted) return false;
  if (ending.failed()) report_trouble(ending, index, name, job);
  return !ending.failed();
}

/// Finds the file that a command runs: for a match itself never a name to be looked up in PATH.
int Executor::program_of(std::size_t index, const std::string& word, std::string& program) const {
  program = programs_[index];
  if (!program.empty()) return 0;
  const bool is_path = word.find('/') != std::string::npos;
  if (action_.tries_each && !is_path) return os::find_program(word, program);
  program = is_path ? word : "./" + word;
  return 0;
}

/// Starts one command and waits for its end. If the system lacks resources for it, it is tried
/// again once another command has ended; if none runs, or they wait for this one, for two seconds
/// in all, in which other processes may end.
os::Ending Executor::start(std::size_t index, std::vector<std::string> words, const Job& job) {
  constexpr int tries = 200;
  constexpr std::chrono::milliseconds pause{10};
  os::Command command{.runs_scripts = action_.runs_scripts,
                      .directory = job.open_directory,
                      .has_input = action_.has_input};
  if (const int error = program_of(index, words.front(), command.program); error != 0) {
    return {.error = error};
  }
  command.arguments = std::move(words);
  if (job.output == nullptr) context_.writer.leave_terminal();
  for (int attempt = 1;; ++attempt) {
    const os::Ending ending = context_.processes->run(command, job.output);
    if (!is_shortage(ending.error) || attempt == tries || stopped()) return ending;
    // Commands that wait for this one's turn cannot end before it.
    const bool may_wait = job.output == nullptr || !job.output->has_turn();
    if (may_wait && context_.processes->wait_for_ending()) {
      attempt = 0;
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
}

/// A failure that is the same for all matches is reported once, and stops the others. A status is
/// the answer of --if, and any ending that of a command of find.
void Executor::report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                              const Job& job) {
  const bool is_told = ending.error != 0 || ending.signal != 0;
  const bool is_answer = action_.of_find || (action_.kind == ActionKind::condition && !is_told);
  if (!is_answer) note_failure();
  if (!is_told) return;
  if (ending.is_directorys && !action_.of_find) {
    // A directory that may be read, but not entered.
    return context_.report({name_of(job.directory), "", ending.error});
  }
  const bool for_all = !action_.of_find && fails_for_all(ending, programs_[index]);
  if (for_all && stopped_.exchange(true, std::memory_order_relaxed)) return;
  report(
      job, name, ending.error,
      ending.error != 0 ? reason_of(ending.error) : text_of_signal(ending.signal, action_.of_find));
}

/// Reports the first match of a batch for all of them.
void Executor::report(const Job& job, const std::string& command, int error, std::string detail) {
  if (action_.of_find) return context_.report({command, "run", error, std::move(detail)});
  std::string path(job.directory);
  const std::string_view first = job.paths[0];
  path += first.substr(action_.in_directory ? std::string_view("./").size() : 0);
  if (command != path) detail = command + ": " + detail;
  context_.report({std::move(path), "run", error, std::move(detail)});
}

bool Executor::agreed(const std::string& line) {
  const Confirmation::Answer answer = confirmation_->ask(line, context_.writer);
  if (answer == Confirmation::Answer::quit) stopped_.store(true, std::memory_order_relaxed);
  return answer == Confirmation::Answer::yes;
}

std::string Executor::line_of(std::size_t index, std::vector<std::string> words,
                              std::string_view directory) const {
  // A program found in PATH is shown as it was typed, others by the path that is executed.
  const bool varies = programs_[index].empty();
  const bool is_path = words.front().find('/') != std::string::npos;
  if (varies || (action_.in_directory && is_path)) {
    program_of(index, std::string(words.front()), words.front());
  }
  return line_in(action_.in_directory ? directory : "", words, context_.reader());
}

std::string Executor::summary() const {
  const std::uint64_t run = run_;
  if (run == 0) return {};
  std::string text = counted(run, "command", "commands") + " run";
  if (without_success_ > 0) text += text::format(", {} failed", without_success_.load());
  std::set<std::string> named;
  for (const CommandTemplate& command : action_.commands) {
    if (!named.insert(command.program).second) continue;
    text::append_escaped(text.append(named.size() == 1 ? ": " : ", "), command.program);
  }
  return text;
}

Confirmation::Answer Confirmation::ask(const std::string& line, Writer& writer,
                                       std::string_view choices) {
  if (all_) return Answer::yes;
  const std::string question = text::format("{}\n  {}? ", beginning_of(line), choices);
  std::string answer;
  while (true) {
    {
      const Writer::Question asked(writer, [&] { terminal_.put(question); });
      if (!terminal_.wait_for_answer(question, answer)) return Answer::quit;
    }
    if (answer == "y" || answer == "yes") return Answer::yes;
    if (answer == "n" || answer == "no") return Answer::no;
    if (answer == "q" || answer == "quit") return Answer::quit;
    all_ = answer == "a" || answer == "all";
    if (all_) return Answer::yes;
  }
}

void OutputTurns::take(std::optional<std::uint64_t> number) {
  // A signal does not wake this thread, and may stop those before it for ever.
  constexpr std::chrono::milliseconds between_looks{50};
  std::unique_lock lock(mutex_);
  while (taken_ || (number && next_ < *number && !ending_())) {
    changed_.wait_for(lock, between_looks);
  }
  taken_ = true;
}

/// Numbers may end before their turn: those wait in ended_ until all before them have ended.
void OutputTurns::end(std::optional<std::uint64_t> number, bool has_turn) {
  const std::lock_guard lock(mutex_);
  if (has_turn) taken_ = false;
  if (number) ended_.insert(*number);
  while (ended_.erase(next_) > 0) ++next_;
  changed_.notify_all();
}

/// Called by Processes::run with bytes as they come. Once it has the turn, a command writes
/// through: others wait in any case.
void KeptOutput::append(os::Stream stream, std::string_view bytes) {
  if (stream == os::Stream::error_output) {
    error_output_ += bytes;
  } else if (!only_errors_) {
    output_ += bytes;
  }
  if (has_turn_ || output_.size() + error_output_.size() >= most) write();
}

void KeptOutput::write() {
  if (output_.empty() && error_output_.empty()) return;
  if (!has_turn_) turns_.take(number_);
  has_turn_ = true;
  if (!output_.empty()) writer_.write(output_);
  if (!error_output_.empty()) writer_.write_message(error_output_);
  output_.clear();
  error_output_.clear();
}

}  // namespace ffind::output
