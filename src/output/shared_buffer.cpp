// SPDX-License-Identifier: MIT
// See shared_buffer.h.
#include "output/shared_buffer.h"

#include "os/os.h"

namespace ffind::output {

bool SharedBuffer::take(std::string_view records) {
  const std::lock_guard lock(mutex_);
  // What a lane passed on earlier goes first.
  if (!keeps_ || records.size() > small_part) return pass_on() && next_.take(records);
  const Nanoseconds now = os::monotonic_coarse_now();
  if (kept_.empty()) {
    kept_.reserve(full_buffer);
    since_ = now;
  }
  kept_ += records;
  const bool has_room = kept_.size() + small_part <= full_buffer;
  return (has_room && now - since_ <= pause_) || pass_on();
}

void SharedBuffer::write_if_due() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  keeps_ = true;
  if (os::monotonic_coarse_now() - since_ > pause_ / 2) pass_on();
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
