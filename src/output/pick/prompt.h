// SPDX-License-Identifier: MIT
// The line that is typed into a list: its text and where the cursor is in it. Used by the picker.
// Knows characters, not what they mean.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ffind::output {

/// All of its moves are by what a person sees as one character: a letter and the marks on it.
class Prompt {
 public:
  const std::string& text() const { return text_; }
  /// A place in the text, in bytes.
  std::size_t cursor() const { return cursor_; }

  /// At the cursor; `characters` is UTF-8.
  void insert(std::string_view characters);
  void set(std::string text);
  void erase_before();
  void erase_behind();
  /// Back to the blank before the word.
  void erase_word();
  /// All that is before the cursor.
  void erase_to_begin();
  void move_left();
  void move_right();
  void move_to_end() { cursor_ = text_.size(); }

 private:
  std::size_t before(std::size_t place) const;
  std::size_t behind(std::size_t place) const;
  void erase(std::size_t begin, std::size_t end);

  std::string text_;
  std::size_t cursor_ = 0;
};

}  // namespace ffind::output
