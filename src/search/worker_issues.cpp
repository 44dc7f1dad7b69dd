// SPDX-License-Identifier: MIT
// What is said of directories that cannot be read, and what they are called. A part of Worker; see
// worker.h.
#include <cerrno>
#include <utility>

#include "search/worker.h"

namespace ffind {

/// Said now, since it may not be entered; where it is, it was said.
void Worker::report_closed(Entry& entry, int error) {
  if (!closed_reported_) fail(entry, "", error);
  closed_reported_ = true;
}

/// A directory that cannot be read; on a living system that is not always an issue.
void Worker::pass_over(std::string path, const char* operation, int error) {
  if (error == root_exchanged) {
    report(std::move(path), "", 0, "its root is not the directory that was opened");
  } else if (error == EDEADLK) {
    // Its contents are in a cloud only, and looking must not download them.
    ++statistics_.not_local;
  } else if (is_gone(error)) {
    ++statistics_.vanished;
  } else {
    report(std::move(path), operation, error);
  }
}

/// A volume that the plan does not know: it was mounted since.
void Worker::leave_out(std::string path) {
  walker_.meet_boundary({.path = std::move(path), .left_out = true});
}

/// As typed; a volume below that as it is printed.
std::string Worker::root_name(const Root& root) {
  return root.below.empty() ? root.open_path : root.printed.substr(0, root.printed.size() - 1);
}

/// With a slash at its end, like Root::printed.
std::string Worker::path_of(const Node& node) const {
  std::string path = node.root().printed;
  node.append_relative_path(path);
  if (!path.empty() && path.back() != '/') path += '/';
  return path;
}

/// For messages: no slash at its end, and the current directory has a name.
std::string Worker::name_of(const Node& node) const {
  std::string path = path_of(node);
  if (path.size() > 1) path.pop_back();
  return path.empty() ? "." : path;
}

}  // namespace ffind
