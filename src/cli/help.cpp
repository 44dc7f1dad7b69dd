// SPDX-License-Identifier: MIT
// Layout of the help: groups, two columns, 80 characters. See help.h.
#include "cli/help.h"

#include <string_view>

#include "cli/option_table.h"
#include "text/format.h"

namespace ffind::cli {
namespace {

constexpr std::size_t column = 26;
constexpr std::size_t width = 80;

constexpr std::string_view usage = R"(Finds any file, live, fast.

  ffind [FIELD] [TEXT] [PATH]... [options]

  FIELD   "name" or "path": what patterns are matched against
  TEXT    text to find anywhere in the name (in the path, if TEXT contains "/")
  PATH    where to search; the current directory by default
)";

constexpr std::string_view short_usage =
    R"(ffind [FIELD] [TEXT] [PATH]... [options]
Finds names that contain TEXT. Other patterns match FIELD, "name" or "path":

)";

constexpr std::string_view examples =
    R"(  ffind report ~/Documents /srv         names that contain "report"
  ffind name -e '\.(cc|h)$' src         names that match a regular expression
  ffind path -g '**/test/*.py'          paths that match a glob
  ffind --kind image -S '>5M' -l        large pictures, with size and time
  ffind --modified today -t f -E build  files changed today, build skipped
  ffind --where 'size > 1G and not (ext in (iso, dmg))'
  ffind --ext wav -x lame {} {.}.mp3    a command for each match, in parallel
)";

constexpr std::string_view more_examples =
    R"(  ffind report                          names that contain "report", below here
  ffind name -g '*.{tgz,zip}' /srv      whole names that match a glob
  ffind --contains TODO --ext cc,h      files that contain TODO
  ffind --tag Red                       files the Finder shows in red
  ffind -t f --perm /o+w                files that anyone may change
  ffind --gitignore -g '*.py'           Python files git does not ignore
  ffind -t f --sort -size -n 10         the ten largest files
  ffind -t f --count=kind               number of files of each kind
  ffind -t f --count=dir:2 --sort -size -n 10   what takes the most space
  ffind --ext log --delete --dry-run    what would be deleted
  ffind --where 'kind = image and size > 5M and not (hidden or name ~ ^IMG_)'

--no-NAME undoes any switch that is no filter: --no-tree, --no-mark.
Status: 0 search complete, 1 something could not be searched (with -q:
nothing matched), 2 invalid command line. Everything else: man ffind
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

/// One entry after another, behind the first word of their group.
class Digest {
 public:
  void add(const OptionRow& row) {
    std::string entry;
    for (const std::string_view name : names_of(row)) {
      entry += text::format("{}{}", entry.empty() ? "" : ", ", name);
    }
    if (!row.value.empty()) entry += text::format(" {}", row.value);
    if (row.group != group_) {
      group_ = row.group;
      const std::string_view label = group_.substr(0, group_.find(' '));
      text_ += text::format("\n{:<{}}", label, indent);
      columns_ = indent;
    } else if (columns_ + gap + entry.size() > width) {
      text_ += text::format("\n{:{}}", "", indent);
      columns_ = indent;
    } else {
      text_.append(gap, ' ');
      columns_ += gap;
    }
    text_ += entry;
    columns_ += entry.size();
  }

  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t indent = 9;
  static constexpr std::size_t gap = 2;
  std::string_view group_;
  std::string text_;
  std::size_t columns_ = 0;
};

}  // namespace

std::string short_help() {
  Digest digest;
  for (const OptionRow& row : option_table()) {
    if (row.everyday) digest.add(row);
  }
  return text::format("{}{}{}\nAll options: ffind --help. Everything else: man ffind\n",
                      short_usage, examples, digest.text());
}

std::string long_help() {
  std::string help(usage);
  std::string_view group;
  for (const OptionRow& row : option_table()) {
    if (row.group != group) {
      group = row.group;
      help += text::format("\n{}\n", group);
    }
    append_row(help, row);
  }
  return help.append("\nExamples\n").append(examples).append(more_examples);
}

}  // namespace ffind::cli
