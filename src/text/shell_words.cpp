// SPDX-License-Identifier: MIT
// See shell_words.h. Quoting is that of POSIX.1-2024, Shell Command Language, 2.2.
#include "text/shell_words.h"

namespace ffind::text {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

class WordReader {
 public:
  explicit WordReader(std::string_view line) : line_(line) {}

  std::optional<std::vector<std::string>> read() {
    std::vector<std::string> words;
    for (skip_blanks(); at_ < line_.size(); skip_blanks()) {
      std::string word;
      while (at_ < line_.size() && !is_blank(line_[at_])) {
        if (!read_piece(word)) return {};
      }
      words.push_back(std::move(word));
    }
    return words;
  }

 private:
  /// And ends of lines behind a backslash: between words they begin none.
  void skip_blanks() {
    while (at_ < line_.size()) {
      const bool joins = line_.substr(at_, 2) == "\\\n";
      if (!joins && !is_blank(line_[at_])) return;
      at_ += joins ? 2 : 1;
    }
  }

  /// A character or a quoted part; false where that is not complete.
  bool read_piece(std::string& word) {
    const char c = line_[at_++];
    if (c == '\'') return read_single(word);
    if (c == '"') return read_double(word);
    if (c != '\\') {
      word += c;
      return true;
    }
    if (at_ == line_.size()) return false;
    // A newline behind a backslash joins two lines.
    if (line_[at_] != '\n') word += line_[at_];
    ++at_;
    return true;
  }

  bool read_single(std::string& word) {
    const std::size_t end = line_.find('\'', at_);
    if (end == std::string_view::npos) return false;
    word += line_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool read_double(std::string& word) {
    constexpr std::string_view escapable = "$`\"\\\n";
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == '"') return true;
      const bool escapes =
          c == '\\' && at_ < line_.size() && escapable.find(line_[at_]) != std::string_view::npos;
      if (!escapes) {
        word += c;
      } else {
        if (line_[at_] != '\n') word += line_[at_];
        ++at_;
      }
    }
    return false;
  }

  const std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::vector<std::string>> shell_words(std::string_view line) {
  return WordReader(line).read();
}

}  // namespace ffind::text
