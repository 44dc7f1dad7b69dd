// SPDX-License-Identifier: MIT
// Steps of Reader::begin():
//
//     find_inode ─▶ is_ours ─▶ find_runs ─▶ read_blocks ─▶ check_blocks ─▶ is_unchanged
//
// One block is used in place, in the read cache; several are copied to `buffer_`, the last block
// first; more than `most_held` are left to the kernel.
//
// Outcome::torn is worth another try: the kernel may have been writing. Outcome::not_ours is left
// to the kernel at once, and so is a directory that is torn twice.
#include "os/ext/reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "text/sizes.h"

namespace ffind::os::ext {
namespace {

// With these sizes, 51,000 directories made one after the other take a fifth of the readings that
// single units would; other sizes take up to a fifth longer (8 to 64 KiB were tried). If the inodes
// of entries are read too, all of the table is wanted.
constexpr std::size_t inode_unit = 4096;
constexpr std::size_t inode_window = std::size_t{16} * 1024;
constexpr std::size_t inode_window_for_entries = std::size_t{32} * 1024;
constexpr std::size_t block_window = std::size_t{64} * 1024;

/// Number of windows of a reader. With more than four readers each has fewer, down to `least`: many
/// readers only wait for a disk, and 64 with the most windows would exceed the memory promised.
struct WindowCount {
  std::size_t most;
  std::size_t least;

  std::size_t of(std::size_t readers) const { return std::clamp(4 * most / readers, least, most); }
};
constexpr WindowCount inode_windows = {4, 2};
constexpr WindowCount block_windows = {2, 1};
/// After a subtree, a walk returns to the inodes next to that of its root. 4 windows were reused by
/// then, and judged useless so often that 24,000 of 51,000 readings were of single units. With 16
/// windows, 837,000 entries take 28,000 readings, nearly all of windows, and filters by size or
/// date take 7 % less time.
constexpr WindowCount inode_windows_for_entries = {16, 2};

/// Size of a window: half of `size` with more than 64 readers; 128 readers took 35 MiB.
std::size_t size_of_window(std::size_t size, std::size_t readers) {
  constexpr std::size_t many_readers = 64;
  return readers > many_readers ? size / 2 : size;
}

/// Larger directories are left to the kernel, since every thread may keep one in memory. With names
/// of 20 bytes this is 9,000 entries.
constexpr std::uint64_t most_held = std::uint64_t{256} * 1024;

constexpr std::size_t fetched_ahead = 64;  ///< directories whose blocks are fetched ahead
/// Directories for which the page cache counts as cold after a reading had to wait for the disk.
constexpr unsigned cold_spell = 64;

/// Bytes of a run as a size in memory.
std::size_t bytes_of(const Geometry& geometry, const Run& run) {
  return text::at_most(most_held, run.count * geometry.block_size);
}

}  // namespace

Reader::Reader(Volume& volume, bool for_entries, std::size_t readers)
    : volume_(volume),
      geometry_(volume.geometry()),
      inodes_(volume, std::max<std::size_t>(inode_unit, geometry_.inode_size),
              size_of_window(for_entries ? inode_window_for_entries : inode_window, readers),
              (for_entries ? inode_windows_for_entries : inode_windows).of(readers)),
      blocks_(volume, geometry_.block_size, size_of_window(block_window, readers),
              block_windows.of(readers)) {}

bool Reader::begin(const DirectoryHandle& number, const DirectoryHandle* parent) {
  if (parent != nullptr && parent->inode == number.inode) return false;  // the kernel refuses it
  if (is_cold()) fetch_blocks_ahead(number);
  // If the device listed the parent, the number has been this directory's all the time.
  std::uint64_t since = parent != nullptr ? 0 : volume_.now();
  constexpr int tries = 2;
  for (int attempt = 0; attempt < tries; ++attempt) {
    listing_.clear();
    block_ = position_ = 0;
    const Outcome outcome = try_begin(number, parent, since);
    if (outcome == Outcome::read) return true;
    if (outcome == Outcome::not_ours) break;
    since = volume_.now();
  }
  listing_.clear();
  return false;
}

/// One attempt. What was read before `since` is read again.
Reader::Outcome Reader::try_begin(const DirectoryHandle& number, const DirectoryHandle* parent,
                                  std::uint64_t since) {
  ReadCache::Found found;
  if (!find_inode(number.inode, since, inode_, found)) {
    return found.bytes.empty() ? Outcome::not_ours : Outcome::torn;
  }
  if (!is_ours(inode_)) return Outcome::not_ours;
  const std::uint64_t size = inode_.metadata.size;
  if (size == 0 || size % geometry_.block_size != 0 || size > most_held) return Outcome::not_ours;
  const std::size_t limit = text::at_most(most_held, size / geometry_.block_size);
  seed_ = checksum_seed_of(geometry_, number.inode, inode_.generation);
  if (!find_runs(limit)) return Outcome::torn;
  if (has_holes(limit) || !volume_.are_for_files(runs_)) return Outcome::not_ours;
  if (!(limit == 1 ? find_block(since) : read_blocks(limit))) return Outcome::torn;
  const Outcome outcome = check_blocks(parent);
  if (outcome != Outcome::read) return outcome;
  if (limit == 1 && found.read_at > blocks_read_at_) return Outcome::read;
  return is_unchanged() ? Outcome::read : Outcome::torn;
}

/// False with empty `found.bytes` if there is no such inode or it cannot be read; with bytes, if
/// they do not decode.
bool Reader::find_inode(std::uint64_t number, std::uint64_t since, Inode& inode,
                        ReadCache::Found& found) {
  const std::uint64_t position = volume_.position_of_inode(number);
  found = {};
  if (position == 0) return false;
  found = inodes_.find(position, geometry_.inode_size, since);
  return !found.bytes.empty() && decode_inode(geometry_, number, found.bytes, inode);
}

/// Whether this directory can be listed from the device.
bool Reader::is_ours(const Inode& inode) {
  return type_of_mode(inode.metadata.mode) == FileType::directory && !inode.deleted &&
         !inode.is_encrypted() && inode.is_understood() &&
         inode.metadata.changed < volume_.trust_limits().changed_before && is_acceptable(inode);
}

bool Reader::find_runs(std::uint64_t limit) {
  return follow_map(volume_.device(), geometry_, inode_, seed_, limit, map_, runs_, map_has_nodes_);
}

/// True if the map has holes: no kernel makes them, and each version reads them differently. A map
/// without them leads to all blocks in order, since its runs rise and end below `limit`.
bool Reader::has_holes(std::uint64_t limit) const {
  std::uint64_t count = 0;
  for (const Run& run : runs_) count += run.count;
  return count != limit;
}

/// The directory's last block, as a run.
Run Reader::last_block() const {
  const Run& last = runs_.back();
  return {last.logical + last.count - 1, last.physical + last.count - 1, 1};
}

/// Finds the only block of a directory in the read cache.
bool Reader::find_block(std::uint64_t since) {
  const std::uint64_t position = runs_.front().physical * geometry_.block_size;
  const ReadCache::Found found = blocks_.find(position, geometry_.block_size, since);
  if (found.bytes.empty()) return false;
  blocks_read_at_ = found.read_at;
  listing_.push_back(found.bytes);
  return true;
}

/// Counts the readings that had to wait for the disk: is_cold() goes by them.
bool Reader::read_run(const Run& run, unsigned char* into) {
  const Device& device = volume_.device();
  const std::uint64_t offset = run.physical * geometry_.block_size;
  const std::size_t size = bytes_of(geometry_, run);
  if (device.read_if_cached(offset, size, into)) return true;
  ++waits_;
  return device.read(offset, size, into);
}

/// Copies all blocks into `buffer_`, each to its place in the directory, and a view of each into
/// `listing_`. The last one first, since entries move only into a block that was just appended.
bool Reader::read_blocks(std::size_t limit) {
  const std::size_t block_size = geometry_.block_size;
  if (buffer_.size() < limit * block_size) buffer_.resize(limit * block_size);
  std::vector<Run> order = {last_block()};
  order.insert(order.end(), runs_.begin(), runs_.end());
  if (--order.back().count == 0) order.pop_back();
  for (const Run& run : order) {
    if (!read_run(run, buffer_.data() + run.logical * block_size)) return false;
  }
  for (std::size_t i = 0; i < limit; ++i) {
    listing_.emplace_back(buffer_.data() + i * block_size, block_size);
  }
  return true;
}

/// True if the hash tree of an indexed directory leads from its root to every block once: the
/// kernel lists no other block. All blocks are sound. Fills `leaves_`.
bool Reader::has_sound_tree() {
  leaves_.assign(listing_.size(), {});
  tree_.clear();
  if (!decode_hash_root(geometry_, listing_.front(), tree_)) return false;
  std::size_t reached = 1;
  for (; !tree_.empty(); ++reached) {
    const HashRange branch = tree_.back();
    tree_.pop_back();
    if (branch.block == 0 || branch.block >= listing_.size()) return false;
    HashRange& known = leaves_[branch.block];
    if (known.end != 0) return false;
    known = branch;
    if (!branch.is_leaf && !decode_hash_node(listing_[branch.block], branch, tree_)) return false;
  }
  return reached == listing_.size();
}

/// Adds the hashes of the names in a sound block. False if the hash tree of its directory has
/// another kind of block here, or other names.
bool Reader::take_hashes(std::size_t logical, Bytes block) {
  if (!inode_.is_indexed()) {
    add_hashes(block, hashes_);
    return true;
  }
  if (logical == 0) return true;
  const HashRange& range = leaves_[logical];
  return range.is_leaf != is_hash_node(block) &&
         (!range.is_leaf || add_leaf_hashes(geometry_, range, block, hashes_));
}

/// True if a name is in `listing_` twice: the kernel lists both entries, but finds only one of them
/// by its name. `hashes_` has the hashes of the names.
bool Reader::has_twins() {
  // At most half full. Equal hashes are rare, so names are compared only when two occur.
  table_.assign(std::bit_ceil(2 * hashes_.size() + 2), 0);
  const std::size_t mask = table_.size() - 1;
  for (const std::uint32_t hash : hashes_) {
    const std::uint32_t key = hash | 1U;
    std::size_t slot = (key * 0x9E3779B1U >> 7U) & mask;
    for (; table_[slot] != 0; slot = (slot + 1) & mask) {
      if (table_[slot] == key) return has_equal_names();
    }
    table_[slot] = key;
  }
  return false;
}

bool Reader::has_equal_names() const {
  std::vector<std::string_view> names;
  for (const Bytes part : listing_) add_names(part, names);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

/// Checks all blocks in `listing_`: each by itself, those of a hash tree against the tree, all
/// names against each other.
Reader::Outcome Reader::check_blocks(const DirectoryHandle* parent) {
  for (std::size_t logical = 0; logical < listing_.size(); ++logical) {
    if (!is_sound_block(geometry_, inode_, logical, seed_, listing_[logical])) return Outcome::torn;
  }
  if (inode_.is_indexed() && !has_sound_tree()) return Outcome::torn;
  hashes_.clear();
  for (std::size_t logical = 0; logical < listing_.size(); ++logical) {
    if (!take_hashes(logical, listing_[logical])) return Outcome::torn;
  }
  if (!has_right_dots(listing_.front(), parent)) return Outcome::not_ours;
  return has_twins() ? Outcome::torn : Outcome::read;
}

/// Whether "." and ".." in the first block are this directory and its parent.
bool Reader::has_right_dots(Bytes first_block, const DirectoryHandle* parent) const {
  const Dots dots = dots_of(first_block);
  return dots.self == inode_.metadata.inode && (parent == nullptr || dots.parent == parent->inode);
}

/// True if the inode is the same as before the blocks were read. Before Linux 6.1, a block that is
/// being filled from another changes the map only, not the size.
bool Reader::is_unchanged() {
  Inode now;
  ReadCache::Found found;
  if (!find_inode(inode_.metadata.inode, volume_.now(), now, found) || !is_ours(now) ||
      now.metadata.size != inode_.metadata.size ||
      now.metadata.changed != inode_.metadata.changed || now.map != inode_.map ||
      now.flags != inode_.flags || now.generation != inode_.generation) {
    return false;
  }
  if (!map_has_nodes_) return true;
  const std::vector<Run> before = runs_;
  return find_runs(inode_.metadata.size / geometry_.block_size) && runs_ == before;
}

void Reader::read(DirentBlock& block) {
  block.clear();
  while (block_ < listing_.size()) {
    if (!pack_entries(listing_[block_], position_, block)) break;
    ++block_;
    position_ = 0;
  }
}

// Entries

/// True if the kernel accepts the inode; inode.cpp lists the checks.
bool Reader::is_acceptable(const Inode& inode) {
  return inode.acceptable && claims_of(inode, claims_) && volume_.are_for_files(claims_);
}

/// Only the identity is certain if the inode changed too recently, has another type than the entry,
/// or is one that the kernel refuses.
Needs Reader::metadata(std::uint64_t number, FileType type, Needs wanted, Metadata& metadata) {
  metadata.inode = number;
  metadata.device = volume_.device_number();
  if ((wanted & ~needs::identity) == 0) return wanted;
  Inode& inode = inode_of_entry_;
  ReadCache::Found found;
  if (!find_inode(number, 0, inode, found)) return wanted & needs::identity;
  const TrustLimits& limits = volume_.trust_limits();
  const FileType own_type = type_of_mode(inode.metadata.mode);
  if (inode.deleted || inode.metadata.changed >= limits.changed_before ||
      (type != FileType::unknown && type != own_type) || !is_acceptable(inode)) {
    return wanted & needs::identity;
  }

  Needs certain = inode.known | needs::identity;
  if (limits.owners_differ) certain &= ~needs::owner;
  // Only the size of a regular file can be newer in memory: it is written with the data.
  const bool written = own_type != FileType::file ||
                       (!limits.lazy_times && inode.metadata.changed < limits.written_before);
  if (!written) certain &= ~needs::size;
  if (limits.lazy_times) certain &= ~(needs::modified | needs::changed | needs::accessed);
  inode.metadata.device = volume_.device_number();
  metadata = inode.metadata;
  return certain & (wanted | needs::type);
}

// Fetching ahead

/// Whether readings have recently had to wait for the disk.
bool Reader::is_cold() {
  const std::uint64_t waits = waits_ + inodes_.waits() + blocks_.waits();
  if (waits != waits_seen_) {
    waits_seen_ = waits;
    cold_for_ = cold_spell;
  }
  return cold_for_ > 0 && cold_for_-- > 0;
}

/// Fetches the inodes of the directories, in windows that are joined where they touch. Does nothing
/// while the page cache has what is read: a hint costs a system call.
void Reader::expect(const std::vector<DirectoryHandle>& directories) {
  if (cold_for_ == 0) return;
  expected_ = directories;
  expected_next_ = 0;
  std::vector<std::uint64_t> positions;
  for (const DirectoryHandle& number : expected_) {
    const std::uint64_t position = volume_.position_of_inode(number.inode);
    if (position != 0) positions.push_back(position / inode_window * inode_window);
  }
  std::sort(positions.begin(), positions.end());
  for (std::size_t i = 0; i < positions.size();) {
    const std::uint64_t begin = positions[i];
    std::uint64_t end = begin;
    for (; i < positions.size() && positions[i] <= end; ++i) end = positions[i] + inode_window;
    volume_.device().fetch(begin, end - begin);
  }
}

/// Fetches the blocks of the directories that follow `number` in `expected_`. Their inodes have
/// been fetched by expect(). Reads no nodes of maps: it would have to wait for them.
void Reader::fetch_blocks_ahead(const DirectoryHandle& number) {
  if (expected_next_ >= expected_.size()) return;
  const auto place = std::lower_bound(expected_.begin(), expected_.end(), number, lies_before);
  if (place == expected_.end() || place->inode != number.inode) return;
  const auto at = static_cast<std::size_t>(place - expected_.begin());
  expected_next_ = std::max(expected_next_, at);
  const std::size_t end = std::min(expected_.size(), at + fetched_ahead);
  for (; expected_next_ < end; ++expected_next_) {
    Inode inode;
    ReadCache::Found found;
    if (!find_inode(expected_[expected_next_].inode, 0, inode, found)) continue;
    if (!is_ours(inode) || inode.metadata.size > most_held) continue;
    const std::uint64_t limit = inode.metadata.size / geometry_.block_size;
    if (limit == 0 || !decode_map(geometry_, inode, limit, map_)) continue;
    for (const Run& run : map_.runs) {
      volume_.device().fetch(run.physical * geometry_.block_size, run.count * geometry_.block_size);
    }
  }
}

}  // namespace ffind::os::ext
