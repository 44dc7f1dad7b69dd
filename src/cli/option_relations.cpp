// SPDX-License-Identifier: MIT
// Row by row of the option table, so that no option can be forgotten. See option_relations.h.
#include "cli/option_relations.h"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "cli/operands.h"
#include "ffind/issue.h"
#include "text/format.h"

namespace ffind::cli {
namespace {

/// Options that name a command or --delete exclude all that is about printing.
bool acts(const OptionRow& row) {
  return takes_command(row) || row.target == OptionTarget(&Options::remove);
}

[[noreturn]] void fail(const OptionRow& one, const OptionRow& other) {
  throw UsageError(
      text::format("{} and {} exclude each other{}", main_name(one), main_name(other),
                   acts(one) != acts(other) ? ": commands take the place of what is printed" : ""));
}

/// Takes out of what a file says what something typed undoes.
void take_out_undone(Options& from_file, const Options& typed) {
  for (const OptionRow* row : typed.undone) take_out(from_file, *row);
  auto& undone = from_file.undone;
  undone.erase(std::remove_if(undone.begin(), undone.end(),
                              [&](const OptionRow* row) { return is_given(typed, *row); }),
               undone.end());
  for (const OptionRow& row : option_table()) {
    if (!is_given(typed, row)) continue;
    for (const std::string_view list : {row.opposites, row.replaces}) {
      for (const OptionRow* taken : options_in(list)) take_out(from_file, *taken);
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

void keep_last_of_opposites(Options& options, const std::vector<const OptionRow*>& rows) {
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    for (const OptionRow* undone : options_in((*row)->opposites)) {
      if (std::find(rows.begin(), row, undone) != row) take_out(options, *undone);
    }
  }
}

void refuse_contradictions(const Options& options) {
  for (const OptionRow& row : option_table()) {
    if (row.excludes.empty() || !is_given(options, row)) continue;
    for (const OptionRow* excluded : options_in(row.excludes)) {
      if (is_given(options, *excluded)) fail(*excluded, row);
    }
  }
  // NULs end paths, templates, lines of -l and the rows of tables, whose names may have newlines.
  const bool number = !options.count.empty() && options.count.back() == "matches";
  if (options.null && number) fail(option_of(&Options::count), option_of(&Options::null));
}

void refuse_beside_listing(const Options& options) {
  if (options.arguments.empty() && options.json.empty() && options.fields.empty()) return;
  throw UsageError("--saved lists all saved searches, as text\n  for example: ffind --saved");
}

void refuse_beside_forgetting(const Options& options) {
  if (options.arguments.empty() && !options.list_saved) return;
  throw UsageError(
      "--forget removes a saved search and does nothing else\n  for example: ffind --forget big");
}

void refuse_beside_comparison(const Options& options) {
  static constexpr std::string_view others =
      "--json,--json-errors,--no-messages,--color,--hyperlink,--absolute,--mark,--progress,"
      "--no-progress,--stats,--threads,--method,--reader,--compare-readers,--no-config";
  const std::vector<const OptionRow*> allowed = options_in(others);
  const std::string_view scope = option_of(&Options::follow).group;
  for (const OptionRow& row : option_table()) {
    if (!is_given(options, row)) continue;
    const bool is_allowed = std::find(allowed.begin(), allowed.end(), &row) != allowed.end();
    const bool looks = row.group == scope && row.target != OptionTarget(&Options::cross_volumes);
    if (is_allowed || looks) continue;
    throw UsageError(text::format(
        "--compare-readers lists everything on one volume below each PATH: {} does not apply\n"
        "  for example: ffind --compare-readers ~/Documents",
        main_name(row)));
  }
}

Options followed_by(Options first, const Options& second) {
  first = with_arguments_as_options(std::move(first));
  take_out_undone(first, second);
  const bool only_paths = has_pattern_option(first);
  for (const OptionRow& row : option_table()) append(first, second, row);
  first.undone.insert(first.undone.end(), second.undone.begin(), second.undone.end());
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

}  // namespace ffind::cli
