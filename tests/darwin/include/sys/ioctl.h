// SPDX-License-Identifier: MIT
// <sys/ioctl.h>: ioctl is the simulated kernel's, which hands on what it does not know.
#pragma once

#include "darwin_call.h"

#define ioctl ffind_linux_ioctl
#include_next <sys/ioctl.h>
#undef ioctl

// Darwin's encoding of requests differs from Linux's.
#undef _IOR
#define _IOR(group, number, type) \
  (0x40000000UL | (sizeof(type) & 0x1FFFUL) << 16 | (unsigned long)(group) << 8 | (number))

extern "C" {
int ioctl(int fd, unsigned long request, ...) DARWIN_CALL(ioctl);
}
