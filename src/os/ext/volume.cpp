// SPDX-License-Identifier: MIT
// Access to a volume's device: reading it with and without waiting for the disk, the position of an
// inode, the blocks of a map, and the blocks that no file may claim.
//
// All reads go through the page cache of the block device, in which the mounted file system keeps
// its own metadata; O_DIRECT would show what the disk has instead.
//
// The blocks that the volume keeps for itself are loaded once, on the first request: superblock and
// descriptors with their copies, bitmaps, inode tables, the journal. They are merged to sorted runs
// without overlaps, so a look-up is a binary search.
#include "os/ext/volume.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "os/posix/calls.h"

namespace ffind::os::ext {

Device::~Device() {
  ::close(fd_);
}

// pread, so that threads share the descriptor without a position.
bool Device::read(std::uint64_t offset, std::size_t size, unsigned char* into) const {
  while (size > 0) {
    const ssize_t count =
        uninterrupted([&] { return ::pread(fd_, into, size, static_cast<off_t>(offset)); });
    if (count <= 0) return false;
    offset += static_cast<std::size_t>(count);
    into += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// False also for a part of the bytes: RWF_NOWAIT returns those that are in memory up to the first
// that is not.
bool Device::read_if_cached(std::uint64_t offset, std::size_t size, unsigned char* into) const {
  if (!can_refuse_.load(std::memory_order_relaxed)) return read(offset, size, into);
  iovec where{into, size};
  const ssize_t count = ::preadv2(fd_, &where, 1, static_cast<off_t>(offset), RWF_NOWAIT);
  if (count == static_cast<ssize_t>(size)) return true;
  // Linux before 4.14 lacks the flag, and so do some device drivers.
  if (count < 0 && errno != EAGAIN) {
    if (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS) can_refuse_.store(false);
    return read(offset, size, into);
  }
  return false;
}

void Device::fetch(std::uint64_t offset, std::size_t size) const {
  ::posix_fadvise(fd_, static_cast<off_t>(offset), static_cast<off_t>(size), POSIX_FADV_WILLNEED);
}

bool follow_map(const Device& device, const Geometry& geometry, const Inode& inode,
                std::uint32_t seed, std::uint64_t limit, MapPart& part, std::vector<Run>& runs,
                bool& has_nodes) {
  runs.clear();
  part.runs.clear();
  part.nodes.clear();
  if (!decode_map(geometry, inode, limit, part)) return false;
  runs.swap(part.runs);
  has_nodes = !part.nodes.empty();
  if (!has_nodes) return !runs.empty();
  // A stack: the first node on top.
  std::vector<MapNode> nodes(part.nodes.rbegin(), part.nodes.rend());
  std::vector<unsigned char> block(geometry.block_size);
  while (!nodes.empty()) {
    const MapNode node = nodes.back();
    nodes.pop_back();
    if (!device.read(node.physical * geometry.block_size, block.size(), block.data())) {
      return false;
    }
    part.runs.clear();
    part.nodes.clear();
    if (!decode_map_node(geometry, inode, node, block, seed, limit, part)) return false;
    runs.insert(runs.end(), part.runs.begin(), part.runs.end());
    nodes.insert(nodes.end(), part.nodes.rbegin(), part.nodes.rend());
    // There cannot be more nodes than blocks.
    if (nodes.size() > limit || runs.size() > limit) return false;
  }
  return !runs.empty();
}

Volume::Volume(std::unique_ptr<Device> device, const Geometry& geometry, const TrustLimits& limits,
               std::uint64_t device_number)
    : device_(std::move(device)),
      geometry_(geometry),
      trust_limits_(limits),
      device_number_(device_number),
      tables_(geometry.groups) {}

// The table's position is loaded on the first request for its group.
std::uint64_t Volume::position_of_inode(std::uint64_t number) {
  std::uint32_t group = 0;
  std::uint64_t offset = 0;
  if (!locate_inode(geometry_, number, group, offset)) return 0;
  std::uint64_t table = tables_[group].load(std::memory_order_relaxed);
  if (table == 0) table = load_table(group);
  return table == 0 ? 0 : table * geometry_.block_size + offset;
}

bool Volume::are_for_files(const std::vector<Run>& runs) {
  if (runs.empty()) return true;
  std::call_once(system_runs_loaded_, [this] { load_system_runs(); });
  return std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
    if (run.physical <= geometry_.first_data_block || run.physical >= geometry_.blocks ||
        run.count > geometry_.blocks - run.physical) {
      return false;
    }
    // Neither the next run of the volume's own may begin in `run`, nor the one before end in it.
    const auto above = std::upper_bound(
        system_runs_.begin(), system_runs_.end(), run.physical,
        [](std::uint64_t block, const Run& system) { return block < system.physical; });
    if (above != system_runs_.end() && above->physical < run.physical + run.count) return false;
    if (above == system_runs_.begin()) return true;
    const Run& below = *std::prev(above);
    return below.physical + below.count <= run.physical;
  });
}

/// Reads all descriptors: 64 bytes for each 128 MiB, which the kernel keeps in memory while the
/// volume is mounted. If one cannot be read, the whole volume counts as its own, so that every
/// entry is left to the kernel.
void Volume::load_system_runs() {
  std::vector<unsigned char> block(geometry_.block_size);
  std::uint64_t in_block = 0;
  bool known = true;
  for (std::uint32_t group = 0; known && group < geometry_.groups; ++group) {
    const Position position = descriptor_position(geometry_, group);
    known = position.offset + geometry_.descriptor_size <= block.size();
    if (known && position.block != in_block) {
      known = device_->read(position.block * block.size(), block.size(), block.data());
      in_block = position.block;
    }
    if (!known) break;
    const Bytes descriptor = Bytes(block).subspan(position.offset, geometry_.descriptor_size);
    add_system_runs(geometry_, group, descriptor, system_runs_);
  }
  if (!known || !add_journal()) system_runs_ = {{.physical = 0, .count = geometry_.blocks}};
  std::sort(system_runs_.begin(), system_runs_.end(),
            [](const Run& a, const Run& b) { return a.physical < b.physical; });
  // Merges runs that overlap or touch.
  std::size_t kept = 0;
  for (const Run& run : system_runs_) {
    if (kept > 0) {
      Run& last = system_runs_[kept - 1];
      const std::uint64_t end = last.physical + last.count;
      if (run.physical <= end) {
        last.count = std::max(end, run.physical + run.count) - last.physical;
        continue;
      }
    }
    system_runs_[kept++] = run;
  }
  system_runs_.resize(kept);
  system_runs_.shrink_to_fit();
}

/// Adds the blocks of the journal, by its inode. False if its map cannot be followed.
bool Volume::add_journal() {
  if (geometry_.journal_inode == 0) return true;
  Geometry geometry = geometry_;
  geometry.first_inode = 1;  // the journal's is a reserved one
  std::uint32_t group = 0;
  std::uint64_t offset = 0;
  if (!locate_inode(geometry, geometry.journal_inode, group, offset)) return false;
  const std::uint64_t table = load_table(group);
  std::vector<unsigned char> bytes(geometry.inode_size);
  Inode inode;
  if (table == 0 ||
      !device_->read(table * geometry.block_size + offset, bytes.size(), bytes.data()) ||
      !decode_inode(geometry, geometry.journal_inode, bytes, inode)) {
    return false;
  }
  const std::uint64_t limit = (inode.metadata.size + geometry.block_size - 1) / geometry.block_size;
  const std::uint32_t seed = checksum_seed_of(geometry, geometry.journal_inode, inode.generation);
  MapPart part;
  std::vector<Run> runs;
  bool has_nodes = false;
  if (!follow_map(*device_, geometry, inode, seed, limit, part, runs, has_nodes)) return false;
  system_runs_.insert(system_runs_.end(), runs.begin(), runs.end());
  return true;
}

std::size_t Volume::readable(std::uint64_t begin, std::size_t size) const {
  const std::uint64_t end = geometry_.blocks * geometry_.block_size;
  return begin >= end ? 0 : static_cast<std::size_t>(std::min<std::uint64_t>(size, end - begin));
}

/// Threads may do this concurrently, with the same result: a table never moves.
std::uint64_t Volume::load_table(std::uint32_t group) {
  const Position position = descriptor_position(geometry_, group);
  std::vector<unsigned char> block(geometry_.block_size);
  const std::size_t each = geometry_.descriptor_size;
  if (position.offset + each > block.size()) return 0;
  if (!device_->read(position.block * geometry_.block_size, block.size(), block.data())) return 0;
  // The next groups have theirs in the same block, and are needed soon.
  std::uint64_t found = 0;
  std::size_t offset = position.offset;
  for (std::uint32_t next = group; next < geometry_.groups; ++next, offset += each) {
    if (offset + each > block.size()) break;
    if (descriptor_position(geometry_, next).block != position.block) break;
    const std::uint64_t table = inode_table_of(geometry_, next, Bytes(block).subspan(offset, each));
    tables_[next].store(table, std::memory_order_relaxed);
    if (next == group) found = table;
  }
  return found;
}

}  // namespace ffind::os::ext
