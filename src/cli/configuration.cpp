// SPDX-License-Identifier: MIT
// See configuration.h.
#include "cli/configuration.h"

#include <cerrno>
#include <cstdlib>

#include "cli/arguments.h"
#include "cli/environment.h"
#include "cli/option_table.h"
#include "ffind/issue.h"
#include "os/files.h"
#include "os/machine.h"
#include "output/messages.h"
#include "text/format.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;
constexpr const char* configuration = "configuration";

std::string about(const std::string& what, const std::string& path) {
  return what + ": " + text::escaped(path) + ": ";
}

std::string unreadable(const std::string& path, int error, const std::string& what) {
  return about(what, path) + "cannot be read: " + output::reason_of(error);
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

std::string reason_of(const os::OwnFileResult& result, const std::string& path) {
  const auto belongs = [&] {
    return text::format("belongs to user {}, not to you or root", result.owner);
  };
  const bool elsewhere = !result.place.empty();
  switch (result.trouble) {
    case os::OwnFileTrouble::none:
      break;
    case os::OwnFileTrouble::system:
      return output::reason_of(result.error);
    case os::OwnFileTrouble::foreign:
      return (elsewhere ? text::escaped(result.place) : "it") + ' ' + belongs();
    case os::OwnFileTrouble::foreign_link:
      if (!elsewhere) return "it is a link that " + belongs();
      return text::format("the link {} on the way {}", text::escaped(result.place), belongs());
    case os::OwnFileTrouble::writable:
      return text::format(
          "others may write to it (mode {:o})\n  to keep it to yourself: chmod go-w {}",
          result.mode, text::shell_word(path));
    case os::OwnFileTrouble::no_file:
      return "cannot be read: not a file or a pipe";
    case os::OwnFileTrouble::nobody_writes:
      return "cannot be read: no writer on this pipe";
  }
  return {};
}

std::optional<ArgumentFile> read_argument_file(const std::string& path, const std::string& what) {
  std::string text;
  const os::OwnFileResult result = os::read_own_file(path, most_bytes, text);
  if (result.trouble == os::OwnFileTrouble::none) return read_arguments(path, text);
  if (result.trouble != os::OwnFileTrouble::system) {
    const std::string way_out = what == configuration ? "\n  --no-config ignores it" : "";
    throw UsageError(about(what, path) + reason_of(result, path) + way_out);
  }
  if (is_absent(path, result.error)) return std::nullopt;
  if (result.error == EFBIG) {
    throw UsageError(about(what, path) + "cannot be read: more than 1 MiB");
  }
  throw UsageError(unreadable(path, result.error, what));
}

std::optional<ArgumentFile> read_configuration(bool terminal) {
  if (const auto named = os::environment("FFIND_CONFIG")) {
    if (named->empty()) return std::nullopt;
    std::optional<ArgumentFile> file = read_argument_file(*named, "FFIND_CONFIG");
    if (!file) throw UsageError(unreadable(*named, ENOENT, "FFIND_CONFIG"));
    return file;
  }
  // Scripts read what is printed: what one person likes to see must not change it.
  if (!terminal) return std::nullopt;
  const std::string directory = own_directory();
  if (directory.empty()) return std::nullopt;
  return read_argument_file(directory + "/config", configuration);
}

void check_place_in_configuration(const std::vector<std::string>& arguments) {
  const PreparedArguments prepared = prepare(arguments);
  if (!prepared.arguments.empty()) {
    throw UsageError("'" + text::escaped(prepared.arguments.front()) +
                     "' is not an option; a configuration contains only options\n"
                     "  for example, on two lines: -E and node_modules");
  }
  for (const OptionRow& row : option_table()) {
    if (row.stored_in == StoredIn::any_file || !has_option(prepared, row)) continue;
    throw UsageError(text::format("{} is not allowed in a configuration: it is for a single search",
                                  main_name(row)));
  }
}

}  // namespace ffind::cli
