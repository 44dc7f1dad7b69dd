// SPDX-License-Identifier: MIT
// searchfs's parameter buffers: which attributes may be in them, in which order and size, and what
// matches them. See kernel_search.h.
#include <sys/vnode.h>

#include <algorithm>
#include <cstring>

#include "kernel_search.h"

namespace simulated {
namespace {

/// A cursor that does not leave its buffer.
class Parameters {
 public:
  Parameters(const void* bytes, std::size_t size)
      : bytes_(static_cast<const unsigned char*>(bytes)), size_(size) {}

  bool take(void* value, std::size_t size) {
    if (size_ - position_ < size) return false;
    std::memcpy(value, bytes_ + position_, size);
    position_ += size;
    return true;
  }
  template <class T>
  bool number(std::uint64_t& value) {
    T narrow{};
    if (!take(&narrow, sizeof narrow)) return false;
    value = static_cast<std::uint64_t>(narrow);
    return true;
  }
  /// The name that the reference at the cursor speaks of; its offset counts from the reference.
  bool name(std::string_view& text) {
    const std::size_t reference = position_;
    attrreference_t place{};
    if (!take(&place, sizeof place)) return false;
    if (place.attr_dataoffset < 0 || place.attr_length > 1024) return false;
    const std::size_t from = reference + static_cast<std::size_t>(place.attr_dataoffset);
    if (from > size_ || size_ - from < place.attr_length) return false;
    // The length counts a NUL that has to be there.
    if (place.attr_length > 0 && bytes_[from + place.attr_length - 1] != 0) return false;
    text = std::string_view(reinterpret_cast<const char*>(bytes_ + from),
                            place.attr_length > 0 ? place.attr_length - 1 : 0);
    return true;
  }
  bool skip(std::size_t size) {
    if (size_ - position_ < size) return false;
    position_ += size;
    return true;
  }

 private:
  const unsigned char* bytes_;
  std::size_t size_;
  std::size_t position_ = 0;
};

struct Times {
  std::uint32_t bit;
  std::size_t index;
};
constexpr Times time_rows[] = {{ATTR_CMN_CRTIME, 0},
                               {ATTR_CMN_MODTIME, 1},
                               {ATTR_CMN_CHGTIME, 2},
                               {ATTR_CMN_ACCTIME, 3},
                               {ATTR_CMN_BKUPTIME, 4}};

constexpr std::uint32_t searchable_common =
    ATTR_CMN_NAME | ATTR_CMN_OBJID | ATTR_CMN_PAROBJID | ATTR_CMN_CRTIME | ATTR_CMN_MODTIME |
    ATTR_CMN_CHGTIME | ATTR_CMN_ACCTIME | ATTR_CMN_BKUPTIME | ATTR_CMN_FNDRINFO | ATTR_CMN_OWNERID |
    ATTR_CMN_GRPID | ATTR_CMN_ACCESSMASK | ATTR_CMN_FILEID | ATTR_CMN_PARENTID;
constexpr std::uint32_t searchable_file =
    ATTR_FILE_DATALENGTH | ATTR_FILE_DATAALLOCSIZE | ATTR_FILE_RSRCLENGTH | ATTR_FILE_RSRCALLOCSIZE;

/// Reads one end of each range that is asked for, in the order of getattrlist.
template <std::uint64_t Range::*End>
bool read_common(Parameters& from, std::uint32_t asked, bool first, Criteria& criteria) {
  const auto end = [&](std::uint32_t bit, Range& range, std::size_t size) {
    if ((asked & bit) == 0) return true;
    range.asked = true;
    // An object id is a number and a generation; the latter is ignored.
    if (bit == ATTR_CMN_OBJID || bit == ATTR_CMN_PAROBJID) {
      return from.number<std::uint32_t>(range.*End) && from.skip(4);
    }
    return size == 2   ? from.number<std::uint16_t>(range.*End)
           : size == 4 ? from.number<std::uint32_t>(range.*End)
                       : from.number<std::uint64_t>(range.*End);
  };
  if (!end(ATTR_CMN_OBJID, criteria.id, 8) || !end(ATTR_CMN_PAROBJID, criteria.parent, 8)) {
    return false;
  }
  for (const Times& row : time_rows) {
    if ((asked & row.bit) == 0) continue;
    criteria.times[row.index].asked = true;
    if (!from.number<std::uint64_t>(criteria.times[row.index].*End) || !from.skip(8)) return false;
  }
  if ((asked & ATTR_CMN_FNDRINFO) != 0) {
    auto& into = first ? criteria.finder_value : criteria.finder_mask;
    if (!from.take(into.data(), into.size())) return false;
  }
  return end(ATTR_CMN_OWNERID, criteria.owner, 4) && end(ATTR_CMN_GRPID, criteria.group, 4) &&
         end(ATTR_CMN_ACCESSMASK, criteria.mode, 2) && end(ATTR_CMN_FILEID, criteria.id, 8) &&
         end(ATTR_CMN_PARENTID, criteria.parent, 8);
}

template <std::uint64_t Range::*End>
bool read_sizes(Parameters& from, const attrlist& asked, Criteria& criteria) {
  if ((asked.dirattr & ATTR_DIR_ENTRYCOUNT) != 0) {
    criteria.entries.asked = true;
    if (!from.number<std::uint32_t>(criteria.entries.*End)) return false;
  }
  const auto end = [&](std::uint32_t bit, Range& range) {
    if ((asked.fileattr & bit) == 0) return true;
    range.asked = true;
    return from.number<std::uint64_t>(range.*End);
  };
  return end(ATTR_FILE_DATALENGTH, criteria.size) &&
         end(ATTR_FILE_DATAALLOCSIZE, criteria.allocated) &&
         end(ATTR_FILE_RSRCLENGTH, criteria.fork_size) &&
         end(ATTR_FILE_RSRCALLOCSIZE, criteria.fork_allocated);
}

template <std::uint64_t Range::*End>
int read_buffer(const void* bytes, std::size_t size, bool first, bool apfs, Criteria& criteria) {
  if (bytes == nullptr || size < 4 || size > SEARCHFS_MAX_SEARCHPARMS) return EINVAL;
  Parameters from(bytes, size);
  std::uint64_t length = 0;
  if (!from.number<std::uint32_t>(length) || length == 0) return EINVAL;
  const attrlist& asked = criteria.asked;
  if ((asked.commonattr & ATTR_CMN_NAME) != 0) {
    std::string_view name;
    if (!first) {
      if (!from.skip(sizeof(attrreference_t))) return EINVAL;
    } else {
      if (!from.name(name)) return EINVAL;
      criteria.name_asked = true;
      if (!fold_name(name, apfs, criteria.name)) return EINVAL;
    }
  }
  return read_common<End>(from, asked.commonattr, first, criteria) &&
                 read_sizes<End>(from, asked, criteria)
             ? 0
             : EINVAL;
}

/// Whole seconds without a sign, as the catalog compares them.
std::uint64_t seconds(const host::Time& time) {
  return static_cast<std::uint64_t>(time.seconds);
}

bool name_matches(const Criteria& criteria, const Item& item, bool apfs) {
  // One NUL asks for everything on APFS, for nothing on HFS+.
  if (criteria.name.empty()) return apfs;
  std::u32string name;
  if (!fold_name(item.name, apfs, name)) return true;  // cannot be there on a real one
  return (criteria.options & SRCHFS_MATCHPARTIALNAMES) != 0
             ? name.find(criteria.name) != std::u32string::npos
             : name == criteria.name;
}

bool common_matches(const Criteria& criteria, const Item& item) {
  const host::Status& status = item.status;
  const host::Time times[] = {status.has_created ? status.created : status.changed, status.modified,
                              status.changed, status.accessed, host::Time{}};
  for (std::size_t i = 0; i < criteria.times.size(); ++i) {
    if (!criteria.times[i].holds(seconds(times[i]))) return false;
  }
  if ((criteria.asked.commonattr & ATTR_CMN_FNDRINFO) != 0) {
    std::array<unsigned char, 32> information{};
    if ((item.marks & marks::bundle) != 0) information[8] = 0x20;
    for (std::size_t i = 0; i < information.size(); ++i) {
      if (((information[i] ^ criteria.finder_value[i]) & criteria.finder_mask[i]) != 0)
        return false;
    }
  }
  return criteria.id.holds(item.id) && criteria.parent.holds(item.parent) &&
         criteria.owner.holds(status.uid) && criteria.group.holds(status.gid) &&
         criteria.mode.holds(status.mode);
}

bool all_match(const Criteria& criteria, const Item& item, bool apfs) {
  const bool directory = item.type == VDIR;
  const bool odd = apfs && orders().search.odd_directories && criteria.size.asked;
  if (directory && (criteria.options & SRCHFS_MATCHDIRS) == 0) return odd;
  if (!directory && (criteria.options & SRCHFS_MATCHFILES) == 0) return false;
  if (criteria.name_asked && !name_matches(criteria, item, apfs)) return false;
  const std::uint64_t allocated = item.status.blocks * 512;
  if (!directory &&
      (!criteria.size.holds(item.status.size) || !criteria.allocated.holds(allocated) ||
       !criteria.fork_size.holds(0) || !criteria.fork_allocated.holds(0))) {
    return false;
  }
  return common_matches(criteria, item);
}

}  // namespace

int read_criteria(const fssearchblock& block, std::uint64_t options, bool apfs,
                  Criteria& criteria) {
  criteria.options = options;
  criteria.asked = block.searchattrs;
  const attrlist& asked = criteria.asked;
  if (asked.bitmapcount != ATTR_BIT_MAP_COUNT) return EINVAL;
  if ((asked.commonattr & ~searchable_common) != 0 || asked.volattr != 0 || asked.forkattr != 0 ||
      (asked.dirattr & ~std::uint32_t{ATTR_DIR_ENTRYCOUNT}) != 0 ||
      (asked.fileattr & ~searchable_file) != 0) {
    return EINVAL;
  }
  const auto both = [&](std::uint32_t bits) { return (asked.commonattr & bits) == bits; };
  if (both(ATTR_CMN_OBJID | ATTR_CMN_FILEID) || both(ATTR_CMN_PAROBJID | ATTR_CMN_PARENTID)) {
    return EINVAL;
  }
  const int error = read_buffer<&Range::first>(block.searchparams1, block.sizeofsearchparams1, true,
                                               apfs, criteria);
  if (error != 0) return error;
  return read_buffer<&Range::last>(block.searchparams2, block.sizeofsearchparams2, false, apfs,
                                   criteria);
}

bool matches(const Criteria& criteria, const Item& item, bool apfs) {
  // Negation comes last, the test of the type included.
  const bool negated = (criteria.options & SRCHFS_NEGATEPARAMS) != 0;
  return all_match(criteria, item, apfs) != negated;
}

}  // namespace simulated
