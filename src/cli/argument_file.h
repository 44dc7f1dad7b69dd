// SPDX-License-Identifier: MIT
// Files of arguments, one a line: the configuration and saved searches. Their format
// (read_arguments, lines_of), the line that an error is about (place_in), their paths and owners
// (os/trusted_files.h), and the options that each kind may contain.
//
//     $XDG_CONFIG_HOME/ffind/config            options of every search at a terminal
//     $XDG_CONFIG_HOME/ffind/searches/NAME     arguments of `ffind @NAME`
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "ffind/issue.h"

namespace ffind::cli {

struct ArgumentFile {
  std::string path{};
  std::vector<std::string> arguments{};
  std::vector<std::size_t> lines{};  ///< line number of each argument, from 1
};

/// Parses the text of a file. Blank lines, lines that begin with "#" and white space at the ends of
/// a line are ignored; any other line is one argument. Throws UsageError with file and line.
ArgumentFile read_arguments(std::string path, std::string_view text);

/// Inverse of read_arguments. Throws UsageError for an argument that no line holds: one that is
/// empty, has a line feed, begins or ends with white space, or would be refused.
std::string lines_of(const std::vector<std::string>& arguments);

/// Throws UsageError if something is wrong with the options.
using OptionCheck = std::function<void(const Options&)>;

/// Throws the error with a file or variable as its source. The index of its word is dropped, since
/// it counts the words of the source and not those of the command line.
[[noreturn]] void fail_in(std::string source, UsageParts parts);

/// "in PATH, line 3" of the argument that `place` is about; without a line if it does not tell.
/// `options` are those of the file.
std::string place_in(const ArgumentFile& file, const UsagePlace& place, const Options& options);

/// Parses and checks the options of `file`; errors get file and line.
Options options_of(const ArgumentFile& file, const OptionCheck& check);

/// Directory for the state of programs, XDG_STATE_HOME or HOME/.local/state; empty if neither is an
/// absolute path.
std::string state_directory();

/// Reads the file that FFIND_CONFIG names; without that variable, and only if the output goes to a
/// terminal, the one in ~/.config/ffind. nullopt if there is none.
std::optional<ArgumentFile> read_configuration(bool terminal);

/// Throws UsageError for arguments of a single search, such as TEXT, roots and commands.
void check_place_in_configuration(const Options& options);
/// Throws UsageError for options that may not be in a saved search, and for a search that runs
/// another.
void check_place_in_search(const Options& options);

/// True if `name` has only letters (of any script), digits, "-", "_" and ".", and begins with
/// neither "-" nor ".".
bool is_search_name(std::string_view name);

/// Returns NAME if the first argument that is not an option is "@NAME"; empty if it is not, or
/// follows `--`.
std::string search_called(const Options& options);

/// Reads the search of that name. Throws UsageError if there is none, or if it cannot be read.
ArgumentFile read_search(const std::string& name);

/// Returns the typed words without --save. Throws UsageError if there is nothing else to save, or
/// if the name is invalid.
std::vector<std::string> arguments_to_save(const Options& typed);

/// Writes the search and returns a message about it. Throws std::system_error, and leaves an
/// existing file as it was.
std::string save_search(const std::string& name, const std::vector<std::string>& arguments);

/// Deletes the search and returns a message about it. Throws as read_search, and std::system_error.
std::string forget_search(const std::string& name);

/// Lines "@NAME  COMMAND LINE" of all saved searches, sorted by name. The command lines are quoted
/// for a shell and safe for a terminal. Messages about searches that cannot be read go to
/// `problems`.
std::string list_searches(std::vector<std::string>& problems);

}  // namespace ffind::cli
