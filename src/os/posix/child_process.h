// SPDX-License-Identifier: MIT
// How a command is started: the descriptors that it gets, and the step from fork to exec.
// Seen by src/os only; knows no signals but those that a child must not have.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <utility>

namespace ffind::os {

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

/// What the child does before it becomes the command; nothing of it may touch the heap.
struct ChildSetup {
  const char* program;
  char* const* arguments;
  char* const* script_arguments;  ///< a script without `#!` is the shell's, as everywhere
  int directory;
  int streams[3];
  sigset_t mask;
  bool ignores_children;
  bool ignores_pipe;
  int* error;  ///< in memory that both processes see; below 0: it is the directory's
};

/// The child's number, or -1 and errno.
pid_t start_child(const ChildSetup& setup);

}  // namespace ffind::os
