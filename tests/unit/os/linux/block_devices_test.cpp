// SPDX-License-Identifier: MIT
// The way from a device's numbers to its node: what sysfs says, and the devices of this machine.
#include "os/linux/device_access.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"

namespace ffind::block_devices_test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("devices: the node that sysfs names") {
  struct Row {
    const char* uevent;
    const char* node;
  };
  const Row row = GENERATE(values<Row>({
      {"MAJOR=254\nMINOR=0\nDEVNAME=vda\nDEVTYPE=disk\nDISKSEQ=9\n", "/dev/vda"},
      {"DEVNAME=mapper/vg-home", "/dev/mapper/vg-home"},
      {"OLDDEVNAME=sda\nDEVNAME=sdb\n", "/dev/sdb"},
      {"MAJOR=254\nDEVNAME=\n", ""},
      {"DEVNAME", ""},
      {"devname=vda\n", ""},
      {"\n\n", ""},
      {"", ""},
  }));
  CAPTURE(row.uevent);
  CHECK(os::node_of_uevent(row.uevent) == row.node);
}

struct Known {
  std::uint32_t major;
  std::uint32_t minor;
  std::string name;
};

/// What sysfs lists here; nothing in most containers.
std::vector<Known> devices_here() {
  std::vector<Known> devices;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/sys/dev/block", error)) {
    Known device{};
    const std::string number = entry.path().filename().string();
    if (std::sscanf(number.c_str(), "%u:%u", &device.major, &device.minor) != 2) continue;
    device.name = fs::canonical(entry.path(), error).filename().string();
    devices.push_back(device);
  }
  return devices;
}

TEST_CASE("devices: what is opened is the device of that number, for reading") {
  for (const Known& device : devices_here()) {
    CAPTURE(device.major, device.minor);
    CHECK(os::device_name(device.major, device.minor) == device.name);
    std::string path;
    const int fd = os::open_device(device.major, device.minor, path);
    CHECK(path.starts_with("/dev/"));
    if (fd < 0) continue;  // not ours to read, or without a node here
    struct ::stat status {};
    REQUIRE(::fstat(fd, &status) == 0);
    CHECK(S_ISBLK(status.st_mode));
    CHECK(status.st_rdev == makedev(device.major, device.minor));
    CHECK((::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
    CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    ::close(fd);
  }
}

TEST_CASE("devices: a name that leads elsewhere is not opened") {
  // 0 is nobody's major number. A character device, a file and a folder are no block devices; a
  // block device is another's.
  std::string node = "/dev/null";
  for (const Known& device : devices_here()) node = "/dev/" + device.name;
  for (const std::string& source :
       {std::string("/dev/null"), std::string("/"), std::string("/proc/self/exe"), node,
        std::string("/no/such/node"), std::string("relative"), std::string()}) {
    CAPTURE(source);
    std::string path;
    CHECK(os::open_device(0, 77, path, source) == -ENOENT);
    CHECK(path == "/dev/block/0:77");
  }
  CHECK(os::device_name(0, 77).empty());

  // The number is the same, the device another: a block device 1:3 is a disk in memory.
  std::string path;
  const int fd = os::open_device(1, 3, path, "/dev/null");
  CHECK(path != "/dev/null");
  if (fd >= 0) ::close(fd);
}

TEST_CASE("devices: the mount table's name is taken where nothing else leads to the device") {
  const fs::path node = fs::temp_directory_path() / ("ffind-node-" + std::to_string(::getpid()));
  // A number that no driver has: found, and then not to be opened (ENXIO; EPERM or EACCES where
  // devices are kept from us, as by `nodev`).
  const auto number = makedev(511, 77);
  if (::mknod(node.c_str(), S_IFBLK | 0600, number) != 0) return;  // only root makes nodes
  std::string path;
  const int result = os::open_device(511, 77, path, node.string());
  const int other = os::open_device(511, 78, path = {}, node.string());
  fs::remove(node);
  CHECK((result == -ENXIO || result == -EPERM || result == -EACCES));
  CHECK(other == -ENOENT);
}

}  // namespace
}  // namespace ffind::block_devices_test
