// SPDX-License-Identifier: MIT
// --sort with -x: commands run in parallel, and what they write comes in the order of their
// matches. Made by the executor.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

namespace ffind::output {

/// Thread-safe.
class OutputOrder {
 public:
  /// `ending`: nobody is waited for any more, since this process ends.
  explicit OutputOrder(std::function<bool()> ending) : ending_(std::move(ending)) {}

  /// The place of one match, from the start of its commands to their end. Places are taken in the
  /// order of the matches, from 0 on, each by who works on it.
  class Place {
   public:
    Place(OutputOrder& order, std::uint64_t number) : order_(order), number_(number) {}
    ~Place() { order_.leave(number_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// Blocks until all before it have ended.
    void wait() { order_.wait(number_); }

   private:
    OutputOrder& order_;
    const std::uint64_t number_;
  };

 private:
  void wait(std::uint64_t number);
  void leave(std::uint64_t number);

  const std::function<bool()> ending_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;         ///< all before it have ended
  std::set<std::uint64_t> ended_;  ///< others, without output
};

}  // namespace ffind::output
