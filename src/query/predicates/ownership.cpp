// SPDX-License-Identifier: MIT
// Tests of owners, permissions, locks, numbers of links, and the identity of a file.
//
// All of them need one stat. Orphaned owners also need the accounts of the system: OrphanTest
// caches the result for each uid or gid in a table without locks that all threads share.
//
//     AccountTest       owner, group            ids, looked up when the query was built
//     OrphanTest        orphaned_owner, _group  id without a name; looked up during the search
//     NumberTest        uid gid links inode     range of a member of Metadata
//     PermissionsTest   perm                    bits of the mode
//     SameFileTest      same_file               device and inode

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>
#include <utility>

#include "query/expression.h"
#include "query/predicates/predicates.h"
#include "text/format.h"

namespace ffind::query {
namespace {

/// The differences between tests of users and of groups.
struct AccountKind {
  std::string_view name;
  std::string_view orphaned_name;
  std::uint32_t Metadata::*id;
  std::optional<std::string> (Accounts::*name_of)(std::uint32_t) const;
};
constexpr AccountKind owner{"owner", "orphaned_owner", &Metadata::uid, &Accounts::user_name};
constexpr AccountKind group{"group", "orphaned_group", &Metadata::gid, &Accounts::group_name};

/// True if the uid or gid is one of a few. Names are kept as typed, for the text only: 1000 and
/// alice may be the same account, but each is spelt as the user did.
class AccountTest final : public Test {
 public:
  AccountTest(const AccountKind& account_kind, std::vector<Account> accounts)
      : account_kind_(account_kind), accounts_(std::move(accounts)) {}

  bool holds(Entry& entry) const override {
    if (!entry.require(needs::owner)) return false;
    const std::uint32_t id = entry.metadata.*account_kind_.id;
    return std::any_of(accounts_.begin(), accounts_.end(),
                       [id](const Account& account) { return account.id == id; });
  }
  Needs needs() const override { return needs::owner; }
  int cost() const override { return 2; }

  std::string text() const override {
    return equality_text(account_kind_.name, accounts_,
                         [](const Account& account) { return word(account.typed); });
  }

 private:
  /// Names with anything but letters, digits and `_` are quoted: they could be read otherwise.
  static std::string word(const std::string& name) {
    const bool plain = std::all_of(name.begin(), name.end(),
                                   [](char c) { return text::is_letter_or_digit(c) || c == '_'; });
    return plain ? bare_or_quoted(name) : quoted(name);
  }

  const AccountKind& account_kind_;
  std::vector<Account> accounts_;
};

/// True if no account has the number. Results are cached in slots of one word, number and result
/// together, so that no lock is needed. Numbers that share a slot evict each other, which costs
/// repeated look-ups but no correctness.
class OrphanTest final : public Test {
 public:
  OrphanTest(const AccountKind& account_kind, const Accounts& accounts)
      : account_kind_(account_kind), accounts_(accounts) {}

  bool holds(Entry& entry) const override {
    // The bit may be that of the other kind of account.
    entry.failed &= ~needs::accounts;
    if (!entry.require(needs::owner)) return false;
    const std::optional<bool> orphan = is_orphan(entry.metadata.*account_kind_.id);
    if (!orphan) {
      entry.failed |= needs::accounts;
      if (entry.loader != nullptr) entry.loader->accounts_failed(entry);
    }
    return orphan.value_or(false);
  }
  Needs needs() const override { return needs::owner | needs::accounts; }
  int cost() const override { return 3; }
  std::string text() const override { return std::string(account_kind_.orphaned_name); }

 private:
  /// Layout of a slot: id << 2 | orphaned | answered. 0 is an empty one.
  static constexpr std::uint64_t answered = 1;
  static constexpr std::uint64_t orphaned = 2;

  /// nullopt if the look-up fails, which is not cached: the service may be back for the next entry.
  std::optional<bool> is_orphan(std::uint32_t id) const {
    // Relaxed: the word is all that is shared. Two threads may look up the same id; both store the
    // same result.
    std::atomic<std::uint64_t>& slot = slots_[id % slots_.size()];
    const std::uint64_t known = slot.load(std::memory_order_relaxed);
    if ((known & answered) != 0 && known >> 2U == id) return (known & orphaned) != 0;
    const std::optional<std::string> name = (accounts_.*account_kind_.name_of)(id);
    if (name && name->empty()) return {};
    slot.store(std::uint64_t{id} << 2U | answered | (name ? 0 : orphaned),
               std::memory_order_relaxed);
    return !name;
  }

  const AccountKind& account_kind_;
  const Accounts& accounts_;
  mutable std::array<std::atomic<std::uint64_t>, 1024> slots_{};
};

/// `perm = 644` compares all bits that count, `perm all u+w` requires some, `perm any 022` one of
/// some (text/permissions.h).
class PermissionsTest final : public Test {
 public:
  explicit PermissionsTest(const text::Permissions& permissions) : permissions_(permissions) {}

  bool holds(Entry& entry) const override {
    return entry.require(needs::mode) && permissions_.hold_for(entry.metadata.mode);
  }
  Needs needs() const override { return needs::mode; }
  int cost() const override { return 2; }
  bool narrows() const override {
    // No bits to look at: every mode passes.
    return (permissions_.any ? permissions_.bits : permissions_.counted) != 0;
  }
  std::string text() const override {
    const std::string mode = to_text(permissions_);
    const bool plain = mode.find_first_not_of("01234567") == std::string::npos;
    return "perm = " + (plain ? mode : quoted(mode));
  }

 private:
  text::Permissions permissions_;
};

/// True if one of the flags is set. Unknown if none is and the volume does not report all of them.
class FlagsTest : public Test {
 public:
  FlagsTest(FileFlags flags, std::vector<std::string_view> words)
      : flags_(flags), words_(std::move(words)) {}

  bool holds(Entry& entry) const override {
    entry.failed &= ~needs::all_flags;
    if (!entry.require(needs::flags)) return false;
    if ((entry.metadata.flags & flags_) != 0) return true;
    if ((flags_ & ~entry.metadata.known_flags) != 0) fail(entry);
    return false;
  }
  Needs needs() const override { return needs::flags | needs::all_flags; }
  int cost() const override { return 3; }
  std::string text() const override {
    return equality_text("flags", words_, [](std::string_view word) { return std::string(word); });
  }

 protected:
  static void fail(Entry& entry) {
    entry.failed |= needs::all_flags;
    if (entry.loader != nullptr) entry.loader->flags_unknown(entry);
  }

 private:
  FileFlags flags_;
  std::vector<std::string_view> words_;
};

/// True if no flag is set. Unknown if the volume does not report those that every volume with flags
/// has.
class NoFlagsTest final : public FlagsTest {
 public:
  NoFlagsTest() : FlagsTest(0, {"none"}) {}

  bool holds(Entry& entry) const override {
    constexpr FileFlags basic = file_flags::schg | file_flags::sappnd;
    entry.failed &= ~needs::all_flags;
    if (!entry.require(needs::flags) || entry.metadata.flags != 0) return false;
    if ((entry.metadata.known_flags & basic) == basic) return true;
    fail(entry);
    return false;
  }
};

/// Test of a number that a stat returns. `lowest` and `highest` are the limits of its values.
template <typename Number>
class NumberTest final : public Test {
 public:
  struct Row {
    std::string_view field;
    Needs need;
    Number Metadata::*member;
    std::uint64_t lowest;
    std::uint64_t highest;
  };
  NumberTest(const Row& row, const text::SizeRange& range) : row_(row), range_(range) {}

  bool holds(Entry& entry) const override {
    return entry.require(row_.need) && range_.contains(entry.metadata.*row_.member);
  }
  Needs needs() const override { return row_.need; }
  int cost() const override { return 2; }
  bool narrows() const override { return range_.first > row_.lowest || range_.last < row_.highest; }
  std::string text() const override { return range_text(row_.field, range_); }

 private:
  /// One of the constants below, shared by all tests of the field.
  const Row& row_;
  text::SizeRange range_;
};

constexpr std::uint64_t any_number = text::SizeRange{}.last;
constexpr std::uint64_t last_account = std::numeric_limits<std::uint32_t>::max();
constexpr NumberTest<std::uint32_t>::Row uid_row{"uid", needs::owner, &Metadata::uid, 0,
                                                 last_account};
constexpr NumberTest<std::uint32_t>::Row gid_row{"gid", needs::owner, &Metadata::gid, 0,
                                                 last_account};
constexpr NumberTest<std::uint32_t>::Row links_row{"links", needs::links, &Metadata::links, 1,
                                                   any_number};
constexpr NumberTest<std::uint64_t>::Row inode_row{"inode", needs::identity, &Metadata::inode, 1,
                                                   any_number};

/// The file was found when the query was built; if it is replaced meanwhile, its old inode is
/// searched for.
class SameFileTest final : public Test {
 public:
  SameFileTest(std::uint64_t device, std::uint64_t inode, std::string path)
      : device_(device), inode_(inode), path_(std::move(path)) {}

  bool holds(Entry& entry) const override {
    return entry.require(needs::identity) && entry.metadata.inode == inode_ &&
           entry.metadata.device == device_;
  }
  Needs needs() const override { return needs::identity; }
  int cost() const override { return 2; }
  std::string text() const override { return "same_file = " + quoted(path_); }

 private:
  std::uint64_t device_;
  std::uint64_t inode_;
  std::string path_;
};

}  // namespace

TestPointer owner_test(std::vector<Account> accounts) {
  return std::make_shared<AccountTest>(owner, std::move(accounts));
}
TestPointer group_test(std::vector<Account> accounts) {
  return std::make_shared<AccountTest>(group, std::move(accounts));
}
TestPointer uid_test(const text::SizeRange& range) {
  return std::make_shared<NumberTest<std::uint32_t>>(uid_row, range);
}
TestPointer gid_test(const text::SizeRange& range) {
  return std::make_shared<NumberTest<std::uint32_t>>(gid_row, range);
}
TestPointer orphaned_owner_test(const Accounts& accounts) {
  return std::make_shared<OrphanTest>(owner, accounts);
}
TestPointer orphaned_group_test(const Accounts& accounts) {
  return std::make_shared<OrphanTest>(group, accounts);
}
TestPointer permissions_test(const text::Permissions& permissions) {
  return std::make_shared<PermissionsTest>(permissions);
}
TestPointer flags_test(FileFlags flags, std::vector<std::string_view> words) {
  return std::make_shared<FlagsTest>(flags, std::move(words));
}
TestPointer no_flags_test() {
  return std::make_shared<NoFlagsTest>();
}
TestPointer links_test(const text::SizeRange& range) {
  return std::make_shared<NumberTest<std::uint32_t>>(links_row, range);
}
TestPointer inode_test(const text::SizeRange& range) {
  return std::make_shared<NumberTest<std::uint64_t>>(inode_row, range);
}
TestPointer same_file_test(std::uint64_t device, std::uint64_t inode, std::string path) {
  return std::make_shared<SameFileTest>(device, inode, std::move(path));
}

}  // namespace ffind::query
