// SPDX-License-Identifier: MIT
// The table of inodes with several links: each is found again, whatever the distances between the
// numbers, while the table grows.
#include <cstdint>
#include <random>
#include <vector>

#include "catch.h"
#include "output/link_table.h"

namespace link_table_test {

using namespace ffind;
using ffind::output::LinkTable;

namespace {

/// Adds the inodes, then looks each up; its row is its place in the list. Returns how many are
/// wrong.
std::size_t wrong_of(const std::vector<std::uint64_t>& inodes) {
  LinkTable table;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < inodes.size(); ++i) {
    LinkTable::Slot& slot = table.find(inodes[i]);
    if (slot.row != 0) ++wrong;
    slot.row = static_cast<DirectoryToken>(i + 1);
    // One that was added before, anywhere in the table.
    const std::size_t earlier = i * 7 / 11;
    if (table.find(inodes[earlier]).row != earlier + 1) ++wrong;
  }
  for (std::size_t i = 0; i < inodes.size(); ++i) {
    table.prefetch(inodes[i]);
    if (table.find(inodes[i]).row != i + 1) ++wrong;
  }
  return wrong;
}

}  // namespace

TEST_CASE("inodes with several links are found again while their table grows") {
  constexpr std::size_t count = 5'000;
  // The last is the inverse of the factor of the hash: all fall on one place, or on the last.
  const std::uint64_t distance =
      GENERATE(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{19}, std::uint64_t{1} << 32U,
               std::uint64_t{1} << 40U, std::uint64_t{0xF1DE83E19937733D});
  std::vector<std::uint64_t> inodes;
  for (std::size_t i = 0; i < count; ++i) inodes.push_back(11 + distance * i);
  CHECK(wrong_of(inodes) == 0);
}

TEST_CASE("inodes with random numbers are found again while their table grows") {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> inodes;
  for (std::size_t i = 0; i < 50'000; ++i) inodes.push_back(random() << 16U | i);
  CHECK(wrong_of(inodes) == 0);
}

}  // namespace link_table_test
