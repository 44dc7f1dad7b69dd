// SPDX-License-Identifier: MIT
// Random expressions over entries of which some things cannot be known. Held against the answers
// that each test gives by itself, put together by the rules of three-valued logic.
#include <algorithm>
#include <vector>

#include "catch.h"
#include "ffind/query.h"
#include "query/predicates/predicates.h"
#include "random.h"

namespace matcher_random_test {

using namespace ffind;
using namespace ffind::query;

namespace {

/// What is true of a file, and which calls about it fail.
struct Truth {
  FileType type = FileType::file;
  bool type_known = true;  ///< its directory told the type
  bool stat_fails = false;
  bool look_fails = false;  ///< the directory cannot be read
  bool empty = false;
  Needs not_kept = needs::none;  ///< what its file system does not have
  Metadata metadata{};
};

/// As the searcher loads: one stat that fails settles all that a stat could have told.
class TruthLoader final : public EntryLoader {
 public:
  explicit TruthLoader(const Truth& truth) : truth_(truth) {}

  void load(Entry& entry, Needs wanted) override {
    if ((wanted & needs::metadata) != 0) stat(entry, wanted & needs::metadata);
    if ((wanted & needs::empty) != 0) look(entry);
  }

 private:
  void stat(Entry& entry, Needs wanted) {
    if (truth_.stat_fails) {
      entry.failed |= needs::metadata & ~entry.present;
      return;
    }
    entry.type = truth_.type;
    entry.metadata = truth_.metadata;
    entry.present |= wanted & ~truth_.not_kept;
    entry.failed |= wanted & truth_.not_kept;
  }

  void look(Entry& entry) {
    const bool known =
        entry.type == FileType::file ? entry.require(needs::size) : !truth_.look_fails;
    entry.empty = entry.type == FileType::file ? truth_.metadata.size == 0 : known && truth_.empty;
    (known ? entry.present : entry.failed) |= needs::empty;
  }

  const Truth& truth_;
};

/// Only who is 7 has an account.
class SevenAlone final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string&) const override { return {}; }
  std::optional<std::uint32_t> group_id(const std::string&) const override { return {}; }
  std::optional<std::string> user_name(std::uint32_t id) const override { return name(id); }
  std::optional<std::string> group_name(std::uint32_t id) const override { return name(id); }

 private:
  static std::optional<std::string> name(std::uint32_t id) {
    return id == 7 ? std::optional<std::string>("seven") : std::nullopt;
  }
};

std::vector<TestPointer> all_tests(const Accounts& accounts) {
  PatternSpec txt;
  txt.kind = PatternKind::glob;
  txt.text = "*.txt";
  text::Permissions writable;
  writable.bits = writable.counted = 0200;
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return {pattern_test(Subject::name, txt),
          extension_test({"txt", "c"}, false),
          extension_test({"md"}, false),
          kind_test(bit_of(Kind::text)),
          kind_test(bit_of(Kind::folder) | bit_of(Kind::archive)),
          type_test({FileType::directory}),
          type_test({FileType::file, FileType::symlink}),
          range_test(size_row, {0, 10}),
          range_test(size_row, {5, most}),
          range_test(modified_row, {{0}, {100}}),
          range_test(created_row, {{0}, {100}}),
          range_test(depth_row, {2, 3}),
          flag_test("empty"),
          flag_test("executable"),
          permissions_test(writable),
          range_test(links_row, {2, most}),
          range_test(inode_row, {1, 50}),
          orphan_test(users, accounts),
          orphan_test(groups, accounts)};
}

Truth random_truth(Random& random) {
  constexpr FileType types[] = {FileType::file, FileType::directory, FileType::symlink};
  Truth truth;
  truth.type = types[random() % 3];
  truth.type_known = random() % 4 != 0;
  truth.stat_fails = random() % 2 == 0;
  truth.look_fails = random() % 3 == 0;
  truth.empty = random() % 2 == 0;
  if (random() % 3 == 0) truth.not_kept = needs::created;
  truth.metadata.size = random() % 3 * 7;
  truth.metadata.modified = {static_cast<std::int64_t>(random() % 200)};
  truth.metadata.created = {static_cast<std::int64_t>(random() % 200)};
  truth.metadata.mode = random() % 2 == 0 ? 0755 : 0444;
  truth.metadata.links = 1 + random() % 2;
  truth.metadata.inode = random() % 100;
  truth.metadata.uid = random() % 2 * 7;
  truth.metadata.gid = random() % 2 * 7;
  return truth;
}

Expression random_expression(Random& random, const std::vector<TestPointer>& tests, int depth) {
  const auto choice = random() % 8;
  if (depth == 0 || choice < 2) return Expression::of(tests[random() % tests.size()]);
  if (choice < 4) return Expression::negation(random_expression(random, tests, depth - 1));
  std::vector<Expression> operands;
  const auto count = random() % 4;  // constants too
  for (std::uint32_t i = 0; i < count; ++i) {
    operands.push_back(random_expression(random, tests, depth - 1));
  }
  return choice < 6 ? Expression::all(std::move(operands)) : Expression::any(std::move(operands));
}

bool emits(const Expression& where, const Truth& truth, const std::string& name) {
  TruthLoader loader(truth);
  Entry entry;
  entry.name = name;
  entry.depth = 2;
  if (truth.type_known) {
    entry.type = truth.type;
    entry.present = needs::type;
  }
  entry.loader = &loader;
  Query query;
  query.where = where;
  return Matcher(query).emits(entry);
}

/// 1 yes, 0 unknown, -1 no: in the order in which the expression is written, each test asked of an
/// entry that nobody else has asked.
int answer(const Expression& expression, const Truth& truth, const std::string& name) {
  switch (expression.op) {
    case Expression::Op::test:
      if (emits(expression, truth, name)) return 1;
      return emits(Expression::negation(expression), truth, name) ? -1 : 0;
    case Expression::Op::negation:
      return -answer(expression.operands.front(), truth, name);
    default: {
      const bool all = expression.op == Expression::Op::all;
      int together = all ? 1 : -1;
      for (const Expression& operand : expression.operands) {
        const int next = answer(operand, truth, name);
        together = all ? std::min(together, next) : std::max(together, next);
      }
      return together;
    }
  }
}

void shuffle(Expression& expression, Random& random) {
  for (std::size_t i = expression.operands.size(); i > 1; --i) {
    std::swap(expression.operands[i - 1], expression.operands[random() % i]);
  }
  for (Expression& operand : expression.operands) shuffle(operand, random);
}

}  // namespace

TEST_CASE("what cannot be known of an entry spoils no answer that does not depend on it") {
  const SevenAlone accounts;
  const std::vector<TestPointer> tests = all_tests(accounts);
  constexpr const char* names[] = {"a.txt", "a.c", "a.md", "a.zip", "a"};
  Random random(20);
  int emitted = 0;
  int unknown = 0;
  for (int round = 0; round < 6000; ++round) {
    const Truth truth = random_truth(random);
    const std::string name = names[random() % 5];
    Expression where = random_expression(random, tests, 4);
    const int expected = answer(where, truth, name);
    const bool result = emits(where, truth, name);
    INFO("round " << round << ": " << to_text(where));
    REQUIRE(result == (expected == 1));
    REQUIRE(emits(Expression::negation(where), truth, name) == (expected == -1));
    emitted += result ? 1 : 0;
    unknown += expected == 0 ? 1 : 0;

    // One more alternative loses nothing, whatever is asked first.
    const Expression other = random_expression(random, tests, 2);
    if (result) REQUIRE(emits(Expression::any({other, where}), truth, name));
    shuffle(where, random);
    REQUIRE(emits(where, truth, name) == result);
  }
  CHECK(emitted > 1000);  // else the rounds have shown little
  CHECK(unknown > 500);
}

}  // namespace matcher_random_test
