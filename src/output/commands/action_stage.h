// SPDX-License-Identifier: MIT
// The stages that run commands on matches, or delete them. Made by Output.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "output/commands/executor.h"
#include "output/pipeline.h"

namespace ffind::output {

class ActionStage : public MatchStage {
 public:
  /// Where the matches lie; called before the first of them.
  virtual void set_roots(RootDirectories roots) = 0;
  /// Descriptors that the search leaves to it.
  virtual std::size_t descriptors() const = 0;
};

/// Throws std::system_error where it is plain at once that nothing can be done: a command that does
/// not exist, no terminal to ask at. The action outlives the stage.
std::unique_ptr<ActionStage> make_action_stage(const ActionContext& context);

/// The stage that deletes.
std::unique_ptr<ActionStage> make_deleter(const ActionContext& context);

/// How many descriptors commands or deletion may have of the process's limit, what it and the
/// search hold open at all times left aside.
std::size_t spare_descriptors();

/// The directory of `path`, with a slash at its end or empty, and the rest.
std::pair<std::string_view, std::string_view> split_path(std::string_view path);

}  // namespace ffind::output
