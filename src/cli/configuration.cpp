// SPDX-License-Identifier: MIT
// See configuration.h.
#include "cli/configuration.h"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "cli/arguments.h"
#include "cli/environment.h"
#include "ffind/issue.h"
#include "os/os.h"
#include "os/own_files.h"
#include "output/messages.h"
#include "text/escape.h"
#include "text/format.h"

namespace ffind {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;

std::string unreadable(const std::string& path, int error, const std::string& what) {
  return what + ": " + text::escaped(path) +
         ": cannot be read: " + (error == EFBIG ? "more than 1 MiB" : reason_of(error));
}

/// Whether what cannot be opened is not there, as far as this user is concerned: also what is out
/// of reach in the home of somebody else, as HOME may be after a change of user.
bool is_absent(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) return true;
  std::string why_not;
  return error == EACCES && !os::metadata_of(path, why_not).has_value();
}

}  // namespace

std::string own_directory() {
  const std::string configured = environment("XDG_CONFIG_HOME");
  if (configured.starts_with('/')) return configured + "/ffind";
  const std::string home = environment("HOME");
  return home.starts_with('/') ? home + "/.config/ffind" : std::string();
}

std::optional<ArgumentFile> read_argument_file(const std::string& path, const std::string& what) {
  std::string text;
  const int error = os::read_own_file(path, most_bytes, text);
  if (error == 0) return read_arguments(path, text);
  if (is_absent(path, error)) return std::nullopt;
  throw UsageError(unreadable(path, error, what));
}

std::optional<ArgumentFile> read_configuration(bool terminal) {
  if (const char* const named = std::getenv("FFIND_CONFIG"); named != nullptr) {
    if (*named == '\0') return std::nullopt;
    std::optional<ArgumentFile> file = read_argument_file(named, "FFIND_CONFIG");
    if (!file) throw UsageError(unreadable(named, ENOENT, "FFIND_CONFIG"));
    return file;
  }
  // Scripts read what is printed: what one person likes to see must not change it.
  if (!terminal) return std::nullopt;
  const std::string directory = own_directory();
  if (directory.empty()) return std::nullopt;
  return read_argument_file(directory + "/config", "configuration");
}

void check_place_in_configuration(const std::vector<std::string>& arguments) {
  const PreparedArguments prepared = prepare(arguments);
  if (!prepared.arguments.empty()) {
    throw UsageError("'" + text::escaped(prepared.arguments.front()) +
                     "' is no option, and a configuration holds nothing else\n"
                     "  for example, on two lines: -E and node_modules");
  }
  for (const std::string_view name :
       {"--in", "--files0-from", "--volume", "--all-volumes", "--exec", "--exec-batch",
        "--exec-in-dir", "--delete", "--dry-run", "--confirm", "--yes", "--explain", "--volumes",
        "--save", "--saved", "--no-config", "-h", "--help", "--version"}) {
    if (!has_option(prepared, name)) continue;
    throw UsageError(
        text::format("{} has no place in a configuration: it is for one search", name));
  }
}

}  // namespace ffind
