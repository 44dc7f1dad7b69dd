// SPDX-License-Identifier: MIT
// Feeds each fuzz target its kept corpus, every input whole and then cut at a few places: an
// ordinary test, for compilers without libFuzzer. CMakeLists.txt gives each target's function a
// name of its own.
//     fuzz_replay CORPUS [NAME...]    the folder of the NAME.corpus files (corpus.py); all targets
//     without a NAME
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#define FFIND_FUZZ_TARGET(name) int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzz_targets.inc"
#undef FFIND_FUZZ_TARGET
}

namespace {

struct Target {
  std::string_view name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

constexpr Target targets[] = {
#define FFIND_FUZZ_TARGET(name) {#name, fuzz_##name},
#include "fuzz_targets.inc"
#undef FFIND_FUZZ_TARGET
};

/// From a copy of exactly that size, so that AddressSanitizer sees a byte too many.
void feed(const Target& target, const char* bytes, std::size_t size) {
  const std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[size]);
  if (size != 0) std::memcpy(copy.get(), bytes, size);
  target.run(copy.get(), size);
}

/// How many inputs of the corpus were fed; 0 if the file is not whole.
std::size_t replay(const Target& target, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> corpus{std::istreambuf_iterator<char>(file),
                                 std::istreambuf_iterator<char>()};
  std::size_t count = 0;
  for (std::size_t at = 0; at < corpus.size(); ++count) {
    std::array<unsigned char, 4> length{};
    if (corpus.size() - at < length.size()) return 0;
    std::memcpy(length.data(), corpus.data() + at, length.size());
    at += length.size();
    const std::size_t size = length[0] | std::size_t{length[1]} << 8U |
                             std::size_t{length[2]} << 16U | std::size_t{length[3]} << 24U;
    if (corpus.size() - at < size) return 0;
    std::printf("%s, input %zu\n", path.c_str(), count);
    std::fflush(stdout);  // the last line names the input that a finding is in
    for (std::size_t eighth = 0; eighth <= 8; ++eighth) {
      feed(target, corpus.data() + at, size * eighth / 8);
    }
    at += size;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  bool whole = true;
  for (const Target& target : targets) {
    const auto is_target = [&](const char* word) { return target.name == word; };
    if (argc > 2 && std::none_of(argv + 2, argv + argc, is_target)) continue;
    const std::string path = std::string(argv[1]) + '/' + std::string(target.name) + ".corpus";
    if (replay(target, path) != 0) continue;
    std::printf("%s: no inputs, or not whole\n", path.c_str());
    whole = false;
  }
  return whole ? 0 : 1;
}
