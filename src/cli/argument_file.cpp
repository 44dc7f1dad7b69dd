// SPDX-License-Identifier: MIT
// Files of arguments: their lines, who may write to them, and saved searches.
//
// A line is one argument as it is, as in the configuration of ripgrep. No shell reads it, so that
// most mistakes are those of people who write as for a shell: two words on a line, and quotes. Both
// are refused with the line that was meant (argument_of).
//
//     -E                       -E
//     node_modules             node_modules
//     --size=>1M               --size=>1M
//     -E node_modules          refused: looks like two
//     --exclude='*.o'          refused: the quotes would be part of the value
//
// A file is read only if no user but this one and root can write to it or to a link on the way
// (os/trusted_files.h), since it could contain a command.
//
// Errors take two ways. One in the text of the file is found here, with its line. One in an
// argument is thrown by the OptionCheck of request.cpp; place_in() then finds the argument by the
// error's UsagePlace, and its line in ArgumentFile::lines.
#include "cli/argument_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/arguments.h"
#include "cli/option_table.h"
#include "ffind/issue.h"
#include "foreign/foreign.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/trusted_files.h"
#include "output/messages.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"
#include "text/unicode.h"

namespace ffind::cli {
namespace {

// Lines have no line feed any more. Carriage returns end lines on other systems.
constexpr std::string_view white_space = " \t\r\v\f";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(white_space) + 1 - begin);
}

std::string line_in(const std::string& path, std::size_t line) {
  return text::format("in {}, line {}", text::escaped(path), line);
}

/// Throws UsageError for an option and its value on one line: "-E node_modules" would be -E with
/// the value " node_modules". "--size=a b" and "-S10 M" are one: the value is in the word.
void refuse_two_in_one(std::string_view line) {
  const std::size_t space = line.find_first_of(" \t");
  if (space == std::string_view::npos || line[0] != '-') return;
  const bool has_value = line[1] == '-' ? line.find('=') < space : space != 2;
  if (has_value) return;
  throw UsageError({.what = "each line is one argument, but this looks like two",
                    .example = text::format("{} on one line, {} on the next",
                                            text::excerpt(line.substr(0, space)),
                                            text::excerpt(trimmed(line.substr(space))))});
}

/// Returns the offset of the value in a line that may be an option with its value. "-Eglob" is 2,
/// "--exclude=glob" after the "=", "glob" 0; the end for an option without a value.
std::size_t value_in(std::string_view line) {
  if (!line.starts_with('-')) return 0;
  if (!line.starts_with("--")) return std::min<std::size_t>(2, line.size());
  const std::size_t equals = line.find('=');
  return equals == std::string_view::npos ? line.size() : equals + 1;
}

/// Throws UsageError for a value in quotes, which only a shell would drop.
void refuse_quotes(std::string_view line) {
  const std::size_t begin = value_in(line);
  const std::string_view value = line.substr(begin);
  const char quote = value.empty() ? '\0' : value.front();
  if (value.size() < 2 || (quote != '\'' && quote != '"') || value.back() != quote) return;
  if (value.find(quote, 1) != value.size() - 1 && value != line) return;  // 'a' or name = 'b'
  throw UsageError({.what = "the quotes would be part of the value; a line needs none",
                    .example = text::excerpt(line.substr(0, begin)) +
                               text::excerpt(value.substr(1, value.size() - 2))});
}

/// Parses a line that is neither blank nor a comment. White space at the ends has been trimmed.
std::string argument_of(std::string_view line) {
  if (line.find('\0') != std::string_view::npos) {
    throw UsageError("not a text file: it contains a NUL byte");
  }
  refuse_quotes(line);
  refuse_two_in_one(line);
  return std::string(line);
}

/// True if a line of `argument` is read as it.
bool is_one_line(const std::string& argument) {
  if (argument.empty() || argument.front() == '#' || trimmed(argument) != argument) return false;
  if (argument.find('\n') != std::string::npos || argument.starts_with(byte_order_mark))
    return false;
  try {
    return argument_of(argument) == argument;
  } catch (const UsageError&) {
    return false;
  }
}

/// Far more than anyone writes; a wrong path, such as a device, must not fill the memory.
constexpr std::size_t most_bytes = std::size_t{1} << 20U;
constexpr const char* configuration = "configuration";

std::string unreadable(const std::string& path, int error, const std::string& what) {
  return what + ": " + text::escaped(path) +
         ": cannot be read: " + (error == EFBIG ? "more than 1 MiB" : output::reason_of(error));
}

/// True if a file that cannot be opened counts as missing: also one in an inaccessible home
/// directory, to which HOME may still point after a change of user.
bool is_absent(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) return true;
  Metadata ignored{};
  return error == EACCES && os::metadata_of(path, ignored) != 0;
}

/// The value of an XDG variable, or `usual` below HOME.
std::string user_directory(const char* variable, const char* usual) {
  std::string configured = os::environment(variable).value_or("");
  if (configured.starts_with('/')) return configured;
  std::string home = os::environment("HOME").value_or("");
  if (!home.starts_with('/')) return {};
  home += usual;
  return home;
}

/// Directory of this user's files; empty if neither variable is an absolute path: the XDG
/// specification ignores relative ones.
std::string own_directory() {
  std::string directory = user_directory("XDG_CONFIG_HOME", "/.config");
  if (!directory.empty()) directory += "/ffind";
  return directory;
}

/// The reason why a file was neither read nor written, in words. `place` is the directory or link
/// on the way that has the trouble; empty for the file itself.
std::string reason_of(const os::TrustedFileResult& result) {
  const auto belongs = [&] {
    return text::format("belongs to user {}, not to you or root", result.owner);
  };
  const bool elsewhere = !result.place.empty();
  switch (result.trouble) {
    case os::TrustedFileTrouble::none:
      break;
    case os::TrustedFileTrouble::system:
      return output::reason_of(result.error);
    case os::TrustedFileTrouble::foreign:
      return (elsewhere ? text::escaped(result.place) : "it") + ' ' + belongs();
    case os::TrustedFileTrouble::foreign_link:
      if (!elsewhere) return "it is a link that " + belongs();
      return text::format("the link {} on the way {}", text::escaped(result.place), belongs());
    case os::TrustedFileTrouble::writable:
      return text::format("others may write to it (mode {:o})", result.mode);
    case os::TrustedFileTrouble::no_file:
      return "cannot be read: not a file or a pipe";
    case os::TrustedFileTrouble::nobody_writes:
      return "cannot be read: no writer on this pipe";
  }
  return {};
}

/// Throws if a file could not be used: std::system_error, or UsageError if it cannot be trusted.
void check(const os::TrustedFileResult& result, const std::string& failure, const std::string& path,
           std::string note = {}) {
  if (result.trouble == os::TrustedFileTrouble::none) return;
  if (result.trouble == os::TrustedFileTrouble::system) {
    throw std::system_error(result.error, std::generic_category(), failure);
  }
  UsageParts parts;
  parts.what = failure + ": " + reason_of(result);
  if (result.trouble == os::TrustedFileTrouble::writable) {
    parts.advice = "to keep it to yourself: chmod go-w " + text::shell_word(path);
  }
  parts.note = std::move(note);
  throw UsageError(std::move(parts));
}

constexpr std::size_t longest_name = 200;  // of the 255 bytes that file systems have for one
constexpr const char* example = "ffind --save big -S +100M -t f";

/// Directory of saved searches. Throws UsageError if the environment names none.
std::string searches_directory() {
  const std::string directory = own_directory();
  if (directory.empty()) {
    throw UsageError(
        "saved searches are in $XDG_CONFIG_HOME/ffind/searches or $HOME/.config/ffind/searches, "
        "but neither variable is an absolute path");
  }
  return directory + "/searches";
}

std::string path_of(const std::string& name) {
  return searches_directory() + '/' + name;
}

/// Returns the sorted names of saved searches; none if there is no such directory. Directories and
/// names that could not be typed after "@" are skipped.
std::vector<std::string> search_names(const std::string& directory) {
  std::vector<std::string> names;
  const int error = os::names_in(directory, names);
  if (error != 0 && error != ENOENT) {
    throw std::system_error(error, std::generic_category(), text::escaped(directory));
  }
  const auto is_none = [&](const std::string& name) {
    return !is_search_name(name) || os::is_directory(directory + '/' + name);
  };
  names.erase(std::remove_if(names.begin(), names.end(), is_none), names.end());
  std::sort(names.begin(), names.end());
  return names;
}

std::string what_is(const std::string& name) {
  return "saved search '" + name + "'";
}

/// Throws UsageError for a search that does not exist, with a near name and the list of all. Such a
/// word is perhaps text: an @ may begin names of files.
[[noreturn]] void fail_no_search(const std::string& name, const std::string& directory) {
  std::vector<std::string> names;
  try {
    names = search_names(directory);
  } catch (const std::system_error&) {
    names.clear();  // then there is nothing to suggest
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    throw UsageError(what_is(name) + ": " + text::escaped(path_of(name)) + ": broken link");
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string near = text::nearest(name, known);
  UsageParts parts;
  parts.what = text::format("there is no saved search '{}'", text::excerpt(name));
  if (!near.empty()) parts.guess = text::format("; did you mean '@{}'?", near);
  if (!names.empty()) parts.advice = text::format("saved searches: @{}", fmt::join(names, ", @"));
  parts.see = text::format("to search for the text: ffind -- @{}", text::excerpt(name));
  throw UsageError(std::move(parts));
}

/// Throws UsageError for the first option of the table that is for fewer files than `most` says.
void refuse_stored(const Options& options, StoredIn most, std::string_view file) {
  for (const OptionRow& row : option_table()) {
    if (row.stored_in <= most || !options.has(row.id)) continue;
    const std::string name(main_name(row));
    throw UsageError({.what = text::format("{} is not allowed in {}", name, file),
                      .place = {.options = {name}}});
  }
}

/// Reads a file; messages call it `what`. nullopt if it does not exist. Throws UsageError if it
/// cannot be read, or if another user could write to it.
std::optional<ArgumentFile> read_argument_file(const std::string& path, const std::string& what) {
  std::string text;
  const os::TrustedFileResult result = os::read_trusted_file(path, most_bytes, text);
  if (result.trouble == os::TrustedFileTrouble::none) return read_arguments(path, text);
  if (result.trouble != os::TrustedFileTrouble::system) {
    check(result, what + ": " + text::escaped(path), path,
          what == configuration ? "--no-config ignores it" : "");
  }
  if (is_absent(path, result.error)) return std::nullopt;
  throw UsageError(unreadable(path, result.error, what));
}

}  // namespace

void fail_in(std::string source, UsageParts parts) {
  parts.place.source = std::move(source);
  parts.place.word = UsagePlace::unknown;  // of the file
  throw UsageError(std::move(parts));
}

/// Linear in the text. Lines may end in CR LF.
ArgumentFile read_arguments(std::string path, std::string_view text) {
  ArgumentFile file{std::move(path), {}, {}};
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    try {
      file.arguments.push_back(argument_of(line));
    } catch (const UsageError& error) {
      fail_in(line_in(file.path, number), error.parts());
    }
    file.lines.push_back(number);
  }
  return file;
}

std::string lines_of(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) {
    if (!is_one_line(argument)) {
      throw UsageError(
          UsageParts{.what = text::format("'{}' cannot be saved: a saved search has an argument "
                                          "a line, without quotes",
                                          text::excerpt(argument))});
    }
    text.append(argument).append("\n");
  }
  return text;
}

std::string place_in(const ArgumentFile& file, const UsagePlace& place, const Options& options) {
  const std::size_t word = word_of(place, options);
  return word < file.lines.size() ? line_in(file.path, file.lines[word])
                                  : "in " + text::escaped(file.path);
}

Options options_of(const ArgumentFile& file, const OptionCheck& check) {
  const Options scanned = scan(file.arguments);
  try {
    Options options = checked(scanned);
    check(options);
    return options;
  } catch (const UsageError& error) {
    fail_in(place_in(file, error.parts().place, scanned), error.parts());
  }
}

std::string state_directory() {
  return user_directory("XDG_STATE_HOME", "/.local/state");
}

std::optional<ArgumentFile> read_configuration(bool terminal) {
  if (const auto named = os::environment("FFIND_CONFIG")) {
    // FFIND_CONFIG= is like --no-config, for a whole script.
    if (named->empty()) return std::nullopt;
    std::optional<ArgumentFile> file = read_argument_file(*named, "FFIND_CONFIG");
    if (!file) throw UsageError(unreadable(*named, ENOENT, "FFIND_CONFIG"));
    return file;
  }
  // Scripts read the output: personal taste must not change it.
  if (!terminal) return std::nullopt;
  const std::string directory = own_directory();
  if (directory.empty()) return std::nullopt;
  return read_argument_file(directory + "/config", configuration);
}

void check_place_in_configuration(const Options& options) {
  if (!options.arguments.empty()) {
    throw UsageError({.what = "'" + text::escaped(options.arguments.front()) +
                              "' is not an option; a configuration contains only options",
                      .place = {.word = options.argument_places.front()},
                      .advice = "for example, on two lines: -E and node_modules"});
  }
  refuse_stored(options, StoredIn::any_file, "a configuration: it is for a single search");
}

void check_place_in_search(const Options& options) {
  refuse_stored(options, StoredIn::searches, "a saved search");
  if (search_called(options).empty()) return;
  throw UsageError(
      {.what = "a saved search cannot run another, '" + options.arguments.front() + "'",
       .place = {.word = options.argument_places.front()}});
}

/// Bytes of UTF-8 are accepted as they are, but no control character or the like (needs_escaping).
bool is_search_name(std::string_view name) {
  if (name.empty() || name.size() > longest_name || name[0] == '-' || name[0] == '.') return false;
  if (text::needs_escaping(name)) return false;
  return std::all_of(name.begin(), name.end(), [](char byte) {
    return text::is_letter_or_digit(byte) || byte == '-' || byte == '_' || byte == '.' ||
           static_cast<unsigned char>(byte) >= 0x80;
  });
}

std::string search_called(const Options& options) {
  if (options.arguments.empty() || options.arguments_after_dashes) return {};
  const std::string& first = options.arguments.front();
  if (!first.starts_with('@') || !is_search_name(std::string_view(first).substr(1))) return {};
  return first.substr(1);
}

ArgumentFile read_search(const std::string& name) {
  std::optional<ArgumentFile> file = read_argument_file(path_of(name), what_is(name));
  if (!file) fail_no_search(name, searches_directory());
  return std::move(*file);
}

std::vector<std::string> arguments_to_save(const Options& typed) {
  const std::vector<std::string> names = typed.all(Id::save);
  if (names.size() > 1) throw UsageError("--save takes one name, and only once");
  if (!is_search_name(names.front())) {
    throw UsageError(
        {.what =
             text::format("invalid name '{}': use letters, digits, '-', '_' and '.'; it may not "
                          "begin with '-' or '.'",
                          text::excerpt(names.front())),
         .place = {.option = "--save", .value = names.front(), .quoted = names.front()},
         .example = example});
  }
  const auto save = std::find_if(typed.given.begin(), typed.given.end(),
                                 [](const Given& one) { return one.id == Id::save; });
  // One word, "--save=big", or two.
  std::vector<std::string> kept = typed.words;
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(save->word),
             kept.begin() + static_cast<std::ptrdiff_t>(save->value_word + 1));
  if (kept.empty()) {
    throw UsageError(
        UsageParts{.what = "--save: there is nothing else to save", .example = example});
  }
  return kept;
}

/// The first line of the file is a comment. A link at the path is replaced, not followed; the
/// message names what it led to.
std::string save_search(const std::string& name, const std::vector<std::string>& arguments) {
  const std::string path = path_of(name);
  const std::string link = os::link_text(path);
  Metadata ignored{};
  const bool replaces = !link.empty() || os::metadata_of(path, ignored) == 0;
  const std::string text =
      text::format("# ffind @{}: one argument per line, see SAVED SEARCHES in ffind(1)\n", name) +
      lines_of(arguments);
  const os::TrustedFileResult result = os::replace_trusted_file(path, text);
  check(result, "cannot save '" + name + "': " + text::escaped(path), path);
  std::string said = text::format("{} '{}'", replaces ? "replaced" : "saved", name);
  if (!link.empty()) said += text::format(", a link to {}, by a file", text::escaped(link));
  return said + text::format("; ffind @{} runs it", name);
}

/// An invalid name cannot exist; ENOENT, so that the nearest one is suggested.
std::string forget_search(const std::string& typed) {
  // They are run as @NAME.
  const std::string name = typed.starts_with('@') ? typed.substr(1) : typed;
  const std::string path = path_of(name);
  const os::TrustedFileResult result =
      is_search_name(name) ? os::remove_trusted_file(path)
                           : os::TrustedFileResult{os::TrustedFileTrouble::system, ENOENT};
  if (result.error == ENOENT) fail_no_search(name, searches_directory());
  check(result, "cannot forget '" + text::escaped(name) + "': " + text::escaped(path), path);
  return text::format("removed the saved search '{}'", name);
}

/// Names are aligned by their columns on a terminal, which differ from bytes.
std::string list_searches(std::vector<std::string>& problems) {
  const std::vector<std::string> names = search_names(searches_directory());
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, text::columns_of(name));
  std::string list;
  for (const std::string& name : names) {
    try {
      const std::string line = foreign::line_to_paste(read_search(name).arguments);
      const std::string gap(width - text::columns_of(name) + 2, ' ');
      list += text::format("@{}{}{}\n", name, gap, line);
    } catch (const UsageError& error) {
      problems.emplace_back(error.what());
    }
  }
  return list;
}

}  // namespace ffind::cli
