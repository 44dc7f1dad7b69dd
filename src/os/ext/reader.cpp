// SPDX-License-Identifier: MIT
// Steps of Reader::begin():
//
//     find_inode ─▶ is_ours ─▶ find_runs ─▶ read_blocks ─▶ check_blocks ─▶ is_unchanged
//
// Kinds of directories, by size:
//
//     in its inode          begin_inline: no block is read
//     one block             find_block: used in place, in the read cache
//     up to most_held       read_blocks: copied to `buffer_`, the last block first
//     larger, hash tree     begin_chunks: read() goes on reading while the walk takes entries
//     larger, no checksums  up to most_held_whole as above; beyond that the kernel lists it
//
// Outcome::torn is worth another try: the kernel may have been writing. Outcome::not_ours is left
// to the kernel at once, and so is a directory that is torn twice.
//
// Everything that was read is checked before the first entry is returned, except in chunks. After
// that nothing can be taken back, so a chunk that fails ends the directory with ESTALE, and the
// kernel lists the names that were not returned.
#include "os/ext/reader.h"

#include <algorithm>
#include <bit>
#include <cerrno>
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

/// Larger directories are read in chunks, since every thread may keep one in memory; kept whole,
/// one of 50,000 entries took 2.5 times as long. With names of 20 bytes this is 9,000 entries.
/// Without checksums a chunk cannot be verified alone: larger directories are left to the kernel.
constexpr std::uint64_t most_held = std::uint64_t{256} * 1024;
constexpr std::uint64_t most_held_whole = std::uint64_t{512} * 1024;
constexpr std::uint64_t most_in_chunks = std::uint64_t{48} * 1024 * 1024;
constexpr std::uint64_t chunk = std::uint64_t{256} * 1024;
/// Names that were returned take 8 bytes each, so 12 MiB; the kernel lists the rest.
constexpr std::size_t most_seen = 1'500'000;

constexpr std::size_t fetched_ahead = 64;  ///< directories whose blocks are fetched ahead
/// Directories for which the page cache counts as cold after a reading had to wait for the disk.
constexpr unsigned cold_spell = 64;

/// Blocks of a directory, and bytes of a run of them, as sizes in memory: larger ones are not read.
std::size_t blocks_of(const Geometry& geometry, const Inode& inode) {
  return text::at_most(most_in_chunks, inode.metadata.size / geometry.block_size);
}
std::size_t bytes_of(const Geometry& geometry, const Run& run) {
  return text::at_most(most_in_chunks, run.count * geometry.block_size);
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
  std::uint64_t since = number.listed;
  constexpr int tries = 2;
  for (int attempt = 0; attempt < tries; ++attempt) {
    parts_.clear();
    part_ = position_ = 0;
    in_chunks_ = false;
    error_ = 0;
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

/// One attempt. What was read before `since`, the listing of the parent or the first attempt, is
/// read again.
Reader::Outcome Reader::try_begin(const DirectoryHandle& number, const DirectoryHandle* parent,
                                  std::uint64_t since) {
  ReadCache::Found found;
  if (!find_inode(number.inode, since, inode_, found)) {
    return found.bytes.empty() ? Outcome::not_ours : Outcome::torn;
  }
  if (!is_ours(inode_)) return Outcome::not_ours;
  if (inode_.has_inline_data() && inode_.is_indexed()) return Outcome::not_ours;
  if (inode_.has_inline_data()) return begin_inline(found.bytes, parent);

  const std::uint64_t size = inode_.metadata.size;
  if (size == 0 || size % geometry_.block_size != 0) return Outcome::not_ours;
  const std::uint64_t most = geometry_.checksums ? most_in_chunks : most_held_whole;
  if (size > most) return Outcome::not_ours;
  // Without checksums the hash tree cannot be verified, and the kernel lists only the blocks that
  // it leads to.
  if (inode_.is_indexed() && !geometry_.checksums) return Outcome::not_ours;
  const std::size_t limit = blocks_of(geometry_, inode_);
  seed_ = checksum_seed_of(geometry_, number.inode, inode_.generation);
  if (!find_runs(limit)) return Outcome::torn;
  if (has_holes(limit) || !volume_.are_for_files(runs_)) return Outcome::not_ours;
  if (size > most_held && geometry_.checksums) return begin_chunks(parent);
  if (!(limit == 1 ? find_block(since) : read_blocks(limit))) return Outcome::torn;
  const Outcome outcome = check_blocks(parent);
  if (outcome != Outcome::read) return outcome;
  if (limit == 1 && found.read_at > blocks_read_at_) return Outcome::read;
  if (limit > 1 && !geometry_.checksums && !read_blocks_again()) return Outcome::torn;
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

Reader::Outcome Reader::begin_inline(Bytes bytes, const DirectoryHandle* parent) {
  // Copied: the window may be replaced for the inodes of the entries.
  buffer_.assign(bytes.begin(), bytes.end());
  InlineDirectory directory;
  if (!decode_inline_directory(geometry_, inode_, buffer_, directory)) return Outcome::torn;
  if (parent != nullptr && directory.parent != parent->inode) return Outcome::not_ours;
  hashes_.clear();
  for (const Bytes part : directory.parts) {
    parts_.push_back(part);
    add_hashes(part, hashes_);
  }
  return has_twins() ? Outcome::torn : Outcome::read;
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
  parts_.push_back(found.bytes);
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
/// `parts_`. The last one first, since entries move only into a block that was just appended.
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
    parts_.emplace_back(buffer_.data() + i * block_size, block_size);
  }
  return true;
}

/// True if a second reading finds the same bytes. Only without checksums.
bool Reader::read_blocks_again() {
  return std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    spare_.resize(bytes_of(geometry_, run));
    const unsigned char* const first = buffer_.data() + run.logical * geometry_.block_size;
    return read_run(run, spare_.data()) && std::memcmp(first, spare_.data(), spare_.size()) == 0;
  });
}

/// True if the hash tree of an indexed directory leads from its root, a sound block, to every block
/// once: the kernel lists no other block. Fills `leaves_`.
bool Reader::has_sound_tree(Bytes root) {
  const std::size_t blocks = blocks_of(geometry_, inode_);
  leaves_.assign(blocks, {});
  tree_.clear();
  std::uint32_t levels = 0;
  if (!decode_hash_root(geometry_, root, hash_, levels, tree_)) return false;
  std::uint64_t left = blocks - 1;
  std::vector<HashRange> below;
  // Level by level: `tree_` has the branches of one, `below` collects those of the next.
  for (bool to_leaves = levels <= 1;; to_leaves = levels <= 1) {
    below.clear();
    for (const HashRange& branch : tree_) {
      if (branch.block == 0 || branch.block >= blocks || left-- == 0) return false;
      HashRange& known = leaves_[branch.block];
      if (known.end != 0) return false;
      known = branch;
      if (branch.is_leaf) continue;
      if (!read_block(branch.block) ||
          !is_sound_block(geometry_, inode_, branch.block, seed_, spare_) ||
          !decode_hash_node(spare_, branch, to_leaves, below)) {
        return false;
      }
    }
    if (levels == 0) return left == 0;
    --levels;
    tree_.swap(below);
  }
}

/// Reads one block of the directory, by its number in it, into `spare_`.
bool Reader::read_block(std::uint64_t logical) {
  spare_.resize(geometry_.block_size);
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), logical,
                       [](std::uint64_t number, const Run& run) { return number < run.logical; });
  const Run& run = *std::prev(after);
  return read_run({logical, run.physical + (logical - run.logical), 1}, spare_.data());
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
         (!range.is_leaf || add_leaf_hashes(hash_, range, block, hashes_));
}

/// True if a name is in `parts_` twice: the kernel lists both entries, but finds only one of them
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
  for (const Bytes part : parts_) add_names(part, names);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

/// Checks all blocks in `parts_`: each by itself, those of a hash tree against the tree, all names
/// against each other.
Reader::Outcome Reader::check_blocks(const DirectoryHandle* parent) {
  hashes_.clear();
  for (std::size_t logical = 0; logical < parts_.size(); ++logical) {
    const Bytes block = parts_[logical];
    if (!is_sound_block(geometry_, inode_, logical, seed_, block)) return Outcome::torn;
    if (logical == 0 && inode_.is_indexed() && !has_sound_tree(block)) return Outcome::torn;
    if (!take_hashes(logical, block)) return Outcome::torn;
  }
  if (!has_right_dots(parts_.front(), parent)) return Outcome::not_ours;
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
  while (part_ < parts_.size() || read_chunk()) {
    if (!pack_entries(geometry_, parts_[part_], position_, block)) break;
    ++part_;
    position_ = 0;
  }
  if (in_chunks_) note_seen(block);
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
  const std::uint64_t since = geometry_.checksums ? 0 : read_at_;
  Inode& inode = inode_of_entry_;
  ReadCache::Found found;
  if (!find_inode(number, since, inode, found)) return wanted & needs::identity;
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
    if (!is_ours(inode) || inode.has_inline_data() || inode.metadata.size > most_held) continue;
    const std::uint64_t limit = inode.metadata.size / geometry_.block_size;
    if (limit == 0 || !decode_map(geometry_, inode, limit, map_)) continue;
    for (const Run& run : map_.runs) {
      volume_.device().fetch(run.physical * geometry_.block_size, run.count * geometry_.block_size);
    }
  }
}

// Directories that are too large to be kept in memory

/// Checks what can be checked before any chunk: the last block, the first with its dots, the tree,
/// and that no name can be in two chunks. A hash tree has all names of a hash in one leaf, or marks
/// that the next leaf has more; without a tree, which kernels make for a second block already, all
/// chunks would have to be compared.
Reader::Outcome Reader::begin_chunks(const DirectoryHandle* parent) {
  if (!inode_.is_indexed()) return Outcome::not_ours;
  const std::size_t block_size = geometry_.block_size;
  buffer_.resize(std::max<std::size_t>({buffer_.size(), chunk, block_size}));
  const Bytes block(buffer_.data(), block_size);
  for (const Run& run : {last_block(), Run{0, runs_.front().physical, 1}}) {
    if (!read_run(run, buffer_.data()) ||
        !is_sound_block(geometry_, inode_, run.logical, seed_, block)) {
      return Outcome::torn;
    }
  }
  if (!has_right_dots(block, parent)) return Outcome::not_ours;
  if (!has_sound_tree(block)) return Outcome::torn;
  const auto goes_on = [](const HashRange& leaf) { return leaf.is_leaf && (leaf.begin & 1U) != 0; };
  if (std::any_of(leaves_.begin(), leaves_.end(), goes_on)) return Outcome::not_ours;
  if (!is_unchanged()) return Outcome::torn;
  in_chunks_ = true;
  seen_.clear();
  seen_is_sorted_ = false;
  run_ = 0;
  next_block_ = 0;
  return Outcome::read;
}

/// False at the end, and if the kernel has to list the rest; then error() is ESTALE.
bool Reader::read_chunk() {
  if (!in_chunks_ || error_ != 0 || run_ == runs_.size()) return false;
  parts_.clear();
  part_ = 0;
  position_ = 0;
  if (seen_.size() < most_seen && read_next_runs() && !has_twins() && is_unchanged()) return true;
  parts_.clear();
  error_ = ESTALE;
  return false;
}

/// Reads a chunk, of several runs: in a directory that grew while files did, each block may be one.
bool Reader::read_next_runs() {
  const std::size_t block_size = geometry_.block_size;
  const std::uint64_t most = std::max<std::uint64_t>(1, chunk / block_size);
  hashes_.clear();
  while (parts_.size() < most && run_ < runs_.size()) {
    const Run& run = runs_[run_];
    const std::uint64_t end = run.logical + run.count;
    const Run next{next_block_, run.physical + (next_block_ - run.logical),
                   std::min<std::uint64_t>(end - next_block_, most - parts_.size())};
    unsigned char* const into = buffer_.data() + parts_.size() * block_size;
    if (!read_run(next, into)) return false;
    for (std::uint64_t i = 0; i < next.count; ++i, ++next_block_) {
      const Bytes block(into + i * block_size, block_size);
      if (!is_sound_block(geometry_, inode_, next_block_, seed_, block) ||
          !take_hashes(next_block_, block)) {
        return false;
      }
      parts_.push_back(block);
    }
    if (next_block_ == end) ++run_;
  }
  return true;
}

/// Records hashes of the names in `block`, for has_seen().
void Reader::note_seen(DirentBlock& block) {
  Dirent dirent;
  while (block.next(dirent)) seen_.push_back(hash_to_compare(dirent.name));
  block.rewind();
}

bool Reader::has_seen(std::string_view name) {
  if (!seen_is_sorted_) std::sort(seen_.begin(), seen_.end());
  seen_is_sorted_ = true;
  return std::binary_search(seen_.begin(), seen_.end(), hash_to_compare(name));
}

}  // namespace ffind::os::ext
