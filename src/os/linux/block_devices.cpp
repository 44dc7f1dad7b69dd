// SPDX-License-Identifier: MIT
// Nodes that udev keeps by number, that sysfs names, that the mount table names; whichever is the
// device. See block_devices.h.
#include "os/linux/block_devices.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <utility>

#include "os/posix/retry.h"

namespace ffind::os {
namespace {

std::string in_sysfs(std::uint32_t major, std::uint32_t minor) {
  return "/sys/dev/block/" + std::to_string(major) + ":" + std::to_string(minor);
}

/// The beginning of a small file of sysfs; empty if there is none.
std::string text_of(const std::string& path) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (fd < 0) return {};
  std::array<char, 4096> bytes;  // sysfs shows no more than a page
  const ssize_t count = uninterrupted([&] { return ::read(fd, bytes.data(), bytes.size()); });
  ::close(fd);
  return count > 0 ? std::string(bytes.data(), static_cast<std::size_t>(count)) : std::string();
}

bool is_device(const struct ::stat& status, dev_t number) {
  return S_ISBLK(status.st_mode) && status.st_rdev == number;
}

/// Opening alone can do something to another device, or wait for one: looked at first.
bool is_node_of(const std::string& path, dev_t number) {
  struct ::stat status {};
  return uninterrupted([&] { return ::stat(path.c_str(), &status); }) == 0 &&
         is_device(status, number);
}

int open_node(const std::string& path, dev_t number) {
  const int fd =
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); });
  if (fd < 0) return -errno;
  // The name may have been given to another since it was looked at.
  struct ::stat status {};
  if (::fstat(fd, &status) == 0 && is_device(status, number)) return fd;
  ::close(fd);
  return -ENODEV;
}

}  // namespace

std::string node_of_uevent(std::string_view uevent) {
  constexpr std::string_view key = "DEVNAME=";
  while (!uevent.empty()) {
    const std::size_t end = uevent.find('\n');
    const std::string_view line = uevent.substr(0, end);
    if (line.size() > key.size() && line.starts_with(key)) {
      return std::string("/dev/").append(line.substr(key.size()));
    }
    if (end == std::string_view::npos) break;
    uevent.remove_prefix(end + 1);
  }
  return {};
}

int open_device(std::uint32_t major, std::uint32_t minor, std::string& path,
                const std::string& source) {
  const dev_t number = ::gnu_dev_makedev(major, minor);
  path = "/dev/block/" + std::to_string(major) + ":" + std::to_string(minor);
  if (is_node_of(path, number)) return open_node(path, number);
  // udev alone keeps that folder; sysfs knows the name that devtmpfs gives.
  if (std::string node = node_of_uevent(text_of(in_sysfs(major, minor) + "/uevent"));
      !node.empty()) {
    path = std::move(node);
    if (is_node_of(path, number)) return open_node(path, number);
  }
  if (source.starts_with('/') && is_node_of(source, number)) {
    path = source;
    return open_node(path, number);
  }
  return -ENOENT;
}

std::string device_name(std::uint32_t major, std::uint32_t minor) {
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlink(in_sysfs(major, minor).c_str(), target.data(), target.size());
  if (length <= 0) return {};
  const std::string_view text(target.data(), static_cast<std::size_t>(length));
  return std::string(text.substr(text.rfind('/') + 1));
}

}  // namespace ffind::os
