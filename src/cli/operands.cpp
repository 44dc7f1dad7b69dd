// SPDX-License-Identifier: MIT
// Assigns the arguments, and refuses those that a shell has not expanded or that are in the wrong
// order. The disk is not read: the meaning of a line must not depend on the directory in which it
// is run.
//
//     ffind report src             TEXT report, PATH src
//     ffind '*.mp4'                TEXT *.mp4, a glob; -F '*.mp4' is the letters
//     ffind 'kind:image lisbon'    TEXT is a line of --query; -F 'kind:image' is the letters
//     ffind src -g '*.c'           PATH src: with a pattern option all arguments are PATHs
//     ffind path -g '**/x/*' src   FIELD path, PATH src
//     ffind ./path -g '*.c'        PATH ./path
//     ffind /etc ../bin            two PATHs, no TEXT: all look like paths
//     ffind /etc passwd            refused: TEXT comes first
//     ffind path src               TEXT path: without a pattern option there is no FIELD
//
// A path looks like one by its beginning (text::looks_like_path), so `src/main` is TEXT.
#include "cli/request.h"

#include <algorithm>
#include <utility>

#include "cli/option_table.h"
#include "ffind/issue.h"
#include "foreign/foreign.h"
#include "query/patterns/pattern.h"
#include "text/format.h"
#include "text/paths.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

/// Throws UsageError if the first argument is a path but a later one is not: find has its roots
/// first.
void refuse_path_before_text(const std::vector<std::string>& arguments) {
  if (!text::looks_like_path(arguments.front())) return;
  const auto text = std::find_if_not(arguments.begin(), arguments.end(), text::looks_like_path);
  if (text == arguments.end()) return;
  throw UsageError({.what = text::format("'{}' is a path; put the text before it",
                                         text::excerpt(arguments.front())),
                    .place = {.quoted = arguments.front()},
                    .example = "ffind report /srv; use --in for a directory"});
}

/// True if TEXT is a glob. Signs that expressions have and globs rarely do make it text, with a
/// hint at -e; so does an error.
bool is_glob(std::string_view text) {
  if (text.find_first_of("*?") == text.npos || text.find_first_of("\\^$(+") != text.npos ||
      text.find(".*") != text.npos) {
    return false;
  }
  if (text.find_first_of("[{") == text.npos) return true;
  try {
    query::make_glob(text, text::KeyCase::folded, {});
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

/// Otherwise the error would be that there is no such directory, which the user knows to exist, or
/// a glob would match nothing.
void refuse_home(const std::vector<std::string>& words, std::string_view option) {
  for (const std::string& word : words) {
    if (word != "~" && !word.starts_with("~/")) continue;
    const std::string example(option.empty() ? "report" : option);
    throw UsageError(
        {.what = text::format(
             "the shell did not expand '{}': a '~' in quotes or after '=' stays as it is",
             text::excerpt(word)),
         .place = {.option = std::string(option),
                   .value = option.empty() ? "" : word,
                   .quoted = word},
         .example =
             text::format("ffind {} ~/Documents; write ./~ for a name that is '~'", example)});
  }
}

bool has_pattern_option(const Options& options) {
  return std::any_of(pattern_options.begin(), pattern_options.end(),
                     [&](Id id) { return options.has(id); });
}

Operands sort_arguments(const Options& options) {
  Operands operands;
  std::vector<std::string> arguments = options.arguments;
  const bool patterns = has_pattern_option(options);
  if (options.has(Id::full_path)) operands.field = "absolute_path";
  // `ffind -F x -- name` searches the directory "name".
  if (patterns && !arguments.empty() && !options.arguments_after_dashes &&
      (arguments.front() == "name" || arguments.front() == "path")) {
    operands.field = arguments.front();
    arguments.erase(arguments.begin());
  }
  // --compare-readers lists everything, --list-volumes no files, and --usage is du's command line,
  // so all their arguments are PATHs.
  const bool only_paths = patterns || options.has(Id::compare_readers) ||
                          options.has(Id::list_volumes) || options.has(Id::usage);
  if (!only_paths && !arguments.empty()) {
    refuse_path_before_text(arguments);
    if (!text::looks_like_path(arguments.front())) {
      operands.text = arguments.front();
      operands.has_text = !foreign::is_query_line(operands.text);
      if (!operands.has_text) operands.query = std::exchange(operands.text, {});
      operands.is_glob = is_glob(operands.text);
      // A lone '~' is a letter to find.
      if (operands.text != "~") refuse_home({operands.text});
      arguments.erase(arguments.begin());
    }
  }
  refuse_home(arguments);
  // PATHs first, then those of --in. search_plan.cpp adds files of roots and volumes.
  operands.paths = std::move(arguments);
  const std::vector<std::string> roots = options.all(Id::in);
  operands.paths.insert(operands.paths.end(), roots.begin(), roots.end());
  if (options.has_list() && !options.has(Id::trashed) && !operands.paths.empty()) {
    throw UsageError(
        {.what = text::format("'{}' is a PATH to walk, but the entries are those of a list",
                              text::excerpt(operands.paths.front())),
         .place = {.quoted = operands.paths.front()},
         .example = "git ls-files | ffind --from - report"});
  }
  for (const std::string& path : operands.paths) {
    if (path.empty()) {
      throw UsageError(UsageParts{.what = "a PATH is empty: is a variable not set?",
                                  .example = "ffind report src"});
    }
  }
  return operands;
}

/// `report src` becomes -F report --in src, with the same roots in the same order; a glob becomes
/// -g, a query line --query.
Options with_arguments_as_options(Options options) {
  if (options.arguments.empty()) return options;
  Operands operands = sort_arguments(options);
  if (operands.has_text) options.add(operands.is_glob ? Id::glob : Id::text, operands.text);
  if (!operands.query.empty()) options.add(Id::query, operands.query);
  options.take_out(Id::in);
  for (std::string& path : operands.paths) options.add(Id::in, std::move(path));
  options.arguments.clear();
  options.arguments_after_dashes = false;
  if (operands.field == "name" || operands.field == "path") {
    options.arguments.push_back(operands.field);
  }
  return options;
}

}  // namespace ffind::cli
