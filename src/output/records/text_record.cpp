// SPDX-License-Identifier: MIT
// See text_record.h.
#include "output/records/text_record.h"

namespace ffind {

TextRecord::TextRecord(const OutputStyle& style)
    : path_(style), end_(style.format == Format::null ? '\0' : style.end) {}

void TextRecord::append(std::string& out, Entry& entry) {
  path_.append(out, entry);
  out += end_;
}

}  // namespace ffind
