// SPDX-License-Identifier: MIT
// What the read-only map costs beside std::map, std::unordered_map and a sorted vector: look-up and
// construction time and memory, from 10 to 1,000,000 keys, as ratios (ours divided by the other's).
// Built with FFIND_BENCH, run by hand; prints a table in Markdown.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "ffind/eytzinger_map.h"

namespace {

using Clock = std::chrono::steady_clock;

/// What people write instead of a map.
template <typename Key>
class SortedVector {
 public:
  template <typename Iterator>
  SortedVector(Iterator first, Iterator last) : items_(first, last) {
    std::stable_sort(items_.begin(), items_.end(), less);
  }
  auto find(const Key& key) const {
    const auto it = std::lower_bound(items_.begin(), items_.end(), std::pair(key, 0), less);
    return it != items_.end() && it->first == key ? it : items_.end();
  }
  auto end() const { return items_.end(); }

 private:
  static bool less(const std::pair<Key, int>& a, const std::pair<Key, int>& b) {
    return a.first < b.first;
  }
  std::vector<std::pair<Key, int>> items_;
};

struct Cost {
  double look_up = 1e9;
  double construction = 1e9;
  double memory = 0;
};

/// What is allocated at the moment, by glibc's own account.
std::size_t allocated() {
  const auto account = mallinfo2();
  return account.uordblks + account.hblkhd;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <typename Map, typename Key>
void measure(const std::vector<std::pair<Key, int>>& pairs, const std::vector<Key>& sought,
             Cost& cost) {
  const std::size_t before = allocated();
  const std::size_t times = std::max<std::size_t>(1, 20'000 / pairs.size());
  auto start = Clock::now();
  for (std::size_t i = 1; i < times; ++i) Map(pairs.begin(), pairs.end());
  const Map map(pairs.begin(), pairs.end());
  cost.construction = std::min(cost.construction, seconds_since(start));
  cost.memory = static_cast<double>(allocated() - before);
  long sum = 0;
  start = Clock::now();
  for (const Key& key : sought) {
    const auto it = map.find(key);
    if (it != map.end()) sum += (*it).second;
  }
  cost.look_up = std::min(cost.look_up, seconds_since(start));
  if (sum == 42) std::puts("");  // or the loop is left out
}

template <typename Key, typename Make>
void compare(const char* keys, std::size_t count, const Make& make) {
  std::mt19937 random(1);
  std::vector<std::pair<Key, int>> pairs;
  for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(make(random), static_cast<int>(i));
  std::vector<Key> sought;  // half of them are there
  for (std::size_t i = 0; i < 200'000; ++i) {
    sought.push_back(i % 2 == 0 ? pairs[random() % count].first : make(random));
  }
  Cost ours;
  Cost others[3];
  for (int round = 0; round < 3; ++round) {
    measure<ffind::EytzingerMap<Key, int>>(pairs, sought, ours);
    measure<std::map<Key, int>>(pairs, sought, others[0]);
    measure<std::unordered_map<Key, int>>(pairs, sought, others[1]);
    measure<SortedVector<Key>>(pairs, sought, others[2]);
  }
  std::printf("| %s, %zu |", keys, count);
  for (const Cost& other : others) {
    std::printf(" %.2f / %.2f", ours.look_up / other.look_up,
                ours.construction / other.construction);
    // Of a few hundred bytes the allocator's account says nothing.
    if (count >= 1'000) std::printf(" / %.2f", ours.memory / other.memory);
    std::printf(" |");
  }
  std::puts("");
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::puts("| look-up / construction / memory | std::map | std::unordered_map | sorted vector |");
  std::puts("|---|---|---|---|");
  const auto number = [](std::mt19937& random) { return static_cast<int>(random() & 0x7FFFFFFF); };
  const auto text = [](std::mt19937& random) {
    std::string word(3 + random() % 8, ' ');
    for (char& c : word) c = static_cast<char>('a' + random() % 26);
    return word;
  };
  for (const std::size_t count : {10, 1'000, 100'000, 1'000'000})
    compare<int>("int", count, number);
  for (const std::size_t count : {10, 1'000, 100'000, 1'000'000}) {
    compare<std::string>("string", count, text);
  }
}
