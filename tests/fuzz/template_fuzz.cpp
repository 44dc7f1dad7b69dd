// SPDX-License-Identifier: MIT
// Fuzzes templates of --format: taken apart, and expanded for a pipe and for a terminal. Input: the
// template, a newline, the name of a match, which also is where it lies and its tag.
#include <algorithm>
#include <string>

#include "fuzz/fuzz.h"
#include "output/records.h"
#include "text/quoting.h"

namespace ffind::fuzz::template_fuzz {

namespace {

/// Everything is known of it.
struct Match {
  FinderMetadata finder;
  Entry entry;

  explicit Match(std::string_view name) {
    finder.tags = {{std::string(name), 0}, {"two", 0}};
    finder.comment = name;
    finder.where_froms = {std::string(name)};
    entry.name = name;
    entry.type = FileType::file;
    entry.directory = "d/";
    entry.relative_path = entry.absolute_path = entry.root = entry.volume = entry.target = name;
    entry.finder = &finder;
    entry.metadata.modified = {static_cast<std::int64_t>(std::hash<std::string_view>()(name))};
    entry.metadata.size = std::hash<std::string_view>()(name);
    entry.present = ~Needs{0};
  }
};

std::string expand(const output::OutputStyle& style, std::string_view name) {
  Match match(name);
  std::string out = "<";
  output::make_record_format(style)->append(out, match.entry);
  return out.substr(1);
}

bool is_control(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
}

}  // namespace

FUZZ_TARGET(template) {
  Input input(data, size);
  const std::string_view text = input.take_until('\n');
  std::string name(input.rest());
  name.erase(std::remove_if(name.begin(), name.end(),
                            [](char byte) { return byte == '/' || byte == '\0'; }),
             name.end());
  if (name.empty()) name = "name";
  output::OutputStyle style;
  style.format = output::Format::templated;
  style.end = '\0';
  try {
    style.record_template = output::parse_template(text);
  } catch (const output::TemplateError& error) {
    require(error.position() <= text.size(), "what is wrong stands in the template");
    require(text.find_first_of("{}\\") != std::string_view::npos, "nothing is wrong with text");
    return 0;
  }
  const std::string raw = expand(style, name);
  require(raw == expand(style, name), "the same again");
  require(raw.ends_with('\0'), "a record ends");
  for (const output::Template::Part& part : style.record_template->parts) {
    if (part.field.field->name != "name" || part.field.conversion != nullptr) continue;
    require(raw.find(name) != std::string::npos, "no byte of a name is lost");
  }
  style.terminal = true;
  require(expand(style, name) == raw,
          "with NULs a program gets every byte, through a terminal, too");
  style.end = '\n';
  std::string shown = expand(style, name);
  shown.pop_back();
  const bool quiet = text.find_first_of("\\%") == std::string_view::npos &&
                     std::none_of(text.begin(), text.end(), is_control);
  require(!quiet || std::none_of(shown.begin(), shown.end(), is_control),
          "no value steers a terminal");
  return 0;
}

}  // namespace ffind::fuzz::template_fuzz
