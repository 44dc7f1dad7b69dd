// SPDX-License-Identifier: MIT
// The rows of --explain, and where a root and its parts are.
#include "plan/explain.h"

#include <string>
#include <variant>
#include <vector>

#include "catch.h"
#include "plan/mounts.h"
#include "unit/plan/mount_tables.h"

namespace ffind::plan::explain_test {
namespace {

using Catch::Matchers::ContainsSubstring;
using testing::directory;
using testing::linux_machine;
using testing::mounts_of;

const ExplainedValue* find(const ExplainedRow& row, const std::string& key) {
  for (const ExplainedField& field : row) {
    if (field.key == key) return &field.value;
  }
  return nullptr;
}

std::string text_of(const ExplainedRow& row, const std::string& key) {
  const ExplainedValue* const value = find(row, key);
  return value != nullptr && std::holds_alternative<std::string>(*value)
             ? std::get<std::string>(*value)
             : "no text " + key;
}

Plan planned(const Query& query, const std::vector<Location>& locations) {
  return make_plan(query, {}, mounts_of("nfs_homes"), locations, linux_machine());
}

TEST_CASE("explain: a row for the query, each volume, root and boundary") {
  Query query;
  query.scope.max_depth = 5;
  Location missing = directory("gone", "/gone");
  missing.error = 2;
  const Plan plan = planned(query, {directory("/"), directory(".", "/"), missing});
  const auto rows = plan_rows({query, query.where, plan});
  std::vector<std::string> records;
  for (const ExplainedRow& row : rows) {
    REQUIRE(row.front().key == "record");
    records.push_back(text_of(row, "record"));
  }
  CHECK(records == std::vector<std::string>{"query", "volume", "root", "boundary", "boundary",
                                            "boundary", "boundary", "dropped", "missing"});
  CHECK(text_of(rows[0], "where") == "everything");
  REQUIRE(find(rows[0], "max_depth") != nullptr);
  CHECK(std::get<std::uint64_t>(*find(rows[0], "max_depth")) == 5);
  CHECK(find(rows[0], "min_depth") == nullptr);
  CHECK(text_of(rows[1], "mount_point") == "/");
  CHECK(text_of(rows[1], "file_system") == "xfs");
  CHECK(text_of(rows[1], "device") == "8:2");
  CHECK(text_of(rows[1], "method") == "walk");
  CHECK(text_of(rows[1], "reader") == "getdents");
  CHECK(std::get<std::uint64_t>(*find(rows[1], "threads")) == 8);
  CHECK(std::get<std::uint64_t>(*find(rows[1], "most_threads")) == 64);
  CHECK(text_of(rows[2], "path") == "/");
  CHECK(text_of(rows[3], "path") == "/home");
  CHECK(std::get<bool>(*find(rows[4], "left_out")));
}

TEST_CASE("explain: the root behind a link and a part searched elsewhere are shown") {
  Query query;
  query.scope.cross_volumes = true;
  Location location = directory("link", "/");
  location.absolute = "/tmp/link";
  const Plan plan = make_plan(query, {}, mounts_of("btrfs_laptop"), {location}, linux_machine());
  const std::string text = plan_text({query, query.where, plan});
  CHECK_THAT(text, ContainsSubstring("root         link (/tmp/link), really /\n"));
  CHECK_THAT(text, ContainsSubstring("searched elsewhere: /mnt/btrfs/@\n"));
  CHECK_THAT(text, ContainsSubstring("its part /@"));
  CHECK_THAT(text, ContainsSubstring("enters other volumes"));
}

}  // namespace
}  // namespace ffind::plan::explain_test
