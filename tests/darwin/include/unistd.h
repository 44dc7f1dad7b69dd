// SPDX-License-Identifier: MIT
// <unistd.h> with the calls on attribute lists, which Darwin declares here, and with the simulated
// kernel's write.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define access ffind_linux_access
#define unlinkat ffind_linux_unlinkat
#define write ffind_linux_write
#include_next <unistd.h>
#undef access
#undef unlinkat
#undef write

#include "darwin_call.h"

struct fssearchblock;
struct searchstate;

extern "C" {
int access(const char* path, int mode) DARWIN_CALL(access);
int unlinkat(int at, const char* path, int flags) DARWIN_CALL(unlinkat);
ssize_t write(int fd, const void* bytes, size_t size) DARWIN_CALL(write);
int getattrlist(const char* path, void* list, void* buffer, size_t size, unsigned int options)
    DARWIN_CALL(getattrlist);
int fgetattrlist(int fd, void* list, void* buffer, size_t size, unsigned int options)
    DARWIN_CALL(fgetattrlist);
int getattrlistat(int at, const char* path, void* list, void* buffer, size_t size,
                  unsigned long options) DARWIN_CALL(getattrlistat);
int getattrlistbulk(int fd, void* list, void* buffer, size_t size, uint64_t options)
    DARWIN_CALL(getattrlistbulk);
int searchfs(const char* path, struct fssearchblock* block, unsigned long* matches,
             unsigned int script, unsigned int options, struct searchstate* state)
    DARWIN_CALL(searchfs);
}
