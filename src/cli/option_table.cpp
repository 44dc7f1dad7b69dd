// SPDX-License-Identifier: MIT
// The rows, and their index by name. To add an option: an Id, a row here, what it means in
// query_builder.cpp, output_options.cpp or run.cpp, and the man page; tests check help and man
// page against this table, and the completions are written from it.
//
// Everything is constexpr: the rows, and `name_index`, in which all names of all rows are sorted
// for a binary search. So a relation to an unknown option, a name that two rows have, and an Id
// without a row do not compile. Other code names a row by its Id.
#include "cli/option_table.h"
#include "text/ascii.h"

#include <algorithm>
#include <array>

namespace ffind::cli {
namespace {

// Headings of --help, in the order of the table. Rows of a group have to be adjacent, since a new
// heading is printed if the group changes. The word before the first blank labels the group in -h.
// Code compares groups by these texts: is_switch() knows filters, --compare-readers knows the
// scope.
constexpr std::string_view patterns = "Patterns (smart case: upper case makes it sensitive)";
constexpr std::string_view filters = "Filters (different ones narrow, repeated ones widen)";
constexpr std::string_view scope = "Where to look";
constexpr std::string_view output = "Output";
constexpr std::string_view commands = "Commands (instead of printing)";
constexpr std::string_view engine = "How it searches";
constexpr std::string_view saved = "Saved searches and configuration";
constexpr std::string_view other = "Other";

// The presentation of results is one decision: typing any part of it replaces all of it from a
// file.
constexpr std::string_view formats =
    "--json,--csv,--tsv,--format,--long,--tree,--count,--usage,--null";
constexpr std::string_view formats_and_order =
    "--json,--csv,--tsv,--format,--long,--tree,--count,--usage,--null,--sort";

// Options of walks, which a list of paths replaces.
constexpr std::string_view of_walks =
    "--in,--files0-from,--prune,--prune-where,--ignore-files,--exclude-from,--gitignore,"
    "--cross-volumes,--volume,--all-volumes,--network,--method,--reader";

constexpr std::string_view of_walks_and_lists =
    "--from,--from0,--prune,--prune-where,--ignore-files,--exclude-from,--gitignore,"
    "--cross-volumes,--method,--reader,--if,--exec,--exec-batch,--trash";

constexpr std::string_view actions = "-x,-X,--delete,--trash,--restore";

// An alias may add these to every command.
constexpr std::string_view messages =
    "--color,--hyperlink,--no-messages,--no-hints,--json-errors,--no-config";

using enum StoredIn;

constexpr OptionRow flag(Id id, std::string_view names, std::string_view help,
                         OptionRow more = {}) {
  more.id = id;
  more.names = names;
  more.help = help;
  return more;
}

/// An option with a value, such as "RE" in help and messages; "CMD..." takes the words of a
/// command.
constexpr OptionRow option(Id id, std::string_view names, std::string_view value,
                           std::string_view help, OptionRow more = {}) {
  more.value = value;
  return flag(id, names, help, more);
}

/// An option whose value follows `=` only: with `absent` "auto", --hyperlink is --hyperlink=auto.
constexpr OptionRow optional(Id id, std::string_view names, std::string_view absent,
                             std::string_view help, OptionRow more = {}) {
  more.value_when_absent = absent;
  return flag(id, names, help, more);
}

// The last of the names is the main name, which CLI11 gets and messages quote. A group goes on
// until the next. Choices are not checked by the parser but where the value is used.
//
// Relations are lists of names. Their differences:
//
//     excludes     both together are an error, wherever each came from. In one of the two rows
//     opposites    the last one counts, within a command line and between a file and what is typed.
//                  Flags only, and in both rows
//     replaces     like opposites, but only if the listed option is from a file. On one command
//                  line both count, or `excludes` forbids it. An option that replaces itself takes
//                  the place of a saved search's value instead of adding to it
//     needs        one of them has to be given as well, in whichever file or on the command line
//     goes_with    all others are an error
//
// `replaces` is only for options that say the same thing in another way. All other exclusions stay
// errors between a file and what is typed: dropping a saved -L because of a --delete would search
// for something else, and a saved command is the point of its search.
constexpr OptionRow listed[] = {
    // Patterns. With any of them all arguments are PATHs (pattern_options), so a configuration may
    // not have one: each TEXT that is typed would become a PATH. Saved searches may.
    option(Id::text, "-F,--text", "TEXT",
           "Names that contain TEXT, even if it looks like a path or a glob.",
           {.group = patterns,
            .brief = "plain letters",
            .example = "ffind -F report",
            .stored_in = searches}),
    option(Id::regex, "-e,--regex", "RE",
           "Names that match the regular expression (RE2), anywhere.",
           {.brief = "expression", .example = "ffind name -e '\\.(cc|h)$'", .stored_in = searches}),
    option(Id::glob, "-g,--glob", "GLOB",
           "Names that match the glob as a whole: * ? [a-z] {a,b}; ** in paths.",
           {.brief = "whole name", .example = "ffind -g '*.tar.*'", .stored_in = searches}),
    option(Id::exact, "--exact", "TEXT", "Names that are exactly TEXT.",
           {.example = "ffind --exact Makefile", .stored_in = searches}),
    option(Id::starts, "--starts", "TEXT", "Names that begin with TEXT.",
           {.example = "ffind --starts IMG_", .stored_in = searches}),
    option(Id::ends, "--ends", "TEXT", "Names that end with TEXT.",
           {.example = "ffind --ends .bak", .stored_in = searches}),
    // The language of the prompt of --pick.
    option(Id::query, "--query", "QUERY",
           "Words in the path and FIELD:VALUE, all of them: 'ext:pdf size:+1M invoice -draft'.",
           {.brief = "words, ext:pdf",
            .example = "ffind --query 'ext:pdf size:+1M invoice -draft'",
            .stored_in = searches}),
    // Not in a configuration: it decides what a pattern is matched against, as FIELD does.
    flag(Id::full_path, "-p,--full-path", "Match patterns against the absolute path.",
         {.stored_in = searches}),
    // Treatment of letters is a matter of taste and may be in a configuration.
    flag(Id::ignore_case, "-i,--ignore-case", "Ignore case in all patterns.",
         {.brief = "case ignored", .opposites = "--case-sensitive"}),
    flag(Id::case_sensitive, "-s,--case-sensitive", "Match case in all patterns.",
         {.opposites = "--ignore-case"}),
    flag(Id::ignore_diacritics, "--ignore-diacritics",
         "Ignore diacritics in all patterns: o also matches ö."),

    // Expressions narrow, so those of a configuration stay when another one is typed.
    option(Id::where, "--where", "EXPR", "An expression: 'size > 10M and not (ext in (iso, dmg))'.",
           {.group = filters,
            .brief = "any condition",
            .example = "--where 'size > 10M and not (ext in (iso, dmg))'",
            .adds_up = true}),
    // From here to --comment and --contains-regex, most rows have one in `field_options` of
    // query_builder.cpp, which names the field of the expression language that reads the value.
    option(
        Id::type, "-t,--type", "TYPE",
        "f(ile), d(irectory), l (symlink), s(ocket), p (fifo), b(lock), c(har); comma-separated.",
        {.brief = "f, d, l ...", .example = "ffind -t f,d or ffind --type symlink"}),
    option(Id::kind, "--kind", "KIND",
           "folder, text, code, data, document, spreadsheet, presentation, ebook, image, audio, "
           "video, font, model, archive, disk-image, app, binary, database; comma-separated.",
           {.brief = "image, text ...", .example = "ffind --kind image,video"}),
    option(Id::ext, "--ext", "EXT", "File name extension, any case; comma-separated.",
           {.other_names = "--extension", .brief = "pdf,docx", .example = "ffind --ext pdf,docx"}),
    option(
        Id::size, "-S,--size", "RANGE", "Size of a file: +5M (more), -5M (less), 10M, 1k..2M.",
        {.brief = "+5M, 1k..2M",
         .example = "--size +5M (or '>5M' in quotes: a shell takes > for itself), --size 1k..2M"}),
    option(
        Id::modified, "--modified", "RANGE",
        "When the contents last changed: 7d (within), +7d (longer ago), today, 2026-01..2026-03.",
        {.brief = "7d, +1y, today",
         .example =
             "--modified 7d, --modified +1y (or '>1y' in quotes) or --modified 2026-01..2026-03"}),
    option(Id::created, "--created", "RANGE", "When it was created.",
           {.example = "--created today or --created +1y"}),
    option(Id::accessed, "--accessed", "RANGE", "When it was last read.",
           {.example = "--accessed 2h or --accessed +1y"}),
    option(Id::changed, "--changed", "RANGE",
           "When permissions, owner or contents last changed (ctime).",
           {.example = "--changed 2h or --changed '<2026-01-31'"}),
    option(Id::added, "--added", "RANGE", "When it was added to its directory (macOS).",
           {.example = "--added today or --added 2026-01..2026-03"}),
    // The other names are fd's.
    option(Id::newer_than, "--newer-than", "FILE|TIME", "Modified later than FILE, or since TIME.",
           {.other_names = "--newer,--changed-within,--changed-after,--change-newer-than",
            .example = "--newer-than Makefile, --newer-than 7d or --newer-than 2026-01-31"}),
    option(Id::older_than, "--older-than", "FILE|TIME",
           "Modified earlier than FILE, or before TIME.",
           {.other_names = "--older,--changed-before,--change-older-than",
            .example = "--older-than Makefile, --older-than 7d or --older-than 2026-01-31"}),
    // The same range as --max-depth and --min-depth together, so it takes their place.
    option(Id::depth, "--depth", "RANGE", "Depth below the root: 2, 1..3, +4.",
           {.other_names = "--exact-depth",
            .example = "--depth 2, --depth 1..3 or --depth +4",
            .replaces = "--max-depth,--min-depth"}),
    flag(Id::empty, "--empty", "Empty files and empty directories.", {.brief = "nothing in it"}),
    // With --no-hidden from a file nothing would be left to find.
    flag(Id::only_hidden, "--only-hidden",
         "Only names that start with a dot; on macOS also what it hides.",
         {.replaces = "--no-hidden"}),
    option(Id::owner, "--owner", "USER", "Name or number of the owner; comma-separated.",
           {.brief = "belongs to", .example = "ffind --owner alice or ffind --owner 1000,1001"}),
    option(Id::group, "--group", "GROUP", "Name or number of the group; comma-separated.",
           {.example = "ffind --group staff or ffind --group 20"}),
    option(Id::perm, "--perm", "MODE", "Permissions: 644, u=rw,go=r; all of -111, any of /o+w.",
           {.example = "--perm 644, --perm -u+w or --perm /o=rwx"}),
    flag(Id::executable, "--executable", "Files that are executable by anyone."),
    flag(Id::broken, "--broken", "Symbolic links that lead nowhere."),
    flag(Id::locked, "--locked", "Immutable or append-only files."),
    option(Id::links, "--links", "RANGE", "Number of hard links: 1, +1.",
           {.example = "--links 1 or --links +1"}),
    option(Id::inode, "--inode", "N", "Inode number.", {.example = "ffind --inode 1234"}),
    option(Id::samefile, "--samefile", "PATH", "All hard links to the file PATH.",
           {.example = "ffind --samefile /etc/hosts /etc"}),
    option(Id::tag, "--tag", "TAG", "Has this Finder tag; comma-separated; none: no tag.",
           {.example = "ffind --tag Red,Blue or ffind --tag none"}),
    option(Id::comment, "--comment", "TEXT", "The Finder comment contains TEXT.",
           {.example = "ffind --comment draft"}),
    option(Id::where_from, "--where-from", "TEXT", "Downloaded from an address that contains TEXT.",
           {.example = "ffind --where-from example.org"}),
    option(Id::xattr, "--xattr", "NAME[=TEXT]", "Has this extended attribute, containing TEXT.",
           {.example = "ffind --xattr user.origin or --xattr user.origin=example"}),
    option(Id::contains, "--contains", "TEXT", "Files whose contents contain TEXT.",
           {.brief = "text in files", .example = "ffind --contains TODO"}),
    option(Id::contains_regex, "--contains-regex", "RE", "Files whose contents match RE.",
           {.example = "ffind --contains-regex 'TODO|FIXME'"}),
    // It selects nothing by itself, so it is a switch and has a --no-binary.
    flag(Id::binary, "--binary", "Also search the contents of binary files."),

    // A filter for the matcher, but a command for the parser: it ends at a lone `;`. A
    // configuration may run no command.
    option(
        Id::condition, "--if", "CMD...",
        "Keep matches for which CMD succeeds (runs after all other tests); ends at ';' or the end.",
        {.example = "ffind --ext sh --if bash -n {} ';'", .stored_in = searches}),

    // Roots belong to a single search. --search-path is fd's.
    option(Id::in, "--in", "PATH", "Search below PATH, like a PATH argument.",
           {.group = scope,
            .other_names = "--search-path",
            .brief = "search there",
            .stored_in = searches}),
    option(Id::files0_from, "--files0-from", "FILE",
           "Read NUL-terminated roots from FILE (-: standard input).",
           {.example = "printf 'src\\0include\\0' | ffind --files0-from -", .stored_in = searches}),
    // The entries themselves. What a configuration says of walks does not matter to them.
    option(Id::from, "--from", "FILE",
           "Take the entries from the lines of FILE (-: standard input); walk nothing.",
           {.brief = "listed paths",
            .example = "git diff --name-only | ffind --from - --ext py -l",
            .excludes = of_walks,
            .replaces = of_walks,
            .stored_in = searches}),
    option(Id::from0, "--from0", "FILE", "The same from paths that end with NUL.",
           {.example = "git ls-files -z | ffind --from0 - --tree",
            .excludes = of_walks,
            .replaces = of_walks,
            .stored_in = searches}),
    option(
        Id::from_json, "--from-json", "FILE",
        "Take the entries from records of an earlier search (--json=full); no file is looked at.",
        {.example = "ffind --from-json usb.ndjson report -l",
         .excludes = "--in,--files0-from,--prune,--prune-where,--ignore-files,--exclude-from,"
                     "--gitignore,--cross-volumes,--volume,--all-volumes,--network,--method,"
                     "--reader,--follow,--unique,--download,--preview,--if,"
                     "--duplicates,-x,-X,--delete,--trash,--trashed",
         .replaces = "--in,--files0-from,--prune,--prune-where,--ignore-files,--exclude-from,"
                     "--gitignore,--cross-volumes,--volume,--all-volumes,--network,--method,"
                     "--reader,--follow,--unique,--download",
         .stored_in = searches}),
    // A list of what is in the Trash. Its paths lead to no file, so no command is run for them.
    flag(
        Id::trashed, "--trashed",
        "Search what is in the Trash, by the path that it had; PATHs: what was below them. Fields: "
        "deleted, trash_path.",
        {.brief = "in the Trash",
         .example = "ffind --trashed report --sort -deleted",
         .excludes = of_walks_and_lists,
         .replaces = of_walks_and_lists,
         .stored_in = searches}),
    // Has to be typed: the directory is entered before any file is read.
    option(Id::base_directory, "-C,--base-directory", "DIR", "Search as if started in DIR.",
           {.stored_in = no_file}),
    // Given several times, the strictest one counts.
    option(Id::max_depth, "-d,--max-depth", "N",
           "Search at most N levels below each root; with --usage, show them.",
           {.brief = "levels below", .example = "ffind -d 2", .replaces = "--depth"}),
    option(Id::min_depth, "--min-depth", "N", "Skip anything shallower than N.",
           {.example = "ffind --min-depth 2", .replaces = "--depth"}),
    // Exclusions add up: one that is typed should not bring back what a configuration excludes.
    option(Id::prune, "--prune", "GLOB", "List directories that match, but do not enter them.",
           {.example = "--prune .git", .adds_up = true}),
    option(Id::exclude, "-E,--exclude", "GLOB",
           "Skip what matches, with everything below: a name, a/path below the root, or an "
           "/absolute/path.",
           {.brief = "leave out",
            .example = "-E node_modules, -E 'src/*.o' or -E /home/*/.cache",
            .adds_up = true}),
    option(Id::prune_where, "--prune-where", "EXPR",
           "List directories for which the expression holds, but do not enter them.",
           {.example = "--prune-where 'has CACHEDIR.TAG'", .adds_up = true}),
    option(
        Id::exclude_where, "--exclude-where", "EXPR",
        "Skip anything for which the expression holds, with everything below.",
        {.example = "--exclude-where 'type = directory and not owner = alice'", .adds_up = true}),
    option(Id::ignore_files, "--ignore-files", "NAME",
           "Follow the rules in files of this name, as in .gitignore; comma-separated.",
           {.example = "--ignore-files .ignore,.fdignore", .adds_up = true}),
    option(Id::exclude_from, "--exclude-from", "FILE",
           "Skip what the rules in FILE match, as in .gitignore, from each root.",
           {.example = "--exclude-from skip.txt", .adds_up = true}),
    // --no-hidden, --gitignore and --cross-volumes leave the defaults. Each has a row that undoes
    // it, with the name that fd has for it, instead of the general --no-NAME.
    flag(Id::no_hidden, "--no-hidden",
         "Skip names that start with a dot, with everything below; on macOS also what it hides.",
         {.brief = "no dot files",
          .opposites = "--hidden,--unrestricted",
          .replaces = "--only-hidden"}),
    flag(Id::no_packages, "--no-packages",
         "List applications and other macOS bundles, but do not look inside."),
    flag(Id::gitignore, "--gitignore", "Skip what git ignores, and .git itself.",
         {.brief = "as git ignores", .opposites = "--no-ignore,--unrestricted"}),
    flag(Id::follow, "-L,--follow", "Follow symbolic links.", {.brief = "follow links"}),
    flag(Id::unique, "--unique", "Visit each directory once, even if several paths lead to it."),
    flag(Id::cross_volumes, "--cross-volumes",
         "Enter volumes mounted below the roots (network ones with --network).",
         {.brief = "other volumes", .opposites = "--one-file-system"}),
    // Volumes are roots as well.
    option(Id::volume, "--volume", "VOLUME",
           "Search the whole volume that holds a path, or has this name.", {.stored_in = searches}),
    flag(Id::all_volumes, "--all-volumes", "Search all local volumes in parallel.",
         {.stored_in = searches}),
    flag(Id::network, "--network", "Include network volumes in --all-volumes and --cross-volumes."),
    flag(Id::download, "--download",
         "Fetch what is only in iCloud, if its list or its contents are needed (macOS).",
         {.stored_in = searches}),
    // The flags that users of fd and rg type by habit. They are the default here, so that all they
    // do is to undo a configuration or an option before them. --help has one line for all.
    flag(Id::hidden, "-H,--hidden", "Undo --no-hidden: include hidden files, the default.",
         {.opposites = "--no-hidden", .replaces = "--only-hidden"}),
    flag(Id::no_ignore, "-I,--no-ignore", "Undo --gitignore: include ignored files, the default.",
         {.other_names = "--no-ignore-vcs", .opposites = "--gitignore"}),
    flag(Id::unrestricted, "-u,--unrestricted", "Undo --no-hidden and --gitignore.",
         {.opposites = "--no-hidden,--gitignore", .replaces = "--only-hidden"}),
    flag(Id::one_file_system, "--one-file-system",
         "Undo --cross-volumes: one volume per root, the default.",
         {.other_names = "--xdev", .opposites = "--cross-volumes"}),

    // Formats exclude each other, but --tree with --long has columns. NUL also ends templates,
    // lines of -l and rows of tables; with the single number of a bare --count it is refused in
    // refuse_contradictions().
    flag(Id::null, "-0,--null", "End each path with NUL, for xargs -0.",
         {.group = output,
          .other_names = "--print0",
          .brief = "NUL after each",
          .excludes = "--json,--csv,--tsv,--tree,--exec,--exec-batch,--delete,--trash,--restore",
          .replaces = formats}),
    // `--json` is `--json=lines`, records of the usual fields; other words are fields as well. In
    // `--json x`, x is an argument, since a value of such a row follows `=` only.
    optional(Id::json, "--json", "lines",
             "NDJSON, one object per line; =size,owner: these fields, =full: all of them.",
             {.brief = "NDJSON",
              .choices = "lines,full",
              .example = "--json=full or --json=size,modified,owner",
              .replaces = formats}),
    optional(Id::csv, "--csv", "lines",
             "CSV with a heading, for spreadsheets and DuckDB; =path,owner as in --json.",
             {.choices = "lines,full",
              .example = "--csv, --csv=path,owner or --count=ext --csv",
              .excludes = "--json",
              .replaces = formats}),
    optional(Id::tsv, "--tsv", "lines", "The same with tabs in the place of commas.",
             {.choices = "lines,full",
              .example = "--tsv=path,size",
              .excludes = "--json,--csv",
              .replaces = formats}),
    option(Id::format, "--format", "TEMPLATE", "Print this: '{size:h>8} {modified:%F} {path:q}'.",
           {.brief = "{size} {path}",
            .example = "--format '{size:h>8} {path}'",
            .excludes = "--json,--csv,--tsv",
            .replaces = formats}),
    flag(Id::details, "-l,--long", "Size, time and path; -ll: mode, links, owner and group, too.",
         {.other_names = "--list-details",
          .brief = "size and time",
          .excludes = "--format,--json,--csv,--tsv",
          .replaces = formats}),
    flag(Id::tree, "--tree",
         "Print the matches as a sorted tree, with the directories above them; with -l also sizes, "
         "sums and times.",
         {.brief = "as a tree", .excludes = "--format,--json,--csv,--tsv", .replaces = formats}),
    // Takes the place of a file's --sort, too: a table has keys of its own, and a bare --count has
    // nothing to sort, so most orders of lists would be an error.
    optional(
        Id::count, "--count", "matches",
        "Print only the number of matches; =KEY,...: a table by any fields (ext, owner, "
        "modified:%Y, size, age, tag), with the size of the files; =dir:N: with all that is below "
        "each directory of depth N.",
        {.brief = "how many",
         .choices = "matches,dir,kind,ext,owner,group,type,depth,size,age,year,month,day,tag",
         .example = "--count=ext,owner, --count=modified:%Y or --count=dir:2",
         .excludes = "--format,--long,--tree,--exec,--exec-batch,--delete,--trash,--restore",
         .replaces = formats_and_order}),
    // With it every argument is a PATH, so a configuration may not have it. Its -d is for lists.
    optional(
        Id::usage, "--usage", "all",
        "What takes the space: the largest directories and files as a tree, in a pipe all "
        "directories; =dirs or =files: only these; =LEVELS or -d: as deep as that.",
        {.brief = "disk space",
         .choices = "all,dirs,files,0,1,2,3",
         .example = "--usage, --usage=2 or --usage=files,2",
         .excludes =
             "--format,--long,--tree,--count,--pick,--exec,--exec-batch,--delete,--trash,--restore",
         .replaces =
             "--json,--csv,--tsv,--format,--long,--tree,--count,--usage,--null,--sort,--max-depth",
         .stored_in = searches}),
    flag(Id::duplicates, "--duplicates",
         "Groups of equal files, those with the largest waste first; -n N: N groups; with --keep "
         "an action takes all but one of each.",
         {.brief = "equal files",
          .example = "ffind --duplicates --kind image ~/Pictures",
          .excludes = "--tree,--count,--usage,--pick,--quiet",
          .stored_in = searches}),
    // The other name is that of du and dust.
    flag(Id::apparent, "--apparent",
         "Sizes of files for --usage, instead of the space that they take.",
         {.other_names = "--apparent-size",
          .example = "ffind --usage --apparent",
          .needs = "--usage"}),
    // The other name is that of ls, du and df.
    optional(Id::human, "--human", "always",
             "Sizes for people (1.2M) in -l, trees and tables, into a pipe too; =WHEN: always, "
             "auto or never.",
             {.other_names = "--human-readable",
              .choices = "always,auto,never",
              .example = "ffind -l --sort -size --human | head"}),
    // Several --sort on one command line are one list of keys.
    option(Id::sort, "--sort", "KEY",
           "Sort by name, path, size, modified or other fields; -KEY reverses; comma-separated; "
           "with --pick also match, found or space.",
           {.brief = "size, -name",
            .example = "--sort name, --sort -size or --sort ext,-modified",
            .replaces = "--sort"}),
    flag(Id::absolute, "-a,--absolute", "Print absolute paths.",
         {.other_names = "--absolute-path", .brief = "whole paths"}),
    flag(Id::mark, "-k,--mark",
         "End the paths of directories with a slash; automatic on a terminal without colours."),
    // -1 is a limit as well; the smaller of the two counts.
    option(Id::limit, "-n,--limit", "N", "Stop after N matches; with --sort, print the first N.",
           {.other_names = "--max-results",
            .brief = "the first N",
            .example = "ffind -n 10",
            .replaces = "--limit,-1"}),
    flag(Id::one, "-1", "Stop after the first match.", {.replaces = "--limit,-1"}),
    // Overrides all formats: scripts add it to a line that prints.
    flag(Id::quiet, "-q,--quiet", "Print nothing; status 0 if anything matches, else 1.",
         {.brief = "status only", .excludes = "--exec,--exec-batch,--delete,--trash,--restore"}),
    option(Id::color, "--color", "WHEN", "auto, always or never; colours are those of LS_COLORS.",
           {.choices = "auto,always,never", .example = "--color=never"}),
    optional(Id::hyperlink, "--hyperlink", "auto",
             "Print paths as terminal hyperlinks; =WHEN: auto, always or never.",
             {.choices = "auto,always,never", .example = "--hyperlink=never"}),
    flag(Id::stats, "--stats",
         "Print counts and the time taken on standard error; with -l or --json all that is "
         "counted."),
    // Two rows, since there are three states: without either, progress is shown if it would not
    // disturb.
    flag(Id::progress, "--progress",
         "Show progress: on a terminal always, elsewhere one line every ten seconds.",
         {.opposites = "--no-progress"}),
    flag(Id::no_progress, "--no-progress",
         "No status line; SIGUSR1 and Ctrl-T (macOS) still print one.",
         {.opposites = "--progress"}),
    flag(Id::no_messages, "--no-messages",
         "Print no error for what cannot be searched; status 1 stays."),
    flag(Id::no_hints, "--no-hints",
         "Print no hints, nor the line that was run in place of another program's."),
    flag(Id::json_errors, "--json-errors", "Print errors as NDJSON on standard error."),
    // Formats and commands get the picked matches. Excluded are outputs that are no list of
    // matches, and --delete.
    optional(Id::pick, "--pick", "",
             "Pick by hand, from a list that narrows while you type; =QUERY begins it with that in "
             "the prompt; F1 shows the keys.",
             {.brief = "choose by hand",
              .example = "ffind --pick='ext:pdf invoice'",
              .excludes = "--quiet,--count,--delete,--trash,--restore",
              .stored_in = searches}),
    option(Id::height, "--height", "N[%]",
           "Show the list of --pick in N rows, or N percent of them, below the cursor.",
           {.example = "ffind --pick --height 40%", .replaces = "--height", .needs = "--pick"}),
    option(Id::preview, "--preview", "CMD",
           "Show the output of CMD for the current entry of --pick; {} is its path.",
           {.example = "ffind --pick --preview 'bat --color=always {}'",
            .replaces = "--preview",
            .needs = "--pick"}),
    flag(Id::no_history, "--no-history", "Neither keep nor show queries of earlier lists (--pick).",
         {.example = "ffind --pick --no-history", .needs = "--pick"}),

    // Actions on the matches, which exclude formats and each other; a typed one replaces the format
    // of a saved search. A configuration may not have them: what it adds to every search must not
    // run anything.
    option(Id::exec, "-x,--exec", "CMD...",
           "Run CMD for each match, in parallel; ends at ';' or the end. {size}, {modified:%Y}: "
           "fields, as in --format.",
           {.group = commands,
            .brief = "for each match",
            .excludes = "--tree,--long,--format,--json,--csv,--tsv",
            .replaces = formats,
            .stored_in = searches}),
    option(Id::exec_batch, "-X,--exec-batch", "CMD...",
           "Run CMD with as many matches at once as fit. {} {/} {//} {.} {/.} in CMD: path, name, "
           "directory, path and name without extension; else the path comes last.",
           {.brief = "for all at once",
            .excludes = "--exec,--tree,--long,--format,--json,--csv,--tsv",
            .replaces = formats,
            .stored_in = searches}),
    option(Id::batch_size, "--batch-size", "N", "Run -X with at most N matches at once.",
           {.example = "ffind --ext log --batch-size 100 -X gzip",
            .replaces = "--batch-size",
            .needs = "-X",
            .stored_in = searches}),
    flag(Id::exec_in_dir, "--exec-in-dir",
         "Run each command in the match's directory, with ./name.",
         {.example = "ffind -g '*.bak' --exec-in-dir -x gzip",
          .needs = "-x,-X",
          .stored_in = searches}),
    flag(Id::remove, "--delete",
         "Delete the matches: files, then directories that are empty by then; asks first at a "
         "terminal.",
         {.brief = "asks first",
          .excludes = "--exec-batch,--exec,--tree,--long,--format,--json,--csv,--tsv",
          .replaces = formats,
          .stored_in = searches}),
    // is_own_option() knows this one and --confirm: at the end of a command they were typed too
    // late.
    flag(Id::trash, "--trash",
         "Move the matches to the Trash; asks as --delete does. Directories move whole.",
         {.brief = "can be undone",
          .excludes = "--delete,--exec-batch,--exec,--tree,--long,--format,--json,--csv,--tsv",
          .replaces = formats,
          .stored_in = searches}),
    flag(Id::restore, "--restore",
         "With --trashed: move the matches back to the paths that they had, never over anything.",
         {.example = "ffind --trashed report --restore",
          .excludes =
              "--trash,--delete,--exec-batch,--exec,--tree,--long,--format,--json,--csv,--tsv",
          .replaces = formats,
          .needs = "--trashed",
          .stored_in = searches}),
    option(Id::keep, "--keep", "WHICH",
           "Of each group of --duplicates, spare the first or last file in the order of --sort.",
           {.choices = "first,last",
            .example = "ffind --duplicates --sort modified --keep first --trash",
            .replaces = "--keep",
            .needs = "--duplicates",
            .stored_in = searches}),
    flag(Id::dry_run, "--dry-run", "Print what would be run, deleted or moved, quoted for a shell.",
         {.brief = "only show it",
          .example = "ffind -g '*.bak' --dry-run --delete",
          .needs = actions,
          .stored_in = searches}),
    flag(Id::confirm, "--confirm",
         "Ask before each command, deletion or move: y, n, a(ll), q(uit).",
         {.example = "ffind -g '*.bak' --confirm --delete",
          .needs = actions,
          .stored_in = searches}),
    flag(Id::yes, "--yes",
         "Act without asking, whole directories included; needed for an action without a filter "
         "where no terminal can be asked.",
         {.example = "ffind -g '*.bak' --yes --delete", .needs = actions, .stored_in = searches}),

    // The engine. The planner's choices are forced by these; --method and --reader fail if a volume
    // does not support them.
    option(Id::threads, "-j,--threads", "N", "Threads for each volume, and commands at one time.",
           {.group = engine, .example = "ffind -j 4"}),
    option(Id::method, "--method", "METHOD", "auto, walk or catalog.",
           {.choices = "auto,walk,catalog", .example = "--method walk"}),
    option(Id::reader, "--reader", "READER", "auto, getdents, readdir, fts or bulk.",
           {.choices = "auto,getdents,readdir,fts,bulk", .example = "--reader readdir"}),
    // Saved searches may explain themselves. --list-volumes and --compare-readers are no searches.
    flag(Id::explain, "--explain",
         "Print what would be done and why, with -l or --json in full; search nothing.",
         {.brief = "the plan", .stored_in = searches}),
    flag(
        Id::list_volumes, "--list-volumes",
        "List the volumes, or those of each PATH, with size, free space and how each would be "
        "searched; with -l or --json all volumes and all that is known.",
        {.other_names = "--volumes",
         .example = "ffind --list-volumes ~/Documents",
         .goes_with =
             "--in,--volume,--base-directory,--long,--json,--csv,--tsv,--human,--color,--hyperlink,"
             "--no-messages,--no-hints,--json-errors,--no-config",
         .stored_in = no_file}),
    // Without --cross-volumes: each tree is on one volume.
    flag(Id::compare_readers, "--compare-readers",
         "Measure every way to list a PATH; search nothing.",
         {.example = "ffind --compare-readers ~/Documents",
          .goes_with =
              "--in,--files0-from,--base-directory,--max-depth,--min-depth,--prune,--exclude,"
              "--prune-where,--exclude-where,--ignore-files,--exclude-from,--no-hidden,"
              "--no-packages,--gitignore,--follow,--unique,--one-file-system,--volume,"
              "--all-volumes,--network,--download,--hidden,--no-ignore,--unrestricted,"
              "--json,--json-errors,--no-messages,--no-hints,--color,--hyperlink,--absolute,--mark,"
              "--progress,--no-progress,--stats,--threads,--method,--reader,--no-config",
          .stored_in = no_file}),

    // Actions on the files themselves, which could not be in one.
    option(Id::save, "--save", "NAME",
           "Save the rest of the command line as @NAME; search nothing.",
           {.group = saved, .stored_in = no_file}),
    flag(Id::saved, "--saved", "List the saved searches; ffind @NAME [more] runs one.",
         {.example = "ffind --saved", .goes_with = messages, .stored_in = no_file}),
    option(Id::forget, "--forget", "NAME", "Remove the saved search NAME.",
           {.example = "ffind --forget big", .goes_with = messages, .stored_in = no_file}),
    // In a configuration it would contradict itself.
    flag(Id::no_config, "--no-config", "Read no configuration.", {.stored_in = searches}),

    // As the first word it is seen before any word is scanned.
    option(Id::as, "--as", "PROGRAM", "As the first word: read the rest as a line of find or fd.",
           {.group = other,
            .choices = "find,fd",
            .example = "ffind --as find . -name core -size +1M",
            .stored_in = no_file}),
    // Short and long help differ, so -h is not a short name of --help.
    flag(Id::short_help, "-h", "Help on the everyday options, with examples.",
         {.stored_in = no_file}),
    flag(Id::help, "--help", "All options; --help WORD: more about an option, field, key or task.",
         {.stored_in = no_file}),
    option(
        Id::completions, "--completions", "SHELL", "Print the completions for bash, zsh or fish.",
        {.choices = "bash,zsh,fish", .example = "ffind --completions zsh", .stored_in = no_file}),
    flag(Id::version, "-V,--version", "Version.", {.stored_in = no_file}),
};

/// The rows, each with its group.
constexpr auto table = [] {
  std::array<OptionRow, std::size(listed)> all{};
  std::string_view group;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = listed[i];
    if (!listed[i].group.empty()) group = listed[i].group;
    all[i].group = group;
  }
  return all;
}();

template <typename Use>
constexpr void for_each_word(std::string_view list, Use use) {
  while (!list.empty()) use(text::take_part(list, ','));
}

// A name, and the row that it belongs to.
struct Named {
  std::string_view name;
  const OptionRow* row;
};

template <typename Use>
constexpr void for_each_name(Use use) {
  for (const OptionRow& row : table) {
    for_each_word(row.names, [&](std::string_view name) { use(Named{name, &row}); });
    for_each_word(row.other_names, [&](std::string_view name) { use(Named{name, &row}); });
  }
}

/// All names in order, made by the compiler: to look an option up costs a few comparisons, and
/// starting the program nothing.
constexpr auto name_index = [] {
  constexpr std::size_t count = [] {
    std::size_t names = 0;
    for_each_name([&](const Named&) { ++names; });
    return names;
  }();
  std::array<Named, count> index{};
  auto next = index.begin();
  for_each_name([&](const Named& named) { *next++ = named; });
  std::sort(index.begin(), index.end(),
            [](const Named& a, const Named& b) { return a.name < b.name; });
  return index;
}();

constexpr const OptionRow* row_called(std::string_view name) {
  const auto found = std::lower_bound(
      name_index.begin(), name_index.end(), name,
      [](const Named& named, std::string_view sought) { return named.name < sought; });
  return found != name_index.end() && found->name == name ? found->row : nullptr;
}

// Checked by the compiler: a misspelt name in a relation would silently relate nothing.
constexpr bool lists_name_options() {
  bool all = true;
  for (const OptionRow& row : table) {
    for (const std::string_view list :
         {row.excludes, row.opposites, row.replaces, row.needs, row.goes_with}) {
      for_each_word(list, [&](std::string_view name) { all = all && row_called(name) != nullptr; });
    }
  }
  return all;
}

// Checked as well: of two rows with one name, the look-up would find only one.
constexpr bool names_differ() {
  return std::adjacent_find(name_index.begin(), name_index.end(),
                            [](const Named& a, const Named& b) { return a.name == b.name; }) ==
         name_index.end();
}

// option_of() is an index.
constexpr bool rows_are_in_order() {
  std::size_t next = 0;
  return std::all_of(table.begin(), table.end(), [&](const OptionRow& row) {
    return static_cast<std::size_t>(row.id) == next++;
  });
}

static_assert(rows_are_in_order());
static_assert(lists_name_options());
static_assert(names_differ());

}  // namespace

std::span<const OptionRow> option_table() {
  return table;
}

const OptionRow* find_option(std::string_view name) {
  return row_called(name);
}

const OptionRow& option_of(Id id) {
  return table[static_cast<std::size_t>(id)];
}

}  // namespace ffind::cli
