// SPDX-License-Identifier: MIT
// Fuzzes lines of a command's output (--preview): whatever it prints, only SGR reaches a screen.
// Input: the output.
#include <string>
#include <string_view>

#include "fuzz/fuzz.h"
#include "pick/preview.h"
#include "text/quoting.h"

namespace ffind::fuzz::preview_fuzz {
namespace {

void check(std::string_view line) {
  os::TextStyle style;
  while (!line.empty()) {
    if (line.front() != '\x1b') {
      const std::string_view run = line.substr(0, line.find('\x1b'));
      require(!text::needs_escaping(run), "text between sequences cannot control a terminal");
      line.remove_prefix(run.size());
      continue;
    }
    const std::size_t end = line.find('m');
    require(line.starts_with("\x1b[") && end != std::string_view::npos,
            "a sequence is a whole one");
    const std::string_view parameters = line.substr(2, end - 2);
    require(parameters.find_first_not_of("0123456789;:") == std::string_view::npos, "it is SGR");
    pick::apply_sgr(style, parameters);
    line.remove_prefix(end + 1);
  }
}

}  // namespace

FUZZ_TARGET(preview) {
  const std::string_view output = Input(data, size).rest();
  for (const std::string& line : pick::preview_lines(output)) check(line);
  // What is shown while a command runs is the beginning of its output.
  for (const std::string& line : pick::preview_lines(output.substr(0, size / 2))) check(line);
  return 0;
}

}  // namespace ffind::fuzz::preview_fuzz
