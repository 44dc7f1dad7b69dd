// SPDX-License-Identifier: MIT
// See saved_searches.h.
#include "cli/saved_searches.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/arguments.h"
#include "cli/configuration.h"
#include "cli/option_table.h"
#include "os/files.h"
#include "os/trusted_files.h"
#include "text/ascii.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"
#include "text/unicode.h"

namespace ffind::cli {
namespace {

constexpr std::size_t longest_name = 200;  // of the 255 bytes that file systems have for one
constexpr std::string_view example = "\n  for example: ffind --save big -S '>100M' -t f";

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

/// Sorted; nothing where there is no such directory.
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
  std::string text = text::format("there is no saved search '{}'", text::excerpt(name));
  if (!near.empty()) text += text::format("; did you mean '@{}'?", near);
  if (!names.empty()) text += text::format("\n  saved searches: @{}", fmt::join(names, ", @"));
  throw UsageError(text +
                   text::format("\n  to search for the text: ffind -- @{}", text::excerpt(name)));
}

/// On one line, whatever is in the words.
std::string command_line_of(const std::vector<std::string>& words) {
  std::string line = "ffind";
  for (const std::string& word : words) {
    line += ' ' + text::shell_word(word);
  }
  return line;
}

}  // namespace

bool is_search_name(std::string_view name) {
  if (name.empty() || name.size() > longest_name || name[0] == '-' || name[0] == '.') return false;
  if (text::needs_escaping(name)) return false;
  return std::all_of(name.begin(), name.end(), [](char byte) {
    return text::is_letter(byte) || text::is_digit(byte) || byte == '-' || byte == '_' ||
           byte == '.' || static_cast<unsigned char>(byte) >= 0x80;
  });
}

std::string search_called(const std::vector<std::string>& arguments, bool after_dashes) {
  if (arguments.empty() || after_dashes) return {};
  const std::string& first = arguments.front();
  if (!first.starts_with('@') || !is_search_name(std::string_view(first).substr(1))) return {};
  return first.substr(1);
}

ArgumentFile read_search(const std::string& name) {
  std::optional<ArgumentFile> file = read_argument_file(path_of(name), what_is(name));
  if (!file) fail_no_search(name, searches_directory());
  return std::move(*file);
}

std::vector<std::string> arguments_to_save(const std::vector<std::string>& arguments,
                                           const Options& options) {
  if (options.save.size() > 1) throw UsageError("--save takes one name, and only once");
  const std::string& name = options.save.front();
  if (!is_search_name(name)) {
    throw UsageError(
        text::format("--save: invalid name '{}': use letters, digits, '-', '_' and '.'; it may not "
                     "begin with '-' or '.'{}",
                     text::excerpt(name), example));
  }
  const OptionRow& save = option_of(&Options::save);
  std::vector<std::size_t> begins = prepare(arguments).begins;
  begins.push_back(arguments.size());
  std::vector<std::string> kept;
  bool after_dashes = false;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const std::string& first = arguments[begins[i]];
    after_dashes = after_dashes || first == "--";
    if (!after_dashes && find_option(first.substr(0, first.find('='))) == &save) continue;
    for (std::size_t j = begins[i]; j < begins[i + 1]; ++j) kept.push_back(arguments[j]);
  }
  if (kept.empty()) {
    throw UsageError("--save: there is nothing else to save" + std::string(example));
  }
  return kept;
}

std::string save_search(const std::string& name, const std::vector<std::string>& arguments) {
  const std::string path = path_of(name);
  const std::string link = os::link_text(path);
  std::string why_not;
  const bool replaces = !link.empty() || os::metadata_of(path, why_not).has_value();
  const std::string text =
      text::format("# ffind @{}: one argument per line, see SAVED SEARCHES in ffind(1)\n", name) +
      lines_of(arguments);
  const os::OwnFileResult result = os::replace_own_file(path, text);
  const std::string failure = "cannot save '" + name + "': " + text::escaped(path);
  if (result.trouble == os::OwnFileTrouble::system) {
    throw std::system_error(result.error, std::generic_category(), failure);
  }
  if (result.trouble != os::OwnFileTrouble::none) {
    throw UsageError(failure + ": " + reason_of(result, path));
  }
  std::string said = text::format("{} '{}'", replaces ? "replaced" : "saved", name);
  if (!link.empty()) said += text::format(", a link to {}, by a file", text::escaped(link));
  return said + text::format("; ffind @{} runs it", name);
}

std::string forget_search(const std::string& name) {
  const std::string path = path_of(name);
  const os::OwnFileResult result = is_search_name(name)
                                       ? os::remove_own_file(path)
                                       : os::OwnFileResult{os::OwnFileTrouble::system, ENOENT};
  const std::string failure = "cannot forget '" + text::escaped(name) + "': " + text::escaped(path);
  if (result.trouble == os::OwnFileTrouble::system) {
    if (result.error == ENOENT) fail_no_search(name, searches_directory());
    throw std::system_error(result.error, std::generic_category(), failure);
  }
  if (result.trouble != os::OwnFileTrouble::none) {
    throw UsageError(failure + ": " + reason_of(result, path));
  }
  return text::format("removed the saved search '{}'", name);
}

SearchList list_searches() {
  const std::string directory = searches_directory();
  const std::vector<std::string> names = search_names(directory);
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, text::columns_of(name));
  SearchList list;
  for (const std::string& name : names) {
    try {
      const std::string line = command_line_of(read_search(name).arguments);
      list.text += '@';
      list.text += name;
      list.text.append(width - text::columns_of(name) + 2, ' ');
      list.text += line + '\n';
    } catch (const UsageError& error) {
      list.problems.emplace_back(error.what());
    }
  }
  return list;
}

}  // namespace ffind::cli
