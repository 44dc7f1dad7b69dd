// SPDX-License-Identifier: MIT
// Running commands for matches: the parts that the stages of action_stage.h, --if and find's
// steps have in common.
//
//     ActionContext   what a stage is made with: the action, the writer, the reporter of issues.
//     Confirmation    the questions of --confirm, and of AskingStage, on the terminal.
//     Executor        runs the commands of -x, -X, --if or a step of find for one match or one
//                     batch: asks, shows, starts, and reports how they ended.
//     KeptOutput      the output of one match's commands, kept in memory until they end, so that it
//                     is not mixed with that of others.
//     OutputTurns     one command writes at a time; with --sort, in the order of their matches.
//
//     EachRunner, BatchRunner, --if, StepStage
//         ─▶ Executor::run ─▶ for each command: expand, --confirm, start
//                             os::Processes::run ─bytes─▶ KeptOutput ─turn─▶ Writer
//
// A thread without the turn keeps up to 1 MiB of output and then waits for it. It takes the locks
// of the Writer after that.
#pragma once

#include <atomic>
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

/// Whose output is written: one at a time, numbered ones in the order of their numbers, which are
/// from 0 on without gaps. Thread-safe.
class OutputTurns {
 public:
  /// `ending` returns true once the process ends, so that no number is waited for any more.
  explicit OutputTurns(std::function<bool()> ending) : ending_(std::move(ending)) {}

  /// Blocks until the turn is free, and all numbers before this one have ended.
  void take(std::optional<std::uint64_t> number);
  void end(std::optional<std::uint64_t> number, bool has_turn);

 private:
  const std::function<bool()> ending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool taken_ = false;
  std::uint64_t next_ = 0;         ///< all numbers before it have ended
  std::set<std::uint64_t> ended_;  ///< later numbers that have ended
};

/// Memory is bounded: the output of a command that writes more than `most` bytes is passed on as it
/// comes, and other commands wait for their turn.
class KeptOutput final : public os::CommandOutput {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20U;

  /// `number` of the match, if outputs are in order. With `only_errors`, standard output is
  /// dropped.
  KeptOutput(Writer& writer, OutputTurns& turns, std::optional<std::uint64_t> number,
             bool only_errors)
      : writer_(writer), turns_(turns), number_(number), only_errors_(only_errors) {}
  ~KeptOutput() override { turns_.end(number_, has_turn_); }
  KeptOutput(const KeptOutput&) = delete;
  KeptOutput& operator=(const KeptOutput&) = delete;

  void append(os::Stream stream, std::string_view bytes) override;
  /// Writes everything that was kept in one go.
  void write();
  /// True if other commands wait for this one.
  bool has_turn() const { return has_turn_; }

 private:
  Writer& writer_;
  OutputTurns& turns_;
  const std::optional<std::uint64_t> number_;
  const bool only_errors_;
  bool has_turn_ = false;
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
  /// Returns why a file must stay after all, right before it is taken away; empty if it may go.
  std::function<std::string(const os::Identity&)> why_not{};

  /// Quoting of the commands that are shown: for a terminal, where questions are in any case, or
  /// for a shell.
  text::QuotedFor reader() const {
    return terminal || !action.dry_run ? text::QuotedFor::terminal : text::QuotedFor::shell;
  }
  /// Prints a command that is not run. Returns false if no more can be printed.
  bool show(const std::string& command) const { return writer.write(command + '\n'); }
};

/// Thread-safe.
class Executor {
 public:
  /// Paths to run the commands for.
  struct Job {
    const std::string* paths;
    std::size_t count;
    std::string_view values{};     ///< of the fields, if it is a single path
    std::string_view directory{};  ///< of the paths, with a slash at its end or empty
    /// Number of the match, from 0 on, if output is in that order.
    std::optional<std::uint64_t> number{};
    /// To run in. -1: `directory`, if commands run in those of their matches; else the current one.
    int open_directory = -1;
    KeptOutput* output = nullptr;  ///< set by run()
  };

  /// Looks up the programs. Throws std::system_error if one is missing, but for an action that
  /// tries each. `is_kept`: output of commands is kept until they end; otherwise they have the
  /// standard streams of this process.
  Executor(const ActionContext& context, bool is_kept);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  void set_roots(RootDirectories roots) { roots_ = std::move(roots); }

  /// Runs all commands, one after another, as long as they succeed. Returns true if all did.
  bool run(Job job);

  /// True if no more commands should be run.
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  /// "17 commands run: mkdir, mv"; empty if none was.
  std::string summary() const;
  /// Call when a match was reported for which nothing can be run.
  void note_failure() { failed_.store(true, std::memory_order_relaxed); }

 private:
  bool run_command(std::size_t index, Job& job);
  bool run_part(std::size_t index, Job& job);
  os::Ending start(std::size_t index, std::vector<std::string> words, const Job& job);
  int program_of(std::size_t index, const std::string& word, std::string& program) const;
  bool agreed(const std::string& line);
  std::string line_of(std::size_t index, std::vector<std::string> words,
                      std::string_view directory) const;
  void report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                      const Job& job);
  void report(const Job& job, const std::string& command, int error, std::string detail);

  const ActionContext context_;
  const Action& action_;
  const bool is_kept_;
  /// One for each command; empty if it is found for each match. Not looked up for a dry run.
  std::vector<std::string> programs_;
  RootDirectories roots_;
  std::optional<Confirmation> confirmation_;
  OutputTurns turns_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> run_{0};
  std::atomic<std::uint64_t> without_success_{0};
};

}  // namespace ffind::output
