// SPDX-License-Identifier: MIT
// Hash trees of directories: the hashes of names, the blocks that lead to leaves, and whether a
// leaf holds the names that the tree leads to. See layout.h.
//
//     block 0, the root        ".", "..", kind of hash, levels, then a table: hash -> block
//        block 7, a node       (levels - 1 of them) one unused entry that covers it, then a table
//           block 3, a leaf    an ordinary block of the directory
//
// The kernel lists such a directory leaf by leaf, in the order of the tables, and leaves out what
// belongs before a leaf; it finds a name only in the leaf that its hash leads to. So blocks in a
// row are the directory only if the tables lead to each once, and each leaf keeps to its hashes.
#include <ext2fs/ext2_fs.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "os/ext/layout.h"
#include "os/formats/little_endian.h"

namespace ffind::os::ext {

namespace {

using Words = std::array<std::uint32_t, 8>;
using HashState = std::array<std::uint32_t, 4>;

constexpr std::size_t root_table_at = 32;
constexpr std::size_t node_table_at = 8;
constexpr std::size_t root_info_at = 24;
constexpr std::uint32_t last_hash = 0xFFFFFFFE;  // Linux's EXT4_HTREE_EOF_32BIT, which no name has

/// A word of up to four bytes, the first of them on top, below what is left of `pad`. Characters
/// are added with their sign, which is why there are two of each kind of hash.
std::uint32_t signed_word(const unsigned char* bytes, std::size_t count, std::uint32_t pad) {
  std::uint32_t value = pad;
  for (std::size_t i = 0; i < count; ++i) {
    value = static_cast<std::uint32_t>(static_cast<signed char>(bytes[i])) + (value << 8U);
  }
  return value;
}

std::uint32_t unsigned_word(const unsigned char* bytes, std::size_t count, std::uint32_t pad) {
  std::uint32_t value = pad;
  for (std::size_t i = 0; i < count; ++i) value = bytes[i] | value << 8U;
  return value;
}

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U |
         std::uint32_t{bytes[2]} << 8U | bytes[3];
}

/// The first `count` words of a name, filled up with its length.
void fill_words(std::string_view name, bool is_signed, std::size_t count, Words& words) {
  const std::uint32_t pad = static_cast<std::uint32_t>(name.size()) * 0x01010101U;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(name.data());
  const std::size_t whole = std::min(name.size() / 4, count);
  for (std::size_t word = 0; word < whole; ++word) {
    words[word] = big_endian(bytes + 4 * word);
    // The sign matters to bytes beyond ASCII only.
    if (is_signed && (words[word] & 0x80808080U) != 0) {
      words[word] = signed_word(bytes + 4 * word, 4, pad);
    }
  }
  if (whole == count) return;
  const std::size_t rest = name.size() % 4;
  const unsigned char* const last = bytes + 4 * whole;
  words[whole] = is_signed ? signed_word(last, rest, pad) : unsigned_word(last, rest, pad);
  for (std::size_t word = whole + 1; word < count; ++word) words[word] = pad;
}

void mix_half_md4(HashState& state, const Words& in) {
  // Not bound by one declaration: clang 14 lets no lambda capture those.
  std::uint32_t a = state[0];
  std::uint32_t b = state[1];
  std::uint32_t c = state[2];
  std::uint32_t d = state[3];
  const auto select = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return z ^ (x & (y ^ z));
  };
  const auto majority = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return (x & y) + ((x ^ y) & z);
  };
  const auto parity = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x ^ y ^ z; };
  const auto four_steps = [&](auto combine, std::uint32_t added, const std::array<int, 4>& shifts,
                              const std::array<std::size_t, 4>& order) {
    a = std::rotl(a + combine(b, c, d) + in[order[0]] + added, shifts[0]);
    d = std::rotl(d + combine(a, b, c) + in[order[1]] + added, shifts[1]);
    c = std::rotl(c + combine(d, a, b) + in[order[2]] + added, shifts[2]);
    b = std::rotl(b + combine(c, d, a) + in[order[3]] + added, shifts[3]);
  };
  four_steps(select, 0, {3, 7, 11, 19}, {0, 1, 2, 3});
  four_steps(select, 0, {3, 7, 11, 19}, {4, 5, 6, 7});
  four_steps(majority, 0x5A827999, {3, 5, 9, 13}, {1, 3, 5, 7});
  four_steps(majority, 0x5A827999, {3, 5, 9, 13}, {0, 2, 4, 6});
  four_steps(parity, 0x6ED9EBA1, {3, 9, 11, 15}, {3, 7, 2, 6});
  four_steps(parity, 0x6ED9EBA1, {3, 9, 11, 15}, {1, 5, 0, 4});
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

void mix_tea(HashState& state, const Words& in) {
  std::uint32_t sum = 0;
  std::uint32_t b0 = state[0];
  std::uint32_t b1 = state[1];
  for (int round = 0; round < 16; ++round) {
    sum += 0x9E3779B9;
    b0 += ((b1 << 4U) + in[0]) ^ (b1 + sum) ^ ((b1 >> 5U) + in[1]);
    b1 += ((b0 << 4U) + in[2]) ^ (b0 + sum) ^ ((b0 >> 5U) + in[3]);
  }
  state[0] += b0;
  state[1] += b1;
}

std::uint32_t legacy_hash(std::string_view name, bool is_signed) {
  std::uint32_t hash = 0;
  std::uint32_t one = 0x12A3FE2D;
  std::uint32_t other = 0x37ABE8F9;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const std::uint32_t value =
        is_signed ? static_cast<std::uint32_t>(static_cast<signed char>(byte)) : byte;
    hash = other + (one ^ (value * 7152373U));
    if ((hash & 0x80000000U) != 0) hash -= 0x7FFFFFFF;
    other = one;
    one = hash;
  }
  return one << 1U;
}

/// A table of hashes, whose first entry has the counts instead of a hash; `above` is what it leads
/// to together. (That counts fit into the block was checked with its checksum.)
bool decode_table(Bytes block, std::size_t table_at, const HashRange& above, bool to_leaves,
                  std::vector<HashRange>& below) {
  const unsigned char* const table = block.data() + table_at;
  const std::size_t count = le16(table + offsetof(ext2_dx_countlimit, count));
  if (count == 0 || count > (block.size() - table_at) / sizeof(ext2_dx_entry)) return false;
  const std::size_t first = below.size();
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned char* const entry = table + i * sizeof(ext2_dx_entry);
    HashRange range = above;
    range.is_leaf = to_leaves;
    range.block = le32(entry + offsetof(ext2_dx_entry, block)) & 0x0FFFFFFF;
    if (i > 0) {
      range.begin = le32(entry + offsetof(ext2_dx_entry, hash));
      HashRange& before = below.back();
      if (range.begin <= before.begin || range.begin >= above.end) return false;
      before.end = range.begin;
    }
    below.push_back(range);
  }
  return below.size() > first;
}

}  // namespace

std::uint32_t hash_of_name(const NameHash& kind, std::string_view name) {
  if (kind.version == EXT2_HASH_LEGACY) return legacy_hash(name, kind.is_signed) & ~1U;
  HashState state = kind.seed;
  const bool tea = kind.version == EXT2_HASH_TEA;
  const std::size_t words = tea ? 4 : 8;
  Words in{};
  for (; !name.empty(); name.remove_prefix(std::min(name.size(), words * 4))) {
    fill_words(name, kind.is_signed, words, in);
    tea ? mix_tea(state, in) : mix_half_md4(state, in);
  }
  const std::uint32_t hash = (tea ? state[0] : state[1]) & ~1U;
  return hash == last_hash ? last_hash - 2 : hash;
}

bool decode_hash_root(const Geometry& geometry, Bytes block, NameHash& kind, std::uint32_t& levels,
                      std::vector<HashRange>& below) {
  const unsigned char* const info = block.data() + root_info_at;
  kind.version = info[offsetof(ext2_dx_root_info, hash_version)];
  levels = info[offsetof(ext2_dx_root_info, indirect_levels)];
  kind.seed = geometry.hash_seed;
  kind.is_signed = geometry.signed_hashes;
  const bool known = kind.version == EXT2_HASH_LEGACY || kind.version == EXT2_HASH_HALF_MD4 ||
                     kind.version == EXT2_HASH_TEA;
  if (!known || !geometry.hashes_known ||
      (info[offsetof(ext2_dx_root_info, unused_flags)] & 1U) != 0 ||
      levels > (geometry.large_directories ? 2U : 1U)) {
    return false;
  }
  return decode_table(block, root_table_at, {.end = std::uint64_t{1} << 32U}, levels == 0, below);
}

bool decode_hash_node(Bytes block, const HashRange& above, bool to_leaves,
                      std::vector<HashRange>& below) {
  return is_hash_node(block) && decode_table(block, node_table_at, above, to_leaves, below);
}

bool is_hash_node(Bytes block) {
  return block.size() > node_table_at && le32(block.data()) == 0 &&
         le16(block.data() + offsetof(ext2_dir_entry_2, rec_len)) == (block.size() & 0xFFFFU);
}

}  // namespace ffind::os::ext
