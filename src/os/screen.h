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

}  // namespace ffind::os
