// SPDX-License-Identifier: MIT
// Regular expressions in RE2's syntax, and the form of texts that are not UTF-8 which RE2 can
// match.
//
// Such a text is read as a sequence of characters as well: valid UTF-8 in it means what it says,
// and each other byte becomes a code point that is used for nothing else. So a class, a dot or \W
// matches a whole character there, too.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "query/patterns/pattern.h"
#include "text/unicode.h"

namespace ffind::query {

/// Compiles `regex`, unanchored. Throws UsageError if RE2 rejects it; the message shows `typed`,
/// which is the expression itself or the glob that it was translated from.
std::unique_ptr<const Pattern> make_regex(std::string_view regex, text::KeyRules rules,
                                          const text::ValueSource& source, std::string_view typed);

/// Compiles a valid `regex` to be matched against many ASCII lines at once. If the result does not
/// match, none of the lines does. Null if the expression has to be matched line by line.
std::unique_ptr<const Pattern> make_line_filter(std::string_view regex, text::KeyRules rules);

/// Converts `bytes` to UTF-8, each byte that is not part of a character to a code point of its own.
std::string as_characters(std::string_view bytes);
/// Inverse of as_characters.
std::string as_bytes(std::string_view characters);

/// Rewrites `regex` for such texts. The result is UTF-8 and to be matched case-sensitively: folding
/// is written out and limited to ASCII letters, as for literals, except in classes that depend on
/// case themselves (\p{Lu}). \xE9 becomes a class of the letter and the byte.
std::string byte_regex(std::string_view regex, text::KeyCase key_case);

}  // namespace ffind::query
