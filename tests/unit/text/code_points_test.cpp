// SPDX-License-Identifier: MIT
// Facts on code points, above all that threads may ask for them before they are there.
#include "text/unicode.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "catch.h"

namespace code_points_test {

using namespace ffind;
using namespace ffind::text;

namespace {

using Known = std::vector<std::pair<Facts, char32_t>>;

Known all_of_basic_plane() {
  Known known;
  for (char32_t c = 0; c < 0x10000; ++c) known.emplace_back(facts_of(c), bare(c));
  return known;
}

}  // namespace

// ThreadSanitizer has the last word on this one; each test is a process of its own to CTest, so the
// pages are empty here.
TEST_CASE("facts that several threads ask for at once are the same to all") {
  constexpr std::size_t count = 4;
  std::vector<Known> seen(count);
  std::atomic<std::size_t> waiting{count};
  std::vector<std::thread> threads;
  for (Known& known : seen) {
    threads.emplace_back([&known, &waiting] {
      --waiting;
      while (waiting != 0) std::this_thread::yield();
      known = all_of_basic_plane();
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Known later = all_of_basic_plane();
  for (const Known& known : seen) CHECK((known == later));
  CHECK((later[U'Ä'].first & facts::folded) == U'ä');
  CHECK(later[U'Ä'].second == U'A');
  CHECK((later[0x308].first & facts::accent) != 0);
  CHECK((later[U'漢'].first & facts::settled) != 0);
}

TEST_CASE("a terminal gives two columns to Han and emoji and none to a mark") {
  for (const char32_t c : {U'a', U'ö', U'ſ', U'я', U'ﾊ'}) CHECK(columns_of(c) == 1);
  for (const char32_t c : {U'漢', U'한', U'ハ', U'Ａ', U'😀'}) CHECK(columns_of(c) == 2);
  for (const char32_t c : {U'\u0308', U'\u200D', U'\uFE0F'}) CHECK(columns_of(c) == 0);
  // A vowel sign next to its letter has one, one above it none.
  for (const char32_t c : {U'\u093F', U'\u0940', U'\u0BCA'}) CHECK(columns_of(c) == 1);
  for (const char32_t c : {U'\u0941', U'\u094D'}) CHECK(columns_of(c) == 0);
  // A syllable of Hangul in parts, as macOS keeps it, is as wide as in one.
  CHECK(columns_of(U'\u1112') == 2);
  for (const char32_t c : {U'\u1161', U'\u11AB', U'\uD7B0', U'\uD7CB'}) CHECK(columns_of(c) == 0);
}

TEST_CASE("a syllable of Hangul is as wide in parts as it is whole") {
  for (char32_t syllable = 0xAC00; syllable <= 0xD7A3; ++syllable) {
    char32_t parts[most_parts];
    const std::size_t count = decompose(syllable, parts);
    std::size_t columns = 0;
    for (std::size_t i = 0; i < count; ++i) columns += columns_of(parts[i]);
    if (count < 2 || columns != columns_of(syllable)) FAIL_CHECK(static_cast<unsigned>(syllable));
  }
  for (const char32_t c : {U'\u1160', U'\u11FF', U'\uD7B0', U'\uD7FB'}) CHECK(columns_of(c) == 0);
}

}  // namespace code_points_test
