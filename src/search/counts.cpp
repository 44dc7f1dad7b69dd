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
  added_threads += other.added_threads;
  return *this;
}

Progress::Registration::Registration(Progress* progress, Source& source)
    : progress_(progress), source_(source) {
  if (progress_ == nullptr) return;
  const std::lock_guard lock(progress_->mutex_);
  progress_->sources_.push_back(&source_);
}

Progress::Registration::~Registration() {
  if (progress_ == nullptr) return;
  const std::lock_guard lock(progress_->mutex_);
  auto& sources = progress_->sources_;
  sources.erase(std::find(sources.begin(), sources.end(), &source_));
  source_.add_counts(progress_->ended_);
}

SearchProgress Progress::look() {
  const std::lock_guard lock(mutex_);
  SearchProgress sum = ended_;
  for (Source* const source : sources_) {
    source->add_counts(sum);
    // One is enough, and as long as it is the same one the line is calm.
    if (sum.where.empty()) sum.where = source->where();
  }
  return sum;
}

}  // namespace ffind
