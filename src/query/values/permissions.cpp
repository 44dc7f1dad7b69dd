// SPDX-License-Identifier: MIT
// Reading permissions. See permissions.h.
#include "query/values/permissions.h"

namespace ffind {

bool Permissions::hold_for(std::uint32_t mode) const {
  return (mode & counted) == bits;
}

Permissions parse_permissions(std::string_view text, const ValueSource& source) {
  fail_at(source, text, 0, "permissions are not there yet");
}

}  // namespace ffind
