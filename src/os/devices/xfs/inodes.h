// SPDX-License-Identifier: MIT
// The inodes of an XFS volume, read a chunk of 64 in one call where that is quicker than a stat of
// each, and shared by the readers of a search. Made by directories.cpp; knows no directory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "os/devices/xfs/records.h"
#include "os/os.h"

namespace ffind::os::xfs {

/// What of the kernel reading a volume takes; a fake in tests. Thread-safe; results are 0 or an
/// errno.
class Calls {
 public:
  virtual ~Calls() = default;
  /// Inodes in use, in the order of their numbers, from `head.ino` on.
  virtual int read(BulkCall& call) = 0;
  /// When an open directory, or what is in it, changed last.
  virtual int changed(const Directory& directory, Nanoseconds& changed) = 0;
  /// What a stat of an open file takes.
  virtual Nanoseconds stat_takes() = 0;
  /// How long this thread has run on a processor.
  virtual Nanoseconds running_time() = 0;
};

/// Whether reading chunks pays. It does where the kernel has their inodes in memory and most of
/// them are asked for: then one takes 0.65 us in a chunk and 1.4 us by stat (Linux 6.18). An inode
/// that is not in memory takes 4.5 us either way. But what a stat has read stays there for the next
/// search, and what this call has read does not: it would be as slow each time.
class Worth {
 public:
  // Refusals of may_read, each good for 64 questions.
  static constexpr std::uint64_t first_wait = 4;  ///< small searches end before that
  static constexpr std::uint64_t shortest_wait = 128;
  static constexpr std::uint64_t longest_wait = 1024;
  /// What is spent before it has been earned: a walk comes by all inodes of a chunk within the next
  /// few directories, but where new files have taken the numbers of deleted ones, much later.
  static constexpr unsigned chunks_in_advance = 32;
  static constexpr unsigned most_chunks_in_advance = 512;
  static constexpr unsigned most_losses = 4;

  /// `always`: it was requested, whether it pays or not.
  explicit Worth(bool always) : always_(always) {}

  /// Whether a chunk may be read now, when one is wanted.
  bool may_read();
  bool knows_stat() const { return stat_ != 0; }
  /// Of an open file.
  void set_stat(Nanoseconds takes);
  /// A chunk took so long, and can answer so many questions.
  void read(Nanoseconds took, unsigned answers);
  /// So many questions were answered.
  void answered(std::uint64_t count);

 private:
  Nanoseconds saved_by(unsigned chunks) const;

  const bool always_;
  Nanoseconds stat_ = 0;
  Nanoseconds balance_ = 0;  ///< saved, less what was spent
  unsigned losses_ = 0;      ///< the last so many chunks cannot pay, whatever will be asked
  std::uint64_t waiting_ = first_wait;
  std::uint64_t next_wait_ = shortest_wait;
};

struct Chunk {
  std::uint64_t read_at = 0;  ///< the volume's count when its reading began
  std::array<Record, inodes_per_chunk> records{};
};

/// Thread-safe.
class Inodes {
 public:
  /// `wanted`: what will be asked of them. `always`: see Worth.
  Inodes(std::unique_ptr<Calls> calls, const Trust& trust, Needs wanted, bool always = false);

  struct Found {
    std::shared_ptr<const Chunk> chunk{};  ///< null: the kernel is to be asked instead
    unsigned skip = 0;                     ///< and for so many more inodes, whatever they are
    bool was_read = false;                 ///< by this call
  };
  /// The chunk that the inode lies in. `answered`: so many questions were, since the last call.
  Found find(std::uint64_t inode, std::uint64_t answered);

  /// A count that rises with each reading: what has read_at above it was read later.
  std::uint64_t now() const { return clock_.load(); }

  Calls& calls() { return *calls_; }
  const Trust& trust() const { return trust_; }

 private:
  /// 4 MiB. In the order of a walk 8 of them are enough on a volume that was filled in one go, and
  /// 1,000 where new files have taken the numbers of deleted ones all over it.
  static constexpr std::size_t most_chunks = 1024;
  /// Questions that are not even looked up while reading does not pay.
  static constexpr unsigned skipped = 63;

  struct Held {
    std::shared_ptr<const Chunk> chunk{};  ///< null while it is read
    std::list<std::uint64_t>::iterator recent{};
  };

  Found read(std::uint64_t number);
  void hold(std::uint64_t number, std::shared_ptr<const Chunk> chunk);

  const std::unique_ptr<Calls> calls_;
  const Trust trust_;
  const Needs wanted_;
  std::atomic<std::uint64_t> clock_{0};
  std::mutex mutex_;  ///< guards what follows
  Worth worth_;
  std::unordered_map<std::uint64_t, Held> held_;  ///< by the number of the chunk
  std::list<std::uint64_t> recent_;               ///< those numbers, the last used first
};

}  // namespace ffind::os::xfs
