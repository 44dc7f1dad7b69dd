// SPDX-License-Identifier: MIT
// Lanes that count, each for itself. See counter.h. On the way of every match.
#include "output/counts/counter.h"

#include <algorithm>
#include <limits>

#include "output/counts/count_table.h"
#include "text/json.h"
#include "text/key.h"

namespace ffind {

Tally& Tally::operator+=(const Tally& other) {
  count += other.count;
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - size;
  size += std::min(other.size, room);
  return *this;
}

void Tallies::add(const Tallies& others) {
  // Their numbers as ours; what one goes on from has a lower one.
  std::vector<PathTree::Index> ours(others.tallies_.size());
  for (PathTree::Index key = 1; key < ours.size(); ++key) {
    ours[key] = keys_.add_below(ours[others.keys_.parent(key)], others.keys_.name(key));
    at(ours[key]) += others.tallies_[key];
  }
}

/// Looks at nothing. What it counted is told before its worker waits, perhaps for ever.
class CountLane final : public Lane {
 public:
  explicit CountLane(Counter& counter) : counter_(counter) {}
  bool emit(Entry&) override {
    ++count_;
    return true;
  }
  void flush_if_due() override {}
  void flush() override {
    counter_.count_ += count_;
    count_ = 0;
  }

 private:
  Counter& counter_;
  std::uint64_t count_ = 0;
};

class TableLane final : public Lane {
 public:
  explicit TableLane(Counter& counter)
      : counter_(counter),
        scratch_{counter.style_.accounts},
        folds_(counter.style_.count == CountBy::extension) {}
  ~TableLane() override { counter_.add(tallies_); }
  TableLane(const TableLane&) = delete;
  TableLane& operator=(const TableLane&) = delete;

  bool emit(Entry& entry) override {
    std::string_view key = counter_.field_->read(entry, scratch_).text;
    if (folds_ && !key.empty()) {
      folded_.clear();
      text::append_folded_name(folded_, key);
      key = folded_;
    }
    Tally& tally = tallies_[key];
    // Only what can have a size is asked for it.
    entry.require(needs::type);
    const bool sized = entry.type == FileType::file && entry.require(needs::size);
    tally += {1, sized ? entry.metadata.size : 0};
    return true;
  }
  void flush_if_due() override {}
  void flush() override {}

 private:
  Counter& counter_;
  FieldScratch scratch_;
  const bool folds_;  ///< JPG is counted as jpg
  std::string folded_;
  Tallies tallies_;
};

namespace {

const RecordField* field_of(CountBy by) {
  switch (by) {
    case CountBy::directory:
      return find_record_field("dir");
    case CountBy::kind:
      return find_record_field("kind");
    case CountBy::extension:
      return find_record_field("ext");
    case CountBy::nothing:
      break;
  }
  return nullptr;
}

}  // namespace

Counter::Counter(const OutputStyle& style, RecordStage& next)
    : style_(style), next_(next), field_(field_of(*style.count)) {}

Needs Counter::needs() const {
  if (field_ == nullptr) return needs::none;
  return needs::type | needs::size | field_->needs;
}

std::unique_ptr<Lane> Counter::open_lane() {
  if (field_ == nullptr) return std::make_unique<CountLane>(*this);
  return std::make_unique<TableLane>(*this);
}

void Counter::add(const Tallies& tallies) {
  const std::lock_guard lock(mutex_);
  tallies_.add(tallies);
}

void Counter::pass_on() {
  if (field_ != nullptr) {
    write_count_table(tallies_, *field_, style_, next_);
    return;
  }
  std::string text;
  if (style_.format == Format::json) {
    text::JsonObject object(text);
    object.add("count", count_.load());
    object.end();
  } else {
    text = std::to_string(count_) + '\n';
  }
  next_.take(text);
}

}  // namespace ffind
