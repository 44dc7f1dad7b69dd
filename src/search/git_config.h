// SPDX-License-Identifier: MIT
// Parsers for the files and variables of git that decide which ignore files apply: configuration,
// `.git` files, HEAD, and GIT_CONFIG_* in the environment. Files and variables are read by
// functions that the caller passes in.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ffind::search {

/// Calls `take` for each `key = value` of a configuration in order, with section and key in lower
/// case. The value of a key without one is "true", as for git. Sections with a subsection are
/// skipped. Stops at the first line that git would reject.
void read_git_config(std::string_view text,
                     const std::function<void(std::string_view section, std::string_view key,
                                              std::string value)>& take);

/// Reads the file `path` into `text`. Returns false on errors.
using ReadFile = std::function<bool(const std::string& path, std::string& text)>;

/// Settings of a configuration that concern ignore files; nullopt if not set.
struct IgnoreSettings {
  /// core.excludesFile as a path, possibly relative to the top of a working tree.
  std::optional<std::string> excludes_file{};
  std::optional<bool> ignore_case{};  ///< core.ignoreCase
};

/// Limit of files read for one configuration, itself included. Without it a file that includes
/// itself n times would be read n^11 times, since includes may nest ten deep, as in git.
inline constexpr std::size_t most_config_files = 100;

/// Reads the configuration in the file `path` and in the files that it includes (include.path), and
/// returns its settings, or those of `before` that it does not override. A relative
/// core.excludesFile is resolved against the directory `top`, or kept if that is empty. Included
/// files beyond most_config_files are ignored.
IgnoreSettings read_ignore_settings(const std::string& path, std::string_view top,
                                    std::string_view home, const ReadFile& read,
                                    IgnoreSettings before);

/// Returns a variable of the environment, or nullopt if it is not set.
using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

/// Returns the settings of the environment, which override all files: GIT_CONFIG_COUNT with
/// GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n. Files that they include must have absolute paths, as
/// for git.
IgnoreSettings read_given_settings(std::string_view home, const ReadVariable& variable,
                                   const ReadFile& read);

/// Returns a Boolean value as git reads it: a word in any case or a number.
bool git_truth(std::string_view value);

/// Resolves `value`, a path in a file of `directory`; `~/` means `home`. Empty if it cannot be
/// resolved, for example because `directory` or `home` is empty.
std::string git_path(std::string_view value, std::string_view directory, std::string_view home);

/// Returns the path after "gitdir:" in a `.git` file, as linked working trees and submodules have
/// it; empty if it is not such a file.
std::string_view git_directory_of(std::string_view text);

/// True for the text of a repository's HEAD.
bool is_git_head(std::string_view text);

}  // namespace ffind::search
