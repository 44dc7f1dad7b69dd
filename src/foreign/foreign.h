// SPDX-License-Identifier: MIT
// Command lines typed out of habit: those of find and fd, which are run by their own rules, those
// of rg, grep, locate, ls, mdfind and du as ours, and hints at what was meant. The only header of
// this directory that cli includes; it returns parts of messages, and lines to run.
//
//     words that are an error here
//        │ search_of_find(): predicates of find among them?
//        ├─ yes ─▶ find_line.h: a tree of tests, operators and actions ─▶ FindSearch
//        └─ no ──▶ translate(): option by option, by the tables of the programs
//                  (slips.cpp for values of our options)          │
//                                                                 ▼
//     `ffind -s -t f -g '*.c'` ◀── written(), line_to_paste() ── cli::Options
//
// The disk, the clock, and the parser of our own command lines come in by Host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/query.h"
#include "ffind/steps.h"
#include "query/language/fields.h"
#include "text/ranges.h"

namespace ffind::foreign {

using Words = std::vector<std::string>;

/// The type of a path; a link at its end is not followed.
enum class Place : unsigned char { missing, directory, link_to_directory, link, other };

/// A find. They differ in sizes with a unit and in regular expressions.
enum class Dialect : unsigned char { gnu, bsd, bfs };

/// Makes a test of ours; may throw UsageError.
using MakeTest = std::function<Expression(const query::Meaning& meaning)>;

/// The system as cli sees it.
struct Host {
  std::function<Place(const std::string& path)> place_of{};
  /// Reads the metadata of `path`, with `follow` those of a link's target if there is one. An
  /// errno.
  std::function<int(const std::string& path, bool follow, Metadata& found)> metadata_of{};
  /// The number of a user, or else of a group; nullopt if there is none of this name.
  std::function<std::optional<std::uint32_t>(bool is_user, const std::string& name)> account_of{};
  /// A word as find quotes it in its messages.
  std::function<std::string(std::string_view word)> quoted{};
  std::function<std::string(const std::string& path)> absolute_path{};
  /// Makes `directory` the current one. False if that is impossible.
  std::function<bool(const std::string& directory)> enter{};
  std::function<void(const std::string& message)> tell{};     ///< prints a message
  std::function<bool(const std::string& word)> is_program{};  ///< in PATH, or an executable file
  /// True for a valid command line of ours.
  std::function<bool(const Words& line)> is_valid{};
  /// The C library's fnmatch(3) for find's globs.
  std::function<query::TextPredicate(const std::string& glob, bool ignore_case)> glob_of_find{};
  /// Its regular expressions, by the name of a syntax; null if it has none or, with an `error`,
  /// refuses this one.
  std::function<query::TextPredicate(const std::string& regex, std::string_view syntax,
                                     bool ignore_case, std::string& error)>
      regex_of_find{};
  text::Clock clock{};  ///< for values such as "last monday"
  Dialect dialect = Dialect::gnu;
  std::function<bool()> knows_file_systems{};  ///< the mount table can be read
  bool warns = false;  ///< -warn is the default of GNU's: the line is typed at a terminal
};

/// The result of translate().
struct Translation {
  std::optional<cli::Options> line{};  ///< as cli::scan() makes of our words
  /// The first word whose meaning is a guess; empty if there is none. A line with one is offered
  /// only if it lists files: one that deletes or runs a command could act on files that were never
  /// meant.
  std::string doubt{};
  /// True if `line` may be run in the place of the words: each of them has an exact counterpart,
  /// and all programs that accept the words mean the same. Not for lines of find.
  bool is_certain = false;
  /// "fd" if --as fd does what was typed; then `is_certain` is of that.
  std::string_view stand_in{};
};

/// The line of ours that does the same. No line if nothing needs to be corrected, or if there is no
/// exact translation.
Translation translate(const Words& words, const Host& host);

/// A search by the rules of find.
struct FindSearch {
  enum class Help : unsigned char { none, options, version };

  Help help = Help::none;  ///< printed in place of a search
  Words warnings{};        ///< of find, printed before the search
  Words roots{};
  std::optional<std::string> roots_file{};  ///< the names of more, as of --files0-from
  MakeTest where{};
  MakeTest prune{};
  Scope scope{};  ///< without `prune`
  /// The steps for each match; null: its path is printed.
  std::function<FindSteps(const query::Meaning& meaning)> steps{};
  bool acts = false;      ///< something else than the output is written, or a command is run
  bool returns = false;   ///< GNU's: to the current directory, for a command and at the end
  char end = '\n';        ///< of the paths
  std::string error{};    ///< what find says of the line; if set, or `culprit`, nothing else is
  std::string culprit{};  ///< the word or words that are not done exactly
  bool has_other_word = false;  ///< `culprit` is no word of find's
  bool is_guess = false;        ///< a word may be another program's
  /// The words for a part of the name in any case, if there is a -name without a wildcard. Set by
  /// search_of_find() only.
  Words wider{};
};

/// Reads the words after `find`.
FindSearch read_find(const Words& words, const Host& host);

/// The search of words that are find's, which none but find has, with its error if find refuses
/// them. nullopt for other words, if one is a guess, and for a line that would delete everything.
std::optional<FindSearch> search_of_find(const Words& words, const Host& host);

/// A search by the rules of fd.
struct FdSearch {
  enum class Help : unsigned char { none, options, version };

  Help help = Help::none;  ///< printed in place of a search
  Words roots{};
  MakeTest where{};
  MakeTest prune{};
  Scope scope{};  ///< without `prune`
  bool reads_global_file = false;
  Words ignore_files{};        ///< more files of rules, relative to the current directory
  cli::Options options{};      ///< of the output, with the commands
  bool lists_details = false;  ///< by ls
  bool ends_with_nul = false;  ///< each path, or the output of its commands
  bool shows_errors = false;
  std::optional<std::string> format{};
  std::string separator{};  ///< in the place of slashes; empty: none
  std::string color{};
  std::size_t batch_size = 0;
  std::uint64_t limit = unlimited;
};

/// Reads the words after `fd`. Enters its base directory. Throws UsageError with a text in fd's
/// words.
FdSearch read_fd(const Words& words, const Host& host);

/// The help that fd would print.
std::string_view fd_help();

/// The text of an error about the options of fd, with its usage; without it if that is "-".
std::string fd_usage_error(std::string_view what, std::string_view usage = {});

/// The line that runs the words by fd's rules, if fd accepts them.
std::optional<Words> line_as_fd(const Words& words, const Host& host);

/// The words of a line without the program's name. Options are called as in `line.words` if they
/// come from there, else by their first name. FIELD is first; after options and arguments comes
/// what acts, commands last, since each extends to the end of the line or to a `;`.
Words written(const cli::Options& line);

/// `line` as cli::scan() would make it of these words.
cli::Options rewritten(const cli::Options& line);

/// `ffind` and the words, quoted for a shell.
std::string line_to_paste(const Words& words);

/// The error for an option of find ("-name"), fd or rg ("--files"), with its counterpart; nullopt
/// for other words. Called for words with one dash before their letters are read as options, and
/// for long options that do not exist.
std::optional<UsageParts> advice_on_habit(std::string_view name);

/// The line or the advice for a task, "biggest" or "undo": that of the option of this name, which
/// is none of ours. Empty if there is none, or if it names the help on `task`.
std::string counterpart_of_task(std::string task);

/// "--tree" for "-tree" and "--size=1M" for "-size=1M"; empty if that is not an option. Such a word
/// is never read as a cluster of short options, except -in, which is -i -n.
std::string with_second_dash(std::string_view word);

/// True for an option of another program, such as fd's -c, that is none of ours and has one
/// meaning.
bool is_foreign_option(std::string_view word);

/// The long option that `name` abbreviates or misspells; empty if there is none, and never the
/// opposite of what it says.
std::string nearest_option(std::string_view name);

/// "; did you mean 'modified'?" for "mtime", "MODIFIED" or "modifed", if `names` has it. A field is
/// found by its other names in expressions, else by its spelling. Empty if none is near.
std::string field_suggestion(std::string_view word, const std::vector<std::string_view>& names);

/// The values of an option that were meant by another one.
struct Correction {
  /// Usually one; two if the option has to be repeated, as for ">1M <2M". None if there is nothing
  /// to correct, or no correction is certain.
  Words values{};
  /// The typed value means nothing else. False for guesses, such as "10-20M", whose first unit is
  /// missing, and "7", which may be days.
  bool is_only = false;
};
/// `option` is its main name.
Correction corrected(std::string_view option, const std::string& value, const text::Clock& clock);

/// The words for a --format that is the name of one: "--json" for "json". Empty for other
/// templates.
std::string_view format_called(std::string_view name);

/// The term of a query line that does the same as one of Everything, Windows or Spotlight:
/// "modified:today" for `dm` and `today`. Empty for words that none of them has.
std::string term_of_other_finders(std::string_view word, std::string_view value);

/// A placeholder that --preview does not have, such as {q} of fzf or {/} of --exec.
struct ForeignPlaceholder {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::string_view owner{};  ///< "fzf"
  bool is_path = false;      ///< {} has the same value
};

/// The first one in a command of --preview. Only one that is a word, or is quoted: "[a-z]{2}" is a
/// regular expression, "${1}" a shell's parameter, and "{1..9}" nine words in bash.
std::optional<ForeignPlaceholder> foreign_placeholder(std::string_view command);

/// True if a word of TEXT is a term of a query, `ext:pdf` or Everything's `pic:`, which no name
/// looks like: then TEXT is a query line. `std::string`, `http://x` and `12:30` are text.
bool is_query_line(const std::string& text);

/// The query for the words of TEXT in any order: "invoice telekom" for "invoice from telekom".
std::string words_apart(const std::string& text);

/// An expression for names with a word like TEXT: two letters in a row may be up to three others.
/// Empty if TEXT is no word of `least` to 20 letters.
std::string spellings_near(std::string_view text, std::size_t least = 5);

/// Variants of a search that are observed while it runs, for its hints.
enum class Variant : unsigned char {
  configuration,  ///< without an option of it, or all
  any_case,
  without_diacritics,
  any_letters,  ///< without regard to case and diacritics
  words_apart,  ///< the words of TEXT in any order
  wider_glob,   ///< in place of TEXT or -g
  misspelt,     ///< spellings_near() TEXT
  in_folder,    ///< TEXT anywhere in the path, for a filter that the folder does not pass
  documents     ///< in place of --contains: files whose text other programs extract
};

/// A search, as its hints see it.
struct FinishedSearch {
  const Words& typed;
  const cli::Options& line;     ///< of the typed words alone
  const cli::Options& options;  ///< with those of files
  std::string_view field;       ///< "name", "path", "absolute_path" or empty
  const std::string* text;      ///< null if the search has no TEXT
  bool text_is_glob;
  const Words& paths;  ///< none: the current directory
  const std::vector<DroppedRoot>& dropped;
  bool has_more_than_text;    ///< a filter, format, order, depth or action as well
  std::uint64_t matches = 0;  ///< 0, too, if it has not begun
  /// Variants that would have matched, each with its glob, if misspelt the name, for any_case how
  /// many.
  std::map<Variant, std::string> met{};

  bool has(Variant one) const { return met.contains(one); }
};

struct WordsAsQuery {
  std::string text{};  ///< the words, with blanks between them
  Words line{};
  bool has_terms = false;  ///< more than words to find
};

/// The arguments as a query: all words in any order, and what else they say: a kind, a size, a
/// time, a term of Everything. nullopt if one of them is a path, for one word, and for a TEXT with
/// blanks whose words apart do not match.
std::optional<WordsAsQuery> words_as_query(const FinishedSearch& search, const Host& host);

/// The error for a search with an action that may have been meant for other files: `-e js -X rm`,
/// `-e bak . old -X rm`, `-t f data -X rm`. A line for each of the meanings.
std::optional<UsageParts> doubt_before_action(const FinishedSearch& search, const Host& host);

/// Messages on what else may have been meant, most with a line to try. For terminals only.
std::vector<std::string> hints_for(const FinishedSearch& search, const Host& host);

}  // namespace ffind::foreign
