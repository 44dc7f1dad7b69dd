// SPDX-License-Identifier: MIT
// The portable readers, for every system and file system.
//
// ReaddirReader packs what readdir(3) returns into blocks: name, inode and type. Its stream stays
// in the Directory between blocks, so another thread's reader can go on with it. A paused directory
// gives its stream up, since a DIR holds 32 KiB: the position goes to the descriptor, from which a
// new stream begins. That needs a system whose telldir returns a position of the descriptor
// (streams_tell_positions), as on Linux; there the stream has a descriptor of its own. Elsewhere it
// has the directory's and is kept.
//
// FtsReader lists one directory at a time by fts_children, so that the workers can share a tree.
// The FTS and the position in its list are an FtsStream in the Directory. fts takes a path only, so
// it gets one that leads through the open descriptor.
//
// Directory::kind is the reader that a `stream` belongs to; close_directory frees the stream.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#if __has_include(<fts.h>)
#include <fts.h>
#endif

#include <algorithm>
#include <cerrno>
#include <string>

#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "text/paths.h"

namespace ffind::os {
namespace {

/// Longest record that a system returns: macOS's dirent has names of up to 1023 bytes.
constexpr std::size_t longest_record = 1056;

class ReaddirReader final : public KernelReader {
 public:
  using KernelReader::KernelReader;

  int read(ListedDirectory& listed, DirentBlock& block) override {
    Directory& directory = listed.directory;
    block.clear();
    // Room for less than a block means that the directory will be paused.
    if (directory.stream == nullptr) {
      const int error = open_stream(directory, block.room() < DirentBlock::capacity);
      if (error != 0) return error;
    }
    auto* const stream = static_cast<DIR*>(directory.stream);
    // Leaves room for one more record of any length, so that append cannot fail.
    const std::size_t enough = std::min(block.room(), DirentBlock::capacity - longest_record);
    while (block.size() < enough) {
      const dirent* found = nullptr;
      uninterrupted([&] {
        errno = 0;
        found = ::readdir(stream);
        return found == nullptr && errno != 0 ? -1 : 0;
      });
      if (found == nullptr) {
        // Neither the entries before the error are lost nor the error: reading on may succeed, but
        // after entries that macOS has lost (XNU advances the offset even if the call fails).
        if (errno != 0 && !block.empty()) directory.error = errno;
        directory.at_end = errno == 0 && directory.error == 0;
        if (!block.empty()) return 0;
        return errno != 0 ? errno : directory.error;
      }
      block.append(found->d_name, found->d_ino, type_of_dirent(found->d_type));
    }
    return 0;
  }

  /// Gives the stream up, if it has a descriptor of its own. A directory with an error keeps it,
  /// since the error follows the entries that were read before it.
  bool pause(ListedDirectory& listed) override {
    Directory& directory = listed.directory;
    auto* const stream = static_cast<DIR*>(directory.stream);
    if (stream == nullptr || ::dirfd(stream) == directory.fd || directory.error != 0) return true;
    ::lseek(directory.fd, ::telldir(stream), SEEK_SET);
    ::closedir(stream);
    directory.stream = nullptr;
    directory.kind = Directory::Stream::none;
    return true;
  }

 private:
  /// With `to_be_paused` the stream has a descriptor of its own if the next stream can go on at its
  /// position: other threads may use the directory's in the meantime.
  static int open_stream(Directory& directory, bool to_be_paused) {
    int fd = directory.fd;
    if (to_be_paused && streams_tell_positions()) fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return errno;
    uninterrupted([&] {
      directory.stream = ::fdopendir(fd);
      return directory.stream == nullptr ? -1 : 0;
    });
    if (directory.stream != nullptr) {
      directory.kind = Directory::Stream::readdir;
      return 0;
    }
    const int error = errno;
    if (fd != directory.fd) ::close(fd);
    return error;
  }
};

#if __has_include(<fts.h>)

/// Entries of a list belong to the FTS, and are valid until the next fts_read or fts_close.
struct FtsStream {
  FTS* fts = nullptr;
  const FTSENT* next = nullptr;

  FtsStream() = default;
  FtsStream(const FtsStream&) = delete;
  FtsStream& operator=(const FtsStream&) = delete;
  ~FtsStream() {
    if (fts != nullptr) ::fts_close(fts);
  }
};

/// The errno `left` after listing, or 0 if it is from an entry that could not be statted: fts
/// stores that in the entry, too, and lists the others.
int error_behind(const FTSENT* list, int left) {
  for (; left != 0 && list != nullptr; list = list->fts_link) {
    if (list->fts_errno == left) return 0;
  }
  return left;
}

/// Opens an FTS for the open directory `fd` and lists it. fts takes a path, and the directory's own
/// may be longer than PATH_MAX: uses the descriptor's. FTS_PHYSICAL follows no links, FTS_NOCHDIR
/// leaves the current directory alone, which all threads share. 0 or an errno; ENOTSUP if this
/// directory is better left to another reader.
int open_stream(int fd, FtsStream& stream) {
  std::string path = path_of_descriptor(fd);
  if (path.empty()) return ENOTSUP;  // macOS: none, or longer than its PATH_MAX
  // On Linux the path is a link in /proc, which FTS_PHYSICAL would not follow.
  path += "/.";
  char* paths[] = {path.data(), nullptr};
  stream.fts = ::fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, nullptr);
  if (stream.fts == nullptr) return errno;
  errno = 0;
  const FTSENT* const top = ::fts_read(stream.fts);
  if (top == nullptr) return errno != 0 ? errno : ENOENT;
  if (top->fts_info != FTS_D) return top->fts_errno != 0 ? top->fts_errno : ENOTDIR;
  errno = 0;
  stream.next = ::fts_children(stream.fts, 0);
  if (stream.next == nullptr) return errno;
  // On an error, macOS and glibc end the list and leave nothing but errno. The next reader of the
  // directory, if there is one, decides.
  const int left = error_behind(stream.next, errno);
  return left == 0 || left == EINTR ? left : ENOTSUP;
}

/// True if the open directory still exists: if so, /proc is missing.
bool is_linked(int fd) {
  struct ::stat status {};
  return ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

class FtsReader final : public KernelReader {
 public:
  FtsReader(DirectoryOpener& opener, const std::vector<std::string>& untouchable)
      : KernelReader(opener), untouchable_(untouchable) {}

  int read(ListedDirectory& listed, DirentBlock& block) override {
    Directory& directory = listed.directory;
    block.clear();
    if (directory.stream == nullptr) {
      if (const int error = look_for_untouchable(directory.fd); error != 0) return error;
      std::unique_ptr<FtsStream> stream;
      int error = 0;
      uninterrupted([&] {
        stream = std::make_unique<FtsStream>();
        error = open_stream(directory.fd, *stream);
        errno = error;
        return error != 0 ? -1 : 0;
      });
      // Keep nothing, so that the call can be repeated when there are more descriptors.
      if (error != 0) {
        if (error == ENAMETOOLONG) return ENOTSUP;  // with the appended "/."
        return error == ENOENT && is_linked(directory.fd) ? ENOTSUP : error;
      }
      directory.stream = stream.release();
      directory.kind = Directory::Stream::fts;
    }
    auto* const stream = static_cast<FtsStream*>(directory.stream);
    for (; stream->next != nullptr; stream->next = stream->next->fts_link) {
      const FTSENT& found = *stream->next;
      const std::string_view name(found.fts_name, found.fts_namelen);
      // An entry that could not be statted is returned without metadata: the searcher tries again
      // and reports the error.
      Metadata metadata{};
      Needs got = needs::none;
      if (found.fts_info != FTS_NS && found.fts_info != FTS_NSOK) {
        metadata_of_stat(*found.fts_statp, metadata, got);
      }
      const FileType type = got != 0 ? type_of_mode(metadata.mode) : FileType::unknown;
      if (!block.append(name, metadata.inode, type, &metadata, got)) return 0;
    }
    directory.at_end = true;
    return 0;
  }

 private:
  /// ENOTSUP if one of the names is in the directory. Moves no position and touches no entry.
  int look_for_untouchable(int fd) const {
    if (untouchable_.empty()) return 0;
    bool found = false;
    const int error = for_each_name(fd, ".", {}, [&](std::string_view name) {
      found = std::find(untouchable_.begin(), untouchable_.end(), name) != untouchable_.end();
      return !found;
    });
    return found ? ENOTSUP : error;
  }

  const std::vector<std::string>& untouchable_;
};

#else
struct FtsStream {};
#endif

/// The choice is final once a block was returned, since another reader would return its entries
/// again. Directory::choice is the index of the reader in use, so that another thread's chain,
/// which has the same readers, goes on with it.
class ReaderChain final : public KernelReader {
 public:
  ReaderChain(DirectoryOpener& opener, std::vector<std::unique_ptr<KernelReader>> readers,
              std::uint8_t first_in_parts, std::optional<std::uint64_t> listed_device)
      : KernelReader(opener, listed_device),
        readers_(std::move(readers)),
        first_in_parts_(first_in_parts) {}

  int read(ListedDirectory& listed, DirentBlock& block) override {
    Directory& directory = listed.directory;
    // Less room than a whole block means that the directory is read in parts. One that has begun
    // keeps its reader: positions of one are of no use to another.
    if (!directory.begun && block.room() < DirentBlock::capacity) {
      directory.choice = std::max(directory.choice, first_in_parts_);
    }
    while (true) {
      const int error = readers_[directory.choice]->read(listed, block);
      if (error == 0) directory.begun = true;
      const bool is_last = directory.choice + std::size_t{1} == readers_.size();
      if (error != ENOTSUP || directory.begun || is_last) return error;
      ++directory.choice;
      // The reader that gave up may have moved the position.
      ::lseek(directory.fd, 0, SEEK_SET);
    }
  }

 private:
  const std::vector<std::unique_ptr<KernelReader>> readers_;
  const std::uint8_t first_in_parts_;
};

}  // namespace

std::unique_ptr<KernelReader> make_readdir_reader(DirectoryOpener& opener,
                                                  std::optional<std::uint64_t> listed_device) {
  return std::make_unique<ReaddirReader>(opener, listed_device);
}

std::unique_ptr<KernelReader> make_fts_reader(
    DirectoryOpener& opener, [[maybe_unused]] const std::vector<std::string>& untouchable) {
#if __has_include(<fts.h>)
  return std::make_unique<FtsReader>(opener, untouchable);
#else
  return make_readdir_reader(opener);  // musl; readers() does not offer fts
#endif
}

std::unique_ptr<KernelReader> make_reader_chain(DirectoryOpener& opener,
                                                std::vector<std::unique_ptr<KernelReader>> readers,
                                                std::uint8_t first_in_parts,
                                                std::optional<std::uint64_t> listed_device) {
  return std::make_unique<ReaderChain>(opener, std::move(readers), first_in_parts, listed_device);
}

// closedir also closes the descriptor of its stream, which may be the directory's own.
void close_directory(Directory& directory) {
  bool closed = false;
  switch (directory.kind) {
    case Directory::Stream::none:
      break;
    case Directory::Stream::readdir: {
      auto* const stream = static_cast<DIR*>(directory.stream);
      closed = ::dirfd(stream) == directory.fd;
      ::closedir(stream);
      break;
    }
    case Directory::Stream::fts:
      delete static_cast<FtsStream*>(directory.stream);
      break;
  }
  if (directory.fd >= 0 && !closed) ::close(directory.fd);
  directory.forget();
}

bool has_volume_below(const MountTable& table, std::string_view path) {
  return std::any_of(table.begin(), table.end(),
                     [&](const Volume& volume) { return lies_within(volume.mount_point, path); });
}

// Names alone: a directory elsewhere that has an entry of such a name is left to another reader,
// too.
std::vector<std::string> names_of_network_volumes(const Task& task) {
  std::vector<std::string> names;
  for (const Boundary& boundary : task.boundaries) {
    if (boundary.kind != VolumeKind::network) continue;
    names.emplace_back(text::name_of(boundary.path));
  }
  return names;
}

}  // namespace ffind::os
