// SPDX-License-Identifier: MIT
// Names as Darwin's file systems compare them: decomposed, case folded by simple rules, HFS+ by
// those of the year 2002. Used by searchfs. See kernel.h.
#include <utf8proc.h>

#include "kernel.h"

namespace simulated {
namespace {

/// HFS+ leaves these as they are, and folds nothing beyond the alphabets of Unicode 3.2's first
/// pages; a program that expects more of it would lose files.
bool hfs_decomposes(std::int32_t code) {
  return !(code >= 0x2000 && code <= 0x2FFF) && !(code >= 0xF900 && code <= 0xFAFF) &&
         !(code >= 0x2F800 && code <= 0x2FAFF);
}
bool hfs_folds(std::int32_t code) {
  return code < 0x0590 || (code >= 0x10A0 && code < 0x1100) || (code >= 0x2160 && code < 0x2170) ||
         (code >= 0xFF21 && code <= 0xFF3A);
}

void append_decomposed(std::int32_t code, bool apfs, std::u32string& text) {
  std::int32_t parts[32];
  int boundary = 0;
  utf8proc_ssize_t count = 1;
  parts[0] = code;
  if (apfs || hfs_decomposes(code)) {
    count = utf8proc_decompose_char(code, parts, 32, UTF8PROC_DECOMPOSE, &boundary);
  }
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const bool folds = apfs || hfs_folds(parts[i]);
    text += static_cast<char32_t>(folds ? utf8proc_tolower(parts[i]) : parts[i]);
  }
}

/// Marks in canonical order.
void reorder(std::u32string& text) {
  const auto rank = [](char32_t code) {
    return utf8proc_get_property(static_cast<std::int32_t>(code))->combining_class;
  };
  for (std::size_t i = 1; i < text.size(); ++i) {
    for (std::size_t j = i; j > 0 && rank(text[j]) != 0 && rank(text[j - 1]) > rank(text[j]); --j) {
      std::swap(text[j - 1], text[j]);
    }
  }
}

}  // namespace

bool fold_name(std::string_view name, bool apfs, std::u32string& folded) {
  folded.clear();
  const auto* next = reinterpret_cast<const utf8proc_uint8_t*>(name.data());
  auto left = static_cast<utf8proc_ssize_t>(name.size());
  while (left > 0) {
    std::int32_t code = 0;
    const utf8proc_ssize_t used = utf8proc_iterate(next, left, &code);
    if (used <= 0) return false;
    append_decomposed(code, apfs, folded);
    next += used;
    left -= used;
  }
  reorder(folded);
  return true;
}

}  // namespace simulated
