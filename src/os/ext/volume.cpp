// SPDX-License-Identifier: MIT
// Access to a volume's device: reading it with and without waiting for the disk, the position of an
// inode, the blocks of a map, the blocks that no file may claim, and the windows of a ReadCache.
//
// All reads go through the page cache of the block device, in which the mounted file system keeps
// its own metadata; O_DIRECT would show what the disk has instead.
//
// The blocks that the volume keeps for itself are superblock and descriptors with their copies,
// bitmaps, inode tables, and the journal. They are merged to sorted runs without overlaps, so a
// look-up is a binary search.
#include "os/ext/reader.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "os/posix/calls.h"
#include "text/sizes.h"

namespace ffind::os::ext {

// pread, so that threads share the descriptor without a position.
bool Device::read(std::uint64_t offset, std::size_t size, unsigned char* into) const {
  while (size > 0) {
    const ssize_t count = uninterrupted(
        [&] { return ::pread(descriptor_.get(), into, size, static_cast<off_t>(offset)); });
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
  const ssize_t count =
      ::preadv2(descriptor_.get(), &where, 1, static_cast<off_t>(offset), RWF_NOWAIT);
  if (count == static_cast<ssize_t>(size)) return true;
  // Linux before 4.14 lacks the flag, and so do some device drivers.
  if (count < 0 && errno != EAGAIN) {
    if (errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS) can_refuse_.store(false);
    return read(offset, size, into);
  }
  return false;
}

void Device::fetch(std::uint64_t offset, std::uint64_t size) const {
  ::posix_fadvise(descriptor_.get(), static_cast<off_t>(offset), static_cast<off_t>(size),
                  POSIX_FADV_WILLNEED);
}

bool follow_map(const Device& device, const Geometry& geometry, const Inode& inode,
                std::uint32_t seed, std::uint64_t limit, MapPart& part, std::vector<Run>& runs,
                bool& has_nodes) {
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
    if (!device.read(node.physical * geometry.block_size, block.size(), block.data()) ||
        !decode_map_node(geometry, node, block, seed, limit, part)) {
      return false;
    }
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
      tables_(geometry.groups) {
  load_groups();
}

std::uint64_t Volume::position_of_inode(std::uint64_t number) const {
  return position_of_inode(geometry_, number);
}

std::uint64_t Volume::position_of_inode(const Geometry& geometry, std::uint64_t number) const {
  std::uint32_t group = 0;
  std::uint64_t offset = 0;
  if (!locate_inode(geometry, number, group, offset)) return 0;
  const std::uint64_t table = tables_[group];
  return table == 0 ? 0 : table * geometry.block_size + offset;
}

bool Volume::are_for_files(const std::vector<Run>& runs) const {
  return std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
    if (!geometry_.has_blocks(run.physical, run.count)) return false;
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
void Volume::load_groups() {
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
    tables_[group] = inode_table_of(geometry_, group, descriptor);
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
  const std::uint64_t position = position_of_inode(geometry, geometry.journal_inode);
  std::vector<unsigned char> bytes(geometry.inode_size);
  Inode inode;
  if (position == 0 || !device_->read(position, bytes.size(), bytes.data()) ||
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
  return begin >= end ? 0 : text::at_most(size, end - begin);
}

// A request that no window contains replaces the window least recently used. If 32 windows served
// fewer than two requests each on average, the next 1024 readings are of single units.
//
// A reading is dated before it begins (begin_reading): whatever the kernel wrote before that date
// is in it. Something newer may be in it, too, which the checks of Reader notice.

namespace {

/// Bytes that are fetched around a reading that has to wait for the disk.
constexpr std::uint64_t fetched_at_once = std::uint64_t{128} * 1024;

/// Windows whose uses are counted together, and readings of units before windows are tried again.
constexpr unsigned judged_at_once = 32;
constexpr unsigned readings_without = 1024;

}  // namespace

ReadCache::ReadCache(Volume& volume, std::size_t unit, std::size_t window_size, std::size_t count)
    : volume_(volume), unit_(unit), window_size_(std::max(unit, window_size)), windows_(count) {}

ReadCache::Found ReadCache::find(std::uint64_t position, std::size_t size, std::uint64_t since) {
  Window& window = choose_window(position, size);
  if (!window.holds(position, size)) {
    const std::size_t length = size_of_next(window);
    window.uses = 0;
    // A bad sector must not take its neighbourhood with it.
    if (!load(window, position / length * length, length) &&
        (length == unit_ || !load(window, position / unit_ * unit_, unit_))) {
      return {};
    }
  } else if (window.read_at <= since) {
    if (!load(window, window.begin, window.size)) return {};
  }
  if (!window.holds(position, size)) return {};
  window.last_use = ++count_of_uses_;
  ++window.uses;
  return {{window.bytes.get() + (position - window.begin), size}, window.read_at};
}

/// The window that contains the bytes, or else the one least recently used.
ReadCache::Window& ReadCache::choose_window(std::uint64_t position, std::size_t size) {
  if (windows_[latest_].holds(position, size)) return windows_[latest_];
  std::size_t oldest = 0;
  for (latest_ = 0; latest_ < windows_.size(); ++latest_) {
    if (windows_[latest_].holds(position, size)) return windows_[latest_];
    if (windows_[latest_].last_use < windows_[oldest].last_use) oldest = latest_;
  }
  latest_ = oldest;
  return windows_[latest_];
}

/// Size of the next window; `last` is the one that it replaces, whose uses are counted.
std::size_t ReadCache::size_of_next(const Window& last) {
  if (by_unit_ > 0) {
    --by_unit_;
    return unit_;
  }
  if (last.size == window_size_) {
    uses_of_judged_ += last.uses;
    if (++judged_ == judged_at_once) {
      // Reading only what was requested is cheaper.
      if (uses_of_judged_ < 2 * judged_at_once) by_unit_ = readings_without;
      judged_ = 0;
      uses_of_judged_ = 0;
    }
  }
  return window_size_;
}

/// Fills the window; it is empty if that fails.
bool ReadCache::load(Window& window, std::uint64_t begin, std::size_t wanted) {
  const Device& device = volume_.device();
  if (!window.bytes) window.bytes.reset(new unsigned char[window_size_]);
  window.size = 0;
  window.begin = begin;
  window.read_at = volume_.begin_reading();
  const std::size_t size = volume_.readable(begin, wanted);
  if (!device.read_if_cached(begin, size, window.bytes.get())) {
    ++waits_;
    device.fetch(begin / fetched_at_once * fetched_at_once, fetched_at_once);
    if (!device.read(begin, size, window.bytes.get())) return false;
  }
  window.size = size;
  return true;
}

}  // namespace ffind::os::ext
