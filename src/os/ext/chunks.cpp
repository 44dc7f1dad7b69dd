// SPDX-License-Identifier: MIT
// Reading of directories that are too large to be held, chunk by chunk. The other half of Reader;
// see reader.h.
#include <algorithm>
#include <cerrno>
#include <functional>
#include <iterator>

#include "os/ext/reader.h"

namespace ffind::os::ext {
namespace {

constexpr std::uint64_t chunk = std::uint64_t{256} * 1024;

/// Names that were handed out take 8 bytes each, so 12 MiB: what lies behind is the kernel's.
constexpr std::size_t most_seen = 1'500'000;

}  // namespace

Reader::Outcome Reader::begin_chunks(const DirectoryNumber* parent) {
  const std::size_t block_size = geometry_.block_size;
  buffer_.resize(std::max<std::size_t>({buffer_.size(), chunk, block_size}));
  const Bytes block(buffer_.data(), block_size);
  const auto read_one = [&](std::uint64_t logical, std::uint64_t physical) {
    return read_run({logical, physical, 1}, buffer_.data()) &&
           check_directory_block(geometry_, inode_, logical, seed_, block) == BlockState::sound;
  };
  const Run& last = runs_.back();
  if (!read_one(last.logical + last.count - 1, last.physical + last.count - 1)) {
    return Outcome::torn;
  }
  if (runs_.front().logical != 0) return Outcome::not_ours;
  if (!read_one(0, runs_.front().physical)) return Outcome::torn;
  if (!has_right_dots(block, parent)) return Outcome::not_ours;
  if (inode_.is_indexed() && !has_sound_tree(block)) return Outcome::torn;
  if (has_twins_in_chunks()) return Outcome::not_ours;
  if (!is_unchanged()) return Outcome::torn;
  in_chunks_ = true;
  seen_.clear();
  seen_is_sorted_ = false;
  run_ = 0;
  block_of_run_ = 0;
  return Outcome::read;
}

/// Whether a name is in two chunks, or may be. A hash tree has all names of one hash in a leaf, or
/// says that the next one has more. Without a tree all chunks are read for that alone.
bool Reader::has_twins_in_chunks() {
  if (inode_.is_indexed()) {
    return std::any_of(leaves_.begin(), leaves_.end(), [](const HashRange& leaf) {
      return leaf.is_leaf && (leaf.begin & 1U) != 0;
    });
  }
  std::vector<std::uint64_t> all;
  std::vector<std::string_view> names;
  for (run_ = block_of_run_ = 0; run_ < runs_.size();) {
    parts_.clear();
    if (!read_next_runs() || all.size() > most_seen) return true;
    names.clear();
    for (const Bytes part : parts_) add_names(part, names);
    std::transform(names.begin(), names.end(), std::back_inserter(all),
                   std::hash<std::string_view>());
  }
  parts_.clear();
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) != all.end();
}

/// False at the end, and if the kernel has to list the rest: see error.
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

/// As many blocks as make a chunk; in a directory that grew beside files each lies by itself.
bool Reader::read_next_runs() {
  const std::size_t block_size = geometry_.block_size;
  const std::uint64_t most = std::max<std::uint64_t>(1, chunk / block_size);
  hashes_.clear();
  while (parts_.size() < most && run_ < runs_.size()) {
    const Run& run = runs_[run_];
    const Run next{run.logical + block_of_run_, run.physical + block_of_run_,
                   std::min<std::uint64_t>(run.count - block_of_run_, most - parts_.size())};
    unsigned char* const into = buffer_.data() + parts_.size() * block_size;
    if (!read_run(next, into)) return false;
    for (std::uint64_t i = 0; i < next.count; ++i) {
      const Bytes block(into + i * block_size, block_size);
      if (check_directory_block(geometry_, inode_, next.logical + i, seed_, block) !=
              BlockState::sound ||
          !take_hashes(next.logical + i, block)) {
        return false;
      }
      parts_.push_back(block);
    }
    block_of_run_ += next.count;
    if (block_of_run_ < run.count) continue;
    ++run_;
    block_of_run_ = 0;
  }
  return true;
}

void Reader::note_seen(DirentBlock& block) {
  Dirent dirent;
  while (block.next(dirent)) seen_.push_back(std::hash<std::string_view>()(dirent.name));
  block.rewind();
}

bool Reader::has_seen(std::string_view name) {
  if (!seen_is_sorted_) std::sort(seen_.begin(), seen_.end());
  seen_is_sorted_ = true;
  return std::binary_search(seen_.begin(), seen_.end(), std::hash<std::string_view>()(name));
}

}  // namespace ffind::os::ext
