// SPDX-License-Identifier: MIT
// What searchfs is asked: the parameter buffers, read back by a reader of their own that holds them
// to the checks of the kernel (bsd/vfs/vfs_syscalls.c) and of HFS+ (core/hfs_search.c).
#include "fakes/instants.h"
#include "os/formats/darwin_attributes.h"

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "catch.h"
#include "unit/os/bytes.h"

namespace ffind::darwin_catalog_test {
namespace {

using os::darwin::AttributeSet;
using os::darwin::search_request;
using os::darwin::SearchDialect;
using os::darwin::SearchRequest;
using testing::ByteReader;

constexpr std::uint32_t name_bit = 0x1;
constexpr std::uint32_t modified_bit = 0x400;
constexpr std::uint32_t size_bit = 0x200;
constexpr std::uint32_t partial = 0x2;
constexpr std::uint32_t directories = 0x4;
constexpr std::uint32_t files = 0x8;

constexpr SearchDialect hfs = SearchDialect::hfs;
constexpr SearchDialect apfs = SearchDialect::apfs;
constexpr Nanoseconds second = 1'000'000'000;
using Limits = std::numeric_limits<Instant>;
constexpr Nanoseconds least = std::numeric_limits<Nanoseconds>::min();
constexpr Nanoseconds most = std::numeric_limits<Nanoseconds>::max();
constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();  // of an off_t

using Seconds = std::pair<std::int64_t, std::int64_t>;
using Sizes = std::pair<std::uint64_t, std::uint64_t>;

/// The conditions that a kernel finds in a request.
struct Asked {
  std::optional<std::string> name;
  std::optional<Seconds> modified;
  std::optional<Sizes> size;
};

Asked asked(const SearchRequest& request) {
  REQUIRE(request.first.size() <= 4096);
  REQUIRE(request.last.size() <= 4096);
  REQUIRE((request.searched.common & ~(name_bit | modified_bit)) == 0);
  REQUIRE((request.searched.file & ~size_bit) == 0);
  REQUIRE((request.searched.volume | request.searched.directory | request.searched.fork) == 0);
  ByteReader first(request.first);
  ByteReader last(request.last);
  REQUIRE(first.u32() == request.first.size());
  REQUIRE(last.u32() == request.last.size());
  Asked asked;
  std::size_t text_at = 0;
  if ((request.searched.common & name_bit) != 0) {
    const std::size_t at = first.position();
    const std::int32_t offset = first.i32();
    const std::uint32_t length = first.u32();
    REQUIRE(offset >= 8);
    REQUIRE(length >= 1);
    REQUIRE(length <= 1024);
    text_at = at + static_cast<std::size_t>(offset);
    const std::string_view text = first.text(text_at, length);
    REQUIRE(text.find('\0') == length - 1);
    asked.name = text.substr(0, length - 1);
    // The kernel does not look at the second name, but should it ever, it is within the buffer.
    const std::int32_t last_offset = last.i32();
    REQUIRE(last_offset >= 8);
    REQUIRE(last.text(at + static_cast<std::size_t>(last_offset), last.u32()).empty());
  }
  if ((request.searched.common & modified_bit) != 0) {
    asked.modified = Seconds(first.i64(), last.i64());
    REQUIRE(first.i64() == 0);
    REQUIRE(last.i64() == 0);
  }
  if ((request.searched.file & size_bit) != 0) asked.size = Sizes(first.u64(), last.u64());
  REQUIRE(last.position() == request.last.size());
  REQUIRE(first.position() == (asked.name ? text_at : request.first.size()));
  return asked;
}

Bound named(std::string name) {
  Bound bound;
  bound.name_contains = std::move(name);
  return bound;
}

TEST_CASE("search request: a name is searched for as a part of names") {
  const SearchDialect dialect = GENERATE(hfs, apfs);
  const SearchRequest request = search_request(named("report"), needs::none, dialect);
  const Asked conditions = asked(request);
  CHECK(conditions.name == "report");
  CHECK_FALSE(conditions.modified);
  CHECK_FALSE(conditions.size);
  CHECK(request.options == (partial | directories | files));
}

TEST_CASE("search request: without a bound it is one that always holds") {
  const SearchRequest of_hfs = search_request({}, needs::none, hfs);
  CHECK_FALSE(asked(of_hfs).name);  // which an empty name never does there
  CHECK(asked(of_hfs).modified == Seconds(0, 0xFFFFFFFF));
  CHECK(of_hfs.options == (directories | files));

  const SearchRequest of_apfs = search_request({}, needs::none, apfs);
  CHECK(asked(of_apfs).name == "");
  CHECK_FALSE(asked(of_apfs).modified);
  CHECK(of_apfs.options == (partial | directories | files));
}

TEST_CASE("search request: a text is cut where the kernel has no more room, between characters") {
  const std::string ascii(254, 'a');
  struct Row {
    std::string text;
    std::string asked;
  };
  const Row row = GENERATE_COPY(values<Row>({
      {ascii + "b", ascii + "b"},
      {ascii + "bc", ascii + "b"},
      {std::string(5000, 'a'), ascii + "a"},
      {ascii + "\303\244", ascii},
      {ascii.substr(1) + "\303\244", ascii.substr(1) + "\303\244"},
      {ascii + "\342\202\254", ascii},
      {ascii.substr(1) + "\342\202\254", ascii.substr(1)},
      {ascii.substr(2) + "\342\202\254x", ascii.substr(2) + "\342\202\254"},
      {ascii.substr(2) + "\360\237\230\200", ascii.substr(2)},
      {std::string("ab\0cd", 5), "ab"},
  }));
  const SearchDialect dialect = GENERATE(hfs, apfs);
  CHECK(asked(search_request(named(row.text), needs::none, dialect)).name == row.asked);
}

TEST_CASE("search request: a text of which nothing is left is no condition") {
  const std::string nothing = GENERATE(std::string(1, '\0'), std::string(300, '\200'));
  CHECK_FALSE(asked(search_request(named(nothing), needs::none, hfs)).name);
  CHECK(asked(search_request(named(nothing), needs::none, hfs)).modified);
  CHECK(asked(search_request(named(nothing), needs::none, apfs)).name == "");
}

TEST_CASE("search request: times are the whole seconds around the range") {
  struct Row {
    Nanoseconds first;
    Nanoseconds last;
    Seconds asked;
  };
  const Row row = GENERATE_COPY(values<Row>({
      {5 * second, 7 * second, {5, 7}},
      {5 * second + 1, 7 * second + 1, {5, 8}},
      {6 * second - 1, 8 * second - 1, {5, 8}},
      {0, 0, {0, 0}},
      {0, 1, {0, 1}},
      {0, 4'294'967'294 * second, {0, 4'294'967'294}},
  }));
  CAPTURE(row.first, row.last);
  Bound bound;
  bound.first_modified = row.first == least ? Limits::min() : after_1970(row.first);
  bound.last_modified = row.last == most ? Limits::max() : after_1970(row.last);
  const SearchDialect dialect = GENERATE(hfs, apfs);
  const Asked conditions = asked(search_request(bound, needs::none, dialect));
  CHECK(conditions.modified == row.asked);
  CHECK_FALSE(conditions.name);
  bound.last_modified = Limits::max();
  if (row.first >= second) {
    const std::int64_t end = dialect == hfs ? 4'294'967'295 : 9'223'372'036;
    CHECK(asked(search_request(bound, needs::none, dialect)).modified == Seconds(5, end));
  }
}

TEST_CASE("search request: times that HFS+ has not are cut to its last, those of APFS are kept") {
  Bound bound;
  bound.first_modified = {4'294'967'299};
  bound.last_modified = {4'294'967'300};
  CHECK(asked(search_request(bound, needs::none, hfs)).modified ==
        Seconds(4'294'967'295, 4'294'967'295));
  CHECK(asked(search_request(bound, needs::none, apfs)).modified ==
        Seconds(4'294'967'299, 4'294'967'300));
}

TEST_CASE(
    "search request: a beginning before 1970 is none on HFS+, and leaves APFS without a range") {
  Bound bound;
  bound.first_modified = GENERATE(Limits::min(), Instant{-5}, Instant{-1, 999'999'999});
  bound.last_modified = {7};
  CHECK(asked(search_request(bound, needs::none, hfs)).modified == Seconds(0, 7));
  CHECK_FALSE(asked(search_request(bound, needs::none, apfs)).modified);
}

TEST_CASE(
    "search request: a range that cannot be told, or leaves nothing out, is not searched for") {
  struct Row {
    Nanoseconds first;
    Nanoseconds last;
  };
  const Row row = GENERATE_COPY(values<Row>({
      {-100 * second, -50 * second},  // HFS+ shows these as 1970, a server may not
      {least, -1},
      {-100 * second, most},
      {0, most},
      {999'999'999, most},
      {0, 9'223'372'036 * second},  // all times that there are
  }));
  CAPTURE(row.first, row.last);
  Bound bound = named("n");
  bound.first_modified = row.first == least ? Limits::min() : after_1970(row.first);
  bound.last_modified = row.last == most ? Limits::max() : after_1970(row.last);
  CHECK_FALSE(asked(search_request(bound, needs::none, hfs)).modified);
  CHECK_FALSE(asked(search_request(bound, needs::none, apfs)).modified);
  bound.name_contains.clear();
  CHECK(asked(search_request(bound, needs::none, hfs)).modified == Seconds(0, 0xFFFFFFFF));
}

TEST_CASE("search request: sizes are searched for on HFS+, when nothing but files may match") {
  struct Row {
    std::uint64_t least;
    std::uint64_t most;
    std::optional<Sizes> asked;
  };
  const Row row = GENERATE(values<Row>({
      {0, all, std::nullopt},
      {1, all, Sizes(1, largest)},
      {0, 9, Sizes(0, 9)},
      {4096, 8192, Sizes(4096, 8192)},
      {all - 1, all, Sizes(largest, largest)},
  }));
  CAPTURE(row.least, row.most);
  Bound bound;
  bound.least_size = row.least;
  bound.most_size = row.most;
  bound.types = bit_of(FileType::file);
  const Asked conditions = asked(search_request(bound, needs::none, hfs));
  CHECK(conditions.size == row.asked);
  CHECK(conditions.modified.has_value() == !row.asked);
  CHECK_FALSE(asked(search_request(bound, needs::none, apfs)).size);
  // searchfs takes a link for a file, and its size is not bounded.
  for (const FileTypes more :
       {all_types, FileTypes(bit_of(FileType::file) | bit_of(FileType::symlink)),
        FileTypes(bit_of(FileType::file) | bit_of(FileType::directory)), bit_of(FileType::fifo)}) {
    bound.types = more;
    CHECK_FALSE(asked(search_request(bound, needs::none, hfs)).size);
  }
}

TEST_CASE("search request: types are searched for on HFS+ as directories and the rest") {
  const auto row = GENERATE(table<FileTypes, std::uint32_t>({
      {all_types, directories | files},
      {bit_of(FileType::directory), directories},
      {bit_of(FileType::file), files},
      {bit_of(FileType::socket), files},
      {FileTypes(bit_of(FileType::symlink) | bit_of(FileType::file)), files},
      {FileTypes(bit_of(FileType::directory) | bit_of(FileType::file)), directories | files},
      {FileTypes(bit_of(FileType::directory) | bit_of(FileType::unknown)), directories | files},
      {bit_of(FileType::unknown), directories | files},
      {FileTypes(0), directories | files},
  }));
  Bound bound;
  bound.types = std::get<0>(row);
  CAPTURE(unsigned{bound.types});
  CHECK(search_request(bound, needs::none, hfs).options == std::get<1>(row));
  // APFS takes a directory for a file.
  CHECK(search_request(bound, needs::none, apfs).options == (partial | directories | files));
}

TEST_CASE("search request: all conditions at once stand in their order") {
  Bound bound = named("x");
  bound.types = bit_of(FileType::file);
  bound.least_size = 10;
  bound.most_size = 20;
  bound.first_modified = {3};
  bound.last_modified = {4};
  const Asked conditions = asked(search_request(bound, needs::none, hfs));
  CHECK(conditions.name == "x");
  CHECK(conditions.modified == Seconds(3, 4));
  CHECK(conditions.size == Sizes(10, 20));
}

TEST_CASE("search request: HFS+ is asked for what is wanted and what it can return") {
  constexpr std::uint32_t always = 0x6000009;  // name, type, file id, parent id
  struct Row {
    Needs wanted;
    std::uint32_t common;
    std::uint32_t directory;
    std::uint32_t file;
    Needs trusted;
  };
  const Row row = GENERATE(values<Row>({
      // Of a directory always how many names it has: what is in it has the path of one of them.
      {needs::none, always, 0x1, 0, needs::type},
      {needs::mode | needs::owner, always | 0x38000, 0x1, 0,
       needs::type | needs::mode | needs::owner},
      // What is on disk may be older than the file, and a link's id is not the file's.
      {needs::size | needs::modified | needs::identity, always, 0x1, 0, needs::type},
      {needs::links, always, 0x1, 0x1, needs::type | needs::links},
      {needs::bundle, always | 0x4000, 0x1, 0, needs::type | needs::bundle},
      {needs::target | needs::empty | needs::absolute_path, always, 0x1, 0, needs::type},
      {needs::flags, always | 0x40000, 0x1, 0, needs::type | needs::flags},
      {needs::added, always, 0x1, 0, needs::type},  // no search returns it
      {needs::metadata, always | 0x7C200, 0x1, 0x1,
       needs::type | needs::mode | needs::owner | needs::links | needs::created | needs::flags |
           needs::hidden},
      {needs::hidden, always | 0x44000, 0x1, 0, needs::type | needs::hidden},
  }));
  CAPTURE(row.wanted);
  const SearchRequest request = search_request({}, row.wanted, hfs);
  CHECK(request.returned == AttributeSet{.common = row.common,
                                         .volume = 0,
                                         .directory = row.directory,
                                         .file = row.file,
                                         .fork = 0});
  CHECK(request.trusted == row.trusted);
}

TEST_CASE("search request: whether it finds every directory") {
  const auto finds = [](const Bound& bound) {
    return os::darwin::finds_all_directories(search_request(bound, needs::size, hfs));
  };
  Bound bound;
  CHECK(finds(bound));
  bound.types = bit_of(FileType::directory);
  CHECK(finds(bound));
  bound.types = bit_of(FileType::file);
  CHECK_FALSE(finds(bound));
  CHECK_FALSE(finds(named("x")));
  bound = {};
  bound.last_modified = {4};
  CHECK_FALSE(finds(bound));
}

TEST_CASE("search request: APFS is asked for names and ids, and trusted with nothing else") {
  const SearchRequest request = search_request({}, needs::metadata, apfs);
  CHECK(request.returned == AttributeSet{.common = 0x6000001});
  CHECK(request.trusted == needs::none);
}

TEST_CASE("searchfs: all directories can be asked for with their modes, to find the closed ones") {
  const SearchRequest request = os::darwin::directories_request();
  CHECK(request.options == directories);
  CHECK_FALSE(asked(request).name);
  CHECK((request.returned.common & os::darwin::attr::cmn_accessmask) != 0);
  CHECK(request.returned.directory == os::darwin::attr::dir_linkcount);
  CHECK((request.trusted & needs::mode) != 0);
  for (const std::uint32_t open : {0755U, 0555U, 01777U}) {
    CHECK_FALSE(os::darwin::may_be_closed(open));
  }
  for (const std::uint32_t closed : {0700U, 0750U, 0754U, 0751U, 0355U, 0U}) {
    CHECK(os::darwin::may_be_closed(closed));
  }
}

}  // namespace
}  // namespace ffind::darwin_catalog_test
