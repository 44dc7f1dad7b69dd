// SPDX-License-Identifier: MIT
// Ranks of entries by how well they match the prompt: numbers that the list is sorted by.
//
//     Ranking    the words of a query. Made with the matcher, shared by all threads.
//     Ranker     ranks entries for one thread, the words in directories once for each directory.
//
// The first of these places in which a word is found counts:
//
//     the whole name; the name without its extension
//     the beginning of the name, of a word in it, anywhere in it: rather as a whole word
//     a whole directory, its beginning, a word's beginning in it, anywhere in the path
//
// Entries that are equal so far: the shorter name, then the shorter path. Nothing of that is read
// from a file system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pick/letters_apart.h"
#include "text/unicode.h"

namespace ffind::pick {

/// Lower for better matches.
using Rank = std::uint32_t;

/// A text that was typed.
struct RankWord {
  std::string key;  ///< as patterns compare it
  text::KeyRules rules;
  std::shared_ptr<const LettersApart> apart{};  ///< null: matches as typed only
};

/// Words joined by |, the best of which counts.
using RankTerm = std::vector<RankWord>;

/// Immutable and thread-safe. All terms count.
class Ranking {
 public:
  enum class Letters : std::uint8_t { joined, apart };

  Ranking(std::vector<RankTerm> terms, Letters letters)
      : terms_(std::move(terms)), letters_(letters) {}
  const std::vector<RankTerm>& terms() const { return terms_; }
  Letters letters() const { return letters_; }

 private:
  std::vector<RankTerm> terms_;
  Letters letters_;
};

/// For one thread.
class Ranker {
 public:
  explicit Ranker(std::shared_ptr<const Ranking> ranking);

  /// Ranks the entry with this path and a name of this size. `directory` identifies the directory:
  /// if it is that of the last call, so is all of the path before the name.
  Rank rank(std::string_view path, std::size_t name_size, std::uint32_t directory);

 private:
  /// One word of a term, and what is known of the present directory.
  struct Word {
    const RankWord* typed;
    std::size_t term;
    std::size_t slash;          ///< the last one in its key, or npos
    unsigned in_directory = 0;  ///< the cost there
  };
  void turn_to(std::string_view directory);
  unsigned cost(std::string_view path, std::size_t name_begin);
  unsigned cost_apart(std::string_view path, std::size_t name_begin) const;

  const std::shared_ptr<const Ranking> ranking_;
  std::vector<Word> words_;
  const bool several_;  ///< there are several terms
  bool turned_ = false;
  std::uint32_t directory_ = 0;
  text::KeyScratch scratch_;
};

}  // namespace ffind::pick
