// SPDX-License-Identifier: MIT
// The way down to a directory in steps that the kernel takes. See opener.h.
#include "search/opener.h"

#include "search/issues.h"

namespace ffind::search {

os::OpenFlags Opener::link_flags() const {
  const Scope& scope = state_.matcher().scope();
  // It may lie anywhere; with --cross-volumes, no task of its own has it.
  return {
      .follow = true, .stay_on_volume = !scope.cross_volumes, .stay_off_network = !scope.network};
}

int Opener::open_below(const Root& root, const std::string& below, os::OpenFlags flags,
                       os::Directory& opened, const os::FileId& known) {
  os::Directory step;
  int error = open_root(root, step);
  if (known != os::FileId{}) {
    os::FileId found;
    if (error == 0 && file_system_.identify(step, found) == 0 && found != known) {
      file_system_.close(step);
      return root_exchanged;
    }
    if (is_gone(error)) return root_exchanged;
  }
  for (std::size_t from = 0; error == 0 && from < below.size();) {
    std::size_t to = below.size();
    if (to - from > longest_path) to = below.rfind('/', from + longest_path);
    os::Directory next;
    error = open(&step, below.substr(from, to - from).c_str(), flags, next);
    file_system_.close(step);
    step = next;
    from = to + 1;
  }
  if (error == 0) opened = step;
  return error;
}

}  // namespace ffind::search
