// SPDX-License-Identifier: MIT
// See output_order.h.
#include "output/commands/output_order.h"

#include <chrono>

namespace ffind::output {

void OutputOrder::wait(std::uint64_t number) {
  // A signal wakes nobody here; and then the one before us may never come.
  constexpr std::chrono::milliseconds between_looks{50};
  std::unique_lock lock(mutex_);
  while (next_ < number && !ending_()) changed_.wait_for(lock, between_looks);
}

void OutputOrder::leave(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  ended_.insert(number);
  while (ended_.erase(next_) > 0) ++next_;
  changed_.notify_all();
}

}  // namespace ffind::output
