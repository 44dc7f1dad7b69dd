// SPDX-License-Identifier: MIT
// See arena.h.
#include "output/arena.h"

#include <algorithm>

namespace ffind::output {
namespace {

/// A few matches take a few pages; of the last block half of so much is unused on the average.
constexpr std::size_t first_block = std::size_t{16} * 1024;
constexpr std::size_t largest_block = std::size_t{1024} * 1024;

}  // namespace

void Arena::add_block(std::size_t least) {
  const std::size_t grown = blocks_.empty() ? first_block : blocks_.back().size * 2;
  const std::size_t needed = std::max(std::min(grown, largest_block), least);
  // Left as it is: what a block is made for is written at once, and zeros first cost pages.
  blocks_.push_back({std::unique_ptr<char[]>(new char[needed]), 0, needed});
}

std::vector<std::string_view> Arena::blocks() const {
  std::vector<std::string_view> all;
  all.reserve(blocks_.size());
  for (const Block& block : blocks_) all.emplace_back(block.bytes.get(), block.used);
  return all;
}

std::string_view Arena::keep(std::string_view text) {
  char* const bytes = allocate(text.size());
  std::copy(text.begin(), text.end(), bytes);
  return {bytes, text.size()};
}

}  // namespace ffind::output
