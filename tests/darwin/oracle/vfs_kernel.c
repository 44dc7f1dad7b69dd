/* SPDX-License-Identifier: MIT */
/* XNU's vfs_attrlist.c (taken from the checkout at build time), and the file system and the calls
 * below and above it that it needs to run. */
#include "vfs_stubs.h"

#include "vfs_oracle.h"

guid_t kauth_null_guid;
struct vfs_context the_context;
struct proc the_process;
struct uthread the_thread;
int32_t oracle_mount_fsid[2] = {0x01000005, 26};
static struct mount the_mount;
static struct oracle_directory* open_directory;
static struct fileglob the_glob;
static struct fileproc the_file = {&the_glob};
static struct vnode the_directory;
static struct vnode_resolve a_trigger;
static int a_mount;

/* uio */
static uio_t uio_createwithbuffer(int n, off_t offset, int seg, int rw, void* buffer, size_t size) {
  uio_t u = buffer;
  memset(u, 0, sizeof *u);
  u->offset = offset;
  u->user = seg != UIO_SYSSPACE;
  return u;
}
static void uio_reset(uio_t u, off_t offset, int seg, int rw) {
  memset(u, 0, sizeof *u);
  u->offset = offset;
  u->user = seg != UIO_SYSSPACE;
}
static int uio_addiov(uio_t u, user_addr_t base, size_t size) {
  u->base = (char*)(uintptr_t)base;
  u->length = size;
  u->resid = (ssize_t)size;
  return 0;
}
static ssize_t uio_resid(uio_t u) {
  return u->resid;
}
static void uio_setresid(uio_t u, ssize_t r) {
  u->resid = r;
}
static off_t uio_offset(uio_t u) {
  return u->offset;
}
static void uio_setoffset(uio_t u, off_t o) {
  u->offset = o;
}
static int uio_iovcnt(uio_t u) {
  return 1;
}
static int uio_isuserspace(uio_t u) {
  return u->user && !(open_directory && open_directory->kernel_buffer);
}
static user_addr_t uio_curriovbase(uio_t u) {
  return (user_addr_t)(uintptr_t)u->base;
}
static size_t uio_curriovlen(uio_t u) {
  return u->length;
}
static void uio_free(uio_t u) {}
static int uiomove(const void* from, int n, uio_t u) {
  if (n > u->resid) n = (int)u->resid;
  memcpy(u->base + (u->length - (size_t)u->resid), from, (size_t)n);
  u->resid -= n;
  u->offset += n;
  return 0;
}
static int copyin(user_addr_t from, void* to, size_t n) {
  memcpy(to, (void*)(uintptr_t)from, n);
  return 0;
}
static int copyout(const void* from, user_addr_t to, size_t n) {
  memcpy((void*)(uintptr_t)to, from, n);
  return 0;
}

/* vnodes */
static int vnode_isvroot(vnode_t vp) {
  return (vp->v_flag & VROOT) != 0;
}
static int vnode_isdir(vnode_t vp) {
  return vp->v_type == VDIR;
}
static enum vtype vnode_vtype(vnode_t vp) {
  return vp->v_type;
}
static void* vnode_mountedhere(vnode_t vp) {
  return vp->mounted_here;
}
static const char* vnode_getname(vnode_t vp) {
  return vp->v_name;
}
static void vnode_putname(const char* n) {}
static vnode_t vnode_getparent(vnode_t vp) {
  return NULLVP;
}
static int vnode_get(vnode_t vp) {
  return 0;
}
static int vnode_getwithref(vnode_t vp) {
  return 0;
}
static void vnode_put(vnode_t vp) {
  if (vp && vp != &the_directory) free(vp);
}
static int vnode_get_snapdir(vnode_t vp, vnode_t* s, vfs_context_t c) {
  return ENOTSUP;
}
static int build_path(vnode_t vp, char* b, int n, int* o, int f, vfs_context_t c) {
  return ENOTSUP;
}
static int vnode_authorize(vnode_t vp, vnode_t d, kauth_action_t action, vfs_context_t c) {
  if (vp == &the_directory)
    return (action & KAUTH_VNODE_SEARCH) && open_directory->no_search ? EACCES : 0;
  return 0;
}
static void kauth_acl_free(kauth_acl_t a) {}
static void vnode_attr_handle_uid_and_gid(struct vnode_attr* v, mount_t m, vfs_context_t c) {}
static int vn_setxattr(vnode_t vp, const char* n, uio_t u, int o, vfs_context_t c) {
  return ENOTSUP;
}
static int vn_getxattr(vnode_t vp, const char* name, uio_t u, size_t* size, int o,
                       vfs_context_t c) {
  if (strcmp(name, XATTR_FINDERINFO_NAME) != 0 || !(vp->entry->has & O_FINDER)) return ENOATTR;
  *size = 32;
  return u ? uiomove(vp->entry->finder, 32, u) : 0;
}

static vnode_t vnode_of(struct oracle_entry* e) {
  vnode_t vp = calloc(1, sizeof *vp);
  vp->v_mount = &the_mount;
  vp->v_type = (enum vtype)e->type;
  vp->v_tag = VT_HFS;
  vp->entry = e;
  vp->v_name = e->name;
  if (e->root) vp->v_flag |= VROOT;
  if (e->mounted) vp->mounted_here = &a_mount;
  if (e->trigger) vp->v_resolve = &a_trigger;
  return vp;
}

#define GIVE(bit, field, value)                                   \
  do {                                                            \
    if ((e->has & (bit)) && (all || VATTR_IS_ACTIVE(v, field))) { \
      v->field = (value);                                         \
      VATTR_SET_SUPPORTED(v, field);                              \
    }                                                             \
  } while (0)
#define GIVE_TIME(bit, field, n)                                  \
  do {                                                            \
    if ((e->has & (bit)) && (all || VATTR_IS_ACTIVE(v, field))) { \
      v->field.tv_sec = e->times[n][0];                           \
      v->field.tv_nsec = e->times[n][1];                          \
      VATTR_SET_SUPPORTED(v, field);                              \
    }                                                             \
  } while (0)
static void fill(struct oracle_entry* e, struct vnode_attr* v, int all) {
  GIVE(O_NLINK, va_nlink, e->nlink);
  GIVE(O_TOTAL_SIZE, va_total_size, e->total_size);
  GIVE(O_TOTAL_ALLOC, va_total_alloc, e->total_alloc);
  GIVE(O_DATA_SIZE, va_data_size, e->data_size);
  GIVE(O_DATA_ALLOC, va_data_alloc, e->data_alloc);
  GIVE(O_PRIVATE, va_private_size, e->private_size);
  GIVE(O_UID, va_uid, e->uid);
  GIVE(O_GID, va_gid, e->gid);
  GIVE(O_MODE, va_mode, (mode_t)e->mode);
  GIVE(O_FLAGS, va_flags, e->flags);
  GIVE_TIME(O_CRTIME, va_create_time, 0);
  GIVE_TIME(O_ATIME, va_access_time, 1);
  GIVE_TIME(O_MTIME, va_modify_time, 2);
  GIVE_TIME(O_CTIME, va_change_time, 3);
  GIVE_TIME(O_ADDED, va_addedtime, 4);
  GIVE(O_FILEID, va_fileid, e->fileid);
  GIVE(O_LINKID, va_linkid, e->linkid);
  GIVE(O_PARENTID, va_parentid, e->parentid);
  GIVE(O_FSID, va_fsid, e->fsid);
  GIVE(O_DEVID, va_devid, e->devid);
  GIVE(O_NCHILDREN, va_nchildren, e->nchildren);
  GIVE(O_DIRLINKS, va_dirlinkcount, e->dirlinks);
  if ((e->has & O_FSID64) && (all || VATTR_IS_ACTIVE(v, va_fsid64))) {
    memcpy(&v->va_fsid64, e->fsid64, 8);
    VATTR_SET_SUPPORTED(v, va_fsid64);
  }
  if ((e->has & O_FINDER) && (all || VATTR_IS_ACTIVE(v, va_finderinfo))) {
    memcpy(v->va_finderinfo, e->finder, 32);
    VATTR_SET_SUPPORTED(v, va_finderinfo);
  }
}
static int vnode_getattr(vnode_t vp, struct vnode_attr* v, vfs_context_t c) {
  struct oracle_entry* e = vp->entry;
  if (e == 0) return 0;
  if (e->attribute_error) return e->attribute_error;
  fill(e, v, 0);
  if ((e->has & O_NAME) && v->va_name && VATTR_IS_ACTIVE(v, va_name)) {
    strcpy(v->va_name, e->name);
    VATTR_SET_SUPPORTED(v, va_name);
  }
  return 0;
}

/* volumes: only what ffind asks */
static int VFS_ROOT(mount_t m, vnode_t* vp, vfs_context_t c) {
  return ENOTSUP;
}
static int VNOP_IOCTL(vnode_t vp, u_long cmd, caddr_t d, int f, vfs_context_t c) {
  return ENOTSUP;
}
static int vfs_getattr(mount_t m, struct vfs_attr* v, vfs_context_t c) {
  if (VFSATTR_IS_ACTIVE(v, f_vol_name)) {
    strcpy(v->f_vol_name, "Backup");
    VFSATTR_SET_SUPPORTED(v, f_vol_name);
  }
  if (VFSATTR_IS_ACTIVE(v, f_capabilities)) {
    for (int i = 0; i < 4; ++i) {
      v->f_capabilities.capabilities[i] = 0;
      v->f_capabilities.valid[i] = 0;
    }
    v->f_capabilities.capabilities[0] = v->f_capabilities.valid[0] =
        VOL_CAP_FMT_PATH_FROM_ID | VOL_CAP_FMT_CASE_SENSITIVE;
    v->f_capabilities.capabilities[1] = v->f_capabilities.valid[1] = VOL_CAP_INT_SEARCHFS;
    VFSATTR_SET_SUPPORTED(v, f_capabilities);
  }
  return 0;
}
static int vfs_extendedsecurity(mount_t m) {
  return 0;
}
static uint32_t vfs_getextflags(mount_t m) {
  return 0;
}
static int vfs_typenum(mount_t m) {
  return 17;
}
static const char* vfs_getfstypenameref_locked(mount_t m, size_t* n) {
  *n = 3;
  return "hfs";
}

/* descriptors and names */
static int fp_getfvp(proc_t p, int fd, struct fileproc** f, vnode_t* vp) {
  *f = &the_file;
  *vp = &the_directory;
  return 0;
}
static int fp_get_ftype(proc_t p, int fd, int t, int e, struct fileproc** f) {
  return EBADF;
}
static void* fp_get_data(struct fileproc* f) {
  return 0;
}
static void fp_drop(proc_t p, int fd, struct fileproc* f, int l) {}
static void file_drop(int fd) {}
static int namei(struct nameidata* nd) {
  for (int i = 0; i < open_directory->count; ++i) {
    struct oracle_entry* e = &open_directory->entries[i];
    if (strcmp(e->name, nd->name) != 0) continue;
    if (e->lookup_error) return e->lookup_error;
    nd->ni_vp = vnode_of(e);
    return 0;
  }
  return ENOENT;
}
static int nameiat(struct nameidata* nd, int fd) {
  return ENOENT;
}
static void nameidone(struct nameidata* nd) {}
static int vnode_readdir64(vnode_t d, uio_t u, int flags, int* eof, int* n, vfs_context_t c) {
  static const unsigned char types[] = {0, 8, 4, 6, 2, 10, 12, 1};
  off_t at = uio_offset(u);
  *n = 0;
  for (; at < open_directory->count; ++at) {
    struct oracle_entry* e = &open_directory->entries[at];
    struct direntry de;
    size_t len = strlen(e->name);
    memset(&de, 0, sizeof de);
    de.d_ino = e->fileid ? e->fileid : 1;
    de.d_namlen = (uint16_t)len;
    de.d_type = types[e->type & 7];
    de.d_reclen = (uint16_t)((offsetof(struct direntry, d_name) + len + 1 + 7) & ~7ul);
    strcpy(de.d_name, e->name);
    if (u->resid < de.d_reclen) break;
    uiomove(&de, de.d_reclen, u);
    ++*n;
  }
  uio_setoffset(u, at);
  *eof = at == open_directory->count;
  return 0;
}

struct uio;
int vfs_attr_pack(vnode_t, uio_t, struct attrlist*, uint64_t, struct vnode_attr*, void*,
                  vfs_context_t);
/* A file system's own call, in the manner of hfs_readdirattr_internal. */
static int VNOP_GETATTRLISTBULK(vnode_t dvp, struct attrlist* al, struct vnode_attr* v, uio_t u,
                                void* p, uint64_t options, int* eof, int* count,
                                vfs_context_t ctx) {
  struct oracle_directory* d = open_directory;
  int at = (int)uio_offset(u), error = 0;
  if (!d->native) return ENOTSUP;
  for (; at < d->count && (d->slice == 0 || *count < d->slice); ++at) {
    struct oracle_entry* e = &d->entries[at];
    ssize_t before = uio_resid(u);
    vnode_t vp = e->with_vnode ? vnode_of(e) : 0;
    fill(e, v, 1);
    v->va_objtype = e->type;
    VATTR_SET_SUPPORTED(v, va_objtype);
    strcpy(v->va_name, e->name);
    VATTR_SET_SUPPORTED(v, va_name);
    error = vfs_attr_pack(vp, u, al, options, v, 0, ctx);
    if (vp) vnode_put(vp);
    if (error || uio_resid(u) == before) break;
    ++*count;
  }
  uio_setoffset(u, at);
  *eof = at == d->count && (!d->late_end || *count == 0);
  return *count ? 0 : error;
}

#include "apple/vfs_attrlist.inc"

static void set_up(struct oracle_directory* d) {
  open_directory = d;
  memcpy(&the_mount.mnt_vfsstat.f_fsid, oracle_mount_fsid, 8);
  the_mount.mnt_vfsstat.f_bsize = 4096;
  strcpy(the_mount.mnt_vfsstat.f_mntonname, "/Volumes/Backup");
  the_directory.v_mount = &the_mount;
  the_directory.v_type = VDIR;
  the_directory.v_flag = VROOT;
  the_directory.v_name = "Backup";
}

int oracle_bulk(struct oracle_directory* d, const void* attrlist, void* buffer, size_t size,
                uint64_t options, int* error) {
  int32_t count = 0;
  struct getattrlistbulk_args args = {3, (user_addr_t)(uintptr_t)attrlist,
                                      (user_addr_t)(uintptr_t)buffer, size, options};
  set_up(d);
  if (!d->fd_data) d->fd_data = calloc(1, sizeof(struct fd_vn_data));
  the_glob.fg_flag = FREAD;
  the_glob.fg_offset = d->offset;
  the_glob.fg_vn_data = d->fd_data;
  *error = getattrlistbulk(&the_process, &args, &count);
  d->offset = the_glob.fg_offset;
  return *error ? -1 : count;
}

void oracle_rewind(struct oracle_directory* d) {
  struct fd_vn_data* f = d->fd_data;
  if (f) {
    if (f->fv_buf) free(f->fv_buf);
    free(f);
  }
  d->fd_data = 0;
  d->offset = 0;
}

int oracle_get(struct oracle_entry* e, const void* attrlist, void* buffer, size_t size,
               uint64_t options) {
  struct attrlist al;
  int error;
  vnode_t vp;
  set_up(0);
  memcpy(&al, attrlist, sizeof al);
  vp = e ? vnode_of(e) : &the_directory;
  error = getattrlist_internal(&the_context, vp, &al, (user_addr_t)(uintptr_t)buffer, size, options,
                               UIO_USERSPACE64, 0, 0);
  vnode_put(vp);
  return error;
}
