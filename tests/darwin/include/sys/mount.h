// SPDX-License-Identifier: MIT
// <sys/mount.h> of 64-bit Darwin: the mount table. Linux's header of that name has nothing of it.
#pragma once

#include <stdint.h>
#include <sys/attr.h>
#include <sys/param.h>
#include <sys/types.h>

#include "darwin_call.h"

#define MFSNAMELEN 15
#define MFSTYPENAMELEN 16
#define MNAMELEN MAXPATHLEN

struct statfs {
  uint32_t f_bsize;
  int32_t f_iosize;
  uint64_t f_blocks;
  uint64_t f_bfree;
  uint64_t f_bavail;
  uint64_t f_files;
  uint64_t f_ffree;
  fsid_t f_fsid;
  uid_t f_owner;
  uint32_t f_type;
  uint32_t f_flags;
  uint32_t f_fssubtype;
  char f_fstypename[MFSTYPENAMELEN];
  char f_mntonname[MAXPATHLEN];
  char f_mntfromname[MAXPATHLEN];
  uint32_t f_flags_ext;
  uint32_t f_reserved[7];
};

#define MNT_RDONLY 0x00000001
#define MNT_REMOVABLE 0x00000200
#define MNT_LOCAL 0x00001000
#define MNT_ROOTFS 0x00004000
#define MNT_DONTBROWSE 0x00100000
#define MNT_IGNORE_OWNERSHIP 0x00200000
#define MNT_AUTOMOUNTED 0x00400000
#define MNT_JOURNALED 0x00800000
#define MNT_SNAPSHOT 0x40000000
#define MNT_EXT_ROOT_DATA_VOL 0x00000001
#define MNT_EXT_FSKIT 0x00000002

#define MNT_WAIT 1
#define MNT_NOWAIT 2
#define MNT_DWAIT 4

extern "C" {
int getfsstat(struct statfs* rows, int size, int mode) DARWIN_CALL(getfsstat);
int statfs(const char* path, struct statfs* row) DARWIN_CALL(statfs);
int fstatfs(int fd, struct statfs* row) DARWIN_CALL(fstatfs);
}
