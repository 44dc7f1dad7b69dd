// SPDX-License-Identifier: MIT
// A file system by POSIX calls alone: what every platform can do, and what the platforms' own
// file systems refine. Used by os/linux and os/darwin.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "os/directory_reader.h"
#include "os/formats/endian.h"

namespace ffind::os {

/// With which a directory is opened that is only gone through: it need not be readable.
int access_mode();

/// The readdir(3) reader: packs entries into blocks, so that another thread can go on with the
/// directory while the names are looked at.
std::unique_ptr<KernelReader> make_readdir_reader(DirectoryOpener& opener,
                                                  std::optional<std::uint64_t> listed_device = {});

/// The fts(3) reader: reads a directory whole and stats each entry, so what it returns carries
/// metadata, and its memory grows with the directory.
std::unique_ptr<KernelReader> make_fts_reader(DirectoryOpener& opener);

/// Closes `directory` with the stream that one of these readers keeps in it.
void close_directory(Directory& directory);

class PosixFileSystem : public FileSystem {
 public:
  int open(const Directory* at, const char* path, OpenFlags flags, Directory& opened) override;
  void close(Directory& directory) override { close_directory(directory); }
  std::unique_ptr<DirectoryReader> make_reader(DirectoryOpener& opener) override {
    return make_readdir_reader(opener);
  }
  int stat(const Directory* at, const char* path, StatFlags flags, Needs wanted, Metadata& metadata,
           Needs& got) override;
  int read_link(const Directory* at, const char* path, std::string& target) override;
  int access(const Directory* at, const char* path, Access access) override;
  int attribute_names(const Directory* at, const char* path, bool follow,
                      std::string& names) override;
  int attribute(const Directory* at, const char* path, bool follow, const char* name,
                std::string& value) override;
  int has_capabilities(const Directory* at, const char* path, bool& answer) override;
  int has_bundle_mark(const Directory* at, const char* path, bool& answer) override;
  bool marks_bundles() const override { return false; }
  int identify(const Directory& directory, FileId& id) override;
  int open_file(const Directory* at, const char* path, OpenFlags flags, File& opened) override;
  int read_file(File& file, char* bytes, std::size_t capacity, std::size_t& count) override;
  void close_file(File& file) override;

 protected:
  /// Takes over `fd`; ENXIO, and closed, when it is no regular file.
  static int adopt_file(int fd, File& opened);
};

/// Reads by `call`, which takes a buffer and its size and answers as getxattr(2) does, until the
/// buffer is large enough: names and values may grow between two calls. 0 or an errno; EFBIG above
/// longest_attribute.
template <typename Call>
int read_growing(std::string& bytes, Call call) {
  constexpr std::size_t usual_size = 512;
  constexpr int tries = 10;
  bytes.resize(usual_size);
  for (int attempt = 0; attempt < tries; ++attempt) {
    const auto length = call(bytes.data(), bytes.size());
    if (length >= 0) {
      bytes.resize(static_cast<std::size_t>(length));
      return 0;
    }
    if (errno != ERANGE) return errno;
    const auto needed = call(nullptr, 0);
    if (needed < 0) return errno;
    if (static_cast<std::size_t>(needed) > longest_attribute) return EFBIG;
    bytes.resize(static_cast<std::size_t>(needed) + usual_size);
  }
  return ERANGE;
}

/// Descriptor that openat and its like take for "the current directory".
int descriptor_of(const Directory* at);

/// Flags for opening a directory to read it.
int open_flags(OpenFlags flags);

/// Flags for opening a directory that is only gone through, which need not be readable.
int passing_flags();

/// Flags for opening a regular file to read it.
int file_flags_for(OpenFlags flags);

/// What a stat answers; `got` is all of needs::metadata that this system's stat has.
void metadata_of_stat(const struct ::stat& status, Metadata& metadata, Needs& got);

/// What each system calls by its own names, or does not have: the times and flags of it, and which
/// of them there are. Defined by each platform.
Needs own_part_of_stat(const struct ::stat& status, Metadata& metadata);

struct PathFacts {
  FileType type = FileType::unknown;
  std::uint64_t volume = 0;  ///< id, 0 when unknown
  int error = 0;             ///< errno
};

/// Whether what telldir(3) returns is the position of the descriptor, which another stream of it
/// can begin at. Defined by each platform.
bool streams_tell_positions();

/// What lies at `path`. Defined by each platform.
PathFacts look_at(const std::string& path, bool follow);

/// A path by which the open directory `fd` can be opened again. Defined by each platform.
std::string path_of_descriptor(int fd);

/// realpath(3); empty when the system cannot say.
std::string resolved(const std::string& path);

/// Of the directories below the roots on which network volumes are mounted.
std::vector<std::string> names_of_network_volumes(const Task& task);

/// Whether one of `names` is in the open directory `fd`, whose position is kept. 0 or an errno.
int look_for_names(int fd, const std::vector<std::string>& names, bool& found);

}  // namespace ffind::os
