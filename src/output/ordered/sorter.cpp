// SPDX-License-Identifier: MIT
// Lanes that sort, and the merging of what they sorted. See sorter.h.
#include "output/ordered/sorter.h"

#include <string>
#include <utility>

#include "output/fields/paths.h"
#include "output/ordered/sort_key.h"
#include "output/records/record_format.h"

namespace ffind {
namespace {

/// As much as a pipe holds on Linux.
constexpr std::size_t buffer_size = std::size_t{64} * 1024;
/// So many records ahead their memory is asked for: they lie anywhere.
constexpr std::size_t ahead = 8;

/// The next record of all runs, and the one after that, at the cost of a heap.
class Merge {
 public:
  Merge(std::vector<SortStore>& runs, StoredOrder order) : order_(order) {
    for (const SortStore& run : runs) {
      if (run.size() > 0) cursors_.push_back({&run, 0, run[0]});
    }
    for (std::size_t i = cursors_.size() / 2; i-- > 0;) sink(i);
  }

  bool empty() const { return cursors_.empty(); }
  std::string_view record() const { return cursors_.front().stored.record; }

  void advance() {
    Cursor& first = cursors_.front();
    if (++first.index < first.run->size()) {
      first.stored = (*first.run)[first.index];
      first.run->expect(first.index + ahead);
    } else {
      first = cursors_.back();
      cursors_.pop_back();
    }
    sink(0);
  }

 private:
  struct Cursor {
    const SortStore* run;
    std::size_t index;
    Stored stored;
  };

  bool before(std::size_t a, std::size_t b) const {
    return order_.compare(cursors_[a].stored, cursors_[b].stored) < 0;
  }

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

}  // namespace

class SortLane final : public Lane {
 public:
  explicit SortLane(Sorter& sorter)
      : sorter_(sorter),
        keys_(sorter.style_.sort, sorter.style_.accounts),
        format_(make_record_format(sorter.style_)),
        store_(sorter.order_, sorter.style_.limit) {}

  /// In the thread of the worker that ends, so that all lanes are sorted at the same time.
  ~SortLane() override {
    store_.sort();
    sorter_.adopt(std::move(store_));
  }

  SortLane(const SortLane&) = delete;
  SortLane& operator=(const SortLane&) = delete;

  bool emit(Entry& entry) override {
    head_.clear();
    keys_.append_head(head_, entry);
    path_.clear();
    append_path(path_, entry);
    if (!store_.wants(head_, path_)) return true;
    record_.clear();
    format_->append(record_, entry);
    store_.add(head_, path_, record_);
    return true;
  }

  void flush_if_due() override {}
  void flush() override {}

 private:
  Sorter& sorter_;
  KeyMaker keys_;
  const std::unique_ptr<RecordFormat> format_;
  SortStore store_;
  std::string head_;
  std::string path_;
  std::string record_;
};

Sorter::Sorter(const OutputStyle& style)
    : style_(style), order_(KeyMaker(style.sort, style.accounts).path_reversed()) {}

Needs Sorter::needs() const {
  return KeyMaker(style_.sort, style_.accounts).needs() | make_record_format(style_)->needs();
}

std::unique_ptr<Lane> Sorter::open_lane() {
  return std::make_unique<SortLane>(*this);
}

void Sorter::adopt(SortStore sorted) {
  const std::lock_guard lock(mutex_);
  runs_.push_back(std::move(sorted));
}

void Sorter::pass_on(Receiver& receiver) {
  Merge merge(runs_, order_);
  std::string buffer;
  for (std::uint64_t count = 0; !merge.empty() && count < style_.limit; ++count) {
    buffer += merge.record();
    if (buffer.size() >= buffer_size) {
      if (!receiver.take(buffer)) return;
      buffer.clear();
    }
    merge.advance();
  }
  if (!buffer.empty()) receiver.take(buffer);
}

}  // namespace ffind
