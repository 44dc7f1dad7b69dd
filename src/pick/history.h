// SPDX-License-Identifier: MIT
// Queries of earlier lists, for Alt-Up and Alt-Down: kept in a file of the program's own, one a
// line, the latest last. Used by the Picker, which moves in it, and by Pick, which adds to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ffind::pick {

/// Returns the queries in the file, the latest last. `place` is the directory for state, as
/// ~/.local/state; empty for no history. Failures are silent here and below: a full disk or another
/// user's directory costs the history, not the list.
std::vector<std::string> read_queries(const std::string& place);
/// Makes `query` the latest. Blank ones, those of more than 4,096 bytes and those that could
/// mislead on a terminal are not kept.
void add_query(const std::string& place, std::string_view query);

/// Position in the queries, as a shell has it: after the latest is the prompt that was being typed.
class QueryHistory {
 public:
  QueryHistory() = default;
  explicit QueryHistory(std::vector<std::string> queries)
      : queries_(std::move(queries)), position_(queries_.size()) {}

  /// Returns the query before, or else `shown`, which is what the prompt has now.
  const std::string& earlier(const std::string& shown);
  const std::string& later(const std::string& shown);

 private:
  std::vector<std::string> queries_;
  std::size_t position_ = 0;
  std::string typed_;  ///< in the prompt before the first move
};

/// Returns the text of the file with `latest` at its end: each query once, without the oldest ones
/// if there are more than 1,000 or the file would be too large.
std::string history_with(std::string_view text, std::string_view latest);

}  // namespace ffind::pick
