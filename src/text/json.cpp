// SPDX-License-Identifier: MIT
// A cursor steps over the parts of a line; the decoders work on those.
#include "text/json.h"

#include <algorithm>
#include <charconv>

#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::text {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Steps over the parts of a line.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  char next() {
    at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char letter) {
    const bool is_next = next() == letter;
    at_ += is_next ? 1 : 0;
    return is_next;
  }
  /// Returns a string with its quotes, or nothing if there is none.
  std::string_view string() {
    if (next() != '"') return {};
    const std::size_t begin = at_++;
    for (; at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= ' '; ++at_) {
      if (text_[at_] == '"') return text_.substr(begin, ++at_ - begin);
      if (text_[at_] == '\\') ++at_;
    }
    return {};
  }
  /// Returns a value, or nothing. In a list or an object only strings and brackets are looked at.
  std::string_view value() {
    int open = 0;
    next();
    const std::size_t begin = at_;
    do {
      const char first = next();
      if (first == '"') {
        if (string().empty()) return {};
      } else if (first == '[' || first == '{') {
        ++open;
        ++at_;
      } else if (open > 0 && std::string_view("]},:").find(first) != std::string_view::npos) {
        open -= first == ']' || first == '}' ? 1 : 0;
        ++at_;
      } else {
        const std::size_t word = at_;
        while (at_ < text_.size() &&
               (is_letter_or_digit(text_[at_]) || std::string_view("+-.").find(text_[at_]) < 3)) {
          ++at_;
        }
        if (at_ == word) return {};
      }
    } while (open > 0);
    return text_.substr(begin, at_ - begin);
  }

 private:
  const std::string_view text_;
  std::size_t at_ = 0;
};

/// Takes the code unit of a `\u` escape from the beginning of `text`; U+FFFD if it is none.
char32_t take_unit(std::string_view& text) {
  unsigned unit = 0;
  const bool fits = text.size() >= 6 && text.starts_with("\\u");
  const char* const end = text.data() + (fits ? 6 : 0);
  const bool is_read = fits && std::from_chars(text.data() + 2, end, unit, 16).ptr == end;
  text.remove_prefix(fits ? 6 : std::min<std::size_t>(2, text.size()));
  return is_read ? unit : 0xFFFD;
}

/// Takes an escape from the beginning of `text`, and appends its character.
void take_escape(std::string_view& text, std::string& out) {
  constexpr std::string_view letters = "bfnrt";
  constexpr std::string_view meant = "\b\f\n\r\t";
  if (text[1] != 'u') {
    const std::size_t which = letters.find(text[1]);
    out += which == letters.npos ? text[1] : meant[which];
    return text.remove_prefix(2);
  }
  char32_t character = take_unit(text);
  std::string_view rest = text;
  if (const char32_t low = take_unit(rest);
      character >> 10U == 0xD800U >> 10U && low >> 10U == 0xDC00U >> 10U) {
    character = 0x10000 + ((character & 0x3FFU) << 10U | (low & 0x3FFU));
    text = rest;
  }
  append_utf8(out, is_encodable(character) ? character : 0xFFFD);
}

}  // namespace

bool read_object(std::string_view line,
                 const std::function<void(std::string_view key, std::string_view value)>& take) {
  JsonCursor cursor(line);
  std::string key;
  bool more = cursor.take('{');
  if (!more) return false;
  if (cursor.take('}')) return cursor.next() == '\0';
  for (; more; more = cursor.take(',')) {
    const bool has_key = read_json_text(cursor.string(), key) && cursor.take(':');
    const std::string_view value = has_key ? cursor.value() : std::string_view();
    if (value.empty()) return false;
    take(key, value);
  }
  return cursor.take('}') && cursor.next() == '\0';
}

bool read_json_text(std::string_view value, std::string& text) {
  text.clear();
  if (!value.starts_with('"')) return false;
  value = value.substr(1, value.size() - 2);
  while (!value.empty()) {
    const std::size_t plain = std::min(value.find('\\'), value.size());
    text += value.substr(0, plain);
    value.remove_prefix(plain);
    if (!value.empty()) take_escape(value, text);
  }
  return true;
}

std::optional<std::uint64_t> json_number(std::string_view value) {
  std::uint64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

bool read_json_list(std::string_view value, std::vector<std::string>& texts) {
  texts.clear();
  JsonCursor cursor(value);
  if (!cursor.take('[')) return false;
  if (cursor.take(']')) return true;
  do {
    if (!read_json_text(cursor.string(), texts.emplace_back())) return false;
  } while (cursor.take(','));
  return cursor.take(']');
}

bool read_base64(std::string_view text, std::string& bytes) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  text.remove_suffix(text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char letter : text) {
    const std::size_t six = letters.find(letter);
    if (six == letters.npos) return false;
    bits = bits << 6U | static_cast<std::uint32_t>(six);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFFU);
  }
  return true;
}

}  // namespace ffind::text
