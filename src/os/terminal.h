// SPDX-License-Identifier: MIT
// The terminal and the standard streams: a full screen with keys (Screen), questions to the user
// (Terminal), the status line and the signals that request it, writing to pipes and files, and what
// is restored before a signal ends the process. Part of the seam to the operating system; knows
// rows of text and keys, no list and no query.
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
#include "os/files.h"

namespace ffind::os {

/// Look of a piece of text. A colour that the terminal lacks is left out.
struct TextStyle {
  std::optional<std::uint8_t> color{};  ///< of 256; nullopt: the default colour
  bool bold = false;
  bool dim = false;
  bool underline = false;
  bool reverse = false;
  bool operator==(const TextStyle&) const = default;
};

struct StyledText {
  std::string text;  ///< UTF-8, fit for a terminal (text::escaped)
  TextStyle style{};
};

using ScreenRow = std::vector<StyledText>;

struct ScreenPlace {
  std::size_t row = 0;
  std::size_t column = 0;
  bool operator==(const ScreenPlace&) const = default;
};

struct ScreenSize {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool operator==(const ScreenSize&) const = default;
};

enum class Key : std::uint8_t {
  none,     ///< the time ran out, or wake() was called
  text,     ///< a character, or several that were pasted
  control,  ///< the letter is in `text`, in lower case
  alt,      ///< the same with Alt, or after Esc
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

/// The one that counts if there are several: Control before Alt before Shift.
enum class Modifier : std::uint8_t { none, shift, alt, control };

struct KeyPress {
  Key key = Key::none;
  std::string text{};
  int number = 0;
  ScreenPlace place{};
  /// Pressed together with a key of the cursor (up to end), remove or backspace.
  Modifier modifier = Modifier::none;
};

/// The part of the terminal that a Screen takes; all of it if both are 0.
struct ScreenHeight {
  std::size_t rows = 0;
  unsigned percent = 0;
};

/// The whole terminal, or some rows below the cursor: /dev/tty, whatever the standard streams are.
/// One per process. All functions but wake() belong to one thread, which also receives the signals:
/// start others under QuietSignals. The terminal's contents are restored however the process ends.
class Screen {
 public:
  /// Throws std::system_error or std::runtime_error with the reason: no terminal, or one that
  /// cannot move its cursor. Takes the whole terminal, too, if that does not tell in half a second
  /// where its cursor is.
  static std::unique_ptr<Screen> open(ScreenHeight height = {});
  virtual ~Screen() = default;

  virtual ScreenSize size() const = 0;
  /// Shows `rows` from the top and clears the rest. A row that is too long is cut off.
  virtual void draw(std::span<const ScreenRow> rows, ScreenPlace cursor) = 0;
  /// Returns the next key, or `none` after `at_most` nanoseconds or wake().
  virtual KeyPress next(Nanoseconds at_most) = 0;
  /// The same without regard to wake(); with 0 only keys that were pressed already.
  virtual KeyPress next_key(Nanoseconds at_most) = 0;
  /// Waits for wake(), for `at_most` nanoseconds; keys stay queued.
  virtual void wait_for_wake(Nanoseconds at_most) = 0;
  virtual void wake() = 0;  ///< ends the current wait, or else the next one; any thread may call it
  /// Restores the terminal and stops the process, as Ctrl-Z does; returns when it is continued.
  virtual void suspend() = 0;
  /// Sends `bytes`, an OSC that changes nothing on the screen, without drawing.
  virtual void send(std::string_view bytes) = 0;
  virtual void close() = 0;  ///< restores the terminal; only wake() may be called afterwards
};

/// While it exists, threads that this thread starts do not receive signals of the terminal, nor
/// those that end the process.
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

/// Questions to the user at /dev/tty, whatever the standard streams are. One per process,
/// constructed after Processes and before any other thread is started.
class Terminal {
 public:
  /// Throws std::system_error, whose text begins with `need`, if there is no terminal.
  explicit Terminal(const char* need);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void put(std::string_view question) const;
  /// Reads the line typed after `question` was put, without its newline; false at the end of input.
  /// Puts it again when the process is continued after Ctrl-Z. One thread at a time.
  bool wait_for_answer(std::string_view question, std::string& answer);

 private:
  Descriptor tty_;
  bool was_blocked_ = false;  ///< SIGCONT, before
};

inline constexpr int standard_input = 0;
inline constexpr int standard_output = 1;
inline constexpr int standard_error = 2;
bool is_terminal(int fd);

/// Opens those of standard input, output and error that are closed so that using them fails: no
/// directory may get their numbers.
void secure_standard_descriptors();

/// Closes a standard stream, since a server or a quota may report a full disk only then. 0 or an
/// errno.
int close_stream(int fd);

int write_all(int fd, std::string_view bytes);  ///< 0 or an errno
/// Creates the file `path`, or empties it. 0 or an errno.
int create_file(const std::string& path, Descriptor& file);
/// Reads a line of standard input and nothing after it; false at the end.
bool read_line(std::string& line);

/// Resets the terminal's colours when a signal ends the process in a coloured line.
void reset_colors_when_interrupted();

/// Makes SIGUSR1 and, if it exists, SIGINFO (Ctrl-T) end wait_for_status_request and nothing else.
/// Call before any thread is started. Commands inherit the earlier handling.
void hold_status_requests();

/// Waits for a status request, for at most `at_most`; returns whether one came. Called by one
/// thread only, which receives no other signals from then on.
bool wait_for_status_request(std::optional<Nanoseconds> at_most);

ScreenSize terminal_size(int fd);  ///< 24 by 80 if it is unknown
bool is_in_foreground(int fd);     ///< a terminal, with this process in its foreground
/// True if standard input and error are the terminal of this process, which is in its foreground.
/// An `urgent` question is put at /dev/tty if standard error is not.
bool can_ask(bool urgent = false);
bool is_piped(int fd);        ///< a pipe or a socket
bool gives_text(int fd);      ///< a pipe, a socket or a file
bool reader_is_gone(int fd);  ///< the reading end of a pipe or socket is closed
/// Bytes that a pipe takes atomically: PIPE_BUF (man 7 pipe).
extern const std::size_t taken_at_once;
/// Lets a pipe hold 256 KiB where the system can do that.
void widen_pipe(int fd);
/// Whether `taken_at_once` bytes can be written to `fd` without waiting for its reader.
bool takes_more(int fd);
/// True if both descriptors are of the same file, pipe or terminal.
bool lead_to_same(int one, int other);

/// Replaces the line of the cursor by `text`. False if the terminal takes nothing at the moment, or
/// a signal is ending the process.
bool draw_status(int fd, std::string_view text);
void erase_status(int fd);
void erase_status_when_interrupted();  ///< when a signal ends the process

}  // namespace ffind::os
