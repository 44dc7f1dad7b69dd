// SPDX-License-Identifier: MIT
// The fts(3) reader, one directory at a time so that the workers can share a tree: fts_children
// lists a directory with a stat of each entry. Used by PosixFileSystem if the plan chose it.
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "os/posix/dirent_reader.h"
#include "os/posix/file_system.h"
#include "os/posix/retry.h"

namespace ffind::os {
namespace {

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

/// What errno was left at by the list, unless by an entry of it that could not be statted.
int error_behind(const FTSENT* list, int left) {
  for (; left != 0 && list != nullptr; list = list->fts_link) {
    if (list->fts_errno == left) return 0;
  }
  return left;
}

/// fts takes a path, and the directory may have none shorter than PATH_MAX: the descriptor's own.
int open_stream(int fd, FtsStream& stream) {
  std::string path = path_of_descriptor(fd);
  if (path.empty()) return ENOTSUP;  // macOS: none, or longer than its PATH_MAX
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
  // macOS's and glibc's end the list where reading on fails, and leave nothing but this. The other
  // reader makes sure, if there is one.
  const int left = error_behind(stream.next, errno);
  return left == 0 || left == EINTR ? left : ENOTSUP;
}

/// Whether the open directory is still there: if so, it is /proc that is not.
bool is_linked(int fd) {
  struct ::stat status {};
  return ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

bool has_metadata(const FTSENT& entry) {
  return entry.fts_info != FTS_NS && entry.fts_info != FTS_NSOK;
}

class FtsReader final : public DirentReader {
 public:
  int read(Directory& directory, DirentBlock& block) override {
    block.clear();
    if (directory.stream == nullptr) {
      std::unique_ptr<FtsStream> stream;
      int error = 0;
      uninterrupted([&] {
        stream = std::make_unique<FtsStream>();
        error = open_stream(directory.fd, *stream);
        errno = error;
        return error != 0 ? -1 : 0;
      });
      // Nothing is kept, so that the call can be made again when there are more descriptors.
      if (error != 0) {
        if (error == ENAMETOOLONG) return ENOTSUP;  // with what was put behind it
        return error == ENOENT && is_linked(directory.fd) ? ENOTSUP : error;
      }
      directory.stream = stream.release();
    }
    auto* const stream = static_cast<FtsStream*>(directory.stream);
    for (; stream->next != nullptr; stream->next = stream->next->fts_link) {
      const FTSENT& found = *stream->next;
      const std::string_view name(found.fts_name, found.fts_namelen);
      // An entry that could not be statted stays, without metadata: the searcher asks again and
      // reports what is wrong with it.
      Metadata metadata{};
      Needs got = needs::none;
      if (has_metadata(found)) metadata_of_stat(*found.fts_statp, metadata, got);
      const FileType type = got != 0 ? type_of_mode(metadata.mode) : FileType::unknown;
      if (!block.append(name, metadata.inode, type, &metadata, got)) return 0;
    }
    directory.at_end = true;
    return 0;
  }

  void close(Directory& directory) override {
    delete static_cast<FtsStream*>(directory.stream);
    if (directory.fd >= 0) ::close(directory.fd);
    directory = Directory{};
  }
};

}  // namespace

std::unique_ptr<DirentReader> make_fts_reader() {
  return std::make_unique<FtsReader>();
}

}  // namespace ffind::os
