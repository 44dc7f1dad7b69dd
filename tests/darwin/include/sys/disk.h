// SPDX-License-Identifier: MIT
// <sys/disk.h>: the installed header keeps what this program asks of disks to the kernel
// (DKIOCISVIRTUAL), so there is nothing here to use.
#pragma once

#include <stdint.h>
#include <sys/ioctl.h>
