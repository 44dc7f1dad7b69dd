// SPDX-License-Identifier: MIT
// The way of a directory through a worker: opened, read block by block, shared or paused, closed.
// What single entries are asked for is in entry_loader.cpp.
#include "search/worker.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace ffind {
namespace {

/// Children that may be pending of one directory before its reading pauses: ten million siblings
/// then cost one batch, and a pause (two trips to the frontier) is paid once in 4096 entries.
constexpr std::size_t most_pending = 4096;
/// With a catalog they are read in the order in which they lie on the volume, which the kernel does
/// not list them in: the more of them, the closer together they lie. All workers together gather so
/// many bytes of names, which are copied twice on their way; with two workers that makes batches of
/// 80,000 of the 450,000 siblings.
constexpr std::size_t batches_for_catalog = std::size_t{4} * 1024 * 1024;
/// Where so many wait already, no more than necessary are added.
constexpr std::size_t many_pending = 131072;

}  // namespace

Worker::Worker(Walker& walker)
    : EntryWorker(walker.state_, walker.file_system_, walker.task_.volume),
      walker_(walker),
      frontier_(walker.frontier_),
      tells_all_places_(walker.task_.volume.kind == VolumeKind::network) {
  entry_.loader = this;
  if (scope_.gitignore.heeded) heed_gitignore();
  if (walker.catalog_ != nullptr) catalog_ = walker.catalog_->open_reader();
}

Worker::~Worker() {
  Node::release(spelled_);
  Node::release(place_);
}

void Worker::run() {
  const Progress::Seat seat(state_.progress(), *this);
  const bool slow_volume = walker_.task_.volume.kind == VolumeKind::network;
  Work work;
  while (true) {
    // What may block for long is not entered with records in hand.
    if (!frontier_.has_work() || slow_volume) flush();
    frontier_.pop(work);
    if (work.kind == Work::Kind::nothing) break;
    carry_out(work);
    if (state_.stopped()) frontier_.stop();
  }
  flush();
}

void Worker::carry_out(Work& work) {
  switch (work.kind) {
    case Work::Kind::nothing:
      break;
    case Work::Kind::root:
      open_root(work.node);
      break;
    case Work::Kind::enter:
      run_ = &work;
      while (work.next_name()) {
        if (state_.stopped()) {
          finish(work.node);
        } else {
          enter(work.node, work);
        }
      }
      run_ = nullptr;
      break;
    case Work::Kind::resume:
      if (work.node->catalog) {
        catalog_ = std::move(work.node->catalog);
        read_catalog(work.node);
      } else {
        read(work.node);
      }
      break;
    case Work::Kind::consider:
      consider_share(work);
      break;
  }
}

void Worker::enter(Node* parent, const Work& work) {
  if (work.number && enter_by_catalog(parent, work)) return;
  os::Directory opened;
  const os::OpenFlags flags = work.via_link ? link_flags() : os::OpenFlags{};
  const int error = open_child(*parent, work.name, flags, opened);
  if (error != 0) {
    std::string path = path_of(*parent) + work.name;
    if (error == EXDEV) {
      leave_out(std::move(path));
    } else if (!work.reported) {
      pass_over(std::move(path), "", error);
    }
    finish(parent);
    return;
  }
  frontier_.descriptor_opened();
  Node* const node = Node::make(parent, parent->root(), work.name, parent->depth() + 1);
  node->directory = opened;
  node->reported = work.reported;
  node->behind_link = work.via_link || parent->behind_link;
  if (catalog_ && !work.via_link) node->number = walker_.catalog_->number_of(opened);
  finish(parent);
  if (!identify(*node)) return finish(node);
  if (node->behind_link && closes_a_loop(*node, work.via_link)) return finish(node);
  ++statistics_.directories;
  // Where only the kernel could say which directory it is, the catalog goes on from there.
  if (node->number && !work.number && catalog_->begin(node->number, nullptr)) {
    return read_catalog(node);
  }
  if (catalog_) ++statistics_.walked;
  read(node);
}

int Worker::open_child(const Node& parent, const std::string& name, os::OpenFlags flags,
                       os::Directory& opened) {
  if (!parent.directory.is_open()) return open_by_path(parent, name, flags, opened);
  return open_with_room(&parent.directory, name.c_str(), flags, opened);
}

int Worker::open_by_path(const Node& parent, const std::string& name, os::OpenFlags flags,
                         os::Directory& opened) {
  std::string path;
  parent.append_relative_path(path);
  if (!path.empty()) path += '/';
  path += name;
  // Where links are followed, any name of the path may be one.
  if (scope_.follow) flags = link_flags();
  const Node* root = &parent;
  while (root->parent() != nullptr) root = root->parent();
  return open_below(parent.root(), path, flags, opened, root->id);
}

/// Which directory it is, where that is asked: a link could lead round and round through one that
/// is not known, and a root is to be the same when it is opened again. False, and said, where it
/// cannot be found out.
bool Worker::identify(Node& node) {
  const bool is_root = node.parent() == nullptr;
  if (!scope_.follow && !is_root) return true;
  const int error = file_system_.identify(node.directory, node.id);
  if (error == 0) return true;
  if (!scope_.follow && !scope_.unique) return true;
  report(name_of(node), "identify directory", error);
  return false;
}

/// Without a link on the way, nothing can be below itself.
bool Worker::closes_a_loop(Node& node, bool via_link) {
  for (const Node* above = node.parent(); above != nullptr; above = above->parent()) {
    if (above->id != node.id) continue;
    report(name_of(node), "", 0,
           (via_link ? "symbolic link leads back to " : "the same directory as ") +
               name_of(*above) + ", not entered");
    return true;
  }
  return false;
}

void Worker::read(Node* node) {
  from_catalog_ = false;
  tell_place(node);
  begin_directory(*node);
  while (!state_.stopped()) {
    const int error = with_room([&] { return file_system_.read(node->directory, block_); });
    if (error != 0) {
      if (!node->reported) pass_over(name_of(*node), "read directory", error);
      break;
    }
    if (block_.empty()) break;
    if (ignore_files_ && !node->ignore_known) take_ignore_rules(*node);
    const bool more = !node->directory.at_end;
    const bool handed_over = more && block_.crowded() && may_hand_over(*node) && hand_over(node);
    consider_block(node);
    tell_counts();
    if (!handed_over) {
      node->begun = true;
      node->has_children = node->has_children || !children_.empty();
    }
    lane_->flush_if_due();
    if (!more || handed_over) break;
    if (enough_children() && !frontier_.descriptors_short() && !untold_only_) {
      frontier_.push_resume(node);
      break;
    }
  }
  push_children(node);
  finish(node);
}

/// Whether the reading of their directory is to pause for them.
bool Worker::enough_children() const {
  if (!catalog_ || frontier_.pending() >= many_pending) return children_.count() >= most_pending;
  return children_.bytes().size() >= batches_for_catalog / walker_.task_.threads;
}

/// What is left of the run that is being entered waits below what was just found: 32 directories of
/// 10,000 children each would be pending at once.
void Worker::give_back_run() {
  Node* const parent = run_->node;
  const std::size_t count = frontier_.give_back(*run_);
  if (count > 0) finish(parent, count);
}

void Worker::push_children(Node* node) {
  if (children_.empty()) return;
  if (run_ != nullptr && children_.count() >= most_pending) give_back_run();
  if (catalog_ && children_.count() > 1) children_.sort();
  if (!expected_.empty()) {
    std::sort(expected_.begin(), expected_.end(), os::lies_before);
    catalog_->expect(expected_);
  }
  expected_.clear();
  frontier_.push_children(node, children_);
  children_.clear();
  walker_.consider_another_worker(false);
}

/// With a catalog, what is to be entered is gathered first: see batches_for_catalog. Two
/// threads that read the 450,000 siblings by turns, and entered what either found, took twice as
/// long.
bool Worker::may_hand_over(const Node& node) const {
  if (untold_only_) return false;
  return !catalog_ || (node.begun && !node.has_children);
}

/// Gives the rest of a large directory to a worker that has nothing to do, before this one looks at
/// the block it has read: so a directory of any size keeps all of them busy, and nothing is copied.
bool Worker::hand_over(Node* node) {
  walker_.consider_another_worker(true);
  if (!frontier_.someone_waits()) return false;
  frontier_.push_resume(node);
  return true;
}

void Worker::finish(Node* node, std::size_t uses) {
  if (!node->drop_uses(uses * Node::one_active)) return;
  if (node->directory.is_open()) {
    file_system_.close(node->directory);
    frontier_.descriptor_closed();
  }
  Node::release(node);
}

void Worker::begin_directory(Node& node) {
  node_ = &node;
  root_ = &node.root();
  entry_.directory = {};
  entry_.present = needs::none;
  entry_.depth = node.depth() + 1;
  ignore_path_known_ = false;
}

void Worker::consider_block(Node* node) {
  begin_directory(*node);
  os::Dirent dirent;
  std::uint64_t files = statistics_.files_read;
  while (block_.next(dirent)) {
    consider(dirent);
    if (state_.stopped()) break;
    if (statistics_.files_read == files) continue;
    files = statistics_.files_read;
    tell_counts();
    share_block(node);
  }
}

void Worker::consider(const os::Dirent& dirent) {
  if (untold_only_ && catalog_->has_told(dirent.name)) return;
  ++statistics_.entries;
  entry_.name = dirent.name;
  entry_.type = dirent.type;
  inode_ = dirent.inode;
  entry_.present &= needs::directory;
  entry_.failed = needs::none;
  is_link_ = leads_elsewhere_ = closed_reported_ = false;
  if (dirent.metadata != nullptr) take_metadata(dirent);
  if (dirent.type != FileType::unknown) entry_.present |= needs::type;
  if (!walker_.boundaries_.empty() && is_covered_file()) {
    entry_.type = FileType::unknown;
    entry_.present &= needs::directory;
  }
  if (scope_.follow && (dirent.type == FileType::symlink || dirent.type == FileType::unknown)) {
    follow(entry_);
  }
  if (asks_for_bundles_) note_bundle(dirent);
  if (ignore_files_ && node_ != nullptr && is_ignored(entry_)) return;
  const Verdict verdict = state_.matcher().judge(entry_);
  if (!verdict.emit && !verdict.descend) return;
  if (walker_.boundaries_.hide_some() && !is_listed(entry_)) return;
  if (scope_.unique && entry_.type == FileType::directory && !first_visit(entry_)) return;
  if (verdict.emit && (walker_.emitted_ == nullptr || !was_emitted())) emit(entry_);
  if (!verdict.descend || !walker_.task_.enter || node_ == nullptr) return;
  if (leads_elsewhere_ && !scope_.cross_volumes) {
    leave_out(path_of(*node_).append(dirent.name));
    return;
  }
  if (const Boundary* const boundary = boundary_at(entry_)) {
    walker_.meet_boundary(*boundary);
    return;
  }
  if ((dirent.traits & (os::traits::mount_point | os::traits::trigger)) != 0) {
    if ((dirent.traits & os::traits::trigger) == 0) {
      leave_out(path_of(*node_).append(dirent.name));
    }
    return;
  }
  os::DirectoryNumber number;
  if (catalog_ && !is_link_ && node_->number) {
    number = walker_.catalog_->child(node_->number, dirent.inode, !from_catalog_);
    if (number && expected_.size() < most_pending) expected_.push_back(number);
  }
  const int about =
      (is_link_ ? NameBatch::via_link : 0) | (closed_reported_ ? NameBatch::reported : 0);
  children_.add(entry_.name, static_cast<char>(about), number);
}

/// Whether something is mounted on the entry, and its directory told of what lies beneath: on a
/// directory that is another directory, on any other file whatever it is.
bool Worker::is_covered_file() {
  if (entry_.type == FileType::directory || entry_.type == FileType::unknown) return false;
  const Boundary* const boundary = boundary_at(entry_);
  return boundary != nullptr && boundary->mount_point;
}

/// What is known of the entry's bundle mark without asking.
void Worker::note_bundle(const os::Dirent& dirent) {
  entry_.bundle = (dirent.traits & os::traits::bundle) != 0;
  // A link's own mark says nothing of what it leads to.
  const bool known = (dirent.traits & os::traits::bundle_known) != 0 && !is_link_;
  // On what is mounted here the mark would be that of another volume, whose server may be dead.
  const bool edge = (dirent.traits & (os::traits::mount_point | os::traits::trigger)) != 0 ||
                    boundary_at(entry_) != nullptr;
  if (edge) entry_.bundle = false;
  if (known || edge) entry_.present |= needs::bundle;
}

}  // namespace ffind
