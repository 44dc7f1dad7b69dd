// SPDX-License-Identifier: MIT
// Values and enumerations as words. See text.h.
#include "query/values/text.h"

#include <fmt/format.h>

#include <ctime>

#include "ffind/query.h"

namespace ffind {
namespace {

template <typename T, typename Spell>
std::string spell_range(std::string_view field, const Range<T>& range, Spell spell) {
  const bool has_first = range.first != std::numeric_limits<T>::min();
  const bool has_last = range.last != std::numeric_limits<T>::max();
  if (range.first == range.last) return fmt::format("{} = {}", field, spell(range.first));
  if (has_first && has_last) {
    return fmt::format("{} = {}..{}", field, spell(range.first), spell(range.last));
  }
  if (has_last) return fmt::format("{} <= {}", field, spell(range.last));
  return fmt::format("{} >= {}", field, spell(range.first));
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      result += '\\';
      result += character;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += character;
    }
  }
  return result += '"';
}

std::string timestamp(Nanoseconds time) {
  constexpr Nanoseconds second = 1'000'000'000;
  Nanoseconds fraction = time % second;
  std::time_t seconds = time / second;
  if (fraction < 0) {
    fraction += second;
    --seconds;
  }
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                  parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  if (fraction != 0) {
    text += fmt::format(".{:09}", fraction);
    while (text.back() == '0') text.pop_back();
  }
  return text += 'Z';
}

std::string range_text(std::string_view field, const SizeRange& range) {
  return spell_range(field, range, [](std::uint64_t bytes) { return std::to_string(bytes); });
}

std::string range_text(std::string_view field, const TimeRange& range) {
  return spell_range(field, range, timestamp);
}

std::string range_text(std::string_view field, const DepthRange& range) {
  return spell_range(field, range, [](std::uint32_t depth) { return std::to_string(depth); });
}

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
