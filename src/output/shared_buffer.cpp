// SPDX-License-Identifier: MIT
// See shared_buffer.h.
#include "output/shared_buffer.h"

#include "os/machine.h"
#include "os/terminal.h"

namespace ffind::output {

bool SharedBuffer::take(std::string_view records) {
  const std::lock_guard lock(mutex_);
  // What a lane passed on earlier goes first.
  const bool is_small = records.size() <= os::taken_at_once / 2;
  if (!keeps_ || !is_small) return pass_on() && next_.take(records);
  if (kept_.size() + records.size() > os::taken_at_once && !pass_on()) return false;
  const Nanoseconds now = os::monotonic_coarse_now();
  if (kept_.empty()) since_ = now;
  kept_ += records;
  return now - since_ <= pause_ || pass_on();
}

void SharedBuffer::write_if_due() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  keeps_ = true;
  const bool is_due = os::monotonic_coarse_now() - since_ > pause_ / 2;
  if (is_due && !kept_.empty() && next_.takes_more()) pass_on();
}

void SharedBuffer::finish() {
  const std::lock_guard lock(mutex_);
  pass_on();
}

bool SharedBuffer::pass_on() {
  if (kept_.empty()) return true;
  const bool taken = next_.take(kept_);
  kept_.clear();
  return taken;
}

}  // namespace ffind::output
