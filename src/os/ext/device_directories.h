// SPDX-License-Identifier: MIT
// Directories as they lie on the device of a volume, by number, past the kernel's calls: what the
// file systems' folders beside this implement, and the reader that has the kernel answer for what a
// device does not. Knows no layout.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "os/directory_reader.h"

namespace ffind::os {

/// What a volume calls a directory.
struct DirectoryNumber {
  std::uint64_t inode = 0;  ///< 0: unknown
  /// When it was listed, by the volume's own count: what was read before that proves nothing. 0
  /// where that is proved otherwise.
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

/// One thread's reading of a device: the directory that it began last, and buffers.
class DeviceReader : public HalfRead {
 public:
  /// As DirectoryReader::expect.
  virtual void expect(const std::vector<DirectoryNumber>& directories) = 0;

  /// Reads the directory `number`, which `parent` was found to list (null for a root, of which the
  /// kernel told), and makes sure that it held together while it was read and is the one that was
  /// listed. False when the kernel has to be asked instead: it changed lately, is too large to be
  /// held, encrypted, damaged, of an unknown kind, or cannot be read.
  virtual bool begin(const DirectoryNumber& number, const DirectoryNumber* parent) = 0;

  /// Fills `block` with the next entries of the directory that was begun; none at the end.
  /// Dirent::inode is what `child` and `metadata` take.
  virtual void read(DirentBlock& block) = 0;

  /// What ended the last read too early, an errno; only where a directory that is too large to be
  /// held is read chunk by chunk. ESTALE: it changed meanwhile, and the kernel has to be asked for
  /// what `has_seen` does not know.
  virtual int error() const { return 0; }
  /// After ESTALE: whether the entry of that name was among those read.
  virtual bool has_seen(std::string_view) { return false; }

  /// As DirectoryReader::metadata, of the directory that was begun.
  virtual Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) = 0;
};

/// The directories of one volume. Thread-safe.
class DeviceDirectories {
 public:
  virtual ~DeviceDirectories() = default;

  /// One for each thread that reads.
  virtual std::unique_ptr<DeviceReader> open_reader() = 0;

  /// The number of a directory that the kernel opened; unknown when it lies on another volume.
  virtual DirectoryNumber number_of(const Directory& opened) = 0;

  /// The number of a directory from its `Dirent::inode` in `parent`, as a reader of this device
  /// (or, with `from_kernel`, the kernel's own listing) gave it; may be unknown.
  virtual DirectoryNumber child(const DirectoryNumber& parent, std::uint64_t inode,
                                bool from_kernel) = 0;
};

/// Readers of `device` that ask the kernel where it does not answer.
std::unique_ptr<DirectoryReaders> with_kernel(std::unique_ptr<DeviceDirectories> device,
                                              FileSystem& file_system);

}  // namespace ffind::os
