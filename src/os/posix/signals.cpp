// SPDX-License-Identifier: MIT
// How a signal ends this process while commands run: the thread that waits for it, signals them,
// and waits for their end. It must not know what commands are or what they write.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <string_view>
#include <vector>

#include "os/posix/processes.h"
#include "os/posix/retry.h"
#include "os/posix/signals.h"
#include "os/processes.h"

namespace ffind::os {

void wait_for_end(pid_t pid) {
  siginfo_t information{};
  uninterrupted(
      [&] { return ::waitid(P_PID, static_cast<id_t>(pid), &information, WEXITED | WNOWAIT); });
}

namespace {

/// The next of `watched`, or 0. `from_terminal`: typed there, so all of our process group has it.
int next_signal(const sigset_t& watched, bool& from_terminal) {
  int number = 0;
#if defined(__linux__)
  siginfo_t information{};
  number = ::sigwaitinfo(&watched, &information);
  from_terminal = information.si_code == SI_KERNEL;
#else
  // Nothing says here where it came from; a terminal sends to those in front of it.
  if (::sigwait(&watched, &number) != 0) number = 0;
  const Descriptor terminal(::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC));
  from_terminal = terminal.get() >= 0 && ::tcgetpgrp(terminal.get()) == ::getpgrp();
#endif
  // No key sends the others. SIGHUP may have gone to the session's leader alone.
  from_terminal = from_terminal && (number == SIGINT || number == SIGQUIT);
  return number < 0 ? 0 : number;
}

/// What comes right behind the first is the same one: timeout(1) sends to the process, and then to
/// its process group.
void drop_pending(const sigset_t& watched) {
  sigset_t pending;
  while (::sigpending(&pending) == 0) {
    sigset_t some;
    sigemptyset(&some);
    bool any = false;
    for (const int number : ending_signals) {
      if (sigismember(&pending, number) != 1 || sigismember(&watched, number) != 1) continue;
      sigaddset(&some, number);
      any = true;
    }
    if (!any) return;
    int number = 0;
    ::sigwait(&some, &number);
  }
}

}  // namespace

bool has_ended(pid_t pid) {
  siginfo_t information{};
  const int how = WEXITED | WNOWAIT | WNOHANG;
  // ECHILD: it was reaped.
  return ::waitid(P_PID, static_cast<id_t>(pid), &information, how) != 0 || information.si_pid != 0;
}

void tell(pid_t child, int number) {
  ::kill(child, number);
  // One that is stopped would never hear it.
  ::kill(child, SIGCONT);
}

void Processes::State::watch() {
  while (true) {
    bool from_terminal = false;
    const int number = next_signal(watched, from_terminal);
    if (number == 0) continue;
    {
      const std::lock_guard lock(mutex);
      if (over) return;
      interrupted_by = number;
      changed.notify_all();
      if (number == SIGPIPE) reader_is_gone = true;
    }
    clean_terminal();
    end_with(number, from_terminal);
  }
}

void Processes::State::end_with(int number, bool from_terminal) {
  const std::vector<pid_t> children = tell_all(number, from_terminal);
  const auto have_ended = [&] { return std::all_of(children.begin(), children.end(), has_ended); };
  for (int tries = 0; tries < 20 && !have_ended(); ++tries) ::poll(nullptr, 0, 5);
  drop_pending(watched);
  // From here on a second one ends us at once.
  sigset_t seconds = watched;
  sigdelset(&seconds, SIGPIPE);
  ::pthread_sigmask(SIG_UNBLOCK, &seconds, nullptr);
  for (const pid_t child : children) wait_for_end(child);
  {
    // Who reads our output may have stopped; and when it is gone, who found that out keeps its
    // slot.
    constexpr std::chrono::seconds patience{2};
    std::unique_lock lock(mutex);
    changed.wait_for(lock, patience, [this] {
      const auto is_taken = [](const Slot& slot) { return slot.taken; };
      return reader_is_gone ||
             (holds == 0 && std::none_of(running.begin(), running.end(), is_taken));
    });
  }
  // Those whose threads did not come to it.
  for (const pid_t child : children) ::waitpid(child, nullptr, WNOHANG);
  die_by(number);
}

std::vector<pid_t> Processes::State::tell_all(int number, bool from_terminal) {
  std::vector<pid_t> children;
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return starting == 0; });
    for (const Slot& slot : running) {
      if (!slot.taken) continue;
      children.push_back(slot.pid);
      // Twice means something else to some programs. Not all are in our process group: timeout(1)
      // makes one of its own, which no terminal knows.
      const bool has_it = slot.told || (from_terminal && ::getpgid(slot.pid) == ::getpgrp());
      tell(slot.pid, has_it ? SIGCONT : signal_for_commands(number));
    }
  }
  return children;
}

/// Forever: this process is about to end, and must do and write nothing more.
void Processes::State::stay_if_interrupted(std::unique_lock<std::mutex>& lock) {
  while (interrupted_by != 0) changed.wait(lock);
}

void Processes::end_by_broken_pipe() {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  state.reader_is_gone = true;
  state.changed.notify_all();
  if (state.interrupted_by == 0) ::pthread_kill(state.watcher.native_handle(), SIGPIPE);
  while (true) state.changed.wait(lock);
}

bool Processes::is_ending() const {
  const std::lock_guard lock(state_->mutex);
  return state_->interrupted_by != 0;
}

Processes::OutputHold::OutputHold(Processes& processes) : state_(*processes.state_) {
  std::unique_lock lock(state_.mutex);
  state_.stay_if_interrupted(lock);
  ++state_.holds;
}

Processes::OutputHold::~OutputHold() {
  std::unique_lock lock(state_.mutex);
  --state_.holds;
  if (state_.interrupted_by == 0) return;
  state_.changed.notify_all();
  state_.stay_if_interrupted(lock);
}

std::string_view signal_name(int number) {
  struct Row {
    int number;
    std::string_view name;
  };
  constexpr Row rows[] = {
      {SIGABRT, "ABRT"},     {SIGALRM, "ALRM"}, {SIGBUS, "BUS"},   {SIGCHLD, "CHLD"},
      {SIGCONT, "CONT"},     {SIGFPE, "FPE"},   {SIGHUP, "HUP"},   {SIGILL, "ILL"},
      {SIGINT, "INT"},       {SIGKILL, "KILL"}, {SIGPIPE, "PIPE"}, {SIGPROF, "PROF"},
      {SIGQUIT, "QUIT"},     {SIGSEGV, "SEGV"}, {SIGSTOP, "STOP"}, {SIGSYS, "SYS"},
      {SIGTERM, "TERM"},     {SIGTRAP, "TRAP"}, {SIGTSTP, "TSTP"}, {SIGTTIN, "TTIN"},
      {SIGTTOU, "TTOU"},     {SIGURG, "URG"},   {SIGUSR1, "USR1"}, {SIGUSR2, "USR2"},
      {SIGVTALRM, "VTALRM"}, {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}};
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [number](const Row& each) { return each.number == number; });
  return row == std::end(rows) ? std::string_view() : row->name;
}

}  // namespace ffind::os
