// SPDX-License-Identifier: MIT
// See natural.h. On the way of every match that is sorted by name.
#include "text/natural.h"

#include <algorithm>
#include <cstddef>

#include "text/ascii.h"
#include "text/key.h"

namespace ffind::text {
namespace {

/// The more digits, the larger the number: their count goes before them, as bytes that are never 0
/// and compare as it does. 255 and every further byte mean 254.
void append_count(std::string& out, std::size_t digits) {
  constexpr std::size_t step = 254;
  std::size_t rest = digits + 1;
  for (; rest > step; rest -= step) out += '\xFF';
  out += static_cast<char>(rest);
}

}  // namespace

void append_natural(std::string& out, std::string_view text) {
  const auto end = text.end();
  for (auto at = text.begin(); at != end;) {
    const auto number = std::find_if(at, end, is_digit);
    out.append(at, number);
    if (number == end) return;
    at = std::find_if_not(number, end, is_digit);
    const auto first = std::find_if(number, at, [](char c) { return c != '0'; });
    out += '0';  // where digits have their place among all other characters
    append_count(out, static_cast<std::size_t>(at - first));
    out.append(first, at);
  }
}

void append_natural_name(std::string& out, std::string_view name, std::string& folded) {
  folded.clear();
  append_folded_name(folded, name);
  append_natural(out, folded);
}

}  // namespace ffind::text
