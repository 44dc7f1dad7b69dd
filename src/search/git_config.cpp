// SPDX-License-Identifier: MIT
// Parsers for git's files, in the syntax of git-config(1).
//
//     ConfigParser     text of a configuration → section, key, value
//     SettingsParser   picks core.excludesFile and core.ignoreCase, and follows include.path
//
// Later settings override earlier ones, and an included file counts at the place of its inclusion.
// Errors end a file: the settings before them apply.
//
//     [core]                            section core
//         excludesFile = ~/.ignore      core, excludesfile, "~/.ignore"
//         ignoreCase                    core, ignorecase, "true"
//     [include]
//         path = "other file" ; note    include, path, "other file"
//     [remote "origin"]                 has a subsection: its keys are skipped
#include "search/git_config.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "text/ascii.h"

namespace ffind::search {
namespace {

bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}
bool is_word(char byte) {
  return text::is_letter_or_digit(byte) || byte == '-';
}

/// Reads a configuration once, from the beginning. A read_ function that returns false has met text
/// that git rejects, which ends the parse.
class ConfigParser {
 public:
  explicit ConfigParser(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  template <typename Take>
  void read(const Take& take) {
    while (true) {
      skip_blank_lines();
      if (at_ >= text_.size()) return;
      if (text_[at_] == '#' || text_[at_] == ';') {
        skip_line();
      } else if (text_[at_] == '[') {
        if (!read_section()) return;
      } else {
        const std::string key = read_word(is_word);
        std::string value;
        if (key.empty() || !read_value(value)) return;
        if (!subsection_) take(section_, key, std::move(value));
      }
    }
  }

 private:
  /// The next byte. The end reads as a line feed, which ends every construct.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  void skip_blank_lines() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) ++at_;
  }

  /// Takes the bytes that belong to a word, in lower case; empty if there is none.
  std::string read_word(bool (*belongs)(char byte)) {
    std::string word;
    while (at_ < text_.size() && belongs(text_[at_])) word += text::fold_ascii(text_[at_++]);
    return word;
  }

  /// Reads [section], [section "subsection"] or the old form [section.subsection]. A quote in a
  /// subsection is escaped by a backslash.
  bool read_section() {
    ++at_;
    section_ = read_word([](char byte) { return is_word(byte) || byte == '.'; });
    skip_blanks();
    subsection_ = peek() == '"' || section_.find('.') != std::string::npos;
    if (peek() == '"') {
      for (++at_; peek() != '"'; ++at_) {
        if (peek() == '\n') return false;
        if (peek() == '\\') ++at_;
      }
      ++at_;
    }
    if (peek() != ']') return false;
    ++at_;
    return true;
  }

  /// Reads the rest of a line after the key: nothing, or = and a value. Quotes may begin and end
  /// anywhere in it; they protect blanks and the marks of comments:
  ///
  ///     = a  b  ; note         "a  b"
  ///     = "a ; b" c            "a ; b c"
  ///     = a \                  goes on in the next line
  bool read_value(std::string& value) {
    skip_blanks();
    if (peek() == '\n') {
      value = "true";
      return true;
    }
    if (peek() != '=') return false;
    ++at_;
    skip_blanks();
    bool quoted = false;
    std::size_t kept = 0;  // trailing blanks outside of quotes are dropped
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char byte = text_[at_];
      if (byte == '"') {
        quoted = !quoted;
        kept = value.size();
        continue;
      }
      if (!quoted && (byte == '#' || byte == ';')) {
        skip_line();
        break;
      }
      if (byte == '\\') {
        if (!read_escape(value)) return false;
        kept = value.size();
        continue;
      }
      value += byte;
      if (quoted || !is_blank(byte)) kept = value.size();
    }
    value.resize(kept);
    return !quoted;
  }

  /// Reads what follows a backslash: t n b " \ or the end of the line, which is dropped.
  bool read_escape(std::string& value) {
    ++at_;
    if (peek() == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    switch (peek()) {
      case '\n':  // continued on the next line
        break;
      case 't':
        value += '\t';
        break;
      case 'n':
        value += '\n';
        break;
      case 'b':
        value += '\b';
        break;
      case '"':
      case '\\':
        value += text_[at_];
        break;
      default:
        return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  /// In lower case.
  std::string section_;
  /// The section has a subsection, so its keys are not passed on.
  bool subsection_ = false;
};

std::string_view without_line_ends(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

// The same as in git.
constexpr int deepest_include = 10;

/// Collects settings of ignore files, also from included files.
class SettingsParser {
 public:
  SettingsParser(std::string_view top, std::string_view home, const ReadFile& read,
                 IgnoreSettings& found)
      : top_(top), home_(home), read_(read), found_(found) {}

  /// Takes one setting of a file in `directory`; `depth` is the nesting of includes.
  void take(std::string_view name, std::string_view value, std::string_view directory, int depth) {
    if (name == "core.excludesfile") {
      // Without a directory to resolve against, a relative path stays as it is; the caller resolves
      // it for each working tree.
      const bool is_kept = top_.empty() && !value.starts_with('~');
      found_.excludes_file = is_kept ? std::string(value) : git_path(value, top_, home_);
    }
    if (name == "core.ignorecase") found_.ignore_case = git_truth(value);
    if (name == "include.path" && !value.empty()) {
      read_file(git_path(value, directory, home_), depth + 1);
    }
  }

  /// Reads a file and those that it includes. Does nothing for a path that could not be resolved,
  /// beyond the depth or the number of files that are allowed, and for a file that cannot be read.
  void read_file(const std::string& path, int depth) {
    std::string text;
    if (path.empty() || depth > deepest_include || files_ == most_config_files) return;
    ++files_;
    if (!read_(path, text)) return;
    const std::string_view directory =
        std::string_view(path).substr(0, std::max<std::size_t>(path.rfind('/'), 1));
    read_git_config(text,
                    [&](std::string_view section, std::string_view key, const std::string& value) {
                      take(std::string(section).append(".").append(key), value, directory, depth);
                    });
  }

 private:
  std::string_view top_;
  std::string_view home_;
  const ReadFile& read_;
  IgnoreSettings& found_;
  /// Files tried so far, up to most_config_files.
  std::size_t files_ = 0;
};

}  // namespace

void read_git_config(std::string_view text,
                     const std::function<void(std::string_view section, std::string_view key,
                                              std::string value)>& take) {
  ConfigParser(text).read(take);
}

IgnoreSettings read_ignore_settings(const std::string& path, std::string_view top,
                                    std::string_view home, const ReadFile& read,
                                    IgnoreSettings before) {
  SettingsParser(top, home, read, before).read_file(path, 0);
  return before;
}

bool git_truth(std::string_view value) {
  const std::string word = text::fold_ascii(value);
  if (word == "false" || word == "no" || word == "off") return false;
  return word.find_first_not_of('0') != std::string::npos;
}

IgnoreSettings read_given_settings(std::string_view home, const ReadVariable& variable,
                                   const ReadFile& read) {
  IgnoreSettings given;
  SettingsParser reader({}, home, read, given);
  const std::string count_text = variable("GIT_CONFIG_COUNT").value_or("");
  unsigned count = 0;
  const char* const end = count_text.data() + count_text.size();
  // Anything but a plain number counts as none.
  const auto [stopped, error] = std::from_chars(count_text.data(), end, count);
  if (error != std::errc() || stopped != end) count = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const std::optional<std::string> key = variable("GIT_CONFIG_KEY_" + number);
    const std::optional<std::string> value = variable("GIT_CONFIG_VALUE_" + number);
    // git reports an error. The count may be huge, but variables that are not set end the loop.
    if (!key || !value) break;
    reader.take(text::fold_ascii(*key), *value, {}, 0);
  }
  return given;
}

std::string git_path(std::string_view value, std::string_view directory, std::string_view home) {
  if (value.empty() || value.front() == '/') return std::string(value);
  if (value.front() != '~') {
    return directory.empty() ? std::string() : std::string(directory).append("/").append(value);
  }
  // Home directories of other users are not looked up.
  if (home.empty() || (value.size() > 1 && value[1] != '/')) return {};
  return std::string(home).append(value.substr(1));
}

// "gitdir: ../.git/modules/x\n" becomes "../.git/modules/x", which git_path resolves.
std::string_view git_directory_of(std::string_view text) {
  constexpr std::string_view beginning = "gitdir: ";
  if (!text.starts_with(beginning)) return {};
  return without_line_ends(text.substr(beginning.size()));
}

// "ref: refs/heads/main", or the digits of a commit: 40 for SHA-1, 64 for SHA-256. The same test as
// git's validate_headref(): a directory without such a HEAD is no repository.
bool is_git_head(std::string_view text) {
  constexpr std::string_view reference = "ref:";
  if (text.starts_with(reference)) {
    text.remove_prefix(reference.size());
    while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
    return text.starts_with("refs/");
  }
  constexpr std::size_t shortest_id = 40;
  const auto is_hex = [](char byte) { return text::hex_value(byte).has_value(); };
  const auto digits = std::find_if_not(text.begin(), text.end(), is_hex) - text.begin();
  return static_cast<std::size_t>(digits) >= shortest_id;
}

}  // namespace ffind::search
