/* SPDX-License-Identifier: MIT */
/* hfs_vnop_search as it is, with ResolveHardlink and CheckAccess, and below it a B-tree that is an
 * array and vnodes that are its records. */
#include "hfs_kernel.c"

#include "hfs_volume.h"

enum {
  EPERM = 1,
  EACCES = 13,
  EBUSY = 16,
  EAGAIN = 35,
  ENOBUFS = 55,
  btNotFound = -32735,
  fsBTTimeOutErr = -1338
};
enum {
  kCatSearchBufferSize = 1,
  SFL_CATALOG,
  HFS_SHARED_LOCK,
  MNT_WAIT,
  HFS_FLUSH_JOURNAL,
  M_records = 8
};
enum { KAUTH_VNODE_SEARCH = 1, KAUTH_VNODE_LIST_DIRECTORY = 2 };
#define kRootDirID 2
#define HFS_ATTR_CMN_VALID HFS_CMN
#define HFS_ATTR_DIR_VALID 7u
#define HFS_ATTR_FILE_VALID 0xffffffffu
typedef struct hfsmount hfsmount_t;

static const struct hfs_catalog* the_catalog;
struct cnode {
  struct cat_attr c_attr;
  struct cat_desc c_desc;
  cnid_t c_parentcnid;
};
struct vnode {
  struct cnode node;
  enum vtype v_type;
};
typedef struct cnode cnode_t;
#define VTOC(v) (&(v)->node)
#define VTOVCB(v) (&the_volume)
#define VTOHFS(v) (&the_volume)
typedef int FCB;
#define GetFileControlBlock(r) (0)
struct CatPosition {
  uint32_t writeCount, nextNode, nextRecord, recordsFound;
};
typedef struct CatPosition CatPosition;
struct btree {
  uint32_t writeCount;
};
typedef struct {
  struct btree* btcb;
  uint32_t recordNum, recordsFound;
  struct timeval startTime;
} BTScanState;
static struct btree the_tree;
static uint32_t ticks;

static int hfs_systemfile_lock(struct hfsmount* h, int f, int l) {
  return 0;
}
static void hfs_systemfile_unlock(struct hfsmount* h, int f) {}
static int hfs_fsync(int v, int w, int f, void* p) {
  return 0;
}
static int hfs_flush(struct hfsmount* h, int w) {
  return 0;
}
static int vslock(user_addr_t a, user_size_t n) {
  return 0;
}
static int vsunlock(user_addr_t a, user_size_t n, int d) {
  return 0;
}
#define uio_isuserspace(u) 1
#define uio_curriovbase(u) ((user_addr_t)(uintptr_t)(u)->base)
#define uio_curriovlen(u) ((user_size_t)(u)->size)
static void microuptime(struct timeval* now) {
  ++ticks;
  now->tv_sec = 0;
  now->tv_usec = the_catalog->clock && ticks >= the_catalog->clock ? 200000 : 0;
}
#define timersub(a, b, c) \
  ((c)->tv_sec = (a)->tv_sec - (b)->tv_sec, (c)->tv_usec = (a)->tv_usec - (b)->tv_usec)
static int throttle_io_will_be_throttled(int a, mount_t m) {
  return 0;
}
#define MacToVFSError(e) (e)
static int is_package_name(const char* n, int len) {
  return 0;
}
static int vn_searchfs_inappropriate_name(const char* n, int len) {
  return 0;
}

static int make_item(uint32_t index, CatalogKey* key, CatalogRecord* record) {
  const struct hfs_item* item = &the_catalog->items[index];
  int error = make_record(&item->record, key, record);
  if (error) return error;
  if (item->kind == hfs_thread) {
    record->recordType = kHFSPlusFolderThreadRecord;
  } else if (item->kind == hfs_file_link) {
    record->hfsPlusFile.userInfo.fdType = __builtin_bswap32(kHardLinkFileType);
    record->hfsPlusFile.userInfo.fdCreator = __builtin_bswap32(kHFSPlusCreator);
    record->hfsPlusFile.hl_linkReference = item->leads_to;
  } else if (item->kind == hfs_directory_link) {
    record->hfsPlusFile.userInfo.fdType = __builtin_bswap32(kHFSAliasType);
    record->hfsPlusFile.userInfo.fdCreator = __builtin_bswap32(kHFSAliasCreator);
    record->hfsPlusFile.flags |= kHFSHasLinkChainMask;
    record->hfsPlusFile.hl_linkReference = item->leads_to;
  }
  return 0;
}

static int BTScanInitialize(int file, uint32_t node, uint32_t number, uint32_t found, uint32_t size,
                            BTScanState* s) {
  the_tree.writeCount = the_catalog->write_count;
  s->btcb = &the_tree;
  s->recordNum = number;
  s->recordsFound = found;
  ticks = 0;
  microuptime(&s->startTime);
  return 0;
}
static int BTScanNextRecord(BTScanState* s, int avoid, void** key, void** data, uint32_t* size) {
  static CatalogKey a_key;
  static CatalogRecord a_record;
  /* What was read is looked at to its end, then the time counts. */
  if (avoid && s->recordNum % M_records == 0) return fsBTTimeOutErr;
  if (s->recordNum >= the_catalog->count) return btNotFound;
  make_item(s->recordNum++, &a_key, &a_record);
  ++s->recordsFound;
  *key = &a_key;
  *data = &a_record;
  return 0;
}
static void BTScanTerminate(BTScanState* s, uint32_t* node, uint32_t* number, uint32_t* found) {
  *node = 1;
  *number = s->recordNum;
  *found = s->recordsFound;
}

/* What the link leads to takes the place of its record. */
static int cat_resolvelink(struct hfsmount* h, uint32_t reference, int is_directory,
                           HFSPlusCatalogFile* record) {
  cnid_t inside = h->hfs_private_desc[is_directory ? DIR_HARDLINKS : FILE_HARDLINKS].cd_cnid;
  for (uint32_t i = 0; i < the_catalog->count; ++i) {
    const struct hfs_record* r = &the_catalog->items[i].record;
    CatalogKey key;
    CatalogRecord found;
    if (r->parent != inside || r->id != reference || make_item(i, &key, &found)) continue;
    memcpy(record, &found, sizeof *record);
    return 0;
  }
  return ENOENT;
}

long hfs_item_of(const struct hfs_catalog* catalog, uint32_t number) {
  if (number == 1) number = hfs_root;
  if ((number < 16 && number != hfs_root) || number == hfs_file_inodes ||
      number == hfs_directory_inodes)
    return -1;
  for (uint32_t i = 0; i < catalog->count; ++i) {
    if (catalog->items[i].record.id == number && catalog->items[i].kind == hfs_plain) return i;
  }
  return -1;
}

static int hfs_vget(struct hfsmount* h, cnid_t number, struct vnode** vp, int skip, int deleted) {
  static struct vnode found;
  long at = hfs_item_of(the_catalog, number);
  if (at < 0) return ENOENT;
  memset(&found, 0, sizeof found);
  found.v_type = VDIR;
  found.node.c_parentcnid = the_catalog->items[at].record.parent;
  found.node.c_attr.ca_mode = the_catalog->items[at].record.mode;
  found.node.c_attr.ca_uid = the_catalog->items[at].record.uid;
  *vp = &found;
  return 0;
}
#define vnode_vtype(v) ((v)->v_type)
static void hfs_unlock(struct cnode* c) {}
static void vnode_put(struct vnode* v) {}
static int vnode_authorize(struct vnode* v, void* d, int action, vfs_context_t c) {
  unsigned mode = v->node.c_attr.ca_mode,
           wanted = (action & KAUTH_VNODE_LIST_DIRECTORY ? 4 : 0) | 1;
  unsigned held = v->node.c_attr.ca_uid == the_catalog->uid ? mode >> 6 : mode;
  return (held & wanted) == wanted ? 0 : EACCES;
}

struct vnop_searchfs_args {
  vnode_t a_vp;
  void *a_searchparams1, *a_searchparams2;
  struct attrlist* a_searchattrs;
  uint32_t a_maxmatches;
  struct timeval* a_timelimit;
  struct attrlist* a_returnattrs;
  uint32_t* a_nummatches;
  uint32_t a_scriptcode, a_options;
  struct uio* a_uio;
  void* a_searchstate;
  vfs_context_t a_context;
};
static void ResolveHardlink(struct hfsmount*, HFSPlusCatalogFile*);
static int CheckAccess(ExtendedVCB*, u_long, CatalogKey*, struct vfs_context*);
int hfs_vnop_search(struct vnop_searchfs_args*);
#include "apple/volume.inc"

int hfs_search_catalog(const struct hfs_catalog* catalog, const void* searched,
                       const void* returned, const void* first, const void* last,
                       unsigned long most, void* buffer, size_t size, unsigned options, void* state,
                       unsigned long* matches) {
  struct attrlist searches, returns;
  struct timeval limit = {0, 0};
  struct uio u = {buffer, size, 0};
  uint32_t found = 0;
  int error;
  struct hfs_search caller = {
      .not_root = catalog->not_root, .uid = catalog->uid, .gid = catalog->gid};
  memcpy(&searches, searched, sizeof searches);
  memcpy(&returns, returned, sizeof returns);
  the_catalog = catalog;
  set_up(&caller);
  the_volume.jnl = catalog->has_journal ? &the_volume : 0;
  struct vnop_searchfs_args a = {0,      (void*)first, (void*)last, &searches, (uint32_t)most,
                                 &limit, &returns,     &found,      0,         options,
                                 &u,     state,        &the_context};
  error = hfs_vnop_search(&a);
  *matches = found;
  return error;
}
