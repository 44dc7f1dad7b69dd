// SPDX-License-Identifier: MIT
// Values in their places. See value.h.
#include "query/where/value.h"

#include <algorithm>
#include <optional>

#include "text/ascii.h"

namespace ffind::query {
namespace {

/// Whether a backslash at `at` of a bare value keeps in it what would end it, or begin a quoted
/// one: no part of the value itself.
bool keeps_mark(std::string_view text, std::size_t at) {
  return at + 1 < text.size() && text[at] == '\\' &&
         std::string_view(",()&|\"'\\").find(text[at + 1]) != std::string_view::npos;
}

}  // namespace

std::string take_escaped(std::string_view text, std::size_t& at) {
  const char first = text[at++];
  if (first != '\\' || at == text.size()) return {first};
  switch (text[at]) {
    case '"':
    case '\\':
      return {text[at++]};
    case 'n':
      ++at;
      return "\n";
    case 't':
      ++at;
      return "\t";
    case 'x': {
      const auto byte = text::hex_byte(text, at + 1);
      if (!byte) break;
      at += 3;
      return {*byte};
    }
    default:
      break;
  }
  // Both are given out now, so that what comes behind is not taken for an escape of its own.
  return {first, text[at++]};
}

std::size_t Value::place_of(std::size_t position) const {
  if (quote == Quote::none && dropped) {
    std::size_t place = at;
    for (std::size_t read = 0; read < position && place < typed->text.size(); ++read) {
      place += keeps_mark(typed->text, place) ? 2U : 1U;
    }
    return place;
  }
  if (quote == Quote::none) return at + position;
  if (quote == Quote::raw) return at + 1 + position;
  std::size_t place = at + 1;
  for (std::size_t read = 0; read < position && place < typed->text.size();) {
    const std::size_t begin = place;
    const std::size_t length = take_escaped(typed->text, place).size();
    // A literal backslash is one byte of two.
    if (read + length > position) return begin + (position - read);
    read += length;
  }
  return place;
}

void Value::fail(std::size_t position, std::string_view what) const {
  text::fail_at(typed->source, typed->text, place_of(position), what);
}

void Value::drop_backslashes() {
  if (quote != Quote::none) return;
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (keeps_mark(text, i)) ++i;
    kept += text[i];
  }
  text = std::move(kept);
  dropped = true;
}

std::size_t find_bare_comma(std::string_view text, std::size_t from) {
  for (; from < text.size(); ++from) {
    if (keeps_mark(text, from)) {
      ++from;
    } else if (text[from] == ',') {
      return from;
    }
  }
  return std::string_view::npos;
}

std::vector<Value> split_at_commas(const Value& list, std::string_view what, bool escapes) {
  std::vector<Value> parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t found =
        escapes ? find_bare_comma(list.text, from) : list.text.find(',', from);
    const std::size_t comma = std::min(found, list.text.size());
    if (comma == from) list.fail(from, std::string(what) + " is missing");
    parts.push_back({list.text.substr(from, comma - from), list.typed, list.at + from, list.quote});
    if (comma == list.text.size()) return parts;
    from = std::min(list.text.find_first_not_of(' ', comma + 1), list.text.size());
  }
}

}  // namespace ffind::query
