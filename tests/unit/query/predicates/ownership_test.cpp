// SPDX-License-Identifier: MIT
// Tests of owners, permissions, locks and identity: what they ask for, whether they hold, how they
// are spelt.
#include <string>
#include <vector>

#include "catch.h"
#include "ffind/query.h"
#include "query/predicates/predicates.h"

namespace ownership_test {

namespace {

using namespace ffind;
using namespace ffind::query;

/// alice is 1000 and in the group staff, 20.
class FakeAccounts final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string&) const override { return std::nullopt; }
  std::optional<std::uint32_t> group_id(const std::string&) const override { return std::nullopt; }
  std::optional<std::string> user_name(std::uint32_t id) const override {
    if (silent) return std::string();
    if (id != 1000) return std::nullopt;
    return "alice";
  }
  std::optional<std::string> group_name(std::uint32_t id) const override {
    if (id != 20) return std::nullopt;
    return "staff";
  }

  bool silent = false;
};

Entry entry_with(Needs present, FileType type = FileType::file) {
  Entry entry;
  entry.name = "x";
  entry.type = type;
  entry.present = present | needs::type;
  return entry;
}

Entry owned_by(std::uint32_t uid, std::uint32_t gid) {
  Entry entry = entry_with(needs::owner);
  entry.metadata.uid = uid;
  entry.metadata.gid = gid;
  return entry;
}

bool holds(const TestPointer& test, Entry entry) {
  return test->holds(entry);
}

}  // namespace

TEST_CASE("owners are spelt as they were typed, in quotes where they could be misread") {
  CHECK(account_test(users, {{1000, "alice"}})->text() == "owner = alice");
  CHECK(account_test(users, {{1000, "alice"}, {7, "7"}})->text() == "owner in (alice, 7)");
  CHECK(account_test(users, {{1, "or"}})->text() == "owner = \"or\"");
  CHECK(account_test(groups, {{1, "DOMAIN\\domain users"}})->text() ==
        "group = \"DOMAIN\\\\domain users\"");
}

TEST_CASE("what belongs to a number that no account has is orphaned") {
  const FakeAccounts accounts;
  const TestPointer owner = orphan_test(users, accounts);
  CHECK_FALSE(holds(owner, owned_by(1000, 4711)));
  CHECK(holds(owner, owned_by(4711, 20)));
  CHECK(holds(owner, owned_by(0, 20)));
  CHECK(holds(owner, owned_by(4'294'967'295U, 20)));
  CHECK(owner->text() == "orphaned_owner");
  const TestPointer group = orphan_test(groups, accounts);
  CHECK_FALSE(holds(group, owned_by(4711, 20)));
  CHECK(holds(group, owned_by(1000, 4711)));
  CHECK(group->text() == "orphaned_group");
}

TEST_CASE("nothing is orphaned while nobody can say, and it is asked again") {
  FakeAccounts accounts;
  const TestPointer test = orphan_test(users, accounts);
  accounts.silent = true;
  CHECK_FALSE(holds(test, owned_by(4711, 0)));
  accounts.silent = false;
  CHECK(holds(test, owned_by(4711, 0)));
}

TEST_CASE("where nobody can say who has an account, neither orphaned nor its negation holds") {
  /// Counts what it is told.
  class Told final : public EntryLoader {
   public:
    int times = 0;
    void load(Entry&, Needs) override {}
    void report_unknown(Entry&, Unknown) override { ++times; }
  };
  FakeAccounts accounts;
  accounts.silent = true;  // of users; groups answer
  const Expression orphan = Expression::of(orphan_test(users, accounts));
  const Expression no_group = Expression::of(orphan_test(groups, accounts));
  Told told;
  const auto emits = [&](Expression where) {
    Entry entry = owned_by(4711, 20);
    entry.loader = &told;
    Query query;
    query.where = std::move(where);
    return Matcher(query).emits(entry);
  };
  CHECK_FALSE(emits(orphan));
  CHECK_FALSE(emits(Expression::negation(orphan)));
  CHECK(told.times == 2);
  // What could be looked up is certain, before and behind what could not.
  CHECK(emits(Expression::negation(Expression::all({orphan, no_group}))));
  CHECK(emits(Expression::negation(Expression::all({no_group, orphan}))));
  accounts.silent = false;
  CHECK(emits(orphan));
  CHECK_FALSE(emits(Expression::negation(orphan)));
  CHECK((orphan.test->needs() & needs::accounts) != 0);
}

TEST_CASE("permissions are held against the mode of anything") {
  const TestPointer test = permissions_test({0200, 0222, false});  // u+w,go-w
  Entry entry = entry_with(needs::mode, FileType::directory);
  entry.metadata.mode = 040755;
  CHECK(holds(test, entry));
  entry.metadata.mode = 040775;
  CHECK_FALSE(holds(test, entry));
  CHECK(test->text() == "perm = \"u+w,g-w,o-w\"");
  CHECK(permissions_test({0644, 07777, false})->text() == "perm = 644");
  CHECK(permissions_test({0111, 0111, true})->text() == "perm = \"/111\"");
}

TEST_CASE("a flag that the volume does not report is unknown, and that is said") {
  struct Loader final : EntryLoader {
    int times = 0;
    void load(Entry& entry, Needs wanted) override { entry.failed |= wanted; }
    void report_unknown(Entry&, Unknown) override { ++times; }
  } loader;
  const TestPointer test = flags_test(file_flags::uchg | file_flags::schg, {"immutable"});
  CHECK(test->text() == "flags = immutable");
  Entry entry = entry_with(needs::flags);
  entry.loader = &loader;
  entry.metadata.known_flags = file_flags::schg;
  CHECK_FALSE(test->holds(entry));
  CHECK(test->is_unknown(entry));
  CHECK(loader.times == 1);
  entry.metadata.flags = file_flags::schg;
  CHECK(test->holds(entry));
  entry.metadata.flags = file_flags::nodump;
  entry.metadata.known_flags = file_flags::of_macos;
  CHECK_FALSE(test->holds(entry));
  CHECK_FALSE(test->is_unknown(entry));
  CHECK(loader.times == 1);

  const TestPointer none = flags_test(0, {"none"});
  CHECK(none->text() == "flags = none");
  CHECK_FALSE(none->holds(entry));
  CHECK_FALSE(none->is_unknown(entry));
  entry.metadata.flags = 0;
  CHECK(none->holds(entry));
  entry.metadata.known_flags = file_flags::compressed;
  CHECK_FALSE(none->holds(entry));
  CHECK(none->is_unknown(entry));
}

TEST_CASE("what is not known of an entry holds for no test") {
  const FakeAccounts accounts;
  const std::vector<TestPointer> tests = {account_test(users, {{0, "root"}}),
                                          account_test(groups, {{0, "root"}}),
                                          orphan_test(users, accounts),
                                          orphan_test(groups, accounts),
                                          permissions_test({0, 0, false}),
                                          flag_test("executable"),
                                          flag_test("locked"),
                                          range_test(links_row, {}),
                                          flags_test(file_flags::uchg, {"uchg"}),
                                          flags_test(0, {"none"}),
                                          flag_test("acl"),
                                          hidden_test(true),
                                          range_test(inode_row, {}),
                                          same_file_test(0, 0, "/"),
                                          range_test(added_row, {}),
                                          range_test(created_row, {}),
                                          range_test(last_opened_row, {})};
  for (const TestPointer& test : tests) {
    CAPTURE(test->text());
    Entry entry = entry_with(needs::none);
    entry.metadata.mode = 0777;
    entry.metadata.flags = file_flags::uchg;
    CHECK_FALSE(test->holds(entry));
    CHECK((test->needs() & ~needs::type) != 0);
  }
}

}  // namespace ownership_test
