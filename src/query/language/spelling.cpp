// SPDX-License-Identifier: MIT
// Values and enumerations as words. See spelling.h.
#include "query/language/spelling.h"

#include <algorithm>

#include "ffind/query.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/times.h"

namespace ffind::query {
namespace {

/// What `field` can be is a range; `spell_first` and `spell_last` write its ends, so that reading
/// them yields no more than those.
template <typename T, typename Spell>
std::string spell_range(std::string_view field, const text::Range<T>& range, Spell spell_first,
                        Spell spell_last) {
  const bool has_first = range.first != std::numeric_limits<T>::min();
  const bool has_last = range.last != std::numeric_limits<T>::max();
  if (range.first > range.last) return "false";
  if (range.first == range.last) return text::format("{} = {}", field, spell_last(range.last));
  if (has_first && has_last) {
    return text::format("{} = {}..{}", field, spell_first(range.first), spell_last(range.last));
  }
  if (has_last) return text::format("{} <= {}", field, spell_last(range.last));
  return text::format("{} >= {}", field, spell_first(range.first));
}

template <typename T>
std::string spell_numbers(std::string_view field, const text::Range<T>& range) {
  const auto spell = [](T number) { return std::to_string(number); };
  return spell_range(field, range, spell, spell);
}

/// RFC 3339 in UTC, with as many decimals of the second as it takes.
std::string timestamp(Nanoseconds time) {
  std::string text;
  text::append_rfc3339(text, time);
  text.pop_back();  // the Z
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text += 'Z';
}

/// A whole second means all of it; with decimals it is that nanosecond.
std::string exact_timestamp(Nanoseconds time) {
  std::string text = timestamp(time);
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000000000");
  return text;
}

bool is_plain(char character) {
  constexpr std::string_view others = "._-+";
  return text::is_letter(character) || text::is_digit(character) ||
         others.find(character) != std::string_view::npos;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = text::plain_character_at(text, at);
    if (character.empty()) {
      result += "\\x";
      text::append_hex(result, static_cast<unsigned char>(text[at]), 2);
      at += 1;
      continue;
    }
    if (character == "\"" || character == "\\") result += '\\';
    result += character;
    at += character.size();
  }
  return result += '"';
}

bool is_word_of_the_language(std::string_view text) {
  const std::string word = text::fold_ascii(text.substr(0, 4));
  return text.size() < 4 && (word == "and" || word == "or" || word == "not" || word == "in");
}

std::string bare_or_quoted(std::string_view text) {
  const bool is_bare = !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
  return is_bare && !is_word_of_the_language(text) ? std::string(text) : quoted(text);
}

std::string range_text(std::string_view field, const text::SizeRange& range) {
  return spell_numbers(field, range);
}

std::string range_text(std::string_view field, const text::TimeRange& range) {
  return spell_range(field, range, timestamp, exact_timestamp);
}

std::string range_text(std::string_view field, const text::DepthRange& range) {
  return spell_numbers(field, range);
}

}  // namespace ffind::query

namespace ffind {

std::string_view to_text(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::walk:
      return "walk";
    case Method::catalog:
      return "catalog";
  }
  return "auto";
}

std::string_view to_text(Reader reader) {
  switch (reader) {
    case Reader::automatic:
      return "auto";
    case Reader::getdents:
      return "getdents";
    case Reader::readdir:
      return "readdir";
    case Reader::fts:
      return "fts";
    case Reader::bulk:
      return "bulk";
  }
  return "auto";
}

std::string_view to_text(FileType type) {
  constexpr std::string_view words[] = {"unknown", "file",   "directory", "symlink",
                                        "fifo",    "socket", "block",     "char"};
  return words[static_cast<std::size_t>(type)];
}

}  // namespace ffind
