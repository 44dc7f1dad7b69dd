// SPDX-License-Identifier: MIT
// Rows of the two tables and their look-ups. Both are searched linearly: a command line has few
// words to look up.
#include "foreign/tables.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/option_table.h"
#include "foreign/foreign.h"
#include "text/ascii.h"

namespace ffind::foreign {
namespace {

// Reading a row:
//
//     {"--ignore-file", Program::fd, Treatment::value, "--exclude-from"}
//
//     name        as typed; also a word with one dash
//     program     the program that the translator takes the line to be typed for
//     treatment   for `replace` in translate.cpp, which has a case for each
//     here        our words; empty for those that are dropped or have no counterpart
//     advice      for messages; an option, half a sentence, or "ffind ..." as an example
//
// A word whose meaning depends on its value, or that programs disagree on, gets no line: `>` is
// older before an age and later before a date.
//
// Options that are the same in both programs have no row: their names are in the option table,
// among the other names.
constexpr Foreign foreign_options[] = {
    // fd
    {"-c", Program::fd, Treatment::value, "--color"},
    {"-o", Program::fd, Treatment::value, "--owner"},
    {"--and", Program::fd, Treatment::where_regex, "", "'and' in --where here"},
    {"--fixed-strings", Program::fd, Treatment::drop, "", "the default here"},
    {"--strip-cwd-prefix", Program::fd, Treatment::drop, "", "the default here"},
    {"--no-ignore-parent", Program::fd, Treatment::drop, "",
     "the default here (--gitignore undoes it)"},
    {"--no-global-ignore-file", Program::fd, Treatment::drop},
    {"--no-require-git", Program::fd, Treatment::drop, "", "part of --gitignore here"},
    {"--require-git", Program::fd, Treatment::drop},
    {"--show-errors", Program::fd, Treatment::drop, "",
     "the default here (--no-messages undoes it)"},
    {"--relative-path", Program::fd, Treatment::drop},
    {"--has-results", Program::fd, Treatment::flag, "-q"},
    {"--max-one-result", Program::fd, Treatment::flag, "-1"},
    {"--ignore-file", Program::fd, Treatment::value, "--exclude-from"},
    {"--max-buffer-time", Program::fd, Treatment::drop_value},
    {"--path-separator", Program::fd, Treatment::drop_value, "", "always / here"},
    // rg
    // (a line with --files is read by rg_line.cpp)
    {"--files", Program::rg, Treatment::flag, "-t f", "-t f"},
    {"--max-filesize", Program::rg, Treatment::at_most, "-S", "--size '<10M'"},
    {"--sort-files", Program::rg, Treatment::flag, "--sort path"},
    {"--sortr", Program::rg, Treatment::joined, "--sort -"},
    {"--no-heading", Program::rg, Treatment::drop},
    {"--no-ignore-dot", Program::rg, Treatment::drop},
    {"--no-ignore-files", Program::rg, Treatment::drop},
    {"--iglob", Program::rg, Treatment::value, "-i -g", "-i -g"},
    {"--files-with-matches", Program::grep, Treatment::value, "--contains-regex", "--contains"},
    // grep
    {"--include", Program::grep, Treatment::value, "-g"},
    {"--exclude-dir", Program::grep, Treatment::value, "-E /"},
    // locate
    {"-b", Program::locate, Treatment::drop},
    {"--basename", Program::locate, Treatment::drop},
    {"--existing", Program::locate, Treatment::drop},
    {"--all", Program::locate, Treatment::none, "", "--query 'one two' finds both words"},
    {"--regexp", Program::locate, Treatment::value, "-e"},
    // mdfind
    {"-onlyin", Program::mdfind, Treatment::value, "--in"},
    {"-count", Program::mdfind, Treatment::flag, "--count"},
    {"-live", Program::mdfind, Treatment::none},
    {"-literal", Program::mdfind, Treatment::none},
    // du
    // (letters such as -sh are read by Translator::take_letters_of_du())
    {"--summarize", Program::du, Treatment::flag, "--usage=0"},
    {"--si", Program::du, Treatment::flag, "--human"},
    {"--bytes", Program::du, Treatment::flag, "--apparent"},
    {"--total", Program::du, Treatment::none, "", "several roots have a total"},
    {"--inodes", Program::du, Treatment::none, "", "--count=dir counts the entries of directories"},
    {"--block-size", Program::du, Treatment::none, "", "sizes are bytes, or by --human for people"},
    {"--threshold", Program::du, Treatment::none, "", "--limit shows the largest only"},
    {"--separate-dirs", Program::du, Treatment::none, "", "sums include what is below"},
    {"--count-links", Program::du, Treatment::none, "", "a file with several names counts once"},
    // fzf
    {"--multi", Program::fzf, Treatment::drop},
    {"--ansi", Program::fzf, Treatment::drop},
    {"--border", Program::fzf, Treatment::drop},
    {"--cycle", Program::fzf, Treatment::drop},
    {"--inline-info", Program::fzf, Treatment::drop},
    {"--no-mouse", Program::fzf, Treatment::drop},
    {"--header", Program::fzf, Treatment::drop_value},
    {"--info", Program::fzf, Treatment::drop_value},
    {"--layout", Program::fzf, Treatment::drop_value},
    {"--margin", Program::fzf, Treatment::drop_value},
    {"--marker", Program::fzf, Treatment::drop_value},
    {"--min-height", Program::fzf, Treatment::drop_value},
    {"--padding", Program::fzf, Treatment::drop_value},
    {"--pointer", Program::fzf, Treatment::drop_value},
    {"--preview-window", Program::fzf, Treatment::drop_value},
    {"--prompt", Program::fzf, Treatment::drop_value},
    {"--bind", Program::fzf, Treatment::none, "", "ffind-pick(7) lists the keys"},
    {"--expect", Program::fzf, Treatment::none, "", "ffind-pick(7) lists the keys"},
    {"--select-1", Program::fzf, Treatment::none, "", "the list waits for Enter"},
    {"--exit-0", Program::fzf, Treatment::none, "", "the list waits for Enter"},
    {"--print-query", Program::fzf, Treatment::none, "", "only what is picked is printed"},
    {"--filter", Program::fzf, Treatment::none, "", "--query finds without a list"},
    {"--tiebreak", Program::fzf, Treatment::none, "", "--pick-order has other orders"},
    {"--tac", Program::fzf, Treatment::none, "", "--pick-order has other orders"},
    {"--nth", Program::fzf, Treatment::none, "", "a path has no fields"},
    {"--with-nth", Program::fzf, Treatment::none, "", "a path has no fields"},
    {"--delimiter", Program::fzf, Treatment::none, "", "a path has no fields"},
    // of several programs or none: words that mean one thing, whatever their value
    {"--smart-case", Program::unknown, Treatment::drop},
    {"--zero", Program::unknown, Treatment::flag, "--null"},
    {"--reverse", Program::unknown, Treatment::reversed},
    {"--recursive", Program::unknown, Treatment::drop},
    {"--dereference", Program::unknown, Treatment::flag, "-L"},
    {"--since", Program::unknown, Treatment::value, "--newer-than"},
    {"--after", Program::unknown, Treatment::value, "--newer-than"},
    {"--before", Program::unknown, Treatment::value, "--older-than"},
    {"--modified-since", Program::unknown, Treatment::value, "--newer-than"},
    {"--modified-after", Program::unknown, Treatment::value, "--newer-than"},
    {"--modified-before", Program::unknown, Treatment::value, "--older-than"},
    {"--today", Program::unknown, Treatment::flag, "--modified today"},
    {"--yesterday", Program::unknown, Treatment::flag, "--modified yesterday"},
    {"--newest", Program::unknown, Treatment::flag, "--sort -modified"},
    {"--oldest", Program::unknown, Treatment::flag, "--sort modified"},
    {"--largest", Program::unknown, Treatment::flag, "--sort -size"},
    {"--smallest", Program::unknown, Treatment::flag, "--sort size"},
    {"--sort-by", Program::unknown, Treatment::value, "--sort"},
    {"--order", Program::unknown, Treatment::value, "--sort"},
    {"--max-size", Program::unknown, Treatment::joined, "--size <="},
    {"--min-size", Program::unknown, Treatment::joined, "--size >="},
    {"--larger-than", Program::unknown, Treatment::joined, "--size >"},
    {"--smaller-than", Program::unknown, Treatment::joined, "--size <"},
    {"--empty-files", Program::unknown, Treatment::flag, "-t f --empty"},
    {"--empty-dirs", Program::unknown, Treatment::flag, "-t d --empty"},
    {"--du", Program::unknown, Treatment::flag, "--usage"},
    {"--disk-usage", Program::unknown, Treatment::flag, "--usage"},
    {"--ndjson", Program::unknown, Treatment::flag, "--json"},
    {"--no-colour", Program::unknown, Treatment::flag, "--color never"},
    {"--no-color", Program::unknown, Treatment::flag, "--color never"},
    {"--search", Program::unknown, Treatment::value, "-F"},
    {"--starts-with", Program::unknown, Treatment::value, "--starts"},
    {"--begins-with", Program::unknown, Treatment::value, "--starts"},
    {"--ends-with", Program::unknown, Treatment::value, "--ends"},
    {"--case-insensitive", Program::unknown, Treatment::flag, "-i"},
    {"--fuzzy", Program::unknown, Treatment::flag, "--pick"},
    {"--files-only", Program::unknown, Treatment::flag, "-t f"},
    {"--dirs-only", Program::unknown, Treatment::flag, "-t d"},
    {"--symlinks", Program::unknown, Treatment::flag, "-t l"},
    {"--images", Program::unknown, Treatment::flag, "--kind image"},
    {"--pictures", Program::unknown, Treatment::flag, "--kind image"},
    {"--photos", Program::unknown, Treatment::flag, "--kind image"},
    {"--videos", Program::unknown, Treatment::flag, "--kind video"},
    {"--music", Program::unknown, Treatment::flag, "--kind audio"},
    {"--documents", Program::unknown, Treatment::flag, "--kind document"},
    {"--permission", Program::unknown, Treatment::value, "--perm"},
    {"--permissions", Program::unknown, Treatment::value, "--perm"},
    {"--content", Program::unknown, Treatment::value, "--contains"},
    {"--contents", Program::unknown, Treatment::value, "--contains"},
    {"--everywhere", Program::unknown, Treatment::flag, "--all-volumes"},
    {"--maxdepth", Program::unknown, Treatment::value, "-d"},
    {"--mindepth", Program::unknown, Treatment::value, "--min-depth"},
    {"--level", Program::unknown, Treatment::value, "-d"},
    {"--no-recurse", Program::unknown, Treatment::flag, "-d 1"},
    {"--follow-links", Program::unknown, Treatment::flag, "-L"},
    {"--follow-symlinks", Program::unknown, Treatment::flag, "-L"},
    {"--show-hidden", Program::unknown, Treatment::drop},
    {"--skip-hidden", Program::unknown, Treatment::flag, "--no-hidden"},
    {"--exclude-hidden", Program::unknown, Treatment::flag, "--no-hidden"},
    {"--hidden-only", Program::unknown, Treatment::flag, "--only-hidden"},
    {"--respect-gitignore", Program::unknown, Treatment::flag, "--gitignore"},
    {"--jobs", Program::unknown, Treatment::value, "-j"},
    // of none, and of more than one meaning: an example, never a line
    {"--recent", Program::unknown, Treatment::none, "", "ffind --sort -modified -n 10"},
    {"--summary", Program::unknown, Treatment::none, "", "ffind --count=kind"},
    {"--csv", Program::unknown, Treatment::none, "",
     "ffind --json=size,modified | jq -r '[.path, .size, .modified] | @csv'"},
};

}  // namespace

const Foreign* find_foreign(std::string_view name) {
  const auto* const found = std::find_if(std::begin(foreign_options), std::end(foreign_options),
                                         [&](const Foreign& row) { return row.name == name; });
  return found == std::end(foreign_options) ? nullptr : found;
}

bool is_foreign_option(std::string_view word) {
  return find_foreign(word.substr(0, word.find('='))) != nullptr;
}

std::vector<std::string_view> long_foreign_options() {
  std::vector<std::string_view> names;
  for (const Foreign& row : foreign_options) {
    if (row.name.starts_with("--")) names.push_back(row.name);
  }
  return names;
}

bool takes_value(const Foreign& option) {
  constexpr Treatment alone[] = {Treatment::none, Treatment::drop, Treatment::flag,
                                 Treatment::reversed};
  return std::find(std::begin(alone), std::end(alone), option.treatment) == std::end(alone);
}

namespace {

/// The usual types of `rg --type-list`.
constexpr std::pair<std::string_view, std::string_view> types_of_rg[] = {
    {"c", "*.c *.h *.H *.c.in *.h.in *.H.in *.cats"},
    {"cmake", "*.cmake CMakeLists.txt"},
    {"cpp",
     "*.C *.h *.H *.C.in *.h.in *.H.in *.cpp *.hpp *.cpp.in *.hpp.in *.cxx *.hxx *.cxx.in *.hxx.in "
     "*.cc *.cc.in *.hh *.hh.in *.inl"},
    {"css", "*.css *.scss"},
    {"go", "*.go"},
    {"html", "*.htm *.html *.ejs"},
    {"java", "*.java *.jsp *.jspx *.properties"},
    {"js", "*.js *.jsx *.mjs *.cjs *.vue"},
    {"json", "*.json composer.lock"},
    {"log", "*.log"},
    {"make",
     "[Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile "
     "[Mm]akefile.am [Mm]akefile.in *.mk *.mak"},
    {"markdown", "*.markdown *.md *.mdown *.mkdn *.mdx *.mkd"},
    {"md", "*.markdown *.md *.mdown *.mkdn *.mdx *.mkd"},
    {"php", "*.php *.php3 *.php4 *.php5 *.phtml"},
    {"py", "*.py *.pyi"},
    {"python", "*.py *.pyi"},
    {"ruby", "*.rb *.rbw *.gemspec .irbrc Gemfile Rakefile config.ru"},
    {"rust", "*.rs"},
    {"sql", "*.sql *.psql"},
    {"svg", "*.svg"},
    {"swift", "*.swift"},
    {"tex", "*.tex *.ltx *.cls *.sty *.bib *.dtx *.ins"},
    {"toml", "*.toml Cargo.lock"},
    {"ts", "*.ts *.tsx *.cts *.mts"},
    {"txt", "*.txt"},
    {"yaml", "*.yaml *.yml"}};

}  // namespace

std::vector<std::string_view> globs_of_type(std::string_view type) {
  std::vector<std::string_view> globs;
  const auto* const found = std::find_if(std::begin(types_of_rg), std::end(types_of_rg),
                                         [&](const auto& row) { return row.first == type; });
  if (found == std::end(types_of_rg)) return globs;
  for (std::string_view rest = found->second; !rest.empty();) {
    globs.push_back(text::take_part(rest, ' '));
  }
  return globs;
}

std::string extensions_of(std::string_view type) {
  std::string extensions;
  for (const std::string_view glob : globs_of_type(type)) {
    if (!glob.starts_with("*.")) continue;
    if (!extensions.empty()) extensions += ',';
    extensions += glob.substr(2);
  }
  return extensions;
}

/// With h or R they are surely those of ls; "lt" or "tr" only as usual clusters, since -l and -t
/// are ours, too.
bool are_letters_of_ls(std::string_view letters) {
  constexpr std::string_view usual[] = {"lt",  "lS",  "lart", "ltr", "lrt", "ltra",
                                        "lat", "alt", "lSr",  "lrS", "tr"};
  if (letters.find_first_not_of("lhaARtrS1F") != std::string_view::npos) return false;
  return letters.find_first_of("hR") != std::string_view::npos ||
         std::find(std::begin(usual), std::end(usual), letters) != std::end(usual);
}

namespace {

// Options, tests, actions and operators of find(1): those of GNU findutils 4.9, FreeBSD, macOS,
// NetBSD and bfs. The list is complete, since none of these words is ever read as letters in a row,
// -exec as -e xec or -xattr as -x attr: a search for something else is worse than an error. Two are
// left out: -limit and -unique of bfs mean what the long options here mean, and lead there.
//
// Reading a row:
//
//     {"-uid", Values::one, "ffind --owner 1000", Form::count, "--owner", "uid"}
//
//     word     with one dash; find_predicate() also finds it with two
//     values   so that the words after it are not taken for arguments
//     advice   follows "-uid is an option of find; here: "; may be empty
//     form     case of parse_predicate() in find_parser.cpp
//     here     our option, or what the form says
//     field    of the expression language, for --where and for ranges
//
// Form::unknown ends a translation, and the message names the word. An advice_only word is no
// predicate for the translator.
constexpr Predicate predicates[] = {
    // Tests
    {"-name", Values::one, "ffind name -g '*.txt'", Form::name, "case"},
    {"-iname", Values::one, "ffind -i name -g '*.txt'", Form::name},
    {"-path", Values::one, "ffind path -g '**/src/*'", Form::path, "case"},
    {"-wholename", Values::one, "ffind path -g '**/src/*'", Form::path, "case"},
    {"-ipath", Values::one, "ffind -i path -g '**/src/*'", Form::path},
    {"-iwholename", Values::one, "ffind -i path -g '**/src/*'", Form::path},
    {"-regex", Values::one, "ffind path -e '/test_.*[.]py$'", Form::regex, "case"},
    {"-iregex", Values::one, "ffind -i path -e '/test_.*[.]py$'", Form::regex},
    {"-type", Values::one, "ffind -t f", Form::type},
    {"-xtype", Values::one, "ffind --broken, ffind --where 'target_type = directory'", Form::type,
     "followed"},
    {"-size", Values::one, "ffind -S '>10M'", Form::size},
    {"-empty", Values::none, "ffind --empty", Form::flag, "--empty", "empty"},
    {"-acl", Values::none, "ffind --where acl", Form::flag, "", "acl"},
    {"-executable", Values::none, "ffind --executable", Form::flag, "", "runnable"},
    {"-readable", Values::none, "ffind --where readable", Form::flag, "", "readable"},
    {"-writable", Values::none, "ffind --where writable", Form::flag, "", "writable"},
    {"-perm", Values::one, "ffind --perm 644", Form::permissions},
    {"-user", Values::one, "ffind --owner alice", Form::account, "--owner", "owner"},
    {"-group", Values::one, "ffind --group staff", Form::account, "--group", "group"},
    {"-uid", Values::one, "ffind --owner 1000", Form::count, "--owner", "uid"},
    {"-gid", Values::one, "ffind --group 1000", Form::count, "--group", "gid"},
    {"-nouser", Values::none, "ffind --where orphaned_owner", Form::flag, "", "orphaned_owner"},
    {"-nogroup", Values::none, "ffind --where orphaned_group", Form::flag, "", "orphaned_group"},
    {"-links", Values::one, "ffind --links '>1'", Form::count, "--links", "links"},
    {"-inum", Values::one, "ffind --inode 1234", Form::count, "--inode", "inode"},
    {"-samefile", Values::one, "ffind --samefile FILE", Form::file, "--samefile", "same_file"},
    {"-newer", Values::one, "ffind --newer-than FILE", Form::file, "--newer-than", "newer_than"},
    {"-newermm", Values::one, "", Form::file, "--newer-than", "newer_than"},
    {"-mnewer", Values::one, "ffind --newer-than FILE", Form::file, "--newer-than", "newer_than"},
    {"-anewer", Values::one, "", Form::beside, "--accessed", "accessed"},
    {"-neweram", Values::one, "", Form::beside, "--accessed", "accessed"},
    {"-cnewer", Values::one, "", Form::beside, "--changed", "changed"},
    {"-newercm", Values::one, "", Form::beside, "--changed", "changed"},
    {"-newerBm", Values::one, "", Form::beside, "--created", "created"},
    {"-Bnewer", Values::one, "", Form::beside, "--created", "created"},
    {"-newermt", Values::one, "", Form::newer, "--modified", "modified"},
    {"-newerat", Values::one, "", Form::newer, "--accessed", "accessed"},
    {"-newerct", Values::one, "", Form::newer, "--changed", "changed"},
    {"-newerBt", Values::one, "", Form::newer, "--created", "created"},
    // BSD's days are GNU's on macOS since 10.5: whole ones, rounded down (unix2003 in Apple's
    // find).
    {"-Btime", Values::one, "ffind --created 3d, or '>3d' for longer ago", Form::days, "--created",
     "created"},
    {"-Bmin", Values::one, "ffind --created 30min, or '>30min' for longer ago", Form::minutes,
     "--created", "created"},
    {"-mtime", Values::one, "ffind --modified 3d, or '>3d' for longer ago", Form::days,
     "--modified", "modified"},
    {"-atime", Values::one, "ffind --accessed 3d, or '>3d' for longer ago", Form::days,
     "--accessed", "accessed"},
    {"-ctime", Values::one, "ffind --changed 3d, or '>3d' for longer ago", Form::days, "--changed",
     "changed"},
    {"-mmin", Values::one, "ffind --modified 30min, or '>30min' for longer ago", Form::minutes,
     "--modified", "modified"},
    {"-amin", Values::one, "ffind --accessed 30min, or '>30min' for longer ago", Form::minutes,
     "--accessed", "accessed"},
    {"-cmin", Values::one, "ffind --changed 30min, or '>30min' for longer ago", Form::minutes,
     "--changed", "changed"},
    {"-lname", Values::one, "ffind --where 'target glob *.txt'", Form::link_text, "case"},
    {"-ilname", Values::one, "ffind -i --where 'target glob *.txt'", Form::link_text},
    {"-fstype", Values::one, "ffind --where 'fstype = ext4'", Form::file_system},
    {"-false", Values::none, "ffind --where false", Form::constant, "false"},
    {"-true", Values::none, "ffind --where true", Form::constant, "true"},
    // Options
    {"-maxdepth", Values::one, "ffind -d 2", Form::max_depth},
    {"-mindepth", Values::one, "ffind --min-depth 2", Form::min_depth},
    {"-files0-from", Values::one, "ffind --files0-from FILE", Form::root_list, "--files0-from"},
    {"-regextype", Values::one, "expressions are those of RE2", Form::syntax},
    {"-depth", Values::none,
     "--delete deletes the deepest first anyway, and --depth 2 selects a depth", Form::depth_first},
    {"-xdev", Values::none, "other volumes are skipped without --cross-volumes", Form::nothing,
     "volume"},
    {"-mount", Values::none, "other volumes are skipped without --cross-volumes", Form::nothing,
     "volume"},
    {"-follow", Values::none, "ffind -L", Form::nothing, "-L"},
    {"-daystart", Values::none, "", Form::nothing, "midnight"},
    {"-noleaf", Values::none, "the default here", Form::nothing},
    {"-warn", Values::none, "", Form::nothing},
    {"-nowarn", Values::none, "", Form::nothing},
    {"-ignore_readdir_race", Values::none, "the default here", Form::nothing},
    {"-noignore_readdir_race", Values::none, "", Form::nothing},
    // Actions
    {"-prune", Values::none, "ffind -E node_modules, or --prune to list it but not enter it",
     Form::action, "prune"},
    {"-print", Values::none, "paths are printed by default", Form::action, "print"},
    {"-print0", Values::none, "ffind -0", Form::action, "-0"},
    {"-ls", Values::none, "ffind -l", Form::action, "-l"},
    {"-delete", Values::none, "ffind --delete", Form::action, "--delete"},
    {"-quit", Values::none, "ffind -1", Form::action, "-1"},
    {"-printf", Values::one, "ffind --format '{size} {path}'", Form::format},
    {"-exec", Values::command, "ffind -x COMMAND", Form::command, "-x"},
    {"-execdir", Values::command, "ffind --exec-in-dir -x COMMAND", Form::command, "--exec-in-dir"},
    {"-ok", Values::command, "ffind --confirm -x COMMAND", Form::command, "--confirm"},
    {"-okdir", Values::command, "ffind --exec-in-dir --confirm -x COMMAND", Form::command, "both"},
    // Operators
    {"-not", Values::none, "ffind --where 'not name glob *.txt'", Form::junction},
    {"-and", Values::none, "ffind --where 'ext = c and size > 1k'", Form::junction},
    {"-a", Values::none, "", Form::junction},
    {"-o", Values::none, "ffind --where 'ext = c or ext = h'", Form::junction},
    {"-or", Values::none, "ffind --where 'ext = c or ext = h'", Form::junction},
    // Without a counterpart
    {"-used", Values::one, "", Form::unknown},
    {"-context", Values::one, "", Form::unknown},
    {"-exit", Values::none, "", Form::unknown},
    {"-fls", Values::one, "", Form::unknown},
    {"-fprint", Values::one, "", Form::unknown},
    {"-fprint0", Values::one, "", Form::unknown},
    {"-fprintf", Values::two, "", Form::unknown},
    {"-printx", Values::none, "", Form::unknown},
    {"-flags", Values::one, "", Form::unknown},
    {"-sparse", Values::none, "", Form::unknown},
    {"-xattr", Values::none, "ffind --xattr user.origin", Form::unknown},
    {"-xattrname", Values::one, "ffind --xattr user.origin", Form::unknown},
    // Words that end the translation
    {"-version", Values::none, "ffind --version", Form::advice_only},
    {"-help", Values::none, "ffind --help", Form::advice_only},
    {"-since", Values::one, "ffind --newer-than TIME", Form::advice_only},
    {"-msince", Values::one, "ffind --newer-than TIME", Form::advice_only},
    {"-rm", Values::none, "ffind --delete", Form::advice_only},
    {"-hidden", Values::none, "ffind --only-hidden", Form::advice_only},
    {"-nohidden", Values::none, "ffind --no-hidden", Form::advice_only},
    {"-exclude", Values::none, "ffind -E node_modules", Form::advice_only},
    {"-color", Values::none, "ffind --color=always", Form::advice_only},
    {"-nocolor", Values::none, "ffind --color=never", Form::advice_only},
    {"-Bsince", Values::one, "", Form::advice_only},
    {"-asince", Values::one, "", Form::advice_only},
    {"-capable", Values::none, "", Form::advice_only},
    {"-csince", Values::one, "", Form::advice_only},
    {"-noerror", Values::none, "", Form::advice_only},
    {"-noop", Values::none, "", Form::advice_only},
    {"-status", Values::none, "", Form::advice_only},
    {"-neweraa", Values::one, "", Form::advice_only},
    {"-neweraB", Values::one, "", Form::advice_only},
    {"-newerac", Values::one, "", Form::advice_only},
    {"-newerBa", Values::one, "", Form::advice_only},
    {"-newerBB", Values::one, "", Form::advice_only},
    {"-newerBc", Values::one, "", Form::advice_only},
    {"-newerca", Values::one, "", Form::advice_only},
    {"-newercB", Values::one, "", Form::advice_only},
    {"-newercc", Values::one, "", Form::advice_only},
    {"-newerma", Values::one, "", Form::advice_only},
    {"-newermB", Values::one, "", Form::advice_only},
    {"-newermc", Values::one, "", Form::advice_only},
};

const Predicate* row_of(std::string_view word) {
  const auto* const found =
      std::find_if(std::begin(predicates), std::end(predicates),
                   [&](const Predicate& predicate) { return predicate.word == word; });
  return found == std::end(predicates) ? nullptr : found;
}

}  // namespace

const Predicate* find_predicate(std::string_view word) {
  if (word.starts_with("--") && cli::find_option(word) == nullptr) word.remove_prefix(1);
  const Predicate* const row = row_of(word);
  return row == nullptr || row->form == Form::advice_only ? nullptr : row;
}

bool is_find_predicate(std::string_view word) {
  // Two letters: -a and -o.
  return word.size() > 2 && find_predicate(word) != nullptr;
}

const Predicate* find_word_of_find(std::string_view word) {
  word = word.substr(0, word.find('='));
  return cli::find_option(word) == nullptr ? row_of(word) : nullptr;  // -a is --absolute
}

}  // namespace ffind::foreign
