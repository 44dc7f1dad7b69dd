// SPDX-License-Identifier: MIT
// Command lines under a name: one file each in own_directory()/searches. Called by request.cpp,
// which runs them, and by run.cpp, which keeps and lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/argument_file.h"
#include "cli/options.h"

namespace ffind::cli {

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
