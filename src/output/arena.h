// SPDX-License-Identifier: MIT
// Memory for many short texts that are all given back at once. Used by what remembers paths, and by
// lanes. Knows bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace ffind::output {

/// Bytes in blocks that stay where they are.
class Arena {
 public:
  char* allocate(std::size_t size) {
    if (blocks_.empty() || blocks_.back().size - blocks_.back().used < size) add_block(size);
    Block& block = blocks_.back();
    char* const bytes = block.bytes.get() + block.used;
    block.used += size;
    return bytes;
  }
  /// A copy of `text`.
  std::string_view keep(std::string_view text);
  /// All that is used of each block, in the order in which it was allocated.
  std::vector<std::string_view> blocks() const;

 private:
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t used;
    std::size_t size;
  };
  void add_block(std::size_t least);

  std::vector<Block> blocks_;
};

}  // namespace ffind::output
