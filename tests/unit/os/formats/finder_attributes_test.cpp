// SPDX-License-Identifier: MIT
// Names and values of attributes, as macOS, Samba and Linux's desktops write them.
#include "os/formats/finder_attributes.h"
#include "fakes/instants.h"

#include <ctime>
#include <string>

#include "catch.h"
#include "unit/os/formats/finder_data.h"

namespace finder_attributes_test {

using namespace ffind;
using namespace ffind::os;
using ffind::testing::finder_data;

namespace {

constexpr const char* tags = "com.apple.metadata:_kMDItemUserTags";

std::string info(unsigned high, unsigned low) {
  std::string bytes(32, '\0');
  bytes[8] = static_cast<char>(high);
  bytes[9] = static_cast<char>(low);
  return bytes;
}

std::string names(const FinderMetadata& metadata) {
  std::string text;
  for (const FinderTag& tag : metadata.tags)
    text += tag.name + ":" + std::to_string(tag.colour) + " ";
  return text;
}

}  // namespace

TEST_CASE("tags with and without a colour") {
  FinderMetadata metadata;
  add_finder_attribute(tags, finder_data("tags.bplist"), metadata);
  CHECK(names(metadata) == "Red:6 Übung:2 plain:0 ");
}

TEST_CASE("a tag that is called like its colour needs no number") {
  FinderMetadata metadata;
  add_finder_attribute("user.xdg.tags", "orange, Grey,, work ,orange", metadata);
  finish(metadata);
  CHECK(names(metadata) == "orange:7 Grey:1 work:0 ");
}

TEST_CASE("a tag that is told twice has the colour of the first that has one") {
  FinderMetadata metadata;
  add_finder_attribute("user.xdg.tags", "plain,work\n0,x,work\n3,work\n4", metadata);
  finish(metadata);
  CHECK(names(metadata) == "plain:0 work:3 x:0 ");
}

TEST_CASE("of a million tags or origins the first ones are told, in no time") {
  const std::clock_t begin = std::clock();
  FinderMetadata metadata;
  std::string value;
  for (int i = 0; i < 1'000'000; ++i) value += std::to_string(i % 500'000) + ",";
  add_finder_attribute("user.xdg.tags", value, metadata);
  for (int i = 0; i < 5000; ++i) {
    add_finder_attribute("user.xdg.origin.url", std::to_string(i), metadata);
  }
  finish(metadata);
  CHECK(metadata.tags.size() == 4096);
  CHECK(metadata.tags.back().name == "4095");
  CHECK(metadata.where_froms.size() == 4096);
  // Held against all before it, each takes hours.
  CHECK(std::clock() - begin < 60 * CLOCKS_PER_SEC);
}

TEST_CASE("comments are lists or plain text, and the first one counts") {
  FinderMetadata metadata;
  add_finder_attribute("com.apple.metadata:kMDItemFinderComment", finder_data("comment.bplist"),
                       metadata);
  add_finder_attribute("user.xdg.comment", "another", metadata);
  CHECK(metadata.comment == "Grüße, 𝄞 clef");
}

TEST_CASE("origins of all sources are gathered, each once") {
  FinderMetadata metadata;
  add_finder_attribute("com.apple.metadata:kMDItemWhereFroms", finder_data("wherefroms.bplist"),
                       metadata);
  add_finder_attribute("user.xdg.origin.url", "https://example.org/a.zip", metadata);
  add_finder_attribute("user.xdg.referrer.url", "https://example.net", metadata);
  finish(metadata);
  CHECK(metadata.where_froms == std::vector<std::string>{"https://example.org/a.zip",
                                                         "https://example.org/",
                                                         "https://example.net"});
}

TEST_CASE("flags of the Finder's record") {
  FinderMetadata metadata;
  add_finder_attribute(finder_info_attribute, info(0xFC, 0x10), metadata);
  const FinderFlags& flags = metadata.flags;
  CHECK(flags.alias);
  CHECK(flags.invisible);
  CHECK(flags.bundle);
  CHECK(flags.locked);
  CHECK(flags.colour == 0);
}

TEST_CASE("a label from before there were tags is the tag of its colour") {
  FinderMetadata metadata;
  add_finder_attribute(finder_info_attribute, info(0, 6U << 1U), metadata);
  finish(metadata);
  CHECK(names(metadata) == "Red:6 ");
}

TEST_CASE("a label says nothing where there are tags") {
  FinderMetadata metadata;
  add_finder_attribute(tags, finder_data("tags.bplist"), metadata);
  add_finder_attribute(finder_info_attribute, info(0, 4U << 1U), metadata);
  finish(metadata);
  CHECK(names(metadata) == "Red:6 Übung:2 plain:0 ");
}

TEST_CASE("broken values say nothing") {
  FinderMetadata metadata;
  add_finder_attribute(tags, finder_data("tags.bplist").substr(0, 40), metadata);
  add_finder_attribute(finder_info_attribute, info(0xFF, 0xFF).substr(1), metadata);
  CHECK(metadata.tags.empty());
  CHECK(metadata.flags == FinderFlags{});
}

TEST_CASE("stored names are what macOS calls them") {
  struct Row {
    const char* stored;
    const char* name;
    bool is_stream;
  };
  const Row row = GENERATE(values<Row>({
      {"user.com.apple.metadata:x", "com.apple.metadata:x", false},
      {"user.DosStream.com.apple.metadata:x:$DATA", "com.apple.metadata:x", true},
      {"user.DosStream.com.apple.metadata\xEF\x80\xA2x:$DATA", "com.apple.metadata:x", true},
      {"user.xdg.tags", "user.xdg.tags", false},
      {"com.apple.FinderInfo", "com.apple.FinderInfo", false},
  }));
  CAPTURE(row.stored);
  CHECK(read_stored_name(row.stored).name == row.name);
  CHECK(read_stored_name(row.stored).is_stream == row.is_stream);
}

TEST_CASE("of what Samba stores, one NUL at the end is its own") {
  CHECK(unwrap(true, std::string_view("value\0\0", 7)) == std::string_view("value\0", 6));
  CHECK(unwrap(true, "value") == "value");
  CHECK(unwrap(false, std::string_view("value\0", 6)).size() == 6);
}

TEST_CASE("everything that an AppleDouble file says is taken over") {
  const std::string bytes = finder_data("two_attributes.double");
  FinderMetadata metadata;
  add_apple_double(*decode_apple_double(bytes, bytes.size()), metadata);
  CHECK(names(metadata) == "Red:6 ");
  CHECK(metadata.flags.invisible);
  const std::string commented = finder_data("comment.double");
  add_apple_double(*decode_apple_double(commented, commented.size()), metadata);
  CHECK(metadata.comment == "Hello");
}

TEST_CASE("the time of last use is a timespec, and the first that is one counts") {
  constexpr const char* last_used = "com.apple.lastuseddate#PS";
  // As a Mac wrote it (linux-fsdevel, "hfsplus: fix extended attributes", 2021).
  const std::string value("\xA0\x25\x86\x60\0\0\0\0\x13\x06\x12\x0D\0\0\0\0", 16);
  FinderMetadata metadata;
  add_finder_attribute(last_used, std::string(16, '\0'), metadata);
  add_finder_attribute(last_used, value.substr(1), metadata);
  CHECK_FALSE(metadata.last_opened);
  add_finder_attribute(last_used, value, metadata);
  CHECK(metadata.last_opened == after_1970(1'619'404'192'219'285'011));
  add_finder_attribute(last_used, std::string(16, '\1'), metadata);
  CHECK(metadata.last_opened == after_1970(1'619'404'192'219'285'011));
}

TEST_CASE("type and creator are four bytes; NULs are none") {
  const auto read = [](const std::string& codes) {
    FinderMetadata metadata;
    add_finder_attribute("com.apple.FinderInfo", codes + std::string(24, '\0'), metadata);
    return metadata.type_code + "|" + metadata.creator;
  };
  CHECK(read("TEXTttxt") == "TEXT|ttxt");
  CHECK(read("PDF CARO") == "PDF |CARO");
  CHECK(read(std::string(8, '\0')) == "|");
  CHECK(read(std::string("ab\0\0\0\0\0c", 8)) == std::string("ab|\0\0\0c", 7));
  CHECK(read("\x80\xCA\xDB\xFF\xA5\xA5\xA5\xA5") == "\x80\xCA\xDB\xFF|\xA5\xA5\xA5\xA5");
}

TEST_CASE("Linux's hfsplus puts a prefix of its own before macOS's names") {
  CHECK(read_stored_name("osx.com.apple.FinderInfo").name == "com.apple.FinderInfo");
  CHECK(read_stored_name("osx.other").name == "osx.other");
  CHECK(read_stored_name("user.com.apple.x").name == "com.apple.x");
  CHECK(read_stored_name("user.xdg.tags").name == "user.xdg.tags");
}

}  // namespace finder_attributes_test
