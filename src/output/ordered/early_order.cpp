// SPDX-License-Identifier: MIT
// See early_order.h.
#include "output/ordered/early_order.h"

#include <algorithm>

#include "os/machine.h"

namespace ffind::output {

bool EarlyOrder::take(std::string_view path, std::string_view record) {
  const std::lock_guard lock(mutex_);
  if (is_over()) return next_.take(record);
  kept_.push_back({texts_.size(), path.size(), record.size()});
  texts_.append(path).append(record);
  return texts_.size() < most_bytes || pass_on();
}

void EarlyOrder::stream_if_due() {
  if (!is_over() && os::monotonic_coarse_now() - begin_ >= moment) stream();
}

void EarlyOrder::stream() {
  const std::lock_guard lock(mutex_);
  if (!is_over()) pass_on();
}

void EarlyOrder::finish() {
  const std::lock_guard lock(mutex_);
  if (is_over()) return;
  std::stable_sort(kept_.begin(), kept_.end(),
                   [this](const Kept& a, const Kept& b) { return path_of(a) < path_of(b); });
  pass_on();
}

std::string_view EarlyOrder::path_of(const Kept& kept) const {
  return std::string_view(texts_).substr(kept.begin, kept.path_size);
}

std::string_view EarlyOrder::record_of(const Kept& kept) const {
  return std::string_view(texts_).substr(kept.begin + kept.path_size, kept.record_size);
}

/// Lanes wait until it is written: nothing that is found later overtakes it.
bool EarlyOrder::pass_on() {
  std::string records;
  records.reserve(texts_.size());
  for (const Kept& kept : kept_) records += record_of(kept);
  texts_ = {};
  kept_ = {};
  const bool taken = records.empty() || next_.take(records);
  over_.store(true, std::memory_order_release);
  return taken;
}

}  // namespace ffind::output
