// SPDX-License-Identifier: MIT
// Reading one attribute record after another: what searchfs leaves out, names that no entry can
// have, and bytes that are no record. The values themselves: darwin_attributes_test.cpp.
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "catch.h"
#include "unit/os/formats/attribute_records.h"

namespace ffind::darwin_records_test {
namespace {

using namespace testing;

Record named(std::string name) {
  Record record(returned | 1, 0, 0);
  record.name(std::move(name));
  return record;
}

Reading search(const Bytes& bytes, std::uint32_t common, std::uint32_t directory,
               std::uint32_t file) {
  AttributeSet requested;
  requested.common = common;
  requested.directory = directory;
  requested.file = file;
  return Reading(bytes, requested, RecordLayout::search);
}

TEST_CASE("records of a search: values follow without a set, those of the type alone") {
  Record file;
  file.name("file").u32(vreg).u64(12).u64(2).u32(1).u64(4096).u64(77);
  Record directory;
  directory.name("directory").u32(vdir).u64(13).u64(2).u32(1);
  Record fifo;
  fifo.name("fifo").u32(7).u64(14).u64(2).u32(1).u64(0).u64(0);
  const Reading reading =
      search(file.bytes(4).append(directory.bytes(4)).append(fifo.bytes(4)), 0x6000009, 0x1, 0x205);
  CHECK_FALSE(reading.malformed);
  REQUIRE(reading.records.size() == 3);
  CHECK(reading.records[0].name == "file");
  CHECK(reading.records[0].file_id == 12);
  CHECK(reading.records[0].parent_id == 2);
  CHECK(reading.records[0].metadata.size == 77);
  CHECK(reading.records[0].metadata.allocated == 4096);
  CHECK(reading.records[0].known == (needs::type | needs::links | needs::size));
  CHECK(reading.records[1].name == "directory");
  CHECK(reading.records[1].file_id == 13);
  CHECK(reading.records[1].known == needs::type);
  CHECK(reading.records[2].type == FileType::fifo);
  CHECK(reading.records[2].known == (needs::type | needs::links | needs::size));
}

TEST_CASE("records of a search: without anything of one type the type need not be asked for") {
  Record made;
  made.name("n").u64(12).u64(2);
  const Reading reading = search(made.bytes(4), 0x6000001, 0, 0);
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].type == FileType::unknown);
  CHECK(reading.records[0].file_id == 12);
  CHECK(reading.records[0].parent_id == 2);
  CHECK(reading.records[0].known == needs::none);
}

TEST_CASE(
    "records of a search: an entry of several names has the id of a link, so none of a stat") {
  const std::uint32_t type = GENERATE(vreg, vdir);
  const std::uint32_t names = GENERATE(0U, 1U, 2U);
  CAPTURE(type, names);
  Record made;
  made.name("n").u32(1).u32(type).u64(12).u32(names);
  const Reading reading = search(made.bytes(4), 0x200000B, 0x1, 0x1);
  REQUIRE(reading.records.size() == 1);
  CHECK(((reading.records[0].known & needs::identity) != 0) == (names == 1));
  CHECK(reading.records[0].file_id == 12);

  // getattrlistbulk says the id of the file.
  Record bulk(returned | 0x200000B, 0, 0x1);
  bulk.name("n").u32(1).u32(vreg).u64(12).u32(names);
  const Reading bulk_reading(bulk.bytes());
  REQUIRE(bulk_reading.records.size() == 1);
  CHECK((bulk_reading.records[0].known & needs::identity) != 0);
}

TEST_CASE("records of a search: what it cannot hold ends the reading") {
  const auto row = GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>({
      {0x80000001, 0, 0},  // sets of what was returned
      {0x20000001, 0, 0},  // errors
      {0x1, 0x1, 0},       // values of a type, and no type
      {0x1, 0, 0x200},
      {0x11, 0, 0},  // an attribute that the decoder does not know
      {0x9, 0x10, 0},
      {0x9, 0, 0x2},
  }));
  Record made;
  made.name("n").u32(vreg).u64(0).u64(0).u64(0);
  const Reading reading =
      search(made.bytes(4), std::get<0>(row), std::get<1>(row), std::get<2>(row));
  CHECK(reading.records.empty());
  CHECK(reading.malformed);
}

TEST_CASE("attribute records: lengths lead from one to the next, whatever lies between") {
  for (std::size_t between = 0; between < 40; ++between) {
    CAPTURE(between);
    Bytes first = named("first").bytes(1);
    first.zeros(between).put_u32(0, static_cast<std::uint32_t>(first.size()));
    const Reading reading(first.append(named("second").bytes(1)));
    CHECK_FALSE(reading.malformed);
    REQUIRE(reading.records.size() == 2);
    CHECK(reading.records[0].name == "first");
    CHECK(reading.records[1].name == "second");
  }
}

TEST_CASE("attribute records: nothing is no record, and nothing wrong either") {
  const Reading reading{Bytes()};
  CHECK(reading.records.empty());
  CHECK_FALSE(reading.malformed);
}

TEST_CASE("attribute records: a buffer cut short anywhere ends the reading before the cut record") {
  const Bytes whole = named("before").bytes().append(full_file().bytes());
  const std::size_t before = named("before").bytes().size();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    Bytes cut;
    cut.text({reinterpret_cast<const char*>(whole.data()), size});
    const Reading reading(cut, full_request());
    CHECK(reading.records.size() == (size < before ? 0U : 1U));
    CHECK(reading.malformed == (size != 0 && size != before));
  }
}

TEST_CASE("attribute records: a length that cannot be ends the reading") {
  const Bytes record = full_file().bytes(1);
  const auto size = static_cast<std::uint32_t>(record.size());
  const Bytes after = named("after").bytes();
  // Too short for what the set says, down to nothing, or longer than the buffer.
  for (std::uint32_t length = 0; length < size - 7; ++length) {
    CAPTURE(length);
    const Reading reading(Bytes(record).append(after).put_u32(0, length), full_request());
    CHECK(reading.records.empty());
    CHECK(reading.malformed);
  }
  const std::uint32_t length =
      GENERATE_COPY(size + 1, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFCU, 0xFFFFFFFFU);
  CAPTURE(length);
  const Reading reading(Bytes(record).put_u32(0, length), full_request());
  CHECK(reading.records.empty());
  CHECK(reading.malformed);
}

TEST_CASE("attribute records: a length that leaves the name outside refuses the name alone") {
  const Bytes record = full_file().bytes(1);
  const auto size = static_cast<std::uint32_t>(record.size());
  // Its length, 256, begins with what could pass for the NUL of a name that ends one byte before.
  const Bytes after = named("after").bytes(256).put_u32(0, 256);
  for (std::uint32_t less = 1; less <= 7; ++less) {
    CAPTURE(less);
    Bytes cut;
    cut.text({reinterpret_cast<const char*>(record.data()), size - less}).put_u32(0, size - less);
    const Reading reading(cut.append(after), full_request());
    CHECK_FALSE(reading.malformed);
    CHECK(reading.refused == 1);
    REQUIRE(reading.records.size() == 1);
    CHECK(reading.records[0].name == "after");
  }
}

TEST_CASE("attribute records: a set with what nobody asked for ends the reading") {
  for (std::uint32_t bit = 1; bit != 0; bit <<= 1U) {
    for (std::size_t group = 0; group < 5; ++group) {
      Bytes made = named("n").bytes().zeros(64);
      made.put_u32(0, static_cast<std::uint32_t>(made.size()));
      const std::size_t at = 4 + 4 * group;
      const std::uint32_t common = group == 0 ? returned | 1U : 0U;
      if ((common & bit) != 0) continue;
      CAPTURE(bit, group);
      made.put_u32(at, common | bit);
      const Reading reading(made, os::darwin::bulk_attributes_for(needs::none));
      const bool asked = (group == 0 && (bit == error_bit || bit == 8)) || (group == 2 && bit == 4);
      CHECK(reading.malformed != asked);
      if (!asked) CHECK(reading.records.empty());
    }
  }
}

TEST_CASE(
    "attribute records: an attribute that the decoder does not know is no help by being asked") {
  AttributeSet requested = full_request();
  const auto row = GENERATE(table<std::size_t, std::uint32_t>(
      {{0, 0x10}, {0, 0x20}, {0, 0x400000}, {1, 0x1}, {2, 0x10}, {3, 0x2}, {4, 0x1}}));
  requested.common |= 0x400030;
  requested.volume = requested.fork = 0x1;
  requested.directory |= 0x10;
  requested.file |= 0x2;
  Bytes made = named("n").bytes().zeros(64);
  made.put_u32(0, static_cast<std::uint32_t>(made.size()));
  const std::uint32_t common = std::get<0>(row) == 0 ? returned | 1U : 0U;
  made.put_u32(4 + 4 * std::get<0>(row), common | std::get<1>(row));
  const Reading reading(made, requested);
  CHECK(reading.malformed);
  CHECK(reading.records.empty());
}

TEST_CASE("attribute records: values of a directory and of a file at once end the reading") {
  Record made(returned | 9, 0x4, 0x1);
  made.name("n").u32(vdir).u32(0).u32(1);
  const Reading reading(made.bytes());
  CHECK(reading.malformed);
  CHECK(reading.records.empty());
}

TEST_CASE("attribute records: an entry that no entry can be called is left out and counted") {
  using namespace std::string_literals;
  const std::string name =
      GENERATE(""s, "/"s, "a/b"s, "/a"s, "a/"s, "../x"s, "a\0b"s, "\0"s, "a\0"s);
  const Reading reading(
      named("before").bytes().append(named(name).bytes()).append(named("after").bytes()));
  CHECK_FALSE(reading.malformed);
  CHECK(reading.refused == 1);
  REQUIRE(reading.records.size() == 2);
  CHECK(reading.records[0].name == "before");
  CHECK(reading.records[1].name == "after");
}

TEST_CASE(
    "attribute records: dots are left out without a word, names that begin with them are not") {
  const auto row = GENERATE(
      table<std::string, bool>({{".", false}, {"..", false}, {"...", true}, {".a", true}}));
  const Reading reading(named(std::get<0>(row)).bytes());
  CHECK_FALSE(reading.malformed);
  CHECK(reading.refused == 0);
  CHECK(reading.records.size() == (std::get<1>(row) ? 1U : 0U));
}

TEST_CASE("attribute records: any byte but a slash and NUL can be in a name") {
  std::string name;
  for (int byte = 1; byte < 256; ++byte) {
    if (byte != '/') name += static_cast<char>(byte);
  }
  for (int i = 0; i < 3; ++i) name += name;
  const Reading reading(named(name).bytes());
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].name == name);
}

TEST_CASE("attribute records: a name that its record does not hold is refused") {
  const Record record = named("name");  // reference at 24, text at 32 to 36 and its NUL at 36
  const Bytes bytes = record.bytes(1);
  REQUIRE(bytes.size() == 37);
  REQUIRE(record.name_at() == 24);
  struct Row {
    std::int64_t offset;
    std::uint32_t length;
    bool holds;
  };
  const Row row = GENERATE(values<Row>({
      {8, 5, true},
      {9, 4, true},
      {8, 6, false},  // behind its end
      {8, 4, false},  // no NUL
      {8, 0, false},
      {8, 1, false},
      {12, 1, false},  // nothing but a NUL
      {13, 0, false},
      {13, 2, false},
      {14, 2, false},
      {0, 5, false},  // the reference itself
      {4, 5, false},
      {4, 2, false},  // whose length reads as a name
      {7, 6, false},
      {-4, 5, false},
      {-24, 5, false},
      {-25, 30, false},
      {std::numeric_limits<std::int32_t>::min(), 5, false},
      {std::numeric_limits<std::int32_t>::max(), 5, false},
      {8, std::numeric_limits<std::uint32_t>::max(), false},
      {std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::uint32_t>::max(), false},
      {8, 0x80000005, false},
  }));
  CAPTURE(row.offset, row.length);
  Bytes changed = bytes;
  changed.put_u32(24, static_cast<std::uint32_t>(static_cast<std::int32_t>(row.offset)));
  changed.put_u32(28, row.length);
  const Reading reading(changed.append(named("after").bytes()));
  CHECK_FALSE(reading.malformed);
  CHECK(reading.refused == (row.holds ? 0U : 1U));
  REQUIRE(reading.records.size() == (row.holds ? 2U : 1U));
  CHECK(reading.records.back().name == "after");
}

TEST_CASE("attribute records: one without a name is handed out without one") {
  Record made(returned | 8, 0, 0);
  made.u32(vreg);
  const Reading reading(made.bytes());
  REQUIRE(reading.records.size() == 1);
  CHECK(reading.records[0].name.empty());
  CHECK(reading.records[0].type == FileType::file);
  CHECK(reading.refused == 0);
}

}  // namespace
}  // namespace ffind::darwin_records_test
