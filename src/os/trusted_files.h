// SPDX-License-Identifier: MIT
// Small files of this program's own: configuration and saved searches. They decide what is done,
// commands included, so each is read and written only if no other user can change it: every
// directory and link on the way is checked. Part of the seam to the operating system; knows nothing
// of their contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

enum class TrustedFileTrouble : std::uint8_t {
  none,
  system,         ///< as `error` says
  foreign,        ///< owned by neither this user nor root
  foreign_link,   ///< a link on the way is
  writable,       ///< by a group, or by all
  no_file,        ///< neither a file nor a pipe
  nobody_writes,  ///< a pipe without data or an end
};

struct TrustedFileResult {
  TrustedFileTrouble trouble = TrustedFileTrouble::none;
  int error = 0;            ///< errno, for `system`
  std::string place{};      ///< subject of the trouble, if not the file itself
  std::uint32_t owner = 0;  ///< for `foreign`
  std::uint32_t mode = 0;   ///< permissions, for `writable`
};

/// Reads the file or pipe `path` into `text`. EFBIG if it has more than `most` bytes.
TrustedFileResult read_trusted_file(const std::string& path, std::size_t most, std::string& text);

/// Replaces the contents of `path` by `text` atomically: a concurrent reader or a full disk sees
/// either the old contents or all of `text`. Creates missing directories; all of it is accessible
/// to this user alone. A link at `path` is replaced, not followed.
TrustedFileResult replace_trusted_file(const std::string& path, std::string_view text);

/// Removes `path`; links are not followed. It and its directory must belong to this user or root.
TrustedFileResult remove_trusted_file(const std::string& path);

}  // namespace ffind::os
