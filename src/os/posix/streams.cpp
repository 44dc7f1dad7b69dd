// SPDX-License-Identifier: MIT
// The standard streams, and ways to end that go with them: kept open, written, closed.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include "os/machine.h"
#include "os/posix/retry.h"
#include "os/posix/signals.h"
#include "os/processes.h"
#include "os/terminal.h"

namespace ffind::os {

void secure_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1) continue;
    // The wrong way round on purpose: reading what was closed, or writing to it, gives EBADF.
    // open() takes the lowest free number, and all below are taken by now.
    const int opened = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened < 0 || opened == fd) continue;
    ::close(opened);
  }
}

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

std::string host_name() {
  std::array<char, 256> name{};  // POSIX: no longer than 255
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data())
                                                          : std::string();
}

int close_stream(int fd) {
  // Whatever it says, it is closed; made again it might close what somebody else has opened.
  return ::close(fd) == 0 || errno == EINTR || errno == EBADF ? 0 : errno;
}

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (written < 0) {
      // Somebody who shares the file with us may have made it so that it does not wait.
      pollfd ready{fd, POLLOUT, 0};
      if (errno != EAGAIN) return errno;
      ::poll(&ready, 1, -1);
      continue;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void die_of_broken_pipe() {
  clean_terminal();
  die_by(SIGPIPE);
}

void exit_at_once(int status) {
  std::_Exit(status);
}

}  // namespace ffind::os
