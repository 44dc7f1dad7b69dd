// SPDX-License-Identifier: MIT
// The commands once for each match: by a few threads side by side, or one at a time. Made by
// make_action_receiver.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "output/commands/receivers.h"

namespace ffind {

class EachReceiver final : public ActionReceiver {
 public:
  explicit EachReceiver(const ActionContext& context);
  ~EachReceiver() override { finish(); }

  bool take(std::string_view records) override;
  void finish() override;
  bool failed() const override { return executor_.failed(); }
  void set_anchors(Anchors anchors) override { executor_.set_anchors(std::move(anchors)); }
  std::size_t descriptors() const override;

 private:
  bool push(std::string_view path);
  void add_thread();
  void work();
  bool run(const std::string& path);

  const bool in_directory_;
  const unsigned jobs_;  ///< 0: in the thread that brings the match, one at a time
  Executor executor_;
  std::mutex one_at_a_time_;

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable has_room_;
  std::deque<std::string> waiting_;
  std::size_t idle_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ffind
