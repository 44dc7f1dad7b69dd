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
// managers ignore; the reverse, a file that no manager can restore, cannot happen.
#include "os/trash.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "os/files.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/file_system.h"

namespace ffind::os {
namespace {

constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Opens a directory of this user alone, and makes it if it is missing.
Descriptor open_or_make(int at, const char* name) {
  Descriptor opened(::openat(at, name, directory_flags));
  if (opened.get() >= 0 || errno != ENOENT) return opened;
  if (::mkdirat(at, name, 0700) != 0 && errno != EEXIST) return Descriptor();
  return Descriptor(::openat(at, name, directory_flags));
}

/// Opens the directory `path` and makes each missing one on the way, with mode 0700 as the base
/// directory specification has it. Links of the user's own above it are followed.
Descriptor open_or_make_path(const std::string& path) {
  for (std::size_t slash = 0; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && !is_directory(part)) {
      return Descriptor();
    }
  }
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Identity of the volume, as rename(2) sees it: two mounts of one device are two.
struct Place {
  std::uint64_t device = 0;
  std::uint64_t mount = 0;  ///< 0 before Linux 5.8
  bool operator==(const Place&) const = default;
};

std::optional<Place> place_of(int fd) {
  struct ::statx status {};
  constexpr int how = AT_EMPTY_PATH | AT_NO_AUTOMOUNT;
  if (::statx(fd, "", how, STATX_MNT_ID, &status) != 0) return {};
  Place place;
  place.device = (std::uint64_t{status.stx_dev_major} << 32U) | status.stx_dev_minor;
  if ((status.stx_mask & STATX_MNT_ID) != 0) place.mount = status.stx_mnt_id;
  return place;
}

/// The topmost directory of a volume.
struct Top {
  Descriptor directory;
  std::string path;  ///< absolute
};

/// Goes up from the open directory until the next step would leave the volume. `path` is its
/// absolute path.
std::optional<Top> top_of(int directory, std::string path) {
  const std::optional<Place> volume = place_of(directory);
  if (!volume) return {};
  Top top{Descriptor(::openat(directory, ".", directory_flags)), std::move(path)};
  while (top.directory.get() >= 0 && top.path != "/") {
    Descriptor above(::openat(top.directory.get(), "..", directory_flags));
    if (above.get() < 0) return {};
    if (place_of(above.get()) != volume) break;
    top.directory = std::move(above);
    top.path.resize(std::max<std::size_t>(top.path.rfind('/'), 1));
  }
  if (top.directory.get() < 0) return {};
  return top;
}

/// One Trash directory, opened.
struct TrashDirectory {
  Descriptor info;
  Descriptor files;
  /// Start of the paths that its info files have: empty, or the top directory with a slash.
  std::string base;
};

std::optional<TrashDirectory> opened(const Descriptor& directory, std::string base) {
  if (directory.get() < 0) return {};
  TrashDirectory trash{open_or_make(directory.get(), "info"),
                       open_or_make(directory.get(), "files"), std::move(base)};
  if (trash.info.get() < 0 || trash.files.get() < 0) return {};
  return trash;
}

std::string home_trash() {
  const std::optional<std::string> data = environment("XDG_DATA_HOME");
  // The specification ignores a relative path.
  if (data && data->starts_with('/')) return *data + "/Trash";
  const std::optional<std::string> home = environment("HOME");
  if (!home || !home->starts_with('/')) return {};
  return *home + "/.local/share/Trash";
}

std::string user_number() {
  return std::to_string(::geteuid());
}

/// The Trash at the top of a volume. An administrator's .Trash is used only if it is a directory
/// with the sticky bit, as the specification demands: others could replace what is in it.
std::optional<TrashDirectory> trash_at_top(const Top& top) {
  const std::string base = top.path == "/" ? top.path : top.path + "/";
  struct ::stat status {};
  const Descriptor shared(::openat(top.directory.get(), ".Trash", directory_flags));
  if (shared.get() >= 0 && ::fstat(shared.get(), &status) == 0 && (status.st_mode & S_ISVTX) != 0) {
    auto trash = opened(open_or_make(shared.get(), user_number().c_str()), base);
    if (trash) return trash;
  }
  const Descriptor own = open_or_make(top.directory.get(), (".Trash-" + user_number()).c_str());
  // A directory of another user would let that user read and remove what is put into it.
  if (own.get() < 0 || ::fstat(own.get(), &status) != 0 || status.st_uid != ::geteuid()) return {};
  return opened(own, base);
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
  const Descriptor info(
      ::openat(trash.info.get(), file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (info.get() < 0) return errno;
  const ssize_t written =
      uninterrupted([&] { return ::write(info.get(), text.data(), text.size()); });
  if (written == static_cast<ssize_t>(text.size())) return 0;
  const int error = written < 0 ? errno : ENOSPC;
  ::unlinkat(trash.info.get(), file.c_str(), 0);
  return error;
}

/// Moves into one Trash directory under the first free name.
int move_into(const TrashDirectory& trash, int directory, const std::string& name,
              const std::string& path) {
  constexpr unsigned tries = 10'000;
  std::string_view remembered = path;
  if (!trash.base.empty() && remembered.starts_with(trash.base)) {
    remembered.remove_prefix(trash.base.size());
  }
  const std::string text = trash_info(remembered, wall_now());
  for (unsigned number = 1; number < tries; ++number) {
    const std::string new_name = trash_name(name, number);
    const std::string file = new_name + ".trashinfo";
    int error = reserve(trash, file, text);
    if (error == EEXIST) continue;
    if (error != 0) return error;
    error = rename_exclusively(directory, name, trash.files.get(), new_name);
    if (error == 0) return 0;
    ::unlinkat(trash.info.get(), file.c_str(), 0);
    if (error != EEXIST) return error;  // else a file that has lost its info file
  }
  return EEXIST;
}

/// True if `path` is `directory` or below it.
bool lies_in(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/' || directory == "/");
}

/// True if the path is, or is below, a Trash: the home Trash of any user, or one at the top of a
/// volume.
bool is_in_trash(std::string_view path, const MountTable& table) {
  const std::string home = home_trash();
  if (!home.empty() && lies_in(path, home)) return true;
  constexpr std::string_view usual = "/.local/share/Trash";
  const std::size_t found = path.find(usual);
  if (found != std::string_view::npos && lies_in(path.substr(found), usual)) return true;
  for (std::size_t at = path.find("/.Trash"); at != std::string_view::npos;
       at = path.find("/.Trash", at + 1)) {
    std::string_view name = path.substr(at + 1);
    name = name.substr(0, name.find('/'));
    const bool numbered = name.starts_with(".Trash-") && name.size() > 7 &&
                          name.find_first_not_of("0123456789", 7) == std::string_view::npos;
    if (name != ".Trash" && !numbered) continue;
    const std::string_view top = at == 0 ? "/" : path.substr(0, at);
    if (std::any_of(table.begin(), table.end(),
                    [&](const Volume& volume) { return volume.mount_point == top; })) {
      return true;
    }
  }
  return false;
}

/// Keeps the last Trash open: matches of one volume follow each other.
class FreedesktopTrash final : public Trash {
 public:
  bool holds(const std::string& path) override { return is_in_trash(path, table_); }
  std::string_view refuses(const std::string& path) override {
    const std::string home = home_trash();
    if (!home.empty() && lies_in(home, path)) return "it contains the Trash";
    const bool mounted = std::any_of(table_.begin(), table_.end(), [&](const Volume& volume) {
      return lies_in(volume.mount_point, path);
    });
    return mounted ? "a volume is mounted in it" : std::string_view();
  }

  Moved move(int directory, const std::string& name, const std::string& path) override {
    const std::size_t slash = path.rfind('/');
    const std::optional<Place> volume = place_of(directory);
    if (!volume) return {errno, {}};
    int error = EXDEV;
    if (TrashDirectory* const home = home_if_on(*volume)) {
      error = move_into(*home, directory, name, path);
    }
    // A bind mount of the home volume has its device, but cannot be renamed from.
    if (error == EXDEV) {
      TrashDirectory* const top =
          top_for(*volume, directory, path.substr(0, std::max<std::size_t>(slash, 1)));
      if (top == nullptr) return {EXDEV, "its volume has no Trash, and none can be made there"};
      error = move_into(*top, directory, name, path);
    }
    return {error, {}};
  }

 private:
  /// The home Trash if it is on that volume; made if it is missing, and then only if its parent is.
  TrashDirectory* home_if_on(const Place& volume) {
    if (!looked_for_home_) {
      looked_for_home_ = true;
      const std::string path = home_trash();
      const Descriptor directory = path.empty() ? Descriptor() : open_or_make_path(path);
      if (directory.get() >= 0) home_place_ = place_of(directory.get());
      if (home_place_) home_ = opened(directory, {});
    }
    return home_ && home_place_->device == volume.device ? &*home_ : nullptr;
  }

  /// The Trash at the top of the volume that holds `directory`.
  TrashDirectory* top_for(const Place& volume, int directory, std::string path) {
    if (!top_ || top_place_ != volume) {
      top_.reset();
      if (const std::optional<Top> top = top_of(directory, std::move(path))) {
        top_ = trash_at_top(*top);
      }
      top_place_ = volume;
    }
    return top_ ? &*top_ : nullptr;
  }

  const MountTable table_ = mount_table();
  bool looked_for_home_ = false;
  std::optional<TrashDirectory> home_;
  std::optional<Place> home_place_;
  std::optional<TrashDirectory> top_;
  Place top_place_;
};

}  // namespace

std::unique_ptr<Trash> open_trash() {
  return std::make_unique<FreedesktopTrash>();
}

}  // namespace ffind::os
