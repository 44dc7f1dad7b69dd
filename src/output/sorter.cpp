// SPDX-License-Identifier: MIT
// Lanes that sort, and the merge of their runs.
//
//     each worker    SortLane::emit()    key, wants(), add() into its own SortStore
//                    ~SortLane()         sort(), then adopt(): the store is a run in runs_
//     main thread    pass_on()           Merge of the runs ─▶ RecordBatch, MatchBatch ─▶ next stage
//
// A lane shares nothing until it hands its store over, so emit() takes no lock. Merging n matches
// of k runs takes n log k comparisons of keys; a lane has one run, or one for each flush().
#include "output/sorter.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "os/machine.h"
#include "os/trash.h"
#include "output/record_fields.h"
#include "output/records.h"
#include "output/sort_store.h"

namespace ffind::output {

/// Copies path and record into one text; sorting moves only their offsets.
bool EarlyOrder::take(std::string_view path, std::string_view record) {
  const std::lock_guard lock(mutex_);
  // Another thread may have ended the moment while this one waited for the lock.
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

/// Sorts if the search ended in time. The sort is stable: entries with equal paths stay in the
/// order in which they were found. Entries of a Trash come last.
void EarlyOrder::finish() {
  const std::lock_guard lock(mutex_);
  if (is_over()) return;
  const auto is_before = [this](const Kept& a, const Kept& b) {
    const std::string_view one = path_of(a);
    const std::string_view other = path_of(b);
    const auto rank = [this](char c) {
      return by_names_ && c == '/' ? 0 : static_cast<unsigned char>(c);
    };
    return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end(),
                                        [&](char x, char y) { return rank(x) < rank(y); });
  };
  std::stable_sort(kept_.begin(), kept_.end(), is_before);
  if (!by_names_) {
    std::stable_partition(kept_.begin(), kept_.end(), [this](const Kept& kept) {
      return !os::leads_into_trash(path_of(kept));
    });
  }
  pass_on();
}

std::string_view EarlyOrder::path_of(const Kept& kept) const {
  return std::string_view(texts_).substr(kept.begin, kept.path_size);
}

/// Called with the lock, so that no later record overtakes these. The flag is set after the records
/// are passed on: a lane that sees it may write directly.
bool EarlyOrder::pass_on() {
  std::string records;
  records.reserve(texts_.size());
  for (const Kept& kept : kept_) {
    records.append(texts_, kept.begin + kept.path_size, kept.record_size);
  }
  texts_ = {};
  kept_ = {};
  const bool taken = records.empty() || next_.take(records);
  over_.store(true, std::memory_order_release);
  return taken;
}

namespace {

/// Merges sorted runs with a heap of cursors.
template <typename Kept>
class Merge {
 public:
  Merge(std::vector<SortStore<Kept>>& runs, StoredOrder order) : order_(order) {
    for (const SortStore<Kept>& run : runs) {
      if (run.size() > 0) cursors_.push_back({&run, 0, run[0]});
    }
    for (std::size_t i = cursors_.size() / 2; i-- > 0;) sink(i);
  }

  bool empty() const { return cursors_.empty(); }
  /// The least match of all runs. Valid until advance().
  const Kept& first() const { return cursors_.front().stored.kept; }

  /// Goes on to the next match of the first run. At the end of a run the last cursor takes its
  /// place, and the heap has one less.
  void advance() {
    Cursor& first = cursors_.front();
    if (++first.index < first.run->size()) {
      first.stored = (*first.run)[first.index];
    } else {
      first = cursors_.back();
      cursors_.pop_back();
    }
    sink(0);
  }

 private:
  /// A position in a run, with the match there unpacked: keys are compared several times.
  struct Cursor {
    const SortStore<Kept>* run;
    std::size_t index;
    Stored<Kept> stored;
  };

  /// Compares the cursors at two places of the heap.
  bool before(std::size_t a, std::size_t b) const {
    return order_.compare(cursors_[a].stored, cursors_[b].stored) < 0;
  }

  /// Restores the order of the heap below `at`: the children of i are 2i + 1 and 2i + 2.
  void sink(std::size_t at) {
    for (std::size_t child = 2 * at + 1; child < cursors_.size(); child = 2 * at + 1) {
      if (child + 1 < cursors_.size() && before(child + 1, child)) ++child;
      if (!before(child, at)) return;
      std::swap(cursors_[at], cursors_[child]);
      at = child;
    }
  }

  const StoredOrder order_;
  std::vector<Cursor> cursors_;
};

/// Makes a record of an entry.
class RecordBuilder {
 public:
  explicit RecordBuilder(const OutputStyle& style) : format_(make_record_format(style)) {}

  Needs needs() const { return format_->needs(); }
  std::string_view read(Entry& entry) {
    record_.clear();
    format_->append(record_, entry);
    return record_;
  }

 private:
  const std::unique_ptr<RecordFormat> format_;
  std::string record_;
};

template <typename Kept>
using BuilderOf = std::conditional_t<std::is_same_v<Kept, Match>, MatchBuilder, RecordBuilder>;

/// Passes records on, a buffer at a time.
class RecordBatch {
 public:
  explicit RecordBatch(RecordStage& next) : next_(next) {}

  bool add(std::string_view record) {
    buffer_ += record;
    return buffer_.size() < full_buffer || pass_on();
  }

  bool pass_on() {
    const bool taken = buffer_.empty() || next_.take(buffer_);
    buffer_.clear();
    return taken;
  }

 private:
  RecordStage& next_;
  std::string buffer_;
};

/// Passes Matches on, some at a time; their texts stay in the runs.
class MatchBatch {
 public:
  explicit MatchBatch(MatchStage& next) : next_(next) {}

  bool add(const Match& match) {
    batch_[count_++] = match;
    return count_ < batch_.size() || pass_on();
  }

  bool pass_on() {
    const std::size_t count = std::exchange(count_, 0);
    return count == 0 || next_.take(std::span(batch_).first(count));
  }

 private:
  MatchStage& next_;
  std::array<Match, 64> batch_;
  std::size_t count_ = 0;
};

template <typename Kept>
using BatchOf = std::conditional_t<std::is_same_v<Kept, Match>, MatchBatch, RecordBatch>;

}  // namespace

template <typename Kept>
class Sorter<Kept>::SortLane final : public Lane {
 public:
  explicit SortLane(Sorter& sorter)
      : sorter_(sorter),
        keys_(sorter.style_.sort, sorter.style_.accounts),
        builder_(sorter.style_),
        store_(std::in_place, sorter.order_, sorter.style_.limit) {}

  /// Runs in the thread of the worker that ends, so that lanes are sorted concurrently.
  ~SortLane() override { hand_over(); }

  SortLane(const SortLane&) = delete;
  SortLane& operator=(const SortLane&) = delete;

  bool emit(Entry& entry) override {
    head_.clear();
    keys_.append_head(head_, entry);
    path_.clear();
    append_path(path_, entry);
    const StoredKey key{head_, path_};
    // With --limit most matches end here: the record is only made for those that may be shown.
    if (store_->wants(key)) store_->add(key, builder_.read(entry));
    return true;
  }

  /// Without a --sort the search ends at its limit, and may abandon this thread.
  void flush() override {
    if (!sorter_.style_.sort.empty() || sorter_.style_.limit == SIZE_MAX) return;
    hand_over();
    store_.emplace(sorter_.order_, sorter_.style_.limit);
  }

 private:
  void hand_over() {
    store_->sort();
    sorter_.adopt(std::move(*store_));
  }

  Sorter& sorter_;
  KeyMaker keys_;
  BuilderOf<Kept> builder_;
  std::optional<SortStore<Kept>> store_;
  std::string head_;
  std::string path_;
};

template <typename Kept>
Sorter<Kept>::Sorter(const OutputStyle& style, Next& next)
    : style_(style), next_(next), order_(KeyMaker(style.sort, style.accounts).path_reversed()) {}

template <typename Kept>
Needs Sorter<Kept>::needs() const {
  return KeyMaker(style_.sort, style_.accounts).needs() | BuilderOf<Kept>(style_).needs();
}

template <typename Kept>
std::unique_ptr<Lane> Sorter<Kept>::open_lane() {
  return std::make_unique<SortLane>(*this);
}

template <typename Kept>
void Sorter<Kept>::adopt(SortStore<Kept> sorted) {
  if (sorted.size() == 0) return;
  const std::lock_guard lock(mutex_);
  runs_.push_back(std::move(sorted));
}

template <typename Kept>
void Sorter<Kept>::pass_on() {
  const std::lock_guard lock(mutex_);
  Merge<Kept> merge(runs_, order_);
  BatchOf<Kept> batch(next_);
  for (std::size_t count = 0; !merge.empty() && count < style_.limit; ++count) {
    // The next stage wants no more: the output has failed, or a command says so.
    if (!batch.add(merge.first())) return;
    merge.advance();
  }
  batch.pass_on();
}

template class Sorter<std::string_view>;
template class Sorter<Match>;

}  // namespace ffind::output
