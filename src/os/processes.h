// SPDX-License-Identifier: MIT
// Commands that the user gave: started with the environment of this process, collected, and ended
// together with it; commands that only show something; programs of the desktop; and the ways in
// which this process ends itself. Part of the seam to the operating system.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

struct Command {
  std::string program{};  ///< path of the file to execute
  std::vector<std::string> arguments{};
  bool runs_scripts = true;  ///< without `#!`, by sh, as execvp(3) does
  int directory = -1;        ///< open directory to run in; -1: the current one
  bool has_input = true;     ///< our standard input, if it has our output; else it is empty
};

enum class Stream : unsigned char { output, error_output };

/// Receives a command's output as it is read. Used by the thread that runs the command.
class CommandOutput {
 public:
  virtual ~CommandOutput() = default;
  virtual void append(Stream stream, std::string_view bytes) = 0;
};

struct Ending {
  int error = 0;               ///< errno if it could not be started
  bool is_directorys = false;  ///< `error` is from entering its directory, not from the program
  int status = 0;              ///< exit status
  int signal = 0;              ///< signal that ended it; 0 if it exited
  /// A signal is about to end this process: write the command's output, but report nothing about
  /// it.
  bool interrupted = false;
  bool failed() const { return error != 0 || status != 0 || signal != 0; }
};

/// Runs commands. While it exists, a signal that would end this process (Ctrl-C, a closed terminal)
/// stops new commands, is passed on to the running ones, and ends this process by the same signal
/// once they have ended; a second signal, at least a tenth of a second later, ends it at once.
/// Thread-safe, at most one per process. Construct it before starting any thread that must not
/// receive those signals.
class Processes {
  struct State;

 public:
  /// Saves the signal mask of this thread, which commands inherit.
  Processes();
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /// While it exists, its thread holds output of commands that must be written before a signal ends
  /// this process, if the output is read at all. Its functions do not return once a signal came.
  class OutputHold {
   public:
    explicit OutputHold(Processes& processes);
    ~OutputHold();
    OutputHold(const OutputHold&) = delete;
    OutputHold& operator=(const OutputHold&) = delete;

   private:
    State& state_;
  };

  /// Blocks until `command` has ended and its output is in `output`, including that of processes it
  /// left running up to a tenth of a second later; its standard input is empty. Protect `output` by
  /// an OutputHold. With a null `output` the command has our standard input, output and error, and
  /// this does not return if a signal ends this process, or if the command ended since the reader
  /// of our output is gone.
  Ending run(const Command& command, CommandOutput* output);

  /// Blocks until a running command has ended, or for a second; false if none is running.
  bool wait_for_ending();

  bool lacks_room() const;  ///< the system has few processes and threads left for this user

  bool is_ending() const;  ///< whether a signal is about to end this process

  /// Call when the reader of our output is gone: ends the commands by SIGTERM, then this process as
  /// die_of_broken_pipe() does. SIGPIPE is blocked in this thread and those that it starts.
  [[noreturn]] void end_by_broken_pipe();

  static constexpr std::size_t descriptors_per_run = 4;  ///< most descriptors that one `run` opens

 private:
  std::unique_ptr<State> state_;
};

/// "KILL" for SIGKILL; empty for a number that POSIX does not name.
std::string_view signal_name(int number);

/// Finds the file that a shell would execute for `word`: itself if it has a slash, else in PATH. 0
/// or an errno.
int find_program(const std::string& word, std::string& path);

/// The system's limits for a command's arguments, in bytes.
struct ArgumentLimits {
  std::size_t total = 0;  ///< all arguments, each with its NUL and its pointer
  std::size_t one = 0;    ///< one argument with its NUL
};
/// Limits with this environment, less what the system and interpreters of scripts add.
ArgumentLimits argument_limits();

/// The first parameter of a command in the language of the user's shell: "$1" with its quotes, or
/// fish's.
std::string_view shell_parameter();

/// A shell command whose output is read while it runs. It has a session of its own, so no terminal,
/// and an empty standard input; its standard output and error are one text. For one thread, but for
/// cancel(). The destructor ends it with all that it started: by SIGTERM, and a tenth of a second
/// later by SIGKILL.
class ShellCommand {
 public:
  /// Starts `line` by the user's shell (SHELL), if that is one in which `export NAME=VALUE` and
  /// quotes are as in sh, or else by /bin/sh. `parameter` is its shell_parameter().
  explicit ShellCommand(const std::string& line, const std::string& parameter = {});
  ~ShellCommand();
  ShellCommand(const ShellCommand&) = delete;
  ShellCommand& operator=(const ShellCommand&) = delete;

  int error() const;       ///< why it could not be started: an errno, or 0
  bool has_ended() const;  ///< by itself; true if it could not be started
  /// Waits for output and appends it. False at its end, and once cancel() was called.
  bool read(std::string& output);
  void cancel();  ///< for any thread

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Ends this process as writing to a closed pipe does: by SIGPIPE, even if that is ignored.
[[noreturn]] void die_of_broken_pipe();

/// From now on running out of memory ends the process with status 1, and `last_words`, which must
/// stay valid, on standard error. A later call replaces them; not while other threads run. An
/// uncaught exception ends the process the same way, with its own text unless they are empty.
void end_when_out_of_memory(std::string_view last_words);
void throw_when_out_of_memory();  ///< reverts that to std::bad_alloc

/// Opens `path` as a double click would. Waits for the program that does, two seconds at most,
/// which may block; not for what it opens. Returns the reason, in words, if that fails; else empty.
std::string open_on_desktop(const std::string& path);

/// Shows the absolute `path` selected in the desktop's file manager, or opens its directory if no
/// program can do that. `url` is the path as a file URL. Returns as open_on_desktop.
std::string reveal_on_desktop(const std::string& path, const std::string& url);

/// Shell command that shows the file after it until it is ended: macOS's Quick Look; empty
/// elsewhere.
std::string_view viewer_command();

/// Puts `text` into the clipboard. False if there is none.
bool copy_to_clipboard(std::string_view text);

}  // namespace ffind::os
