// SPDX-License-Identifier: MIT
// The lanes: each has whole records formatted into a buffer of its own and passes the buffer on.
// Made by Output, one a worker. On the way of every match.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "os/os.h"
#include "output/output.h"
#include "output/receiver.h"
#include "output/records/record_format.h"

namespace ffind {
namespace {

/// What a pipe holds on Linux: one write fills it, and the reader empties it in one go.
constexpr std::size_t buffer_size = std::size_t{64} * 1024;

/// Records are held back no longer than this: a person behind `| less` does not notice, and a full
/// buffer takes less in a search that finds much.
constexpr Nanoseconds longest_delay = 50'000'000;

/// Records go out as they are found.
class StreamLane final : public Lane {
 public:
  /// `at_once`: somebody waits for each record.
  StreamLane(std::unique_ptr<RecordFormat> format, bool at_once, Receiver& receiver)
      : format_(std::move(format)), at_once_(at_once), receiver_(receiver) {}

  bool emit(Entry& entry) override {
    if (buffer_.empty()) begin_buffer();
    format_->append(buffer_, entry);
    return buffer_.size() < buffer_size || pass_on();
  }

  void flush_if_due() override {
    if (buffer_.empty()) return;
    if (at_once_ || os::monotonic_coarse_now() - since_ > longest_delay) pass_on();
  }

  void flush() override {
    if (!buffer_.empty()) pass_on();
  }

 private:
  void begin_buffer() {
    if (buffer_.capacity() == 0) buffer_.reserve(buffer_size + 8192);
    since_ = os::monotonic_coarse_now();
  }

  bool pass_on() {
    const bool taken = receiver_.take(buffer_);
    buffer_.clear();
    return taken;
  }

  const std::unique_ptr<RecordFormat> format_;
  const bool at_once_;
  Receiver& receiver_;
  std::string buffer_;
  Nanoseconds since_ = 0;
};

class SilentLane final : public Lane {
 public:
  bool emit(Entry&) override { return true; }
  void flush_if_due() override {}
  void flush() override {}
};

}  // namespace

std::unique_ptr<Lane> Output::open_lane() {
  if (gatherer_) return gatherer_->open_lane();
  auto format = make_record_format(style_);
  if (!format) return std::make_unique<SilentLane>();
  const bool at_once = style_.terminal || style_.action.has_value();
  return std::make_unique<StreamLane>(std::move(format), at_once, *receiver_);
}

}  // namespace ffind
