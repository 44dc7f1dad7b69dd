// SPDX-License-Identifier: MIT
// The table of the volume probe, row by row, and what happens to what is asked for by force.
#include "plan/policy.h"

#include <limits>
#include <string>

#include "catch.h"
#include "ffind/issue.h"
#include "os/linux_mounts.h"
#include "unit/plan/mount_tables.h"

namespace ffind {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using testing::linux_machine;

Volume volume_of_type(const std::string& type) {
  Volume volume;
  volume.id = 1;
  volume.mount_point = "/srv";
  volume.file_system = type;
  volume.kind = os::kind_of_file_system(type);
  return volume;
}

constexpr std::int64_t ext_mark = std::numeric_limits<std::int64_t>::max();

TEST_CASE("policy: volume by volume") {
  struct Row {
    const char* type;
    unsigned processors;
    Reader reader;
    unsigned threads;
    bool enter;
    std::int64_t end_mark;
  };
  const Row row = GENERATE(values<Row>({
      {"ext2", 8, Reader::getdents, 8, true, ext_mark},
      {"ext3", 8, Reader::getdents, 8, true, ext_mark},
      {"ext4", 1, Reader::getdents, 1, true, ext_mark},
      {"ext4", 16, Reader::getdents, 16, true, ext_mark},
      {"ext4", 128, Reader::getdents, 16, true, ext_mark},
      {"xfs", 8, Reader::getdents, 8, true, 0},
      {"btrfs", 8, Reader::getdents, 8, true, 0},
      {"f2fs", 8, Reader::getdents, 8, true, 0},
      {"tmpfs", 8, Reader::getdents, 8, true, 0},
      {"overlay", 8, Reader::getdents, 8, true, 0},
      {"fuseblk", 8, Reader::getdents, 8, true, 0},
      {"made tomorrow", 8, Reader::getdents, 8, true, 0},
      {"nfs4", 2, Reader::getdents, 64, true, 0},
      {"fuse.sshfs", 128, Reader::getdents, 64, true, 0},
      {"proc", 8, Reader::getdents, 2, true, 0},
      {"sysfs", 1, Reader::getdents, 1, true, 0},
      {"autofs", 8, Reader::getdents, 1, false, 0},
      {"", 8, Reader::readdir, 8, true, 0},  // in no mount table
      {"ext4", 0, Reader::getdents, 1, true, ext_mark},
  }));
  CAPTURE(row.type, row.processors);
  Machine machine = linux_machine();
  machine.processors = row.processors;
  const Choice choice = choose(volume_of_type(row.type), {}, machine);
  CHECK(choice.method == Method::walk);
  CHECK(choice.reader == row.reader);
  CHECK(choice.threads == row.threads);
  CHECK(choice.enter == row.enter);
  CHECK(choice.end_mark == row.end_mark);
  CHECK_FALSE(choice.method_reason.empty());
  CHECK_FALSE(choice.reader_reason.empty());
  CHECK_FALSE(choice.threads_reason.empty());
}

TEST_CASE("policy: without the reader of the table, the portable one") {
  const Machine machine{.processors = 4, .readers = {Reader::readdir}};
  const Choice choice = choose(volume_of_type("ext4"), {}, machine);
  CHECK(choice.reader == Reader::readdir);
  CHECK(choice.end_mark == 0);
  CHECK_THAT(choice.reader_reason, ContainsSubstring("no getdents"));
}

TEST_CASE("policy: what is asked for goes before the table") {
  Scope scope;
  scope.threads = 3;
  scope.reader = Reader::fts;
  scope.method = Method::walk;
  const Choice choice = choose(volume_of_type("ext4"), scope, linux_machine());
  CHECK(choice.threads == 3);
  CHECK(choice.threads_reason == "asked for");
  CHECK(choice.reader == Reader::fts);
  CHECK(choice.reader_reason == "asked for");
  CHECK(choice.end_mark == 0);  // fts sees no d_off
  CHECK(choice.method_reason == "asked for");

  scope.threads = 200;
  CHECK(choose(volume_of_type("proc"), scope, linux_machine()).threads == 200);
}

TEST_CASE("policy: what cannot be had is refused with the reason") {
  Scope bulk;
  bulk.reader = Reader::bulk;
  CHECK_THROWS_MATCHES(
      choose(volume_of_type("ext4"), bulk, linux_machine()), UsageError,
      MessageMatches(ContainsSubstring("--reader bulk") && ContainsSubstring("getattrlistbulk") &&
                     ContainsSubstring("getdents, readdir, fts")));
  Scope fts;
  fts.reader = Reader::fts;
  CHECK_THROWS_MATCHES(
      choose(volume_of_type("ext4"), fts, Machine{.processors = 1, .readers = {Reader::readdir}}),
      UsageError, MessageMatches(ContainsSubstring("--reader fts")));
  Scope catalog;
  catalog.method = Method::catalog;
  CHECK_THROWS_MATCHES(
      choose(volume_of_type("ext4"), catalog, linux_machine()), UsageError,
      MessageMatches(ContainsSubstring("--method catalog") && ContainsSubstring("/srv") &&
                     ContainsSubstring("ext4") && ContainsSubstring("--method walk")));
}

}  // namespace
}  // namespace ffind
