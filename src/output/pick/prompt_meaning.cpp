// SPDX-License-Identifier: MIT
// See prompt_meaning.h.
#include "output/pick/prompt_meaning.h"

#include <algorithm>

#include "text/ascii.h"

namespace ffind::output {
namespace {

/// Whether what matches the longer word matches the shorter one. A mark that follows makes another
/// letter of the last one.
bool extends(const PromptTerm& longer, const PromptTerm& shorter) {
  if (longer == shorter) return true;
  if (!longer.is_word || !shorter.is_word || !longer.text.starts_with(shorter.text)) return false;
  const char next = longer.text[shorter.text.size()];
  return static_cast<unsigned char>(next) < 0x80;
}

}  // namespace

bool only_narrows(const PromptMeaning& before, const PromptMeaning& now) {
  return std::all_of(before.terms.begin(), before.terms.end(), [&](const PromptTerm& term) {
    return std::any_of(now.terms.begin(), now.terms.end(),
                       [&](const PromptTerm& other) { return extends(other, term); });
  });
}

}  // namespace ffind::output
