// SPDX-License-Identifier: MIT
// The sums over all threads of a search, at its end and on the way. See counts.h and
// ffind/progress.h.
#include "search/counts.h"

#include <algorithm>

#include "ffind/progress.h"

namespace ffind {

Statistics& Statistics::operator+=(const Statistics& other) {
  directories += other.directories;
  entries += other.entries;
  matches += other.matches;
  stats += other.stats;
  vanished += other.vanished;
  files_read += other.files_read;
  bytes_read += other.bytes_read;
  not_local += other.not_local;
  walked += other.walked;
  issues += other.issues;
  threads += other.threads;
  return *this;
}

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
