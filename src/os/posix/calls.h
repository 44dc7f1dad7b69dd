// SPDX-License-Identifier: MIT
// Restarting of interrupted system calls, clocks, pipes, and waiting for descriptors. Used
// throughout os.
#pragma once

#include <cerrno>
#include <cstddef>
#include <ctime>
#include <span>
#include <string>

#include "os/files.h"

namespace ffind::os {

/// Bound for a file system that interrupts every call; signals come one by one.
inline constexpr int most_interruptions = 100;

/// Makes a call until it is not interrupted. Returns its result: negative, with an errno other than
/// EINTR, if it fails; EINTR only after `most_interruptions`. Not for close(2): Linux closes the
/// descriptor even on EINTR. Example:
///
///     const int fd = uninterrupted([&] { return ::open(path, O_RDONLY | O_CLOEXEC); });
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  for (int again = 0; result < 0 && errno == EINTR && again < most_interruptions; ++again) {
    result = call();
  }
  return result;
}

Nanoseconds read_clock(clockid_t clock);  ///< by clock_gettime(2)

struct Pipe {
  Descriptor reader;
  Descriptor writer;

  int open();  ///< 0 or an errno; both ends are close-on-exec
};

/// A descriptor to wait for.
struct Wait {
  int fd = -1;            ///< -1: none
  bool for_room = false;  ///< to be written to; otherwise to be read
  bool ready = false;     ///< the call would not block, at the end of the data, too
};
/// Waits until one of `waits` is ready, for at most `milliseconds` (-1: forever). Returns how many
/// are, or -1 and an errno. Not by poll(2), with which macOS refuses /dev/tty and /dev/null
/// (POLLNVAL) and misses the end of named pipes, but by select(2), unless a number is too large.
int wait_for(std::span<Wait> waits, int milliseconds);
/// Reads `fd` up to its end. 0 or an errno: EFBIG for more than `most` bytes, ENOTSUP for a
/// terminal, or for a device that is not empty, EAGAIN for a pipe opened with O_NONBLOCK that
/// nothing is written into for ten seconds.
int read_open_to_end(int fd, std::size_t most, std::string& text);
bool is_selectable(int fd);  ///< select(2) takes `fd`
/// Opens /dev/tty, whatever the standard streams are. Throws std::system_error, whose text begins
/// with `need`.
Descriptor open_terminal(const char* need);

}  // namespace ffind::os
