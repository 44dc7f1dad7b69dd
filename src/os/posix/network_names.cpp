// SPDX-License-Identifier: MIT
// See network_names.h.
#include "os/posix/network_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/posix/retry.h"
#include "text/paths.h"

namespace ffind::os {

std::vector<std::string> names_of_network_volumes(const Task& task) {
  std::vector<std::string> names;
  for (const Boundary& boundary : task.boundaries) {
    if (boundary.kind != VolumeKind::network) continue;
    names.emplace_back(text::name_of(boundary.path));
  }
  return names;
}

int look_for_names(int fd, const std::vector<std::string>& names, bool& found) {
  found = false;
  if (names.empty()) return 0;
  const int again =
      uninterrupted([&] { return ::openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (again < 0) return errno;
  DIR* const stream = ::fdopendir(again);
  if (stream == nullptr) {
    const int error = errno;
    ::close(again);
    return error;
  }
  const auto is_one = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  while (const dirent* const entry = ::readdir(stream)) {
    if (!is_one(entry->d_name)) continue;
    found = true;
    break;
  }
  ::closedir(stream);
  return 0;
}

}  // namespace ffind::os
