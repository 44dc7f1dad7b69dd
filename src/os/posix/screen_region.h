// SPDX-License-Identifier: MIT
// A part of the screen below the cursor, as --height requests it. ncurses draws on whole screens
// only, so this draws by control sequences that every terminal understands which answers where its
// cursor is (ECMA-48 and DEC's), and decodes keys by a table of their sequences. Used by
// screen.cpp.
//
//     row 5     $ vim "$(ffind --pick --height 4)      the cursor's place is saved (DECSC)
//     row 6     > invoice                     <- begin_ ─┐
//     row 7       12 of 98304                            │  draw() writes the rows that changed
//     row 8     > doc/invoice.pdf                        │
//     row 9       doc/2026/invoice.pdf                  ─┘
//
// If there are too few rows below the cursor, the screen scrolls up first. leave() goes back to the
// saved place and erases what is below it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/terminal.h"

namespace ffind::os {

/// Byte sequence of a key and its code.
using KeyCode = std::pair<std::string, int>;

/// Decoder of the bytes of a terminal: a key's sequence becomes its code, all else stays bytes.
class KeyDecoder {
 public:
  /// Waits `patience` milliseconds for the rest of a key's sequence.
  KeyDecoder(int fd, std::vector<KeyCode> keys, int patience)
      : fd_(fd), keys_(std::move(keys)), patience_(patience) {}

  /// Returns the next byte or code; -1 if none comes within `milliseconds`.
  int next(int milliseconds);
  /// Waits for the reply to a request for the cursor's place, and keeps all other bytes. nullopt if
  /// there is none in time. Counted from 0.
  std::optional<ScreenPlace> cursor_reply(int milliseconds);
  bool has_bytes() const { return !bytes_.empty(); }

 private:
  bool read(int milliseconds);
  int take(std::size_t count, int code);

  const int fd_;
  const std::vector<KeyCode> keys_;
  const int patience_;
  std::string bytes_;  ///< read and not returned yet
};

/// The rows of the region. `send` writes to the terminal.
class ScreenRegion {
 public:
  /// `colors`: of the terminal.
  ScreenRegion(ScreenHeight height, int colors, KeyDecoder& keys,
               std::function<void(std::string_view)> send)
      : height_(height), colors_(colors), keys_(keys), send_(std::move(send)) {}

  /// Takes rows below the cursor of a terminal of that size. False if it does not say where its
  /// cursor is, or if the region would have all rows.
  bool enter(ScreenSize terminal);
  /// Takes them again where the terminal has moved them to, after a change of its size.
  void follow(ScreenSize terminal);
  /// Erases the rows and puts the cursor where it was.
  void leave();
  /// The bytes of leave(), wherever the region is.
  static std::string_view ending();

  ScreenSize size() const { return size_; }
  /// Row of the terminal that the region begins with.
  std::size_t begin() const { return begin_; }
  void draw(std::span<const ScreenRow> rows, ScreenPlace cursor);

 private:
  std::optional<ScreenPlace> cursor();
  void place(ScreenSize terminal, ScreenPlace saved, std::size_t begin);
  std::string bytes_of(const ScreenRow& row) const;
  void append_style(std::string& out, const TextStyle& style) const;

  const ScreenHeight height_;
  const int colors_;
  KeyDecoder& keys_;
  const std::function<void(std::string_view)> send_;
  ScreenSize size_;
  std::size_t begin_ = 0;
  std::size_t rows_above_ = 0;  ///< between the saved place and `begin_`: 0 or 1
  std::size_t saved_column_ = 0;
  std::vector<std::string> shown_;  ///< bytes of each row on the screen
};

}  // namespace ffind::os
