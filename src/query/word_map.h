// SPDX-License-Identifier: MIT
// A read-only map from short texts, most of them of eight bytes or fewer, to values: extensions and
// names of files. Asked once for each file, by the tests of extensions and the table of kinds.
// Knows neither.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/eytzinger_map.h"
#include "text/ascii.h"

namespace ffind::query {

/// A text as a number, so that telling two apart is one comparison: its first eight bytes, and the
/// others behind them, which few texts have.
struct Word {
  std::uint64_t head = 0;
  std::string_view tail;

  explicit Word(std::string_view text)
      : head(text.size() < 8 ? text::load_partial_word(text.data(), text.size())
                             : text::load_word(text.data())),
        tail(text.size() > 8 ? text.substr(8) : std::string_view()) {}

  bool operator<(const Word& other) const {
    return head < other.head || (head == other.head && tail < other.tail);
  }
};

/// Texts without NULs. Immutable and thread-safe.
template <typename Value>
class WordMap {
 public:
  WordMap() = default;
  /// Of equal texts the first wins.
  explicit WordMap(std::vector<std::pair<std::string, Value>> entries)
      : texts_(std::move(entries)), map_(words_of(texts_)) {
    for (const auto& entry : texts_) longest_ = std::max(longest_, entry.first.size());
  }
  WordMap(const WordMap&) = delete;  // the words point into the texts
  WordMap& operator=(const WordMap&) = delete;
  WordMap(WordMap&&) noexcept = default;
  WordMap& operator=(WordMap&&) noexcept = default;

  std::size_t size() const { return map_.size(); }

  /// Null when it is not there.
  const Value* find(std::string_view text) const {
    if (text.size() > longest_) return nullptr;
    const auto it = map_.find(Word(text));
    return it == map_.end() ? nullptr : &it->second;
  }

  /// The same for ASCII in any case, where the map's own texts are in small letters.
  const Value* find_folded(std::string_view ascii) const {
    if (ascii.size() > longest_) return nullptr;
    if (ascii.size() <= 8) {
      Word word(ascii);
      word.head = text::fold_word(word.head);
      const auto it = map_.find(word);
      return it == map_.end() ? nullptr : &it->second;
    }
    return find(text::fold_ascii(ascii));
  }

 private:
  using Map = EytzingerMap<Word, Value>;
  using Texts = std::vector<std::pair<std::string, Value>>;

  static Map words_of(const Texts& texts) {
    std::vector<std::pair<Word, Value>> words;
    words.reserve(texts.size());
    for (const auto& [text, value] : texts) words.emplace_back(Word(text), value);
    return Map(words.begin(), words.end());
  }

  Texts texts_;  ///< never touched by a look-up; a vector's elements stay where they are when moved
  Map map_;
  std::size_t longest_ = 0;
};

}  // namespace ffind::query
