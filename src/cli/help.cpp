// SPDX-License-Identifier: MIT
// Layout of the help: groups, two columns, 80 characters. See help.h.
#include "cli/help.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/option_table.h"

namespace ffind {
namespace {

constexpr std::size_t column = 26;
constexpr std::size_t width = 80;

constexpr std::string_view usage = R"(Finds any file, live, fast.

  ffind [FIELD] [TEXT] [PATH]... [options]

  FIELD   "name" or "path": what the pattern is held against
  TEXT    found anywhere in the name (in the path, if it contains a "/")
  PATH    where to look; the current directory if there is none
)";

constexpr std::string_view examples = R"(
Examples
  ffind report                      names that contain "report", below here
  ffind report ~/Documents /srv     the same below two roots
  ffind name -e '\.cc$' src         names that match a regular expression
  ffind --kind image -S '>5M'       large pictures
  ffind --modified today -t f       files changed today
  ffind --where 'size > 1G and not (ext in (iso, dmg))'
  ffind --ext log -0 | xargs -0 rm  to another tool
)";

constexpr std::string_view more_examples =
    R"(  ffind name -g '*.{tgz,zip}' /srv  whole names that match a glob
  ffind --contains TODO --ext cc    files with TODO in them
  ffind --tag Red                   what the Finder shows in red
  ffind -t f --perm /o+w            files that anybody may change
  ffind --gitignore -g '*.py'       what git would not ignore
  ffind --where 'kind = image and size > 5M and not (hidden or name ~ ^IMG_)'
)";

std::string spelling(const OptionRow& row) {
  std::string text;
  for (const std::string_view name : names_of(row)) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  // Long options line up behind the place of the short ones.
  if (text.substr(0, 2) == "--") text.insert(0, "    ");
  if (!row.value.empty()) text.append(" ").append(row.value);
  return text;
}

void append_row(std::string& help, const OptionRow& row) {
  std::string line = "  " + spelling(row);
  if (line.size() + 1 >= column) {
    help += line + '\n';
    line.clear();
  }
  line.resize(column, ' ');
  std::string_view rest = row.help;
  while (line.size() + rest.size() > width) {
    const std::size_t space = rest.rfind(' ', width - line.size());
    if (space == std::string_view::npos) break;
    line += rest.substr(0, space);
    help += line + '\n';
    line.assign(column, ' ');
    rest.remove_prefix(space + 1);
  }
  line += rest;
  help += line + '\n';
}

std::string help_of(bool everyday_only) {
  std::string help(usage);
  std::string_view group;
  if (everyday_only) help += "\nOptions (all of them: ffind --help)\n";
  for (const OptionRow& row : option_table()) {
    if (everyday_only && !row.everyday) continue;
    if (!everyday_only && row.group != group) {
      group = row.group;
      help += fmt::format("\n{}\n", group);
    }
    append_row(help, row);
  }
  help += examples;
  return help;
}

}  // namespace

std::string short_help() {
  return help_of(true);
}

std::string long_help() {
  return help_of(false) + std::string(more_examples) + R"(
Status: 0 searched completely, 1 something could not be searched (with -q:
nothing matched), 2 the command line is wrong. The rest: man ffind
)";
}

}  // namespace ffind
