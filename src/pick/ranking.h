// SPDX-License-Identifier: MIT
// Ranks of entries by how well they match the prompt: numbers that the list is sorted by.
//
//     Ranking    the words of a query. Made with the matcher, shared by all threads.
//     Ranker     ranks entries for one thread, the words in directories once for each directory. It
//                thereby knows which words are in the path, and decides about prompts of nothing
//                else.
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
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/query.h"
#include "pick/letters_apart.h"
#include "query/patterns/byte_finder.h"
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

/// Immutable once it is shared. All terms count.
struct Ranking {
  std::vector<RankTerm> terms{};
  bool apart = false;  ///< letters are
  /// An entry matches the query if the path has a word of each term. All of the query is in the
  /// terms then, and all words are ASCII.
  bool decides = false;
};

/// Matcher of a query, and ranking of its matches.
struct Criteria {
  std::shared_ptr<const Matcher> matcher{};  ///< null: everything matches
  std::shared_ptr<const Ranking> ranking{};  ///< null: nothing is ranked
};

/// Ranks entries of one directory after the other. For one thread.
class Ranker {
 public:
  enum class Verdict : std::uint8_t { matches, differs, unknown };

  explicit Ranker(std::shared_ptr<const Ranking> ranking);

  /// True if enter() was last called for this directory.
  bool is_in(std::uint32_t directory) const { return entered_ && directory == directory_; }
  /// `path` is that of the directory, empty or with a slash at its end.
  void enter(std::uint32_t directory, std::string_view path);

  /// Finds out if the entry of this name in the directory matches, by the words alone, and ranks it
  /// if so. Unknown if the ranking does not decide, or for names outside ASCII: the matcher knows.
  Verdict judge(std::string_view name, Rank& rank);
  /// Ranks the entry with this path in the directory, which matches.
  Rank rank(std::string_view path, std::size_t name_size);

 private:
  /// A word, and what is known of the present directory.
  struct Word {
    const RankWord* typed;
    std::size_t slash;                           ///< the last one in its key, or npos
    std::optional<query::AsciiFinder> finder{};  ///< of the key, if it is ASCII
    unsigned in_directory = 0;                   ///< the cost there
    bool leads_into_name = false;                ///< the directory ends with all up to that slash
    bool begins_with_part = false;               ///< which begins with the name of a directory then
  };
  struct Cost {
    unsigned sum;
    bool has_all;  ///< each term has a word in the path
  };
  Cost cost(std::string_view name, bool is_ascii);
  unsigned cost_of(const Word& word, std::string_view name, bool is_ascii, bool& in_name);
  unsigned cost_apart(std::string_view path, std::size_t name_begin) const;
  Rank rank_of(unsigned cost, std::size_t name_size) const;

  const std::shared_ptr<const Ranking> ranking_;
  std::vector<std::vector<Word>> terms_;
  const bool several_;  ///< there are several terms
  bool entered_ = false;
  std::uint32_t directory_ = 0;
  std::size_t path_size_ = 0;  ///< of the directory
  bool decides_here_ = false;  ///< its path is ASCII
  text::KeyScratch scratch_;
};

}  // namespace ffind::pick
