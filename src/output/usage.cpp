// SPDX-License-Identifier: MIT
// Rows while a search runs. Rows are numbered; the number of a row that is dropped is used again. A
// directory's children that are kept are a list (first_child, next, previous).
//
//     complete()   adds the row to its parent's sum
//     fold()       makes one row of it and its only child, if nothing else is in it
//     settle()     drops the row, or writes it, if nothing keeps it: no file with several links, no
//                  child, not among the largest. Then the same for its parent
//
// A row's sum never has less than those of the rows below it, so the largest rows are a tree. A
// file with several links that has a row counts there, until its first path turns out to be another
// one, or the row is dropped: then it counts in its directory.
#include "output/usage.h"

#include <algorithm>
#include <memory>

#include "os/files.h"
#include "output/path_tree.h"
#include "text/data_row.h"
#include "text/quoting.h"
#include "text/ranges.h"

namespace ffind::output {
namespace {

/// Bytes of lines above which they are passed on under the lock. Directories in each other may end
/// all at once: 20,000 of them, each with its path, took 650 MB.
constexpr std::size_t most_lines = std::size_t{256} * 1024;

/// Links whose slots are on their way into the cache.
constexpr std::size_t links_ahead = 8;

/// The longest name of a chain in one row. Each fold copies it: a chain of 50,000 directories would
/// take 12 GB of copying.
constexpr std::size_t longest_chain = 1024;

/// Only a regular file's bytes and a link's target have a size, as for du since coreutils 9.2.
Space space_of(const Metadata& metadata, FileType type) {
  const bool sized = type == FileType::file || type == FileType::symlink;
  return {metadata.allocated, sized ? metadata.size : 0, 1};
}

/// A directory has two links of its own, and one in each directory in it.
bool has_no_directory(const Metadata& metadata) {
  return metadata.links == 2;
}

}  // namespace

/// Adds up a block of entries before it takes the lock.
class UsageLane final : public Lane {
 public:
  explicit UsageLane(Usage& usage)
      : usage_(usage),
        follows_(usage.style_.usage->follows),
        bytes_(usage.style_.usage->apparent ? needs::length : needs::allocated),
        levels_(usage.style_.usage->levels.value_or(UINT32_MAX)) {}

  bool emit(Entry& entry) override {
    // The root of another volume, which is not searched, or has a sum of its own.
    const Boundary* const boundary = entry.boundary;
    if (boundary != nullptr && boundary->mount_point &&
        (!boundary->entered || usage_.named_.contains(boundary->path))) {
      const bool left_out = !boundary->entered && boundary->kind == VolumeKind::local;
      if (left_out && entry.require(needs::identity)) usage_.note_mount_point(entry);
      return true;
    }
    entry.require(needs::type | bytes_ | needs::length | needs::links | needs::identity);
    if ((entry.present & bytes_) == 0) return true;
    const Space space = space_of(entry.metadata, entry.type);
    if (entry.type == FileType::directory && entry.depth > 0) {
      if (entry.metadata.device != device_ && boundary == nullptr && !follows_) {
        device_ = entry.metadata.device;
        usage_.note_device(entry);
      }
      OwnSpace& own = entry.own_space.emplace();
      own.allocated = space.allocated & (UINT64_MAX >> 1U);
      own.size = space.size;
      own.childless = has_no_directory(entry.metadata) && !follows_ ? 1 : 0;
    } else if (entry.inside == 0) {
      usage_.add_root_file(entry, space);
    } else if (entry.depth == 0) {  // a directory that a list of paths begins at
      turn_to(entry.inside);
      block_.sum += space;
    } else if ((entry.present & needs::links) != 0 && (follows_ || entry.metadata.links > 1)) {
      keep(block_.links, entry, space);
    } else if (usage_.bytes_of(space) >= usage_.least_.load(std::memory_order_relaxed) &&
               entry.depth <= levels_) {
      keep(block_.large, entry, space);
    } else {
      turn_to(entry.inside);
      block_.sum += space;
    }
    return usage_.wanted_;
  }
  void flush_if_due() override {
    pass_on();
    usage_.write_lines(full_buffer);
  }
  void flush() override { flush_if_due(); }

  DirectoryToken enter(const Root& root) override { return usage_.enter_root(root); }
  DirectoryToken enter(DirectoryToken above, std::string_view name, const OwnSpace* own) override {
    return usage_.enter(above, name, own);
  }
  void stay_out(Entry& entry) override {
    usage_.leave(enter(entry.inside, entry.name, &*entry.own_space));
  }

 private:
  /// Files passed on at a time.
  static constexpr std::size_t most_files = 256;

  void turn_to(DirectoryToken row) {
    if (row != row_) pass_on();
    row_ = row;
  }
  void keep(std::vector<FoundFile>& files, const Entry& entry, const Space& space) {
    turn_to(entry.inside);
    files.push_back({entry.metadata.device, entry.metadata.inode, space.allocated, space.size,
                     static_cast<std::uint32_t>(block_.names.size())});
    block_.names.append(entry.name) += '\0';
    if (files.size() == most_files) pass_on();
  }
  void pass_on() {
    if (block_.sum.empty() && block_.names.empty()) return;
    usage_.add(row_, block_);
    block_.sum = {};
    block_.links.clear();
    block_.large.clear();
    block_.names.clear();
  }

  Usage& usage_;
  const bool follows_;
  const Needs bytes_;  ///< that count
  const std::uint32_t levels_;
  std::uint64_t device_ = 0;  ///< of the last directory
  DirectoryToken row_ = 0;
  UsageBlock block_;  ///< of entries in row_
};

/// Rows are written at once if all of them are, in no order. Lines of a terminal are fewer than the
/// rows that are kept, since some are for what is left out.
Usage::Usage(const OutputStyle& style, RecordStage& next)
    : style_(style),
      next_(next),
      draws_(style.for_people() && !style.for_programs()),
      shows_files_(style.usage->rows == UsageRows::files ||
                   (draws_ && style.usage->rows == UsageRows::usual)),
      shows_directories_(style.usage->rows != UsageRows::files),
      streams_(!draws_ && style.sort.empty() && style.limit == SIZE_MAX),
      most_rows_(!draws_ && (streams_ || !style.sort.empty()) ? SIZE_MAX
                 : style.limit != SIZE_MAX                    ? style.limit
                                                              : style.screen.rows),
      least_(shows_files_ ? 0 : UINT64_MAX),
      rows_(1),
      largest_(IsSmaller{*this}) {}

Needs Usage::needs() const {
  return needs::type | needs::size | needs::links | needs::identity | needs::inside;
}

std::unique_ptr<Lane> Usage::open_lane() {
  return std::make_unique<UsageLane>(*this);
}

void Usage::set_plan(const Plan& plan) {
  plan_ = &plan;
  for (const Task& task : plan.tasks) {
    knows_mounts_ = knows_mounts_ && !task.volume.file_system.empty();
    for (const Root& root : task.roots) {
      if (root.below.empty()) {
        named_.insert(root.canonical);
      } else {
        pins_.push_back(root.printed);
      }
    }
  }
}

Usage::Index Usage::new_row(Index parent, std::string_view name) {
  Index index = 0;
  if (free_.empty()) {
    index = static_cast<Index>(rows_.size());
    rows_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  UsageRow& row = rows_[index];
  row.used = true;
  row.parent = parent;
  row.name = name;
  if (parent == 0) return index;
  UsageRow& above = rows_[parent];
  row.depth = above.depth + 1;
  row.trusted = above.trusted;
  row.next = above.first_child;
  if (row.next != 0) rows_[row.next].previous = index;
  above.first_child = index;
  row.pinned = !pins_.empty() && (above.pinned || above.parent == 0) && is_pin(index);
  return index;
}

/// A server, and a daemon, may count the links of a directory in its own way.
bool Usage::is_on_local_volume(const Root& root) const {
  const auto is_it = [&](const Root& each) {
    return each.open_path == root.open_path && each.below == root.below;
  };
  return plan_ != nullptr &&
         std::any_of(plan_->tasks.begin(), plan_->tasks.end(), [&](const Task& task) {
           return task.volume.kind == VolumeKind::local &&
                  std::any_of(task.roots.begin(), task.roots.end(), is_it);
         });
}

void Usage::free_row(Index index) {
  UsageRow& row = rows_[index];
  if (row.next != 0) rows_[row.next].previous = row.previous;
  (row.previous != 0 ? rows_[row.previous].next : rows_[row.parent].first_child) = row.next;
  row = {};
  free_.push_back(index);
}

bool Usage::is_pin(Index row) const {
  std::string path;
  append_path(path, row);
  path += '/';
  return std::any_of(pins_.begin(), pins_.end(),
                     [&](const std::string& pin) { return pin.starts_with(path); });
}

/// The root itself counts, like any directory, unless a filter tests it. A volume that is mounted
/// below a root is an entry of the directory above.
Usage::Index Usage::enter_root(const Root& root) {
  Metadata metadata{};
  const bool answers = os::metadata_of(root.open_path, metadata) == 0;
  const bool counts = answers && style_.usage->roots_count && root.below.empty();
  const std::lock_guard lock(mutex_);
  const Index index = new_row(0, root.printed);
  if (answers) devices_.insert(root_devices_[index] = metadata.device);
  UsageRow& row = rows_[index];
  if (!root.below.empty()) volumes_[index] = root;
  row.depth = root.depth;
  row.pinned = true;
  row.trusted = is_on_local_volume(root);
  row.childless = counts && row.trusted && has_no_directory(metadata) && !style_.usage->follows;
  if (counts) row.sum += space_of(metadata, FileType::directory);
  roots_.push_back(index);
  return index;
}

/// du -x counts what is on the device of its root, du whatever is mounted.
void Usage::note_mount_point(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  Index root = entry.inside;
  while (rows_[root].parent != 0) root = rows_[root].parent;
  if (pins_.empty() && root_devices_[root] != entry.metadata.device) return;
  note(mount_points_[entry.metadata.device], entry);
}

Usage::Difference Usage::left_out() const {
  Difference all;
  for (const auto& [device, found] : mount_points_) {
    if (!devices_.contains(device)) continue;
    if (all.count == 0 || found.path < all.path) all.path = found.path;
    all.count += found.count;
  }
  return all;
}

/// A directory on another device that is no mount point is a subvolume. Without a mount table it
/// may be either.
void Usage::note_device(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  if (devices_.insert(entry.metadata.device).second && knows_mounts_) note(taken_in_, entry);
}

void Usage::note(Difference& difference, const Entry& entry) const {
  std::string path = path_in(entry.inside, entry.name);
  const bool is_first = difference.count++ == 0 || path < difference.path;
  if (is_first) difference.path = std::move(path);
}

void Usage::add_root_file(const Entry& entry, const Space& space) {
  const std::lock_guard lock(mutex_);
  const Index index = new_row(0, std::string(entry.directory).append(entry.name));
  UsageRow& row = rows_[index];
  row.is_file = row.complete = row.pinned = true;
  roots_.push_back(index);
  const Metadata& metadata = entry.metadata;
  if (metadata.links > 1 || style_.usage->follows) {
    link(index, {}, links_[metadata.device],
         {metadata.device, metadata.inode, space.allocated, space.size, 0});
  } else {
    row.sum += space;
  }
}

Usage::Index Usage::enter(Index above, std::string_view name, const OwnSpace* own) {
  const std::lock_guard lock(mutex_);
  const Index index = new_row(above, name);
  if (own == nullptr) return index;
  UsageRow& row = rows_[index];
  row.counted = true;
  row.sum = {own->allocated, own->size, 1};
  row.childless = row.trusted && own->childless != 0;
  return index;
}

void Usage::add(Index row, const UsageBlock& block) {
  const std::lock_guard lock(mutex_);
  rows_[row].sum += block.sum;
  const auto leave_out = [&](const Space& space) {
    rows_[row].more += static_cast<std::uint32_t>(space.count);
    add_up(rows_[row].more_bytes, bytes_of(space));
  };
  if (shows_files_) leave_out(block.sum);
  const char* const names = block.names.data();
  for (const FoundFile& file : block.large) {
    const Space space{file.allocated, file.size, 1};
    if (is_among_largest(row, names + file.name, bytes_of(space))) {
      const Index index = add_row_of_file(row, names + file.name);
      rows_[index].sum = space;
      complete(index);
    } else {
      rows_[row].sum += space;
      leave_out(space);
    }
  }
  const std::vector<FoundFile>& links = block.links;
  if (links.empty()) return;
  LinkTable* table = &links_[links.front().device];
  for (std::size_t i = 0; i < std::min(links_ahead, links.size()); ++i) {
    table->prefetch(links[i].inode);
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i > 0 && links[i].device != links[i - 1].device) table = &links_[links[i].device];
    if (i + links_ahead < links.size()) table->prefetch(links[i + links_ahead].inode);
    link(row, names + links[i].name, *table, links[i]);
  }
}

Usage::Index Usage::add_row_of_file(Index directory, std::string_view name) {
  const Index index = new_row(directory, name);
  rows_[index].is_file = true;
  return index;
}

void Usage::leave(DirectoryToken directory) {
  const std::lock_guard lock(mutex_);
  complete(directory);
}

/// Counts a file with several links at the first of its paths so far.
void Usage::link(Index index, std::string_view name, LinkTable& table, const FoundFile& found) {
  LinkTable::Slot& slot = table.find(found.inode);
  const Index old = slot.row;
  const Space space{found.allocated, found.size, 1};
  if (old != 0) {
    const UsageRow& row = rows_[old];
    const bool has_row = row.is_file && row.parent != 0;
    std::string_view old_name = has_row ? std::string_view(row.name) : "";
    if (row.link_names) old_name = row.link_names->data() + slot.name;
    if (!comes_before(index, name, has_row ? row.parent : old, old_name)) return;
    drop_link(old, space);
  }
  UsageRow& row = rows_[index];
  if (row.is_file || !is_among_largest(index, name, bytes_of(space))) {
    return count_link(slot, index, name, space);
  }
  const Index file = add_row_of_file(index, name);
  count_link(slot, file, {}, space);
  if (most_rows_ != SIZE_MAX) linked_files_[file] = found;
  complete(file);
}

/// Counts the file in a directory, or in a row of its own.
void Usage::count_link(LinkTable::Slot& slot, Index index, std::string_view name,
                       const Space& space) {
  UsageRow& row = rows_[index];
  slot.row = index;
  slot.name = 0;
  if (!row.is_file && !row.complete && !row.childless) {
    if (!row.link_names) row.link_names = std::make_unique<std::string>();
    slot.name = static_cast<std::uint32_t>(row.link_names->size());
    row.link_names->append(name) += '\0';
  }
  row.linked += space;
  ++row.candidates;
}

void Usage::drop_link(Index old, const Space& space) {
  UsageRow& row = rows_[old];
  if (linked_files_.erase(old) > 0) largest_.erase(old);
  if (row.is_file) row.largest = false;
  row.linked -= space;
  if (--row.candidates == 0) row.linked = {};
  settle(old);
}

/// Compares two paths, each of a row and a name in it, by bytes. Goes up from the deeper one until
/// both have the same parent: there the paths differ.
bool Usage::comes_before(Index one, std::string_view name, Index other,
                         std::string_view other_name) const {
  PathStep step{name, false};
  PathStep other_step{other_name, false};
  const auto go_up = [this](Index& row, PathStep& at) {
    at = {rows_[row].name, true};
    row = rows_[row].parent;
  };
  const Index from = one;
  const Index other_from = other;
  while (one != other && (rows_[one].parent != 0 || rows_[other].parent != 0)) {
    // A chain has the depth of its first directory, so a step may be of several levels.
    const std::uint32_t depth = rows_[one].parent == 0 ? 0 : rows_[one].depth;
    const std::uint32_t other_depth = rows_[other].parent == 0 ? 0 : rows_[other].depth;
    if (depth >= other_depth) go_up(one, step);
    if (other_depth >= depth) go_up(other, other_step);
  }
  if (one == other) return is_less(step, other_step);
  // The roots differ.
  return path_in(from, name) < path_in(other_from, other_name);
}

/// Compares the paths of two rows by bytes.
bool Usage::comes_before(Index one, Index other) const {
  const UsageRow& row = rows_[one];
  const UsageRow& other_row = rows_[other];
  if (row.parent != 0 && other_row.parent != 0) {
    return comes_before(row.parent, row.name, other_row.parent, other_row.name);
  }
  std::string path;
  std::string other_path;
  append_path(path, one);
  append_path(other_path, other);
  return path < other_path;
}

void Usage::complete(Index index) {
  UsageRow& row = rows_[index];
  row.complete = true;
  row.link_names.reset();
  if (row.parent != 0) rows_[row.parent].sum += row.sum;
  if (folds(index)) index = fold(index);
  if (!streams_ && rows_[index].parent != 0 && is_shown(rows_[index])) keep_largest(index);
  settle(index);
}

/// True for a directory that has nothing in it but another one.
bool Usage::folds(Index index) const {
  const UsageRow& row = rows_[index];
  const UsageRow& only = rows_[row.first_child];
  return draws_ && shows_directories_ && row.complete && row.parent != 0 && !row.pinned &&
         row.candidates == 0 && row.first_child != 0 && only.next == 0 && !only.is_file &&
         only.complete && can_be_shown(only) &&
         row.sum.count == only.sum.count + (row.counted ? 1 : 0) &&
         row.name.size() + only.name.size() < longest_chain;
}

/// Returns the row that is left, that of the child.
Usage::Index Usage::fold(Index index) {
  UsageRow& row = rows_[index];
  const Index child = row.first_child;
  UsageRow& only = rows_[child];
  if (only.largest) largest_.erase(child);
  only.largest = false;
  only.name.insert(0, row.name + '/');
  only.sum = row.sum;
  only.depth = row.depth;
  only.parent = row.parent;
  only.next = row.next;
  only.previous = row.previous;
  if (only.next != 0) rows_[only.next].previous = child;
  (only.previous != 0 ? rows_[only.previous].next : rows_[only.parent].first_child) = child;
  row = {};
  free_.push_back(index);
  return child;
}

void Usage::settle(Index index) {
  while (index != 0) {
    UsageRow& row = rows_[index];
    if (!row.used || !row.complete || row.parent == 0) return;
    if (row.candidates > 0 || row.first_child != 0 || row.pinned || row.largest) return;
    UsageRow& above = rows_[row.parent];
    if (is_shown(row)) {
      if (streams_) {
        append_line(lines_, index, row.sum);
        if (lines_.size() >= most_lines) {
          if (!next_.take(lines_)) wanted_ = false;
          lines_.clear();
        }
      } else {
        ++above.more;
        add_up(above.more_bytes, bytes_of(row.sum));
      }
    } else if (!shows_directories_) {
      above.more += row.more;
      add_up(above.more_bytes, row.more_bytes);
    }
    free_row(std::exchange(index, row.parent));
  }
}

bool Usage::can_be_shown(const UsageRow& row) const {
  const auto& levels = style_.usage->levels;
  if (levels && row.depth > *levels) return false;
  return row.is_file ? shows_files_ : shows_directories_;
}

/// Directories without a match are not shown; without a filter each matches itself.
bool Usage::is_shown(const UsageRow& row) const {
  return can_be_shown(row) && (!row.sum.empty() || !row.linked.empty());
}

/// The bytes that decide which rows are the largest. Those of linked files in a directory are not
/// known before the end.
std::uint64_t Usage::rank_of(const UsageRow& row) const {
  return bytes_of(row.is_file && row.sum.empty() ? row.linked : row.sum);
}

bool Usage::IsSmaller::operator()(Index one, Index other) const {
  const UsageRow& row = usage.rows_[one];
  const UsageRow& other_row = usage.rows_[other];
  const std::uint64_t bytes = usage.rank_of(row);
  const std::uint64_t other_bytes = usage.rank_of(other_row);
  if (bytes != other_bytes) return bytes < other_bytes;
  if (row.depth != other_row.depth) return row.depth > other_row.depth;
  return usage.comes_before(other, one);
}

/// True if a file in the directory would be one of the rows that are kept.
bool Usage::is_among_largest(Index directory, std::string_view name, std::uint64_t bytes) const {
  const auto& levels = style_.usage->levels;
  const std::uint32_t depth = rows_[directory].depth + 1;
  if (!shows_files_ || (levels && depth > *levels)) return false;
  if (largest_.size() < most_rows_) return true;
  if (largest_.empty()) return false;
  const UsageRow& least = rows_[*largest_.begin()];
  if (bytes != rank_of(least)) return bytes > rank_of(least);
  if (depth != least.depth) return depth < least.depth;
  return comes_before(directory, name, least.parent, least.name);
}

void Usage::keep_largest(Index index) {
  rows_[index].largest = true;
  if (most_rows_ == SIZE_MAX) return;
  // Most directories are smaller than all of them.
  const bool is_full = !largest_.empty() && largest_.size() == most_rows_;
  if (is_full && !rows_[index].is_file && largest_.key_comp()(index, *largest_.begin())) {
    rows_[index].largest = false;
    return;
  }
  largest_.insert(index);
  if (largest_.size() <= most_rows_) return;
  const Index least = *largest_.begin();
  largest_.erase(largest_.begin());
  if (shows_files_ && !largest_.empty()) least_ = rank_of(rows_[*largest_.begin()]);
  UsageRow& row = rows_[least];
  row.largest = false;
  if (const auto found = linked_files_.find(least); found != linked_files_.end()) {
    LinkTable::Slot& slot = links_[found->second.device].find(found->second.inode);
    count_link(slot, row.parent, row.name, std::exchange(row.linked, {}));
    row.candidates = 0;
    linked_files_.erase(found);
  }
  settle(least);
}

/// Passes lines on once there are `enough` bytes; not under the lock, since the reader may be slow.
bool Usage::write_lines(std::size_t enough) {
  std::string lines;
  {
    const std::lock_guard lock(mutex_);
    if (lines_.size() < enough || lines_.empty()) return true;
    lines.swap(lines_);
  }
  const bool taken = next_.take(lines);
  if (!taken) wanted_ = false;
  return taken;
}

/// Without a slash at its end, and "." for the current directory.
void Usage::append_path(std::string& path, Index index) const {
  std::vector<Index> way;
  for (; rows_[index].parent != 0; index = rows_[index].parent) way.push_back(index);
  const std::size_t start = path.size();
  path += rows_[index].name;
  for (auto row = way.rbegin(); row != way.rend(); ++row) {
    if (path.size() > start && path.back() != '/') path += '/';
    if (path.size() == start && rows_[*row].name.front() == '-') path += "./";
    path += rows_[*row].name;
  }
  if (path.size() > start + 1 && path.back() == '/') path.pop_back();
  if (path.size() == start) path += '.';
}

/// The name in a directory that is complete may be no longer known, and makes no difference.
std::string Usage::path_in(Index row, std::string_view name) const {
  std::string path;
  append_path(path, row);
  if (path == ".") path.clear();
  if (!rows_[row].is_file && !path.empty() && path.back() != '/') path += '/';
  return path.append(name);
}

/// Sums with linked files, by row.
std::vector<Space> Usage::totals() const {
  std::vector<Space> totals(rows_.size());
  for (Index row = 1; row < rows_.size(); ++row) totals[row] += rows_[row].sum;
  for (Index row = 1; row < rows_.size(); ++row) {
    if (rows_[row].linked.empty()) continue;
    for (Index at = row; at != 0; at = rows_[at].parent) totals[at] += rows_[row].linked;
  }
  return totals;
}

/// Rows that are left and not empty, as deep as the levels, each after those below it. Roots are
/// always among them.
std::vector<Usage::Index> Usage::shown_rows(const std::vector<Space>& totals) const {
  std::vector<Index> order;
  std::vector<Index> pending(roots_.begin(), roots_.end());
  while (!pending.empty()) {
    const Index row = pending.back();
    pending.pop_back();
    const bool is_root = rows_[row].parent == 0;
    if (is_root || (!totals[row].empty() && can_be_shown(rows_[row]))) order.push_back(row);
    for (Index at = rows_[row].first_child; at != 0; at = rows_[at].next) pending.push_back(at);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void Usage::append_line(std::string& out, Index row, const Space& total) const {
  std::string path;
  append_path(path, row);
  if (style_.for_programs()) return append_data(out, path, rows_[row].depth, total, false);
  out += shown_size(bytes_of(total), style_.human_sizes);
  out += '\t';
  out += path;
  out += style_.end;
}

void Usage::append_data(std::string& out, std::string_view path, std::uint64_t depth,
                        const Space& total, bool is_heading) const {
  text::DataRow row(out, style_.row_form(), is_heading);
  row.add_bytes("path", path);
  row.add("depth", depth);
  row.add("allocated", total.allocated);
  row.add("size", total.size);
  row.add("count", total.count);
  row.end();
}

std::string Usage::heading() const {
  std::string line;
  append_data(line, {}, 0, {}, true);
  return line;
}

}  // namespace ffind::output
