// SPDX-License-Identifier: MIT
// What of a record that XFS_IOC_BULKSTAT returned is believed to be what a stat returns.
#include "os/devices/xfs/records.h"

#include "catch.h"
#include "unit/os/devices/xfs/calls.h"

namespace ffind::os::xfs::records_test {
namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Needs always = needs::type | needs::mode | needs::links | needs::identity |
                         needs::modified | needs::changed | needs::accessed | needs::flags;

TEST_CASE("xfs records: each number has its place") {
  BulkStat from = settled_file(99, 10000);
  from.mode = 0104755;
  from.uid = 1;
  from.gid = 2;
  from.nlink = 3;
  from.atime = -4;
  from.atime_nsec = 40;
  from.mtime = 5;
  from.mtime_nsec = 50;
  from.ctime = 6;
  from.ctime_nsec = 60;
  from.btime = 7;
  from.btime_nsec = 70;
  from.xflags = 0x18;
  const Record record(from, trust());
  CHECK(record.certain() == (always | needs::size | needs::owner | needs::created));
  CHECK(record.type() == FileType::file);
  Metadata metadata{};
  record.fill(metadata);
  CHECK(metadata.size == 10000);
  CHECK(metadata.allocated == 3 * 4096);
  CHECK(metadata.mode == 0104755);
  CHECK(metadata.uid == 1);
  CHECK(metadata.gid == 2);
  CHECK(metadata.links == 3);
  CHECK(metadata.accessed == -4 * second + 40);
  CHECK(metadata.modified == 5 * second + 50);
  CHECK(metadata.changed == 6 * second + 60);
  CHECK(metadata.created == 7 * second + 70);
  CHECK(metadata.flags == (file_flags::immutable | file_flags::append_only));
}

TEST_CASE("xfs records: of an inode that is free, or changed lately, nothing is certain") {
  CHECK(Record().certain() == needs::none);
  BulkStat from = settled_file(1, 1);
  from.ctime = 2000;
  CHECK(Record(from, trust()).certain() == needs::none);
  from.ctime = 1999;
  CHECK(Record(from, trust()).certain() != needs::none);
}

TEST_CASE("xfs records: a size is that on the volume, which is behind until a file is written") {
  const auto has_size = [](const BulkStat& from) {
    return (Record(from, trust()).certain() & needs::size) != 0;
  };
  BulkStat from = settled_file(1, 5000);
  CHECK(has_size(from));
  from.blocks = 1;  // a hole
  CHECK(has_size(from));
  from.blocks = 3;  // one is reserved for what is not written
  CHECK_FALSE(has_size(from));
  from.blocks = 2;
  from.ctime = 1500;
  CHECK_FALSE(has_size(from));
  CHECK((Record(from, trust()).certain() & needs::modified) != 0);
  from.ctime = 1499;
  CHECK(has_size(from));
  from.blksize = 0;
  CHECK_FALSE(has_size(from));

  BulkStat nothing = settled_file(1, 0);
  CHECK(has_size(nothing));
  nothing.blocks = 16;
  CHECK_FALSE(has_size(nothing));
}

TEST_CASE("xfs records: of other files the size never lags, but blocks may not be counted") {
  const auto has_size = [](const BulkStat& from) {
    return (Record(from, trust()).certain() & needs::size) != 0;
  };
  BulkStat link = settled_file(1, 20);
  link.mode = 0120777;
  link.blocks = 0;
  link.ctime = 1999;
  CHECK(has_size(link));
  link.aextents = 1;
  CHECK_FALSE(has_size(link));
  BulkStat directory = settled_file(2, 4096);
  directory.mode = 0040755;
  directory.blocks = 7;
  directory.aextents = 1;
  CHECK(has_size(directory));
}

TEST_CASE("xfs records: what a volume does not keep, or shows otherwise, is not certain") {
  BulkStat from = settled_file(1, 1);
  from.btime = 0;
  CHECK(Record(from, trust()).certain() == (always | needs::size | needs::owner));
  Trust other = trust();
  other.owners_differ = true;
  CHECK(Record(from, other).certain() == (always | needs::size));
}

}  // namespace
}  // namespace ffind::os::xfs::records_test
