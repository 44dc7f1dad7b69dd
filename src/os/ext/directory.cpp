// SPDX-License-Identifier: MIT
// Directories of ext4: checks and decodes their blocks. The rules are those of Linux's
// ext4_check_dir_entry; besides, a name must be one that the kernel would return. Every block of
// every directory passes through here.
//
// A block is a row of entries {inode, length, length of the name, type, name} that fill it; the
// last is a fake entry with the checksum. Directories of several blocks are indexed by a tree over
// the hashes of names, in blocks that old kernels take for unused entries:
//
//     block 0, the root        ".", "..", kind of hash, levels, then a table: hash -> block
//        block 7, a node       (none or one level) one unused entry that covers it, then a table
//           block 3, a leaf    an ordinary block of the directory
//
// The kernel lists such a directory leaf by leaf, in the order of the tables, and leaves out names
// that belong before a leaf; it finds a name only in the leaf that its hash leads to. So reading
// the blocks in sequence lists the directory only if the tables lead to each block once, and each
// leaf has names of its range of hashes only.
#include <ext2fs/ext2_fs.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "os/ext/crc32c.h"
#include "os/ext/layout.h"
#include "os/formats/endian.h"

namespace ffind::os::ext {

namespace {

constexpr std::size_t name_at = offsetof(ext2_dir_entry_2, name);
constexpr std::size_t least_entry = 12;  // one with a name of one byte
// Places of hash tables: in nodes after an unused entry, in the root after "." and "..".
constexpr std::size_t node_table_at = name_at;
constexpr std::size_t root_info_at = 2 * least_entry;
constexpr std::size_t root_table_at = root_info_at + sizeof(ext2_dx_root_info);
constexpr std::size_t tail_size = sizeof(ext2_dir_entry_tail);
constexpr unsigned char tail_type = EXT2_DIR_NAME_LEN_CSUM >> 8U;

/// An entry as it is on the disk.
struct RawEntry {
  std::size_t length = 0;
  std::uint32_t inode = 0;  ///< 0: not used
  std::uint8_t name_length = 0;
  std::uint8_t type = 0;
};

/// Lengths have 16 bits: 0 and 0xFFFF stand for an entry that fills a block of 64 KiB.
inline std::size_t entry_length(std::uint16_t written, std::size_t size) {
  constexpr std::size_t largest = EXT2_MAX_BLOCK_SIZE;
  return size == largest && (written == 0 || written == 0xFFFF) ? largest : written;
}

/// False if the length is too small or leads out of the block, or the name is longer.
inline bool read_entry(Bytes bytes, std::size_t at, std::size_t end, RawEntry& entry) {
  if (end - at < least_entry) return false;
  const unsigned char* const record = bytes.data() + at;
  entry.inode = le32(record);
  entry.length = entry_length(le16(record + offsetof(ext2_dir_entry_2, rec_len)), bytes.size());
  entry.name_length = record[offsetof(ext2_dir_entry_2, name_len)];
  entry.type = record[offsetof(ext2_dir_entry_2, file_type)];
  const std::size_t least = std::max(name_at + entry.name_length, least_entry);
  return entry.length >= least && entry.length % EXT2_DIR_PAD == 0 && entry.length <= end - at;
}

/// Whether one of eight bytes is NUL or a slash. (Subtracting 1 from each byte sets the highest bit
/// of those that were zero; bytes that had it set are masked out.)
inline bool has_foreign_byte(std::uint64_t word) {
  constexpr std::uint64_t each = 0x0101010101010101;
  const std::uint64_t slashes = word ^ each * '/';
  return ((((word - each) & ~word) | ((slashes - each) & ~slashes)) & each * 0x80) != 0;
}

/// True if the kernel would return the name. Reads eight bytes at a time, of which the last ones
/// may be in the checksum's entry, after the name.
inline bool is_name(const unsigned char* name, std::size_t length) {
  if (length == 0) return false;
  for (; length > 8; length -= 8, name += 8) {
    if (has_foreign_byte(le64(name))) return false;
  }
  const std::uint64_t padding = length == 8 ? 0 : ~std::uint64_t{0} << 8 * length;
  return !has_foreign_byte(le64(name) | padding);
}

/// True if valid entries fill `bytes` up to `end`, which 8 bytes follow at least.
bool check_entries(const Geometry& geometry, Bytes bytes, std::size_t end) {
  RawEntry entry;
  for (std::size_t at = 0; at < end; at += entry.length) {
    if (!read_entry(bytes, at, end, entry)) return false;
    if (entry.inode == 0) continue;
    if (entry.inode > geometry.inodes) return false;
    if (!is_name(bytes.data() + at + name_at, entry.name_length)) return false;
  }
  return true;
}

/// Ordinary blocks end with an unused entry that contains the checksum.
bool has_right_tail(Bytes block, std::uint32_t seed) {
  const std::size_t at = block.size() - tail_size;
  const unsigned char* const tail = block.data() + at;
  return le32(tail + offsetof(ext2_dir_entry_tail, det_reserved_zero1)) == 0 &&
         le16(tail + offsetof(ext2_dir_entry_tail, det_rec_len)) == tail_size &&
         tail[offsetof(ext2_dir_entry_2, name_len)] == 0 &&
         tail[offsetof(ext2_dir_entry_2, file_type)] == tail_type &&
         le32(tail + offsetof(ext2_dir_entry_tail, det_checksum)) == crc32c(seed, block.first(at));
}

/// A block of the hash tree is an unused entry, or "." and "..", that cover the block; inside, from
/// `hashes_at` on, is a table. Its first entry has the capacity and the number of entries. The
/// checksum follows the last possible entry, and leaves out the unused ones.
bool has_right_hash_tail(Bytes block, std::size_t hashes_at, std::uint32_t seed) {
  const unsigned char* const counts = block.data() + hashes_at;
  const std::size_t limit = le16(counts + offsetof(ext2_dx_countlimit, limit));
  const std::size_t count = le16(counts + offsetof(ext2_dx_countlimit, count));
  const std::size_t tail = block.size() - sizeof(ext2_dx_tail);
  // The capacity follows from the size of a block, so any other number is damage.
  if (limit != (tail - hashes_at) / sizeof(ext2_dx_entry) || count == 0 || count > limit) {
    return false;
  }
  constexpr std::size_t checksum_at = offsetof(ext2_dx_tail, dt_checksum);
  constexpr std::array<unsigned char, 4> zeros{};
  std::uint32_t crc = crc32c(seed, block.first(hashes_at + count * sizeof(ext2_dx_entry)));
  crc = crc32c(crc, block.subspan(tail, checksum_at));
  return crc32c(crc, zeros) == le32(block.data() + tail + checksum_at);
}

/// Checks the root of the hash tree: "..", its second entry, covers the rest of the block.
bool check_hash_root(const Geometry& geometry, Bytes block, std::uint32_t seed) {
  const unsigned char* const info = block.data() + root_info_at;
  const Dots known = dots_of(block);
  RawEntry dots;
  return read_entry(block, 0, block.size(), dots) && dots.length == least_entry &&
         read_entry(block, least_entry, block.size(), dots) &&
         dots.length == block.size() - least_entry &&
         le32(info + offsetof(ext2_dx_root_info, reserved_zero)) == 0 &&
         info[offsetof(ext2_dx_root_info, info_length)] == sizeof(ext2_dx_root_info) &&
         has_right_hash_tail(block, root_table_at, seed) && known.self != 0 &&
         known.self <= geometry.inodes && known.parent != 0 && known.parent <= geometry.inodes;
}

FileType type_of_number(std::uint8_t number) {
  constexpr std::array<FileType, EXT2_FT_MAX> types = {
      FileType::unknown, FileType::file, FileType::directory, FileType::character,
      FileType::block,   FileType::fifo, FileType::socket,    FileType::symlink};
  return number < types.size() ? types[number] : FileType::unknown;
}

inline bool is_dots(const unsigned char* name, std::size_t length) {
  return name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
}

/// Calls `function` with each name of a sound block, except "." and "..".
template <typename Function>
inline void for_each_name(Bytes block, Function function) {
  RawEntry entry;
  for (std::size_t at = 0; at < block.size() && read_entry(block, at, block.size(), entry);
       at += entry.length) {
    const unsigned char* const name = block.data() + at + name_at;
    if (entry.inode == 0 || entry.name_length == 0 || is_dots(name, entry.name_length)) continue;
    function(std::string_view(reinterpret_cast<const char*>(name), entry.name_length));
  }
}

/// Returns a hash for finding equal names. Takes 8 bytes at a time.
std::uint64_t hash_to_compare(std::string_view name) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
  std::uint64_t hash = name.size() * odd;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * odd;
    hash ^= hash >> 29U;
  };
  const auto* bytes = reinterpret_cast<const unsigned char*>(name.data());
  std::size_t left = name.size();
  for (; left >= 8; left -= 8, bytes += 8) mix(le64(bytes));
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < left; ++i) last |= std::uint64_t{bytes[i]} << 8 * i;
  mix(last);
  return hash * odd;
}

}  // namespace

bool is_sound_block(const Geometry& geometry, const Inode& directory, std::uint64_t logical,
                    std::uint32_t seed, Bytes block) {
  if (block.size() != geometry.block_size || block.size() < EXT2_MIN_BLOCK_SIZE) return false;
  if (directory.is_indexed() && logical == 0) return check_hash_root(geometry, block, seed);
  RawEntry first;
  if (directory.is_indexed() && read_entry(block, 0, block.size(), first) &&
      first.length == block.size()) {
    // Ordinary blocks have two entries at least: the last is that of the checksum.
    return first.inode == 0 && has_right_hash_tail(block, node_table_at, seed);
  }
  return has_right_tail(block, seed) && check_entries(geometry, block, block.size() - tail_size);
}

bool add_leaf_hashes(const Geometry& geometry, const HashRange& leaf, Bytes block,
                     std::vector<std::uint32_t>& hashes) {
  bool right = true;
  for_each_name(block, [&](std::string_view name) {
    const std::uint32_t hash = hash_of_name(geometry, name);
    right = right && leaf.has(hash);
    hashes.push_back(hash);
  });
  return right;
}

void add_names(Bytes block, std::vector<std::string_view>& names) {
  for_each_name(block, [&](std::string_view name) { names.push_back(name); });
}

void add_hashes(Bytes block, std::vector<std::uint32_t>& hashes) {
  for_each_name(block, [&](std::string_view name) {
    hashes.push_back(static_cast<std::uint32_t>(hash_to_compare(name) >> 32U));
  });
}

Dots dots_of(Bytes first_block) {
  Dots dots;
  RawEntry entry;
  std::size_t at = 0;
  for (int i = 0; i < 2 && read_entry(first_block, at, first_block.size(), entry); ++i) {
    const unsigned char* const name = first_block.data() + at + name_at;
    if (is_dots(name, entry.name_length)) {
      (entry.name_length == 1 ? dots.self : dots.parent) = entry.inode;
    }
    at += entry.length;
  }
  return dots;
}

// An entry with inode 0 is unused: deleted as the first of a block. Linux deletes others by making
// the entry before them longer.
bool pack_entries(Bytes block, std::size_t& position, DirentBlock& packed) {
  RawEntry entry;
  for (; position < block.size(); position += entry.length) {
    if (!read_entry(block, position, block.size(), entry)) break;
    if (entry.inode == 0 || entry.name_length == 0) continue;
    const unsigned char* const name = block.data() + position + name_at;
    if (is_dots(name, entry.name_length)) continue;
    if (!packed.append({reinterpret_cast<const char*>(name), entry.name_length}, entry.inode,
                       type_of_number(entry.type))) {
      return false;
    }
  }
  position = block.size();
  return true;
}

// Hash trees

namespace {

using Words = std::array<std::uint32_t, 8>;
using HashState = std::array<std::uint32_t, 4>;

constexpr std::uint32_t last_hash = 0xFFFFFFFE;  // Linux's EXT4_HTREE_EOF_32BIT, which no name has

/// A word of up to four bytes, the first of them on top, filled up with `pad`. Characters are added
/// with or without their sign.
std::uint32_t word_of(const unsigned char* bytes, std::size_t count, std::uint32_t pad,
                      bool is_signed) {
  std::uint32_t value = pad;
  for (std::size_t i = 0; i < count; ++i) {
    const int character = is_signed ? static_cast<signed char>(bytes[i]) : bytes[i];
    value = static_cast<std::uint32_t>(character) + (value << 8U);
  }
  return value;
}

/// The first words of a name, padded with its length.
void fill_words(std::string_view name, bool is_signed, Words& words) {
  constexpr std::size_t count = std::tuple_size_v<Words>;
  const std::uint32_t pad = static_cast<std::uint32_t>(name.size()) * 0x01010101U;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(name.data());
  const std::size_t whole = std::min(name.size() / 4, count);
  for (std::size_t word = 0; word < whole; ++word) {
    words[word] = be32(name, 4 * word);
    // The sign matters for bytes beyond ASCII only.
    if (is_signed && (words[word] & 0x80808080U) != 0) {
      words[word] = word_of(bytes + 4 * word, 4, pad, true);
    }
  }
  if (whole == count) return;
  words[whole] = word_of(bytes + 4 * whole, name.size() % 4, pad, is_signed);
  for (std::size_t word = whole + 1; word < count; ++word) words[word] = pad;
}

/// Three rounds of eight steps, as half_md4_transform of fs/ext4/hash.c.
void mix_half_md4(HashState& state, const Words& in) {
  // No structured binding: with clang 14 a lambda cannot capture one.
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

/// Decodes a table of hashes, whose first entry has the counts instead of a hash. `above`: the
/// range of all its branches. (The checksum has shown that the counts fit into the block.)
bool decode_table(Bytes block, std::size_t table_at, const HashRange& above, bool to_leaves,
                  std::vector<HashRange>& below) {
  const unsigned char* const table = block.data() + table_at;
  const std::size_t count = le16(table + offsetof(ext2_dx_countlimit, count));
  if (count == 0 || count > (block.size() - table_at) / sizeof(ext2_dx_entry)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned char* const entry = table + i * sizeof(ext2_dx_entry);
    HashRange range = above;
    range.is_leaf = to_leaves;
    // Linux takes 28 bits as the number of a block.
    range.block = le32(entry + offsetof(ext2_dx_entry, block)) & 0x0FFFFFFF;
    if (i > 0) {
      range.begin = le32(entry + offsetof(ext2_dx_entry, hash));
      HashRange& before = below.back();
      if (range.begin <= before.begin || range.begin >= above.end) return false;
      before.end = range.begin;
    }
    below.push_back(range);
  }
  return true;
}

}  // namespace

// Hashes are even: the lowest bit of a table's entry marks names that continue from the block
// before. A name whose hash would be the end mark gets the one below it.
std::uint32_t hash_of_name(const Geometry& geometry, std::string_view name) {
  HashState state = geometry.hash_seed;
  Words in{};
  for (; !name.empty(); name.remove_prefix(std::min(name.size(), sizeof in))) {
    fill_words(name, geometry.signed_hashes, in);
    mix_half_md4(state, in);
  }
  const std::uint32_t hash = state[1] & ~1U;
  return hash == last_hash ? last_hash - 2 : hash;
}

// Refuses other kinds of hashes, such as SipHash, which needs the key of an encrypted directory.
bool decode_hash_root(const Geometry& geometry, Bytes block, std::vector<HashRange>& below) {
  const unsigned char* const info = block.data() + root_info_at;
  const unsigned levels = info[offsetof(ext2_dx_root_info, indirect_levels)];
  if (info[offsetof(ext2_dx_root_info, hash_version)] != EXT2_HASH_HALF_MD4 ||
      !geometry.hashes_known || (info[offsetof(ext2_dx_root_info, unused_flags)] & 1U) != 0 ||
      levels > 1) {
    return false;
  }
  return decode_table(block, root_table_at, {.end = std::uint64_t{1} << 32U}, levels == 0, below);
}

bool decode_hash_node(Bytes block, const HashRange& above, std::vector<HashRange>& below) {
  return is_hash_node(block) && decode_table(block, node_table_at, above, true, below);
}

bool is_hash_node(Bytes block) {
  return block.size() > node_table_at && le32(block.data()) == 0 &&
         le16(block.data() + offsetof(ext2_dir_entry_2, rec_len)) == (block.size() & 0xFFFFU);
}

}  // namespace ffind::os::ext
