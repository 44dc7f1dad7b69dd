// SPDX-License-Identifier: MIT
// The machine: processor, clocks, limits, environment; and its accounts.
//
// SystemAccounts looks up users and groups by getpwnam_r(3) and its three siblings. A directory
// service may be slow, so each result is kept in a Memo for all threads: a value, or "there is no
// such account", but no failure of the service. A failure to look up a name is an error, since a
// query depends on it; for an id it is an empty name.
#include "os/machine.h"

#include <grp.h>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "os/formats/endian.h"
#include "os/posix/calls.h"

namespace ffind::os {

// Depends on the processor, not on the system, so it is not in a file of a platform. Does nothing
// on other processors.
void spin_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

std::optional<std::string> environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

// The soft limit, which counts: further descriptors are EMFILE.
std::size_t descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  return static_cast<std::size_t>(limit.rlim_cur);
}

// Read once, at the latest before the limit is raised.
std::size_t given_descriptor_limit() {
  static const std::size_t given = descriptor_limit();
  return given;
}

// Raises the soft limit, which needs no privilege up to the hard one.
std::size_t raise_descriptor_limit(std::size_t wanted) {
  given_descriptor_limit();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return 0;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = std::min(wanted > 0 ? rlim_t{wanted} : 2 * before, limit.rlim_max);
  if (limit.rlim_cur <= before) return 0;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<std::size_t>(limit.rlim_cur - before);
}

Nanoseconds read_clock(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * Nanoseconds{1'000'000'000} + now.tv_nsec;
}

std::uint64_t device_reads() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_inblock);
}

Nanoseconds thread_running_time() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
Instant wall_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return instant(now.tv_sec, now.tv_nsec);
}

std::string host_name() {
  std::array<char, 256> name{};  // POSIX: no longer than 255
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data())
                                                          : std::string();
}

namespace {

/// Calls `ask`, one of the four functions, with a growing buffer until its result fits, and passes
/// the record to `take` if there is such an account. 0 or an errno.
template <typename Key, typename Record, typename Take>
int look_up(int (*ask)(Key, Record*, char*, std::size_t, Record**), Key key, Take take) {
  constexpr std::size_t most = std::size_t{1} << 26U;  // a group of a million members fits
  // Enough for most users. A group with many members needs more and is ERANGE; four times as much
  // is tried until it fits. sysconf(_SC_GETPW_R_SIZE_MAX) is only a hint, so it is not used.
  std::vector<char> room(1024);
  int interruptions = 0;
  while (true) {
    Record record{};
    Record* result = nullptr;
    const int error = ask(key, &record, room.data(), room.size(), &result);
    if (error == EINTR && interruptions++ < most_interruptions) continue;
    if (error == ERANGE && room.size() < most) {
      room.resize(room.size() * 4);
      continue;
    }
    if (error == 0 && result != nullptr) take(record);
    // man 3 getpwnam: systems return any of these for an unknown account.
    const bool none = error == ENOENT || error == ESRCH || error == EBADF || error == EPERM;
    return none ? 0 : error;
  }
}

/// Cache of look-ups for all threads. Keeps unknown accounts, too, as nullopt, but repeats failed
/// look-ups. Grows with the number of accounts that occur, which is small.
template <typename Key, typename Value>
class Memo {
 public:
  /// `ask(key, answer)` returns 0 or an errno.
  template <typename Ask>
  int get(const Key& key, std::optional<Value>& answer, Ask ask) {
    {
      const std::lock_guard lock(mutex_);
      const auto known = answers_.find(key);
      if (known != answers_.end()) {
        answer = known->second;
        return 0;
      }
    }
    // Not under the lock: one slow look-up must not block the others.
    const int error = ask(key, answer);
    if (error == 0) {
      const std::lock_guard lock(mutex_);
      // Another thread may have looked it up meanwhile; the first answer stays.
      answers_.emplace(key, answer);
    }
    return error;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::optional<Value>> answers_;
};

/// The four look-ups, thread-safe. `id` throws std::system_error with the account's name if the
/// service fails; `name` returns an empty text.
class SystemAccounts final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string& name) const override {
    return id(name, user_ids_, ::getpwnam_r, &passwd::pw_uid);
  }
  std::optional<std::uint32_t> group_id(const std::string& name) const override {
    return id(name, group_ids_, ::getgrnam_r, &group::gr_gid);
  }
  std::optional<std::string> user_name(std::uint32_t id) const override {
    return name(id, user_names_, ::getpwuid_r, &passwd::pw_name);
  }
  std::optional<std::string> group_name(std::uint32_t id) const override {
    return name(id, group_names_, ::getgrgid_r, &group::gr_name);
  }

 private:
  using Ids = Memo<std::string, std::uint32_t>;
  using Names = Memo<std::uint32_t, std::string>;

  template <typename Ask, typename Record, typename Id>
  static std::optional<std::uint32_t> id(const std::string& name, Ids& memo, Ask ask,
                                         Id Record::*member) {
    std::optional<std::uint32_t> answer;
    const int error = memo.get(name, answer, [&](const std::string& key, auto& found) {
      return look_up(ask, key.c_str(), [&](const Record& record) { found = record.*member; });
    });
    if (error != 0) throw std::system_error(error, std::generic_category(), "account " + name);
    return answer;
  }

  template <typename Ask, typename Record>
  static std::optional<std::string> name(std::uint32_t id, Names& memo, Ask ask,
                                         char* Record::*member) {
    std::optional<std::string> answer;
    const int error = memo.get(id, answer, [&](std::uint32_t key, auto& found) {
      return look_up(ask, key, [&](const Record& record) { found = record.*member; });
    });
    return error == 0 ? answer : std::string();
  }

  mutable Ids user_ids_;
  mutable Ids group_ids_;
  mutable Names user_names_;
  mutable Names group_names_;
};

}  // namespace

std::unique_ptr<Accounts> accounts() {
  return std::make_unique<SystemAccounts>();
}

}  // namespace ffind::os
