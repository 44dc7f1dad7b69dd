// SPDX-License-Identifier: MIT
// What the fuzz targets share: a check that holds in every build, and an input taken apart from its
// front. A target is one NAME_fuzz.cpp with a FUZZ_TARGET(NAME), in the namespace NAME_fuzz, since
// several files are compiled at once; CMakeLists.txt links it with libFuzzer, or with replay.cpp,
// which feeds it the kept corpus.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

/// Begins the function that gets an input and returns 0.
#define FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size)

namespace ffind::fuzz {

/// Ends the process, so that the fuzzer keeps the input; the standard's assert may be compiled out.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// Gives out what is there, and zeros or nothing past the end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  template <typename Number>
  Number take() {
    Number number = 0;
    const std::size_t count = std::min(sizeof number, size_);
    if (count != 0) std::memcpy(&number, data_, count);
    skip(count);
    return number;
  }
  /// Up to the next `separator`, which is dropped; all of it where there is none.
  std::string_view take_until(char separator) {
    const std::string_view all = rest();
    const std::size_t end = all.find(separator);
    skip(end == std::string_view::npos ? size_ : end + 1);
    return all.substr(0, end);
  }
  std::string_view rest() const {
    return size_ == 0 ? std::string_view()
                      : std::string_view(reinterpret_cast<const char*>(data_), size_);
  }
  bool empty() const { return size_ == 0; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void skip(std::size_t count) {
    data_ += count;
    size_ -= count;
  }

  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace ffind::fuzz
