// SPDX-License-Identifier: MIT
// A root may be a directory, a file, or a link that leads nowhere. See node_opener.h.
#include "search/node_opener.h"

#include <cerrno>

namespace ffind::search {

RootOpener::Found RootOpener::open(const Root& root, os::Directory& opened, RootFile& file,
                                   int& error) {
  // A file and a directory may be exchanged again and again.
  constexpr int tries = 10;
  for (int attempt = 1;; ++attempt) {
    error = opener_.open_root(root, opened);
    if (error == 0) return Found::directory;
    const bool may_be_file = is_gone(error) && look_at(root, file);
    if (may_be_file && file.type != FileType::directory) return Found::file;
    if (!may_be_file || attempt == tries) return Found::nothing;  // else it is a directory by now
  }
}

/// What is there, if that can be found out: for a link that leads nowhere, the link.
bool RootOpener::look_at(const Root& root, RootFile& file) {
  const Needs wanted =
      needs::type | ((state_.matcher().needs() | state_.sink_needs()) & needs::metadata);
  const char* const path = root.open_path.c_str();
  os::FileSystem& file_system = opener_.file_system();
  const int error =
      file_system.stat(nullptr, path, {.follow = true}, wanted, file.metadata, file.known);
  const bool nowhere = is_gone(error);
  if (nowhere && file_system.stat(nullptr, path, {}, wanted, file.metadata, file.known) != 0) {
    return false;
  }
  if (error != 0 && !nowhere) return false;
  file.type = os::type_of_mode(file.metadata.mode);
  return !nowhere || file.type == FileType::symlink;
}

int NodeOpener::open(os::ListedDirectory& directory) {
  auto& node = static_cast<Node&>(directory);
  if (node.directory.is_open()) return 0;
  if (node.open_error != 0) return node.open_error;
  const os::OpenFlags flags = node.via_link ? opener_.link_flags() : os::OpenFlags{};
  const os::Directory& parent = node.parent()->directory;
  // Relative to its parent where that is open: in a chain of 20,000 directories whose sizes were
  // asked for, opening each by its path took 34 s.
  node.open_error = parent.is_open() ? opener_.open(&parent, node.c_name(), flags, node.directory)
                                     : open_by_path(node, flags, node.directory);
  if (node.open_error == 0) {
    frontier_.descriptor_opened();
  } else if (node.open_error == EXDEV) {
    left_out_.add_unknown(node.display_name());
  } else if (!node.reported) {
    issues_.pass_over(node.display_name(), "", node.open_error);
  }
  return node.open_error;
}

int NodeOpener::open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened) {
  std::string path;
  node.append_relative_path(path);
  // Where links are followed, any name of the path may be one.
  if (scope_.follow) flags = opener_.link_flags();
  const Node* root = &node;
  while (root->parent() != nullptr) root = root->parent();
  return opener_.open_below(node.root(), path, flags, opened, root->id);
}

}  // namespace ffind::search
