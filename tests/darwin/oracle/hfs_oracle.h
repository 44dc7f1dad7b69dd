/* SPDX-License-Identifier: MIT */
/* What the checker says to HFS's search. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
struct hfs_record { /* one of a catalog */
  const char* name; /* UTF-8; stored as HFS+ stores it */
  uint32_t parent, id;
  int folder, expanded_times;
  uint16_t mode;                      /* 0: never set by a Unix */
  uint32_t uid, gid, links, dates[5]; /* as on disk: created, modified, changed, accessed, backup */
  uint64_t data_size, fork_size;
  uint32_t data_blocks, fork_blocks;
  uint8_t owner_flags, admin_flags;
  int locked;
  unsigned char finder[32];
  int compressed;
  uint64_t uncompressed_size;
};
struct hfs_search {
  const void *first, *last, *searched, *returned;
  uint32_t options;
  int not_root;
  uint32_t uid, gid;
  int ignores_ownership;
};
/* 1: it matches, and `buffer` holds its record; 0: it does not; negative: an errno. */
int hfs_try(const struct hfs_search*, const struct hfs_record*, void* buffer, size_t size);
/* The name as it comes back from the volume; 0 or an errno. */
int hfs_name(const char* name, char* back, size_t size);
extern uint32_t hfs_device;
/* When the volume was made, and so its links. */
#define hfs_created 3221225472u
#ifdef __cplusplus
}
#endif
