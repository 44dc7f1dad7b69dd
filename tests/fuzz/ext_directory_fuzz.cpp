// SPDX-License-Identifier: MIT
// Fuzzes blocks of ext4's directories against a reader that takes one rule after the other. Input:
// features of the volume (fuzz/ext.h), a byte of bits (1: indexed, 2: the first block, 4: the right
// checksum), and the block.
#include <string>

#include "fuzz/ext.h"

namespace ffind::fuzz::ext_directory_fuzz {

namespace {

using namespace os;
using namespace os::ext;

constexpr std::uint32_t index_flag = 0x1000;
constexpr std::uint32_t seed = 0x87654321;

struct Plain {
  std::string name;
  std::uint64_t inode;
  FileType type;
};

/// False when the entries up to `end` are not sound; `entries` are those that are used.
bool read_plainly(const Geometry& geometry, const std::vector<unsigned char>& bytes,
                  std::size_t end, std::vector<Plain>& entries) {
  constexpr FileType types[] = {FileType::unknown,   FileType::file,   FileType::directory,
                                FileType::character, FileType::block,  FileType::fifo,
                                FileType::socket,    FileType::symlink};
  std::size_t at = 0;
  while (at != end) {
    if (end - at < 12) return false;
    std::uint64_t inode = 0;
    for (std::size_t i = 4; i-- > 0;) inode = inode << 8U | bytes[at + i];
    const std::size_t length = bytes[at + 4] + 256U * bytes[at + 5];
    const std::size_t name = bytes[at + 6];
    if (length % 4 != 0 || length < 12 || length < 8 + name || length > end - at) return false;
    if (inode != 0) {
      const std::string text(bytes.begin() + static_cast<std::ptrdiff_t>(at + 8),
                             bytes.begin() + static_cast<std::ptrdiff_t>(at + 8 + name));
      if (inode > geometry.inodes || text.empty()) return false;
      if (text.find('/') != text.npos || text.find('\0') != text.npos) return false;
      const FileType type = bytes[at + 7] < 8 ? types[bytes[at + 7]] : FileType::unknown;
      entries.push_back({text, inode, type});
    }
    at += length;
  }
  return true;
}

/// Packs into blocks that are nearly full, so that every entry is also one that does not fit.
void check_packed(ext::Bytes bytes, const std::vector<Plain>& entries) {
  const std::string filler(255, 'x');
  DirentBlock packed;
  std::size_t position = 0;
  std::size_t found = 0;
  for (bool done = false; !done;) {
    packed.clear();
    while (packed.append(filler, 1, FileType::file)) {
      if (packed.size() + 700 > DirentBlock::capacity) break;
    }
    const std::size_t before = found;
    done = pack_entries(bytes, position, packed);
    Dirent dirent;
    while (packed.next(dirent)) {
      if (dirent.name == filler) continue;
      while (found < entries.size() && (entries[found].name == "." || entries[found].name == ".." ||
                                        entries[found].name == filler)) {
        ++found;
      }
      require(found < entries.size(), "no more than there are");
      require(dirent.name == entries[found].name && dirent.inode == entries[found].inode &&
                  dirent.type == entries[found].type,
              "entries are packed as they are");
      ++found;
    }
    require(done || found > before || entries.size() > before, "packing goes on");
  }
  while (found < entries.size() && (entries[found].name == "." || entries[found].name == ".." ||
                                    entries[found].name == filler)) {
    ++found;
  }
  require(found == entries.size(), "all are packed");
}

void put_tail(std::vector<unsigned char>& bytes, bool indexed, bool root) {
  const std::size_t length = bytes[4] + 256U * bytes[5];
  if (indexed && (root || length == bytes.size())) {
    const std::size_t hashes = root ? 32 : 8;
    const std::size_t count = bytes[hashes + 2] + 256U * bytes[hashes + 3];
    const std::size_t tail = bytes.size() - 8;
    put_le16(&bytes[hashes], static_cast<std::uint32_t>((tail - hashes) / 8));
    if (hashes + count * 8 > tail) return;
    std::vector<unsigned char> covered(
        bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(hashes + count * 8));
    covered.insert(covered.end(), bytes.end() - 8, bytes.end() - 4);
    covered.resize(covered.size() + 4);
    put_le32(&bytes[tail + 4], crc32c_by_tables(seed, covered));
  } else {
    unsigned char* const tail = &bytes[bytes.size() - 12];
    put_le32(tail, 0);
    put_le32(tail + 4, 0xDE00000C);
    put_le32(tail + 8, crc32c_by_tables(seed, ext::Bytes(bytes).first(bytes.size() - 12)));
  }
}

void check_block(const Geometry& geometry, std::uint8_t bits, const Input& input) {
  std::vector<unsigned char> bytes = bytes_of(input, geometry.block_size);
  Inode inode;
  const bool indexed = (bits & 1U) != 0;
  const std::uint64_t logical = (bits & 2U) != 0 ? 0 : 7;
  inode.flags = indexed ? index_flag : 0;
  const bool repaired = (bits & 4U) != 0;
  if (repaired) put_tail(bytes, indexed, logical == 0);

  dots_of(bytes);
  const bool sound = is_sound_block(geometry, inode, logical, seed, bytes);
  const std::size_t length = bytes[4] + 256U * bytes[5];
  const bool is_hashes = indexed && (logical == 0 || length == bytes.size());
  std::vector<Plain> entries;
  const bool plain = read_plainly(geometry, bytes, bytes.size() - (is_hashes ? 0 : 12), entries);
  require(!sound || plain, "what is sound is plainly so");
  require(sound || !plain || is_hashes || !repaired, "what is plainly sound is so");
  if (sound) {
    check_packed(bytes, entries);
  } else {
    DirentBlock packed;
    std::size_t position = 0;
    require(pack_entries(bytes, position, packed), "a block has room for another");
  }
}

}  // namespace

FUZZ_TARGET(ext_directory) {
  Input input(data, size);
  const Geometry geometry = ext_volume(input.take<std::uint8_t>());
  const auto bits = input.take<std::uint8_t>();
  check_block(geometry, bits, input);
  return 0;
}

}  // namespace ffind::fuzz::ext_directory_fuzz
