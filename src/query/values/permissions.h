// SPDX-License-Identifier: MIT
// Permissions as options write them: 644, u+w, -u=rw,go=r, /111. Used by the fields of the
// language.
#pragma once

#include <cstdint>
#include <string_view>

#include "query/values/problem.h"

namespace ffind {

/// A rule for the twelve lowest bits of a mode.
struct Permissions {
  enum class Rule : std::uint8_t { exact, all, any };

  Rule rule = Rule::exact;
  std::uint32_t bits = 0;     ///< 07777 at most
  std::uint32_t counted = 0;  ///< the bits that the rule is about

  bool hold_for(std::uint32_t mode) const;
  bool operator==(const Permissions&) const = default;
};

Permissions parse_permissions(std::string_view text, const ValueSource& source);

}  // namespace ffind
