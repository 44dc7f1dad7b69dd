// SPDX-License-Identifier: MIT
// Fuzzes what a configuration or a saved search holds: read, written again, parsed. Input: the
// file.
#include <string>

#include "cli/argument_file.h"
#include "ffind/issue.h"
#include "fuzz/fuzz.h"

namespace ffind::fuzz::configuration_fuzz {

FUZZ_TARGET(configuration) {
  const std::string_view text = Input(data, size).rest();
  cli::ArgumentFile file;
  try {
    file = cli::read_arguments("f", text);
  } catch (const UsageError& error) {
    require(std::string(error.what()).starts_with("in f, line "), "the line is named");
    return 0;
  }
  require(file.arguments.size() == file.lines.size(), "each stands on a line");
  for (const std::string& argument : file.arguments) {
    require(argument.find('\0') == std::string::npos, "no argument holds a NUL");
  }
  require(cli::read_arguments("f", cli::lines_of(file.arguments)).arguments == file.arguments,
          "every argument survives");
  try {
    cli::options_of(file, cli::check_place_in_configuration);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    require(what.starts_with("in f, line "), "what is wrong stands in a line");
    const std::size_t line = std::stoul(what.substr(11));
    require(std::find(file.lines.begin(), file.lines.end(), line) != file.lines.end(),
            "and there is an argument in it");
  }
  return 0;
}

}  // namespace ffind::fuzz::configuration_fuzz
