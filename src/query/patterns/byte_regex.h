// SPDX-License-Identifier: MIT
// Expressions matched against texts that are not UTF-8. Such a text is read as characters all the
// same: what is valid UTF-8 in it is what it says, each other byte is a character of its own, one
// that means nothing but that byte. So a class, a dot or \W takes a whole character there too.
// Called by regex.cpp and glob.cpp. Knows no engine.
#pragma once

#include <string>
#include <string_view>

#include "text/key.h"

namespace ffind::query {

/// `bytes` in UTF-8, with a code point for each byte that is part of no character.
std::string as_characters(std::string_view bytes);
/// The way back.
std::string as_bytes(std::string_view characters);

/// `regex` for such texts, in UTF-8, to be run with case kept: of letters only those of ASCII are
/// folded, as literals fold them, but in classes that ask for case by themselves (\p{Lu}). \xE9 is
/// the letter and the byte.
std::string byte_regex(std::string_view regex, text::KeyCase key_case);

}  // namespace ffind::query
