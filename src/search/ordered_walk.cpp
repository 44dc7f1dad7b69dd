// SPDX-License-Identifier: MIT
// The ordered walk: roots, the way down, the way up, and the limits of memory and descriptors.
//
//     run ─▶ visit_root ─▶ enter? ─▶ names of way_.back() ─▶ visit ─▶ look ─▶ emit ─▶ enter
//                                         └─ none left ─▶ leave ─▶ emit, if contents come first
#include "search/ordered_walk.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "text/paths.h"

namespace ffind::search {
namespace {

/// Names that are read before the first of them is visited. GNU find reads as many: an action that
/// adds files to a directory does not find them in it.
constexpr std::size_t most_names = 100'000;
/// The same in bytes.
constexpr std::size_t most_bytes = std::size_t{4} * 1024 * 1024;

/// Descriptors that are kept open although more are allowed: going back up costs one open for each
/// of the others.
constexpr std::size_t enough_open = 64;

/// Nothing may be on the way but links that the line follows; volumes are compared by st_dev.
os::OpenFlags open_flags(bool follow) {
  return {.follow = follow, .stay_on_volume = false};
}

/// The root as typed, which its open path may have "./" before.
std::string_view typed_path(const Root& root) {
  std::string_view path = root.open_path;
  if (path.starts_with("./-") && !root.printed.starts_with("./")) path.remove_prefix(2);
  return path;
}

}  // namespace

// --- Position

OrderedPosition::OrderedPosition(const Task& task) : mounts_(task.mounted) {}

/// A root that is no mount point is on the volume that is mounted nearest above it.
void OrderedPosition::turn_to_root(const Root& root, bool followed) {
  root_ = &root;
  directory_ = nullptr;
  followed_ = followed;
  error_ = 0;
  volume_ = mounts_.holding(root.canonical);
}

void OrderedPosition::turn_to(const os::Directory& directory, const char* name, bool followed) {
  directory_ = &directory;
  name_ = name;
  followed_ = followed;
  error_ = 0;
}

EntryPlace OrderedPosition::place_of(const Entry&) {
  if (directory_ == nullptr) {
    return {.name = root_->open_path.c_str(), .is_root = true, .followed = followed_};
  }
  return {.at = directory_,
          .name = name_,
          .followed = followed_,
          .error = error_,
          .reported = error_ != 0};
}

void OrderedPosition::load_paths(Entry& entry, Needs wanted) {
  if ((wanted & needs::absolute_path) == 0) return;
  absolute_ = text::join_paths(root_->absolute, entry.relative_path);
  entry.absolute_path = absolute_;
  entry.present |= needs::absolute_path;
}

const Boundary* OrderedPosition::mounted_at(const Entry& entry) {
  canonical_ = text::join_paths(root_->canonical, entry.relative_path);
  return mounts_.at(canonical_);
}

/// A file may be mounted on a file.
const Boundary* OrderedPosition::volume_at(const Entry& entry) {
  const Boundary* const mounted = entry.depth > 0 ? mounted_at(entry) : nullptr;
  return mounted != nullptr ? mounted : volume_;
}

// --- One look

void OrderedWalk::OneLook::load(Entry& entry, Needs wanted) {
  constexpr Needs of_links = needs::target | needs::target_mode | needs::target_type;
  if ((wanted & (needs::metadata | of_links)) != 0) {
    wanted |= walk_.stat_needs_ & ~(entry.present | entry.failed);
  }
  walk_.access_.load(entry, wanted);
}

// --- The walk

OrderedWalk::OrderedWalk(const Task& task, SearchState& state, os::FileSystem& file_system,
                         std::size_t descriptors)
    : SearchThread(state, file_system),
      task_(task),
      order_(scope_.order.value_or(Scope::Order{})),
      stat_needs_(needs::type | needs::mode | needs::identity |
                  (state.sink_needs() & needs::metadata)),
      most_open_(std::clamp<std::size_t>(descriptors, 2, enough_open)),
      reader_(file_system.make_reader(already_open_)),
      position_(task),
      access_(reach_, position_, task.volume) {
  entry_.loader = &loader_;
}

void OrderedWalk::run() {
  const Progress::Registration registration(state_.progress(), *this);
  for (const Root& root : task_.roots) {
    if (state_.stopped()) break;
    visit_root(root);
    while (!way_.empty() && !state_.stopped()) {
      Level& level = way_.back();
      if (level.next < level.names.size()) {
        const auto type = static_cast<FileType>(level.names[level.next]);
        const std::string_view name = level.names.data() + level.next + 1;
        level.next += name.size() + 2;
        visit(type, name);
      } else if (level.more) {
        read_names(level, most_names);
      } else {
        leave();
      }
    }
    way_.clear();
    ids_.clear();
    first_open_ = 0;
  }
  output_.flush();
}

std::string OrderedWalk::shown_path(std::size_t length) const {
  if (length <= prefix_) return std::string(typed_path(position_.root()));
  return path_.substr(0, length - 1);
}

/// Makes the entry that of the root, of which nothing is known but its names.
void OrderedWalk::name_root(const Root& root) {
  path_ = typed_path(root);
  const std::string_view path = text::without_end_slashes(path_);
  begin(path == "/" ? path : text::name_of(path), FileType::unknown,
        needs::directory | needs::relative_path);
  entry_.directory = path.substr(0, path.size() - entry_.name.size());
  entry_.slashes = std::string_view(path_).substr(path.size());
  entry_.relative_path = {};
  entry_.depth = 0;
}

/// Visits a root, which is an entry of depth 0.
void OrderedWalk::visit_root(const Root& root) {
  name_root(root);
  ++reach_.counts.entries;
  RootFile file;
  if (const int error = look_at_root(reach_, root, stat_needs_, file); error != 0) {
    return reach_.issues.report(path_, "", error);
  }
  position_.turn_to_root(root, scope_.follow_roots);
  entry_.type = file.type;
  entry_.via_link = file.via_link;
  entry_.metadata = file.metadata;
  entry_.present |= file.known | needs::type;
  device_ = entry_.metadata.device;
  const bool enters = may_enter();
  if (!enters || !order_.contents_first) emit();
  if (enters && !state_.stopped() && (order_.contents_first || !entry_.kept_out)) enter();
  entry_.slashes = {};
}

/// Visits an entry of the last directory of the way.
void OrderedWalk::visit(FileType type, std::string_view name) {
  Level& level = way_.back();
  path_.resize(level.length);
  path_ += name;
  turn_to_last(way_.size() - 1);
  ++reach_.counts.entries;
  entry_.type = type;
  entry_.present |= type != FileType::unknown ? needs::type : needs::none;
  position_.turn_to(level.listed.directory, entry_.name.data(), false);
  position_.set_error(level.error);
  look(type);
  if (entry_.loop) return;
  const bool enters = may_enter();
  if (!enters || !order_.contents_first) emit();
  if (enters && !state_.stopped() && (order_.contents_first || !entry_.kept_out)) enter();
}

/// Makes the entry of path_, in the directory of that level, without type and metadata.
void OrderedWalk::turn_to_last(std::size_t level) {
  const std::string_view path = path_;
  const std::size_t length = way_[level].length;
  begin(path.substr(length), FileType::unknown, needs::directory | needs::relative_path);
  entry_.directory = path.substr(0, length);
  entry_.relative_path = path.substr(prefix_);
  entry_.depth = static_cast<std::uint32_t>(level) + 1;
  position_.set_volume(way_[level].volume);
}

/// Stats a directory, an entry of unknown type, and a link under -L. One of which find says that it
/// cannot be statted has no type.
void OrderedWalk::look(FileType type) {
  const bool follows = scope_.follow && (type == FileType::symlink || type == FileType::unknown);
  if (follows && follow()) {
    // done
  } else if (follows || type == FileType::directory || type == FileType::unknown) {
    entry_.present &= ~needs::type;
    entry_.type = FileType::unknown;
    entry_.require(stat_needs_);
  }
  if (entry_.type == FileType::directory) entry_.loop = closes_a_loop();
}

/// Replaces a link by its target. False if the link itself is to be looked at.
bool OrderedWalk::follow() {
  Needs got = needs::none;
  ++reach_.counts.stats;
  const int error = reach_.file_system().stat(&way_.back().listed.directory, entry_.name.data(),
                                              {.follow = true}, stat_needs_, entry_.metadata, got);
  if (error == ENOENT || error == ENOTDIR) return false;
  if (error != 0) {
    reach_.issues.report_entry(entry_, "follow link", error);
    entry_.loop = error == ELOOP;
    entry_.failed |= needs::metadata & ~entry_.present;
    return true;
  }
  const bool is_link = entry_.type == FileType::symlink;
  entry_.present |= got | needs::type;
  entry_.type = os::type_of_mode(entry_.metadata.mode);
  // Its type is unknown: it may be no link.
  entry_.via_link =
      is_link || reach_.opener.is_link(&way_.back().listed.directory, entry_.name.data());
  position_.turn_to(way_.back().listed.directory, entry_.name.data(), entry_.via_link);
  return true;
}

/// Reports a directory that is one of its own ancestors: through a link, or by a mount.
bool OrderedWalk::closes_a_loop() {
  if ((entry_.present & needs::identity) == 0) return false;
  const os::FileId id{entry_.metadata.device, entry_.metadata.inode};
  const auto same = std::find(ids_.begin(), ids_.end(), id);
  if (same == ids_.end()) return false;
  const auto level = static_cast<std::size_t>(same - ids_.begin());
  reach_.issues.report_entry(entry_, "loop", ELOOP, shown_path(way_[level].length));
  return true;
}

bool OrderedWalk::may_enter() {
  if (entry_.type != FileType::directory || entry_.depth >= scope_.max_depth) return false;
  return scope_.mounts != Scope::Mounts::of_device || entry_.metadata.device == device_;
}

void OrderedWalk::emit() {
  if (entry_.depth < scope_.min_depth) return;
  output_.emit(entry_);
  // A link to itself that -xtype has followed.
  if (entry_.loop) reach_.issues.report_entry(entry_, "follow link", ELOOP);
  reach_.issues.fail_if_closed(entry_);
}

/// Enters the current entry, a directory, which was looked at. If it cannot be opened, that is
/// reported, and it is emitted if its contents come first.
bool OrderedWalk::enter() {
  make_room();
  const bool is_root = way_.empty();
  const bool follows = is_root ? scope_.follow_roots : entry_.via_link;
  const os::Directory* const above = is_root ? nullptr : &way_.back().listed.directory;
  const char* const name = is_root ? position_.root().open_path.c_str() : entry_.name.data();
  Level level;
  int error = is_root ? 0 : way_.back().error;
  if (error == 0)
    error = reach_.opener.open(above, name, open_flags(follows), level.listed.directory);
  // O_NOFOLLOW has an errno of its own; the other one says that it is no directory.
  if (error == ELOOP && !follows) error = ENOTDIR;
  if (error == 0) error = reach_.file_system().identify(level.listed.directory, level.id);
  if (error == 0) error = reader_->open(level.listed, nullptr);
  if (error != 0) {
    reach_.issues.pass_over(path_, DirectoryStep::open, error);
    if (order_.contents_first) emit();
    return false;
  }
  ++reach_.counts.directories;
  level.look = {entry_.type, entry_.via_link, entry_.present & needs::metadata, entry_.failed,
                entry_.metadata};
  level.volume = position_.volume();
  const bool is_elsewhere = !is_root && entry_.metadata.device != way_.back().look.metadata.device;
  if (is_elsewhere) {
    if (const Boundary* const mounted = position_.mounted_at(entry_)) level.volume = mounted;
  }
  if (!path_.ends_with('/') || !is_root) path_ += '/';
  if (is_root) prefix_ = path_.size();
  level.length = path_.size();
  way_.push_back(std::move(level));
  ids_.push_back(way_.back().id);
  return true;
}

/// Leaves the last directory of the way: its parent is opened again if it was closed, and the
/// directory is emitted if its contents come first.
void OrderedWalk::leave() {
  Level last = std::move(way_.back());
  way_.pop_back();
  ids_.pop_back();
  if (way_.empty()) {
    if (!order_.contents_first) return;
    name_root(position_.root());
    position_.turn_to_root(position_.root(), scope_.follow_roots);
  } else {
    Level& above = way_.back();
    if (!above.listed.directory.is_open()) reopen(above, last);
    last.listed.directory.close();
    if (!order_.contents_first) return;
    path_.resize(last.length - 1);
    turn_to_last(way_.size() - 1);
    position_.turn_to(above.listed.directory, entry_.name.data(), last.look.via_link);
    position_.set_error(above.error);
  }
  last.listed.directory.close();
  entry_.via_link = last.look.via_link;
  entry_.type = last.look.type;
  entry_.present |= last.look.present;
  entry_.failed = last.look.failed;
  entry_.metadata = last.look.metadata;
  emit();
  entry_.slashes = {};
}

/// Appends up to `most` names to those of the level; all of them if siblings are sorted.
void OrderedWalk::read_names(Level& level, std::size_t most) {
  level.names.erase(0, std::exchange(level.next, 0));
  output_.flush_if_due();
  std::size_t count = 0;
  while (level.more && (order_.is_sorted || (count < most && level.names.size() < most_bytes))) {
    const int error = reach_.opener.with_room([&] { return reader_->read(level.listed, block_); });
    if (error != 0) reach_.issues.pass_over(shown_path(level.length), DirectoryStep::read, error);
    level.more = error == 0 && !block_.empty() && !level.listed.directory.at_end;
    os::Dirent dirent;
    while (error == 0 && block_.next(dirent)) {
      level.names += static_cast<char>(dirent.type);
      level.names.append(dirent.name) += '\0';
      ++count;
    }
  }
  if (order_.is_sorted) sort_names(level);
}

void OrderedWalk::sort_names(Level& level) {
  std::vector<std::string_view> records;
  for (std::string_view rest = level.names; !rest.empty();) {
    const std::size_t size = rest.find('\0', 1) + 1;
    records.push_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  std::sort(records.begin(), records.end(), [](std::string_view one, std::string_view other) {
    return one.substr(1) < other.substr(1);
  });
  std::string sorted;
  for (const std::string_view record : records) sorted += record;
  level.names = std::move(sorted);
}

/// Closes the directories furthest up if too many are open. The rest of their names is read before.
void OrderedWalk::make_room() {
  while (way_.size() - first_open_ >= most_open_) {
    Level& level = way_[first_open_++];
    while (level.more) read_names(level, SIZE_MAX);
    level.listed.directory.close();
  }
}

/// Opens a directory again that was closed, as the parent of `below` or else by its path. What is
/// found must be what was left.
void OrderedWalk::reopen(Level& level, Level& below) {
  os::FileSystem& file_system = reach_.file_system();
  os::Directory opened;
  const auto is_same = [&] {
    os::FileId id;
    return file_system.identify(opened, id) == 0 && id == level.id;
  };
  int error = reach_.opener.open(&below.listed.directory, "..", open_flags(false), opened);
  if (error != 0 || !is_same()) {
    opened.close();
    std::string below_root = path_.substr(prefix_, level.length - prefix_);
    if (!below_root.empty()) below_root.pop_back();
    error = reach_.opener.open_below(position_.root(), below_root, open_flags(scope_.follow),
                                     opened, ids_.front());
    if (error == 0 && !is_same()) error = ENOENT;
  }
  first_open_ = way_.size() - 1;
  if (error == 0) {
    level.listed.directory = std::move(opened);
    return;
  }
  level.error = error;
  level.names.clear();
  level.next = 0;
  reach_.issues.pass_over(shown_path(level.length), DirectoryStep::open,
                          error == ESTALE ? ENOENT : error);
}

}  // namespace ffind::search
