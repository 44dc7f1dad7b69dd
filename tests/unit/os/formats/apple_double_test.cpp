// SPDX-License-Identifier: MIT
// AppleDouble files that tests/data/finder/make.py wrote, and broken ones.
#include "os/formats/finder_attributes.h"

#include "catch.h"
#include "unit/os/formats/finder_data.h"

namespace apple_double_test {

using namespace ffind::os;
using ffind::testing::finder_data;

namespace {

std::optional<AppleDouble> decode(const std::string& bytes) {
  return decode_apple_double(bytes, bytes.size());
}

std::string changed(std::string bytes, std::size_t at, unsigned value) {
  bytes[at] = static_cast<char>(value);
  return bytes;
}

}  // namespace

TEST_CASE("attributes and Finder info of an AppleDouble file") {
  const std::string bytes = finder_data("two_attributes.double");
  const auto file = decode(bytes);
  REQUIRE(file);
  REQUIRE(file->attributes.size() == 2);
  CHECK(file->attributes[0].name == "com.apple.metadata:_kMDItemUserTags");
  CHECK(file->attributes[0].value.substr(0, 8) == "bplist00");
  CHECK(file->attributes[1].name == "com.apple.quarantine");
  CHECK(file->attributes[1].value == "0083;5e");
  CHECK(file->finder_info.substr(0, 10) == std::string_view("TEXTttxt\x44\x00", 10));
  CHECK(file->extent == bytes.size() - 100);
}

TEST_CASE("the comment of an AppleDouble file") {
  const std::string bytes = finder_data("comment.double");
  const auto file = decode(bytes);
  REQUIRE(file);
  CHECK(file->comment == "Hello");
  CHECK(file->attributes.empty());
}

TEST_CASE("what lies behind the bytes that were read is told to be there") {
  const std::string bytes = finder_data("two_attributes.double");
  const std::size_t cut = bytes.find("0083") + 2;
  const auto file = decode_apple_double(std::string_view(bytes).substr(0, cut), bytes.size());
  REQUIRE(file);
  REQUIRE(file->attributes.size() == 2);
  CHECK(file->attributes[0].whole);
  CHECK_FALSE(file->attributes[1].whole);
  CHECK(file->extent > cut);
}

TEST_CASE("a file that is cut short is none") {
  const std::string whole = finder_data("comment.double");
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(decode(whole.substr(0, size)));
}

TEST_CASE("another magic number, version or count of parts is none") {
  const std::string whole = finder_data("comment.double");
  REQUIRE(decode(whole));
  CHECK_FALSE(decode(changed(whole, 3, 6)));  // AppleSingle's
  CHECK_FALSE(decode(changed(whole, 5, 1)));  // version 1
  CHECK_FALSE(decode(changed(whole, 25, 0)));
  CHECK_FALSE(decode(changed(whole, 25, 16)));
}

TEST_CASE("parts that overlap each other or the table are refused") {
  const std::string whole = finder_data("two_attributes.double");
  REQUIRE(decode(whole));
  CHECK_FALSE(decode(changed(whole, 45, static_cast<unsigned char>(whole[45]) - 1U)));
  CHECK_FALSE(decode(changed(whole, 33, 40)));
}

TEST_CASE("broken attributes leave the rest of the file readable") {
  const std::string whole = finder_data("two_attributes.double");
  const std::size_t at = GENERATE(values<std::size_t>({84, 96, 118, 120, 130}));
  CAPTURE(at);
  const auto file = decode(changed(whole, at, 0xFF));
  REQUIRE(file);
  CHECK(file->attributes.empty());
  CHECK_FALSE(file->finder_info.empty());
}

TEST_CASE("an attribute that lies outside of the attributes' data is refused") {
  const std::string whole = finder_data("two_attributes.double");
  // Its offset is 8 more: the last byte of it would be behind the data.
  const auto file = decode(changed(whole, 123, static_cast<unsigned char>(whole[123]) + 80U));
  REQUIRE(file);
  CHECK(file->attributes.empty());
}

TEST_CASE("attributes that share their values are refused") {
  const std::string whole = finder_data("two_attributes.double");
  const std::size_t second = whole.find("com.apple.quarantine") - 11;
  REQUIRE(decode(whole)->attributes.size() == 2);
  std::string shared = whole;
  shared.replace(second, 8, whole, 120, 8);  // the second one's value is the first one's
  const auto file = decode(shared);
  REQUIRE(file);
  CHECK(file->attributes.empty());
  CHECK_FALSE(file->finder_info.empty());
}

}  // namespace apple_double_test
