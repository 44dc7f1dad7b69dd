// SPDX-License-Identifier: MIT
// The worker. run() takes work from the frontier until there is none. read() fills a block from a
// directory, consider_block() matches its entries, and push_children() returns the directories to
// enter. After each block the worker decides what to share:
//
//     hand_over()    the rest of a large directory, before this block is matched
//     share_block()  half of the block, if entries take calls of their own
//     read()         pauses a directory with many children: they are pushed, its rest below them
//
// A node's uses are counted once for each worker or item that needs its descriptor; finish() ends
// one, and closes the directory after the last.
#include "search/walker.h"

#include <algorithm>
#include <cerrno>

#include "plan/roots.h"
#include "search/entrance.h"
#include "text/format.h"
#include "text/paths.h"

namespace ffind::search {
namespace {

/// Pending children of one directory before its reading pauses: ten million siblings then cost one
/// batch, and a pause (two trips to the frontier) is paid once in 4096 entries.
constexpr std::size_t most_pending = 4096;
/// The same limit in bytes of names.
constexpr std::size_t most_pending_bytes = std::size_t{128} * 1024;
/// Sizes of the parts in which directories are read while much is pending, each smaller than the
/// last: what is pending along a path that leads ever deeper is bounded only by its depth.
constexpr std::size_t largest_part = std::size_t{4} * 1024;
constexpr std::size_t smallest_part = 512;
/// First read of a server's directory. The kernel allocates pages for the whole buffer, and most
/// directories need few: 4 % of the processor time with 128 threads.
constexpr std::size_t first_room_of_servers = std::size_t{16} * 1024;
/// Pending bytes before reading in parts if order counts, because parts spoil the order: twice the
/// time for 360,000 directories.
constexpr std::size_t much_in_order = std::size_t{12} * 1024 * 1024;
/// Names gathered by all workers together, in bytes, if directories are best read in their order on
/// the volume, which is not the order of the kernel's listing: the more are sorted, the closer
/// together they are. Names are copied twice on the way. With two workers this makes batches of
/// 80,000 of the 450,000 siblings.
constexpr std::size_t batches_in_order = std::size_t{4} * 1024 * 1024;
/// Directories pending above which batches are no longer gathered.
constexpr std::size_t many_pending = 131072;

/// Needs that may take a call for each entry.
constexpr Needs call_needs = (needs::metadata & ~needs::type) | needs::empty | needs::target |
                             needs::target_mode | needs::target_type | needs::capabilities |
                             needs::finder | needs::attributes | needs::contents | needs::readable |
                             needs::writable | needs::runnable | needs::children;

/// Entries between timing checks if each takes calls of its own; at a check the rest of the block
/// may be shared. 32 take 50 us on a fast volume.
constexpr int own_entries = 32;
constexpr int own_slow_entries = 2;

/// Files and bytes that a worker reads before it requests help: a thread costs 30 us to start, as
/// much as three files or 256 KiB.
constexpr std::uint64_t own_files = 4;
constexpr std::uint64_t own_bytes = std::uint64_t{256} * 1024;

}  // namespace

Worker::Worker(Walker& walker)
    : Entrance(walker.state_, walker.facts_, walker.frontier_, walker.left_out_),
      walker_(walker),
      frontier_(walker.frontier_),
      slow_volume_(walk_.task.volume.kind == VolumeKind::network),
      may_loop_(scope_.follow || slow_volume_),
      calls_per_entry_(scope_.follow || (needs_ & call_needs) != 0),
      reads_attributes_((needs_ & (needs::finder | needs::attributes)) != 0),
      root_needs_(needs::type | (needs_ & needs::metadata)),
      meter_(walk_.file_system) {
  if (scope_.parents_first) caller_.output = own_output_;
}

void Worker::run() {
  const Progress::Registration registration(state_.progress(), *this);
  Work work;
  while (true) {
    // Do not block with unwritten records: pop() sleeps without work, a slow volume may hang.
    if (!frontier_.has_work() || slow_volume_) output_.flush();
    report_times();
    frontier_.pop(work, caller_);
    if (work.kind == Work::Kind::nothing) break;
    carry_out(work);
    if (state_.stopped()) frontier_.stop();
  }
  reach_.counts.walked = reader_->fallbacks();
  output_.flush();
}

void Worker::carry_out(Work& work) {
  switch (work.kind) {
    case Work::Kind::nothing:
      break;
    case Work::Kind::root:
      enter_root(work.node);
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
      reader_->resume(*work.node);
      read(work.node);
      break;
    case Work::Kind::consider:
      consider_share(work);
      break;
  }
}

void Worker::report_times() {
  if (!meter_.is_due(walker_.limit_.threads())) return;
  state_.mark_long_running();
  if (!walker_.limit_.adapts()) return meter_.sample_less_often();
  walker_.report(meter_.take(caller_.slept + output_.held_up()));
}

// Reading a directory

void Worker::enter_root(Node* node) {
  const Root& root = node->root();
  if (scope_.list_roots && !offer_listed_root(root)) return finish(node);
  RootFile file;
  const auto follow = [&] {
    node->follower = &state_.sink();
    node->token = output_.lane().enter(node->root());
  };
  const int error = scope_.list_roots ? reach_.opener.open_root(root, node->directory)
                                      : open_root(reach_, root, root_needs_, node->directory, file);
  if (error == ENOENT && !root.below.empty()) {
    ++reach_.counts.vanished;
  } else if (error == EDEADLK) {
    reach_.issues.pass_over(root_name(root), DirectoryStep::open, error);
  } else if (error != 0) {
    reach_.issues.report(root_name(root), "", error);
    // A closed directory takes space, too.
    const bool counts = follows_directories_ && error == EACCES &&
                        look_at_root(reach_, root, root_needs_, file) == 0;
    if (counts && file.type == FileType::directory) follow();
  } else if (node->directory.is_open()) {
    if (root.is_file) {
      const Root& corrected = state_.correct(plan::as_directory(root));
      Node* const taken_for_file = node;
      node = Node::make(nullptr, corrected, {}, corrected.depth);
      std::swap(node->directory, taken_for_file->directory);
      finish(taken_for_file);
    }
    frontier_.descriptor_opened();
    if (follows_directories_) follow();
    if (may_enter_root(*node) && reader_->open(*node, nullptr) == 0) {
      ++reach_.counts.directories;
      return read(node);
    }
  } else if (root.below.empty()) {
    offer_root_file(root.is_file ? root : state_.correct(plan::as_file(root)), file);
  }  // else a file mounted below a root, which was listed by the walk above it
  finish(node);
}

/// Matches a root that is an entry itself, before it is opened. Returns whether it is to be
/// entered.
bool Worker::offer_listed_root(const Root& root) {
  RootFile file;
  if (const int error = look_at_root(reach_, root, root_needs_, file); error != 0) {
    reach_.issues.report(root_name(root), "", error);
    return false;
  }
  if (file.type != FileType::directory) {
    offer_root_file(root.is_file ? root : state_.correct(plan::as_file(root)), file);
    return false;
  }
  const bool enters =
      offer_root_directory(root.is_file ? state_.correct(plan::as_directory(root)) : root, file);
  return enters && scope_.max_depth > root.depth && !state_.stopped();
}

bool Worker::may_enter_root(Node& node) {
  if (!identify(node) || scope_.max_depth <= node.root().depth) return false;
  return !scope_.unique || state_.visited().enter_root(node.id);
}

void Worker::enter(Node* parent, const Work& work) {
  Node* const node = Node::make(parent, parent->root(), work.name, parent->depth() + 1);
  node->handle = work.handle;
  node->via_link = work.via_link;
  node->reported = work.reported;
  node->behind_link = work.via_link || parent->behind_link;
  node->elsewhere = parent->elsewhere;
  if (follows_directories_) {
    node->is_whole = parent->is_whole || (scope_.whole_directories && work.space);
    node->follower = &state_.sink();
    node->token =
        output_.lane().enter(parent->token, work.name, work.space ? &*work.space : nullptr);
  }
  const bool opened = reader_->open(*node, parent) == 0;
  // A reader that needs no descriptor may have to open the directory later, relative to its parent.
  const bool keeps_parent = opened && !node->directory.is_open();
  if (!keeps_parent) finish(parent);
  // A directory opened by its handle is not a link.
  const bool is_new = keeps_parent || (opened && identify(*node) && !is_of_another_device(*node) &&
                                       !closes_a_loop(*node));
  if (is_new) {
    ++reach_.counts.directories;
    read(node);
  } else {
    finish(node);
  }
  if (keeps_parent) finish(parent);
}

/// Sets the node's id if it matters: a link could lead round and round through an unidentified
/// directory, and a root has to be the same when it is opened again. On failure, reports it and
/// returns false.
bool Worker::identify(Node& node) {
  const bool is_root = node.parent() == nullptr;
  const bool counts = may_loop_ || scope_.mounts == Scope::Mounts::of_device;
  if (!counts && !is_root) return true;
  const int error = reach_.file_system().identify(node.directory, node.id);
  if (error == 0) return true;
  if (!scope_.follow && !scope_.unique) return true;
  reach_.issues.report(node.display_name(), "identify directory", error);
  return false;
}

/// Under -xdev, every directory that is entered has the device of its root: the mount table does
/// not tell, since a subvolume of btrfs has a device of its own.
bool Worker::is_of_another_device(const Node& node) const {
  return scope_.mounts == Scope::Mounts::of_device && node.id.device != node.parent()->id.device;
}

/// Compares the directory with all of its ancestors, by device and inode, if a link was followed on
/// the way, or if the volume is a server's (FUSE, NFS), which can list a directory in itself. The
/// kernel's own file systems cannot, and 20,000 nested directories would take 1.3 s.
bool Worker::closes_a_loop(const Node& node) {
  const bool may = slow_volume_ || (compares_links_ ? node.via_link : node.behind_link);
  if (!may || node.id == os::FileId{}) return false;
  for (const Node* above = node.parent(); above != nullptr; above = above->parent()) {
    if (above->id != node.id) continue;
    reach_.issues.report(
        node.display_name(), "", 0,
        node.via_link
            ? text::format("loops back to '{}', not followed", above->display_name())
            : text::format("the same directory as '{}', not entered", above->display_name()));
    return true;
  }
  return false;
}

void Worker::read(Node* node) {
  bool read_on = false;
  Progress* const progress = state_.progress();
  // On a slow volume, always publish it: the next chance may never come.
  if (progress != nullptr && (slow_volume_ || progress->watched())) current_directory_.set(node);
  while (!state_.stopped()) {
    choose_room(*node);
    const int error = reach_.opener.with_room([&] { return reader_->read(*node, block_); });
    if (error != 0) {
      if (!node->reported)
        reach_.issues.pass_over(node->display_name(), DirectoryStep::read, error);
      break;
    }
    if (block_.empty()) break;
    if (!std::exchange(node->seen, true)) {
      if (ignored_) ignored_->take_rules(*node, block_);
      if (reads_attributes_ && node->directory.at_end) look_for_sidecars(*node);
    }
    const bool more = !node->directory.at_end;
    if (block_.crowded()) state_.mark_long_running();
    const bool handed_over = hand_over(node, more);
    consider_block(node);
    if (!handed_over) {
      node->begun = true;
      node->has_children = node->has_children || !children_.empty();
    }
    output_.flush_if_due();
    if (!more || handed_over) break;
    if (slow_volume_) {
      // The call that returns the end takes as long as one that returns entries, or hangs.
      output_.flush();
      if (node->directory.is_open()) share_children(node);
    }
    if (enough_children() && frontier_.has_descriptor() && reader_->pause(*node)) {
      read_on = true;
      break;
    }
  }
  push_children(node, read_on);
  finish(node);
}

/// The block is the whole directory: it shows whether there are AppleDouble files, which saves a
/// call for each entry of nearly every directory.
void Worker::look_for_sidecars(Node& node) {
  bool some = false;
  os::Dirent dirent;
  while (!some && block_.next(dirent)) some = dirent.name.starts_with(sidecar_prefix);
  block_.rewind();
  node.sidecars = some ? SidecarNames::some : SidecarNames::none;
}

void Worker::finish(Node* node, std::size_t uses) {
  if (!node->drop_uses(uses * Node::one_active)) return;
  if (node->directory.is_open()) {
    node->directory.close();
    frontier_.descriptor_closed();
  }
  Node::release(node);
}

// Sharing work with other workers

/// Gives the rest of a large directory to an idle worker, before this one matches the block it has
/// read: so a directory of any size keeps all workers busy, and nothing is copied. If order counts,
/// the children are gathered first (batches_in_order): two threads that read the 450,000 siblings
/// alternately, and entered what each of them found, took twice as long.
bool Worker::hand_over(Node* node, bool more) {
  if (!more || !block_.crowded() || !reader_->can_share(*node)) return false;
  if (reader_->wants_order() && (!node->begun || node->has_children)) return false;
  walker_.consider_more_workers(true);
  if (may_be_held_up()) {
    frontier_.push_resume(node, caller_);
    return true;
  }
  // A worker that was woken counts as waiting until it gets a processor; it has enough to do.
  if (!frontier_.someone_waits() || frontier_.pending() >= most_pending) return false;
  frontier_.push_resume(node, caller_);
  return true;
}

/// Sets the size of the next read of the directory.
void Worker::choose_room(const Node& node) {
  const std::size_t much = reader_->wants_order() ? much_in_order : Frontier::much_pending;
  const std::size_t pending = frontier_.pending_bytes();
  reads_parts_ = pending >= much && frontier_.has_descriptor();
  if (!reads_parts_) {
    const bool first = slow_volume_ && node.directory.is_open() && !node.begun;
    return block_.set_room(first ? first_room_of_servers : os::DirentBlock::capacity);
  }
  const std::size_t halvings = (pending - much) / Frontier::much_pending;
  block_.set_room(std::max(smallest_part, halvings < 8 ? largest_part >> halvings : 0));
}

/// Returns whether reading should pause until the children are taken.
bool Worker::enough_children() const {
  if (reads_parts_) return !children_.empty();
  if (!reader_->wants_order() || frontier_.pending() >= many_pending) {
    return children_.count() >= most_pending || children_.bytes().size() >= most_pending_bytes;
  }
  return children_.bytes().size() >= batches_in_order / walker_.limit_.planned();
}

void Worker::push_children(Node* node, bool read_on) {
  if (children_.empty()) return;
  if (run_ != nullptr && children_.count() >= most_pending) give_back_run();
  if (reader_->wants_order() && children_.count() > 1) children_.sort();
  if (!expected_.empty()) {
    std::sort(expected_.begin(), expected_.end(),
              [](const auto& a, const auto& b) { return lies_before(a, b); });
    reader_->expect(expected_);
  }
  expected_.clear();
  frontier_.push_children(node, children_, read_on, caller_);
  children_.clear();
  walker_.consider_more_workers(false);
}

/// Lets other workers enter the children of a directory that is still being read.
void Worker::share_children(Node* node) {
  if (!reader_->wants_order() && frontier_.pending() < walker_.limit_.threads()) {
    push_children(node);
  }
}

/// Returns the rest of the current run of names to the frontier, below the new children: otherwise
/// 32 directories of 10,000 children each would be pending at once.
void Worker::give_back_run() {
  Node* const parent = run_->node;
  const std::size_t count = frontier_.give_back(*run_, caller_);
  if (count > 0) finish(parent, count);
}

bool Worker::is_slow() const {
  return slow_volume_ || walker_.limit_.raised();
}

/// Returns whether the entries since the last check may have taken long.
bool Worker::take_long() {
  const std::uint64_t work = reach_.counts.files_read + reach_.counts.conditions_run;
  const bool worked = work != work_seen_;
  if (--own_entries_left_ > 0 && !worked) return false;
  own_entries_left_ = is_slow() ? own_slow_entries : own_entries;
  work_seen_ = work;
  const bool types_loaded = std::exchange(stats_seen_, reach_.counts.stats) != reach_.counts.stats;
  return worked || types_loaded || calls_per_entry_;
}

/// Gives half of the rest of the block to an idle worker, if files are read or the volume is slow
/// to return metadata: then the entries of one directory are work for all. The receiver does the
/// same, so that the last entries end up with a worker each. Directories found are handed over
/// first.
void Worker::share_block(Node* node) {
  const bool few = reach_.counts.files_read < own_files && reach_.counts.bytes_read < own_bytes;
  // Metadata that came with the names would have to be read again.
  if (few && reach_.counts.conditions_run == 0 && (!is_slow() || block_.knows_more())) return;
  // The rest of the block may take as long as the directories found.
  share_children(node);
  // If it was listed without a descriptor, it may have been opened for an entry.
  if (!node->directory.is_open()) return;
  walker_.consider_more_workers(true);
  if (frontier_.has_work() || !frontier_.someone_waits()) return;
  std::string records;
  if (block_.split(records)) frontier_.push_entries(node, std::move(records), caller_);
}

/// Returns whether an --if command may block this worker for any time while others could go on.
bool Worker::may_be_held_up() const {
  return state_.has_condition() && walker_.limit_.threads() > 1;
}

/// Called before an --if command: offers all pending work of this worker to the others. It takes
/// back what they have not started by the time the command ends.
void Worker::leave_rest_to_others() {
  output_.flush();
  position_.place_of(entry_);  // opens the directory, so that it can be shared
  Node* const node = position_.node();
  if (node == nullptr || !node->directory.is_open() || !may_be_held_up()) return;
  if (!frontier_.has_work()) push_children(node);
  std::string records;
  if (block_.give_up_rest(records)) frontier_.push_entries(node, std::move(records), caller_);
  walker_.consider_more_workers(frontier_.has_work());
}

void Worker::consider_share(Work& work) {
  reader_->turn_to(*work.node);
  block_.assign(work.names);
  Progress* const progress = state_.progress();
  if (progress != nullptr && (slow_volume_ || progress->watched()))
    current_directory_.set(work.node);
  consider_block(work.node);
  output_.flush_if_due();
  push_children(work.node);
  finish(work.node);
}

// Matching an entry

void Worker::consider_block(Node* node) {
  turn_to(*node);
  os::Dirent dirent;
  while (block_.next(dirent)) {
    consider(dirent);
    if (state_.stopped()) break;
    if (!take_long()) continue;
    report_times();
    reach_.counts.publish();
    share_block(node);
  }
}

}  // namespace ffind::search
