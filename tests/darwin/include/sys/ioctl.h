// SPDX-License-Identifier: MIT
// <sys/ioctl.h>: ioctl is the simulated kernel's, which hands on what it does not know.
#pragma once

#include "darwin_call.h"

#define ioctl ffind_linux_ioctl
#include_next <sys/ioctl.h>
#undef ioctl

extern "C" {
int ioctl(int fd, unsigned long request, ...) DARWIN_CALL(ioctl);
}
