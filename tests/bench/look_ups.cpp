// SPDX-License-Identifier: MIT
// Costs of the read-only map of short texts: look-up and construction time and memory, from 10 to
// 1,000,000 texts, divided by those of std::map, std::unordered_map and a sorted vector; and the
// time of a colour by LS_COLORS. Built with FFIND_BENCH, run by hand; prints tables in Markdown.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "output/colors.h"
#include "text/word_map.h"

namespace {

using Clock = std::chrono::steady_clock;

using Pairs = std::vector<std::pair<std::string, int>>;

struct Ours : ffind::text::WordMap<int> {
  explicit Ours(const Pairs& pairs) : WordMap(pairs) {}
  int value(const std::string& text) const {
    const int* const found = find(text);
    return found != nullptr ? *found : 0;
  }
};

template <typename Map>
struct Standard : Map {
  explicit Standard(const Pairs& pairs) : Map(pairs.begin(), pairs.end()) {}
  int value(const std::string& text) const {
    const auto it = this->find(text);
    return it != this->end() ? it->second : 0;
  }
};

class SortedVector {
 public:
  explicit SortedVector(const Pairs& pairs) : items_(pairs) {
    std::stable_sort(items_.begin(), items_.end(), less);
  }
  int value(const std::string& text) const {
    const auto it = std::lower_bound(items_.begin(), items_.end(), std::pair(text, 0), less);
    return it != items_.end() && it->first == text ? it->second : 0;
  }

 private:
  static bool less(const std::pair<std::string, int>& a, const std::pair<std::string, int>& b) {
    return a.first < b.first;
  }
  Pairs items_;
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

template <typename Map>
void measure(const Pairs& pairs, const std::vector<std::string>& sought, Cost& cost) {
  const std::size_t before = allocated();
  const std::size_t times = std::max<std::size_t>(1, 20'000 / pairs.size());
  auto start = Clock::now();
  for (std::size_t i = 1; i < times; ++i) Map{pairs};
  const Map map(pairs);
  cost.construction = std::min(cost.construction, seconds_since(start));
  cost.memory = static_cast<double>(allocated() - before);
  long sum = 0;
  start = Clock::now();
  for (const std::string& text : sought) sum += map.value(text);
  cost.look_up = std::min(cost.look_up, seconds_since(start));
  if (sum == 42) std::puts("");  // or the loop is left out
}

std::string random_word(std::mt19937& random) {
  std::string word(3 + random() % 8, ' ');
  for (char& c : word) c = static_cast<char>('a' + random() % 26);
  return word;
}

void compare(std::size_t count) {
  std::mt19937 random(1);
  Pairs pairs;
  for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(random_word(random), i);
  std::vector<std::string> sought;  // half of them are there
  for (std::size_t i = 0; i < 200'000; ++i) {
    sought.push_back(i % 2 == 0 ? pairs[random() % count].first : random_word(random));
  }
  Cost ours;
  Cost others[3];
  for (int round = 0; round < 3; ++round) {
    measure<Ours>(pairs, sought, ours);
    measure<Standard<std::map<std::string, int>>>(pairs, sought, others[0]);
    measure<Standard<std::unordered_map<std::string, int>>>(pairs, sought, others[1]);
    measure<SortedVector>(pairs, sought, others[2]);
  }
  std::printf("| %zu |", count);
  for (const Cost& other : others) {
    std::printf(" %.2f / %.2f", ours.look_up / other.look_up,
                ours.construction / other.construction);
    // The allocator's account says nothing of a few hundred bytes.
    if (count >= 1'000) std::printf(" / %.2f", ours.memory / other.memory);
    std::printf(" |");
  }
  std::puts("");
  std::fflush(stdout);
}

/// Nanoseconds for the colour of a regular file by its name, as the standard palette has it.
double color_time() {
  const auto palette = ffind::output::Palette::standard();
  std::mt19937 random(1);
  constexpr const char* endings[] = {".c", ".h", ".tar.gz", ".jpeg", "", ".o", ".md", "~"};
  std::vector<std::string> names;
  for (int i = 0; i < 1'000; ++i) names.push_back(random_word(random) + endings[random() % 8]);
  constexpr int rounds = 200;
  std::size_t sum = 0;
  const auto start = Clock::now();
  for (int round = 0; round < rounds; ++round) {
    for (const std::string& name : names) {
      ffind::Entry entry;
      entry.type = ffind::FileType::file;
      entry.name = name;
      sum += palette.color_of(entry).size();
    }
  }
  if (sum == 42) std::puts("");
  return 1e9 * seconds_since(start) / (rounds * static_cast<double>(names.size()));
}

}  // namespace

int main() {
  std::puts(
      "| texts: look-up / construction / memory | std::map | std::unordered_map | sorted vector |");
  std::puts("|---|---|---|---|");
  for (const std::size_t count : {10UL, 1000UL, 100000UL, 1000000UL}) compare(count);
  std::printf("\nThe colour of a name takes %.0f ns.\n", color_time());
}
