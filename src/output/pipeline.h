// SPDX-License-Identifier: MIT
// Stages of the output. The search hands entries to the lanes of the sink (ffind/searcher.h), one
// lane a worker. A lane makes records (text, with their ends) or Matches of them in a buffer of its
// own and passes full buffers to the next stage. Output puts the stages together:
//
//     lanes ──records──▶ [EarlyOrder | SharedBuffer | Sorter | Counter] ──▶ Writer
//     lanes ──Matches──▶ [Sorter] ──▶ Tree, which draws into the Writer
//                                 └─▶ EachRunner, BatchRunner or Deleter (commands/)
//
//     RecordStage   takes records. EarlyOrder and SharedBuffer hold some back for a moment.
//     MatchStage    takes Matches, which are views: their texts belong to the lane.
//     Collector     has lanes of its own, which keep everything until the search is over: Sorter
//                   and Counter.
//
// Stages are called from the threads of all workers. A stage that blocks, because the reader of a
// pipe or a command is slow, holds back the worker that called it: no queue grows, so that a slow
// reader costs no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ffind/entry.h"
#include "ffind/searcher.h"
#include "os/safe_open.h"
#include "output/output_style.h"

namespace ffind::output {

/// A match for stages that do not write a record of it: the tree, commands, deletion. A view.
struct Match {
  std::string_view path{};    ///< as printed
  std::size_t root_size = 0;  ///< length of the root in `path`, with the slash after it
  bool is_root = false;
  /// The file's identity when it was found; its type is unknown if that could not be read. Only
  /// deletion, and an action that asks first, need more than the type.
  os::Identity identity{};
  /// For a tree with details; nullopt if unknown. Only regular files have a size there.
  std::optional<std::uint64_t> size{};
  std::optional<Instant> modified{};
  /// For a tree its name, coloured and escaped; empty if it is the same. For commands the values of
  /// their fields.
  std::string_view text{};
  const Trashed* trashed = nullptr;  ///< for actions on entries of a Trash
};

/// Returns the root as the tree shows it: without its last slash, and "." for the current
/// directory.
std::string_view root_of(const Match& match);

/// Makes a Match of an entry. Belongs to one thread.
class MatchBuilder {
 public:
  /// Reads what `style.format` needs. `style` outlives it.
  explicit MatchBuilder(const OutputStyle& style);

  Needs needs() const;
  /// Valid until the next call.
  Match read(Entry& entry);

 private:
  void read_name(Match& match, Entry& entry);
  static void read_details(Match& match, Entry& entry);

  const OutputStyle& style_;
  const Needs identity_;  ///< what is read of the identity
  std::string path_;
  std::string name_;
  FieldWriter writer_;
};

/// Bytes of records that a lane gathers before it passes them on. The capacity of a pipe on Linux,
/// 64 KiB, less room for the record that fills the buffer: bytes that do not fit wait until the
/// reader has made room, and a list took 1.07 times as long.
inline constexpr std::size_t full_buffer = std::size_t{60} * 1024;

/// Takes records. Thread-safe.
class RecordStage {
 public:
  virtual ~RecordStage() = default;
  /// Takes whole records, each with its end, in the order in which they are to appear. Blocks while
  /// no more can be taken. Returns false if no more are wanted: the search should stop.
  virtual bool take(std::string_view records) = 0;
  /// Returns true if `take` would accept `os::taken_at_once` bytes without blocking.
  virtual bool takes_more() const { return true; }
};

/// Takes Matches. Thread-safe.
class MatchStage {
 public:
  virtual ~MatchStage() = default;
  /// As RecordStage::take. The texts of the matches are only valid during the call.
  virtual bool take(std::span<const Match> matches) = 0;
  /// Call after the last match. Returns when everything is done.
  virtual void finish() = 0;
  /// Returns true if something went wrong that was reported and makes the exit status 1.
  virtual bool failed() const { return false; }
};

/// Holds everything back until the search is over, then hands it to the next stage.
class Collector {
 public:
  virtual ~Collector() = default;
  /// Metadata that the lanes require of each match.
  virtual Needs needs() const = 0;
  /// Thread-safe; the lane must not outlive the collector.
  virtual std::unique_ptr<Lane> open_lane() = 0;
  /// Call once all lanes are gone, and again if the next stage is to have the same once more. Ends
  /// early if that wants no more.
  virtual void pass_on() = 0;
};

/// Returns a whole heading line, coloured if records are.
inline std::string shown_heading(std::string_view line, const OutputStyle& style) {
  constexpr std::string_view underlined = "4";
  if (!style.palette) return std::string(line);
  std::string shown;
  style.palette->append_colored(shown, underlined, line.substr(0, line.size() - 1));
  return shown + '\n';
}

}  // namespace ffind::output
