// SPDX-License-Identifier: MIT
// What the simulated file systems answer for each attribute of a file or a volume; what is not here
// they do not have. See kernel_values.h.
#include "kernel_values.h"

#include <sys/attr.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>

namespace simulated {
namespace {

std::uint32_t flags_of(const Item& item) {
  std::uint32_t flags = item.flags;
  if ((item.marks & marks::dataless) != 0) flags |= SF_DATALESS;
  if ((item.marks & marks::hidden) != 0) flags |= UF_HIDDEN;
  if ((item.marks & marks::locked) != 0) flags |= UF_IMMUTABLE;
  return flags | static_cast<std::uint32_t>(item.marks >> marks::flags_at);
}

/// The file's own attribute of that name, up to `size` bytes; its length, or less than 0.
long attribute_of(const Item& item, const char* name, void* bytes, std::size_t size) {
  std::string path = item.path;
  if (path.empty()) path = host::path_of(item.at) + "/" + item.relative;
  return host::get_attribute(path.c_str(), -1, name, bytes, size, false);
}

/// The Finder's record is an attribute too (xnu bsd/vfs/vfs_attrlist.c).
void finder_information(const Item& item, Value& value) {
  attribute_of(item, "com.apple.FinderInfo", value.bytes, sizeof value.bytes);
  if ((item.marks & marks::bundle) != 0) value.bytes[8] |= 0x20;
  value.known = true;
}

/// A kauth_filesec: magic, two ids of 16 bytes, the number of entries, flags, entries of 24 bytes.
void security(const Item& item, Value& value) {
  if ((item.marks & (marks::acl | marks::empty_acl)) == 0) return;
  const std::uint32_t magic = 0x012CC16D;
  const std::uint32_t entries = (item.marks & marks::acl) != 0 ? 1 : 0;
  std::string bytes(reinterpret_cast<const char*>(&magic), sizeof magic);
  bytes.append(32, '\1').append(reinterpret_cast<const char*>(&entries), sizeof entries);
  bytes.append(4 + entries * std::size_t{24} - 1, '\0');  // and the last one, which ends a text
  value.set_text(bytes);
}

void set_fsid(const VolumeRow& row, Value& value) {
  value.set_pair(static_cast<std::uint32_t>(row.fsid[0]), static_cast<std::uint32_t>(row.fsid[1]));
}

void common_value(const Item& item, std::uint32_t bit, Value& value) {
  const host::Status& status = item.status;
  switch (bit) {
    case ATTR_CMN_NAME:
      return value.set_text(item.name);
    case ATTR_CMN_DEVID:
      return value.set(item.volume->device);
    case ATTR_CMN_FSID:
      return set_fsid(*item.volume, value);
    case ATTR_CMN_OBJTYPE:
      return value.set(item.type);
    case ATTR_CMN_OBJTAG:
      return value.set(std::uint32_t{item.volume->type == "hfs" ? 16U : 28U});
    case ATTR_CMN_OBJID:
    case ATTR_CMN_OBJPERMANENTID:
      return value.set_pair(static_cast<std::uint32_t>(item.id), 0);
    case ATTR_CMN_PAROBJID:
      return value.set_pair(static_cast<std::uint32_t>(item.parent), 0);
    case ATTR_CMN_SCRIPT:
      return value.set(std::uint32_t{0});
    case ATTR_CMN_ADDEDTIME:  // not the time of creation, so that the two can be told apart
      return value.set_time(status.changed);
    case ATTR_CMN_CRTIME:
      return value.set_time(status.has_created ? status.created : status.changed);
    case ATTR_CMN_MODTIME:
      return value.set_time(status.modified);
    case ATTR_CMN_CHGTIME:
      return value.set_time(status.changed);
    case ATTR_CMN_ACCTIME:
      return value.set_time(status.accessed);
    case ATTR_CMN_BKUPTIME:
      return value.set_time({});
    case ATTR_CMN_FNDRINFO:
      return finder_information(item, value);
    case ATTR_CMN_OWNERID:
      return value.set(status.uid);
    case ATTR_CMN_GRPID:
      return value.set(status.gid);
    // Without the type: that comes only where there is a vnode, so that nobody can rely on it.
    case ATTR_CMN_ACCESSMASK:
      return value.set(status.mode & 07777U);
    case ATTR_CMN_FLAGS:
      return value.set(flags_of(item));
    case ATTR_CMN_EXTENDED_SECURITY:
      return security(item, value);
    case ATTR_CMN_FILEID:
      return value.set(item.id);
    case ATTR_CMN_PARENTID:
      return value.set(item.parent);
    case ATTR_CMN_FULLPATH:
      if (!item.path.empty()) value.set_text(through_firmlinks(item.path));
      return;
    default:
      return;
  }
}

void volume_value(const VolumeRow& row, std::uint32_t bit, Value& value) {
  switch (bit) {
    case ATTR_VOL_MOUNTPOINT:
      return value.set_text(row.mount_point);
    case ATTR_VOL_NAME:
      return value.set_text(row.name);
    case ATTR_VOL_MOUNTFLAGS:
      return value.set(row.flags);
    case ATTR_VOL_MOUNTEDDEVICE:
      return value.set_text(row.source);
    case ATTR_VOL_MOUNTEXTFLAGS:
      return value.set(row.extended_flags);
    case ATTR_VOL_FSTYPENAME:
      return value.set_text(row.type);
    // The volumes of a container share what is free, so APFS counts what is its own.
    case ATTR_VOL_SPACEUSED:
      if (row.type == "apfs") value.set(std::uint64_t{12'000'000'000});
      return;
    case ATTR_VOL_CAPABILITIES: {
      vol_capabilities_attr_t answer{};
      std::uint32_t* const format = &answer.capabilities[VOL_CAPABILITIES_FORMAT];
      *format = VOL_CAP_FMT_HARDLINKS | VOL_CAP_FMT_SYMBOLICLINKS | VOL_CAP_FMT_CASE_PRESERVING;
      if (row.paths) *format |= VOL_CAP_FMT_PERSISTENTOBJECTIDS | VOL_CAP_FMT_PATH_FROM_ID;
      if (row.case_sensitive) *format |= VOL_CAP_FMT_CASE_SENSITIVE;
      if (row.type == "apfs") *format |= VOL_CAP_FMT_64BIT_OBJECT_IDS;
      answer.capabilities[VOL_CAPABILITIES_INTERFACES] =
          VOL_CAP_INT_ATTRLIST | (row.searchable ? VOL_CAP_INT_SEARCHFS : 0U) |
          (row.bulk && row.type == "smbfs" ? VOL_CAP_INT_READDIRATTR : 0U);
      answer.valid[VOL_CAPABILITIES_FORMAT] = 0x03FFFFFF;
      answer.valid[VOL_CAPABILITIES_INTERFACES] = 0x00FFFFFF;
      return value.set(answer);
    }
    default:
      return;
  }
}

/// Entries of the directory but "." and "..", 0 when it cannot be opened.
std::uint32_t count_entries(const Item& item) {
  constexpr int directory_flag = 0200000;  // O_DIRECTORY; <fcntl.h> would bring Darwin's open
  const int fd = host::open(item.at, item.relative.c_str(), directory_flag, 0);
  if (fd < 0) return 0;
  std::vector<char> buffer;
  std::vector<host::Entry> found;
  std::size_t count = 0;
  while (host::entries(fd, buffer, found) == 0 && !found.empty()) count += found.size();
  host::close(fd);
  return static_cast<std::uint32_t>(count);
}

void directory_value(const Item& item, std::uint32_t bit, Value& value) {
  switch (bit) {
    // Hard links; not what stat shows, which counts "." and "..".
    case ATTR_DIR_LINKCOUNT:
      return value.set(item.links);
    case ATTR_DIR_ENTRYCOUNT:
      return value.set(count_entries(item));
    case ATTR_DIR_MOUNTSTATUS:
      return value.set(item.mount_status);
    case ATTR_DIR_ALLOCSIZE:
      return value.set(item.status.blocks * 512);
    case ATTR_DIR_IOBLOCKSIZE:
      return value.set(item.status.block_size);
    case ATTR_DIR_DATALENGTH:
      return value.set(item.status.size);
    default:
      return;
  }
}

void file_value(const Item& item, std::uint32_t bit, Value& value) {
  const host::Status& status = item.status;
  switch (bit) {
    case ATTR_FILE_LINKCOUNT:
      return value.set(status.links);
    case ATTR_FILE_TOTALSIZE:
    case ATTR_FILE_DATALENGTH:
      return value.set(status.size);
    case ATTR_FILE_ALLOCSIZE:
    case ATTR_FILE_DATAALLOCSIZE:
      return value.set(status.blocks * 512);
    case ATTR_FILE_IOBLOCKSIZE:
      return value.set(status.block_size);
    case ATTR_FILE_DEVTYPE:
      return value.set(short_device(status.special));
    case ATTR_FILE_RSRCLENGTH: {
      const long length = attribute_of(item, "com.apple.ResourceFork", nullptr, 0);
      return value.set(std::uint64_t{length > 0 ? static_cast<std::uint64_t>(length) : 0});
    }
    case ATTR_FILE_RSRCALLOCSIZE:
      return value.set(std::uint64_t{0});
    default:
      return;
  }
}

void extended_value(const Item& item, std::uint32_t bit, Value& value) {
  switch (bit) {
    // A file of which a clone exists shares all but its first block. Only APFS answers.
    case ATTR_CMNEXT_PRIVATESIZE: {
      const std::uint64_t all = (item.status.size + 4095) / 4096 * 4096;  // holes or not
      const bool shares = (item.marks & marks::cloned) != 0;
      if (item.volume->type == "apfs") value.set(shares ? std::min<std::uint64_t>(all, 4096) : all);
      return;
    }
    case ATTR_CMNEXT_LINKID:
      return value.set(item.id);
    case ATTR_CMNEXT_REALDEVID:
      return value.set(item.volume->device);
    case ATTR_CMNEXT_REALFSID:
      return set_fsid(*item.volume, value);
    case ATTR_CMNEXT_EXT_FLAGS: {
      std::string path = item.path;
      if (path.empty()) path = host::path_of(item.at) + "/" + item.relative;
      const bool none = host::list_attributes(path.c_str(), -1, nullptr, 0, false) == 0;
      std::uint64_t flags = none ? EF_NO_XATTRS : 0;
      if ((item.marks & marks::sync_root) != 0) flags |= EF_IS_SYNC_ROOT;
      return value.set(flags);
    }
    case ATTR_CMNEXT_NOFIRMLINKPATH:
      if (!item.path.empty()) value.set_text(item.path);
      return;
    default:
      return;
  }
}

}  // namespace

Value value_of(const Item& item, Group group, std::uint32_t bit) {
  Value value;
  switch (group) {
    case common:
      common_value(item, bit, value);
      break;
    case volume:
      volume_value(*item.volume, bit, value);
      break;
    case directory:
      directory_value(item, bit, value);
      break;
    case file:
      file_value(item, bit, value);
      break;
    case extended:
      extended_value(item, bit, value);
      break;
  }
  return value;
}

}  // namespace simulated
