// SPDX-License-Identifier: MIT
// <sys/select.h>: pselect is the simulated kernel's; select is hidden. FD_SETSIZE and the bits of a
// set are the same on both systems.
#pragma once

#include "darwin_call.h"

#define select ffind_linux_select
#define pselect ffind_linux_pselect
#include_next <sys/select.h>
#undef select
#undef pselect

extern "C" {
int pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional,
            const struct timespec* time, const sigset_t* mask) DARWIN_CALL(pselect);
}
