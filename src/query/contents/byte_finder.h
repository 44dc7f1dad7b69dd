// SPDX-License-Identifier: MIT
// Looks for a text in large blocks of bytes: the hottest loop of a search by contents. Used by
// line_pattern.cpp. Knows no lines, and no letters but ASCII's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/key.h"

namespace ffind::query {

/// Immutable and thread-safe.
class ByteFinder {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  /// `needle` must not be empty; with `KeyCase::folded`, its ASCII letters must be in lower case.
  ByteFinder(std::string needle, text::KeyCase key_case);

  /// Where it first occurs in `bytes` at or after `from`.
  std::size_t find(std::string_view bytes, std::size_t from) const;

 private:
  /// A byte of the needle that is looked for in many places at once.
  struct Probe {
    std::size_t offset = 0;
    unsigned char mask = 0;  ///< makes an upper-case letter a lower-case one
    unsigned char byte = 0;
  };
  Probe probe(std::size_t offset) const;
  bool stands_at(const char* place) const;

  std::string needle_;
  bool folding_;
  Probe rarest_;
  Probe other_;  ///< the rarest of the rest; of a needle of one byte, that byte
};

}  // namespace ffind::query
