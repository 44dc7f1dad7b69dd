// SPDX-License-Identifier: MIT
// Regular expressions: the only way to RE2, which no other file includes. Called by pattern.cpp for
// what the user wrote and by glob.cpp for what it translated. Knows no glob.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "query/patterns/pattern.h"
#include "text/unicode.h"

namespace ffind::query {

/// Unanchored. Throws UsageError for what RE2 refuses. `typed` is what the message shows: the
/// expression itself, or the glob that it was made from.
std::unique_ptr<const Pattern> make_regex(std::string_view regex, text::KeyRules rules,
                                          const text::ValueSource& source, std::string_view typed);

/// `regex`, which must be a valid one, for many lines in ASCII at once: claims of none that it does
/// not match although it does. Null where lines must be asked one by one.
std::unique_ptr<const Pattern> make_line_filter(std::string_view regex, text::KeyRules rules);

/// `bytes` in UTF-8, with a code point for each byte that is part of no character.
std::string as_characters(std::string_view bytes);
/// The way back.
std::string as_bytes(std::string_view characters);

/// `regex` for such texts, in UTF-8, to be run with case kept: of letters only those of ASCII are
/// folded, as literals fold them, but in classes that ask for case by themselves (\p{Lu}). \xE9 is
/// the letter and the byte.
std::string byte_regex(std::string_view regex, text::KeyCase key_case);

}  // namespace ffind::query
