// SPDX-License-Identifier: MIT
// The simulated kernel's mount table: getfsstat, statfs and fstatfs. See kernel.h.
#include <sys/mount.h>

#include <cstring>

#include "kernel.h"

namespace simulated {
namespace {

template <std::size_t size>
void copy_text(const std::string& from, char (&to)[size]) {
  std::strncpy(to, from.c_str(), size - 1);
  to[size - 1] = '\0';
}

void fill(const VolumeRow& from, struct ::statfs& to) {
  to = {};
  to.f_bsize = 4096;
  if (from.type != "devfs" && from.type != "autofs") {
    to.f_blocks = 250'000'000;
    to.f_bfree = 50'000'000;
    to.f_bavail = 40'000'000;
  }
  to.f_iosize = 1 << 20;
  to.f_fsid.val[0] = from.fsid[0];
  to.f_fsid.val[1] = from.fsid[1];
  to.f_flags = from.flags;
  to.f_flags_ext = from.extended_flags;
  copy_text(from.type, to.f_fstypename);
  copy_text(from.mount_point, to.f_mntonname);
  copy_text(from.source, to.f_mntfromname);
}

int tell(const Located& located, struct ::statfs* row) {
  if (located.row == nullptr) return fail(errno != 0 ? errno : ENOENT);
  fill(*located.row, *row);
  return 0;
}

}  // namespace
}  // namespace simulated

using namespace simulated;

static_assert(sizeof(struct statfs) == 2168 && sizeof(fsid_t) == 8);

int getfsstat(struct statfs* rows, int size, int mode) {
  const auto table = volumes();
  log(std::string("getfsstat ") + (mode == MNT_NOWAIT ? "nowait" : "wait"));
  const std::size_t room = static_cast<std::size_t>(size) / sizeof(struct statfs);
  std::size_t count = 0;
  for (const VolumeRow& row : *table) {
    if (!row.listed || (rows != nullptr && count == room)) continue;
    if (rows != nullptr) fill(row, rows[count]);
    ++count;
  }
  return static_cast<int>(count);
}

int statfs(const char* path, struct statfs* row) {
  host::Status status;
  const int error = host::status(host::current_directory, path, true, status);
  return error != 0 ? fail(error) : tell(volume_of_path(path, true), row);
}

int fstatfs(int fd, struct statfs* row) {
  return tell(volume_of_file(fd), row);
}
