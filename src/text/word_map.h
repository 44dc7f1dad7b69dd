// SPDX-License-Identifier: MIT
// Read-only map from short texts, most of eight bytes or fewer, to values: extensions and names of
// files. Tests of extensions, the table of kinds and colours look up each file in it.
//
// Texts are compared as numbers, their first eight bytes, in a sorted array: a look-up is a binary
// search over 24 bytes a text, most of whose steps are one comparison.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/ascii.h"

namespace ffind::text {

/// A text without NULs as a number and a rest, so that one comparison orders most texts.
struct Word {
  std::uint64_t head = 0;
  std::string_view tail;  ///< after the first eight bytes; empty for most texts

  explicit Word(std::string_view text)
      : head(text.size() < 8 ? load_partial_word(text.data(), text.size())
                             : load_word(text.data())),
        tail(text.size() > 8 ? text.substr(8) : std::string_view()) {}

  bool operator<(const Word& other) const {
    return head < other.head || (head == other.head && tail < other.tail);
  }
};

/// Map from texts without NULs. Immutable, thread-safe.
template <typename Value>
class WordMap {
 public:
  WordMap() = default;
  /// The first of equal texts wins.
  explicit WordMap(std::vector<std::pair<std::string, Value>> entries)
      : entries_(std::move(entries)) {
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const auto& a, const auto& b) { return Word(a.first) < Word(b.first); });
    entries_.erase(std::unique(entries_.begin(), entries_.end(),
                               [](const auto& a, const auto& b) { return a.first == b.first; }),
                   entries_.end());
    words_.reserve(entries_.size());
    for (const auto& entry : entries_) {
      words_.emplace_back(entry.first);
      longest_ = std::max(longest_, entry.first.size());
    }
  }
  WordMap(const WordMap&) = delete;  // the words point into the texts
  WordMap& operator=(const WordMap&) = delete;
  WordMap(WordMap&&) noexcept = default;
  WordMap& operator=(WordMap&&) noexcept = default;

  std::size_t size() const { return entries_.size(); }

  /// Null if `text` is not in the map.
  const Value* find(std::string_view text) const {
    return text.size() > longest_ ? nullptr : find_word(Word(text));
  }

  /// Looks up ASCII in any case, in a map of lower-case texts.
  const Value* find_folded(std::string_view ascii) const {
    if (ascii.size() > longest_) return nullptr;
    if (ascii.size() > 8) return find(fold_ascii(ascii));
    Word word(ascii);
    word.head = fold_word(word.head);
    return find_word(word);
  }

 private:
  const Value* find_word(const Word& word) const {
    const auto at = std::lower_bound(words_.begin(), words_.end(), word);
    if (at == words_.end() || word < *at) return nullptr;
    return &entries_[static_cast<std::size_t>(at - words_.begin())].second;
  }

  std::vector<std::pair<std::string, Value>> entries_;  ///< sorted; elements stay put when moved
  std::vector<Word> words_;                             ///< of `entries_`
  std::size_t longest_ = 0;
};

}  // namespace ffind::text
