// SPDX-License-Identifier: MIT
// Loaders and their parts. A loader has the parts of a worker that reach an entry, not those that
// list or match: ReloadPosition in place of the walk's position, an Opener and an EntryAccess. They
// are kept for each root, and turn_to() chooses those of the root that an entry was found from.
// Only the current one keeps a directory open.
//
// An entry may have vanished or been replaced since the search: errors go the same way as in a
// walk, and each is reported once for all loaders (FirstReports).
#include "search/entry_reload.h"

#include <algorithm>
#include <map>
#include <utility>

#include "os/files.h"
#include "search/catalog_search.h"
#include "search/entry_access.h"

namespace ffind::search {
namespace {

/// Location of an entry found earlier: in a directory that is opened by its path below a root, or a
/// root that is a file. Used by one thread.
class ReloadPosition final : public EntryPosition {
 public:
  ReloadPosition(const Boundaries& boundaries, Opener& opener, IssueReporter& issues,
                 const Scope& scope)
      : issues_(issues),
        follow_(scope.follow),
        in_directory_(boundaries, opener,
                      !scope.lists.empty() ? os::OpenFlags{.follow = true, .stay_on_volume = false}
                      : scope.follow       ? opener.link_flags()
                                           : os::OpenFlags{}) {}

  /// Moves to the directory `below` `root`.
  void turn_to(const Root& root, std::string_view below) {
    if (root_ == &root && below_ == below) return;
    in_directory_.leave();
    root_ = &root;
    below_ = below;
    error_ = 0;
    in_directory_.turn_to(root, below_);
  }
  /// Closes its directory.
  void leave() {
    root_ = nullptr;
    in_directory_.close();
  }

  EntryPlace place_of(const Entry& entry) override {
    if (root_->is_file) return {.name = root_->open_path.c_str(), .is_root = true};
    if (error_ != 0) return {.name = "", .error = error_, .reported = true};
    in_directory_.turn_to_entry();
    EntryPlace place = in_directory_.place_of(entry);
    // The search has resolved links and checked that they may be followed: an entry that is still a
    // link is dangling, or its target must not be read.
    place.followed = follow_ && entry.type != FileType::symlink;
    if (place.error == 0) return place;
    // Nothing in that directory can be read: reported once.
    error_ = place.error;
    place.reported = true;
    issues_.pass_over(shown_directory(entry), DirectoryStep::open, error_);
    return place;
  }
  void load_paths(Entry& entry, Needs wanted) override { in_directory_.load_paths(entry, wanted); }
  const Boundary* boundary_at(const Entry& entry) override {
    return root_->is_file ? nullptr : in_directory_.boundary_at(entry);
  }
  const Root& root() const override { return *root_; }

 private:
  std::string shown_directory(const Entry& entry) const {
    std::string path(entry.directory);
    if (path.size() > 1) path.pop_back();
    return path.empty() ? root_->open_path : path;
  }

  IssueReporter& issues_;
  const bool follow_;
  CatalogPosition in_directory_;
  const Root* root_ = nullptr;
  std::string below_;
  int error_ = 0;  ///< errno from opening the directory
};

}  // namespace

/// EntryLoader for one thread.
class ReloadLoader final : public LateLoader {
 public:
  explicit ReloadLoader(std::shared_ptr<EntryReload> reload) : reload_(std::move(reload)) {}

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
    if (entry.unreadable != 0) now_->issues.fail(entry, "", std::exchange(entry.unreadable, 0));
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
  /// Parts of a worker, for one root.
  struct Parts {
    Parts(EntryReload& reload, EntryReload::OpenVolume& volume)
        : issues(reload.state_, counts),
          opener(reload.state_, *volume.file_system, [] {}),
          position(volume.boundaries, opener, issues, reload.matcher_.scope()),
          access(reload.state_, counts, issues, opener, position, volume.task->volume) {}

    Counts counts;
    IssueReporter issues;
    Opener opener;
    ReloadPosition position;
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
