// SPDX-License-Identifier: MIT
// What is fetched for an entry when a test or a lane asks: metadata by one stat, links, emptiness.
// See entry_worker.h.
#include "search/entry_worker.h"

#include <utility>

#include "search/sidecars.h"

namespace ffind {

bool is_gone(int error) {
  return os::leads_nowhere(error);
}

EntryWorker::EntryWorker(SearchState& state, os::FileSystem& file_system, const Volume& volume)
    : state_(state),
      scope_(state.matcher().scope()),
      asks_for_bundles_((state.matcher().needs() & needs::bundle) != 0),
      file_system_(file_system),
      lane_(state.sink().open_lane()),
      mount_point_(volume.mount_point) {
  statistics_.threads = 1;
}

EntryWorker::~EntryWorker() = default;

void EntryWorker::add_counts(SearchProgress& sum) const {
  sum.directories += told_.directories.load(std::memory_order_relaxed);
  sum.entries += told_.entries.load(std::memory_order_relaxed);
  sum.matches += told_.matches.load(std::memory_order_relaxed);
}

void EntryWorker::emit(Entry& entry) {
  if (!state_.take_ticket()) return;
  ++statistics_.matches;
  ++unwritten_;
  if (!lane_->emit(entry)) state_.stop();
}

void EntryWorker::flush() {
  tell_counts();
  lane_->flush();
  state_.records_written(unwritten_);
  unwritten_ = 0;
}

void EntryWorker::report(std::string path, const char* operation, int error, std::string detail) {
  ++statistics_.issues;
  state_.sink().report({std::move(path), operation, error, std::move(detail)});
}

void EntryWorker::report_entry(Entry& entry, const char* operation, int error) {
  entry.require(needs::directory);
  report(std::string(entry.directory).append(entry.name), operation, error);
}

void EntryWorker::fail(Entry& entry, const char* operation, int error) {
  if (error == EDEADLK) {
    ++statistics_.not_local;
  } else if (is_gone(error)) {
    ++statistics_.vanished;
  } else {
    report_entry(entry, operation, error);
  }
}

/// Where the directory that holds it cannot be opened, that is said unless it has been.
bool EntryWorker::can_reach(Entry& entry, const Place& place, const char* operation) {
  if (place.error != 0 && !place.reported) fail(entry, operation, place.error);
  return place.error == 0;
}

void EntryWorker::accounts_failed(Entry& entry) {
  if (!state_.first_failure_of_accounts()) return;
  entry.require(needs::directory);
  report(std::string(entry.directory).append(entry.name), "look up its account", 0,
         "the system's accounts do not answer (said once)");
}

int EntryWorker::open_with_room(const os::Directory* at, const char* path, os::OpenFlags flags,
                                os::Directory& opened) {
  return with_room([&] { return file_system_.open(at, path, flags, opened); });
}

os::OpenFlags EntryWorker::link_flags() const {
  // It may lie anywhere; where crossing was asked for, no task of its own has it.
  return {
      .follow = true, .stay_on_volume = !scope_.cross_volumes, .stay_off_network = !scope_.network};
}

int EntryWorker::open_below(const Root& root, const std::string& below, os::OpenFlags flags,
                            os::Directory& opened, const os::FileId& known) {
  os::Directory step;
  int error = open_with_room(nullptr, root.open_path.c_str(),
                             {.follow = true, .stay_on_volume = false}, step);
  if (known != os::FileId{}) {
    os::FileId found;
    if (error == 0 && file_system_.identify(step, found) == 0 && found != known) {
      file_system_.close(step);
      return root_exchanged;
    }
    if (is_gone(error)) return root_exchanged;
  }
  for (std::size_t from = 0; error == 0 && from < below.size();) {
    std::size_t to = below.size();
    if (to - from > longest_path) to = below.rfind('/', from + longest_path);
    os::Directory next;
    error = open_with_room(&step, below.substr(from, to - from).c_str(), flags, next);
    file_system_.close(step);
    step = next;
    from = to + 1;
  }
  if (error == 0) opened = step;
  return error;
}

void EntryWorker::load(Entry& entry, Needs wanted) {
  constexpr Needs paths = needs::directory | needs::relative_path | needs::absolute_path;
  if ((wanted & paths) != 0) load_paths(entry, wanted);
  if ((wanted & needs::origin) != 0) load_origin(entry);
  constexpr Needs links = needs::target | needs::target_mode;
  constexpr Needs asked =
      needs::metadata | needs::empty | links | needs::capabilities | needs::bundle | needs::finder;
  if ((wanted & asked & needs::metadata) != 0) wanted &= ~load_at_hand(entry, wanted);
  if ((wanted & asked) == 0) return;
  // The place is asked for by who needs it: getting at it may take opening a directory.
  if ((wanted & needs::metadata) != 0) load_metadata(entry, wanted & needs::metadata);
  if ((wanted & needs::empty) != 0) load_empty(entry);
  if ((wanted & links) != 0) load_link(entry, wanted);
  if ((wanted & needs::capabilities) != 0) load_capabilities(entry);
  if ((wanted & needs::bundle) != 0) load_bundle(entry);
  if ((wanted & needs::finder) != 0) load_finder(entry);
}

namespace {

void take_over(Needs which, const Metadata& from, Metadata& into) {
  const auto take = [&](Needs need, auto... members) {
    if ((which & need) != 0) ((into.*members = from.*members), ...);
  };
  take(needs::mode, &Metadata::mode);
  take(needs::owner, &Metadata::uid, &Metadata::gid);
  take(needs::links, &Metadata::links);
  take(needs::identity, &Metadata::inode, &Metadata::device);
  take(needs::size, &Metadata::size, &Metadata::allocated);
  take(needs::modified, &Metadata::modified);
  take(needs::changed, &Metadata::changed);
  take(needs::accessed, &Metadata::accessed);
  take(needs::created, &Metadata::created);
  take(needs::added, &Metadata::added);
  take(needs::flags, &Metadata::flags);
}

}  // namespace

/// Returns what of `wanted` was at hand.
Needs EntryWorker::load_at_hand(Entry& entry, Needs wanted) {
  Metadata found{};
  const Needs got = metadata_at_hand(entry, wanted & needs::metadata, found);
  if ((got & needs::type) != 0 && entry.type == FileType::unknown) {
    entry.type = os::type_of_mode(found.mode);
  }
  // Beside what the kernel may have told before, which is newer.
  take_over(got & ~entry.present, found, entry.metadata);
  entry.present |= got;
  return got;
}

void EntryWorker::load_metadata(Entry& entry, Needs wanted) {
  const Place place = place_of(entry);
  const Boundary* const boundary = boundary_at(entry);
  const bool may_wait = boundary == nullptr || boundary->kind == VolumeKind::local;
  os::FileSystem::StatFlags flags{.follow = place.followed || place.is_root,
                                  .at_hand_only = !may_wait};
  Metadata fresh{};
  const auto ask = [&](Needs& got) {
    return file_system_.stat(place.at, place.name, flags, wanted, fresh, got);
  };
  Needs got = needs::none;
  if (!place.reported) ++statistics_.stats;
  int error = place.error != 0 ? place.error : ask(got);
  if (is_gone(error) && place.is_root) {
    flags.follow = false;  // a root that is a link and leads nowhere
    error = ask(got);
  }
  if (error != 0) {
    // Not asked again: the answer would be the same, and counted twice. What is at hand another
    // test may still ask for, and gets whether it comes first or last.
    load_at_hand(entry, needs::metadata & ~entry.present);
    entry.failed |= needs::metadata & ~entry.present;
    if (place.reported) return;
    if (error == ENOENT) {
      ++statistics_.vanished;
    } else {
      report_entry(entry, "read metadata", error);
    }
    return;
  }
  if (entry.type == FileType::unknown) entry.type = os::type_of_mode(fresh.mode);
  // What was at hand before stays where this says nothing of it.
  take_over(got, fresh, entry.metadata);
  entry.present |= got;
  entry.failed |= wanted & ~got;
}

void EntryWorker::load_origin(Entry& entry) {
  const Root& root = current_root();
  if (origin_ != &root) {
    origin_ = &root;
    origin_name_ = root.open_path;
    // A volume mounted below the root that was typed: its path ends with where.
    if (!root.below.empty()) {
      origin_name_ = root.printed.substr(0, root.printed.size() - root.below.size() - 1);
      if (origin_name_.size() > 1) origin_name_.pop_back();
      if (origin_name_.empty()) origin_name_ = ".";
    }
  }
  entry.root = origin_name_;
  entry.volume = mount_point_;
  entry.present |= needs::origin;
}

void EntryWorker::load_empty(Entry& entry) {
  const auto settle = [&](std::optional<bool> empty) {
    if (empty) entry.empty = *empty;
    (empty ? entry.present : entry.failed) |= needs::empty;
  };
  if (!entry.require(needs::type)) return settle({});
  if (entry.type == FileType::file) {
    if (!entry.require(needs::size)) return settle({});
    return settle(entry.metadata.size == 0);
  }
  if (entry.type != FileType::directory) return settle(false);
  // Never empty, so that `not empty` lists it: what is mounted there is not ours to look at.
  const Boundary* const boundary = boundary_at(entry);
  if (boundary != nullptr && boundary->mount_point) return settle(false);
  std::optional<bool> empty = empty_at_hand();
  settle(empty ? empty : look_into(entry));
}

/// Whether the directory has no entries; nothing where it cannot be read.
std::optional<bool> EntryWorker::look_into(Entry& entry) {
  const Place place = place_of(entry);
  if (!can_reach(entry, place, "")) return {};
  os::Directory directory;
  const os::OpenFlags flags = place.followed ? link_flags() : os::OpenFlags{};
  int error = open_with_room(place.at, place.name, flags, directory);
  if (error == EXDEV) {
    // Mounted since the plan was made; or not ours to look at, and who knows what is there.
    return place.followed ? std::nullopt : std::optional<bool>(false);
  }
  bool empty = true;
  if (error == 0) {
    error = read_first(directory, empty);
    file_system_.close(directory);
  }
  if (error == 0) return empty;
  report_closed(entry, error);
  return {};
}

/// Reads until there is an entry, or the end.
int EntryWorker::read_first(os::Directory& directory, bool& empty) {
  os::DirentBlock& block = spare_block();
  os::Dirent dirent;
  int error = 0;
  do {
    error = file_system_.read(directory, block);
    empty = !block.next(dirent);
  } while (error == 0 && empty && !block.empty() && !directory.at_end);
  return error;
}

os::DirentBlock& EntryWorker::spare_block() {
  if (!spare_block_) spare_block_ = std::make_unique<os::DirentBlock>();
  return *spare_block_;
}

void EntryWorker::load_link(Entry& entry, Needs wanted) {
  // Nothing else need be got at to know that it leads nowhere.
  const Place place = entry.type == FileType::symlink ? place_of(entry) : Place{};
  if (entry.type != FileType::symlink || !can_reach(entry, place, "read link")) {
    entry.failed |= wanted & (needs::target | needs::target_mode);
    return;
  }
  if ((wanted & needs::target) != 0) {
    (read_target(entry, place) ? entry.present : entry.failed) |= needs::target;
  }
  if ((wanted & needs::target_mode) != 0) {
    (read_target_mode(entry, place) ? entry.present : entry.failed) |= needs::target_mode;
  }
}

bool EntryWorker::read_target(Entry& entry, const Place& place) {
  const int error = file_system_.read_link(place.at, place.name, target_);
  if (error != 0) target_.clear();
  entry.target = target_;
  // EINVAL: there is something else in its place by now.
  if (error != 0) fail(entry, "read link", error == EINVAL ? ENOENT : error);
  return error == 0;
}

bool EntryWorker::read_target_mode(Entry& entry, const Place& place) {
  Metadata metadata{};
  Needs got = needs::none;
  ++statistics_.stats;
  const int error =
      file_system_.stat(place.at, place.name, {.follow = true}, needs::mode, metadata, got);
  entry.target_mode = metadata.mode;
  // To whoever asks, a link into a closed directory leads nowhere.
  const bool nowhere = is_gone(error) || error == EACCES || error == ENAMETOOLONG;
  if (error != 0 && !nowhere) report_entry(entry, "follow link", error);
  return error == 0;
}

}  // namespace ffind
