// SPDX-License-Identifier: MIT
// Where a walk begins: whatever was planned, a root is what it is when it is opened. A part of
// Worker; see worker.h.
#include <cerrno>
#include <utility>

#include "plan/roots.h"
#include "search/worker.h"
#include "text/paths.h"

namespace ffind {

void Worker::open_root(Node* node) {
  // A file and a directory may be exchanged again and again.
  constexpr int tries = 10;
  for (int attempt = 1; attempt <= tries; ++attempt) {
    const Root& root = node->root();
    const int error = open_with_room(nullptr, root.open_path.c_str(),
                                     {.follow = true, .stay_on_volume = false}, node->directory);
    if (error == 0) return enter_root(node);
    RootFile file;
    const bool may_be_file = is_gone(error) && look_at_root_file(root, file);
    // A file mounted below a root was listed by the walk above it.
    if (may_be_file && file.type != FileType::directory) {
      if (root.below.empty())
        offer_root_file(root.is_file ? root : walker_.correct(as_file(root)), file);
      break;
    }
    if (may_be_file && attempt < tries) continue;  // a directory by now
    if (error == ENOENT && !root.below.empty()) {
      ++statistics_.vanished;
    } else {
      report(root_name(root), "", error);
    }
    break;
  }
  finish(node);
}

/// The root is an open directory.
void Worker::enter_root(Node* node) {
  if (node->root().is_file) {
    const Root& root = walker_.correct(as_directory(node->root()));
    Node* const corrected = Node::make(nullptr, root, {}, root.depth);
    std::swap(corrected->directory, node->directory);
    finish(node);
    node = corrected;
  }
  frontier_.descriptor_opened();
  if (!identify(*node)) return finish(node);
  if (scope_.max_depth <= node->root().depth) return finish(node);
  if (scope_.unique && !state_.visited().insert(node->id)) return finish(node);
  ++statistics_.directories;
  if (catalog_) node->number = walker_.catalog_->number_of(node->directory);
  if (node->number && catalog_->begin(node->number, nullptr)) return read_catalog(node);
  if (catalog_) ++statistics_.walked;
  read(node);
}

/// What is there, if it can be said: of a link that leads nowhere, the link.
bool Worker::look_at_root_file(const Root& root, RootFile& file) {
  const Needs wanted =
      needs::type | ((state_.matcher().needs() | state_.sink_needs()) & needs::metadata);
  const char* const path = root.open_path.c_str();
  const int error =
      file_system_.stat(nullptr, path, {.follow = true}, wanted, file.metadata, file.known);
  const bool nowhere = is_gone(error);
  if (nowhere && file_system_.stat(nullptr, path, {}, wanted, file.metadata, file.known) != 0) {
    return false;
  }
  if (error != 0 && !nowhere) return false;
  file.type = os::type_of_mode(file.metadata.mode);
  return !nowhere || file.type == FileType::symlink;
}

/// A root that is no directory is itself what is searched.
void Worker::offer_root_file(const Root& root, const RootFile& file) {
  node_ = nullptr;
  root_ = &root;
  const std::string_view path = root.open_path;
  entry_.directory = root.printed;
  entry_.present = needs::directory;
  entry_.depth = root.depth;
  os::Dirent dirent;
  dirent.name = text::name_of(path);
  dirent.type = file.type;
  dirent.metadata = &file.metadata;
  dirent.known = file.known;
  consider(dirent);
}

}  // namespace ffind
