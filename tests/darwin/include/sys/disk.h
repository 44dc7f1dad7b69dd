// SPDX-License-Identifier: MIT
// <sys/disk.h>: whether a disk is an image.
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>

// _IOR('d', 72, uint32_t) in Darwin's encoding, which differs from Linux's.
#define DKIOCISVIRTUAL 0x40046448UL
