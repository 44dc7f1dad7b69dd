// SPDX-License-Identifier: MIT
// Signals and the terminal, shared by the files of os/posix: the signal state that a command must
// not inherit, and what is restored before a signal ends the process.
#pragma once

#include <signal.h>
#include <termios.h>

#include <string>

namespace ffind::os {

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

/// Set with this signal alone.
sigset_t set_of(int number);
/// Ends this process by the signal's default action, so that its parent sees the signal.
[[noreturn]] void die_by(int number);

}  // namespace ffind::os
