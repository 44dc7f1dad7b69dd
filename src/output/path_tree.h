// SPDX-License-Identifier: MIT
// Paths by number, each a name and the number of its parent: a chain of 50,000 directories takes as
// much memory as its names do, not the square of that. Used where paths have to be remembered:
// counts, deletion. Knows bytes and no files.
//
//     Arena       memory for many short texts that are freed together.
//     PathTree    the paths. A hash table finds a name by its parent.
//     PathNames   the names on the way to a path; going on to the next path costs no more than the
//                 names in which they differ.
//
//     add("a/b") = 2     number  1    2    3
//     add("a/c") = 3     parent  0    1    1     0 is the root of all
//                        name    a    b    c
//
// A name costs a node of 24 bytes, five to eleven bytes in the hash table, and itself. All classes
// belong to one thread, or are used under a lock of their owner.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::output {

/// Bytes in blocks that never move.
class Arena {
 public:
  /// Returns `size` bytes, not aligned and not initialised.
  char* allocate(std::size_t size) {
    if (blocks_.empty() || blocks_.back().size - blocks_.back().used < size) add_block(size);
    Block& block = blocks_.back();
    char* const bytes = block.bytes.get() + block.used;
    block.used += size;
    return bytes;
  }
  /// Returns a copy of `text`.
  std::string_view keep(std::string_view text);
  /// Returns the used part of each block, in the order of allocation.
  std::vector<std::string_view> blocks() const;

 private:
  /// Bytes from `used` on are free; only those of the last block are ever given out.
  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t used;
    std::size_t size;
  };
  void add_block(std::size_t least);

  std::vector<Block> blocks_;
};

/// A name at the end of a path, or before the slash of a longer one.
struct PathStep {
  std::string_view name;
  bool followed;  ///< by a slash
};

/// Compares as the bytes of paths that have these steps in the same place: a, a-b, a/c.
bool is_less(const PathStep& one, const PathStep& other);

/// Numbers grouped by their keys, by counting.
class Grouped {
 public:
  template <typename KeyOf>
  Grouped(const std::vector<std::uint32_t>& all, std::size_t keys, KeyOf key_of)
      : begin_(keys + 1), numbers_(all.size()) {
    for (const std::uint32_t number : all) ++begin_[key_of(number) + 1];
    for (std::size_t key = 1; key < begin_.size(); ++key) begin_[key] += begin_[key - 1];
    std::vector<std::uint32_t> next(begin_);
    for (const std::uint32_t number : all) numbers_[next[key_of(number)]++] = number;
  }
  std::span<const std::uint32_t> of(std::size_t key) const {
    return std::span(numbers_).subspan(begin_[key], begin_[key + 1] - begin_[key]);
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> numbers_;
};

/// A name in a directory, or all paths that go on from it.
struct Branch {
  PathStep step;
  std::uint32_t number;
};

/// Appends the numbers below `directory` in the order of their paths. `add_branches(branches, d)`
/// adds what is in a directory. Names are compared within one directory only.
template <typename AddBranches>
void append_in_order(std::vector<std::uint32_t>& order, std::uint32_t directory,
                     AddBranches add_branches) {
  std::vector<Branch> branches = {{{{}, true}, directory}};  // a stack: the last is the next
  while (!branches.empty()) {
    const Branch branch = branches.back();
    branches.pop_back();
    if (!branch.step.followed) {
      order.push_back(branch.number);
      continue;
    }
    const auto first = static_cast<std::ptrdiff_t>(branches.size());
    add_branches(branches, branch.number);
    std::sort(branches.begin() + first, branches.end(),
              [](const Branch& a, const Branch& b) { return is_less(b.step, a.step); });
  }
}

/// Returns how many bytes both begin with. Compares long beginnings by the block.
std::size_t common_beginning(std::string_view a, std::string_view b);

/// Returns the first eight bytes as a number that compares as they do, padded with zeros.
inline std::uint64_t leading_word(std::string_view bytes) {
  std::uint64_t word = 0;
  if (bytes.size() >= sizeof word) {
    std::memcpy(&word, bytes.data(), sizeof word);  // of a known size: no call
  } else {
    std::memcpy(&word, bytes.data(), bytes.size());
  }
  if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
  return word;
}

/// A path is any names with slashes between them: "/a/" is "", "a" and "".
class PathTree {
 public:
  using Index = std::uint32_t;
  /// The parent of first names; no path itself.
  static constexpr Index root = 0;

  PathTree();

  /// Returns the number of `path` below `above`, a new one if it was not added before. Names that
  /// it has in common with the last path are only compared.
  Index add(std::string_view path, Index above = root);
  /// Adds a single name, which may have slashes in it.
  Index add_below(Index parent, std::string_view name);

  /// Numbers are below this, and greater than that of the parent.
  std::size_t size() const { return nodes_.size(); }
  Index parent(Index path) const { return nodes_[path].parent; }
  /// Valid as long as the tree.
  std::string_view name(Index path) const { return {nodes_[path].name, nodes_[path].name_size}; }
  /// Returns the number of names.
  std::uint32_t depth(Index path) const { return nodes_[path].depth; }
  void append(std::string& out, Index path) const;

  /// Returns all paths in the order of their bytes.
  std::vector<Index> sorted() const;

 private:
  struct Node {
    const char* name;
    std::uint32_t name_size;
    Index parent;
    std::uint32_t depth;
    /// Kept so that growing the table reads no names, and most comparisons end here.
    std::uint32_t hash;
  };
  /// A name of the path that was added last: where it ends in that path, and its number.
  struct Level {
    std::size_t end;
    Index path;
  };

  std::size_t slot_of(Index parent, std::string_view name, std::uint32_t hash) const;
  void grow();

  Arena names_;
  std::vector<Node> nodes_;
  std::vector<Index> slots_;  ///< by hash; 0: free
  Index above_ = root;        ///< what the last path is below
  std::string last_;
  std::vector<Level> levels_;
};

class PathNames {
 public:
  explicit PathNames(const PathTree& tree) : tree_(tree) {}

  /// Goes on to `path`. Returns how many of the first names are the same as before.
  std::size_t move_to(PathTree::Index path);
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  const PathTree& tree_;
  std::vector<PathTree::Index> way_;
  std::vector<std::string_view> names_;
};

}  // namespace ffind::output
