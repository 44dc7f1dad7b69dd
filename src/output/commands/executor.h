// SPDX-License-Identifier: MIT
// Carries out the commands of an action for one match, or for a batch of them: asks, shows, starts,
// and says how it went. Used by the runners from several threads.
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

  /// Asks about `line`, in which nothing steers a terminal. Once "all" was answered, it is always
  /// yes. What `writer` writes meanwhile has the question put again.
  Answer ask(const std::string& line, Writer& writer);

 private:
  os::Terminal terminal_{"--confirm needs a terminal"};
  bool all_ = false;
};

/// Thread-safe.
class OutputOrder {
 public:
  /// `ending`: nobody is waited for any more, since this process ends.
  explicit OutputOrder(std::function<bool()> ending) : ending_(std::move(ending)) {}

  /// The place of one match, from the start of its commands to their end. Places are taken in the
  /// order of the matches, from 0 on, each by who works on it.
  class Place {
   public:
    Place(OutputOrder& order, std::uint64_t number) : order_(order), number_(number) {}
    ~Place() { order_.leave(number_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// Blocks until all before it have ended.
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
  std::uint64_t next_ = 0;         ///< all before it have ended
  std::set<std::uint64_t> ended_;  ///< others, without output
};

/// Memory is bounded: of a command that writes more than `most`, the output is passed on as it
/// comes, and the others wait for their turn.
class KeptOutput final : public os::CommandOutput {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20U;

  /// `turn` is whose output is being written; one for all. `place` is in which order; null: in any.
  KeptOutput(Writer& writer, std::mutex& turn, OutputOrder::Place* place)
      : writer_(writer), turn_(turn, std::defer_lock), place_(place) {}

  void append(os::Stream stream, std::string_view bytes) override;
  /// Writes what was kept, all of it in one go.
  void write();
  /// Others wait for us.
  bool has_turn() const { return turn_.owns_lock(); }

 private:
  void take_turn();

  Writer& writer_;
  std::unique_lock<std::mutex> turn_;
  OutputOrder::Place* const place_;
  std::string output_;
  std::string error_output_;
};

/// What the stages of this folder have in common.
struct ActionContext {
  const Action& action;
  Writer& writer;
  bool terminal;  ///< standard output is one
  std::function<void(const Issue&)> report;
  os::Processes* processes = nullptr;  ///< not for a dry run or a deletion

  /// Who reads the commands that are shown: what is asked about is on a terminal in any case.
  text::QuotedFor reader() const;
  /// Prints a command that is not carried out. False when no more can be printed.
  bool show(const std::string& command) const;
};

/// Starts `command`; if the system has no room for it, once another one has ended. If none runs, or
/// `may_wait` returns false, it waits two seconds in all for other processes of the system to end.
os::Ending run_patiently(os::Processes& processes, const os::Command& command,
                         os::CommandOutput* output, const std::function<bool()>& may_wait,
                         const std::function<bool()>& stopped);

/// True if a command that could not be started would fail alike for every other match: the system
/// has no room for any, or `program`, which is empty if each match has its own, cannot be executed.
bool fails_for_all(const os::Ending& ending, const std::string& program);

/// "ended by signal 9 (KILL)".
std::string text_of_signal(int number);

/// The file that `command` runs, and the word it was typed as; neither where each match has its
/// own. Throws std::system_error for one that is not to be found, unless nothing is run.
struct Program {
  std::string path{};
  std::string word{};
};
Program look_up_program(const CommandTemplate& command, bool is_run);

/// A match is a file, never a name to be looked up in PATH.
std::string program_at(const std::string& word);

/// Thread-safe.
class Executor {
 public:
  /// Looks the programs up. Throws std::system_error for one that is not to be found. What commands
  /// write `is_kept` until they end, or they write it by themselves.
  Executor(const ActionContext& context, bool is_kept);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  void set_roots(RootDirectories roots) { roots_ = std::move(roots); }

  /// Runs all commands for these paths, one after another, as long as they succeed. `directory` is
  /// where they lie, with a slash at its end or empty, and `paths` are from there. False: no more
  /// is to be run.
  /// `number`: of the match, from 0 on in their order, if what commands write comes in that.
  bool run(std::string_view directory, const std::string* paths, std::size_t count,
           std::optional<std::uint64_t> number = {});

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  /// Something that could not be run was reported.
  void note_failure() { failed_.store(true, std::memory_order_relaxed); }

 private:
  struct Job {
    std::string_view directory;
    const std::string* paths;
    std::size_t count;
    int open_directory;
    KeptOutput* output;
  };

  bool run_command(std::size_t index, const Job& job);
  bool start(std::size_t index, const std::vector<std::string>& words, const Job& job,
             bool& too_long);
  bool agreed(const std::string& line);
  std::string line_of(std::size_t index, std::vector<std::string> words,
                      std::string_view directory) const;
  void report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                      const Job& job);
  void report(const Job& job, const std::string& command, int error, std::string detail);
  std::string program_of(std::size_t index, const std::vector<std::string>& words) const;
  /// False: it was so already.
  bool stop() { return !stopped_.exchange(true, std::memory_order_relaxed); }

  const ActionContext context_;
  const Action& action_;
  const bool is_kept_;
  /// One a command; empty: depends on the match. Those of a dry run are not looked up.
  std::vector<std::string> programs_;
  RootDirectories roots_;
  std::optional<Confirmation> confirmation_;
  std::mutex turn_;
  OutputOrder order_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> stopped_{false};
};

/// Thread-safe.
class Condition {
 public:
  using Report = std::function<void(const Issue&)>;

  /// Looks the programs up. Throws std::system_error for one that is not to be found. All of the
  /// arguments outlive this.
  Condition(const std::vector<CommandTemplate>& commands, Writer& writer, os::Processes& processes,
            Report report);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Whether all commands succeed for `entry`, run one after another. Their standard input is
  /// empty and their output is dropped; what they write to standard error is passed on.
  bool holds(Entry& entry);

  /// A command could not be started, or was ended by a signal; that was reported.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  bool succeeds(std::size_t index, const std::string& path);
  void report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                      const std::string& path);

  const std::vector<CommandTemplate>& commands_;
  Writer& writer_;
  os::Processes& processes_;
  const Report report_;
  std::vector<std::string> programs_;  ///< one a command; empty: depends on the match
  std::atomic<bool> failed_{false};
  std::atomic<bool> stopped_{false};  ///< no command can be started any more
};

}  // namespace ffind::output
