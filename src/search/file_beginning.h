// SPDX-License-Identifier: MIT
// The first bytes of a file that says something about others: an ignore file, an AppleDouble file.
// Files whose contents a test searches are read chunk by chunk by the entry access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "os/files.h"

namespace ffind::search {

struct FileBeginning {
  std::string bytes{};     ///< empty where it could not be read
  std::uint64_t size = 0;  ///< of all of the file when it was opened; the kernel's own say 0
};

/// Up to `most` bytes of the regular file `path`, wherever it is mounted; 0 or an errno, those of
/// FileSystem::open_file among them. A link in the last component is followed only if `follow`.
/// Of bytes that are in a cloud none are fetched.
int read_beginning(os::FileSystem& file_system, const os::Directory* at, const std::string& path,
                   bool follow, std::size_t most, FileBeginning& beginning);

}  // namespace ffind::search
