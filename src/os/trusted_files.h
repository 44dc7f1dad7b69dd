// SPDX-License-Identifier: MIT
// Small files of this program's own: configuration and saved searches. They decide what is done,
// commands included, so each is read and written only if no other user can change it: every
// directory and link on the way is checked. Part of the seam to the operating system; knows nothing
// of their contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Reads a file that the program keeps for itself in the directory `place`/ffind, at most `most`
/// bytes. Neither that directory nor the file may be a link, both must be this user's, and no other
/// user can write to them or replace them. False if any of it is not so or fails.
bool read_state_file(const std::string& place, const char* name, std::size_t most,
                     std::string& text);

/// Replaces its contents by what `change` returns of them ("" if there is no file). Processes that
/// do so at the same time wait for each other, for five seconds at most. Creates the missing
/// directories (0700) and the file (0600). False if nothing was changed.
bool change_state_file(const std::string& place, const char* name, std::size_t most,
                       const std::function<std::string(const std::string& text)>& change);

}  // namespace ffind::os
