// SPDX-License-Identifier: MIT
// <sys/types.h> with Darwin's fsid_t, whose member has another name than Linux's.
#pragma once

#define fsid_t ffind_linux_fsid_t
#include_next <sys/types.h>
#undef fsid_t

typedef struct fsid {
  int val[2];
} fsid_t;
