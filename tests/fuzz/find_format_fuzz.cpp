// SPDX-License-Identifier: MIT
// Fuzzes formats of find's -printf: parsed, and written for a file and a terminal. Input: the
// format, a newline, the name of an entry, which is also its link's target.
#include <algorithm>
#include <string>

#include "fuzz/fuzz.h"
#include "output/find_format.h"

namespace ffind::fuzz::find_format_fuzz {

namespace {

std::string written(const output::FindFormat& format, std::string_view name) {
  Entry entry;
  entry.name = entry.relative_path = entry.root = entry.target = name;
  entry.type = FileType::symlink;
  entry.directory = "d/";
  entry.depth = 1;
  entry.metadata.size = std::hash<std::string_view>()(name);
  entry.metadata.modified = {static_cast<std::int64_t>(entry.metadata.size)};
  entry.present = ~Needs{0};
  output::FieldScratch scratch{nullptr};
  std::string out;
  format.append(out, entry, scratch);
  return out;
}

bool is_control(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
}

}  // namespace

FUZZ_TARGET(find_format) {
  Input input(data, size);
  const std::string_view text = input.take_until('\n');
  const std::string name = "n" + std::string(input.rest());
  try {
    const auto format = output::FindFormat::parse(text);
    const std::string raw = written(format, name);
    require(raw == written(format, name), "the same again");
    const bool plain = text.find_first_of("%\\") == std::string_view::npos;
    if (plain) require(raw == text && format.warnings().empty(), "text stays as it is");
    const std::string shown = written(output::FindFormat::parse(text, true), name);
    const bool quiet = text.find_first_of("\\ABCT") == std::string_view::npos &&
                       std::none_of(text.begin(), text.end(), is_control);
    if (quiet) {
      require(std::none_of(shown.begin(), shown.end(), is_control), "a name steers no terminal");
    }
  } catch (const output::FindFormatError&) {
    require(text.find('%') != std::string_view::npos, "only a conversion is refused");
  }
  require(written(output::FindFormat::listing({}), name).find('\n') != std::string::npos,
          "a line of -ls ends");
  return 0;
}

}  // namespace ffind::fuzz::find_format_fuzz
