// SPDX-License-Identifier: MIT
// The walker: searches one task, the roots on one volume, with several workers over one frontier.
// Made by search(); never crosses a volume boundary.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ffind/searcher.h"
#include "search/frontier.h"
#include "search/visited.h"

namespace ffind {

/// What all walkers of a search share. Thread-safe.
struct SearchState {
  const Matcher& matcher;
  Sink& sink;
  Needs sink_needs;
  std::uint64_t limit;
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> tickets{0};
  VisitedSet visited{};

  /// A limited search emits only with a ticket, so that it emits exactly as many as were asked for.
  bool take_ticket();
};

/// Paths below the roots of a task that are listed and not entered: mount points, and parts of the
/// volume that another root covers. Found by name first: one comparison for nearly every
/// directory. Immutable.
class Boundaries {
 public:
  explicit Boundaries(const Task& task);
  bool empty() const { return boundaries_.empty(); }
  bool may_be(std::string_view name) const;
  const Boundary* at(std::string_view canonical_path) const;

 private:
  std::vector<Boundary> boundaries_;
  std::uint64_t lengths_ = 0;  ///< bit n: some mount point's name has n bytes (63: or more)
};

class Walker {
 public:
  Walker(const Task& task, SearchState& state, os::FileSystem& file_system,
         std::size_t descriptors);

  /// Blocks until the task is done or the search stopped; the caller is the first worker.
  void run();

  const Statistics& statistics() const { return statistics_; }
  const std::vector<Boundary>& left_out() const { return left_out_; }

 private:
  friend class Worker;

  /// Starts another worker when there is enough to do for it.
  void consider_another_worker(bool crowded_directory);
  void work();
  void meet_boundary(const Boundary& boundary);

  const Task& task_;
  SearchState& state_;
  os::FileSystem& file_system_;
  const Boundaries boundaries_;
  Frontier frontier_;
  std::atomic<unsigned> workers_{1};

  std::mutex mutex_;  ///< guards what follows
  std::vector<std::thread> threads_;
  Statistics statistics_;
  std::vector<Boundary> left_out_;
};

}  // namespace ffind
