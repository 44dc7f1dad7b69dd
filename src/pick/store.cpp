// SPDX-License-Identifier: MIT
// Names in one arena, directories in a hash table by their parents, metadata in columns; lanes;
// entries.
//
// Writers take a mutex: add_directory() for each new directory, publish() for each batch of up to
// 4,096 entries. Readers take none. The order of stores makes that correct:
//
//     writer    names, directory, records, columns  ─▶  size_.store(release)
//     reader    size_.load(acquire)                 ─▶  everything below that size
//
// A directory is complete before any entry that refers to it is published. Metadata may come later,
// from any thread: a value is stored first and then its bit in the state of the entry, with
// release; so a reader that sees the bit sees the value.
#include "pick/store.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "os/machine.h"
#include "output/messages.h"
#include "output/path_tree.h"

namespace ffind::pick {
namespace {

constexpr std::size_t most_entries = std::numeric_limits<EntryId>::max() - 1;
constexpr std::size_t first_slots = 256;

std::uint64_t hash_of(std::uint32_t origin, DirectoryId parent, std::string_view name) {
  const std::uint64_t directory = std::uint64_t{origin} << 32U | parent;
  const std::uint64_t whole = std::hash<std::string_view>()(name) + directory;
  return (whole ^ whole >> 29U) * std::uint64_t{0x9E3779B97F4A7C15};
}

/// Calls `visit` with the number of each column, the need that it is part of, and the member in it.
/// One row for each member of Metadata but the type, which is in the record; two for each time. A
/// need may have several columns.
template <typename Columns, typename Visit>
void for_each_column(Columns& metadata, Visit visit) {
  visit(0U, needs::length, metadata.size);
  visit(1U, needs::modified, metadata.modified.seconds);
  visit(2U, needs::allocated, metadata.allocated);
  visit(3U, needs::inode, metadata.inode);
  visit(4U, needs::device, metadata.device);
  visit(5U, needs::changed, metadata.changed.seconds);
  visit(6U, needs::accessed, metadata.accessed.seconds);
  visit(7U, needs::created, metadata.created.seconds);
  visit(8U, needs::added, metadata.added.seconds);
  visit(9U, needs::mode, metadata.mode);
  visit(10U, needs::uid, metadata.uid);
  visit(11U, needs::gid, metadata.gid);
  visit(12U, needs::links, metadata.links);
  visit(13U, needs::flags, metadata.flags);
  visit(14U, needs::flags, metadata.known_flags);
  visit(15U, needs::hidden, metadata.hidden);
  visit(16U, needs::private_size, metadata.private_size);
  visit(17U, needs::modified, metadata.modified.nanoseconds);
  visit(18U, needs::changed, metadata.changed.nanoseconds);
  visit(19U, needs::accessed, metadata.accessed.nanoseconds);
  visit(20U, needs::created, metadata.created.nanoseconds);
  visit(21U, needs::added, metadata.added.nanoseconds);
}

constexpr Needs kept = needs::metadata & ~needs::type;
static_assert(kept >> 32U == 0, "present and failed bits share a word");

}  // namespace

EntryStore::EntryStore() : slots_(first_slots, no_directory) {
  names_.reserve(0);
}

/// A name is in one segment, so that a view of it is contiguous; the end of a segment may stay
/// unused. Called with the mutex. Costs up to the length of a name for each segment, of which there
/// are few since they double.
std::uint64_t EntryStore::add_name(std::string_view name) {
  std::uint64_t place = names_end_;
  if (place + name.size() > Segments<char, 16>::end_of(place)) {
    place = Segments<char, 16>::end_of(place);
  }
  names_.reserve(place);
  if (!name.empty()) std::memcpy(&names_[place], name.data(), name.size());
  names_end_ = place + name.size();
  // An empty name at the end must be in a segment, too.
  names_.reserve(names_end_);
  return place;
}

/// Compares addresses, one root after the other: a lane calls this when it comes to another root,
/// not for each entry. The store keeps a copy of the root.
std::uint32_t EntryStore::origin_of(const Root& root) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(roots_.begin(), roots_.end(),
                                  [&root](const auto& known) { return known.first == &root; });
  const auto number = static_cast<std::uint32_t>(found - roots_.begin());
  if (found != roots_.end()) return number;
  origins_.reserve(number);
  origins_[number] = &roots_.emplace_back(&root, root).second;
  return number;
}

std::size_t EntryStore::slot_of(std::uint32_t origin, DirectoryId parent,
                                std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(origin, parent, name) >> 20U & mask;
  for (; slots_[slot] != no_directory; slot = (slot + 1) & mask) {
    const Directory& directory = directories_[slots_[slot]];
    if (directory.parent == parent && directory.origin == origin && name_of(directory) == name) {
      break;
    }
  }
  return slot;
}

void EntryStore::grow_slots() {
  slots_.assign(slots_.size() * 2, no_directory);
  const std::size_t count = directory_count_.load(std::memory_order_relaxed);
  for (DirectoryId id = 0; id < count; ++id) {
    const Directory& directory = directories_[id];
    slots_[slot_of(directory.origin, directory.parent, name_of(directory))] = id;
  }
}

DirectoryId EntryStore::add_directory(std::uint32_t origin, DirectoryId parent,
                                      std::string_view name, std::uint32_t depth) {
  const std::lock_guard lock(mutex_);
  std::size_t slot = slot_of(origin, parent, name);
  if (slots_[slot] != no_directory) return slots_[slot];
  const std::size_t count = directory_count_.load(std::memory_order_relaxed);
  if ((count + 1) * 4 > slots_.size() * 3) {
    grow_slots();
    slot = slot_of(origin, parent, name);
  }
  const auto id = static_cast<DirectoryId>(count);
  directories_.reserve(id);
  directories_[id] = {add_name(name), parent, depth, origin,
                      static_cast<std::uint16_t>(name.size())};
  slots_[slot] = id;
  directory_count_.store(count + 1, std::memory_order_release);
  return id;
}

DirectoryId EntryStore::find_directory(DirectoryId parent, std::string_view name) const {
  const std::uint32_t origin = directory(parent).origin;
  const std::lock_guard lock(mutex_);
  return slots_[slot_of(origin, parent, name)];
}

void EntryStore::take_out(EntryId id) {
  const DirectoryId directory = find_directory(directory_of(id), name(id));
  const std::lock_guard lock(out_mutex_);
  out_.insert(id);
  if (directory != no_directory) out_directories_.insert(directory);
  taken_out_.fetch_add(1, std::memory_order_release);
}

bool EntryStore::is_taken_out(EntryId id) const {
  if (taken_out() == 0) return false;
  const std::lock_guard lock(out_mutex_);
  DirectoryId at = directory_of(id);
  while (at != no_directory && !out_directories_.contains(at)) at = directory(at).parent;
  return at != no_directory || out_.contains(id);
}

/// Entries get consecutive numbers, so those of a lane stay together. `grown` is called without the
/// mutex, since it takes that of the narrower.
bool EntryStore::publish(Gathered& gathered) {
  std::size_t first = 0;
  std::size_t count = 0;
  std::shared_ptr<const std::function<void()>> grown;
  {
    const std::lock_guard lock(mutex_);
    first = size_.load(std::memory_order_relaxed);
    count = std::min(gathered.items.size(), most_entries - first);
    const char* name = gathered.names.data();
    for (std::size_t i = 0; i < count; ++i) {
      const Gathered::Item& item = gathered.items[i];
      const std::uint64_t place = add_name({name, item.name_size});
      name += item.name_size;
      const auto type_and_mark = static_cast<std::uint8_t>(
          static_cast<unsigned>(item.mark) << mark_shift | static_cast<unsigned>(item.type));
      records_.reserve(first + i);
      records_[first + i] = {item.directory, static_cast<std::uint32_t>(place), item.name_size,
                             static_cast<std::uint8_t>(place >> 32U), type_and_mark};
    }
    // Before size_ is raised: entries that the matcher has statted have their metadata from the
    // start.
    for (const Gathered::Known& known : gathered.known) {
      if (known.item >= count) break;
      remember(static_cast<EntryId>(first + known.item), known.present, needs::none,
               known.metadata);
    }
    size_.store(first + count, std::memory_order_release);
    grown = grown_;
  }
  // False once 2^32 - 2 entries are stored: the lane returns false and the search stops.
  const bool all = count == gathered.items.size();
  gathered.names.clear();
  gathered.items.clear();
  gathered.known.clear();
  if (grown && count > 0) (*grown)();
  return all;
}

void EntryStore::when_it_grows(std::function<void()> grown) {
  auto shared = grown ? std::make_shared<const std::function<void()>>(std::move(grown)) : nullptr;
  const std::lock_guard lock(mutex_);
  grown_ = std::move(shared);
}

std::string EntryStore::path(EntryId id) const {
  std::string path = directory_end(directory_of(id), std::numeric_limits<std::size_t>::max());
  path += name(id);
  // As append_path() does (record_fields.h).
  if (path.starts_with('-')) path.insert(0, "./");
  return path;
}

std::string EntryStore::directory_end(DirectoryId id, std::size_t most) const {
  const Directory& in = directory(id);
  std::vector<std::string_view> names;  // the last comes first
  std::size_t size = 0;
  const Directory* at = &in;
  for (; at->parent != no_directory && size < most; at = &directory(at->parent)) {
    names.push_back(name_of(*at));
    size += names.back().size() + 1;
  }
  std::string path;
  if (at->parent == no_directory) {
    path = root_of(in).printed;
    if (path.empty() ? !names.empty() && names.back().starts_with('-') : path.front() == '-') {
      path.insert(0, "./");
    }
  }
  for (auto name = names.rbegin(); name != names.rend(); ++name) path.append(*name) += '/';
  return path;
}

Needs EntryStore::known(EntryId id, Needs wanted, Metadata& metadata, Needs& failed) const {
  const std::atomic<std::uint64_t>* const state = states_.look(id);
  const std::uint64_t both = state == nullptr ? 0 : state->load(std::memory_order_acquire);
  const Needs present = both & kept & wanted;
  failed = both >> 32U & wanted & ~present;
  if (present == needs::none) return present;
  for_each_column(metadata, [&]<typename Value>(unsigned column, Needs need, Value& member) {
    if ((present & need) == 0) return;
    member = static_cast<Value>(columns_[column][id].load(std::memory_order_relaxed));
  });
  return present;
}

void EntryStore::remember(EntryId id, Needs present, Needs failed, const Metadata& metadata) {
  present &= kept;
  failed &= kept & ~present;
  if ((present | failed) == needs::none) return;
  // The segment is made for the first value in it; most entries of a search have none.
  const auto slot = [&](Column& column) -> std::atomic<std::uint64_t>& {
    if (std::atomic<std::uint64_t>* const found = column.look(id)) return *found;
    const std::lock_guard lock(columns_mutex_);
    column.reserve(id);
    return column[id];
  };
  for_each_column(metadata, [&](unsigned column, Needs need, auto member) {
    if ((present & need) == 0) return;
    slot(columns_[column]).store(static_cast<std::uint64_t>(member), std::memory_order_relaxed);
  });
  slot(states_).fetch_or(failed << 32U | present, std::memory_order_release);
}

namespace {

/// Entries that are published together: taking the lock for each would cost as much as storing it.
constexpr std::size_t batch = 4096;
/// Up to this number each block is published at once, to fill the first screen.
constexpr std::size_t first_entries = 1000;
/// Later entries are held back no longer than this.
constexpr Nanoseconds longest_delay = 20'000'000;

BundleMark mark_of(const Entry& entry) {
  if ((entry.present & needs::bundle) == 0) return BundleMark::unknown;
  return entry.bundle ? BundleMark::yes : BundleMark::no;
}

/// Gathers entries with the numbers of their directories, and publishes them together.
class PickLane final : public Lane {
 public:
  PickLane(const PickSink& sink, std::shared_ptr<EntryStore> store)
      : sink_(sink), store_(std::move(store)) {}

  bool emit(Entry& entry) override {
    if (sink_.stopped() || full_) return false;
    entry.require(needs::directory | needs::type);
    if (!is_here(entry)) turn_to(entry);
    if (gathered_.empty()) since_ = os::monotonic_coarse_now();
    if (const Needs known = entry.present & kept; known != 0) {
      gathered_.known.push_back({gathered_.items.size(), known, entry.metadata});
    }
    gathered_.names += entry.name;
    gathered_.items.push_back(
        {directory_, static_cast<std::uint16_t>(entry.name.size()), entry.type, mark_of(entry)});
    if (gathered_.items.size() >= batch) flush();
    return !full_;
  }

  void flush_if_due() override {
    if (gathered_.empty()) return;
    if (store_->size() < first_entries || os::monotonic_coarse_now() - since_ > longest_delay) {
      flush();
    }
  }

  void flush() override {
    if (!gathered_.empty()) full_ = !store_->publish(gathered_);
  }

 private:
  /// A name of the path: where it ends in path_, and its directory.
  struct Level {
    std::size_t end;
    DirectoryId directory;
  };

  /// Compares the directory of the entry with that of the one before: the same for nearly all
  /// entries. The depth is compared too, as a file that is a root may have the path of another
  /// root's directory.
  bool is_here(const Entry& entry) const {
    if (directory_ == no_directory || entry.depth != depth_) return false;
    if (!dotted_) return entry.directory == path_;
    return entry.directory.starts_with("./") && entry.directory.substr(2) == path_;
  }

  /// The common beginning with the last path is only compared: in a chain of 20,000 directories,
  /// looking up each name of each path would take longer than everything else.
  void turn_to(Entry& entry) {
    entry.require(needs::origin);
    const Root& root = *entry.found_from;
    std::string_view path = entry.directory;
    depth_ = entry.depth;
    // The search puts "./" before a path that would begin with "-".
    dotted_ = path.starts_with("./-") && !root.printed.starts_with("./");
    if (dotted_) path.remove_prefix(2);
    const std::size_t common = root_ == &root ? output::common_beginning(path_, path) : 0;
    if (root_ != &root) {
      root_ = &root;
      origin_ = store_->origin_of(root);
      levels_.clear();
    }
    const auto is_shared = [&](const Level& level) { return level.end <= common; };
    while (!levels_.empty() && !is_shared(levels_.back())) levels_.pop_back();
    // Depth of the entries directly in the root; a root that is a file is at its own depth.
    const std::uint32_t first_depth = root.is_file ? root.depth : root.depth + 1;
    if (levels_.empty()) {
      levels_.push_back(
          {root.printed.size(), store_->add_directory(origin_, no_directory, {}, first_depth)});
    }
    for (std::size_t from = levels_.back().end; from < path.size();) {
      const std::size_t slash = path.find('/', from);
      const auto depth = first_depth + static_cast<std::uint32_t>(levels_.size());
      const DirectoryId next = store_->add_directory(origin_, levels_.back().directory,
                                                     path.substr(from, slash - from), depth);
      from = slash + 1;
      levels_.push_back({from, next});
    }
    directory_ = levels_.back().directory;
    path_.resize(std::min(path_.size(), common));
    path_ += path.substr(path_.size());
  }

  const PickSink& sink_;
  const std::shared_ptr<EntryStore> store_;
  EntryStore::Gathered gathered_;
  Nanoseconds since_ = 0;  ///< time of the first gathered entry
  bool full_ = false;

  const Root* root_ = nullptr;
  std::uint32_t origin_ = 0;
  std::uint32_t depth_ = 0;
  DirectoryId directory_ = no_directory;
  std::string path_;     ///< of the directory, as printed
  bool dotted_ = false;  ///< with "./" before it
  std::vector<Level> levels_;
};

}  // namespace

std::unique_ptr<Lane> PickSink::open_lane() {
  return std::make_unique<PickLane>(*this, store_);
}

void PickSink::report(const Issue& issue) {
  issue_count_.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  if (issues_.size() < most_issues) issues_.push_back(issue);
}

void PickSink::notice(const std::string& path, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (notices_.size() < most_issues) notices_.push_back({path, text});
}

std::string PickSink::reason() const {
  const std::lock_guard lock(mutex_);
  if (!notices_.empty()) return notices_.front().second;
  if (issues_.empty() || store_->size() > 0) return {};
  return issues_.front().path + ": " + output::reason_of(issues_.front());
}

void PickSink::pass_on(Sink& to) {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, text] : notices_) to.notice(path, text);
  for (const Issue& issue : issues_) to.report(issue);
}

namespace {

constexpr Needs paths = needs::directory | needs::relative_path | needs::absolute_path;
/// Metadata that is fetched with any other, since it costs no more: lists are sorted by it.
constexpr Needs fetched_along = needs::length | needs::modified;
/// Room after the directory, enough for most names.
constexpr std::size_t room = 1024;

}  // namespace

StoreCursor::StoreCursor(EntryStore& store, Needs at_once, LateLoader* loader)
    : store_(store), at_once_(at_once), late_(loader), text_("./") {
  entry_.loader = this;
}

/// Makes the entry as cheaply as its matcher allows: name and type are the store's, the directory a
/// view of text_, and everything else is put together or loaded when it is required.
Entry& StoreCursor::read(EntryId id) {
  const DirectoryId directory = store_.directory_of(id);
  if (directory != directory_) turn_to(directory);
  id_ = id;
  entry_.name = store_.name(id);
  entry_.type = store_.type(id);
  entry_.present = needs::directory | needs::depth;
  if (entry_.type != FileType::unknown) entry_.present |= needs::type;
  const BundleMark mark = store_.bundle_mark(id);
  entry_.bundle = mark == BundleMark::yes;
  if (mark != BundleMark::unknown) entry_.present |= needs::bundle;
  entry_.failed = needs::none;
  if ((at_once_ & (needs::relative_path | needs::absolute_path)) != 0) spell_name();
  if ((at_once_ & needs::absolute_path) != 0) spell_absolute();
  if ((at_once_ & kept) != 0) fill_known(entry_, at_once_ & kept);
  return entry_;
}

/// Puts the path of a directory together. Names that it shares with the last one stay.
void StoreCursor::turn_to(DirectoryId id) {
  const auto is_known = [this](DirectoryId directory, std::size_t level) {
    return level < levels_.size() && levels_[level].directory == directory;
  };
  const EntryStore::Directory& last = store_.directory(id);
  const Root& root = store_.root_of(last);
  way_.clear();
  const std::uint32_t first_depth = root.is_file ? root.depth : root.depth + 1;
  DirectoryId at = id;
  std::size_t level = last.depth - first_depth;
  // Up from `id`, collecting the way, until a directory is in levels_ at its own place.
  while (!is_known(at, level)) {
    way_.push_back(at);
    at = store_.directory(at).parent;
    if (at == no_directory) break;
    --level;
  }
  levels_.resize(at == no_directory ? 0 : level + 1);
  if (levels_.empty()) {
    root_ = &root;
    text_.resize(2);
    text_ += root.printed;
    below_root_ = text_.size();
    below_start_ = below_root_ - (root.below.empty() ? 0 : root.below.size() + 1);
    levels_.push_back({way_.back(), text_.size()});
    way_.pop_back();
  } else {
    text_.resize(levels_.back().end);
  }
  for (auto next = way_.rbegin(); next != way_.rend(); ++next) {
    text_.append(store_.name_of(store_.directory(*next))) += '/';
    levels_.push_back({*next, text_.size()});
  }
  directory_ = id;
  length_ = text_.size();
  // As append_path() does: "./" before a path that begins with "-".
  begin_ = length_ > 2 && text_[2] == '-' ? 0 : 2;
  // Names are written into the room, so that no entry allocates.
  text_.resize(length_ + room);
  absolute_length_ = 0;
  late_turned_ = false;
  entry_.depth = last.depth;
  entry_.directory = std::string_view(text_).substr(begin_, length_ - begin_);
}

/// Writes the name after the directory in text_, for paths that end with it.
void StoreCursor::spell_name() {
  const std::string_view name = entry_.name;
  if (length_ + name.size() > text_.size()) {
    text_.resize(length_ + name.size() + room);
    // The text may have moved.
    entry_.directory = std::string_view(text_).substr(begin_, length_ - begin_);
  }
  std::memcpy(text_.data() + length_, name.data(), name.size());
  entry_.relative_path = {text_.data() + below_start_, length_ + name.size() - below_start_};
  entry_.present |= needs::relative_path;
}

/// The directory part is made once for each directory, and only if a path is absolute.
void StoreCursor::spell_absolute() {
  entry_.present |= needs::absolute_path;
  if (root_->is_file) {
    entry_.absolute_path = root_->absolute;
    return;
  }
  if (absolute_length_ == 0) {
    absolute_ = root_->absolute;
    if (absolute_.empty() || absolute_.back() != '/') absolute_ += '/';
    absolute_.append(text_, below_root_, length_ - below_root_);
    absolute_length_ = absolute_.size();
  }
  absolute_.resize(absolute_length_);
  absolute_ += entry_.name;
  entry_.absolute_path = absolute_;
}

void StoreCursor::fill_known(Entry& entry, Needs wanted) const {
  Needs failed = needs::none;
  entry.present |= store_.known(id_, wanted, entry.metadata, failed);
  entry.failed |= failed;
}

/// Returns the loader, turned to the directory of the entry; null if there is none. It is turned
/// for the first entry of a directory that is loaded, not for each that is read: a loader leaves
/// the directory that it was in, and opens the volume of a root that it has not been to.
LateLoader* StoreCursor::late() {
  if (late_ != nullptr && !late_turned_) {
    std::string_view below(text_);
    below = below.substr(below_root_, length_ - below_root_);
    if (!below.empty()) below.remove_suffix(1);
    late_->turn_to(*root_, below);
    late_turned_ = true;
  }
  return late_;
}

/// Calls the late loader; without one `wanted` has failed.
template <typename Call>
auto StoreCursor::ask_late(Entry& entry, Needs wanted, Call call) {
  LateLoader* const loader = late();
  if (loader != nullptr) return call(*loader);
  entry.failed |= wanted;
  return decltype(call(*loader))();
}

/// Loads in the order of cost: paths, then metadata in the store, then by a call that may block.
/// Results of the call are remembered for later queries, failures too.
void StoreCursor::load(Entry& entry, Needs wanted) {
  if ((wanted & needs::relative_path) != 0) spell_name();
  if ((wanted & needs::absolute_path) != 0) spell_absolute();
  entry.present |= wanted & (needs::directory | needs::depth);
  wanted &= ~(paths | needs::depth);
  if ((wanted & kept) != 0) {
    fill_known(entry, wanted & kept);
    wanted &= ~(entry.present | entry.failed);
  }
  if (wanted == needs::none) return;
  ask_late(entry, wanted, [&](LateLoader& from) {
    if ((wanted & kept) != 0) wanted |= fetched_along & ~(entry.present | entry.failed);
    from.load(entry, wanted);
    // Metadata that was only fetched along and failed was not wanted.
    store_.remember(id_, entry.present & wanted, entry.failed & wanted, entry.metadata);
  });
}

bool StoreCursor::read_contents(Entry& entry, ContentSink& sink) {
  return ask_late(entry, needs::contents,
                  [&](LateLoader& from) { return from.read_contents(entry, sink); });
}

bool StoreCursor::attribute(Entry& entry, std::string_view name, AttributeValue* value) {
  return ask_late(entry, needs::attributes,
                  [&](LateLoader& from) { return from.attribute(entry, name, value); });
}

std::optional<bool> StoreCursor::holds_name(Entry& entry, std::string_view name) {
  return ask_late(entry, needs::children,
                  [&](LateLoader& from) { return from.holds_name(entry, name); });
}

void StoreCursor::report_unknown(Entry& entry, Unknown what) {
  if (LateLoader* const loader = late()) loader->report_unknown(entry, what);
}

}  // namespace ffind::pick
