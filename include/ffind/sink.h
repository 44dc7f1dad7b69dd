// SPDX-License-Identifier: MIT
// Where results go. Each worker of a search opens a lane of its own and writes whole records into
// it; issues go to the sink. Implemented by output; the searcher knows only this.
#pragma once

#include <memory>

#include "ffind/entry.h"
#include "ffind/issue.h"

namespace ffind {

/// One worker's end of the output. Belongs to one thread.
class Lane {
 public:
  virtual ~Lane() = default;
  /// Takes one match. False when output is at an end (it could not be written): stop searching.
  virtual bool emit(Entry& entry) = 0;
  /// Called between blocks of entries. Passes on what a person is waiting for, or what has been
  /// held back for long.
  virtual void flush_if_due() = 0;
  /// Passes on everything; called before the worker waits, and at the end.
  virtual void flush() = 0;
  /// How long all this has waited for whoever takes what is passed on.
  virtual Nanoseconds held_up() const { return 0; }
};

/// Thread-safe. Outlives its lanes.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::unique_ptr<Lane> open_lane() = 0;
  virtual void report(const Issue& issue) = 0;
  /// Something a person should know about `path` that is no error: the search stays complete.
  virtual void notice(const std::string& path, const std::string& text) = 0;
};

}  // namespace ffind
