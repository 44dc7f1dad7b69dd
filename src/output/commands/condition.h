// SPDX-License-Identifier: MIT
// The commands of --if: asked of each match, last of all, whether it is one. Made by Output; asked
// by the workers of the search, each of which waits for its answer.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "ffind/entry.h"
#include "ffind/issue.h"
#include "os/processes.h"
#include "output/commands/template.h"
#include "output/writer.h"

namespace ffind::output {

/// Thread-safe.
class Condition {
 public:
  using Report = std::function<void(const Issue&)>;

  /// Looks the programs up. Throws std::system_error for one that is not to be found. All of the
  /// arguments outlive this.
  Condition(const std::vector<CommandTemplate>& commands, Writer& writer, os::Processes& processes,
            Report report);
  ~Condition();
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;

  /// Whether all commands succeed for `entry`, run one after another. Their standard input is
  /// empty and their output is dropped; what they write to standard error is passed on.
  bool holds(Entry& entry);

  /// A command could not be started, or was ended by a signal; that was reported.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  bool succeeds(std::size_t index, const std::string& path);
  void report_trouble(const os::Ending& ending, std::size_t index, const std::string& name,
                      const std::string& path);

  const std::vector<CommandTemplate>& commands_;
  Writer& writer_;
  os::Processes& processes_;
  const Report report_;
  std::vector<std::string> programs_;  ///< one a command; empty: depends on the match
  std::atomic<bool> failed_{false};
  std::atomic<bool> stopped_{false};  ///< no command can be started any more
};

}  // namespace ffind::output
