// SPDX-License-Identifier: MIT
// See contradictions.h.
#include "cli/contradictions.h"

#include "cli/option_table.h"
#include "ffind/issue.h"
#include "text/format.h"

namespace ffind {
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

}  // namespace

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

}  // namespace ffind
