// SPDX-License-Identifier: MIT
// The rows, and their index by name. To add an option: a member of Options, a row here, what it
// means in query_builder.cpp, output_options.cpp or run.cpp, the man page, and the three
// completions; the tests check help, man page and completions against this table.
//
// Everything is constexpr: the rows, and `name_index`, in which all names of all rows are sorted
// for a binary search. So a relation to an unknown option, and a name that two rows have, do not
// compile. Rows are compared by their address; other code finds "its" row by the member of Options
// that it fills, with option_of().
#include "cli/option_table.h"
#include "text/ascii.h"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

namespace ffind::cli {
namespace {

using O = Options;

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
    "--json,--fields,--format,--long,--tree,--count,--usage,--null";
constexpr std::string_view formats_and_order =
    "--json,--fields,--format,--long,--tree,--count,--usage,--null,--sort";

constexpr std::string_view actions = "-x,-X,--delete,--trash";

// An alias may add these to every command.
constexpr std::string_view messages = "--color,--hyperlink,--no-messages,--json-errors,--no-config";

// Reading a row. An omitted member has its default from OptionRow.
//
//     .names = "-e,--regex"         the last one is the main name: CLI11 gets it, messages quote it
//     .other_names = "--newer"      accepted and understood, but neither in help nor completions
//     .value = "RE"                 for help and messages; in rows of commands "CMD..."
//     .target = &O::regexes         its type decides: bool is a flag, a list of texts takes a value
//                                   each time, a list of lists takes the words of a command
//     .value_when_absent = "auto"   --hyperlink is --hyperlink=auto; `value` is then empty
//     .choices = "auto,never"       for messages, completions and --NAME=CHOICE; not checked by the
//                                   parser but where the value is used
//     .example = "ffind -n 10"      ends a message about the value
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
//     beside       all others are an error
//
// `replaces` is only for options that say the same thing in another way. All other exclusions stay
// errors between a file and what is typed: dropping a saved -L because of a --delete would search
// for something else, and a saved command is the point of its search.
constexpr OptionRow table[] = {
    // Patterns. With any of them all arguments are PATHs (pattern_targets), so a configuration may
    // not have one: each TEXT that is typed would become a PATH. Saved searches may.
    {.group = patterns,
     .names = "-F,--text",
     .value = "TEXT",
     .help = "Names that contain TEXT, even if it looks like a path.",
     .target = &O::texts,
     .everyday = true,
     .example = "ffind -F report",
     .stored_in = StoredIn::searches},
    {.group = patterns,
     .names = "-e,--regex",
     .value = "RE",
     .help = "Names that match the regular expression (RE2), anywhere.",
     .target = &O::regexes,
     .everyday = true,
     .example = "ffind name -e '\\.(cc|h)$'",
     .stored_in = StoredIn::searches},
    {.group = patterns,
     .names = "-g,--glob",
     .value = "GLOB",
     .help = "Names that match the glob as a whole: * ? [a-z] {a,b}; ** in paths.",
     .target = &O::globs,
     .everyday = true,
     .example = "ffind -g '*.tar.*'",
     .stored_in = StoredIn::searches},
    {.group = patterns,
     .names = "--exact",
     .value = "TEXT",
     .help = "Names that are exactly TEXT.",
     .target = &O::exacts,
     .example = "ffind --exact Makefile",
     .stored_in = StoredIn::searches},
    {.group = patterns,
     .names = "--starts",
     .value = "TEXT",
     .help = "Names that begin with TEXT.",
     .target = &O::starts,
     .example = "ffind --starts IMG_",
     .stored_in = StoredIn::searches},
    {.group = patterns,
     .names = "--ends",
     .value = "TEXT",
     .help = "Names that end with TEXT.",
     .target = &O::ends,
     .example = "ffind --ends .bak",
     .stored_in = StoredIn::searches},
    // The language of the prompt of --pick.
    {.group = patterns,
     .names = "--query",
     .value = "QUERY",
     .help = "Words in the path and FIELD:VALUE, all of them: 'ext:pdf size:>1M invoice -draft'.",
     .target = &O::queries,
     .example = "ffind --query 'ext:pdf size:>1M invoice -draft'",
     .stored_in = StoredIn::searches},
    // Not in a configuration: it decides what a pattern is matched against, as FIELD does.
    {.group = patterns,
     .names = "-p,--full-path",
     .help = "Match patterns against the absolute path.",
     .target = &O::full_path,
     .stored_in = StoredIn::searches},
    // Treatment of letters is a matter of taste and may be in a configuration.
    {.group = patterns,
     .names = "-i,--ignore-case",
     .help = "Ignore case in all patterns.",
     .target = &O::ignore_case,
     .everyday = true,
     .opposites = "--case-sensitive"},
    {.group = patterns,
     .names = "-s,--case-sensitive",
     .help = "Match case in all patterns.",
     .target = &O::case_sensitive,
     .opposites = "--ignore-case"},
    {.group = patterns,
     .names = "--ignore-diacritics",
     .help = "Ignore diacritics in all patterns: o also matches ö.",
     .target = &O::ignore_diacritics},

    // Expressions narrow, so those of a configuration stay when another one is typed.
    {.group = filters,
     .names = "--where",
     .value = "EXPR",
     .help = "An expression: 'size > 10M and not (ext in (iso, dmg))'.",
     .target = &O::wheres,
     .everyday = true,
     .example = "--where 'size > 10M and not (ext in (iso, dmg))'",
     .adds_up = true},
    // From here to --comment and --contains-regex, most rows have one in `field_options` of
    // query_builder.cpp, which names the field of the expression language that reads the value.
    {.group = filters,
     .names = "-t,--type",
     .value = "TYPE",
     .help = "f(ile), d(irectory), l (symlink), s(ocket), p (fifo), b(lock), c(har); "
             "comma-separated.",
     .target = &O::types,
     .everyday = true,
     .example = "ffind -t f,d or ffind --type symlink"},
    {.group = filters,
     .names = "--kind",
     .value = "KIND",
     .help = "folder, text, code, data, document, spreadsheet, presentation, ebook, image, audio, "
             "video, font, model, archive, disk-image, app, binary, database; comma-separated.",
     .target = &O::kinds,
     .everyday = true,
     .example = "ffind --kind image,video"},
    {.group = filters,
     .names = "--ext",
     .other_names = "--extension",
     .value = "EXT",
     .help = "File name extension, any case; comma-separated.",
     .target = &O::extensions,
     .everyday = true,
     .example = "ffind --ext pdf,docx"},
    {.group = filters,
     .names = "-S,--size",
     .value = "RANGE",
     .help = "Size of a file: 10M, '>1.5Gi', 1k..2M.",
     .target = &O::sizes,
     .everyday = true,
     .example = "--size 10M, --size '>1.5Gi' or --size 1k..2M"},
    {.group = filters,
     .names = "--modified",
     .value = "RANGE",
     .help = "When the contents last changed: 7d (within), '>7d' (longer ago), today, "
             "2026-01..2026-03.",
     .target = &O::modified,
     .everyday = true,
     .example = "--modified 7d, --modified '>2026-01-31' or --modified 2026-01..2026-03"},
    {.group = filters,
     .names = "--created",
     .value = "RANGE",
     .help = "When it was created.",
     .target = &O::created,
     .example = "--created today or --created '>1y'"},
    {.group = filters,
     .names = "--accessed",
     .value = "RANGE",
     .help = "When it was last read.",
     .target = &O::accessed,
     .example = "--accessed 2h or --accessed '>1y'"},
    {.group = filters,
     .names = "--changed",
     .value = "RANGE",
     .help = "When permissions, owner or contents last changed (ctime).",
     .target = &O::changed,
     .example = "--changed 2h or --changed '<2026-01-31'"},
    {.group = filters,
     .names = "--added",
     .value = "RANGE",
     .help = "When it was added to its directory (macOS).",
     .target = &O::added,
     .example = "--added today or --added 2026-01..2026-03"},
    // The other names are fd's.
    {.group = filters,
     .names = "--newer-than",
     .other_names = "--newer,--changed-within,--changed-after,--change-newer-than",
     .value = "FILE|TIME",
     .help = "Modified later than FILE, or since TIME.",
     .target = &O::newer_than,
     .example = "--newer-than Makefile, --newer-than 7d or --newer-than 2026-01-31"},
    {.group = filters,
     .names = "--older-than",
     .other_names = "--older,--changed-before,--change-older-than",
     .value = "FILE|TIME",
     .help = "Modified earlier than FILE, or before TIME.",
     .target = &O::older_than,
     .example = "--older-than Makefile, --older-than 7d or --older-than 2026-01-31"},
    // The same range as --max-depth and --min-depth together, so it takes their place.
    {.group = filters,
     .names = "--depth",
     .other_names = "--exact-depth",
     .value = "RANGE",
     .help = "Depth below the root: 2, 1..3, '>4'.",
     .target = &O::depths,
     .example = "--depth 2, --depth 1..3 or --depth '>4'",
     .replaces = "--max-depth,--min-depth"},
    {.group = filters,
     .names = "--empty",
     .help = "Empty files and empty directories.",
     .target = &O::empty,
     .everyday = true},
    // With --no-hidden from a file nothing would be left to find.
    {.group = filters,
     .names = "--only-hidden",
     .help = "Only names that start with a dot; on macOS also what it hides.",
     .target = &O::only_hidden,
     .replaces = "--no-hidden"},
    {.group = filters,
     .names = "--owner",
     .value = "USER",
     .help = "Name or number of the owner; comma-separated.",
     .target = &O::owners,
     .everyday = true,
     .example = "ffind --owner alice or ffind --owner 1000,1001"},
    {.group = filters,
     .names = "--group",
     .value = "GROUP",
     .help = "Name or number of the group; comma-separated.",
     .target = &O::groups,
     .example = "ffind --group staff or ffind --group 20"},
    {.group = filters,
     .names = "--perm",
     .value = "MODE",
     .help = "Permissions: 644, u=rw,go=r; all of -111, any of /o+w.",
     .target = &O::permissions,
     .example = "--perm 644, --perm -u+w or --perm /o=rwx"},
    {.group = filters,
     .names = "--executable",
     .help = "Files that are executable by anyone.",
     .target = &O::executable},
    {.group = filters,
     .names = "--broken",
     .help = "Symbolic links that lead nowhere.",
     .target = &O::broken},
    {.group = filters,
     .names = "--locked",
     .help = "Immutable or append-only files.",
     .target = &O::locked},
    {.group = filters,
     .names = "--links",
     .value = "RANGE",
     .help = "Number of hard links: '>1'.",
     .target = &O::links,
     .example = "--links 1 or --links '>1'"},
    {.group = filters,
     .names = "--inode",
     .value = "N",
     .help = "Inode number.",
     .target = &O::inodes,
     .example = "ffind --inode 1234"},
    {.group = filters,
     .names = "--samefile",
     .value = "PATH",
     .help = "All hard links to the file PATH.",
     .target = &O::same_files,
     .example = "ffind --samefile /etc/hosts /etc"},
    {.group = filters,
     .names = "--tag",
     .value = "TAG",
     .help = "Has this Finder tag; comma-separated; none: no tag.",
     .target = &O::tags,
     .example = "ffind --tag Red,Blue or ffind --tag none"},
    {.group = filters,
     .names = "--comment",
     .value = "TEXT",
     .help = "The Finder comment contains TEXT.",
     .target = &O::comments,
     .example = "ffind --comment draft"},
    {.group = filters,
     .names = "--where-from",
     .value = "TEXT",
     .help = "Downloaded from an address that contains TEXT.",
     .target = &O::where_froms,
     .example = "ffind --where-from example.org"},
    {.group = filters,
     .names = "--xattr",
     .value = "NAME[=TEXT]",
     .help = "Has this extended attribute, containing TEXT.",
     .target = &O::attributes,
     .example = "ffind --xattr user.origin or --xattr user.origin=example"},
    {.group = filters,
     .names = "--contains",
     .value = "TEXT",
     .help = "Files whose contents contain TEXT.",
     .target = &O::contains,
     .everyday = true,
     .example = "ffind --contains TODO"},
    {.group = filters,
     .names = "--contains-regex",
     .value = "RE",
     .help = "Files whose contents match RE.",
     .target = &O::contains_regexes,
     .example = "ffind --contains-regex 'TODO|FIXME'"},
    // The only row with `asks`: it selects nothing by itself, so it is a switch and has a
    // --no-binary.
    {.group = filters,
     .names = "--binary",
     .help = "Also search the contents of binary files.",
     .target = &O::binary,
     .asks = true},

    // A filter for the matcher, but a command for the parser: it ends at a lone `;`. A
    // configuration may run no command.
    {.group = filters,
     .names = "--if",
     .value = "CMD...",
     .help = "Keep matches for which CMD succeeds (runs after all other tests); ends at ';' or the "
             "end.",
     .target = &O::conditions,
     .example = "ffind --ext sh --if bash -n {} ';'",
     .stored_in = StoredIn::searches},

    // Roots belong to a single search. --search-path is fd's.
    {.group = scope,
     .names = "--in",
     .other_names = "--search-path",
     .value = "PATH",
     .help = "Search below PATH, like a PATH argument.",
     .target = &O::roots,
     .everyday = true,
     .stored_in = StoredIn::searches},
    {.group = scope,
     .names = "--files0-from",
     .value = "FILE",
     .help = "Read NUL-terminated roots from FILE (-: standard input).",
     .target = &O::roots_files,
     .example = "printf 'src\\0include\\0' | ffind --files0-from -",
     .stored_in = StoredIn::searches},
    // Has to be typed: the directory is entered before any file is read.
    {.group = scope,
     .names = "-C,--base-directory",
     .value = "DIR",
     .help = "Search as if started in DIR.",
     .target = &O::base_directory,
     .stored_in = StoredIn::no_file},
    // Given several times, the strictest one counts.
    {.group = scope,
     .names = "-d,--max-depth",
     .value = "N",
     .help = "Search at most N levels below each root.",
     .target = &O::max_depths,
     .everyday = true,
     .example = "ffind -d 2",
     .replaces = "--depth"},
    {.group = scope,
     .names = "--min-depth",
     .value = "N",
     .help = "Skip anything shallower than N.",
     .target = &O::min_depths,
     .example = "ffind --min-depth 2",
     .replaces = "--depth"},
    // Exclusions add up: one that is typed should not bring back what a configuration excludes.
    {.group = scope,
     .names = "--prune",
     .value = "GLOB",
     .help = "List directories that match, but do not enter them.",
     .target = &O::prunes,
     .example = "--prune .git",
     .adds_up = true},
    {.group = scope,
     .names = "-E,--exclude",
     .value = "GLOB",
     .help = "Skip what matches, with everything below: a name, a/path below the root, or an "
             "/absolute/path.",
     .target = &O::excludes,
     .everyday = true,
     .example = "-E node_modules, -E 'src/*.o' or -E /home/*/.cache",
     .adds_up = true},
    {.group = scope,
     .names = "--prune-where",
     .value = "EXPR",
     .help = "List directories for which the expression holds, but do not enter them.",
     .target = &O::prune_wheres,
     .example = "--prune-where 'has CACHEDIR.TAG'",
     .adds_up = true},
    {.group = scope,
     .names = "--exclude-where",
     .value = "EXPR",
     .help = "Skip anything for which the expression holds, with everything below.",
     .target = &O::exclude_wheres,
     .example = "--exclude-where 'type = directory and not owner = alice'",
     .adds_up = true},
    {.group = scope,
     .names = "--ignore-files",
     .value = "NAME",
     .help = "Follow the rules in files of this name, as in .gitignore; comma-separated.",
     .target = &O::ignore_files,
     .example = "--ignore-files .ignore,.fdignore",
     .adds_up = true},
    {.group = scope,
     .names = "--exclude-from",
     .value = "FILE",
     .help = "Skip what the rules in FILE match, as in .gitignore, from each root.",
     .target = &O::exclude_files,
     .example = "--exclude-from skip.txt",
     .adds_up = true},
    // --no-hidden, --gitignore and --cross-volumes leave the defaults. Each has a row that undoes
    // it, with the name that fd has for it, instead of the general --no-NAME.
    {.group = scope,
     .names = "--no-hidden",
     .help = "Skip names that start with a dot, with everything below; on macOS "
             "also what it hides.",
     .target = &O::no_hidden,
     .everyday = true,
     .opposites = "--hidden,--unrestricted",
     .replaces = "--only-hidden"},
    {.group = scope,
     .names = "--no-packages",
     .help = "List applications and other macOS bundles, but do not look inside.",
     .target = &O::no_packages},
    {.group = scope,
     .names = "--gitignore",
     .help = "Skip what git ignores, and .git itself.",
     .target = &O::gitignore,
     .everyday = true,
     .opposites = "--no-ignore,--unrestricted"},
    {.group = scope,
     .names = "-L,--follow",
     .help = "Follow symbolic links.",
     .target = &O::follow,
     .everyday = true},
    {.group = scope,
     .names = "--unique",
     .help = "Visit each directory and file once, even if several paths lead to it.",
     .target = &O::unique},
    {.group = scope,
     .names = "--cross-volumes",
     .help = "Enter volumes mounted below the roots (network ones with --network).",
     .target = &O::cross_volumes,
     .everyday = true,
     .opposites = "--one-file-system"},
    {.group = scope,
     .names = "--one-file-system",
     .other_names = "--xdev",
     .help = "Undo --cross-volumes: one volume per root, the default.",
     .target = &O::one_file_system,
     .opposites = "--cross-volumes"},
    // Volumes are roots as well.
    {.group = scope,
     .names = "--volume",
     .value = "VOLUME",
     .help = "Search the whole volume that holds a path, or has this name.",
     .target = &O::volumes,
     .stored_in = StoredIn::searches},
    {.group = scope,
     .names = "--all-volumes",
     .help = "Search all local volumes in parallel.",
     .target = &O::all_volumes,
     .stored_in = StoredIn::searches},
    {.group = scope,
     .names = "--network",
     .help = "Include network volumes in --all-volumes and --cross-volumes.",
     .target = &O::network},
    // The flags that users of fd type by habit. They are the default here, so that all they do is
    // to undo a configuration or an option before them.
    {.group = scope,
     .names = "--download",
     .help = "Fetch what is only in iCloud, if its list or its contents are needed (macOS).",
     .target = &O::download,
     .stored_in = StoredIn::searches},
    {.group = scope,
     .names = "-H,--hidden",
     .help = "Undo --no-hidden: include hidden files, the default.",
     .target = &O::hidden,
     .opposites = "--no-hidden",
     .replaces = "--only-hidden"},
    {.group = scope,
     .names = "-I,--no-ignore",
     .other_names = "--no-ignore-vcs",
     .help = "Undo --gitignore: include ignored files, the default.",
     .target = &O::no_ignore,
     .opposites = "--gitignore"},
    {.group = scope,
     .names = "-u,--unrestricted",
     .help = "Undo both.",
     .target = &O::unrestricted,
     .opposites = "--no-hidden,--gitignore",
     .replaces = "--only-hidden"},

    // Formats exclude each other. Two pairs may be combined: --json with --fields, which adds to
    // the records, and --tree with --long, which adds columns. NUL also ends templates, lines of -l
    // and rows of tables; with the single number of a bare --count it is refused in
    // refuse_contradictions().
    {.group = output,
     .names = "-0,--null",
     .other_names = "--print0",
     .help = "End each path with NUL, for xargs -0.",
     .target = &O::null,
     .everyday = true,
     .excludes = "--json,--fields,--tree,--exec,--exec-batch,--delete,--trash",
     .replaces = formats},
    // `--json` is `--json=lines`, records of the common fields. In `--json x`, x is an argument,
    // since a value of such a row follows `=` only.
    {.group = output,
     .names = "--json",
     .help = "NDJSON, one object per line; =full adds all fields.",
     .target = &O::json,
     .everyday = true,
     .value_when_absent = "lines",
     .choices = "lines,full",
     .example = "--json=full",
     .replaces = formats},
    // Implies --json.
    {.group = output,
     .names = "--fields",
     .value = "FIELD",
     .help = "NDJSON with these additional fields: size,modified,owner...",
     .target = &O::fields,
     .example = "--fields size,modified,owner",
     .replaces = formats},
    {.group = output,
     .names = "--format",
     .value = "TEMPLATE",
     .help = "Print this: '{size:h>8} {modified:%F} {path:q}'.",
     .target = &O::format,
     .everyday = true,
     .example = "--format '{size:h>8} {path}'",
     .excludes = "--fields,--json",
     .replaces = formats},
    {.group = output,
     .names = "-l,--long",
     .other_names = "--list-details",
     .help = "Mode, links, owner, group, size, time and path.",
     .target = &O::details,
     .everyday = true,
     .excludes = "--format,--fields,--json",
     .replaces = formats},
    {.group = output,
     .names = "--tree",
     .help = "Print the matches as a sorted tree, with the directories above them; with -l also "
             "sizes, sums and times.",
     .target = &O::tree,
     .everyday = true,
     .excludes = "--format,--fields,--json",
     .replaces = formats},
    // Takes the place of a file's --sort, too: a table has keys of its own, and a bare --count has
    // nothing to sort, so most orders of lists would be an error.
    {.group = output,
     .names = "--count",
     .help =
         "Print only the number of matches; =dir, =kind, =ext, =owner, =group or =type: a table, "
         "with the size of the files; =dir:N: with all that is below each directory of depth "
         "N.",
     .target = &O::count,
     .everyday = true,
     .value_when_absent = "matches",
     .choices = "matches,dir,kind,ext,owner,group,type",
     .example = "--count, --count=dir, --count=dir:2, --count=kind or --count=owner",
     .excludes = "--fields,--format,--long,--tree,--exec,--exec-batch,--delete,--trash",
     .replaces = formats_and_order},
    // With it every argument is a PATH, so a configuration may not have it.
    {.group = output,
     .names = "--usage",
     .help = "What takes the space: the largest directories as a tree, in a pipe all of them; "
             "=LEVELS: as deep as that.",
     .target = &O::usage,
     .everyday = true,
     .value_when_absent = "all",
     .choices = "all,0,1,2,3",
     .example = "--usage or --usage=2",
     .excludes = "--fields,--format,--long,--tree,--count,--pick,--exec,--exec-batch,--delete,"
                 "--trash",
     .replaces = formats_and_order,
     .stored_in = StoredIn::searches},
    // The other name is that of du and dust.
    {.group = output,
     .names = "--apparent",
     .other_names = "--apparent-size",
     .help = "Sizes of files for --usage, instead of the space that they take.",
     .target = &O::apparent,
     .example = "ffind --usage --apparent",
     .needs = "--usage"},
    // The other name is that of ls, du and df.
    {.group = output,
     .names = "--human",
     .other_names = "--human-readable",
     .help =
         "Sizes for people (1.2M) in -l, trees and tables, into a pipe too; =WHEN: always, auto "
         "or never.",
     .target = &O::human,
     .value_when_absent = "always",
     .choices = "always,auto,never",
     .example = "ffind -l --sort -size --human | head"},
    // Several --sort on one command line are one list of keys.
    {.group = output,
     .names = "--sort",
     .value = "KEY",
     .help = "Sort by name, path, size, modified or other fields; -KEY reverses; comma-separated.",
     .target = &O::sort,
     .everyday = true,
     .example = "--sort name, --sort -size or --sort ext,-modified",
     .replaces = "--sort"},
    {.group = output,
     .names = "-a,--absolute",
     .other_names = "--absolute-path",
     .help = "Print absolute paths.",
     .target = &O::absolute,
     .everyday = true},
    {.group = output,
     .names = "-k,--mark",
     .help = "End the paths of directories with a slash; automatic on a terminal without colours.",
     .target = &O::mark},
    // -1 is a limit as well; the smaller of the two counts.
    {.group = output,
     .names = "-n,--limit",
     .other_names = "--max-results",
     .value = "N",
     .help = "Stop after N matches; with --sort, print the first N.",
     .target = &O::limits,
     .everyday = true,
     .example = "ffind -n 10",
     .replaces = "--limit,-1"},
    {.group = output,
     .names = "-1",
     .help = "Stop after the first match.",
     .target = &O::one,
     .replaces = "--limit,-1"},
    // Overrides all formats: scripts add it to a line that prints.
    {.group = output,
     .names = "-q,--quiet",
     .help = "Print nothing; status 0 if anything matches, else 1.",
     .target = &O::quiet,
     .everyday = true,
     .excludes = "--exec,--exec-batch,--delete,--trash"},
    {.group = output,
     .names = "--color",
     .value = "WHEN",
     .help = "auto, always or never; colours are those of LS_COLORS.",
     .target = &O::color,
     .choices = "auto,always,never",
     .example = "--color=never"},
    {.group = output,
     .names = "--hyperlink",
     .help = "Print paths as terminal hyperlinks; =WHEN: auto, always or never.",
     .target = &O::hyperlink,
     .value_when_absent = "auto",
     .choices = "auto,always,never",
     .example = "--hyperlink=never"},
    {.group = output,
     .names = "--stats",
     .help = "Print counts and the time taken on standard error; with -l or --json all that is "
             "counted.",
     .target = &O::statistics},
    // Two rows, since there are three states: without either, progress is shown if it would not
    // disturb.
    {.group = output,
     .names = "--progress",
     .help = "Show progress: on a terminal always, elsewhere one line every ten seconds.",
     .target = &O::progress,
     .opposites = "--no-progress"},
    {.group = output,
     .names = "--no-progress",
     .help = "No status line; SIGUSR1 and Ctrl-T (macOS) still print one.",
     .target = &O::no_progress,
     .opposites = "--progress"},
    {.group = output,
     .names = "--no-messages",
     .help = "Print no error for what cannot be searched; status 1 stays.",
     .target = &O::no_messages},
    {.group = output,
     .names = "--json-errors",
     .help = "Print errors as NDJSON on standard error.",
     .target = &O::json_errors},
    // Formats and commands get the picked matches. Excluded are outputs that are no list of
    // matches, and --delete.
    {.group = output,
     .names = "--pick",
     .help = "Pick by hand, from a list that narrows while you type; F1 shows the keys.",
     .target = &O::pick,
     .everyday = true,
     .excludes = "--quiet,--count,--delete,--trash",
     .stored_in = StoredIn::searches},
    // A configuration may have it without --pick.
    {.group = output,
     .names = "--pick-order",
     .value = "ORDER",
     .help =
         "First order of --pick: match (the default), found, name, path, size, space or modified.",
     .target = &O::pick_order,
     .choices = "match,found,name,path,size,space,modified,time",
     .example = "ffind --pick --pick-order=found",
     .needs = "--pick"},
    {.group = output,
     .names = "--pick-query",
     .value = "QUERY",
     .help = "Begin the list of --pick with QUERY in its prompt.",
     .target = &O::pick_query,
     .example = "ffind --pick --pick-query 'ext:pdf invoice'",
     .replaces = "--pick-query",
     .needs = "--pick",
     .stored_in = StoredIn::searches},
    {.group = output,
     .names = "--height",
     .value = "N[%]",
     .help = "Show the list of --pick in N rows, or N percent of them, below the cursor.",
     .target = &O::height,
     .example = "ffind --pick --height 40%",
     .replaces = "--height",
     .needs = "--pick"},
    {.group = output,
     .names = "--preview",
     .value = "CMD",
     .help = "Show the output of CMD for the current entry of --pick; {} is its path.",
     .target = &O::preview,
     .example = "ffind --pick --preview 'bat --color=always {}'",
     .replaces = "--preview",
     .needs = "--pick"},
    {.group = output,
     .names = "--no-history",
     .help = "Neither keep nor show queries of earlier lists (--pick).",
     .target = &O::no_history,
     .example = "ffind --pick --no-history",
     .needs = "--pick"},

    // Actions on the matches, which exclude formats and each other; a typed one replaces the format
    // of a saved search. A configuration may not have them: what it adds to every search must not
    // run anything.
    {.group = commands,
     .names = "-x,--exec",
     .value = "CMD...",
     .help = "Run CMD for each match, in parallel; ends at ';' or the end. {size}, {modified:%Y}: "
             "fields, as in --format.",
     .target = &O::execs,
     .everyday = true,
     .excludes = "--tree,--long,--format,--fields,--json",
     .replaces = formats,
     .stored_in = StoredIn::searches},
    {.group = commands,
     .names = "-X,--exec-batch",
     .value = "CMD...",
     .help = "Run CMD with as many matches at once as fit. {} {/} {//} {.} {/.} in CMD: "
             "path, name, directory, path and name without extension; else the path comes last.",
     .target = &O::exec_batches,
     .everyday = true,
     .excludes = "--exec,--tree,--long,--format,--fields,--json",
     .replaces = formats,
     .stored_in = StoredIn::searches},
    {.group = commands,
     .names = "--batch-size",
     .value = "N",
     .help = "Run -X with at most N matches at once.",
     .target = &O::batch_size,
     .example = "ffind --ext log --batch-size 100 -X gzip",
     .replaces = "--batch-size",
     .needs = "-X",
     .stored_in = StoredIn::searches},
    {.group = commands,
     .names = "--exec-in-dir",
     .help = "Run each command in the match's directory, with ./name.",
     .target = &O::exec_in_dir,
     .example = "ffind -g '*.bak' --exec-in-dir -x gzip",
     .needs = "-x,-X",
     .stored_in = StoredIn::searches},
    {.group = commands,
     .names = "--delete",
     .help = "Delete the matches: files, then directories that are empty by then; asks first at a "
             "terminal.",
     .target = &O::remove,
     .everyday = true,
     .excludes = "--exec-batch,--exec,--tree,--long,--format,--fields,--json",
     .replaces = formats,
     .stored_in = StoredIn::searches},
    // is_own_option() knows this one and --confirm: at the end of a command they were typed too
    // late.
    {.group = commands,
     .names = "--trash",
     .help = "Move the matches to the Trash; asks as --delete does. Directories move whole.",
     .target = &O::trash,
     .everyday = true,
     .excludes = "--delete,--exec-batch,--exec,--tree,--long,--format,--fields,--json",
     .replaces = formats,
     .stored_in = StoredIn::searches},
    {.group = commands,
     .names = "--dry-run",
     .help = "Print what would be run, deleted or moved, quoted for a shell.",
     .target = &O::dry_run,
     .everyday = true,
     .example = "ffind -g '*.bak' --dry-run --delete",
     .needs = actions,
     .stored_in = StoredIn::searches},
    {.group = commands,
     .names = "--confirm",
     .help = "Ask before each command, deletion or move: y, n, a(ll), q(uit).",
     .target = &O::confirm,
     .example = "ffind -g '*.bak' --confirm --delete",
     .needs = actions,
     .stored_in = StoredIn::searches},
    {.group = commands,
     .names = "--yes",
     .help = "Act without asking, whole directories included; needed for an action without a "
             "filter where no terminal can be asked.",
     .target = &O::yes,
     .example = "ffind -g '*.bak' --yes --delete",
     .needs = actions,
     .stored_in = StoredIn::searches},

    // The engine. The planner's choices are forced by these; --method and --reader fail if a volume
    // does not support them.
    {.group = engine,
     .names = "-j,--threads",
     .value = "N",
     .help = "Threads for each volume, and commands at one time.",
     .target = &O::threads,
     .example = "ffind -j 4"},
    {.group = engine,
     .names = "--method",
     .value = "METHOD",
     .help = "auto, walk or catalog.",
     .target = &O::method,
     .choices = "auto,walk,catalog",
     .example = "--method walk"},
    {.group = engine,
     .names = "--reader",
     .value = "READER",
     .help = "auto, getdents, readdir, fts or bulk.",
     .target = &O::reader,
     .choices = "auto,getdents,readdir,fts,bulk",
     .example = "--reader readdir"},
    // Saved searches may explain themselves. --list-volumes and --compare-readers are no searches.
    {.group = engine,
     .names = "--explain",
     .help = "Print what would be done and why, with -l or --json in full; search nothing.",
     .target = &O::explain,
     .everyday = true,
     .stored_in = StoredIn::searches},
    {.group = engine,
     .names = "--list-volumes",
     .other_names = "--volumes",
     .help = "List the volumes, or those of each PATH, with size, free space and how each would be "
             "searched; with -l or --json all volumes and all that is known.",
     .target = &O::list_volumes,
     .example = "ffind --list-volumes ~/Documents",
     .beside =
         "--in,--volume,--base-directory,--long,--json,--human,--color,--hyperlink,--no-messages,"
         "--json-errors,--no-config",
     .stored_in = StoredIn::no_file},
    {.group = engine,
     .names = "--compare-readers",
     .help = "Measure every way to list a PATH; search nothing.",
     .target = &O::compare_readers,
     .example = "ffind --compare-readers ~/Documents",
     // Without --cross-volumes: each tree is on one volume.
     .beside = "--in,--files0-from,--base-directory,--max-depth,--min-depth,--prune,--exclude,"
               "--prune-where,--exclude-where,--ignore-files,--exclude-from,--no-hidden,"
               "--no-packages,--gitignore,--follow,--unique,--one-file-system,--volume,"
               "--all-volumes,--network,--download,--hidden,--no-ignore,--unrestricted,--json,"
               "--json-errors,--no-messages,--color,--hyperlink,--absolute,--mark,--progress,"
               "--no-progress,--stats,--threads,--method,--reader,--no-config",
     .stored_in = StoredIn::no_file},

    // Actions on the files themselves, which could not be in one.
    {.group = saved,
     .names = "--save",
     .value = "NAME",
     .help = "Save the rest of the command line as @NAME; search nothing.",
     .target = &O::save,
     .stored_in = StoredIn::no_file},
    {.group = saved,
     .names = "--saved",
     .help = "List the saved searches; ffind @NAME [more] runs one.",
     .target = &O::list_saved,
     .example = "ffind --saved",
     .beside = messages,
     .stored_in = StoredIn::no_file},
    {.group = saved,
     .names = "--forget",
     .value = "NAME",
     .help = "Remove the saved search NAME.",
     .target = &O::forget,
     .example = "ffind --forget big",
     .beside = messages,
     .stored_in = StoredIn::no_file},
    // In a configuration it would contradict itself.
    {.group = saved,
     .names = "--no-config",
     .help = "Read no configuration.",
     .target = &O::no_config,
     .stored_in = StoredIn::searches},

    // Short and long help differ, so -h is not a short name of --help.
    {.group = other,
     .names = "-h",
     .help = "Help on one screen, with examples.",
     .target = &O::short_help,
     .stored_in = StoredIn::no_file},
    {.group = other,
     .names = "--help",
     .help = "All options; --help WORD: more about an option, field, key or task.",
     .target = &O::long_help,
     .stored_in = StoredIn::no_file},
    {.group = other,
     .names = "--completions",
     .value = "SHELL",
     .help = "Print the completions for bash, zsh or fish.",
     .target = &O::completions,
     .choices = "bash,zsh,fish",
     .example = "ffind --completions zsh",
     .stored_in = StoredIn::no_file},
    {.group = other,
     .names = "-V,--version",
     .help = "Version.",
     .target = &O::version,
     .stored_in = StoredIn::no_file},
};

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
         {row.excludes, row.opposites, row.replaces, row.needs, row.beside}) {
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

static_assert(lists_name_options());
static_assert(names_differ());

}  // namespace

std::span<const OptionRow> option_table() {
  return table;
}

std::vector<std::string_view> words_in(std::string_view list) {
  std::vector<std::string_view> words;
  for_each_word(list, [&](std::string_view word) { words.push_back(word); });
  return words;
}

std::vector<std::string_view> names_of(const OptionRow& row) {
  return words_in(row.names);
}

std::string_view main_name(const OptionRow& row) {
  return row.names.substr(row.names.rfind(',') + 1);
}

const OptionRow* find_option(std::string_view name) {
  return row_called(name);
}

const OptionRow& option_of(OptionTarget target) {
  return *std::find_if(std::begin(table), std::end(table),
                       [&](const OptionRow& row) { return row.target == target; });
}

text::ValueSource source_of(ValueTarget target) {
  const OptionRow& row = option_of(target);
  return {std::string(main_name(row)), std::string(row.example)};
}

// No null in the result: lists_name_options() has checked the lists of the table. Other lists have
// to name options, too.
std::vector<const OptionRow*> options_in(std::string_view list) {
  std::vector<const OptionRow*> rows;
  for_each_word(list, [&](std::string_view name) { rows.push_back(row_called(name)); });
  return rows;
}

bool is_flag(const OptionRow& row) {
  return std::holds_alternative<FlagTarget>(row.target);
}

bool is_switch(const OptionRow& row) {
  const bool on_or_off = is_flag(row) || !row.value_when_absent.empty();
  const bool is_filter = row.group == filters && !row.asks;
  return on_or_off && !is_filter && row.stored_in != StoredIn::no_file &&
         main_name(row).starts_with("--");
}

// Both directions: "--no-tree" finds --tree, and "--messages" finds --no-messages. Names that have
// a row, such as --no-hidden, never get here.
const OptionRow* find_undone(std::string_view name) {
  constexpr std::string_view no = "--no-";
  const OptionRow* row = nullptr;
  if (name.starts_with(no)) {
    row = find_option("--" + std::string(name.substr(no.size())));
  } else if (name.starts_with("--")) {
    row = find_option(std::string(no) + std::string(name.substr(2)));
  }
  return row != nullptr && is_switch(*row) ? row : nullptr;
}

bool is_pattern_option(const OptionRow& row) {
  return std::any_of(pattern_targets.begin(), pattern_targets.end(),
                     [&](ValueTarget target) { return row.target == OptionTarget(target); });
}

bool is_option_word(std::string_view word) {
  if (word.starts_with("--")) return find_option(word) != nullptr;
  if (word.size() < 2 || word[0] != '-') return false;
  for (const char letter : word.substr(1)) {
    const std::string name = {'-', letter};
    const OptionRow* const option = find_option(name);
    if (option == nullptr) return false;
    if (takes_value(*option)) return true;  // the rest is its value
  }
  return true;
}

bool is_own_option(std::string_view word_of_command) {
  const OptionRow* const row = find_option(word_of_command);
  return row == &option_of(&Options::dry_run) || row == &option_of(&Options::confirm);
}

bool takes_value(const OptionRow& row) {
  return std::holds_alternative<ValueTarget>(row.target) && row.value_when_absent.empty();
}

bool takes_command(const OptionRow& row) {
  return std::holds_alternative<CommandTarget>(row.target);
}

bool is_given(const Options& options, const OptionRow& row) {
  return std::visit(
      [&](auto target) {
        if constexpr (std::is_same_v<decltype(target), FlagTarget>) {
          return options.*target;
        } else {
          return !(options.*target).empty();
        }
      },
      row.target);
}

void take_out(Options& options, const OptionRow& row) {
  std::visit([&](auto target) { options.*target = {}; }, row.target);
}

}  // namespace ffind::cli
