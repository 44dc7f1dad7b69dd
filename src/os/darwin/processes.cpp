// SPDX-License-Identifier: MIT
// Steps of running programs on macOS, which has neither pipe2 nor sigwaitinfo, and signals the
// process for a write to a pipe without a reader.
#include "os/posix/process_calls.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>

#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/processes.h"
#include "os/terminal.h"

namespace ffind::os {

namespace {
// mutable: guards pipes that are not close-on-exec yet; a child would keep them open
std::mutex forking;
}  // namespace

int open_pipe(int (&ends)[2]) {
  const std::lock_guard lock(forking);
  if (::pipe(ends) != 0) return errno;
  for (const int fd : ends) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return 0;
}

// Not by vfork: the child calls allow_side_effects(), which would change the parent, too.
pid_t start_child(void (*become)(const void* setup), const void* setup) {
  const std::lock_guard lock(forking);
  const pid_t child = ::fork();
  if (child == 0) become(setup);
  return child;
}

// The sender of a signal is unknown; a terminal signals its foreground process group.
int wait_for_signal(const sigset_t& watched, bool& from_terminal) {
  int number = 0;
  if (::sigwait(&watched, &number) != 0) number = 0;
  const Descriptor terminal(::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC));
  from_terminal = terminal.get() >= 0 && ::tcgetpgrp(terminal.get()) == ::getpgrp();
  return number;
}

// Any thread may get the signal that write(2) sends (XNU, sys_generic.c: psignal).
void prevent_signal(int pipe) {
  ::fcntl(pipe, F_SETNOSIGPIPE, 1);
}

// launchd starts programs with 256, too few for the threads of a server and the directories that
// they keep open. 10240 is OPEN_MAX, which every Mac allows (kern.maxfilesperproc).
void raise_low_descriptor_limit() {
  constexpr std::size_t allowed = 10240;
  raise_descriptor_limit(allowed);
}

// Only the sum of all arguments has a limit.
std::size_t argument_limit(std::size_t& total) {
  return total;
}

// The kernel sizes a pipe by what is written to it, up to 64 KiB (sys_pipe.c).
void widen_pipe(int) {}

std::span<const DesktopProgram> openers() {
  static constexpr DesktopProgram programs[] = {{nullptr, {"open"}}};
  return programs;
}

std::span<const DesktopProgram> revealers() {
  static constexpr DesktopProgram programs[] = {{nullptr, {"open", "-R"}}};
  return programs;
}

std::vector<std::string> reveal_arguments(const std::string& path, const std::string&) {
  return {path};
}

std::string_view viewer_command() {
  return "qlmanage -p";
}

// pbcopy decodes its input by the locale, which is that of ASCII if none is set (man pbcopy).
std::span<const DesktopProgram> clipboards() {
  static constexpr DesktopProgram programs[] = {{nullptr, {"pbcopy"}, "LC_CTYPE=UTF-8"}};
  return programs;
}

}  // namespace ffind::os
