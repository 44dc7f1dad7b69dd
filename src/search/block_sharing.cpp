// SPDX-License-Identifier: MIT
// Entries of one block shared out among workers: where the files themselves are read, a directory
// of a few large ones is work for all. A part of Worker; see worker.h.
#include <utility>

#include "search/worker.h"

namespace ffind {
namespace {

/// What a worker reads by itself before it asks for help: a thread costs 30 us to start, which is
/// what three files or 256 KiB take.
constexpr std::uint64_t own_files = 4;
constexpr std::uint64_t own_bytes = std::uint64_t{256} * 1024;

}  // namespace

/// Gives half of what is left of the block to a worker that has nothing to do. Whoever gets it does
/// the same, so that the last large files of a directory end up with a worker each.
void Worker::share_block(Node* node) {
  if (statistics_.files_read < own_files && statistics_.bytes_read < own_bytes) return;
  // With a catalog the first file read has opened the directory, unless that failed.
  if (untold_only_ || !node->directory.is_open()) return;
  walker_.consider_another_worker(true);
  if (frontier_.has_work() || !frontier_.someone_waits()) return;
  std::string records;
  if (block_.split(records)) frontier_.push_entries(node, std::move(records));
}

void Worker::consider_share(Work& work) {
  from_catalog_ = false;
  block_.assign(work.names);
  tell_place(work.node);
  consider_block(work.node);
  tell_counts();
  lane_->flush_if_due();
  push_children(work.node);
  finish(work.node);
}

}  // namespace ffind
