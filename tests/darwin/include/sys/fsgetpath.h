// SPDX-License-Identifier: MIT
// <sys/fsgetpath.h>: from the id of a file to a path.
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "darwin_call.h"

extern "C" {
ssize_t fsgetpath(char* path, size_t size, fsid_t* volume, uint64_t id) DARWIN_CALL(fsgetpath);
}
