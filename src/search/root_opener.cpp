// SPDX-License-Identifier: MIT
// A directory, a file, or a link that leads nowhere. See root_opener.h.
#include "search/root_opener.h"

#include "search/issues.h"

namespace ffind {

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

/// What is there, if it can be said: of a link that leads nowhere, the link.
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

}  // namespace ffind
