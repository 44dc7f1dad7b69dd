// SPDX-License-Identifier: MIT
// See pace.h.
#include "output/progress/pace.h"

#include <algorithm>

namespace ffind::output {

std::optional<Nanoseconds> Pace::rest(Nanoseconds now) const {
  if (form_ == ProgressForm::never) return {};
  return std::max<Nanoseconds>(0, next_ - now);
}

bool Pace::is_due(Nanoseconds now) {
  if (form_ == ProgressForm::never || now < next_) return false;
  // From now, not from when it should have been: after a pause nothing is made up for.
  next_ = now + (form_ == ProgressForm::line ? between_lines : between_messages);
  return true;
}

std::uint64_t Rate::add(Nanoseconds now, std::uint64_t entries) {
  constexpr Nanoseconds window = 1'000'000'000;
  samples_.push_back({now, entries});
  // The oldest that is kept is the youngest that lies a window back.
  while (samples_.size() > 2 && now - samples_[1].time >= window) samples_.pop_front();
  const Sample& since = samples_.front();
  const double seconds = static_cast<double>(now - since.time) / 1e9;
  if (seconds <= 0 || entries <= since.entries) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(entries - since.entries) / seconds);
}

}  // namespace ffind::output
