// SPDX-License-Identifier: MIT
// The stages of the output. The search hands entries to the lanes of the sink (ffind/sink.h), which
// make records (text) or Matches of them. These go to a last stage, through a collector if nothing
// may come out before everything was found. Output puts the stages together:
//
//     lanes ──records──▶ [EarlyOrder | SharedBuffer | Sorter | Counter] ──▶ Writer
//     lanes ──Matches──▶ [Sorter] ──▶ Tree (draws into the Writer) | EachRunner | BatchRunner |
//     Deleter
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ffind/entry.h"
#include "ffind/sink.h"
#include "os/safe_open.h"
#include "output/output_style.h"

namespace ffind::output {

/// A view: its texts belong to the stage that passes it.
struct Match {
  std::string_view path{};    ///< as it is printed
  std::size_t root_size = 0;  ///< of the root in it, with a slash behind that
  bool is_root = false;
  /// What it was when it was found; of unknown type where that could not be found out. Only
  /// deletion needs more than the type.
  os::Identity identity{};
  /// For a tree with details; nothing: not known. Only regular files have a size there.
  std::optional<std::uint64_t> size{};
  std::optional<Nanoseconds> modified{};
  std::string_view shown{};  ///< its name for the tree, coloured and escaped; empty: as it is
};

/// The root as the tree shows it: without the slash behind it, the current directory as ".".
std::string_view root_of(const Match& match);

/// Belongs to one thread.
class MatchReader {
 public:
  /// Reads what `style.format` needs. `style` outlives it.
  explicit MatchReader(const OutputStyle& style);

  Needs needs() const;
  /// Valid until the next call.
  Match read(Entry& entry);

 private:
  void read_name(Match& match, Entry& entry);
  static void read_details(Match& match, Entry& entry);

  const Format format_;
  const bool details_;
  const Palette* const palette_;  ///< null: no colours
  const bool escapes_;
  const bool marks_;
  std::string path_;
  std::string name_;
  std::string escaped_;
};

/// So many bytes of records are worth passing on. What a pipe of Linux holds, 64 KiB, less room for
/// the record that fills the buffer: what does not fit waits until the reader has made room, and a
/// list took 1.07 times as long.
inline constexpr std::size_t full_buffer = std::size_t{60} * 1024;

/// Takes records. Thread-safe.
class RecordStage {
 public:
  virtual ~RecordStage() = default;
  /// Takes whole records, each with its end, in the order in which they are to appear. Blocks while
  /// no more can be taken. False: no more are wanted, stop searching.
  virtual bool take(std::string_view records) = 0;
  /// Whether `take` would accept `os::taken_at_once` bytes without blocking.
  virtual bool takes_more() const { return true; }
};

/// Takes Matches. Thread-safe.
class MatchStage {
 public:
  virtual ~MatchStage() = default;
  /// As RecordStage::take. The texts of the matches are only valid during the call.
  virtual bool take(std::span<const Match> matches) = 0;
  /// There are no more. Returns when all is done.
  virtual void finish() = 0;
  /// Whether something went wrong that has been reported and makes the status 1.
  virtual bool failed() const { return false; }
};

/// Holds everything back until everything was found, and then hands it to the next stage.
class Collector {
 public:
  virtual ~Collector() = default;
  /// What the lanes will ask each match for.
  virtual Needs needs() const = 0;
  /// Thread-safe; the lane must not outlive the collector.
  virtual std::unique_ptr<Lane> open_lane() = 0;
  /// To be called once all lanes are gone. Ends early if the next stage wants no more.
  virtual void pass_on() = 0;
};

/// Of a whole line, as it is shown.
inline std::string shown_heading(std::string_view line, const OutputStyle& style) {
  constexpr std::string_view underlined = "4";
  if (!style.palette) return std::string(line);
  std::string shown;
  style.palette->append_colored(shown, underlined, line.substr(0, line.size() - 1));
  return shown + '\n';
}

/// Where there are no records there is no heading.
class Heading final : public RecordStage {
 public:
  Heading(std::string line, RecordStage& next) : line_(std::move(line)), next_(next) {}

  bool take(std::string_view records) override {
    const std::lock_guard lock(mutex_);
    if (line_.empty()) return next_.take(records);
    return next_.take(std::exchange(line_, {}).append(records));
  }

 private:
  std::mutex mutex_;
  std::string line_;  ///< empty once it is written
  RecordStage& next_;
};

}  // namespace ffind::output
