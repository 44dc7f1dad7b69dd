// SPDX-License-Identifier: MIT
// Steps of running programs that differ between systems, implemented in linux/processes.cpp and
// darwin/processes.cpp; and the signals that the files of os/posix share: their state that a
// command must not inherit, and what is restored before one ends the process.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <termios.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ffind::os {

/// Signals by which users and systems end programs.
inline constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

int open_pipe(int (&ends)[2]);  ///< 0 or an errno; both ends are close-on-exec

/// Arguments for the child between fork and exec, prepared by the parent: the child must not touch
/// the heap. After vfork it runs on the parent's memory, and after fork of a process with threads
/// another thread may have held the heap's lock.
struct ChildSetup {
  const char* program = nullptr;
  char* const* arguments = nullptr;
  char* const* script_arguments = nullptr;  ///< for a script without `#!`, which sh runs
  char* const* environment = nullptr;
  int directory = -1;
  int streams[3] = {0, 1, 2};
  sigset_t mask{};
  bool has_own_session = false;
  bool ignores_children = false;
  bool ignores_pipe = false;
  bool only_looks = false;  ///< side effects of reading stay forbidden
  rlim_t descriptors = 0;   ///< limit of open ones
  /// Null, or shared with the parent, for an errno; negative if entering the directory failed.
  int* error = nullptr;
};
pid_t start(const ChildSetup& setup);  ///< the child's pid, or -1 and an errno
/// Whether the child is a zombie or has been reaped. Does not block.
bool has_ended(pid_t pid);

/// Starts a child that calls `become`, which must not return. Returns its pid, or -1 and an errno.
/// On Linux the child shares the memory of this process, as after vfork(2).
pid_t start_child(void (*become)(const void* setup), const void* setup);

/// Waits for one of `watched`; 0 on failure. `from_terminal`: it was typed, so the whole process
/// group received it.
int wait_for_signal(const sigset_t& watched, bool& from_terminal);

/// Prevents SIGPIPE for writes to `pipe`, if it would not be sent to the writing thread alone.
void prevent_signal(int pipe);

/// Largest size of one argument of a program; may lower `total`, the limit for all of them.
std::size_t argument_limit(std::size_t& total);

/// A program that a desktop may have.
struct DesktopProgram {
  const char* variable;  ///< in the environment if the program is usable; null: it always is
  std::array<const char*, 8> words;  ///< up to the first null
  const char* encoding = nullptr;    ///< variable to set so that it expects UTF-8
};
/// Programs that open files, show one in its folder, and hold the clipboard, best first.
std::span<const DesktopProgram> openers();
std::span<const DesktopProgram> revealers();
std::span<const DesktopProgram> clipboards();
/// Last arguments of a revealer for the file `path`, whose URL is `url`.
std::vector<std::string> reveal_arguments(const std::string& path, const std::string& url);

using SignalHandler = void (*)(int);
SignalHandler handler_of(int number);
/// Installs a handler, with flags of sigaction(2). Touches no heap.
void handle_signal(int number, SignalHandler handler, int flags = 0);

/// Removes the status request signals, which this process blocks, from the mask of a command.
void release_status_requests(sigset_t& mask);
/// In a child after vfork: resets each signal that has a handler to its state at the start of this
/// process, since a handler would write to memory of the parent. Touches no heap.
void forget_handlers();

/// Erases the status line, ends colours, leaves the screen and stops all drawing. Safe in a signal
/// handler.
void clean_terminal();

/// State to restore after a program drew on the whole terminal.
struct ScreenLeave {
  int fd = -1;
  termios modes{};
  std::string bytes{};  ///< leave the alternate screen, show the cursor, and so on
};
/// Applies `leave`, which must stay valid, when a signal ends the process. Null: no longer.
void leave_screen_when_interrupted(const ScreenLeave* leave);

sigset_t set_of(std::span<const int> numbers);
/// Ends this process by the signal's default action, so that its parent sees the signal.
[[noreturn]] void die_by(int number);

}  // namespace ffind::os
