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
  std::string excludes_file{};  ///< core.excludesFile, as a path
  bool ignore_case = false;     ///< core.ignoreCase
};

/// So many files are read for one configuration, itself among them. A file that includes itself n
/// times would otherwise be read n^11 times: includes may nest ten deep, as in git.
inline constexpr std::size_t most_config_files = 100;

/// What the configuration in the file `path`, and in what it includes (include.path), says;
/// `before` where it says nothing. What is relative begins at the directory `top`. Of includes
/// beyond most_config_files nothing applies.
IgnoreSettings read_ignore_settings(const std::string& path, std::string_view top,
                                    std::string_view home, const ReadFile& read,
                                    IgnoreSettings before);

/// Reads a variable of the environment; nothing where it is not set.
using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

/// What the environment says in GIT_CONFIG_COUNT, GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n; it
/// counts before every file.
struct GivenSettings {
  std::optional<std::string> excludes_file{};
  std::optional<bool> ignore_case{};
};
GivenSettings read_given_settings(std::string_view top, std::string_view home,
                                  const ReadVariable& read);

/// The path that `value` means in a file that lies in `directory`: `~/` is home. Empty when that
/// cannot be known, as where `directory` or `home` is empty.
std::string git_path(std::string_view value, std::string_view directory, std::string_view home);

/// What a file `.git`, as linked working trees and submodules have it, says after "gitdir:"; empty
/// when it is no such file.
std::string_view git_directory_of(std::string_view text);

/// Whether this is the text of the HEAD of a repository.
bool is_git_head(std::string_view text);

}  // namespace ffind::query
