// SPDX-License-Identifier: MIT
// See prompt.h.
#include "output/pick/prompt.h"

#include <utility>

#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::output {

void Prompt::insert(std::string_view characters) {
  text_.insert(cursor_, characters);
  cursor_ += characters.size();
}

void Prompt::set(std::string text) {
  text_ = std::move(text);
  cursor_ = text_.size();
}

std::size_t Prompt::before(std::size_t place) const {
  while (place > 0) {
    do --place;
    while (place > 0 && text::is_continuation(text_[place]));
    if (text::columns_of(text::decode_utf8(text_, place).code_point) > 0) break;
  }
  return place;
}

std::size_t Prompt::behind(std::size_t place) const {
  if (place == text_.size()) return place;
  place += text::decode_utf8(text_, place).length;
  while (place < text_.size()) {
    const text::Decoded next = text::decode_utf8(text_, place);
    if (text::columns_of(next.code_point) > 0) break;
    place += next.length;
  }
  return place;
}

void Prompt::erase(std::size_t begin, std::size_t end) {
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

void Prompt::erase_before() {
  erase(before(cursor_), cursor_);
}

void Prompt::erase_behind() {
  erase(cursor_, behind(cursor_));
}

void Prompt::erase_word() {
  std::size_t begin = cursor_;
  while (begin > 0 && text_[begin - 1] == ' ') --begin;
  while (begin > 0 && text_[begin - 1] != ' ') --begin;
  erase(begin, cursor_);
}

void Prompt::erase_to_begin() {
  erase(0, cursor_);
}

void Prompt::move_left() {
  cursor_ = before(cursor_);
}

void Prompt::move_right() {
  cursor_ = behind(cursor_);
}

}  // namespace ffind::output
