// SPDX-License-Identifier: MIT
// What --explain and --volumes show: the rows that become JSON, and the text for people.
#include "plan/explain.h"

#include <algorithm>
#include <string>
#include <utility>
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
  CHECK_THAT(
      text, ContainsSubstring("  method       walk, because there is no catalog reader for xfs\n"));
  CHECK_THAT(text, ContainsSubstring("  reader       getdents: directories straight"));
  CHECK_THAT(text, ContainsSubstring("  threads      3, as requested\n"));
  CHECK_THAT(text, ContainsSubstring("  root         . (/srv)\n"));
  CHECK_THAT(text, ContainsSubstring(
                       "    /srv/models  a network volume: --cross-volumes with --network enters"));
  CHECK_THAT(text, ContainsSubstring("not searched: /srv/x: is within ., which is searched\n"));
}

TEST_CASE("explain: the summary says in a few lines what will happen") {
  Query query;
  query.scope.max_depth = 6;
  const Plan plan = planned(query, {directory("/")});
  CHECK(plan_summary({query, query.where, plan, {}, {.printed = "paths", .sorted_by = {"size"}}}) ==
        "find     everything\n"
        "scope    to depth 6\n"
        "in       /, on / (xfs)\n"
        "not in   the volumes mounted below: /net/archive, /srv/models\n"
        "how      walk, because there is no catalog reader for xfs\n"
        "threads  8, one per processor (up to 64 on a slow disk)\n"
        "print    paths; sorted by size, once all are found\n");
  const Plan several =
      planned(query, {directory("/srv/a"), directory("/srv/b"), directory("/srv/c"),
                      directory("/srv/d"), directory("/srv/e")});
  CHECK_THAT(plan_summary({query, query.where, several}),
             ContainsSubstring("in       /srv/a, /srv/b, /srv/c, 2 more, on / (xfs)\n"));
  CHECK_THAT(plan_summary({query, query.where, several}, 40),
             ContainsSubstring("in       /srv/a, /srv/b, /srv/c, 2 more,\n"
                               "         on / (xfs)\n"
                               "how      walk, because there is no\n"
                               "         catalog reader for xfs\n"));
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

std::vector<ListedVolume> all_volumes(const MountTable& table) {
  return list_volumes(table, volumes_to_list(table, true, {}), linux_machine());
}

std::vector<std::string> listed(const MountTable& table, const std::string& home) {
  std::vector<std::string> mount_points;
  for (const std::size_t i : volumes_to_list(table, false, home)) {
    mount_points.push_back(table[i].mount_point);
  }
  return mount_points;
}

TEST_CASE("volumes: what people look for comes first, what the kernel makes up is left out") {
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 0:5 / /sys rw - sysfs sysfs rw\n"
      "3 2 0:6 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
      "4 1 0:7 / /dev rw - devtmpfs dev rw\n"
      "5 4 0:8 / /dev/shm rw - tmpfs tmpfs rw\n"
      "6 1 0:9 / /a-server rw - nfs4 server:/export rw\n"
      "7 1 8:2 / /boot rw - vfat /dev/sda2 rw\n"
      "8 1 8:3 / /home rw - xfs /dev/sda3 rw\n"
      "9 1 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro\n"
      "10 1 8:1 /srv /srv/bind rw - ext4 /dev/sda1 rw\n");
  CHECK(listed(table, "/home/me") ==
        std::vector<std::string>{"/", "/home", "/boot", "/a-server", "/dev/shm", "/snap/core/1"});
  CHECK(listed(table, "/root") ==
        std::vector<std::string>{"/", "/boot", "/home", "/a-server", "/dev/shm", "/snap/core/1"});
  const auto all = all_volumes(table);
  REQUIRE(all.size() == 10);
  CHECK(all.back().volume.mount_point == "/sys");
  const Mounts mounts(table);
  for (const ListedVolume& volume : all) {
    CHECK(may_block(mounts, volume.volume) == (volume.volume.mount_point == "/a-server"));
  }
}

TEST_CASE("volumes: a table that fits a terminal cuts the beginnings of mount points") {
  const MountTable table = os::parse_mountinfo(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 8:2 / /mnt/a-very-long-name/disk rw - xfs b rw\n");
  std::vector<ListedVolume> volumes = list_volumes(table, {0, 1}, linux_machine());
  volumes[1].space = VolumeSpace{.size = 1234567, .used = 1000000, .free = 200000};
  CHECK(volumes_text(volumes, {}) ==
        "/                           ext4        -       -  walk\n"
        "/mnt/a-very-long-name/disk  xfs   1234567  200000  walk\n");
  CHECK(volumes_text(volumes, {.heading = true, .human_sizes = true, .columns = 46}) ==
        "MOUNT POINT             TYPE  SIZE  FREE  HOW\n"
        "/                       ext4     -     -  walk\n"
        "...very-long-name/disk  xfs   1.2M  200k  walk\n");
  CHECK(volume_rows(volumes)[1].size() == volume_rows(volumes)[0].size() + 3);
}

TEST_CASE("volumes: what a path leads to, with what would be chosen") {
  const auto rows = volume_rows(all_volumes(mounts_of("ubuntu_laptop")));
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
  const std::string text =
      volumes_text(all_volumes(mounts_of("escapes")), {.all = true, .heading = true});
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
  const std::size_t column = lines[0].find("TYPE");
  REQUIRE(column != std::string::npos);
  CHECK(lines[1].substr(column, 4) == "ext4");
  const auto odd = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("/mnt/tab");
  });
  REQUIRE(odd != lines.end());
  CHECK(odd->at(column - 1) == ' ');
  CHECK(odd->at(column) != ' ');
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
      {CatalogSupport::none, "", "walk, because there is no catalog reader for ext4", "ext4"},
      {CatalogSupport::none, "its device is shut", "walk, because its device is shut",
       "catalog not readable"},
      {CatalogSupport::claimed, "folders are shut", "walk, because folders are shut",
       "catalog on request"},
      {CatalogSupport::proven, "",
       "catalog, because directories and inodes can be read straight from the device",
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
  CHECK_THAT(volumes_text(all_volumes(table), {.all = true}), ContainsSubstring(row.in_the_list));
}

}  // namespace
}  // namespace ffind::plan::explain_test
