// SPDX-License-Identifier: MIT
// Commands of the user's: started as this process was, seen to their end, and ended with it. Part
// of the seam to the operating system; used by output.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

struct Command {
  std::string program{};  ///< path of the file to execute
  std::vector<const char*> arguments{};
  int directory = -1;  ///< open directory to run in; -1: the current one
};

enum class Stream : unsigned char { output, error_output };

/// Takes what a command writes, as it comes. Belongs to the thread that runs the command.
class CommandOutput {
 public:
  virtual ~CommandOutput() = default;
  virtual void append(Stream stream, std::string_view bytes) = 0;
};

struct Ending {
  int error = 0;               ///< errno: it could not be started
  bool is_directorys = false;  ///< the error: what cannot be entered is no trouble of the program
  int status = 0;              ///< what it exited with
  int signal = 0;              ///< that ended it; 0: it exited
  /// This process is about to end by a signal: report nothing about the command, and only what
  /// it wrote is to be written.
  bool interrupted = false;
  bool failed() const { return error != 0 || status != 0 || signal != 0; }
};

/// Runs commands. While there is one of these, a signal that would end this process (Ctrl-C, a
/// closed terminal) starts no more commands, reaches those that run, and ends this process by the
/// same signal when they are over; a second one, a tenth of a second later or more, does so at
/// once. Thread-safe, one a process. To be made before any thread whose signals count is started.
class Processes {
 public:
  /// Remembers the signal mask of this thread: commands get it.
  Processes();
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /// While there is one, its thread has output of commands that is to be written before a signal
  /// ends this process, if somebody reads it. Threads that a signal finds here do not return.
  class OutputHold;

  /// Blocks until `command` has ended and everything it wrote is in `output` (not what it left
  /// behind writes later than a tenth of a second after), which an OutputHold
  /// is to protect; there its standard input is empty. Null: it has our own standard input, output
  /// and error, and a signal that ends this process does not let it return; nor does a reader of
  /// ours that went away, by which the command was ended.
  Ending run(const Command& command, CommandOutput* output);

  /// Blocks until one of the commands that run has ended, or for a second; false where none runs.
  bool wait_for_ending();

  /// Whether a signal is about to end this process.
  bool is_ending() const;

  /// Whoever read our output went away: ends the commands by SIGTERM, and then this process as
  /// die_of_broken_pipe() does. SIGPIPE is blocked in this thread, and those that it starts.
  [[noreturn]] void end_by_broken_pipe();

  /// Descriptors that one `run` takes at most.
  static constexpr std::size_t descriptors_per_run = 4;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Processes::OutputHold {
 public:
  explicit OutputHold(Processes& processes);
  ~OutputHold();
  OutputHold(const OutputHold&) = delete;
  OutputHold& operator=(const OutputHold&) = delete;

 private:
  State& state_;
};

/// "KILL" for SIGKILL; empty for a number that POSIX gives no name.
std::string_view signal_name(int number);

/// The file that a shell would execute for `word`: itself when it has a slash, else what PATH
/// leads to. 0 or an errno.
int find_program(const std::string& word, std::string& path);

/// What the system allows a command, in bytes.
struct ArgumentLimits {
  std::size_t total = 0;  ///< all arguments, each with its NUL and its pointer
  std::size_t one = 0;    ///< one of them, with its NUL
};
/// With this environment, and room left for what the system and interpreters of scripts put in.
ArgumentLimits argument_limits();

/// A question to the person at the terminal, whatever the standard streams are. One a process, to
/// be made before any other thread is started, and after Processes.
class Terminal {
 public:
  /// Throws std::system_error, which begins with `need`, when there is no terminal.
  explicit Terminal(const char* need);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void put(std::string_view question) const;
  /// The line that was typed after `question` was put, without its end; false at the end of input.
  /// Puts it again when this process goes on after Ctrl-Z. For one thread at a time.
  bool wait_for_answer(std::string_view question, std::string& answer);

 private:
  int fd_ = -1;
  bool was_blocked_ = false;  ///< SIGCONT
};

}  // namespace ffind::os
