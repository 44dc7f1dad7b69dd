// SPDX-License-Identifier: MIT
// Rows while a search runs. Rows are numbered; the number of a row that is dropped is used again. A
// directory's children that are kept are a list (first_child, next, previous).
//
//     complete()   adds the row to its parent's sum
//     settle()     drops the row, or writes it, if nothing keeps it: no file with several links, no
//                  child, not among the largest. Then the same for its parent
//
// A row's sum never has less than those of the rows below it, so the largest rows are a tree.
#include "output/usage.h"

#include <algorithm>
#include <memory>
#include <new>

#include "os/files.h"
#include "output/path_tree.h"
#include "text/ascii.h"
#include "text/quoting.h"
#include "text/ranges.h"

namespace ffind::output {
namespace {

/// Bytes of lines above which they are passed on under the lock. Directories in each other may end
/// all at once: 20,000 of them, each with its path, took 650 MB.
constexpr std::size_t most_lines = std::size_t{256} * 1024;

/// Links whose slots are on their way into the cache.
constexpr std::size_t links_ahead = 8;

std::uint64_t hash_of(std::uint64_t inode) {
  return inode * std::uint64_t{0x9E3779B97F4A7C15};
}

Space space_of(const Metadata& metadata) {
  return {metadata.allocated, metadata.size, 1};
}

/// A directory has two links of its own, and one in each directory in it.
bool has_no_directory(const Metadata& metadata) {
  return metadata.links == 2;
}

}  // namespace

std::size_t LinkTable::first_not_before(std::uint64_t hash) const {
  std::size_t at = place_of(hash);
  while (at < size_ && slots_[at].row != 0 && slots_[at].hash < hash) ++at;
  return at;
}

LinkTable::Slot& LinkTable::find(std::uint64_t inode) {
  const std::uint64_t hash = hash_of(inode);
  std::size_t at = first_not_before(hash);
  if (at < size_ && slots_[at].row != 0 && slots_[at].hash == hash) return slots_[at];
  if ((used_ + 1) * 16 > places_ * 15) {
    grow();
    at = first_not_before(hash);
  }
  std::size_t end = at;
  while (end < size_ && slots_[end].row != 0) ++end;
  if (end == size_) resize(size_ + 1);
  std::move_backward(slots_.get() + at, slots_.get() + end, slots_.get() + end + 1);
  ++used_;
  return slots_[at] = {hash};
}

void LinkTable::prefetch(std::uint64_t inode) const {
  __builtin_prefetch(slots_.get() + place_of(hash_of(inode)));
}

void LinkTable::resize(std::size_t size) {
  void* const grown = std::realloc(slots_.get(), size * sizeof(Slot));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(slots_.release());
  slots_.reset(static_cast<Slot*>(grown));
  std::uninitialized_fill(slots_.get() + size_, slots_.get() + size, Slot{});
  size_ = size;
}

/// Moves all slots to the end and then, from the first on, to their new places.
void LinkTable::grow() {
  constexpr std::size_t few = 65536;  // a MiB; by eighths, 80,000 inodes took 1 % of the search
  places_ += places_ < few ? places_ + 64 : places_ / 8;
  std::size_t end = 0;
  for (std::size_t at = 0; at < size_; ++at) {
    if (slots_[at].row != 0) end = std::max(end, place_of(slots_[at].hash)) + 1;
  }
  std::size_t at = size_;
  resize(std::max({places_, end, size_}));
  std::size_t from = size_;
  for (; at > 0; --at) {
    if (slots_[at - 1].row != 0 && --from != at - 1)
      slots_[from] = std::exchange(slots_[at - 1], {});
  }
  end = 0;
  for (; from < size_; ++from) {
    const Slot slot = std::exchange(slots_[from], {});
    end = std::max(end, place_of(slot.hash));
    slots_[end++] = slot;
  }
}

/// Adds up a block of entries before it takes the lock.
class UsageLane final : public Lane {
 public:
  explicit UsageLane(Usage& usage) : usage_(usage), follows_(usage.style_.usage->follows) {}

  bool emit(Entry& entry) override {
    // The root of another volume, which is not searched.
    const Boundary* const boundary = entry.boundary;
    if (boundary != nullptr && boundary->mount_point && !boundary->entered) return true;
    entry.require(needs::type | needs::size | needs::links | needs::identity);
    if ((entry.present & needs::size) == 0) return true;
    const Space space = space_of(entry.metadata);
    if (entry.type == FileType::directory && entry.depth > 0) {
      OwnSpace& own = entry.own_space.emplace();
      own.allocated = space.allocated & (UINT64_MAX >> 1U);
      own.size = space.size;
      own.childless = has_no_directory(entry.metadata) && !follows_ ? 1 : 0;
    } else if (entry.inside == 0) {
      usage_.add_root_file(entry, space);
    } else if ((entry.present & needs::links) != 0 && (follows_ || entry.metadata.links > 1)) {
      turn_to(entry.inside);
      links_.push_back({entry.metadata.device, entry.metadata.inode, space.allocated, space.size,
                        static_cast<std::uint32_t>(names_.size())});
      names_.append(entry.name) += '\0';
      if (links_.size() == most_links) pass_on();
    } else {
      turn_to(entry.inside);
      sum_ += space;
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
  /// Links passed on at a time.
  static constexpr std::size_t most_links = 256;

  void turn_to(DirectoryToken row) {
    if (row != row_) pass_on();
    row_ = row;
  }
  void pass_on() {
    if (sum_.empty() && links_.empty()) return;
    usage_.add(row_, sum_, links_, names_.data());
    sum_ = {};
    links_.clear();
    names_.clear();
  }

  Usage& usage_;
  const bool follows_;
  DirectoryToken row_ = 0;
  Space sum_;                     ///< of entries in row_
  std::vector<FoundLink> links_;  ///< files in row_ that are not in sum_
  std::string names_;             ///< of them
};

/// Rows are written at once if all of them are, in no order. Lines of a terminal are fewer than the
/// rows that are kept, since some are for what is left out.
Usage::Usage(const OutputStyle& style, RecordStage& next)
    : style_(style),
      next_(next),
      draws_(style.for_people() && style.format != Format::json),
      streams_(!draws_ && style.sort.empty() && style.limit == UINT64_MAX),
      most_rows_(!style.sort.empty() && !draws_ ? SIZE_MAX
                 : style.limit != UINT64_MAX    ? style.limit
                                                : style.screen.rows),
      rows_(1) {}

Needs Usage::needs() const {
  return needs::type | needs::size | needs::links | needs::identity | needs::inside;
}

std::unique_ptr<Lane> Usage::open_lane() {
  return std::make_unique<UsageLane>(*this);
}

void Usage::set_plan(const Plan& plan) {
  plan_ = &plan;
  for (const Task& task : plan.tasks) {
    for (const Root& root : task.roots) {
      if (!root.below.empty()) pins_.push_back(root.printed);
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
  const bool counts = style_.usage->roots_count && root.below.empty() &&
                      os::metadata_of(root.open_path, metadata) == 0;
  const std::lock_guard lock(mutex_);
  const Index index = new_row(0, root.printed);
  UsageRow& row = rows_[index];
  if (!root.below.empty()) volumes_[index] = root;
  row.depth = root.depth;
  row.pinned = true;
  row.trusted = is_on_local_volume(root);
  row.childless = counts && row.trusted && has_no_directory(metadata) && !style_.usage->follows;
  if (counts) row.sum += space_of(metadata);
  roots_.push_back(index);
  return index;
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
  row.sum = {own->allocated, own->size, 1};
  row.childless = row.trusted && own->childless != 0;
  return index;
}

/// `space` is that of files with one link, `names` has those of the others.
void Usage::add(Index row, const Space& space, const std::vector<FoundLink>& links,
                const char* names) {
  const std::lock_guard lock(mutex_);
  rows_[row].sum += space;
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

void Usage::leave(DirectoryToken directory) {
  const std::lock_guard lock(mutex_);
  complete(directory);
}

/// Counts a file with several links in the directory of its first path so far.
void Usage::link(Index index, std::string_view name, LinkTable& table, const FoundLink& found) {
  LinkTable::Slot& slot = table.find(found.inode);
  const Index old = slot.row;
  const Space space{found.allocated, found.size, 1};
  if (old != 0) {
    const auto& names = rows_[old].link_names;
    const std::string_view old_name = names ? names->data() + slot.name : "";
    if (!comes_before(index, name, old, old_name)) return;
  }
  UsageRow& row = rows_[index];
  slot.row = index;
  slot.name = 0;
  if (!row.complete && !row.childless) {
    if (!row.link_names) row.link_names = std::make_unique<std::string>();
    slot.name = static_cast<std::uint32_t>(row.link_names->size());
    row.link_names->append(name) += '\0';
  }
  row.linked += space;
  ++row.candidates;
  if (old == 0) return;
  UsageRow& earlier = rows_[old];
  earlier.linked -= space;
  if (--earlier.candidates == 0) earlier.linked = {};
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
  while (one != 0 && rows_[one].depth > rows_[other].depth) go_up(one, step);
  while (other != 0 && rows_[other].depth > rows_[one].depth) go_up(other, other_step);
  while (one != other && rows_[one].parent != 0 && rows_[other].parent != 0) {
    go_up(one, step);
    go_up(other, other_step);
  }
  if (one == other) return is_less(step, other_step);
  // The roots differ.
  const auto path_of = [this](Index row, std::string_view file) {
    std::string path;
    append_path(path, row);
    if (path == ".") path.clear();
    // The name in a directory that is complete is no longer known, and makes no difference.
    if (!rows_[row].is_file && !path.empty() && path.back() != '/') path += '/';
    return path += file;
  };
  return path_of(from, name) < path_of(other_from, other_name);
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
  if (!streams_ && row.parent != 0 && is_shown(row)) keep_largest(index);
  settle(index);
}

void Usage::settle(Index index) {
  while (index != 0) {
    UsageRow& row = rows_[index];
    if (!row.used || !row.complete || row.parent == 0) return;
    if (row.candidates > 0 || row.first_child != 0 || row.pinned || row.largest) return;
    const Index above = row.parent;
    if (is_shown(row)) {
      if (streams_) {
        append_line(lines_, index, row.sum);
        if (lines_.size() >= most_lines) {
          if (!next_.take(lines_)) wanted_ = false;
          lines_.clear();
        }
      } else {
        ++rows_[above].more;
        rows_[above].more_bytes += bytes_of(row.sum);
      }
    }
    free_row(index);
    index = above;
  }
}

/// Directories without a match are not shown; without a filter each matches itself.
bool Usage::is_shown(const UsageRow& row) const {
  const auto& levels = style_.usage->levels;
  if (levels && row.depth > *levels) return false;
  return !row.sum.empty() || !row.linked.empty();
}

void Usage::keep_largest(Index index) {
  UsageRow& row = rows_[index];
  row.largest = true;
  if (most_rows_ == SIZE_MAX) return;
  largest_.insert({{bytes_of(row.sum), UINT32_MAX - row.depth}, index});
  if (largest_.size() <= most_rows_) return;
  const Index least = largest_.begin()->second;
  largest_.erase(largest_.begin());
  rows_[least].largest = false;
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

/// Puts the volumes that were mounted below a root, and searched as roots of their own, into the
/// place where they are mounted. Those nearer to the root come first.
void Usage::graft_volumes() {
  if (pins_.empty()) return;
  const auto path_of = [this](Index row) {
    std::string path;
    append_path(path, row);
    return path;
  };
  std::vector<std::pair<std::string, Index>> mounted;
  for (const auto& each : volumes_) mounted.emplace_back(path_of(each.first), each.first);
  std::sort(mounted.begin(), mounted.end());
  for (const auto& each : mounted) {
    const Index volume = each.second;
    const Root& mount = volumes_[volume];
    const auto upper = std::find_if(roots_.begin(), roots_.end(), [&](Index root) {
      return !rows_[root].is_file && !volumes_.contains(root) && path_of(root) == named_root(mount);
    });
    if (upper == roots_.end()) continue;
    Index at = *upper;
    std::vector<Index> way = {at};
    for (std::string_view rest = mount.below; !rest.empty();) {
      const std::string_view name = text::take_part(rest, '/');
      Index child = rows_[at].first_child;
      while (child != 0 && rows_[child].name != name) child = rows_[child].next;
      if (child == 0) child = new_row(at, name);
      rows_[child].complete = true;
      way.push_back(at = child);
    }
    UsageRow& from = rows_[volume];
    for (const Index row : way) rows_[row].sum += from.sum;
    rows_[at].linked += from.linked;
    rows_[at].more += from.more;
    rows_[at].more_bytes += from.more_bytes;
    for (Index child = from.first_child; child != 0;) {
      const Index next = rows_[child].next;
      UsageRow& row = rows_[child];
      row.parent = at;
      row.previous = 0;
      row.next = rows_[at].first_child;
      if (row.next != 0) rows_[row.next].previous = child;
      rows_[at].first_child = child;
      child = next;
    }
    roots_.erase(std::find(roots_.begin(), roots_.end(), volume));
  }
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
  const auto& levels = style_.usage->levels;
  std::vector<Index> order;
  std::vector<Index> pending(roots_.begin(), roots_.end());
  while (!pending.empty()) {
    const Index row = pending.back();
    pending.pop_back();
    const bool too_deep = levels && rows_[row].depth > *levels;
    if (rows_[row].parent == 0 || (!totals[row].empty() && !too_deep)) order.push_back(row);
    for (Index at = rows_[row].first_child; at != 0; at = rows_[at].next) pending.push_back(at);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void Usage::append_line(std::string& out, Index row, const Space& total) const {
  std::string path;
  append_path(path, row);
  if (style_.format == Format::json) {
    text::JsonObject object(out);
    object.add_bytes("path", path);
    object.add("depth", std::uint64_t{rows_[row].depth});
    object.add("allocated", total.allocated);
    object.add("size", total.size);
    object.add("count", total.count);
    object.end();
    return;
  }
  out += shown_size(bytes_of(total), style_.human_sizes);
  out += '\t';
  out += path;
  out += style_.end;
}

}  // namespace ffind::output
