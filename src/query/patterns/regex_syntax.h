// SPDX-License-Identifier: MIT
// What can be read off a regular expression without running it: whether it has upper case, whether
// it is a mere literal, what every match must contain. Of an expression that RE2 refuses, anything
// is allowed here. Called by pattern.cpp and regex.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ffind::query {

/// For smart case: whether a literal letter is in upper case.
bool regex_has_upper_case(std::string_view regex);

struct PlainLiteral {
  std::string text;
  bool at_start = false;
  bool at_end = false;
};

/// The literal that `regex` comes down to, if it is no more than one between anchors or `.*` (the
/// dot matching everything).
std::optional<PlainLiteral> plain_literal(std::string_view regex);

/// The longest text that every match contains, up to folding where case is ignored; empty when
/// none is plain to see. `regex` must be UTF-8.
std::string required_literal(std::string_view regex);

/// `regex`, which must be UTF-8, with letters that are written by their numbers as themselves where
/// they compose with their neighbours: e\x{301}. Not in classes, where none has any.
std::string regex_with_letters_spelt_out(std::string_view regex);

/// Where a group has the name of an earlier group; nothing if none has.
std::optional<std::size_t> second_group_of_a_name(std::string_view regex);

/// `regex`, which must be UTF-8, with each letter as it is without its accents. A letter that is
/// nothing but an accent is left out; so are those that belong to the letter before.
std::string regex_without_accents(std::string_view regex);

}  // namespace ffind::query
