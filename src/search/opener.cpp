// SPDX-License-Identifier: MIT
// Long paths are opened in steps of at most `longest_path` bytes, each relative to the last. The
// beginning of a file is read into a buffer that grows with it.
#include "search/opener.h"

#include <algorithm>
#include <cerrno>

#include "search/state.h"
#include "text/sizes.h"

namespace ffind::search {

os::OpenFlags Opener::link_flags() const {
  const Scope& scope = state_.matcher().scope();
  if (scope.mounts != Scope::Mounts::by_kind) return {.follow = true, .stay_on_volume = false};
  // The target may be anywhere; with --cross-volumes, no task of its own has it.
  return {
      .follow = true, .stay_on_volume = !scope.cross_volumes, .stay_off_network = !scope.network};
}

int Opener::open_below(const Root& root, const std::string& below, os::OpenFlags flags,
                       os::Directory& opened, const os::FileId& known) {
  os::Directory step;
  int error = open_root(root, step);
  // The root's path may lead elsewhere since the walk began, and what is found there was not
  // searched.
  if (known != os::FileId{}) {
    os::FileId found;
    if (error == 0 && file_system_.identify(step, found) == 0 && found != known) return ESTALE;
    if (is_gone(error)) return ESTALE;
  }
  for (std::size_t from = 0; error == 0 && from < below.size();) {
    std::size_t to = below.size();
    // Names that a directory was listed with are shorter than a step, so each has a slash.
    if (to - from > longest_path) to = below.rfind('/', from + longest_path);
    if (to == std::string::npos || to <= from) return ENAMETOOLONG;  // of a list
    os::Directory next;
    error = open(&step, below.substr(from, to - from).c_str(), flags, next);
    step = std::move(next);
    from = to + 1;
  }
  if (error == 0) opened = std::move(step);
  return error;
}

int open_root(Reach& reach, const Root& root, Needs wanted, os::Directory& opened, RootFile& file) {
  // A file and a directory may replace each other again and again.
  constexpr int tries = 10;
  for (int attempt = 1;; ++attempt) {
    // A directory is tried first: nearly all roots are, and opening another file as one only fails.
    const bool is_link = root.is_file && !reach.state.matcher().scope().follow_roots;
    const int error = is_link ? ENOTDIR : reach.opener.open_root(root, opened);
    if (!is_gone(error)) return error;
    if (look_at_root(reach, root, wanted, file) != 0) return error;
    if (file.type != FileType::directory) return 0;
    if (attempt == tries) return error;  // else it is a directory by now
  }
}

int look_at_root(Reach& reach, const Root& root, Needs wanted, RootFile& file) {
  const Scope& scope = reach.state.matcher().scope();
  const char* const path = root.open_path.c_str();
  const auto stat = [&](bool follow) {
    return reach.file_system().stat(nullptr, path, {.follow = follow}, wanted, file.metadata,
                                    file.known);
  };
  const int error = stat(scope.follow_roots);
  // A link to itself is an error in a line of find.
  const bool nowhere = is_gone(error) && !(error == ELOOP && scope.list_roots);
  if (nowhere && stat(false) != 0) return error;
  if (error != 0 && !nowhere) return error;
  file.type = os::type_of_mode(file.metadata.mode);
  file.via_link =
      scope.list_roots && scope.follow_roots && error == 0 && reach.opener.is_link(nullptr, path);
  return !nowhere || file.type == FileType::symlink ? 0 : error;
}

int read_beginning(os::FileSystem& file_system, const os::Directory* at, const std::string& path,
                   bool follow, std::size_t most, FileBeginning& beginning) {
  constexpr std::uint64_t usual_size = 512;  // buffer for a file without a size; it grows in steps
  beginning.bytes.clear();
  os::File file;
  int error =
      file_system.open_file(at, path.c_str(), {.follow = follow, .stay_on_volume = false}, file);
  if (error != 0) return error;
  file.has_holes = false;  // offsets count, so the zeros of holes are wanted
  beginning.size = file.size;
  std::string& bytes = beginning.bytes;
  std::size_t length = 0;
  while (error == 0 && length < most) {
    const std::uint64_t room = std::max<std::uint64_t>({file.size, usual_size, 2 * length});
    bytes.resize(text::at_most(most, room));
    std::size_t count = 0;
    error = file_system.read_file(file, bytes.data() + length, bytes.size() - length, count);
    length += count;
    // With a size, the call that would only return the end is saved.
    if (count == 0 || length == file.size) break;
  }
  bytes.resize(error == 0 ? length : 0);
  return error;
}

}  // namespace ffind::search
