/* SPDX-License-Identifier: MIT */
/* A whole catalog of HFS+ for hfs_vnop_search, in the order of its B-tree. */
#pragma once
#include "hfs_oracle.h"
#ifdef __cplusplus
extern "C" {
#endif
enum { hfs_plain, hfs_file_link, hfs_directory_link, hfs_thread };
enum { hfs_root = 2, hfs_file_inodes = 18, hfs_directory_inodes = 19, hfs_journal = 16 };

struct hfs_item {
  struct hfs_record record;
  int kind;          /* hfs_... */
  uint32_t leads_to; /* of a link: the number of what has the contents */
};

struct hfs_catalog {
  const struct hfs_item* items;
  uint32_t count;
  uint32_t write_count; /* changes with every change */
  uint32_t clock;       /* records a slice of time; 0: no end */
  int has_journal;      /* open, that is: not on a read-only volume */
  int not_root;
  uint32_t uid, gid;
};

/* One call of searchfs, its block and state as <sys/attr.h> lays them out; 0 or Darwin's errno. */
int hfs_search_catalog(const struct hfs_catalog*, const void* searched, const void* returned,
                       const void* first, const void* last, unsigned long most, void* buffer,
                       size_t size, unsigned options, void* state, unsigned long* matches);
/* The item that hfs_vget finds by a number; -1 if there is none that may be seen. */
long hfs_item_of(const struct hfs_catalog*, uint32_t number);
#ifdef __cplusplus
}
#endif
