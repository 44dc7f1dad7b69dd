// SPDX-License-Identifier: MIT
// The simulated kernel's pipes and terminals: waiting for descriptors, writing to those without a
// reader, and how many there may be. From XNU (10002 to 11417):
//
// poll registers a kevent for the requested directions and translates what fires. Nothing is
// registered for `events` without a direction, so nothing of that descriptor is ever reported, not
// even that it is closed. A kevent that is refused is POLLNVAL and ends the wait; refused are
// character devices without CDEVSW_SELECT_KQUEUE, which of those that programs meet only
// pseudo-terminals have: /dev/tty (major 2) and /dev/null (3) have it not. The end of a pipe is
// EV_EOF: POLLHUP on both sides, never POLLERR. Named pipes are files with a filter that knows of
// bytes and room alone: their end is not reported.
//
// pselect works on all of these, on at most FD_SETSIZE descriptors.
//
// A write to a pipe without a reader signals the process (psignal), not the thread as on Linux,
// unless F_SETNOSIGPIPE was set.
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "kernel.h"

namespace simulated {
namespace {

constexpr rlim_t most_descriptors = 10240;  // OPEN_MAX

constexpr short for_reading = POLLIN | POLLRDNORM | POLLPRI | POLLRDBAND | POLLHUP;
constexpr short for_writing = POLLOUT | POLLWRNORM | POLLWRBAND;

enum class Kind { other, refused, pipe, named_pipe, socket, terminal };

/// Kind of an open file as its kevents distinguish it.
Kind kind_of(int fd) {
  host::Status status;
  if (host::status(fd, "", true, status) != 0) return Kind::refused;
  if (S_ISREG(status.mode)) return Kind::other;
  if (S_ISSOCK(status.mode)) return Kind::socket;
  if (S_ISFIFO(status.mode)) {
    return host::path_of(fd).starts_with('/') ? Kind::named_pipe : Kind::pipe;
  }
  // Linux's majors of pseudo-terminals; /dev/tty is 5, /dev/null 1.
  constexpr std::uint64_t first = 136;
  constexpr std::uint64_t last = 143;
  const std::uint64_t major = status.special >> 8U & 0xFFFU;
  const bool terminal = S_ISCHR(status.mode) && major >= first && major <= last;
  return terminal ? Kind::terminal : Kind::refused;
}

/// One descriptor of poll, and what Linux is asked about it.
struct Registration {
  pollfd* to;
  Kind kind;
  short events;
};

/// Translates what Linux's poll found.
short fired(const Registration& one, short found) {
  const bool reads = (one.events & for_reading) != 0;
  const bool writes = (one.events & for_writing) != 0;
  if (one.kind == Kind::named_pipe) {
    int count = 0;
    host::control_device(one.to->fd, FIONREAD, &count);
    short result = 0;
    if (reads && count > 0) result |= static_cast<short>(POLLIN | POLLRDNORM);
    if (writes && (found & POLLOUT) != 0) result |= for_writing;
    return static_cast<short>(result & one.to->events);
  }
  const bool ended = (found & (POLLHUP | POLLERR | POLLRDHUP)) != 0;
  if (!ended) return static_cast<short>(found & one.to->events);
  return static_cast<short>(POLLHUP | (reads ? one.to->events & (for_reading & ~POLLHUP) : 0));
}

/// Number of descriptors of which something is reported.
int report(const std::vector<Registration>& registered, const std::vector<pollfd>& found) {
  int count = 0;
  for (std::size_t index = 0; index < registered.size(); ++index) {
    const short events = fired(registered[index], found[index].revents);
    registered[index].to->revents = events;
    if (events != 0) ++count;
  }
  return count;
}

/// Pipes without a signal, by descriptor: device and inode of the file that has it.
struct QuietFiles {
  std::mutex mutex;
  std::map<int, std::pair<std::uint64_t, std::uint64_t>> files;
};

QuietFiles& quiet_files() {
  static QuietFiles quiet;
  return quiet;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> file_of(int fd) {
  host::Status status;
  if (host::status(fd, "", true, status) != 0) return std::nullopt;
  return std::pair{status.device, status.inode};
}

bool is_quiet(int fd) {
  QuietFiles& quiet = quiet_files();
  const std::lock_guard lock(quiet.mutex);
  const auto known = quiet.files.find(fd);
  return known != quiet.files.end() && file_of(fd) == known->second;
}

}  // namespace

int set_quiet(int fd, bool quiet) {
  const auto file = file_of(fd);
  if (!file) return fail(EBADF);
  QuietFiles& known = quiet_files();
  const std::lock_guard lock(known.mutex);
  if (quiet) {
    known.files[fd] = *file;
  } else {
    known.files.erase(fd);
  }
  return 0;
}

}  // namespace simulated

using namespace simulated;

int poll(struct pollfd* descriptors, nfds_t count, int milliseconds) {
  if (count > most_descriptors) return fail(EINVAL);
  std::vector<Registration> registered;
  std::vector<pollfd> asked;
  int refused = 0;
  bool looks_again = false;  // Linux reports the end of a named pipe at once, and always
  for (pollfd* one = descriptors; one != descriptors + count; ++one) {
    one->revents = 0;
    const auto events = static_cast<short>(one->events & (for_reading | for_writing));
    if (one->fd < 0 || events == 0) continue;
    const Kind kind = kind_of(one->fd);
    if (kind == Kind::refused) {
      one->revents = POLLNVAL;
      ++refused;
      continue;
    }
    looks_again = looks_again || kind == Kind::named_pipe;
    registered.push_back({one, kind, events});
    const short ending = kind == Kind::socket && (events & for_reading) != 0 ? POLLRDHUP : 0;
    asked.push_back({one->fd, static_cast<short>(events | ending), 0});
  }
  if (refused > 0 && registered.empty()) return refused;
  if (refused > 0) milliseconds = 0;
  constexpr int pause = 5;
  for (int waited = 0;; waited += pause) {
    const int at_once = looks_again ? 0 : milliseconds;
    if (host::poll(asked.data(), asked.size(), at_once) < 0) return -1;
    const int found = report(registered, asked) + refused;
    if (found > 0 || !looks_again || (milliseconds >= 0 && waited >= milliseconds)) return found;
    if (host::poll(nullptr, 0, pause) < 0) return -1;
  }
}

int pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
            const struct timespec* time, const sigset_t* mask) {
  if (count < 0 || count > FD_SETSIZE) return fail(EINVAL);
  return host::select(count, readable, writable, exceptional, time, mask);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  if (size > INT_MAX) return fail(EINVAL);
  const std::int64_t written = host::write(fd, bytes, size);
  if (written < 0 && errno == EPIPE && !is_quiet(fd)) {
    host::send_broken_pipe();
    errno = EPIPE;
  }
  return written;
}

int getrlimit(int resource, struct rlimit* limit) {
  if (host::limits(resource, limit) != 0) return -1;
  // The hard limit is infinite unless lowered.
  if (resource == RLIMIT_NOFILE && limit->rlim_max >= most_descriptors) {
    limit->rlim_max = RLIM_INFINITY;
  }
  return 0;
}

int setrlimit(int resource, const struct rlimit* limit) {
  if (resource != RLIMIT_NOFILE) return host::set_limits(resource, limit);
  if (limit->rlim_cur > limit->rlim_max) return fail(EINVAL);
  struct rlimit now {};
  if (host::limits(resource, &now) != 0) return -1;
  // More than the kernel's own bound, kern.maxfilesperproc, is taken and not given.
  const rlim_t soft = std::min({limit->rlim_cur, now.rlim_max, most_descriptors});
  const rlim_t hard = std::min(limit->rlim_max, now.rlim_max);
  const struct rlimit set { soft, hard };
  return host::set_limits(resource, &set);
}
