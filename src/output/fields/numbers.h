// SPDX-License-Identifier: MIT
// Numbers as text: digits, sizes for people, permissions. Used by templates, NDJSON and long
// listings. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "ffind/entry.h"

namespace ffind {

enum class SizeUnits : std::uint8_t {
  decimal,  ///< k M G T P E: powers of 1000
  binary,   ///< Ki Mi Gi Ti Pi Ei: powers of 1024
};

/// Appends it in decimal digits.
void append_number(std::string& out, std::uint64_t number);

/// Appends an st_mode as chmod takes it: 0644.
void append_permissions(std::string& out, std::uint64_t mode);

/// Appends a size as `--size` reads it: 999, 1.2k, 12k, 1.0M. Never rounded up, so that it names
/// the granule that the size lies in, and `--size 1.2k` finds what is shown as 1.2k.
void append_human_size(std::string& out, std::uint64_t bytes, SizeUnits units);

/// The letter of ls for it, '?' for one that is unknown.
char type_letter(FileType type);

/// Appends an st_mode as ls does: drwxr-xr-x.
void append_mode_letters(std::string& out, std::uint32_t mode);

}  // namespace ffind
