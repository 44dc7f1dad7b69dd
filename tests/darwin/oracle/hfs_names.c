/* SPDX-License-Identifier: MIT */
/* Names of HFS+, by the conversion of XNU, taken from a checkout. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint8_t u_char;
typedef unsigned int u_int;
typedef long ssize_t;
void* memcpy(void*, const void*, size_t);
void* calloc(size_t, size_t);
void free(void*);
int printf(const char*, ...);
int memcmp(const void*, const void*, size_t);
size_t strlen(const char*);
char* strchr(const char*, int);
#define assert(x) \
  do {            \
  } while (0)
#define bcopy(a, b, n) memcpy((b), (a), (n))
#define OSSwapInt16(x) __builtin_bswap16(x)
#define BYTE_ORDER 1
#define BIG_ENDIAN 2
#define LITTLE_ENDIAN 1
#define kalloc_data(n, f) calloc(1, (n))
#define kfree_data(p, n) free(p)
#define MALLOC(p, t, n, a, b) (p) = (t)calloc(1, (n))
#define FREE(p, t) free(p)
#define MAXPATHLEN 1024
enum { EINVAL = 22, ENAMETOOLONG = 63, ENOMEM = 12 };
#include "apple/utfconv.h"

#include "apple/vfs_utfconvdata.h"

#include "apple/utfconv.inc"
