// SPDX-License-Identifier: MIT
// What a worker fetches for an entry when a test or a lane asks: paths without a call, metadata by
// one stat, links, emptiness. The other half of Worker; see worker.h.
#include <cerrno>
#include <memory>

#include "search/worker.h"

namespace ffind {

void Worker::load(Entry& entry, Needs wanted) {
  constexpr Needs paths = needs::directory | needs::relative_path | needs::absolute_path;
  if ((wanted & paths) != 0) load_paths(entry, wanted);
  if ((wanted & needs::metadata) != 0) load_metadata(entry, wanted & needs::metadata);
  if ((wanted & needs::empty) != 0) load_empty(entry);
  if ((wanted & (needs::target | needs::target_mode)) != 0) load_link(entry, wanted);
  if ((wanted & needs::capabilities) != 0) {
    file_system_.has_capabilities(at(), name_for_call(entry), entry.capabilities);
    entry.present |= needs::capabilities;
  }
  if ((wanted & needs::bundle) != 0) {
    file_system_.has_bundle_mark(at(), name_for_call(entry), entry.bundle);
    entry.present |= needs::bundle;
  }
}

const char* Worker::name_for_call(const Entry& entry) const {
  // A root that is a file is named by its whole path; other names end with a NUL in their block.
  return node_ != nullptr ? entry.name.data() : root_->open_path.c_str();
}

void Worker::load_metadata(Entry& entry, Needs wanted) {
  os::FileSystem::StatFlags flags{.follow = is_link_ || node_ == nullptr,
                                  .known_boundary = boundary_at(entry) != nullptr};
  Needs got = needs::none;
  ++statistics_.stats;
  int error = file_system_.stat(at(), name_for_call(entry), flags, wanted, entry.metadata, got);
  if (error == ENOENT && node_ == nullptr) {
    flags.follow = false;  // a root that is a link and leads nowhere
    error = file_system_.stat(at(), name_for_call(entry), flags, wanted, entry.metadata, got);
  }
  if (error != 0) {
    // Not asked again: the answer would be the same, and counted twice.
    entry.failed |= needs::metadata & ~entry.present;
    if (error == ENOENT) {
      ++statistics_.vanished;
    } else {
      report_entry(entry, "read metadata", error);
    }
    return;
  }
  entry.present |= got;
  entry.failed |= wanted & ~got;
  if (entry.type == FileType::unknown) entry.type = os::type_of_mode(entry.metadata.mode);
}

/// Replaces a symbolic link by what it leads to; a link that leads nowhere stays one.
void Worker::follow(Entry& entry) {
  Needs wanted = needs::type | ((state_.matcher().needs() | state_.sink_needs()) & needs::metadata);
  if (scope_.unique) wanted |= needs::identity;
  Metadata metadata{};
  Needs got = needs::none;
  ++statistics_.stats;
  const int error =
      file_system_.stat(at(), name_for_call(entry), {.follow = true}, wanted, metadata, got);
  if (error == 0) {
    entry.metadata = metadata;
    entry.present = (entry.present & needs::directory) | got;
    entry.type = os::type_of_mode(metadata.mode);
    is_link_ = true;
  } else if (error != ENOENT && error != ELOOP && error != ENOTDIR) {
    report_entry(entry, "follow link", error);
  }
}

void Worker::load_empty(Entry& entry) {
  const auto fail = [&] { entry.failed |= needs::empty; };
  const auto answer = [&](bool empty) {
    entry.empty = empty;
    entry.present |= needs::empty;
  };
  if (!entry.require(needs::type)) return fail();
  if (entry.type == FileType::file) {
    if (!entry.require(needs::size)) return fail();
    return answer(entry.metadata.size == 0);
  }
  if (entry.type != FileType::directory) return answer(false);
  // Of another volume only the mount point is ours to look at.
  if (boundary_at(entry) != nullptr) return fail();

  os::Directory directory;
  int error = open_with_room(at(), name_for_call(entry), {.follow = is_link_}, directory);
  bool empty = true;
  if (error == 0) {
    if (!spare_block_) spare_block_ = std::make_unique<os::DirentBlock>();
    os::Dirent dirent;
    do {
      error = file_system_.read(directory, *spare_block_);
      empty = !spare_block_->next(dirent);
    } while (error == 0 && empty && !spare_block_->empty() && !directory.at_end);
    file_system_.close(directory);
  }
  if (error == 0) return answer(empty);
  // An unreadable directory is reported once, when it is entered.
  fail();
}

void Worker::load_link(Entry& entry, Needs wanted) {
  if (entry.type != FileType::symlink) {
    entry.failed |= wanted & (needs::target | needs::target_mode);
    return;
  }
  if ((wanted & needs::target) != 0) {
    const bool read = file_system_.read_link(at(), name_for_call(entry), target_) == 0;
    entry.target = target_;
    (read ? entry.present : entry.failed) |= needs::target;
  }
  if ((wanted & needs::target_mode) != 0) {
    Metadata metadata{};
    Needs got = needs::none;
    ++statistics_.stats;
    const int error =
        file_system_.stat(at(), name_for_call(entry), {.follow = true}, needs::mode, metadata, got);
    entry.target_mode = metadata.mode;
    (error == 0 ? entry.present : entry.failed) |= needs::target_mode;
  }
}

void Worker::load_paths(Entry& entry, Needs wanted) {
  if (node_ == nullptr) {
    entry.relative_path = entry.name;
    entry.absolute_path = root_->absolute;
  } else {
    build_directory();
    entry.directory = std::string_view(path_).substr(0, directory_length_);
    if ((wanted & (needs::relative_path | needs::absolute_path)) != 0) {
      path_.resize(directory_length_);
      path_ += entry.name;
      entry.directory = std::string_view(path_).substr(0, directory_length_);
      entry.relative_path = std::string_view(path_).substr(below_root_);
    }
    if ((wanted & needs::absolute_path) != 0) {
      absolute_ = root_->absolute;
      if (absolute_.empty() || absolute_.back() != '/') absolute_ += '/';
      absolute_ += std::string_view(path_).substr(
          below_root_ + (root_->below.empty() ? 0 : root_->below.size() + 1));
      entry.absolute_path = absolute_;
      entry.present |= needs::relative_path;
    }
  }
  entry.present |= needs::directory | (wanted & (needs::relative_path | needs::absolute_path));
}

/// Spells the path of the directory once, when the first of its entries needs it.
void Worker::build_directory() {
  if (directory_length_ != 0 || (entry_.present & needs::directory) != 0) return;
  if (spelled_ != nullptr && node_->parent() == spelled_ && spelled_length_ != 0 &&
      node_->parent()->parent() != nullptr) {
    // The next link of a chain: in one of 20,000 directories, spelling each path from the root
    // would take longer than everything else.
    path_.resize(spelled_length_);
    path_.append(node_->name()) += '/';
  } else {
    spell_path();
  }
  directory_length_ = spelled_length_ = path_.size();
  node_->add_reference();
  Node::release(spelled_);
  spelled_ = node_;
}

void Worker::spell_path() {
  path_ = root_->printed;
  node_->append_relative_path(path_);
  below_root_ = root_->printed.size();
  if (!root_->below.empty()) below_root_ -= root_->below.size() + 1;
  if (path_.size() > root_->printed.size()) path_ += '/';
  if (!path_.empty() && path_.front() == '-') {
    path_.insert(0, "./");
    below_root_ += 2;
  }
}

const std::string& Worker::canonical_path(std::string_view name) {
  canonical_ = root_->canonical;
  if (canonical_.empty() || canonical_.back() != '/') canonical_ += '/';
  const std::size_t root_length = canonical_.size();
  node_->append_relative_path(canonical_);
  if (canonical_.size() > root_length) canonical_ += '/';
  canonical_ += name;
  return canonical_;
}

const Boundary* Worker::boundary_at(const Entry& entry) {
  const Boundaries& boundaries = walker_.boundaries_;
  if (boundaries.empty() || node_ == nullptr || !boundaries.may_be(entry.name)) return nullptr;
  return boundaries.at(canonical_path(entry.name));
}

bool Worker::is_listed(const Entry& entry) {
  const Boundary* const boundary = boundary_at(entry);
  return boundary == nullptr || boundary->listed;
}

bool Worker::first_visit(Entry& entry) {
  // The visit is that of the root which begins there.
  const Boundary* const boundary = boundary_at(entry);
  if (boundary != nullptr && boundary->entered) return true;
  if (!entry.require(needs::identity)) return true;
  return state_.visited().insert({entry.metadata.device, entry.metadata.inode});
}

void Worker::report_entry(Entry& entry, const char* operation, int error) {
  entry.require(needs::directory);
  report(std::string(entry.directory).append(entry.name), operation, error);
}

}  // namespace ffind
