// SPDX-License-Identifier: MIT
// The simulated kernel's searchfs: options and buffers checked, matches packed slice by slice, the
// position kept for the next call, faults as ordered. See kernel_search.h.
#include "kernel_search.h"

#include <sys/attr.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vnode.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace simulated {
namespace {

struct Search {
  explicit Search(Located volume) : all(std::move(volume)) {}
  Enumeration all;
  std::set<std::uint64_t> linked;  ///< ids of hard-linked files that were given out
  std::mutex mutex;
};

/// The caller's state holds a number; what it stands for is here. Searches that are given up stay,
/// as nobody tells: they are few.
struct Searches {
  std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<Search>> all;
  std::uint64_t last = 0;
};
Searches& searches() {
  static Searches known;
  return known;
}

constexpr std::uint32_t state_mark = 0x5EA4C4F5;

struct State {
  std::uint32_t mark;
  std::uint64_t number;
};

std::shared_ptr<Search> begin(const Located& volume, searchstate& state) {
  const std::lock_guard lock(searches().mutex);
  State kept{};
  kept.mark = state_mark;
  kept.number = ++searches().last;
  std::memset(&state, 0, sizeof state);
  std::memcpy(state.ss_fsstate, &kept, sizeof kept);
  return searches().all[kept.number] = std::make_shared<Search>(volume);
}

std::shared_ptr<Search> resume(const searchstate& state) {
  State kept{};
  std::memcpy(&kept, state.ss_fsstate, sizeof kept);
  if (kept.mark != state_mark) return nullptr;
  const std::lock_guard lock(searches().mutex);
  const auto found = searches().all.find(kept.number);
  return found == searches().all.end() ? nullptr : found->second;
}

/// Whether the catalog has changed, by order: from `busy_after` items on, so many times.
bool is_busy(const Search& search) {
  static std::atomic<unsigned> times{0};
  const SearchOrders& order = orders().search;
  if (search.all.visited() < order.busy_after) return false;
  if (order.busy_for_ever) return true;
  if (times.load() >= order.busy_times) return false;
  ++times;
  return true;
}

constexpr std::uint32_t returnable_common =
    ATTR_CMN_NAME | ATTR_CMN_DEVID | ATTR_CMN_FSID | ATTR_CMN_OBJTYPE | ATTR_CMN_OBJTAG |
    ATTR_CMN_OBJID | ATTR_CMN_OBJPERMANENTID | ATTR_CMN_PAROBJID | ATTR_CMN_SCRIPT |
    ATTR_CMN_CRTIME | ATTR_CMN_MODTIME | ATTR_CMN_CHGTIME | ATTR_CMN_ACCTIME | ATTR_CMN_BKUPTIME |
    ATTR_CMN_FNDRINFO | ATTR_CMN_OWNERID | ATTR_CMN_GRPID | ATTR_CMN_ACCESSMASK | ATTR_CMN_FLAGS |
    ATTR_CMN_USERACCESS | ATTR_CMN_FILEID | ATTR_CMN_PARENTID;
constexpr std::uint32_t returnable_directory =
    ATTR_DIR_LINKCOUNT | ATTR_DIR_ENTRYCOUNT | ATTR_DIR_MOUNTSTATUS;
constexpr std::uint32_t returnable_file =
    ATTR_FILE_LINKCOUNT | ATTR_FILE_TOTALSIZE | ATTR_FILE_ALLOCSIZE | ATTR_FILE_IOBLOCKSIZE |
    ATTR_FILE_DATALENGTH | ATTR_FILE_DATAALLOCSIZE | ATTR_FILE_RSRCLENGTH | ATTR_FILE_RSRCALLOCSIZE;

int check(const fssearchblock& block, std::uint32_t options) {
  if ((options & ~std::uint32_t{SRCHFS_VALIDOPTIONSMASK}) != 0) return EINVAL;
  const attrlist& returned = *block.returnattrs;
  if (returned.bitmapcount != ATTR_BIT_MAP_COUNT ||
      (returned.commonattr & ~returnable_common) != 0 || returned.volattr != 0 ||
      (returned.dirattr & ~returnable_directory) != 0 ||
      (returned.fileattr & ~returnable_file) != 0 || returned.forkattr != 0) {
    return EINVAL;
  }
  if ((options & SRCHFS_SKIPLINKS) != 0) {
    const std::uint32_t all = returned.commonattr | block.searchattrs.commonattr;
    if ((all & (ATTR_CMN_NAME | ATTR_CMN_PAROBJID)) != 0) return EINVAL;
    if (!host::is_root()) return EPERM;
  }
  return block.returnbuffersize == 0 ? EINVAL : 0;
}

/// The slice of time that a call gets: a tenth of a second at most.
std::uint64_t nanoseconds_for(const timeval& limit) {
  constexpr std::uint64_t most = 100'000'000;
  if (limit.tv_sec != 0 || limit.tv_usec <= 0 || limit.tv_usec >= 100'000) return most;
  return static_cast<std::uint64_t>(limit.tv_usec) * 1000;
}

/// APFS's odd answers, by order. False where it gives none.
bool make_odd(Search& search, Item& item) {
  const SearchOrders& order = orders().search;
  if (order.odd_links && item.type != VDIR && item.status.links > 1 &&
      !search.linked.insert(item.id).second) {
    return false;
  }
  if (order.odd_types && item.type != VDIR) item.type = VREG;
  return true;
}

/// Fills the buffer from where the search stands: 0 at the end of the volume, else an errno.
int fill(Search& search, const fssearchblock& block, const Criteria& criteria, bool apfs,
         unsigned long& found) {
  auto* next = static_cast<unsigned char*>(block.returnbuffer);
  std::size_t room = block.returnbuffersize;
  const unsigned slice = orders().search.slice;
  const unsigned long most =
      slice != 0 ? std::min<unsigned long>(slice, block.maxmatches) : block.maxmatches;
  const std::uint64_t end =
      host::nanoseconds_now(CLOCK_MONOTONIC) + nanoseconds_for(block.timelimit);
  Item item;
  while (search.all.next(item)) {
    if (matches(criteria, item, apfs) && (!apfs || make_odd(search, item))) {
      const std::vector<unsigned char> record = pack(item, *block.returnattrs, {});
      if (record.size() > room) {
        search.all.back();
        if (apfs) search.linked.erase(item.id);
        return found > 0 ? EAGAIN : ENOBUFS;
      }
      std::memcpy(next, record.data(), record.size());
      next += record.size();
      room -= record.size();
      if (++found >= most) return EAGAIN;
    }
    if (host::nanoseconds_now(CLOCK_MONOTONIC) >= end) return EAGAIN;
  }
  return 0;
}

int search_volume(const char* path, const fssearchblock& block, unsigned long& found,
                  std::uint32_t options, searchstate& state) {
  const bool follow = (options & SRCHFS_START) == 0;
  const Located volume = volume_of_path(path, follow);
  if (volume.row == nullptr) return ENOENT;
  if (!volume.row->searchable) return ENOTSUP;
  if (orders().search.error != 0) return orders().search.error;
  if (orders().search.delay != 0) host::sleep_milliseconds(orders().search.delay);
  if (block.maxmatches == 0) return 0;
  int error = check(block, options);
  if (error != 0) return error;
  const bool apfs = volume.row->type == "apfs";
  Criteria criteria;
  error = read_criteria(block, options, apfs, criteria);
  if (error != 0 || volume.row->lies) return error;
  const bool start = (options & SRCHFS_START) != 0;
  const std::shared_ptr<Search> search = start ? begin(volume, state) : resume(state);
  if (search == nullptr) return EINVAL;
  const std::lock_guard lock(search->mutex);
  if (!start && is_busy(*search)) return EBUSY;
  return fill(*search, block, criteria, apfs, found);
}

}  // namespace
}  // namespace simulated

using namespace simulated;

static_assert(sizeof(fssearchblock) == 104 && offsetof(fssearchblock, searchattrs) == 80);
static_assert(sizeof(searchstate) == 556);

int searchfs(const char* path, fssearchblock* block, unsigned long* matches, unsigned int,
             unsigned int options, searchstate* state) {
  unsigned long found = 0;
  const int error = search_volume(path, *block, found, options, *state);
  *matches = found;
  if (logging()) {
    log(std::string("searchfs ") + path + ((options & SRCHFS_START) != 0 ? " start " : " resume ") +
        std::to_string(found) + " " + std::to_string(error));
  }
  return error == 0 ? 0 : fail(error);
}
