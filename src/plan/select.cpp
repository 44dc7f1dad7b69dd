// SPDX-License-Identifier: MIT
// Picking volumes out of the mount table for the options that name no path.
#include "plan/select.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>

#include "ffind/issue.h"
#include "plan/mounts.h"
#include "text/format.h"

namespace ffind::plan {
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
    list += text::format("\n  {} ({} on {})", volumes[i]->mount_point, volumes[i]->file_system,
                         volumes[i]->source.empty() ? "nothing" : volumes[i]->source);
  }
  if (volumes.size() > most_listed) list += "\n  and more: see ffind --volumes";
  return list;
}

/// Leaves out what is searched with other volumes, or shows one as it was.
bool holds_files(const Mounts& mounts, const Volume& volume, bool network) {
  if (volume.snapshot || mounts.is_shown_by_another(volume)) return false;
  return volume.kind == VolumeKind::local || (network && volume.kind == VolumeKind::network);
}

std::vector<const Volume*> files_once(const Mounts& mounts, bool network) {
  std::vector<const Volume*> volumes;
  for (const Volume* const volume : mounts.visible()) {
    if (holds_files(mounts, *volume, network)) volumes.push_back(volume);
  }
  return mounts.each_file_system_once(std::move(volumes));
}

/// The kernel's own file systems and automounters have no files to report.
bool can_be_asked(const Volume& volume) {
  return volume.kind == VolumeKind::local || volume.kind == VolumeKind::network;
}

/// Volumes that are shown as one may have one name: the one that shows them all is meant.
std::vector<const Volume*> one_for_each_group(std::vector<const Volume*> volumes) {
  const std::vector<const Volume*> all = volumes;
  const auto is_shown = [&](const Volume* volume) {
    return volume->group != volume->id &&
           std::any_of(all.begin(), all.end(), [&](const Volume* other) {
             return other->id == volume->group && volume->group != 0;
           });
  };
  volumes.erase(std::remove_if(volumes.begin(), volumes.end(), is_shown), volumes.end());
  return volumes;
}

}  // namespace

std::vector<Volume> select_volumes(const MountTable& table, bool network) {
  const Mounts mounts(table);
  std::vector<Volume> selected;
  for (const Volume* const volume : files_once(mounts, network)) selected.push_back(*volume);
  return selected;
}

std::vector<std::size_t> volumes_to_ask(const MountTable& table,
                                        const std::vector<Location>& locations,
                                        bool cross_volumes) {
  const Mounts mounts(table);
  std::set<std::size_t> asked;
  const auto ask = [&](const Volume* volume) {
    if (volume->firmlink) volume = mounts.by_id(volume->id);
    asked.insert(static_cast<std::size_t>(volume - table.data()));
  };
  for (const Location& location : locations) {
    const Volume* const around = location.error == 0 ? mounts.of(location) : nullptr;
    if (around == nullptr) continue;
    if (location.probed && can_be_asked(*around)) ask(around);
    for (const Volume* const volume : mounts.below(location.canonical)) {
      if (volume->kind != VolumeKind::local || volume->snapshot) continue;
      const bool shown_as_one = around->group != 0 && volume->group == around->group;
      if (cross_volumes || shown_as_one) ask(volume);
    }
  }
  return {asked.begin(), asked.end()};
}

std::vector<std::size_t> volumes_to_ask(const MountTable& table) {
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Volume& volume = table[i];
    if (volume.firmlink || volume.hidden || volume.kind != VolumeKind::local) continue;
    asked.push_back(i);
  }
  return asked;
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
      if (!volume->firmlink && meant(*volume)) found.push_back(volume);
    }
    found = one_for_each_group(mounts.each_file_system_once(std::move(found)));
    if (found.size() == 1) return found.front();
    if (!found.empty()) {
      throw UsageError(
          text::format("--volume '{}' matches several volumes; for example --volume {}:{}", name,
                       found.front()->mount_point, list_of(found)));
    }
  }
  const std::vector<const Volume*> known = files_once(mounts, true);
  const std::string_view example =
      known.empty() ? std::string_view("/") : std::string_view(known.front()->mount_point);
  throw UsageError(
      text::format("--volume '{}': no volume has that mount point, source or name; for example "
                   "--volume {}; there are:{}",
                   name, example, list_of(known)));
}

}  // namespace ffind::plan
