// SPDX-License-Identifier: MIT
// Linux: the file system, its getdents reader, and the mount table from /proc/self/mountinfo.
//
// LinuxFileSystem takes the newest call for each purpose, and an older one on older kernels and in
// containers that forbid the call:
//
//     open, in its volume    openat2 with RESOLVE_NO_XDEV (5.6)    openat, then compare mount ids
//     open, through links    LinuxLinks
//     metadata               statx, of the wanted parts (4.11)     fstatat, of all
//     extended attributes    getxattrat, listxattrat (6.13)        by path, in /proc/self/fd
//     listing                getdents64, straight into the worker's own block
//     holes in files         lseek with SEEK_DATA                  reading zeros
//
// Missing means ENOSYS, or EPERM: the filter of a container runtime returns that for calls that it
// does not know.
//
// Boundaries are mounts, not devices: st_dev differs between btrfs subvolumes of one mount and is
// the same on both sides of a bind mount. A mount id is the number in /proc/self/mountinfo.
//
// AT_NO_AUTOMOUNT is set in all calls of statx, so that looking at a trigger mounts nothing.
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <thread>

#include "os/catalog.h"
#include "os/files.h"
#include "os/formats/access_lists.h"
#include "os/formats/mount_tables.h"
#include "os/linux/links.h"
#include "os/linux/statx.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "text/sizes.h"

namespace ffind::os {

namespace {

// Newer than the C libraries of our builds; the same on every processor but Alpha.
#ifdef SYS_getxattrat
constexpr long getxattrat_number = SYS_getxattrat;
constexpr long listxattrat_number = SYS_listxattrat;
#elif defined(__alpha__)
constexpr long getxattrat_number = 574;
constexpr long listxattrat_number = 575;
#else
constexpr long getxattrat_number = 464;
constexpr long listxattrat_number = 465;
#endif

/// struct xattr_args of <linux/xattr.h>.
struct XattrArguments {
  std::uint64_t value;
  std::uint32_t size;
  std::uint32_t flags;
};
static_assert(sizeof(XattrArguments) == 16);

int at_flags(bool follow) {
  return follow ? 0 : AT_SYMLINK_NOFOLLOW;
}

/// Extended attributes of entries of an open directory. Thread-safe. Return like listxattr(2) and
/// getxattr(2): a length, or -1 and errno.
class LinuxAttributes {
 public:
  long names(const Directory* at, const char* path, bool follow, char* buffer, std::size_t size) {
    const auto by_path = [&](const char* full) {
      return follow ? ::listxattr(full, buffer, size) : ::llistxattr(full, buffer, size);
    };
    return ask(at, path, by_path, listxattrat_number, descriptor_of(at), path, at_flags(follow),
               buffer, size);
  }
  long value(const Directory* at, const char* path, bool follow, const char* name, char* buffer,
             std::size_t size) {
    const auto by_path = [&](const char* full) {
      return follow ? ::getxattr(full, name, buffer, size) : ::lgetxattr(full, name, buffer, size);
    };
    XattrArguments arguments{reinterpret_cast<std::uintptr_t>(buffer),
                             static_cast<std::uint32_t>(size), 0};
    return ask(at, path, by_path, getxattrat_number, descriptor_of(at), path, at_flags(follow),
               name, &arguments, sizeof arguments);
  }

 private:
  /// Makes the system call, which takes a third of the time, or else `by_path`: before Linux 6.13,
  /// and in containers that forbid unknown calls. EPERM cannot concern the file: reading attributes
  /// never fails with it.
  template <typename ByPath, typename... Arguments>
  long ask(const Directory* at, const char* path, ByPath by_path, Arguments... arguments) {
    if (has_at_calls_.load(std::memory_order_relaxed)) {
      const long length = uninterrupted([&] { return ::syscall(arguments...); });
      if (length >= 0 || (errno != ENOSYS && errno != EPERM)) return length;
      has_at_calls_.store(false, std::memory_order_relaxed);
    }
    const std::string full = at != nullptr ? path_of_descriptor(at->fd) + "/" + path : path;
    return uninterrupted([&] { return by_path(full.c_str()); });
  }

  std::atomic<bool> has_at_calls_{true};
};

/// Reads by getdents64, straight into the block. `end_mark`, if it is not 0, is the file system's
/// d_off of the end of a directory: it saves the last, empty call. Another file system may have it
/// anywhere.
class GetdentsReader final : public KernelReader {
 public:
  GetdentsReader(DirectoryOpener& opener, std::optional<std::uint64_t> listed_device,
                 std::int64_t end_mark)
      : KernelReader(opener, listed_device), end_mark_(end_mark) {}

  int read(ListedDirectory& listed, DirentBlock& block) override {
    Directory& directory = listed.directory;
    block.clear();
    long count = list(directory, block, block.room());
    // EINVAL: not even one entry fits. Its name is longer than those of most file systems.
    if (count < 0 && errno == EINVAL) count = list(directory, block, DirentBlock::capacity);
    // A directory that was removed is empty: readdir(3) takes ENOENT for its end, too.
    if (count < 0 && errno == ENOENT) count = 0;
    if (count < 0) return errno;
    block.filled(static_cast<std::size_t>(count));
    // Not from a short block: a pending signal shortens one, too.
    const bool marked = end_mark_ != 0 && !listed.elsewhere && block.last_offset() == end_mark_;
    directory.at_end = count == 0 || marked;
    return 0;
  }

 private:
  /// Bytes of records; 0 at the end, -1 and errno on failure.
  static long list(const Directory& directory, DirentBlock& block, std::size_t room) {
    return uninterrupted(
        [&] { return ::syscall(SYS_getdents64, directory.fd, block.data(), room); });
  }

  const std::int64_t end_mark_;
};

/// Bits of statx for one of Needs. A file system clears the bits of stx_mask for values that it
/// does not have, such as STATX_BTIME.
struct StatxRow {
  Needs need;
  unsigned told;     ///< set in stx_mask if there is a value
  unsigned besides;  ///< requested together with it
};

constexpr StatxRow statx_rows[] = {
    {needs::type, STATX_TYPE, 0},         {needs::mode, STATX_MODE, STATX_TYPE},
    {needs::owner, STATX_UID, STATX_GID}, {needs::links, STATX_NLINK, 0},
    {needs::identity, STATX_INO, 0},      {needs::size, STATX_SIZE, STATX_BLOCKS},
    {needs::modified, STATX_MTIME, 0},    {needs::changed, STATX_CTIME, 0},
    {needs::accessed, STATX_ATIME, 0},    {needs::created, STATX_BTIME, 0},
};

/// Mask of a request. The type costs nothing and is always requested.
unsigned statx_mask(Needs wanted) {
  unsigned mask = STATX_TYPE;
  for (const StatxRow& row : statx_rows) {
    if ((wanted & row.need) != 0) mask |= row.told | row.besides;
  }
  return mask;
}

// STATX_ATTR_IMMUTABLE and its like in <linux/stat.h>.
constexpr std::uint64_t statx_immutable = 0x10;
constexpr std::uint64_t statx_append = 0x20;

FileFlags flags_of(std::uint64_t attributes) {
  constexpr FlagRow rows[] = {
      {statx_immutable, file_flags::schg}, {statx_append, file_flags::sappnd},
      {0x40, file_flags::nodump},          {0x4, file_flags::compressed},
      {0x800, file_flags::encrypted},      {0x10'0000, file_flags::verity},
      {0x20'0000, file_flags::dax}};
  return flags_by(rows, attributes);
}

Instant instant_of(const StatxTime& time) {
  return instant(time.tv_sec, time.tv_nsec);
}

/// Converts a statx; `got` is what the volume returned.
void metadata_of_statx(const Statx& status, Metadata& metadata, Needs& got) {
  metadata.size = status.stx_size;
  metadata.allocated = status.stx_blocks * 512;
  metadata.inode = status.stx_ino;
  metadata.device = makedev(status.stx_dev_major, status.stx_dev_minor);
  metadata.modified = instant_of(status.stx_mtime);
  metadata.changed = instant_of(status.stx_ctime);
  metadata.accessed = instant_of(status.stx_atime);
  metadata.created = instant_of(status.stx_btime);
  metadata.mode = status.stx_mode;
  metadata.uid = status.stx_uid;
  metadata.gid = status.stx_gid;
  metadata.links = status.stx_nlink;
  metadata.special_major = status.stx_rdev_major;
  metadata.special_minor = status.stx_rdev_minor;
  // Every statx returns them; a file system without such attributes has no locked files.
  got = needs::flags;
  for (const StatxRow& row : statx_rows) {
    if ((status.stx_mask & row.told) != 0) got |= row.need;
  }
  // Nearly all files have none: two loops over the bits took 51 of 1,400 instructions an entry.
  metadata.flags = status.stx_attributes == 0 ? FileFlags{0} : flags_of(status.stx_attributes);
  // A file system with the two that all have lacks the others if it does not name them.
  constexpr std::uint64_t basic = statx_immutable | statx_append;
  metadata.known_flags = (status.stx_attributes_mask & basic) == basic
                             ? file_flags::of_linux
                             : flags_of(status.stx_attributes_mask);
}

/// Distinguishes a directory that is its own ancestor, which the kernel refuses to look up, from a
/// link that replaced it.
bool is_own_ancestor(const Directory* at, const char* path) {
  struct ::stat status {};
  return ::fstatat(descriptor_of(at), path, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ELOOP;
}

/// The file system of one task. `mount_id_` is the id of its volume's mount, 0 if unknown;
/// `listed_device_` the device of all that its listings name, if that is certain.
class LinuxFileSystem final : public PosixFileSystem {
 public:
  explicit LinuxFileSystem(const Task& task)
      : reader_(task.choice.reader), end_mark_(task.choice.end_mark), mount_id_(task.volume.id) {
    const Volume& volume = task.volume;
    if (lists_inodes(volume)) listed_device_ = volume.device;
    if (reader_ == Reader::fts) network_names_ = names_of_network_volumes(task);
  }

  std::unique_ptr<DirectoryReader> make_reader(DirectoryOpener& opener) override {
    switch (reader_) {
      case Reader::readdir:
        return make_readdir_reader(opener, listed_device_);
      case Reader::fts: {
        std::vector<std::unique_ptr<KernelReader>> readers;
        readers.push_back(make_fts_reader(opener, network_names_));
        readers.push_back(make_readdir_reader(opener));
        return make_reader_chain(opener, std::move(readers), 0, listed_device_);
      }
      default:
        return std::make_unique<GetdentsReader>(opener, listed_device_, end_mark_);
    }
  }

  /// EUCLEAN for a directory that is its own ancestor, as on a damaged volume: the kernel's ELOOP
  /// would be taken for a link that replaced the directory.
  int open(const Directory* at, const char* path, OpenFlags flags, Directory& opened) override {
    int fd = -1;
    int error = 0;
    if (open_bounded(at, path, open_flags(flags), flags, fd, error)) {
      if (error == ELOOP && !flags.follow && is_own_ancestor(at, path)) return EUCLEAN;
      if (error != 0) return error;
      opened = Directory{};
      opened.file_system = this;
      opened.fd = fd;
      return 0;
    }
    error = PosixFileSystem::open(at, path, flags, opened);
    if (error == 0 && flags.stay_on_volume && has_left(at, opened.fd)) {
      close(opened);
      return EXDEV;
    }
    return error;
  }

  /// Without a request to a server: the identity of an open file does not change, and the kernel
  /// has it.
  int identify(const Directory& directory, FileId& id) override {
    Statx status;
    constexpr int how = AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    if (uninterrupted([&] { return statx(directory.fd, "", how, STATX_INO, status); }) != 0) {
      return PosixFileSystem::identify(directory, id);
    }
    id.device = makedev(status.stx_dev_major, status.stx_dev_minor);
    id.inode = status.stx_ino;
    return 0;
  }

  int open_file(const Directory* at, const char* path, OpenFlags flags, File& opened) override {
    int fd = -1;
    int error = 0;
    if (open_bounded(at, path, file_flags_for(flags), flags, fd, error)) {
      return error != 0 ? error : adopt_file(fd, opened);
    }
    error = PosixFileSystem::open_file(at, path, flags, opened);
    if (error == 0 && flags.stay_on_volume && has_left(at, opened.fd)) {
      close_file(opened);
      return EXDEV;
    }
    return error;
  }

  int read_file(File& file, char* bytes, std::size_t capacity, std::size_t& count) override {
    if (file.has_holes && skip_hole(file, bytes, capacity, count)) return 0;
    return PosixFileSystem::read_file(file, bytes, capacity, count);
  }

  int stat(const Directory* at, const char* path, StatFlags flags, Needs wanted, Metadata& metadata,
           Needs& got) override {
    Statx status;  // not cleared: 256 bytes for each entry
    int how = AT_NO_AUTOMOUNT;
    if (!flags.follow) how |= AT_SYMLINK_NOFOLLOW;
    if (flags.at_hand_only) how |= AT_STATX_DONT_SYNC;
    if (uninterrupted(
            [&] { return statx(descriptor_of(at), path, how, statx_mask(wanted), status); }) != 0) {
      // Before Linux 4.11, or in a container that forbids it.
      if (errno != ENOSYS && errno != EPERM) return errno;
      return PosixFileSystem::stat(at, path, flags, wanted, metadata, got);
    }
    metadata_of_statx(status, metadata, got);
    return 0;
  }

  /// Takes 0.7 of the time of a statx. With AT_EACCESS no credentials are made for the call.
  int exists(const Directory* at, const char* path) override {
    constexpr int how = AT_SYMLINK_NOFOLLOW | AT_EACCESS;
    const auto call = [&] { return ::syscall(SYS_faccessat2, descriptor_of(at), path, F_OK, how); };
    if (uninterrupted(call) == 0) return 0;
    // Before Linux 5.8, or in a container that forbids it.
    return errno == ENOSYS || errno == EPERM ? PosixFileSystem::exists(at, path) : errno;
  }

  /// If there is a volume that could block, LinuxLinks first opens the target by O_PATH, which
  /// touches none of those, and statx is called on that. Otherwise one statx follows the link.
  int stat_target(const Directory* at, const char* path, OpenFlags flags, Needs wanted,
                  LinkTarget& found) override {
    const auto follow = [&] {
      return stat(at, path, {.follow = true}, wanted, found.metadata, found.got);
    };
    if (at == nullptr || (!flags.stay_on_volume && !flags.stay_off_network)) return follow();
    // A plain call is enough if no volume could block.
    int target = -1;
    constexpr int look = O_PATH | O_CLOEXEC;
    if (links_.some_may_wait(mount_id_)) {
      const int error = links_.open(at->fd, path, look, LinuxLinks::Scope::local, target);
      if (error != 0) return error;
    }
    const bool opened = target >= 0;
    Statx status{};
    const int how = AT_NO_AUTOMOUNT | (opened ? AT_EMPTY_PATH : 0);
    const unsigned mask = statx_mask(wanted) | statx_mount_id;
    const int from = opened ? target : at->fd;
    const auto ask = [&] { return statx(from, opened ? "" : path, how, mask, status); };
    int error = uninterrupted(ask) != 0 ? errno : 0;
    if (error == 0) {
      metadata_of_statx(status, found.metadata, found.got);
    } else if (error == ENOSYS || error == EPERM) {
      error = follow();
    }
    const std::uint64_t mount = reported_mount(status);
    if (error == 0 && mount != 0) {
      // A mount of the same volume elsewhere counts as another one, and a volume that was mounted
      // again has another id.
      found.elsewhere = mount != mount_id_ && mount != mount_of(at->fd);
    } else if (error == 0) {
      if (!opened) target = uninterrupted([&] { return ::openat(at->fd, path, look); });
      found.elsewhere = target >= 0 && !share_mount(target, at->fd, false);
    }
    if (target >= 0) ::close(target);
    return error;
  }

  /// File capabilities are an extended attribute; its length is enough.
  int has_capabilities(const Directory* at, const char* path, bool& answer) override {
    const long length = attributes_.value(at, path, false, "security.capability", nullptr, 0);
    answer = length > 0;
    return length < 0 ? errno : 0;
  }

  int acl(const Directory* at, const char* path, bool follow, AclKinds& found) override {
    std::string bytes;
    found = 0;
    int error = attribute_names(at, path, follow, bytes);
    if (error != 0) return error;
    found = acl_kinds_among(bytes);
    if ((found & acl_kinds::nfs4) == 0) return 0;
    error = attribute(at, path, follow, nfs4_acl_attribute.data(), bytes);
    if (error == 0 && is_plain_nfs4_acl(bytes)) found ^= acl_kinds::nfs4;
    return error == EFBIG ? 0 : error;  // too long to say what a mode says
  }

  int attribute_names(const Directory* at, const char* path, bool follow,
                      std::string& names) override {
    return read_growing(names, [&](char* buffer, std::size_t size) {
      return attributes_.names(at, path, follow, buffer, size);
    });
  }

  int attribute(const Directory* at, const char* path, bool follow, const char* name,
                std::string& value) override {
    return read_growing(value, [&](char* buffer, std::size_t size) {
      return attributes_.value(at, path, follow, name, buffer, size);
    });
  }

 private:
  /// Opens `path` within `bounds`. True if that is done: `fd` is open, or `error` is the reason.
  /// False if it must be opened by a plain call and checked afterwards. Links are followed by
  /// LinuxLinks, since RESOLVE_NO_XDEV refuses every absolute link, and relative ones that only
  /// pass through another mount.
  bool open_bounded(const Directory* at, const char* path, int flags, OpenFlags bounds, int& fd,
                    int& error) {
    if (bounds.follow && at != nullptr && (bounds.stay_on_volume || bounds.stay_off_network)) {
      const auto scope =
          bounds.stay_on_volume ? LinuxLinks::Scope::volume : LinuxLinks::Scope::local;
      error = links_.open(at->fd, path, flags, scope, fd);
      return true;
    }
    if (!bounds.stay_on_volume) return false;
    // `path` may have several components, none of which may be a link that replaced a directory.
    const std::uint64_t no_links = bounds.follow ? 0 : RESOLVE_NO_SYMLINKS;
    return links_.open_resolved(descriptor_of(at), path, flags, RESOLVE_NO_XDEV | no_links, fd,
                                error);
  }

  /// At the start of a hole, skips it and returns a few zeros: reading a terabyte of zeros takes a
  /// minute. False if there are bytes to read. Example: 4 KiB of text, a hole of 1 GiB and 4 KiB of
  /// text are read as 4 KiB of text, 4 KiB of zeros and 4 KiB of text.
  static bool skip_hole(File& file, char* bytes, std::size_t capacity, std::size_t& count) {
    constexpr std::size_t zeros = 4096;
    const auto position = static_cast<off_t>(file.position);
    // ENXIO: no data after the position. EINVAL: the file system does not support it.
    const off_t data = ::lseek(file.fd, position, SEEK_DATA);
    const bool only_hole_left = data < 0 && errno == ENXIO && file.position < file.size;
    const auto end = static_cast<off_t>(file.size);  // it may have grown since
    const off_t next = only_hole_left ? end : std::min(data, end);
    if (next < 0) file.has_holes = false;  // not supported; the position has not changed
    if (next <= position) return false;
    const off_t moved = ::lseek(file.fd, next, SEEK_SET);
    if (moved < 0) return false;
    file.position = static_cast<std::uint64_t>(moved);
    count = text::at_most(std::min(zeros, capacity), static_cast<std::uint64_t>(next - position));
    std::fill_n(bytes, count, '\0');
    return true;
  }

  /// True if the open file is on another mount than `at`. Those of the plan are not opened; this
  /// finds later ones.
  static bool has_left(const Directory* at, int fd) {
    return at != nullptr && !share_mount(fd, at->fd, true);
  }

  /// True if listings have the inodes of stat. Not on btrfs, whose subvolumes are devices of their
  /// own, nor on overlayfs and FUSE, whose listings are composed of others.
  static bool lists_inodes(const Volume& volume) {
    const std::string& name = volume.file_system;
    return name == "ext4" || name == "xfs" || name == "tmpfs" || name == "ext3" || name == "ext2";
  }

  const Reader reader_;
  const std::int64_t end_mark_;
  std::vector<std::string> network_names_;
  LinuxAttributes attributes_;
  LinuxLinks links_;
  std::uint64_t mount_id_;
  std::optional<std::uint64_t> listed_device_;
};

}  // namespace

// stat(2) has no birth time on Linux; only statx has.
Needs own_part_of_stat(const struct ::stat& status, Metadata& metadata) {
  metadata.modified = instant(status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  metadata.changed = instant(status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  metadata.accessed = instant(status.st_atim.tv_sec, status.st_atim.tv_nsec);
  metadata.created = {};
  metadata.special_major = major(status.st_rdev);
  metadata.special_minor = minor(status.st_rdev);
  return needs::modified | needs::changed | needs::accessed;
}

// Valid in this process and while `fd` is open. Needs /proc.
std::string path_of_descriptor(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

std::unique_ptr<CatalogScan> open_catalog(const Task&, const Bound&, Needs, int& error) {
  error = ENOTSUP;  // ext/ lists a device directory by directory
  return nullptr;
}

std::vector<Reader> readers() {
#if __has_include(<fts.h>)
  return {Reader::getdents, Reader::readdir, Reader::fts};
#else
  return {Reader::getdents, Reader::readdir};
#endif
}

std::unique_ptr<FileSystem> open_file_system(const Task& task) {
  return std::make_unique<LinuxFileSystem>(task);
}

MountTable mount_table() {
  // A chroot without /proc can be searched: the kernel keeps to the volumes without the table.
  try {
    MountTable table = parse_mountinfo(read_file("/proc/self/mountinfo"));
    for (Volume& volume : table) volume.device = makedev(volume.major, volume.minor);
    return table;
  } catch (const std::system_error& error) {
    const int reason = error.code().value();
    if (reason == ENOENT || reason == ENOTDIR || reason == EACCES) return {};
    throw;
  }
}

std::optional<VolumeSpace> space_of(const std::string& mount_point) {
  struct ::statfs volume {};
  if (uninterrupted([&] { return ::statfs(mount_point.c_str(), &volume); }) != 0) return {};
  const auto block = volume.f_frsize != 0 ? volume.f_frsize : volume.f_bsize;
  return space_in_blocks(static_cast<std::uint64_t>(block), volume.f_blocks, volume.f_bfree,
                         volume.f_bavail);
}

const SystemTraits system_traits = {.lacks = needs::added | needs::private_size,
                                    .hides_by_flag = false,
                                    .bsd_find = false,
                                    .flags = file_flags::of_linux};

// Linux has no side effects of reading that could be turned off.
void forbid_side_effects() {}
void allow_side_effects() {}
void allow_downloads() {}
std::string_view warning_before(const std::string&) {
  return {};
}
std::string_view advice(const std::string&, int error) {
  if (error == EMFILE) return "too many open files: raise `ulimit -n`";
  return {};
}

bool streams_tell_positions() {
  return sizeof(long) >= sizeof(off_t);  // glibc and musl: d_off, if it fits
}

// The volume is a mount id, which is reported since Linux 5.8; 0 before that.
PathFacts look_at(const std::string& path, bool follow) {
  PathFacts facts;
  Statx status{};
  const int how = AT_NO_AUTOMOUNT | at_flags(follow);
  long failed = uninterrupted(
      [&] { return statx(AT_FDCWD, path.c_str(), how, STATX_TYPE | statx_mount_id, status); });
  if (failed != 0 && (errno == ENOSYS || errno == EPERM)) {
    struct ::stat plain {};
    failed = ::fstatat(AT_FDCWD, path.c_str(), &plain, how);
    status.stx_mode = static_cast<std::uint16_t>(plain.st_mode);
  }
  if (failed != 0) {
    facts.error = errno;
    return facts;
  }
  facts.type = type_of_mode(status.stx_mode);
  facts.volume = reported_mount(status);
  return facts;
}

// By the links that udev keeps; a UUID serves as a label, too.
std::vector<std::string> sources_labelled(std::string_view label) {
  namespace fs = std::filesystem;
  std::vector<std::string> sources;
  for (const char* const folder : {"/dev/disk/by-label", "/dev/disk/by-uuid"}) {
    std::error_code error;
    const fs::path device = fs::canonical(fs::path(folder) / label, error);
    if (!error) sources.push_back(device.string());
  }
  return sources;
}

Nanoseconds monotonic_now() {
  return read_clock(CLOCK_MONOTONIC);
}

Nanoseconds monotonic_coarse_now() {
  return read_clock(CLOCK_MONOTONIC_COARSE);
}

// schedstat has three numbers: nanoseconds on a processor, nanoseconds of being ready and waiting
// for one, and time slices. ru_inblock counts blocks of 512 bytes read from devices.
std::optional<ThreadWaits> FileSystem::thread_waits() const {
  rusage usage{};
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return {};
  const int fd = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::array<char, 128> text{};
  const ssize_t length = ::read(fd, text.data(), text.size() - 1);
  ::close(fd);
  long long running = 0;
  long long ready = 0;
  // Zeros if the kernel was built without schedstats.
  const bool known = length > 0 && std::sscanf(text.data(), "%lld %lld", &running, &ready) == 2;
  if (!known || running == 0) return {};
  return ThreadWaits{ready, static_cast<std::uint64_t>(usage.ru_inblock)};
}

// Mixed processors of x86 and ARM are told apart by files in /sys that not all of them have, and no
// file system of Linux was found to be slower with all of them.
unsigned fast_processors() {
  return 0;
}

unsigned processors() {
  // Processors that this process may run on (taskset, cpusets).
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0) {
    return static_cast<unsigned>(CPU_COUNT(&allowed));
  }
  return std::max(1U, std::thread::hardware_concurrency());  // more than 1024 processors
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // man 2 getrusage: KiB on Linux
}

}  // namespace ffind::os
