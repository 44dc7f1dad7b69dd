// SPDX-License-Identifier: MIT
// Packs the attributes of one file into a record as getattrlist, getattrlistbulk and searchfs give
// them. The table below is the order of Darwin's attributes with their sizes. See kernel.h.
#include <sys/attr.h>
#include <sys/vnode.h>

#include <cstring>

#include "kernel_values.h"

namespace simulated {
namespace {

struct Row {
  Group group;
  std::uint32_t bit;
  std::uint32_t size;
};

constexpr Row rows[] = {
    {common, ATTR_CMN_NAME, 8},
    {common, ATTR_CMN_DEVID, 4},
    {common, ATTR_CMN_FSID, 8},
    {common, ATTR_CMN_OBJTYPE, 4},
    {common, ATTR_CMN_OBJTAG, 4},
    {common, ATTR_CMN_OBJID, 8},
    {common, ATTR_CMN_OBJPERMANENTID, 8},
    {common, ATTR_CMN_PAROBJID, 8},
    {common, ATTR_CMN_SCRIPT, 4},
    {common, ATTR_CMN_CRTIME, 16},
    {common, ATTR_CMN_MODTIME, 16},
    {common, ATTR_CMN_CHGTIME, 16},
    {common, ATTR_CMN_ACCTIME, 16},
    {common, ATTR_CMN_BKUPTIME, 16},
    {common, ATTR_CMN_FNDRINFO, 32},
    {common, ATTR_CMN_OWNERID, 4},
    {common, ATTR_CMN_GRPID, 4},
    {common, ATTR_CMN_ACCESSMASK, 4},
    {common, ATTR_CMN_FLAGS, 4},
    {common, ATTR_CMN_GEN_COUNT, 4},
    {common, ATTR_CMN_DOCUMENT_ID, 4},
    {common, ATTR_CMN_USERACCESS, 4},
    {common, ATTR_CMN_EXTENDED_SECURITY, 8},
    {common, ATTR_CMN_UUID, 16},
    {common, ATTR_CMN_GRPUUID, 16},
    {common, ATTR_CMN_FILEID, 8},
    {common, ATTR_CMN_PARENTID, 8},
    {common, ATTR_CMN_FULLPATH, 8},
    {common, ATTR_CMN_ADDEDTIME, 16},
    {common, ATTR_CMN_DATA_PROTECT_FLAGS, 4},
    {volume, ATTR_VOL_FSTYPE, 4},
    {volume, ATTR_VOL_SIGNATURE, 4},
    {volume, ATTR_VOL_MOUNTPOINT, 8},
    {volume, ATTR_VOL_NAME, 8},
    {volume, ATTR_VOL_MOUNTFLAGS, 4},
    {volume, ATTR_VOL_MOUNTEDDEVICE, 8},
    {volume, ATTR_VOL_CAPABILITIES, 32},
    {volume, ATTR_VOL_UUID, 16},
    {volume, ATTR_VOL_MOUNTEXTFLAGS, 4},
    {volume, ATTR_VOL_FSTYPENAME, 8},
    {volume, ATTR_VOL_SPACEUSED, 8},
    {directory, ATTR_DIR_LINKCOUNT, 4},
    {directory, ATTR_DIR_ENTRYCOUNT, 4},
    {directory, ATTR_DIR_MOUNTSTATUS, 4},
    {directory, ATTR_DIR_ALLOCSIZE, 8},
    {directory, ATTR_DIR_IOBLOCKSIZE, 4},
    {directory, ATTR_DIR_DATALENGTH, 8},
    {file, ATTR_FILE_LINKCOUNT, 4},
    {file, ATTR_FILE_TOTALSIZE, 8},
    {file, ATTR_FILE_ALLOCSIZE, 8},
    {file, ATTR_FILE_IOBLOCKSIZE, 4},
    {file, ATTR_FILE_DEVTYPE, 4},
    {file, ATTR_FILE_DATALENGTH, 8},
    {file, ATTR_FILE_DATAALLOCSIZE, 8},
    {file, ATTR_FILE_RSRCLENGTH, 8},
    {file, ATTR_FILE_RSRCALLOCSIZE, 8},
    {extended, ATTR_CMNEXT_RELPATH, 8},
    {extended, ATTR_CMNEXT_PRIVATESIZE, 8},
    {extended, ATTR_CMNEXT_LINKID, 8},
    {extended, ATTR_CMNEXT_NOFIRMLINKPATH, 8},
    {extended, ATTR_CMNEXT_REALDEVID, 4},
    {extended, ATTR_CMNEXT_REALFSID, 8},
    {extended, ATTR_CMNEXT_CLONEID, 8},
    {extended, ATTR_CMNEXT_EXT_FLAGS, 8},
    {extended, ATTR_CMNEXT_RECURSIVE_GENCOUNT, 8},
    {extended, ATTR_CMNEXT_ATTRIBUTION_TAG, 8},
    {extended, ATTR_CMNEXT_CLONE_REFCNT, 4},
};

std::uint32_t group_of(const attrlist& list, Group group) {
  const std::uint32_t groups[] = {list.commonattr, list.volattr, list.dirattr, list.fileattr,
                                  list.forkattr};
  return groups[group];
}

/// A record while it grows: values, strings to go behind them, what is in it.
class Record {
 public:
  void put(const void* bytes, std::size_t size) {
    const auto* const from = static_cast<const unsigned char*>(bytes);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  template <class T>
  void put(T value) {
    put(&value, sizeof value);
  }
  /// A reference, whose offset counts from itself.
  void put_text(const std::string& text) {
    texts_.push_back({bytes_.size(), text});
    put(std::uint64_t{0});
  }
  void returned(Group group, std::uint32_t bit) { returned_[group] |= bit; }

  std::vector<unsigned char> finish(bool with_returned) {
    for (const Text& text : texts_) {
      const auto offset = static_cast<std::int32_t>(bytes_.size() - text.reference);
      const auto length = static_cast<std::uint32_t>(text.text.size() + 1);
      std::memcpy(bytes_.data() + text.reference, &offset, sizeof offset);
      std::memcpy(bytes_.data() + text.reference + 4, &length, sizeof length);
      put(text.text.c_str(), length);
      while (bytes_.size() % 4 != 0) bytes_.push_back(0);
    }
    const auto length = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &length, sizeof length);
    if (with_returned) std::memcpy(bytes_.data() + 4, returned_, sizeof returned_);
    return std::move(bytes_);
  }

 private:
  struct Text {
    std::size_t reference;
    std::string text;
  };
  std::vector<unsigned char> bytes_;
  std::vector<Text> texts_;
  std::uint32_t returned_[5] = {};
};

bool applies(const Row& row, const Item& item, const attrlist& list, const PackOptions& options) {
  if ((group_of(list, row.group) & row.bit) == 0) return false;
  if (row.group == directory) return item.type == VDIR;
  if (row.group == file) return item.type != VDIR;
  return row.group != extended || options.extended;
}

}  // namespace

bool needs_status(const attrlist& list) {
  constexpr std::uint32_t free = ATTR_CMN_NAME | ATTR_CMN_FSID | ATTR_CMN_DEVID | ATTR_CMN_OBJTYPE |
                                 ATTR_CMN_OBJID | ATTR_CMN_PAROBJID | ATTR_CMN_OBJTAG |
                                 ATTR_CMN_FILEID | ATTR_CMN_PARENTID | ATTR_CMN_ERROR |
                                 ATTR_CMN_RETURNED_ATTRS;
  return (list.commonattr & ~free) != 0 ||
         (list.dirattr & ~std::uint32_t{ATTR_DIR_MOUNTSTATUS}) != 0 || list.fileattr != 0 ||
         (list.forkattr & ATTR_CMNEXT_PRIVATESIZE) != 0;
}

bool is_known(const attrlist& list, bool is_extended) {
  std::uint32_t all[5] = {ATTR_CMN_RETURNED_ATTRS | ATTR_CMN_ERROR, ATTR_VOL_VALIDMASK, 0, 0, 0};
  for (const Row& row : rows) all[row.group] |= row.bit;
  if (!is_extended && list.forkattr != 0) return false;
  return list.bitmapcount == ATTR_BIT_MAP_COUNT && (list.commonattr & ~all[common]) == 0 &&
         (list.volattr & ~all[volume]) == 0 && (list.dirattr & ~all[directory]) == 0 &&
         (list.fileattr & ~all[file]) == 0 && (list.forkattr & ~all[extended]) == 0;
}

std::vector<unsigned char> pack(const Item& item, const attrlist& list,
                                const PackOptions& options) {
  Record record;
  record.put(std::uint32_t{0});
  const bool with_returned = (list.commonattr & ATTR_CMN_RETURNED_ATTRS) != 0;
  if (with_returned) {
    record.put(attribute_set_t{});
    record.returned(common, ATTR_CMN_RETURNED_ATTRS);
  }
  if ((list.commonattr & ATTR_CMN_ERROR) != 0 && (options.error != 0 || options.pack_invalid)) {
    record.put(static_cast<std::uint32_t>(options.error));
    record.returned(common, ATTR_CMN_ERROR);
  }
  for (const Row& row : rows) {
    if (!applies(row, item, list, options)) continue;
    Value value;
    const bool is_name = row.group == common && row.bit == ATTR_CMN_NAME;
    const bool missing = (orders().bulk.without[row.group] & row.bit) != 0;
    if (is_name || (options.error == 0 && !missing)) value = value_of(item, row.group, row.bit);
    // Of the Finder's information nothing is as good as zeros.
    const bool optional = row.group == common && row.bit == ATTR_CMN_FNDRINFO;
    if (!value.known && options.strict && !optional) return {};
    if (!value.known && !options.pack_invalid && !options.strict) continue;
    if (value.known && !value.text.empty()) {
      record.put_text(value.text);
    } else {
      record.put(value.bytes, row.size);
    }
    if (value.known) record.returned(row.group, row.bit);
  }
  return record.finish(with_returned);
}

}  // namespace simulated
