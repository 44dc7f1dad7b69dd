// SPDX-License-Identifier: MIT
// scratch: what it gains to take scratch memory from the stack before the heap. It repeats what
// Kazakov measured for his CFStackAllocator (kazakov.life, May 2017): 1,000,000 random strings of
// varying length, lower-cased, decomposed and hashed; he found 7 to 20 %. Built with FFIND_BENCH.
//
//     scratch [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/memory_resource.h"
#include "text/code_points.h"
#include "text/key.h"
#include "text/utf8.h"

namespace {

using namespace ffind;

constexpr std::size_t string_count = 1'000'000;

using Bytes = std::basic_string<char, std::char_traits<char>, polymorphic_allocator<char>>;
using CodePoints = std::vector<char32_t, polymorphic_allocator<char32_t>>;

/// Each step has its result in memory of its own, as Core Foundation's functions have.
std::size_t lower_cased_decomposed_hashed(std::string_view text, memory_resource* memory) {
  const Bytes copy(text, memory);
  CodePoints lower(memory);
  lower.reserve(copy.size());
  for (std::size_t i = 0; i < copy.size();)
    lower.push_back(text::fold(text::next_code_point(copy, i)));
  CodePoints decomposed(memory);
  decomposed.reserve(lower.size() * 3);
  for (const char32_t c : lower) {
    char32_t parts[text::most_parts] = {c};
    const bool whole = c < 0x80 || (text::facts_of(c) & text::facts::decomposes) == 0;
    const std::size_t count = whole ? 1 : text::decompose(c, parts);
    decomposed.insert(decomposed.end(), parts, parts + count);
  }
  Bytes result(memory);
  result.reserve(decomposed.size() * 4);
  for (const char32_t c : decomposed) {
    char bytes[4];
    result.append(bytes, static_cast<std::size_t>(text::encode_utf8(c, bytes) - bytes));
  }
  return std::hash<std::string_view>()(std::string_view(result.data(), result.size()));
}

std::size_t on_the_heap(std::string_view text) {
  return lower_cased_decomposed_hashed(text, new_delete_resource());
}

std::size_t stack_first(std::string_view text) {
  StackResource<4096 - 16> memory;  // as large as his
  return lower_cased_decomposed_hashed(text, &memory);
}

/// What ffind does with a name: the key, in the same memory.
std::size_t key_on_the_heap(std::string_view text) {
  monotonic_buffer_resource memory;
  return std::hash<std::string_view>()(text::key_of(text, text::KeyCase::folded, memory));
}

std::size_t key_stack_first(std::string_view text) {
  text::KeyScratch memory;
  return std::hash<std::string_view>()(text::key_of(text, text::KeyCase::folded, memory));
}

std::vector<std::string> random_strings(unsigned longest) {
  std::linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647> random(3);
  std::vector<std::string> strings(string_count);
  for (std::string& text : strings) {
    for (unsigned i = 1 + random() % longest; i > 0; --i) {
      const char32_t letter =
          random() % 4 != 0 ? U'A' + random() % 58 : U'\u00C0' + random() % 0x180;
      text::append_utf8(text, letter);
    }
  }
  return strings;
}

double seconds(std::size_t (*work)(std::string_view), const std::vector<std::string>& strings) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t all = 0;
  for (const std::string& text : strings) all ^= work(text);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (all == 1) std::fputs("an unlikely sum\n", stderr);  // so that the work is not left out
  return taken.count();
}

double median_ratio(std::size_t (*a)(std::string_view), std::size_t (*b)(std::string_view),
                    const std::vector<std::string>& strings, int rounds) {
  std::vector<double> ratios;
  for (int i = 0; i < rounds; ++i) ratios.push_back(seconds(a, strings) / seconds(b, strings));
  std::nth_element(ratios.begin(), ratios.begin() + std::ssize(ratios) / 2, ratios.end());
  return ratios[ratios.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 5;
  std::printf(
      "Time saved by memory on the stack first; published for CFStackAllocator: 7 to 20 %%.\n");
  std::printf("| letters | lower-cased, decomposed, hashed | key of a name |\n|---|---|---|\n");
  for (const unsigned longest : {16U, 64U, 255U}) {
    const auto strings = random_strings(longest);
    const double steps = median_ratio(stack_first, on_the_heap, strings, rounds);
    const double keys = median_ratio(key_stack_first, key_on_the_heap, strings, rounds);
    std::printf("| 1 to %u | %.0f %% | %.0f %% |\n", longest, 100 * (1 - steps), 100 * (1 - keys));
    std::fflush(stdout);
  }
}
