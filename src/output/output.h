// SPDX-License-Identifier: MIT
// The sink of a search that prints: makes the stages of the output (pipeline.h), owns them, and
// writes issues as messages. Made by cli for one search. Knows the seam to the OS and no query.
//
//     Output(style, writer)          the main thread, before the plan: needs() goes into the plan
//     begin()                        the main thread, once the plan is made
//     open_lane(), report(), ...     workers of the search, concurrently
//     stream(), write_if_due()       the thread of ProgressReporter, while the search runs
//     finish()                       the main thread, after the search
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "ffind/plan.h"
#include "ffind/searcher.h"
#include "os/processes.h"
#include "output/messages.h"
#include "output/output_style.h"
#include "output/pipeline.h"
#include "output/sorter.h"
#include "output/writer.h"

namespace ffind::output {

class ActionStage;
class AskingStage;
class Duplicates;
class Tree;
class Usage;
class Executor;
class StepStage;

/// Thread-safe.
class Output final : public Sink {
 public:
  /// Throws std::system_error if the action on the matches cannot be carried out.
  Output(OutputStyle style, Writer& writer);
  ~Output() override;

  std::unique_ptr<Lane> open_lane() override;
  /// Writes the issue, or keeps it for write_issues().
  void report(const Issue& issue) override;
  /// Writes advice before the first issue; no other follows later.
  void advise(std::string_view advice);
  void notice(const std::string& path, const std::string& text) override;
  bool follows_directories() const override { return usage_ != nullptr || summed_ != nullptr; }
  void leave(DirectoryToken directory) override;
  /// Metadata that the lanes require of each match.
  Needs needs() const;
  /// Call before the search: deletion and commands in directories need the roots, and the writer
  /// the heading. `late` loads what --duplicates reads after the search.
  void begin(const Plan& plan, const LateLoaderFactory& late = {});
  /// Descriptors that the search must leave free.
  std::size_t descriptors() const;
  /// Returns the limit of the search if `limit` matches are wanted: none, if they are the first in
  /// some order.
  std::uint64_t search_limit(std::uint64_t limit) const;
  /// Returns true if results are held back for EarlyOrder::moment, to be sorted. Call `stream`
  /// then.
  bool waits_a_moment() const { return early_ != nullptr; }
  /// Passes results on as they are found, from now on.
  void stream() {
    if (early_) early_->stream();
  }
  /// Returns true if small parts of the results are kept for a moment. Call `write_if_due` every
  /// SharedBuffer::usual_pause then.
  bool keeps_small_parts() const { return shared_ != nullptr; }
  void write_if_due() { shared_->write_if_due(); }
  /// Returns true if a search does nothing but print, so that it is pointless without a reader.
  bool only_prints() const { return !style_.action && style_.format != Format::nothing; }
  /// Names the task that `finish` may take long for, for the status line.
  const char* last_task() const;
  /// Passes on everything that was held back, and returns when all of it is done. Call when all
  /// lanes are gone, or were flushed for the last time because the search ended at its limit.
  void finish();
  /// On a terminal, writes what was kept of the issues, and the number of the others.
  void write_issues();
  /// Returns the test of --if, to be run after all other tests; null if there is none.
  std::function<bool(Entry&)> condition();
  /// Returns true if a command or a deletion failed.
  bool failed() const;
  /// Returns the status of -exit of find; 0 if it was not reached.
  int exit_status() const;

 private:
  std::string lines_of(const Issue& issue);
  void report_at_once(const Issue& issue);

  OutputStyle style_;
  Writer& writer_;
  std::unique_ptr<os::Processes> processes_;  ///< null if no commands are run
  std::unique_ptr<Executor> condition_;       ///< of --if; may be null
  std::unique_ptr<StepStage> steps_;          ///< null if there are none, or they only print
  std::unique_ptr<MatchStage> match_stage_;   ///< null if records go to the writer
  Tree* summed_ = nullptr;                    ///< match_stage_, if it is a tree with details
  ActionStage* action_ = nullptr;             ///< match_stage_, if it is one
  AskingStage* asking_ = nullptr;             ///< match_stage_, if it is one
  bool fails_to_return_ = false;              ///< to the current directory, as find tries
  std::unique_ptr<Collector> collector_;      ///< null if records are not collected
  Usage* usage_ = nullptr;                    ///< collector_, if it is one
  Duplicates* duplicates_ = nullptr;          ///< collector_, if it is one
  std::unique_ptr<EarlyOrder> early_;         ///< null if there is no terminal, or a limit
  std::unique_ptr<SharedBuffer> shared_;  ///< null for a terminal, or if others hold records back
  std::optional<IssueDigest> digest_{};   ///< nullopt if each issue is printed
  std::atomic<bool> advised_{false};      ///< an advice was printed; it is only once
};

}  // namespace ffind::output
