// SPDX-License-Identifier: MIT
// See contradictions.h.
#include "cli/contradictions.h"

#include <string_view>

#include "ffind/issue.h"
#include "text/format.h"

namespace ffind {
namespace {

/// What becomes of a match: one of these at most. --json and --fields are one.
enum class Fate : unsigned char { json, templated, details, tree, command };

struct Choice {
  bool made;
  std::string_view option;
  Fate fate;
};

[[noreturn]] void fail(std::string_view one, std::string_view other, bool command) {
  throw UsageError(text::format("{} and {} exclude each other{}", one, other,
                                command ? ": commands take the place of what is printed" : ""));
}

}  // namespace

void refuse_contradictions(const Options& options) {
  const Choice choices[] = {
      {!options.json.empty(), "--json", Fate::json},
      {!options.fields.empty(), "--fields", Fate::json},
      {!options.format.empty(), "--format", Fate::templated},
      {options.details, "--long", Fate::details},
      {options.tree, "--tree", Fate::tree},
      {!options.execs.empty(), "--exec", Fate::command},
      {!options.exec_batches.empty(), "--exec-batch", Fate::command},
      {options.remove, "--delete", Fate::command},
  };
  const Choice* chosen = nullptr;
  for (const Choice& choice : choices) {
    if (!choice.made) continue;
    const bool command = choice.fate == Fate::command;
    if (chosen != nullptr && (chosen->fate != choice.fate || command)) {
      fail(chosen->option, choice.option, command && chosen->fate != Fate::command);
    }
    chosen = &choice;
    // NULs end paths, templates and lines of -l; a count has no matches to show.
    const bool json = choice.fate == Fate::json;
    const bool tree = choice.fate == Fate::tree;
    if (options.null && (json || tree || command)) fail(choice.option, "--null", command);
    if (!options.count.empty() && choice.option != "--json")
      fail(choice.option, "--count", command);
    if (options.quiet && command) fail(choice.option, "--quiet", true);
  }
  // NULs end the rows of tables, too: the names in them may have newlines.
  const bool number = !options.count.empty() && options.count.back() == "matches";
  if (options.null && number) fail("--count", "--null", false);
}

void refuse_beside_listing(const Options& options) {
  if (options.arguments.empty() && options.json.empty() && options.fields.empty()) return;
  throw UsageError("--saved lists all saved searches, as text\n  for example: ffind --saved");
}

}  // namespace ffind
