// SPDX-License-Identifier: MIT
// Fuzzes the decoder of Finder aliases. Input: an alias file.
#include <string>

#include "fuzz/fuzz.h"
#include "os/formats/bookmark.h"

namespace ffind::fuzz::bookmark_fuzz {

FUZZ_TARGET(bookmark) {
  const Input input(data, size);
  const std::string_view bytes = input.rest();
  const auto target = os::target_of_alias_file(bytes);
  if (!target) return 0;
  require(os::may_be_alias_file(bytes.substr(0, 7)), "an alias begins like one");
  require(target->starts_with('/') && target->size() <= 20000, "a path is absolute and has an end");
  require(target->find('\0') == std::string::npos, "a path has no NUL");
  require(target->find("//") == std::string::npos, "no name is empty");
  return 0;
}

}  // namespace ffind::fuzz::bookmark_fuzz
