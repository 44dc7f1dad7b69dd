// SPDX-License-Identifier: MIT
// Attributes by name: on the file itself, under its own name or as other systems store it, then in
// the AppleDouble file "._NAME" next to it (the sidecar), which macOS writes on volumes without
// attributes.
#include "search/entry_access.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "os/formats/finder_attributes.h"
#include "search/state.h"
#include "text/ascii.h"
#include "text/paths.h"
#include "text/sizes.h"

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
    ++reach_.counts.vanished;
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
  reach_.issues.report(refused_path_, "read attributes", error);
}

/// Without the attribute there are no capabilities, and an unreadable one is treated as absent.
void AttributeAccess::load_capabilities(Entry& entry) {
  entry.capabilities = false;
  entry.present |= needs::capabilities;
  const EntryPlace place = position_.place_of(entry);
  if (!reach_.issues.can_reach(entry, place, "read attributes")) return;
  const int error = file_system_.has_capabilities(place.at, place.name, entry.capabilities);
  if (error != 0 && !has_no_attributes(error) && !is_gone(error)) report_refused(entry, error);
}

void AttributeAccess::load_bundle(Entry& entry) {
  entry.bundle = false;
  entry.present |= needs::bundle;
  const EntryPlace place = position_.place_of(entry);
  if (!reach_.issues.can_reach(entry, place, "read attributes")) return;
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
  for_each_name(attribute_names_, [&](std::string_view stored) {
    const os::StoredName known = os::read_stored_name(stored);
    if (os::is_finder_attribute(known.name) &&
        read_attribute(entry, *place, std::string(stored), attribute_value_)) {
      os::add_finder_attribute(known.name, os::unwrap(known.is_stream, attribute_value_), finder_);
    }
    return true;
  });
  if (read_sidecar(entry, *place)) os::add_apple_double(sidecar_, finder_);
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

void AttributeAccess::load_acl(Entry& entry) {
  entry.acl = 0;
  const std::optional<EntryPlace> place = attribute_place(entry);
  int error = place ? 0 : EAGAIN;
  if (place) {
    const bool follow = place->followed || place->is_root;
    error = file_system_.acl(place->at, place->name, follow, entry.acl);
    if (has_no_attributes(error)) error = 0;
    if (is_gone(error)) {
      ++reach_.counts.vanished;
    } else if (error != 0) {
      report_refused(entry, error);
    }
  }
  (error == 0 ? entry.present : entry.failed) |= needs::acl;
}

/// Reads the entry's sidecar into `sidecar_`; false if it has none.
bool AttributeAccess::read_sidecar(Entry& entry, const EntryPlace& place) {
  const bool may_have_one = entry.type == FileType::file || entry.type == FileType::directory ||
                            entry.type == FileType::symlink || entry.type == FileType::unknown;
  if (!may_have_one || entry.name.starts_with(sidecar_prefix)) return false;
  std::optional<bool> some = position_.has_sidecars();
  if (!some) {
    some = false;
    const auto look = [&](std::string_view name) {
      some = name.starts_with(sidecar_prefix);
      return !*some;
    };
    if (lister_.list(place.at, ".", {}, look) != 0) some = true;
    position_.set_sidecars(*some);
  }
  if (!*some) return false;
  std::string path = place.name;
  // The directory, if `name` is a path; the name may have slashes after it.
  path.resize(std::min(path.rfind(entry.name), path.size()));
  path.append(sidecar_prefix).append(entry.name);
  for (std::size_t most = os::apple_double_header;;) {
    const int error = reach_.opener.with_room(
        [&] { return read_beginning(file_system_, place.at, path, false, most, sidecar_bytes_); });
    // The last four: this volume cannot have a file of that name, or it is no file.
    const bool absent = is_gone(error) || error == ENXIO || error == ENAMETOOLONG ||
                        error == EINVAL || error == EILSEQ;
    if (error != 0 && !absent) report_refused(entry, error);
    if (error != 0) return false;
    const auto decoded = os::decode_apple_double(sidecar_bytes_.bytes, sidecar_bytes_.size);
    if (!decoded) return false;
    sidecar_ = *decoded;
    const std::size_t wanted = text::at_most(os::longest_attribute, decoded->extent);
    if (wanted <= most) return true;
    most = wanted;  // large attributes follow the first bytes
  }
}

bool AttributeAccess::attribute(Entry& entry, std::string_view name, AttributeValue* value) {
  refused_ = 0;
  // Readability differs between attributes, so an earlier failure does not count.
  entry.failed &= ~needs::attributes;
  const bool found = find_attribute(entry, name, value != nullptr ? &value->bytes : nullptr);
  // A refused source that is nearer may contradict the one that was found.
  if (refused_ != 0) entry.failed |= needs::attributes;
  if (!found) return false;
  if (value != nullptr) {
    value->texts = os::strings_of_binary_plist(value->bytes).value_or(std::vector<std::string>());
  }
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
  bool is_stream = false;
  for_each_name(attribute_names_, [&](std::string_view stored) {
    if (stored == name) {
      best = stored;
      is_stream = false;
      return false;
    }
    // Linux needs the prefix: what macOS calls com.apple.quarantine is user.com.apple.quarantine
    // there.
    const bool in_user = stored.starts_with("user.") && stored.substr(5) == name;
    os::StoredName known = os::read_stored_name(stored);
    if (in_user || (best.empty() && known.name == name)) {
      best = stored;
      is_stream = !in_user && known.is_stream;
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
    *value = os::unwrap(is_stream, attribute_value_);
    return true;
  }
  if (is_linux_only(name)) return false;
  return read_sidecar(entry, *place) && find_in(sidecar_, name, value);
}

}  // namespace ffind::search
