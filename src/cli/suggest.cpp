// SPDX-License-Identifier: MIT
// The option that was meant, by its letters or by the habits of find and fd. See suggest.h.
#include "cli/suggest.h"

#include <algorithm>
#include <utility>

#include "cli/option_table.h"
#include "query/where/field.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/nearest.h"

namespace ffind::cli {
namespace {

struct Habit {
  std::string_view typed;
  std::string_view here;  ///< an example of what to type here, or half a sentence
};

// Also words that can be read as letters in a row (-exec as -e xec, -user as -u -s -e r): nobody
// types those, and to search for something else without a word is worse than an error. Not -uid and
// -gid, since -u -i -d N and -g id are things that one may mean, nor -help, which helps as it is.
constexpr Habit habits_of_find[] = {
    {"-name", "ffind name -g '*.txt'"},
    {"-iname", "ffind -i name -g '*.txt'"},
    {"-path", "ffind path -g '**/src/*'"},
    {"-wholename", "ffind path -g '**/src/*'"},
    {"-ipath", "ffind -i path -g '**/src/*'"},
    {"-iwholename", "ffind -i path -g '**/src/*'"},
    {"-regex", "ffind path -e '/test_.*[.]py$'"},
    {"-iregex", "ffind -i path -e '/test_.*[.]py$'"},
    {"-type", "ffind -t f"},
    {"-xtype", "ffind --broken, ffind --where 'target_type = directory'"},
    {"-size", "ffind -S '>10M'"},
    {"-empty", "ffind --empty"},
    {"-executable", "ffind --executable"},
    {"-perm", "ffind --perm 644"},
    {"-user", "ffind --owner alice"},
    {"-group", "ffind --group staff"},
    {"-nouser", "ffind --where orphaned_owner"},
    {"-nogroup", "ffind --where orphaned_group"},
    {"-links", "ffind --links '>1'"},
    {"-inum", "ffind --inode 1234"},
    {"-samefile", "ffind --samefile FILE"},
    {"-newer", "ffind --newer-than FILE"},
    {"-newermt", "ffind --modified '>2026-01-31'"},
    {"-mtime", "ffind --modified 3d, or '>3d' for longer ago"},
    {"-mmin", "ffind --modified 30min, or '>30min' for longer ago"},
    {"-atime", "ffind --accessed 3d, or '>3d' for longer ago"},
    {"-amin", "ffind --accessed 30min, or '>30min' for longer ago"},
    {"-ctime", "ffind --changed 3d, or '>3d' for longer ago"},
    {"-cmin", "ffind --changed 30min, or '>30min' for longer ago"},
    {"-maxdepth", "ffind -d 2"},
    {"-mindepth", "ffind --min-depth 2"},
    {"-depth", "--delete deletes the deepest first anyway, and --depth 2 selects a depth"},
    {"-prune", "ffind -E node_modules, or --prune to list it but not enter it"},
    {"-follow", "ffind -L"},
    {"-xdev", "other volumes are skipped without --cross-volumes"},
    {"-mount", "other volumes are skipped without --cross-volumes"},
    {"-print", "paths are printed by default"},
    {"-print0", "ffind -0"},
    {"-printf", "ffind --format '{size} {path}'"},
    {"-ls", "ffind -l"},
    {"-exec", "ffind -x COMMAND"},
    {"-execdir", "ffind --exec-in-dir -x COMMAND"},
    {"-ok", "ffind --confirm -x COMMAND"},
    {"-okdir", "ffind --exec-in-dir --confirm -x COMMAND"},
    {"-delete", "ffind --delete"},
    {"-quit", "ffind -1"},
    {"-not", "ffind --where 'not name glob *.txt'"},
    {"-and", "ffind --where 'ext = c and size > 1k'"},
    {"-o", "ffind --where 'ext = c or ext = h'"},
    {"-or", "ffind --where 'ext = c or ext = h'"},
    {"-version", "ffind --version"},
};

// Those that the nearest name does not lead to.
constexpr Habit habits_of_fd[] = {
    {"--fixed-strings", "the default here"},
    {"--strip-cwd-prefix", "the default here"},
    {"--no-ignore-parent", "the default here (--gitignore undoes it)"},
    {"--no-require-git", "part of --gitignore here"},
    {"--and", "'and' in --where here"},
    {"--show-errors", "the default here (--no-messages undoes it)"},
};

constexpr Habit habits_of_rg[] = {
    {"--iglob", "-i -g"},
    {"--files", "-t f"},
    {"--files-with-matches", "--contains"},
    {"--max-filesize", "--size '<10M'"},
};

template <std::size_t count>
std::string_view find_habit(const Habit (&habits)[count], std::string_view typed) {
  for (const Habit& habit : habits) {
    if (habit.typed == typed) return habit.here;
  }
  return {};
}

std::string find_advice(std::string_view word, std::string_view here) {
  const bool example = here.substr(0, 6) == "ffind ";
  std::string advice = text::format("{} is find's; {}{}", word, example ? "here: " : "", here);
  if (word[1] == 'e' || word[1] == 'g') {
    advice += text::format("\n  the pattern '{}' is written -{} {}", word.substr(2), word[1],
                           word.substr(2));
  }
  return advice;
}

std::string option_advice(std::string_view whose, std::string_view name, std::string_view here) {
  return text::format("{}'s {} is {}{}", whose, name, here, here[0] == '-' ? " here" : "");
}

}  // namespace

std::string advice_on_habit(std::string_view name) {
  const bool is_long = name.substr(0, 2) == "--";
  if (is_long) {
    const std::string_view of_fd = find_habit(habits_of_fd, name);
    if (!of_fd.empty()) return option_advice("fd", name, of_fd);
    const std::string_view of_rg = find_habit(habits_of_rg, name);
    if (!of_rg.empty()) return option_advice("rg", name, of_rg);
  }
  const std::string_view word = is_long ? name.substr(1) : name;
  const std::string_view of_find = find_habit(habits_of_find, word);
  return of_find.empty() ? std::string() : find_advice(word, of_find);
}

std::string nearest_option(std::string_view name) {
  std::vector<std::string_view> candidates;
  const bool is_long = name.substr(0, 2) == "--";
  for (const OptionRow& row : option_table()) {
    for (const std::string_view known : names_of(row)) {
      // -limit: a dash too few.
      if (!is_long && name.size() > 2 && known.substr(1) == name) return std::string(known);
      if (is_long != (known.substr(0, 2) == "--")) continue;
      if (is_long && name.size() > 3 && known.substr(0, name.size()) == name) {
        return std::string(known);
      }
      candidates.push_back(known);
    }
  }
  return is_long ? text::nearest(name, candidates) : std::string();
}

std::string misplaced_value(const Options& options, std::string_view text) {
  for (const OptionRow& row : option_table()) {
    if (row.value_when_absent.empty()) continue;
    const auto& given = options.*std::get<ValueTarget>(row.target);
    const bool alone = !given.empty() && given.back() == row.value_when_absent;
    const std::vector<std::string_view> words = words_in(row.choices);
    if (!alone || std::find(words.begin(), words.end(), text) == words.end()) continue;
    return text::format("'{0}' was looked for in names; as the value of {1} it is written {1}={0}",
                        text, main_name(row));
  }
  return {};
}

std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names) {
  const query::Field* const field = query::find_field(word);
  const bool known =
      field != nullptr && std::find(names.begin(), names.end(), field->name) != names.end();
  return text::did_you_mean(known ? std::string(field->name) : text::fold_ascii(word), names);
}

}  // namespace ffind::cli
