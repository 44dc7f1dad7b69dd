// SPDX-License-Identifier: MIT
// The rows. To add an option: a member of Options, a row here, a line in query_builder.cpp or
// run.cpp, and the man page; the tests hold help, man page and completions to this table.
#include "cli/option_table.h"

#include <algorithm>

namespace ffind {
namespace {

/// Takes the first name off "-e,--regex".
std::string_view take_name(std::string_view& names) {
  const std::string_view name = names.substr(0, names.find(','));
  names.remove_prefix(std::min(names.size(), name.size() + 1));
  return name;
}

}  // namespace

const std::vector<OptionRow>& option_table() {
  using O = Options;
  constexpr std::string_view patterns = "Patterns (smart case: a capital makes it sensitive)";
  constexpr std::string_view filters = "Filters (different ones narrow, repeated ones widen)";
  constexpr std::string_view scope = "Where to look";
  constexpr std::string_view output = "Output";
  constexpr std::string_view commands = "Commands (instead of printing)";
  constexpr std::string_view engine = "How it searches";
  constexpr std::string_view saved = "Saved searches and configuration";
  constexpr std::string_view other = "Other";
  static const std::vector<OptionRow> table = {
      {patterns, "-F,--text", "TEXT", "TEXT anywhere in the name, whatever it looks like.",
       &O::texts, true},
      {patterns, "-e,--regex", "RE", "Regular expression (RE2), found anywhere in the name.",
       &O::regexes, true},
      {patterns, "-g,--glob", "GLOB", "Glob for the whole name: * ? [a-z] {a,b}; ** in paths.",
       &O::globs, true},
      {patterns, "--exact", "TEXT", "The whole name.", &O::exacts},
      {patterns, "--starts", "TEXT", "The name begins with TEXT.", &O::starts},
      {patterns, "--ends", "TEXT", "The name ends with TEXT.", &O::ends},
      {patterns, "-p,--full-path", "", "Match patterns against the absolute path.", &O::full_path},
      {patterns, "-i,--ignore-case", "", "Capitals do not matter, in no pattern.", &O::ignore_case,
       true},
      {patterns, "-s,--case-sensitive", "", "Capitals matter, in every pattern.",
       &O::case_sensitive},
      {patterns, "--ignore-diacritics", "", "o matches ö as well, in every pattern.",
       &O::ignore_diacritics},

      {filters, "--where", "EXPR", "All in one: 'size > 10M and not (ext in (iso, dmg))'.",
       &O::wheres, true},
      {filters, "-t,--type", "TYPE",
       "f(ile), d(irectory), l (symlink), s(ocket), p (fifo), b(lock), c(har); several with "
       "commas.",
       &O::types, true},
      {filters, "--kind", "KIND",
       "folder, text, code, data, document, spreadsheet, presentation, ebook, image, audio, "
       "video, font, model, archive, disk-image, app, binary, database; several with commas.",
       &O::kinds, true},
      {filters,
       "--ext",
       "EXT",
       "File name extension, any case; several with commas.",
       &O::extensions,
       true,
       {},
       "--extension"},
      {filters, "-S,--size", "RANGE", "Size of a file: 10M, '>1.5Gi', 1k..2M.", &O::sizes, true},
      {filters, "--modified", "RANGE",
       "Time of the last change: 7d (within), '>7d' (longer ago), today, 2026-01..2026-03.",
       &O::modified, true},
      {filters, "--created", "RANGE", "Time of creation.", &O::created},
      {filters, "--accessed", "RANGE", "Time of the last access.", &O::accessed},
      {filters, "--changed", "RANGE", "Time of the last change of what a stat tells.", &O::changed},
      {filters, "--added", "RANGE", "Time at which it came into its directory (macOS).", &O::added},
      {filters,
       "--newer-than",
       "FILE|TIME",
       "Modified later than FILE, or since TIME.",
       &O::newer_than,
       false,
       {},
       "--newer,--changed-within,--changed-after,--change-newer-than"},
      {filters,
       "--older-than",
       "FILE|TIME",
       "Modified earlier than FILE, or before TIME.",
       &O::older_than,
       false,
       {},
       "--older,--changed-before,--change-older-than"},
      {filters,
       "--depth",
       "RANGE",
       "Depth below the root: 2, 1..3, '>4'.",
       &O::depths,
       false,
       {},
       "--exact-depth"},
      {filters, "--empty", "", "Files of no bytes and directories of no entries.", &O::empty, true},
      {filters, "--only-hidden", "", "Only what is itself called .something.", &O::only_hidden},
      {filters, "--owner", "USER", "Name or number of the owner; several with commas.", &O::owners,
       true},
      {filters, "--group", "GROUP", "Name or number of the group; several with commas.",
       &O::groups},
      {filters, "--perm", "MODE", "Permissions: 644, u=rw,go=r; all of -111, any of /o+w.",
       &O::permissions},
      {filters, "--executable", "", "Files that somebody may execute.", &O::executable},
      {filters, "--locked", "", "What the system lets nobody change.", &O::locked},
      {filters, "--links", "RANGE", "Number of hard links: '>1'.", &O::links},
      {filters, "--inode", "N", "Inode number.", &O::inodes},
      {filters, "--samefile", "PATH", "The file that PATH leads to, under each of its names.",
       &O::same_files},
      {filters, "--tag", "TAG", "Has this Finder tag, or one of several with commas; none: no tag.",
       &O::tags},
      {filters, "--comment", "TEXT", "The Finder comment contains TEXT.", &O::comments},
      {filters, "--where-from", "TEXT", "An address that it was downloaded from contains TEXT.",
       &O::where_froms},
      {filters, "--xattr", "NAME[=TEXT]", "Has this extended attribute, containing TEXT.",
       &O::attributes},
      {filters, "--contains", "TEXT", "Files whose contents contain TEXT.", &O::contains, true},
      {filters, "--contains-regex", "RE", "Files in whose contents RE is found.",
       &O::contains_regexes},
      {filters, "--binary", "", "Search the contents of binary files, too.", &O::binary},

      {scope,
       "--in",
       "PATH",
       "Search below PATH, like a PATH argument.",
       &O::roots,
       true,
       {},
       "--search-path"},
      {scope, "--files0-from", "FILE",
       "Read roots, each ended by NUL, from FILE (-: standard input).", &O::roots_files},
      {scope, "-C,--base-directory", "DIR", "Search as if started in DIR.", &O::base_directory},
      {scope, "-d,--max-depth", "N", "Go no deeper than N below a root.", &O::max_depths, true},
      {scope, "--min-depth", "N", "List nothing that lies less deep than N.", &O::min_depths},
      {scope, "--prune", "GLOB", "List what matches, do not enter it.", &O::prunes},
      {scope, "-E,--exclude", "GLOB",
       "Neither list nor enter what matches: a name, a/path below the root, or an /absolute/path.",
       &O::excludes, true},
      {scope, "--no-hidden", "", "Neither list nor enter what is called .something.", &O::no_hidden,
       true},
      {scope, "--no-packages", "",
       "List applications and other bundles of macOS, do not look inside.", &O::no_packages},
      {scope, "--gitignore", "", "Neither list nor enter what git ignores, nor .git itself.",
       &O::gitignore, true},
      {scope, "-L,--follow", "", "Symbolic links count as what they lead to.", &O::follow, true},
      {scope, "--unique", "", "Visit each directory once, whatever leads to it.", &O::unique},
      {scope, "--cross-volumes", "",
       "Enter volumes mounted below the roots (network ones with --network).", &O::cross_volumes,
       true},
      {scope,
       "--one-file-system",
       "",
       "Undoes --cross-volumes; one volume is searched anyway.",
       &O::one_file_system,
       false,
       {},
       "--xdev"},
      {scope, "--volume", "VOLUME", "Search the whole volume that holds a path, or has this name.",
       &O::volumes},
      {scope, "--all-volumes", "", "Search every local volume, side by side.", &O::all_volumes},
      {scope, "--network", "", "Let --all-volumes and --cross-volumes take network volumes too.",
       &O::network},
      {scope, "-H,--hidden", "", "Undoes --no-hidden; hidden files are found anyway.", &O::hidden},
      {scope,
       "-I,--no-ignore",
       "",
       "Undoes --gitignore; ignore files are not heeded anyway.",
       &O::no_ignore,
       false,
       {},
       "--no-ignore-vcs"},
      {scope, "-u,--unrestricted", "", "Undoes both; nothing is restricted anyway.",
       &O::unrestricted},

      {output,
       "-0,--null",
       "",
       "End each path with NUL, for xargs -0.",
       &O::null,
       true,
       {},
       "--print0"},
      {output, "--json", "", "NDJSON, one object a line; =full tells all.", &O::json, true,
       "lines"},
      {output, "--fields", "FIELD", "NDJSON with these fields too: size,modified,owner...",
       &O::fields},
      {output, "--format", "TEMPLATE", "Print this: '{size:h>8} {modified:%F} {path:q}'.",
       &O::format, true},
      {output,
       "-l,--long",
       "",
       "Mode, links, owner, group, size, time and path.",
       &O::details,
       true,
       {},
       "--list-details"},
      {output, "--tree", "", "Draw them as a tree, in order, with the directories above.", &O::tree,
       true},
      {output, "--count", "",
       "Print only how many; =dir, =kind or =ext: a table, with the size of the files.", &O::count,
       true, "matches"},
      {output, "--sort", "KEY",
       "Sort by name, path, size, modified or other fields; -KEY reverses; several with commas.",
       &O::sort, true},
      {output,
       "-a,--absolute",
       "",
       "Print absolute paths.",
       &O::absolute,
       true,
       {},
       "--absolute-path"},
      {output,
       "-n,--limit",
       "N",
       "Stop after N matches; with --sort, print the first N.",
       &O::limits,
       true,
       {},
       "--max-results"},
      {output, "-1", "", "Stop after the first match.", &O::one},
      {output, "-q,--quiet", "", "Print nothing; status 0 if anything matches, else 1.", &O::quiet,
       true},
      {output, "--color", "WHEN", "auto, always or never; colours are those of LS_COLORS.",
       &O::color},
      {output, "--hyperlink", "",
       "Make paths links that a terminal opens; =WHEN: auto, always or never.", &O::hyperlink,
       false, "auto"},
      {output, "--stats", "", "Print counts and the time taken on standard error.", &O::statistics},
      {output, "--progress", "",
       "Tell how far it is: on a terminal always, elsewhere a line every ten seconds.",
       &O::progress},
      {output, "--no-progress", "", "No status line; SIGUSR1 and Ctrl-T (macOS) print one anyway.",
       &O::no_progress},
      {output, "--no-messages", "", "Print no line for what cannot be searched; status 1 stays.",
       &O::no_messages},
      {output, "--json-errors", "", "What cannot be searched as NDJSON on standard error.",
       &O::json_errors},

      {commands, "-x,--exec", "CMD...", "Run CMD for each match; it goes up to ';' or the end.",
       &O::execs, true},
      {commands, "-X,--exec-batch", "CMD...",
       "Run CMD for as many matches as its arguments may hold. {} {/} {//} {.} {/.} in CMD: path, "
       "name, directory, path and name without extension; else the path comes last.",
       &O::exec_batches, true},
      {commands, "--exec-in-dir", "", "Run each in the directory of its match, as ./name.",
       &O::exec_in_dir},
      {commands, "--delete", "",
       "Delete the matches: files, then directories that are empty by then.", &O::remove, true},
      {commands, "--dry-run", "", "Print what would be run or deleted, quoted for a shell.",
       &O::dry_run, true},
      {commands, "--confirm", "", "Ask before each command or deletion: y, n, a(ll), q(uit).",
       &O::confirm},
      {commands, "--yes", "", "Let --delete take everything, without a filter.", &O::yes},

      {engine, "-j,--threads", "N", "Threads for each volume, and commands at one time.",
       &O::threads},
      {engine, "--method", "METHOD", "auto, walk or catalog.", &O::method},
      {engine, "--reader", "READER", "auto, getdents, readdir, fts or bulk.", &O::reader},
      {engine, "--explain", "", "Print the plan and the reasons for it; search nothing.",
       &O::explain, true},
      {engine, "--volumes", "", "List the volumes and how each would be searched.",
       &O::list_volumes},

      {saved, "--save", "NAME", "Keep the rest of the command line as @NAME; search nothing.",
       &O::save},
      {saved, "--saved", "", "List the saved searches; ffind @NAME [more] runs one.",
       &O::list_saved},
      {saved, "--no-config", "", "Read no configuration.", &O::no_config},

      {other, "-h", "", "Help on one screen, with examples.", &O::short_help},
      {other, "--help", "", "All options.", &O::long_help},
      {other, "-V,--version", "", "Version.", &O::version},
  };
  return table;
}

std::vector<std::string_view> names_of(const OptionRow& row) {
  std::vector<std::string_view> names;
  for (std::string_view rest = row.names; !rest.empty();) names.push_back(take_name(rest));
  return names;
}

std::string_view main_name(const OptionRow& row) {
  return row.names.substr(row.names.rfind(',') + 1);
}

const OptionRow* find_option(std::string_view name) {
  for (const OptionRow& row : option_table()) {
    for (const std::string_view names : {row.names, row.other_names}) {
      for (std::string_view rest = names; !rest.empty();) {
        if (take_name(rest) == name) return &row;
      }
    }
  }
  return nullptr;
}

}  // namespace ffind
