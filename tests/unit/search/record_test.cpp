// SPDX-License-Identifier: MIT
// Records of an earlier search, as others may have changed them. That all that ffind writes is read
// back is the fuzz target's part.
#include "search/record.h"

#include "catch.h"

namespace record_test {

using namespace ffind;
using search::RecordReader;
using Line = RecordReader::Line;

TEST_CASE("a path alone is a record; what has none is not") {
  RecordReader reader;
  REQUIRE(reader.read(R"({"path":"a/b"})") == Line::record);
  CHECK(reader.record().path == "a/b");
  CHECK(reader.record().present == needs::directory);
  CHECK_FALSE(reader.record().depth);
  for (const char* const line : {"{}", "a/b", R"({"path":""})", R"({"path":1})",
                                 R"({"path":"a\u0000b"})", R"({"name":"a"})"}) {
    INFO(line);
    CHECK(reader.read(line) == Line::wrong);
  }
}

TEST_CASE("blank lines, errors and statistics are no entries") {
  RecordReader reader;
  CHECK(reader.read(" \r") == Line::other);
  CHECK(reader.read(R"({"type":"error","path":"a","operation":"open","message":"m"})") ==
        Line::other);
  CHECK(reader.read(R"({"type":"stats","entries":1})") == Line::other);
}

TEST_CASE("exact bytes count, in whichever order they come") {
  RecordReader reader;
  REQUIRE(reader.read(R"({"path_b64":"Yf8=","path":"a\ufffd","target":"x"})") == Line::record);
  CHECK(reader.record().path == "a\xFF");
  REQUIRE(reader.read(R"({"path":"a\ufffd","path_b64":"Yf8="})") == Line::record);
  CHECK(reader.record().path == "a\xFF");
  CHECK(reader.read(R"({"path":"a","path_b64":"????"})") == Line::record);
  CHECK(reader.record().path == "a");
}

TEST_CASE("a value that a field cannot have is unknown, and the last of a name counts") {
  RecordReader reader;
  REQUIRE(reader.read(R"({"path":"a","size":1,"size":18446744073709551615,"mode":"4755",)"
                      R"("links":4294967296,"uid":-1,"modified":"yesterday","type":"door",)"
                      R"("depth":1.5,"allocated":7,"allocated":"7","new":{"a":[1]}})") ==
          Line::record);
  const search::Record& record = reader.record();
  CHECK(record.present == (needs::directory | needs::length | needs::mode));
  CHECK(record.metadata.size == UINT64_MAX);
  CHECK(record.metadata.mode == 04755);
  CHECK(record.type == FileType::unknown);
  CHECK_FALSE(record.depth);
}

TEST_CASE("a record has nothing of the one before it") {
  RecordReader reader;
  REQUIRE(reader.read(R"({"path":"a","depth":1,"owner":"ann","tags":["Red"],"volume":"/v"})") ==
          Line::record);
  CHECK(reader.record().finder.tags.size() == 1);
  REQUIRE(reader.read(R"({"path":"b"})") == Line::record);
  CHECK(reader.record().owner.empty());
  CHECK(reader.record().volume.empty());
  CHECK(reader.record().finder.tags.empty());
  CHECK(reader.record().present == needs::directory);
}

}  // namespace record_test
