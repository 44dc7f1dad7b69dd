// SPDX-License-Identifier: MIT
// A sink that keeps what it is given, for tests of the search. Thread-safe.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "ffind/searcher.h"

namespace ffind {

class CollectingSink final : public Sink {
 public:
  std::vector<std::string> paths{};
  std::vector<Issue> issues{};
  std::vector<std::string> notices{};
  std::size_t most = static_cast<std::size_t>(-1);  ///< then the output "fails"
  std::size_t kept = 0;                             ///< paths that a lane keeps until it is flushed

  std::unique_ptr<Lane> open_lane() override { return std::make_unique<CollectingLane>(*this); }
  void report(const Issue& issue) override {
    const std::lock_guard lock(mutex_);
    issues.push_back(issue);
  }
  void notice(const std::string& path, const std::string& text) override {
    const std::lock_guard lock(mutex_);
    notices.push_back(path + ": " + text);
  }
  std::vector<std::string> sorted() const {
    std::vector<std::string> result = paths;
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  class CollectingLane final : public Lane {
   public:
    explicit CollectingLane(CollectingSink& sink) : sink_(sink) {}
    bool emit(Entry& entry) override {
      entry.require(needs::directory);
      kept_.push_back(std::string(entry.directory).append(entry.name));
      return kept_.size() <= sink_.kept || pass_on();
    }
    void flush() override { pass_on(); }
    bool keeps_records() const override { return !kept_.empty(); }

   private:
    bool pass_on() {
      const std::lock_guard lock(sink_.mutex_);
      sink_.paths.insert(sink_.paths.end(), kept_.begin(), kept_.end());
      kept_.clear();
      return sink_.paths.size() < sink_.most;
    }

    CollectingSink& sink_;
    std::vector<std::string> kept_;
  };

  std::mutex mutex_;
};

}  // namespace ffind
