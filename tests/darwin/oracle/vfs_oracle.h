/* SPDX-License-Identifier: MIT */
/* What the checker (C++, Linux's headers) and the kernel's code (C, freestanding) say to each
 * other. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Which values the file system gives of an entry, one bit each; VFS fills in the others or not. */
enum {
  O_NLINK = 1 << 0,
  O_TOTAL_SIZE = 1 << 1,
  O_TOTAL_ALLOC = 1 << 2,
  O_DATA_SIZE = 1 << 3,
  O_DATA_ALLOC = 1 << 4,
  O_UID = 1 << 5,
  O_GID = 1 << 6,
  O_MODE = 1 << 7,
  O_FLAGS = 1 << 8,
  O_CRTIME = 1 << 9,
  O_ATIME = 1 << 10,
  O_MTIME = 1 << 11,
  O_CTIME = 1 << 12,
  O_FILEID = 1 << 13,
  O_PARENTID = 1 << 14,
  O_FSID = 1 << 15,
  O_DEVID = 1 << 16,
  O_FSID64 = 1 << 17,
  O_FINDER = 1 << 18,
  O_ADDED = 1 << 19,
  O_DIRLINKS = 1 << 20,
  O_NCHILDREN = 1 << 21,
  O_LINKID = 1 << 22,
  O_NAME = 1 << 23,
  O_PRIVATE = 1 << 24,
};

struct oracle_entry {
  char name[1024];
  uint32_t type; /* enum vtype */
  uint64_t has;  /* O_... */
  uint64_t nlink, total_size, total_alloc, data_size, data_alloc, fileid, linkid, parentid;
  uint64_t private_size;
  uint64_t nchildren, dirlinks;
  uint32_t uid, gid, mode, flags, devid, fsid;
  int32_t fsid64[2];
  int64_t times[5][2]; /* created, accessed, modified, changed, added */
  unsigned char finder[32];
  int with_vnode; /* the file system has a vnode at hand */
  int mounted, trigger, root;
  int lookup_error;    /* emulation: namei fails */
  int attribute_error; /* emulation: getattr fails */
};

struct oracle_directory {
  struct oracle_entry* entries;
  int count;
  int native;        /* has a getattrlistbulk of its own */
  int late_end;      /* says that it is at its end only when asked again */
  int kernel_buffer; /* the uio is the kernel's: records are made in place */
  int slice;         /* entries a native call gives at most; 0: all that fit */
  int no_search;     /* listing allowed, searching not */
  /* state of the descriptor */
  int64_t offset;
  void* fd_data;
};

/* The count, or -1 with `*error`. */
int oracle_bulk(struct oracle_directory*, const void* attrlist, void* buffer, size_t size,
                uint64_t options, int* error);
/* fgetattrlist(2) of one entry; 0 or an errno. */
int oracle_get(struct oracle_entry*, const void* attrlist, void* buffer, size_t size,
               uint64_t options);
void oracle_rewind(struct oracle_directory*);
extern int32_t oracle_mount_fsid[2];

#ifdef __cplusplus
}
#endif
