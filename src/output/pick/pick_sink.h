// SPDX-License-Identifier: MIT
// The sink of a search whose results a person picks from: what is found goes to the store, what
// goes wrong is kept until the screen is gone. Made by cli; knows no screen.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ffind/sink.h"
#include "output/pick/entry_store.h"

namespace ffind::output {

/// Thread-safe.
class PickSink final : public Sink {
 public:
  /// More issues than this are only counted.
  static constexpr std::size_t most_issues = 10'000;

  explicit PickSink(std::shared_ptr<EntryStore> store) : store_(std::move(store)) {}

  /// What the lanes ask each entry for.
  static constexpr Needs needs = needs::type | needs::directory | needs::origin;

  std::unique_ptr<Lane> open_lane() override;
  void report(const Issue& issue) override;
  void notice(const std::string& path, const std::string& text) override;

  /// From now on no more entries are taken: the search is to stop.
  void stop() { stopped_.store(true, std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// From now on lanes of the calling thread call `meanwhile` between blocks of entries, for a
  /// search in the thread that has to draw.
  void set_meanwhile(std::function<void()> meanwhile) {
    meanwhile_ = std::move(meanwhile);
    drawing_thread_ = std::this_thread::get_id();
  }
  void do_meanwhile() const {
    if (meanwhile_ && std::this_thread::get_id() == drawing_thread_) meanwhile_();
  }

  /// How many issues were reported.
  std::size_t issue_count() const { return issue_count_.load(std::memory_order_relaxed); }
  struct Notice {
    std::string path;
    std::string text;
  };
  /// What was kept, in the order in which it was reported; kept no longer.
  std::vector<Issue> take_issues();
  std::vector<Notice> take_notices();

 private:
  const std::shared_ptr<EntryStore> store_;
  std::atomic<bool> stopped_{false};
  std::atomic<std::size_t> issue_count_{0};
  std::function<void()> meanwhile_;
  std::thread::id drawing_thread_;
  std::mutex mutex_;  ///< guards what follows
  std::vector<Issue> issues_;
  std::vector<Notice> notices_;
};

}  // namespace ffind::output
