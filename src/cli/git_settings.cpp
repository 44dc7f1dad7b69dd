// SPDX-License-Identifier: MIT
// The files of git-config(1), the system's before the user's, and then the environment: the last
// one that says something counts. A repository's own are search's to find. See git_settings.h.
#include "cli/git_settings.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#include "cli/environment.h"
#include "os/os.h"
#include "query/ignore/git_config.h"

namespace ffind::cli {
namespace {

std::optional<std::string> variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

/// Empty where it was deleted: only a relative core.excludesFile needs it.
std::string current_directory_or_none() {
  try {
    return os::current_directory();
  } catch (const std::system_error&) {
    return {};
  }
}

bool read_file(const std::string& path, std::string& text) {
  if (!path.starts_with('/') || os::is_directory(path)) return false;
  try {
    text = os::read_file(path);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

void find_git_settings(GitIgnore& settings) {
  settings.home = environment("HOME");
  std::string configuration = environment("XDG_CONFIG_HOME");
  if (configuration.empty() && !settings.home.empty()) configuration = settings.home + "/.config";
  query::IgnoreSettings found;
  if (!configuration.empty()) found.excludes_file = configuration + "/git/ignore";

  const std::string here = current_directory_or_none();
  const auto add_file = [&](const std::string& path) {
    found = query::read_ignore_settings(path, here, settings.home, read_file, found);
  };
  const std::string no_system = environment("GIT_CONFIG_NOSYSTEM");
  if (no_system.empty() || no_system == "0" || no_system == "false") {
    const std::string system = environment("GIT_CONFIG_SYSTEM");
    add_file(system.empty() ? "/etc/gitconfig" : system);
  }
  if (std::getenv("GIT_CONFIG_GLOBAL") != nullptr) {
    add_file(environment("GIT_CONFIG_GLOBAL"));
  } else {
    if (!configuration.empty()) add_file(configuration + "/git/config");
    if (!settings.home.empty()) add_file(settings.home + "/.gitconfig");
  }
  const query::GivenSettings given = query::read_given_settings(here, settings.home, variable);
  const std::string file = given.excludes_file.value_or(found.excludes_file);
  if (file.starts_with('/')) settings.excludes_file = file;
  if (given.excludes_file) settings.given_excludes_file = settings.excludes_file;
  settings.ignore_case = given.ignore_case.value_or(found.ignore_case);
  settings.given_ignore_case = given.ignore_case;
}

}  // namespace ffind::cli
