// SPDX-License-Identifier: MIT
// Runs the commands for as many matches as a command line takes, in the order in which they come.
// Made by make_action_stage.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "output/commands/action_stage.h"
#include "output/commands/batch.h"

namespace ffind::output {

/// One batch after another, each run by the thread that filled it; the others wait.
class BatchRunner final : public ActionStage {
 public:
  explicit BatchRunner(const ActionContext& context);

  bool take(std::span<const Match> matches) override;
  void finish() override;
  bool failed() const override { return executor_.failed(); }
  void set_roots(RootDirectories roots) override { executor_.set_roots(std::move(roots)); }
  /// /dev/null, and the way to a directory.
  std::size_t descriptors() const override { return 3; }

 private:
  bool add(std::string_view path);
  bool run();

  const ActionContext context_;
  Executor executor_;
  std::mutex mutex_;
  Batch batch_;
  std::string directory_;  ///< of all paths in the batch, where commands run in it
};

}  // namespace ffind::output
