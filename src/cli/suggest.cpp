// SPDX-License-Identifier: MIT
// The option that was meant. See suggest.h.
#include "cli/suggest.h"

#include "cli/option_table.h"
#include "query/values/nearest.h"

namespace ffind {

std::string nearest_option(std::string_view name) {
  std::vector<std::string_view> candidates;
  const bool is_long = name.substr(0, 2) == "--";
  for (const OptionRow& row : option_table()) {
    for (const std::string_view known : names_of(row)) {
      if (is_long != (known.substr(0, 2) == "--")) continue;
      if (is_long && name.size() > 3 && known.substr(0, name.size()) == name) {
        return std::string(known);
      }
      candidates.push_back(known);
    }
  }
  return is_long ? nearest(name, candidates) : std::string();
}

}  // namespace ffind
