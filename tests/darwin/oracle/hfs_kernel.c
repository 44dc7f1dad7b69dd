/* SPDX-License-Identifier: MIT */
/* hfs_search.c's criteria and records, hfs_attrlist.c's packing, and the conversion of names of
 * XNU, taken from checkouts at build time. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define KERNEL 1
#define PRIVATE 1
#define __APPLE_API_UNSTABLE 1
#define __APPLE_API_PRIVATE 1
#define HFS_COMPRESSION 1
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
typedef int64_t time_t;
typedef uint32_t uid_t, gid_t;
typedef char* caddr_t;
typedef unsigned char Boolean;
typedef int boolean_t;
typedef uint64_t user_addr_t, user_size_t, user64_addr_t, user64_size_t, user64_ulong_t;
typedef uint32_t user32_addr_t, user32_size_t, user32_ulong_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct timeval {
  time_t tv_sec;
  int32_t tv_usec;
};
struct user64_timeval {
  int64_t tv_sec;
  int32_t tv_usec;
};
struct user32_timeval {
  int32_t tv_sec, tv_usec;
};
struct user64_timespec {
  int64_t tv_sec;
  int64_t tv_nsec;
};
struct user32_timespec {
  int32_t tv_sec;
  int32_t tv_nsec;
};
typedef struct {
  int32_t val[2];
} fsid_t;
typedef struct fsobj_id {
  uint32_t fid_objno, fid_generation;
} fsobj_id_t;
typedef unsigned char uuid_t[16];
typedef char uuid_string_t[37];
typedef uint16_t UniChar;
typedef const UniChar* ConstUniCharArrayPtr;
typedef uint32_t ItemCount;
typedef uint32_t HFSCatalogNodeID;
typedef uint32_t cnid_t;
void* memcpy(void*, const void*, size_t);
void* memset(void*, int, size_t);
void* memmove(void*, const void*, size_t);
int memcmp(const void*, const void*, size_t);
size_t strlen(const char*);
char* strncpy(char*, const char*, size_t);
char* strdup(const char*);
char* strndup(const char*, size_t);
char* strcpy(char*, const char*);
void* calloc(size_t, size_t);
void free(void*);
void abort(void);
int printf(const char*, ...);
#define bcopy(a, b, n) memmove((b), (a), (n))
#define bcmp(a, b, n) memcmp((a), (b), (n))
#define bzero(a, n) memset((a), 0, (n))
#define panic(...) (printf(__VA_ARGS__), abort())
#define assert(x) \
  do {            \
  } while (0)
#define hfs_assert(x) \
  do {                \
  } while (0)
#define TRUE 1
#define FALSE 0
#define min(a, b) ((a) < (b) ? (a) : (b))
enum { EINVAL = 22, ENOENT = 2, ENAMETOOLONG = 63, EILSEQ = 92, ENOMEM = 12 };
#define E_NONE 0
#define errSearchBufferFull 101
#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISDIR(m) (((m)&S_IFMT) == S_IFDIR)
#define S_ISREG(m) (((m)&S_IFMT) == S_IFREG)
#define S_ISLNK(m) (((m)&S_IFMT) == S_IFLNK)
#define S_ISBLK(m) (((m)&S_IFMT) == S_IFBLK)
#define S_ISCHR(m) (((m)&S_IFMT) == S_IFCHR)
#define S_ISUID 04000
#define S_ISGID 02000
#define ACCESSPERMS 0777
#define UF_IMMUTABLE 2
#define UF_COMPRESSED 0x20
#define UF_HIDDEN 0x8000
#define SF_IMMUTABLE 0x20000
#define W_OK 2
#define SWAP_BE16(x) __builtin_bswap16(x)
#define SWAP_BE32(x) __builtin_bswap32(x)
#define OSSwapHostToBigConstInt16(x) __builtin_bswap16(x)
#define OSSwapInt16(x) __builtin_bswap16(x)
#define OSSwapInt32(x) __builtin_bswap32(x)
#define MAC_GMT_FACTOR 2082844800UL
#define UNKNOWNUID ((uid_t)99)
#define kMaxMicroSecsInKernel 100000
enum { kHasBundle = 0x2000, kIsInvisible = 0x4000, kFinderInvisibleMask = 1 << 14 };
enum { FILE_HARDLINKS = 0, DIR_HARDLINKS = 1, HFC_RECORDING = 7 };
#define HFS_STANDARD 0x4
#define HFS_READ_ONLY 1
#define HFS_FOLDERCOUNT 0x10000
#define MNT_RDONLY 1
#define MNT_UNKNOWNPERMISSIONS 0x00200000

#include "apple/hfs_unistr.h"

#include "apple/hfs_format.h"

#include "apple/vtype.h"

#include "apple/attr.h"

#include "apple/hfs_catalog.h"

#include "apple/utfconv.h"
#define cf_bytesread cf_union.cfu_bytesread
enum {
  kHFSPlusMaxFileNameBytes = kHFSPlusMaxFileNameChars * 3,
  kHFSAliasType = 0x66647270,
  kHFSAliasCreator = 0x4d414353
};
struct vfsstatfs {
  char f_mntonname[1024];
};
struct mount {
  struct vfsstatfs stat;
  uint64_t flags;
};
struct vnode;
typedef struct vnode* vnode_t;
typedef struct mount* mount_t;
#define NULLVP ((vnode_t)0)
typedef struct vfs_context {
  uint32_t uid, gid;
  int not_root;
} * vfs_context_t;
typedef vfs_context_t kauth_cred_t;
struct private_desc {
  cnid_t cd_cnid;
};
typedef struct hfsmount {
  uint32_t hfs_flags;
  uint16_t vcbSigWord;
  uint32_t vcbAtrb, vcbClpSiz, blockSize, hfs_logBlockSize, hfs_raw_dev;
  struct private_desc hfs_private_desc[2];
  void* jnl;
  uint32_t hfs_jnlfileid, hfs_jnlinfoblkid;
  time_t hfs_itime, hfs_metadata_createdate;
  int catalogRefNum;
  int hfc_stage;
  time_t hfc_timebase;
  uid_t hfs_uid;
  gid_t hfs_gid;
  mode_t hfs_dir_mask, hfs_file_mask;
  struct mount* mp;
} ExtendedVCB;
#define VCBTOHFS(v) (v)
#define HFSTOVCB(v) (v)
#define HFSTOVFS(h) ((h)->mp)
#define vfs_statfs(m) (&(m)->stat)
#define vfs_flags(m) ((m)->flags)
#define vfs_typenum(m) 23
#define vnode_isvroot(v) 0
#define vnode_mount(v) ((mount_t)0)
#define vnode_mountedhere(v) ((void*)0)
static struct vfs_context the_context;
#define vfs_context_current() (&the_context)
#define vfs_context_proc(c) ((void*)0)
#define vfs_context_ucred(c) (&the_context)
#define vfs_context_suser(c) (the_context.not_root)
#define kauth_cred_getuid(c) (the_context.uid)
#define kauth_cred_getgid(c) (the_context.gid)
#define proc_is64bit(p) 1
#define current_proc() ((void*)0)
#define proc_is_forcing_hfs_case_sensitivity(p) 0
static const enum vtype iftovt[16] = {VNON, VFIFO, VCHR, VNON, VDIR,  VNON, VBLK, VNON,
                                      VREG, VNON,  VLNK, VNON, VSOCK, VNON, VNON, VBAD};
#define IFTOVT(m) (iftovt[((m)&S_IFMT) >> 12])
#define DerivePermissionSummary(...) 7
#define hfs_real_user_access(v, c) 7
static uint64_t uncompressed_size;
static int has_uncompressed_size;
static int hfs_uncompressed_size_of_compressed_file(struct hfsmount* h, vnode_t vp, cnid_t id,
                                                    off_t* size, int skip) {
  if (!has_uncompressed_size) return ENOENT;
  *size = (off_t)uncompressed_size;
  return 0;
}
static void hfs_mark_inconsistent(struct hfsmount* h, int what) {}
#define HFS_INCONSISTENCY_DETECTED 1
#define hfs_malloc_data(n) calloc(1, (n))
#define hfs_free_data(p, n) free(p)
static const char* vfs_addname(const char* n, size_t len, u_int h, u_int f) {
  return strndup(n, len);
}
static int vfs_removename(const char* n) {
  free((void*)n);
  return 0;
}
typedef struct uio {
  char* base;
  size_t size, done;
} * uio_t;
#define uio_resid(u) ((ssize_t)((u)->size - (u)->done))
static int uiomove(const char* from, int n, uio_t u) {
  memcpy(u->base + u->done, from, (size_t)n);
  u->done += (size_t)n;
  return 0;
}

static int unicode_combinable(u_int16_t character);
#define static_not static
int utf8_decodestr(const u_int8_t*, size_t, u_int16_t*, size_t*, size_t, u_int16_t, int);
int utf8_encodestr(const u_int16_t*, size_t, u_int8_t*, size_t*, size_t, u_int16_t, int);
size_t utf8_encodelen(const u_int16_t*, size_t, u_int16_t, int);
#include "apple/UCStringCompareData.h"

#include "apple/compare.inc"

#include "apple/attrblock.h"
static void packcommonattr();
static void packdirattr();
static void packfileattr();
#include "apple/search.inc"

#include "hfs_oracle.h"

uint32_t hfs_device = 0x01000009;
static struct mount the_mount;
static struct hfsmount the_volume;

static int make_key(const char* name, CatalogKey* key) {
  size_t bytes = 0;
  int error;
  memset(key, 0, sizeof *key);
  /* buildkey: names are stored decomposed */
  error = utf8_decodestr((const u_int8_t*)name, strlen(name), key->hfsPlus.nodeName.unicode, &bytes,
                         sizeof key->hfsPlus.nodeName.unicode, ':',
                         UTF_DECOMPOSED | UTF_ESCAPE_ILLEGAL);
  key->hfsPlus.nodeName.length = (u_int16_t)(bytes / 2);
  return error;
}

int hfs_name(const char* name, char* back, size_t size) {
  CatalogKey key;
  size_t len = 0;
  int error = make_key(name, &key);
  if (error) return error;
  return utf8_encodestr(key.hfsPlus.nodeName.unicode, key.hfsPlus.nodeName.length * 2,
                        (u_int8_t*)back, &len, size, ':', 0);
}

static void set_up(const struct hfs_search* s) {
  the_volume.mp = &the_mount;
  the_volume.vcbSigWord = kHFSPlusSigWord;
  the_volume.blockSize = 4096;
  the_volume.hfs_logBlockSize = 4096;
  the_volume.hfs_raw_dev = hfs_device;
  the_volume.hfs_private_desc[0].cd_cnid = 18;
  the_volume.hfs_private_desc[1].cd_cnid = 19;
  the_volume.jnl = &the_volume;
  the_volume.hfs_jnlfileid = 16;
  the_volume.hfs_jnlinfoblkid = 17;
  the_volume.hfs_itime = the_volume.hfs_metadata_createdate = hfs_created - MAC_GMT_FACTOR;
  the_volume.hfs_uid = 99;
  the_volume.hfs_gid = 99;
  the_volume.hfs_dir_mask = the_volume.hfs_file_mask = 0755;
  strcpy(the_mount.stat.f_mntonname, "/Volumes/Backup");
  the_mount.flags = s->ignores_ownership ? MNT_UNKNOWNPERMISSIONS : 0;
  the_context.uid = s->uid;
  the_context.gid = s->gid;
  the_context.not_root = s->not_root;
}

/* Folders and files begin alike. */
static int make_record(const struct hfs_record* r, CatalogKey* key, CatalogRecord* rec) {
  HFSPlusCatalogFile* f = &rec->hfsPlusFile;
  int error = make_key(r->name, key);
  if (error) return error;
  key->hfsPlus.parentID = r->parent;
  memset(rec, 0, sizeof *rec);
  f->recordType = r->folder ? kHFSPlusFolderRecord : kHFSPlusFileRecord;
  f->flags = (u_int16_t)((r->locked ? kHFSFileLockedMask : 0) |
                         (r->expanded_times ? kHFSCatExpandedTimesMask : 0));
  f->fileID = r->id;
  f->createDate = r->dates[0];
  f->contentModDate = r->dates[1];
  f->attributeModDate = r->dates[2];
  f->accessDate = r->dates[3];
  f->backupDate = r->dates[4];
  f->bsdInfo.ownerID = r->uid;
  f->bsdInfo.groupID = r->gid;
  f->bsdInfo.adminFlags = r->admin_flags;
  f->bsdInfo.ownerFlags = r->owner_flags;
  f->bsdInfo.fileMode = r->mode;
  f->bsdInfo.special.linkCount = r->links;
  memcpy(&f->userInfo, r->finder, 16);
  memcpy(&f->finderInfo, r->finder + 16, 16);
  if (r->folder) return 0;
  f->dataFork.logicalSize = r->data_size;
  f->dataFork.totalBlocks = r->data_blocks;
  f->resourceFork.logicalSize = r->fork_size;
  f->resourceFork.totalBlocks = r->fork_blocks;
  return 0;
}

int hfs_try(const struct hfs_search* s, const struct hfs_record* r, void* buffer, size_t size) {
  CatalogKey key;
  CatalogRecord rec;
  searchinfospec_t one, two;
  struct attrlist searched, returned;
  void* attributes;
  uint32_t matches = 0;
  struct uio u = {buffer, size, 0};
  int error;
  u_int32_t fixed, each;
  set_up(s);
  if ((error = make_record(r, &key, &rec))) return -error;
  uncompressed_size = r->uncompressed_size;
  has_uncompressed_size = r->compressed;
  memcpy(&searched, s->searched, sizeof searched);
  memcpy(&returned, s->returned, sizeof returned);
  /* hfs_vnop_search, before its loop */
#define HFS_CMN                                                                                   \
  (ATTR_CMN_NAME | ATTR_CMN_DEVID | ATTR_CMN_FSID | ATTR_CMN_OBJTYPE | ATTR_CMN_OBJTAG |          \
   ATTR_CMN_OBJID | ATTR_CMN_OBJPERMANENTID | ATTR_CMN_PAROBJID | ATTR_CMN_SCRIPT |               \
   ATTR_CMN_CRTIME | ATTR_CMN_MODTIME | ATTR_CMN_CHGTIME | ATTR_CMN_ACCTIME | ATTR_CMN_BKUPTIME | \
   ATTR_CMN_FNDRINFO | ATTR_CMN_OWNERID | ATTR_CMN_GRPID | ATTR_CMN_ACCESSMASK | ATTR_CMN_FLAGS | \
   ATTR_CMN_USERACCESS | ATTR_CMN_FILEID | ATTR_CMN_PARENTID)
  if ((s->options & ~SRCHFS_VALIDOPTIONSMASK) || (returned.commonattr & ~HFS_CMN) ||
      returned.volattr || returned.forkattr || (returned.dirattr & ~7u))
    return -EINVAL;
  if ((error = UnpackSearchAttributeBlock(&the_volume, &searched, &one, (void*)s->first, 1)))
    return -error;
  if ((error = UnpackSearchAttributeBlock(&the_volume, &searched, &two, (void*)s->last, 0)))
    return -error;
  fixed = (u_int32_t)(sizeof(u_int32_t) + hfs_attrblksize(&returned));
  each = fixed + kHFSPlusMaxFileNameBytes + 1;
  if (!CheckCriteria(&the_volume, s->options, &searched, &rec, &key, &one, &two, &the_context))
    return 0;
  attributes = calloc(1, each);
  error = InsertMatch(&the_volume, &u, &rec, &key, &returned, attributes, (char*)attributes + fixed,
                      &matches);
  free(attributes);
  return error ? -error : (int)matches;
}
