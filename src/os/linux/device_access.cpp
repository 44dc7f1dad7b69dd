// SPDX-License-Identifier: MIT
// Access to block devices, for reading a mounted file system past its own calls.
//
// A device is known by its number, from the mount table. Its node is looked for in three places,
// and only a node with the right number is opened:
//
//     /dev/block/8:1                  a link that udev creates; most systems have it
//     /sys/dev/block/8:1/uevent       the name in devtmpfs: "DEVNAME=sda1" is /dev/sda1
//     the mount table's own source    "/dev/sda1"; may be any text, as mount(8) got it
#include "os/linux/device_access.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <optional>

#include "os/files.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "text/ascii.h"

namespace ffind::os {

namespace {

/// The directory of a device in sysfs: "/sys/dev/block/254:1".
std::string in_sysfs(std::uint32_t major, std::uint32_t minor) {
  return "/sys/dev/block/" + std::to_string(major) + ":" + std::to_string(minor);
}

/// Contents of a small file of sysfs or /proc; empty if it cannot be read.
std::string text_of(const std::string& path) {
  constexpr std::size_t most = 65'536;
  std::string text;
  return read_to_end(path, most, text) == 0 ? text : std::string();
}

bool is_device(const struct ::stat& status, dev_t number) {
  return S_ISBLK(status.st_mode) && status.st_rdev == number;
}

/// True if `path`, links followed, is the node of the device. Checked before opening, since opening
/// alone may affect another device, or wait for it.
bool is_node_of(const std::string& path, dev_t number) {
  struct ::stat status {};
  return uninterrupted([&] { return ::stat(path.c_str(), &status); }) == 0 &&
         is_device(status, number);
}

/// The descriptor or a negative errno: ENODEV if it is not that device after all.
int open_node(const std::string& path, dev_t number) {
  const int fd =
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); });
  if (fd < 0) return -errno;
  // Another device may have got the name since it was checked.
  struct ::stat status {};
  if (::fstat(fd, &status) == 0 && is_device(status, number)) return fd;
  ::close(fd);
  return -ENODEV;
}

}  // namespace

std::string node_of_uevent(std::string_view uevent) {
  constexpr std::string_view key = "DEVNAME=";
  // A line is KEY=VALUE, for example MAJOR=8, DEVNAME=sda1, DEVTYPE=partition.
  while (!uevent.empty()) {
    const std::string_view line = text::take_part(uevent, '\n');
    if (line.size() > key.size() && line.starts_with(key)) {
      return std::string("/dev/").append(line.substr(key.size()));
    }
  }
  return {};
}

int open_device(std::uint32_t major, std::uint32_t minor, std::string& path,
                const std::string& source) {
  const dev_t number = makedev(major, minor);
  path = "/dev/block/" + std::to_string(major) + ":" + std::to_string(minor);
  if (is_node_of(path, number)) return open_node(path, number);
  const std::string node = node_of_uevent(text_of(in_sysfs(major, minor) + "/uevent"));
  if (!node.empty()) path = node;
  for (const std::string& other : {node, source}) {
    if (!other.starts_with('/') || !is_node_of(other, number)) continue;
    path = other;
    return open_node(path, number);
  }
  return -ENOENT;
}

std::string device_name(std::uint32_t major, std::uint32_t minor) {
  std::array<char, PATH_MAX> target;
  // /sys/dev/block/254:1 leads to ../../devices/.../virtio2/block/vda/vda1.
  const ssize_t length = ::readlink(in_sysfs(major, minor).c_str(), target.data(), target.size());
  if (length <= 0) return {};
  const std::string_view text(target.data(), static_cast<std::size_t>(length));
  return std::string(text.substr(text.rfind('/') + 1));
}

/// In another user namespace, as in a rootless container, a capability applies only to files whose
/// owner and group are mapped into it. Compares the inode, since the maps of such a namespace may
/// equal those of the first one ("0 0 4294967295", which root can write), one without the other, or
/// change later. False if the namespace is unknown.
bool in_first_user_namespace() {
  // In nsfs since Linux 3.8: PROC_USER_INIT_INO, since 6.17 USER_NS_INIT_INO of <linux/nsfs.h>.
  constexpr std::uint64_t first_user_namespace = 0xEFFFFFFD;
  struct ::stat status {};
  if (::stat("/proc/self/ns/user", &status) == 0) return status.st_ino == first_user_namespace;
  // A kernel without user namespaces has only one.
  return errno == ENOENT && ::stat("/proc/self/ns", &status) == 0;
}

bool has_capability(int capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  const auto number = static_cast<unsigned>(capability);
  // Version 3 has 64 bits of capabilities in two words.
  if (number >= 32 * sets.size()) return false;
  // glibc has no wrapper, and libcap would be a dependency for one call.
  if (::syscall(SYS_capget, &header, sets.data()) != 0) return false;
  return (sets[number / 32].effective >> (number % 32) & 1U) != 0;
}

// Either capability skips the permissions of directories: CAP_DAC_READ_SEARCH for reading alone,
// CAP_DAC_OVERRIDE for writing, too.
std::string closed_directories() {
  if (!has_capability(CAP_DAC_READ_SEARCH) && !has_capability(CAP_DAC_OVERRIDE)) {
    return "the catalog would show the contents of directories that may be closed to this process: "
           "it requires root, CAP_DAC_READ_SEARCH or --method catalog";
  }
  if (!in_first_user_namespace()) {
    return "the catalog would show directories of other owners, which are closed to this process "
           "in its own user namespace: it requires --method catalog";
  }
  return {};
}

namespace {

/// The number at `at`, after blanks; nullopt if there is none.
std::optional<long> number_at(std::string_view text, std::size_t at) {
  long number = 0;
  at = text.find_first_not_of(' ', at);
  if (at == std::string_view::npos) return {};
  const auto failed = std::from_chars(text.data() + at, text.data() + text.size(), number).ec;
  return failed == std::errc() ? std::optional<long>(number) : std::nullopt;
}

/// KiB that wait to be written, or are being written, on all devices together; nullopt if unknown.
/// The lines are "Dirty:      1234 kB".
std::optional<long> unwritten() {
  const std::string text = text_of("/proc/meminfo");
  long sum = 0;
  for (const std::string_view key : {"\nDirty:", "\nWriteback:"}) {
    const std::size_t at = text.find(key);
    const auto number = at != std::string::npos ? number_at(text, at + key.size()) : std::nullopt;
    if (!number) return {};
    sum += *number;
  }
  return sum;
}

}  // namespace

/// The kernel writes data older than vm.dirty_expire_centisecs (30 s) and looks for it every
/// vm.dirty_writeback_centisecs (5 s). Takes the longest of four times their sum, two minutes, and
/// the time for writing the waiting data at 1 MiB/s, slower than any USB stick. Returns 0 in laptop
/// mode or without periodic writeback, and soon after the start of the machine, when its clock may
/// have been set.
Instant written_before(Instant now) {
  const std::optional<long> expire = number_at(text_of("/proc/sys/vm/dirty_expire_centisecs"), 0);
  const std::optional<long> interval =
      number_at(text_of("/proc/sys/vm/dirty_writeback_centisecs"), 0);
  const std::optional<long> laptop = number_at(text_of("/proc/sys/vm/laptop_mode"), 0);
  const std::optional<long> waiting = unwritten();
  if (!expire || !interval || *interval <= 0 || laptop.value_or(0) != 0 || !waiting) return {};
  const std::int64_t age = std::max({120L, (*expire + *interval) / 25, *waiting / 1024}) + 1;
  // Nothing is written during suspend.
  constexpr Nanoseconds second = 1'000'000'000;
  const std::int64_t awake = monotonic_now() / second;
  const std::int64_t since_start = read_clock(CLOCK_BOOTTIME) / second + 1;
  return awake < age ? Instant{} : Instant{now.seconds - age - (since_start - awake)};
}

}  // namespace ffind::os
