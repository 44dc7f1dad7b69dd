// SPDX-License-Identifier: MIT
// What the two halves of Processes share: process.cpp runs commands, signals.cpp ends them. Seen by
// these two only.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "os/posix/child_process.h"
#include "os/processes.h"

namespace ffind::os {

/// The signals that people and systems end programs with.
inline constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// Waits until the child `pid` has ended, and leaves it to be reaped.
void wait_for_end(pid_t pid);
bool has_ended(pid_t pid);

/// The signal that commands get when this process ends by `number`: SIGPIPE is about our output,
/// not theirs, so they get SIGTERM.
constexpr int signal_for_commands(int number) {
  return number == SIGPIPE ? SIGTERM : number;
}

/// Sends it the signal `number`, even while it is stopped.
void tell(pid_t child, int number);

/// The commands that run, each in a slot, and the thread that waits for signals.
struct Processes::State {
  static constexpr std::size_t slots = 4096 / sizeof(int);
  struct Slot {
    bool taken = false;
    pid_t pid = 0;      ///< 0: being started
    bool told = false;  ///< by which signal this process is to end
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::array<Slot, slots> running;
  std::size_t starting = 0;
  std::size_t endings = 0;
  std::size_t holds = 0;  ///< OutputHolds
  int interrupted_by = 0;
  bool reader_is_gone = false;
  bool over = false;

  Descriptor nothing;     ///< /dev/null
  int* errors = nullptr;  ///< one a slot, in memory shared with the children
  sigset_t original_mask;
  sigset_t mask_of_commands;
  sigset_t watched;  ///< SIGPIPE among them: who writes wakes the watcher with it
  bool ignored_children = false;
  bool ignored_pipe = false;
  std::thread watcher;

  void watch();
  void end_with(int number, bool from_terminal);
  std::vector<pid_t> tell_all(int number, bool from_terminal);
  void stay_if_interrupted(std::unique_lock<std::mutex>& lock);
  std::size_t take_slot(bool leaves);
  void started(std::size_t slot, pid_t pid);
  void release(std::size_t slot, bool leaves, Ending& ending);
};

}  // namespace ffind::os
