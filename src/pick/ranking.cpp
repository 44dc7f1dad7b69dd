// SPDX-License-Identifier: MIT
// Costs of the places of words, and the number made of them.
//
//     bits    31 .. 22    cost, the sum over the terms
//             21 .. 11    bytes of the name
//             10 ..  0    bytes of the path
#include "pick/ranking.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::pick {
namespace {

/// Places of a word, from the best to the worst.
enum Place : unsigned char {
  whole,
  stem,  ///< all before a dot
  name_begin_word,
  name_begin,
  name_word_whole,
  name_word,
  name_inside,
  part_whole,  ///< of a directory
  part_begin,
  part_word,
  part_inside,
  nowhere,  ///< as typed: it matched by another rule
  places
};

using Costs = std::array<unsigned char, places>;
/// A single word: in the order of the places.
constexpr Costs of_one = {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12};
/// One of several. A whole directory costs less than the beginning of a name: `sched core` means
/// sched/core.c rather than sched_core.c.
constexpr Costs of_several = {0, 1, 4, 5, 6, 7, 9, 3, 6, 8, 11, 12};
/// Added if no word is in the name.
constexpr unsigned all_in_directories = 24;
/// Added for what a system leaves in directories, whose short names would come first there, if no
/// word is in the name.
constexpr unsigned is_left_by_a_system = 8;

bool is_of_a_system(std::string_view name) {
  return name.starts_with('.') || name == "Thumbs.db" || name == "desktop.ini";
}

constexpr unsigned most_cost = 1023;
constexpr std::size_t most_length = 2047;

/// Place of a word of `size` bytes at `at` in the name `name`.
Place place_in_name(std::string_view name, std::size_t at, std::size_t size) {
  // The dot of a hidden file is not typed.
  const std::size_t begin = name.starts_with('.') && at > 0 ? 1 : 0;
  if (at == begin) {
    if (size == name.size()) return whole;
    const std::size_t end = at + size;
    if (end == name.size() || name[end] == '.') return stem;
    return ends_word(name, end) ? name_begin_word : name_begin;
  }
  if (!begins_word(name, at)) return name_inside;
  return ends_word(name, at + size) ? name_word_whole : name_word;
}

/// Place of a word at `at` in the path of a directory, which ends with a slash.
Place place_in_directory(std::string_view path, std::size_t at, std::size_t size) {
  if (at == 0 || path[at - 1] == '/') {
    const std::size_t end = at + size;
    const bool ends = path[end - 1] == '/' || (end < path.size() && path[end] == '/');
    return ends ? part_whole : part_begin;
  }
  return begins_word(path, at) ? part_word : part_inside;
}

/// True if `text` begins with `word`, ASCII letters folded if `folds`.
bool begins_with(std::string_view text, std::string_view word, bool folds) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [folds](char of_word, char c) {
           return (folds ? text::fold_ascii(c) : c) == of_word;
         });
}

/// Calls `found` with each position of `word` in `text`, ASCII letters folded if `folds`, until it
/// returns false. No copy is made: this is called for each match, with names of 12 bytes.
template <typename Found>
void for_each_place(std::string_view text, std::string_view word, bool folds, Found found) {
  // A letter in either case differs in one bit: a million names that contain it take 70 ns each, 77
  // without this look at the first byte.
  const auto bit = static_cast<unsigned char>(folds && text::is_lower(word[0]) ? 'a' ^ 'A' : 0);
  const auto first = static_cast<unsigned char>(word[0]);
  for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) | bit) != first) continue;
    if (begins_with(text.substr(at), word, folds) && !found(at)) return;
  }
}

/// Returns what a word is looked for in: the text itself, or its key if it is not ASCII. Capitals
/// in a folded key are lost, and with them some beginnings of words.
std::string_view subject_of(std::string_view text, text::KeyRules rules,
                            text::KeyScratch& scratch) {
  if (text::is_ascii(text) || !text::is_utf8(text)) return text;
  scratch.release();
  return text::key_of(text, rules, scratch);
}

}  // namespace

Ranker::Ranker(std::shared_ptr<const Ranking> ranking)
    : ranking_(std::move(ranking)), several_(ranking_->terms.size() > 1) {
  for (const RankTerm& term : ranking_->terms) {
    std::vector<Word>& words = terms_.emplace_back();
    for (const RankWord& word : term) {
      words.push_back({&word, word.key.rfind('/')});
      if (text::is_ascii(word.key)) {
        words.back().finder.emplace(
            word.key, word.rules.folds() ? text::KeyCase::folded : text::KeyCase::kept);
      }
    }
  }
}

void Ranker::enter(std::uint32_t directory, std::string_view path) {
  entered_ = true;
  directory_ = directory;
  path_size_ = path.size();
  decides_here_ = ranking_->decides && text::is_ascii(path);
  const Costs& costs = several_ ? of_several : of_one;
  const auto enter_with = [&](Word& word) {
    const RankWord& typed = *word.typed;
    const bool folds = typed.rules.folds();
    const std::string_view all = subject_of(path, typed.rules, scratch_);
    Place best = nowhere;
    for_each_place(all, typed.key, folds, [&](std::size_t at) {
      best = std::min(best, place_in_directory(all, at, typed.key.size()));
      return best != part_whole;
    });
    word.in_directory = costs[best];
    word.leads_into_name = false;
    if (word.slash == std::string::npos || word.slash + 1 == typed.key.size()) return;
    const std::string_view head = std::string_view(typed.key).substr(0, word.slash + 1);
    if (head.size() > all.size()) return;
    const std::size_t begin = all.size() - head.size();
    word.leads_into_name = begins_with(all.substr(begin), head, folds);
    word.begins_with_part = begin == 0 || all[begin - 1] == '/';
  };
  for (std::vector<Word>& term : terms_) {
    for (Word& word : term) enter_with(word);
  }
}

Ranker::Cost Ranker::cost(std::string_view name, bool is_ascii) {
  const unsigned none = (several_ ? of_several : of_one)[nowhere];
  Cost whole_cost{0, true};
  bool in_name = false;
  for (const std::vector<Word>& term : terms_) {
    unsigned best = none;
    for (const Word& word : term) best = std::min(best, cost_of(word, name, is_ascii, in_name));
    whole_cost.sum += best;
    whole_cost.has_all = whole_cost.has_all && best != none;
  }
  if (several_ && !in_name) whole_cost.sum += all_in_directories;
  if (!in_name && is_of_a_system(name)) whole_cost.sum += is_left_by_a_system;
  return whole_cost;
}

/// Sets `in_name` if the word is in the name.
unsigned Ranker::cost_of(const Word& word, std::string_view name, bool is_ascii, bool& in_name) {
  const RankWord& typed = *word.typed;
  const bool has_slash = word.slash != std::string::npos;
  // Most names do not have it.
  const bool is_absent =
      has_slash ? !word.leads_into_name : is_ascii && word.finder && !word.finder->found_in(name);
  if (is_absent) return word.in_directory;
  const std::string_view subject = is_ascii ? name : subject_of(name, typed.rules, scratch_);
  Place place = nowhere;
  if (has_slash) {
    // The text after the slash is the beginning of the name.
    const std::string_view rest = std::string_view(typed.key).substr(word.slash + 1);
    if (begins_with(subject, rest, typed.rules.folds())) {
      place = place_in_name(subject, 0, rest.size());
    }
  } else {
    for_each_place(subject, typed.key, typed.rules.folds(), [&](std::size_t at) {
      place = std::min(place, place_in_name(subject, at, typed.key.size()));
      return place > name_word_whole;
    });
  }
  if (place == nowhere) return word.in_directory;
  in_name = true;
  const unsigned cost = (several_ ? of_several : of_one)[place];
  return std::min(word.in_directory, has_slash && !word.begins_with_part ? cost + 1 : cost);
}

/// The cheapest word of each term. Words that match as typed have their letters next to each other,
/// which is cheap.
unsigned Ranker::cost_apart(std::string_view path, std::size_t name_begin) const {
  unsigned sum = 0;
  for (const std::vector<Word>& term : terms_) {
    unsigned best = most_cost;
    for (const Word& word : term) {
      const LettersApart* const apart = word.typed->apart.get();
      const auto cost = apart ? apart->cost(path, name_begin) : std::optional(word.in_directory);
      best = std::min(best, cost.value_or(most_cost));
    }
    sum += best;
  }
  return sum;
}

Rank Ranker::rank_of(unsigned cost, std::size_t name_size) const {
  const auto length = [](std::size_t bytes) {
    return static_cast<Rank>(std::min(bytes, most_length));
  };
  return Rank{std::min(cost, most_cost)} << 22U | length(name_size) << 11U |
         length(path_size_ + name_size);
}

Ranker::Verdict Ranker::judge(std::string_view name, Rank& rank) {
  if (!decides_here_ || !text::is_ascii(name)) return Verdict::unknown;
  const Cost found = cost(name, true);
  if (!found.has_all) return Verdict::differs;
  rank = rank_of(found.sum, name.size());
  return Verdict::matches;
}

Rank Ranker::rank(std::string_view path, std::size_t name_size) {
  const std::size_t name_begin = path.size() - std::min(path.size(), name_size);
  const std::string_view name = path.substr(name_begin);
  return rank_of(
      ranking_->apart ? cost_apart(path, name_begin) : cost(name, text::is_ascii(name)).sum,
      name.size());
}

}  // namespace ffind::pick
