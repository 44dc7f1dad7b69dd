// SPDX-License-Identifier: MIT
// What tests over all code points have in common.
#pragma once

#include <string>

#include "text/utf8.h"

namespace ffind::text {

inline std::string utf8(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return text;
}

}  // namespace ffind::text
