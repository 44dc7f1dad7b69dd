// SPDX-License-Identifier: MIT
// Fuzzes the reader of macOS's list of firmlinks. Input: its text.
#include <string>

#include "fuzz/fuzz.h"
#include "os/formats/mount_tables.h"

namespace ffind::fuzz::firmlinks_fuzz {

namespace {

void check_path(const std::string& path) {
  const std::string between = "/" + path + "/";
  for (const char* const part : {"//", "/./", "/../", "\t", "\n"}) {
    require(between.find(part) == std::string::npos, "a path is one of plain names");
  }
  require(between.find('\0') == std::string::npos, "no NUL is in a path");
}

}  // namespace

FUZZ_TARGET(firmlinks) {
  const std::string_view text = Input(data, size).rest();
  const auto firmlinks = os::darwin::parse_firmlinks(text);
  std::string again;
  for (const os::darwin::Firmlink& firmlink : firmlinks) {
    require(firmlink.path.starts_with('/'), "a firmlink's path is absolute");
    check_path(firmlink.path.substr(1));
    check_path(firmlink.target);
    const std::string line = firmlink.path + "\t" + firmlink.target;
    require(text.find(line) != std::string_view::npos, "a firmlink is a line of the text");
    again += line + "\n";
  }
  const auto reread = os::darwin::parse_firmlinks(again);
  require(reread.size() == firmlinks.size(), "what was read reads the same");
  for (std::size_t i = 0; i < reread.size(); ++i) {
    require(reread[i].path == firmlinks[i].path && reread[i].target == firmlinks[i].target,
            "what was read reads the same");
  }
  return 0;
}

}  // namespace ffind::fuzz::firmlinks_fuzz
