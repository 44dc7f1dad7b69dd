// SPDX-License-Identifier: MIT
// The entry point that libFuzzer calls, for the one target of its program (FFIND_FUZZ_ONLY).
#include <cstddef>
#include <cstdint>

extern "C" int FFIND_FUZZ_ONLY(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return FFIND_FUZZ_ONLY(data, size);
}
