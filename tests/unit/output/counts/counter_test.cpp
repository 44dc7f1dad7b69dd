// SPDX-License-Identifier: MIT
// Counts: what is counted together, what its size is, in which order it comes.
#include "output/counter.h"

#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "text/ascii.h"
#include "unit/output/matches.h"

namespace counter_test {

using namespace ffind;
using namespace ffind::output;

namespace {

OutputStyle style_by(std::string_view keys) {
  OutputStyle style;
  style.counts = true;
  text::for_each_part(keys, ',', [&](std::size_t from, std::string_view key) {
    if (!key.empty()) style.count_by.push_back(parse_count_key(key, from, {}));
  });
  return style;
}

struct Five {
  std::array<const char*, 5> paths{"s/a.JPG", "s/b.jpg", "t/c.txt", "d.txt", "s/e.d"};
  FileType last = FileType::directory;
};

void emit(Counter& counter, const Five& five) {
  const auto one = counter.open_lane();
  const auto other = counter.open_lane();
  MatchedEntry a(five.paths[0]);
  MatchedEntry b(five.paths[1]);
  MatchedEntry c(five.paths[2]);
  MatchedEntry d(five.paths[3]);
  MatchedEntry e(five.paths[4]);
  CHECK(one->emit(a.sized(100).entry));
  CHECK(other->emit(b.sized(20).entry));
  CHECK(one->emit(c.sized(3000).entry));
  CHECK(one->emit(d.entry));  // its size is unknown
  CHECK(other->emit(e.is(five.last).sized(4096).entry));
  one->flush();
  other->flush();
}

std::string counted(const OutputStyle& style, const Five& five = {}) {
  Remembering writer;
  Counter counter(style, writer);
  emit(counter, five);
  counter.pass_on();
  return writer.text;
}

}  // namespace

TEST_CASE("a count is a number, and asks matches for nothing") {
  OutputStyle style = style_by("");
  CHECK(counted(style) == "5\n");
  Remembering writer;
  CHECK(Counter(style, writer).needs() == needs::none);
  style.format = Format::json;
  CHECK(counted(style) == "{\"count\":5}\n");
}

TEST_CASE("the most frequent come first, with the size of the files among them") {
  CHECK(counted(style_by("dir")) ==
        "3   120  s\n"
        "1     0  .\n"
        "1  3000  t\n"
        "5  3120  total\n");
}

TEST_CASE("extensions are counted in any case") {
  CHECK(counted(style_by("ext")) ==
        "2   120  jpg\n"
        "2  3000  txt\n"
        "1     0  d\n"
        "5  3120  total\n");
}

const Five some_of_no_kind{{"a", "b", "c.txt", "d.txt", "e"}, FileType::fifo};

TEST_CASE("what has no kind is counted, too, and comes last when sorted by that") {
  OutputStyle style = style_by("kind");
  CHECK(counted(style, some_of_no_kind) == "3   120  (none)\n2  3000  text\n5  3120  total\n");
  style.sort = {{find_record_field("name"), true}};
  CHECK(counted(style, some_of_no_kind) == "2  3000  text\n3   120  (none)\n5  3120  total\n");
}

TEST_CASE("rows are sorted as asked for, and limited; the total counts all") {
  OutputStyle style = style_by("dir");
  style.sort = {{find_record_field("size"), true}};
  style.limit = 1;
  CHECK(counted(style) == "1  3000  t\n5  3120  total\n");
  style.sort = {{find_record_field("path"), false}};
  style.limit = 2;
  CHECK(counted(style) == "1     0  .\n3   120  s\n5  3120  total\n");
}

TEST_CASE("several keys are columns, and each can be sorted by") {
  OutputStyle style = style_by("ext,dir");
  style.count_by[1].grouping = Grouping::above;
  style.sort = {{nullptr, false}, {find_record_field("ext"), true, 1}};
  CHECK(counted(style) ==
        "1     0  txt  .\n"
        "1  3000  txt  t\n"
        "1     0  d    s\n"
        "2   120  jpg  s\n"
        "5  3120  total\n");
  style.format = Format::csv;
  style.cell_separator = ';';
  style.limit = 1;
  CHECK(counted(style) ==
        "ext;dir;count;size;allocated;sum_count;sum_size;sum_allocated;ext_b64;dir_b64\n"
        "txt;.;1;0;0;1;0;0;;\n");
}

TEST_CASE("sizes are grouped by powers of ten, in their order") {
  OutputStyle style = style_by("size");
  style.sort = {{find_record_field("path"), false}};
  CHECK(counted(style) ==
        "1    20  10..100\n"
        "1   100  100..1k\n"
        "2  3000  1k..10k\n"
        "1     0  (none)\n"
        "5  3120  total\n");
  const CountKey key = parse_count_key("size", 0, {});
  const std::pair<const char*, const char*> texts[] = {
      {"00", "0"}, {"01", "1..10"}, {"06", "100k..1M"}, {"20", "10E..100E"}};
  for (const auto& [text, shown] : texts) {
    std::string label;
    append_shown(label, key, text);
    CHECK(label == shown);
  }
}

TEST_CASE("a time counts in the first age that it fits") {
  constexpr std::int64_t now = 1'800'000'000'000'000'000;
  const CountKey key = parse_count_key("accessed:age", 0, {now});
  CHECK(key.name == "accessed:age");
  const auto age_of = [&](std::int64_t seconds_ago) {
    MatchedEntry match("a");
    match.entry.metadata.accessed = now - seconds_ago * text::nanoseconds_a_second;
    match.entry.present |= needs::accessed;
    std::string shown;
    KeyReader reader(key, nullptr);
    append_shown(shown, key, reader.text_of(match.entry));
    return shown;
  };
  const std::int64_t day = text::seconds_a_day;
  CHECK(age_of(-1) == "future");
  CHECK(age_of(0) == "today");
  CHECK(age_of(6 * day) == "last 7 days");
  CHECK(age_of(29 * day) == "last 30 days");
  CHECK(age_of(400 * day) == "older");
  MatchedEntry unread("a");
  KeyReader reader(key, nullptr);
  CHECK(reader.text_of(unread.entry).empty());
}

TEST_CASE("a table as NDJSON has an unknown kind left out") {
  OutputStyle style = style_by("kind");
  style.format = Format::json;
  CHECK(counted(style, {{"a", "b", "c", "d", "e"}, FileType::fifo}) ==
        "{\"count\":5,\"size\":3120,\"allocated\":0}\n"
        "{\"total\":true,\"count\":5,\"size\":3120,\"allocated\":0}\n");
}

TEST_CASE("sizes that no number holds count as the largest") {
  OutputStyle style = style_by("ext");
  Remembering writer;
  Counter counter(style, writer);
  {
    const auto lane = counter.open_lane();
    MatchedEntry a("a.aa");
    MatchedEntry b("b.aa");
    MatchedEntry c("c.bb");
    for (MatchedEntry* match : {&a, &b, &c}) CHECK(lane->emit(match->sized(1ULL << 63U).entry));
  }
  counter.pass_on();
  CHECK(writer.text ==
        "2  18446744073709551615  aa\n"
        "1   9223372036854775808  bb\n"
        "3  18446744073709551615  total\n");
}

TEST_CASE("the directory so many levels above, from any root") {
  using namespace std::literals;
  CHECK(directory_above("a/b/c", 0) == "a/b/c"sv);
  CHECK(directory_above("a/b/c", 2) == "a"sv);
  CHECK(directory_above("a/b", 2) == "."sv);
  CHECK(directory_above("./a", 1) == "."sv);
  CHECK(directory_above("../a", 1) == ".."sv);
  CHECK(directory_above("src//a", 1) == "src"sv);
  CHECK(directory_above("/usr/lib", 1) == "/usr"sv);
  CHECK(directory_above("/usr/lib", 2) == "/"sv);
}

}  // namespace counter_test
