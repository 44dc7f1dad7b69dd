// SPDX-License-Identifier: MIT
// What fts(3) of Apple's Libc stands on: Darwin's types and calls, and a readdir(3) above them.
// prepare.py puts it before Apple's source; C, and no header of anybody else.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/attr.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/vnode.h>
#include <unistd.h>

#define __DARWIN_64_BIT_INO_T 1
#define __DARWIN_INODE64(name) __asm__("darwin_" #name)
#define _LIBC_COUNT(count)
#define _LIBC_CSTR
#define _LIBC_SINGLE_BY_DEFAULT()
#define dev_t int32_t
#define nlink_t uint16_t
#define os_assert assert
#define __unused __attribute__((unused))
#define ALIGNBYTES (sizeof(size_t) - 1)
#define ALIGN(address) (((uintptr_t)(address) + ALIGNBYTES) & ~(uintptr_t)ALIGNBYTES)

// With FTS_NOCHDIR, which is all the program asks for, fts(3) never gets here.
static int pthread_fchdir_np(int fd) {
  (void)fd;
  abort();
}

struct darwin_dirent {
  char* d_name;
  size_t d_namlen;
  unsigned char d_type;
};

static DIR* darwin_opendir(const char* path) {
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_DIRECTORY | O_CLOEXEC);
  return fd < 0 ? NULL : fdopendir(fd);
}

static struct darwin_dirent* darwin_readdir(DIR* directory) {
  static __thread struct darwin_dirent entry;
  struct dirent* const found = readdir(directory);
  if (found == NULL) return NULL;
  entry.d_name = found->d_name;
  entry.d_namlen = strlen(found->d_name);
  entry.d_type = found->d_type;
  return &entry;
}

#define dirent darwin_dirent
#define opendir darwin_opendir
#define readdir darwin_readdir
