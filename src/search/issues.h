// SPDX-License-Identifier: MIT
// What goes wrong during a search, reported to the sink and counted. A part of every worker, used
// by its other parts.
#pragma once

#include <string>

#include "search/counts.h"
#include "search/entry_position.h"
#include "search/state.h"

namespace ffind::search {

/// In the place of an errno: another directory, or none, is where the root was.
inline constexpr int root_exchanged = -1;

/// Whether that only says that something is no longer what it was when it was listed.
bool is_gone(int error);

/// Belongs to its thread.
class IssueReporter {
 public:
  IssueReporter(SearchState& state, Counts& counts) : state_(state), counts_(counts) {}

  void report(std::string path, const char* operation, int error, std::string detail = {});
  void report_entry(Entry& entry, const char* operation, int error);
  /// What went wrong with an entry; an issue unless it is only gone, or in a cloud.
  void fail(Entry& entry, const char* operation, int error);
  /// Whether the entry can be reached; if not, that is reported unless it has been.
  bool can_reach(Entry& entry, const EntryPlace& place, const char* operation) {
    if (place.error != 0 && !place.reported) fail(entry, operation, place.error);
    return place.error == 0;
  }
  /// As `fail`, of a directory that cannot be read; `root_exchanged` among the errors.
  void pass_over(std::string path, const char* operation, int error);
  /// Nobody can say whose the entry is: reported once a search.
  void accounts_failed(Entry& entry);

 private:
  SearchState& state_;
  Counts& counts_;
};

}  // namespace ffind::search
