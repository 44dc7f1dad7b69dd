// SPDX-License-Identifier: MIT
// --list-volumes: selects the volumes, probes them, queries their sizes and makes the text.
//
// A call to a volume whose server is down does not return. Capabilities of such volumes are
// therefore not queried. Their sizes are, by threads of their own, and those that have not answered
// within a second are shown as unknown. The threads share ownership of the answers, since they may
// live longer than the list.
#include "cli/search_plan.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/request.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/terminal.h"
#include "output/pipeline.h"
#include "plan/explain.h"
#include "plan/mounts.h"

namespace ffind::cli {
namespace {

/// A server that is up answers within milliseconds, through a slow tunnel within 200.
constexpr std::chrono::seconds patience{1};
/// Each dead server holds up one thread, so this many are survived.
constexpr std::size_t most_threads = 64;

/// Sizes of volumes that may not answer.
struct Answers {
  explicit Answers(std::vector<std::string> asked)
      : mount_points(std::move(asked)), spaces(mount_points.size()) {}

  const std::vector<std::string> mount_points;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;  ///< guards the members below
  std::condition_variable all_answered;
  std::vector<std::optional<VolumeSpace>> spaces;
  std::size_t answers = 0;

  void run() {
    for (std::size_t i = next++; i < mount_points.size(); i = next++) {
      const std::optional<VolumeSpace> space = os::space_of(mount_points[i]);
      const std::lock_guard lock(mutex);
      spaces[i] = space;
      if (++answers == mount_points.size()) all_answered.notify_all();
    }
  }
};

/// Queries volumes that may block. Returns true if all have answered.
bool ask_in_threads(const std::vector<plan::ListedVolume*>& volumes) {
  std::vector<std::string> mount_points;
  mount_points.reserve(volumes.size());
  for (const plan::ListedVolume* const listed : volumes) {
    mount_points.push_back(listed->volume.mount_point);
  }
  const auto answers = std::make_shared<Answers>(std::move(mount_points));
  try {
    for (std::size_t i = 0; i < std::min(volumes.size(), most_threads); ++i) {
      std::thread([answers] { answers->run(); }).detach();
    }
  } catch (const std::system_error&) {
    // No more threads: those that run go on, and without any all sizes stay unknown.
  }
  std::unique_lock lock(answers->mutex);
  const bool all = answers->all_answered.wait_for(
      lock, patience, [&] { return answers->answers == volumes.size(); });
  for (std::size_t i = 0; i < volumes.size(); ++i) volumes[i]->space = answers->spaces[i];
  return all;
}

/// Adds the sizes of the volumes. Returns true if all have answered. An automounter is not queried,
/// since that would mount something.
bool ask_spaces(const plan::Mounts& mounts, std::vector<plan::ListedVolume>& volumes) {
  std::vector<plan::ListedVolume*> may_block;
  for (plan::ListedVolume& listed : volumes) {
    if (listed.volume.kind == VolumeKind::automount) continue;
    if (plan::may_block(mounts, listed.volume)) {
      may_block.push_back(&listed);
    } else {
      listed.space = os::space_of(listed.volume.mount_point);
    }
  }
  return may_block.empty() || ask_in_threads(may_block);
}

/// The volume that holds `path`, or is mounted from that device; null, and an issue, if there is
/// none.
const Volume* volume_at(const std::string& path, const MountTable& table,
                        const plan::Mounts& mounts, std::vector<Issue>& issues) {
  const auto source = std::find_if(table.begin(), table.end(), [&](const Volume& volume) {
    return volume.source == path && !volume.hidden && !volume.firmlink;
  });
  const Location location = locate_root(path, mounts, false);
  if (location.error != 0) {
    issues.push_back({path, "", location.error});
    return nullptr;
  }
  if (source != table.end() && location.type != FileType::directory) return &*source;
  const Volume* volume = mounts.of(location);
  if (volume != nullptr && volume->firmlink) volume = mounts.by_id(volume->id);
  if (volume == nullptr) issues.push_back(not_in_mount_table(path));
  return volume;
}

/// Containers mount single files, which hold no volume for people.
bool is_file(const plan::Mounts& mounts, const Volume& volume) {
  return volume.subtree != "/" && !plan::may_block(mounts, volume) &&
         !os::is_directory(volume.mount_point);
}

/// Indices of the volumes to list, in that order.
std::vector<std::size_t> selected(const Options& options, const MountTable& table,
                                  const plan::Mounts& mounts, std::vector<Issue>& issues) {
  const std::string home = os::normal_path(os::environment("HOME").value_or(""));
  const bool named = !options.arguments.empty() || options.has(Id::in) || options.has(Id::volume);
  const bool all = options.has(Id::details) || options.data_format() || named;
  std::vector<std::size_t> which = plan::volumes_to_list(mounts, all, home);
  if (!all) std::erase_if(which, [&](std::size_t i) { return is_file(mounts, table[i]); });
  if (!named) {
    if (mounts.holding("/") == nullptr) issues.push_back(not_in_mount_table("/"));
    return which;
  }
  std::vector<const Volume*> chosen;
  for (const std::string& path : sort_arguments(options).paths) {
    chosen.push_back(volume_at(path, table, mounts, issues));
  }
  for (const std::string& name : options.all(Id::volume)) {
    chosen.push_back(mounts.holding(volume_root(name, mounts)));
    if (chosen.back() == nullptr) issues.push_back(not_in_mount_table(name));
  }
  std::erase_if(which, [&](std::size_t i) {
    return std::find(chosen.begin(), chosen.end(), &table[i]) == chosen.end();
  });
  // A volume that a later mount hides holds the current directory, for example.
  for (const Volume* const volume : chosen) {
    if (volume != nullptr && volume->hidden) {
      which.push_back(static_cast<std::size_t>(volume - table.data()));
    }
  }
  return which;
}

}  // namespace

VolumeList list_volumes(const Options& options, const output::OutputStyle& style) {
  VolumeList list;
  MountTable table = os::mount_table();
  const plan::Mounts mounts(table);
  const std::vector<std::size_t> which = selected(options, table, mounts, list.issues);
  ask_volumes(table, plan::volumes_to_ask(mounts, which));
  std::vector<plan::ListedVolume> volumes = plan::list_volumes(table, which, this_machine());
  list.waits = !ask_spaces(mounts, volumes);
  if (options.data_format()) {
    list.text = rows_text(plan::volume_rows(volumes), style.row_form());
    return list;
  }
  const std::size_t columns = style.terminal ? os::terminal_size(os::standard_output).columns : 0;
  const plan::VolumeTable form{.all = options.has(Id::details),
                               .heading = style.terminal,
                               .human_sizes = style.human_sizes,
                               .columns = columns};
  if (style.terminal && form.all) {
    // All columns of a table are wider than most terminals.
    list.text = plan::volume_blocks(volumes, form);
    return list;
  }
  list.text = plan::volumes_text(volumes, form);
  if (style.terminal) {
    const std::size_t end = list.text.find('\n') + 1;
    list.text.replace(0, end, output::shown_heading(list.text.substr(0, end), style));
  }
  return list;
}

}  // namespace ffind::cli
