// SPDX-License-Identifier: MIT
// Picking volumes out of the mount table for the options that name no path.
#include "plan/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>

#include "ffind/issue.h"
#include "plan/mounts.h"

namespace ffind {
namespace {

std::string_view last_part(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t begin = path.find_last_of("/:");
  return begin == std::string_view::npos ? path : path.substr(begin + 1);
}

/// Enough to see what could have been meant; a host of containers has thousands.
constexpr std::size_t most_listed = 20;

std::string list_of(const std::vector<const Volume*>& volumes) {
  std::string list;
  for (std::size_t i = 0; i < volumes.size() && i < most_listed; ++i) {
    list += fmt::format("\n  {} ({} on {})", volumes[i]->mount_point, volumes[i]->file_system,
                        volumes[i]->source.empty() ? "nothing" : volumes[i]->source);
  }
  if (volumes.size() > most_listed) list += "\n  and more: see ffind --volumes";
  return list;
}

bool holds_files(const Volume& volume, bool network) {
  return volume.kind == VolumeKind::local || (network && volume.kind == VolumeKind::network);
}

std::vector<const Volume*> files_once(const Mounts& mounts, bool network) {
  std::vector<const Volume*> volumes;
  for (const Volume* const volume : mounts.visible()) {
    if (holds_files(*volume, network)) volumes.push_back(volume);
  }
  return mounts.each_file_system_once(std::move(volumes));
}

}  // namespace

std::vector<Volume> select_volumes(const MountTable& table, bool network) {
  const Mounts mounts(table);
  std::vector<Volume> selected;
  for (const Volume* const volume : files_once(mounts, network)) selected.push_back(*volume);
  return selected;
}

const Volume* volume_named(const MountTable& table, std::string_view name,
                           const std::vector<std::string>& labelled) {
  const auto has_label = [&](const std::string& text) {
    return std::find(labelled.begin(), labelled.end(), text) != labelled.end();
  };
  // From what is unmistakable to what is handy.
  const std::vector<std::function<bool(const Volume&)>> meanings = {
      [&](const Volume& volume) { return volume.mount_point == name; },
      [&](const Volume& volume) { return volume.source == name; },
      [&](const Volume& v) { return has_label(v.source) || has_label(v.mount_point); },
      [&](const Volume& volume) {
        return last_part(volume.source) == name || last_part(volume.mount_point) == name;
      },
  };
  const Mounts mounts(table);
  for (const auto& meant : meanings) {
    if (name.empty()) break;
    std::vector<const Volume*> found;
    for (const Volume* const volume : mounts.visible()) {
      if (meant(*volume)) found.push_back(volume);
    }
    found = mounts.each_file_system_once(std::move(found));
    if (found.size() == 1) return found.front();
    if (!found.empty()) {
      throw UsageError(
          fmt::format("--volume '{}' could be any of these, for example --volume {}:{}", name,
                      found.front()->mount_point, list_of(found)));
    }
  }
  const std::vector<const Volume*> known = files_once(mounts, true);
  const std::string_view example =
      known.empty() ? std::string_view("/") : std::string_view(known.front()->mount_point);
  throw UsageError(
      fmt::format("--volume '{}': no volume has that mount point, source or name, "
                  "for example --volume {}; there are:{}",
                  name, example, list_of(known)));
}

}  // namespace ffind
