// SPDX-License-Identifier: MIT
// What the files of the POSIX seam share about signals and the terminal: what a command
// must not inherit, and what is put right before a signal ends the process. Seen by src/os only.
#pragma once

#include <signal.h>
#include <termios.h>

#include <string>

namespace ffind::os {

/// Takes the requests for the status, which this process holds, out of the mask of a command.
void release_status_requests(sigset_t& mask);
/// In a child: every signal that has a handler is treated as before this process began, for vfork
/// shares the memory that a handler would write to. Touches no heap.
void forget_handlers();

/// Erases the status line, ends colours and leaves the screen; nothing is drawn any more. May be
/// called by a handler.
void clean_terminal();

/// What a terminal gets back from a program that drew on all of it.
struct ScreenLeave {
  int fd = -1;
  termios modes{};
  std::string bytes{};  ///< leave its second screen, show its cursor, and so on
};
/// When a signal ends the process, `leave`, which has to stay where it is, is done first. Null:
/// nothing any more.
void leave_screen_when_interrupted(const ScreenLeave* leave);

/// With this signal alone.
sigset_t set_of(int number);
/// Ends this process by its default action, so that its parent sees the signal.
[[noreturn]] void die_by(int number);

}  // namespace ffind::os
