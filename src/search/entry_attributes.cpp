// SPDX-License-Identifier: MIT
// Attributes by name, wherever and in whatever format they are stored: on the file itself, under
// its own name or as other systems store it, then in AppleDouble files. AttributeAccess combines
// them; Sidecars, in the second half, finds the AppleDouble files.
//
// Sidecars of A/b/c.txt, in the order in which they are read:
//
//     A/b/._c.txt              next to it: written by macOS on volumes without attributes
//     A/b/__MACOSX/._c.txt     in the folder of an archive that was unpacked in A/b
//     A/__MACOSX/b/._c.txt     in A
//     __MACOSX/A/b/._c.txt     above it
//
// Entries come directory by directory, so Sidecars keeps a Level for each directory from the top of
// the volume, or the root, to the current one, with the folders found there.
#include "search/entry_access.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "os/formats/finder_attributes.h"
#include "search/state.h"
#include "text/ascii.h"
#include "text/paths.h"

namespace ffind::search {
namespace {

/// The volume has no attributes: not an error.
bool has_no_attributes(int error) {
  return error == ENOTSUP || error == EOPNOTSUPP || error == ENODATA || error == ENOSYS;
}

/// Calls `take` with each name until it returns false.
template <typename Take>
void for_each_name(std::string_view names, Take take) {
  while (!names.empty()) {
    const std::string_view name = text::take_part(names, '\0');
    if (!name.empty() && !take(name)) return;
  }
}

/// Attributes that file systems return but do not list.
bool may_be_unlisted(std::string_view name) {
  return name.starts_with("system.") || name.starts_with("ceph.") || name.starts_with("btrfs.");
}

/// Attributes that macOS never had, so that no AppleDouble file has them.
bool is_linux_only(std::string_view name) {
  return name.starts_with("security.") || name.starts_with("trusted.") || may_be_unlisted(name);
}

/// Finds the attribute `name` in an AppleDouble file; false if it is not there.
bool find_in(const os::AppleDouble& file, std::string_view name, std::string* value) {
  std::string_view found;
  if (name == os::finder_info_attribute) {
    // All zeros are written for "none".
    if (file.finder_info.find_first_not_of('\0') == std::string_view::npos) return false;
    found = file.finder_info;
  } else if (name == os::resource_fork_attribute) {
    if (file.resource_fork == 0) return false;
  } else {
    const auto& all = file.attributes;
    const auto attribute =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    if (attribute == all.end()) return false;
    if (attribute->whole) found = attribute->value;
  }
  if (value != nullptr) *value = found;
  return true;
}

}  // namespace

/// Returns how to reach the entry's attributes; nullopt if they must not or cannot be read, and so
/// are unknown, not absent.
std::optional<EntryPlace> AttributeAccess::attribute_place(Entry& entry) {
  const Boundary* const boundary = position_.boundary_at(entry);
  // The server of a mounted volume may be down, and there is no call that would not wait for it.
  if (boundary != nullptr && boundary->kind != VolumeKind::local) return {};
  const EntryPlace place = position_.place_of(entry);
  if (place.error == 0) return place;
  if (!place.reported) report_refused(entry, place.error);
  return {};
}

/// Reads the names of the entry's own attributes; false if the entry vanished. No call if its
/// directory's reader returned that there are none.
bool AttributeAccess::list_attributes(Entry& entry, const EntryPlace& place) {
  const bool follow = place.followed || place.is_root;
  if (!follow && (entry.present & needs::no_attributes) != 0) {
    attribute_names_.clear();
    return true;
  }
  const int error = file_system_.attribute_names(place.at, place.name, follow, attribute_names_);
  if (error == 0) return true;
  attribute_names_.clear();
  if (is_gone(error)) {
    ++counts_.vanished;
    return false;
  }
  if (!has_no_attributes(error)) report_refused(entry, error);
  return true;
}

/// Reads the entry's own attribute `stored`; false if there is none or it cannot be read.
bool AttributeAccess::read_attribute(Entry& entry, const EntryPlace& place,
                                     const std::string& stored, std::string& value) {
  const bool follow = place.followed || place.is_root;
  const int error = file_system_.attribute(place.at, place.name, follow, stored.c_str(), value);
  if (error == 0) return true;
  value.clear();
  if (error == EFBIG) return true;  // it exists, and is too large to be searched
  if (!has_no_attributes(error) && !is_gone(error)) report_refused(entry, error);
  return false;
}

/// Reports once per entry, however many of its attributes are refused and whichever test needs
/// them.
void AttributeAccess::report_refused(Entry& entry, int error) {
  entry.require(needs::directory);
  std::string path = std::string(entry.directory).append(entry.name);
  refused_ = error;
  if (path == refused_path_) return;
  refused_path_ = std::move(path);
  issues_.report(refused_path_, "read attributes", error);
}

/// Without the attribute there are no capabilities, and an unreadable one is treated as absent.
void AttributeAccess::load_capabilities(Entry& entry) {
  entry.capabilities = false;
  entry.present |= needs::capabilities;
  const EntryPlace place = position_.place_of(entry);
  if (!issues_.can_reach(entry, place, "read attributes")) return;
  const int error = file_system_.has_capabilities(place.at, place.name, entry.capabilities);
  if (error != 0 && !has_no_attributes(error) && !is_gone(error)) report_refused(entry, error);
}

void AttributeAccess::load_bundle(Entry& entry) {
  entry.bundle = false;
  entry.present |= needs::bundle;
  const EntryPlace place = position_.place_of(entry);
  if (!issues_.can_reach(entry, place, "read attributes")) return;
  const int error = file_system_.has_bundle_mark(place.at, place.name, entry.bundle);
  const bool has_none = has_no_attributes(error) || error == EINVAL;
  if (error != 0 && !has_none && !is_gone(error)) report_refused(entry, error);
}

void AttributeAccess::load_finder(Entry& entry) {
  const std::optional<EntryPlace> place = attribute_place(entry);
  refused_ = 0;
  if (!place || !list_attributes(entry, *place)) {
    entry.failed |= needs::finder;
    return;
  }
  finder_ = {};
  resource_fork_ = 0;
  for_each_name(attribute_names_, [&](std::string_view stored) {
    const os::StoredName known = os::read_stored_name(stored);
    // macOS's may be large, and a stat returns its length.
    const bool is_fork =
        known.name == os::resource_fork_attribute && !file_system_.stats_resource_forks();
    if ((is_fork || os::is_finder_attribute(known.name)) &&
        read_attribute(entry, *place, std::string(stored), attribute_value_)) {
      const std::string_view value = os::unwrap(known.form, attribute_value_);
      if (is_fork && resource_fork_ == 0) resource_fork_ = value.size();
      os::add_finder_attribute(known.name, value, finder_);
    }
    return true;
  });
  for (const Sidecar& sidecar : read_sidecars(entry, *place)) {
    os::add_apple_double(sidecar.decoded, finder_);
    if (resource_fork_ == 0) resource_fork_ = sidecar.decoded.resource_fork;
  }
  os::finish(finder_);
  // A folder has its window in the place of type and creator.
  if (!finder_.type_code.empty() || !finder_.creator.empty()) {
    if (!entry.require(needs::type) || entry.type == FileType::directory) {
      finder_.type_code.clear();
      finder_.creator.clear();
    }
  }
  // Values that could be read count; the rest is unknown, even its existence.
  entry.finder = &finder_;
  entry.present |= needs::finder;
  if (refused_ != 0) entry.failed |= needs::finder;
}

void AttributeAccess::load_resource(Entry& entry) {
  load_finder(entry);
  entry.metadata.resource = resource_fork_;
  const bool known = ((entry.present & ~entry.failed) & needs::finder) != 0;
  (known ? entry.present : entry.failed) |= needs::resource;
}

void AttributeAccess::load_acl(Entry& entry) {
  entry.acl = 0;
  const std::optional<EntryPlace> place = attribute_place(entry);
  int error = place ? 0 : EAGAIN;
  if (place) {
    const bool follow = place->followed || place->is_root;
    error = file_system_.acl(place->at, place->name, follow, entry.acl);
    if (has_no_attributes(error)) error = 0;
    if (is_gone(error)) {
      ++counts_.vanished;
    } else if (error != 0) {
      report_refused(entry, error);
    }
  }
  (error == 0 ? entry.present : entry.failed) |= needs::acl;
}

const std::vector<Sidecar>& AttributeAccess::read_sidecars(Entry& entry, const EntryPlace& place) {
  if (!sidecars_) sidecars_ = std::make_unique<Sidecars>(opener_, position_, mount_point_);
  entry.require(needs::directory);
  int refused = 0;
  const std::vector<Sidecar>& found = sidecars_->read(entry, place, refused);
  if (refused != 0) report_refused(entry, refused);
  return found;
}

bool AttributeAccess::attribute(Entry& entry, std::string_view name, AttributeValue* value) {
  refused_ = 0;
  // Readability differs between attributes, so an earlier failure does not count.
  entry.failed &= ~needs::attributes;
  const bool found = find_attribute(entry, name, value != nullptr ? &value->bytes : nullptr);
  // A refused source that is nearer may contradict the one that was found.
  if (refused_ != 0) entry.failed |= needs::attributes;
  if (!found) return false;
  if (value != nullptr) value->texts = os::texts_in(value->bytes);
  return true;
}

bool AttributeAccess::find_attribute(Entry& entry, std::string_view name, std::string* value) {
  const std::optional<EntryPlace> place = attribute_place(entry);
  if (!place || !list_attributes(entry, *place)) {
    entry.failed |= needs::attributes;
    return false;
  }
  // Under its own name first, then as other systems store it.
  std::string best;
  os::AttributeForm form = os::AttributeForm::plain;
  for_each_name(attribute_names_, [&](std::string_view stored) {
    if (stored == name) {
      best = stored;
      form = os::AttributeForm::plain;
      return false;
    }
    // Linux needs the prefix: what macOS calls com.apple.quarantine is user.com.apple.quarantine
    // there.
    const bool in_user = stored.starts_with("user.") && stored.substr(5) == name;
    os::StoredName known = os::read_stored_name(stored);
    if (in_user || (best.empty() && known.name == name)) {
      best = stored;
      form = in_user ? os::AttributeForm::plain : known.form;
    }
    return true;
  });
  if (best.empty() && may_be_unlisted(name)) {
    return read_attribute(entry, *place, std::string(name),
                          value != nullptr ? *value : attribute_value_);
  }
  if (!best.empty()) {
    if (value == nullptr) return true;
    if (!read_attribute(entry, *place, best, attribute_value_)) return false;
    *value = os::unwrap(form, attribute_value_);
    return true;
  }
  if (is_linux_only(name)) return false;
  for (const Sidecar& sidecar : read_sidecars(entry, *place)) {
    if (find_in(sidecar.decoded, name, value)) return true;
  }
  return false;
}

namespace {

constexpr std::string_view prefix = "._";
constexpr const char* archive_folder = "__MACOSX";

/// It does not exist, or this volume cannot have a file of that name.
bool is_absence(int error) {
  return is_gone(error) || error == ENXIO || error == ENAMETOOLONG || error == EINVAL ||
         error == EILSEQ;
}

bool may_have_sidecars(const Entry& entry) {
  if (entry.name.starts_with(prefix)) return false;  // it is a sidecar
  return entry.type == FileType::file || entry.type == FileType::directory ||
         entry.type == FileType::symlink || entry.type == FileType::unknown;
}

}  // namespace

const std::vector<Sidecar>& Sidecars::read(Entry& entry, const EntryPlace& place, int& refused) {
  found_.clear();
  // The views in found_ are of this entry's sidecars, and end with the next call.
  if (!may_have_sidecars(entry)) return found_;
  turn_to(entry, place);
  if (inside_folder_) return found_;
  const std::string name = std::string(prefix).append(entry.name);
  std::string beside = name;
  if (place.at == nullptr) {
    const std::string_view path = place.name;
    beside.insert(0, path.substr(0, path.rfind('/') + 1));
  }
  Sidecar sidecar;
  int error = read_one(place.at, beside, sidecar);
  take(error, std::move(sidecar), refused);

  for (const Level& level : way_) take_error(level.error, refused);
  for (const std::string& source : way_.back().sources) {
    Sidecar kept;
    error = read_in(source, name, kept);
    take(error, std::move(kept), refused);
  }
  return found_;
}

void Sidecars::take(int error, Sidecar&& sidecar, int& refused) {
  if (error == 0) found_.push_back(std::move(sidecar));
  take_error(error, refused);
}

void Sidecars::take_error(int error, int& refused) {
  if (error != 0 && !is_absence(error)) refused = error;
}

/// Reads the sidecar `path`, from `at` if that is not null. Returns ENOENT as well if it is no
/// AppleDouble file.
int Sidecars::read_one(const os::Directory* at, const std::string& path, Sidecar& sidecar) {
  std::size_t most = os::apple_double_header;
  while (true) {
    const int error = opener_.with_room([&] {
      return read_beginning(opener_.file_system(), at, path, false, most, sidecar.beginning);
    });
    if (error != 0) return error;
    const FileBeginning& beginning = sidecar.beginning;
    const auto decoded = os::decode_apple_double(beginning.bytes, beginning.size);
    if (!decoded) return ENOENT;
    const std::size_t wanted = std::min<std::uint64_t>(decoded->extent, os::longest_attribute);
    if (wanted <= most) {
      sidecar.decoded = *decoded;
      return 0;
    }
    most = wanted;  // large attributes follow the first bytes
  }
}

int Sidecars::read_in(const std::string& directory, const std::string& name, Sidecar& sidecar) {
  const std::string path = text::join_paths(directory, name);
  if (path.size() <= longest_path) return read_one(nullptr, path, sidecar);
  os::Directory opened;
  const int error = open_by_path(directory, opened);
  if (error != 0) return error;
  const int read = read_one(&opened, name, sidecar);
  opener_.file_system().close(opened);
  return read;
}

int Sidecars::open_by_path(const std::string& path, os::Directory& opened) {
  Root slash;
  slash.open_path = "/";
  return opener_.open_below(slash, path.substr(1), {.stay_on_volume = false}, opened);
}

/// Returns whether `path` is a directory. Sets `error` if that is unknown, unless a directory on
/// the way is closed: the searched one may have been reached by another path.
bool Sidecars::is_directory(const os::Directory* at, const std::string& path, int& error) {
  int failure = 0;
  bool answer = false;
  if (path.size() > longest_path) {
    os::Directory opened;
    failure = open_by_path(path, opened);
    answer = failure == 0;
    if (answer) opener_.file_system().close(opened);
  } else {
    Metadata metadata{};
    Needs got = needs::none;
    failure = opener_.file_system().stat(at, path.c_str(), {}, needs::type, metadata, got);
    answer = failure == 0 && os::type_of_mode(metadata.mode) == FileType::directory;
  }
  if (failure != 0 && failure != EACCES && !is_absence(failure)) error = failure;
  return answer;
}

/// Moves to the entry's directory; levels that it shares with the last one are kept.
void Sidecars::turn_to(const Entry& entry, const EntryPlace& place) {
  if (known_ && printed_ == entry.directory) return;
  known_ = true;
  printed_ = entry.directory;
  std::string path = position_.canonical_directory();
  const std::string& root = position_.root().canonical;
  // An archive may have been unpacked above the root, but no other volume is read.
  std::string_view top = !top_.empty() && lies_within(path, top_) ? top_ : root;
  if (!lies_within(path, top)) top = path;
  if (!way_.empty() && way_.front().length != top.size()) way_.clear();
  const std::string_view last = path_;
  while (!way_.empty() && !lies_within(path, last.substr(0, way_.back().length))) way_.pop_back();
  path_ = std::move(path);
  // Within __MACOSX, a sidecar of a folder belongs to the folder of that name in the archive.
  inside_folder_ = (path_ + "/").find(std::string("/") + archive_folder + "/") != std::string::npos;
  if (way_.empty()) descend_to(top.size(), top.size() == path_.size() ? place.at : nullptr);
  while (way_.back().length < path_.size()) {
    const std::size_t slash = way_.back().length + (way_.back().length > 1 ? 1 : 0);
    const std::size_t end = std::min(path_.find('/', slash), path_.size());
    descend_to(end, end == path_.size() ? place.at : nullptr);
  }
}

/// Appends the level of the directory that the first `length` bytes of the path name; `at` is that
/// directory if it is open.
void Sidecars::descend_to(std::size_t length, const os::Directory* at) {
  Level level{length};
  const std::string directory = path_.substr(0, length);
  if (!way_.empty()) {
    const std::string_view name = text::name_of(directory);
    for (const std::string& source : way_.back().sources) {
      std::string below = text::join_paths(source, name);
      if (is_directory(nullptr, below, level.error)) level.sources.push_back(std::move(below));
    }
  }
  std::string folder = text::join_paths(directory, archive_folder);
  if (is_directory(at, at != nullptr ? archive_folder : folder, level.error)) {
    level.sources.insert(level.sources.begin(), std::move(folder));
  }
  way_.push_back(std::move(level));
}

}  // namespace ffind::search
