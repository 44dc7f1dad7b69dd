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
      const std::lock_guard lock(sink_.mutex_);
      sink_.paths.push_back(std::string(entry.directory).append(entry.name));
      return sink_.paths.size() < sink_.most;
    }

   private:
    CollectingSink& sink_;
  };

  std::mutex mutex_;
};

}  // namespace ffind
