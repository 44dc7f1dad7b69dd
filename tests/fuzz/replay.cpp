// SPDX-License-Identifier: MIT
// Feeds each fuzz target its kept corpus, every input whole and then cut at a few places: an
// ordinary test, for compilers without libFuzzer. CMakeLists.txt gives each target's function a
// name of its own.
//     fuzz_replay CORPUS [NAME...]    the folder that corpus.tar.xz has; all targets without a
//     NAME
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
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

/// Number of inputs that were fed: the files of the folder.
std::size_t replay(const Target& target, const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> inputs;
  for (const auto& input : std::filesystem::directory_iterator(folder, error)) {
    inputs.push_back(input.path());
  }
  std::sort(inputs.begin(), inputs.end());
  for (const std::filesystem::path& input : inputs) {
    std::ifstream file(input, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                  std::istreambuf_iterator<char>()};
    std::puts(input.c_str());
    std::fflush(stdout);  // the last line names the input that a finding is in
    for (std::size_t eighth = 0; eighth <= 8; ++eighth) {
      feed(target, bytes.data(), bytes.size() * eighth / 8);
    }
  }
  return inputs.size();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  bool whole = true;
  for (const Target& target : targets) {
    const auto is_target = [&](const char* word) { return target.name == word; };
    if (argc > 2 && std::none_of(argv + 2, argv + argc, is_target)) continue;
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / target.name;
    if (replay(target, folder) != 0) continue;
    std::printf("%s: no inputs\n", folder.c_str());
    whole = false;
  }
  return whole ? 0 : 1;
}
