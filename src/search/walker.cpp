// SPDX-License-Identifier: MIT
// The walk from outside, and the parts of a worker that find things: Walker starts and joins the
// workers, NodeOpener opens directories, WalkPosition locates the current entry.
#include "search/walker.h"

#include <cerrno>
#include <utility>

#include "text/paths.h"

namespace ffind::search {
namespace {

/// Pending directories per worker before another thread pays: starting one costs about as much as
/// reading four of a local disk's directories (30 us to 8 us, measured warm).
constexpr std::size_t pending_per_worker = 8;

}  // namespace

Walker::Walker(const Task& task, SearchState& state, os::FileSystem& file_system,
               os::DirectoryReaders& directories, std::size_t descriptors,
               const EmittedSet* emitted)
    : task_(task),
      state_(state),
      file_system_(file_system),
      directories_(directories),
      boundaries_(task),
      emitted_(emitted),
      frontier_(descriptors, task.volume.kind == VolumeKind::network),
      limit_({.planned = task.choice.threads,
              .most = task.choice.most_threads,
              .busy = task.choice.busy_threads,
              .on_device = task.volume.kind != VolumeKind::network}) {}

void Walker::run(const std::vector<const Root*>& roots) {
  if (roots.empty()) return;
  // In reverse, since the frontier is last in, first out.
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    frontier_.push_root(Node::make(nullptr, **root, {}, (*root)->depth));
  }
  frontier_.add_worker();
  work();
  threads_.join();
}

/// Returns whether `pending` directories justify one more worker than `workers`. A slow volume
/// wants its workers at once.
bool Walker::is_enough(std::size_t pending, unsigned workers) const {
  const bool slow = task_.volume.kind == VolumeKind::network || limit_.raised();
  return pending >= workers * (slow ? std::size_t{1} : pending_per_worker);
}

void Walker::work() {
  Worker worker(*this);
  worker.run();
  const std::lock_guard lock(mutex_);
  statistics_ += worker.statistics();
}

void Walker::report(const WorkTimes& times) {
  if (!limit_.report(times)) return;
  frontier_.allow(limit_.threads());
  consider_more_workers(false);
}

void Walker::consider_more_workers(bool crowded_directory) {
  while (consider_another_worker(crowded_directory)) crowded_directory = false;
}

/// Starts a worker if that pays; false if not. The first tests take no mutex, since workers call
/// this for each directory with children.
bool Walker::consider_another_worker(bool crowded_directory) {
  const unsigned count = workers_.load(std::memory_order_relaxed);
  if (count >= limit_.threads() || frontier_.someone_waits()) return false;
  if (!crowded_directory && !is_enough(frontier_.pending(), count)) return false;

  const std::lock_guard lock(mutex_);
  if (workers_.load(std::memory_order_relaxed) != count) return false;
  // Counted before it runs: the walk must not end between now and its first pop().
  frontier_.add_worker();
  if (!threads_.start([this] { work(); })) {
    // Make do with those that run, and do not try again.
    frontier_.remove_worker();
    workers_.store(limit_.most(), std::memory_order_relaxed);
    return false;
  }
  workers_.store(count + 1, std::memory_order_relaxed);
  state_.mark_long_running();
  return true;
}

void Walker::add_to(SearchResult& result) {
  const std::lock_guard lock(mutex_);
  result.statistics += statistics_;
  if (statistics_.threads > task_.choice.threads) {
    result.statistics.added_threads += statistics_.threads - task_.choice.threads;
  }
  left_out_.append_to(result.left_out);
}

const Root& Walker::correct(Root root) {
  const std::lock_guard lock(mutex_);
  return corrected_.emplace_back(std::move(root));
}

/// Opens a node's directory, unless it is open; reports an error, and keeps it in the node.
int NodeOpener::open(os::ListedDirectory& directory) {
  auto& node = static_cast<Node&>(directory);
  if (node.directory.is_open()) return 0;
  if (node.open_error != 0) return node.open_error;
  const os::OpenFlags flags = node.via_link ? opener_.link_flags() : os::OpenFlags{};
  const os::Directory& parent = node.parent()->directory;
  // Relative to its parent if that is open: in a chain of 20,000 directories with tests of size,
  // opening each by its path took 34 s.
  node.open_error = parent.is_open() ? opener_.open(&parent, node.c_name(), flags, node.directory)
                                     : open_by_path(node, flags, node.directory);
  if (node.open_error == 0) {
    frontier_.descriptor_opened();
  } else if (node.open_error == EXDEV) {
    left_out_.add_unknown(node.display_name());
  } else if (!node.reported) {
    issues_.pass_over(node.display_name(), DirectoryStep::open, node.open_error);
  }
  return node.open_error;
}

int NodeOpener::open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened) {
  std::string path;
  node.append_relative_path(path);
  // If links are followed, any component of the path may be one.
  if (scope_.follow) flags = opener_.link_flags();
  const Node* root = &node;
  while (root->parent() != nullptr) root = root->parent();
  return opener_.open_below(node.root(), path, flags, opened, root->id);
}

EntryPlace WalkPosition::place_of(const Entry& entry) {
  // A root that is a file is named by its whole path; other names end with a NUL in their block.
  if (node_ == nullptr) return {.name = root_->open_path.c_str(), .is_root = true};
  EntryPlace place{.at = &node_->directory, .name = entry.name.data(), .followed = is_link_};
  // A reader that needs no descriptor left the directory closed; no other thread has the node yet.
  if (!node_->directory.is_open()) place.error = opener_.open(*node_);
  place.reported = place.error != 0;
  return place;
}

void WalkPosition::load_paths(Entry& entry, Needs wanted) {
  if (node_ == nullptr) {
    entry.relative_path = is_listed_root_ ? std::string_view() : entry.name;
    entry.absolute_path = root_->absolute;
    entry.present |= needs::directory | (wanted & (needs::relative_path | needs::absolute_path));
    return;
  }
  spell_directory();
  path_.fill(entry, wanted);
}

/// Builds the path of the directory once, when its first entry needs it.
void WalkPosition::spell_directory() {
  if (spelled_ == node_) return;
  if (spelled_ != nullptr && node_->parent() == spelled_ && spelled_->parent() != nullptr) {
    // The next link of a chain: in one of 20,000 directories, building each path from the root
    // would take longer than everything else.
    path_.enter(node_->name());
  } else {
    node_->append_relative_path(path_.begin(*root_));
    path_.end();
  }
  node_->add_reference();
  Node::release(spelled_);
  spelled_ = node_;
}

const Boundary* WalkPosition::boundary_at(const Entry& entry) {
  if (!has_boundaries_) return nullptr;
  if (node_ == nullptr || !boundaries_.may_be(entry.name)) return nullptr;
  node_->spell_canonical(canonical_);
  return boundaries_.at(canonical_.append(entry.name));
}

Needs WalkPosition::metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) {
  if ((wanted & reader_knows_) == 0) return needs::none;
  // A mounted directory belongs to another volume, a link's target possibly too.
  if (is_link_ || node_ == nullptr || boundary_at(entry) != nullptr) return needs::none;
  return reader_.metadata(inode_, entry.type, wanted, metadata);
}

/// A root that is a file has one more call. In a directory, the first entries have it, too, since
/// to list it takes as long as four of them.
std::optional<bool> WalkPosition::has_sidecars() {
  constexpr int fewer_than_listing = 2;
  if (node_ == nullptr || node_->sidecars == SidecarNames::some) return true;
  if (node_->sidecars == SidecarNames::none) return false;
  return ++sidecar_calls_ > fewer_than_listing ? std::nullopt : std::optional<bool>(true);
}

/// The entry is a directory: returns whether the reader knows it to be empty.
std::optional<bool> WalkPosition::empty_at_hand() {
  if (is_link_ || node_ == nullptr) return {};
  return reader_.is_empty(*node_, inode_);
}

}  // namespace ffind::search
