// SPDX-License-Identifier: MIT
// <sys/vnode.h>: the types of files as attribute lists tell them.
#pragma once

enum vtype { VNON, VREG, VDIR, VBLK, VCHR, VLNK, VSOCK, VFIFO, VBAD, VSTR, VCPLX };
