// SPDX-License-Identifier: MIT
// Where bytes leave the program: standard output for records, standard error for messages, and a
// status line below both on a terminal. One lock where both go to the same place, so that none
// breaks into a line of the other. Shared by all lanes.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "ffind/entry.h"
#include "output/pipeline.h"

namespace ffind::output {

/// Thread-safe. Blocks as long as the reader of the output does.
class Writer final : public RecordStage {
 public:
  Writer(int output, int error_output);

  /// Writes whole records. False once the output has failed; what failed first is kept. A pipe
  /// whose reader went away ends the process by SIGPIPE here and now, as it does every Unix tool,
  /// or ends as `end_by` says.
  bool write(std::string_view records);
  bool take(std::string_view records) override { return write(records); }
  bool takes_more() const override;
  /// Ends the process as a write would if the reader of the output went away.
  void end_without_reader();
  /// To be called last, for what only shows then; false where the output has failed.
  bool close();
  /// Writes a whole message; failures are ignored, since they could not be reported either.
  void write_message(std::string_view lines);

  /// To be set while no other thread writes; it never returns. Empty: the ordinary end.
  void end_by(std::function<void()> broken_pipe) { broken_pipe_ = std::move(broken_pipe); }

  /// Columns that a status line may take; 0 while standard error shows none.
  std::size_t status_columns() const;
  /// Shows `line` below all that is written, until the next one.
  void show_status(std::string_view line);
  void hide_status();
  /// A command is about to write to the terminal itself: it is unknown where in a line it ends,
  /// so no status is shown any more.
  void leave_terminal();

  /// While a question is on the screen: no status line, and what is written breaks into the
  /// question, which is then put again. One at a time.
  class Question {
   public:
    /// `put` shows the question, here and now, too; it must not call the writer.
    Question(Writer& writer, std::function<void()> put);
    ~Question();
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

   private:
    Writer& writer_;
  };

  /// errno of the first failure, 0 while all is well.
  int error() const { return error_.load(std::memory_order_relaxed); }

 private:
  [[noreturn]] void end_of_broken_pipe();
  void erase();
  void draw();
  bool breaks_into_question();
  void note_end(std::string_view written);

  const int output_;
  const int error_output_;
  const bool together_;  ///< both lead to the same place
  std::mutex output_mutex_;
  std::atomic<int> error_{0};
  std::function<void()> broken_pipe_;

  std::mutex mutex_;  ///< guards standard error and what follows; and the output, if together
  std::string status_;
  bool shown_ = false;
  bool in_line_ = false;            ///< what was written last did not end its line
  bool left_ = false;               ///< to commands
  std::function<void()> question_;  ///< puts the one that waits for an answer; empty: none does
};

/// Thread-safe.
class SharedBuffer final : public RecordStage {
 public:
  /// How often to call `write_if_due`: the lane that passed records on may be blocked for ever, and
  /// no other lane may pass on any. Unless the reader of the output has stalled, records are kept
  /// for one and a half times as long at most.
  static constexpr Nanoseconds usual_pause = 50'000'000;

  /// `next` outlives it.
  explicit SharedBuffer(RecordStage& next, Nanoseconds pause = usual_pause)
      : next_(next), pause_(pause) {}

  /// Keeps a small part, passes on a large one. Until `write_if_due` is first called, everything is
  /// passed on: there may be no thread to call it.
  bool take(std::string_view records) override;
  /// Never blocks, since the caller also draws the status line. That is why no more is kept than a
  /// pipe takes at once.
  void write_if_due();
  /// Passes on what is kept. To be called when all lanes have passed on the last of theirs.
  void finish();

 private:
  bool pass_on();

  RecordStage& next_;
  const Nanoseconds pause_;
  std::mutex mutex_;  ///< held while something is passed on; guards what follows
  bool keeps_ = false;
  std::string kept_;
  Nanoseconds since_ = 0;  ///< what is kept first was taken then
};

}  // namespace ffind::output
