// SPDX-License-Identifier: MIT
// The sum over all threads of a search. See ffind/progress.h.
#include "ffind/progress.h"

#include <algorithm>

namespace ffind {

Progress::Seat::Seat(Progress* progress, Teller& teller) : progress_(progress), teller_(teller) {
  if (progress_ == nullptr) return;
  const std::lock_guard lock(progress_->mutex_);
  progress_->tellers_.push_back(&teller_);
}

Progress::Seat::~Seat() {
  if (progress_ == nullptr) return;
  const std::lock_guard lock(progress_->mutex_);
  auto& tellers = progress_->tellers_;
  tellers.erase(std::find(tellers.begin(), tellers.end(), &teller_));
  teller_.add_counts(progress_->ended_);
}

SearchProgress Progress::look() {
  const std::lock_guard lock(mutex_);
  SearchProgress sum = ended_;
  for (Teller* const teller : tellers_) {
    teller->add_counts(sum);
    // One is enough, and as long as it is the same one the line is calm.
    if (sum.where.empty()) sum.where = teller->where();
  }
  return sum;
}

}  // namespace ffind
