// SPDX-License-Identifier: MIT
// The few small files that are this program's own: a configuration, saved searches. They say what
// is done, commands included, so none is read or written that another user decides about. Part of
// the seam to the operating system; used by cli. Knows nothing of what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

enum class OwnFileTrouble : std::uint8_t {
  none,
  system,         ///< the errno says it
  foreign,        ///< belongs to neither this user nor root
  foreign_link,   ///< a link on the way to it does
  writable,       ///< for a group, or for all
  no_file,        ///< neither a file nor a pipe
  nobody_writes,  ///< a pipe that gives nothing, and does not end
};

struct OwnFileResult {
  OwnFileTrouble trouble = OwnFileTrouble::none;
  int error = 0;            ///< of `system`
  std::string place{};      ///< what the trouble is about, if not the file itself
  std::uint32_t owner = 0;  ///< of a foreign one
  std::uint32_t mode = 0;   ///< of a writable one: its permissions
};

/// Reads all of `path` into `text`: a file, or a pipe that ends. EFBIG when it holds more than
/// `most` bytes.
OwnFileResult read_own_file(const std::string& path, std::size_t most, std::string& text);

/// Makes `text` what is in `path`, wholly or not at all: a reader, and a full disk, leave
/// either what was there or all of `text`. Directories that are missing above it are made; all of
/// that is for this user alone. A link at `path` is replaced, never gone through.
OwnFileResult replace_own_file(const std::string& path, std::string_view text);

/// Removes `path`, a link itself. It and its directory must belong to this user or root.
OwnFileResult remove_own_file(const std::string& path);

}  // namespace ffind::os
