// SPDX-License-Identifier: MIT
// Accounts by getpwnam_r(3) and its three siblings, which every Unix has. Each name and number is
// looked up once, since a directory service may be slow.
#include <grp.h>
#include <pwd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "os/machine.h"
#include "os/posix/retry.h"
#include "os/terminal.h"

namespace ffind::os {
namespace {

/// Calls `ask` with more and more room until its answer fits. 0 or an errno; `found` is false when
/// there is no such account.
template <typename Record, typename Ask>
int look_up(Ask ask, Record& record, std::vector<char>& room, bool& found) {
  constexpr std::size_t most = std::size_t{1} << 26U;  // a group of a million members fits
  room.resize(1024);
  int interruptions = 0;
  while (true) {
    Record* result = nullptr;
    const int error = ask(record, room, result);
    if (error == EINTR && interruptions++ < most_interruptions) continue;
    if (error == ERANGE && room.size() < most) {
      room.resize(room.size() * 4);
      continue;
    }
    found = error == 0 && result != nullptr;
    // man 3 getpwnam: systems say any of these where there is no such account.
    const bool none = error == ENOENT || error == ESRCH || error == EBADF || error == EPERM;
    return none ? 0 : error;
  }
}

/// Earlier answers, for all threads. What failed is looked up again.
template <typename Key, typename Value>
class Memo {
 public:
  /// `ask(key, answer)` gives 0 or an errno.
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
    // Not under the lock: a service that is slow for one need not hold up all.
    const int error = ask(key, answer);
    if (error == 0) {
      const std::lock_guard lock(mutex_);
      answers_.emplace(key, answer);
    }
    return error;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::optional<Value>> answers_;
};

int ask_user_id(const std::string& name, std::optional<std::uint32_t>& answer) {
  passwd record{};
  std::vector<char> room;
  bool found = false;
  const int error = look_up(
      [&name](passwd& one, std::vector<char>& bytes, passwd*& result) {
        return ::getpwnam_r(name.c_str(), &one, bytes.data(), bytes.size(), &result);
      },
      record, room, found);
  if (found) answer = record.pw_uid;
  return error;
}

int ask_group_id(const std::string& name, std::optional<std::uint32_t>& answer) {
  group record{};
  std::vector<char> room;
  bool found = false;
  const int error = look_up(
      [&name](group& one, std::vector<char>& bytes, group*& result) {
        return ::getgrnam_r(name.c_str(), &one, bytes.data(), bytes.size(), &result);
      },
      record, room, found);
  if (found) answer = record.gr_gid;
  return error;
}

int ask_user_name(std::uint32_t id, std::optional<std::string>& answer) {
  passwd record{};
  std::vector<char> room;
  bool found = false;
  const int error = look_up(
      [id](passwd& one, std::vector<char>& bytes, passwd*& result) {
        return ::getpwuid_r(id, &one, bytes.data(), bytes.size(), &result);
      },
      record, room, found);
  if (found) answer = record.pw_name;
  return error;
}

int ask_group_name(std::uint32_t id, std::optional<std::string>& answer) {
  group record{};
  std::vector<char> room;
  bool found = false;
  const int error = look_up(
      [id](group& one, std::vector<char>& bytes, group*& result) {
        return ::getgrgid_r(id, &one, bytes.data(), bytes.size(), &result);
      },
      record, room, found);
  if (found) answer = record.gr_name;
  return error;
}

class SystemAccounts final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string& name) const override {
    return id(name, user_ids_, ask_user_id);
  }
  std::optional<std::uint32_t> group_id(const std::string& name) const override {
    return id(name, group_ids_, ask_group_id);
  }
  std::optional<std::string> user_name(std::uint32_t id) const override {
    return name(id, user_names_, ask_user_name);
  }
  std::optional<std::string> group_name(std::uint32_t id) const override {
    return name(id, group_names_, ask_group_name);
  }

 private:
  using Ids = Memo<std::string, std::uint32_t>;
  using Names = Memo<std::uint32_t, std::string>;

  template <typename Ask>
  static std::optional<std::uint32_t> id(const std::string& name, Ids& memo, Ask ask) {
    std::optional<std::uint32_t> answer;
    const int error = memo.get(name, answer, ask);
    if (error != 0) throw std::system_error(error, std::generic_category(), "account " + name);
    return answer;
  }

  template <typename Ask>
  static std::optional<std::string> name(std::uint32_t id, Names& memo, Ask ask) {
    std::optional<std::string> answer;
    return memo.get(id, answer, ask) == 0 ? answer : std::string();
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
