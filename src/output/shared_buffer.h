// SPDX-License-Identifier: MIT
// A stage between the lanes and the writer that gathers what they pass on in small parts: many
// threads that search a slow volume pass on a few records each before they read the next directory.
// A write of each took 4 % of the processor time. Made by Output; knows no volume.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "output/pipeline.h"

namespace ffind::output {

/// Thread-safe.
class SharedBuffer final : public RecordStage {
 public:
  /// How often to call `write_if_due`: the lane that passed records on may be blocked for ever, and
  /// no other lane may pass on any. Unless the reader of the output has stalled, records are kept
  /// for one and a half times as long at most.
  static constexpr Nanoseconds usual_pause = 50'000'000;

  /// `next` outlives it.
  explicit SharedBuffer(RecordStage& next, Nanoseconds pause = usual_pause)
      : next_(next), pause_(pause) {}

  /// Keeps a small part, passes on a large one. Until `write_if_due` is first called, everything is
  /// passed on: there may be no thread to call it.
  bool take(std::string_view records) override;
  /// Never blocks, since the caller also draws the status line. That is why no more is kept than a
  /// pipe takes at once.
  void write_if_due();
  /// Passes on what is kept. To be called when all lanes have passed on the last of theirs.
  void finish();

 private:
  bool pass_on();

  RecordStage& next_;
  const Nanoseconds pause_;
  std::mutex mutex_;  ///< held while something is passed on; guards what follows
  bool keeps_ = false;
  std::string kept_;
  Nanoseconds since_ = 0;  ///< what is kept first was taken then
};

}  // namespace ffind::output
