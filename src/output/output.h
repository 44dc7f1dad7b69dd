// SPDX-License-Identifier: MIT
// The sink: puts the stages of the output together (pipeline.h) and writes issues as messages. Made
// by cli; knows the seam to the OS and nothing of queries.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "ffind/plan.h"
#include "ffind/sink.h"
#include "os/processes.h"
#include "output/messages.h"
#include "output/output_style.h"
#include "output/pipeline.h"
#include "output/sorter.h"
#include "output/writer.h"

namespace ffind::output {

class ActionStage;
class Condition;

/// Thread-safe.
class Output final : public Sink {
 public:
  /// Throws std::system_error when what is to be done with the matches cannot be done.
  Output(OutputStyle style, Writer& writer);
  ~Output() override;

  std::unique_ptr<Lane> open_lane() override;
  void report(const Issue& issue) override;
  void notice(const std::string& path, const std::string& text) override;
  /// What the lanes will ask each match for.
  Needs needs() const;
  /// Called before the search, for those who need to know where matches lie.
  void set_plan(const Plan& plan);
  /// Descriptors that the search is to leave free.
  std::size_t descriptors() const;
  /// After how many matches to stop searching, where `limit` are wanted: what is put in order first
  /// has to be found first.
  std::uint64_t search_limit(std::uint64_t limit) const;
  /// Whether results are held back for a moment, to be sorted: `stream` is to be called then.
  bool waits_a_moment() const { return early_ != nullptr; }
  /// From now on results go out as they are found.
  void stream();
  /// Whether small parts of the results are kept for a moment: `write_if_due` is to be called every
  /// SharedBuffer::usual_pause then.
  bool keeps_small_parts() const { return shared_ != nullptr; }
  void write_if_due() { shared_->write_if_due(); }
  /// Whether all that comes of a search is printed, so that without a reader it is in vain.
  bool only_prints() const { return !style_.action && style_.format != Format::nothing; }
  /// What `finish` takes its time for, for a person.
  const char* last_task() const;
  /// Passes on what was held back until everything was found, and returns when all is done. Called
  /// when all lanes are gone, or flushed for the last time because the search ended at its limit.
  void finish();
  /// Whether what the search has found is a match: to be asked last of all. Null: it is.
  std::function<bool(Entry&)> condition();
  /// A command failed, or what was to be deleted was not.
  bool failed() const;

 private:
  RecordStage& last_stage();

  OutputStyle style_;
  Writer& writer_;
  std::unique_ptr<os::Processes> processes_;  ///< null: no commands are run
  std::unique_ptr<Condition> condition_;      ///< null: there is none
  std::unique_ptr<Heading> heading_;          ///< null: there is none
  std::unique_ptr<MatchStage> match_stage_;   ///< null: records go to the writer
  ActionStage* action_ = nullptr;             ///< the same, if it is one
  std::unique_ptr<Collector> collector_;      ///< null: they go out as they are found
  std::unique_ptr<EarlyOrder> early_;         ///< null: nobody looks, or there is a limit
  std::unique_ptr<SharedBuffer> shared_;      ///< null: a terminal, or records are held anyway
  std::optional<IssueDigest> digest_{};       ///< none: each issue is printed
  std::atomic<bool> advised_{false};          ///< once is enough, however many issues it is about
};

}  // namespace ffind::output
