// SPDX-License-Identifier: MIT
// Which file holds the options that always apply, whether this run reads it, and what it may
// contain. Called by request.cpp; how a file is written is argument_file.h's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/argument_file.h"
#include "os/trusted_files.h"

namespace ffind::cli {

/// Where this user's files of ffind are: below XDG_CONFIG_HOME, else HOME/.config. Empty when
/// neither says. The XDG specification has a relative path ignored.
std::string own_directory();

/// Why `path` was neither read nor written, in words.
std::string reason_of(const os::OwnFileResult& result, const std::string& path);

/// Reads `path`, `what` of the user's; nothing when it is not there. Throws UsageError when it
/// cannot be read, or somebody else decides what is in it.
std::optional<ArgumentFile> read_argument_file(const std::string& path, const std::string& what);

/// The file that FFIND_CONFIG names; without that variable, and only when `terminal` says that a
/// person is looking at the results, the one in own_directory(). Nothing when neither is there.
std::optional<ArgumentFile> read_configuration(bool terminal);

/// Throws UsageError for what is for one search only: TEXT, roots, commands and the like.
void check_place_in_configuration(const std::vector<std::string>& arguments);

}  // namespace ffind::cli
