// SPDX-License-Identifier: MIT
// See argument_file.h.
#include "cli/argument_file.h"

#include <algorithm>

#include "cli/arguments.h"
#include "ffind/issue.h"
#include "text/format.h"
#include "text/problem.h"
#include "text/quoting.h"

namespace ffind::cli {
namespace {

// Line feeds never get here. Carriage returns are what other systems end their lines with.
constexpr std::string_view white_space = " \t\r\v\f";

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(white_space) + 1 - begin);
}

/// Of a line no more than its beginning, and nothing that steers a terminal.
std::string shown(std::string_view line) {
  return text::excerpt(line);
}

std::string place(const std::string& path, std::size_t line) {
  return text::format("in {}, line {}", text::escaped(path), line);
}

struct Escape {
  char letter;
  char meaning;
};

constexpr Escape escapes[] = {{'"', '"'}, {'\\', '\\'}, {'n', '\n'}, {'t', '\t'}, {'r', '\r'}};

/// What is between the quotes of `line`, which begins with one.
std::string unquoted(std::string_view line) {
  constexpr std::string_view example = "\n  for example: \"a \\\"word\\\", a \\\\ and a line\\n\"";
  std::string text;
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '"') {
      if (at + 1 == line.size()) return text;
      throw UsageError("unexpected text after the closing quote" + std::string(example));
    }
    if (line[at] != '\\') {
      text += line[at];
      continue;
    }
    if (++at == line.size()) break;
    const auto* const escape = std::find_if(std::begin(escapes), std::end(escapes),
                                            [&](Escape one) { return one.letter == line[at]; });
    if (escape == std::end(escapes)) {
      throw UsageError(text::format("'\\{}' means nothing in quotes{}",
                                    text::plain_character_at(line, at), example));
    }
    text += escape->meaning;
  }
  throw UsageError("the line begins with a quote but does not end with one" + std::string(example));
}

/// "-E node_modules" on one line would be an -E with a space in front of its value.
bool looks_like_two(std::string_view line) {
  const std::size_t space = line.find_first_of(" \t");
  if (space == std::string_view::npos || line[0] != '-') return false;
  if (line[1] != '-') return space == 2;
  return line.substr(0, space).find('=') == std::string_view::npos;
}

void refuse_two_in_one(std::string_view line) {
  if (!looks_like_two(line)) return;
  const std::size_t space = line.find_first_of(" \t");
  throw UsageError(
      text::format("each line is one argument, but this looks like two\n"
                   "  for example: {} on one line, {} on the next\n"
                   "  or, if it is one: \"{}\"",
                   shown(line.substr(0, space)), shown(trimmed(line.substr(space))), shown(line)));
}

/// Where the value begins in a line that may be an option with its value.
std::size_t value_in(std::string_view line) {
  if (!line.starts_with('-')) return 0;
  if (!line.starts_with("--")) return std::min<std::size_t>(2, line.size());
  const std::size_t equals = line.find('=');
  return equals == std::string_view::npos ? line.size() : equals + 1;
}

/// What people write as they would for a shell, which nobody reads the line as.
void refuse_shell(std::string_view line) {
  const std::size_t hash = std::min(line.find(" #"), line.find("\t#"));
  if (hash != std::string_view::npos) {
    throw UsageError(text::format(
        "a comment stands on a line of its own\n  for example: {} on one line, {} above "
        "it\n  or, if it is no comment: \"{}\"",
        shown(trimmed(line.substr(0, hash))), shown(line.substr(hash + 1)), shown(line)));
  }
  const std::size_t begin = value_in(line);
  const std::string_view value = line.substr(begin);
  const char quote = value.empty() ? '\0' : value.front();
  if (value.size() > 1 && (quote == '\'' || quote == '"') && value.back() == quote &&
      value.find(quote, 1) == value.size() - 1) {
    throw UsageError(text::format(
        "the quotes would be part of the value; a line needs none\n  for example: {}{}",
        shown(line.substr(0, begin)), shown(value.substr(1, value.size() - 2))));
  }
  if (value == "~" || value.starts_with("~/")) {
    throw UsageError(text::format(
        "'~' is only expanded by a shell; write the whole path\n  or, if it is a name: \"{}\"",
        shown(line)));
  }
}

std::string argument_of(std::string_view line) {
  if (line.find('\0') != std::string_view::npos) {
    throw UsageError("not a text file: it contains a NUL byte");
  }
  if (line.front() == '"') return unquoted(line);
  refuse_shell(line);
  refuse_two_in_one(line);
  return std::string(line);
}

/// Whether a line of just `argument` would not be read as that.
bool needs_quotes(const std::string& argument) {
  if (argument.empty() || argument.front() == '#' || argument.front() == '"') return true;
  if (argument.find('\n') != std::string::npos || trimmed(argument) != argument) return true;
  // What some editors put at the beginning of a file, and read_arguments takes off there.
  if (argument.substr(0, 3) == "\xEF\xBB\xBF") return true;
  try {
    return argument_of(argument) != argument;
  } catch (const UsageError&) {
    return true;
  }
}

std::string quoted_line(const std::string& argument) {
  std::string line = "\"";
  for (const char character : argument) {
    const auto* const escape = std::find_if(std::begin(escapes), std::end(escapes),
                                            [&](Escape one) { return one.meaning == character; });
    if (escape == std::end(escapes)) {
      line += character;
    } else {
      line += '\\';
      line += escape->letter;
    }
  }
  return line + '"';
}

bool throws(const std::string& problem, const ArgumentFile& file, std::size_t count,
            const ArgumentCheck& check) {
  try {
    check({file.arguments.begin(), file.arguments.begin() + static_cast<std::ptrdiff_t>(count)});
  } catch (const UsageError& error) {
    return error.what() == problem;
  }
  return false;
}

/// How many arguments precede each option with its value; if that is unknown, because
/// there is one that does not exist, all counts.
std::vector<std::size_t> boundaries(const ArgumentFile& file) {
  std::vector<std::size_t> counts;
  try {
    counts = prepare(file.arguments).begins;
  } catch (const UsageError&) {
    for (std::size_t i = 0; i < file.arguments.size(); ++i) counts.push_back(i);
  }
  counts.push_back(file.arguments.size());
  return counts;
}

}  // namespace

ArgumentFile read_arguments(std::string path, std::string_view text) {
  ArgumentFile file{std::move(path), {}, {}};
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // a byte order mark
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    try {
      file.arguments.push_back(argument_of(line));
    } catch (const UsageError& error) {
      throw UsageError(place(file.path, number) + ": " + error.what());
    }
    file.lines.push_back(number);
  }
  return file;
}

std::string lines_of(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) {
    text += needs_quotes(argument) ? quoted_line(argument) : argument;
    text += '\n';
  }
  return text;
}

std::string place_of(const std::string& problem, const ArgumentFile& file,
                     const ArgumentCheck& check) {
  // Halving, since a list of thousands of exclusions is no error. Between options first: one that
  // is cut off from its value is another problem. None of it is sure to hold for all in between,
  // but what comes out does: with that line the problem is there, and without it it is not.
  const std::vector<std::size_t> counts = boundaries(file);
  if (file.arguments.empty()) return "in " + shown(file.path);
  std::size_t low = 0;
  std::size_t high = counts.size() - 1;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (throws(problem, file, counts[middle], check) ? high : low) = middle;
  }
  std::size_t count = counts[low] + 1;
  while (count < counts[high] && !throws(problem, file, count, check)) ++count;
  return place(file.path, file.lines.at(count - 1));
}

void check_arguments(const ArgumentFile& file, const ArgumentCheck& check) {
  try {
    check(file.arguments);
  } catch (const UsageError& error) {
    throw UsageError(place_of(error.what(), file, check) + ": " + error.what());
  }
}

}  // namespace ffind::cli
