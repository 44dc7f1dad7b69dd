// SPDX-License-Identifier: MIT
// Attributes in the layout of getattrlistbulk: what is asked for, each value of a record, records
// in error. Layouts of their own, names and hostile bytes: darwin_records_test.cpp.
#include "os/formats/darwin_attributes.h"
#include "fakes/instants.h"

#include <array>
#include <limits>
#include <tuple>

#include "catch.h"
#include "unit/os/formats/attribute_records.h"

namespace ffind::darwin_attributes_test {
namespace {

using namespace testing;

TEST_CASE("attributes: what is wanted is asked for, and nothing besides name and type") {
  struct Row {
    Needs wanted;
    std::uint32_t common;
    std::uint32_t file;
    std::uint32_t fork = 0;
  };
  const Row row = GENERATE(values<Row>({
      {needs::none, 0, 0},
      {needs::type, 0, 0},
      {needs::mode, 0x20000, 0},
      {needs::owner, 0x18000, 0},
      {needs::links, 0, 0x1},
      {needs::identity, 0x2000002, 0},
      {needs::size, 0, 0x204},
      {needs::modified, 0x400, 0},
      {needs::changed, 0x800, 0},
      {needs::accessed, 0x1000, 0},
      {needs::created, 0x200, 0},
      {needs::added, 0x10000000, 0},
      {needs::flags, 0x40000, 0},
      {needs::bundle, 0x4000, 0},
      {needs::hidden, 0x44000, 0},
      {needs::private_size, 0, 0, 0x8},
      {needs::modified | needs::size, 0x400, 0x204},
      {needs::empty | needs::target | needs::target_mode | needs::capabilities, 0, 0},
      {needs::directory | needs::absolute_path | needs::depth, 0, 0},
  }));
  CAPTURE(row.wanted);
  const AttributeSet set = os::darwin::attributes_for(row.wanted);
  CHECK(set.common == (0x9U | row.common));
  CHECK(set.file == row.file);
  CHECK(set.volume == 0);
  CHECK(set.directory == 0);
  CHECK(set.fork == row.fork);

  const AttributeSet bulk = os::darwin::bulk_attributes_for(row.wanted);
  CHECK(bulk.common == (0xA0000009U | row.common));
  CHECK(bulk.file == row.file);
  CHECK(bulk.volume == 0);
  CHECK(bulk.directory == 0x4);
  CHECK(bulk.fork == row.fork);
}

TEST_CASE("attribute records: every value of a file is read") {
  const Reading reading(full_file().bytes(), full_request());
  REQUIRE(reading.records.size() == 1);
  CHECK_FALSE(reading.malformed);
  const AttributeRecord& record = reading.records[0];
  CHECK(record.name == "a file");
  CHECK(record.name.data()[record.name.size()] == '\0');
  CHECK(record.type == FileType::file);
  CHECK(record.error == 0);
  CHECK(record.file_id == 0x1122334455);
  CHECK(record.parent_id == 0x99);
  CHECK(record.known == needs::metadata);
  CHECK(record.metadata.inode == 0x1122334455);
  CHECK(record.metadata.device == 0x01000004);
  CHECK(record.metadata.created == after_1970(1'000'000'002));
  CHECK(record.metadata.modified == after_1970(3'000'000'004));
  CHECK(record.metadata.changed == after_1970(5'000'000'006));
  CHECK(record.metadata.accessed == after_1970(7'000'000'008));
  CHECK(record.metadata.added == after_1970(9'000'000'010));
  CHECK(record.metadata.flags == file_flags::uchg);
  CHECK(record.metadata.uid == 501);
  CHECK(record.metadata.gid == 20);
  CHECK(record.metadata.mode == 0100644);
  CHECK(record.metadata.links == 3);
  CHECK(record.metadata.allocated == 8192);
  CHECK(record.metadata.private_size == 4096);
  CHECK(record.metadata.size == 4097);
  CHECK_FALSE(record.metadata.hidden);
  // In the Finder's information of a file the bit is another one.
  CHECK(record.bundle_known);
  CHECK_FALSE(record.bundle);
}

TEST_CASE("attribute records: values of a directory are its own") {
  AttributeSet requested = full_request();
  requested.directory = 0x05;
  Record made(returned | 0x00064009, 0x05, 0);
  made.name("d").u32(vdir).finder(0x2000).u32(0755).u32(0x00800000);
  made.u32(7).u32(3);  // links, mount status
  const Reading reading(made.bytes(), requested);
  REQUIRE(reading.records.size() == 1);
  const AttributeRecord& record = reading.records[0];
  CHECK(record.type == FileType::directory);
  CHECK(record.flags == 0x00800000);
  CHECK(record.mount_status == 3);
  CHECK(record.bundle_known);
  CHECK(record.bundle);
  CHECK(record.metadata.mode == 040755);
  // Its links are hard links of directories, not what st_nlink counts.
  CHECK(record.known == (needs::type | needs::mode | needs::flags | needs::hidden));
}

TEST_CASE("attribute records: only what was returned is known") {
  struct Row {
    std::uint32_t common;
    std::uint32_t file;
    std::size_t size;
    Needs known;
  };
  const Row row = GENERATE(values<Row>({
      {0, 0, 0, needs::none},
      {0x2, 0, 4, needs::none},  // a device without a file id
      {0x2000000, 0, 8, needs::none},
      {0x2000002, 0, 12, needs::identity},
      {0x200, 0, 16, needs::created},
      {0x400, 0, 16, needs::modified},
      {0x800, 0, 16, needs::changed},
      {0x1000, 0, 16, needs::accessed},
      {0x40000, 0, 4, needs::flags},
      {0x10000000, 0, 16, needs::added},
      {0x4000, 0, 32, needs::none},  // a bundle or not, and no type
      {0x8000, 0, 4, needs::none},
      {0x10000, 0, 4, needs::none},
      {0x18000, 0, 8, needs::owner},
      {0x20000, 0, 4, needs::none},  // a mode, and no type to complete it
      {0, 0x1, 4, needs::links},
      {0, 0x4, 8, needs::none},
      {0, 0x200, 8, needs::none},
      {0, 0x204, 16, needs::size},
  }));
  CAPTURE(row.common, row.file);
  Record made(returned | 1 | row.common, 0, row.file);
  made.name("n");
  for (std::size_t i = 0; i < row.size; i += 4) made.u32(0);
  const Reading reading(made.bytes());
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].known == row.known);
  CHECK(reading.records[0].name == "n");
  CHECK(reading.records[0].type == FileType::unknown);
  CHECK_FALSE(reading.records[0].bundle_known);
}

TEST_CASE("attribute records: each flag of <sys/stat.h> has its word, and no other bit has one") {
  using os::darwin::flags_of;
  CHECK(flags_of(0) == 0);
  CHECK(flags_of(0x1) == file_flags::nodump);
  CHECK(flags_of(0x2) == file_flags::uchg);
  CHECK(flags_of(0x4) == file_flags::uappnd);
  CHECK(flags_of(0x20) == file_flags::compressed);
  CHECK(flags_of(0x80) == file_flags::datavault);
  CHECK(flags_of(0x8000) == file_flags::hidden);
  CHECK(flags_of(0x20000) == file_flags::schg);
  CHECK(flags_of(0x40000) == file_flags::sappnd);
  CHECK(flags_of(0x80000) == file_flags::restricted);
  CHECK(flags_of(0x40000000) == file_flags::dataless);
  CHECK(flags_of(0x20004) == (file_flags::schg | file_flags::uappnd));
  CHECK(flags_of(0xFFFFFFFF) == file_flags::of_macos);
  CHECK(flags_of(~std::uint32_t{0x409F80EF}) == 0);
}

TEST_CASE("attribute records: the flag or the Finder hides an entry, and both must be known") {
  const auto read = [](std::uint32_t common, std::uint32_t flags, unsigned finder) {
    Record made(returned | 9 | common, 0, 0);
    made.name("n").u32(vreg);
    if ((common & 0x4000) != 0) made.finder(finder);
    if ((common & 0x40000) != 0) made.u32(flags);
    const Reading reading(made.bytes());
    REQUIRE(reading.records.size() == 1);
    const AttributeRecord& record = reading.records[0];
    return (record.known & needs::hidden) == 0 ? -1 : record.metadata.hidden ? 1 : 0;
  };
  CHECK(read(0x44000, 0, 0) == 0);
  CHECK(read(0x44000, 0x8000, 0) == 1);
  CHECK(read(0x44000, 0, 0x4000) == 1);
  CHECK(read(0x44000, 0, 0xBFFF) == 0);
  CHECK(read(0x40000, 0x8000, 0) == 1);  // whatever the Finder says
  CHECK(read(0x40000, 0, 0) == -1);
  CHECK(read(0x4000, 0, 0x4000) == -1);
}

TEST_CASE("attribute records: types of vnodes are told, and what is none is unknown") {
  const auto row = GENERATE(table<std::uint32_t, FileType>({
      {0, FileType::unknown},
      {1, FileType::file},
      {2, FileType::directory},
      {3, FileType::block},
      {4, FileType::character},
      {5, FileType::symlink},
      {6, FileType::socket},
      {7, FileType::fifo},
      {8, FileType::unknown},
      {0x10002, FileType::unknown},
  }));
  Record made(returned | 0x20009, 0, 0);
  made.name("n").u32(std::get<0>(row)).u32(04751);
  const Reading reading(made.bytes());
  REQUIRE(reading.records.size() == 1);
  const AttributeRecord& record = reading.records[0];
  CHECK(record.type == std::get<1>(row));
  if (record.type == FileType::unknown) {
    CHECK(record.known == needs::none);
  } else {
    constexpr std::array<std::uint32_t, 8> bits = {0,      0100000, 040000,  060000,
                                                   020000, 0120000, 0140000, 010000};
    CHECK(record.known == (needs::type | needs::mode));
    CHECK(record.metadata.mode == (bits.at(std::get<0>(row)) | 04751U));
  }
}

TEST_CASE("attribute records: the bundle bit is the Finder's flag 0x2000 and no other") {
  const auto row = GENERATE(table<unsigned, bool>(
      {{0x2000, true}, {0xDFFF, false}, {0x0020, false}, {0xFFFF, true}, {0, false}}));
  Record made(returned | 0x4009, 0, 0);
  made.name("n").u32(vdir).finder(std::get<0>(row));
  const Reading reading(made.bytes());
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].bundle == std::get<1>(row));
}

TEST_CASE("attribute records: times are kept, an invalid fraction is none") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const auto row = GENERATE_COPY(table<std::int64_t, std::int64_t, Instant>({
      {0, 0, {}},
      {-1, 999'999'999, {-1, 999'999'999}},
      {1'700'000'000, 123'456'789, {1'700'000'000, 123'456'789}},
      {9'223'372'037, 0, {9'223'372'037}},
      {most, most, {most}},
      {least, least, {least}},
      {5, 1'000'000'000, {5}},
      {5, -1, {5}},
  }));
  CAPTURE(std::get<0>(row), std::get<1>(row));
  Record made(returned | 0x401, 0, 0);
  made.name("n").time(std::get<0>(row), std::get<1>(row));
  const Reading reading(made.bytes());
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].metadata.modified == std::get<2>(row));
}

TEST_CASE("attribute records: an error comes before the name, and leaves nothing but the name") {
  Record bare(returned | error_bit | 1, 0, 0);
  bare.u32(13).name("locked");
  Record more(returned | error_bit | 0x409, 0, 0x1);
  more.u32(5).name("broken").u32(vreg).time(1, 1).u32(9);
  Record fine(returned | error_bit | 9, 0, 0);
  fine.u32(0).name("fine").u32(vreg);
  const Reading reading(bare.bytes().append(more.bytes()).append(fine.bytes()));
  REQUIRE(reading.records.size() == 3);
  CHECK(reading.records[0].name == "locked");
  CHECK(reading.records[0].error == 13);
  CHECK(reading.records[1].name == "broken");
  CHECK(reading.records[1].error == 5);
  CHECK(reading.records[1].type == FileType::unknown);
  CHECK(reading.records[1].known == needs::none);
  CHECK(reading.records[1].metadata.links == 0);
  CHECK(reading.records[2].error == 0);
  CHECK(reading.records[2].type == FileType::file);
}

}  // namespace
}  // namespace ffind::darwin_attributes_test
