// SPDX-License-Identifier: MIT
// Attribute calls about one file, and macOS's own readers of directories. Shared by the files of
// os/darwin.
#pragma once

#include <sys/attr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ffind/entry.h"
#include "os/directory_reader.h"
#include "os/formats/darwin_attributes.h"

namespace ffind::os::darwin {

/// `attributes` as the calls take them.
::attrlist list_of(const AttributeSet& attributes);

/// Id of the volume that `path` (relative to `directory`) really lies on: volumes of one group may
/// pretend to be one everywhere else. 0 or an errno.
int volume_id_of(int directory, const char* path, unsigned options, std::uint64_t& id);
int volume_id_of(int fd, std::uint64_t& id);

/// The whole number of `fsid_t`: val[0] in the lower half.
inline std::uint64_t fsid_number(std::int32_t first, std::int32_t second) {
  return static_cast<std::uint32_t>(first) |
         static_cast<std::uint64_t>(static_cast<std::uint32_t>(second)) << 32U;
}

/// Extended attributes; 0 or an errno, ENODATA if there is none of that name.
int attribute_names(const Directory* at, const char* path, bool follow, std::string& names);
int attribute_value(const Directory* at, const char* path, bool follow, const char* name,
                    std::string& value);

/// getattrlistbulk(2), asking for what `wanted` needs; by readdir where it cannot be had. With
/// `firmlinks` some of the directories may be such.
std::unique_ptr<DirectoryReader> make_bulk_reader(DirectoryOpener& opener, Needs wanted,
                                                  bool firmlinks);

/// readdir(3); by getattrlistbulk what is read in parts: a stream that waits half-read keeps its
/// buffer, and would lose its place without. For volumes that have such a call of their own.
std::unique_ptr<DirectoryReader> make_names_reader(DirectoryOpener& opener, Needs wanted,
                                                   bool firmlinks);

/// fts(3); by the bulk reader for directories too large to be held in memory, or that have one of
/// the names `untouchable`, which outlive the reader, in them.
std::unique_ptr<DirectoryReader> make_bounded_fts_reader(
    DirectoryOpener& opener, Needs wanted, bool firmlinks,
    const std::vector<std::string>& untouchable);

}  // namespace ffind::os::darwin
