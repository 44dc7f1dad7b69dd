// SPDX-License-Identifier: MIT
// Row by row of the option table, so that no option can be forgotten. See combine.h.
#include "cli/combine.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/operands.h"
#include "cli/option_table.h"

namespace ffind {
namespace {

using Names = std::vector<std::string_view>;

// What says the same thing otherwise: one of `typed` puts `undone` out of what is written down. All
// other exclusions stay errors, since to drop a -L because of a --delete would be to search for
// something else, and a saved command is the point of its search.
struct Rule {
  Names typed;
  Names undone;
};

const std::vector<Rule>& rules() {
  static const Names formats = {"--json", "--fields", "--format", "--long",
                                "--tree", "--count",  "--null"};
  static const Names commands = {"--exec", "--exec-batch", "--delete"};
  static const Names hidden = {"--no-hidden", "--only-hidden", "--hidden", "--unrestricted"};
  static const Names ignored = {"--gitignore", "--no-ignore", "--unrestricted"};
  static const Names cases = {"--ignore-case", "--case-sensitive"};
  static const Names limits = {"--limit", "-1"};
  static const Names volumes = {"--cross-volumes", "--one-file-system"};
  static const std::vector<Rule> rules = {{formats, formats},
                                          {commands, formats},
                                          {hidden, hidden},
                                          {ignored, ignored},
                                          {cases, cases},
                                          {limits, limits},
                                          {volumes, volumes},
                                          {{"--count", "--sort"}, {"--sort"}},
                                          {{"--depth"}, {"--max-depth", "--min-depth"}}};
  return rules;
}

bool adds_up(const OptionRow& row) {
  const Names names = {"--exclude", "--prune", "--where"};
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return find_option(name) == &row; });
}

/// "--x" to "--no-x" and the other way round; null where there is no such pair.
const OptionRow* opposite_of(const OptionRow& row) {
  constexpr std::string_view no = "--no-";
  for (const std::string_view name : names_of(row)) {
    if (name.substr(0, 2) != "--") continue;
    const bool says_no = name.substr(0, no.size()) == no;
    const std::string other = says_no ? "--" : "--no-";
    return find_option(other + std::string(name.substr(says_no ? no.size() : 2)));
  }
  return nullptr;
}

bool is_given(const Options& options, const OptionRow& row) {
  return std::visit(
      [&](auto target) {
        if constexpr (std::is_same_v<decltype(target), FlagTarget>) {
          return options.*target;
        } else {
          return !(options.*target).empty();
        }
      },
      row.target);
}

void take_out(Options& options, const OptionRow& row) {
  std::visit([&](auto target) { options.*target = {}; }, row.target);
}

void take_out_opposite(Options& options, const OptionRow& row) {
  if (const OptionRow* const opposite = opposite_of(row)) take_out(options, *opposite);
}

void take_out_undone(Options& options, const Options& typed) {
  for (const Rule& rule : rules()) {
    const bool applies =
        std::any_of(rule.typed.begin(), rule.typed.end(),
                    [&](std::string_view name) { return is_given(typed, *find_option(name)); });
    if (!applies) continue;
    for (const std::string_view name : rule.undone) take_out(options, *find_option(name));
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
  for (const OptionRow& row : option_table()) {
    if (is_given(second, row)) take_out_opposite(first, row);
    append(first, second, row);
  }
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
    if (is_given(typed, row) && !adds_up(row)) take_out(configuration, row);
  }
  return followed_by(std::move(configuration), typed);
}

}  // namespace ffind
