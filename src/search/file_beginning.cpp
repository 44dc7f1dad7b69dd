// SPDX-License-Identifier: MIT
// Opens, reads, closes. See file_beginning.h.
#include "search/file_beginning.h"

#include <algorithm>

namespace ffind::search {

int read_beginning(os::FileSystem& file_system, const os::Directory* at, const std::string& path,
                   bool follow, std::size_t most, FileBeginning& beginning) {
  constexpr std::uint64_t usual_size = 512;  // what has no size, or grows, is given room in steps
  beginning.bytes.clear();
  os::File file;
  int error =
      file_system.open_file(at, path.c_str(), {.follow = follow, .stay_on_volume = false}, file);
  if (error != 0) return error;
  file.has_holes = false;  // what is behind a hole has its place, so all the zeros are wanted
  beginning.size = file.size;
  std::string& bytes = beginning.bytes;
  std::size_t length = 0;
  while (error == 0 && length < most) {
    const std::uint64_t room = std::max<std::uint64_t>({file.size, usual_size, 2 * length});
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(room, most)));
    std::size_t count = 0;
    error = file_system.read_file(file, bytes.data() + length, bytes.size() - length, count);
    length += count;
    if (count == 0 || length == file.size) break;
  }
  file_system.close_file(file);
  bytes.resize(error == 0 ? length : 0);
  return error;
}

}  // namespace ffind::search
