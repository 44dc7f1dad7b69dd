// SPDX-License-Identifier: MIT
// Request: a command line understood, with the configuration and the saved search that apply to it.
// Nothing is searched yet; run.cpp does that.
//
// Words are read in this order, and a later option overrides an earlier one: the configuration,
// FFIND_PICK_OPTS, the saved search @NAME, the command line (request.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/argument_file.h"
#include "cli/options.h"
#include "ffind/entry.h"
#include "ffind/query.h"
#include "foreign/foreign.h"
#include "os/terminal.h"
#include "output/output_style.h"
#include "output/progress_reporter.h"
#include "query/language/fields.h"
#include "text/problem.h"

namespace ffind::cli {

// Operands: operands.cpp

/// The arguments by their meaning.
struct Operands {
  std::string field{};  ///< "name", "path", "absolute_path" or empty
  bool has_text = false;
  std::string text{};
  bool is_glob = false;              ///< TEXT is one
  std::string query{};               ///< TEXT that is a query line; then has_text is false
  std::vector<std::string> paths{};  ///< with those of --in; empty: the current directory
};

bool has_pattern_option(const Options& options);

/// Throws UsageError for a word that is `~` or begins with `~/`, which a shell does not expand in
/// quotes or after `=`. `option` is the main name of the option that the words belong to; empty for
/// arguments.
void refuse_home(const std::vector<std::string>& words, std::string_view option = {});

/// Assigns the arguments. Throws UsageError if a PATH precedes TEXT, and for an impossible PATH.
Operands sort_arguments(const Options& options);

/// Turns arguments into equivalent options (TEXT into -F or -g, PATHs into --in), so that others
/// can be appended. A FIELD stays the first argument.
Options with_arguments_as_options(Options options);

// Query: query_builder.cpp

/// Builds the query. Throws UsageError for any value that cannot be understood, --exclude-from not
/// included.
Query build_query(const Options& options, const Operands& operands,
                  const query::QueryContext& context);

/// Rules for reading values: the treatment of case and accents. `context` must outlive it.
query::Meaning meaning_of(const Options& options, const query::QueryContext& context);

/// Parses a whole number of at most `most`, a value of the option `id`. Throws UsageError.
std::uint64_t parse_number(std::string_view text, std::uint64_t most, Id id);

// Output: output_options.cpp

/// The index of the option's last value among its choices; 0, the default, without one.
/// Enumerations have the same order. Throws UsageError.
std::size_t choice_of(const Options& options, Id id);

/// Builds the style without its action. `accounts` must outlive it. Throws UsageError for an
/// unknown format, field or choice, and for options that exclude each other.
output::OutputStyle build_output_style(const Options& options, const Accounts& accounts);

/// The program of --as, whose messages are written; ffind without it.
output::Speaker speaker_of(const Options& options);

/// True if sizes are written as 1.2M; `for_people` decides if no option does. Throws UsageError.
bool wants_human_sizes(const Options& options, bool for_people);

/// True if messages are coloured. Throws UsageError for an unknown --color.
bool wants_colored_messages(const Options& options);

/// Likewise for help, on standard output.
bool wants_colored_help(const Options& options);

/// The colours of the list of --pick; nullopt for none.
std::optional<output::Palette> palette_of_screen(const Options& options);

/// The value of --height.
os::ScreenHeight height_of(const Options& options);

/// Parses a word of a command; an error is one in a value of `source`.
output::ArgumentTemplate argument_of(const std::string& word, const text::ValueSource& source);

/// The keys of --sort, without those for --pick alone.
std::vector<std::string_view> sort_words();

/// The form of the progress display that fits the standard streams.
output::ProgressStyle build_progress_style(const Options& options);

/// Adds the action, if there is one, to `style`. Throws UsageError for options that exclude it.
void add_action(output::OutputStyle& style, const Options& options, const Operands& operands,
                const Query& query);

/// True if there is an action, and no filter but places, types and depths limits it.
bool acts_on_everything(const Options& options, const Query& query);

/// Decides whether `action` asks first, for a search that is about to be run. Returns false if it
/// should and cannot.
bool decide_question(output::Action& action, const Options& options, const Query& query);

/// Throws the UsageError for that; the corrected line is that of `words`.
[[noreturn]] void refuse_unlimited_action(const Options& options,
                                          const std::vector<std::string>& words);

// Commands: command_checks.cpp. `option` is the name of `id`.

/// Throws UsageError for a wrong field in the commands, and for a part of a match in the text that
/// a shell runs.
void check_fields(const Options& options, Id id, std::string_view option);

/// Throws UsageError if the command of --preview has a placeholder of another program, or {} in
/// quotes.
void check_preview(const Options& options);

/// Throws UsageError for {/} and the like as the program: a file of that name in the current
/// directory would run. With --exec-in-dir it is the match itself.
void refuse_bare_names(const std::vector<output::CommandTemplate>& commands,
                       std::string_view option);

/// Throws UsageError for a directory as the program, and for a command in quotes.
void refuse_no_programs(const std::vector<std::vector<std::string>>& commands,
                        std::string_view option);

/// Returns the index of an option of ours in a command: the first among the words of rm, mv and the
/// like, or --dry-run or --confirm at its end; the number of words if there is none.
std::size_t find_own_option(const std::vector<std::string>& command);

/// True if one of the commands is known to destroy what it is given.
bool destroys(const std::vector<std::vector<std::string>>& commands);

/// Returns the message if a command would make one file of several matches; empty if none would.
std::string refusal_of_gathering(const Options& options);

// Request: request.cpp

/// Configuration that applies to a search, and the options without it.
struct Configuration {
  ArgumentFile file;
  Options options;  ///< its own
  Options rest;
};

struct Request {
  Options options;
  Options typed{};  ///< those of the command line
  Operands operands;
  Query query;
  output::OutputStyle style;
  std::optional<Configuration> configuration{};  ///< nullopt if none added options
  std::vector<std::string> files{};  ///< files that added options, the saved search first
  std::string hint{};  ///< of a line of another program: the only hint if nothing is found
  /// Set by the search: another line, which was meant and is to be run now.
  std::vector<std::string> next{};
};

/// Facts of the system that values of a query refer to: the time, accounts, metadata of files.
query::QueryContext query_context(const Accounts& accounts, const Options& options);

/// Builds the request for options without any file. Throws UsageError. Reads the metadata of files
/// that options name.
Request understand(Options options, const Accounts& accounts);

/// Likewise with the configuration, FFIND_PICK_OPTS and the saved search. Errors in a file, or in
/// the combination of a file with the typed options, name file and line.
Request understand_with_files(const Options& typed, const Accounts& accounts);

/// Builds the request for a line of find, without its empty roots (stand_in.cpp).
Request understand_as_find(const foreign::FindSearch& search, Options options,
                           const query::Meaning& meaning);

/// Builds the request for a line of fd. Throws UsageError with a text in fd's words.
Request understand_as_fd(const foreign::FdSearch& search, const foreign::Host& host,
                         const query::Meaning& meaning);

/// Saves the words other than --save, if they are valid; returns a message about it.
std::string keep_search(const Options& typed, const Accounts& accounts);

}  // namespace ffind::cli
