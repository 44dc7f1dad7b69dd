// SPDX-License-Identifier: MIT
// Commands of the user's: started as this process was, seen to their end, and ended with it. Part
// of the seam to the operating system; used by output and cli.
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

/// Ends this process the way a reader that went away does: by SIGPIPE, even when it is ignored.
[[noreturn]] void die_of_broken_pipe();

/// Ends the process without destroying anything, for when threads are held up in the kernel.
[[noreturn]] void exit_at_once(int status);

/// When there is no memory for something, ends the process with status 1: what is drawn is erased,
/// and `last_words`, which have to stay where they are, go to standard error. Called again, others
/// take their place; not while other threads run. An exception that nothing catches ends it the
/// same way, with its own text unless `last_words` is empty.
void end_when_out_of_memory(std::string_view last_words);
/// Undoes that: std::bad_alloc again.
void throw_when_out_of_memory();

/// Has the system open `path` as a double click would, and does not wait for what opens it. Returns
/// why it cannot, in words; empty: it was asked to.
std::string open_on_desktop(const std::string& path);

/// Puts `text` into the clipboard. False where nothing here has one.
bool copy_to_clipboard(std::string_view text);

}  // namespace ffind::os
