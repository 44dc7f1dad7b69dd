// SPDX-License-Identifier: MIT
// The files of git-config(1), the system's before the user's, and then the environment: the last
// one that says something counts. A repository's own are search's to find. See git_settings.h.
#include "cli/git_settings.h"

#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

#include "cli/environment.h"
#include "os/files.h"
#include "os/machine.h"
#include "query/gitignore/git_config.h"

namespace ffind::cli {
namespace {

/// Empty if it was deleted: only relative paths of configurations need it.
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
    const bool is_relative = !path.starts_with('/');
    if (is_relative && here.empty()) return;
    found = query::read_ignore_settings(is_relative ? here + "/" + path : path, {}, settings.home,
                                        read_file, found);
  };
  if (!query::git_truth(environment("GIT_CONFIG_NOSYSTEM"))) {
    add_file(os::environment("GIT_CONFIG_SYSTEM").value_or("/etc/gitconfig"));
  }
  if (const auto global = os::environment("GIT_CONFIG_GLOBAL")) {
    add_file(*global);
  } else {
    if (!configuration.empty()) add_file(configuration + "/git/config");
    if (!settings.home.empty()) add_file(settings.home + "/.gitconfig");
  }
  const query::GivenSettings given =
      query::read_given_settings(settings.home, os::environment, read_file);
  settings.excludes_file = given.excludes_file.value_or(found.excludes_file);
  settings.given_excludes_file = given.excludes_file;
  settings.ignore_case = given.ignore_case.value_or(found.ignore_case);
  settings.given_ignore_case = given.ignore_case;
}

}  // namespace ffind::cli
