// SPDX-License-Identifier: MIT
// Directories of a volume read from its device, by number, and the reader that falls back to the
// kernel for those that the device cannot list. Knows no layout: Reader and probe.cpp have ext's.
//
//     DeviceDirectories   a volume, shared: numbers of directories, and
//       └─ DeviceReader   one thread's listing of one directory after the other
//     with_kernel()       DirectoryReaders over both, for the walker
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ffind/entry.h"
#include "os/directory_reader.h"

namespace ffind::os {

/// Lists directories of a device for one thread, one after the other. Owns its buffers.
class DeviceReader {
 public:
  virtual ~DeviceReader() = default;

  /// As DirectoryReader::expect.
  virtual void expect(const std::vector<DirectoryHandle>& directories) = 0;

  /// Reads the directory `number`, which this device listed in `parent` (null if the kernel has
  /// just given the number), and verifies that it did not change meanwhile and is the one that was
  /// listed.
  /// False if the kernel has to list it instead: it changed recently, is too large, encrypted,
  /// damaged, of an unknown kind, or cannot be read.
  virtual bool begin(const DirectoryHandle& number, const DirectoryHandle* parent) = 0;

  /// Fills `block` with the next entries of the directory; none at the end. Dirent::inode is the
  /// argument of child() and metadata().
  virtual void read(DirentBlock& block) = 0;

  /// As DirectoryReader::metadata, for entries of the directory that was begun.
  virtual Needs metadata(std::uint64_t inode, FileType type, Needs wanted, Metadata& metadata) = 0;
};

/// The directories of one volume. Thread-safe.
class DeviceDirectories {
 public:
  virtual ~DeviceDirectories() = default;

  virtual std::unique_ptr<DeviceReader> open_reader() = 0;  ///< makes a reader for one thread

  /// The number of a directory that the kernel opened; unknown if it is on another volume.
  virtual DirectoryHandle number_of(const Directory& opened) = 0;

  /// The number of a directory, from its Dirent::inode in a listing of `parent` by a reader of this
  /// device or, with `from_kernel`, by the kernel; may be unknown.
  virtual DirectoryHandle child(const DirectoryHandle& parent, std::uint64_t inode,
                                bool from_kernel) = 0;
};

/// Readers of `device` that fall back to the kernel.
std::unique_ptr<DirectoryReaders> with_kernel(std::unique_ptr<DeviceDirectories> device,
                                              FileSystem& file_system);

}  // namespace ffind::os
