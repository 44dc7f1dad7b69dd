// SPDX-License-Identifier: MIT
// load() loads the requested bits in the order of their cost: what the searcher knows without a
// call first, then one stat for all metadata, then emptiness, links, access and attributes. A bit
// ends in Entry::present or in Entry::failed, so no call is made twice.
#include "search/entry_access.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "text/sizes.h"

namespace ffind::search {
namespace {

/// Nine of ten files are read in one piece, which stays in a core's cache until it has been
/// searched.
constexpr std::size_t buffer_size = std::size_t{128} * 1024;

/// Copies the members named by `which` from `from` to `into`, the metadata of an entry that has
/// `present`.
void take_over(Needs which, const Metadata& from, Needs present, Metadata& into) {
  // Mostly there is nothing to keep: this makes a search by size 1 % faster.
  constexpr Needs stored = needs::metadata & ~needs::type;
  if ((present & stored) == 0) {
    into = from;
    return;
  }
  const auto take = [&](Needs need, auto... members) {
    if ((which & need) != 0) ((into.*members = from.*members), ...);
  };
  take(needs::mode, &Metadata::mode, &Metadata::special_major, &Metadata::special_minor);
  take(needs::owner, &Metadata::uid, &Metadata::gid);
  take(needs::links, &Metadata::links);
  take(needs::identity, &Metadata::inode, &Metadata::device);
  take(needs::size, &Metadata::size, &Metadata::allocated);
  take(needs::modified, &Metadata::modified);
  take(needs::changed, &Metadata::changed);
  take(needs::accessed, &Metadata::accessed);
  take(needs::created, &Metadata::created);
  take(needs::added, &Metadata::added);
  take(needs::private_size, &Metadata::private_size);
  take(needs::flags, &Metadata::flags, &Metadata::known_flags);
  take(needs::hidden, &Metadata::hidden);
}

}  // namespace

EntryAccess::EntryAccess(Reach& reach, EntryPosition& position, const Volume& volume)
    : reach_(reach),
      state_(reach.state),
      file_system_(reach.file_system()),
      position_(position),
      mount_point_(volume.mount_point),
      volume_type_(volume.file_system),
      device_(volume.device),
      lister_(reach.opener),
      attributes_(reach, lister_, position) {}

/// Loads what is known without the kernel; returns those bits of `wanted`.
Needs EntryAccess::load_at_hand(Entry& entry, Needs wanted) {
  Metadata found{};
  const Needs got = position_.metadata_at_hand(entry, wanted & needs::metadata, found);
  if (got == needs::none) return got;
  if ((got & needs::type) != 0 && entry.type == FileType::unknown) {
    entry.type = os::type_of_mode(found.mode);
  }
  // The kernel's values, if there are any, are newer and stay.
  take_over(got & ~entry.present, found, entry.present, entry.metadata);
  entry.present |= got;
  return got;
}

void EntryAccess::load_metadata(Entry& entry, Needs wanted) {
  const EntryPlace place = position_.place_of(entry);
  const Boundary* const boundary = position_.boundary_at(entry);
  const bool may_wait = boundary == nullptr || boundary->kind == VolumeKind::local;
  const bool is_followed_root = place.is_root && state_.matcher().scope().follow_roots;
  os::FileSystem::StatFlags flags{.follow = place.followed || is_followed_root,
                                  .at_hand_only = !may_wait};
  Metadata fresh{};
  const auto ask = [&](Needs& got) {
    return file_system_.stat(place.at, place.name, flags, wanted, fresh, got);
  };
  Needs got = needs::none;
  if (!place.reported) ++reach_.counts.stats;
  int error = place.error != 0 ? place.error : ask(got);
  if (is_gone(error) && place.is_root) {
    flags.follow = false;  // a root that is a dangling link
    error = ask(got);
  }
  if (error != 0) {
    // Not repeated: it would fail again, and be counted twice. Bits that are at hand are loaded,
    // since another test may need them, whether it comes first or last.
    load_at_hand(entry, needs::metadata & ~entry.present);
    entry.failed |= needs::metadata & ~entry.present;
    if (place.reported) return;
    const Scope& scope = state_.matcher().scope();
    if (error == ENOENT && (!scope.list_roots || (scope.ignores_vanished && !place.is_root))) {
      ++reach_.counts.vanished;  // find(1) reports it
    } else {
      reach_.issues.report_entry(entry, "read metadata", error);
    }
    return;
  }
  if (entry.type == FileType::unknown) entry.type = os::type_of_mode(fresh.mode);
  // Values that were at hand stay if this call did not return them.
  take_over(got, fresh, entry.present, entry.metadata);
  entry.present |= got;
  entry.failed |= wanted & ~got;
}

void EntryAccess::load(Entry& entry, Needs wanted) {
  constexpr Needs paths = needs::directory | needs::relative_path | needs::absolute_path;
  if ((wanted & paths) != 0) position_.load_paths(entry, wanted);
  if ((wanted & needs::origin) != 0) load_origin(entry);
  if ((wanted & needs::trashed) != 0) {
    entry.trashed = position_.trashed(entry);
    (entry.trashed != nullptr ? entry.present : entry.failed) |= needs::trashed;
  }
  constexpr Needs links = needs::target | needs::target_mode | needs::target_type;
  constexpr Needs access = needs::readable | needs::writable | needs::runnable;
  constexpr Needs kernel_needs = needs::metadata | needs::empty | links | access |
                                 needs::capabilities | needs::bundle | needs::finder | needs::acl;
  if ((wanted & kernel_needs & needs::metadata) != 0) wanted &= ~load_at_hand(entry, wanted);
  if ((wanted & kernel_needs) == 0) return;
  // The location is determined only if needed: it may take opening a directory.
  if ((wanted & needs::metadata) != 0) load_metadata(entry, wanted & needs::metadata);
  if ((wanted & needs::empty) != 0) load_empty(entry);
  if ((wanted & links) != 0) load_link(entry, wanted);
  if ((wanted & access) != 0) load_access(entry, wanted & access);
  if ((wanted & needs::capabilities) != 0) attributes_.load_capabilities(entry);
  if ((wanted & needs::bundle) != 0) attributes_.load_bundle(entry);
  if ((wanted & needs::finder) != 0) attributes_.load_finder(entry);
  if ((wanted & needs::acl) != 0) attributes_.load_acl(entry);
}

void EntryAccess::load_origin(Entry& entry) {
  const Root& root = position_.root();
  if (origin_ != &root) {
    origin_ = &root;
    origin_name_ = root.below.empty() ? root.open_path : std::string(named_root(root));
  }
  entry.found_from = &root;
  entry.root = origin_name_;
  entry.volume = mount_point_;
  const Boundary* const boundary = position_.boundary_at(entry);
  const bool mounted = boundary != nullptr && boundary->mount_point;
  entry.file_system = mounted ? std::string_view(boundary->file_system) : volume_type_;
  std::uint64_t device = device_;
  if (const Boundary* const volume = position_.volume_at(entry)) {
    entry.volume = volume->path;
    entry.file_system = volume->file_system;
    device = volume->device;
  }
  // find(1) looks st_dev up in the mount table, which has none of btrfs's: for -fstype, and for %F,
  // which has asked for the device. %H is of the root, and needs no stat.
  const Matcher& matcher = state_.matcher();
  const bool tells_type =
      (matcher.needs() & needs::origin) != 0 || (entry.present & needs::device) != 0;
  if (device != 0 && matcher.scope().parents_first && tells_type && entry.require(needs::device) &&
      entry.metadata.device != device) {
    entry.file_system = {};
  }
  entry.present |= needs::origin;
}

void EntryAccess::load_empty(Entry& entry) {
  const auto settle = [&](std::optional<bool> empty) {
    if (empty) entry.empty = *empty;
    (empty ? entry.present : entry.failed) |= needs::empty;
  };
  if (!entry.require(needs::type)) return settle({});
  if (entry.type == FileType::file) {
    if (!entry.require(needs::length)) return settle({});
    return settle(entry.metadata.size == 0);
  }
  if (entry.type != FileType::directory) return settle(false);
  // Never empty, so that `not empty` lists it: another volume is not read here.
  const Boundary* const boundary = position_.boundary_at(entry);
  const bool passes = state_.matcher().scope().mounts != Scope::Mounts::by_kind;
  if (boundary != nullptr && boundary->mount_point && !passes) return settle(false);
  std::optional<bool> empty = position_.empty_at_hand();
  settle(empty ? empty : look_into(entry));
}

/// Returns whether the directory is empty; nullopt if it cannot be read.
std::optional<bool> EntryAccess::look_into(Entry& entry) {
  const EntryPlace place = position_.place_of(entry);
  if (!reach_.issues.can_reach(entry, place, "")) return {};
  bool empty = true;
  os::OpenFlags flags = place.followed ? reach_.opener.link_flags() : os::OpenFlags{};
  if (place.is_root) flags.follow = true;
  const Scope& scope = state_.matcher().scope();
  if (scope.mounts != Scope::Mounts::by_kind || !scope.lists.empty()) flags.stay_on_volume = false;
  const int error =
      lister_.list(place.at, place.name, flags, [&](std::string_view) { return empty = false; });
  if (error == EXDEV) {
    // Mounted since the plan was made, so not empty; or the target of a link on a volume that must
    // not be read, so unknown.
    return place.followed ? std::nullopt : std::optional<bool>(false);
  }
  if (error == 0) return empty;
  entry.unreadable = error;
  return {};
}

int DirectoryLister::list(const os::Directory* at, const char* name, os::OpenFlags flags,
                          const std::function<bool(std::string_view name)>& take) {
  os::ListedDirectory listed;
  int error = opener_.open(at, name, flags, listed.directory);
  if (error != 0) return error;
  if (!block_) block_ = std::make_unique<os::DirentBlock>();
  if (!reader_) reader_ = opener_.file_system().make_reader(already_open_);
  for (bool more = true; more;) {
    error = reader_->read(listed, *block_);
    more = error == 0 && !block_->empty() && !listed.directory.at_end;
    os::Dirent dirent;
    while (error == 0 && block_->next(dirent)) {
      if (take(dirent.name)) continue;
      more = false;
      break;
    }
  }
  return error;
}

void EntryAccess::load_link(Entry& entry, Needs wanted) {
  // Only a link has a target: no call is needed for others.
  const EntryPlace place =
      entry.type == FileType::symlink ? position_.place_of(entry) : EntryPlace{};
  if (entry.type != FileType::symlink || !reach_.issues.can_reach(entry, place, "read link")) {
    entry.failed |= wanted & (needs::target | needs::target_mode | needs::target_type);
    return;
  }
  if ((wanted & needs::target) != 0) {
    (read_target(entry, place) ? entry.present : entry.failed) |= needs::target;
  }
  if ((wanted & needs::target_mode) != 0) {
    (read_target_mode(entry, place) ? entry.present : entry.failed) |= needs::target_mode;
  }
  if ((wanted & needs::target_type) != 0) {
    (read_target_type(entry, place) ? entry.present : entry.failed) |= needs::target_type;
  }
}

bool EntryAccess::read_target(Entry& entry, const EntryPlace& place) {
  const int error = file_system_.read_link(place.at, place.name, target_);
  if (error != 0) target_.clear();
  entry.target = target_;
  // EINVAL: it is no longer a link.
  if (error != 0) reach_.issues.fail(entry, "read link", error == EINVAL ? ENOENT : error);
  return error == 0;
}

/// Sets `mode` to that of the link's target.
int EntryAccess::stat_target(const EntryPlace& place, std::uint32_t& mode) {
  Metadata metadata{};
  Needs got = needs::none;
  ++reach_.counts.stats;
  const int error =
      file_system_.stat(place.at, place.name, {.follow = true}, needs::mode, metadata, got);
  mode = metadata.mode;
  return error;
}

bool EntryAccess::read_target_mode(Entry& entry, const EntryPlace& place) {
  const int error = stat_target(place, entry.target_mode);
  // For this process, a link into a closed directory is dangling.
  const bool nowhere = is_gone(error) || error == EACCES || error == ENAMETOOLONG;
  if (error != 0 && !nowhere) reach_.issues.report_entry(entry, "follow link", error);
  return error == 0;
}

bool EntryAccess::read_target_type(Entry& entry, const EntryPlace& place) {
  std::uint32_t mode = 0;
  const int error = stat_target(place, mode);
  entry.target_type = error == 0 ? os::type_of_mode(mode) : FileType::unknown;
  entry.loop = error == ELOOP;
  // A target longer than any path dangles, too.
  const bool known = error == 0 || is_gone(error) || error == ENAMETOOLONG;
  if (!known) reach_.issues.report_entry(entry, "follow link", error);
  return known;
}

/// A refusal is a result, not an error. A mounted network volume is not queried unless it is
/// searched, too, or by a line of find: its server may be down.
void EntryAccess::load_access(Entry& entry, Needs wanted) {
  struct Question {
    Needs need;
    os::FileSystem::Access access;
    bool Entry::*answer;
  };
  using Access = os::FileSystem::Access;
  constexpr Question questions[] = {{needs::readable, Access::read, &Entry::readable},
                                    {needs::writable, Access::write, &Entry::writable},
                                    {needs::runnable, Access::run, &Entry::runnable}};
  constexpr const char* operation = "check access";
  const Boundary* const boundary = position_.boundary_at(entry);
  const EntryPlace place = position_.place_of(entry);
  const bool is_avoided = boundary != nullptr && boundary->kind != VolumeKind::local &&
                          state_.matcher().scope().mounts == Scope::Mounts::by_kind &&
                          !may_read_across(*boundary);
  if (is_avoided || !reach_.issues.can_reach(entry, place, operation)) {
    entry.failed |= wanted;
    return;
  }
  for (const Question& question : questions) {
    if ((wanted & question.need) == 0) continue;
    const int error = file_system_.access(place.at, place.name, question.access);
    const bool refused =
        error == EACCES || error == EPERM || error == EROFS || error == ETXTBSY || is_gone(error);
    entry.*question.answer = error == 0;
    (error == 0 || refused ? entry.present : entry.failed) |= question.need;
    if (error != 0 && !refused) reach_.issues.report_entry(entry, operation, error);
  }
}

std::optional<bool> EntryAccess::holds_name(Entry& entry, std::string_view name) {
  // A mounted directory is another volume's.
  const Boundary* const boundary = position_.boundary_at(entry);
  if (boundary != nullptr && boundary->mount_point && !may_read_across(*boundary)) return false;
  const EntryPlace place = position_.place_of(entry);
  if (!reach_.issues.can_reach(entry, place, "")) return {};
  const std::string path = std::string(place.name).append("/").append(name);
  Metadata metadata{};
  Needs got = needs::none;
  ++reach_.counts.stats;
  const int error = file_system_.stat(place.at, path.c_str(), {}, needs::type, metadata, got);
  if (error == 0) return true;
  if (is_gone(error) || error == ENAMETOOLONG) return false;
  entry.unreadable = error;
  return {};
}

/// Returns whether the volume mounted on the entry is searched, too; the same rule as in
/// Coverage::covers().
bool EntryAccess::may_read_across(const Boundary& boundary) const {
  const Scope& scope = state_.matcher().scope();
  if (!scope.cross_volumes) return false;
  return boundary.kind == VolumeKind::local ||
         (boundary.kind == VolumeKind::network && scope.network);
}

bool EntryAccess::read_contents(Entry& entry, ContentSink& sink) {
  // A file mounted on another (/etc/hosts of a container) is the one that is meant: the search of
  // its volume starts at directories only and will not reach it. Its server may be down.
  const Boundary* const boundary = position_.boundary_at(entry);
  if (boundary != nullptr && boundary->kind != VolumeKind::local && !may_read_across(*boundary)) {
    const std::string kind(to_text(boundary->kind));
    reach_.issues.report_entry(entry, "read", 0, "it is mounted from a " + kind + " volume");
    return false;
  }
  const EntryPlace place = position_.place_of(entry);
  if (!reach_.issues.can_reach(entry, place, "read")) return false;
  const os::OpenFlags flags{
      .follow = place.followed || place.is_root,
      .stay_on_volume = false,
      .stay_off_network = place.followed && !state_.matcher().scope().network};
  os::File file;
  int error = open_file(place, flags, file);
  if (error == 0) {
    ++reach_.counts.files_read;
    error = read_pieces(file, sink);
  }
  if (error == 0) return !state_.stopped();
  // ENXIO: it is no longer a regular file.
  if (error != EXDEV) reach_.issues.fail(entry, "read", error == ENXIO ? ENOENT : error);
  return false;
}

/// The holder of a lease on the file (Samba, for what its clients write) is notified of this open
/// and has time to give the lease up: on Linux 45 s, by fs.lease-break-time, after which it is
/// revoked.
int EntryAccess::open_file(const EntryPlace& place, os::OpenFlags flags, os::File& file) {
  using Clock = std::chrono::steady_clock;
  constexpr auto longest_wait = std::chrono::seconds(60);
  constexpr auto longest_pause = std::chrono::milliseconds(50);
  std::optional<Clock::time_point> began;
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, longest_pause)) {
    const int error = reach_.opener.with_room(
        [&] { return file_system_.open_file(place.at, place.name, flags, file); });
    if (error != EAGAIN || state_.stopped()) return error;
    if (!began) began = Clock::now();
    if (Clock::now() - *began > longest_wait) return error;
    std::this_thread::sleep_for(pause);
  }
}

int EntryAccess::read_pieces(os::File& file, ContentSink& sink) {
  if (!contents_) contents_.reset(new char[buffer_size]);
  const std::uint64_t ends = sink.exact_ends();
  if (ends != 0) file.has_holes = false;  // their zeros are wanted
  const bool skips = ends != 0 && file.size > ends && file.size - ends > ends;
  while (!state_.stopped()) {
    if (skips && file.position == ends) file.position = file.size - ends;
    const bool begins = skips && file.position < ends;
    const std::size_t most =
        begins ? text::at_most(buffer_size, ends - file.position) : buffer_size;
    std::size_t count = 0;
    const int error = file_system_.read_file(file, contents_.get(), most, count);
    if (error != 0) return error;
    if (count == 0) break;
    reach_.counts.bytes_read += count;
    // Saves the call that would only return the end.
    const bool last = file.size != 0 && file.position == file.size;
    if (!sink.take({contents_.get(), count}, last) || last) break;
  }
  return 0;
}

}  // namespace ffind::search
