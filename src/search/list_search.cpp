// SPDX-License-Identifier: MIT
// A worker takes a batch of lines, judges them all, waits until the batches before it are emitted,
// and emits its matches: the output has the order of the list, whichever worker was faster. What a
// match keeps until then is a Match, of which only metadata is loaded; the rest is loaded when it
// is emitted. Commands of --if take longer than all that, so with one batches are single lines, and
// emitted in no order.
//
// An entry costs one stat, which says that it is still there and has all metadata that is required;
// none if its name alone cannot match. Sinks that follow directories get the list sorted, so that
// each directory is entered once, before what is in it.
#include "search/list_search.h"

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

#include "text/ascii.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/utf8.h"

namespace ffind::search {
namespace {

/// Paths in a row in one directory before it is opened: a call that opens and closes it takes as
/// long as three that resolve its path.
constexpr unsigned uses_before_opening = 3;
/// Longest name of any file system; a longer path is opened in steps.
constexpr std::size_t longest_name = 255;
/// Bytes of a line in a message.
constexpr std::size_t most_shown = 4096;

std::size_t lines_of_batch(SearchState& state) {
  constexpr std::size_t most = 1024;
  constexpr std::size_t with_contents = 16;
  if (state.has_condition()) return 1;
  const Needs wanted = state.matcher().needs() | state.sink_needs();
  return (wanted & (needs::contents | needs::empty)) != 0 ? with_contents : most;
}

/// Returns the path of the root that a record was found below, as far as its depth tells: without
/// the last names, as many as the depth.
std::string_view root_of(const Record& record) {
  if (!record.depth) return {};
  std::string_view path = text::without_end_slashes(record.path);
  for (std::uint32_t names = std::max(*record.depth, 1U); names > 0 && !path.empty(); --names) {
    path = path.substr(0, path.substr(0, path.size() - 1).rfind('/') + 1);
  }
  return path;
}

std::string_view bytes_of(const os::FileId& id) {
  return {reinterpret_cast<const char*>(&id), sizeof id};
}

}  // namespace

// --- Position

void ListPosition::turn_to(std::string_view path, RecordedRoot found_below,
                           const Trashed* trashed) {
  path_ = path;
  trashed_ = trashed;
  if (found_below.root != found_below_.root) uses_ = 0;
  found_below_ = found_below;
  followed_ = false;
  // "a/b/./" is the directory "a/", the name "b" and "/./".
  std::size_t end = path.size();
  while (true) {
    while (end > 0 && path[end - 1] == '/') --end;
    if (end < 2 || path[end - 1] != '.' || path[end - 2] != '/') break;
    --end;
  }
  // A path of nothing but slashes is "/", which is its own name.
  const std::size_t begin = end == 0 ? 0 : path.rfind('/', end - 1) + 1;
  end = std::max<std::size_t>(end, 1);
  name_ = path.substr(begin, end - begin);
  slashes_ = path.substr(end);
  turn_to_directory(path.substr(0, begin));
  depth_ = names_above_ + 1;
  const bool is_root = directory_.empty() && (name_ == "." || name_ == "/");
  if (is_root || found_below.is_file) depth_ = 0;
  if (name_ == "/") root_ = &task_.roots.back();
}

/// Counts its names, and finds their path below the root: mostly a part of the text.
void ListPosition::turn_to_directory(std::string_view directory) {
  directory_ = directory;
  const bool absolute = directory.starts_with('/');
  root_ = absolute ? &task_.roots.back() : &task_.roots.front();
  before_ = absolute ? 1 : 0;
  if (found_below_.root != nullptr) {
    root_ = found_below_.root;
    before_ = found_below_.size;
  }
  if (uses_ > 0 && last_ == directory) {
    ++uses_;
    if (plain_) below_ = directory.substr(before_, below_.size());
    return;
  }
  opened_.close();
  error_ = 0;
  uses_ = 1;
  ++directories_;
  last_ = directory;
  below_ = directory.substr(before_);
  if (below_.ends_with('/')) below_.remove_suffix(1);
  names_above_ = 0;
  std::size_t length = 0;
  for_each_name(below_, [&](std::string_view name, std::size_t) {
    length += name.size() + (names_above_++ > 0 ? 1 : 0);
    return true;
  });
  plain_ = length == below_.size();
  if (plain_) return;
  normal_.clear();
  if (names_above_ > 0) append_normal(normal_, below_);
  below_ = normal_;
  if (below_.starts_with('/')) below_.remove_prefix(1);
}

void ListPosition::leave() {
  opened_.close();
  uses_ = 0;
}

int ListPosition::open() {
  if (opened_.is_open() || error_ != 0) return error_;
  constexpr os::OpenFlags anywhere{.follow = true, .stay_on_volume = false};
  if (last_.size() <= longest_path) {
    error_ = opener_.open(nullptr, last_.empty() ? "." : last_.c_str(), anywhere, opened_);
  } else {
    error_ = opener_.open_below(*root_, std::string(below_), anywhere, opened_);
  }
  return error_;
}

EntryPlace ListPosition::quick_place() {
  if (trashed_ != nullptr) return {.name = trashed_->place.c_str(), .followed = followed_};
  if (!opened_.is_open() && uses_ < uses_before_opening && path_.size() <= longest_path) {
    return {.name = path_.data(), .followed = followed_};
  }
  if (name_.size() > longest_name) return {.name = "", .error = ENAMETOOLONG};
  const int error = open();
  return {.at = &opened_, .name = name_.data(), .followed = followed_, .error = error};
}

bool ListPosition::identify(os::FileId& id) {
  return open() == 0 && opener_.file_system().identify(opened_, id) == 0;
}

EntryPlace ListPosition::place_of(const Entry&) {
  uses_ = std::max(uses_, uses_before_opening);
  return quick_place();
}

/// The directory as it is written in the list; below the root as it is printed if that is absolute.
void ListPosition::load_paths(Entry& entry, Needs wanted) {
  const auto join = [&](std::string& path) {
    path.append(below_);
    if (!below_.empty()) path += '/';
  };
  entry.directory = directory_;
  if ((plain_paths_ || root_->printed.size() > 1) && depth_ > 0) {
    shown_ = root_->printed;
    join(shown_);
    entry.directory = shown_;
  }
  if (entry.directory.starts_with('-')) {
    shown_ = "./" + std::string(entry.directory);
    entry.directory = shown_;
  }
  entry.present |= needs::directory;
  if ((wanted & (needs::relative_path | needs::absolute_path)) == 0) return;
  relative_.clear();
  join(relative_);
  if (depth_ > 0) relative_.append(name_);
  entry.relative_path = relative_;
  entry.present |= needs::relative_path;
  if ((wanted & needs::absolute_path) == 0) return;
  absolute_ = text::join_paths(root_->absolute, relative_);
  entry.absolute_path = absolute_;
  entry.present |= needs::absolute_path;
}

/// By the path as it is written: links are not resolved. A mount point is on the volume around it.
const Boundary* ListPosition::volume_at(const Entry&) {
  if (std::exchange(volume_of_, directories_) == directories_) return volume_;
  volume_ = mounted_.holding(os::normal_path(text::join_paths(root_->absolute, below_)));
  return volume_;
}

// --- Records

void RecordLoader::fill(Entry& entry) {
  const Record& record = reader_.record();
  accounts_ = record.accounts();
  entry.recorded = &accounts_;
  entry.type = record.type;
  entry.metadata = record.metadata;
  entry.target = record.target;
  entry.finder = &record.finder;
  entry.acl = record.acl;
  entry.present |= record.present & ~(needs::directory | needs::origin);
}

void RecordLoader::load(Entry& entry, Needs wanted) {
  constexpr Needs paths = needs::directory | needs::relative_path | needs::absolute_path;
  if ((wanted & paths) != 0) position_.load_paths(entry, wanted);
  if ((wanted & needs::origin) != 0) {
    entry.found_from = &position_.root();
    entry.root = named_root(position_.root());
    entry.volume = reader_.record().volume;
    entry.file_system = {};
    entry.present |= needs::origin;
  }
  if ((wanted & needs::empty) != 0) {
    const bool known = entry.require(needs::type) && entry.type != FileType::directory &&
                       (entry.type != FileType::file || entry.require(needs::length));
    entry.empty = known && entry.type == FileType::file && entry.metadata.size == 0;
    if (known) entry.present |= needs::empty;
  }
  const Needs unknown = wanted & ~entry.present;
  entry.failed |= unknown;
  // Only a link has a target.
  missing_ |= entry.type == FileType::symlink ? unknown : unknown & ~needs::target;
}

// --- One thread

/// Takes batches until there are none, judges their paths, and emits the matches.
class ListWorker final : public SearchThread {
 public:
  explicit ListWorker(ListSearch& search);

  void run();

 private:
  /// A path that matches.
  struct Match {
    std::string_view path;
    Metadata metadata;
    Needs present;
    Needs failed;
    FileType type;
    bool followed;
    PathKey key;  ///< of the entry, if each is emitted once
    std::uint64_t number;
  };

  void consider(std::string_view path, std::uint64_t number);
  bool begin_entry(std::string_view path, std::uint64_t number);
  RecordedRoot recorded_root();
  void note_unknown(std::uint64_t number);
  int look_at();
  bool is_below_excluded();
  PathKey key_of_entry();
  void emit(const Match& match);
  DirectoryToken enter_directory();

  ListSearch& search_;
  const Needs wanted_;  ///< metadata
  const bool follows_directories_;
  const bool directories_may_exclude_;

  ListPosition position_;
  EntryAccess access_;
  RecordLoader record_;
  std::string root_path_;  ///< of the last record
  const Root* root_ = nullptr;
  Needs unknown_ = needs::none;  ///< noted already
  ListPosition above_;           ///< of directories that may be excluded
  EntryAccess access_above_;

  ListSearch::Batch batch_;
  std::vector<Match> matches_;
  std::uint64_t tested_ = 0;  ///< number of the last directory that was tested
  bool excluded_ = false;
};

ListWorker::ListWorker(ListSearch& search)
    : SearchThread(search.state_, search.file_system_),
      search_(search),
      wanted_((needs_ & needs::metadata) |
              (scope_.each_once ? needs::type | needs::identity : needs::none) |
              (scope_.follow ? needs::type : needs::none)),
      follows_directories_(state_.sink().follows_directories()),
      directories_may_exclude_(scope_.skip_hidden || scope_.skip_packages ||
                               !scope_.exclude.never()),
      position_(search.task_, search.mounted_, scope_.plain_paths, reach_.opener),
      access_(reach_, position_, search.task_.volume),
      record_(position_),
      above_(search.task_, search.mounted_, false, reach_.opener),
      access_above_(reach_, above_, search.task_.volume) {
  entry_.loader = search.of_records_ ? static_cast<EntryLoader*>(&record_) : &access_;
  // Few entries have some of what --json=full and its like ask for.
  unknown_ =
      ~matcher_.needs() & (needs::created | needs::added | needs::private_size | needs::flags);
}

void ListWorker::run() {
  const Progress::Registration registration(state_.progress(), *this);
  while (search_.take(batch_)) {
    matches_.clear();
    std::uint64_t number = batch_.number_of_first;
    std::string_view rest = batch_.text;
    for (; !rest.empty() && !state_.stopped(); ++number)
      consider(text::take_part(rest, '\0'), number);
    // Its text is about to change.
    const bool has_turn = search_.wait_for_turn(batch_.number);
    for (const Match& match : matches_) {
      if (state_.stopped()) break;
      emit(match);
    }
    output_.flush();
    position_.leave();
    above_.leave();
    if (has_turn) search_.end_turn();
  }
  output_.flush();
}

/// Returns false for a line that is no record.
bool ListWorker::begin_entry(std::string_view path, std::uint64_t number) {
  if (search_.of_records_) {
    const RecordReader::Line kind = follows_directories_
                                        ? record_.read(record_in(path), path_in_key(path))
                                        : record_.read(path);
    if (kind == RecordReader::Line::wrong) search_.note_missing(batch_, number, path);
    if (kind != RecordReader::Line::record) return false;
    position_.turn_to(record_.record().path, recorded_root());
  } else {
    position_.turn_to(path, {}, search_.trashed(number));
  }
  begin(position_.name(), FileType::unknown, needs::none);
  if (search_.of_records_) record_.fill(entry_);
  entry_.slashes = scope_.plain_paths ? std::string_view() : position_.slashes();
  entry_.depth = position_.depth();
  return true;
}

RecordedRoot ListWorker::recorded_root() {
  const Record& record = record_.record();
  if (!record.depth) return {};
  const bool is_file = *record.depth == 0;
  const std::string_view path = root_of(record);
  if (path.empty() || path == "/") return {.is_file = is_file};
  if (path != root_path_) root_ = &search_.root_at(root_path_ = path);
  return {root_, path.size(), is_file};
}

void ListWorker::note_unknown(std::uint64_t number) {
  const Needs unknown = record_.take_missing() & ~unknown_;
  if (unknown == needs::none) return;
  search_.note_unknown(batch_, number, unknown);
  unknown_ |= unknown;
}

void ListWorker::consider(std::string_view path, std::uint64_t number) {
  if (path.empty()) {
    ++reach_.counts.empty_lines;
    return;
  }
  if (!begin_entry(path, number)) return;
  ++reach_.counts.entries;
  // By the name first, unless near misses are to be found among what is still there.
  const bool noted = matcher_.has_near_misses();
  if (!noted && !matcher_.may_emit(entry_)) return;
  const int error = search_.of_records_ ? 0 : look_at();
  if (is_gone(error) && position_.trashed(entry_) == nullptr)
    search_.note_missing(batch_, number, path);
  if (error != 0 || entry_.depth > scope_.max_depth) return;
  if (directories_may_exclude_ && is_below_excluded()) return;
  const bool emits = matcher_.emits(entry_);
  if (noted) matcher_.note_judged(entry_, {.emit = emits});
  reach_.issues.fail_if_closed(entry_);
  note_unknown(number);
  if (!emits) return;
  matches_.push_back({.path = path,
                      .metadata = entry_.metadata,
                      .present = entry_.present & needs::metadata,
                      .failed = entry_.failed & needs::metadata,
                      .type = entry_.type,
                      .followed = position_.followed(),
                      .key = scope_.each_once ? key_of_entry() : 0,
                      .number = number});
}

/// Loads the metadata that is required: with --follow that of a link's target, unless it is
/// dangling. 0 or an errno, which has been reported or counted.
int ListWorker::look_at() {
  const EntryPlace place = position_.quick_place();
  os::FileSystem& file_system = reach_.file_system();
  Needs got = needs::none;
  const auto stat = [&](bool follow) {
    return file_system.stat(place.at, place.name, {.follow = follow}, wanted_, entry_.metadata,
                            got);
  };
  ++reach_.counts.stats;
  int error = place.error;
  if (error == 0 && wanted_ == needs::none) {
    error = file_system.exists(place.at, place.name);
  } else if (error == 0) {
    error = stat(scope_.follow);
    position_.follow_link(scope_.follow && !is_gone(error));
    if (scope_.follow && is_gone(error)) error = stat(false);
  }
  if (error != 0) reach_.issues.fail(entry_, "", error);
  if (error != 0 || wanted_ == needs::none) return error;
  entry_.type = os::type_of_mode(entry_.metadata.mode);
  entry_.present |= got | needs::type;
  entry_.failed |= wanted_ & ~entry_.present;
  return 0;
}

/// Returns whether a directory on the way to the entry, as written, is excluded or hidden, or a
/// package: a walk would not enter it. What is named by "..", has been left again.
bool ListWorker::is_below_excluded() {
  const std::string_view below = position_.below();
  if (tested_ == position_.directories()) return excluded_;
  tested_ = position_.directories();
  excluded_ = false;
  Entry step;
  step.type = FileType::directory;
  step.loader = &access_above_;
  std::string path;
  for_each_name(below, [&](std::string_view name, std::size_t end) {
    path.assign(position_.before()).append(below, 0, end);
    above_.turn_to(path, position_.recorded_root());
    step.name = name;
    step.depth = above_.depth();
    step.present = needs::type;
    step.failed = needs::none;
    excluded_ = name != ".." && !matcher_.descends(step);
    above_.leave();  // its text is a local string
    return !excluded_;
  });
  return excluded_;
}

/// A directory is known by its identity, since it has one name; another entry by the identity of
/// its directory, and its name.
PathKey ListWorker::key_of_entry() {
  const os::FileId own{entry_.metadata.device, entry_.metadata.inode};
  const bool identified = !search_.of_records_ && (entry_.present & needs::identity) != 0;
  if (identified && entry_.type == FileType::directory) {
    return entry_key(directory_key(0, bytes_of(own)), "");
  }
  if (const Trashed* const trashed = position_.trashed(entry_)) {
    return entry_key(directory_key(3, ""), trashed->place);
  }
  os::FileId directory;
  if (!search_.of_records_ && position_.identify(directory)) {
    return entry_key(directory_key(1, bytes_of(directory)), entry_.name);
  }
  entry_.require(needs::absolute_path);
  return entry_key(directory_key(2, entry_.absolute_path), "");
}

/// Makes the entry again. Called when it is this worker's turn, unless there are none.
void ListWorker::emit(const Match& match) {
  if (scope_.each_once && !search_.emitted_.admit(match.key)) return;
  begin_entry(match.path, match.number);
  if (!search_.of_records_) {
    entry_.metadata = match.metadata;
    entry_.present = match.present;
    entry_.failed = match.failed;
    entry_.type = match.type;
    position_.follow_link(match.followed);
  }
  if (follows_directories_) {
    entry_.inside = enter_directory();
    entry_.boundary = nullptr;
  }
  output_.emit(entry_);
  reach_.issues.fail_if_closed(entry_);
  note_unknown(match.number);
  if (!entry_.own_space) return;
  std::string path = position_.below().empty() ? "" : std::string(position_.below()) + '/';
  const DirectoryToken token = output_.lane().enter(entry_.inside, entry_.name, &*entry_.own_space);
  search_.open_.push_back({&position_.root(), path.append(entry_.name), token});
  entry_.own_space.reset();
}

/// Leaves directories that the entry is not in, and enters those on the way to it.
DirectoryToken ListWorker::enter_directory() {
  const Root* const root = &position_.root();
  const std::string_view below = position_.below();
  auto& open = search_.open_;
  const auto is_above = [&](const ListSearch::OpenDirectory& each) {
    return each.root == root && (each.path.empty() || lies_within(below, each.path));
  };
  if (!open.empty() && !is_above(open.back())) output_.flush_if_due();
  while (!open.empty() && !is_above(open.back())) search_.leave_last();
  if (open.empty()) open.push_back({root, {}, output_.lane().enter(*root)});
  while (open.back().path.size() < below.size()) {
    const std::size_t above = open.back().path.size();
    const std::size_t from = above == 0 ? 0 : above + 1;
    const std::size_t to = std::min(below.find('/', from), below.size());
    const DirectoryToken token =
        output_.lane().enter(open.back().token, below.substr(from, to - from), nullptr);
    open.push_back({root, std::string(below.substr(0, to)), token});
  }
  return open.back().token;
}

// --- The lists

ListSearch::ListSearch(const Task& task, unsigned threads, SearchState& state,
                       os::FileSystem& file_system, ListReader read)
    : task_(task),
      most_threads_(threads),
      state_(state),
      file_system_(file_system),
      mounted_(task.mounted),
      of_records_(state.matcher().scope().lists.front().of_records),
      in_order_(!state.has_condition() || state.sink().follows_directories()),
      most_lines_(lines_of_batch(state)),
      lines_(state, file_system, std::move(read)),
      lines_of_(state.matcher().scope().lists.size()),
      missing_(state.matcher().scope().lists.size()) {
  emitted_.consult();
}

void ListSearch::run() {
  // Lines may come slowly.
  state_.mark_long_running();
  begin_trash();
  work();
  threads_.join();
  while (!open_.empty()) leave_last();
  const std::scoped_lock lock(reading_, mutex_);
  statistics_.issues += lines_.issues();
  if (!state_.stopped()) say_what_is_missing();
  say_what_is_unknown();
}

/// Says what is wrong with the Trashes, before the first entry of them.
void ListSearch::begin_trash() {
  const auto& trash = state_.matcher().scope().trash;
  if (trash == nullptr) return;
  for (const Issue& issue : trash->issues) state_.sink().report(issue);
  statistics_.issues += trash->issues.size();
  const auto is_orphan = [](const Trashed& entry) { return entry.is_orphan; };
  const auto& entries = trash->entries;
  const auto first = std::find_if(entries.begin(), entries.end(), is_orphan);
  const auto count = std::count_if(first, entries.end(), is_orphan);
  if (count == 0) return;
  state_.sink().notice(
      first->place,
      text::format("has no {}, so it is listed where it is now{}",
                   first->place.ends_with(".trashinfo") ? "file" : "usable .trashinfo",
                   count == 1 ? std::string() : text::format(" (and {} more)", count - 1)));
}

void ListSearch::work() {
  ListWorker worker(*this);
  worker.run();
  const std::lock_guard lock(mutex_);
  statistics_ += worker.statistics();
}

/// Takes the next lines that have been read, or waits for the first. Returns false at the end of
/// the last list.
bool ListSearch::take(Batch& batch) {
  const std::lock_guard lock(reading_);
  const bool is_sorted = state_.matcher().scope().trash != nullptr;
  if (!is_sorted && state_.sink().follows_directories() && batches_ == 0) sort();
  batch.text.clear();
  std::string_view line;
  std::size_t count = 0;
  for (; count < most_lines_ && lines_.next(count == 0, line); ++count) {
    batch.text.append(line) += '\0';
  }
  if (count == 0) return false;
  batch.number = batches_++;
  batch.list = lines_.list();
  batch.number_of_first = lines_.number() - std::min<std::uint64_t>(lines_.number(), count - 1);
  if (!of_records_ || !lines_.is_sorted()) lines_of_[batch.list] += count;  // else by sort()
  // There are lines for another worker.
  if (lines_.has_more()) {
    threads_.start_up_to(most_threads_, [this] { work(); });
  }
  return true;
}

/// Records are sorted by root and path.
void ListSearch::sort() {
  RecordReader reader;
  Batch batch;
  std::uint64_t sorted = 0;
  const Needs wanted = state_.matcher().needs() | state_.sink_needs();
  lines_.sort([&](std::string_view line, std::string& key) {
    if (!of_records_) {
      if (!line.empty()) append_normal(key, line);
      return !line.empty();
    }
    batch.list = lines_.list();
    batch.number_of_first = lines_.number();
    ++lines_of_[batch.list];
    const RecordReader::Line kind = reader.read(line);
    if (kind == RecordReader::Line::wrong) note_missing(batch, lines_.number(), line);
    if (kind != RecordReader::Line::record) return false;
    append_record_key(key, root_of(reader.record()), reader.record().path, ++sorted);
    reader.append_kept(key, line, wanted);
    return true;
  });
}

const Trashed* ListSearch::trashed(std::uint64_t number) const {
  const auto& trash = state_.matcher().scope().trash;
  return trash != nullptr ? &trash->entries[number - 1] : nullptr;
}

void ListSearch::note_missing(const Batch& batch, std::uint64_t number, std::string_view path) {
  if (batch.number_of_first == 0) number = 0;
  const std::lock_guard lock(mutex_);
  Missing& missing = missing_[batch.list];
  if (missing.count++ > 0 &&
      std::pair(missing.number, std::string_view(missing.path)) <= std::pair(number, path)) {
    return;
  }
  missing.number = number;
  missing.path = path;
}

/// Returns the root with this path, which ends with a slash.
const Root& ListSearch::root_at(std::string_view path) {
  const std::lock_guard lock(mutex_);
  const auto found = roots_.find(path);
  if (found != roots_.end()) return *found->second;
  const bool absolute = path.starts_with('/');
  const Root& around = absolute ? task_.roots.back() : task_.roots.front();
  std::string normal;
  append_normal(normal, path);
  Root root;
  root.open_path = text::without_end_slashes(path);
  root.absolute = root.canonical = absolute ? normal : text::join_paths(around.absolute, normal);
  // With --absolute the task's root has an absolute one.
  root.printed = around.printed.size() > 1 ? text::with_slash(root.absolute) : std::string(path);
  return *roots_.emplace(path, &state_.correct(std::move(root))).first->second;
}

void ListSearch::note_unknown(const Batch& batch, std::uint64_t number, Needs unknown) {
  const std::lock_guard lock(mutex_);
  const std::pair line(batch.list, batch.number_of_first == 0 ? 0 : number);
  for (; unknown != needs::none; unknown &= unknown - 1) {
    const auto [noted, is_new] = unknown_.emplace(unknown & ~(unknown - 1), line);
    if (!is_new) noted->second = std::min(noted->second, line);
  }
}

/// One line for each field. Called at the end.
void ListSearch::say_what_is_unknown() {
  for (const auto& [need, line] : unknown_) {
    const std::string_view field = recorded_name(need);
    if (field.empty()) continue;
    const std::string where =
        line.second == 0 ? "" : text::format(" (line {} has none)", line.second);
    state_.sink().notice(
        lines_.name_of(line.first),
        text::format("'{}' is not in every record, and unknown there{}", field, where));
  }
}

/// One line for each list. Called at the end.
void ListSearch::say_what_is_missing() {
  for (std::size_t list = 0; list < missing_.size(); ++list) {
    const Missing& missing = missing_[list];
    if (missing.count == 0) continue;
    const bool one = missing.count == 1;
    const std::string_view what = of_records_ ? (one ? "is no record" : "are no records")
                                  : one       ? "names no file"
                                              : "name no file";
    const bool is_of_lines = state_.matcher().scope().lists[list].end == '\n';
    const std::string_view unit = is_of_lines ? "line" : "path";
    const std::string number =
        missing.number == 0 ? "" : text::format("{} {}: ", unit, missing.number);
    state_.sink().notice(lines_.name_of(list),
                         text::format("{} of {} {}{} {} ({}'{}')", missing.count, lines_of_[list],
                                      unit, lines_of_[list] == 1 ? "" : "s", what, number,
                                      text::whole_characters(missing.path, most_shown)));
  }
}

void ListSearch::leave_last() {
  state_.sink().leave(open_.back().token);
  open_.pop_back();
}

/// Returns false if there are no turns.
bool ListSearch::wait_for_turn(std::uint64_t number) {
  if (!in_order_) return false;
  std::unique_lock lock(turning_);
  turned_.wait(lock, [&] { return turn_ == number; });
  return true;
}

void ListSearch::end_turn() {
  {
    const std::lock_guard lock(turning_);
    ++turn_;
  }
  turned_.notify_all();
}

}  // namespace ffind::search
