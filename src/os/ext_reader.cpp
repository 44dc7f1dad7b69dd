// SPDX-License-Identifier: MIT
// The way of a directory from the device into blocks of entries. See ext_reader.h.
#include "os/ext_reader.h"

#include <algorithm>
#include <cstring>

namespace ffind::os::ext {
namespace {

/// Inodes of neighbours are asked for together: 4 to 16 KiB, whatever... see InodeWindows.
constexpr std::size_t smallest_window = std::size_t{16} * 1024;

/// Larger directories are the kernel's to read, in pieces: what is held here is held by every
/// thread. With names of 20 bytes it is 18,000 entries.
constexpr std::uint64_t most_held = std::uint64_t{512} * 1024;

/// What is fetched ahead of a reading that would have to wait: neighbours that lie further apart
/// are fetched one by one.
constexpr std::uint64_t fetched_at_once = std::uint64_t{128} * 1024;
/// Directories whose blocks are fetched ahead.
constexpr std::size_t fetched_ahead = 64;

}  // namespace

// Inodes

InodeWindows::InodeWindows(Volume& volume)
    : volume_(volume),
      window_size_(std::max<std::size_t>(smallest_window, volume.geometry().inode_size)) {}

Bytes InodeWindows::find(std::uint64_t number, std::uint64_t since) {
  const std::uint64_t position = volume_.position_of_inode(number);
  if (position == 0) return {};
  const std::size_t inode_size = volume_.geometry().inode_size;
  const std::uint64_t begin = position / window_size_ * window_size_;
  Window* oldest = windows_.data();
  for (Window& window : windows_) {
    if (window.last_use < oldest->last_use) oldest = &window;
    if (window.size == 0 || window.begin != begin) continue;
    oldest = &window;
    if (window.read_at <= since) break;
    window.last_use = ++uses_;
    return {window.bytes.get() + (position - begin), inode_size};
  }
  // At the end of the device a window may be cut off.
  if (!load(*oldest, begin, window_size_)) return {};
  oldest->last_use = ++uses_;
  return {oldest->bytes.get() + (position - begin), inode_size};
}

bool InodeWindows::load(Window& window, std::uint64_t begin, std::size_t size) {
  const Device& device = volume_.device();
  if (!window.bytes) window.bytes.reset(new unsigned char[window_size_]);
  window.size = 0;
  window.begin = begin;
  window.read_at = volume_.begin_reading();
  if (!device.read_if_cached(begin, size, window.bytes.get())) {
    ++waits_;
    device.fetch(begin / fetched_at_once * fetched_at_once, fetched_at_once);
    if (!device.read(begin, size, window.bytes.get())) return false;
  }
  window.size = size;
  if (volume_.geometry().checksums) return true;
  // Nothing tells an inode that was read while it was written but another reading.
  again_.resize(size);
  constexpr int tries = 3;
  for (int attempt = 0; attempt < tries; ++attempt) {
    if (!device.read(begin, size, again_.data())) break;
    if (std::memcmp(again_.data(), window.bytes.get(), size) == 0) return true;
    std::memcpy(window.bytes.get(), again_.data(), size);
  }
  window.size = 0;
  return false;
}

// Directories

Reader::Reader(Volume& volume)
    : volume_(volume), geometry_(volume.geometry()), inodes_(volume) {}

bool Reader::begin(const DirectoryNumber& number, const DirectoryNumber* parent) {
  if (is_cold()) fetch_blocks_ahead(number);
  std::uint64_t since = number.listed;
  constexpr int tries = 2;
  for (int attempt = 0; attempt < tries; ++attempt) {
    parts_.clear();
    part_ = position_ = 0;
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
  const Bytes bytes = inodes_.find(number.inode, since);
  if (bytes.empty()) return Outcome::not_ours;
  if (!decode_inode(geometry_, number.inode, bytes, inode_)) return Outcome::torn;
  if (!is_ours(inode_)) return Outcome::not_ours;
  if (inode_.has_inline_data()) return begin_inline(bytes, parent);

  const std::uint64_t size = inode_.metadata.size;
  if (size == 0 || size % geometry_.block_size != 0 || size > most_held) return Outcome::not_ours;
  const std::uint64_t limit = size / geometry_.block_size;
  seed_ = checksum_seed_of(geometry_, number.inode, inode_.generation);
  if (!find_runs(number.inode, limit) || !read_blocks(limit)) return Outcome::torn;
  if (const Outcome outcome = check_blocks(number, parent); outcome != Outcome::read) {
    return outcome;
  }
  if (!geometry_.checksums && !read_blocks_again()) return Outcome::torn;
  // The only block of a directory with checksums proves itself.
  if (geometry_.checksums && limit == 1) return Outcome::read;
  return is_unchanged(number.inode) ? Outcome::read : Outcome::torn;
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
bool Reader::find_runs(std::uint64_t, std::uint64_t limit) {
  runs_.clear();
  MapPart part;
  if (!decode_map(geometry_, inode_, limit, part)) return false;
  runs_ = std::move(part.runs);
  // The last first, since the order of nodes is that of a stack.
  std::vector<MapNode> nodes(part.nodes.rbegin(), part.nodes.rend());
  std::vector<unsigned char> block(geometry_.block_size);
  while (!nodes.empty()) {
    const MapNode node = nodes.back();
    nodes.pop_back();
    if (!volume_.device().read(node.physical * geometry_.block_size, block.size(), block.data())) {
      return false;
    }
    part.runs.clear();
    part.nodes.clear();
    if (!decode_map_node(geometry_, inode_, node, block, seed_, limit, part)) return false;
    runs_.insert(runs_.end(), part.runs.begin(), part.runs.end());
    nodes.insert(nodes.end(), part.nodes.rbegin(), part.nodes.rend());
    // A node for each block is as many as there can be.
    if (nodes.size() > limit || runs_.size() > limit) return false;
  }
  return !runs_.empty();
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

Reader::Outcome Reader::check_blocks(const DirectoryNumber& number, const DirectoryNumber* parent) {
  // A directory whose first block is a hole has no dots, and is none that a kernel makes.
  if (runs_.front().logical != 0) return Outcome::not_ours;
  for (const Bytes block : parts_) {
    const auto logical =
        static_cast<std::uint64_t>(block.data() - buffer_.data()) / geometry_.block_size;
    if (check_directory_block(geometry_, inode_, logical, seed_, block) != BlockState::sound) {
      return Outcome::torn;
    }
  }
  const Dots dots = dots_of(geometry_, parts_.front());
  if (dots.self != number.inode) return Outcome::not_ours;
  if (parent != nullptr && dots.parent != parent->inode) return Outcome::not_ours;
  return Outcome::read;
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

/// Whether the inode still says what it said before the blocks were read.
bool Reader::is_unchanged(std::uint64_t number) const {
  std::vector<unsigned char> bytes(geometry_.inode_size);
  const std::uint64_t position = volume_.position_of_inode(number);
  if (position == 0 || !volume_.device().read(position, bytes.size(), bytes.data())) return false;
  Inode now;
  return decode_inode(geometry_, number, bytes, now) &&
         now.metadata.size == inode_.metadata.size &&
         now.metadata.changed == inode_.metadata.changed && now.map == inode_.map &&
         now.flags == inode_.flags && now.generation == inode_.generation && !now.deleted;
}

void Reader::read(DirentBlock& block) {
  block.clear();
  for (; part_ < parts_.size(); ++part_, position_ = 0) {
    if (!pack_entries(geometry_, parts_[part_], position_, block)) return;
  }
}

// Entries

Needs Reader::metadata(std::uint64_t number, FileType type, Needs wanted, Metadata& metadata) {
  const Bytes bytes = inodes_.find(number, read_at_);
  Inode inode;
  if (bytes.empty() || !decode_inode(geometry_, number, bytes, inode)) return needs::none;
  const Trust& trust = volume_.trust();
  const FileType found = type_of_mode(inode.metadata.mode);
  if (inode.deleted || inode.metadata.changed >= trust.changed_before) return needs::none;
  if (type != FileType::unknown && type != found) return needs::none;

  Needs certain = inode.known;
  if (trust.owners_differ) certain &= ~needs::owner;
  const bool written = found != FileType::file ||
                       (!trust.lazy_times && inode.metadata.changed < trust.written_before);
  if (!written) certain &= ~needs::size;
  if (trust.lazy_times) certain &= ~(needs::modified | needs::changed | needs::accessed);
  inode.metadata.device = volume_.device_number();
  metadata = inode.metadata;
  return certain & (wanted | needs::type);
}

// Ahead of need

void Reader::expect(const std::vector<DirectoryNumber>& directories) {
  if (!is_cold()) return;
  expected_ = directories;
  expected_next_ = 0;
  std::vector<std::uint64_t> positions;
  for (const DirectoryNumber& number : expected_) {
    const std::uint64_t position = volume_.position_of_inode(number.inode);
    if (position != 0) positions.push_back(position / smallest_window * smallest_window);
  }
  std::sort(positions.begin(), positions.end());
  for (std::size_t i = 0; i < positions.size();) {
    const std::uint64_t begin = positions[i];
    std::uint64_t end = begin;
    for (; i < positions.size() && positions[i] <= end; ++i) end = positions[i] + smallest_window;
    volume_.device().fetch(begin, end - begin);
  }
}

void Reader::fetch_blocks_ahead(const DirectoryNumber& number) {
  const auto from = expected_.begin() + static_cast<std::ptrdiff_t>(expected_next_);
  // Every so often is enough, and what others have begun needs nothing.
  if (from == expected_.end() ||
      std::find(expected_.begin(), expected_.end(), number) == expected_.end()) {
    return;
  }
  const std::size_t end = std::min(expected_.size(), expected_next_ + fetched_ahead);
  MapPart part;
  for (; expected_next_ < end; ++expected_next_) {
    const DirectoryNumber& next = expected_[expected_next_];
    const Bytes bytes = inodes_.find(next.inode, next.listed);
    Inode inode;
    if (bytes.empty() || !decode_inode(geometry_, next.inode, bytes, inode)) continue;
    if (!is_ours(inode) || inode.has_inline_data()) continue;
    const std::uint64_t limit = inode.metadata.size / geometry_.block_size;
    part.runs.clear();
    part.nodes.clear();
    if (limit == 0 || !decode_map(geometry_, inode, limit, part)) continue;
    for (const Run& run : part.runs) {
      volume_.device().fetch(run.physical * geometry_.block_size, run.count * geometry_.block_size);
    }
  }
}

}  // namespace ffind::os::ext
