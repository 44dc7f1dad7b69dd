// SPDX-License-Identifier: MIT
// Permissions as options write them: 644, u+w,go-w, u=rw, -022, /111. Used by the fields of the
// language; permissions.cpp has the grammar.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "query/values/problem.h"

namespace ffind {

/// A rule for the twelve lowest bits of a mode.
struct Permissions {
  std::uint32_t bits = 0;     ///< 07777 at most, all of them among `counted`
  std::uint32_t counted = 0;  ///< the bits that the rule is about
  /// One of `bits` is enough; else what is counted must be just these.
  bool any = false;

  bool hold_for(std::uint32_t mode) const;
  bool operator==(const Permissions&) const = default;
};

Permissions parse_permissions(std::string_view text, const ValueSource& source);

/// What parse_permissions reads as the same rule.
std::string to_text(const Permissions& permissions);

}  // namespace ffind
