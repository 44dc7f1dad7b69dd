// SPDX-License-Identifier: MIT
// Names in a map, handles in another. See fake_file_system.h.
#include "fakes/fake_file_system.h"
#include "text/sizes.h"

#include <algorithm>
#include <cerrno>
#include <thread>

namespace ffind {
namespace {

std::uint32_t mode_bits(FileType type) {
  return static_cast<std::uint32_t>(os::dirent_of_type(type)) << 12U | 0644U;
}

}  // namespace

void FakeFileSystem::add(const std::string& path, FileType type, std::uint64_t size) {
  const std::string parent = parent_of(path);
  if (files_.find(parent) == files_.end()) add(parent, FileType::directory);
  files_[parent].names.push_back(name_of(path));
  File file;
  file.type = type;
  file.size = size;
  file.inode = files_.size() + 1;
  files_[path] = file;
}

void FakeFileSystem::add_file(const std::string& path, const std::string& bytes) {
  add(path, FileType::file, bytes.size());
  files_[path].bytes = bytes;
}

void FakeFileSystem::add_link(const std::string& path, const std::string& target) {
  add(path, FileType::symlink);
  files_[path].target = target.rfind("/fake/", 0) == 0 ? target.substr(6) : target;
}

bool FakeFileSystem::was_opened(const std::string& path) const {
  return std::find(opened.begin(), opened.end(), path) != opened.end();
}

bool FakeFileSystem::was_statted(const std::string& path) const {
  return std::find(statted.begin(), statted.end(), path) != statted.end();
}

std::vector<FakeFileSystem::Listed> FakeFileSystem::list() const {
  std::vector<Listed> all;
  for (const auto& [path, file] : files_) all.push_back({path, file.type, file.size, file.inode});
  return all;
}

std::string FakeFileSystem::full_path(const os::Directory* at, const std::string& path) const {
  std::string base = at != nullptr ? handles_.at(at->fd).path : "";
  std::string rest = path == "." ? "" : path;
  while (rest.substr(0, 2) == "./") rest.erase(0, 2);
  constexpr std::string_view canonical = "/fake/";  // of the root, in the plans of search_harness.h
  if (rest.substr(0, canonical.size()) == canonical) rest.erase(0, canonical.size());
  if (!base.empty() && !rest.empty()) base += '/';
  return base + rest;
}

std::string FakeFileSystem::resolve(const std::string& path, bool follow) const {
  std::string done;
  std::size_t from = 0;
  while (from < path.size()) {
    const std::size_t to = std::min(path.find('/', from), path.size());
    if (!done.empty()) done += '/';
    done += path.substr(from, to - from);
    from = to + 1;
    for (int hops = 0; hops < 40; ++hops) {
      const auto found = files_.find(done);
      if (found == files_.end() || found->second.type != FileType::symlink) break;
      if (from > path.size() && !follow) break;
      done = found->second.target;
    }
  }
  return done;
}

int FakeFileSystem::check_open(const std::string& typed, os::OpenFlags flags,
                               std::string& real) const {
  const auto order = open_errors.find(typed);
  if (order != open_errors.end() && (order->second != EXDEV || flags.stay_on_volume)) {
    return order->second;
  }
  real = resolve(typed, flags.follow);
  const auto found = files_.find(real);
  if (found == files_.end()) return ENOENT;
  return found->second.type == FileType::symlink ? ELOOP : 0;
}

void FakeFileSystem::sleep_for(std::chrono::microseconds time) {
  {
    const std::lock_guard lock(mutex_);
    ++device_reads_;
    if (time.count() == 0) return;
    sleeping_at_most = std::max(sleeping_at_most, ++sleeping_);
  }
  std::this_thread::sleep_for(time);
  const std::lock_guard lock(mutex_);
  --sleeping_;
}

std::optional<os::ThreadWaits> FakeFileSystem::thread_waits() const {
  os::ThreadWaits waits = FileSystem::thread_waits().value_or(os::ThreadWaits{});
  const std::lock_guard lock(mutex_);
  waits.ready += more_ready;
  waits.device_reads = device_is_slow ? device_reads_ : 0;
  return waits;
}

int FakeFileSystem::open(const os::Directory* at, const char* path, os::OpenFlags flags,
                         os::Directory& opened_directory) {
  sleep_for(open_takes);
  const std::lock_guard lock(mutex_);
  const std::string typed = full_path(at, path);
  opened.push_back(typed);
  std::string real;
  const int error = check_open(typed, flags, real);
  if (error != 0) return error;
  if (files_.at(real).type != FileType::directory) return ENOTDIR;
  if (open_now >= most_open) return EMFILE;
  open_at_most = std::max(open_at_most, ++open_now);
  opened_directory = os::Directory{};
  opened_directory.file_system = this;
  opened_directory.fd = next_handle_++;
  handles_[opened_directory.fd] = {real, 0};
  return 0;
}

void FakeFileSystem::close(os::Directory& directory) {
  const std::lock_guard lock(mutex_);
  handles_.erase(directory.fd);
  --open_now;
  directory.forget();
}

int FakeFileSystem::read(os::Directory& directory, os::DirentBlock& block) {
  if (before_read) before_read();
  const std::lock_guard lock(mutex_);
  ++reads;
  rooms.push_back(block.room());
  block.clear();
  Handle& handle = handles_.at(directory.fd);
  const auto order = read_errors.find(handle.path);
  if (order != read_errors.end()) return order->second;
  const File& file = files_.at(handle.path);
  for (std::size_t count = 0; count < entries_per_block; ++count) {
    if (handle.position == file.names.size()) break;
    const std::string& name = file.names[handle.position];
    const std::string path = handle.path.empty() ? name : handle.path + "/" + name;
    const File& child = files_.at(path);
    const FileType type = types_known ? child.type : FileType::unknown;
    os::Traits told = traits.count(path) != 0 ? traits.at(path) : os::traits::none;
    if (bundles_known) told |= os::traits::bundle_known;
    if (bundles_known && bundles.count(path) != 0) told |= os::traits::bundle;
    if (!block.append(name, child.inode, type, nullptr, needs::none, told)) break;
    ++handle.position;
  }
  return 0;
}

namespace {
class FakeReader final : public os::KernelReader {
 public:
  FakeReader(FakeFileSystem& files, os::DirectoryOpener& opener)
      : KernelReader(opener, files.device_of_listed), files_(files) {}
  int read(os::ListedDirectory& listed, os::DirentBlock& block) override {
    return files_.read(listed.directory, block);
  }

 private:
  FakeFileSystem& files_;
};
}  // namespace

std::unique_ptr<os::DirectoryReader> FakeFileSystem::make_reader(os::DirectoryOpener& opener) {
  return std::make_unique<FakeReader>(*this, opener);
}

int FakeFileSystem::stat(const os::Directory* at, const char* path, StatFlags flags, Needs,
                         Metadata& metadata, Needs& got) {
  sleep_for(stat_takes);
  const std::lock_guard lock(mutex_);
  const std::string typed = full_path(at, path);
  statted.push_back(typed);
  if (flags.at_hand_only) statted_at_hand.push_back(typed);
  const auto order = stat_errors.find(typed);
  if (order != stat_errors.end()) return order->second;
  const auto found = files_.find(resolve(typed, flags.follow));
  if (found == files_.end()) return ENOENT;
  if (flags.follow && found->second.type == FileType::symlink) return ELOOP;
  metadata = Metadata{};
  metadata.size = found->second.size;
  metadata.inode = found->second.inode;
  metadata.device = 1;
  metadata.mode = mode_bits(found->second.type);
  metadata.links = 1;
  got = needs::metadata & ~needs::created;
  return 0;
}

int FakeFileSystem::stat_target(const os::Directory* at, const char* path, os::OpenFlags flags,
                                Needs wanted, os::LinkTarget& target) {
  const int error = os::FileSystem::stat_target(at, path, flags, wanted, target);
  const std::lock_guard lock(mutex_);
  target.elsewhere = elsewhere.count(full_path(at, path)) != 0;
  return error;
}

int FakeFileSystem::read_link(const os::Directory* at, const char* path, std::string& target) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(full_path(at, path));
  if (found == files_.end()) return ENOENT;
  target = found->second.target;
  return target.empty() ? EINVAL : 0;
}

int FakeFileSystem::access(const os::Directory* at, const char* path, Access) {
  const std::lock_guard lock(mutex_);
  const std::string full = full_path(at, path);
  asked_for_access.push_back(full);
  const auto order = access_errors.find(full);
  if (order != access_errors.end()) return order->second;
  return files_.find(full) == files_.end() ? ENOENT : 0;
}

int FakeFileSystem::attribute_names(const os::Directory* at, const char* path, bool,
                                    std::string& names) {
  const std::lock_guard lock(mutex_);
  const std::string full = full_path(at, path);
  asked_for_attributes.push_back(full);
  const auto order = attribute_errors.find(full);
  if (order != attribute_errors.end()) return order->second;
  if (files_.find(full) == files_.end()) return ENOENT;
  names.clear();
  for (const auto& [name, value] : attributes[full]) names.append(name).push_back('\0');
  return 0;
}

int FakeFileSystem::attribute(const os::Directory* at, const char* path, bool, const char* name,
                              std::string& value) {
  const std::lock_guard lock(mutex_);
  const std::string full = full_path(at, path);
  asked_for_value.push_back(full + " " + name);
  const auto order = attribute_errors.find(asked_for_value.back());
  if (order != attribute_errors.end()) return order->second;
  const auto found = attributes[full].find(name);
  if (found == attributes[full].end()) return ENODATA;
  value = found->second;
  return 0;
}

int FakeFileSystem::has_capabilities(const os::Directory*, const char*, bool& answer) {
  answer = false;
  return 0;
}

int FakeFileSystem::has_bundle_mark(const os::Directory* at, const char* path, bool& answer) {
  const std::lock_guard lock(mutex_);
  asked_for_bundle.push_back(full_path(at, path));
  answer = bundles.count(resolve(asked_for_bundle.back(), true)) != 0;
  return 0;
}

int FakeFileSystem::identify(const os::Directory& directory, os::FileId& id) {
  const std::lock_guard lock(mutex_);
  id = {1, files_.at(handles_.at(directory.fd).path).inode};
  return 0;
}

int FakeFileSystem::open_file(const os::Directory* at, const char* path, os::OpenFlags flags,
                              os::File& opened_file) {
  const std::lock_guard lock(mutex_);
  const std::string typed = full_path(at, path);
  files_opened.push_back(typed);
  std::string real;
  const int error = check_open(typed, flags, real);
  if (error != 0) return error;
  const File& file = files_.at(real);
  if (file.type != FileType::file) return ENXIO;
  if (open_now >= most_open) return EMFILE;
  open_at_most = std::max(open_at_most, ++open_now);
  opened_file = os::File{};
  opened_file.file_system = this;
  opened_file.fd = next_handle_++;
  opened_file.size = told_sizes.count(real) != 0 ? told_sizes.at(real) : file.bytes.size();
  handles_[opened_file.fd] = {real, 0};
  return 0;
}

int FakeFileSystem::read_file(os::File& file, char* bytes, std::size_t capacity,
                              std::size_t& count) {
  const std::lock_guard lock(mutex_);
  ++file_reads;
  const std::string& path = handles_.at(file.fd).path;
  const auto order = read_errors.find(path);
  if (order != read_errors.end()) return order->second;
  const std::string& all = files_.at(path).bytes;
  count =
      all.copy(bytes, std::min(capacity, bytes_per_read), text::at_most(all.size(), file.position));
  file.position += count;
  return 0;
}

void FakeFileSystem::close_file(os::File& file) {
  const std::lock_guard lock(mutex_);
  handles_.erase(file.fd);
  --open_now;
  file.forget();
}

}  // namespace ffind
