// SPDX-License-Identifier: MIT
// OpenAncestors: relative opens with O_NOFOLLOW, and the identity of each directory on the way.
//
// `ids_` has the identity of every directory from the root to the last one, `descriptors_` those of
// the deepest `most_` of them. With most_ = 2 and a/b/c open:
//
//     ids_            root   a    b    c
//     descriptors_                b    c      to go up to a: open b/.. and compare it with ids_[1]
//
// The comparison is needed since b may have been moved: its ".." is then another directory. If it
// fails, all is forgotten and opened again from the root.
//
// Between finding an entry and deleting it, other processes may rename and link. So nothing is
// opened by a path that they could redirect but the root, whose identity must be the one that was
// found.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "os/posix/calls.h"
#include "os/posix/file_system.h"
#include "os/safe_open.h"
#include "text/ascii.h"

namespace ffind::os {

// O_PATH is Linux's, O_SEARCH is POSIX's; a system with neither needs read permission.
int access_mode() {
#if defined(O_PATH)
  return O_PATH;
#elif defined(O_SEARCH)
  return O_SEARCH;
#else
  return O_RDONLY;
#endif
}

namespace {

/// Components of a path without "." and empty ones: "a//./b/" has a and b. Views of `path`.
std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::string_view name = text::take_part(path, '/');
    if (!name.empty() && name != ".") names.push_back(name);
  }
  return names;
}

/// Through metadata_of_stat, since the times of a stat have other names on macOS.
Identity identity_of(const struct ::stat& status) {
  Metadata metadata{};
  Needs got = needs::none;
  metadata_of_stat(status, metadata, got);
  return {{metadata.device, metadata.inode},
          metadata.changed,
          metadata.links,
          type_of_mode(metadata.mode),
          metadata.size};
}

/// The directory `name` in `at`, opened to pass through it, and its id. 0 or an errno.
int open_to_pass(int at, const std::string& name, int flags, Descriptor& opened, FileId& id) {
  Descriptor next(
      uninterrupted([&] { return ::openat(at, name.c_str(), passing_flags() | flags); }));
  struct ::stat status {};
  if (next.get() < 0 || uninterrupted([&] { return ::fstat(next.get(), &status); }) != 0) {
    return errno;
  }
  opened = std::move(next);
  id = identity_of(status).id;
  return 0;
}

}  // namespace

int passing_flags() {
  return access_mode() | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
}

int identify(const std::string& path, bool follow, Identity& identity) {
  return identify(AT_FDCWD, path, follow, identity);
}

int identify(int directory, const std::string& name, bool follow, Identity& identity) {
  struct ::stat status {};
  const int flags = follow ? 0 : AT_SYMLINK_NOFOLLOW;
  if (uninterrupted([&] { return ::fstatat(directory, name.c_str(), &status, flags); }) != 0) {
    return errno;
  }
  identity = identity_of(status);
  return 0;
}

void OpenAncestors::forget() {
  descriptors_.clear();
  ids_.clear();
}

/// Goes up to `depth` components below the root. Forgets everything if that fails.
void OpenAncestors::back_to(std::size_t depth) {
  while (this->depth() > depth) {
    if (descriptors_.size() == 1) {
      if (!step_up()) return forget();
      continue;
    }
    descriptors_.pop_back();
    ids_.pop_back();
  }
}

/// Goes from the only directory with a descriptor to its parent, if that is still the directory
/// that it was reached from. False, and no change, if not.
bool OpenAncestors::step_up() {
  Descriptor above;
  FileId id;
  if (open_to_pass(descriptors_.back().get(), "..", 0, above, id) != 0 ||
      id != ids_[ids_.size() - 2]) {
    return false;
  }
  descriptors_.back() = std::move(above);
  ids_.pop_back();
  return true;
}

/// Starts at `root`, if it is still the directory that is known: else ESTALE, or another errno.
int OpenAncestors::open_root(const KnownDirectory& root) {
  // The root is opened by its path, links followed, so its identity is compared.
  Descriptor opened;
  FileId id;
  const int error = open_to_pass(AT_FDCWD, root.path, 0, opened, id);
  // The root is gone or replaced: what was found in it no longer exists.
  if (leads_nowhere(error) || (error == 0 && id != root.id)) return ESTALE;
  if (error != 0) return error;
  root_ = root;
  ids_.push_back(root.id);
  descriptors_.push_back(std::move(opened));
  return 0;
}

/// Opens the child `name` of the last directory; 0 or an errno. On failure the directories above it
/// stay open for the next path. Only paths of a list have "..".
int OpenAncestors::enter(std::string_view name) {
  Descriptor next;
  FileId id;
  const int error = open_to_pass(descriptors_.back().get(), std::string(name),
                                 follow_ ? 0 : O_NOFOLLOW, next, id);
  if (error != 0) return error;
  ids_.push_back(id);
  descriptors_.push_back(std::move(next));
  // Keep the deepest ones: the next path mostly differs in its last components.
  if (descriptors_.size() > most_) descriptors_.pop_front();
  return 0;
}

int OpenAncestors::open(const KnownDirectory& root, std::string_view below, int& fd) {
  forget();
  return open(root, components_of(below), 0, fd);
}

int OpenAncestors::open(const KnownDirectory& root, std::span<const std::string_view> names,
                        std::size_t same, int& fd) {
  if (root.path != root_.path || root.id != root_.id) forget();
  back_to(same);
  if (descriptors_.empty()) {
    const int error = open_root(root);
    if (error != 0) return error;
  }
  while (depth() < names.size()) {
    const int error = enter(names[depth()]);
    if (error != 0) return error;
  }
  fd = descriptors_.back().get();
  return 0;
}

namespace {

int look_at(const Descriptor& file, Metadata& found) {
  struct ::stat status {};
  if (uninterrupted([&] { return ::fstat(file.get(), &status); }) != 0) return errno;
  Needs got = needs::none;
  metadata_of_stat(status, found, got);
  return 0;
}

int open_regular(int directory, const std::string& name, bool follow, Descriptor& opened,
                 Metadata& found) {
  const int flags = file_flags_for({.follow = follow});
  opened = Descriptor(uninterrupted([&] { return ::openat(directory, name.c_str(), flags); }));
  const int error = opened.get() < 0 ? errno : look_at(opened, found);
  return error == 0 && type_of_mode(found.mode) != FileType::file ? ENXIO : error;
}

}  // namespace

int compare_files(int directory, const std::string& name, int other_directory,
                  const std::string& other_name, bool follow, ComparedFiles& compared) {
  constexpr std::size_t piece = std::size_t{128} * 1024;
  Descriptor files[2];
  Metadata* const found[] = {&compared.one, &compared.other};
  int error = open_regular(directory, name, follow, files[0], *found[0]);
  if (error == 0) error = open_regular(other_directory, other_name, follow, files[1], *found[1]);
  if (error != 0) return error;
  std::vector<char> bytes(2 * piece);
  for (ssize_t counts[2] = {1, 1}; counts[0] > 0;) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto call = [&] { return ::read(files[i].get(), &bytes[i * piece], piece); };
      counts[i] = uninterrupted(call);
      if (counts[i] < 0) return errno;
    }
    // A read that was cut short is taken for a difference.
    const auto end = bytes.begin() + counts[0];
    if (counts[0] != counts[1] || !std::equal(bytes.begin(), end, &bytes[piece])) return 0;
  }
  compared.equal = true;
  for (std::size_t i = 0; i < 2; ++i) {
    Metadata now{};
    if (look_at(files[i], now) != 0 || now.size != found[i]->size ||
        now.modified != found[i]->modified || now.changed != found[i]->changed) {
      compared.equal = false;
    }
  }
  return 0;
}

int open_directory(int directory, const std::string& path, Descriptor& opened) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const int at = directory < 0 ? AT_FDCWD : directory;
  opened = Descriptor(uninterrupted([&] { return ::openat(at, path.c_str(), flags); }));
  return opened.get() < 0 ? errno : 0;
}

bool is_empty(int directory, const std::string& name) {
  bool empty = true;
  const auto look = [&](std::string_view) { return empty = false; };
  return for_each_name(directory, name.c_str(), {}, look) == 0 && empty;
}

// Paths relative to the open directory: the sum of a deep tree needs one descriptor.
void visit_contents(int directory, const std::string& name,
                    const std::function<bool(const Identity&)>& visit) {
  std::vector<std::string> waiting = {name};
  Identity top;
  bool more = identify(directory, name, false, top) == 0;
  while (more && !waiting.empty()) {
    const std::string path = std::exchange(waiting.back(), {});
    waiting.pop_back();
    for_each_name(directory, path.c_str(), {}, [&](std::string_view entry) {
      const std::string below = (path + '/').append(entry);
      Identity found;
      if (identify(directory, below, false, found) != 0) return true;
      if (found.id.device != top.id.device) return true;
      if (found.type == FileType::directory) waiting.push_back(below);
      return more = visit(found);
    });
  }
}

// A descriptor for each level: a link that replaces a directory leads nowhere else.
int remove_whole(int directory, const std::string& name, std::uint64_t device) {
  Identity found;
  if (const int error = identify(directory, name, false, found); error != 0) return error;
  if (found.id.device != device) return EXDEV;
  if (found.type != FileType::directory) return remove(directory, name, found.type);
  Descriptor opened;
  FileId id;
  int error = open_to_pass(directory, name, O_NOFOLLOW, opened, id);
  if (error != 0) return error;
  if (id != found.id) return ESTALE;
  std::vector<std::string> names;
  error = for_each_name(opened.get(), ".", {}, [&](std::string_view entry) {
    names.emplace_back(entry);
    return true;
  });
  for (const std::string& entry : names) {
    const int of_entry = remove_whole(opened.get(), entry, device);
    if (error == 0 && of_entry != ENOENT) error = of_entry;
  }
  // One that cannot be listed may be empty.
  const int of_itself = remove(directory, name, FileType::directory);
  return of_itself == 0 || error == 0 ? of_itself : error;
}

// The type decides the call: an entry that has become one of the other kind is an error.
int remove(int directory, const std::string& name, FileType type) {
  const int flags = type == FileType::directory ? AT_REMOVEDIR : 0;
  const int at = directory < 0 ? AT_FDCWD : directory;
  return uninterrupted([&] { return ::unlinkat(at, name.c_str(), flags); }) == 0 ? 0 : errno;
}

}  // namespace ffind::os
