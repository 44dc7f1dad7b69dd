// SPDX-License-Identifier: MIT
// The Trash of freedesktop.org, as the file managers of Linux have it:
//
//     ~/.local/share/Trash            the home Trash, for files on the volume that it is on
//     MOUNT/.Trash/UID                if .Trash is a directory with the sticky bit, made by root
//     MOUNT/.Trash-UID                otherwise
//         info/NAME.trashinfo         Path= and DeletionDate=, written before the file is moved
//         files/NAME                  the file
//
// The info file is created with O_EXCL, which reserves the name, and the file is renamed without
// replacing anything. An interruption in between leaves an info file without a file, which trash
// managers ignore; the reverse, a file that no manager can restore, cannot happen. On the way back
// the info file is removed last.
//
// The contents of a Trash are read from directories that belong to this user and are reached by no
// link: other users may write to a volume, and an info file says where its file goes.
#include "os/trash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "os/files.h"
#include "os/linux/links.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "os/terminal.h"
#include "text/paths.h"

namespace ffind::os {
namespace {

std::string info_of(const std::string& name) {
  return name + std::string(info_extension);
}

/// O_PATH: a directory on the way needs no permission to be listed.
constexpr int directory_flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

/// An open directory, or the reason why there is none.
struct OpenDirectory {
  Descriptor descriptor;
  std::string path;  ///< absolute
  Trash::Moved problem{};
};

/// The failure of a call with the directory `path`, in words that name it.
Trash::Moved problem_with(const std::string& path, int error) {
  return {error, path + ": " + std::generic_category().message(error)};
}

/// Opens a directory in `parent`, and makes it with mode 0700 if it is missing. A link is followed
/// only with `follow`.
OpenDirectory open_or_make(const OpenDirectory& parent, const std::string& name,
                           bool follow = false) {
  if (parent.problem.error != 0) return {Descriptor(), parent.path, parent.problem};
  const int at = parent.descriptor.get();
  const int flags = directory_flags | (follow ? 0 : O_NOFOLLOW);
  OpenDirectory opened{Descriptor(::openat(at, name.c_str(), flags)),
                       text::join_paths(parent.path, name)};
  if (opened.descriptor.get() < 0 && errno == ENOENT &&
      (::mkdirat(at, name.c_str(), 0700) == 0 || errno == EEXIST)) {
    opened.descriptor = Descriptor(::openat(at, name.c_str(), flags));
  }
  if (opened.descriptor.get() >= 0) return opened;
  opened.problem = problem_with(opened.path, errno);
  struct ::stat status {};
  if (!follow && ::fstatat(at, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode)) {
    opened.problem.detail = opened.path + " is a symbolic link";
  }
  return opened;
}

dev_t device_of(int fd) {
  struct ::stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_dev : 0;
}

/// True if rename(2) moves files between two open directories: they are on one mount, and in one
/// subvolume of btrfs, each of which has a device number of its own.
bool can_rename_between(int one, int other) {
  return device_of(one) == device_of(other) && share_mount(one, other, false);
}

/// Goes up from the open directory until the next step would leave the volume, as rename(2) sees
/// it. `path` is its absolute path.
OpenDirectory top_of(int directory, std::string path) {
  OpenDirectory top{Descriptor(::openat(directory, ".", directory_flags)), std::move(path)};
  while (top.descriptor.get() >= 0 && top.path != "/") {
    Descriptor above(::openat(top.descriptor.get(), "..", directory_flags));
    if (above.get() >= 0 && !can_rename_between(above.get(), directory)) return top;
    top.descriptor = std::move(above);
    top.path.resize(std::max<std::size_t>(top.path.rfind('/'), 1));
  }
  if (top.descriptor.get() < 0) top.problem = problem_with(top.path, errno);
  return top;
}

/// One Trash directory, opened, or the reason why it cannot be used.
struct TrashDirectory {
  OpenDirectory info;
  OpenDirectory files;
  /// Start of the paths that its info files have: empty, or the top directory with a slash.
  std::string base;
  dev_t device = 0;  ///< of it, or of the nearest directory that exists
};

TrashDirectory trash_in(const OpenDirectory& directory, std::string base, dev_t device) {
  return {open_or_make(directory, "info"), open_or_make(directory, "files"), std::move(base),
          device};
}

std::string home_trash() {
  const std::optional<std::string> data = environment("XDG_DATA_HOME");
  // The specification ignores a relative path.
  if (data && data->starts_with('/')) return *data + "/Trash";
  const std::optional<std::string> home = environment("HOME");
  if (!home || !home->starts_with('/')) return {};
  return *home + "/.local/share/Trash";
}

/// The Trash of this user, made if it is missing. Links above it are followed.
TrashDirectory open_home_trash() {
  const std::string path = home_trash();
  OpenDirectory directory{Descriptor(::open("/", directory_flags)), "/"};
  if (path.empty()) directory.problem = {ENOENT, "HOME is not set"};
  dev_t device = 0;
  for (std::string rest = path; directory.problem.error == 0;) {
    device = device_of(directory.descriptor.get());
    const std::string name = take_component(rest);
    if (name.empty()) break;
    if (name != ".") directory = open_or_make(directory, name, true);
  }
  return trash_in(directory, {}, device);
}

/// The directory of this user, which must be this user's: another owner could read and remove what
/// is put into it.
OpenDirectory own_directory(const OpenDirectory& parent, const std::string& name) {
  OpenDirectory own = open_or_make(parent, name);
  struct ::stat status {};
  if (own.problem.error == 0 && ::fstat(own.descriptor.get(), &status) == 0 &&
      status.st_uid != ::geteuid()) {
    own.problem = {EPERM, own.path + " belongs to another user"};
  }
  return own;
}

/// The Trash at the top of a volume. An administrator's .Trash is used only if it is a directory
/// with the sticky bit, as the specification demands: others could replace what is in it.
TrashDirectory trash_at_top(const OpenDirectory& top) {
  const std::string user = std::to_string(::geteuid());
  const std::string base = top.path == "/" ? top.path : top.path + "/";
  struct ::stat status {};
  const OpenDirectory shared{
      Descriptor(::openat(top.descriptor.get(), ".Trash", directory_flags | O_NOFOLLOW)),
      base + ".Trash"};
  const int fd = shared.descriptor.get();
  if (fd >= 0 && ::fstat(fd, &status) == 0 && (status.st_mode & S_ISVTX) != 0) {
    TrashDirectory trash = trash_in(own_directory(shared, user), base, status.st_dev);
    if (trash.files.problem.error == 0 && trash.info.problem.error == 0) return trash;
  }
  return trash_in(own_directory(top, ".Trash-" + user), base, 0);
}

/// Renames without replacing; 0 or an errno.
int rename_exclusively(int from, const std::string& name, int to, const std::string& new_name) {
  constexpr unsigned no_replace = 1;  // RENAME_NOREPLACE of <linux/fs.h>
  if (::syscall(SYS_renameat2, from, name.c_str(), to, new_name.c_str(), no_replace) == 0) return 0;
  // ENOSYS before Linux 3.15, EINVAL from file systems that do not know the flag.
  if (errno != EINVAL && errno != ENOSYS) return errno;
  struct ::stat status {};
  if (::fstatat(to, new_name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  return ::renameat(from, name.c_str(), to, new_name.c_str()) == 0 ? 0 : errno;
}

/// Creates the info file, which reserves the name; 0 or an errno, EEXIST if it is taken.
int reserve(const TrashDirectory& trash, const std::string& file, std::string_view text) {
  const int directory = trash.info.descriptor.get();
  const Descriptor info(
      ::openat(directory, file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (info.get() < 0) return errno;
  const int error = write_all(info.get(), text);
  if (error != 0) ::unlinkat(directory, file.c_str(), 0);
  return error;
}

/// The failure of renaming into `files`, which is about that directory or about the entry.
Trash::Moved problem_of_renaming(const OpenDirectory& files, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EXDEV;
  const int fd = files.descriptor.get();
  if (full || ::faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) != 0) {
    return problem_with(files.path, error);
  }
  return {error, {}};
}

/// Moves into one Trash directory under the first free name.
Trash::Moved move_into(const TrashDirectory& trash, int directory, const std::string& name,
                       const std::string& path) {
  for (const OpenDirectory* const part : {&trash.info, &trash.files}) {
    if (part->problem.error != 0) return part->problem;
  }
  constexpr unsigned tries = 10'000;
  std::string_view remembered = path;
  if (!trash.base.empty() && remembered.starts_with(trash.base)) {
    remembered.remove_prefix(trash.base.size());
  }
  const std::string text = trash_info(remembered, wall_now());
  for (unsigned number = 1; number < tries; ++number) {
    const std::string new_name = trash_name(name, number);
    const std::string file = info_of(new_name);
    int error = reserve(trash, file, text);
    if (error == EEXIST) continue;
    if (error != 0) return problem_with(trash.info.path, error);
    error = rename_exclusively(directory, name, trash.files.descriptor.get(), new_name);
    if (error == 0) return {};
    ::unlinkat(trash.info.descriptor.get(), file.c_str(), 0);
    // EEXIST: a file that has lost its info file.
    if (error != EEXIST) return problem_of_renaming(trash.files, error);
  }
  return {EEXIST, {}};
}

// --- Contents

/// An open directory of this user that is no link; nullopt if there is none.
std::optional<OpenDirectory> find_own(const OpenDirectory& parent, const std::string& name) {
  OpenDirectory own{
      Descriptor(::openat(parent.descriptor.get(), name.c_str(), directory_flags | O_NOFOLLOW)),
      text::join_paths(parent.path, name)};
  struct ::stat status {};
  if (own.descriptor.get() < 0 || ::fstat(own.descriptor.get(), &status) != 0 ||
      status.st_uid != ::geteuid()) {
    return {};
  }
  return own;
}

/// Reads Trashes, each once.
class TrashReader {
 public:
  explicit TrashReader(TrashContents& contents) : contents_(contents) {}

  void read_home() {
    const std::string path = resolved(home_trash());
    if (path.empty()) return;
    read({Descriptor(::open(path.c_str(), directory_flags)), path}, {});
  }

  /// Reads those at the top of a volume, which may have both.
  void read_at_top(const OpenDirectory& top) {
    if (top.descriptor.get() < 0) return;
    const std::string user = std::to_string(::geteuid());
    const OpenDirectory shared{
        Descriptor(::openat(top.descriptor.get(), ".Trash", directory_flags | O_NOFOLLOW)),
        text::join_paths(top.path, ".Trash")};
    struct ::stat status {};
    if (shared.descriptor.get() >= 0 && ::fstat(shared.descriptor.get(), &status) == 0 &&
        (status.st_mode & S_ISVTX) != 0) {
      if (const auto own = find_own(shared, user)) read(*own, top.path);
    }
    if (const auto own = find_own(top, ".Trash-" + user)) read(*own, top.path);
  }

 private:
  /// Names first of files, then of info files: a file that is moved in meanwhile has its own by
  /// then.
  void read(const OpenDirectory& trash, const std::string& base) {
    Identity identity;
    if (identify(trash.descriptor.get(), ".", false, identity) != 0 ||
        !read_.insert({identity.id.device, identity.id.inode}).second) {
      return;
    }
    const std::string files = trash.path + "/files/";
    const std::string infos = trash.path + "/info/";
    std::set<std::string> names = names_in_part(trash, "files");
    const Descriptor info(::openat(trash.descriptor.get(), "info", directory_flags | O_NOFOLLOW));
    for (const std::string& file : names_in_part(trash, "info")) {
      if (!file.ends_with(info_extension) || file.size() == info_extension.size()) continue;
      const std::string name = file.substr(0, file.size() - info_extension.size());
      TrashInfo read = read_info(info.get(), file, base);
      const bool has_file = names.erase(name) != 0;
      Trashed entry{{}, has_file ? files + name : infos + file, read.deleted};
      entry.is_orphan = !has_file || read.path.empty();
      entry.path = entry.is_orphan ? entry.place : std::move(read.path);
      contents_.entries.push_back(std::move(entry));
    }
    for (const std::string& name : names) {
      contents_.entries.push_back({.path = files + name, .place = files + name, .is_orphan = true});
    }
  }

  /// The names in "files" or "info", which is no link; reports an error.
  std::set<std::string> names_in_part(const OpenDirectory& trash, const char* part) {
    std::set<std::string> names;
    const int error = for_each_name(trash.descriptor.get(), part, {}, [&](std::string_view name) {
      names.emplace(name);
      return true;
    });
    if (error != 0 && error != ENOENT) {
      contents_.issues.push_back({text::join_paths(trash.path, part), "", error});
    }
    return names;
  }

  static TrashInfo read_info(int directory, const std::string& file, const std::string& base) {
    constexpr std::size_t most = std::size_t{64} << 10U;
    const Descriptor info(uninterrupted([&] {
      return ::openat(directory, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    }));
    struct ::stat status {};
    std::string text;
    const bool is_read = info.get() >= 0 && ::fstat(info.get(), &status) == 0 &&
                         S_ISREG(status.st_mode) && read_open_to_end(info.get(), most, text) == 0;
    return is_read ? read_trash_info(text, base) : TrashInfo{};
  }

  TrashContents& contents_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> read_;  ///< device and inode
};

// --- The way back

/// The directory of an entry, "files" or "info", if the entry is the known one: else an errno,
/// ESTALE if there is another one.
int open_place(const Trashed& trashed, const Identity& known, Descriptor& directory) {
  const std::string path(text::parent_of(trashed.place));
  directory = Descriptor(::open(path.c_str(), directory_flags | O_NOFOLLOW));
  Identity now;
  if (directory.get() < 0) return errno;
  const std::string name(text::name_of(trashed.place));
  const int error = identify(directory.get(), name, false, now);
  return error == 0 && (now.id != known.id || now.type != known.type) ? ESTALE : error;
}

/// Removes the info file of `name`, which was removed from the open directory "files". 0 or an
/// errno.
int remove_info(int files, const std::string& name) {
  const Descriptor info(::openat(files, "../info", directory_flags | O_NOFOLLOW));
  if (info.get() < 0) return errno == ENOENT ? 0 : errno;
  const int error = os::remove(info.get(), info_of(name), FileType::file);
  return error == ENOENT ? 0 : error;
}

/// Makes the directories around `path` that are missing, and returns those. What cannot be made,
/// renaming misses.
std::vector<std::string> make_parents(const std::string& path) {
  std::vector<std::string> made;
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    const std::string directory = path.substr(0, at);
    if (!is_directory(directory) && ::mkdir(directory.c_str(), 0777) == 0) {
      made.push_back(directory);
    }
  }
  return made;
}

/// True if the path is, or is below, a Trash: the home Trash of any user, or one at the top of a
/// volume or subvolume.
bool is_in_trash(std::string_view path, const MountTable& table) {
  const std::string home = home_trash();
  if (!home.empty() && lies_within(path, home)) return true;
  constexpr std::string_view usual = "/.local/share/Trash";
  const std::size_t found = path.find(usual);
  if (found != std::string_view::npos && lies_within(path.substr(found), usual)) return true;
  for (std::size_t at = path.find("/.Trash"); at != std::string_view::npos;
       at = path.find("/.Trash", at + 1)) {
    std::string_view name = path.substr(at + 1);
    name = name.substr(0, name.find('/'));
    if (!is_trash_name(name)) continue;
    const std::string top(at == 0 ? "/" : path.substr(0, at));
    const bool is_mounted = std::any_of(table.begin(), table.end(), [&](const Volume& volume) {
      return volume.mount_point == top;
    });
    struct ::stat here {};
    struct ::stat above {};
    const bool is_subvolume = ::stat(top.c_str(), &here) == 0 &&
                              ::stat((top + "/..").c_str(), &above) == 0 &&
                              here.st_dev != above.st_dev;
    if (is_mounted || is_subvolume) return true;
  }
  return false;
}

/// Keeps the last Trash open: matches of one volume follow each other.
class FreedesktopTrash final : public Trash {
 public:
  bool holds(const std::string& path) override { return is_in_trash(path, table_); }
  std::string_view refuses(const std::string& path) override {
    const std::string home = home_trash();
    if (!home.empty() && lies_within(home, path)) return "it contains the Trash";
    return has_volume_below(table_, path) ? "a volume is mounted in it" : std::string_view();
  }

  Moved move(int directory, const std::string& name, const std::string& path) override {
    if (!home_) home_ = open_home_trash();
    if (home_->device == device_of(directory)) {
      Moved moved = move_into(*home_, directory, name, path);
      // A bind mount of the home volume has its device, but cannot be renamed from.
      if (moved.error != EXDEV) return moved;
    }
    if (!top_ || !can_rename_between(on_volume_.get(), directory)) {
      const std::size_t slash = std::max<std::size_t>(path.rfind('/'), 1);
      top_ = trash_at_top(top_of(directory, path.substr(0, slash)));
      on_volume_ = Descriptor(::openat(directory, ".", directory_flags));
    }
    return move_into(*top_, directory, name, path);
  }

 private:
  const MountTable table_ = mount_table();
  std::optional<TrashDirectory> home_;
  std::optional<TrashDirectory> top_;
  Descriptor on_volume_;  ///< a directory on the volume of `top_`
};

}  // namespace

std::unique_ptr<Trash> open_trash() {
  return std::make_unique<FreedesktopTrash>();
}

void read_trashes(const MountTable& table, const std::vector<std::string>& directories,
                  TrashContents& contents) {
  TrashReader reader(contents);
  reader.read_home();
  for (const Volume& volume : table) {
    if (volume.kind != VolumeKind::local || volume.hidden) continue;
    reader.read_at_top(
        {Descriptor(::open(volume.mount_point.c_str(), directory_flags)), volume.mount_point});
  }
  // A subvolume, or a server.
  for (std::string path : directories) {
    Descriptor directory(::open(path.c_str(), directory_flags));
    while (directory.get() < 0 && path.size() > 1) {
      path.resize(std::max<std::size_t>(path.rfind('/'), 1));
      directory = Descriptor(::open(path.c_str(), directory_flags));
    }
    reader.read_at_top(top_of(directory.get(), path));
  }
}

const bool can_restore = true;

std::string_view reason_of_unknown_place() {
  return "where it was is not known, for lack of a usable .trashinfo";
}

Trash::Moved restore(const Trashed& trashed, const Identity& known) {
  Descriptor files;
  int error = open_place(trashed, known, files);
  if (error != 0) return {error};
  const std::string name(text::name_of(trashed.place));
  std::vector<std::string> made = make_parents(trashed.path);
  error = rename_exclusively(files.get(), name, AT_FDCWD, trashed.path);
  if (error != 0) {
    for (; !made.empty(); made.pop_back()) ::rmdir(made.back().c_str());
    if (error == EEXIST) return {error, "there is something by that name"};
    if (error == EXDEV) return {error, "its volume is another one than that of " + trashed.place};
    return problem_with(std::string(text::parent_of(trashed.path)), error);
  }
  error = remove_info(files.get(), name);
  if (error == 0) return {};
  Trash::Moved moved = problem_with(info_of(trashed.place), error);
  moved.gone = true;
  return moved;
}

int remove_trashed(const Trashed& trashed, const Identity& known) {
  Descriptor directory;
  const int error = open_place(trashed, known, directory);
  if (error != 0) return error;
  const std::string name(text::name_of(trashed.place));
  const bool is_info = text::parent_of(trashed.place).ends_with("/info");
  if (is_info) {
    // The file may just be on its way.
    Identity file;
    const std::string stem = name.substr(0, name.size() - info_extension.size());
    if (identify(directory.get(), "../files/" + stem, false, file) == 0) return ESTALE;
  }
  const int failed = remove_whole(directory.get(), name, known.id.device);
  return failed != 0 || is_info ? failed : remove_info(directory.get(), name);
}

void remove_trash_info(int directory, const std::string& name, std::string_view path) {
  path = text::without_end_slashes(path);
  const std::string_view trash = text::parent_of(path);
  const std::string_view trash_name = text::name_of(trash);
  const bool is_trash = trash_name == "Trash" || is_trash_name(trash_name) ||
                        text::name_of(text::parent_of(trash)) == ".Trash";
  if (text::name_of(path) == "files" && is_trash) remove_info(directory, name);
}

}  // namespace ffind::os
