// SPDX-License-Identifier: MIT
// Tests of owners, permissions, flags, and the identity of a file.
//
// All of them need one stat. Orphaned owners also need the accounts of the system.
//
//     AccountTest       owner, group            ids, looked up when the query was built
//     OrphanTest        orphaned_owner, _group  id without a name; looked up during the search
//     PermissionsTest   perm                    bits of the mode
//     SameFileTest      same_file               device and inode

#include <algorithm>
#include <optional>
#include <utility>

#include "query/expression.h"
#include "query/predicates/predicates.h"
#include "text/format.h"

namespace ffind::query {
namespace {

/// True if the uid or gid is one of a few. Names are kept as typed, for the text only: 1000 and
/// alice may be the same account, but each is spelt as the user did.
class AccountTest final : public Test {
 public:
  AccountTest(const AccountKind& account_kind, std::vector<Account> accounts)
      : account_kind_(account_kind), accounts_(std::move(accounts)) {}

  bool holds(Entry& entry) const override {
    // A name in a record counts, whatever its number is here.
    const std::string_view name =
        entry.recorded != nullptr ? entry.recorded->*account_kind_.recorded : std::string_view();
    return std::any_of(accounts_.begin(), accounts_.end(), [&](const Account& account) {
      if (!name.empty() && !text::is_digits(account.typed)) return account.typed == name;
      return entry.require(account_kind_.need) && entry.metadata.*account_kind_.id == account.id;
    });
  }
  Needs needs() const override { return account_kind_.need; }
  int cost() const override { return 2; }

  std::string text() const override {
    return equality_text(account_kind_.field, accounts_,
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

/// True if no account has the number. The accounts cache their results.
class OrphanTest final : public Test {
 public:
  OrphanTest(const AccountKind& account_kind, const Accounts& accounts)
      : account_kind_(account_kind), accounts_(accounts) {}

  bool holds(Entry& entry) const override {
    // The bit may be that of the other kind of account.
    entry.failed &= ~needs::accounts;
    if (!entry.require(needs::owner)) return false;
    const std::optional<std::string> name =
        (accounts_.*account_kind_.name_of)(entry.metadata.*account_kind_.id);
    if (!name || !name->empty()) return !name;
    entry.failed |= needs::accounts;
    if (entry.loader != nullptr) entry.loader->report_unknown(entry, Unknown::accounts);
    return false;
  }
  Needs needs() const override { return needs::owner | needs::accounts; }
  int cost() const override { return 3; }
  std::string text() const override { return std::string(account_kind_.orphaned); }

 private:
  const AccountKind& account_kind_;
  const Accounts& accounts_;
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

/// True if one of the flags is set, or with 0 if none is. Unknown if none is and the volume does
/// not report all of them, or with 0 those that every volume with flags has.
class FlagsTest final : public Test {
 public:
  FlagsTest(FileFlags flags, std::vector<std::string_view> words)
      : flags_(flags), words_(std::move(words)) {}

  bool holds(Entry& entry) const override {
    constexpr FileFlags basic = file_flags::schg | file_flags::sappnd;
    entry.failed &= ~needs::all_flags;
    if (!entry.require(needs::flags)) return false;
    const bool wants_none = flags_ == 0;
    const FileFlags set = entry.metadata.flags;
    if ((wants_none ? set : set & flags_) != 0) return !wants_none;
    if (((wants_none ? basic : flags_) & ~entry.metadata.known_flags) == 0) return wants_none;
    entry.failed |= needs::all_flags;
    if (entry.loader != nullptr) entry.loader->report_unknown(entry, Unknown::flags);
    return false;
  }
  Needs needs() const override { return needs::flags | needs::all_flags; }
  int cost() const override { return 3; }
  std::string text() const override {
    return equality_text("flags", words_, [](std::string_view word) { return word; });
  }

 private:
  FileFlags flags_;
  std::vector<std::string_view> words_;
};

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

constexpr AccountKind users{.name = "user",
                            .field = "owner",
                            .orphaned = "orphaned_owner",
                            .need = needs::uid,
                            .recorded = &RecordedAccounts::user,
                            .id = &Metadata::uid,
                            .id_of = &Accounts::user_id,
                            .name_of = &Accounts::user_name};
constexpr AccountKind groups{.name = "group",
                             .field = "group",
                             .orphaned = "orphaned_group",
                             .need = needs::gid,
                             .recorded = &RecordedAccounts::group,
                             .id = &Metadata::gid,
                             .id_of = &Accounts::group_id,
                             .name_of = &Accounts::group_name};

TestPointer account_test(const AccountKind& kind, std::vector<Account> accounts) {
  return std::make_shared<AccountTest>(kind, std::move(accounts));
}
TestPointer orphan_test(const AccountKind& kind, const Accounts& accounts) {
  return std::make_shared<OrphanTest>(kind, accounts);
}
TestPointer permissions_test(const text::Permissions& permissions) {
  return std::make_shared<PermissionsTest>(permissions);
}
TestPointer flags_test(FileFlags flags, std::vector<std::string_view> words) {
  return std::make_shared<FlagsTest>(flags, std::move(words));
}
TestPointer same_file_test(std::uint64_t device, std::uint64_t inode, std::string path) {
  return std::make_shared<SameFileTest>(device, inode, std::move(path));
}

}  // namespace ffind::query
