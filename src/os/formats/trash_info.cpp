// SPDX-License-Identifier: MIT
// The text and the names of .trashinfo files, as the Trash specification of freedesktop.org 1.0 has
// them. Pure.
//
//     [Trash Info]
//     Path=music/a%20song.ogg         from the top of the volume; absolute in the home Trash
//     DeletionDate=2026-11-25T16:50:00
#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>

#include "os/trash.h"
#include "text/ascii.h"
#include "text/quoting.h"
#include "text/utf8.h"

namespace ffind::os {

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
  constexpr std::size_t longest = 255 - std::string_view(".trashinfo").size();
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
