// SPDX-License-Identifier: MIT
// Layout of the help. Texts that are not about a single option are literals at the top; the rest is
// laid out from the option table.
//
//     -h       short_usage, examples, and a digest of the rows with a brief word
//     --help   usage, and each group with its heading; names in the first `column` columns, help
//              wrapped in the rest; all examples
//     --help WORD   rows of all tables that have this name, Topics, and recipes, in an Answer
//
// Texts are written for 80 columns and wrapped for others. Widths are counted in bytes: help is
// ASCII, apart from the "ö" of --ignore-diacritics, whose line may be one column short.
#include "cli/help.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/option_table.h"
#include "ffind/issue.h"
#include "foreign/foreign.h"
#include "output/record_fields.h"
#include "output/template.h"
#include "pick/pick.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"

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
  TEXT    text to find anywhere in the name (in the path, if TEXT contains "/");
          with * or ? a glob for all of it, but not with .* \ ^ $ ( or + as well
  PATH    where to search; the current directory by default
)";

constexpr std::string_view short_usage =
    R"(  ffind [TEXT] [PATH]... [options]        TEXT anywhere in the name
  ffind [name|path] [PATH]... PATTERN...  a glob, an expression, words

)";

constexpr std::string_view examples =
    R"(  ffind report ~/Documents /srv         names that contain "report"
  ffind --query 'shopping list'         both words, in any order
  ffind name -e '\.(cc|h)$' src         names that match a regular expression
  ffind path -g '**/test/*.py'          paths that match a glob
  ffind --contains TODO --ext cc,h      files that contain TODO
  ffind --kind image -S +5M -l          large pictures, with size and time
  ffind --modified today -t f -E build  files changed today, build skipped
  ffind --usage ~/Downloads             what takes the space
  ffind --pick                          a list that narrows while you type
  ffind --ext wav -x lame {} {.}.mp3    a command for each match, in parallel
  ffind --ext log --delete --dry-run    what would be deleted
)";

constexpr std::string_view more_examples =
    R"(  ffind report                          names that contain "report", below here
  ffind '*.{tgz,zip}' /srv              whole names that match a glob
  ffind -l --sort -size -n 20           the largest files
  ffind --tag Red                       files the Finder shows in red
  ffind -t f --perm /o+w                files that anyone may change
  ffind --gitignore -g '*.py'           Python files git does not ignore
  ffind --where 'size > 1G and not (ext in (iso, dmg))'
  ffind -t f --count=kind               number of files of each kind
  ffind -t f --count=dir:2 --sort -size -n 10   what takes the most space
  ffind --where 'kind = image and size > 5M and not (hidden or name ~ ^IMG_)'

--no-NAME undoes any switch that is no filter: --no-tree, --no-mark.
Status: 0 search complete, 1 something could not be searched (with -q: nothing matched), 2 invalid command line. Everything else: man ffind
)";

/// "-e, --regex RE": the names of an option and its value.
std::string spelling(const OptionRow& row) {
  std::string text;
  for (const std::string_view name : names_of(row)) {
    if (!text.empty()) text += ", ";
    text += name;
  }
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
void append_row(std::string& help, const std::string& names, std::string_view text,
                std::size_t width) {
  std::string line = "  " + names;
  if (line.size() + 1 >= column) {
    help += line + '\n';
    line.clear();
  }
  line.resize(column, ' ');
  append_wrapped(help, std::move(line), text, column, width);
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
  while (!text.empty()) append_line(help, text::take_part(text, '\n'), width);
}

/// The rows with a brief word, for -h, below their groups, as many in a line as fit:
///
///     -e, --regex RE        expression       -g, --glob GLOB       whole name
std::string digest(std::size_t width, bool bold) {
  constexpr std::size_t names_columns = 22;
  constexpr std::size_t cell_columns = 39;
  const std::size_t most = std::max(width / cell_columns, std::size_t{1});
  const auto strong = [&](std::string_view text) {
    return bold ? text::format("\033[1m{}\033[0m", text) : std::string(text);
  };
  std::string help;
  std::string_view group;
  std::size_t cells = 0;
  std::size_t blanks = 0;
  for (const OptionRow& row : option_table()) {
    if (row.brief.empty()) continue;
    if (row.group != std::exchange(group, row.group)) {
      help += '\n' + strong(group.substr(0, group.find(' ')));
      cells = most;
    }
    if (cells == most) {
      help += '\n';
      cells = blanks = 0;
    }
    std::string names = (row.names.starts_with("--") ? "    " : "") + spelling(row);
    if (names.size() > names_columns) names = text::format("{} {}", names_of(row)[0], row.value);
    help.append(blanks + 2, ' ').append(strong(names));
    help.append(names_columns - names.size() + 1, ' ').append(row.brief);
    blanks = cell_columns - 3 - names_columns - row.brief.size();
    ++cells;
  }
  return help + '\n';
}

/// A subject of --help WORD that is no row of a table, or more about an option than its row has.
struct Topic {
  std::string_view words;  ///< comma-separated
  std::string_view page;   ///< that has the rest
  std::string_view text;   ///< a paragraph; lines with a blank in front are commands
};

constexpr Topic topics[] = {
    {"-x,--exec,-X,--exec-batch,--if,placeholders,braces", "ffind-output(7), COMMANDS",
     R"({} is the path, {/} the name, {//} the directory, {.} and {/.} path and name
without extension; a command without any gets the path as its last argument.
Everything up to a lone ';' or the end belongs to the command. No shell runs
it; if you need one, pass it the path as an argument, never in its text:
  -x sh -c 'sort "$1" >"$1.sorted"' sh {}
)"},
    {"--size,sizes,units,unit,ranges,range,b,k,m,g,t,ki,mi,gi,ti", "ffind(1), Ranges",
     R"(10M is from 10,000,000 up to, not including, 11,000,000 bytes; +10M and -10M
are more and less (in quotes also '>10M', '<10M': a shell takes > and < for
itself), 1k..2M includes both ends. k, M, G and T are powers of
1000, Ki, Mi, Gi and Ti of 1024; without a unit, or with b, bytes.
)"},
    {"--modified,--created,--accessed,--changed,--added,--newer-than,--older-than,times,dates,"
     "today,yesterday,monday,week,month,year",
     "ffind(1), Times",
     R"(7d and -7d are within the last seven days, +7d is longer ago; units are s, min,
h, d, w, mo and y. today, yesterday, monday, this-week and last-month are
calendar times. 2026, 2026-01, 2026-01-31 and 2026-01-31T12:00 are that whole
year, month, day and minute; '>DATE' is later, '<DATE' earlier, A..B a span.
@1700000000: seconds since 1970. '>FILE': later than FILE was modified.
)"},
    {"--perm,permissions", "ffind-query(7), PERMISSIONS",
     R"(644: exactly these bits. u+w, go-w: these are set, are not. u=rw: exactly these
of that class. -MODE: all of these; /MODE: any of them.
)"},
    {"--regex,--glob,--full-path,patterns,case", "ffind-query(7), PATTERNS",
     R"(A regular expression matches anywhere in the name, a glob all of it; -F is plain
text. After "ffind path", or with a / in it, a pattern is matched against the
path below the root, where ** of a glob crosses directories. A capital makes a
pattern case-sensitive; -i and -s decide for all.
)"},
    {"--where,--exclude-where,--prune-where,expressions,fields,operators,and,or,not",
     "ffind-query(7), EXPRESSIONS",
     R"(FIELD OPERATOR VALUE, or a test alone, joined by and, or, not and parentheses.
Operators: = != == < <= > >= contains, starts with, ends with, glob, matches
(~), in (a, b); for permissions all, any. A value is that of the option of the
same name: modified < 7d. "ffind --help size" shows an example of a field.
)"},
    {"--query,queries", "ffind-query(7), QUERIES",
     R"(All words must be in the path. ext:pdf, size:+1M, kind:image, modified:7d and
any other FIELD:VALUE narrow, -word excludes, a | b is either, ^word and word$
are the ends of the name; in quotes everything is itself.
)"},
    {"--format,templates,conversions", "ffind-output(7), TEMPLATES",
     R"({size} is the value of a field, {size:h} written in another way, {size:>12} in
12 columns. \n, \t and \0 are as in printf(1), {{ is a brace.
)"},
    {"--usage,--apparent,space,disk,disk full", "ffind-output(7), SPACE",
     R"(ffind --usage counts allocated bytes, hard links once, as du -x does. A terminal
shows the largest directories and files as a tree, a pipe gets all directories
with exact bytes. All arguments are PATHs; with a filter only matches count. -d N
is the number of levels shown. ffind --list-volumes shows what is free.
)"},
    {"--duplicates,--keep,duplicates,dupes", "ffind-duplicates(7)",
     R"(Files are compared by size, then by contents; names of one file are one. --keep
first or last, by the order of --sort, leaves one of each group to stay:
  ffind --duplicates --sort modified --keep first --dry-run --trash
)"},
    {"--preview", "ffind-pick(7)",
     R"(The shell in SHELL runs CMD for the current entry. {} is its path, and "$1" is,
in fish $argv[1]; in quotes only those. Without {} it is the last word. COLUMNS
and LINES are the size of the pane, which shows up to 64 KiB in colours.
)"},
    {"--height", "ffind-pick(7)",
     R"(10: ten rows below the cursor; 40%: that part of the screen; three at least.
What is above them stays.
)"},
    {"--delete,--trash,--dry-run,--confirm,--yes,deleting", "ffind-output(7), Deleting",
     R"(--dry-run prints what would go, --confirm asks about each. Directories that are
not empty stay, but --trash moves them whole. Roots stay.
)"},
    {"--trashed,--restore,--trash,trash,undo,undelete,restore,wastebasket,recycle bin",
     "ffind-trash(7)",
     R"(What is in the Trash, the last first; back to where it was, never over anything;
what is older than a month for good:
  ffind --trashed -l --sort -deleted
  ffind --trashed report --restore
  ffind --trashed --where 'deleted > 30d' --delete
)"},
    {"--exclude,node_modules,skip,ignore", "ffind(1), Where to look",
     R"(-E node_modules lists neither such directories nor what is in them; --prune
lists the directories alone. --gitignore skips what git ignores, --no-hidden
what begins with a dot. Options for every search at a terminal are lines of
~/.config/ffind/config: --exclude=node_modules
)"},
    {"--gitignore,--ignore-files,--exclude-from", "ffind-config(5), WHAT GIT IGNORES",
     R"(Rules are git's, from .gitignore in each directory, .git/info/exclude and
core.excludesFile. Without these options nothing is ignored.
)"},
    {"big,large,huge,ncdu,gdu,dust", "ffind-output(7), SPACE",
     R"(The largest files, and the folders that take the space:
  ffind -t f -l --sort -size -n 20
  ffind --usage
)"},
    {"no results,not found,nothing found,nothing", "ffind(1), Where to look",
     R"(Without a PATH the current directory is searched, and one volume for each root.
A capital in TEXT makes case count, and TEXT is looked for in names alone:
  ffind report / ~                 from other roots
  ffind report / --cross-volumes   also on the volumes mounted below
  ffind -i Report                  whatever its case
  ffind --query 'report 2026'      both words, anywhere in the path
  ffind --contains report          in the files' text
ffind --explain report shows how the line was understood.
)"},
    {"words,two words,phrase", "ffind-query(7), QUERIES",
     R"(Names with both words in their path, in any order, and with the text as typed:
  ffind --query 'invoice telekom'
  ffind 'invoice telekom'
)"},
    {"accents,accent,umlaut,umlauts,unicode,utf8,utf-8,emoji,encoding", "ffind-query(7), PATTERNS",
     R"(Names match however their letters are composed. --ignore-diacritics also finds
Muller and Müller by either. What is not UTF-8 is found and printed byte for byte.
)"},
    {"slow,speed,fast,performance,cpu,memory", "ffind-volumes(7)",
     R"(--explain tells how each volume is read and why, --stats what a search did, and
--compare-readers DIR measures every way. -E DIR and --gitignore skip what need
not be read; -j 1 leaves the other processors alone.
)"},
    {"nas,usb,drive,drives,external,mount,mounts,server,smb,nfs", "ffind-volumes(7)",
     R"(The volumes; one of them; all local ones; servers as well:
  ffind --list-volumes
  ffind report --volume NAME
  ffind report --all-volumes
  ffind report --all-volumes --network
)"},
    {"symlink,symlinks,symbolic,symbolic links", "ffind(1), Where to look",
     R"(Symbolic links; those that lead nowhere; all names of one file; -L follows links:
  ffind -t l -l
  ffind --broken
  ffind --samefile FILE
)"},
    {"locate,plocate,mlocate,updatedb,index,database", "ffind(1), Where to look",
     R"(There is no index to update; this searches all that is there now:
  ffind report / --cross-volumes
)"},
    {"windows,wsl,powershell", "ffind-volumes(7)",
     R"(There is no build for Windows. In WSL, its drives are volumes below /mnt:
  ffind report /mnt/c
)"},
    {"colours,colour,colors,icons,theme", "ffind(1), ENVIRONMENT",
     R"(LS_COLORS has the colours; NO_COLOR=1 or --color=never turns them off. There are
no icons.
)"},
    {"completion,tab completion", "ffind(1)",
     R"(./bootstrap --install and packages bring them; to print them:
  ffind --completions bash
)"},
    {"clean,cleanup,clean up,tidy", "ffind-output(7), Deleting",
     R"(First what would go, then to the Trash, or for good:
  ffind --ext tmp,bak --modified +30d --dry-run --trash
  ffind --ext tmp,bak --modified +30d --trash
  ffind --ext tmp,bak --modified +30d --delete
)"},
    {"python,perl,script,scripts", "ffind-output(7), NDJSON",
     R"(An object a line, with size and time, or with the fields you name:
  ffind --json | python3 -c 'import json, sys
  print(sum(json.loads(line)["size"] for line in sys.stdin))'
)"},
    {"convert,conversion", "ffind-output(7), COMMANDS",
     R"(A command for each match, in parallel; {.} is the path without its extension:
  ffind --ext wav -x lame {} {.}.mp3
)"},
    {"catalogue,offline,unplugged,snapshot", "ffind-query(7), RECORDS OF AN EARLIER SEARCH",
     R"(A drive that is searched while it is unplugged; no file is looked at:
  ffind --json=full --volume USB > usb.ndjson
  ffind --from-json usb.ndjson report -S +1M -l
)"},
    {"untracked", "ffind(1)",
     R"(The files that git does not track yet:
  git ls-files -z --others --exclude-standard | ffind --from0 - -l
)"},
    {"log,logs", "ffind(1)",
     R"(Large logs, and those in which a word stands:
  ffind --ext log -S +10M -l --in /var/log
  ffind --ext log --contains error --in /var/log
)"},
    {"exit status,status", "ffind(1), EXIT STATUS",
     R"(0: the search is complete, also if nothing matched. 1: something could not be
searched, or a command failed; with -q: nothing matched. 2: the command line
is invalid, nothing was searched. 130: --pick was left.
)"},
    {"environment,ffind_config,ffind_pick_opts,no_color,ls_colors", "ffind(1), ENVIRONMENT",
     R"(FFIND_CONFIG: the configuration, empty for none. FFIND_PICK_OPTS: options for
each --pick. LS_COLORS, NO_COLOR: colours. SHELL: runs --preview.
)"},
    {"--no-config,--save,--saved,--forget,configuration,alias,aliases,default,defaults",
     "ffind-config(5)",
     R"(~/.config/ffind/config has options that are read before what you type, if the
output is a terminal. --save NAME keeps a search, and ffind @NAME runs it.
)"},
};

/// The page that has more about an option without a topic.
std::string_view page_of(const OptionRow& row) {
  constexpr std::pair<std::string_view, std::string_view> pages[] = {
      {"Patterns", "ffind-query(7)"},
      {"Filters", "ffind-query(7)"},
      {"Output", "ffind-output(7)"},
      {"Commands", "ffind-output(7)"},
      {"How it searches", "ffind-volumes(7)"}};
  if (row.names.find("pick") != row.names.npos || row.names == "--no-history") {
    return "ffind-pick(7)";
  }
  if (row.names.starts_with("--trash") || row.names == "--restore") return "ffind-trash(7)";
  const auto found = std::find_if(std::begin(pages), std::end(pages), [&](const auto& page) {
    return row.group.starts_with(page.first);
  });
  return found == std::end(pages) ? "ffind(1)" : found->second;
}

/// "Ctrl-S" of "Ctrl-S", "ctrl-s" and "Alt-X Ctrl-S": one of the words of `list`, in any case.
bool has_word(std::string_view list, char separator, std::string_view word) {
  while (!list.empty()) {
    if (text::fold_ascii(text::take_part(list, separator)) == text::fold_ascii(word)) return true;
  }
  return false;
}

/// Text of --help WORD...: entries of a title and indented lines.
class Answer {
 public:
  explicit Answer(std::size_t width) : width_(width) {}

  /// Adds everything that has this name. Returns false if nothing has.
  bool add(std::string_view word) {
    const std::size_t before = text_.size();
    add_option(word);
    add_fields(word);
    for (const output::Conversion& row : output::conversions()) {
      if (word == row.name || word.ends_with(text::format(":{}}}", row.name))) {
        begin(text::format("{{FIELD:{}}} in templates", row.name), row.help, "ffind-output(7)");
      }
    }
    for (const pick::KeyLine& line : pick::key_lines()) {
      if (has_word(line.keys, ' ', word)) {
        begin(text::format("{} in --pick", line.keys), line.effect, "ffind-pick(7)");
      }
    }
    if (word == "keys") add_keys();
    if (word == "recipes") add_recipe_headings();
    const Topic* const topic = topic_of(word);
    if (topic != nullptr && topic != told_) {
      begin(word);
      add_topic(*topic);
    }
    const std::string line = foreign::counterpart_of_task(std::string(word));
    std::size_t before_recipes = before;
    if (text_.size() == before && !line.empty()) {
      begin(word);
      add_line(line);
      before_recipes = text_.size();
    }
    for (const bool by_heading : {true, false}) {
      if (text_.size() == before_recipes) add_recipes(word, by_heading);
    }
    for (const query::KindRow& row : query::kind_table()) {
      if (has_word(row.name, ' ', word) || has_word(row.other_names, ' ', word)) add_kind(row);
    }
    return text_.size() > before;
  }

  std::string text() const { return text_; }

 private:
  static constexpr std::size_t indent = 10;

  static const Topic* topic_of(std::string_view word) {
    const auto found = std::find_if(std::begin(topics), std::end(topics), [&](const Topic& topic) {
      return has_word(topic.words, ',', word);
    });
    return found == std::end(topics) ? nullptr : &*found;
  }

  void add_line(std::string_view line) {
    append_wrapped(text_, std::string(indent, ' '), line, indent, width_);
  }

  void begin(std::string_view title) {
    if (!text_.empty()) text_ += '\n';
    text_.append(title) += '\n';
  }

  void begin(std::string_view title, std::string_view only, std::string_view page) {
    begin(title);
    add_line(only);
    add_line(text::format("More: {}", page));
  }

  void add_keys() {
    begin("keys of --pick");
    for (const pick::KeyLine& line : pick::key_lines()) {
      text_ += text::format("{:{}}{:14}{}\n", "", indent, line.keys, line.effect);
    }
    add_line("More: ffind-pick(7)");
  }

  void add_topic(const Topic& topic) {
    std::string paragraph;
    for (std::string_view rest = topic.text; !rest.empty();) {
      const std::string_view line = text::take_part(rest, '\n');
      if (line.starts_with(' ')) {
        add_line(std::exchange(paragraph, {}));
        text_.append(indent, ' ').append(line) += '\n';
      } else {
        paragraph.append(paragraph.empty() ? "" : " ").append(line);
      }
    }
    if (!paragraph.empty()) add_line(paragraph);
    add_line(text::format("More: {}", topic.page));
  }

  /// The option `word` with one dash too few or without any, or undone by it.
  void add_option(std::string_view word) {
    const std::string name(word);
    const OptionRow* row = nullptr;
    for (const std::string& spelled : {name, "-" + name, "--" + name}) {
      if (row == nullptr) row = find_option(spelled);
      if (row == nullptr) row = find_undone(spelled);
    }
    if (row == nullptr) return;
    const Topic* const topic = topic_of(main_name(*row));
    begin("  " + spelling(*row) + (has_optional_value(*row) ? "[=WORD]" : ""));
    add_line(row->help);
    const std::string_view choices = row->choices;
    if (!choices.empty() &&
        row->help.find(choices.substr(choices.rfind(',') + 1)) == choices.npos) {
      add_line(text::format("Values: {}", choices));
    }
    if (!row->example.empty()) add_line(text::format("Example: {}", row->example));
    if (topic == nullptr) {
      add_line(text::format("More: {}", page_of(*row)));
    } else {
      add_topic(*topic);
      told_ = topic;
    }
  }

  /// The field in expressions, and in templates and NDJSON.
  void add_fields(std::string_view word) {
    std::string_view name = word;
    if (name.starts_with('{')) name = name.substr(1, name.find_first_of(":}") - 1);
    constexpr std::string_view page = "ffind-query(7), EXPRESSIONS";
    if (const query::Field* const field = query::find_field(name)) {
      begin(text::format("{} in --where", field->name), field->example, page);
    } else if (const query::Flag* const flag = query::find_flag(name)) {
      begin(text::format("{} in --where", flag->name), "A test without an operator.", page);
    }
    if (const output::RecordField* const field = output::find_record_field(name)) {
      begin(text::format("{{{}}} in --format, also for --json and --sort", field->name),
            field->help, "ffind-output(7), FIELDS");
    }
  }

  void add_kind(const query::KindRow& row) {
    constexpr std::size_t most = 50;
    std::string extensions;
    std::size_t count = 0;
    query::for_each_word(row.extensions, [&](std::string_view word) {
      if (count < most) extensions.append(count == 0 ? "" : " ").append(word);
      ++count;
    });
    if (count > most) extensions += text::format(" and {} more", count - most);
    if (count == 0) extensions = "Directories that are not packages.";
    begin(text::format("--kind {}", row.name), extensions, "ffind-query(7), KINDS");
  }

  void add_recipe_headings() {
    begin("recipes");
    for (std::string_view rest = embedded_file("RECIPES.md"); !rest.empty();) {
      const std::string_view line = text::take_part(rest, '\n');
      if (line.starts_with("## ")) add_line(line.substr(3));
    }
  }

  /// True if the word, or its plural, is in `text`; `word` is folded and singular.
  static bool has_subject(std::string_view text, std::string_view word) {
    const std::string folded = text::fold_ascii(text);
    const auto is_letter = [&](std::size_t at) {
      return at < folded.size() && (text::is_letter(folded[at]) || folded[at] == '_');
    };
    for (auto at = folded.find(word); at != folded.npos; at = folded.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if (at > 0 && is_letter(at - 1)) continue;
      if (!is_letter(end) || (folded[end] == 's' && !is_letter(end + 1))) return true;
    }
    return false;
  }

  /// Adds up to three recipes: blocks of commands in man/RECIPES.md, found by a word of their name
  /// or heading, or else of the paragraph before them.
  void add_recipes(std::string_view word, bool by_heading) {
    constexpr std::size_t most = 3;
    std::string sought = text::fold_ascii(word);
    if (sought.ends_with('s')) sought.pop_back();
    if (sought.size() < 2) return;
    std::string heading;
    std::string about;
    bool about_ended = false;
    std::size_t shown = 0;
    for (std::string_view rest = embedded_file("RECIPES.md"); !rest.empty() && shown < most;) {
      const std::string_view line = text::take_part(rest, '\n');
      if (line.starts_with("## ")) {
        heading = line.substr(3);
        about.clear();
      } else if (line.starts_with("```")) {
        const bool is_about =
            has_subject(by_heading ? heading : about, sought) ||
            (by_heading && has_subject(line.substr(std::min(line.size(), line.find(' '))), sought));
        if (is_about) begin("recipe: " + heading);
        if (is_about) add_line(about);
        for (std::string_view command = text::take_part(rest, '\n'); !command.starts_with("```");
             command = text::take_part(rest, '\n')) {
          if (is_about) text_.append(indent, ' ').append(command) += '\n';
        }
        shown += is_about ? 1 : 0;
      } else if (line.empty()) {
        about_ended = true;
      } else {
        if (std::exchange(about_ended, false)) about.clear();
        about.append(about.empty() ? "" : " ").append(line);
      }
    }
  }

  const std::size_t width_;
  std::string text_;
  const Topic* told_ = nullptr;  ///< in the entry of an option
};

/// Throws UsageError with the name that is nearest.
[[noreturn]] void fail_unknown(const std::string& word) {
  std::vector<std::string_view> names = query::field_and_flag_names();
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) names.push_back(name);
  }
  for (const std::string_view kind : query::kind_names()) names.push_back(kind);
  std::string near = text::nearest(word, names);
  if (near.empty()) near = text::nearest("--" + word, names);
  throw UsageError({.what = text::format("--help knows no '{}'", text::excerpt(word)),
                    .guess = near.empty() ? "" : text::format("; did you mean '{}'?", near),
                    .place = {.quoted = word},
                    .see = "ffind --help lists all options, man ffind has everything"});
}

}  // namespace

std::string short_help(std::size_t width, bool bold) {
  width = std::max(width, least_width);
  std::string help;
  append_text(help, short_usage, width);
  append_text(help, examples, width);
  help += digest(width, bold);
  append_text(help, "\nAll: ffind --help. A task: ffind --help WORD. The rest: man ffind\n", width);
  return help;
}

std::string long_help(std::size_t width) {
  width = std::max(width, least_width);
  std::string help;
  append_text(help, usage, width);
  std::string undoing;
  std::string_view group;
  for (const OptionRow& row : option_table()) {
    if (row.group != group) {
      group = row.group;
      help += '\n';
      append_line(help, group, width);
    }
    // One line for what undoes a configuration, after the last of these.
    if (row.help.starts_with("Undo ")) {
      for (const std::string_view name : names_of(row)) {
        if (name.size() == 2 || names_of(row).size() == 1) {
          undoing.append(undoing.empty() ? "" : ", ").append(name);
        }
      }
      if (row.id != Id::one_file_system) continue;
      append_row(help, undoing, "Accepted for fd and rg; undo a configuration.", width);
      continue;
    }
    // Long options are aligned after the column of short ones.
    append_row(help, (row.names.starts_with("--") ? "    " : "") + spelling(row), row.help, width);
  }
  help += "\nExamples\n";
  append_text(help, examples, width);
  append_text(help, more_examples, width);
  return help;
}

bool has_help_on(const std::string& word) {
  return Answer(usual_width).add(word);
}

std::string help_on(const std::vector<std::string>& words, std::size_t width) {
  Answer answer(std::max(width, least_width));
  std::string phrase;
  for (const std::string& word : words) phrase.append(phrase.empty() ? "" : " ").append(word);
  if (answer.add(phrase)) return answer.text();
  constexpr std::string_view small = " a all find how in my of the to ";
  for (const std::string& word : words) {
    if (answer.add(word)) continue;
    // 'find big files': what is known of it.
    bool has_any = false;
    for (std::string_view rest = word; !rest.empty();) {
      const std::string part(text::take_part(rest, ' '));
      const bool is_small = small.find(' ' + part + ' ') != std::string_view::npos;
      has_any = (!is_small && answer.add(part)) || has_any;
    }
    if (!has_any) fail_unknown(word);
  }
  return answer.text();
}

}  // namespace ffind::cli
