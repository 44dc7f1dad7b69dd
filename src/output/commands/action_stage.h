// SPDX-License-Identifier: MIT
// Stages that run commands on matches, or delete them; made by Output.
//
//     EachRunner    -x: the commands once for each match, in a few threads, fed by a queue of two
//                   matches per thread, so that slow commands hold the search back; or, with `jobs`
//                   of 0, one at a time in the thread that brings the match.
//     BatchRunner   -X: the commands for as many matches as a command line takes. The thread that
//                   fills a batch runs it, and the others wait.
//     Deleter       --delete and --trash (deleter.cpp).
#pragma once

#include <cstddef>
#include <memory>
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
};

/// Throws std::system_error if the action cannot work: a command does not exist, or there is no
/// terminal for --confirm. The action outlives the stage.
std::unique_ptr<ActionStage> make_action_stage(const ActionContext& context);

/// Makes the stage for --delete and --trash.
std::unique_ptr<ActionStage> make_deleter(const ActionContext& context);

/// Returns how many descriptors commands or deletion may use: the process's limit less those that
/// it and the search always need.
std::size_t spare_descriptors();

}  // namespace ffind::output
