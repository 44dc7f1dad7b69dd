// SPDX-License-Identifier: MIT
// XFS on Linux: whether its inodes can be read in bulk by this process, and the calls that do it.
// See devices/file_systems.h.
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/ioctl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "os/devices/file_systems.h"
#include "os/devices/xfs/directories.h"
#include "os/formats/nanoseconds.h"
#include "os/linux/privileges.h"
#include "os/linux/writeback.h"
#include "os/posix/retry.h"

namespace ffind::os {
namespace {

constexpr Nanoseconds second = 1'000'000'000;

// linux/magic.h has it since 4.20.
constexpr auto xfs_magic = 0x58465342;
constexpr unsigned long bulkstat = _IOR('X', 127, xfs::BulkRequest);  // XFS_IOC_BULKSTAT

class KernelCalls final : public xfs::Calls {
 public:
  /// Owns the descriptor, of any directory of the volume.
  explicit KernelCalls(int fd) : fd_(fd) {}
  ~KernelCalls() override { ::close(fd_); }
  KernelCalls(const KernelCalls&) = delete;
  KernelCalls& operator=(const KernelCalls&) = delete;

  int read(xfs::BulkCall& call) override {
    return uninterrupted([&] { return ::ioctl(fd_, bulkstat, &call); }) != 0 ? errno : 0;
  }

  int changed(const Directory& directory, Nanoseconds& changed) override {
    struct ::stat status {};
    if (::fstat(directory.fd, &status) != 0) return errno;
    changed = nanoseconds(status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
    return 0;
  }

  Nanoseconds stat_takes() override {
    constexpr int times = 16;
    struct ::stat status {};
    const Nanoseconds begin = running_time();
    for (int i = 0; i < times; ++i) ::fstat(fd_, &status);
    return (running_time() - begin) / times;
  }

  Nanoseconds running_time() override { return thread_running_time(); }

 private:
  const int fd_;
};

/// A directory of the volume by which it can be asked; null, and why not.
std::unique_ptr<KernelCalls> open_calls(const Volume& volume, std::string& why_not) {
  const auto fail = [&](int error) {
    why_not = "its inodes cannot be read in bulk: " + std::generic_category().message(error);
    return nullptr;
  };
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const int fd = uninterrupted([&] { return ::open(volume.mount_point.c_str(), flags); });
  if (fd < 0) return fail(errno);
  auto calls = std::make_unique<KernelCalls>(fd);
  struct ::stat status {};
  struct ::statfs mounted {};
  if (::fstat(fd, &status) != 0 || ::fstatfs(fd, &mounted) != 0) return fail(errno);
  if (mounted.f_type != xfs_magic ||
      status.st_dev != ::gnu_dev_makedev(volume.major, volume.minor)) {
    why_not = "another volume covers its mount point";
    return nullptr;
  }
  // Before Linux 5.3 there is no such call; not all containers and mounts allow it.
  xfs::BulkCall trial{};
  trial.head.icount = 1;
  const int error = calls->read(trial);
  if (error != 0) return fail(error);
  return calls;
}

}  // namespace

void probe_xfs(Volume& volume) {
  volume.catalog = CatalogSupport::none;
  if (!has_capability(CAP_SYS_ADMIN)) {
    volume.catalog_note = "reading the inodes of xfs in bulk requires root or CAP_SYS_ADMIN";
    return;
  }
  // The kernel refuses, and writes that into its log.
  if (volume.other_owners) {
    volume.catalog_note = "the kernel reads no inodes in bulk through a mount that maps owners";
    return;
  }
  if (!open_calls(volume, volume.catalog_note)) return;
  volume.catalog = may_read_every_directory(volume.catalog_note) ? CatalogSupport::proven
                                                                 : CatalogSupport::claimed;
}

std::unique_ptr<DirectoryReaders> open_xfs(const Task& task, FileSystem& file_system,
                                           std::string& why_not) {
  auto calls = open_calls(task.volume, why_not);
  if (!calls) return nullptr;
  const Nanoseconds now = wall_now();
  xfs::Trust trust;
  // The kernel stamps changes with a clock that is up to a tick (10 ms) late.
  trust.changed_before = now - 2 * second;
  trust.written_before = written_before(now);
  trust.owners_differ = !in_first_user_namespace();
  return xfs::make_readers(
      std::make_unique<xfs::Inodes>(std::move(calls), trust, task.wanted, task.requested),
      ::gnu_dev_makedev(task.volume.major, task.volume.minor), file_system);
}

}  // namespace ffind::os
