// SPDX-License-Identifier: MIT
// Runs the commands once for each match: by a few threads in parallel, or one at a time. Made by
// make_action_stage.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "output/commands/action_stage.h"

namespace ffind::output {

class EachRunner final : public ActionStage {
 public:
  explicit EachRunner(const ActionContext& context);
  ~EachRunner() override { finish(); }

  bool take(std::span<const Match> matches) override;
  void finish() override;
  bool failed() const override { return executor_.failed(); }
  void set_roots(RootDirectories roots) override { executor_.set_roots(std::move(roots)); }
  std::size_t descriptors() const override;

 private:
  bool push(std::string_view path);
  void add_thread();
  void work();
  bool run(const std::string& path, std::optional<std::uint64_t> number = {});

  const bool in_directory_;
  const bool in_order_;
  const unsigned jobs_;  ///< 0: in the thread that brings the match, one at a time
  Executor executor_;
  std::mutex one_at_a_time_;

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable has_room_;
  std::deque<std::string> waiting_;
  std::uint64_t started_ = 0;  ///< how many were taken from there
  std::size_t idle_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ffind::output
