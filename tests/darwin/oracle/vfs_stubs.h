/* SPDX-License-Identifier: MIT */
/* What vfs_attrlist.c needs of the kernel around it, as little as there can be. Written for this
 * harness; freestanding, so that nothing of Linux's headers gets in. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KERNEL 1
#define PRIVATE 1
#define BSD_KERNEL_PRIVATE 1
#define __APPLE_API_UNSTABLE 1
#define CONFIG_TRIGGERS 1
#define CONFIG_FIRMLINKS 1
#define __unused __attribute__((unused))

typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned char u_char;
typedef unsigned long u_long;
typedef long ssize_t;
typedef int64_t off_t;
typedef int32_t dev_t;
typedef uint16_t mode_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int errno_t;
typedef char* caddr_t;
typedef uint64_t user_addr_t;
typedef uint64_t user_size_t;
typedef int64_t user_ssize_t;
typedef int64_t user64_time_t;
typedef int64_t user64_long_t;
typedef int32_t user32_time_t;
typedef int32_t user32_long_t;
typedef uint8_t __uint8_t;
typedef uint16_t __uint16_t;
typedef uint64_t __uint64_t;
typedef int boolean_t;
typedef int kauth_action_t;
typedef int lck_mtx_t;
typedef void* kauth_cred_t;
#define __DARWIN_MAXPATHLEN 1024
struct timespec {
  int64_t tv_sec;
  long tv_nsec;
};
struct timeval {
  int64_t tv_sec;
  int32_t tv_usec;
};
struct user64_timespec {
  user64_time_t tv_sec;
  user64_long_t tv_nsec;
};
struct user32_timespec {
  user32_time_t tv_sec;
  user32_long_t tv_nsec;
};
typedef struct {
  int32_t val[2];
} fsid_t;
typedef struct fsobj_id {
  uint32_t fid_objno;
  uint32_t fid_generation;
} fsobj_id_t;
typedef unsigned char uuid_t[16];
typedef struct {
  unsigned char g_guid[16];
} guid_t;
typedef struct kauth_acl {
  uint32_t acl_entrycount;
} * kauth_acl_t;
struct kauth_filesec {
  uint32_t fsec_magic;
  guid_t fsec_owner;
  guid_t fsec_group;
  struct kauth_acl fsec_acl;
};
extern guid_t kauth_null_guid;
#define KAUTH_FILESEC_MAGIC 0x012cc16d
#define KAUTH_FILESEC_NOACL 0xffffffffu
#define KAUTH_FILESEC_SIZE(c) (44 + 24 * (c))
#define KAUTH_ACL_COPYSIZE(p) ((ssize_t)8)
#define __offsetof(t, f) offsetof(t, f)
#define MAXPATHLEN 1024
#define MAXLONGPATHLEN 8192
#define MFSTYPENAMELEN 16
enum {
  EPERM = 1,
  ENOENT = 2,
  EIO = 5,
  EBADF = 9,
  ENOMEM = 12,
  EACCES = 13,
  ENOTDIR = 20,
  EINVAL = 22,
  ENOSPC = 28,
  ERANGE = 34,
  ENOTSUP = 45,
  ENOATTR = 93,
  ERESTART = -1
};
#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000

enum uio_seg { UIO_USERSPACE = 0, UIO_SYSSPACE = 2, UIO_USERSPACE32 = 5, UIO_USERSPACE64 = 8 };
enum uio_rw { UIO_READ, UIO_WRITE };
#define UIO_SEG_IS_USER_SPACE(s) ((s) != UIO_SYSSPACE)
typedef struct uio {
  char* base;
  size_t length;
  ssize_t resid;
  off_t offset;
  int user;
} * uio_t;
#define UIO_STACKBUF(name, n) char name[sizeof(struct uio)] __attribute__((aligned(16)))

typedef uint64_t user64_addr_t, user64_size_t, user64_ulong_t;
typedef uint32_t user32_addr_t, user32_size_t, user32_ulong_t;
struct user64_timeval {
  int64_t tv_sec;
  int32_t tv_usec;
};
struct user32_timeval {
  int32_t tv_sec, tv_usec;
};
#include "apple/attr.h"

#include "apple/vnode_attr.h"

#include "apple/attr_private.h"

#include "apple/vfs_attr.h"

#include "apple/dirent.h"
struct direntry __DARWIN_STRUCT_DIRENTRY;

struct mount {
  struct vfsstatfs mnt_vfsstat;
  uint32_t mnt_flag;
  uint32_t mnt_devblocksize;
};
typedef struct mount* mount_t;
struct vnode_resolve {
  uint32_t vr_flags;
};
#define VNT_NO_DIRECT_MOUNT 0x1
struct specinfo {
  uint32_t si_rdev;
};
struct vnode {
  mount_t v_mount;
  uint32_t v_flag;
  enum vtype v_type;
  uint32_t v_tag;
  struct vnode* v_fmlink;
  struct vnode_resolve* v_resolve;
  struct specinfo* v_specinfo;
  const char* v_name;
  void* mounted_here;
  struct oracle_entry* entry;
  struct oracle_directory* directory;
};
typedef struct vnode* vnode_t;
typedef struct vfs_context {
  int nothing;
} * vfs_context_t;
struct ucred;
struct proc {
  char p_comm[8];
};
typedef struct proc* proc_t;
#define f_fglob fp_glob
typedef char uio_stackbuf_t;
struct fileglob {
  void* fg_data;
  uint32_t fg_flag;
  off_t fg_offset;
  struct fd_vn_data* fg_vn_data;
  void* fg_cred;
};
struct fileproc {
  struct fileglob* fp_glob;
};
typedef struct uthread {
  uint32_t uu_flag;
} * uthread_t;
#define UT_KERN_RAGE_VNODES 1
#define FREAD 1
#define DTYPE_VNODE 1
#define AT_FDCWD (-2)
#define NOCRED ((void*)0)
#define NULLVP ((vnode_t)0)
#define W_OK 2
#define R_OK 4
#define X_OK 1
struct componentname {
  const char* cn_nameptr;
};
struct nameidata {
  vnode_t ni_dvp, ni_vp;
  const char* name;
  uint32_t ni_flag;
  int follow;
};
#define NDINIT(n, op, pop, flags, seg, path, ctx) \
  ((n)->name = (const char*)(uintptr_t)(path), (n)->ni_flag = 0)
enum {
  LOOKUP,
  OP_GETATTR,
  FOLLOW = 1,
  AUDITVNPATH1 = 2,
  USEDVP = 4,
  NOCROSSMOUNT = 8,
  NAMEI_NOFOLLOW_ANY = 16
};
#define CAST_USER_ADDR_T(p) ((user_addr_t)(uintptr_t)(p))
#define CAST_DOWN_EXPLICIT(t, p) ((t)(uintptr_t)(p))
enum {
  KAUTH_VNODE_READ_ATTRIBUTES = 1,
  KAUTH_VNODE_READ_SECURITY = 2,
  KAUTH_VNODE_ACCESS = 4,
  KAUTH_VNODE_ADD_FILE = 8,
  KAUTH_VNODE_ADD_SUBDIRECTORY = 16,
  KAUTH_VNODE_DELETE_CHILD = 32,
  KAUTH_VNODE_LIST_DIRECTORY = 64,
  KAUTH_VNODE_SEARCH = 128,
  KAUTH_VNODE_WRITE_DATA = 256,
  KAUTH_VNODE_READ_DATA = 512,
  KAUTH_VNODE_EXECUTE = 1024
};
#define KAUTH_DEBUG(...) \
  do {                   \
  } while (0)
#define VFS_DEBUG(...) \
  do {                 \
  } while (0)
#define AUDIT_ARG(...) \
  do {                 \
  } while (0)
#define OS_ANALYZER_SUPPRESS(x)
#define assert(x) \
  do {            \
  } while (0)
#define roundup(x, y) ((((x) % (y)) == 0) ? (x) : ((x) + ((y) - ((x) % (y)))))
static inline long lmin(long a, long b) {
  return a < b ? a : b;
}
static inline unsigned long ulmin(unsigned long a, unsigned long b) {
  return a < b ? a : b;
}
static inline int min(int a, int b) {
  return a < b ? a : b;
}
void* memcpy(void*, const void*, size_t);
void* memset(void*, int, size_t);
void* memmove(void*, const void*, size_t);
size_t strlen(const char*);
int strcmp(const char*, const char*);
char* strcpy(char*, const char*);
void* calloc(size_t, size_t);
void free(void*);
void abort(void);
int printf(const char*, ...);
#define bcopy(a, b, n) memmove((b), (a), (n))
#define bzero(a, n) memset((a), 0, (n))
#define strlcpy strlcpy_
static inline size_t strlcpy_(char* to, const char* from, size_t size) {
  size_t n = strlen(from);
  if (size) {
    size_t k = n < size - 1 ? n : size - 1;
    memcpy(to, from, k);
    to[k] = 0;
  }
  return n;
}
#define panic(...) (printf("PANIC: " __VA_ARGS__), printf("\n"), abort())
enum { Z_WAITOK, Z_ZERO, Z_NOFAIL, ZV_NAMEI };
#define kalloc_data(n, f) calloc(1, (n))
#define kfree_data(p, n) (free((void*)(p)), (p) = 0)
#define kalloc_type(t, f) ((t*)calloc(1, sizeof(t)))
#define kfree_type(t, p) (free(p), (p) = 0)
#define zalloc(z) calloc(1, MAXPATHLEN)
#define zalloc_flags(z, f) calloc(1, MAXPATHLEN)
#define zfree(z, p) free((void*)(p))
/* names of older kernels */
enum { KHEAP_TEMP, KHEAP_DATA_BUFFERS, M_TEMP };
#define kheap_alloc(h, n, f) calloc(1, (n))
#define kheap_free(h, p, n) (free((void*)(p)), (p) = 0)
#define UIO_SIZEOF(n) sizeof(struct uio)
#define get_bsdthread_info(t) (&the_thread)
#define current_thread() 0
#define proc_64bit current_proc_64bit
#define FV_LOCK(f) \
  do {             \
  } while (0)
#define FV_UNLOCK(f) \
  do {               \
  } while (0)
#define XATTR_FINDERINFO_NAME "com.apple.FinderInfo"
#define XATTR_RESOURCEFORK_NAME "com.apple.ResourceFork"
#define XATTR_NOSECURITY 8
#define FCNTL_FS_SPECIFIC_BASE 0x10000
#define BUILDPATH_VOLUME_RELATIVE 8
#define BUILDPATH_NO_FIRMLINK 0x10
#define mount_lock_spin(m) \
  do {                     \
  } while (0)
#define mount_unlock(m) \
  do {                  \
  } while (0)
struct getattrlistbulk_args {
  int dirfd;
  user_addr_t alist, attributeBuffer;
  user_size_t bufferSize;
  uint64_t options;
};
struct getattrlist_args {
  user_addr_t path, alist, attributeBuffer;
  user_size_t bufferSize;
  uint64_t options;
};
struct fgetattrlist_args {
  int fd;
  user_addr_t alist, attributeBuffer;
  user_size_t bufferSize;
  uint64_t options;
};
struct getattrlistat_args {
  int fd;
  user_addr_t path, alist, attributeBuffer;
  user_size_t bufferSize;
  uint64_t options;
};
#define IS_64BIT_PROCESS(p) 1
#define proc_is64bit(p) 1
#define vfs_context_is64bit(c) 1
#define proc_support_long_paths(p) 0
extern struct vfs_context the_context;
extern struct proc the_process;
extern struct uthread the_thread;
#define vfs_context_current() (&the_context)
#define vfs_context_proc(c) (&the_process)
#define current_uthread() (&the_thread)
#define vfs_context_ucred(c) ((void*)0)
