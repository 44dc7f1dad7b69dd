// SPDX-License-Identifier: MIT
// By name or by path. See node_opener.h.
#include "search/node_opener.h"

#include <cerrno>

namespace ffind {

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

}  // namespace ffind
