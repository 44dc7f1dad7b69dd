// SPDX-License-Identifier: MIT
// Fuzzes nodes of ext4's extent trees. Input: features of the volume (fuzz/ext.h), a byte of bits
// (2: the right checksum), depth, the first block of the
// file below the node, how many follow, and the block.
#include "fuzz/ext.h"

namespace ffind::fuzz::ext_map_node_fuzz {

namespace {

using namespace os::ext;

constexpr std::uint32_t seed = 0x87654321;

}  // namespace

FUZZ_TARGET(ext_map_node) {
  Input input(data, size);
  const Geometry geometry = ext_volume(input.take<std::uint8_t>());
  const auto bits = input.take<std::uint8_t>();
  MapNode node;
  node.physical = 1000;
  node.depth = input.take<std::uint8_t>() % 5;
  node.logical = input.take<std::uint32_t>();
  node.end = node.logical + input.take<std::uint32_t>();
  std::vector<unsigned char> bytes = bytes_of(input, geometry.block_size);
  if ((bits & 2U) != 0) {
    const std::size_t most = bytes[4] + 256U * bytes[5];
    const std::size_t tail = 12 + 12 * most;
    if (tail + 4 <= bytes.size()) {
      put_le32(&bytes[tail], os::crc32c(seed, Bytes(bytes).first(tail)));
    }
  }
  MapPart part;
  for (const std::uint64_t limit : {std::uint64_t{UINT32_MAX}, node.logical + 20}) {
    if (!decode_map_node(geometry, node, bytes, seed, limit, part)) continue;
    require_rising(geometry, part, node.logical, std::min(node.end, limit));
    require(node.depth == 0 ? part.nodes.empty() : part.runs.empty(), "leaves hold runs");
    for (const MapNode& below : part.nodes) require(below.depth + 1 == node.depth, "depths fall");
  }
  const Bytes most = Bytes(bytes).first(bytes.size() - 1);
  require(!decode_map_node(geometry, node, most, seed, UINT32_MAX, part), "half a node is none");
  return 0;
}

}  // namespace ffind::fuzz::ext_map_node_fuzz
