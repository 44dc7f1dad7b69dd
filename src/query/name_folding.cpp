// SPDX-License-Identifier: MIT
// See name_folding.h. On the way of every match that is sorted by name.
#include "query/name_folding.h"

#include "query/unicode/fold.h"
#include "query/unicode/key.h"

namespace ffind {

void append_folded_name(std::string& out, std::string_view name) {
  if (is_ascii(name) || !is_utf8(name)) {
    for (const char c : name) out += fold_ascii(c);
    return;
  }
  KeyScratch scratch;
  out += key_of(name, KeyCase::folded, scratch);
}

}  // namespace ffind
