// SPDX-License-Identifier: MIT
// <sys/param.h> with Darwin's longest path.
#pragma once

#include_next <sys/param.h>

#undef MAXPATHLEN
#define MAXPATHLEN 1024
