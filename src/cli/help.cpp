// SPDX-License-Identifier: MIT
// Layout of the help. Texts that are not about a single option are literals at the top; the rest is
// laid out from the option table.
//
//     -h       short_usage, examples, and a Digest of the everyday rows: names and values, as many
//              on a line as fit, after the first word of their group
//     --help   usage, and each group with its heading; names in the first `column` columns, help
//              wrapped in the rest; all examples
//
// Texts are written for 80 columns and wrapped for others. Widths are counted in bytes: help is
// ASCII, apart from the "ö" of --ignore-diacritics, whose line may be one column short.
#include "cli/help.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "text/format.h"

namespace ffind::cli {
namespace {

/// The first column of the help texts: two spaces, names and value, and at least two spaces.
constexpr std::size_t column = 26;
/// Narrower terminals wrap.
constexpr std::size_t least_width = 48;

/// Lines that begin with "  ffind " are commands. They are never broken, so that they can be
/// copied.
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
  ffind -l --sort -size -n 20           the largest files
  ffind --pick                          a list that narrows while you type
  ffind --ext wav -x lame {} {.}.mp3    a command for each match, in parallel
)";

constexpr std::string_view more_examples =
    R"(  ffind report                          names that contain "report", below here
  ffind name -g '*.{tgz,zip}' /srv      whole names that match a glob
  ffind --contains TODO --ext cc,h      files that contain TODO
  ffind --tag Red                       files the Finder shows in red
  ffind -t f --perm /o+w                files that anyone may change
  ffind --gitignore -g '*.py'           Python files git does not ignore
  ffind --where 'size > 1G and not (ext in (iso, dmg))'
  ffind -t f --count=kind               number of files of each kind
  ffind -t f --count=dir:2 --sort -size -n 10   what takes the most space
  ffind --ext log --delete --dry-run    what would be deleted
  ffind --where 'kind = image and size > 5M and not (hidden or name ~ ^IMG_)'

--no-NAME undoes any switch that is no filter: --no-tree, --no-mark.
Status: 0 search complete, 1 something could not be searched (with -q: nothing matched), 2 invalid command line. Everything else: man ffind
)";

/// "-e, --regex RE": the names of an option and its value. "    --size RANGE" without a short name.
std::string spelling(const OptionRow& row) {
  std::string text;
  for (const std::string_view name : names_of(row)) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  // Long options are aligned after the column of short ones.
  if (text.substr(0, 2) == "--") text.insert(0, "    ");
  if (!row.value.empty()) text.append(" ").append(row.value);
  return text;
}

/// Appends `line` and, word by word, `rest`; continuation lines begin at `indent`. A word that is
/// longer than a line is not broken.
void append_wrapped(std::string& help, std::string line, std::string_view rest, std::size_t indent,
                    std::size_t width) {
  while (line.size() + rest.size() > width) {
    const std::size_t space = rest.rfind(' ', width - line.size());
    if (space == std::string_view::npos) break;
    line += rest.substr(0, space);
    help += line + '\n';
    line.assign(indent, ' ');
    rest.remove_prefix(space + 1);
  }
  help += line.append(rest) + '\n';
}

/// Appends an option with its help in a column of its own, on the next line if its names are long.
void append_row(std::string& help, const OptionRow& row, std::size_t width) {
  std::string line = "  " + spelling(row);
  if (line.size() + 1 >= column) {
    help += line + '\n';
    line.clear();
  }
  line.resize(column, ' ');
  append_wrapped(help, std::move(line), row.help, column, width);
}

/// Appends a line of the texts above. The words after a gap keep their column, or go below a
/// command. "  FIELD   text" is wrapped below "text"; in "  ffind report   names that ..." the
/// explanation goes on the next line.
void append_line(std::string& help, std::string_view line, std::size_t width) {
  constexpr std::string_view command = "  ffind ";
  constexpr std::size_t below_command = 6;
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", first);
  const std::size_t rest = gap == std::string_view::npos ? first : line.find_first_not_of(' ', gap);
  if (line.size() <= width || (line.starts_with(command) && gap == std::string_view::npos)) {
    help.append(line) += '\n';
  } else if (line.starts_with(command)) {
    help.append(line.substr(0, gap)) += '\n';
    append_wrapped(help, std::string(below_command, ' '), line.substr(rest), below_command, width);
  } else {
    append_wrapped(help, std::string(line.substr(0, rest)), line.substr(rest), rest, width);
  }
}

/// Appends the lines of `text`; each ends in a line feed.
void append_text(std::string& help, std::string_view text, std::size_t width) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    append_line(help, text.substr(0, end), width);
    text.remove_prefix(end + 1);
  }
}

/// Lays out the options of -h: entries in rows, after the first word of their group.
class Digest {
 public:
  explicit Digest(std::size_t width) : width_(width) {}

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
    } else if (columns_ + gap + entry.size() > width_) {
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
  const std::size_t width_;
  std::string_view group_;
  std::string text_;
  std::size_t columns_ = 0;
};

}  // namespace

std::string short_help(std::size_t width) {
  width = std::max(width, least_width);
  Digest digest(width);
  for (const OptionRow& row : option_table()) {
    if (row.everyday) digest.add(row);
  }
  std::string help;
  append_text(help, short_usage, width);
  append_text(help, examples, width);
  help.append(digest.text()).append("\n");
  append_text(help, "All options: ffind --help. Everything else: man ffind\n", width);
  return help;
}

std::string long_help(std::size_t width) {
  width = std::max(width, least_width);
  std::string help;
  append_text(help, usage, width);
  std::string_view group;
  for (const OptionRow& row : option_table()) {
    if (row.group != group) {
      group = row.group;
      help += '\n';
      append_line(help, group, width);
    }
    append_row(help, row, width);
  }
  help += "\nExamples\n";
  append_text(help, examples, width);
  append_text(help, more_examples, width);
  return help;
}

}  // namespace ffind::cli
