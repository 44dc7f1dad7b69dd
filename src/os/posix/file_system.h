// SPDX-License-Identifier: MIT
// A file system by POSIX calls alone, which LinuxFileSystem and DarwinFileSystem refine, with its
// two readers, readdir(3) and fts(3).
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/directory_reader.h"
#include "os/formats/endian.h"

namespace ffind::os {

/// Access mode for opening a directory only to pass through it, which requires no read permission.
int access_mode();

/// The readdir(3) reader, which packs entries into blocks.
std::unique_ptr<KernelReader> make_readdir_reader(DirectoryOpener& opener,
                                                  std::optional<std::uint64_t> listed_device = {});

/// The fts(3) reader: loads a whole directory and stats each entry, so entries have metadata, and
/// memory grows with the directory. ENOTSUP for directories that contain one of the names
/// `untouchable`, which outlive the reader: fts would block if a dead server were mounted there.
std::unique_ptr<KernelReader> make_fts_reader(DirectoryOpener& opener,
                                              const std::vector<std::string>& untouchable);

/// Reads each directory by the first of `readers` that can. ENOTSUP of one means "not this
/// directory by me"; the last decides about errors of the directory. One that is read in parts
/// starts with the reader number `first_in_parts`.
std::unique_ptr<KernelReader> make_reader_chain(DirectoryOpener& opener,
                                                std::vector<std::unique_ptr<KernelReader>> readers,
                                                std::uint8_t first_in_parts = 0,
                                                std::optional<std::uint64_t> listed_device = {});

/// Closes `directory` and the stream that one of these readers keeps in it.
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
  /// POSIX has no extended attributes.
  int attribute_names(const Directory*, const char*, bool, std::string&) override {
    return ENOTSUP;
  }
  int attribute(const Directory*, const char*, bool, const char*, std::string&) override {
    return ENOTSUP;
  }
  int identify(const Directory& directory, FileId& id) override;
  int open_file(const Directory* at, const char* path, OpenFlags flags, File& opened) override;
  int read_file(File& file, char* bytes, std::size_t capacity, std::size_t& count) override;
  void close_file(File& file) override;

 protected:
  /// Takes ownership of `fd`; closes it and returns ENXIO if it is not a regular file.
  int adopt_file(int fd, File& opened);
};

/// Repeats `call`, which takes a buffer and its size and returns like getxattr(2), until the buffer
/// is large enough: names and values may grow between two calls. 0 or an errno; EFBIG above
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

/// Text of the symbolic link `path`, relative to the descriptor `at`, whatever its length. 0 or an
/// errno.
int read_link_text(int at, const char* path, std::string& target);

/// Removes the first component of `path` and returns it; empty at the end. One that is followed by
/// a slash must be a directory, so "." is left after it.
std::string take_component(std::string& path);

/// Descriptor for openat and the like; null is the current directory.
int descriptor_of(const Directory* at);
int open_flags(OpenFlags flags);      ///< to read a directory
int passing_flags();                  ///< to pass through a directory only
int file_flags_for(OpenFlags flags);  ///< to read a regular file

/// Converts a stat; `got` is all of needs::metadata that this system's stat contains.
void metadata_of_stat(const struct ::stat& status, Metadata& metadata, Needs& got);

/// Times and flags of a stat that this system has; returns which.
Needs own_part_of_stat(const struct ::stat& status, Metadata& metadata);

struct PathFacts {
  FileType type = FileType::unknown;
  std::uint64_t volume = 0;  ///< id, 0 when unknown
  int error = 0;             ///< errno
};

/// True if telldir(3) returns the position of the descriptor, at which another stream can begin.
bool streams_tell_positions();

PathFacts look_at(const std::string& path, bool follow);

/// A path by which the open directory `fd` can be opened again.
std::string path_of_descriptor(int fd);

std::string resolved(const std::string& path);  ///< realpath(3); empty on failure

/// True if touching the volume may block, as with servers and automounts, except the one numbered
/// `home`.
inline bool may_wait(const Volume& volume, std::uint64_t home) {
  return volume.id != home &&
         (volume.kind == VolumeKind::network || volume.kind == VolumeKind::automount);
}

/// True if a volume of the table is mounted on `path` or below it.
bool has_volume_below(const MountTable& table, std::string_view path);

/// Names of the directories below the roots on which network volumes are mounted.
std::vector<std::string> names_of_network_volumes(const Task& task);

/// Calls `take` with each name but "." and ".." in the directory `path`, relative to the descriptor
/// `at`, until it returns false. 0 or an errno; names before an error have been passed.
int for_each_name(int at, const char* path, OpenFlags flags,
                  const std::function<bool(std::string_view)>& take);

}  // namespace ffind::os
