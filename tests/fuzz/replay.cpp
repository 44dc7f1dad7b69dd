// SPDX-License-Identifier: MIT
// Feeds a fuzz target every file of the folders that are named, each whole and then cut at a few
// places: the kept corpus as an ordinary test, for compilers without libFuzzer.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include "fuzz/fuzz.h"

namespace {

/// From a copy of exactly that size, so that AddressSanitizer sees a byte too many.
void feed(const std::vector<char>& bytes, std::size_t size) {
  const std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[size]);
  if (size != 0) std::memcpy(copy.get(), bytes.data(), size);
  LLVMFuzzerTestOneInput(copy.get(), size);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                    std::istreambuf_iterator<char>()};
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);  // the last line names the file that a finding is in
      for (std::size_t eighth = 0; eighth <= 8; ++eighth) feed(bytes, bytes.size() * eighth / 8);
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count == 0 ? 1 : 0;
}
