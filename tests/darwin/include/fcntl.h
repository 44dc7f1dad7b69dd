// SPDX-License-Identifier: MIT
// <fcntl.h> as Darwin has it: open, openat and fcntl are the simulated kernel's. Numbers that both
// systems have stay Linux's.
#pragma once

#include "darwin_call.h"

#define stat ffind_linux_stat
#define open ffind_linux_open
#define openat ffind_linux_openat
#define fcntl ffind_linux_fcntl
#include_next <fcntl.h>
#undef stat
#undef open
#undef openat
#undef fcntl

#define F_GETPATH 50
#define F_SETNOSIGPIPE 73
#define F_GETPATH_NOFIRMLINK 102

#define O_EVTONLY 0x00008000       // Linux: O_LARGEFILE, which 64-bit programs have anyway
#define O_SYMLINK 0x40000000       // a bit that Linux does not use; the kernel translates it
#define O_NOFOLLOW_ANY 0x20000000  // the same

extern "C" {
int open(const char* path, int flags, ...) DARWIN_CALL(open);
int openat(int at, const char* path, int flags, ...) DARWIN_CALL(openat);
int fcntl(int fd, int command, ...) DARWIN_CALL(fcntl);
}
