// SPDX-License-Identifier: MIT
// What --explain and --volumes show: the rows that become JSON, and the text for people.
#include "plan/explain.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "catch.h"
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

TEST_CASE("explain: the text has every choice with its reason") {
  Query query;
  query.scope.threads = 3;
  query.scope.skip_hidden = true;
  query.scope.skip_packages = true;
  const Plan plan = planned(query, {directory("", "/srv"), directory("/srv/x")});
  const std::string text = plan_text({query, query.where, plan});
  CHECK_THAT(text, ContainsSubstring("find   everything\n"));
  CHECK_THAT(text, ContainsSubstring(
                       "scope  one volume per root; no hidden entries; packages not entered\n"));
  CHECK_THAT(text, ContainsSubstring("\nvolume /\n"));
  CHECK_THAT(text, ContainsSubstring("  file system  xfs on /dev/sda2, device 8:2, local\n"));
  CHECK_THAT(text, ContainsSubstring("  method       walk: no catalog reader for xfs\n"));
  CHECK_THAT(text, ContainsSubstring("  reader       getdents: directories straight"));
  CHECK_THAT(text, ContainsSubstring("  threads      3: requested\n"));
  CHECK_THAT(text, ContainsSubstring("  root         . (/srv)\n"));
  CHECK_THAT(text, ContainsSubstring(
                       "    /srv/models  a network volume: --cross-volumes with --network enters"));
  CHECK_THAT(text, ContainsSubstring("not searched: /srv/x: is within ., which is searched\n"));
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

TEST_CASE(
    "explain: the files of options and the output come after the query, in rows and in text") {
  const Query query;
  const Plan plan = planned(query, {directory("/srv")});
  const Explanation explained{query,
                              query.where,
                              plan,
                              {"/etc/f", "@saved"},
                              {.sorted_by = {"size"},
                               .limit = 3,
                               .commands = OutputSteps::Commands::remove,
                               .dry_run = true}};
  const auto rows = plan_rows(explained);
  REQUIRE(rows.size() > 3);
  CHECK(text_of(rows[1], "record") == "options");
  CHECK(text_of(rows[2], "record") == "output");
  CHECK(text_of(rows[2], "commands") == "delete");
  CHECK(std::get<bool>(*find(rows[2], "dry_run")));
  CHECK(find(rows[2], "tree") == nullptr);
  CHECK_THAT(plan_text(explained),
             ContainsSubstring("with   options of /etc/f, @saved\n"
                               "then   sorted by size, once all are found; the first 3; "
                               "delete the matches, dry run\n"));
}

TEST_CASE("volumes: what a path leads to, with what would be chosen") {
  const auto rows = volume_rows(list_volumes(mounts_of("ubuntu_laptop"), linux_machine()));
  // 24 lines, one of them under another.
  REQUIRE(rows.size() == 23);
  CHECK(text_of(rows[0], "mount_point") == "/");
  CHECK(text_of(rows[0], "source") == "/dev/nvme0n1p2");
  CHECK(text_of(rows[0], "kind") == "local");
  CHECK_FALSE(std::get<bool>(*find(rows[0], "read_only")));
  CHECK(std::get<std::uint64_t>(*find(rows[0], "id")) == 31);
  CHECK(text_of(rows[1], "mount_point") == "/boot/efi");
  for (const ExplainedRow& row : rows) {
    CHECK(text_of(row, "file_system") != "autofs");
    CHECK_FALSE(text_of(row, "threads_reason").empty());
  }
}

TEST_CASE("volumes: the text is a table that no name can break") {
  const std::string text = volumes_text(list_volumes(mounts_of("escapes"), linux_machine()));
  std::vector<std::string> lines(1);
  for (const char byte : text) {
    if (byte == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += byte;
    }
  }
  REQUIRE(lines.size() == 11);  // a heading, nine volumes, nothing behind the last newline
  CHECK(lines.back().empty());
  const std::size_t column = lines[0].find("FILE SYSTEM");
  REQUIRE(column != std::string::npos);
  CHECK(lines[1].substr(column, 4) == "ext4");
  CHECK(lines[2].substr(column, 5) == "tmpfs");
  CHECK_THAT(text, ContainsSubstring("/mnt/tab\\tnew\\nline\\\\"));
  for (const std::string& line : lines) CHECK((line.empty() || line.back() != ' '));
}

TEST_CASE("explain: why a volume's catalog is read, or not, and what people are told of it") {
  struct Row {
    CatalogSupport support;
    const char* note;
    const char* method;
    const char* in_the_list;
  };
  const Row row = GENERATE(values<Row>({
      {CatalogSupport::none, "", "walk: no catalog reader for ext4", "ext4"},
      {CatalogSupport::none, "its device is shut", "walk: its device is shut",
       "catalog not readable"},
      {CatalogSupport::claimed, "folders are shut", "walk: folders are shut", "catalog on request"},
      {CatalogSupport::proven, "", "catalog: directories and inodes are read from the device",
       "catalog proven"},
  }));
  CAPTURE(to_text(row.support), row.note);
  MountTable table = os::parse_mountinfo("1 0 8:1 / / rw - ext4 /dev/sda1 rw");
  table[0].catalog = row.support;
  table[0].catalog_note = row.note;
  const Query query;
  const Plan plan = make_plan(query, {}, table, {directory("/")}, linux_machine());
  const auto rows = plan_rows({query, query.where, plan});
  CHECK_THAT(plan_text({query, query.where, plan}),
             ContainsSubstring("  method       " + std::string(row.method)));
  CHECK((find(rows[1], "catalog_note") != nullptr) == (row.note != std::string()));
  CHECK_THAT(volumes_text(list_volumes(table, linux_machine())),
             ContainsSubstring(row.in_the_list));
}

}  // namespace
}  // namespace ffind::plan::explain_test
