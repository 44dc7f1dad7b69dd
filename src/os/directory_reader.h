// SPDX-License-Identifier: MIT
// Directory readers: the one way to list a directory. Each worker of a walk has a DirectoryReader,
// made for its thread by the DirectoryReaders of the volume:
//
//     search's worker ──▶ DirectoryReader ──▶ DirentBlock, 64 KiB of entries
//             ▲                   ▲
//             │ opens             ├── KernelReader: getdents, readdir, fts, getattrlistbulk;
//             │                   │   made by FileSystem
//       DirectoryOpener ◀─────────┴── ext's device reader: finds directories by their handles, and
//                                     leaves to a KernelReader what the device cannot tell
//
// A directory being listed is a ListedDirectory. The walk owns it, one thread at a time reads it,
// and another thread's reader may go on with it after `pause`: what a reader keeps of it,
// descriptor and stream, is in `directory`. Implemented by os, used by search.
#pragma once

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

/// Finds a directory again for the reader that listed it. Empty if the name is enough.
struct DirectoryHandle {
  std::uint64_t inode = 0;  ///< 0: empty

  explicit operator bool() const { return inode != 0; }
  bool operator==(const DirectoryHandle&) const = default;

  /// Bytes in the frontier, which may contain millions: 0 if empty.
  std::size_t packed_size() const { return *this ? sizeof inode : 0; }
  void pack(std::string& bytes) const {
    bytes.append(reinterpret_cast<const char*>(this), packed_size());
  }
  static DirectoryHandle unpack(const char* bytes, std::size_t packed_size) {
    DirectoryHandle handle;
    std::memcpy(&handle, bytes, packed_size);
    return handle;
  }
};

/// The probable order of directories on their volume; empty handles first.
inline bool lies_before(const DirectoryHandle& a, const DirectoryHandle& b) {
  return a.inode < b.inode;
}

/// Probable distance on the volume, for comparisons only.
inline std::uint64_t distance_between(const DirectoryHandle& a, const DirectoryHandle& b) {
  return a.inode < b.inode ? b.inode - a.inode : a.inode - b.inode;
}

/// A directory from being opened to the end of its listing.
struct ListedDirectory {
  Directory directory;     ///< closed as long as the reader does not need it
  DirectoryHandle handle;  ///< from the listing of its parent; then the reader's own
  const ListedDirectory* above = nullptr;  ///< parent; null for a root
  bool via_link = false;                   ///< reached by a symbolic link, so it has no handle
  bool elsewhere = false;                  ///< perhaps on another volume than its root
};

/// Opens a directory by its name in its parent, or by its path. Implemented by the walk.
class DirectoryOpener {
 public:
  virtual ~DirectoryOpener() = default;
  /// 0 if it is open, also if it was before, else an errno. Reports a failure, once.
  virtual int open(ListedDirectory& directory) = 0;
};

/// Opener for reading a directory that is open already.
class AlreadyOpen final : public DirectoryOpener {
 public:
  int open(ListedDirectory&) override { return 0; }
};

/// Lists the directories of one volume, for one thread. Results are 0 or an errno.
class DirectoryReader {
 public:
  virtual ~DirectoryReader() = default;

  /// Starts with a directory that is an entry of `parent` (null for a root, which is open). An
  /// error has been reported by the opener.
  virtual int open(ListedDirectory& directory, const ListedDirectory* parent) = 0;

  /// Fills `block` with the next entries; none at the end, or if the rest cannot be opened.
  virtual int read(ListedDirectory& directory, DirentBlock& block) = 0;

  /// Suspends the reading of a directory; it is open then, so that its children can be opened
  /// relative to it. False if this reader has to go on.
  virtual bool pause(ListedDirectory& directory) = 0;
  /// Goes on with a directory that this or another reader paused or gave up.
  virtual void resume(ListedDirectory& directory) = 0;
  /// Announces requests about entries of an open directory that another reader has listed.
  virtual void turn_to(const ListedDirectory& directory) = 0;
  /// Whether another reader could go on with the open directory now.
  virtual bool can_share(const ListedDirectory& directory) const = 0;

  /// True if directories are best read in the order of their handles, many at a time.
  virtual bool wants_order() const { return false; }
  /// The handle of a directory listed in this one, from its Dirent::inode.
  virtual DirectoryHandle child(const ListedDirectory&, std::uint64_t) { return {}; }
  /// A hint that these children of the directory read last will probably be opened next, in this
  /// order, which is that of `lies_before`, by this or other readers. The reader may read ahead.
  virtual void expect(const std::vector<DirectoryHandle>&) {}

  /// Parts that `metadata` may know of the entries read last.
  virtual Needs knows() const { return needs::none; }
  /// Fills in the metadata of one of those entries that is certain without a system call. Returns
  /// its parts, bits of `wanted`. `inode` and `type` are those of its Dirent.
  virtual Needs metadata(std::uint64_t, FileType, Needs, Metadata&) { return needs::none; }
  /// True if the directory that is listed in this one by that inode is empty; nullopt if it would
  /// have to be opened.
  virtual std::optional<bool> is_empty(const ListedDirectory&, std::uint64_t) { return {}; }

  /// Number of directories that were left to the kernel.
  virtual std::uint64_t fallbacks() const { return 0; }
};

/// Common part of the readers that list through the kernel. They open each directory and keep their
/// position in it with its descriptor, so any of them can go on with it. Made by FileSystem.
class KernelReader : public DirectoryReader {
 public:
  /// `listed_device`: the device of all entries on this volume, if the inodes in listings are those
  /// of stat (except at mount points); nullopt if that is not certain.
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

/// Readers of the volume's device (Linux's ext4).
struct OpenedDevice {
  std::unique_ptr<DirectoryReaders> directories{};  ///< null if the device cannot be read
  std::string refusal{};  ///< the reason, which follows "the catalog cannot be read: "
};

OpenedDevice device_directories(const Task& task, FileSystem& file_system);

}  // namespace ffind::os
