// SPDX-License-Identifier: MIT
// macOS: the file system of one task, and functions about the machine.
//
// DarwinFileSystem refines PosixFileSystem:
//
//     boundaries     open() opens by POSIX calls and then compares the opened file's volume with
//                    the expected one, since no call refuses to leave a volume
//     metadata       stat() adds the time of addition and the private size, which no stat has, by
//                    getattrlistat
//     attributes     read by path, since no call takes one relative to a directory. The path comes
//                    from F_GETPATH; a descriptor takes its place if it would be too long
//     bundle marks   one bit of the Finder's information
//
// The id of a volume is an fsid, as in the mount table. Neither st_dev nor ATTR_CMN_FSID of a file
// serves: the volumes of a group, such as the system and its Data volume, may have common ones.
// ATTR_CMNEXT_REALFSID is the fsid of the mount that has the file.
//
// Reading must not change anything (side_effects): a directory or file whose contents are only in a
// cloud fails with EDEADLK instead of being fetched.
#include <fcntl.h>
#include <sys/attr.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <utility>

#include "os/darwin/file_system.h"
#include "os/formats/access_lists.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/file_system.h"

#if __has_include(<sys/xattr.h>)
#include <sys/xattr.h>
#else
// Public since macOS 10.4, but missing in some sets of headers: declared as Apple does.
#define XATTR_NOFOLLOW 0x0001
extern "C" {
ssize_t getxattr(const char*, const char*, void*, size_t, std::uint32_t, int);
ssize_t fgetxattr(int, const char*, void*, size_t, std::uint32_t, int);
ssize_t listxattr(const char*, char*, size_t, int);
ssize_t flistxattr(int, char*, size_t, int);
}
#endif

namespace ffind::os {

namespace darwin {

::attrlist list_of(const AttributeSet& attributes) {
  ::attrlist list{};
  list.bitmapcount = ATTR_BIT_MAP_COUNT;
  list.commonattr = attributes.common;
  list.volattr = attributes.volume;
  list.dirattr = attributes.directory;
  list.fileattr = attributes.file;
  list.forkattr = attributes.fork;
  return list;
}

namespace {

/// Both forms of volume_id_of: `ask` is the call with a list and a buffer. The kernel packs the set
/// of returned attributes first, then the values of the common group and of CMNEXT, which is passed
/// as the fork group (FSOPT_ATTR_CMN_EXTENDED). Without REALFSID in the returned set, plain FSID is
/// the best there is.
template <typename Ask>
int ask_volume(std::uint64_t& id, Ask ask) {
  AttributeSet wanted;
  wanted.common = attr::cmn_returned_attrs | attr::cmn_fsid;
  wanted.fork = ATTR_CMNEXT_REALFSID;
  ::attrlist list = list_of(wanted);
  struct {
    // In the kernel's order; no padding, since all members are words.
    std::uint32_t length;
    std::uint32_t returned[5];
    std::int32_t fsid[2];
    std::int32_t real_fsid[2];
  } answer{};
  if (ask(&list, &answer, sizeof answer) != 0) return errno;
  const bool real = (answer.returned[4] & ATTR_CMNEXT_REALFSID) != 0;
  const std::int32_t* const fsid = real ? answer.real_fsid : answer.fsid;
  id = fsid_number(fsid[0], fsid[1]);
  return 0;
}

}  // namespace

int volume_id_of(int directory, const char* path, unsigned options, std::uint64_t& id) {
  return ask_volume(id, [&](::attrlist* list, void* answer, std::size_t size) {
    return ::getattrlistat(directory, path, list, answer, size, options | FSOPT_ATTR_CMN_EXTENDED);
  });
}

int volume_id_of(int fd, std::uint64_t& id) {
  return ask_volume(id, [&](::attrlist* list, void* answer, std::size_t size) {
    return ::fgetattrlist(fd, list, answer, size, FSOPT_ATTR_CMN_EXTENDED);
  });
}

}  // namespace darwin

namespace {

using namespace darwin;

/// A file for the calls of extended attributes: its path, or a descriptor if the path is too long.
class AttributeFile {
 public:
  AttributeFile(const Directory* at, const char* path, bool follow)
      : options_(follow ? 0 : XATTR_NOFOLLOW) {
    if (at == nullptr) {
      path_ = path;
      return;
    }
    // Every call costs an F_GETPATH: names of directories may change between two calls.
    path_ = path_of_descriptor(at->fd);
    if (!path_.empty() && path_.size() + 1 + std::strlen(path) < MAXPATHLEN) {
      path_.append("/").append(path);
      return;
    }
    // O_SYMLINK opens the link itself; O_EVTONLY downloads nothing.
    const int flags = O_EVTONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_SYMLINK);
    file_ = Descriptor(::openat(at->fd, path, flags));
    if (file_.get() < 0) error_ = errno;
  }

  int error() const { return error_; }
  /// Result of the system call: a length, or -1 and errno. With a null buffer the length needed.
  long names(char* buffer, std::size_t size) const {
    return file_.get() >= 0 ? ::flistxattr(file_.get(), buffer, size, 0)
                            : ::listxattr(path_.c_str(), buffer, size, options_);
  }
  long value(const char* name, char* buffer, std::size_t size) const {
    return file_.get() >= 0 ? ::fgetxattr(file_.get(), name, buffer, size, 0, 0)
                            : ::getxattr(path_.c_str(), name, buffer, size, 0, options_);
  }

 private:
  std::string path_;
  int options_;
  Descriptor file_;
  int error_ = 0;
};

/// On other file systems the kernel emulates getattrlistbulk: it looks up each name, and omits
/// those that it cannot. SMB implements it only for servers with named streams (smbfs_vfsops.c of
/// SMBClient), and says so.
bool has_own_bulk_call(const Volume& volume) {
  const std::string& name = volume.file_system;
  if (name == "smbfs") return volume.bulk_claimed;
  return name == "apfs" || name == "hfs" || name == "afpfs";
}

/// False for servers that store neither flags nor the Finder's record, such as NFS and WebDAV.
bool has_flags(const Volume& volume) {
  const std::string& name = volume.file_system;
  return volume.kind != VolumeKind::network || name == "smbfs" || name == "afpfs";
}

/// The file system of one task.
class DarwinFileSystem final : public PosixFileSystem {
 public:
  explicit DarwinFileSystem(const Task& task)
      : reader_(task.choice.reader),
        wanted_(task.wanted),
        firmlinks_(task.volume.group != 0),
        has_own_bulk_call_(has_own_bulk_call(task.volume)),
        volume_id_(task.volume.id),
        has_flags_(has_flags(task.volume)) {
    if (reader_ == Reader::fts) network_names_ = names_of_network_volumes(task);
  }

  /// readdir, bulk or fts, then the readers that can go on where it cannot. A paused stream of
  /// readdir has to keep its buffer, so a directory that is read in parts begins with bulk, if that
  /// call is the volume's own and loses no names.
  std::unique_ptr<DirectoryReader> make_reader(DirectoryOpener& opener) override {
    std::vector<std::unique_ptr<KernelReader>> readers;
    const bool by_names = reader_ != Reader::bulk && reader_ != Reader::fts;
    if (by_names && !has_own_bulk_call_) return make_readdir_reader(opener);
    if (by_names) readers.push_back(make_readdir_reader(opener));
    if (reader_ == Reader::fts) {
      readers.push_back(make_bounded_fts_reader(opener, network_names_));
    }
    readers.push_back(make_bulk_reader(opener, wanted_, firmlinks_));
    readers.push_back(make_readdir_reader(opener));
    return make_reader_chain(opener, std::move(readers), by_names ? 1 : 0);
  }

  /// The mount point of another volume is opened and closed again: by then it has been touched, but
  /// an automount trigger has not mounted anything (IOPOL_VFS_TRIGGER_RESOLVE_OFF).
  int open(const Directory* at, const char* path, OpenFlags flags, Directory& opened) override {
    int error = flags.follow ? check_target(at, path, flags) : 0;
    if (error == 0) error = open_unlinked(at, path, flags, opened);
    if (error != 0) return error;
    // If its volume is unknown, do not lose its contents.
    if (volume_id_of(opened.fd, opened.volume) != 0) opened.volume = 0;
    if (!flags.stay_on_volume || !is_elsewhere(at, opened.volume)) return 0;
    close(opened);
    return EXDEV;
  }

  int open_file(const Directory* at, const char* path, OpenFlags flags, File& opened) override {
    int error = flags.follow ? check_target(at, path, flags) : 0;
    if (error == 0) error = PosixFileSystem::open_file(at, path, flags, opened);
    // Volumes are mounted on directories only; a link may lead anywhere.
    if (error != 0 || !flags.stay_on_volume || !flags.follow) return error;
    std::uint64_t found = 0;
    if (volume_id_of(opened.fd, found) != 0 || !is_elsewhere(at, found)) return 0;
    close_file(opened);
    return EXDEV;
  }

  int stat(const Directory* at, const char* path, StatFlags flags, Needs wanted, Metadata& metadata,
           Needs& got) override {
    if (flags.at_hand_only) {
      // No call avoids waiting for a server.
      metadata.mode = S_IFDIR;
      got = needs::type;
      return 0;
    }
    // With --no-hidden in a configuration each name would be two requests to the server.
    if (wanted == needs::hidden && !has_flags_) {
      metadata.hidden = false;
      got = needs::hidden;
      return 0;
    }
    const int error = PosixFileSystem::stat(at, path, flags, wanted, metadata, got);
    if (error != 0) return error;
    if ((wanted & needs::added) != 0 && time_added(at, path, flags.follow, metadata.added)) {
      got |= needs::added;
    }
    if ((wanted & needs::private_size) != 0 &&
        private_size(at, path, flags.follow, metadata.private_size)) {
      got |= needs::private_size;
    }
    if ((wanted & needs::hidden) != 0 && is_hidden(at, path, flags.follow, metadata)) {
      got |= needs::hidden;
    }
    return 0;
  }

  /// A list is requested of each entry by itself: with it in the request the kernel would look up
  /// each name of a bulk listing (xnu bsd/vfs/vfs_attrlist.c, "expensive" operations).
  int acl(const Directory* at, const char* path, bool follow, AclKinds& found) override {
    std::array<char, darwin_acl_record> record{};
    AttributeSet wanted;
    wanted.common = attr::cmn_returned_attrs | attr::cmn_extended_security;
    const int error = ask(at, path, follow, wanted, record);
    found = error == 0 && has_darwin_acl({record.data(), record.size()}) ? acl_kinds::extended
                                                                         : AclKinds{0};
    return error;
  }

  int stat_target(const Directory* at, const char* path, OpenFlags flags, Needs wanted,
                  LinkTarget& target) override {
    const int error = check_target(at, path, flags);
    if (error != 0) return error;
    return stat(at, path, {.follow = true}, wanted, target.metadata, target.got);
  }

  int attribute_names(const Directory* at, const char* path, bool follow,
                      std::string& names) override {
    const AttributeFile file(at, path, follow);
    if (file.error() != 0) return file.error();
    const int error = read_growing(
        names, [&](char* buffer, std::size_t size) { return file.names(buffer, size); });
    return error == EPERM && is_device(at, path, follow) ? ENOTSUP : error;
  }

  int attribute(const Directory* at, const char* path, bool follow, const char* name,
                std::string& value) override {
    const AttributeFile file(at, path, follow);
    if (file.error() != 0) return file.error();
    const int error = read_growing(
        value, [&](char* buffer, std::size_t size) { return file.value(name, buffer, size); });
    // macOS has both errnos; FileSystem::attribute returns ENODATA on all systems.
    if (error == ENOATTR) return ENODATA;
    return error == EPERM && is_device(at, path, follow) ? ENOTSUP : error;
  }

  /// kHasBundle in the flags of com.apple.FinderInfo: the Finder shows such a directory as one
  /// file. A link is followed, so the mark is its target's.
  bool marks_bundles() const override { return true; }
  int has_bundle_mark(const Directory* at, const char* path, bool& answer) override {
    unsigned char flags = 0;
    const int error = finder_flags(at, path, true, flags);
    answer = (flags & finder_bundle) != 0;
    return error;
  }

 private:
  /// True for a device, which has no attributes: EPERM, not ENOTSUP (XNU, XATTR_VNODE_SUPPORTED).
  static bool is_device(const Directory* at, const char* path, bool follow) {
    struct ::stat status {};
    const int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
    return ::fstatat(descriptor_of(at), path, &status, flags) == 0 &&
           (S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode));
  }

  /// EXDEV if `path` leads to a target that must not be waited for. The volume of the directory is
  /// the task's if it is unknown.
  int check_target(const Directory* at, const char* path, OpenFlags flags) {
    if (at == nullptr || (!flags.stay_on_volume && !flags.stay_off_network)) return 0;
    return links_.check(at->fd, path, at->volume != 0 ? at->volume : volume_id_);
  }

  /// Reads attributes of the entry into `answer`, which has their layout; 0 or an errno.
  template <typename Answer>
  static int ask(const Directory* at, const char* path, bool follow, const AttributeSet& wanted,
                 Answer& answer) {
    ::attrlist list = list_of(wanted);
    return ::getattrlistat(descriptor_of(at), path, &list, &answer, sizeof answer,
                           (follow ? 0U : FSOPT_NOFOLLOW) | FSOPT_ATTR_CMN_EXTENDED) != 0
               ? errno
               : 0;
  }

  /// Opens `path`; unless links are followed, none may have replaced one of its directories.
  /// O_NOFOLLOW_ANY (macOS 11) refuses links anywhere in a path, which with POSIX takes a call for
  /// each name.
  int open_unlinked(const Directory* at, const char* path, OpenFlags flags, Directory& opened) {
    if (at == nullptr || flags.follow) return PosixFileSystem::open(at, path, flags, opened);
    const int how = (open_flags(flags) & ~O_NOFOLLOW) | O_NOFOLLOW_ANY;
    const int fd = uninterrupted([&] { return ::openat(at->fd, path, how); });
    if (fd < 0) return errno;
    opened = Directory{};
    opened.file_system = this;
    opened.fd = fd;
    return 0;
  }

  /// True if `volume` is another one than that of the open directory `at`; false if either is
  /// unknown. Not compared with the task's: below a link that --cross-volumes followed, directories
  /// are on the volume of the link's target.
  static bool is_elsewhere(const Directory* at, std::uint64_t volume) {
    return at != nullptr && at->volume != 0 && volume != 0 && at->volume != volume;
  }

  /// Reads the upper byte of the Finder's flags; 0 if the file has none. 0 or an errno.
  static int finder_flags(const Directory* at, const char* path, bool follow,
                          unsigned char& flags) {
    struct {
      std::uint32_t length;
      unsigned char finder_info[32];
    } information{};
    AttributeSet wanted;
    wanted.common = attr::cmn_fndrinfo;
    const int error = ask(at, path, follow, wanted, information);
    const bool known = error == 0 && information.length == sizeof information;
    flags = known ? information.finder_info[finder_flags_at] : 0;
    return error;
  }

  /// Sets metadata.hidden from its flags and the Finder's. False if those cannot be read.
  static bool is_hidden(const Directory* at, const char* path, bool follow, Metadata& metadata) {
    metadata.hidden = (metadata.flags & file_flags::hidden) != 0;
    if (metadata.hidden) return true;
    unsigned char flags = 0;
    const int error = finder_flags(at, path, follow, flags);
    metadata.hidden = (flags & finder_invisible) != 0;
    return error == 0 || error == EINVAL || error == ENOTSUP;  // the volume has no such flags
  }

  /// Reads the one time that stat does not return. False if the volume does not record it.
  static bool time_added(const Directory* at, const char* path, bool follow, Instant& added) {
    struct {
      std::uint32_t length;
      std::uint32_t returned[5];
      std::int64_t seconds;
      std::int64_t fraction;
    } answer{};
    AttributeSet wanted;
    wanted.common = attr::cmn_returned_attrs | attr::cmn_addedtime;
    if (ask(at, path, follow, wanted, answer) != 0 ||
        (answer.returned[0] & attr::cmn_addedtime) == 0) {
      return false;
    }
    added = instant(answer.seconds, answer.fraction);
    return true;
  }

  /// False if the volume does not record what a file shares with its clones.
  static bool private_size(const Directory* at, const char* path, bool follow,
                           std::uint64_t& size) {
    struct {
      std::uint32_t length;
      std::uint32_t returned[5];
      std::uint64_t size;
    } answer{};
    AttributeSet wanted;
    wanted.common = attr::cmn_returned_attrs;
    wanted.fork = attr::cmnext_private_size;
    if (ask(at, path, follow, wanted, answer) != 0 || answer.returned[4] != wanted.fork) {
      return false;
    }
    size = answer.size;
    return true;
  }

  const Reader reader_;
  const Needs wanted_;
  /// The task's volume is one of a group, so some directories may be firmlinks.
  const bool firmlinks_;
  const bool has_own_bulk_call_;
  const std::uint64_t volume_id_;
  const bool has_flags_;
  std::vector<std::string> network_names_;
  MacLinks links_;
};

/// A policy of setiopolicy_np(3) and its value that turns off a side effect of reading, in the
/// scope of the process, so that it applies to threads started later. No privilege is needed.
struct SideEffect {
  int type;
  int off;
};
constexpr std::array<SideEffect, 3> side_effects = {{
    {IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES, IOPOL_MATERIALIZE_DATALESS_FILES_OFF},
    {IOPOL_TYPE_VFS_TRIGGER_RESOLVE, IOPOL_VFS_TRIGGER_RESOLVE_OFF},
    {IOPOL_TYPE_VFS_ATIME_UPDATES, IOPOL_ATIME_UPDATES_OFF},
}};
// mutable: the policies at the start of this process, read once before there are threads; -1 if the
// system does not know one. Commands inherit policies, and the first one would forbid downloads to
// them, too. They are restored as read: DEFAULT of the first one means off for a process.
std::array<int, side_effects.size()> original_policies = {-1, -1, -1};

}  // namespace

Needs own_part_of_stat(const struct ::stat& status, Metadata& metadata) {
  const auto time = [](const timespec& value) { return instant(value.tv_sec, value.tv_nsec); };
  metadata.modified = time(status.st_mtimespec);
  metadata.changed = time(status.st_ctimespec);
  metadata.accessed = time(status.st_atimespec);
  metadata.created = time(status.st_birthtimespec);
  metadata.flags = flags_of(status.st_flags);
  metadata.known_flags = file_flags::of_macos;
  const auto special = static_cast<std::uint32_t>(status.st_rdev);
  metadata.special_major = special >> 24U;
  metadata.special_minor = special & 0xFFFFFFU;
  return needs::modified | needs::changed | needs::accessed | needs::created | needs::flags;
}

// F_GETPATH fails for a path longer than MAXPATHLEN; the caller then does without one.
std::string path_of_descriptor(int fd) {
  char path[MAXPATHLEN] = {};
  return ::fcntl(fd, F_GETPATH, path) == 0 ? path : std::string();
}

// False: telldir returns a key into a list of positions that belongs to this stream, so no other
// stream and no lseek of the descriptor can use it.
bool streams_tell_positions() {
  return false;
}

// Two calls, both of which block if the server of `path` is dead. Without `follow` the volume stays
// 0, since statfs always follows links.
PathFacts look_at(const std::string& path, bool follow) {
  PathFacts facts;
  struct ::stat status {};
  if (::fstatat(AT_FDCWD, path.c_str(), &status, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0) {
    facts.error = errno;
    return facts;
  }
  facts.type = type_of_mode(status.st_mode);
  // Not by attributes of the file, which may be the same on all volumes of a group.
  struct ::statfs volume {};
  if (follow && ::statfs(path.c_str(), &volume) == 0) {
    facts.volume = fsid_number(volume.f_fsid.val[0], volume.f_fsid.val[1]);
  }
  return facts;
}

std::vector<Reader> readers() {
  return {Reader::bulk, Reader::readdir, Reader::fts};
}

std::unique_ptr<FileSystem> open_file_system(const Task& task) {
  return std::make_unique<DarwinFileSystem>(task);
}

const SystemTraits system_traits = {
    .lacks = needs::none, .hides_by_flag = true, .bsd_find = true, .flags = file_flags::of_macos};

// Called at the start of run(), before a thread or a file is used.
void forbid_side_effects() {
  // Older versions do not know all policies, and have no replacement: errors are ignored.
  for (std::size_t i = 0; i < side_effects.size(); ++i) {
    const SideEffect& effect = side_effects[i];
    original_policies[i] = ::getiopolicy_np(effect.type, IOPOL_SCOPE_PROCESS);
    ::setiopolicy_np(effect.type, IOPOL_SCOPE_PROCESS, effect.off);
  }
}

// Runs in the child between fork and exec: system calls only, no heap. Because of these calls,
// which would change the parent, commands are started by fork and not by vfork on macOS.
void allow_side_effects() {
  for (std::size_t i = 0; i < side_effects.size(); ++i) {
    if (original_policies[i] < 0) continue;
    ::setiopolicy_np(side_effects[i].type, IOPOL_SCOPE_PROCESS, original_policies[i]);
  }
}

void allow_downloads() {
  ::setiopolicy_np(IOPOL_TYPE_VFS_MATERIALIZE_DATALESS_FILES, IOPOL_SCOPE_PROCESS,
                   IOPOL_MATERIALIZE_DATALESS_FILES_ON);
}

std::string_view advice(const std::string& path, int error) {
  // Permissions of files cause EACCES, protection by the system EPERM.
  if (error != EPERM) return {};
  // A data vault stays closed with Full Disk Access, too: only its own program may open it.
  constexpr unsigned data_vault = 0x00000080;  // UF_DATAVAULT of <sys/stat.h>
  struct ::stat status {};
  if (::lstat(path.c_str(), &status) == 0 && (status.st_flags & data_vault) != 0) return {};
  return "macOS protects such folders: allow your terminal Full Disk Access in System "
         "Settings > Privacy & Security";
}

std::string_view warning_before(const std::string& root) {
  const std::optional<std::string> home = environment("HOME");
  if (!home || home->size() < 2 || home->front() != '/') return {};
  const std::string library = *home + "/Library";
  if (!lies_within(library, root) && !lies_within(root, library)) return {};
  // This folder is refused without Full Disk Access and, unlike those of other programs, without a
  // question to the user.
  const std::string probe = library + "/Application Support/com.apple.TCC";
  const int fd = ::open(probe.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) ::close(fd);
  if (fd >= 0 || errno != EPERM) return {};
  return "macOS will ask you about folders of other programs here, and the search waits for each "
         "answer\n  to be asked nothing: allow your terminal Full Disk Access in System Settings > "
         "Privacy & Security";
}

// Both by the processor's counter, so that times of one can be subtracted from those of the other.
// CLOCK_MONOTONIC is the time of day since the start, and drifts from it by seconds in a month.
Nanoseconds monotonic_now() {
  return read_clock(CLOCK_MONOTONIC_RAW);
}

Nanoseconds monotonic_coarse_now() {
  return read_clock(CLOCK_MONOTONIC_RAW_APPROX);
}

std::optional<ThreadWaits> FileSystem::thread_waits() const {
  // The system does not report how long a thread was ready to run. That time is taken to be 0
  // unless the load average of the last minute is above the number of processors; then nullopt, and
  // no stall is measured. `ru_inblock` is the whole process's, not this thread's.
  double ready = 0;
  rusage usage{};
  if (::getloadavg(&ready, 1) != 1 || ready > processors()) return {};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return {};
  return ThreadWaits{0, static_cast<std::uint64_t>(usage.ru_inblock)};
}

unsigned fast_processors() {
  // sysctl(3): level 0 is the fastest, and the only one of Macs with Intel processors.
  std::int32_t count = 0;
  std::size_t size = sizeof count;
  const bool known = ::sysctlbyname("hw.perflevel0.logicalcpu", &count, &size, nullptr, 0) == 0;
  return known && size == sizeof count && count > 0 ? static_cast<unsigned>(count) : 0;
}

unsigned processors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);  // man 2 getrusage: bytes on macOS
}

}  // namespace ffind::os
