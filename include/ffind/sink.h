// SPDX-License-Identifier: MIT
// Sink: the output as the searcher sees it. Each worker opens a lane of its own and writes whole
// records into it, without locks; issues go to the sink itself. Implemented by output.
#pragma once

#include <memory>

#include "ffind/entry.h"
#include "ffind/issue.h"

namespace ffind {

/// A worker's end of the output. Used by one thread.
class Lane {
 public:
  virtual ~Lane() = default;
  /// Takes a match. Returns false if output could not be written: the search has to stop.
  virtual bool emit(Entry& entry) = 0;
  /// Called between blocks of entries. Passes records on if output is a terminal, or if they have
  /// been kept for long.
  virtual void flush_if_due() = 0;
  /// Passes all records on; called before the worker waits, and at the end.
  virtual void flush() = 0;
  /// Total time that the calls above waited for the consumer.
  virtual Nanoseconds held_up() const { return 0; }
};

/// Thread-safe. Outlives its lanes.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::unique_ptr<Lane> open_lane() = 0;
  virtual void report(const Issue& issue) = 0;
  /// Reports a remark on `path` that is not an error: the search is still complete.
  virtual void notice(const std::string& path, const std::string& text) = 0;
};

}  // namespace ffind
