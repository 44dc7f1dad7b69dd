// SPDX-License-Identifier: MIT
// <sys/resource.h> with Darwin's I/O policies, its limits, and its unit of memory.
#pragma once

#include "darwin_call.h"

#define getrusage ffind_linux_getrusage
#define getrlimit ffind_linux_getrlimit
#define setrlimit ffind_linux_setrlimit
#include_next <sys/resource.h>
#undef getrusage
#undef getrlimit
#undef setrlimit

#define IOPOL_TYPE_DISK 0
#define IOPOL_TYPE_VFS_ATIME_UPDATES 2
#define IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES 3
#define IOPOL_TYPE_VFS_STATFS_NO_DATA_VOLUME 4
#define IOPOL_TYPE_VFS_TRIGGER_RESOLVE 5

#define IOPOL_SCOPE_PROCESS 0
#define IOPOL_SCOPE_THREAD 1

#define IOPOL_DEFAULT 0
#define IOPOL_ATIME_UPDATES_DEFAULT 0
#define IOPOL_ATIME_UPDATES_OFF 1
#define IOPOL_MATERIALIZE_DATALESS_FILES_DEFAULT 0
#define IOPOL_MATERIALIZE_DATALESS_FILES_OFF 1
#define IOPOL_MATERIALIZE_DATALESS_FILES_ON 2
#define IOPOL_VFS_TRIGGER_RESOLVE_DEFAULT 0
#define IOPOL_VFS_TRIGGER_RESOLVE_OFF 1

extern "C" {
int getrusage(int who, struct rusage* usage) DARWIN_CALL(getrusage);
int getrlimit(int resource, struct rlimit* limit) DARWIN_CALL(getrlimit);
int setrlimit(int resource, const struct rlimit* limit) DARWIN_CALL(setrlimit);
int setiopolicy_np(int type, int scope, int policy) DARWIN_CALL(setiopolicy_np);
int getiopolicy_np(int type, int scope) DARWIN_CALL(getiopolicy_np);
}
