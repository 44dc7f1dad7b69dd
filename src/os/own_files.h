// SPDX-License-Identifier: MIT
// The few small files that are this program's own: a configuration, saved searches. Part of the
// seam to the operating system; used by cli. Knows nothing of what is in them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::os {

/// Reads all of `path` into `text`; 0 or an errno. EFBIG when it holds more than `most` bytes, so
/// that a device that never ends does not fill the memory.
int read_own_file(const std::string& path, std::size_t most, std::string& text);

/// Makes `text` what is in `path`, wholly or not at all: whoever reads it, and a full disk, leave
/// either what was there or all of `text`. Directories that are missing above it are made, for this
/// user alone. Where `path` is a link, what it leads to is replaced. 0 or an errno.
int replace_own_file(const std::string& path, std::string_view text);

/// Names of what lies in `directory`, in no order. 0 or an errno.
int names_in(const std::string& directory, std::vector<std::string>& names);

}  // namespace ffind::os
