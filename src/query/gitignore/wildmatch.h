// SPDX-License-Identifier: MIT
// Patterns of ignore files as git's wildmatch reads them: bytes, not characters. Used by rules.cpp
// and its tests. The globs of the command line are patterns/glob.h's, and mean other things.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ffind::query {

/// Whether a letter of ASCII matches the other case's: git's core.ignoreCase.
enum class LetterCase : std::uint8_t { kept, ignored };

/// False for what git never matches with anything: a class that is not closed or of an unknown
/// name, a backslash with nothing behind it.
bool can_match(std::string_view pattern);

/// Whether `pattern` matches all of `name`, in which there is no slash; `**` is `*`. `steps`, where
/// it is not null, grows by the work done: at most pattern times name, whatever the pattern.
bool matches_name(std::string_view pattern, std::string_view name,
                  LetterCase letters = LetterCase::kept, std::uint64_t* steps = nullptr);

/// The same for a path, whose slashes nothing but a slash and `**` between slashes matches.
bool matches_path(std::string_view pattern, std::string_view path,
                  LetterCase letters = LetterCase::kept, std::uint64_t* steps = nullptr);

}  // namespace ffind::query
