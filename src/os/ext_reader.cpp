// SPDX-License-Identifier: MIT
// The way of a directory from the device into blocks of entries. See ext_reader.h.
#include "os/ext_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

namespace ffind::os::ext {
namespace {

// Of 51,000 directories made one after the other, a fifth of the readings remains with these sizes;
// others take up to a fifth longer (8 to 64 KiB were tried). Where entries are asked for their
// inodes too, all of the table is wanted.
constexpr std::size_t inode_unit = 4096;
constexpr std::size_t inode_window = std::size_t{16} * 1024;
constexpr std::size_t inode_window_for_entries = std::size_t{32} * 1024;
constexpr std::size_t block_window = std::size_t{64} * 1024;
constexpr std::size_t inode_windows = 4;
constexpr std::size_t block_windows = 6;

/// Larger directories are read in pieces: what is held here is held by every thread. With names of
/// 20 bytes it is 18,000 entries.
constexpr std::uint64_t most_held = std::uint64_t{512} * 1024;
constexpr std::uint64_t piece = std::uint64_t{256} * 1024;
/// And larger ones yet are the kernel's: names that were handed out take 8 bytes each, 12 MiB for
/// as many as such a directory mostly holds.
constexpr std::uint64_t most_in_pieces = std::uint64_t{48} * 1024 * 1024;

/// Directories whose blocks are fetched ahead.
constexpr std::size_t fetched_ahead = 64;
/// Once a reading had to wait, that many directories are taken to be in for it too.
constexpr unsigned cold_spell = 64;

}  // namespace

Reader::Reader(Volume& volume, bool for_entries)
    : volume_(volume),
      geometry_(volume.geometry()),
      inodes_(volume, std::max<std::size_t>(inode_unit, geometry_.inode_size),
              for_entries ? inode_window_for_entries : inode_window, inode_windows),
      blocks_(volume, geometry_.block_size, block_window, block_windows) {}

bool Reader::begin(const DirectoryNumber& number, const DirectoryNumber* parent) {
  if (is_cold()) fetch_blocks_ahead(number);
  std::uint64_t since = geometry_.checksums ? 0 : number.listed;
  constexpr int tries = 2;
  for (int attempt = 0; attempt < tries; ++attempt) {
    parts_.clear();
    part_ = position_ = 0;
    in_pieces_ = false;
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
  // Where there are no checksums, nothing vouches for a piece alone.
  const std::uint64_t most = geometry_.checksums ? most_in_pieces : most_held;
  if (size > most) return Outcome::not_ours;
  const std::uint64_t limit = size / geometry_.block_size;
  seed_ = checksum_seed_of(geometry_, number.inode, inode_.generation);
  if (!find_runs(limit)) return Outcome::torn;
  if (size > most_held) return begin_pieces(number, parent);
  if (!(limit == 1 ? find_block(since) : read_blocks(limit))) return Outcome::torn;
  const Outcome outcome = check_blocks(number, parent);
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
  if (map_.nodes.empty()) return !runs_.empty();
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
  for (const Run& run : runs_) {
    spare_.resize(run.count * geometry_.block_size);
    if (!read_run(run, spare_.data())) return false;
    const unsigned char* const first = buffer_.data() + run.logical * geometry_.block_size;
    if (std::memcmp(first, spare_.data(), spare_.size()) != 0) return false;
  }
  return true;
}

Reader::Outcome Reader::check_blocks(const DirectoryNumber& number, const DirectoryNumber* parent) {
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
  const Dots dots = dots_of(geometry_, parts_.front());
  if (dots.self != number.inode) return Outcome::not_ours;
  if (parent != nullptr && dots.parent != parent->inode) return Outcome::not_ours;
  return Outcome::read;
}

/// Whether the inode still says what it said before the blocks were read.
bool Reader::is_unchanged() {
  Inode now;
  Windows::Found found;
  return find_inode(number_, volume_.now(), now, found) && is_ours(now) &&
         now.metadata.size == inode_.metadata.size &&
         now.metadata.changed == inode_.metadata.changed && now.map == inode_.map &&
         now.flags == inode_.flags && now.generation == inode_.generation;
}

void Reader::read(DirentBlock& block) {
  block.clear();
  bool full = false;
  do {
    for (; !full && part_ < parts_.size(); ++part_, position_ = 0) {
      full = !pack_entries(geometry_, parts_[part_], position_, block);
      if (full) break;
    }
  } while (!full && read_piece());
  if (in_pieces_) note_told(block);
}

// Large directories

Reader::Outcome Reader::begin_pieces(const DirectoryNumber& number, const DirectoryNumber* parent) {
  const std::size_t block_size = geometry_.block_size;
  buffer_.resize(std::max<std::size_t>(buffer_.size(), std::max<std::size_t>(piece, block_size)));
  const Run& last = runs_.back();
  const Bytes block(buffer_.data(), block_size);
  const auto is_sound = [&](std::uint64_t logical) {
    return check_directory_block(geometry_, inode_, logical, seed_, block) == BlockState::sound;
  };
  if (!read_run({.physical = last.physical + last.count - 1, .count = 1}, buffer_.data()) ||
      !is_sound(last.logical + last.count - 1)) {
    return Outcome::torn;
  }
  if (runs_.front().logical != 0) return Outcome::not_ours;
  if (!read_run({.physical = runs_.front().physical, .count = 1}, buffer_.data()) || !is_sound(0)) {
    return Outcome::torn;
  }
  const Dots dots = dots_of(geometry_, block);
  if (dots.self != number.inode) return Outcome::not_ours;
  if (parent != nullptr && dots.parent != parent->inode) return Outcome::not_ours;
  if (!is_unchanged()) return Outcome::torn;
  in_pieces_ = true;
  told_.clear();
  told_is_sorted_ = false;
  run_ = 0;
  block_of_run_ = 0;
  return Outcome::read;
}

/// False at the end, and where the directory has changed: see error.
bool Reader::read_piece() {
  if (!in_pieces_ || error_ != 0 || run_ == runs_.size()) return false;
  const std::size_t block_size = geometry_.block_size;
  const Run& run = runs_[run_];
  const std::uint64_t logical = run.logical + block_of_run_;
  const std::uint64_t count =
      std::min(run.count - block_of_run_, std::max<std::uint64_t>(1, piece / block_size));
  parts_.clear();
  part_ = position_ = 0;
  error_ = ESTALE;
  if (!read_run({logical, run.physical + block_of_run_, count}, buffer_.data())) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Bytes block(buffer_.data() + i * block_size, block_size);
    if (check_directory_block(geometry_, inode_, logical + i, seed_, block) != BlockState::sound) {
      parts_.clear();
      return false;
    }
    parts_.push_back(block);
  }
  if (!is_unchanged()) {
    parts_.clear();
    return false;
  }
  error_ = 0;
  block_of_run_ += count;
  if (block_of_run_ == run.count) {
    ++run_;
    block_of_run_ = 0;
  }
  return true;
}

void Reader::note_told(DirentBlock& block) {
  Dirent dirent;
  while (block.next(dirent)) told_.push_back(std::hash<std::string_view>()(dirent.name));
  block.rewind();
}

bool Reader::has_told(std::string_view name) {
  if (!told_is_sorted_) std::sort(told_.begin(), told_.end());
  told_is_sorted_ = true;
  return std::binary_search(told_.begin(), told_.end(), std::hash<std::string_view>()(name));
}

// Entries

Needs Reader::metadata(std::uint64_t number, FileType type, Needs wanted, Metadata& metadata) {
  const std::uint64_t since = geometry_.checksums ? 0 : read_at_;
  Inode inode;
  Windows::Found found;
  if (!find_inode(number, since, inode, found)) return needs::none;
  const Trust& trust = volume_.trust();
  const FileType own_type = type_of_mode(inode.metadata.mode);
  if (inode.deleted || inode.metadata.changed >= trust.changed_before) return needs::none;
  if (type != FileType::unknown && type != own_type) return needs::none;

  Needs certain = inode.known;
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
  // In the order of their numbers: see DirectoryReader::expect.
  const auto place = std::lower_bound(
      expected_.begin(), expected_.end(), number,
      [](const DirectoryNumber& a, const DirectoryNumber& b) { return a.inode < b.inode; });
  if (place == expected_.end() || place->inode != number.inode) return;
  const std::size_t end = std::min(expected_.size(), expected_next_ + fetched_ahead);
  for (; expected_next_ < end; ++expected_next_) {
    Inode inode;
    Windows::Found found;
    if (!find_inode(expected_[expected_next_].inode, 0, inode, found)) continue;
    if (!is_ours(inode) || inode.has_inline_data()) continue;
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
