// SPDX-License-Identifier: MIT
// From the words of a command to its end: starting, keeping output, reporting.
//
// Effects of a failure:
//
//     status other than 0       note_failure(): exit status 1; the next commands of this match are
//                               not run, other matches are
//     ended by a signal         likewise, and reported
//     no such program           reported once; nothing more is started (fails_for_all)
//     lack of resources         tried again (run_patiently), then as above
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
std::string text_of_signal(int number) {
  const std::string_view name = os::signal_name(number);
  if (name.empty()) return text::format("ended by signal {}", number);
  return text::format("ended by signal {} ({})", number, name);
}

/// Returns the words for a command that could not be started, or was ended by a signal. A failure
/// that is the same for all matches is reported once, and stops the others: then nullopt.
std::optional<std::string> trouble_of(const os::Ending& ending, const std::string& program,
                                      std::atomic<bool>& stopped) {
  if (fails_for_all(ending, program) && stopped.exchange(true, std::memory_order_relaxed)) {
    return {};
  }
  return ending.error != 0 ? reason_of(ending.error) : text_of_signal(ending.signal);
}

/// "not run, because {tags} has no value".
std::string text_of_missing(const RecordField& field) {
  return text::format("not run, because {{{}}} has no value", field.name);
}

/// The file that a command runs, and the word as typed. Both are empty if each match has its own.
struct Program {
  std::string path{};
  std::string word{};
};

/// "gzip" is looked up in PATH once, not for each match; a word with a slash is checked. In a dry
/// run nothing is looked up. Throws std::system_error if there is no such program.
Program look_up_program(const CommandTemplate& command, bool is_run) {
  Program program;
  if (command.program_varies()) return program;
  // Doubled braces are single by now.
  std::string_view no_values;
  command.arguments.front().append(program.word, {}, no_values);
  if (!is_run) {
    program.path = program.word;
    return program;
  }
  if (const int error = os::find_program(program.word, program.path); error != 0) {
    throw std::system_error(error, std::generic_category(),
                            "command '" + text::escaped(program.word) + "'");
  }
  return program;
}

/// Makes a command that runs `found`, or the match itself if that is empty, never a name to be
/// looked up in PATH. `words` outlive it.
os::Command command_of(const std::vector<std::string>& words, const std::string& found) {
  os::Command command{.program = found};
  if (found.empty()) {
    const bool is_path = words.front().find('/') != std::string::npos;
    command.program = is_path ? words.front() : "./" + words.front();
  }
  for (const std::string& word : words) command.arguments.push_back(word.c_str());
  return command;
}

/// The beginning of a longer question would scroll off the screen.
constexpr std::size_t longest_shown = 2000;

/// Cuts a long question, at a whole character.
std::string beginning_of(const std::string& line) {
  if (line.size() <= longest_shown) return line;
  const std::string_view shown = text::whole_characters(line, longest_shown);
  return text::format("{}... ({} more bytes)", shown, line.size() - shown.size());
}

/// Keeps standard error of a command, up to a bound.
class ErrorOutput final : public os::CommandOutput {
 public:
  void append(os::Stream stream, std::string_view bytes) override {
    constexpr std::size_t most = std::size_t{64} << 10U;
    if (stream == os::Stream::error_output && text_.size() < most) text_ += bytes;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

os::Ending run_patiently(os::Processes& processes, const os::Command& command,
                         os::CommandOutput* output, const std::function<bool()>& may_wait,
                         const std::function<bool()>& stopped) {
  constexpr int tries = 200;
  constexpr std::chrono::milliseconds pause{10};
  for (int attempt = 1;; ++attempt) {
    const os::Ending ending = processes.run(command, output);
    if (!is_shortage(ending.error) || attempt == tries || stopped()) return ending;
    if (may_wait() && processes.wait_for_ending()) {
      attempt = 0;
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
}

Executor::Executor(const ActionContext& context, bool is_kept)
    : context_(context), action_(context.action), is_kept_(is_kept), order_([this] {
        return stopped() || (context_.processes != nullptr && context_.processes->is_ending());
      }) {
  for (const CommandTemplate& command : action_.commands) {
    missing_.push_back(0);
    if (action_.tries_each && !action_.dry_run && !command.program_varies()) {
      std::string path;
      missing_.back() = os::find_program(command.program, path);
    }
    auto [path, word] = look_up_program(command, !action_.dry_run && missing_.back() == 0);
    std::string& program = programs_.emplace_back(std::move(path));
    if (command.program_varies()) continue;
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

bool Executor::run(std::string_view directory, const std::string* paths, std::size_t count,
                   std::string_view values, std::optional<std::uint64_t> number) {
  // Later places wait for the end of this one, however it ends.
  std::optional<OutputOrder::Place> place;
  if (number) place.emplace(order_, *number);
  if (stopped()) return false;
  os::OpenAncestors ancestors(action_.follow, 1);
  Job job{directory, paths, count, values, -1, nullptr};
  if (action_.in_directory && !action_.dry_run) {
    std::string whole(directory);
    // locate_below() needs a path below the root; the dot stays on the directory itself.
    whole += '.';
    const Located located = locate_below(roots_, whole);
    const int error = located.root == nullptr ? ESTALE
                                              : ancestors.open(located.root->directory,
                                                               located.path, job.open_directory);
    // A directory that disappears meanwhile is skipped, as in a search. One that a link has
    // replaced has disappeared.
    if (error == ENOENT || error == ENOTDIR || (error == ELOOP && !action_.follow)) return true;
    if (error != 0) {
      context_.report({name_of(directory), "", error, std::string(detail_of_opening(error))});
      note_failure();
      return true;
    }
  }
  // Declared first, to outlive the output that it protects.
  std::optional<os::Processes::OutputHold> hold;
  KeptOutput kept(context_.writer, turn_, place ? &*place : nullptr);
  if (is_kept_ && !action_.dry_run) {
    hold.emplace(*context_.processes);
    job.output = &kept;
  }
  for (std::size_t index = 0; index < action_.commands.size(); ++index) {
    if (!run_command(index, job)) break;
  }
  if (action_.ends_with_nul && !action_.dry_run) {
    constexpr std::string_view nul{"\0", 1};
    if (job.output != nullptr) {
      kept.append(os::Stream::output, nul);
    } else {
      context_.writer.write(nul);
    }
  }
  kept.write();
  if (context_.writer.error() != 0) stopped_.store(true, std::memory_order_relaxed);
  return !stopped();
}

/// Returns false if the following commands should not be run.
bool Executor::run_command(std::size_t index, Job& job) {
  const CommandTemplate& command = action_.commands[index];
  if (const RecordField* const missing = missing_field(command, job.values)) {
    note_failure();
    report(job, command.program, 0, text_of_missing(*missing));
    return false;
  }
  const Job whole = job;
  const auto part_of = [&](std::size_t first, std::size_t count) {
    Job part = whole;
    part.paths += first;
    part.count = count;
    return part;
  };
  const auto words_of = [&](Job& part) {
    auto words = expand(command, part.paths, part.count, part.values);
    job.values = part.values;
    return words;
  };
  if (action_.dry_run || action_.confirm) {
    Job all = whole;
    const std::string line = line_of(index, words_of(all), job.directory);
    if (action_.dry_run) return context_.show(line);
    if (!agreed(line)) return false;
  }
  return run_in_parts(
      0, job.count,
      [&](std::size_t first, std::size_t count) {
        Job part = part_of(first, count);
        return start(index, words_of(part), part);
      },
      [&](const os::Ending& ending, std::size_t first, std::size_t count) {
        if (ending.error == 0) {
          ++run_;
          if (ending.failed()) ++without_success_;
        }
        if (ending.interrupted) return false;
        Job part = part_of(first, count);
        if (ending.failed()) report_trouble(ending, index, words_of(part).front(), part);
        return !ending.failed();
      });
}

/// Starts one command and waits for its end.
os::Ending Executor::start(std::size_t index, const std::vector<std::string>& words,
                           const Job& job) {
  if (missing_[index] != 0) return {.error = missing_[index]};
  os::Command command = command_of(words, programs_[index]);
  command.directory = job.open_directory;
  if (job.output == nullptr) context_.writer.leave_terminal();
  // Commands that wait for this one's turn cannot end before it.
  return run_patiently(
      *context_.processes, command, job.output,
      [&] { return job.output == nullptr || !job.output->has_turn(); },
      [this] { return stopped(); });
}

void Executor::report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                              const Job& job) {
  note_failure();
  if (ending.is_directorys) {
    // A directory that may be read, but not entered.
    context_.report({name_of(job.directory), "", ending.error});
  } else if (ending.error != 0 || ending.signal != 0) {
    auto trouble = trouble_of(ending, action_.tries_each ? "" : programs_[index], stopped_);
    if (trouble) report(job, name, ending.error, std::move(*trouble));
  }
}

/// Reports the first match of a batch for all of them.
void Executor::report(const Job& job, const std::string& command, int error, std::string detail) {
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
    words.front() = command_of(words, programs_[index]).program;
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

void OutputOrder::wait(std::uint64_t number) {
  // A signal does not wake this thread, and may end the place before it without leave().
  constexpr std::chrono::milliseconds between_looks{50};
  std::unique_lock lock(mutex_);
  while (next_ < number && !ending_()) changed_.wait_for(lock, between_looks);
}

/// Places may end before their turn: those wait in ended_ until all before them have ended.
void OutputOrder::leave(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  ended_.insert(number);
  while (ended_.erase(next_) > 0) ++next_;
  changed_.notify_all();
}

/// Called by Processes::run with bytes as they come. Once it has the turn, a command writes
/// through: others wait in any case.
void KeptOutput::append(os::Stream stream, std::string_view bytes) {
  (stream == os::Stream::output ? output_ : error_output_) += bytes;
  if (!turn_.owns_lock() && output_.size() + error_output_.size() < most) return;
  write();
}

void KeptOutput::write() {
  if (output_.empty() && error_output_.empty()) return;
  if (!turn_.owns_lock()) {
    if (place_ != nullptr) place_->wait();
    turn_.lock();
  }
  if (!output_.empty()) writer_.write(output_);
  if (!error_output_.empty()) writer_.write_message(error_output_);
  output_.clear();
  error_output_.clear();
}

Condition::Condition(const std::vector<CommandTemplate>& commands, const Accounts* accounts,
                     Writer& writer, os::Processes& processes, Report report)
    : commands_(commands),
      accounts_(accounts),
      writer_(writer),
      processes_(processes),
      report_(std::move(report)) {
  for (const CommandTemplate& command : commands_) {
    programs_.push_back(look_up_program(command, true).path);
  }
  writer_.end_by([this] { processes_.end_by_broken_pipe(); });
}

Condition::~Condition() {
  writer_.end_by({});
}

bool Condition::holds(Entry& entry) {
  std::string path;
  append_path(path, entry);
  FieldWriter writer(accounts_, false);
  std::string values;
  append_values(values, commands_, false, writer, entry);
  std::string_view rest = values;
  for (std::size_t index = 0; index < commands_.size(); ++index) {
    if (!succeeds(index, path, rest)) return false;
  }
  return true;
}

/// Runs one command. Only a start that fails, a missing value or a signal is an error; another
/// status than 0 means that the entry does not match.
bool Condition::succeeds(std::size_t index, const std::string& path, std::string_view& values) {
  const auto stopped = [this] { return stopped_.load(std::memory_order_relaxed); };
  if (stopped()) return false;
  if (const RecordField* const missing = missing_field(commands_[index], values)) {
    failed_.store(true, std::memory_order_relaxed);
    report_({path, "run", 0, commands_[index].program + ": " + text_of_missing(*missing)});
    return false;
  }
  const std::vector<std::string> words = expand(commands_[index], &path, 1, values);
  ErrorOutput output;
  const os::Ending ending = run_patiently(
      processes_, command_of(words, programs_[index]), &output, [] { return true; }, stopped);
  if (!output.text().empty()) writer_.write_message(output.text());
  if (ending.interrupted) return false;
  if (ending.error != 0 || ending.signal != 0) {
    failed_.store(true, std::memory_order_relaxed);
    const auto trouble = trouble_of(ending, programs_[index], stopped_);
    if (trouble) report_({path, "run", ending.error, words.front() + ": " + *trouble});
  }
  return !ending.failed();
}

}  // namespace ffind::output
