// SPDX-License-Identifier: MIT
// Permissions as people write and read them: rules for them (644, u+w,go-w, u=rw, -022, /111; the
// grammar is in permissions.cpp), and a mode as chmod and ls have it. Used by the fields of the
// language and by whatever lists files. Must not know what a stat is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "text/problem.h"

namespace ffind::text {

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

/// Appends an st_mode as chmod takes it: 0644.
void append_permissions(std::string& out, std::uint64_t mode);

/// Appends an st_mode as ls does: drwxr-xr-x.
void append_mode_letters(std::string& out, std::uint32_t mode);

/// The letter of ls for it, '?' for one that is unknown.
char type_letter(FileType type);

}  // namespace ffind::text
