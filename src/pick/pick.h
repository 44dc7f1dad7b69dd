// SPDX-License-Identifier: MIT
// Entry point of pick: one --pick, from the search to the output of what was picked.
//
//                     lanes                       a list, for each frame
//     search thread ────────▶ EntryStore ◀──────── Narrower ◀───────── PickSession ◀──▶ screen
//     (BackgroundSearch)       (store.h)      (judge, load, order)    (keys ▶ Picker ▶ picture)
//                                  │
//                                  └── StoreCursor makes entries again ──▶ Output, if picked
//
// The thread that calls run() draws and reads the keys. Planning runs in the search's thread as
// well, since volumes may be slow to answer while the user is typing. All other threads belong to
// the Narrower and to EntryDetails; each of them can be left behind if a volume holds it up.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/query.h"
#include "ffind/searcher.h"
#include "os/terminal.h"
#include "output/colors.h"
#include "output/output.h"
#include "query/language/fields.h"

namespace ffind::pick {

/// A line of the help on keys.
struct KeyLine {
  std::string_view keys;  ///< "Ctrl-V F2"
  std::string_view effect;
};
std::span<const KeyLine> key_lines();

/// Everything it refers to outlives the Pick.
struct Job {
  const Matcher& matcher;
  std::uint64_t limit = UINT64_MAX;  ///< of entries in the list
  /// Plans the search for lanes that require `needs`. Called in the search's thread. Adds the roots
  /// that cannot be searched to `issues`.
  std::function<Plan(Needs needs, std::vector<Issue>& issues)> plan;
  const query::Meaning& meaning;  ///< of the terms in the prompt
  const Accounts& accounts;       ///< for the details of an entry
  std::string sort{};             ///< keys of --sort: the first one, if the list has that order
  const output::Palette* palette = nullptr;  ///< null: no colours
  os::ScreenHeight height{};                 ///< of the list; without: the whole screen
  std::string query{};                       ///< in the prompt at the beginning
  std::string preview{};                     ///< command for the pane; empty: none
  std::string state_directory{};             ///< for the history; empty: none is kept
  ListReader read_list{};
};

/// For one thread.
class Pick {
 public:
  /// Opens the screen. Throws UsageError if there is no terminal. `output` outlives it.
  Pick(Job job, output::Output& output);
  ~Pick();
  Pick(const Pick&) = delete;
  Pick& operator=(const Pick&) = delete;

  /// Searches until the user picks or leaves, closes the screen and hands what was picked to the
  /// output. Returns false if the user left. Throws what the search threw.
  bool run();
  /// Writes the issues of the search to the output, unless standard error is a terminal: there they
  /// were counted on the screen, and would be all that is left of it.
  void report_issues();
  /// Null if the search did not end.
  const SearchResult* result() const;
  /// False if a volume holds up a thread: the process must end then without destroying what the
  /// Pick and its job refer to.
  bool all_ended() const;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace ffind::pick
