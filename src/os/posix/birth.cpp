// SPDX-License-Identifier: MIT
// Children by vfork and exec. See birth.h. posix_spawn cannot do what macOS needs between
// fork and exec, and on Linux asks after each of 64 signals for a twentieth of the time that a
// short command takes.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "os/os.h"
#include "os/posix/birth.h"
#include "os/posix/signals.h"

extern "C" char** environ;

namespace ffind::os {

int Pipe::open() {
  int ends[2];
#if defined(__linux__)
  if (::pipe2(ends, O_CLOEXEC) != 0) return errno;
#else
  if (::pipe(ends) != 0) return errno;
  for (const int fd : ends) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  reader = Descriptor(ends[0]);
  writer = Descriptor(ends[1]);
  return 0;
}

namespace {

[[noreturn, gnu::noinline]] void become(const Birth& birth) {
  forget_handlers();
  if (birth.ignores_children) ::signal(SIGCHLD, SIG_IGN);
  if (birth.ignores_pipe) ::signal(SIGPIPE, SIG_IGN);
  if (birth.directory >= 0 && ::fchdir(birth.directory) != 0) {
    *birth.error = -errno;
    ::_exit(127);
  }
  bool ready = true;
  for (int fd = 0; fd < 3; ++fd) {
    if (birth.streams[fd] != fd) ready = ready && ::dup2(birth.streams[fd], fd) == fd;
  }
  ::sigprocmask(SIG_SETMASK, &birth.mask, nullptr);
  if (ready) {
    allow_side_effects();
    ::execve(birth.program, birth.arguments, environ);
    if (errno == ENOEXEC) ::execve("/bin/sh", birth.script_arguments, environ);
  }
  *birth.error = errno;
  ::_exit(127);
}

}  // namespace

/// All signals are blocked meanwhile: one that came to the
/// child before it is the command would run our handlers there.
[[gnu::noinline]] pid_t give_birth(const Birth& birth) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
#if defined(__APPLE__)
  // What allow_side_effects() sets there belongs to the process, and vfork's child is hardly one.
  const pid_t child = ::fork();
#else
  const pid_t child = ::vfork();
#endif
  if (child == 0) become(birth);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return child;
}

}  // namespace ffind::os
