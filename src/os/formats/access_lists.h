// SPDX-License-Identifier: MIT
// Presence of access control lists, from what each system returns about an entry. A list that only
// repeats the mode does not count. Pure and built everywhere; os/linux and os/darwin make the
// calls.
//
//     Linux   names of extended attributes: system.posix_acl_access and _default exist only if a
//             list says more than the mode. NFSv4's system.nfs4_acl exists for every file.
//     macOS   the record of a getattrlist(2) for ATTR_CMN_EXTENDED_SECURITY
#pragma once

#include <cstdint>
#include <string_view>

#include "ffind/entry.h"

namespace ffind::os {

inline constexpr std::string_view nfs4_acl_attribute = "system.nfs4_acl";

/// Returns the kinds of lists whose attributes are among `names`, each of which ends with a NUL.
AclKinds acl_kinds_among(std::string_view names);

/// True if the value of system.nfs4_acl has entries for the owner, the group and everyone only, so
/// that a mode could say the same. False if the bytes are no such value.
bool is_plain_nfs4_acl(std::string_view value);

/// True if the reply to a getattrlist for ATTR_CMN_RETURNED_ATTRS and ATTR_CMN_EXTENDED_SECURITY
/// has a list with entries. `record` may be cut off after the number of entries.
bool has_darwin_acl(std::string_view record);

/// Bytes of the reply up to the number of entries.
inline constexpr std::size_t darwin_acl_record = 72;

}  // namespace ffind::os
