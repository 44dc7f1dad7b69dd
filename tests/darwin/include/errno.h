// SPDX-License-Identifier: MIT
// <errno.h> with the names that Darwin has besides; the numbers stay Linux's.
#include_next <errno.h>

#ifndef ENOATTR
#define ENOATTR ENODATA
#endif
