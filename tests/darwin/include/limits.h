// SPDX-License-Identifier: MIT
// <limits.h> with Darwin's PATH_MAX. Without an include guard, as the compiler's own header comes
// here twice.
#include_next <limits.h>

#undef PATH_MAX
#define PATH_MAX 1024
