// SPDX-License-Identifier: MIT
// The parts of a worker that find an entry (NodeOpener, WalkPosition), and its Entrance.
#include "search/entrance.h"

#include <cerrno>
#include <functional>
#include <utility>

#include "plan/roots.h"
#include "text/paths.h"

namespace ffind::search {
namespace {

/// Children of one directory of which the reader is told before they are entered.
constexpr std::size_t most_expected = 4096;

}  // namespace

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
  const int error = reach_.file_system().stat(parent.is_open() ? &parent : nullptr,
                                              parent.is_open() ? node.c_name() : path.c_str(), {},
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

// The entrance

Entrance::Entrance(SearchState& state, const WalkFacts& walk, Frontier& frontier, LeftOut& left_out)
    : SearchThread(state, walk.file_system, [&frontier] { frontier.evict_all(); }),
      walk_(walk),
      left_out_(left_out),
      passes_mounts_(scope_.mounts != Scope::Mounts::by_kind),
      compares_links_(passes_mounts_ && !scope_.parents_first),
      follows_directories_(state.sink().follows_directories()),
      node_opener_(reach_, frontier, left_out),
      reader_(walk.directories.make_reader(node_opener_)),
      position_(walk.boundaries, walk.mounted, passes_mounts_, *reader_, node_opener_),
      has_near_misses_(matcher_.has_near_misses()),
      known_of_all_(walk.file_system.marks_bundles() ? needs::none : needs::bundle),
      needs_bundles_((matcher_.needs() & needs::bundle & ~known_of_all_) != 0),
      access_(reach_, position_, walk.task.volume) {
  entry_.loader = &access_;
  if (scope_.has_ignore_rules()) ignored_.emplace(scope_, reach_.opener, reach_.issues);
}

void Entrance::turn_to(Node& node) {
  position_.turn_to(node);
  if (ignored_) ignored_->turn_to(node);
  entry_.directory = {};
  entry_.present = needs::none;
  entry_.depth = node.depth() + 1;
  entry_.inside = node.token;
}

void Entrance::offer_root_file(const Root& root, const RootFile& file) {
  offer_root(root,
             {.name = text::name_of(root.open_path),
              .type = file.type,
              .metadata = &file.metadata,
              .known = file.known},
             file.via_link);
}

bool Entrance::offer_root_directory(const Root& root, const RootFile& file) {
  const std::string_view path = text::without_end_slashes(root.open_path);
  entry_.slashes = std::string_view(root.open_path).substr(path.size());
  offer_root(state_.correct(plan::as_file(root)),
             {.name = path == "/" ? path : text::name_of(path),
              .type = FileType::directory,
              .metadata = &file.metadata,
              .known = file.known},
             file.via_link);
  const bool descends = !entry_.kept_out && matcher_.descends(entry_);
  entry_.slashes = {};
  return descends;
}

void Entrance::offer_root(const Root& root, const os::Dirent& dirent, bool via_link) {
  position_.turn_to_file(root, scope_.list_roots);
  entry_.directory = root.printed;
  entry_.present = needs::directory;
  entry_.depth = root.depth;
  entry_.inside = 0;
  consider(dirent, via_link);
}

void Entrance::consider(const os::Dirent& dirent, bool via_link) {
  ++reach_.counts.entries;
  begin(dirent.name, dirent.type, (entry_.present & needs::directory) | known_of_all_);
  entry_.via_link = via_link;
  position_.turn_to_entry(dirent.inode);
  leads_elsewhere_ = closed_reported_ = false;
  // Metadata read with the name; for a mount point or firmlink it may be that of the covered
  // directory.
  const bool is_mount_point = (dirent.traits & os::traits::mount_point) != 0;
  if (dirent.metadata != nullptr && !is_mount_point && position_.boundary_at(entry_) == nullptr) {
    entry_.metadata = *dirent.metadata;
    entry_.present |= dirent.known;
  }
  if (dirent.type != FileType::unknown) entry_.present |= needs::type;
  if (!walk_.boundaries.empty() && is_covered_file()) {
    entry_.type = FileType::unknown;
    entry_.present &= needs::directory;
  }
  if (scope_.follow && (dirent.type == FileType::symlink || dirent.type == FileType::unknown)) {
    follow();
  }
  // find(1) lists neither a directory that contains itself nor a link that leads to itself.
  const Node* const same =
      scope_.follow && entry_.type == FileType::directory ? same_above(dirent) : nullptr;
  entry_.loop = entry_.loop || same != nullptr;
  if (scope_.list_roots && same != nullptr) {
    return reach_.issues.report_entry(
        entry_, "loop", ELOOP,
        same->parent() == nullptr ? root_name(same->root()) : same->display_name());
  }
  if (scope_.list_roots && entry_.loop) {
    return reach_.issues.report_entry(entry_, "follow link", ELOOP);
  }
  if (needs_bundles_) note_bundle(dirent);
  if (ignored_ && position_.node() != nullptr && ignored_->ignores(entry_)) {
    return matcher_.note_ignored(entry_);
  }
  Verdict verdict = matcher_.judge(entry_);
  if (follows_directories_ && position_.node() != nullptr && position_.node()->is_whole) {
    verdict.emit = verdict.emit || !verdict.excluded();
  }
  // find(1) reports a link to itself that -xtype has followed.
  if (scope_.list_roots && entry_.loop) reach_.issues.report_entry(entry_, "follow link", ELOOP);
  if (has_near_misses_) matcher_.note_judged(entry_, verdict);
  if (entry_.unreadable != 0) report_closed();
  if (!verdict.emit && !verdict.descend()) {
    if (follows_directories_ && !verdict.excluded()) output_.lane().pass(entry_);
    return;
  }
  if (walk_.boundaries.hide_some() && !is_listed()) return;
  if (scope_.unique && entry_.type == FileType::directory && !first_visit()) return;
  if (follows_directories_) entry_.boundary = position_.boundary_at(entry_);
  if (verdict.emit && (walk_.emitted == nullptr || !was_emitted())) {
    if (state_.has_condition()) leave_rest_to_others();
    output_.emit(entry_);
    if (entry_.unreadable != 0) report_closed();
  }
  const bool entered = verdict.descend() && !entry_.kept_out && walk_.task.choice.enter &&
                       position_.node() != nullptr && consider_entering(dirent);
  if (!entry_.own_space) return;
  if (!entered) output_.lane().stay_out(entry_);
  entry_.own_space.reset();
}

/// Looks for the entry among the directories above it; null if it is none of them. Only a link
/// leads back to one of them, so elsewhere no call is made, and a directory below a link is
/// identified only if its inode number is that of an ancestor.
const Node* Entrance::same_above(const os::Dirent& dirent) {
  const bool linked = position_.is_link();
  const Node* const node = position_.node();
  if (node == nullptr || !(linked || (node->behind_link && !compares_links_))) return nullptr;
  for (const Node* above = node; above != nullptr; above = above->parent()) {
    // A mount point is listed with the inode number of the directory that it covers.
    if (!linked && !passes_mounts_ && above->id.inode != dirent.inode) continue;
    if (!entry_.require(needs::identity)) return nullptr;
    if (above->id.device == entry_.metadata.device && above->id.inode == entry_.metadata.inode) {
      return above;
    }
  }
  return nullptr;
}

/// Returns whether a file is mounted on the entry, so that the listing has the type of the covered
/// one. Only a directory can be mounted on a directory, but any other file on any other.
bool Entrance::is_covered_file() {
  if (entry_.type == FileType::directory || entry_.type == FileType::unknown) return false;
  const Boundary* const boundary = position_.boundary_at(entry_);
  return boundary != nullptr && boundary->mount_point;
}

/// Replaces a symbolic link by its target; a dangling link stays one.
void Entrance::follow() {
  Needs wanted = needs::type | (needs_ & needs::metadata);
  wanted |= needs::identity;  // free, and decides whether it leads back to an ancestor
  os::LinkTarget target;
  const EntryPlace place = position_.place_of(entry_);
  ++reach_.counts.stats;
  const int error = reach_.file_system().stat_target(place.at, place.name,
                                                     reach_.opener.link_flags(), wanted, target);
  leads_elsewhere_ = target.elsewhere;
  if (error == 0) {
    entry_.metadata = target.metadata;
    entry_.present = (entry_.present & needs::directory) | target.got;
    entry_.type = os::type_of_mode(target.metadata.mode);
    position_.follow_link();
    entry_.via_link = true;
  } else if (error == EXDEV && position_.node() != nullptr) {
    // The server may be down; leave the target unresolved.
    left_out_.add_unknown(position_.node()->printed_path().append(entry_.name));
  } else if (error == ELOOP) {
    entry_.loop = true;
  } else if (!is_gone(error)) {
    reach_.issues.report_entry(entry_, "follow link", error);
    // find(1) does not look at the link instead.
    if (scope_.list_roots) entry_.failed |= needs::metadata & ~entry_.present;
  }
}

/// Sets the entry's bundle mark if it is known without a call.
void Entrance::note_bundle(const os::Dirent& dirent) {
  entry_.bundle = (dirent.traits & os::traits::bundle) != 0;
  // A link's own mark says nothing about its target.
  const bool known = (dirent.traits & os::traits::bundle_known) != 0 && !position_.is_link();
  // On a mount point the mark would be that of another volume, whose server may be down.
  const bool edge = (dirent.traits & (os::traits::mount_point | os::traits::trigger)) != 0 ||
                    position_.boundary_at(entry_) != nullptr;
  if (edge) entry_.bundle = false;
  if (known || edge) entry_.present |= needs::bundle;
}

bool Entrance::is_listed() {
  const Boundary* const boundary = position_.boundary_at(entry_);
  return boundary == nullptr || boundary->listed;
}

bool Entrance::first_visit() {
  // Listed, but not visited here: a bind mount may show another directory below the root, and a
  // server may be down.
  const Boundary* const boundary = position_.boundary_at(entry_);
  const bool is_mounted = boundary != nullptr && boundary->mount_point && boundary->entered &&
                          boundary->kind == VolumeKind::local;
  if ((boundary != nullptr && !is_mounted) || (leads_elsewhere_ && !scope_.cross_volumes)) {
    return true;
  }
  if (!entry_.require(needs::identity)) return true;
  const os::FileId id{entry_.metadata.device, entry_.metadata.inode};
  if (is_mounted && !state_.visited().is_reserved(id)) return true;
  return state_.visited().insert(id) || (is_mounted && state_.visited().is_named(id));
}

/// Reports a directory that could not be read: it may not be entered, which would report it.
void Entrance::report_closed() {
  const int error = std::exchange(entry_.unreadable, 0);
  if (!closed_reported_) reach_.issues.fail(entry_, "", error);
  closed_reported_ = true;
}

/// Returns whether the directory was added to those to enter.
bool Entrance::consider_entering(const os::Dirent& dirent) {
  Node& node = *position_.node();
  const bool of_device = scope_.mounts == Scope::Mounts::of_device;
  if (of_device && (entry_.present & needs::identity) != 0 &&
      entry_.metadata.device != node.id.device) {
    return false;
  }
  if (leads_elsewhere_ && !scope_.cross_volumes && !passes_mounts_) {
    left_out_.add_unknown(node.printed_path().append(dirent.name));
    return false;
  }
  if (const Boundary* const boundary = position_.boundary_at(entry_)) {
    if (boundary->left_out) left_out_.add(*boundary);
    return false;
  }
  if ((dirent.traits & os::traits::trigger) != 0 && !passes_mounts_) return false;
  if ((dirent.traits & os::traits::mount_point) != 0 && !passes_mounts_) {
    left_out_.add_unknown(node.printed_path().append(dirent.name));
    return false;
  }
  if (scope_.unique && (entry_.present & needs::identity) != 0 &&
      state_.visited().is_reserved({entry_.metadata.device, entry_.metadata.inode})) {
    return false;
  }
  os::DirectoryHandle handle;
  if (node.handle && !position_.is_link()) {
    handle = reader_->child(node, dirent.inode);
    if (handle && expected_.size() < most_expected) expected_.push_back(handle);
  }
  // The error of its stat was reported, and is the reason why it cannot be opened.
  const bool reported = closed_reported_ || (entry_.failed & needs::mode) != 0;
  const int about =
      (position_.is_link() ? NameBatch::via_link : 0) | (reported ? NameBatch::reported : 0);
  children_.add(entry_.name, static_cast<char>(about), handle, entry_.own_space);
  return true;
}

/// Returns whether the catalog search emitted the entry before it was given up.
bool Entrance::was_emitted() const {
  const Node* const node = position_.node();
  if (node == nullptr) return false;
  const Root* const first = walk_.task.roots.data();
  const Root* const end = first + walk_.task.roots.size();
  // A corrected root is not the task's: it has no number, and no catalog was read for it.
  const bool planned =
      !std::less<>{}(&position_.root(), first) && std::less<>{}(&position_.root(), end);
  if (!planned) return false;
  const auto root = static_cast<std::size_t>(&position_.root() - first);
  std::string below;
  node->append_relative_path(below);
  return walk_.emitted->contains(entry_key(directory_key(root, below), entry_.name));
}

}  // namespace ffind::search
