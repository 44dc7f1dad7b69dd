// SPDX-License-Identifier: MIT
// Lanes of several threads come out as one, the same each time.
#include "output/ordered/sorter.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "unit/output/matches.h"

using namespace ffind;

namespace {

OutputStyle style_by(const std::string& field, std::uint64_t limit = UINT64_MAX) {
  OutputStyle style;
  style.sort = {{find_record_field(field)}};
  style.limit = limit;
  return style;
}

/// Each of several threads emits its share of 0 … count-1.
void emit(Sorter& sorter, int count, int threads) {
  std::atomic<bool> refused{false};
  std::vector<std::thread> running;
  for (int number = 0; number < threads; ++number) {
    running.emplace_back([&sorter, &refused, count, threads, number] {
      const auto lane = sorter.open_lane();
      for (int i = count - 1; i >= 0; --i) {
        if (i * 7 % threads != number) continue;
        Match match("d" + std::to_string(i % 3) + "/f" + std::to_string(i));
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
  Sorter sorter(style);
  emit(sorter, count, threads);
  Remembering receiver;
  sorter.pass_on(receiver);
  return receiver.text;
}

}  // namespace

TEST_CASE("however many lanes there are, the order is the same") {
  const OutputStyle style = style_by("size");
  const std::string once = sorted(style, 5000, 1);
  CHECK(once.substr(0, 12) == "d0/f0\nd0/f10");
  CHECK(sorted(style, 5000, 2) == once);
  CHECK(sorted(style, 5000, 7) == once);
}

TEST_CASE("names are in natural order") {
  CHECK(sorted(style_by("name"), 12, 2) ==
        "d0/f0\nd1/f1\nd2/f2\nd0/f3\nd1/f4\nd2/f5\nd0/f6\nd1/f7\nd2/f8\nd0/f9\nd1/f10\nd2/f11\n");
}

TEST_CASE("of what several lanes kept the first come out") {
  CHECK(sorted(style_by("path", 3), 5000, 4) == "d0/f0\nd0/f1002\nd0/f1005\n");
  CHECK(sorted(style_by("path", 0), 50, 4).empty());
}

TEST_CASE("what wants no more gets no more") {
  const OutputStyle style = style_by("path");
  Sorter sorter(style);
  emit(sorter, 20000, 3);
  Remembering receiver(1);
  sorter.pass_on(receiver);
  CHECK(receiver.times == 1);
  CHECK(receiver.text.back() == '\n');
}

TEST_CASE("sorting asks for what it sorts by, and the record for what it shows") {
  CHECK(Sorter(style_by("path")).needs() == needs::directory);
  CHECK((Sorter(style_by("modified")).needs() & needs::modified) != 0);
}
