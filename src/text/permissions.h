// SPDX-License-Identifier: MIT
// Permissions as text: a parser of rules (644, u+w,go-w, u=rw, -022, /111; the grammar is in
// permissions.cpp), and modes written as by chmod and ls. For the fields of the language and for
// listings. Knows no stat.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "text/problem.h"

namespace ffind::text {

/// A rule for the twelve lowest bits of a mode.
struct Permissions {
  std::uint32_t bits = 0;     ///< 07777 at most, a subset of `counted`
  std::uint32_t counted = 0;  ///< the bits that the rule is about
  /// One of `bits` is enough; else the counted bits must equal `bits`.
  bool any = false;

  bool hold_for(std::uint32_t mode) const;
  bool operator==(const Permissions&) const = default;
};

/// Comparison with a mode; without a prefix all bits count.
enum class PermissionPrefix : std::uint8_t { none, all, any };

/// Reads find's syntax: 644 exactly, -644 or `all 644` at least these, /644 or `any 644` any of
/// these. A prefix is read only if none is given.
Permissions parse_permissions(std::string_view text, const ValueSource& source,
                              PermissionPrefix given = PermissionPrefix::none);

/// Returns text that parse_permissions reads as the same rule.
std::string to_text(const Permissions& permissions);

/// Appends an st_mode as for chmod: 0644.
void append_permissions(std::string& out, std::uint64_t mode);

/// Appends an st_mode as ls does: drwxr-xr-x.
void append_mode_letters(std::string& out, std::uint32_t mode);

/// Letter of the type in ls, '?' if unknown.
char type_letter(FileType type);

}  // namespace ffind::text
