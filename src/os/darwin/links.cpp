// SPDX-License-Identifier: MIT
// MacLinks resolves a path name by name, as namei does: `here` is the canonical path reached so
// far, `rest` the text after it. Before a name is looked up, the path that it would have is
// compared with the mount points of the volumes that may block, so that the look-up itself, a
// readlink(2), only touches volumes that have been crossed already.
//
//     here = /Users/ann, rest = ../all/x     all -> /Volumes/server
//     here = /Users,     rest = all/x        readlink: /Volumes/server/x from the root
//     here = /,          rest = Volumes/server/x
//     here = /Volumes,   rest = server/x     a mount point of SMB: EXDEV
#include <fcntl.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "os/darwin/file_system.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/posix/file_system.h"
#include "text/paths.h"
#include "text/unicode.h"

namespace ffind::os::darwin {
namespace {

constexpr int most_links = 32;  // MAXSYMLINKS of <sys/param.h>

/// Volumes are mounted and unmounted while a search runs: the table is read again when it is older.
constexpr Nanoseconds longest_use_of_table = 1'000'000'000;

/// Compares paths as a case-insensitive volume does, in any normal form. On a case-sensitive volume
/// that makes a neighbour of a server's mount point an unread link, which is better than waiting.
bool same_path(std::string_view a, std::string_view b) {
  if (a == b) return true;
  std::string folded;
  std::string other;
  text::append_folded_name(folded, a);
  text::append_folded_name(other, b);
  return folded == other;
}

bool is_edge(const MountTable& table, std::string_view path, std::uint64_t home) {
  // The Data volume shows the mount points below /Volumes under its own path, too.
  constexpr std::string_view data = "/System/Volumes/Data/";
  const bool below_data = path.size() > data.size() && same_path(path.substr(0, data.size()), data);
  const std::string_view shown = below_data ? path.substr(data.size() - 1) : path;
  return std::any_of(table.begin(), table.end(), [&](const Volume& volume) {
    return may_wait(volume, home) && !volume.hidden &&
           (same_path(volume.mount_point, path) || same_path(volume.mount_point, shown));
  });
}

}  // namespace

int MacLinks::check(int at, std::string path, std::uint64_t home) {
  const Table volumes = table();
  if (std::none_of(volumes->begin(), volumes->end(),
                   [&](const Volume& volume) { return may_wait(volume, home); })) {
    return 0;
  }
  std::string here = path.front() == '/' ? "/" : path_of_descriptor(at);
  if (here.empty()) return 0;
  int links = 0;
  while (true) {
    const std::string name = take_component(path);
    if (name.empty()) return 0;
    if (name == ".") continue;
    if (name == "..") {
      here.resize(std::max<std::size_t>(here.rfind('/'), 1));
      continue;
    }
    std::string next = text::join_paths(here, name);
    if (is_edge(*volumes, next, home)) return EXDEV;
    std::string target;
    if (read_link_text(AT_FDCWD, next.c_str(), target) != 0 || target.empty()) {
      here = std::move(next);  // no link
      continue;
    }
    if (++links > most_links) return 0;
    if (!path.empty()) target.append("/").append(path);
    path = std::move(target);
    if (path.front() == '/') here = "/";
  }
}

MacLinks::Table MacLinks::table() {
  const std::lock_guard lock(mutex_);
  const Nanoseconds now = monotonic_coarse_now();
  if (!table_ || now - read_at_ > longest_use_of_table) {
    table_ = std::make_shared<const MountTable>(mount_table());
    read_at_ = now;
  }
  return table_;
}

}  // namespace ffind::os::darwin
