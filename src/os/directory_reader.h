// SPDX-License-Identifier: MIT
// The seam to directories: what is in one. Each worker of a walk has a reader, which opens, lists
// and closes directories whatever way that is done: by the kernel (getdents64, readdir, fts,
// getattrlistbulk: see FileSystem), or from the device that a volume lies on, without opening them.
// os implements it, search's workers use it. Must not know query, search or output.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "os/dirent_block.h"
#include "os/files.h"

namespace ffind::os {

/// By what a reader finds a directory again that it listed; means nothing to anybody else. Empty
/// where the name is all that it takes.
class DirectoryHandle {
 public:
  using Words = std::array<std::uint64_t, 2>;

  DirectoryHandle() = default;
  /// The first word, a place on the volume, is not 0; the second mostly is.
  explicit DirectoryHandle(const Words& words) : words_(words) {}

  explicit operator bool() const { return words_[0] != 0; }
  const Words& words() const { return words_; }
  bool operator==(const DirectoryHandle&) const = default;

  /// The order in which directories are likely to lie on their volume; empty handles first.
  friend bool lies_before(const DirectoryHandle& a, const DirectoryHandle& b) {
    return a.words_[0] < b.words_[0];
  }

  /// How far apart they are likely to lie; to be compared with others only.
  friend std::uint64_t distance_between(const DirectoryHandle& a, const DirectoryHandle& b) {
    return a.words_[0] < b.words_[0] ? b.words_[0] - a.words_[0] : a.words_[0] - b.words_[0];
  }

  /// Bytes in the frontier, where millions may wait: 0 if empty, 8 without a second word, else 16.
  std::size_t packed_size() const {
    if (!*this) return 0;
    return words_[1] == 0 ? sizeof words_[0] : sizeof words_;
  }
  void pack(std::string& bytes) const {
    bytes.append(reinterpret_cast<const char*>(words_.data()), packed_size());
  }
  static DirectoryHandle unpack(const char* bytes, std::size_t packed_size) {
    DirectoryHandle handle;
    std::memcpy(handle.words_.data(), bytes, packed_size);
    return handle;
  }

 private:
  Words words_{};
};

/// What a reader keeps of a directory that it has read half of.
class HalfRead {
 public:
  virtual ~HalfRead() = default;
};

/// A directory from when it is opened until it has been listed. Whoever walks keeps it; one thread
/// at a time reads it.
struct ListedDirectory {
  Directory directory;             ///< open, unless the reader did without that so far
  DirectoryHandle handle;          ///< as the directory around it was listed; then its reader's own
  std::unique_ptr<HalfRead> rest;  ///< while it is paused
  const ListedDirectory* above = nullptr;  ///< the one that it was listed in; null for a root
  bool via_link = false;                   ///< its name is that of a link, which has no handle
};

/// Opens a directory by its name in the one around it, or by its path. Implemented by the walk.
class DirectoryOpener {
 public:
  virtual ~DirectoryOpener() = default;
  /// 0 if it is open (already), else an errno. What goes wrong is reported by the opener, once.
  virtual int open(ListedDirectory& directory) = 0;
};

/// Opener for reading a directory that is open already.
class AlreadyOpen final : public DirectoryOpener {
 public:
  int open(ListedDirectory&) override { return 0; }
};

/// One thread's way to list the directories of one volume. Results are 0 or an errno.
class DirectoryReader {
 public:
  virtual ~DirectoryReader() = default;

  /// Begins with a directory that `parent` (null for a root, which is open) was found to hold. An
  /// error was reported by the opener.
  virtual int open(ListedDirectory& directory, const ListedDirectory* parent) = 0;

  /// Fills `block` with the next entries; none at the end, also where the opener had to say that
  /// the rest cannot be read.
  virtual int read(ListedDirectory& directory, DirentBlock& block) = 0;

  /// Has the directory wait to be read on: it is open then, so that its children can be opened by
  /// it. False where this reader has to go on.
  virtual bool pause(ListedDirectory& directory) = 0;
  /// Goes on with a directory that this or another reader paused, or gave the rest of.
  virtual void resume(ListedDirectory& directory) = 0;
  /// The next requests are about entries of an open directory that another reader has listed.
  virtual void turn_to(const ListedDirectory& directory) = 0;
  /// Whether another reader could go on with the open directory right now.
  virtual bool can_share(const ListedDirectory& directory) const = 0;

  /// Whether directories are best read in the order of their handles, many at a time.
  virtual bool wants_order() const { return false; }
  /// The handle of a directory that was listed in this one, from its Dirent::inode.
  virtual DirectoryHandle child(const ListedDirectory&, std::uint64_t) { return {}; }
  /// A hint: these, which lie in the directory that was read last, are likely to be opened next, in
  /// this order, that of `lies_before`, if not by other readers. What reading them takes may be
  /// fetched ahead.
  virtual void expect(const std::vector<DirectoryHandle>&) {}

  /// What `metadata` may have answers to for the entries that were read last.
  virtual Needs knows() const { return needs::none; }
  /// What of `wanted` is certain of one of them without asking the kernel: bits of needs::metadata.
  /// `inode` and `type` are those of its Dirent.
  virtual Needs metadata(std::uint64_t, FileType, Needs, Metadata&) { return needs::none; }
  /// Whether the directory that is listed in this one by that inode is empty, where that can be
  /// said without opening it.
  virtual std::optional<bool> is_empty(const ListedDirectory&, std::uint64_t) { return {}; }

  /// Directories for which the kernel had to be asked instead.
  virtual std::uint64_t fallbacks() const { return 0; }
};

/// Common part of the readers that list through the kernel: they open each directory and keep where
/// they are with its descriptor, so any of them can go on with it.
class KernelReader : public DirectoryReader {
 public:
  /// `listed_device`: the device of what the directories of this volume list, if they list each
  /// entry by the number that stat returns, unless something is mounted there; nullopt if that is
  /// not certain.
  explicit KernelReader(DirectoryOpener& opener, std::optional<std::uint64_t> listed_device = {})
      : opener_(opener), device_(listed_device) {}

  int open(ListedDirectory& directory, const ListedDirectory*) override {
    return opener_.open(directory);
  }
  bool pause(ListedDirectory&) override { return true; }
  void resume(ListedDirectory&) override {}
  void turn_to(const ListedDirectory&) override {}
  bool can_share(const ListedDirectory&) const override { return true; }

  Needs knows() const override { return device_ ? needs::identity : needs::none; }
  Needs metadata(std::uint64_t inode, FileType, Needs wanted, Metadata& metadata) override {
    if (inode == 0 || (wanted & knows()) == 0) return needs::none;
    metadata.inode = inode;
    metadata.device = *device_;
    return needs::identity;
  }

 private:
  DirectoryOpener& opener_;
  const std::optional<std::uint64_t> device_;
};

/// From the device of the volume (Linux's ext2, ext3 and ext4), and by the kernel what that does
/// not answer. Null where it cannot be read at all, with the reason as a text that follows
/// "the catalog cannot be read: ".
std::unique_ptr<DirectoryReaders> device_directories(const Task& task, FileSystem& file_system,
                                                     std::string& why_not);

}  // namespace ffind::os
