// SPDX-License-Identifier: MIT
// <dlfcn.h>, whose calls also find the simulated Foundation.
#pragma once

#define dlopen ffind_linux_dlopen
#define dlsym ffind_linux_dlsym
#include_next <dlfcn.h>
#undef dlopen
#undef dlsym

#include "darwin_call.h"

extern "C" {
void* dlopen(const char* path, int mode) DARWIN_CALL(dlopen);
void* dlsym(void* library, const char* name) DARWIN_CALL(dlsym);
}
