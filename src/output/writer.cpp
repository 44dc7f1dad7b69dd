// SPDX-License-Identifier: MIT
// One write at a time, with the status line erased and drawn again.
//
//     output_mutex_   held while standard output is written: for long, if the reader is slow
//     mutex_          held while the screen changes: status line, question, messages
//
// Records take the first, and the second too if both streams lead to the same place; messages take
// the second alone. Always in this order. So with a blocked reader of a pipe the status line and
// messages still appear on the terminal.
#include "output/writer.h"

#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "os/machine.h"
#include "os/processes.h"
#include "os/terminal.h"
#include "output/messages.h"

namespace ffind::output {

namespace {

/// Half of what a pipe of Linux holds (man 7 pipe): a longer part is one of many.
constexpr std::size_t many_bytes = std::size_t{32} * 1024;

}  // namespace

Writer::Writer(int output, int error_output)
    : output_(output),
      error_output_(error_output),
      together_(os::lead_to_same(output, error_output) ||
                (os::is_terminal(output) && os::is_terminal(error_output))) {}

bool Writer::write(std::string_view records) {
  const std::lock_guard turn(output_mutex_);
  std::unique_lock lock(mutex_, std::defer_lock);
  if (together_) lock.lock();
  if (error() != 0) return false;
  std::string first;
  if (!heading_.empty()) records = first = std::exchange(heading_, {}).append(records);
  if (together_) erase();
  const bool asks_again = together_ && breaks_into_question();
  // A writer that fills a pipe waits until its reader has emptied it. With room for four writes a
  // list of a million files takes 0.93 of its time, one of 400 MB of long paths 0.37.
  if (!widened_ && records.size() > many_bytes) {
    widened_ = true;
    os::widen_pipe(output_);
  }
  const int error = os::write_all(output_, records);
  if (error == EPIPE) end_of_broken_pipe();
  error_.store(error, std::memory_order_relaxed);
  if (together_) note_end(records);
  if (asks_again) question_();
  if (together_) draw();
  return error == 0;
}

bool Writer::takes_more() const {
  return os::takes_more(output_);
}

void Writer::end_without_reader() {
  if (os::reader_is_gone(output_)) end_of_broken_pipe();
}

/// With commands running, the function of end_by() ends those first.
void Writer::end_of_broken_pipe() {
  if (broken_pipe_) broken_pipe_();
  os::die_of_broken_pipe();
}

bool Writer::close() {
  const std::lock_guard turn(output_mutex_);
  const int failure = os::close_stream(output_);
  if (error() == 0) error_.store(failure, std::memory_order_relaxed);
  return error() == 0;
}

void Writer::write_message(std::string_view lines) {
  std::string colored;
  try {
    if (colors_messages_) colored = colored_message(lines);
  } catch (const std::bad_alloc&) {
    colored.clear();
  }
  const std::lock_guard lock(mutex_);
  erase();
  const bool asks_again = breaks_into_question();
  const int error = os::write_all(error_output_, colored.empty() ? lines : colored);
  // Only with commands is SIGPIPE blocked. Otherwise the write itself ends the process, unless the
  // signal is ignored: then a lost message changes nothing.
  if (error == EPIPE && broken_pipe_) broken_pipe_();
  note_end(lines);
  if (asks_again) question_();
  draw();
}

std::size_t Writer::status_columns() const {
  return os::is_in_foreground(error_output_) ? os::terminal_size(error_output_).columns : 0;
}

void Writer::show_status(std::string_view line) {
  const std::lock_guard lock(mutex_);
  status_ = line;
  draw();
}

void Writer::hide_status() {
  const std::lock_guard lock(mutex_);
  erase();
  status_.clear();
}

/// Irreversible: more commands follow the first.
void Writer::leave_terminal() {
  const std::lock_guard lock(mutex_);
  left_ = true;
  erase();
}

Writer::Question::Question(Writer& writer, std::function<void()> put) : writer_(writer) {
  const std::lock_guard lock(writer_.mutex_);
  writer_.erase();
  writer_.question_ = std::move(put);
  writer_.question_();
}

Writer::Question::~Question() {
  const std::lock_guard lock(writer_.mutex_);
  writer_.question_ = nullptr;
}

/// Begins a new line if a question is on the screen. Returns true if it must be put again.
bool Writer::breaks_into_question() {
  if (!question_ || !os::is_terminal(error_output_)) return false;
  os::write_all(error_output_, "\n");
  return true;
}

void Writer::erase() {
  if (shown_) os::erase_status(error_output_);
  shown_ = false;
}

/// The status line is not drawn over a question or an unfinished line, nor after a command has been
/// given the terminal.
void Writer::draw() {
  if (status_.empty() || question_ || in_line_ || left_) return;
  shown_ = os::draw_status(error_output_, status_) || shown_;
}

/// A status line would overwrite output of a command that did not end with a newline.
void Writer::note_end(std::string_view written) {
  if (!written.empty()) in_line_ = written.back() != '\n';
}

/// Large parts are passed on as they are. Small ones are copied until they fill what a pipe takes
/// at once, or the oldest is due.
bool SharedBuffer::take(std::string_view records) {
  const std::lock_guard lock(mutex_);
  // Records that a lane passed on earlier go first.
  const bool is_small = records.size() <= os::taken_at_once / 2;
  if (!keeps_ || !is_small) return pass_on() && next_.take(records);
  if (kept_.size() + records.size() > os::taken_at_once && !pass_on()) return false;
  const Nanoseconds now = os::monotonic_coarse_now();
  if (kept_.empty()) since_ = now;
  kept_ += records;
  return now - since_ <= pause_ || pass_on();
}

void SharedBuffer::write_if_due() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  keeps_ = true;
  // Half of the pause: with calls every 50 ms, a record waits 75 ms at most.
  const bool is_due = os::monotonic_coarse_now() - since_ > pause_ / 2;
  if (is_due && !kept_.empty() && next_.takes_more()) pass_on();
}

void SharedBuffer::finish() {
  const std::lock_guard lock(mutex_);
  pass_on();
}

bool SharedBuffer::pass_on() {
  if (kept_.empty()) return true;
  const bool taken = next_.take(kept_);
  kept_.clear();
  return taken;
}

}  // namespace ffind::output
