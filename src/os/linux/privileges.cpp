// SPDX-License-Identifier: MIT
// Capabilities by capget, and the user namespace that they count in. See privileges.h.
#include "os/linux/privileges.h"

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace ffind::os {
namespace {

/// The number that the first user namespace of a machine has in nsfs since Linux 3.8
/// (PROC_USER_INIT_INO, since 6.17 USER_NS_INIT_INO of <linux/nsfs.h>).
constexpr std::uint64_t first_user_namespace = 0xEFFFFFFD;

}  // namespace

/// In any other user namespace a capability counts only for files whose owner and group are mapped
/// into it, and a volume may have others. The maps of such a namespace may well look like the first
/// one's ("0 0 4294967295", which root can write), one of them without the other, or change; its
/// number can not.
bool in_first_user_namespace() {
  struct ::stat status {};
  if (::stat("/proc/self/ns/user", &status) == 0) return status.st_ino == first_user_namespace;
  // A kernel that knows no user namespaces has one.
  return errno == ENOENT && ::stat("/proc/self/ns", &status) == 0;
}

bool has_capability(int capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  const auto number = static_cast<unsigned>(capability);
  if (number >= 32 * sets.size()) return false;
  // glibc has no wrapper, and libcap would be a dependency for one call.
  if (::syscall(SYS_capget, &header, sets.data()) != 0) return false;
  return (sets[number / 32].effective >> (number % 32) & 1U) != 0;
}

bool may_read_every_directory(std::string& why_not) {
  if (!has_capability(CAP_DAC_READ_SEARCH) && !has_capability(CAP_DAC_OVERRIDE)) {
    why_not =
        "the catalog would show the contents of directories that may be closed to this process: it "
        "requires root, CAP_DAC_READ_SEARCH or --method catalog";
    return false;
  }
  if (!in_first_user_namespace()) {
    why_not =
        "the catalog would show directories of other owners, which are closed to this process in "
        "its own user namespace: it requires --method catalog";
    return false;
  }
  return true;
}

}  // namespace ffind::os
