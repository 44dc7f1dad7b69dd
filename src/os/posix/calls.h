// SPDX-License-Identifier: MIT
// System calls made again after a signal, and descriptors that are closed once. Used throughout os.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace ffind::os {

/// Signals come one by one; a file system that interrupts each call for no reason must not hold us
/// up for ever.
inline constexpr int most_interruptions = 100;

/// What `call` returns: below zero and errno where it fails, for another reason than EINTR unless
/// that is all it ever says.
template <typename Call>
auto uninterrupted(Call call) {
  auto result = call();
  for (int again = 0; result < 0 && errno == EINTR && again < most_interruptions; ++again) {
    result = call();
  }
  return result;
}

/// Of a pipe and of /dev/null. Closed once, here.
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

  /// 0 or an errno. No command inherits either end but by what is made standard for it.
  int open();
};

}  // namespace ffind::os
