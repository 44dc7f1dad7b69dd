// SPDX-License-Identifier: MIT
// Chunks by the call, the most recent ones kept. See inodes.h.
#include "os/devices/xfs/inodes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ffind::os::xfs {
namespace {

/// What a stat by name takes, measured in stats of open files: 2.7 where all is in the processor's
/// caches, 3.7 in a walk of 836,000 entries.
constexpr Nanoseconds stats_by_name = 3;

}  // namespace

/// What so many chunks save if all of their inodes are asked for.
Nanoseconds Worth::saved_by(unsigned chunks) const {
  return chunks * inodes_per_chunk * stats_by_name * stat_;
}

void Worth::set_stat(Nanoseconds takes) {
  stat_ = std::max<Nanoseconds>(takes, 1);
  balance_ = saved_by(chunks_in_advance);
}

bool Worth::may_read() {
  if (always_) return true;
  if (waiting_ > 0) {
    --waiting_;
    return false;
  }
  if (balance_ >= 0 && losses_ < most_losses) return true;
  waiting_ = next_wait_ - 1;  // this refusal is one of them
  next_wait_ = std::min(next_wait_ * 4, longest_wait);
  balance_ = saved_by(chunks_in_advance);
  losses_ = 0;
  return false;
}

void Worth::read(Nanoseconds took, unsigned answers) {
  balance_ -= took;
  losses_ = took < answers * stats_by_name * stat_ ? 0 : losses_ + 1;
}

void Worth::answered(std::uint64_t count) {
  balance_ += static_cast<Nanoseconds>(count) * stats_by_name * stat_;
  balance_ = std::min(balance_, saved_by(most_chunks_in_advance));
  if (balance_ > saved_by(2 * chunks_in_advance)) next_wait_ = shortest_wait;
}

Inodes::Inodes(std::unique_ptr<Calls> calls, const Trust& trust, Needs wanted, bool always)
    : calls_(std::move(calls)),
      trust_(trust),
      wanted_(wanted & needs::metadata & ~needs::identity),
      worth_(always) {}

Inodes::Found Inodes::find(std::uint64_t inode, std::uint64_t answered) {
  const std::uint64_t number = inode / inodes_per_chunk;
  {
    const std::lock_guard lock(mutex_);
    if (answered > 0) worth_.answered(answered);
    const auto held = held_.find(number);
    if (held != held_.end()) {
      recent_.splice(recent_.begin(), recent_, held->second.recent);
      // While another thread reads it, a stat is quicker than waiting.
      return {.chunk = held->second.chunk};
    }
    if (!worth_.may_read()) return {.skip = skipped};
    if (!worth_.knows_stat()) worth_.set_stat(calls_->stat_takes());
    hold(number, nullptr);
  }
  return read(number);
}

Inodes::Found Inodes::read(std::uint64_t number) {
  using Numbered = std::pair<std::uint64_t, std::shared_ptr<Chunk>>;
  const std::uint64_t began = clock_.fetch_add(1) + 1;
  BulkCall call;
  call.head = {.ino = number * inodes_per_chunk,
               .flags = 0,
               .icount = inodes_per_chunk,
               .ocount = 0,
               .agno = 0,
               .reserved = {}};
  const Nanoseconds begin = calls_->running_time();
  // What cannot be read is a chunk that answers nothing: no reason to try again.
  const bool failed = calls_->read(call) != 0;
  const Nanoseconds took = calls_->running_time() - begin;

  unsigned answers = 0;
  std::vector<Numbered> chunks = {{number, std::make_shared<Chunk>()}};
  const std::uint32_t count = failed ? 0 : std::min(call.head.ocount, inodes_per_chunk);
  for (std::uint32_t i = 0; i < count; ++i) {
    const BulkStat& from = call.records[i];
    const std::uint64_t its_number = from.ino / inodes_per_chunk;
    if (its_number < chunks.back().first) continue;
    // Where some of the chunk are free, those of the next ones follow, perhaps not all of them.
    if (its_number > chunks.back().first) {
      if (call.head.ino / inodes_per_chunk <= its_number) break;
      chunks.emplace_back(its_number, std::make_shared<Chunk>());
    }
    Record& record = chunks.back().second->records[from.ino % inodes_per_chunk];
    record = Record(from, trust_);
    if ((record.certain() & wanted_) == wanted_) ++answers;
  }
  const std::lock_guard lock(mutex_);
  worth_.read(took, answers);
  for (const auto& [its_number, chunk] : chunks) {
    chunk->read_at = began;
    hold(its_number, chunk);
  }
  return {.chunk = chunks.front().second, .was_read = true};
}

/// With the lock. In the place of the one used longest ago, if there are too many.
void Inodes::hold(std::uint64_t number, std::shared_ptr<const Chunk> chunk) {
  const auto [held, is_new] = held_.try_emplace(number);
  if (is_new) {
    recent_.push_front(number);
    held->second.recent = recent_.begin();
  }
  held->second.chunk = std::move(chunk);
  if (held_.size() <= most_chunks) return;
  held_.erase(recent_.back());
  recent_.pop_back();
}

}  // namespace ffind::os::xfs
