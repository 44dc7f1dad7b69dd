// SPDX-License-Identifier: MIT
// Directories of a volume read from its device, by number, and the reader that falls back to the
// kernel for those that the device cannot list. Knows no layout: Reader and probe.cpp implement
// this for ext, and a fake does in the tests of the walker.
//
//     DeviceDirectories   a volume, shared: numbers of directories, and
//       └─ DeviceReader   one thread's listing of one directory after the other
//     with_kernel()       DirectoryReaders over both, for the walker
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "os/directory_reader.h"

namespace ffind::os {

/// Identifies a directory on its volume.
struct DirectoryNumber {
  std::uint64_t inode = 0;  ///< 0: unknown
  /// The volume's clock when the directory was listed: readings before that prove nothing about it.
  /// 0 if it is known to have been the same all the time.
  std::uint64_t listed = 0;

  explicit operator bool() const { return inode != 0; }
  bool operator==(const DirectoryNumber&) const = default;
};

inline bool lies_before(const DirectoryNumber& a, const DirectoryNumber& b) {
  return a.inode < b.inode;
}

inline DirectoryHandle handle_of(const DirectoryNumber& number) {
  return DirectoryHandle({number.inode, number.listed});
}
inline DirectoryNumber number_of(const DirectoryHandle& handle) {
  const DirectoryHandle::Words& words = handle.words();
  return {.inode = words[0], .listed = words[1]};
}

/// Lists directories of a device for one thread, one after the other. Owns its buffers.
class DeviceReader : public HalfRead {
 public:
  /// As DirectoryReader::expect.
  virtual void expect(const std::vector<DirectoryNumber>& directories) = 0;

  /// Reads the directory `number`, which was listed in `parent` (null for a root, whose number the
  /// kernel gave), and verifies that it did not change meanwhile and is the one that was listed.
  /// False if the kernel has to list it instead: it changed recently, is too large, encrypted,
  /// damaged, of an unknown kind, or cannot be read.
  virtual bool begin(const DirectoryNumber& number, const DirectoryNumber* parent) = 0;

  /// Fills `block` with the next entries of the directory; none at the end. Dirent::inode is the
  /// argument of child() and metadata().
  virtual void read(DirentBlock& block) = 0;

  /// The errno that ended a directory early, which happens only if it is read in chunks. ESTALE: it
  /// changed meanwhile, and the kernel has to list the entries that has_seen() does not know.
  virtual int error() const { return 0; }
  /// After ESTALE: whether the entry of that name has been read.
  virtual bool has_seen(std::string_view) { return false; }

  /// As DirectoryReader::metadata, for entries of the directory that was begun.
  virtual Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) = 0;
};

/// The directories of one volume. Thread-safe.
class DeviceDirectories {
 public:
  virtual ~DeviceDirectories() = default;

  /// Makes a reader for one thread.
  virtual std::unique_ptr<DeviceReader> open_reader() = 0;

  /// The number of a directory that the kernel opened; unknown if it is on another volume.
  virtual DirectoryNumber number_of(const Directory& opened) = 0;

  /// The number of a directory, from its Dirent::inode in a listing of `parent` by a reader of this
  /// device or, with `from_kernel`, by the kernel; may be unknown.
  virtual DirectoryNumber child(const DirectoryNumber& parent, std::uint64_t inode,
                                bool from_kernel) = 0;
};

/// Readers of `device` that fall back to the kernel.
std::unique_ptr<DirectoryReaders> with_kernel(std::unique_ptr<DeviceDirectories> device,
                                              FileSystem& file_system);

}  // namespace ffind::os
