// SPDX-License-Identifier: MIT
// Fuzzes the reader of directory entries in getdents64's layout. Input: a byte that is even before
// what a kernel may have written, and odd before what is to be packed: a type, traits, what is
// known, and a name up to a NUL, again and again.
#include <string>
#include <vector>

#include "fuzz/fuzz.h"
#include "os/dirent_block.h"

namespace ffind::fuzz::dirent_block_fuzz {

namespace {

using namespace os;

void check_written(const Input& input) {
  DirentBlock block;
  const std::size_t size = std::min(input.size(), DirentBlock::capacity);
  if (size != 0) std::memcpy(block.data(), input.data(), size);
  block.filled(size);
  block.last_offset();
  const char* const begin = reinterpret_cast<const char*>(block.data());
  Dirent dirent;
  std::size_t entries = 0;
  while (block.next(dirent)) {
    require(++entries <= size / 20, "every entry has a length");
    require(dirent.name.data() > begin && dirent.name.data() + dirent.name.size() < begin + size,
            "a name and the NUL behind it lie in the block");
    require(dirent.name.data()[dirent.name.size()] == '\0', "a NUL follows the name");
    require(dirent.name != "." && dirent.name != "..", "no entry is one of dots");
    require(dirent.known == needs::none && dirent.metadata == nullptr, "a kernel tells no more");
  }
  require(!block.next(dirent), "the end is the end");
}

struct Packed {
  std::string name;
  FileType type;
  Traits traits;
  Needs known;
};

void check_packed(Input input) {
  DirentBlock block;
  std::vector<Packed> all;
  while (!input.empty()) {
    Packed packed;
    packed.type = static_cast<FileType>(input.take<std::uint8_t>() & 7U);
    packed.traits = input.take<std::uint8_t>() & 0xF0U;
    packed.known = input.take<std::uint8_t>();
    packed.name = input.take_until('\0').substr(0, 255);
    if (packed.name.empty() || packed.name == "." || packed.name == "..") continue;
    Metadata metadata{};
    metadata.size = all.size();
    if (!block.append(packed.name, all.size(), packed.type, &metadata, packed.known,
                      packed.traits)) {
      require(block.crowded(), "what does not fit finds the block full");
      break;
    }
    all.push_back(packed);
  }
  Dirent dirent;
  for (std::size_t i = 0; i < all.size(); ++i) {
    require(block.next(dirent), "all that was packed is there");
    require(dirent.name == all[i].name && dirent.inode == i && dirent.type == all[i].type &&
                dirent.traits == all[i].traits && dirent.known == all[i].known,
            "what was packed is read");
    require((dirent.metadata != nullptr) == (all[i].known != needs::none),
            "metadata is there when something of it is known");
    require(dirent.metadata == nullptr || dirent.metadata->size == i, "it is the entry's own");
  }
  require(!block.next(dirent), "nothing else is there");
}

}  // namespace

FUZZ_TARGET(dirent_block) {
  Input input(data, size);
  if ((input.take<std::uint8_t>() & 1U) != 0) {
    check_packed(input);
  } else {
    check_written(input);
  }
  return 0;
}

}  // namespace ffind::fuzz::dirent_block_fuzz
