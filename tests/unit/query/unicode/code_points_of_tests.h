// SPDX-License-Identifier: MIT
// What tests over all code points have in common.
#pragma once

#include <string>

#include "query/unicode/fold.h"

namespace ffind {

inline std::string utf8(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return text;
}

inline bool is_surrogate(char32_t c) {
  return c >= 0xD800 && c <= 0xDFFF;
}

}  // namespace ffind
