// SPDX-License-Identifier: MIT
// Stages that run commands on matches, or delete them; made by Output.
//
//     EachRunner    -x: the commands once for each match, in a few threads, fed by a queue of two
//                   matches per thread, so that slow commands hold the search back; or, with `jobs`
//                   of 0, one at a time in the thread that brings the match.
//     BatchRunner   -X: the commands for as many matches as a command line takes. The thread that
//                   fills a batch runs it, and the others wait.
//     Deleter       --delete and --trash (deleter.cpp).
//     TrashStage    --restore, and --delete of what is in the Trash (trash_stage.cpp).
//     AskingStage   before one of them: asks once about all matches (asking_stage.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "output/commands/executor.h"
#include "output/pipeline.h"

namespace ffind::output {

class ActionStage : public MatchStage {
 public:
  /// Sets the roots of the search; called before the first match.
  virtual void set_roots(RootDirectories roots) = 0;
  /// Descriptors that the search must leave free.
  virtual std::size_t descriptors() const = 0;
  /// "412 files, 1.2 GB deleted", for a terminal; empty if there is nothing to tell.
  virtual std::string summary() const { return {}; }
  /// Another way to do what could not be done; empty if there is none.
  virtual std::string advice() const { return {}; }
};

/// Number of files and directories, and the sizes of the files.
class ActionTally {
 public:
  void add(const os::Identity& identity);
  std::uint64_t number() const { return files_ + directories_; }
  std::uint64_t directories() const { return directories_; }
  /// "412 files, 1.2 GB, and 3 directories"
  std::string text() const;

 private:
  std::uint64_t files_ = 0;
  std::uint64_t directories_ = 0;
  std::uint64_t bytes_ = 0;
};

/// For the thread of Output::finish().
class AskingStage final : public ActionStage {
 public:
  /// Throws std::system_error if there is no terminal.
  AskingStage(const ActionContext& context, std::unique_ptr<ActionStage> next);

  /// Counts the matches, and after agreed() acts on them: take all of them twice.
  bool take(std::span<const Match> matches) override;
  /// Asks whether to act; false without a match, and if there are more than the commands can take.
  bool agreed();
  /// True for the latter: nothing was run.
  bool refused() const { return refused_; }
  void finish() override { next_->finish(); }
  bool failed() const override { return failed_ || refused_ || next_->failed(); }
  void set_roots(RootDirectories roots) override { next_->set_roots(std::move(roots)); }
  std::size_t descriptors() const override { return next_->descriptors(); }
  std::string summary() const override { return next_->summary(); }
  std::string advice() const override { return next_->advice(); }

 private:
  void note(const Match& match);
  std::string first_command(const Match& match) const;
  std::string question() const;
  bool is_still(const Match& match);

  const ActionContext context_;
  const std::unique_ptr<ActionStage> next_;
  std::optional<Confirmation> confirmation_;
  ActionTally tally_;
  std::string names_;  ///< the first ones, a line each
  std::string first_;  ///< command
  bool agreed_ = false;
  bool refused_ = false;
  bool failed_ = false;
};

/// Throws std::system_error if the action cannot work: a command does not exist, or there is no
/// terminal for --confirm. The action outlives the stage.
std::unique_ptr<ActionStage> make_action_stage(const ActionContext& context);

/// Makes the stage for --delete and --trash.
std::unique_ptr<ActionStage> make_deleter(const ActionContext& context);

/// Makes the stage for entries of a Trash.
std::unique_ptr<ActionStage> make_trash_stage(const ActionContext& context);

/// Returns how many descriptors commands or deletion may use: the process's limit less those that
/// it and the search always need.
std::size_t spare_descriptors();

}  // namespace ffind::output
