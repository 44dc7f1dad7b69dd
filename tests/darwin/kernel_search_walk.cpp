// SPDX-License-Identifier: MIT
// The catalog of a simulated volume: a walk of the real files below its mount point, and the paths
// of what was seen, for fsgetpath. See kernel_search.h.
#include <fcntl.h>
#include <sys/fsgetpath.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vnode.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include "kernel_search.h"

namespace simulated {
namespace {

struct Paths {
  std::mutex mutex;
  std::map<std::pair<std::int32_t, std::int32_t>, std::unordered_map<std::uint64_t, std::string>>
      volumes;
};
Paths& paths() {
  static Paths all;
  return all;
}

/// Looks for `id` everywhere on the volume, as nobody has searched it yet.
std::string scan_for(const Located& volume, std::uint64_t id) {
  Enumeration all(volume);
  Item item;
  while (all.next(item)) {
    if (item.id == id) return item.path;
  }
  return {};
}

/// The root's parent in a catalog has the number 1, which a root of Linux may have itself.
constexpr std::uint64_t parent_of_root = 1;
std::uint64_t number_of_directory(std::uint64_t inode) {
  return inode == 1 ? 0xFFFFFFF1U : inode;
}

/// A link has a record of its own in an HFS+ catalog, with an id of its own.
std::uint64_t link_id(const std::string& path) {
  return 0x40000000U + std::hash<std::string>{}(path) % 0x3FFFFFFFU;
}

/// A read-only volume does not open its journal: then a search shows the files, and nothing else.
bool shows_journal(const VolumeRow& volume) {
  constexpr std::uint32_t both = MNT_JOURNALED | MNT_RDONLY;
  return volume.type == "hfs" && (volume.flags & both) == both;
}

/// Somebody else is quicker, once.
void exchange_as_ordered() {
  const auto& paths = orders().exchanged;
  static std::once_flag done;
  if (paths.size() == 2) {
    std::call_once(done, [&] { host::exchange(paths[0].c_str(), paths[1].c_str()); });
  }
}

}  // namespace

void remember(const VolumeRow& volume, std::uint64_t id, const std::string& path) {
  const std::lock_guard lock(paths().mutex);
  paths().volumes[{volume.fsid[0], volume.fsid[1]}][id] = path;
}

Enumeration::Enumeration(Located volume) : volume_(std::move(volume)) {}

void Enumeration::describe_root(Item& item) {
  item = Item{};
  const std::string& path = volume().mount_point;
  if (host::status(host::current_directory, path.c_str(), true, item.status) != 0) return;
  name_ = volume().name;
  item.name = name_;
  item.id = number_of_directory(item.status.inode);
  item.parent = parent_of_root;
  item.type = VDIR;
  item.path = path;
  item.has_status = true;
  item.volume = volume_.row;
  mount_ = item.status.mount;
  pending_.push_front({path, item.id});
  remember(volume(), item.id, path);
}

bool Enumeration::list(int fd) {
  std::vector<char> buffer;
  std::vector<host::Entry> found;
  while (host::entries(fd, buffer, found) == 0 && !found.empty()) {
    for (const host::Entry& entry : found) {
      listed_.push_back({std::string(entry.name), entry.inode, entry.type});
    }
  }
  return !listed_.empty();
}

/// Goes on to the next directory with anything in it that this process may see.
bool Enumeration::enter() {
  while (!pending_.empty()) {
    const Pending pending = pending_.front();
    pending_.pop_front();
    const int fd = host::open_directory(pending.path);
    if (fd < 0) continue;
    host::Status status;
    const bool seen = host::status(fd, "", true, status) == 0 &&
                      (marks_of(status) & (marks::secret | marks::dataless)) == 0 &&
                      (host::access_mask(fd, ".") & 5U) == 5U;
    path_ = pending.path;
    id_ = pending.id;
    listed_.clear();
    at_ = 0;
    bool any = seen && list(fd);
    host::close(fd);
    if (seen && path_ == volume().mount_point && shows_journal(volume())) {
      for (const char* const name : {".journal", ".journal_info_block"}) {
        const auto is_this = [&](const Listed& listed) { return listed.name == name; };
        if (std::any_of(listed_.begin(), listed_.end(), is_this)) continue;  // somebody's own
        listed_.push_back({name, 16, 8});                                    // DT_REG
        any = true;
      }
    }
    if (any) return true;
  }
  return false;
}

void Enumeration::describe(const Listed& listed, Item& item) {
  item = Item{};
  name_ = listed.name;
  item.name = name_;
  item.id = listed.id;
  item.parent = id_;
  item.volume = volume_.row;
  item.path = (path_ == "/" ? path_ : path_ + "/") + listed.name;
  const int fd = host::open_directory(path_);
  if (fd >= 0) {
    item.has_status = host::status(fd, name_.c_str(), false, item.status) == 0;
    host::close(fd);
  }
  item.type = object_type(item.has_status ? item.status.mode
                                          : static_cast<std::uint32_t>(listed.type) << 12U);
  item.marks = marks_of(item.status);
  if ((item.marks & marks::unsettled) != 0) {
    item.status.modified = item.status.changed = item.status.accessed = {1'000'000'000, 0};
    item.status.size = item.status.blocks = 0;
  }
  if (item.type != VDIR) {
    const bool linked = item.status.links > 1 || (item.marks & marks::once_linked) != 0;
    if (volume().type == "hfs" && linked) item.id = link_id(item.path);
    return;
  }
  const Edge edge = edge_of(mount_, item.status);
  const bool is_link = edge == Edge::directory_link;
  if (is_link || (item.marks & marks::directory_link) != 0) {
    // What is in it has the directory's own number, which leads to one of its names.
    item.links = 2;
    item.id = link_id(item.path);
  }
  if (edge == Edge::none) {
    pending_.push_front({item.path, item.status.inode});
    remember(volume(), item.status.inode, item.path);
  } else if (is_link) {
    return;
  } else if (edge == Edge::mount_point) {
    item.mount_status = DIR_MNTSTATUS_MNTPOINT;
  } else {
    item.flags = SF_FIRMLINK;
  }
}

bool Enumeration::next(Item& item) {
  if (returned_) {
    returned_ = false;
    item = last_;
    return true;
  }
  if (!begun_) {
    begun_ = true;
    describe_root(last_);
  } else {
    if (at_ == listed_.size() && !enter()) return false;
    describe(listed_[at_++], last_);
  }
  ++visited_;
  item = last_;
  return true;
}

}  // namespace simulated

using namespace simulated;

ssize_t fsgetpath(char* path, size_t size, fsid_t* volume, uint64_t id) {
  if (size > orders().longest_path_asked) return fail(EINVAL);
  const std::int32_t fsid[2] = {volume->val[0], volume->val[1]};
  const Located located = volume_by_id(fsid);
  int error = located.row == nullptr || !located.row->paths ? ENOTSUP : 0;
  std::string found;
  if (error == 0) {
    {
      const std::lock_guard lock(paths().mutex);
      const auto& known = paths().volumes[{fsid[0], fsid[1]}];
      const auto place = known.find(id);
      if (place != known.end()) found = place->second;
    }
    if (id == parent_of_root) found = located.row->mount_point;  // and no error, as might be
    if (found.empty()) found = scan_for(located, id);
    host::Status status;
    if (found.empty()) {
      error = ENOENT;
    } else if (found.size() < 4096) {
      error = host::status(host::current_directory, found.c_str(), false, status);
    }
    found = through_firmlinks(found);
    if (error == 0 && found.size() + 1 > size) error = ENOSPC;
  }
  log("fsgetpath " + std::to_string(id) + " " + (error == 0 ? found : std::to_string(error)));
  if (error != 0) return fail(error);
  exchange_as_ordered();
  std::memcpy(path, found.c_str(), found.size() + 1);
  return static_cast<ssize_t>(found.size() + 1);
}
