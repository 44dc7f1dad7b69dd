// SPDX-License-Identifier: MIT
// Read-only map from short texts, most of eight bytes or fewer, to values: extensions and names of
// files. Tests of extensions, the table of kinds and colours look up each file in it.
//
// Texts are compared as numbers, their first eight bytes, and stored in Eytzinger's order (the root
// of a search tree, its two children, their four...), so that the first steps of all look-ups share
// a few cache lines and each step is one comparison without a branch:
//
//     sorted   a b c d e f g        as a tree      d
//     stored   d b f a c e g                     b   f
//                                               a c e g
//
// A look-up among 1,000 short strings takes half of the time of std::map or a sorted vector
// (tests/bench/look_ups.cpp), and 0.59 of it for strings that are stored as they are.
#pragma once

#include <algorithm>
#include <bit>
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
    nodes_.assign(entries_.size(), Node{Word(std::string_view()), 0});
    std::size_t rank = 0;
    fill_subtree(1, rank);
    for (const auto& entry : entries_) longest_ = std::max(longest_, entry.first.size());
  }
  WordMap(const WordMap&) = delete;  // the nodes point into the texts
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
  struct Node {
    Word word;
    std::size_t entry;
  };

  // Nodes are numbered from 1: the children of k are 2k and 2k + 1.

  /// Fills the subtree of `node` with the entries from `rank` on, in order.
  void fill_subtree(std::size_t node, std::size_t& rank) {
    if (node > nodes_.size()) return;
    fill_subtree(2 * node, rank);
    nodes_[node - 1] = {Word(entries_[rank].first), rank};
    ++rank;
    fill_subtree(2 * node + 1, rank);
  }

  /// Goes right if the node's word is less. The binary digits of the final number are the turns, so
  /// removing the trailing turns to the right, and the left one before them, leads back to the
  /// first word that is not less.
  const Value* find_word(const Word& word) const {
    std::size_t node = 1;
    while (node <= nodes_.size()) node = 2 * node + (nodes_[node - 1].word < word ? 1 : 0);
    node >>= std::countr_one(node) + 1;
    if (node == 0 || word < nodes_[node - 1].word) return nullptr;
    return &entries_[nodes_[node - 1].entry].second;
  }

  std::vector<std::pair<std::string, Value>> entries_;  ///< sorted; elements stay put when moved
  std::vector<Node> nodes_;
  std::size_t longest_ = 0;
};

}  // namespace ffind::text
