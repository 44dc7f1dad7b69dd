// SPDX-License-Identifier: MIT
// <fts.h> with Darwin's members. Linux's cannot serve: the stat in its entries is Linux's.
#pragma once

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "darwin_call.h"

typedef struct darwin_fts FTS;

typedef struct _ftsent {
  struct _ftsent* fts_cycle;
  struct _ftsent* fts_parent;
  struct _ftsent* fts_link;
  long fts_number;
  void* fts_pointer;
  char* fts_accpath;
  char* fts_path;
  int fts_errno;
  int fts_symfd;
  unsigned short fts_pathlen;
  unsigned short fts_namelen;
  ino_t fts_ino;
  int32_t fts_dev;
  unsigned short fts_nlink;
  short fts_level;
  unsigned short fts_info;
  unsigned short fts_flags;
  unsigned short fts_instr;
  struct stat* fts_statp;
  char fts_name[1];
} FTSENT;

#define FTS_COMFOLLOW 0x001
#define FTS_LOGICAL 0x002
#define FTS_NOCHDIR 0x004
#define FTS_NOSTAT 0x008
#define FTS_PHYSICAL 0x010
#define FTS_SEEDOT 0x020
#define FTS_XDEV 0x040
#define FTS_NOSTAT_TYPE 0x800

#define FTS_D 1
#define FTS_DC 2
#define FTS_DEFAULT 3
#define FTS_DNR 4
#define FTS_DOT 5
#define FTS_DP 6
#define FTS_ERR 7
#define FTS_F 8
#define FTS_INIT 9
#define FTS_NS 10
#define FTS_NSOK 11
#define FTS_SL 12
#define FTS_SLNONE 13

extern "C" {
FTS* fts_open(char* const* paths, int options, int (*compare)(const FTSENT**, const FTSENT**))
    DARWIN_CALL(fts_open);
FTSENT* fts_read(FTS* stream) DARWIN_CALL(fts_read);
FTSENT* fts_children(FTS* stream, int options) DARWIN_CALL(fts_children);
int fts_close(FTS* stream) DARWIN_CALL(fts_close);
}
