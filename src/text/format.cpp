// SPDX-License-Identifier: MIT
// The only file that compiles fmt's formatter.
#include "text/format.h"

#include <fmt/format.h>

namespace ffind::text {

std::string vformat(fmt::string_view pattern, fmt::format_args values) {
  return fmt::vformat(pattern, values);
}

std::string grouped(std::uint64_t number) {
  std::string text = fmt::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

void append_number(std::string& out, std::uint64_t number) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

}  // namespace ffind::text
