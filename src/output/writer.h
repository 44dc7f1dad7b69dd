// SPDX-License-Identifier: MIT
// The last stage: standard output for records, standard error for messages, and a status line below
// both on a terminal. Shared by all lanes.
//
//     Writer         one lock for each stream, or one for both if they lead to the same place, so
//                    that a message never breaks into a line of records. It erases the status line
//                    before it writes, and draws it again afterwards. A question of --confirm that
//                    a record or message interrupts is put again.
//     SharedBuffer   between the lanes and the Writer: gathers small parts, since many threads that
//                    search a slow volume pass on a few records each before they read the next
//                    directory. A write of each took 4 % of the processor time.
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

  /// Writes whole records. Returns false once the output has failed; error() keeps the first
  /// failure. If the reader of a pipe went away, the process ends by SIGPIPE here and now, as every
  /// Unix tool does, or as `end_by` says.
  bool write(std::string_view records);
  bool take(std::string_view records) override { return write(records); }
  bool takes_more() const override;
  /// Ends the process as a write would, if the reader of the output went away.
  void end_without_reader();
  /// Call last: some errors only show when the stream is closed. Returns false if the output
  /// failed.
  bool close();
  /// Writes a whole message. Failures are ignored, since they could not be reported either.
  void write_message(std::string_view lines);
  /// Sets whether messages are coloured: "ffind:" bold, and lines to try green. Off at first; call
  /// while no other thread writes.
  void color_messages(bool colored) { colors_messages_ = colored; }

  /// Sets a line to write before the first records. Call while no other thread writes.
  void begin_with(std::string heading) { heading_ = std::move(heading); }

  /// Sets the function that ends the process if a reader went away; it never returns. Empty for the
  /// ordinary end. Call while no other thread writes.
  void end_by(std::function<void()> broken_pipe) { broken_pipe_ = std::move(broken_pipe); }

  /// Returns the columns for a status line; 0 if standard error can show none now.
  std::size_t status_columns() const;
  /// Shows `line` below everything that is written, until the next call.
  void show_status(std::string_view line);
  void hide_status();
  /// Call before a command writes to the terminal itself: no status is shown from then on, since it
  /// is unknown where in a line the command ends.
  void leave_terminal();

  /// A question on the screen, for as long as the object exists. There is no status line meanwhile,
  /// and a record or message gets a line of its own, after which the question is put again. One at
  /// a time.
  class Question {
   public:
    /// `put` shows the question; it is called at once and must not call the writer.
    Question(Writer& writer, std::function<void()> put);
    ~Question();
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

   private:
    Writer& writer_;
  };

  /// errno of the first failure; 0 if there was none.
  int error() const { return error_.load(std::memory_order_relaxed); }

 private:
  [[noreturn]] void end_of_broken_pipe();
  void erase();
  void draw();
  bool breaks_into_question();
  void note_end(std::string_view written);

  const int output_;
  const int error_output_;
  const bool together_;  ///< both streams lead to the same place
  bool colors_messages_ = false;
  std::mutex output_mutex_;
  std::string heading_;   ///< empty once it is written
  bool widened_ = false;  ///< the output, if it is a pipe
  std::atomic<int> error_{0};
  std::function<void()> broken_pipe_;

  std::mutex mutex_;  ///< guards standard error and the members below; and the output, if together_
  std::string status_;
  bool shown_ = false;
  bool in_line_ = false;            ///< the last write did not end its line
  bool left_ = false;               ///< a command writes to the terminal
  std::function<void()> question_;  ///< puts the question on the screen; empty if there is none
};

/// Gathers small parts of records from all lanes. Thread-safe.
class SharedBuffer final : public RecordStage {
 public:
  /// Time between two calls of `write_if_due`, without which records could be kept for ever: the
  /// lane that passed them on may block, and no other lane pass on any. They are kept for one and a
  /// half times as long at most, unless the reader of the output has stalled.
  static constexpr Nanoseconds usual_pause = 50'000'000;

  /// `next` outlives it.
  explicit SharedBuffer(RecordStage& next, Nanoseconds pause = usual_pause)
      : next_(next), pause_(pause) {}

  /// Keeps a small part, passes on a large one. Passes everything on until `write_if_due` is first
  /// called: there may be no thread to call it.
  bool take(std::string_view records) override;
  /// Never blocks, since the caller also draws the status line. Therefore no more is kept than a
  /// pipe takes at once.
  void write_if_due();
  /// Passes on everything that is kept. Call when all lanes have passed on their last records.
  void finish();

 private:
  bool pass_on();

  RecordStage& next_;
  const Nanoseconds pause_;
  std::mutex mutex_;  ///< also held while records are passed on; guards the members below
  bool keeps_ = false;
  std::string kept_;
  Nanoseconds since_ = 0;  ///< time of the first record in kept_
};

}  // namespace ffind::output
