// SPDX-License-Identifier: MIT
// A command line of find, fd, rg, grep, locate, ls or mdfind as one of ours that finds the same:
// what run.cpp adds to an error, ready to paste. Pure: words in, words out; what is on disk is
// handed in as a function.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ffind::cli {

using Words = std::vector<std::string>;

/// What a path names, its last component not followed: a link is a link.
enum class Place : unsigned char { missing, directory, link_to_directory, link, other };
using PlaceOf = std::function<Place(const std::string&)>;

/// The result of translate().
struct Translation {
  std::optional<Words> line{};  ///< our words, without the program's name
  std::string culprit{};        ///< the word that has no counterpart here, if that is why
};

/// No line if there is nothing to correct, or no way to say the same here.
Translation translate(const Words& words, const PlaceOf& place_of);

/// The same for a line that holds predicates of find (find_line.cpp).
Translation translate_find(const Words& words, const PlaceOf& place_of);

/// True for a predicate of find, as `-name`; a dash too many is forgiven.
bool is_find_predicate(std::string_view word);

/// `ffind` and the words, for a shell to read back.
std::string line_to_paste(const Words& words);

}  // namespace ffind::cli
