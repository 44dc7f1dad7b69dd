// SPDX-License-Identifier: MIT
// A whole terminal to draw on and to read keys from: /dev/tty, whatever the standard streams are.
// Part of the seam to the operating system; used by output/pick. Knows no list and no query, only
// rows of text, keys and what must be put right when the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"

namespace ffind::os {

/// What a piece of text looks like. Where the terminal has fewer colours, or none, the rest counts.
struct TextStyle {
  std::optional<std::uint8_t> color{};  ///< of 256; none: the terminal's own
  bool bold = false;
  bool dim = false;
  bool underline = false;
  bool reverse = false;
  bool operator==(const TextStyle&) const = default;
};

struct StyledText {
  std::string text;  ///< UTF-8, fit for a terminal (text/escape.h)
  TextStyle style{};
};

using ScreenRow = std::vector<StyledText>;

struct ScreenPlace {
  std::size_t row = 0;
  std::size_t column = 0;
};

struct ScreenSize {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool operator==(const ScreenSize&) const = default;
};

enum class Key : std::uint8_t {
  none,     ///< the time was over, or somebody called wake()
  text,     ///< a character, or several that were pasted
  control,  ///< the letter is in `text`, in lower case
  enter,
  escape,
  tab,
  back_tab,
  backspace,
  remove,
  up,
  down,
  left,
  right,
  page_up,
  page_down,
  home,
  end,
  function,  ///< `number`
  click,     ///< at `place`; `number` is 2 for the second of a double click
  wheel_up,
  wheel_down,
  resize,
};

struct KeyPress {
  Key key = Key::none;
  std::string text{};
  int number = 0;
  ScreenPlace place{};
};

/// One a process. All but wake() are for one thread, which is also the one that signals are for:
/// start others under QuietSignals. Whatever ends the process,
/// the terminal gets back what it showed.
class Screen {
 public:
  /// Throws std::system_error or std::runtime_error that says why there is none: no terminal, one
  /// that cannot move its cursor, no library to draw with.
  static std::unique_ptr<Screen> open();
  virtual ~Screen() = default;

  virtual ScreenSize size() const = 0;
  /// Shows `rows` from the top, and nothing below. What does not fit into a row is cut off.
  virtual void draw(std::span<const ScreenRow> rows, ScreenPlace cursor) = 0;
  /// The next key, or `none` after `at_most` nanoseconds or when somebody calls wake().
  virtual KeyPress next(Nanoseconds at_most) = 0;
  /// The same, whoever calls wake(); 0: what was pressed already.
  virtual KeyPress next_key(Nanoseconds at_most) = 0;
  /// Waits for wake(), at most so long; keys wait, too.
  virtual void wait_for_wake(Nanoseconds at_most) = 0;
  /// Ends the wait that goes on, or else the one to come. For any thread.
  virtual void wake() = 0;
  /// Gives the terminal back and stops the process, as Ctrl-Z does; returns when it goes on.
  virtual void suspend() = 0;
  /// Sends `bytes` past what is drawn: an OSC that changes nothing on the screen.
  virtual void send(std::string_view bytes) = 0;
  /// Gives the terminal back; nothing but wake() may be called from then on.
  virtual void close() = 0;
};

/// Signals of the terminal and those that end the process are for threads that exist already, not
/// for those that this one starts while it lives.
class QuietSignals {
 public:
  QuietSignals();
  ~QuietSignals();
  QuietSignals(const QuietSignals&) = delete;
  QuietSignals& operator=(const QuietSignals&) = delete;

 private:
  struct Mask;
  std::unique_ptr<Mask> before_;
};

/// A question to the person at the terminal, whatever the standard streams are. One a process, to
/// be made before any other thread is started, and after Processes.
class Terminal {
 public:
  /// Throws std::system_error, which begins with `need`, when there is no terminal.
  explicit Terminal(const char* need);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void put(std::string_view question) const;
  /// The line that was typed after `question` was put, without its end; false at the end of input.
  /// Puts it again when this process goes on after Ctrl-Z. For one thread at a time.
  bool wait_for_answer(std::string_view question, std::string& answer);

 private:
  int fd_ = -1;
  bool was_blocked_ = false;  ///< SIGCONT
};

/// Descriptors.
inline constexpr int standard_output = 1;
inline constexpr int standard_error = 2;
bool is_terminal(int fd);

/// Opens what is closed of standard input, output and error in a way that fails on use, so that no
/// directory ever gets their numbers.
void secure_standard_descriptors();

/// Closes one of the standard streams: a server, or a quota, may say only then that it has no room
/// for what was written. 0 or an errno.
int close_stream(int fd);

/// Writes all of `bytes`; 0 or an errno.
int write_all(int fd, std::string_view bytes);

/// When Ctrl-C ends the process in the middle of a coloured line, puts the terminal's colours back.
void reset_colors_when_interrupted();

/// From now on SIGUSR1 and, where there is one, SIGINFO (Ctrl-T) do nothing but end a
/// wait_for_status_request. To be called before any thread is started; commands that are run get
/// them as they were.
void hold_status_requests();

/// Sleeps until somebody asks, at most so long; whether somebody did. For one thread, which gets no
/// other signals from now on.
bool wait_for_status_request(std::optional<Nanoseconds> at_most);

/// Columns of the terminal `fd`; 80 where it does not say.
std::size_t terminal_columns(int fd);
/// Whether `fd` is a terminal that shows what this process does, not what runs in front of it.
bool is_in_foreground(int fd);
/// Whether somebody else reads what is written to `fd`: a pipe or a socket.
bool is_piped(int fd);
/// Whether nobody reads any more what is written to the pipe or socket `fd`.
bool reader_is_gone(int fd);
/// How many bytes a pipe takes in one piece: PIPE_BUF (man 7 pipe).
extern const std::size_t taken_at_once;
/// Whether that many bytes can be written to `fd` without waiting for its reader.
bool takes_more(int fd);
/// Whether both lead to the same file, pipe or terminal.
bool lead_to_same(int one, int other);

/// Shows `text` as the line that the cursor is in, in the place of what was drawn there before.
/// False when the terminal takes nothing at the moment, or a signal is ending the process.
bool draw_status(int fd, std::string_view text);
void erase_status(int fd);
/// When a signal ends the process, what is drawn is erased first.
void erase_status_when_interrupted();

}  // namespace ffind::os
