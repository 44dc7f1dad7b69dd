// SPDX-License-Identifier: MIT
// Counts: ages, sums that no number holds, directories above. Tables are in tests/cli/cases/count*.
#include "output/counter.h"

#include <string>

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

}  // namespace

TEST_CASE("a time counts in the first age that it fits") {
  constexpr std::int64_t now = 1'800'000'000;
  const CountKey key = parse_count_key("accessed:age", 0, {{now}});
  CHECK(key.name == "accessed:age");
  const auto age_of = [&](std::int64_t seconds_ago) {
    MatchedEntry match("a");
    match.entry.metadata.accessed = {now - seconds_ago};
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
