// SPDX-License-Identifier: MIT
// What one thread of a search counts, and what of that others may see while it goes on. A part of
// every worker.
#pragma once

#include <atomic>
#include <cstdint>

#include "ffind/progress.h"
#include "ffind/searcher.h"

namespace ffind::search {

/// Belongs to its thread, but for `add_to`.
struct Counts : Statistics {
  Counts() { threads = 1; }

  std::uint64_t asked = 0;  ///< entries that somebody else was asked about

  /// Lets others see them; called between blocks of entries, never for a single one.
  void publish() {
    published_.directories.store(directories, std::memory_order_relaxed);
    published_.entries.store(entries, std::memory_order_relaxed);
    published_.matches.store(matches, std::memory_order_relaxed);
  }
  /// Adds what was published.
  void add_to(SearchProgress& sum) const {
    sum.directories += published_.directories.load(std::memory_order_relaxed);
    sum.entries += published_.entries.load(std::memory_order_relaxed);
    sum.matches += published_.matches.load(std::memory_order_relaxed);
  }

 private:
  struct Published {
    std::atomic<std::uint64_t> directories{0};
    std::atomic<std::uint64_t> entries{0};
    std::atomic<std::uint64_t> matches{0};
  } published_;
};

}  // namespace ffind::search
