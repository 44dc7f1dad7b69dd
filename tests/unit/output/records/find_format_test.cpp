// SPDX-License-Identifier: MIT
// Formats of find's -printf that find refuses, and the line of -ls, both as find 4.9 has them;
// conversions are compared with find in tests/cli.
#include "output/find_format.h"

#include <string>
#include <string_view>

#include "catch.h"

namespace find_format_test {

using namespace ffind;
using namespace ffind::output;

namespace {

constexpr Instant noon{1'769'860'800, 123'456'789};  // 2026-01-31T12:00:00 UTC

/// Everything is known of it but when it was created.
Entry entry_of(std::string_view directory, std::string_view name) {
  Entry entry;
  entry.name = name;
  entry.directory = directory;
  entry.relative_path = name;
  entry.root = "src";
  entry.file_system = "ext4";
  entry.type = FileType::file;
  entry.depth = 1;
  entry.metadata.size = 1'234'567;
  entry.metadata.allocated = 4096;
  entry.metadata.inode = 77;
  entry.metadata.mode = 0104755;
  entry.metadata.uid = 1000;
  entry.metadata.gid = 100;
  entry.metadata.links = 3;
  entry.metadata.modified = noon;
  entry.present = ~needs::created;
  return entry;
}

std::string written(const FindFormat& format, Entry entry) {
  FieldScratch scratch{nullptr};
  std::string out = "<";
  format.append(out, entry, scratch);
  return out.substr(1);
}

}  // namespace

TEST_CASE("formats that find refuses") {
  CHECK_THROWS_WITH(FindFormat::parse("a%"), "error: % at end of format string");
  CHECK_THROWS_WITH(FindFormat::parse("%-5"), "error: %-5 at end of format string");
  CHECK_THROWS(FindFormat::parse("%9999999999p"));
  CHECK_THROWS_WITH(FindFormat::parse("%5{"),
                    "error: the format directive `%{' is reserved for future use");
}

TEST_CASE("the line of -ls") {
  Entry entry = entry_of("src/", "a b\n\"\\\x01é");
  CHECK(written(FindFormat::listing(noon), entry).substr(0, 58) ==
        "       77      4 -rwsr-xr-x   3 1000     100       1234567");
  CHECK(written(FindFormat::listing(noon), entry).substr(72) ==
        "src/a\\ b\\n\\\"\\\\\\001\\303\\251\n");
  const auto ends = [&](std::int64_t days) {
    const Instant now{noon.seconds + days * text::seconds_a_day};
    return written(FindFormat::listing(now), entry).substr(65, 6);
  };
  CHECK(ends(179).substr(3, 1) == ":");
  CHECK(ends(181) == "  2026");
  CHECK(ends(-1) == "  2026");
  entry.type = FileType::character;
  entry.metadata.special_major = 136;
  entry.metadata.special_minor = 2;
  CHECK(written(FindFormat::listing(noon, true), entry).substr(10, 6) == "     8");
  CHECK(written(FindFormat::listing(noon), entry).substr(50, 8) == "136,   2");
  entry.type = FileType::symlink;
  entry.target = "x y";
  CHECK(written(FindFormat::listing(noon), entry).ends_with(" -> x\\ y\n"));
}

}  // namespace find_format_test
