// SPDX-License-Identifier: MIT
// Rows of the tables and their look-ups. All are searched linearly: a command line has few words to
// look up.
#include "foreign/tables.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "cli/option_table.h"
#include "foreign/foreign.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"

namespace ffind::foreign {

bool lists(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (text::take_part(words, ' ') == word) return true;
  }
  return false;
}

std::string_view value_in(std::string_view list, std::string_view key) {
  while (!list.empty()) {
    std::string_view value = text::take_part(list, ' ');
    if (text::take_part(value, '=') == key) return value;
  }
  return {};
}

void replace_all(std::string& text,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  for (const auto& [there, here] : pairs) {
    for (std::size_t at = text.find(there); at != text.npos; at = text.find(there, at)) {
      text.replace(at, there.size(), here);
    }
  }
}

bool has_option(const Words& words, std::string_view name) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return word.substr(0, word.find('=')) == name; });
}

bool is_directory(const Host& host, const std::string& path) {
  const Place place = host.place_of(path);
  return place == Place::directory || place == Place::link_to_directory;
}

Words split(std::string_view list) {
  Words words;
  while (!list.empty()) words.emplace_back(text::take_part(list, ' '));
  return words;
}

namespace {

/// The row with `name` among its names; null if there is none.
template <typename Row>
const Row* row_called(std::span<const Row> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Row& row) { return lists(row.names, name); });
  return found == rows.end() ? nullptr : &*found;
}

// A word whose meaning depends on its value, or that programs disagree on, is a guess or has no
// line: `>` is older before an age and later before a date.
//
// Options that have the same meaning here have no row: their names are in the option table, among
// the other names.
std::span<const Foreign> foreign_options() {
  using enum Program;
  using enum Treatment;
  static constexpr Foreign rows[] = {
      // fd
      {"-c", fd, value, "--color"},
      {"-o", shared, value, "--owner"},
      {"--and", fd, none, "", "'and' in --where does it here"},
      {"--fixed-strings", shared, drop, "", "the default here"},
      {"--strip-cwd-prefix", fd, drop, "", "the default here"},
      {"--no-ignore-parent", shared, drop, "", "the default here (--gitignore undoes it)"},
      {"--no-global-ignore-file --require-git", shared, drop},
      {"--relative-path", fd, drop},
      {"--no-require-git", shared, drop, "", "part of --gitignore here"},
      {"--show-errors", fd, drop, "", "the default here (--no-messages undoes it)"},
      {"--has-results", fd, flag, "-q"},
      {"--max-one-result", any, flag, "-1"},
      {"--ignore-file", shared, value, "--exclude-from"},
      {"--ignore-contain", fd, value, "--exclude-where has="},
      {"--max-buffer-time", fd, drop_value},
      {"--path-separator", shared, drop_value, "", "always / here"},
      // rg
      {"--files", rg, flag, "-t f", "-t f"},
      {"--max-filesize", rg, none, "", "--size '<10M'"},
      {"--type-list", rg, none, "", "ffind --help kind lists those of --kind; --ext has any other"},
      {"--iglob", rg, none, "", "-i -g"},
      // grep
      {"-rl -rn -lr -nr -rnl -rln", grep, value, "-s --contains"},
      {"-ri -ir -rin -rni -ril -rli", grep, value, "-i --contains"},
      {"--files-with-matches", grep, none, "", "--contains"},
      {"--invert-match", grep, none, "", "-E skips what matches a glob"},
      {"-vE", guess, value, "-E"},
      // locate
      {"--basename", locate, none, "", "names are compared here"},
      {"--existing", locate, none, "", "the default here"},
      {"--all", locate, none, "", "--query 'one two' finds both words"},
      {"--regexp", locate, none, "", "-e"},
      // ls
      {"-R", ls, drop},
      {"-lR", ls, flag, "-l"},
      {"-lh -lha -lah -lhR", shared, flag, "-l"},
      {"-lt -lht -lth -tl -lat", ls, flag, "-l --sort -modified"},
      {"-ltr -lrt -lart -latr", ls, flag, "-l --sort modified"},
      {"-lS -lhS -lSh", shared, flag, "-l --sort -size"},
      {"-r", any, reversed},
      // mdfind
      {"-onlyin", mdfind, value, "--in"},
      {"-count", mdfind, flag, "--count"},
      {"-live -literal", mdfind, none},
      // du
      {"-sh -hs -csh -sch", du, flag, "--usage=0 --human"},
      {"--summarize", du, flag, "--usage=0"},
      {"--si", du, flag, "--human"},
      {"--bytes", du, flag, "--apparent"},
      {"--total", du, none, "", "several roots have a total"},
      {"--inodes", du, none, "", "--count=dir counts the entries of directories"},
      {"--block-size", du, none, "", "sizes are bytes, or by --human for people"},
      {"--threshold", du, none, "", "--limit shows the largest only"},
      {"--separate-dirs", du, none, "", "sums include what is below"},
      {"--count-links", du, none, "", "a file with several names counts once"},
      // fzf
      {"--multi --ansi --border --cycle --inline-info --no-mouse", fzf, drop},
      {"--header --info --layout --margin --marker --min-height --padding --pointer "
       "--preview-window --prompt",
       fzf, drop_value},
      {"--bind --expect", fzf, none, "", "ffind-pick(7) lists the keys"},
      {"--select-1 --exit-0", fzf, none, "", "the list waits for Enter"},
      {"--print-query", fzf, none, "", "only what is picked is printed"},
      {"--filter", fzf, none, "", "--query finds without a list"},
      {"--tiebreak --tac", fzf, none, "", "--sort has other orders"},
      {"--nth --with-nth --delimiter", fzf, none, "", "a path has no fields"},
      // of several programs or none: words that mean one thing, whatever their value; or a guess,
      // with its other meaning after the row
      {"--smart-case --recursive --show-hidden --include-hidden --with-hidden", any, drop},
      {"--exclude-dir --exclude-directory --exclude-folder --skip-dir --ignore-dir", any, value,
       "-E /"},
      {"--not-in", guess, value, "-E /"},  // a list that lacks it
      {"--include --wildcard", any, value, "-g"},
      {"--zero", any, flag, "--null"},
      {"--reverse --desc --descending", any, reversed},
      {"--dereference --follow-links --follow-symlinks", any, flag, "-L"},
      {"--since --modified-since", any, value, "--newer-than"},
      {"--before --modified-before", any, value, "--older-than"},
      {"--today", any, flag, "--modified today"},
      {"--yesterday", any, flag, "--modified yesterday"},
      {"--newest --latest --recent /o-d /o:-d", any, flag, "--sort -modified"},
      {"--oldest /od /o:d", any, flag, "--sort modified"},
      {"--largest --biggest /o-s /o:-s", any, flag, "--sort -size"},
      {"--smallest /os /o:s", any, flag, "--sort size"},
      {"--sort-by --order --order-by", any, value, "--sort"},
      {"--max-size --size-max --maxsize", any, value, "--size <="},
      {"--min-size --size-min --minsize", any, value, "--size >="},
      {"--larger-than --bigger-than --greater-than --larger --bigger", any, value, "--size >"},
      {"--smaller-than --less-than --smaller", any, value, "--size <"},
      {"--empty-files --zero-size", any, flag, "-t f --empty"},
      {"--empty-dirs --empty-folders --empty-directories", any, flag, "-t d --empty"},
      {"--du --disk-usage --treemap --space", any, flag, "--usage"},
      {"--ndjson --jsonl --json-lines --as-json --to-json", any, flag, "--json"},
      {"--no-colour --no-color", any, flag, "--color never"},
      {"--name-contains", any, value, "-F"},
      {"--starts-with --begins-with --name-starts-with --name-begins-with", any, value, "--starts"},
      {"--ends-with --name-ends-with", any, value, "--ends"},
      {"--match-case", any, flag, "-s"},
      {"--case-insensitive --nocase --icase", any, flag, "-i"},
      {"--ignore-accents --no-accents --ignore-umlauts", any, flag, "--ignore-diacritics"},
      {"--fuzzy --gui --tui", guess, flag, "--pick"},  // what is similar
      {"--files-only --only-files", any, flag, "-t f"},
      {"--dirs-only --only-dirs --folders-only --only-folders --directories", any, flag, "-t d"},
      {"--links-only --only-links", any, flag, "-t l"},
      {"--broken-links --dead-links --broken-symlinks", any, flag, "--broken"},
      {"--images --image --pictures --picture --photos --photo", any, flag, "--kind image"},
      {"--videos --video --movies", any, flag, "--kind video"},
      {"--music --audio --songs", any, flag, "--kind audio"},
      {"--documents --document", any, flag, "--kind document"},
      {"--parquet", guess, flag, "--ext parquet"},
      {"--permission --permissions", any, value, "--perm"},
      {"--content --contents --contains-text --with-text --containing", any, value, "--contains"},
      {"--everywhere", guess, flag, "--all-volumes"},  // from /
      {"--maxdepth", shared, value, "-d"},
      {"--mindepth", any, value, "--min-depth"},
      {"--no-recurse --no-recursive --no-subdirs --no-subfolders --this-dir-only --shallow", any,
       flag, "-d 1"},
      {"--skip-hidden --exclude-hidden", any, flag, "--no-hidden"},
      {"--hidden-only", any, flag, "--only-hidden"},
      {"--respect-gitignore", any, flag, "--gitignore"},
      {"--jobs --parallel", any, value, "-j"},
      {"--no-errors --hide-errors --ignore-errors", any, flag, "--no-messages"},
      {"--date-modified --modified-date --last-modified --modified-on --modified-in "
       "--modified-within",
       any, value, "--modified"},
      {"--date-created --created-date --created-on --created-in", any, value, "--created"},
      {"--name-is --exact-match --exact-name", any, value, "--exact"},
      {"--in-folder --in-directory --search-in -Path -literalpath", any, value, "--in"},
      {"--user", any, value, "--owner"},
      {"--how-many --count-only", any, flag, "--count"},
      {"--disks --drives --free", any, flag, "--list-volumes"},
      {"--examples -? /?", any, flag, "-h"},
      {"--last-used --last-accessed", any, value, "--accessed"},
      {"--year", any, date, "", "ffind --modified 2026"},
      {"--month", any, date, "month", "ffind --modified 2026-05"},
      {"--between", any, span, "--modified", "ffind --modified 2026-01..2026-02"},
      {"--from", guess, value, "--modified >=", "ffind --modified 2026-01..2026-02"},
      {"--to --until", guess, value, "--modified <=", "ffind --modified 2026-01..2026-02"},
      // tasks: a command
      {"--open --launch", any, command, "xdg-open|open", "ffind report -x xdg-open"},
      {"--reveal --show-in-folder --show-in-finder", any, command, "xdg-open {//}|open -R",
       "ffind report -x xdg-open {//}"},
      // PowerShell's, dir's of DOS, es of Everything
      {"-recurse -force /s /b /p /w /l /n", any, drop},
      {"-file /a-d /a:-d", any, flag, "-t f"},
      {"-directory /ad /a:d", any, flag, "-t d"},
      {"-filter", any, value, "-g"},
      {"-include", any, none, "", "ffind -g '*.pdf' -g '*.docx'"},
      {"-hidden /ah /a:h", any, flag, "--only-hidden"},
      {"-sort-size-descending", any, flag, "--sort -size"},
      {"-sort-date-modified-descending", any, flag, "--sort -modified"},
      {"--fields", any, value, "--json=", "--json=size,owner"},
      // of none, and of more than one meaning: an example, never a line
      {"--created-after --created-before", any, none, "", "ffind --created '>2026-01-31'"},
      {"--skip --without", any, none, "", "ffind -E GLOB"},
      {"--first --head --top", any, none, "", "ffind -n 5"},
      {"--age --last --over --above", any, none, "", "ffind --modified '>7d'"},
      {"--after --modified-after", any, none, "", "ffind --modified '>2026-01-31'"},
      {"--search --find --filename --file-name --named --called", any, none, "", "ffind report"},
      {"--dir --folder --directory", any, none, "", "ffind --in DIR, or -t d"},
      {"--grep", any, none, "", "ffind --contains TODO"},
      {"--summary", any, none, "", "ffind --count=kind"},
      {"--taken --date-taken", any, none, "", "exiftool reads it: ffind --help pictures"},
      {"--sum --total-size", guess, flag, "--usage=0"},  // a checksum
      {"--output --output-file", any, none, "", "ffind report >files.txt"},
      {"--random --shuffle", any, none, "", "ffind | shuf -n 5"},
      {"--stdin", any, none, "", "git ls-files | ffind --from -; of roots: --files0-from -"},
      {"--files-from --file-list --paths-from --from-file", any, value, "--from"},
      {"--copy --copy-to", any, none, "", "ffind report --dry-run -x cp -n {} DIR/"},
      {"--move --move-to", any, none, "", "ffind report --dry-run -x mv -n {} DIR/"},
      {"--sha256 --md5 --checksum --hash", any, none, "", "ffind -t f -X sha256sum"},
      {"--compare --diff", any, none, "",
       "diff <(ffind -C A --sort path) <(ffind -C B --sort path)"},
      {"--duplicate --dupes --dups --same-content", any, flag, "--duplicates"},
      {"--rename", any, none, "", "a recipe: ffind --help rename"},
      {"--html", any, none, "", "a recipe with --format: ffind --help html"},
      {"--undelete --put-back --undo --untrash --recover", any, none, "",
       "ffind --trashed report --restore"},
      {"--trash-list --list-trash --in-trash", any, flag, "--trashed"},
      {"--empty-trash", any, none, "", "ffind --trashed --delete"},
      {"--deleted", any, none, "",
       "ffind --trashed --where 'deleted < 7d'; of files still open: lsof +L1"},
      {"--index --reindex --update --updatedb", any, none, "",
       "it searches live, and needs no index"},
      {"--export-csv --export --to-csv --as-csv", any, none, "",
       "ffind --csv=size,modified >files.csv"},
  };
  return rows;
}

}  // namespace

const Foreign* find_foreign(std::string_view name) {
  const Foreign* const row = row_called(foreign_options(), name);
  const bool folds = name.starts_with('/') || (name.size() > 4 && name[1] != '-');
  return row == nullptr && folds ? row_called(foreign_options(), text::fold_ascii(name)) : row;
}

bool is_long_after_one_dash(std::string_view word) {
  const std::string longer = "-" + std::string(word.substr(0, word.find('=')));
  return !with_second_dash(word).empty() || find_foreign(longer) != nullptr ||
         (word.size() > 2 && find_foreign(word) != nullptr);
}

bool is_foreign_option(std::string_view word) {
  const Foreign* const option = find_foreign(word.substr(0, word.find('=')));
  const bool is_of_fd =
      option != nullptr && (option->program == Program::fd || option->program == Program::shared);
  return is_of_fd || (option != nullptr && option->program != Program::guess && word.size() > 2);
}

bool takes_value(const Foreign& option) {
  constexpr Treatment alone[] = {Treatment::none, Treatment::drop, Treatment::flag,
                                 Treatment::reversed, Treatment::command};
  return std::find(std::begin(alone), std::end(alone), option.treatment) == std::end(alone);
}

std::vector<cli::Given> options_in(std::string_view words) {
  std::vector<cli::Given> given;
  const Words list = split(words);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t equals = std::min(list[i].find('='), list[i].size());
    const cli::OptionRow& row = *cli::find_option(list[i].substr(0, equals));
    std::string value(row.value_when_absent);
    if (equals < list[i].size()) {
      value = list[i].substr(equals + 1);
    } else if (takes_value(row) && i + 1 < list.size()) {
      value = list[++i];
    }
    given.push_back({.id = row.id, .value = std::move(value)});
  }
  return given;
}

std::vector<cli::Given> counterpart(const Foreign& option, const std::string& value) {
  std::vector<cli::Given> given = options_in(option.here);
  if (!given.empty()) given.back().value += value;
  return given;
}

std::string term_of_other_finders(std::string_view word, std::string_view value, bool& is_guess) {
  // The beginning of a term here, and the words there; after a bar those that are not quite so.
  constexpr std::pair<std::string_view, std::string_view> rows[] = {
      {"modified:", "dm datemodified"},
      {"created:", "dc datecreated"},
      {"accessed:", "da dateaccessed"},
      {"changed:", "| rc recentchange daterecentlychanged"},
      {"last_opened:", "| dr daterun opened lastopened lastused"},
      {"added:", "dateadded"},
      {"modified:>", "| since after"},
      {"modified:<", "| before"},
      {"newer_than:", "newerthan"},
      {"is:file ", "file files"},
      {"is:dir ", "folder folders"},
      {"path:", "| parent infolder folderpath"},
      {"name:=", "wholefilename wfn exact"},
      {"^", "startwith"},
      {"*", "endwith"},
      {"name:~", "regex"},
      {"has:", "child"},
      {"kind:image ", "pic picture image photo"},
      {"kind:audio ", "audio music"},
      {"kind:video ", "video movie"},
      {"kind:document ", "doc document"},
      {"kind:archive ", "zip archive"},
      {"ext:exe ", "| exe"},
      {"ext:", "extensions suffix filetype"},
      {"tag:", "| label color"},
      {"size:", "filesize"},
      {"size:>", "bigger larger"},
      {"size:<", "smaller"},
      {"contents:", "textcontent | text"},
      {"where_from:", "| source"},
      {"owner:", "| author"}};
  const std::string name = text::fold_ascii(word);
  if (lists("attrib attributes", name)) {
    return std::string(value_in("h=is:hidden r=is:locked d=is:dir", text::fold_ascii(value)));
  }
  if (lists("ww wholeword wholewords", name) && !value.empty()) {
    return text::format("name:~\\b{}\\b", value);
  }
  for (const auto& [here, there] : rows) {
    if (!lists(there, name)) continue;
    is_guess = is_guess || !lists(there.substr(0, there.find('|')), name);
    return std::string(here).append(value);
  }
  return {};
}

std::string term_of_other_finders(std::string_view word, std::string_view value) {
  bool is_guess = false;
  return term_of_other_finders(word, value, is_guess);
}

namespace {

// Options, tests, actions and operators of find(1): those of GNU findutils 4.9, FreeBSD, macOS,
// NetBSD and bfs. The list is complete, since none of these words is ever read as letters in a row,
// -exec as -e xec or -xattr as -x attr: a search for something else is worse than an error. Two are
// left out: -limit and -unique of bfs mean what the long options here mean, and lead there.
std::span<const Predicate> predicates() {
  using enum Form;
  static constexpr Predicate rows[] = {
      // Tests
      {"-name", name, "ffind name -g '*.txt'", "case"},
      {"-iname", name, "ffind -i name -g '*.txt'"},
      {"-path -wholename", path, "ffind path -g '**/src/*'", "case"},
      {"-ipath -iwholename", path, "ffind -i path -g '**/src/*'"},
      {"-regex", regex, "ffind path -e '/test_.*[.]py$'", "case"},
      {"-iregex", regex, "ffind -i path -e '/test_.*[.]py$'"},
      {"-type", type, "ffind -t f"},
      {"-xtype", type, "ffind --broken, ffind --where 'target_type = directory'", "followed"},
      {"-size", size, "ffind -S '>10M'", "-S", "size"},
      {"-empty", flag, "ffind --empty", "--empty", "empty"},
      {"-acl", flag, "ffind --where acl", "", "acl"},
      {"-executable", flag, "ffind --executable", "", "runnable"},
      {"-readable", flag, "ffind --where readable", "", "readable"},
      {"-writable", flag, "ffind --where writable", "", "writable"},
      {"-perm", permissions, "ffind --perm 644", "--perm", "perm"},
      {"-user", account, "ffind --owner alice", "--owner", "owner"},
      {"-group", account, "ffind --group staff", "--group", "group"},
      {"-uid", count, "ffind --owner 1000", "--owner", "uid"},
      {"-gid", count, "ffind --group 1000", "--group", "gid"},
      {"-nouser", flag, "ffind --where orphaned_owner", "", "orphaned_owner"},
      {"-nogroup", flag, "ffind --where orphaned_group", "", "orphaned_group"},
      {"-links", count, "ffind --links '>1'", "--links", "links"},
      {"-inum", count, "ffind --inode 1234", "--inode", "inode"},
      {"-samefile", file, "ffind --samefile FILE", "--samefile", "same_file"},
      {"-newer -mnewer", file, "ffind --newer-than FILE", "--newer-than", "newer_than"},
      {"-newermm", file, "", "--newer-than", "newer_than"},
      {"-anewer -neweram -cnewer -newercm -newerBm -Bnewer", used},
      {"-newermt -newerat -newerct -newerBt", newer},
      // BSD's days are GNU's on macOS since 10.5: whole ones, rounded down (unix2003 in Apple's
      // find).
      {"-Btime", days, "ffind --created 3d, or '>3d' for longer ago", "--created", "created"},
      {"-Bmin", minutes, "ffind --created 30min, or '>30min' for longer ago", "--created",
       "created"},
      {"-mtime", days, "ffind --modified 3d, or '>3d' for longer ago", "--modified", "modified"},
      {"-atime", days, "ffind --accessed 3d, or '>3d' for longer ago", "--accessed", "accessed"},
      {"-ctime", days, "ffind --changed 3d, or '>3d' for longer ago", "--changed", "changed"},
      {"-mmin", minutes, "ffind --modified 30min, or '>30min' for longer ago", "--modified",
       "modified"},
      {"-amin", minutes, "ffind --accessed 30min, or '>30min' for longer ago", "--accessed",
       "accessed"},
      {"-cmin", minutes, "ffind --changed 30min, or '>30min' for longer ago", "--changed",
       "changed"},
      {"-lname", link_text, "ffind --where 'target glob *.txt'", "case"},
      {"-ilname", link_text, "ffind -i --where 'target glob *.txt'"},
      {"-fstype", file_system, "ffind --where 'fstype = ext4'", "", "fstype"},
      {"-false", constant, "ffind --where false", "false"},
      {"-true", constant, "ffind --where true", "true"},
      // Options
      {"-maxdepth", max_depth, "ffind -d 2"},
      {"-mindepth", min_depth, "ffind --min-depth 2"},
      {"-files0-from", root_list, "ffind --files0-from FILE", "--files0-from"},
      {"-regextype", syntax, "expressions are those of RE2"},
      {"-depth", depth_first,
       "--delete deletes the deepest first anyway, and --depth 2 selects a depth", "--depth",
       "depth"},
      {"-xdev -mount", nothing, "other volumes are skipped without --cross-volumes", "volume"},
      {"-follow", nothing, "ffind -L", "-L"},
      {"-daystart", nothing, "", "midnight"},
      {"-noleaf", nothing, "the default here"},
      {"-ignore_readdir_race", nothing, "the default here", "vanished"},
      {"-noignore_readdir_race", nothing, {}, "vanished"},
      {"-warn -nowarn", nothing},
      // Actions
      {"-prune", action, "ffind -E node_modules, or --prune to list it but not enter it", "prune"},
      {"-print", action, "paths are printed by default", "print"},
      {"-print0", action, "ffind -0", "-0"},
      {"-ls", action, "ffind -l", "-l"},
      {"-delete", action, "ffind --delete", "--delete"},
      {"-rm", action, "ffind --delete", "--delete"},
      {"-quit", action, "ffind -1", "-1"},
      {"-printf", format, "ffind --format '{size} {path}'"},
      {"-fprint", to_file, "", "print"},
      {"-fprint0", to_file, "", "-0"},
      {"-fls", to_file, "", "-l"},
      {"-fprintf", to_file},
      {"-printx", run_only, "", "escaped"},
      {"-exit", run_only, "", "exit"},
      {"-exec", command, "ffind -x COMMAND"},
      {"-execdir", command, "ffind --exec-in-dir -x COMMAND"},
      {"-ok", command, "ffind --confirm -x COMMAND"},
      {"-okdir", command, "ffind --exec-in-dir --confirm -x COMMAND"},
      // Operators
      {"-not", junction, "ffind --where 'not name glob *.txt'"},
      {"-and", junction, "ffind --where 'ext = c and size > 1k'"},
      {"-a", junction},
      {"-o -or", junction, "ffind --where 'ext = c or ext = h'"},
      // Without a counterpart
      {"-used", used, "", "", "used"},
      {"-sparse", flag, "ffind --where sparse", "", "sparse"},
      {"-context -flags", unknown},
      {"-xattr -xattrname", unknown, "ffind --xattr user.origin"},
      // Words that end the translation
      {"-version", advice_only, "ffind --version"},
      {"-help", advice_only, "ffind --help"},
      {"-since -msince", advice_only, "ffind --newer-than TIME"},
      {"-hidden", advice_only, "ffind --only-hidden"},
      {"-nohidden", advice_only, "ffind --no-hidden"},
      {"-exclude", advice_only, "ffind -E node_modules"},
      {"-color", advice_only, "ffind --color=always"},
      {"-nocolor", advice_only, "ffind --color=never"},
      {"-Bsince -asince -capable -csince -noerror -noop -status -neweraa -neweraB -newerac "
       "-newerBa "
       "-newerBB -newerBc -newerca -newercB -newercc -newerma -newermB -newermc",
       advice_only},
  };
  return rows;
}

}  // namespace

const Predicate* find_predicate(std::string_view word) {
  if (word.starts_with("--") && cli::find_option(word) == nullptr) word.remove_prefix(1);
  const Predicate* const row = row_called(predicates(), word);
  return row == nullptr || row->form == Form::advice_only ? nullptr : row;
}

bool is_find_predicate(std::string_view word) {
  // Two letters: -a and -o.
  return word.size() > 2 && find_predicate(word) != nullptr;
}

const Predicate* find_word_of_find(std::string_view word) {
  word = word.substr(0, word.find('='));
  return cli::find_option(word) == nullptr ? row_called(predicates(), word)
                                           : nullptr;  // -a is --absolute
}

bool looks_like_option(const std::string& word) {
  return find_word_of_find(word) != nullptr ||
         cli::find_option(word.substr(0, word.find('='))) != nullptr;
}

namespace {

/// True if one word is the other with a syllable that negates it: --case-insensitive and
/// --case-sensitive, --unhidden and --hidden.
bool are_opposites(std::string_view one, std::string_view other) {
  if (one.size() < other.size()) std::swap(one, other);
  for (const std::string_view syllable : {"in", "un", "non", "no", "no-", "dis"}) {
    for (std::size_t at = one.find(syllable); at != std::string_view::npos;
         at = one.find(syllable, at + 1)) {
      if (std::string(one).erase(at, syllable.size()) == other) return true;
    }
  }
  return false;
}

}  // namespace

/// The only option of ours that begins with `name`, else the nearest by spelling; none if a word of
/// the table is nearer: "--case-insensitve" is none of ours. Short ones have no near misses. The
/// first letter is rarely mistyped, so another one is another word: --folder is not --older, and
/// --in-packages not --no-packages.
std::string nearest_option(std::string_view name) {
  constexpr std::string_view dashes = "--";
  const bool is_foreign = find_foreign(name.substr(0, name.find('='))) != nullptr;
  if (!name.starts_with(dashes) || is_foreign) return {};
  name.remove_prefix(dashes.size());
  std::vector<std::string_view> candidates;
  std::string_view beginning;
  bool is_unique = true;
  for (const cli::OptionRow& row : cli::option_table()) {
    for (std::string_view known : names_of(row)) {
      if (!known.starts_with(dashes)) continue;
      known.remove_prefix(dashes.size());
      if (name.size() > 1 && known.starts_with(name)) {
        // --exclude is the beginning of --exclude-where, too.
        if (beginning.empty() || beginning.starts_with(known)) beginning = known;
        is_unique = is_unique && known.starts_with(beginning);
      }
      if (!are_opposites(name, known)) candidates.push_back(known);
    }
  }
  for (const Foreign& row : foreign_options()) {
    text::for_each_part(row.names, ' ', [&](std::size_t /*at*/, std::string_view known) {
      if (known.starts_with(dashes)) candidates.push_back(known.substr(dashes.size()));
    });
  }
  std::erase_if(candidates, [&](std::string_view known) {
    return name.empty() || known.substr(0, 2).find(name[0]) == std::string_view::npos;
  });
  const bool is_begun = is_unique && !beginning.empty();
  const std::string meant = is_begun ? std::string(beginning) : text::nearest(name, candidates);
  const std::string word = "--" + meant;
  return cli::find_option(word) == nullptr ? std::string() : word;
}

}  // namespace ffind::foreign
