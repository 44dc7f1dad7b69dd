// SPDX-License-Identifier: MIT
// Running commands for matches: the parts that the stages of action_stage.h and --if have in
// common.
//
//     ActionContext   what a stage is made with: the action, the writer, the reporter of issues.
//     Confirmation    the questions of --confirm, and of AskingStage, on the terminal.
//     Executor        runs the commands of -x or -X for one match or one batch: asks, shows,
//                     starts, and reports how they ended. Used by several threads.
//     KeptOutput      the output of one match's commands, kept in memory until they end, so that it
//                     is not mixed with that of others.
//     OutputOrder     --sort with -x: commands run concurrently, but their output is written in the
//                     order of their matches.
//     Condition       the commands of --if, run for each match after all other tests.
//
//     EachRunner, BatchRunner ─▶ Executor::run ─▶ for each command: expand, --confirm, start
//                                  os::Processes::run ─bytes─▶ KeptOutput ─turn─▶ Writer
//
// Three locks, taken in this order: the place in OutputOrder (only with --sort), the turn of
// KeptOutput (one command writes at a time), and those of the Writer. A thread without the turn
// keeps up to 1 MiB of output and then waits for it.
#pragma once

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "ffind/issue.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "output/commands/action.h"
#include "output/commands/root_directories.h"
#include "output/writer.h"
#include "text/quoting.h"

namespace ffind::output {

/// Belongs to one thread at a time.
class Confirmation {
 public:
  enum class Answer : unsigned char { yes, no, quit };

  /// Throws std::system_error, whose text begins with `need`, if there is no terminal.
  explicit Confirmation(const char* need = "--confirm needs a terminal") : terminal_(need) {}

  /// Asks about `line`, which is escaped already. After the answer "all" it always returns yes. The
  /// question is put again if `writer` writes anything meanwhile.
  Answer ask(const std::string& line, Writer& writer,
             std::string_view choices = "[y]es, [n]o, [a]ll, [q]uit");

 private:
  os::Terminal terminal_;
  bool all_ = false;
};

/// Thread-safe.
class OutputOrder {
 public:
  /// `ending` returns true once the process ends, so that no place is waited for any more.
  explicit OutputOrder(std::function<bool()> ending) : ending_(std::move(ending)) {}

  /// The place of one match, from the start of its commands to their end. Places are numbered from
  /// 0 on, and taken in that order, each by the thread that runs the commands.
  class Place {
   public:
    Place(OutputOrder& order, std::uint64_t number) : order_(order), number_(number) {}
    ~Place() { order_.leave(number_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// Blocks until all places before it have ended.
    void wait() { order_.wait(number_); }

   private:
    OutputOrder& order_;
    const std::uint64_t number_;
  };

 private:
  void wait(std::uint64_t number);
  void leave(std::uint64_t number);

  const std::function<bool()> ending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;         ///< all places before it have ended
  std::set<std::uint64_t> ended_;  ///< later places that have ended
};

/// Memory is bounded: the output of a command that writes more than `most` bytes is passed on as it
/// comes, and other commands wait for their turn.
class KeptOutput final : public os::CommandOutput {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20U;

  /// The holder of `turn`, one for all commands, writes. `place` is in the order of outputs; null
  /// for any order.
  KeptOutput(Writer& writer, std::mutex& turn, OutputOrder::Place* place)
      : writer_(writer), turn_(turn, std::defer_lock), place_(place) {}

  void append(os::Stream stream, std::string_view bytes) override;
  /// Writes everything that was kept in one go.
  void write();
  /// True if other commands wait for this one.
  bool has_turn() const { return turn_.owns_lock(); }

 private:
  Writer& writer_;
  std::unique_lock<std::mutex> turn_;
  OutputOrder::Place* const place_;
  std::string output_;
  std::string error_output_;
};

/// Everything that an action stage is made with.
struct ActionContext {
  const Action& action;
  Writer& writer;
  bool terminal;  ///< standard output is one
  std::function<void(const Issue&)> report;
  os::Processes* processes = nullptr;  ///< null for a dry run or a deletion

  /// Quoting of the commands that are shown: for a terminal, where questions are in any case, or
  /// for a shell.
  text::QuotedFor reader() const {
    return terminal || !action.dry_run ? text::QuotedFor::terminal : text::QuotedFor::shell;
  }
  /// Prints a command that is not run. Returns false if no more can be printed.
  bool show(const std::string& command) const { return writer.write(command + '\n'); }
};

/// Runs `command`. If the system lacks resources for it, it is tried again once another command has
/// ended; if none runs, or `may_wait` returns false, for two seconds in all, in which other
/// processes may end.
os::Ending run_patiently(os::Processes& processes, const os::Command& command,
                         os::CommandOutput* output, const std::function<bool()>& may_wait,
                         const std::function<bool()>& stopped);

/// Calls `run(first, count)`, which returns an Ending and runs one command for a range of paths. If
/// its arguments are too long for the kernel, which counts them differently, it is called for each
/// half. `end(ending, first, count)` is called for those that were run, and for a single path.
template <typename Run, typename End>
bool run_in_parts(std::size_t first, std::size_t count, const Run& run, const End& end) {
  const os::Ending ending = run(first, count);
  if (ending.error != E2BIG || count <= 1) return end(ending, first, count);
  const std::size_t half = count / 2;
  const bool done = run_in_parts(first, half, run, end);
  return run_in_parts(first + half, count - half, run, end) && done;
}

/// Thread-safe.
class Executor {
 public:
  /// Looks up the programs. Throws std::system_error if one is missing, but for an action that
  /// tries each. `is_kept`: output of
  /// commands is kept until they end; otherwise they have the standard streams of this process.
  Executor(const ActionContext& context, bool is_kept);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  void set_roots(RootDirectories roots) { roots_ = std::move(roots); }

  /// Runs all commands for these paths, one after another, as long as they succeed. `paths` are
  /// relative to `directory`, which has a slash at its end or is empty. `values` of the fields, if
  /// it is a single one. `number` of the match, from 0 on, if output is in that order. Returns
  /// false if no more commands should be run.
  bool run(std::string_view directory, const std::string* paths, std::size_t count,
           std::string_view values = {}, std::optional<std::uint64_t> number = {});

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  /// "17 commands run: mkdir, mv"; empty if none was.
  std::string summary() const;
  /// Call when a match was reported for which nothing can be run.
  void note_failure() { failed_.store(true, std::memory_order_relaxed); }

 private:
  struct Job {
    std::string_view directory;
    const std::string* paths;
    std::size_t count;
    std::string_view values;  ///< of the commands that are not run yet
    int open_directory;
    KeptOutput* output;
  };

  bool run_command(std::size_t index, Job& job);
  os::Ending start(std::size_t index, const std::vector<std::string>& words, const Job& job);
  bool agreed(const std::string& line);
  std::string line_of(std::size_t index, std::vector<std::string> words,
                      std::string_view directory) const;
  void report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                      const Job& job);
  void report(const Job& job, const std::string& command, int error, std::string detail);

  const ActionContext context_;
  const Action& action_;
  const bool is_kept_;
  /// One for each command; empty if it depends on the match. Not looked up for a dry run.
  std::vector<std::string> programs_;
  std::vector<int> missing_;  ///< errno for each command whose program cannot be run
  RootDirectories roots_;
  std::optional<Confirmation> confirmation_;
  std::mutex turn_;
  OutputOrder order_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> run_{0};
  std::atomic<std::uint64_t> without_success_{0};
};

/// The commands of --if. Workers of the search call holds() and wait for it. Thread-safe.
class Condition {
 public:
  using Report = std::function<void(const Issue&)>;

  /// Looks up the programs. Throws std::system_error if one is missing. All arguments outlive this.
  Condition(const std::vector<CommandTemplate>& commands, const Accounts* accounts, Writer& writer,
            os::Processes& processes, Report report);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Runs the commands for `entry`, one after another. Returns true if all succeed. Their standard
  /// input is empty, their output is dropped, and their standard error is passed on.
  bool holds(Entry& entry);

  /// True if a command could not be started, or was ended by a signal, which was reported.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  bool succeeds(std::size_t index, const std::string& path, std::string_view& values);

  const std::vector<CommandTemplate>& commands_;
  const Accounts* const accounts_;
  Writer& writer_;
  os::Processes& processes_;
  const Report report_;
  std::vector<std::string> programs_;  ///< one for each command; empty if it depends on the match
  std::atomic<bool> failed_{false};
  std::atomic<bool> stopped_{false};  ///< no command can be started any more
};

}  // namespace ffind::output
