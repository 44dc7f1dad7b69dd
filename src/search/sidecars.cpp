// SPDX-License-Identifier: MIT
// Finding and reading AppleDouble files. See sidecars.h.
#include "search/sidecars.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "search/issues.h"
#include "text/paths.h"

namespace ffind::search {
namespace {

constexpr std::string_view prefix = "._";
constexpr const char* archive_folder = "__MACOSX";

/// There is none, or this volume could not hold one of that name.
bool is_absence(int error) {
  return is_gone(error) || error == ENXIO || error == ENAMETOOLONG || error == EINVAL ||
         error == EILSEQ;
}

bool may_have_sidecars(const Entry& entry) {
  if (entry.name.starts_with(prefix)) return false;  // it is one
  return entry.type == FileType::file || entry.type == FileType::directory ||
         entry.type == FileType::symlink || entry.type == FileType::unknown;
}

}  // namespace

const std::vector<Sidecar>& Sidecars::read(Entry& entry, const EntryPlace& place, int& refused) {
  found_.clear();
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

/// ENOENT as well for what is no AppleDouble file.
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
    most = wanted;  // large attributes lie behind the first bytes
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

/// `error`: why that is unknown, unless a directory on the way there is closed: the
/// one that is searched may have been reached another way.
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

/// Keeps of the way to the last directory what leads to this one too.
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
  // There, what lies beside a folder belongs to the folder of that name in the archive.
  inside_folder_ = (path_ + "/").find(std::string("/") + archive_folder + "/") != std::string::npos;
  if (way_.empty()) descend_to(top.size(), top.size() == path_.size() ? place.at : nullptr);
  while (way_.back().length < path_.size()) {
    const std::size_t slash = way_.back().length + (way_.back().length > 1 ? 1 : 0);
    const std::size_t end = std::min(path_.find('/', slash), path_.size());
    descend_to(end, end == path_.size() ? place.at : nullptr);
  }
}

/// Goes on to the directory that the first `length` bytes of the path name; `at` is that directory
/// where it is open.
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
