// SPDX-License-Identifier: MIT
// Tables of other programs' words: one of find's, one of the options of fd, rg, grep, locate, ls,
// mdfind, du, fzf and PowerShell that are not ours. A row has everything about a word: its values,
// advice and translation. A new word of another program is one row.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/foreign.h"
#include "query/language/query_line.h"

namespace ffind::foreign {

/// Thrown for a line of another program that has no exact translation, and caught where the
/// translation begins.
struct Untranslatable {};

/// The same of a line of find that cannot be run.
struct NotRunnable {
  std::string culprit{};       ///< empty: the predicate that was read last
  std::string error{};         ///< in find's words; empty: find does it
  bool is_other_word = false;  ///< the culprit is no word of find's, or in a place of none
};

// --- Options of fd, rg, grep, locate, ls, mdfind, du and fzf

/// `any`: of several programs or none, and with one meaning, whatever the value. Such a word may be
/// run, so it is reserved: no option of ours will have that name and another meaning. So may those
/// of fd alone, of ls without a path, and of `rg --files`. `shared`: fd's, and of others for
/// another purpose. `guess`: of more than one meaning. These, and those of other programs, are only
/// offered.
enum class Program : unsigned char {
  any,
  fd,
  shared,
  rg,
  grep,
  locate,
  ls,
  mdfind,
  du,
  fzf,
  guess
};

/// Translation of an option. takes_value() knows which consume a value.
enum class Treatment : unsigned char {
  none,        ///< no counterpart: ends the translation
  drop,        ///< already the default
  drop_value,  ///< the same, value included
  flag,        ///< replaced by `here`
  value,       ///< replaced by `here`, whose last option gets the value
  reversed,    ///< --sort the other way round, or descending; a guess without a --sort
  date,        ///< a part of a date, after `here`; all parts are one value of --modified
  span,        ///< `here` with the range between two values
  command,     ///< `here` is a command for each match, after | that of a Mac
};

struct Foreign {
  std::string_view names;  ///< as typed, separated by spaces; also words with one dash
  Program program;
  Treatment treatment;
  std::string_view here = {};    ///< our options, separated by spaces
  std::string_view advice = {};  ///< in a message: an option, a command, or half a sentence
};

/// Null if the table has no such option. -Filter of PowerShell is found as -filter, and /S of DOS
/// as /s.
const Foreign* find_foreign(std::string_view name);

/// True for -sort and -sort-size: a long option of ours, of the table or of es, Everything's, after
/// one dash. Such a word is not a cluster of letters for another program.
bool is_long_after_one_dash(std::string_view word);

bool takes_value(const Foreign& option);

inline bool is_of_program(const Foreign& row) {
  return row.program != Program::any && row.program != Program::guess;
}

// Lists of words with a space between them.
Words split(std::string_view list);
bool lists(std::string_view words, std::string_view word);

/// Replaces each first text of a pair by its second.
void replace_all(std::string& text,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> pairs);

/// True for `name`, and for "NAME=VALUE".
bool has_option(const Words& words, std::string_view name);

/// True for a directory, and for a link to one.
bool is_directory(const Host& host, const std::string& path);

/// "b" for `key` "a" in "a=b c=d"; empty if it is not there.
std::string_view value_in(std::string_view list, std::string_view key);

/// Options of ours, as tables have them: "--sort -modified", "--usage=0". The last one may lack its
/// value.
std::vector<cli::Given> options_in(std::string_view words);

/// The options of ours for `flag`, `value` or `span`; none for what is dropped.
std::vector<cli::Given> counterpart(const Foreign& option, const std::string& value);

/// True if a predicate of find is among the words. Values of our options are skipped, and so is
/// everything after `--` or a command.
bool is_of_find(const Words& words, const Host& host);

/// True if fd would run a command for the words; nullopt if it does not accept them, or if a path
/// among them does not exist.
std::optional<bool> is_fd_acting(const Words& words, const Host& host);

/// term_of_other_finders(), which sets `is_guess` if the term is not quite the same.
std::string term_of_other_finders(std::string_view word, std::string_view value, bool& is_guess);

/// A term in place of one, whose words are `word`; empty to keep it.
using TermOf = std::function<std::string(const query::QueryTerm& term, const std::string& word)>;

/// `typed`, a query, with the terms of `corrected`.
std::string with_terms(const std::string& typed, const TermOf& corrected);

/// A query line in which words of Everything and Spotlight, "dm:thisweek" and "<a OR b>", are ours.
Correction corrected_query(std::string line, const text::Clock& clock);

// --- Words of find

/// Kinds of words of find, for FindLine::parse_predicate() and Translator::replace_word_of_find().
enum class Form : unsigned char {
  nothing,      ///< always so here, or a setting of the parser: `here` is "midnight", "volume",
                ///< "vanished" or "-L"
  constant,     ///< `here` is "true" or "false"
  unknown,      ///< no counterpart
  syntax,       ///< -regextype
  depth_first,  ///< -depth
  max_depth,
  min_depth,
  root_list,
  name,   ///< as path, regex and link_text: `here` is "case" if case matters
  path,   ///< a glob over the whole path
  regex,  ///< likewise
  type,   ///< `here` is "followed" for the type that a link leads to
  size,
  permissions,
  count,        ///< N, +N or -N
  account,      ///< a user or a group
  days,         ///< an age
  minutes,      ///< likewise
  used,         ///< an age
  newer,        ///< -newerXY and the like, whose name has the times
  file,         ///< a file to compare with
  flag,         ///< no value; `field` alone is the expression
  link_text,    ///< a glob over the target of a link
  file_system,  ///< type of the volume
  action,       ///< `here` is our option, "print" or "prune"
  command,
  format,       ///< -printf
  to_file,      ///< -fprint and its like: `here` as of the action that prints
  run_only,     ///< another action: `here` is "escaped" or "exit"
  junction,     ///< operators, which the parser reads itself
  advice_only,  ///< known for its advice, not read as a predicate
};

/// A test, action, option or operator of find. For example -uid: a number, which is --owner or a
/// term with `uid`.
struct Predicate {
  std::string_view names;  ///< separated by spaces
  Form form;
  std::string_view advice = {};  ///< its counterpart in a message; "ffind ..." or half a sentence
  std::string_view here = {};    ///< see Form; else our option that does the same
  std::string_view field = {};   ///< of the expression language
};

/// The predicate `word`, also with a dash too many ("--name"); null if it is none.
const Predicate* find_predicate(std::string_view word);

/// True for a predicate that cannot be an option of ours or fd's, as "-a" and "-o" can.
bool is_find_predicate(std::string_view word);

/// True if `words[at]` is -x of BSD's find, which a directory follows. It is our -x if a program
/// has the name of the directory and no test of find follows.
bool is_one_volume_of_bsd(const Words& words, std::size_t at, const Host& host);

/// The row of `word`, "=VALUE" after it ignored; null for other words and for "-a", our --absolute.
/// A word that has a row is never read as a cluster of short options.
const Predicate* find_word_of_find(std::string_view word);

/// True for an option of ours or of find. As the value of another option it is a doubt: the value
/// is missing, and the words after it may mean something else than they seem to.
bool looks_like_option(const std::string& word);

}  // namespace ffind::foreign
