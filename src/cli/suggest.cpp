// SPDX-License-Identifier: MIT
// Edit distance (optimal string alignment). See suggest.h.
#include "cli/suggest.h"

#include <algorithm>

#include "cli/option_table.h"

namespace ffind {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t apart = distance(word, candidate);
    if (apart < least) {
      least = apart;
      best = candidate;
    }
  }
  return std::string(best);
}

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
