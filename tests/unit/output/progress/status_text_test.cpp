// SPDX-License-Identifier: MIT
// How far a search is, in words.
#include "output/progress_reporter.h"

#include <string>

#include "catch.h"
#include "text/unicode.h"

namespace status_text_test {

using namespace ffind;
using namespace ffind::output;

namespace {

StatusMoment moment(std::string where) {
  StatusMoment moment;
  moment.search = {51'234, 840'123, 1, std::move(where)};
  moment.elapsed = 2'149'000'000;
  moment.rate = 412'003;
  return moment;
}

std::string line(const std::string& where, std::size_t columns) {
  return status_line(moment(where), columns);
}

const std::string counts = "ffind: 51k directories, 840k entries, 1 match, 412k/s";

}  // namespace

TEST_CASE("the status line has the counts in short, the rate and the place") {
  CHECK(line("src/os", 100) == counts + ": src/os");
  CHECK(line("", 100) == counts);
}

TEST_CASE("of a path that is too long the end is shown") {
  CHECK(line("a/long/path/to/directory", counts.size() + 14) == counts + ": ...directory");
  CHECK(line("exactly/fits", counts.size() + 14) == counts + ": exactly/fits");
}

TEST_CASE("where a path would be a few letters only, it is left out; a terminal that narrow cuts") {
  CHECK(line("src/os", counts.size() + 13) == counts);
  CHECK(line("src/os", 20) == counts.substr(0, 20));
  CHECK(line("src/os", 0).empty());
}

TEST_CASE("a status line takes no more columns than there are, whatever the characters' width") {
  const std::string wide = "\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587\u4e2d";
  const std::string marks =
      "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301";
  for (std::size_t columns = 0; columns < counts.size() + 40; ++columns) {
    CHECK(text::columns_of(line(wide, columns)) <= columns);
    CHECK(text::columns_of(line(marks + marks, columns)) <= columns);
  }
  CHECK(line(wide, counts.size() + 14) == counts + ": ..." + wide.substr(wide.size() - 12));
  // No mark is put on the dots.
  CHECK(line(marks + marks, counts.size() + 14) == counts + ": ..." + marks.substr(0, 27));
}

TEST_CASE("a name in a status line cannot steer the terminal") {
  CHECK(line("a\x1b[2Jb\n\xff", 100) == counts + ": a\\x1b[2Jb\\n\\xff");
  CHECK(status_message(moment("a\nb")).find("a\\nb\n") != std::string::npos);
}

TEST_CASE("what takes time after the search stands in the place of the place") {
  StatusMoment late = moment("src/os");
  late.doing_last = "sorting";
  CHECK(status_line(late, 100) == "ffind: 51k directories, 840k entries, 1 match: sorting");
}

TEST_CASE("a status message has the numbers in full") {
  CHECK(status_message(moment("src/os")) ==
        "ffind: 51234 directories, 840123 entries, 1 match, 412003 entries/s, 2.1 s: src/os\n");
  StatusMoment first;
  first.search = {1, 1, 0, ""};
  CHECK(status_message(first) == "ffind: 1 directory, 1 entry, 0 matches, 0 entries/s, 0.0 s\n");
}

TEST_CASE("a status record is NDJSON and keeps every byte of the path") {
  CHECK(status_record(moment("a\xff")) ==
        "{\"type\":\"progress\",\"directories\":51234,\"entries\":840123,\"matches\":1,"
        "\"milliseconds\":2149,\"path\":\"a\uFFFD\",\"path_b64\":\"Yf8=\"}\n");
  CHECK(status_record(moment("")).find("path") == std::string::npos);
}

TEST_CASE("the rate is that of the last second, and of all while that is all") {
  constexpr Nanoseconds millisecond = 1'000'000;
  Rate rate;
  CHECK(rate.add(500 * millisecond, 1000) == 2000);
  CHECK(rate.add(1000 * millisecond, 1100) == 1100);
  // Since the half second, not since the beginning.
  CHECK(rate.add(1500 * millisecond, 1200) == 200);
  CHECK(rate.add(2500 * millisecond, 1200) == 0);
  CHECK(rate.add(2500 * millisecond, 1200) == 0);
}

}  // namespace status_text_test
