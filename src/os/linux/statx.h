// SPDX-License-Identifier: MIT
// The system call statx. Its struct is declared here: musl's <sys/stat.h> has one without mount
// ids, and <linux/stat.h> cannot be included after it.
#pragma once

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace ffind::os {

struct StatxTime {
  std::int64_t tv_sec;
  std::uint32_t tv_nsec;
  std::int32_t reserved;
};

/// struct statx of Linux 5.8.
struct Statx {
  std::uint32_t stx_mask, stx_blksize;
  std::uint64_t stx_attributes;
  std::uint32_t stx_nlink, stx_uid, stx_gid;
  std::uint16_t stx_mode, reserved;
  std::uint64_t stx_ino, stx_size, stx_blocks, stx_attributes_mask;
  StatxTime stx_atime, stx_btime, stx_ctime, stx_mtime;
  std::uint32_t stx_rdev_major, stx_rdev_minor, stx_dev_major, stx_dev_minor;
  std::uint64_t stx_mnt_id, later[13];
};
static_assert(sizeof(Statx) == 256);

constexpr unsigned statx_mount_id = 0x1000;  ///< STATX_MNT_ID of <linux/stat.h>

/// Id of the mount; 0 if it is not reported: before Linux 5.8, and by qemu, which only sets the
/// bit.
inline std::uint64_t reported_mount(const Statx& status) {
  return (status.stx_mask & statx_mount_id) != 0 ? status.stx_mnt_id : 0;
}

/// Returns 0, or -1 and an errno: ENOSYS before Linux 4.11 (glibc's function would call stat
/// instead), EPERM in containers that forbid unknown calls.
inline long statx(int at, const char* path, int flags, unsigned mask, Statx& status) {
  return ::syscall(SYS_statx, at, path, flags, mask, &status);
}

}  // namespace ffind::os
