// SPDX-License-Identifier: MIT
// The walk from outside, and the parts of a worker that find things: Walker starts and joins the
// workers, NodeOpener opens directories, WalkPosition locates the current entry.
#include "search/walker.h"

#include <cerrno>
#include <functional>
#include <utility>

#include "text/paths.h"

namespace ffind::search {
namespace {

/// Pending directories per worker before another thread pays: starting one costs about as much as
/// reading four of a local disk's directories (30 us to 8 us, measured warm).
constexpr std::size_t pending_per_worker = 8;

}  // namespace

Walker::Walker(const Task& task, const ThreadBounds& threads, SearchState& state,
               os::FileSystem& file_system, os::DirectoryReaders& directories,
               std::size_t descriptors, const EmittedSet* emitted)
    : task_(task),
      state_(state),
      file_system_(file_system),
      directories_(directories),
      boundaries_(task),
      mounted_(task.mounted),
      emitted_(emitted),
      frontier_(descriptors, task.volume.kind == VolumeKind::network),
      limit_(threads) {}

void Walker::run(const std::vector<const Root*>& roots) {
  if (roots.empty()) return;
  const auto node_of = [](const Root* root) { return Node::make(nullptr, *root, {}, root->depth); };
  if (state_.matcher().scope().parents_first) {
    for (const Root* const root : roots) frontier_.queue_root(node_of(root));
  } else {
    // In reverse, since the frontier is last in, first out.
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
      frontier_.push_root(node_of(*root));
    }
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
  if (statistics_.threads > limit_.planned()) {
    result.statistics.added_threads += statistics_.threads - limit_.planned();
  }
  left_out_.append_to(result.left_out);
}

/// Returns whether the catalog search emitted the entry before it was given up.
bool Walker::was_emitted(const WalkPosition& position, std::string_view name) const {
  const Node* const node = position.node();
  if (node == nullptr) return false;
  const Root* const first = task_.roots.data();
  const Root* const end = first + task_.roots.size();
  // A corrected root is not the task's: it has no number, and no catalog was read for it.
  const bool planned =
      !std::less<>{}(&position.root(), first) && std::less<>{}(&position.root(), end);
  if (!planned) return false;
  const auto root = static_cast<std::size_t>(&position.root() - first);
  std::string below;
  node->append_relative_path(below);
  return emitted_->contains(entry_key(directory_key(root, below), name));
}

/// Opens a node's directory, unless it is open; reports an error, and keeps it in the node.
int NodeOpener::open(os::ListedDirectory& directory) {
  auto& node = static_cast<Node&>(directory);
  if (node.directory.is_open()) return 0;
  if (node.open_error != 0) return node.open_error;
  node.elsewhere = node.elsewhere || (node.via_link && !reach_.opener.link_flags().stay_on_volume);
  os::OpenFlags flags = node.via_link ? reach_.opener.link_flags() : os::OpenFlags{};
  const os::Directory& parent = node.parent()->directory;
  const auto open_it = [&] {
    // Relative to its parent if that is open: in a chain of 20,000 directories with tests of size,
    // opening each by its path took 34 s.
    return parent.is_open() ? reach_.opener.open(&parent, node.c_name(), flags, node.directory)
                            : open_by_path(node, flags, node.directory);
  };
  node.open_error = open_it();
  if (node.open_error == EXDEV && enters_mount(node)) {
    flags.stay_on_volume = false;
    node.elsewhere = true;
    node.open_error = open_it();
  }
  if (node.open_error == 0) {
    frontier_.descriptor_opened();
  } else if (node.open_error == EXDEV) {
    if (scope_.mounts == Scope::Mounts::by_kind) left_out_.add_unknown(node.display_name());
  } else if (!node.reported) {
    reach_.issues.pass_over(node.display_name(), DirectoryStep::open, node.open_error);
  }
  return node.open_error;
}

/// Returns whether the walk enters the volume that is mounted on the node, which no task has.
/// Compares identities without opening it, which might mount something.
bool NodeOpener::enters_mount(const Node& node) {
  if (scope_.mounts == Scope::Mounts::all) return true;
  if (scope_.mounts == Scope::Mounts::by_kind && !scope_.cross_volumes) return false;
  const Node& root = node.top();
  const os::Directory& parent = node.parent()->directory;
  std::string path = node.root().open_path + '/';
  node.append_relative_path(path);
  Metadata found{};
  Needs got = needs::none;
  const int error = reach_.opener.file_system().stat(
      parent.is_open() ? &parent : nullptr, parent.is_open() ? node.c_name() : path.c_str(), {},
      needs::type | needs::identity, found, got);
  if (error != 0) return false;
  if (scope_.mounts == Scope::Mounts::of_device) return found.device == root.id.device;
  // If the table has it by now, its kind decides.
  node.spell_canonical(path);
  path.pop_back();
  for (const Volume& volume : os::mount_table()) {
    if (volume.hidden || volume.mount_point != path || volume.kind == VolumeKind::local) continue;
    if (volume.kind != VolumeKind::network || !scope_.network) return false;
  }
  // Each file system once: not a bind mount of what is searched. With --unique the directory was
  // inserted when it was listed.
  return scope_.unique || (found.device != root.id.device &&
                           reach_.state.visited().insert({found.device, found.inode}));
}

int NodeOpener::open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened) {
  std::string path;
  node.append_relative_path(path);
  // If links are followed, any component of the path may be one.
  if (scope_.follow) flags = reach_.opener.link_flags();
  return reach_.opener.open_below(node.root(), path, flags, opened, node.top().id);
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

/// Looks the directory up, so that its entries need not be if there are none.
bool WalkPosition::find_boundaries() {
  if (node_->parent() != nullptr && !boundaries_.may_be_in(node_->name())) return false;
  node_->spell_canonical(canonical_);
  return boundaries_.some_in(canonical_);
}

const Boundary* WalkPosition::boundary_named(std::string_view name) {
  node_->spell_canonical(canonical_);
  return boundaries_.at(canonical_.append(name));
}

/// By the path, links resolved on the way to the root only: find(1) compares devices, which a
/// subvolume does not have in the mount table.
const Boundary* WalkPosition::volume_at(const Entry& entry) {
  if (mounted_.empty() || node_ == nullptr) return nullptr;
  node_->spell_canonical(canonical_);
  if (!volume_) volume_ = mounted_.holding(canonical_);
  return mounted_.some_in(canonical_) ? mounted_.holding(canonical_.append(entry.name)) : *volume_;
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
