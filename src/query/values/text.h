// SPDX-License-Identifier: MIT
// Spelling values as the expression language reads them. Used by the tests' text().
#pragma once

#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "query/values/range.h"

namespace ffind {

/// In double quotes, with \" \\ \n \t and \xNN for what would not survive otherwise.
std::string quoted(std::string_view text);
/// RFC 3339 in UTC, with as many decimals of the second as it takes.
std::string timestamp(Nanoseconds time);

std::string range_text(std::string_view field, const SizeRange& range);
std::string range_text(std::string_view field, const TimeRange& range);
std::string range_text(std::string_view field, const DepthRange& range);

}  // namespace ffind
