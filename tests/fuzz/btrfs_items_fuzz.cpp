// SPDX-License-Identifier: MIT
// Decoders of btrfs' items. Whatever a search hands out, what they show lies in it and is what the
// walk may be given. The first byte says how many items there are said to be.
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "fuzz.h"
#include "os/devices/btrfs/items.h"

namespace ffind::fuzz::btrfs_items_fuzz {

using namespace os::btrfs;

namespace {

bool lies_in(Bytes all, const void* begin, std::size_t size) {
  const auto* const at = static_cast<const unsigned char*>(begin);
  return size == 0 || (at >= all.data() && at + size <= all.data() + all.size());
}

void check_names(Bytes bytes) {
  Names names(bytes);
  Name name;
  std::size_t room = bytes.size();
  while (names.next(name)) {
    require(lies_in(bytes, name.text.data(), name.text.size()), "a name lies in its item");
    require(room >= name.text.size() + 30, "names do not overlap");
    room -= name.text.size() + 30;
    if (name.is_encrypted) continue;
    require(!name.text.empty() && name.text.size() <= 255, "a name has the length of one");
    require(name.text.find('/') == std::string_view::npos &&
                name.text.find('\0') == std::string_view::npos,
            "a name is one component");
    require(name.text != "." && name.text != "..", "no name is one of dots");
  }
  require(!names.next(name), "the end is the end");
}

}  // namespace

FUZZ_TARGET(btrfs_items) {
  Input input(data, size);
  const auto count = input.take<std::uint8_t>();
  const Bytes results(input.data(), input.size());
  Items items(results, count);
  Item item;
  std::size_t found = 0;
  while (items.next(item)) {
    ++found;
    require(lies_in(results, item.bytes.data(), item.bytes.size()), "an item lies in the results");
    require(items.used() <= results.size(), "no more is used than there is");
    const Key next = next_key(item.key);
    const auto order = [](const Key& key) {
      return std::tuple(key.objectid, key.type, key.offset);
    };
    require(item.key.type > 255 || item.key.objectid == UINT64_MAX || order(next) > order(item.key),
            "the next key is greater");
    check_names(item.bytes);
    require(count_references(item.bytes) * 10 <= item.bytes.size(), "references do not overlap");
    require(size_of_inode(item.bytes) == 0 || item.bytes.size() >= 160, "an inode is whole");
  }
  require(found == count || items.cut_short(), "what is missing is told");
  require(!items.next(item), "the end is the end");
  return 0;
}

}  // namespace ffind::fuzz::btrfs_items_fuzz
