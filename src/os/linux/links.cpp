// SPDX-License-Identifier: MIT
// Resolution of a path name by name. LinkWalk looks up each name with RESOLVE_NO_XDEV, follows
// links itself, and crosses into another mount only after the mount table shows that its volume
// cannot block. Once no mount is in the way, openat2 opens the rest of the path in one call.
//
// State of a walk: `here_`, an O_PATH descriptor of what was reached, and `rest_`, the path from
// there. For cfg/app.conf below /src, where `cfg` is a link to /etc/app, and /etc another mount:
//
//     here_           rest_                 step
//     /src            "cfg/app.conf"        cfg is a link: its text is put before the rest
//     /               "/etc/app/app.conf"   open_rest: EXDEV, a mount is in the way
//     /               "/etc/app/app.conf"   etc: EXDEV; the table has it, and it is local: crossed
//     /etc            "app/app.conf"        open_rest opens it
//
// An EXDEV has two meanings, told apart by refused_: "a mount is in the way of the rest", after
// which the walk takes a step, and "the target is out of scope", which is the result.
#include "os/linux/links.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <unordered_map>
#include <utility>
#include <vector>

#include "os/files.h"
#include "os/linux/statx.h"
#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "text/paths.h"

namespace ffind::os {
namespace {

constexpr int most_links = 40;  // the kernel's own limit
/// Flags for looking up a name without following a link or mounting anything.
constexpr int just_look = O_PATH | O_NOFOLLOW | O_CLOEXEC;

/// Absolute and canonical path of an open directory; empty without /proc.
std::string path_of(int fd) {
  std::string path;
  const std::string link = path_of_descriptor(fd);
  return read_link_text(AT_FDCWD, link.c_str(), path) == 0 ? path : std::string();
}

bool is_link(int fd) {
  struct ::stat status {};
  return ::fstat(fd, &status) == 0 && S_ISLNK(status.st_mode);
}

/// Reads the text of an open symbolic link: readlinkat with an empty path is about the descriptor.
/// 0 or an errno. An empty text is ENOENT, as for the kernel.
int target_of(int link, std::string& target) {
  const int error = read_link_text(link, "", target);
  return error == 0 && target.empty() ? ENOENT : error;
}

struct Place {
  std::uint64_t device = 0;
  std::uint64_t mount = 0;  ///< 0 if statx does not report it
};

Place place_of(int fd) {
  Statx status{};
  constexpr int how = AT_EMPTY_PATH | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  if (statx(fd, "", how, statx_mount_id, status) != 0) {  // before Linux 4.11
    struct ::stat plain {};
    return {::fstat(fd, &plain) == 0 ? plain.st_dev : 0, 0};
  }
  return {makedev(status.stx_dev_major, status.stx_dev_minor), reported_mount(status)};
}

}  // namespace

// A line "mnt_id:\t26" of /proc since Linux 3.15.
std::uint64_t mount_of(int fd) {
  const std::uint64_t reported = place_of(fd).mount;
  if (reported != 0) return reported;
  constexpr std::string_view key = "mnt_id:";
  constexpr std::size_t most = 65'536;
  std::string text;
  if (read_to_end("/proc/self/fdinfo/" + std::to_string(fd), most, text) != 0) return 0;
  const std::size_t at = text.find(key);
  return at == std::string::npos ? 0 : std::strtoull(&text[at + key.size()], nullptr, 10);
}

bool share_mount(int one, int other, bool by_device) {
  const Place place = place_of(one);
  const Place second = place_of(other);
  if (place.mount != 0) return place.mount == second.mount;
  const bool same_device = place.device == second.device;
  if (same_device && by_device) return true;
  const std::uint64_t mount = mount_of(one);
  return mount != 0 ? mount == mount_of(other) : same_device;
}

/// The mount table with the look-ups that links need, since hosts of containers have thousands of
/// mounts. Immutable.
class LinuxLinks::Mounts {
 public:
  explicit Mounts(MountTable table) : table_(std::move(table)) {
    for (const Volume& volume : table_) {
      by_id_.emplace(volume.id, &volume);
      // The last volume mounted on a directory hides the others.
      if (!volume.hidden) by_path_.insert_or_assign(volume.mount_point, &volume);
      if (may_wait(volume, 0)) may_wait_.push_back(volume.id);
    }
  }
  /// Both return null if there is none.
  const Volume* numbered(std::uint64_t id) const { return found(by_id_, id); }
  const Volume* mounted_at(std::string_view path) const { return found(by_path_, path); }
  /// Ids of the volumes that may block.
  const std::vector<std::uint64_t>& that_may_wait() const { return may_wait_; }

 private:
  template <typename Map, typename Key>
  static const Volume* found(const Map& map, Key key) {
    const auto at = map.find(key);
    return at != map.end() ? at->second : nullptr;
  }

  const MountTable table_;
  std::unordered_map<std::uint64_t, const Volume*> by_id_;
  std::unordered_map<std::string_view, const Volume*> by_path_;
  std::vector<std::uint64_t> may_wait_;
};

/// Resolution of one path: the directory reached, and the rest of the path.
class LinuxLinks::LinkWalk {
 public:
  LinkWalk(LinuxLinks& links, int at, const char* path, Scope scope)
      : links_(links), scope_(scope), home_(mount_of(at)), at_(at), rest_(path) {}

  /// Goes one name further and opens the rest in one call, until no boundary is left in it.
  int open(int flags, int& fd) {
    while (true) {
      int error = step();
      if (error == 0) error = open_rest(flags, fd);
      // Another mount is in the way.
      if (error != EXDEV || rest_.empty() || refused_) return error;
    }
  }

 private:
  int here() const { return is_at_start() ? at_ : here_.get(); }
  bool is_at_start() const { return here_.get() < 0; }

  /// Makes `error` the result of the whole resolution.
  int refuse(int error) {
    refused_ = true;
    return error;
  }

  /// True if the directory reached may be opened. On the way other volumes may be crossed.
  bool is_within_scope() const {
    return scope_ == Scope::local || is_at_start() || share_mount(here_.get(), at_, false);
  }

  /// Goes one name further, across the boundary of a mount if necessary. A link leaves `here_` at
  /// its directory, or at "/" if its text is absolute, and is put into `rest_`.
  int step() {
    const std::string name = take_component(rest_);
    // "." is looked up, too: below a file, as in "file/", it is an error.
    if (name.empty()) return 0;
    int fd = -1;
    int error = look_inside(name, fd);
    if (error == EXDEV) {
      error = cross(name, fd);
      // A mount point is a directory, so entering and leaving it needs no look-up.
      if (error == EXDEV && leads_back()) return 0;
    }
    if (error != 0) return refuse(error);
    if (!is_link(fd)) {
      here_ = Descriptor(fd);
      return 0;
    }
    std::string target;
    error = ++count_ > most_links ? ELOOP : target_of(fd, target);
    ::close(fd);
    if (error != 0) return refuse(error);
    if (!rest_.empty()) target.append("/").append(rest_);
    rest_.swap(target);
    if (rest_.front() != '/') return 0;
    fd = uninterrupted([&] { return ::open("/", just_look); });
    if (fd < 0) return refuse(errno);
    here_ = Descriptor(fd);
    return 0;
  }

  /// Removes the next name if it is ".."; returns whether it was. "mnt/../x" is then x, though mnt
  /// is not entered.
  bool leads_back() {
    std::string behind = rest_;
    if (take_component(behind) != "..") return false;
    rest_.swap(behind);
    return true;
  }

  /// Opens the rest of the path in one call; EXDEV if it crosses a boundary.
  int open_rest(int flags, int& fd) {
    const bool wanted = is_within_scope();
    if (rest_.empty()) return wanted ? open_here(flags, fd) : refuse(EXDEV);
    int error = 0;
    const int how = wanted ? flags & ~O_NOFOLLOW : O_PATH | O_CLOEXEC;
    if (!links_.open_resolved(here(), rest_.c_str() + leading_slashes(), how, RESOLVE_NO_XDEV, fd,
                              error)) {
      return EXDEV;  // then name by name
    }
    if (error == 0 && !wanted) {
      ::close(fd);
      return refuse(EXDEV);
    }
    // With the text of a link before it, the path may exceed PATH_MAX.
    const bool too_long = error == ENAMETOOLONG && rest_.size() >= PATH_MAX;
    if (error == EXDEV || too_long) return EXDEV;
    return refuse(error);
  }

  /// Number of leading slashes of an absolute target, which is resolved from the root. Appends "."
  /// if nothing else is left.
  std::size_t leading_slashes() {
    const std::size_t count = std::min(rest_.find_first_not_of('/'), rest_.size());
    if (count == rest_.size()) rest_ += '.';
    return count;
  }

  /// Opens the entry reached, which is not a link.
  int open_here(int flags, int& fd) {
    const bool directory = (flags & O_DIRECTORY) != 0;
    const std::string path = directory ? "." : path_of_descriptor(here());
    fd = uninterrupted([&] { return ::openat(here(), path.c_str(), flags & ~O_NOFOLLOW); });
    return refuse(fd < 0 ? errno : 0);
  }

  /// Looks up `name` on the present mount; EXDEV if another volume is mounted there. Without
  /// openat2, by the mount table.
  int look_inside(const std::string& name, int& fd) {
    int error = 0;
    if (links_.open_resolved(here(), name.c_str(), just_look, RESOLVE_NO_XDEV, fd, error)) {
      return error;
    }
    const std::string path = path_of(here());
    if (path.empty()) return ENOTSUP;
    const bool edge =
        links_.table()->mounted_at(name == ".." ? path : text::join_paths(path, name)) != nullptr;
    if (edge) return EXDEV;
    fd = uninterrupted([&] { return ::openat(here(), name.c_str(), just_look); });
    return fd < 0 ? errno : 0;
  }

  /// Looks up `name` across a boundary; EXDEV if the volume beyond it may block.
  int cross(const std::string& name, int& fd) {
    Table table = links_.table();
    const Volume* volume = behind_edge(*table, name);
    if (volume == nullptr) {  // mounted after the table was read
      table = links_.fresh_table();
      volume = behind_edge(*table, name);
    }
    if (volume == nullptr) return ENOTSUP;
    if (may_wait(*volume, home_)) return EXDEV;
    fd = uninterrupted([&] { return ::openat(here(), name.c_str(), just_look); });
    return fd < 0 ? errno : 0;
  }

  /// The volume beyond the boundary at `name`; null if it is not in the table.
  const Volume* behind_edge(const Mounts& table, const std::string& name) const {
    const std::string path = path_of(here());
    if (path.empty()) return nullptr;
    if (name != "..") return table.mounted_at(text::join_paths(path, name));
    const std::uint64_t id = mount_of(here());
    const Volume* const volume = id != 0 ? table.numbered(id) : table.mounted_at(path);
    return volume != nullptr ? table.numbered(volume->parent) : nullptr;
  }

  LinuxLinks& links_;
  const Scope scope_;
  const std::uint64_t home_;  ///< mount id of `at_`; 0 if unknown
  const int at_;
  Descriptor here_;  ///< none at the start, which is `at_`
  std::string rest_;
  int count_ = 0;         ///< links followed so far
  bool refused_ = false;  ///< the error is final, whatever is left
};

int LinuxLinks::open(int at, const char* path, int flags, Scope scope, int& fd) {
  int error = 0;
  // Nearly all links stay on their volume.
  if (open_resolved(at, path, flags & ~O_NOFOLLOW, RESOLVE_NO_XDEV, fd, error) && error != EXDEV) {
    return error;
  }
  return LinkWalk(*this, at, path, scope).open(flags, fd);
}

bool LinuxLinks::some_may_wait(std::uint64_t home) {
  const Table all = table();
  const std::vector<std::uint64_t>& ids = all->that_may_wait();
  return std::any_of(ids.begin(), ids.end(), [&](std::uint64_t id) { return id != home; });
}

bool LinuxLinks::open_resolved(int at, const char* path, int flags, std::uint64_t resolve, int& fd,
                               int& error) {
  if (!has_openat2_.load(std::memory_order_relaxed)) return false;
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = resolve;
  fd = static_cast<int>(
      uninterrupted([&] { return ::syscall(SYS_openat2, at, path, &how, sizeof how); }));
  error = fd < 0 ? errno : 0;
  // ENOSYS before Linux 5.6; EPERM from container runtimes that do not know the call.
  if (error != ENOSYS && error != EPERM) return true;
  has_openat2_.store(false, std::memory_order_relaxed);
  return false;
}

// Read on the first use; again by fresh_table() if it lacks a mount that was met.
LinuxLinks::Table LinuxLinks::table() {
  const std::lock_guard lock(mutex_);
  if (!table_) table_ = std::make_shared<const Mounts>(mount_table());
  return table_;
}

LinuxLinks::Table LinuxLinks::fresh_table() {
  auto now = std::make_shared<const Mounts>(mount_table());
  const std::lock_guard lock(mutex_);
  return table_ = std::move(now);
}

}  // namespace ffind::os
