// SPDX-License-Identifier: MIT
// Arguments in a file, one a line: how a configuration and a saved search are written, which line
// is to blame for an error, and where the two kinds of files are.
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
  std::vector<std::size_t> lines{};  ///< the line of each of them, from 1
};

/// Blank lines and those that begin with "#" count for nothing, nor does white space at the ends of
/// a line. A line in double quotes is what is between them, with \" \\ \n \t \r; every other line
/// is one argument, unchanged. Throws UsageError that names file and line.
ArgumentFile read_arguments(std::string path, std::string_view text);

/// The lines that read_arguments makes `arguments` of again, byte for byte; in quotes only where
/// there is no other way. None of them may hold a NUL.
std::string lines_of(const std::vector<std::string>& arguments);

/// Throws UsageError when there is something wrong with the arguments that it gets.
using ArgumentCheck = std::function<void(const std::vector<std::string>&)>;

/// "in PATH, line 3" of the argument that `place` is about; without a line if it does not tell.
std::string place_in(const ArgumentFile& file, const UsagePlace& place);

/// Calls `check` for the arguments of `file`; errors get file and line.
void check_arguments(const ArgumentFile& file, const ArgumentCheck& check);

/// Where this user's files of ffind are: below XDG_CONFIG_HOME, else HOME/.config. Empty when
/// neither says. The XDG specification has a relative path ignored.
std::string own_directory();

/// Reads `path`, `what` of the user's; nothing when it is not there. Throws UsageError when it
/// cannot be read, or somebody else decides what is in it.
std::optional<ArgumentFile> read_argument_file(const std::string& path, const std::string& what);

/// The file that FFIND_CONFIG names; without that variable, and only when `terminal` says that a
/// person is looking at the results, the one in own_directory(). Nothing when neither is there.
std::optional<ArgumentFile> read_configuration(bool terminal);

/// Throws UsageError for what is for one search only: TEXT, roots, commands and the like.
void check_place_in_configuration(const std::vector<std::string>& arguments);

/// Letters, digits, "-", "_" and ".", the first none of "-" and "."; letters of any script.
bool is_search_name(std::string_view name);

/// NAME when the first of the arguments that are no options is "@NAME"; empty when it is anything
/// else, or comes after `--`.
std::string search_called(const std::vector<std::string>& arguments, bool after_dashes);

/// Throws UsageError when there is none of that name, or it cannot be read.
ArgumentFile read_search(const std::string& name);

/// What `--save` would keep of `arguments`: all but itself. Throws UsageError for what cannot be
/// kept.
std::vector<std::string> arguments_to_save(const std::vector<std::string>& arguments,
                                           const Options& options);

/// Returns what to say of it. Throws std::system_error, and leaves what there was.
std::string save_search(const std::string& name, const std::vector<std::string>& arguments);

/// Returns what to say of it. Throws as read_search does, and std::system_error.
std::string forget_search(const std::string& name);

struct SearchList {
  std::string text{};                   ///< a line each, "@NAME  its command line", sorted by name
  std::vector<std::string> problems{};  ///< those that cannot be read, and why
};
/// The command lines are quoted as a shell takes them back, with nothing that steers a terminal.
SearchList list_searches();

}  // namespace ffind::cli
