// SPDX-License-Identifier: MIT
// What the kernel_*.cpp files share: errors as Darwin's calls return them, the policies of the
// process, and attributes as records. Written from the documented facts alone; must not include
// anything of src/, so that two readings of the same facts check each other.
#pragma once

#include <sys/attr.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host.h"
#include "orders.h"
#include "volumes.h"

namespace simulated {

inline int fail(int error) {
  errno = error;
  return -1;
}

/// Whether setiopolicy_np has turned this effect of looking off.
bool is_off(int policy_type);

/// Darwin's number for the type in a mode, and the type of a directory entry of that mode.
std::uint32_t object_type(std::uint32_t mode);

/// One file as its attributes tell it. What `status` does not hold is asked for by `need_status`.
struct Item {
  std::string_view name;
  std::uint64_t id = 0;
  std::uint64_t parent = 0;
  std::uint32_t type = 0;  ///< VREG...
  std::uint32_t mount_status = 0;
  std::uint32_t flags = 0;
  Marks marks = marks::none;
  bool covered = false;  ///< a mount point, whose status is of what is mounted there
  int at = -1;
  std::string relative;     ///< where it is, from `at`
  std::string path;         ///< absolute, where it was asked for
  std::uint32_t links = 1;  ///< of a directory
  host::Status status{};    ///< only with `has_status`
  bool has_status = false;
  const VolumeRow* volume = nullptr;
};

/// Whether any of these attributes is not told by the directory entry alone.
bool needs_status(const attrlist& list);

struct PackOptions {
  bool extended = false;      ///< the fork attributes are those of ATTR_CMNEXT_*
  bool pack_invalid = false;  ///< zeros for what there is not
  int error = 0;              ///< an error entry of getattrlistbulk
  bool strict = false;        ///< nothing tells what was returned: all has to be
};

/// One record, its length first. Attributes come in Darwin's order; strings behind all of them.
/// Empty where it is `strict` and lacks any.
std::vector<unsigned char> pack(const Item& item, const attrlist& list, const PackOptions& options);

/// Whether `list` asks only for what there is a number for.
bool is_known(const attrlist& list, bool extended);

/// Case and normalisation folded as a file system of that type compares names; false when `name` is
/// not UTF-8.
bool fold_name(std::string_view name, bool apfs, std::u32string& folded);

/// The order about reading the open directory `fd`; without an error where there is none.
ListingOrder ordered_listing(int fd);

/// fcntl(F_SETNOSIGPIPE): a write to `fd` that fails with EPIPE sends no signal.
int set_quiet(int fd, bool quiet);

/// Remembers where a directory lies, for fsgetpath.
void remember(const VolumeRow& volume, std::uint64_t id, const std::string& path);

}  // namespace simulated
