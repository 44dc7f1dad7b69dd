// SPDX-License-Identifier: MIT
// Files and directories. A FileSystem is one way of reading one volume: it opens directories and
// files and reads metadata, links, extended attributes and contents. Its DirectoryReaders list
// directories (os/directory_reader.h). The functions below it concern the whole machine: mounted
// volumes, paths as they were typed, the current directory.
//
// The headers in src/os itself are the seam to the operating system. Whole files implement them,
// one set for each platform, chosen by CMake; there is no #ifdef above the seam. It knows nothing
// of query, search or output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "os/dirent_block.h"

namespace ffind::os {

/// Owner of a descriptor; -1 if it has none. Closes it silently, so it is for descriptors whose
/// close cannot lose data. Assigning another one swaps the two.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close();
  int get() const { return fd_; }

 private:
  int fd_;
};

class FileSystem;

/// Owner of an open directory or file, which its destructor closes. Assigning another one swaps the
/// two.
template <typename State>
class Owned : public State {
 public:
  Owned() = default;
  Owned(Owned&& other) noexcept { *this = std::move(other); }
  Owned& operator=(Owned&& other) noexcept {
    std::swap(static_cast<State&>(*this), static_cast<State&>(other));
    return *this;
  }
  ~Owned() { close(); }
  void close();
  void forget() { static_cast<State&>(*this) = {}; }  ///< for the file system that has closed it
};

struct DirectoryState {
  /// Type of `stream`: a DIR, or an FTS with its position.
  enum class Stream : std::uint8_t { none, readdir, fts };

  FileSystem* file_system = nullptr;  ///< closes it
  int fd = -1;
  void* stream = nullptr;  ///< kept by a reader, in addition to the descriptor
  Stream kind = Stream::none;
  bool at_end = false;      ///< the last block was the last one
  bool begun = false;       ///< some of its entries have been read
  std::uint8_t choice = 0;  ///< index of the reader in use, if a reader is made of several
  int error = 0;            ///< of an earlier read; returned at the end
  /// Id of its volume, on systems that compare volumes after opening (macOS); 0 if unknown.
  std::uint64_t volume = 0;

  bool is_open() const { return fd >= 0; }
};
using Directory = Owned<DirectoryState>;

struct FileState {
  FileSystem* file_system = nullptr;  ///< closes it
  int fd = -1;
  std::uint64_t size = 0;      ///< when it was opened; 0 for most files in /proc and /sys
  std::uint64_t position = 0;  ///< of the next read
  bool has_holes = false;      ///< fewer bytes are stored than `size`
};
using File = Owned<FileState>;

/// Result of following a symbolic link.
struct LinkTarget {
  Metadata metadata{};
  Needs got = needs::none;  ///< parts of `metadata` that exist
  bool elsewhere = false;   ///< known to be on another volume than the link
};

/// Identity of a file: st_dev and st_ino.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileId&) const = default;
};

/// Longest extended attribute that is read. Linux has none above 64 KiB; on macOS a longer one is a
/// resource fork.
inline constexpr std::size_t longest_attribute = std::size_t{1} << 20U;

struct OpenFlags {
  bool follow = false;  ///< follow a symbolic link in the last component
  /// EXDEV instead of a directory on another volume than the one that it is opened relative to.
  bool stay_on_volume = true;
  /// EXDEV also if a link leads onto or across an automount or a network volume other than its
  /// directory's. With `stay_on_volume` none is touched in any case.
  bool stay_off_network = false;
};

/// Waits of a thread since it started.
struct ThreadWaits {
  Nanoseconds ready = 0;           ///< ready to run, waiting for a processor
  std::uint64_t device_reads = 0;  ///< amount read from devices, in any unit
};

class DirectoryOpener;
class DirectoryReader;

/// Makes the readers of one volume's directories. Thread-safe; outlives them.
class DirectoryReaders {
 public:
  virtual ~DirectoryReaders() = default;
  /// For the calling thread. `opener` is the thread's own and outlives the reader.
  virtual std::unique_ptr<DirectoryReader> make_reader(DirectoryOpener& opener) = 0;
};

/// One way of reading one volume. Several threads may call it at once, for different directories.
/// Results are 0 or an errno.
class FileSystem : public DirectoryReaders {
 public:
  /// Opens the directory `path`, relative to `at` (null: the current directory). Callers
  /// distinguish ENOENT, ENOTDIR and ELOOP (no directory), EACCES, EXDEV (boundary), EMFILE and
  /// ENFILE (close some and try again), ENAMETOOLONG, and EDEADLK (its contents would have to be
  /// downloaded from a cloud first).
  virtual int open(const Directory* at, const char* path, OpenFlags flags, Directory& opened) = 0;
  /// Called by Directory::close(), as close_file by File::close().
  virtual void close(Directory& directory) = 0;

  struct StatFlags {
    bool follow = false;
    bool at_hand_only = false;  ///< only cached values, so that a dead server cannot block us
  };
  /// Reads the metadata `wanted` of `path`; `got` is the part that exists.
  virtual int stat(const Directory* at, const char* path, StatFlags flags, Needs wanted,
                   Metadata& metadata, Needs& got) = 0;

  /// Returns 0 if `path` exists, links not followed: what the cheapest stat returns.
  virtual int exists(const Directory* at, const char* path) {
    Metadata metadata{};
    Needs got = needs::none;
    return stat(at, path, {}, needs::type, metadata, got);
  }

  virtual int read_link(const Directory* at, const char* path, std::string& target) = 0;

  /// Returns 0 if this process has that permission for `path`, links followed (access(2)).
  enum class Access : std::uint8_t { read, write, run };
  virtual int access(const Directory* at, const char* path, Access access) = 0;

  /// Reads the metadata of the target of the link `path`. `flags` are those for opening it: EXDEV
  /// if they rule out even reading its metadata, since that could wait for a server.
  virtual int stat_target(const Directory* at, const char* path, OpenFlags, Needs wanted,
                          LinkTarget& target) {
    return stat(at, path, {.follow = true}, wanted, target.metadata, target.got);
  }

  /// Names of the extended attributes of `path`, each followed by a NUL. ENOTSUP if the volume has
  /// no attributes.
  virtual int attribute_names(const Directory* at, const char* path, bool follow,
                              std::string& names) = 0;
  /// ENODATA if there is no such attribute, EFBIG if it is longer than longest_attribute.
  virtual int attribute(const Directory* at, const char* path, bool follow, const char* name,
                        std::string& value) = 0;

  /// Access control lists of `path` that say more than its mode; none if the volume has no such
  /// lists.
  virtual int acl(const Directory*, const char*, bool, AclKinds& found) {
    found = 0;
    return 0;
  }

  virtual int has_capabilities(const Directory*, const char*, bool& answer) {
    answer = false;
    return 0;
  }
  /// True if the directory `path`, or the target of that link, has the system's bundle mark; false
  /// if that is unknown. Need not be called unless marks_bundles().
  virtual int has_bundle_mark(const Directory*, const char*, bool& answer) {
    answer = false;
    return 0;
  }
  virtual bool marks_bundles() const { return false; }
  virtual int identify(const Directory& directory, FileId& id) = 0;

  /// Opens the regular file `path` without blocking. Errors are those of `open`, and ENXIO if it is
  /// not a regular file (it may be a directory).
  virtual int open_file(const Directory* at, const char* path, OpenFlags flags, File& opened) = 0;
  /// Reads up to `capacity` bytes from file.position on, which a caller may change if the file has
  /// a size; `count` is 0 at the end. A hole may be shortened to a few zeros.
  virtual int read_file(File& file, char* bytes, std::size_t capacity, std::size_t& count) = 0;
  virtual void close_file(File& file) = 0;

  /// Waits of the calling thread; nullopt if the system does not count them. Takes some
  /// microseconds.
  virtual std::optional<ThreadWaits> thread_waits() const;
};

template <>
inline void Owned<DirectoryState>::close() {
  if (file_system != nullptr) file_system->close(*this);
}
template <>
inline void Owned<FileState>::close() {
  if (file_system != nullptr) file_system->close_file(*this);
}

std::vector<Reader> readers();  ///< of this platform, best first

/// Returns the file system that lists by `task.choice.reader`, tuned to `task.volume`.
std::unique_ptr<FileSystem> open_file_system(const Task& task);

/// The mounted volumes, from the system's table, without touching any of them: a dead server would
/// block. Throws std::system_error if they cannot be listed.
MountTable mount_table();

/// Queries `volume` for its capabilities and stores them in it. A capability that is known to be
/// claimed wrongly is tried. Blocks as long as the volume does.
void probe(Volume& volume);

/// Sizes of the volume mounted at `mount_point`; nullopt if it cannot be queried, and for file
/// systems without a size, such as proc. Blocks as long as the volume does.
std::optional<VolumeSpace> space_of(const std::string& mount_point);

/// Location of the path `typed` ("": the current directory). Blocks as long as its volume does.
Location locate(const std::string& typed, bool follow = true);

/// `path` made absolute, without "." and doubled slashes. Keeps "..", whose meaning depends on
/// links. Begins with "/(unreachable)" if the current directory was removed. Touches no volume.
std::string absolute_path(const std::string& path);

/// Devices (Linux) or mount points (macOS) of the volumes that have `label`.
std::vector<std::string> sources_labelled(std::string_view label);

/// Stops this process from causing downloads from a cloud, mounts and new access times by reading,
/// if the system can do that.
void forbid_side_effects();
void allow_side_effects();  ///< reverts that, in a child about to exec
/// Allows this process to download what it opens from a cloud, for --download.
void allow_downloads();

/// True if `error` is one of those of following a broken link: no such entry, a path below
/// something that is not a directory, or a loop.
bool leads_nowhere(int error);

/// A remedy for the `error` of reading `path`, to be shown after the errno's text; usually empty.
std::string_view advice(const std::string& path, int error);

/// A warning before a search below the canonical directory `root`, if the system would interrupt it
/// with questions to the user; usually empty.
std::string_view warning_before(const std::string& root);

/// Reads the metadata of `path`, links followed. 0 or an errno.
int metadata_of(const std::string& path, Metadata& found);
int metadata_of_link(const std::string& path, Metadata& found);  ///< not followed

/// Differences between systems that a search can meet.
struct SystemTraits {
  Needs lacks;         ///< metadata that no entry has
  bool hides_by_flag;  ///< hides entries by a flag, in addition to names with a dot
  bool bsd_find;       ///< find(1) is BSD's
  FileFlags flags;     ///< that files have
};
extern const SystemTraits system_traits;

std::string current_directory();                ///< throws std::system_error if it was removed
int change_directory(const std::string& path);  ///< 0 or an errno

/// `path` without "." and "..", resolved by its text alone.
std::string normal_path(const std::string& path);
bool is_directory(const std::string& path);
FileType type_at(const std::string& path);       ///< links not followed; unknown if there is none
std::string link_text(const std::string& path);  ///< empty if it is no symbolic link
/// Appends the names of the entries of `directory`, in no order. 0 or an errno.
int names_in(const std::string& directory, std::vector<std::string>& names);

/// A file, pipe or socket that is read in pieces. For one thread at a time.
class InputFile {
 public:
  /// Opens `path` ("-": standard input). 0 or an errno: ENOTSUP for a terminal.
  int open(const std::string& path);
  int use(int fd);  ///< the same for a descriptor, which stays the caller's
  /// Reads up to `capacity` bytes; `count` is 0 at the end. Waits for the first byte, EAGAIN after
  /// `patience` milliseconds (-1: no limit) if the file is non-blocking. ENOTSUP for a device that
  /// is not empty.
  int read(char* bytes, std::size_t capacity, int patience, std::size_t& count) const;

 private:
  Descriptor file_;
  int fd_ = -1;
  bool device_ = false;
};

/// Reads the file, pipe or socket `path` ("-": standard input) up to its end. 0 or an errno: EFBIG
/// for more than `most` bytes, ENOTSUP for a terminal, or for a device that is not empty.
int read_to_end(const std::string& path, std::size_t most, std::string& text);
/// The same without a limit. Throws std::system_error.
std::string read_file(const std::string& path);

}  // namespace ffind::os
