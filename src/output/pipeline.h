// SPDX-License-Identifier: MIT
// The stages of the output. The search hands entries to the lanes of the sink (ffind/sink.h), which
// make records (text) or Matches of them. These go to a last stage, through a collector if nothing
// may come out before everything was found. Output puts the stages together:
//
//     lanes ──records──▶ [EarlyOrder | SharedBuffer | Sorter | Counter] ──▶ Writer
//     lanes ──Matches──▶ [Sorter] ──▶ Tree (draws into the Writer) | EachRunner | BatchRunner |
//     Deleter
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "ffind/sink.h"
#include "output/match.h"

namespace ffind::output {

/// So many bytes of records are worth passing on. What a pipe of Linux holds, 64 KiB, less room for
/// the record that fills the buffer: what does not fit waits until the reader has made room, and a
/// list took 1.07 times as long.
inline constexpr std::size_t full_buffer = std::size_t{60} * 1024;

/// Takes records. Thread-safe.
class RecordStage {
 public:
  virtual ~RecordStage() = default;
  /// Takes whole records, each with its end, in the order in which they are to appear. Blocks while
  /// no more can be taken. False: no more are wanted, stop searching.
  virtual bool take(std::string_view records) = 0;
  /// Whether `take` would accept `os::taken_at_once` bytes without blocking.
  virtual bool takes_more() const { return true; }
};

/// Takes Matches. Thread-safe.
class MatchStage {
 public:
  virtual ~MatchStage() = default;
  /// As RecordStage::take. The texts of the matches are only valid during the call.
  virtual bool take(std::span<const Match> matches) = 0;
  /// There are no more. Returns when all is done.
  virtual void finish() = 0;
  /// Whether something went wrong that has been reported and makes the status 1.
  virtual bool failed() const { return false; }
};

/// Holds everything back until everything was found, and then hands it to the next stage.
class Collector {
 public:
  virtual ~Collector() = default;
  /// What the lanes will ask each match for.
  virtual Needs needs() const = 0;
  /// Thread-safe; the lane must not outlive the collector.
  virtual std::unique_ptr<Lane> open_lane() = 0;
  /// To be called once all lanes are gone. Ends early if the next stage wants no more.
  virtual void pass_on() = 0;
};

}  // namespace ffind::output
