// SPDX-License-Identifier: MIT
// Sizes as people write and read them: `10M`, `1.5Gi`, `512`. Called by options, the expression
// language and whatever lists files. Must not know what has the size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/problem.h"
#include "text/range.h"

namespace ffind::text {

/// `10M` is the granule of its last digit, [10,000,000, 11,000,000); compared with, or as an end of
/// `a..b`, it is the exact number.
SizeRange parse_size_range(std::string_view text, const ValueSource& source);

enum class SizeUnits : std::uint8_t {
  decimal,  ///< k M G T P E: powers of 1000
  binary,   ///< Ki Mi Gi Ti Pi Ei: powers of 1024
};

/// Appends a size as parse_size_range reads it: 999, 1.2k, 12k, 1.0M. Never rounded up, so that it
/// names the granule that the size lies in, and `--size 1.2k` finds what is shown as 1.2k.
void append_human_size(std::string& out, std::uint64_t bytes, SizeUnits units);

}  // namespace ffind::text
