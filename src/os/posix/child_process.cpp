// SPDX-License-Identifier: MIT
// Children by vfork and exec. See child_process.h. posix_spawn cannot do what macOS needs between
// fork and exec, and on Linux asks after each of 64 signals for a twentieth of the time that a
// short command takes.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "os/files.h"
#include "os/machine.h"
#include "os/posix/child_process.h"
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

void lower_descriptor_limit(rlim_t given) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= given) return;
  limit.rlim_cur = given;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

[[noreturn, gnu::noinline]] void become(const ChildSetup& setup, rlim_t descriptors) {
  forget_handlers();
  lower_descriptor_limit(descriptors);
  if (setup.ignores_children) ::signal(SIGCHLD, SIG_IGN);
  if (setup.ignores_pipe) ::signal(SIGPIPE, SIG_IGN);
  if (setup.directory >= 0 && ::fchdir(setup.directory) != 0) {
    *setup.error = -errno;
    ::_exit(127);
  }
  bool ready = true;
  for (int fd = 0; fd < 3; ++fd) {
    if (setup.streams[fd] != fd) ready = ready && ::dup2(setup.streams[fd], fd) == fd;
  }
  ::sigprocmask(SIG_SETMASK, &setup.mask, nullptr);
  if (ready) {
    allow_side_effects();
    ::execve(setup.program, setup.arguments, environ);
    if (errno == ENOEXEC) ::execve("/bin/sh", setup.script_arguments, environ);
  }
  *setup.error = errno;
  ::_exit(127);
}

}  // namespace

/// All signals are blocked meanwhile: one that came to the
/// child before it is the command would run our handlers there.
[[gnu::noinline]] pid_t start_child(const ChildSetup& setup) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const rlim_t descriptors = given_descriptor_limit();
#if defined(__APPLE__)
  // What allow_side_effects() sets there belongs to the process, and vfork's child is hardly one.
  const pid_t child = ::fork();
#else
  const pid_t child = ::vfork();
#endif
  if (child == 0) become(setup, descriptors);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return child;
}

}  // namespace ffind::os
