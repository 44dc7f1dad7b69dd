// SPDX-License-Identifier: MIT
// Values of all options as they were typed, one member for each row of the option table. Filled by
// parse() from argv and from files of arguments; followed_by() and over_configuration() join
// several into one; request.h turns the result into a query and a style.
//
// A flag is false and a list is empty if the option was not given. A list has one text for each
// time that it was, in that order, neither split at commas nor parsed: whether a repeated option
// widens, narrows or replaces is decided by the code that reads the member.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ffind::cli {

struct OptionRow;

struct Options {
  // Arguments that are not options; `--` may precede the first of them
  std::vector<std::string> arguments{};
  bool arguments_after_dashes = false;
  std::vector<std::size_t> argument_places{};  ///< index of each argument among all words

  // Patterns
  // Each has an option of pattern_targets. `texts` are those of -F; TEXT is an argument.
  std::vector<std::string> regexes{};
  std::vector<std::string> globs{};
  std::vector<std::string> exacts{};
  std::vector<std::string> starts{};
  std::vector<std::string> ends{};
  std::vector<std::string> texts{};
  std::vector<std::string> queries{};
  bool full_path = false;
  bool ignore_case = false;
  bool case_sensitive = false;
  bool ignore_diacritics = false;

  // Filters
  // Read through the table `field_options` of query_builder.cpp, apart from --where, --xattr and
  // flags.
  std::vector<std::string> wheres{};
  std::vector<std::string> types{};
  std::vector<std::string> kinds{};
  std::vector<std::string> extensions{};
  std::vector<std::string> sizes{};
  std::vector<std::string> modified{};
  std::vector<std::string> created{};
  std::vector<std::string> accessed{};
  std::vector<std::string> changed{};
  std::vector<std::string> added{};
  std::vector<std::string> newer_than{};
  std::vector<std::string> older_than{};
  std::vector<std::string> depths{};
  bool empty = false;
  bool only_hidden = false;
  std::vector<std::string> owners{};
  std::vector<std::string> groups{};
  std::vector<std::string> permissions{};
  bool executable = false;
  bool broken = false;
  bool locked = false;
  std::vector<std::string> links{};
  std::vector<std::string> inodes{};
  std::vector<std::string> same_files{};
  std::vector<std::string> tags{};
  std::vector<std::string> comments{};
  std::vector<std::string> where_froms{};
  std::vector<std::string> attributes{};
  std::vector<std::string> contains{};
  std::vector<std::string> contains_regexes{};
  bool binary = false;

  // Scope
  std::vector<std::string> roots{};
  std::vector<std::string> roots_files{};
  // All count, and the strictest decides.
  std::vector<std::string> max_depths{};
  std::vector<std::string> min_depths{};
  std::vector<std::string> prunes{};
  std::vector<std::string> excludes{};
  std::vector<std::string> prune_wheres{};
  std::vector<std::string> exclude_wheres{};
  std::vector<std::string> exclude_files{};
  std::vector<std::string> ignore_files{};
  bool no_hidden = false;
  bool no_packages = false;
  bool gitignore = false;
  bool follow = false;
  bool unique = false;
  bool cross_volumes = false;
  bool one_file_system = false;  // undoes cross_volumes
  std::vector<std::string> base_directory{};
  std::vector<std::string> volumes{};
  bool all_volumes = false;
  bool network = false;
  bool download = false;
  bool hidden = false;        // undoes no_hidden
  bool no_ignore = false;     // undoes gitignore
  bool unrestricted = false;  // undoes both

  // Output
  bool null = false;
  // "lines" and "full": one "full" is enough.
  std::vector<std::string> json{};
  std::vector<std::string> fields{};
  bool tree = false;
  // The last --count and the last --format count; --sort and --fields add up.
  std::vector<std::string> count{};
  std::vector<std::string> usage{};  // the last one counts
  bool apparent = false;
  std::vector<std::string> sort{};
  std::vector<std::string> format{};
  bool details = false;
  std::vector<std::string> hyperlink{};
  std::vector<std::string> human{};
  bool json_errors = false;
  bool absolute = false;
  bool mark = false;
  // The last one counts; `one` is a limit of 1 in addition.
  std::vector<std::string> limits{};
  bool one = false;
  bool quiet = false;
  std::vector<std::string> color{};
  bool statistics = false;
  bool progress = false;
  bool no_progress = false;  // the last one of the two counts
  bool no_messages = false;

  bool pick = false;
  std::vector<std::string> pick_order{};  // the last one counts
  std::vector<std::string> pick_query{};  // the last one counts
  std::vector<std::string> preview{};     // the last one counts
  std::vector<std::string> height{};      // the last one counts
  bool no_history = false;

  // Commands, each with its words
  std::vector<std::vector<std::string>> execs{};
  std::vector<std::vector<std::string>> exec_batches{};
  std::vector<std::vector<std::string>> conditions{};  // --if: commands that test a match
  // The last one counts.
  std::vector<std::string> batch_size{};
  bool exec_in_dir = false;
  bool remove = false;
  bool trash = false;
  bool confirm = false;
  bool yes = false;
  bool dry_run = false;
  /// --delete or --trash: the matches will be gone.
  bool takes_away() const { return remove || trash; }
  /// True if the matches are processed instead of printed.
  bool has_action() const { return !execs.empty() || !exec_batches.empty() || takes_away(); }

  // Search method
  // The last one of each counts.
  std::vector<std::string> threads{};
  std::vector<std::string> method{};
  std::vector<std::string> reader{};
  bool explain = false;
  bool list_volumes = false;
  bool compare_readers = false;

  // Configuration and saved searches
  // More than one --save is an error; each --forget removes a search. run.cpp acts on these before
  // it reads any file.
  std::vector<std::string> save{};
  bool list_saved = false;
  std::vector<std::string> forget{};
  bool no_config = false;

  /// Switches turned off by --no-NAME, and not on again afterwards.
  /// Their members are false or empty, as if they had not been given; this list also removes a
  /// file's switches.
  std::vector<const OptionRow*> undone{};

  // Other
  bool short_help = false;
  bool long_help = false;
  std::vector<std::string> help_words{};   // after --help
  std::vector<std::string> completions{};  // the last one counts
  bool version = false;
};

}  // namespace ffind::cli
