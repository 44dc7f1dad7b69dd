// SPDX-License-Identifier: MIT
// The lanes of what goes out as it is found: each makes records or Matches in a buffer of its own
// and passes the buffer on. Made by Output, one a worker. On the way of every match.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "os/machine.h"
#include "output/arena.h"
#include "output/fields/paths.h"
#include "output/ordered/early_order.h"
#include "output/output.h"
#include "output/pipeline.h"
#include "output/records/record_format.h"

namespace ffind::output {
namespace {

/// Records are held back no longer than this: a person behind `| less` does not notice, and a full
/// buffer takes less in a search that finds much.
constexpr Nanoseconds longest_delay = 50'000'000;

/// How long a lane has waited for what comes behind it: the reader of a pipe, a command.
class HeldUp {
 public:
  template <typename Call>
  bool during(Call call) {
    const Nanoseconds begin = os::monotonic_now();
    const bool taken = call();
    time_ += os::monotonic_now() - begin;
    return taken;
  }
  Nanoseconds time() const { return time_; }

 private:
  Nanoseconds time_ = 0;
};

class RecordLane final : public Lane {
 public:
  /// `at_once`: somebody waits for each record. `early` may be null.
  RecordLane(std::unique_ptr<RecordFormat> format, bool at_once, EarlyOrder* early,
             RecordStage& next)
      : format_(std::move(format)), at_once_(at_once), early_(early), next_(next) {}

  bool emit(Entry& entry) override {
    if (early_ != nullptr && !early_->is_over()) return keep(entry);
    if (buffer_.empty()) begin_buffer();
    format_->append(buffer_, entry);
    return buffer_.size() < full_buffer || pass_on();
  }

  void flush_if_due() override {
    if (early_ != nullptr) early_->stream_if_due();
    if (buffer_.empty()) return;
    if (at_once_ || os::monotonic_coarse_now() - since_ > longest_delay) pass_on();
  }

  void flush() override {
    if (!buffer_.empty()) pass_on();
  }

  Nanoseconds held_up() const override { return held_up_.time(); }

 private:
  bool keep(Entry& entry) {
    path_.clear();
    append_path(path_, entry);
    record_.clear();
    format_->append(record_, entry);
    return early_->take(path_, record_);
  }

  void begin_buffer() {
    if (buffer_.capacity() == 0) buffer_.reserve(full_buffer + 8192);
    since_ = os::monotonic_coarse_now();
  }

  bool pass_on() {
    const bool taken = held_up_.during([&] { return next_.take(buffer_); });
    buffer_.clear();
    return taken;
  }

  const std::unique_ptr<RecordFormat> format_;
  const bool at_once_;
  EarlyOrder* const early_;
  RecordStage& next_;
  std::string buffer_;
  std::string path_;
  std::string record_;
  Nanoseconds since_ = 0;
  HeldUp held_up_;
};

/// Matches are always due: a command is waited for, and a tree costs no more that way.
class MatchLane final : public Lane {
 public:
  MatchLane(const OutputStyle& style, MatchStage& next) : reader_(style), next_(next) {}

  bool emit(Entry& entry) override {
    Match match = reader_.read(entry);
    match.path = texts_.keep(match.path);
    if (!match.shown.empty()) match.shown = texts_.keep(match.shown);
    kept_ += match.path.size() + match.shown.size() + sizeof match;
    matches_.push_back(match);
    return kept_ < full_buffer || pass_on();
  }

  void flush_if_due() override {
    if (!matches_.empty()) pass_on();
  }
  void flush() override { flush_if_due(); }
  Nanoseconds held_up() const override { return held_up_.time(); }

 private:
  bool pass_on() {
    const bool taken = held_up_.during([&] { return next_.take(matches_); });
    matches_.clear();
    texts_ = Arena();
    kept_ = 0;
    return taken;
  }

  MatchReader reader_;
  MatchStage& next_;
  std::vector<Match> matches_;
  Arena texts_;
  std::size_t kept_ = 0;  ///< in bytes
  HeldUp held_up_;
};

class SilentLane final : public Lane {
 public:
  bool emit(Entry&) override { return true; }
  void flush_if_due() override {}
  void flush() override {}
};

}  // namespace

std::unique_ptr<Lane> Output::open_lane() {
  if (collector_) return collector_->open_lane();
  if (match_stage_) return std::make_unique<MatchLane>(style_, *match_stage_);
  auto format = make_record_format(style_);
  if (!format) return std::make_unique<SilentLane>();
  RecordStage& next = shared_ ? static_cast<RecordStage&>(*shared_) : last_stage();
  return std::make_unique<RecordLane>(std::move(format), style_.terminal, early_.get(), next);
}

}  // namespace ffind::output
