// SPDX-License-Identifier: MIT
// Output that is held back until everything was found: sorted records, counts. Made by Output;
// knows neither the search nor where the records go.
#pragma once

#include <memory>

#include "ffind/sink.h"
#include "output/receiver.h"

namespace ffind {

class Gatherer {
 public:
  virtual ~Gatherer() = default;
  /// What the lanes will ask each match for.
  virtual Needs needs() const = 0;
  /// Thread-safe; the lane must not outlive the gatherer.
  virtual std::unique_ptr<Lane> open_lane() = 0;
  /// To be called once all lanes are gone. Ends early where the receiver wants no more.
  virtual void pass_on(Receiver& receiver) = 0;
};

}  // namespace ffind
