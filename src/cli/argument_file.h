// SPDX-License-Identifier: MIT
// Arguments in a file, one a line: how a configuration and a saved search are written, and which
// line is to blame for an error. Pure; used by configuration, saved_searches and request.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// The line but for which `check` would not throw just `problem` for the arguments of `file`, as
/// "in PATH, line 3".
std::string place_of(const std::string& problem, const ArgumentFile& file,
                     const ArgumentCheck& check);

/// Has all arguments of `file` checked; what is thrown names file and line.
void check_arguments(const ArgumentFile& file, const ArgumentCheck& check);

}  // namespace ffind::cli
