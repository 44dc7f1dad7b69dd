// SPDX-License-Identifier: MIT
// Regular expressions: the only way to RE2, which no other file includes. Called by pattern.cpp for
// what the user wrote and by glob.cpp for what it translated. Knows no glob.
#pragma once

#include <memory>
#include <string_view>

#include "query/patterns/pattern.h"
#include "text/key.h"

namespace ffind::query {

/// Unanchored. Throws UsageError for what RE2 refuses. `typed` is what the message shows: the
/// expression itself, or the glob that it was made from.
std::unique_ptr<const Pattern> make_regex(std::string_view regex, text::KeyRules rules,
                                          const text::ValueSource& source, std::string_view typed);

/// `regex`, which must be a valid one, for many lines in ASCII at once: claims of none that it does
/// not match although it does. Null where lines must be asked one by one.
std::unique_ptr<const Pattern> make_line_filter(std::string_view regex, text::KeyRules rules);

}  // namespace ffind::query
