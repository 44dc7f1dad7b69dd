// SPDX-License-Identifier: MIT
// Formats of find's -printf: what is parsed, and what one entry looks like in each conversion. The
// values expected are those that find 4.9 prints.
#include "output/find_format.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"

namespace find_format_test {

using namespace ffind;
using namespace ffind::output;
using namespace std::string_literals;

namespace {

constexpr Nanoseconds noon = 1'769'860'800'123'456'789;  // 2026-01-31T12:00:00 UTC

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

std::string written(std::string_view format, const Entry& entry) {
  return written(FindFormat::parse(format), entry);
}

std::string written(std::string_view format) {
  return written(format, entry_of("src/", "a"));
}

std::vector<std::string> warnings(std::string_view format) {
  return FindFormat::parse(format).warnings();
}

}  // namespace

TEST_CASE("escapes of a format of find are bytes, and \\c ends it") {
  CHECK(written("\\a\\b\\f\\n\\r\\t\\v\\\\") == "\a\b\f\n\r\t\v\\");
  CHECK(written("\\0a\\12\\1018\\777") == "\0a\nA8\xff"s);
  CHECK(written("a\\cb%p") == "a");
  CHECK(written("").empty());
}

TEST_CASE("a format of find keeps what is no conversion, and find warns") {
  CHECK(written("%%|%5%|\\x|%q|%12$s|%T") == "%|%5|\\x|%q|%12$s|%T");
  using Texts = std::vector<std::string>;
  CHECK(warnings("%q\\x") ==
        Texts{"warning: unrecognized format directive `%q'", "warning: unrecognized escape `\\x'"});
  CHECK(warnings("%5T") ==
        Texts{"warning: format directive `%T' should be followed by another character"});
  CHECK(warnings("a\\") == Texts{"warning: escape `\\' followed by nothing at all"});
  CHECK(warnings("%p %TY %%\\n").empty());
  CHECK(warnings("%\1").size() == 1);
  CHECK(warnings("\\é").front() == "warning: unrecognized escape `\\é'");
}

TEST_CASE("formats that find refuses") {
  CHECK_THROWS_WITH(FindFormat::parse("a%"), "error: % at end of format string");
  CHECK_THROWS_WITH(FindFormat::parse("%-5"), "error: %-5 at end of format string");
  CHECK_THROWS(FindFormat::parse("%9999999999p"));
  CHECK_THROWS_WITH(FindFormat::parse("%5{"),
                    "error: the format directive `%{' is reserved for future use");
}

TEST_CASE("names and paths in a format of find") {
  CHECK(written("%p|%f|%h|%P|%H|%d") == "src/a|a|src|a|src|1");
  const auto root = [](std::string_view directory, std::string_view name,
                       std::string_view slashes = {}) {
    Entry entry = entry_of(directory, name);
    entry.slashes = slashes;
    entry.depth = 0;
    return written("%p|%f|%h|%P", entry);
  };
  CHECK(root("", ".") == ".|.|.|");
  CHECK(root("", "src") == "src|src|.|");
  CHECK(root("", "src", "//") == "src//|src/|.|");
  CHECK(root("./", "src", "/") == "./src/|src/|.|");
  CHECK(root("", "s", "/") == "s/|s/|s|");  // as find has it
  CHECK(root("", "/") == "/|/||");
  CHECK(root("", "/", "/") == "//|/|/|");
  CHECK(root("/", "etc") == "/etc|etc||");
}

TEST_CASE("flags, width and precision are those of printf") {
  CHECK(written("%5f|%-5f|%.1p|%5.2p|%05f") == "    a|a    |s|   sr|    a");
  CHECK(written("%3d|%-3d|%03d|%+d|% d|%.2d|%+05d") == "  1|1  |001|+1| 1|01|+0001");
  CHECK(written("%m|%#m|%06m|%#.6m|%-6m|%6m") == "4755|04755|004755|004755|4755  |  4755");
  CHECK(written("%.3s|%10s|%-10s|%010s") == "123|   1234567|1234567   |   1234567");
  CHECK(written("%-+ #05d|") == "+1   |");
  CHECK(written("%S|%.2S|%010.3S|%+S|%-9.1S|") ==
        "0.00331776|0.0033|0000.00332|+0.00331776|0.003    |");
}

TEST_CASE("metadata in a format of find") {
  CHECK(written("%s %b %k %i %n %U %G %u %g %M %y %Y %F") ==
        "1234567 8 4 77 3 1000 100 1000 100 -rwsr-xr-x f f ext4");
  Entry link = entry_of("", "l");
  link.type = FileType::symlink;
  link.target = "../a";
  link.target_type = FileType::directory;
  CHECK(written("%l %y%Y", link) == "../a ld");
  link.target_type = FileType::unknown;
  CHECK(written("%Y", link) == "N");
  link.loop = true;
  CHECK(written("%Y", link) == "L");
  link.loop = false;
  link.present &= ~needs::target_type;
  CHECK(written("%Y%l|", link) == "?../a|");
  Entry empty = entry_of("", "e");
  empty.metadata.size = empty.metadata.allocated = 0;
  CHECK(written("%S|%l|%5l|%Z", empty) == "1||     |");
  empty.metadata.allocated = 1;
  CHECK(written("%S %b", empty) == "inf 1");
}

TEST_CASE("times in a format of find have ten digits of a second") {
  CHECK(written("%T@ %TY %TS") == "1769860800.1234567890 2026 00.1234567890");
  CHECK(written("%.4T@|%25T@|%Tq|%Tf|%T%|%B@|%5BY|") ==
        "1769|    1769860800.1234567890|%q|%f|%||     |");
  Entry old = entry_of("", "old");
  old.metadata.modified = -500'000'000;
  CHECK(written("%T@", old) == "-1.5000000000");
  old.metadata.modified = INT64_MAX;
  CHECK(written("%t|%T@|", old) == "||");
}

TEST_CASE("on a terminal a format of find shows no character that could control it") {
  const Entry entry = entry_of("a\nb/", "\x1b[1m\xff é");
  CHECK(written(FindFormat::parse("%f|%p|\\t", true), entry) == "?[1m? é|a?b/?[1m? é|\t");
  CHECK(written(FindFormat::parse("%f"), entry) == "\x1b[1m\xff é");
}

TEST_CASE("the line of -ls") {
  Entry entry = entry_of("src/", "a b\n\"\\\x01é");
  CHECK(written(FindFormat::listing(noon), entry).substr(0, 58) ==
        "       77      4 -rwsr-xr-x   3 1000     100       1234567");
  CHECK(written(FindFormat::listing(noon), entry).substr(72) ==
        "src/a\\ b\\n\\\"\\\\\\001\\303\\251\n");
  const auto ends = [&](Nanoseconds days) {
    const Nanoseconds now = noon + days * text::seconds_a_day * text::nanoseconds_a_second;
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
