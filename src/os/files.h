// SPDX-License-Identifier: MIT
// Files and directories: opening them, metadata, links, attributes and contents through a
// FileSystem, which is one way of reading one volume; the mounted volumes; and the paths that were
// typed. Part of the seam to the operating system: the headers of src/os itself, implemented by
// whole files for each platform, picked by CMake. Must not know query, search or output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "ffind/volume.h"
#include "os/dirent_block.h"

namespace ffind::os {

/// An open directory; a plain value, closed by FileSystem::close and by nothing else.
struct Directory {
  enum class Stream : std::uint8_t { none, readdir, fts };

  int fd = -1;
  void* stream = nullptr;  ///< what a reader keeps beside the descriptor (a DIR, an FTS)
  Stream kind = Stream::none;
  bool at_end = false;      ///< the reader knows that there is no more
  bool begun = false;       ///< some of its entries have been read
  std::uint8_t choice = 0;  ///< which of several readers reads it
  int error = 0;            ///< what reading met on the way, reported at its end

  bool is_open() const { return fd >= 0; }
};

/// An open regular file; a plain value, closed by FileSystem::close_file and by nothing else.
struct File {
  int fd = -1;
  std::uint64_t size = 0;      ///< when it was opened; files of the kernel's own say 0
  std::uint64_t position = 0;  ///< where the next bytes are read
  bool has_holes = false;      ///< less is stored than its size says
};

/// What identifies a directory: st_dev and st_ino.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileId&) const = default;
};

/// What is longer is no attribute that people look into: Linux has none above 64 KiB, on macOS it
/// is a resource fork.
inline constexpr std::size_t longest_attribute = std::size_t{1} << 20U;

struct OpenFlags {
  bool follow = false;         ///< follow a symbolic link in the last component
  bool stay_on_volume = true;  ///< EXDEV instead of a directory on another volume
  /// EXDEV, too, where a link leads onto or over an automount or a network volume that its
  /// directory does not lie on. With `stay_on_volume` none is touched in any case.
  bool stay_off_network = false;
};

/// What a thread has waited for since it began.
struct ThreadWaits {
  Nanoseconds ready = 0;           ///< for a processor, ready to run
  std::uint64_t device_reads = 0;  ///< how much it had to read from devices, in any unit
};

class DirectoryOpener;
class DirectoryReader;

/// Makes the readers of one volume's directories (os/directory_reader.h). Thread-safe; outlives
/// them.
class DirectoryReaders {
 public:
  virtual ~DirectoryReaders() = default;
  /// Returns a reader for the calling thread. `opener` is the thread's own and outlives it.
  virtual std::unique_ptr<DirectoryReader> make_reader(DirectoryOpener& opener) = 0;
};

/// One way of reading one volume. Every method may be called by several threads at once, for
/// different directories; results are 0 or an errno.
class FileSystem : public DirectoryReaders {
 public:
  /// Opens the directory `path`, relative to `at` (null: to the current directory). Errors that
  /// mean something to the caller: ENOENT, ENOTDIR, ELOOP (no directory), EACCES, EXDEV (boundary),
  /// EMFILE and ENFILE (close some and try again), ENAMETOOLONG, EDEADLK (its contents would have
  /// to be fetched from a cloud first).
  virtual int open(const Directory* at, const char* path, OpenFlags flags, Directory& opened) = 0;
  virtual void close(Directory& directory) = 0;

  /// Reads what `wanted` names of `path`; `got` is what there was. `at_hand_only` asks for
  /// what the kernel has at hand only, so that a dead server cannot hold us up.
  struct StatFlags {
    bool follow = false;
    bool at_hand_only = false;
  };
  virtual int stat(const Directory* at, const char* path, StatFlags flags, Needs wanted,
                   Metadata& metadata, Needs& got) = 0;

  virtual int read_link(const Directory* at, const char* path, std::string& target) = 0;

  /// Whether this process may do that with it, links followed: 0, or why not. access(2).
  enum class Access : std::uint8_t { read, write, run };
  virtual int access(const Directory* at, const char* path, Access access) = 0;

  /// As `stat`, of what the link `path` leads to. `elsewhere`: that is known to lie on another
  /// volume than the link. `flags` are those to open it by: EXDEV where not even its metadata can
  /// be read by them without waiting for others.
  virtual int stat_target(const Directory* at, const char* path, OpenFlags flags, Needs wanted,
                          Metadata& metadata, Needs& got, bool& elsewhere) {
    elsewhere = false;
    (void)flags;
    return stat(at, path, {.follow = true}, wanted, metadata, got);
  }

  /// Names of the extended attributes of `path`, each with a NUL behind it. ENOTSUP where the
  /// volume has none.
  virtual int attribute_names(const Directory* at, const char* path, bool follow,
                              std::string& names) = 0;
  /// ENODATA if there is none of that name, EFBIG if it is longer than longest_attribute.
  virtual int attribute(const Directory* at, const char* path, bool follow, const char* name,
                        std::string& value) = 0;

  virtual int has_capabilities(const Directory* at, const char* path, bool& answer) = 0;
  /// Whether the system marks the directory `path`, or what it leads to, as a bundle; false where
  /// that cannot be told.
  virtual int has_bundle_mark(const Directory* at, const char* path, bool& answer) = 0;
  /// False: this system marks none, and nobody need ask.
  virtual bool marks_bundles() const { return true; }
  /// Identity of an open directory.
  virtual int identify(const Directory& directory, FileId& id) = 0;

  /// Opens the regular file `path`, never waiting for anybody. Errors that mean something to the
  /// caller, beside those of `open`: ENXIO (it is no regular file, but perhaps a directory).
  virtual int open_file(const Directory* at, const char* path, OpenFlags flags, File& opened) = 0;
  /// Reads up to `capacity` bytes; `count` is 0 at the end. Of a hole some zeros are enough.
  virtual int read_file(File& file, char* bytes, std::size_t capacity, std::size_t& count) = 0;
  virtual void close_file(File& file) = 0;

  /// Of the calling thread; nothing if the system does not say. Takes some microseconds.
  virtual std::optional<ThreadWaits> thread_waits() const;
};

/// Readers that this platform has, best first.
std::vector<Reader> readers();

/// The file system seen through `task.reader`, tuned to `task.volume`.
std::unique_ptr<FileSystem> open_file_system(const Task& task);

/// The mounted volumes, from the system's own table: no volume is called, since a dead server
/// would never answer. Throws std::system_error where they cannot be listed.
MountTable mount_table();

/// Asks `volume` itself what it can do, and fills that in. Where it claims what is known to be
/// claimed wrongly, it is tried. Blocks as long as the volume does.
void probe(Volume& volume);

/// Asks the system where `typed` lies ("": the current directory). Blocks as long as its volume
/// does.
Location locate(const std::string& typed);

/// The current directory before `path`; "." and doubled slashes gone, ".." kept, since what it
/// leads to depends on links. Touches no volume.
std::string absolute_path(const std::string& path);

/// Mount points of volumes that carry `label`; empty where the system has no labels.
std::vector<std::string> sources_labelled(std::string_view label);

/// From now on this process causes nothing by looking: no download from a cloud, no mount, no new
/// access time, if the system can do that.
void forbid_side_effects();
/// Takes that back, for a command that is about to be run from here.
void allow_side_effects();

/// Whether that is what a link that leads nowhere gives when it is followed: what it names is not
/// there, lies below what is no directory, or leads round in a circle.
bool leads_nowhere(int error);

/// What a person can do about `error` when this system has more to say than the errno's text;
/// empty otherwise.
std::string_view advice(int error);

/// Reads the metadata of `path`, links followed, into `found`. Returns 0 or an errno.
int metadata_of(const std::string& path, Metadata& found);

/// Whether this system keeps when an entry came into its directory.
bool has_added();

/// The current directory; throws std::system_error when it is gone.
std::string current_directory();
/// Makes `path` the current directory; 0 or an errno.
int change_directory(const std::string& path);

/// `path` without "." and "..", by its text alone.
std::string normal_path(const std::string& path);
bool is_directory(const std::string& path);
/// Type of the entry `path`, itself and not what it leads to; unknown if there is none.
FileType type_at(const std::string& path);
/// Text of the symbolic link `path`; empty if it is none.
std::string link_text(const std::string& path);
/// Whether standard output is the regular file `path`.
bool is_standard_output(const std::string& path);
/// Names of what lies in `directory`, in no order. 0 or an errno.
int names_in(const std::string& directory, std::vector<std::string>& names);

/// Everything in the file `path` ("-": standard input). Throws std::system_error.
std::string read_file(const std::string& path);

/// Everything that comes out of the file, pipe or socket `path` ("-": standard input) until it
/// ends. 0 or an errno: EFBIG for more than `most` bytes, ENOTSUP for a terminal, or a device that
/// is not empty.
int read_to_end(const std::string& path, std::size_t most, std::string& text);

}  // namespace ffind::os
