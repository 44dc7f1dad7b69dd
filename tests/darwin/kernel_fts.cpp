// SPDX-License-Identifier: MIT
// fts(3) with Darwin's entries, as far as one directory goes: its top and its children with a
// status of each. In Darwin's library, not its kernel; Linux's cannot give Darwin's stat.
#include <fcntl.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "kernel.h"

namespace {

using namespace simulated;

struct Freed {
  void operator()(FTSENT* entry) const { std::free(entry); }
};
using Entry = std::unique_ptr<FTSENT, Freed>;

/// The name lies behind the entry, and the status behind the name.
Entry make_entry(std::string_view name, short level) {
  constexpr std::size_t alignment = alignof(struct ::stat);
  const std::size_t head = (sizeof(FTSENT) + name.size() + alignment) / alignment * alignment;
  void* const memory = std::calloc(1, head + sizeof(struct ::stat));
  if (memory == nullptr) throw std::bad_alloc();
  auto* const entry = static_cast<FTSENT*>(memory);
  std::memcpy(entry->fts_name, name.data(), name.size());
  entry->fts_namelen = static_cast<unsigned short>(name.size());
  entry->fts_level = level;
  entry->fts_statp = reinterpret_cast<struct ::stat*>(static_cast<char*>(memory) + head);
  return Entry(entry);
}

unsigned short information_of(const struct ::stat& status) {
  if (S_ISDIR(status.st_mode)) return FTS_D;
  if (S_ISLNK(status.st_mode)) return FTS_SL;
  return S_ISREG(status.st_mode) ? FTS_F : FTS_DEFAULT;
}

void look(int at, const char* path, FTSENT& entry) {
  if (::fstatat(at, path, entry.fts_statp, AT_SYMLINK_NOFOLLOW) != 0) {
    entry.fts_errno = errno;
    entry.fts_info = FTS_NS;
    return;
  }
  entry.fts_info = information_of(*entry.fts_statp);
  entry.fts_ino = entry.fts_statp->st_ino;
  entry.fts_dev = entry.fts_statp->st_dev;
  entry.fts_nlink = entry.fts_statp->st_nlink;
}

}  // namespace

struct darwin_fts {
  std::string path;
  Entry top;
  std::vector<Entry> children;
};

FTS* fts_open(char* const* paths, int options, int (*)(const FTSENT**, const FTSENT**)) {
  const int forms = options & (FTS_LOGICAL | FTS_PHYSICAL);
  if (forms == 0 || forms == (FTS_LOGICAL | FTS_PHYSICAL) || *paths == nullptr) {
    errno = EINVAL;
    return nullptr;
  }
  return new darwin_fts{*paths, nullptr, {}};
}

FTSENT* fts_read(FTS* stream) {
  errno = 0;
  if (stream->top != nullptr) return nullptr;
  stream->top = make_entry(stream->path, 0);
  look(AT_FDCWD, stream->path.c_str(), *stream->top);
  return stream->top.get();
}

FTSENT* fts_children(FTS* stream, int) {
  const int fd = ::open(stream->path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    const int error = errno;
    if (stream->top != nullptr) stream->top->fts_info = FTS_DNR;
    errno = error;
    return nullptr;
  }
  std::vector<char> buffer;
  std::vector<host::Entry> found;
  int error = 0;
  // A later error ends the list, and shows in errno alone.
  const ListingOrder listing = ordered_listing(fd);
  while (error == 0 && (error = host::entries(fd, buffer, found)) == 0 && !found.empty()) {
    for (const host::Entry& listed : found) {
      if (listing.error != 0 && stream->children.size() >= listing.entries) {
        error = listing.error;
        break;
      }
      Entry entry = make_entry(listed.name, 1);
      look(fd, entry->fts_name, *entry);
      if (!stream->children.empty()) stream->children.back()->fts_link = entry.get();
      stream->children.push_back(std::move(entry));
    }
  }
  host::close(fd);
  errno = error;
  return stream->children.empty() ? nullptr : stream->children.front().get();
}

int fts_close(FTS* stream) {
  delete stream;
  return 0;
}
