// SPDX-License-Identifier: MIT
// The little of git's own files that decides which ignore files apply: its configuration, `.git`
// files and HEAD. Called by search and cli with the texts of such files. Knows no file itself.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ffind::query {

/// Calls `take` for each `key = value` of a configuration's text, in their order, with section and
/// key in lower case; the value of a bare key is "true", as for git. Values of sections with a
/// subsection are passed over. Ends where git would call it a bad line.
void read_git_config(std::string_view text,
                     const std::function<void(std::string_view section, std::string_view key,
                                              std::string value)>& take);

/// Reads the file `path` into `text`; false when it cannot.
using ReadFile = std::function<bool(const std::string& path, std::string& text)>;

/// What a configuration says about ignore files.
struct IgnoreSettings {
  std::string excludes_file{};  ///< core.excludesFile, as a path, which may be relative to `top`
  bool ignore_case = false;     ///< core.ignoreCase
};

/// So many files are read for one configuration, itself among them. A file that includes itself n
/// times would otherwise be read n^11 times: includes may nest ten deep, as in git.
inline constexpr std::size_t most_config_files = 100;

/// What the configuration in the file `path`, and in what it includes (include.path), says;
/// `before` where it says nothing. A relative core.excludesFile is one from the directory `top`, or
/// is kept as it is if that is empty. Of includes beyond most_config_files nothing applies.
IgnoreSettings read_ignore_settings(const std::string& path, std::string_view top,
                                    std::string_view home, const ReadFile& read,
                                    IgnoreSettings before);

/// Reads a variable of the environment; nothing where it is not set.
using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

/// Settings of the environment, which override every file: GIT_CONFIG_COUNT with GIT_CONFIG_KEY_n
/// and GIT_CONFIG_VALUE_n, then GIT_CONFIG_PARAMETERS, in which `git -c` hands its own on. A file
/// that they include must have an absolute path, as for git.
struct GivenSettings {
  std::optional<std::string> excludes_file{};  ///< may be relative to the top of a working tree
  std::optional<bool> ignore_case{};
};
GivenSettings read_given_settings(std::string_view home, const ReadVariable& variable,
                                  const ReadFile& read);

/// Calls `take` for each setting in the text of GIT_CONFIG_PARAMETERS, with its key in lower case:
/// 'key'='value', or 'key=value' as git before 2.31 writes it, in shell quotes. The value of a bare
/// key is "true". Ends at what git would refuse.
void read_git_parameters(
    std::string_view text,
    const std::function<void(const std::string& key, const std::string& value)>& take);

/// As git reads a truth: a word in any case, or a number.
bool git_truth(std::string_view value);

/// The path that `value` means in a file that lies in `directory`: `~/` is home. Empty when that
/// cannot be known, as where `directory` or `home` is empty.
std::string git_path(std::string_view value, std::string_view directory, std::string_view home);

/// What a file `.git`, as linked working trees and submodules have it, says after "gitdir:"; empty
/// when it is no such file.
std::string_view git_directory_of(std::string_view text);

/// Whether this is the text of the HEAD of a repository.
bool is_git_head(std::string_view text);

}  // namespace ffind::query
