// SPDX-License-Identifier: MIT
// Fuzzes the decoder of .trashinfo files. Input: a byte that says whether relative paths have a
// base, and the text.
#include <string>

#include "fuzz/fuzz.h"
#include "os/trash.h"
#include "text/ascii.h"

namespace ffind::fuzz::trash_info_fuzz {

FUZZ_TARGET(trash_info) {
  Input input(data, size);
  const std::string_view base = input.take<std::uint8_t>() % 2 == 0 ? "" : "/mnt/usb";
  const os::TrashInfo info = os::read_trash_info(input.rest(), base);
  if (info.path.empty()) return 0;
  require(info.path.starts_with('/') && !info.path.ends_with('/'),
          "a path is absolute and has a name");
  for (std::string_view rest = std::string_view(info.path).substr(1); !rest.empty();) {
    const std::string_view name = text::take_part(rest, '/');
    require(!name.empty() && name != "." && name != "..", "a path is normal");
    require(name.find('\0') == std::string_view::npos, "a path has no NUL");
  }
  if (!info.deleted) return 0;
  const os::TrashInfo again = os::read_trash_info(os::trash_info(info.path, *info.deleted), base);
  require(again.path == info.path, "what is written is read");
  return 0;
}

}  // namespace ffind::fuzz::trash_info_fuzz
