// SPDX-License-Identifier: MIT
// A file system by POSIX calls alone: what every platform can do, and what the platforms' own
// file systems refine. Used by the os_*.cpp files.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <string>

#include "os/dirent_reader.h"
#include "os/nanoseconds.h"
#include "os/os.h"

namespace ffind::os {

class PosixFileSystem : public FileSystem {
 public:
  explicit PosixFileSystem(std::unique_ptr<DirentReader> reader) : reader_(std::move(reader)) {}

  int open(const Directory* at, const char* path, OpenFlags flags, Directory& opened) override;
  void close(Directory& directory) override { reader_->close(directory); }
  int read(Directory& directory, DirentBlock& block) override {
    return reader_->read(directory, block);
  }
  int stat(const Directory* at, const char* path, StatFlags flags, Needs wanted, Metadata& metadata,
           Needs& got) override;
  int read_link(const Directory* at, const char* path, std::string& target) override;
  int has_capabilities(const Directory* at, const char* path, bool& answer) override;
  int has_bundle_mark(const Directory* at, const char* path, bool& answer) override;
  int read_small_file(const Directory* at, const char* path, bool follow, std::size_t most,
                      std::string& text) override;
  int identify(const Directory& directory, FileId& id) override;

 private:
  std::unique_ptr<DirentReader> reader_;
};

/// Descriptor that openat and its like take for "the current directory".
int descriptor_of(const Directory* at);

/// Flags for opening a directory to read it.
int open_flags(OpenFlags flags);

/// What a stat answers; `got` is all of needs::metadata, where the system has it the time of
/// creation included.
void metadata_of_stat(const struct ::stat& status, Metadata& metadata, Needs& got);

/// The times of it, which each system calls by its own names, and which of them there are. Defined
/// by each os_*.cpp.
Needs times_of_stat(const struct ::stat& status, Metadata& metadata);

struct PathFacts {
  FileType type = FileType::unknown;
  std::uint64_t volume = 0;  ///< id, 0 when unknown
  int error = 0;             ///< errno
};

/// What lies at `path`. Defined by each os_*.cpp.
PathFacts look_at(const std::string& path, bool follow);

/// A path by which the open directory `fd` can be opened again. Defined by each os_*.cpp.
std::string path_of_descriptor(int fd);

}  // namespace ffind::os
