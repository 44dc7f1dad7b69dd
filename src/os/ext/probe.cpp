// SPDX-License-Identifier: MIT
// Entry points of os/ext. probe() finds out whether the device of a volume can be read, and whether
// that shows more than a walk; device_directories() opens it for reading.
//
//     open the device ─▶ decode its superblock ─▶ compare it with statfs(2) ─▶ Volume
//
// ext4 only: reading the trees of btrfs took 0.85 of the walk's time for names and 1.1 for sizes,
// and bulk calls for the inodes of XFS took 0.76, as root and on whole volumes only; neither paid
// for its 700 lines.
#include <ext2fs/ext2_fs.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "os/ext/reader.h"
#include "os/formats/endian.h"
#include "os/linux/device_access.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "text/format.h"

namespace ffind::os {
namespace {

// Limits of what an inode proves

ext::TrustLimits trust_limits_of(const Volume& volume) {
  const Instant now = wall_now();
  ext::TrustLimits limits;
  // The kernel stamps changes with a clock that is up to a tick (10 ms) late, and small inodes have
  // whole seconds only.
  limits.changed_before = {now.seconds - 2, now.nanoseconds};
  limits.written_before = std::min(written_before(now), limits.changed_before);
  limits.lazy_times = volume.lazy_times;
  limits.owners_differ = volume.other_owners || !in_first_user_namespace();
  return limits;
}

// Checks of the device

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// Reads the superblock. The kernel changes that of a busy volume in several steps, of which the
/// checksum is the last: one of 100 searches while everything changed read it in between. Returns
/// the reason if it cannot be read.
std::string read_superblock(const ext::Device& device, ext::Geometry& geometry) {
  constexpr int tries = 10;
  std::array<unsigned char, ext::superblock_size> bytes{};
  for (int attempt = 1;; ++attempt) {
    if (!device.read(ext::superblock_at, bytes.size(), bytes.data())) {
      return "its superblock cannot be read";
    }
    std::string reason = ext::decode_superblock(bytes, geometry);
    if (reason.empty() || attempt == tries) return reason;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

/// Reads the superblock of `device` and compares it with what the kernel reports about the volume
/// at `path`. Returns the reason if they do not fit.
std::string misfit(const ext::Device& device, const char* path, ext::Geometry& geometry) {
  std::string reason = read_superblock(device, geometry);
  if (!reason.empty()) return reason;
  struct ::statfs mounted {};
  if (uninterrupted([&] { return ::statfs(path, &mounted); }) != 0) {
    return "the kernel does not report it (" + reason_of(errno) + ")";
  }
  // ext4_statfs folds the UUID into the id (fs/ext4/super.c).
  const std::uint64_t folded = le64(geometry.uuid.data()) ^ le64(geometry.uuid.data() + 8);
  std::array<std::uint32_t, 2> id{};
  static_assert(sizeof id == sizeof mounted.f_fsid);
  std::memcpy(id.data(), &mounted.f_fsid, sizeof id);
  if (mounted.f_type != EXT2_SUPER_MAGIC ||
      static_cast<std::uint64_t>(mounted.f_bsize) != geometry.block_size ||
      mounted.f_files != geometry.inodes || id[0] != static_cast<std::uint32_t>(folded) ||
      id[1] != static_cast<std::uint32_t>(folded >> 32U)) {
    return "its superblock is not that of the mounted volume";
  }
  return {};
}

/// The device of a volume with its geometry, or the reason why it cannot be used.
struct CheckedDevice {
  std::unique_ptr<ext::Device> device{};
  ext::Geometry geometry{};
  std::string refusal{};
};

CheckedDevice open_checked(const Volume& volume) {
  if (volume.unreplayed) {
    return {.refusal =
                "it was mounted without its journal (norecovery), which contains newer data"};
  }
  std::string node;
  const int fd = open_device(volume.major, volume.minor, node, volume.source);
  if (fd < 0) {
    return {.refusal = text::format("{} cannot be read ({})", node.empty() ? "its device" : node,
                                    reason_of(-fd))};
  }
  CheckedDevice opened{.device = std::make_unique<ext::Device>(fd)};
  opened.refusal = misfit(*opened.device, volume.mount_point.c_str(), opened.geometry);
  return opened;
}

class ExtDirectories final : public DeviceDirectories {
 public:
  ExtDirectories(std::unique_ptr<ext::Volume> volume, Needs wanted)
      : volume_(std::move(volume)),
        for_entries_((wanted & needs::metadata & ~(needs::type | needs::identity)) != 0) {}

  std::unique_ptr<DeviceReader> open_reader() override {
    return std::make_unique<ext::Reader>(*volume_, for_entries_, ++readers_);
  }

  DirectoryHandle number_of(const Directory& opened) override {
    struct ::stat status {};
    if (::fstat(opened.fd, &status) != 0) return {};
    if (status.st_dev != volume_->device_number()) return {};
    return {.inode = status.st_ino};
  }

  DirectoryHandle child(const DirectoryHandle&, std::uint64_t inode, bool from_kernel) override {
    // If the kernel listed the parent, it has to look up the name as well: in a damaged directory
    // it finds fewer names than it lists.
    // If a reader listed the parent, the number has been this directory's since the search began.
    return from_kernel ? DirectoryHandle() : DirectoryHandle{.inode = inode};
  }

 private:
  const std::unique_ptr<ext::Volume> volume_;
  const bool for_entries_;
  std::atomic<std::size_t> readers_{0};
};

bool is_ext4(const Volume& volume) {
  return volume.file_system == "ext4";
}

}  // namespace

// Reads the device of an ext4 volume and the process's own state only, never its directories.
//
//     none      the device cannot be read; the note says why
//     claimed   it can be read, but this process may not list every directory; the note says so
//     proven    it can be read, and shows only directories that this process could list
void probe(Volume& volume) {
  if (!is_ext4(volume)) return;
  volume.catalog = CatalogSupport::none;
  volume.catalog_note = open_checked(volume).refusal;
  if (!volume.catalog_note.empty()) return;
  volume.catalog_note = closed_directories();
  volume.catalog = volume.catalog_note.empty() ? CatalogSupport::proven : CatalogSupport::claimed;
}

OpenedDevice device_directories(const Task& task, FileSystem& file_system) {
  const Volume& volume = task.volume;
  if (!is_ext4(volume)) return {.refusal = "no catalog reader for " + volume.file_system};
  CheckedDevice opened = open_checked(volume);
  if (!opened.refusal.empty()) return {.refusal = std::move(opened.refusal)};
  auto ext_volume = std::make_unique<ext::Volume>(std::move(opened.device), opened.geometry,
                                                  trust_limits_of(volume), volume.device);
  return {.directories = with_kernel(
              std::make_unique<ExtDirectories>(std::move(ext_volume), task.wanted), file_system)};
}

}  // namespace ffind::os
