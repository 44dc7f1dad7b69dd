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

/// Where a word is, from the best place to the worst.
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
/// One of several. A whole directory is as good as the beginning of a name: `sched core` means
/// sched/core.c rather than sched_core.c.
constexpr Costs of_several = {0, 1, 4, 5, 6, 7, 9, 3, 6, 8, 11, 12};
/// Added if no word is in the name.
constexpr unsigned all_in_directories = 24;

constexpr unsigned most_cost = 1023;
constexpr std::size_t most_length = 2047;

bool ends_word(std::string_view text, std::size_t end) {
  return end >= text.size() || begins_word(text, end);
}

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

/// Calls `found` with each position of `word` in `text`, which is folded as the word is.
template <typename Found>
void for_each_place(std::string_view text, std::string_view word, Found found) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    found(at);
  }
}

}  // namespace

/// A text twice: as it is, for capitals, and as words are compared with it.
class Ranker::Subject {
 public:
  Subject(std::string_view text, text::KeyRules rules, std::string& folded,
          text::KeyScratch& scratch)
      : text_(text), key_(text) {
    if (text::is_ascii(text)) {
      if (!rules.folds()) return;
      folded.resize(text.size());
      std::transform(text.begin(), text.end(), folded.begin(),
                     [](char c) { return text::fold_ascii(c); });
      key_ = folded;
      return;
    }
    if (!text::is_utf8(text)) return;
    scratch.release();
    key_ = text::key_of(text, rules, scratch);
    // Its bytes may be at other positions than those of the text.
    text_ = key_;
  }
  std::string_view text() const { return text_; }
  std::string_view key() const { return key_; }

 private:
  std::string_view text_;
  std::string_view key_;
};

Ranker::Ranker(std::shared_ptr<const Ranking> ranking)
    : ranking_(std::move(ranking)), several_(ranking_->terms().size() > 1) {
  for (std::size_t term = 0; term < ranking_->terms().size(); ++term) {
    for (const RankWord& word : ranking_->terms()[term]) {
      words_.push_back({&word, term});
    }
  }
}

void Ranker::turn_to(std::string_view directory) {
  const Costs& costs = several_ ? of_several : of_one;
  for (Word& word : words_) {
    Place best = nowhere;
    const Subject subject(directory, word.typed->rules, folded_, scratch_);
    for_each_place(subject.key(), word.typed->key, [&](std::size_t at) {
      best = std::min(best, place_in_directory(subject.text(), at, word.typed->key.size()));
    });
    word.in_directory = costs[best];
  }
}

unsigned Ranker::cost(std::string_view path, std::size_t name_begin) {
  const Costs& costs = several_ ? of_several : of_one;
  unsigned sum = 0;
  bool in_name = false;
  for (std::size_t i = 0; i < words_.size();) {
    const std::size_t term = words_[i].term;
    unsigned best = costs[nowhere];
    for (; i < words_.size() && words_[i].term == term; ++i) {
      const RankWord& word = *words_[i].typed;
      unsigned here = words_[i].in_directory;
      const std::size_t slash = word.key.rfind('/');
      if (slash == std::string::npos) {
        const Subject name(path.substr(name_begin), word.rules, folded_, scratch_);
        Place place = nowhere;
        for_each_place(name.key(), word.key, [&](std::size_t at) {
          place = std::min(place, place_in_name(name.text(), at, word.key.size()));
        });
        if (place != nowhere) {
          in_name = true;
          here = std::min<unsigned>(here, costs[place]);
        }
      } else if (slash + 1 < word.key.size()) {
        // What follows the slash is the beginning of the name, or of a directory's.
        const Subject whole_path(path, word.rules, folded_, scratch_);
        const std::size_t begin = whole_path.text().rfind('/') + 1;
        for_each_place(whole_path.key(), word.key, [&](std::size_t at) {
          if (at + slash + 1 != begin) return;
          const Place place =
              place_in_name(whole_path.text().substr(begin), 0, word.key.size() - slash - 1);
          const bool at_part = at == 0 || whole_path.text()[at - 1] == '/';
          in_name = true;
          here = std::min(here, costs[place] + (at_part ? 0U : 1U));
        });
      }
      best = std::min(best, here);
    }
    sum += best;
  }
  if (several_ && !in_name) sum += all_in_directories;
  return std::min(sum, most_cost);
}

/// The cheapest word of each term. Words that match as typed have their letters next to each other,
/// which is cheap.
unsigned Ranker::cost_apart(std::string_view path, std::size_t name_begin) const {
  unsigned sum = 0;
  for (std::size_t i = 0; i < words_.size();) {
    const std::size_t term = words_[i].term;
    unsigned best = most_cost;
    for (; i < words_.size() && words_[i].term == term; ++i) {
      const RankWord& word = *words_[i].typed;
      if (word.apart && word.apart->is_in(path)) {
        best = std::min(best, word.apart->cost(path, name_begin));
      } else if (!word.apart) {
        best = std::min(best, words_[i].in_directory);
      }
    }
    sum += best;
  }
  return std::min(sum, most_cost);
}

Rank Ranker::rank(std::string_view path, std::size_t name_size, std::uint32_t directory) {
  const std::size_t name_begin = path.size() - std::min(path.size(), name_size);
  if (!turned_ || directory != directory_) {
    turn_to(path.substr(0, name_begin));
    directory_ = directory;
    turned_ = true;
  }
  const bool apart = ranking_->letters() == Ranking::Letters::apart;
  const unsigned sum = apart ? cost_apart(path, name_begin) : cost(path, name_begin);
  const auto length = [](std::size_t bytes) {
    return static_cast<Rank>(std::min(bytes, most_length));
  };
  return Rank{sum} << 22U | length(name_size) << 11U | length(path.size());
}

}  // namespace ffind::pick
