// SPDX-License-Identifier: MIT
// <sys/stat.h> with Darwin's struct stat and the simulated kernel's calls that fill it. Linux's
// struct is hidden, so that no call of Linux can be handed Darwin's by mistake.
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "darwin_call.h"

#define stat ffind_linux_stat
#define fstat ffind_linux_fstat
#define lstat ffind_linux_lstat
#define fstatat ffind_linux_fstatat
#include_next <sys/stat.h>
#undef stat
#undef fstat
#undef lstat
#undef fstatat
#undef st_atime
#undef st_mtime
#undef st_ctime

struct stat {
  int32_t st_dev;
  uint16_t st_mode;
  uint16_t st_nlink;
  uint64_t st_ino;
  uint32_t st_uid;
  uint32_t st_gid;
  int32_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  int64_t st_size;
  int64_t st_blocks;
  int32_t st_blksize;
  uint32_t st_flags;
  uint32_t st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
#define st_atime st_atimespec.tv_sec
#define st_mtime st_mtimespec.tv_sec
#define st_ctime st_ctimespec.tv_sec
#define st_birthtime st_birthtimespec.tv_sec

#define UF_NODUMP 0x00000001
#define UF_IMMUTABLE 0x00000002
#define UF_APPEND 0x00000004
#define UF_OPAQUE 0x00000008
#define UF_COMPRESSED 0x00000020
#define UF_TRACKED 0x00000040
#define UF_DATAVAULT 0x00000080
#define UF_HIDDEN 0x00008000
#define SF_ARCHIVED 0x00010000
#define SF_IMMUTABLE 0x00020000
#define SF_APPEND 0x00040000
#define SF_RESTRICTED 0x00080000
#define SF_NOUNLINK 0x00100000
#define SF_FIRMLINK 0x00800000
#define SF_DATALESS 0x40000000

#define EF_MAY_SHARE_BLOCKS 0x00000001
#define EF_NO_XATTRS 0x00000002
#define EF_IS_SYNC_ROOT 0x00000004

extern "C" {
int stat(const char* path, struct stat* status) DARWIN_CALL(stat);
int lstat(const char* path, struct stat* status) DARWIN_CALL(lstat);
int fstat(int fd, struct stat* status) DARWIN_CALL(fstat);
int fstatat(int at, const char* path, struct stat* status, int flags) DARWIN_CALL(fstatat);
}
