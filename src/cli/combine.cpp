// SPDX-License-Identifier: MIT
// Row by row of the option table, so that no option can be forgotten. See combine.h.
#include "cli/combine.h"

#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "cli/operands.h"
#include "cli/option_table.h"

namespace ffind {
namespace {

/// Takes out of what a file says what something typed undoes.
void take_out_undone(Options& from_file, const Options& typed) {
  for (const OptionRow& row : option_table()) {
    if (!is_given(typed, row)) continue;
    for (const std::string_view list : {row.opposites, row.replaces}) {
      for (const OptionRow* undone : options_in(list)) take_out(from_file, *undone);
    }
  }
}

void append(Options& options, const Options& more, const OptionRow& row) {
  std::visit(
      [&](auto target) {
        auto& all = options.*target;
        const auto& added = more.*target;
        if constexpr (std::is_same_v<decltype(target), FlagTarget>) {
          all = all || added;
        } else {
          all.insert(all.end(), added.begin(), added.end());
        }
      },
      row.target);
}

}  // namespace

Options followed_by(Options first, const Options& second) {
  first = with_arguments_as_options(std::move(first));
  take_out_undone(first, second);
  const bool only_paths = has_pattern_option(first);
  for (const OptionRow& row : option_table()) append(first, second, row);
  if (only_paths) {
    first.roots.insert(first.roots.end(), second.arguments.begin(), second.arguments.end());
  } else {
    first.arguments = second.arguments;
    first.arguments_after_dashes = second.arguments_after_dashes;
    first.argument_places = second.argument_places;
  }
  return first;
}

Options over_configuration(Options configuration, const Options& typed) {
  for (const OptionRow& row : option_table()) {
    if (is_given(typed, row) && !row.adds_up) take_out(configuration, row);
  }
  return followed_by(std::move(configuration), typed);
}

}  // namespace ffind
