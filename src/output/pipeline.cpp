// SPDX-License-Identifier: MIT
// Lanes of output that is not collected, and the MatchBuilder. All of it runs for every match.
//
//     RecordLane   one buffer of records, passed on when it holds 60 KiB, when the worker waits, or
//                  if it is 50 ms old after a block of entries. On a terminal after each block.
//     MatchLane    Matches with their texts in an Arena, passed on after each block of entries.
//     SilentLane   accepts matches and does nothing.
//
// A lane belongs to its worker, so it needs no lock; the stage that it passes to has one. The
// buffer of a RecordLane is used again, so a record costs no allocation.
#include "output/pipeline.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "os/machine.h"
#include "output/output.h"
#include "output/path_tree.h"
#include "output/record_fields.h"
#include "output/records.h"
#include "output/sorter.h"
#include "output/tree.h"
#include "text/quoting.h"
#include "text/times.h"

namespace ffind::output {
namespace {

/// For --delete: enough to recognise the file again when it is deleted, perhaps long after it was
/// found. The time of the last change is compared if the query tests metadata. A question before
/// the action shows the size, too.
Needs identity_needs(const OutputStyle& style) {
  const bool asks = style.action && style.action->asks;
  if (style.format != Format::removal && !asks) return needs::none;
  return needs::type | needs::identity | needs::changed | (asks ? needs::size : needs::none);
}

/// For --tree -l: one stat, and the type for the unsized ones.
constexpr Needs detail_needs = needs::type | needs::size | needs::modified;

}  // namespace

MatchBuilder::MatchBuilder(const OutputStyle& style)
    : format_(style.format),
      action_(style.action ? &*style.action : nullptr),
      identity_(identity_needs(style)),
      details_(style.tree_details),
      palette_(style.palette ? &*style.palette : nullptr),
      escapes_(style.escapes()),
      marks_(style.marks_directories),
      writer_(style.accounts, false) {}

Needs MatchBuilder::needs() const {
  if (format_ != Format::tree) {
    return identity_ | (action_ != nullptr ? needs_of(action_->commands) : needs::none);
  }
  return needs::relative_path | needs::type | (details_ ? detail_needs : needs::none) |
         (palette_ != nullptr ? palette_->needs() : needs::none);
}

/// Requires only what the format needs: identity for deletion and a question, the name and details
/// for a tree, the path and the fields for commands. The views in the result are of path_, name_
/// and escaped_, or of the entry itself.
Match MatchBuilder::read(Entry& entry) {
  Match match;
  match.is_root = entry.depth == 0;
  // If that fails the identity stays empty: its type is unknown, and the Deleter takes it for a
  // file that has been replaced.
  if (identity_ != needs::none && entry.require(identity_)) {
    match.identity.type = entry.type;
    match.identity.id = {entry.metadata.device, entry.metadata.inode};
    match.identity.changed = entry.metadata.changed;
    match.identity.size = entry.metadata.size;
  }
  path_.clear();
  append_path(path_, entry);
  match.path = path_;
  if (action_ != nullptr) {
    name_.clear();
    append_values(name_, action_->commands, action_->in_directory, writer_, entry);
    match.text = name_;
  }
  if (format_ == Format::tree && details_) read_details(match, entry);
  if (format_ == Format::tree) read_name(match, entry);
  return match;
}

/// Two calls of require(), so that a time which the volume does not have leaves the size valid. A
/// clamped time is outside of the range of Nanoseconds and is shown as unknown.
void MatchBuilder::read_details(Match& match, Entry& entry) {
  entry.require(detail_needs);
  if (entry.type == FileType::file && entry.require(needs::size)) {
    match.size = entry.metadata.size;
  }
  if (entry.require(needs::modified) && !text::is_clamped(entry.metadata.modified)) {
    match.modified = entry.metadata.modified;
  }
}

/// Reads the name that the tree shows, and where the root ends in the path.
void MatchBuilder::read_name(Match& match, Entry& entry) {
  if (entry.require(needs::type)) match.identity.type = entry.type;
  if (palette_ != nullptr) entry.require(palette_->needs_for(entry.type));
  entry.require(needs::relative_path);
  // "src/" and "a/b" for src/a/b: the path below the root is an end of the path, and the rest is
  // the root with its slash.
  match.root_size = match.path.size() - (match.is_root ? 0 : entry.relative_path.size());

  const std::string_view last = match.is_root ? root_of(match) : entry.name;
  const bool escaped = escapes_ && text::needs_escaping(last);
  escaped_.clear();
  if (escaped) text::append_escaped(escaped_, last);
  const std::string_view name = escaped ? std::string_view(escaped_) : last;
  const std::string_view color = palette_ != nullptr ? palette_->color_of(entry) : "";
  const bool marked = marks_ && entry.type == FileType::directory && !name.ends_with('/');
  // Most names are shown as they are: `text` stays empty and the name is stored once.
  if (color.empty() && !marked) {
    if (escaped) match.text = escaped_;
    return;
  }
  name_.clear();
  if (color.empty()) {
    name_ += name;
  } else {
    palette_->append_colored(name_, color, name);
  }
  if (marked) name_ += '/';
  match.text = name_;
}

/// "src/" is src, "/" stays, and "" (the current directory, not named) is ".".
std::string_view root_of(const Match& match) {
  std::string_view root = match.path.substr(0, match.root_size);
  if (root.size() > 1 && root.back() == '/') root.remove_suffix(1);
  return root.empty() ? "." : root;
}

namespace {

/// Records are held back no longer than this: in `| less` it is not noticed, and in a search that
/// finds many matches a buffer is full earlier.
constexpr Nanoseconds longest_delay = 50'000'000;

/// Measures how long a lane waits for the next stage: for the reader of a pipe, or a command. The
/// search does not count this time as waiting for the volume: more threads would not help against a
/// slow reader of the output.
class DownstreamWait {
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

/// Appends records to its buffer and passes it on when it is full, or due. While EarlyOrder waits,
/// each record goes there with its path instead.
class RecordLane final : public Lane {
 public:
  /// `at_once`: records are passed on after each block of entries. `early` may be null.
  RecordLane(std::unique_ptr<RecordFormat> format, bool at_once, EarlyOrder* early,
             RecordStage& next)
      : format_(std::move(format)), at_once_(at_once), early_(early), next_(next) {}

  bool emit(Entry& entry) override {
    if (early_ != nullptr && !early_->is_over()) return keep(entry);
    // The clock is read once for a buffer, not for each record.
    if (buffer_.empty()) begin_buffer();
    format_->append(buffer_, entry);
    return buffer_.size() < full_buffer || pass_on();
  }

  void flush_if_due() override {
    if (early_ != nullptr) early_->stream_if_due();
    if (buffer_.empty()) return;
    // The coarse clock has a precision of some milliseconds, which is enough here and a fifth of
    // the cost.
    if (at_once_ || os::monotonic_coarse_now() - since_ > longest_delay) pass_on();
  }

  void flush() override {
    if (!buffer_.empty()) pass_on();
  }

  Nanoseconds held_up() const override { return held_up_.time(); }

 private:
  /// EarlyOrder sorts by the plain path; the record may have colours, links and columns before it.
  bool keep(Entry& entry) {
    path_.clear();
    append_path(path_, entry);
    record_.clear();
    format_->append(record_, entry);
    return early_->take(path_, record_);
  }

  void begin_buffer() {
    // Once in a lane's life. The 8 KiB are for the record that exceeds full_buffer, so that a usual
    // one does not make the buffer grow.
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
  DownstreamWait held_up_;
};

/// Passes Matches on after each block of entries: commands should start at once, and a tree costs
/// no more that way.
class MatchLane final : public Lane {
 public:
  MatchLane(const OutputStyle& style, MatchStage& next) : builder_(style), next_(next) {}

  bool emit(Entry& entry) override {
    Match match = builder_.read(entry);
    // The builder overwrites its texts for the next match.
    match.path = texts_.keep(match.path);
    if (!match.text.empty()) match.text = texts_.keep(match.text);
    kept_ += match.path.size() + match.text.size() + sizeof match;
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

  MatchBuilder builder_;
  MatchStage& next_;
  std::vector<Match> matches_;
  Arena texts_;
  std::size_t kept_ = 0;  ///< in bytes
  DownstreamWait held_up_;
};

/// For --quiet: a match needs no output.
class SilentLane final : public Lane {
 public:
  bool emit(Entry&) override { return true; }
  void flush_if_due() override {}
  void flush() override {}
};

}  // namespace

std::unique_ptr<Lane> Output::open_lane() {
  // Called by each worker, so it only reads members that the constructor has set.
  if (collector_ || match_stage_) {
    std::unique_ptr<Lane> lane;
    if (collector_) lane = collector_->open_lane();
    if (!lane) lane = std::make_unique<MatchLane>(style_, *match_stage_);
    return sums_ ? sums_->follow(std::move(lane)) : std::move(lane);
  }
  auto format = make_record_format(style_);
  if (!format) return std::make_unique<SilentLane>();
  RecordStage& next = shared_ ? static_cast<RecordStage&>(*shared_) : last_stage();
  return std::make_unique<RecordLane>(std::move(format), style_.terminal, early_.get(), next);
}

}  // namespace ffind::output
