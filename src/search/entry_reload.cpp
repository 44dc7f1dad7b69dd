// SPDX-License-Identifier: MIT
// Loaders and their parts. A loader has the parts of a worker that reach an entry, not those that
// list or match: a Reach, a PathPosition and an EntryAccess. They are kept for each root, and
// turn_to() chooses those of the root that an entry was found from. Only the current one keeps a
// directory open.
//
// An entry may have vanished or been replaced since the search: errors go the same way as in a
// walk, and each is reported once for all loaders (FirstReports).
#include "search/entry_reload.h"

#include <algorithm>
#include <map>
#include <utility>

#include "os/files.h"
#include "search/entry_access.h"
#include "search/path_position.h"

namespace ffind::search {
namespace {

/// Flags to open the directories of a search: a list names them as they are, through links.
os::OpenFlags flags_of(const Scope& scope, const Opener& opener) {
  if (!scope.lists.empty()) return {.follow = true, .stay_on_volume = false};
  return scope.follow ? opener.link_flags() : os::OpenFlags{};
}

}  // namespace

/// EntryLoader for one thread.
class ReloadLoader final : public LateLoader {
 public:
  explicit ReloadLoader(std::shared_ptr<EntryReload> reload) : reload_(std::move(reload)) {}
  ~ReloadLoader() override {
    const std::lock_guard lock(reload_->mutex_);
    for (const auto& [root, parts] : parts_) {
      if (parts) reload_->counts_ += parts->reach.counts;
    }
  }
  ReloadLoader(const ReloadLoader&) = delete;
  ReloadLoader& operator=(const ReloadLoader&) = delete;

  void turn_to(const Root& root, std::string_view below) override {
    // By address, so a root must not move while the loader is used. Null for a root that the plan
    // does not have, whose entries fail to load.
    std::unique_ptr<Parts>& parts = parts_[&root];
    if (!parts) {
      if (EntryReload::OpenVolume* const volume = reload_->volume_of(root)) {
        parts = std::make_unique<Parts>(*reload_, *volume);
      }
    }
    if (now_ != nullptr && now_ != parts.get()) now_->position.leave();
    now_ = parts.get();
    if (now_ != nullptr) now_->position.turn_to(root, below);
  }

  void load(Entry& entry, Needs wanted) override {
    if (now_ == nullptr) {
      entry.failed |= wanted;
      return;
    }
    now_->access.load(entry, wanted);
    now_->reach.issues.fail_if_closed(entry);
  }
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override {
    return now_ != nullptr && now_->access.attribute(entry, name, value);
  }
  bool read_contents(Entry& entry, ContentSink& sink) override {
    return now_ != nullptr && now_->access.read_contents(entry, sink);
  }
  std::optional<bool> holds_name(Entry& entry, std::string_view name) override {
    return now_ != nullptr ? now_->access.holds_name(entry, name) : std::nullopt;
  }
  void report_unknown(Entry& entry, Unknown what) override {
    if (now_ != nullptr) now_->access.report_unknown(entry, what);
  }

 private:
  /// Parts of a searcher's thread, for one root.
  struct Parts {
    Parts(EntryReload& reload, EntryReload::OpenVolume& volume)
        : reach(reload.state_, *volume.file_system),
          position(volume.boundaries, reach, flags_of(reload.matcher_.scope(), reach.opener),
                   reload.matcher_.scope().follow),
          access(reach, position, volume.task->volume) {}

    Reach reach;
    PathPosition position;
    EntryAccess access;
  };

  const std::shared_ptr<EntryReload> reload_;
  std::map<const Root*, std::unique_ptr<Parts>, std::less<>> parts_;
  Parts* now_ = nullptr;
};

EntryReload::EntryReload(Plan plan, Matcher matcher, Sink& sink, FileSystemFactory open_file_system)
    : plan_(std::move(plan)),
      matcher_(std::move(matcher)),
      issues_(sink),
      state_(matcher_, issues_, needs::none, unlimited, nullptr),
      open_file_system_(std::move(open_file_system)) {}

EntryReload::~EntryReload() = default;

std::unique_ptr<LateLoader> EntryReload::make_loader() {
  return std::make_unique<ReloadLoader>(shared_from_this());
}

Statistics EntryReload::statistics() {
  const std::lock_guard lock(mutex_);
  Statistics counts = counts_;
  counts.threads = 0;  // not of the search
  return counts;
}

// By hash, since a list may have a million entries. Two issues with one hash would be one report.
void EntryReload::FirstReports::report(const Issue& issue) {
  const PathKey key =
      entry_key(directory_key(static_cast<std::size_t>(issue.error), issue.path), issue.operation);
  {
    const std::lock_guard lock(mutex_);
    if (!reported_.insert(key).second) return;
  }
  next_.report(issue);
}

EntryReload::OpenVolume* EntryReload::volume_of(const Root& root) {
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const Root& one) {
    // A volume mounted below a root has the open_path of one that is named at its mount point.
    return one.open_path == root.open_path && one.below == root.below;
  };
  for (const Task& task : plan_.tasks) {
    if (std::none_of(task.roots.begin(), task.roots.end(), is_it)) continue;
    for (const std::unique_ptr<OpenVolume>& volume : volumes_) {
      if (volume->task == &task) return volume.get();
    }
    volumes_.push_back(
        std::make_unique<OpenVolume>(OpenVolume{&task, open_file_system_(task), Boundaries(task)}));
    return volumes_.back().get();
  }
  return nullptr;
}

}  // namespace ffind::search
