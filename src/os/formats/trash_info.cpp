// SPDX-License-Identifier: MIT
// The text and the names of .trashinfo files, as the Trash specification of freedesktop.org 1.0 has
// them, written and read. Pure.
//
//     [Trash Info]
//     Path=music/a%20song.ogg         from the top of the volume; absolute in the home Trash
//     DeletionDate=2026-11-25T16:50:00
//
// Other programs write them as well, and on a shared volume other users can. So lines that are not
// these two are skipped, and a path that could lead out of its base is none.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>

#include "os/trash.h"
#include "text/ascii.h"
#include "text/paths.h"
#include "text/quoting.h"
#include "text/times.h"
#include "text/utf8.h"

namespace ffind::os {
namespace {

/// A percent sign without two digits stays, as in other readers.
std::string percent_decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::optional<char> byte =
        text[at] == '%' ? text::hex_byte(text, at + 1) : std::optional<char>();
    bytes += byte.value_or(text[at]);
    if (byte) at += 2;
  }
  return bytes;
}

/// The path without "." and doubled slashes, after `base` if it is relative; empty if it has a ".."
/// or a NUL, or names no entry.
std::string safe_path(std::string_view path, std::string_view base) {
  if (path.find('\0') != std::string_view::npos) return {};
  const bool is_absolute = path.starts_with('/');
  if (!is_absolute && base.empty()) return {};
  std::string safe(is_absolute ? "/" : base);
  const std::size_t before = safe.size();
  while (!path.empty()) {
    const std::string_view name = text::take_part(path, '/');
    if (name == "..") return {};
    if (!name.empty() && name != ".") safe = text::join_paths(safe, name);
  }
  return safe.size() == before ? std::string() : safe;
}

/// Reads "2026-11-25T16:50:00", a local time. Some writers add a fraction or a zone, which are
/// ignored.
std::optional<Instant> read_date(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00";
  if (text.size() < form.size()) return {};
  std::array<unsigned, 6> parts{};
  std::size_t part = 0;
  for (std::size_t at = 0; at < form.size(); ++at) {
    const bool is_digit = form[at] == '0';
    if (is_digit ? !text::is_digit(text[at]) : text[at] != form[at]) return {};
    if (is_digit) {
      parts[part] = parts[part] * 10 + static_cast<unsigned>(text[at] - '0');
    } else {
      ++part;
    }
  }
  const auto [year, month, day, hour, minute, second] = parts;
  const text::Day date(std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                       std::chrono::day(day));
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return {};
  const Instant time{
      text::first_second_of(text::midnight(date) + hour * 3600 + minute * 60 + second)};
  return text::has_date(time) ? std::optional(time) : std::nullopt;
}

}  // namespace

TrashInfo read_trash_info(std::string_view text, std::string_view base) {
  constexpr std::string_view path_key = "Path=";
  constexpr std::string_view date_key = "DeletionDate=";
  TrashInfo info;
  bool has_path = false;
  bool has_date = false;
  while (!text.empty()) {
    std::string_view line = text::take_part(text, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    // The first of each counts.
    if (!has_path && line.starts_with(path_key)) {
      has_path = true;
      info.path = safe_path(percent_decoded(line.substr(path_key.size())), base);
    } else if (!has_date && line.starts_with(date_key)) {
      has_date = true;
      info.deleted = read_date(line.substr(date_key.size()));
    }
  }
  return info;
}

bool is_trash_name(std::string_view name) {
  constexpr std::string_view numbered = ".Trash-";
  return name == ".Trash" ||
         (name.starts_with(numbered) && name.size() > numbered.size() &&
          name.find_first_not_of("0123456789", numbered.size()) == std::string_view::npos);
}

// .Trash is a user's on macOS, and an administrator's elsewhere; .Trashes is a volume's on macOS.
bool leads_into_trash(std::string_view path) {
  std::string_view parent;
  for (std::string_view name; !path.empty(); parent = name) {
    name = text::take_part(path, '/');
    if (is_trash_name(name) || name == ".Trashes") return true;
    if (parent == "Trash" && (name == "files" || name == "info")) return true;
  }
  return false;
}

std::string trash_info(std::string_view path, Instant when) {
  std::string text = "[Trash Info]\nPath=";
  text::append_percent_encoded(text, path, "-_.!~*'()/");  // as RFC 2396, and the slash
  const std::time_t seconds = when.seconds;
  std::tm local{};
  std::array<char, 32> date{};
  if (::localtime_r(&seconds, &local) != nullptr &&
      std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &local) != 0) {
    text.append("\nDeletionDate=").append(date.data());
  }
  return text += '\n';
}

std::string trash_name(std::string_view name, unsigned number) {
  constexpr std::size_t longest = 255 - info_extension.size();
  constexpr std::size_t longest_extension = 64;
  // A dot at the beginning hides a file and begins no extension.
  std::size_t dot = std::min(name.find('.', 1), name.size());
  if (name.size() - dot > longest_extension) dot = name.size();
  const std::string_view extension = name.substr(dot);
  const std::string middle = number > 1 ? "." + std::to_string(number) : std::string();
  const std::string_view stem =
      text::whole_characters(name.substr(0, dot), longest - middle.size() - extension.size());
  return std::string(stem).append(middle).append(extension);
}

}  // namespace ffind::os
