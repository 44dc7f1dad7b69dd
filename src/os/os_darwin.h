// SPDX-License-Identifier: MIT
// What the os_darwin*.cpp files share: attribute calls about one file. Included by nothing else.
#pragma once

#include <sys/attr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "os/darwin_attributes.h"
#include "os/dirent_reader.h"

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

/// Extended attributes; 0 or an errno, ENODATA where there is none of that name.
int attribute_names(const Directory* at, const char* path, bool follow, std::string& names);
int attribute_value(const Directory* at, const char* path, bool follow, const char* name,
                    std::string& value);

/// getattrlistbulk(2), asking for what `wanted` needs; by readdir where it cannot be had. With
/// `firmlinks` some of the directories may be such.
std::unique_ptr<DirentReader> make_bulk_reader(Needs wanted, bool firmlinks);

/// fts(3); by the bulk reader for directories too large to be held in memory, or that have one of
/// the names `untouchable` in them.
std::unique_ptr<DirentReader> make_bounded_fts_reader(Needs wanted, bool firmlinks,
                                                      std::vector<std::string> untouchable);

}  // namespace ffind::os::darwin
