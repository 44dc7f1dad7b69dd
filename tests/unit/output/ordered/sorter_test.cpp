// SPDX-License-Identifier: MIT
// Lanes of several threads come out as one, the same each time.
#include "output/sorter.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "unit/output/matches.h"

namespace sorter_test {

using namespace ffind;
using namespace ffind::output;

namespace {

OutputStyle style_by(const std::string& field, std::size_t limit = SIZE_MAX) {
  OutputStyle style;
  style.sort = {{find_record_field(field)}};
  style.limit = limit;
  return style;
}

/// Each of several threads emits its share of 0 … count-1.
void emit(Collector& sorter, int count, int threads) {
  std::atomic<bool> refused{false};
  std::vector<std::thread> running;
  for (int number = 0; number < threads; ++number) {
    running.emplace_back([&sorter, &refused, count, threads, number] {
      const auto lane = sorter.open_lane();
      for (int i = count - 1; i >= 0; --i) {
        if (i * 7 % threads != number) continue;
        MatchedEntry match("d" + std::to_string(i % 3) + "/f" + std::to_string(i));
        match.sized(static_cast<std::uint64_t>(i) % 10);
        if (!lane->emit(match.entry)) refused = true;  // checks belong to one thread
      }
      lane->flush();
    });
  }
  for (std::thread& thread : running) thread.join();
  CHECK_FALSE(refused);
}

std::string sorted(const OutputStyle& style, int count, int threads) {
  Remembering writer;
  Sorter<std::string_view> sorter(style, writer);
  emit(sorter, count, threads);
  sorter.pass_on();
  return writer.text;
}

}  // namespace

TEST_CASE("however many lanes there are, the order is the same") {
  const OutputStyle style = style_by("size");
  const std::string once = sorted(style, 5000, 1);
  CHECK(once.substr(0, 12) == "d0/f0\nd0/f10");
  CHECK(sorted(style, 5000, 2) == once);
  CHECK(sorted(style, 5000, 7) == once);
}

TEST_CASE("of what several lanes kept the first come out") {
  CHECK(sorted(style_by("path", 3), 5000, 4) == "d0/f0\nd0/f1002\nd0/f1005\n");
  CHECK(sorted(style_by("path", 0), 50, 4).empty());
}

TEST_CASE("Matches are sorted, too, and come out as they were") {
  struct Paths final : MatchStage {
    bool take(std::span<const Match> matches) override {
      for (const Match& match : matches) {
        text += std::string(match.path) + (match.identity.type == FileType::file ? " f\n" : " ?\n");
      }
      return text.size() < most;
    }
    void finish() override {}
    std::string text;
    std::size_t most = std::string::npos;
  };
  OutputStyle style = style_by("path", 3);
  style.format = Format::tree;
  Paths paths;
  Sorter<Match> sorter(style, paths);
  emit(sorter, 5000, 4);
  sorter.pass_on();
  CHECK(paths.text == "d0/f0 f\nd0/f1002 f\nd0/f1005 f\n");

  style.limit = 5000;
  Paths few;
  few.most = 1;
  Sorter<Match> other(style, few);
  emit(other, 5000, 2);
  other.pass_on();
  CHECK(few.text.size() < 1000);
}

TEST_CASE("without a key the order is that of the paths, and is passed on as often as asked") {
  OutputStyle style;
  Remembering writer;
  Sorter<std::string_view> sorter(style, writer);
  emit(sorter, 4, 2);
  sorter.pass_on();
  sorter.pass_on();
  CHECK(writer.text == "d0/f0\nd0/f3\nd1/f1\nd2/f2\nd0/f0\nd0/f3\nd1/f1\nd2/f2\n");
}

TEST_CASE("a search that ends at its limit leaves no match in a lane that is flushed") {
  OutputStyle style;
  style.limit = 2;
  Remembering writer;
  Sorter<std::string_view> sorter(style, writer);
  const auto lane = sorter.open_lane();
  for (const char* const path : {"b", "a"}) {
    MatchedEntry match(path);
    lane->emit(match.entry);
    lane->flush();
  }
  sorter.pass_on();
  CHECK(writer.text == "a\nb\n");
}

TEST_CASE("what wants no more gets no more") {
  const OutputStyle style = style_by("path");
  Remembering writer(1);
  Sorter<std::string_view> sorter(style, writer);
  emit(sorter, 20000, 3);
  sorter.pass_on();
  CHECK(writer.times == 1);
  CHECK(writer.text.back() == '\n');
}

TEST_CASE("sorting asks for what it sorts by, and the record for what it shows") {
  const auto needs_by = [](const std::string& field) {
    const OutputStyle style = style_by(field);
    Remembering writer;
    return Sorter<std::string_view>(style, writer).needs();
  };
  CHECK(needs_by("path") == needs::directory);
  CHECK((needs_by("modified") & needs::modified) != 0);
}

}  // namespace sorter_test
