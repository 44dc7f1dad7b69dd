// SPDX-License-Identifier: MIT
// Restarting of interrupted system calls, and descriptors that are closed once. Used throughout os.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

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

/// Owner of a descriptor; -1 if it has none. Closes it silently, so it is for descriptors whose
/// close cannot lose data. Assigning another one swaps the two, and the old one is closed with the
/// other.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

struct Pipe {
  Descriptor reader;
  Descriptor writer;

  /// 0 or an errno. Both ends are close-on-exec.
  int open();
};

}  // namespace ffind::os
