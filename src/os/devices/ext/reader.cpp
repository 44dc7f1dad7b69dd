// SPDX-License-Identifier: MIT
// The way of a directory from the device into blocks of entries. See reader.h.
#include "os/devices/ext/reader.h"

#include <algorithm>
#include <cstring>

namespace ffind::os::ext {
namespace {

// Of 51,000 directories made one after the other, a fifth of the readings remains with these sizes;
// others take up to a fifth longer (8 to 64 KiB were tried). Where entries are asked for their
// inodes too, all of the table is wanted.
constexpr std::size_t inode_unit = 4096;
constexpr std::size_t inode_window = std::size_t{16} * 1024;
constexpr std::size_t inode_window_for_entries = std::size_t{32} * 1024;
constexpr std::size_t block_window = std::size_t{64} * 1024;

/// How many windows each reader has. Past four readers, each gets fewer, down to `least`: many
/// readers only wait for a disk, and 64 with the most windows would exceed the memory promised.
struct WindowCount {
  std::size_t most;
  std::size_t least;

  std::size_t of(std::size_t readers) const { return std::clamp(4 * most / readers, least, most); }
};
constexpr WindowCount inode_windows = {4, 2};
constexpr WindowCount block_windows = {2, 1};
/// After a subtree, a walk returns to the inodes next to that of its root. With 4 windows they were
/// gone by then, and windows seemed useless so often that 24,000 of 51,000 readings were of single
/// units. With 16 windows 28,000 readings remain for 837,000 entries, nearly all of windows, and
/// filters by size or date take 7 % less time.
constexpr WindowCount inode_windows_for_entries = {16, 2};

/// The size of each. Half of it past 64 readers, of which 128 took 35 MiB.
std::size_t size_of_window(std::size_t size, std::size_t readers) {
  constexpr std::size_t many_readers = 64;
  return readers > many_readers ? size / 2 : size;
}

/// Larger directories are read in chunks: what is held here is held by every thread. With names of
/// 20 bytes it is 9,000 entries. Without checksums nothing vouches for a chunk alone, and what is
/// larger than that is the kernel's to read.
constexpr std::uint64_t most_held = std::uint64_t{256} * 1024;
constexpr std::uint64_t most_held_whole = std::uint64_t{512} * 1024;
constexpr std::uint64_t most_in_chunks = std::uint64_t{48} * 1024 * 1024;

/// Directories whose blocks are fetched ahead.
constexpr std::size_t fetched_ahead = 64;
/// Once a reading had to wait, that many directories are taken to be in for it too.
constexpr unsigned cold_spell = 64;

}  // namespace

Reader::Reader(Volume& volume, bool for_entries, std::size_t readers)
    : volume_(volume),
      geometry_(volume.geometry()),
      inodes_(volume, std::max<std::size_t>(inode_unit, geometry_.inode_size),
              size_of_window(for_entries ? inode_window_for_entries : inode_window, readers),
              (for_entries ? inode_windows_for_entries : inode_windows).of(readers)),
      blocks_(volume, geometry_.block_size, size_of_window(block_window, readers),
              block_windows.of(readers)) {}

bool Reader::begin(const DirectoryNumber& number, const DirectoryNumber* parent) {
  if (is_cold()) fetch_blocks_ahead(number);
  std::uint64_t since = number.listed;
  constexpr int tries = 2;
  for (int attempt = 0; attempt < tries; ++attempt) {
    parts_.clear();
    part_ = position_ = 0;
    in_chunks_ = false;
    error_ = 0;
    number_ = number.inode;
    const Outcome outcome = try_begin(number, parent, since);
    if (outcome == Outcome::read) {
      read_at_ = volume_.now();
      return true;
    }
    if (outcome == Outcome::not_ours) break;
    since = volume_.now();
  }
  parts_.clear();
  return false;
}

Reader::Outcome Reader::try_begin(const DirectoryNumber& number, const DirectoryNumber* parent,
                                  std::uint64_t since) {
  Windows::Found found;
  if (!find_inode(number.inode, since, inode_, found)) {
    return found.bytes.empty() ? Outcome::not_ours : Outcome::torn;
  }
  if (!is_ours(inode_)) return Outcome::not_ours;
  if (inode_.has_inline_data()) return begin_inline(found.bytes, parent);

  const std::uint64_t size = inode_.metadata.size;
  if (size == 0 || size % geometry_.block_size != 0) return Outcome::not_ours;
  const std::uint64_t most = geometry_.checksums ? most_in_chunks : most_held_whole;
  if (size > most) return Outcome::not_ours;
  // Where no checksum vouches for its hash tree, only the kernel, which goes by it, knows what the
  // tree leads to.
  if (inode_.is_indexed() && !geometry_.checksums) return Outcome::not_ours;
  const std::uint64_t limit = size / geometry_.block_size;
  seed_ = checksum_seed_of(geometry_, number.inode, inode_.generation);
  if (!find_runs(limit)) return Outcome::torn;
  if (has_holes(limit)) return Outcome::not_ours;
  if (size > most_held && geometry_.checksums) return begin_chunks(parent);
  if (!(limit == 1 ? find_block(since) : read_blocks(limit))) return Outcome::torn;
  const Outcome outcome = check_blocks(parent);
  if (outcome != Outcome::read) return outcome;
  if (limit == 1 && found.read_at > blocks_read_at_) return Outcome::read;
  if (limit > 1 && !geometry_.checksums && !read_blocks_again()) return Outcome::torn;
  return is_unchanged() ? Outcome::read : Outcome::torn;
}

bool Reader::find_inode(std::uint64_t number, std::uint64_t since, Inode& inode,
                        Windows::Found& found) {
  const std::uint64_t position = volume_.position_of_inode(number);
  found = {};
  if (position == 0) return false;
  found = inodes_.find(position, geometry_.inode_size, since);
  return !found.bytes.empty() && decode_inode(geometry_, number, found.bytes, inode);
}

/// Whether the device is the one to ask of this directory.
bool Reader::is_ours(const Inode& inode) const {
  return type_of_mode(inode.metadata.mode) == FileType::directory && !inode.deleted &&
         !inode.is_encrypted() && inode.is_understood() &&
         inode.metadata.changed < volume_.trust().changed_before;
}

Reader::Outcome Reader::begin_inline(Bytes bytes, const DirectoryNumber* parent) {
  // Copied: the window may be read anew for the inodes of the entries.
  buffer_.assign(bytes.begin(), bytes.end());
  InlineDirectory directory;
  if (!decode_inline_directory(geometry_, inode_, buffer_, directory)) return Outcome::torn;
  if (parent != nullptr && directory.parent != parent->inode) return Outcome::not_ours;
  for (const Bytes part : directory.parts) {
    if (!check_inline_part(geometry_, part)) return Outcome::torn;
    parts_.push_back(part);
  }
  return Outcome::read;
}

/// Follows the map to the runs of blocks, leaf by leaf.
bool Reader::find_runs(std::uint64_t limit) {
  runs_.clear();
  map_.runs.clear();
  map_.nodes.clear();
  if (!decode_map(geometry_, inode_, limit, map_)) return false;
  runs_.swap(map_.runs);
  map_has_nodes_ = !map_.nodes.empty();
  if (!map_has_nodes_) return !runs_.empty();
  // The last first, since the order of nodes is that of a stack.
  std::vector<MapNode> nodes(map_.nodes.rbegin(), map_.nodes.rend());
  std::vector<unsigned char> block(geometry_.block_size);
  while (!nodes.empty()) {
    const MapNode node = nodes.back();
    nodes.pop_back();
    if (!volume_.device().read(node.physical * geometry_.block_size, block.size(), block.data())) {
      return false;
    }
    map_.runs.clear();
    map_.nodes.clear();
    if (!decode_map_node(geometry_, inode_, node, block, seed_, limit, map_)) return false;
    runs_.insert(runs_.end(), map_.runs.begin(), map_.runs.end());
    nodes.insert(nodes.end(), map_.nodes.rbegin(), map_.nodes.rend());
    // A node for each block is as many as there can be.
    if (nodes.size() > limit || runs_.size() > limit) return false;
  }
  return !runs_.empty();
}

/// Whether a part of it is nowhere: no kernel makes that, and each reads it in its own way.
bool Reader::has_holes(std::uint64_t limit) const {
  std::uint64_t count = 0;
  for (const Run& run : runs_) count += run.count;
  return count != limit;
}

/// The only block of a directory, where it lies in its window.
bool Reader::find_block(std::uint64_t since) {
  const std::uint64_t position = runs_.front().physical * geometry_.block_size;
  const Windows::Found found = blocks_.find(position, geometry_.block_size, since);
  if (found.bytes.empty()) return false;
  blocks_read_at_ = found.read_at;
  parts_.push_back(found.bytes);
  return true;
}

bool Reader::read_run(const Run& run, unsigned char* into) {
  const Device& device = volume_.device();
  const std::uint64_t offset = run.physical * geometry_.block_size;
  const std::size_t size = run.count * geometry_.block_size;
  if (device.read_if_cached(offset, size, into)) return true;
  ++waits_;
  return device.read(offset, size, into);
}

bool Reader::read_blocks(std::uint64_t limit) {
  const std::size_t block_size = geometry_.block_size;
  if (buffer_.size() < limit * block_size) buffer_.resize(limit * block_size);
  Run last = runs_.back();
  if (last.logical + last.count > limit) return false;
  last.logical += last.count - 1;
  last.physical += last.count - 1;
  last.count = 1;
  if (!read_run(last, buffer_.data() + last.logical * block_size)) return false;
  std::uint64_t end = 0;
  for (const Run& run : runs_) {
    if (run.logical < end || run.logical + run.count > limit) return false;
    end = run.logical + run.count;
    Run rest = run;
    if (&run == &runs_.back()) --rest.count;
    if (rest.count == 0) continue;
    if (!read_run(rest, buffer_.data() + rest.logical * block_size)) return false;
  }
  for (const Run& run : runs_) {
    for (std::uint64_t i = 0; i < run.count; ++i) {
      parts_.emplace_back(buffer_.data() + (run.logical + i) * block_size, block_size);
    }
  }
  return true;
}

bool Reader::read_blocks_again() {
  spare_.resize(geometry_.block_size);
  for (const Run& run : runs_) {
    for (std::uint64_t i = 0; i < run.count; ++i) {
      if (!read_run({.physical = run.physical + i, .count = 1}, spare_.data())) return false;
      const unsigned char* const first = buffer_.data() + (run.logical + i) * geometry_.block_size;
      if (std::memcmp(first, spare_.data(), spare_.size()) != 0) return false;
    }
  }
  return true;
}

Reader::Outcome Reader::check_blocks(const DirectoryNumber* parent) {
  // A directory whose first block is a hole has no dots, and is none that a kernel makes.
  if (runs_.front().logical != 0) return Outcome::not_ours;
  std::size_t part = 0;
  for (const Run& run : runs_) {
    for (std::uint64_t logical = run.logical; logical < run.logical + run.count; ++logical) {
      const Bytes block = parts_[part++];
      if (check_directory_block(geometry_, inode_, logical, seed_, block) != BlockState::sound) {
        return Outcome::torn;
      }
    }
  }
  return has_right_dots(parts_.front(), parent) ? Outcome::read : Outcome::not_ours;
}

/// Whether that first block is this directory's, and lies where it was listed.
bool Reader::has_right_dots(Bytes first_block, const DirectoryNumber* parent) const {
  const Dots dots = dots_of(geometry_, first_block);
  return dots.self == number_ && (parent == nullptr || dots.parent == parent->inode);
}

/// Whether the inode is the same as before the blocks were read. Before Linux 6.1 a block
/// that is being filled from another shows in the map only, not in the size.
bool Reader::is_unchanged() {
  Inode now;
  Windows::Found found;
  if (!find_inode(number_, volume_.now(), now, found) || !is_ours(now) ||
      now.metadata.size != inode_.metadata.size ||
      now.metadata.changed != inode_.metadata.changed || now.map != inode_.map ||
      now.flags != inode_.flags || now.generation != inode_.generation) {
    return false;
  }
  if (!map_has_nodes_) return true;
  const std::vector<Run> before = runs_;
  const auto same = [](const Run& a, const Run& b) {
    return a.logical == b.logical && a.physical == b.physical && a.count == b.count;
  };
  return find_runs(inode_.metadata.size / geometry_.block_size) &&
         std::equal(before.begin(), before.end(), runs_.begin(), runs_.end(), same);
}

void Reader::read(DirentBlock& block) {
  block.clear();
  while (part_ < parts_.size() || read_chunk()) {
    if (!pack_entries(geometry_, parts_[part_], position_, block)) break;
    ++part_;
    position_ = 0;
  }
  if (in_chunks_) note_seen(block);
}

// Entries

/// What the kernel looks at before it accepts an inode: flags that no link has, and, where no
/// checksum vouches for it, whether its map begins like one.
bool Reader::is_plausible(const Inode& inode) {
  const FileType type = type_of_mode(inode.metadata.mode);
  if (type == FileType::symlink) return inode.metadata.flags == 0;
  const bool has_map = type == FileType::file || type == FileType::directory;
  if (geometry_.checksums || !has_map || inode.has_inline_data()) return true;
  const std::uint64_t size = geometry_.block_size;
  const std::uint64_t limit =
      inode.metadata.size / size + (inode.metadata.size % size != 0 ? 1 : 0);
  return decode_map(geometry_, inode, limit, map_);
}

Needs Reader::metadata(std::uint64_t number, FileType type, Needs wanted, Metadata& metadata) {
  metadata.inode = number;
  metadata.device = volume_.device_number();
  if ((wanted & ~needs::identity) == 0) return wanted;
  const std::uint64_t since = geometry_.checksums ? 0 : read_at_;
  Inode& inode = inode_of_entry_;
  Windows::Found found;
  if (!find_inode(number, since, inode, found)) return wanted & needs::identity;
  const Trust& trust = volume_.trust();
  const FileType own_type = type_of_mode(inode.metadata.mode);
  if (inode.deleted || inode.metadata.changed >= trust.changed_before ||
      (type != FileType::unknown && type != own_type) || !is_plausible(inode)) {
    return wanted & needs::identity;
  }

  Needs certain = inode.known | needs::identity;
  if (trust.owners_differ) certain &= ~needs::owner;
  const bool written = own_type != FileType::file ||
                       (!trust.lazy_times && inode.metadata.changed < trust.written_before);
  if (!written) certain &= ~needs::size;
  if (trust.lazy_times) certain &= ~(needs::modified | needs::changed | needs::accessed);
  inode.metadata.device = volume_.device_number();
  metadata = inode.metadata;
  return certain & (wanted | needs::type);
}

// Ahead of need

/// Whether readings have had to wait for the disk lately.
bool Reader::is_cold() {
  const std::uint64_t waits = waits_ + inodes_.waits() + blocks_.waits();
  if (waits != waits_seen_) {
    waits_seen_ = waits;
    cold_for_ = cold_spell;
  }
  return cold_for_ > 0 && cold_for_-- > 0;
}

void Reader::expect(const std::vector<DirectoryNumber>& directories) {
  if (cold_for_ == 0) return;
  expected_ = directories;
  expected_next_ = 0;
  std::vector<std::uint64_t> positions;
  for (const DirectoryNumber& number : expected_) {
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

void Reader::fetch_blocks_ahead(const DirectoryNumber& number) {
  if (expected_next_ >= expected_.size()) return;
  const auto place = std::lower_bound(expected_.begin(), expected_.end(), number, lies_before);
  if (place == expected_.end() || place->inode != number.inode) return;
  const auto at = static_cast<std::size_t>(place - expected_.begin());
  expected_next_ = std::max(expected_next_, at);
  const std::size_t end = std::min(expected_.size(), at + fetched_ahead);
  for (; expected_next_ < end; ++expected_next_) {
    Inode inode;
    Windows::Found found;
    if (!find_inode(expected_[expected_next_].inode, 0, inode, found)) continue;
    if (!is_ours(inode) || inode.has_inline_data() || inode.metadata.size > most_held) continue;
    const std::uint64_t limit = inode.metadata.size / geometry_.block_size;
    map_.runs.clear();
    map_.nodes.clear();
    if (limit == 0 || !decode_map(geometry_, inode, limit, map_)) continue;
    for (const Run& run : map_.runs) {
      volume_.device().fetch(run.physical * geometry_.block_size, run.count * geometry_.block_size);
    }
  }
}

}  // namespace ffind::os::ext
