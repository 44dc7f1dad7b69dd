// SPDX-License-Identifier: MIT
// A map that is built once and only read: its keys lie in the order in which a search meets them
// (the root of a search tree, its two children, their four...), so that the first steps of every
// look-up share a few cache lines, and each step is one comparison without a branch. Made for
// tables of extensions and kinds; modelled on what M. Kazakov's fixed_eytzinger_map offers.
// Standard C++ only.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace ffind {

/// Like std::map, with these differences: nothing can be added or changed, iteration follows no
/// order, and a reference is a pair of references, since keys and values are kept apart: a look-up
/// touches keys only. Of equal keys the first wins. Keys and values need to be movable, no more.
/// Immutable after construction, so threads may share one.
///
///     sorted   a b c d e f g        as a tree      d
///     kept     d b f a c e g                     b   f
///                                               a c e g
template <typename Key, typename Value, typename Compare = std::less<>>
class EytzingerMap {
  // std::vector<bool> has no elements to refer to; a struct with a bool has.
  struct KeySlot {
    Key key;
  };
  struct ValueSlot {
    Value value;
  };

 public:
  using key_type = Key;
  using mapped_type = Value;
  using value_type = std::pair<Key, Value>;
  using key_compare = Compare;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;

  /// What an iterator gives: structured bindings take it apart.
  struct const_reference {
    const Key& first;
    const Value& second;

    constexpr operator value_type() const { return {first, second}; }  // NOLINT: as a pair's
  };
  using reference = const_reference;

  class const_iterator {
   public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // its reference is no true one
    using value_type = typename EytzingerMap::value_type;
    using difference_type = std::ptrdiff_t;
    using reference = const_reference;
    struct pointer {
      const_reference of;
      constexpr const const_reference* operator->() const { return &of; }
    };

    constexpr const_iterator() = default;

    constexpr reference operator*() const { return {key_->key, value_->value}; }
    constexpr pointer operator->() const { return {**this}; }
    constexpr reference operator[](difference_type n) const { return *(*this + n); }

    constexpr const_iterator& operator+=(difference_type n) {
      key_ += n;
      value_ += n;
      return *this;
    }
    constexpr const_iterator& operator-=(difference_type n) { return *this += -n; }
    constexpr const_iterator& operator++() { return *this += 1; }
    constexpr const_iterator& operator--() { return *this += -1; }
    constexpr const_iterator operator++(int) { return std::exchange(*this, *this + 1); }
    constexpr const_iterator operator--(int) { return std::exchange(*this, *this - 1); }

    friend constexpr const_iterator operator+(const_iterator it, difference_type n) {
      return it += n;
    }
    friend constexpr const_iterator operator+(difference_type n, const_iterator it) {
      return it += n;
    }
    friend constexpr const_iterator operator-(const_iterator it, difference_type n) {
      return it -= n;
    }
    friend constexpr difference_type operator-(const const_iterator& a, const const_iterator& b) {
      return a.key_ - b.key_;
    }
    friend constexpr bool operator==(const const_iterator& a, const const_iterator& b) {
      return a.key_ == b.key_;
    }
    friend constexpr auto operator<=>(const const_iterator& a, const const_iterator& b) {
      return a.key_ <=> b.key_;
    }

   private:
    friend class EytzingerMap;
    constexpr const_iterator(const KeySlot* key, const ValueSlot* value)
        : key_(key), value_(value) {}

    const KeySlot* key_ = nullptr;
    const ValueSlot* value_ = nullptr;
  };
  using iterator = const_iterator;

  constexpr EytzingerMap() = default;
  constexpr explicit EytzingerMap(Compare compare) : compare_(std::move(compare)) {}

  /// Of pairs in any order; std::move_iterator moves out of them.
  template <typename Iterator, typename Sentinel>
  constexpr EytzingerMap(Iterator first, Sentinel last, Compare compare = {})
      : compare_(std::move(compare)) {
    std::vector<Item> items;
    if constexpr (std::sized_sentinel_for<Sentinel, Iterator>) {
      items.reserve(static_cast<size_type>(last - first));
    }
    for (; first != last; ++first) {
      auto&& pair = *first;
      using Pair = decltype(pair);
      items.push_back({Key(std::forward<Pair>(pair).first), Value(std::forward<Pair>(pair).second),
                       items.size()});
    }
    build(std::move(items));
  }

  constexpr EytzingerMap(std::initializer_list<value_type> pairs, Compare compare = {})
      : EytzingerMap(pairs.begin(), pairs.end(), std::move(compare)) {}

  constexpr bool empty() const { return keys_.empty(); }
  constexpr size_type size() const { return keys_.size(); }
  constexpr const_iterator begin() const { return {keys_.data(), values_.data()}; }
  constexpr const_iterator end() const { return begin() + static_cast<difference_type>(size()); }
  constexpr const_iterator cbegin() const { return begin(); }
  constexpr const_iterator cend() const { return end(); }
  constexpr key_compare key_comp() const { return compare_; }

  // Each of these takes a Key, and whatever else a transparent Compare compares with one.

  constexpr const_iterator find(const Key& key) const { return found(key); }
  template <typename K, typename C = Compare, typename = typename C::is_transparent>
  constexpr const_iterator find(const K& key) const {
    return found(key);
  }

  constexpr bool contains(const Key& key) const { return found(key) != end(); }
  template <typename K, typename C = Compare, typename = typename C::is_transparent>
  constexpr bool contains(const K& key) const {
    return found(key) != end();
  }

  constexpr size_type count(const Key& key) const { return contains(key) ? 1 : 0; }
  template <typename K, typename C = Compare, typename = typename C::is_transparent>
  constexpr size_type count(const K& key) const {
    return contains(key) ? 1 : 0;
  }

  /// Throws std::out_of_range for a key that is not there.
  constexpr const Value& at(const Key& key) const { return value_at(found(key)); }
  template <typename K, typename C = Compare, typename = typename C::is_transparent>
  constexpr const Value& at(const K& key) const {
    return value_at(found(key));
  }

  /// The element with the key, as a range of one or none.
  constexpr std::pair<const_iterator, const_iterator> equal_range(const Key& key) const {
    return range_at(found(key));
  }
  template <typename K, typename C = Compare, typename = typename C::is_transparent>
  constexpr std::pair<const_iterator, const_iterator> equal_range(const K& key) const {
    return range_at(found(key));
  }

  /// The element with the least key that is not less than `key`. What follows it in iteration has
  /// nothing to do with it.
  constexpr const_iterator lower_bound(const Key& key) const { return not_less(key); }
  template <typename K, typename C = Compare, typename = typename C::is_transparent>
  constexpr const_iterator lower_bound(const K& key) const {
    return not_less(key);
  }

  /// The element with the least key that is greater than `key`.
  constexpr const_iterator upper_bound(const Key& key) const { return greater(key); }
  template <typename K, typename C = Compare, typename = typename C::is_transparent>
  constexpr const_iterator upper_bound(const K& key) const {
    return greater(key);
  }

 private:
  struct Item {
    Key key;
    Value value;
    size_type position;  ///< among the pairs handed in
  };

  // Nodes are counted from 1: the children of k are 2k and 2k + 1, and 0 stands for none.

  constexpr void build(std::vector<Item> items) {
    const auto before = [this](const Item& a, const Item& b) {
      if (compare_(a.key, b.key)) return true;
      return !compare_(b.key, a.key) && a.position < b.position;
    };
    if (!std::is_sorted(items.begin(), items.end(), before)) {
      std::sort(items.begin(), items.end(), before);
    }
    const auto end_of_unique =
        std::unique(items.begin(), items.end(),
                    [this](const Item& a, const Item& b) { return !compare_(a.key, b.key); });
    items.erase(end_of_unique, items.end());

    std::vector<size_type> ranks(items.size(), 0);
    size_type rank = 0;
    rank_subtree(1, ranks, rank);
    keys_.reserve(items.size());
    values_.reserve(items.size());
    for (const size_type of_node : ranks) {
      keys_.push_back(KeySlot{std::move(items[of_node].key)});
      values_.push_back(ValueSlot{std::move(items[of_node].value)});
    }
  }

  /// Gives the nodes from `node` down their ranks in sorted order. No deeper than 64.
  static constexpr void rank_subtree(size_type node, std::vector<size_type>& ranks,
                                     size_type& rank) {
    if (node > ranks.size()) return;
    rank_subtree(2 * node, ranks, rank);
    ranks[node - 1] = rank++;
    rank_subtree(2 * node + 1, ranks, rank);
  }

  /// As many descendants as lie side by side in a cache line are fetched before they are needed.
  constexpr void prefetch_below(size_type node) const {
    if (std::is_constant_evaluated()) return;
    constexpr size_type in_line = std::bit_floor(std::max<size_type>(2, 64 / sizeof(KeySlot)));
    const size_type below = std::min(node * in_line, size());
    __builtin_prefetch(keys_.data() + below);
  }

  /// Goes down the tree, to the right wherever `right_of(key)`. The way down in binary is the
  /// node; where it went left for the last time is the first that is not left of what is sought.
  template <typename RightOf>
  constexpr size_type descend(const RightOf& right_of) const {
    size_type node = 1;
    while (node <= size()) {
      prefetch_below(node);
      node = 2 * node + (right_of(keys_[node - 1].key) ? 1 : 0);
    }
    return node >> (std::countr_one(node) + 1);
  }

  constexpr const_iterator iterator_to(size_type node) const {
    return node == 0 ? end() : begin() + static_cast<difference_type>(node - 1);
  }

  template <typename K>
  constexpr const_iterator not_less(const K& key) const {
    return iterator_to(descend([&](const Key& here) { return compare_(here, key); }));
  }
  template <typename K>
  constexpr const_iterator greater(const K& key) const {
    return iterator_to(descend([&](const Key& here) { return !compare_(key, here); }));
  }
  template <typename K>
  constexpr const_iterator found(const K& key) const {
    const const_iterator it = not_less(key);
    return it == end() || compare_(key, it->first) ? end() : it;
  }

  constexpr const Value& value_at(const_iterator it) const {
    if (it == end()) throw std::out_of_range("EytzingerMap::at");
    return it->second;
  }
  constexpr std::pair<const_iterator, const_iterator> range_at(const_iterator it) const {
    return {it, it == end() ? it : it + 1};
  }

  std::vector<KeySlot> keys_;
  std::vector<ValueSlot> values_;
  Compare compare_{};
};

}  // namespace ffind
