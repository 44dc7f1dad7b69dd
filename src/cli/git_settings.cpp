// SPDX-License-Identifier: MIT
// The files of git-config(1), the system's before the user's: the last one that says something
// counts. A repository's own are search's to find. See git_settings.h.
#include "cli/git_settings.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "cli/environment.h"
#include "os/os.h"
#include "query/ignore/git_config.h"

namespace ffind {
namespace {

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
  IgnoreSettings found;
  if (!configuration.empty()) found.excludes_file = configuration + "/git/ignore";

  const auto heed = [&](const std::string& path) {
    found = read_ignore_settings(path, os::current_directory(), settings.home, read_file, found);
  };
  const std::string no_system = environment("GIT_CONFIG_NOSYSTEM");
  if (no_system.empty() || no_system == "0" || no_system == "false") {
    const std::string system = environment("GIT_CONFIG_SYSTEM");
    heed(system.empty() ? "/etc/gitconfig" : system);
  }
  if (std::getenv("GIT_CONFIG_GLOBAL") != nullptr) {
    heed(environment("GIT_CONFIG_GLOBAL"));
  } else {
    if (!configuration.empty()) heed(configuration + "/git/config");
    if (!settings.home.empty()) heed(settings.home + "/.gitconfig");
  }
  settings.ignore_case = found.ignore_case;
  if (found.excludes_file.starts_with('/')) settings.excludes_file = found.excludes_file;
}

}  // namespace ffind
