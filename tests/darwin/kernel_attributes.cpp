// SPDX-License-Identifier: MIT
// The simulated kernel's attribute calls: getattrlist and its relatives about one file, and
// getattrlistbulk, as strict as the real one. See kernel.h.
#include <fcntl.h>
#include <sys/attr.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vnode.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>

#include "kernel.h"

namespace simulated {

std::uint32_t object_type(std::uint32_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return VREG;
    case S_IFDIR:
      return VDIR;
    case S_IFBLK:
      return VBLK;
    case S_IFCHR:
      return VCHR;
    case S_IFLNK:
      return VLNK;
    case S_IFSOCK:
      return VSOCK;
    case S_IFIFO:
      return VFIFO;
    default:
      return VNON;
  }
}

ListingOrder ordered_listing(int fd) {
  const auto& all = orders().listings;
  if (all.empty()) return {};
  const std::string path = host::path_of(fd);
  const auto found = all.find(path.substr(path.rfind('/') + 1));
  return found == all.end() ? ListingOrder{} : found->second;
}

namespace {

attrlist read_list(const void* list) {
  attrlist copy{};
  std::memcpy(&copy, list, sizeof copy);
  return copy;
}

/// The file at `path` as an item; 0 or an errno. `located` keeps its volume alive.
int look_up(int at, const char* path, bool follow, Item& item, Located& located,
            std::string& name) {
  item.has_status = true;
  const int error = host::status(at, path, follow, item.status);
  if (error != 0) return error;
  located = volume_of_entry(at, path, follow);
  if (located.row == nullptr) return ENOTSUP;
  item.volume = located.row;
  item.id = item.status.inode;
  item.type = object_type(item.status.mode);
  item.marks = marks_of(item.status);
  if ((item.marks & marks::directory_link) != 0) item.links = 2;
  item.at = at;
  item.relative = *path == '\0' ? "." : path;
  const std::string base = at == AT_FDCWD ? host::real_path(".") : host::path_of(at);
  item.path = *path == '/' ? path : *path == '\0' ? base : base + "/" + path;
  name = item.path.substr(item.path.rfind('/') + 1);
  item.name = name;
  return 0;
}

int check(const attrlist& list, std::uint64_t options) {
  const bool extended = (options & FSOPT_ATTR_CMN_EXTENDED) != 0;
  if (!is_known(list, extended)) return EINVAL;
  if ((options & FSOPT_PACK_INVAL_ATTRS) != 0 && (list.commonattr & ATTR_CMN_RETURNED_ATTRS) == 0) {
    return EINVAL;
  }
  if (list.volattr == 0) return 0;
  // Attributes of volumes are asked for with ATTR_VOL_INFO, and with none of files.
  const bool about_files = list.dirattr != 0 || list.fileattr != 0;
  return about_files || (list.volattr & ATTR_VOL_INFO) == 0 ? EINVAL : 0;
}

int get(int at, const char* path, const void* given, void* buffer, std::size_t size,
        std::uint64_t options) {
  const attrlist list = read_list(given);
  if (std::strlen(path) >= MAXPATHLEN) return fail(ENAMETOOLONG);
  Item item;
  Located located;
  std::string name;
  int error = look_up(at, path, (options & FSOPT_NOFOLLOW) == 0, item, located, name);
  if (error == 0) error = check(list, options);
  if (error == 0 && size < sizeof(std::uint32_t)) error = ERANGE;
  if (error != 0) return fail(error);
  PackOptions how;
  how.extended = (options & FSOPT_ATTR_CMN_EXTENDED) != 0;
  how.pack_invalid = (options & FSOPT_PACK_INVAL_ATTRS) != 0;
  how.strict = (list.commonattr & ATTR_CMN_RETURNED_ATTRS) == 0;
  std::vector<unsigned char> record = pack(item, list, how);
  if (record.empty()) return fail(EINVAL);
  const std::size_t given_out = std::min(size, record.size());
  if ((options & FSOPT_REPORT_FULLSIZE) == 0) {
    const auto length = static_cast<std::uint32_t>(given_out);
    std::memcpy(record.data(), &length, sizeof length);
  }
  std::memcpy(buffer, record.data(), given_out);
  return 0;
}

/// What is common to the entries of one call of getattrlistbulk.
struct Bulk {
  int fd;
  attrlist list;
  PackOptions options;
  host::Status directory;
  Located volume;
  unsigned char* next;
  std::size_t room;
  int count = 0;
};

/// Without ATTR_CMN_OBJTYPE, and where the file system has no such call of its own, the kernel
/// looks up each name by itself, and drops those it cannot.
bool is_emulated(const attrlist& list, const VolumeRow& volume) {
  constexpr std::uint32_t dear = ATTR_CMN_UUID | ATTR_CMN_GRPUUID | ATTR_CMN_EXTENDED_SECURITY;
  const bool native = volume.type == "apfs" || volume.type == "hfs" || volume.type == "smbfs" ||
                      volume.type == "afpfs";
  return !native || !volume.bulk || (list.commonattr & ATTR_CMN_OBJTYPE) == 0 ||
         (list.commonattr & dear) != 0;
}

int ordered_error(const std::map<std::string, int>& errors, std::string_view name) {
  if (errors.empty()) return 0;
  const auto error = errors.find(std::string(name));
  return error == errors.end() ? 0 : error->second;
}

/// What a mount point and a firmlink cover is not to be had on Linux: values that nobody can take
/// for those of what is mounted there.
void cover(Item& item) {
  item.covered = true;
  const std::uint64_t inode = item.id;
  item.status = host::Status{};
  item.status.inode = inode;
  item.status.mode = S_IFDIR | 0700;
  item.status.links = 2;
}

/// The item of one entry: 0, or the errno that its error entry tells. `dropped`: it is left out.
int item_of(const Bulk& bulk, const host::Entry& entry, Item& item, bool& dropped) {
  const bool emulated = is_emulated(bulk.list, *bulk.volume.row);
  dropped = emulated && ordered_error(orders().bulk.look_up_errors, entry.name) != 0;
  if (dropped) return 0;
  item.name = entry.name;
  item.id = entry.inode;
  item.parent = bulk.directory.inode;
  item.at = bulk.fd;
  item.relative = entry.name;
  item.volume = bulk.volume.row;
  item.type = object_type(static_cast<std::uint32_t>(entry.type) << 12U);
  if (const int error = ordered_error(orders().bulk.entry_errors, entry.name)) return error;
  const bool about_mounts = item.type == VDIR && (bulk.list.dirattr & ATTR_DIR_MOUNTSTATUS) != 0;
  if (!needs_status(bulk.list) && !about_mounts && item.type != VNON) return 0;
  const std::string name(entry.name);
  // Who is behind a mount point is not asked: it may be a server that never answers.
  if (item.type == VDIR) item.status.mount = host::mount_of(bulk.fd, name.c_str());
  const std::uint64_t mount = item.status.mount;
  if (item.type != VDIR || mount == 0 || mount == bulk.directory.mount) {
    const int error = host::status(bulk.fd, name.c_str(), false, item.status);
    dropped = error == ENOENT || (error != 0 && emulated);
    if (error != 0) return error;
    item.type = object_type(item.status.mode);
    item.marks = marks_of(item.status);
    if ((item.marks & marks::directory_link) != 0) item.links = 2;
  }
  item.has_status = true;
  if (item.type != VDIR) return 0;
  if ((item.marks & marks::trigger) != 0) item.mount_status |= DIR_MNTSTATUS_TRIGGER;
  const Edge edge = edge_of(bulk.directory.mount, item.status);
  if (edge == Edge::mount_point) item.mount_status |= DIR_MNTSTATUS_MNTPOINT;
  if (edge == Edge::firmlink) item.flags |= SF_FIRMLINK;
  if (edge == Edge::directory_link) {
    if (const int error = host::status(bulk.fd, name.c_str(), false, item.status)) return error;
    item.id = item.status.inode;
    item.links = 2;
  } else if (edge != Edge::none) {
    cover(item);
  }
  if (orders().bulk.unmarked && !emulated) item.mount_status = item.flags = 0;
  return 0;
}

/// False when the record does not fit.
bool add(Bulk& bulk, const Item& item, int error) {
  PackOptions options = bulk.options;
  options.error = error;
  std::vector<unsigned char> record = pack(item, bulk.list, options);
  if (record.size() > bulk.room) return false;
  const std::size_t padded = (record.size() + 7) & ~std::size_t{7};
  record.resize(std::min(padded, bulk.room));  // the last one may lack its padding
  const auto length = static_cast<std::uint32_t>(record.size());
  std::memcpy(record.data(), &length, sizeof length);
  std::memcpy(bulk.next, record.data(), record.size());
  bulk.next += record.size();
  bulk.room -= record.size();
  ++bulk.count;
  return true;
}

/// How many entries of each open directory were given out, for such orders.
struct Consumed {
  std::mutex mutex;
  std::map<int, unsigned> by_descriptor;
};
unsigned& consumed(int fd) {
  static Consumed all;
  const std::lock_guard lock(all.mutex);
  return all.by_descriptor[fd];
}

/// Fills the buffer from where the descriptor stands, and leaves that behind the last entry that
/// was given out: the position is the descriptor's own, as Darwin's is. 0 or an errno.
int read_entries(Bulk& bulk, bool& at_end) {
  std::vector<char> buffer;
  std::vector<host::Entry> found;
  std::int64_t position = host::position(bulk.fd);
  const ListingOrder listing = ordered_listing(bulk.fd);
  unsigned& read = consumed(bulk.fd);
  if (position == 0) read = 0;
  while (true) {
    const int error = host::entries(bulk.fd, buffer, found);
    if (error != 0) return error;
    at_end = found.empty();
    if (at_end) return 0;
    for (const host::Entry& entry : found) {
      if (listing.error != 0 && read >= listing.entries) {
        host::seek(bulk.fd, position);
        return listing.error;
      }
      Item item;
      bool left_out = false;
      const int failed = item_of(bulk, entry, item, left_out);
      const unsigned slice = orders().bulk.slice;
      const bool full = slice != 0 && static_cast<unsigned>(bulk.count) >= slice;
      if (!left_out && (full || !add(bulk, item, failed))) return host::seek(bulk.fd, position);
      position = entry.next;
      ++read;
    }
  }
}

int check_bulk(Bulk& bulk) {
  const int error = host::status(bulk.fd, "", true, bulk.directory);
  if (error != 0) return error;
  const long mode = host::control_file(bulk.fd, F_GETFL, 0);
  if ((mode & O_ACCMODE) == O_WRONLY || (mode & O_PATH) != 0) return EBADF;
  if (!S_ISDIR(bulk.directory.mode)) return ENOTDIR;
  if (bulk.list.volattr != 0 || (bulk.list.commonattr & ATTR_BULK_REQUIRED) != ATTR_BULK_REQUIRED ||
      !is_known(bulk.list, true)) {
    return EINVAL;
  }
  // What readdir does not tell wants the right to search the directory, too.
  constexpr std::uint32_t listed =
      ATTR_CMN_NAME | ATTR_CMN_OBJTYPE | ATTR_CMN_FILEID | ATTR_CMN_RETURNED_ATTRS | ATTR_CMN_ERROR;
  const bool searches =
      (bulk.list.commonattr & ~listed) != 0 || bulk.list.fileattr != 0 || bulk.list.dirattr != 0;
  if (searches && (host::access_mask(bulk.fd, ".") & 1U) == 0) return EACCES;
  return orders().bulk.error;
}

}  // namespace
}  // namespace simulated

using namespace simulated;

static_assert(sizeof(attrlist) == 24);
static_assert(sizeof(attribute_set_t) == 20);

int getattrlist(const char* path, void* list, void* buffer, size_t size, unsigned options) {
  log(std::string("getattrlist ") + path);
  return get(AT_FDCWD, path, list, buffer, size, options);
}

int fgetattrlist(int fd, void* list, void* buffer, size_t size, unsigned options) {
  return get(fd, "", list, buffer, size, options);
}

int getattrlistat(int at, const char* path, void* list, void* buffer, size_t size,
                  unsigned long options) {
  return get(at, path, list, buffer, size, options);
}

int getattrlistbulk(int fd, void* list, void* buffer, size_t size, uint64_t options) {
  const int before = errno;
  Bulk bulk{};
  bulk.fd = fd;
  bulk.list = read_list(list);
  bulk.options.extended = true;
  bulk.options.pack_invalid = (options & FSOPT_PACK_INVAL_ATTRS) != 0;
  bulk.next = static_cast<unsigned char*>(buffer);
  bulk.room = size;
  int error = check_bulk(bulk);
  if (error == 0) bulk.volume = volume_of_file(fd);
  if (error == 0 && bulk.volume.row == nullptr) error = ENOTSUP;
  bool at_end = false;
  const bool begun = error == 0 && host::position(fd) != 0;
  if (error == 0) error = read_entries(bulk, at_end);
  if (bulk.count == 0 && error == 0) {
    if (!at_end || (begun && orders().bulk.range_at_end)) error = ERANGE;
  }
  if (logging()) {
    std::ostringstream line;
    line << "bulk " << host::path_of(fd) << ' ';
    if (bulk.count == 0 && error != 0) {
      line << "error " << error;
    } else {
      line << bulk.count << std::hex << ' ' << bulk.list.commonattr << ' ' << bulk.list.dirattr
           << ' ' << bulk.list.fileattr;
    }
    log(line.str());
  }
  if (bulk.count == 0 && error != 0) return fail(error);
  // A call that succeeds leaves it alone: Apple's fts(3) takes what it holds at the end for the
  // list's.
  errno = before;
  return bulk.count;
}
