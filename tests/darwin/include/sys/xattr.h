// SPDX-License-Identifier: MIT
// <sys/xattr.h> of Darwin: extended attributes, with the two arguments more than Linux's calls.
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "darwin_call.h"

#define XATTR_NOFOLLOW 0x0001
#define XATTR_SHOWCOMPRESSION 0x0020
#define XATTR_FINDERINFO_NAME "com.apple.FinderInfo"
#define XATTR_RESOURCEFORK_NAME "com.apple.ResourceFork"

extern "C" {
ssize_t getxattr(const char* path, const char* name, void* value, size_t size, uint32_t position,
                 int options) DARWIN_CALL(getxattr);
ssize_t fgetxattr(int fd, const char* name, void* value, size_t size, uint32_t position,
                  int options) DARWIN_CALL(fgetxattr);
ssize_t listxattr(const char* path, char* names, size_t size, int options) DARWIN_CALL(listxattr);
ssize_t flistxattr(int fd, char* names, size_t size, int options) DARWIN_CALL(flistxattr);
}
