// SPDX-License-Identifier: MIT
// How the entries of an open directory are read: the part of a file system that differs between
// readers. Implemented by the *_reader.cpp files and by those of the platforms; used by
// PosixFileSystem.
#pragma once

#include <memory>

#include "os/files.h"

namespace ffind::os {

/// Thread-safe for different directories. Results are 0 or an errno.
class DirentReader {
 public:
  virtual ~DirentReader() = default;
  virtual int read(Directory& directory, DirentBlock& block) = 0;
  /// As FileSystem::pause.
  virtual void pause(Directory&) {}
  /// Frees what the reader keeps and closes the descriptor.
  virtual void close(Directory& directory) = 0;
};

std::unique_ptr<DirentReader> make_readdir_reader();

/// `fts` reads a directory whole and stats each entry: what it gives carries metadata, and its
/// memory grows with the directory.
std::unique_ptr<DirentReader> make_fts_reader();

}  // namespace ffind::os
