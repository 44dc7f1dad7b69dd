// SPDX-License-Identifier: MIT
// See git_config.h; the syntax is that of git-config(1).
#include "query/ignore/git_config.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "text/ascii.h"

namespace ffind::query {
namespace {

bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}
bool is_word(char byte) {
  return text::is_letter(byte) || text::is_digit(byte) || byte == '-';
}

class ConfigReader {
 public:
  explicit ConfigReader(std::string_view text) : text_(text) {
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
  char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  void skip_blank_lines() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) ++at_;
  }

  std::string read_word(bool (*belongs)(char byte)) {
    std::string word;
    while (at_ < text_.size() && belongs(text_[at_])) word += text::fold_ascii(text_[at_++]);
    return word;
  }

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
    std::size_t kept = 0;  // blanks at the end, outside of quotes, are none of it
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

  bool read_escape(std::string& value) {
    ++at_;
    if (peek() == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    switch (peek()) {
      case '\n':  // the line goes on
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
  std::string section_;
  bool subsection_ = false;
};

std::string_view without_line_ends(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

void read_git_config(std::string_view text,
                     const std::function<void(std::string_view section, std::string_view key,
                                              std::string value)>& take) {
  ConfigReader(text).read(take);
}

namespace {

// As in git.
constexpr int deepest_include = 10;

/// As git reads a truth: a word in any case, or a number.
bool is_true(std::string_view value) {
  const std::string word = text::fold_ascii(value);
  if (word == "false" || word == "no" || word == "off") return false;
  return word.find_first_not_of('0') != std::string::npos;
}

/// Where `name` is a setting of ignore files, what `value` says.
template <typename Settings>
void take_setting(std::string_view name, std::string_view value, std::string_view top,
                  std::string_view home, Settings& found) {
  if (name == "core.excludesfile") found.excludes_file = git_path(value, top, home);
  if (name == "core.ignorecase") found.ignore_case = is_true(value);
}

class SettingsReader {
 public:
  SettingsReader(std::string_view top, std::string_view home, const ReadFile& read,
                 IgnoreSettings& found)
      : top_(top), home_(home), read_(read), found_(found) {}

  void read_file(const std::string& path, int depth) {
    std::string text;
    if (path.empty() || depth > deepest_include || files_ == most_config_files) return;
    ++files_;
    if (!read_(path, text)) return;
    const auto take = [&](std::string_view section, std::string_view key,
                          const std::string& value) {
      take_setting(std::string(section).append(".").append(key), value, top_, home_, found_);
      if (section != "include" || key != "path" || value.empty()) return;
      const std::string_view directory =
          std::string_view(path).substr(0, std::max<std::size_t>(path.rfind('/'), 1));
      read_file(git_path(value, directory, home_), depth + 1);
    };
    read_git_config(text, take);
  }

 private:
  std::string_view top_;
  std::string_view home_;
  const ReadFile& read_;
  IgnoreSettings& found_;
  std::size_t files_ = 0;
};

}  // namespace

IgnoreSettings read_ignore_settings(const std::string& path, std::string_view top,
                                    std::string_view home, const ReadFile& read,
                                    IgnoreSettings before) {
  SettingsReader(top, home, read, before).read_file(path, 0);
  return before;
}

GivenSettings read_given_settings(std::string_view top, std::string_view home,
                                  const ReadVariable& read) {
  GivenSettings given;
  const std::string count_text = read("GIT_CONFIG_COUNT").value_or("");
  unsigned count = 0;
  const char* const end = count_text.data() + count_text.size();
  const auto [stopped, error] = std::from_chars(count_text.data(), end, count);
  if (error != std::errc() || stopped != end) return given;
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const std::optional<std::string> key = read("GIT_CONFIG_KEY_" + number);
    const std::optional<std::string> value = read("GIT_CONFIG_VALUE_" + number);
    // An error to git; and there is no more than what is set, whatever the count.
    if (!key || !value) break;
    take_setting(text::fold_ascii(*key), *value, top, home, given);
  }
  return given;
}

std::string git_path(std::string_view value, std::string_view directory, std::string_view home) {
  if (value.empty() || value.front() == '/') return std::string(value);
  if (value.front() != '~') {
    return directory.empty() ? std::string() : std::string(directory).append("/").append(value);
  }
  // Of other people's homes only their names are known.
  if (home.empty() || (value.size() > 1 && value[1] != '/')) return {};
  return std::string(home).append(value.substr(1));
}

std::string_view git_directory_of(std::string_view text) {
  constexpr std::string_view beginning = "gitdir: ";
  if (!text.starts_with(beginning)) return {};
  return without_line_ends(text.substr(beginning.size()));
}

bool is_git_head(std::string_view text) {
  constexpr std::string_view reference = "ref:";
  if (text.starts_with(reference)) {
    text.remove_prefix(reference.size());
    while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
    return text.starts_with("refs/");
  }
  constexpr std::size_t shortest_id = 40;
  const auto is_hex = [](char byte) {
    const char lower = text::fold_ascii(byte);
    return (lower >= 'a' && lower <= 'f') || (byte >= '0' && byte <= '9');
  };
  const auto digits = std::find_if_not(text.begin(), text.end(), is_hex) - text.begin();
  return static_cast<std::size_t>(digits) >= shortest_id;
}

}  // namespace ffind::query
