// SPDX-License-Identifier: MIT
// Letters apart: `mnc` for main.c. A word is found in a path if its letters follow one another
// there, with anything in between. Used once nothing matches a prompt as it was typed.
//
//     LettersApart    is_in()     the test, one pass over the path
//                     places()    of the letters: in the name if all are, at the beginnings of
//                                 words if they can be
//                     cost()      of those places: low if they are compact, too
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/query.h"
#include "text/unicode.h"

namespace ffind::pick {

/// True if a word begins at `at`: after a byte that is no letter or digit, or with a capital after
/// a small letter. Bytes beyond ASCII are letters.
bool begins_word(std::string_view text, std::size_t at);
/// True if a word ends before `end`.
bool ends_word(std::string_view text, std::size_t end);

/// Immutable and thread-safe.
class LettersApart {
 public:
  /// Letters of longer words need not be apart: they match only as typed.
  static constexpr std::size_t most_letters = 48;

  /// `key` is the word as patterns compare it, made by `rules`.
  LettersApart(std::string_view key, text::KeyRules rules);

  const std::string& key() const { return key_; }
  bool is_in(std::string_view path) const;
  /// Returns a lower number for a better match, nullopt for none; the name begins at `name`.
  std::optional<unsigned> cost(std::string_view path, std::size_t name) const;
  /// Returns the positions of the matched letters, ascending; none if the path lacks one.
  std::vector<std::size_t> places(std::string_view path, std::size_t name) const;

 private:
  using Places = std::array<std::size_t, most_letters>;
  bool find(std::string_view path, std::size_t name, Places& found) const;

  std::string key_;
  std::u32string letters_;
  std::string bytes_;  ///< the same if all are ASCII; else empty
  text::KeyRules rules_;
};

/// The test of an entry's path.
std::shared_ptr<const Test> letters_apart_test(std::shared_ptr<const LettersApart> letters);

}  // namespace ffind::pick
