// SPDX-License-Identifier: MIT
// <sys/sysctl.h>: what Darwin tells of the machine.
#pragma once

#include <sys/types.h>

#include "darwin_call.h"

extern "C" {
int sysctlbyname(const char* name, void* value, size_t* size, void* replacement,
                 size_t replacement_size) DARWIN_CALL(sysctlbyname);
}
