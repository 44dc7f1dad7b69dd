// SPDX-License-Identifier: MIT
// Attribute calls about one file. Used by the other files of os/darwin, and by nothing else.
#pragma once

#include <sys/attr.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "os/files.h"
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

}  // namespace ffind::os::darwin
