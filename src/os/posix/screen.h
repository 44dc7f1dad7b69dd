// SPDX-License-Identifier: MIT
// The rows of the screen that are drawn on: all of an alternate screen, or a part below the cursor,
// as --height requests it. They are drawn by control sequences that all terminals but the oldest
// understand (ECMA-48 and DEC's). Used by screen.cpp.
//
//     row 5     $ vim "$(ffind --pick --height 4)      the cursor's place is saved (DECSC)
//     row 6     > invoice                     <- begin_ ─┐
//     row 7       12 of 98304                            │  draw() writes what changed in them
//     row 8     > doc/invoice.pdf                        │
//     row 9       doc/2026/invoice.pdf                  ─┘
//
// If there are too few rows below the cursor, the screen scrolls up first. ending() goes back to
// the saved place and erases what is below it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "os/posix/keys.h"
#include "os/terminal.h"

namespace ffind::os {

/// The rows of the region.
class ScreenRegion {
 public:
  /// `colors`: of the terminal. `send` writes to it; false if not all could be sent.
  ScreenRegion(ScreenHeight height, int colors, KeyDecoder& keys,
               std::function<bool(std::string_view)> send)
      : height_(height), colors_(colors), keys_(keys), send_(std::move(send)) {}

  bool is_whole() const { return height_.rows == 0 && height_.percent == 0; }
  /// Takes the rows of a terminal of that size. False, and nothing is changed, if a part is wanted
  /// and the terminal does not say where its cursor is, or the part would be all rows.
  bool enter(ScreenSize terminal);
  /// Takes them again where the terminal has moved them to, after a change of its size.
  void follow(ScreenSize terminal);
  /// Bytes that give the rows back and put the cursor where it was, wherever the region is.
  std::string_view ending() const;

  ScreenSize size() const { return size_; }
  std::size_t begin() const { return begin_; }  ///< row of the terminal that the region begins with
  void draw(std::span<const ScreenRow> rows, ScreenPlace cursor);

 private:
  /// A byte of a row, and its style.
  struct Cell {
    char byte;
    TextStyle style;
    bool operator==(const Cell&) const = default;
  };

  std::optional<ScreenPlace> cursor();
  std::size_t rows_of_part(ScreenSize terminal) const;
  void place(ScreenSize terminal, ScreenPlace saved, std::size_t begin);
  /// The rows on the screen are taken to be `row`, each.
  void forget_picture(const std::vector<Cell>& row);
  static std::vector<Cell> cells_of(const ScreenRow& row);
  void append_change(std::string& out, std::size_t row, const std::vector<Cell>& was,
                     const std::vector<Cell>& now) const;
  void append_style(std::string& out, const TextStyle& style) const;

  const ScreenHeight height_;
  const int colors_;
  KeyDecoder& keys_;
  const std::function<bool(std::string_view)> send_;
  ScreenSize size_;
  std::size_t begin_ = 0;
  std::size_t rows_above_ = 0;  ///< between the saved place and `begin_`: 0 or 1
  std::size_t saved_column_ = 0;
  std::vector<std::vector<Cell>> shown_;  ///< the rows on the screen
  std::optional<ScreenPlace> cursor_{};   ///< its place on the screen; nullopt: unknown
};

}  // namespace ffind::os
