// SPDX-License-Identifier: MIT
// What the first argument is to the program whose options there are, and the order of arguments;
// which program's line it is. See habits.h.
#include "cli/habits.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "cli/operands.h"
#include "cli/option_table.h"
#include "cli/translator.h"
#include "query/kinds.h"
#include "text/shell_quote.h"

namespace ffind {
namespace {

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

constexpr std::string_view expression_signs = "\\^$.|?*+()[]{}";

bool is_extension(std::string_view text) {
  return !text.empty() && text.size() <= 8 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '.'; }) &&
         kind_of_file("x." + std::string(text)) != 0;
}

}  // namespace

void Translator::sort_order() {
  if (long_) options_.emplace_back("-l");
  if (by_time_ || by_size_) {
    option("--sort", std::string(reversed_ ? "" : "-") + (by_time_ ? "modified" : "size"));
  }
}

/// What the first argument is to the program whose options there are.
bool Translator::settle_pattern() {
  if (program_ == Program::fd) {
    // fd's -e is an extension.
    for (const std::size_t at : regexes_) {
      if (!is_extension(options_[at])) return false;
      options_[at - 1] = "--ext";
    }
    if (!regexes_.empty()) has_pattern_ = false;
  }
  const std::string first = arguments_.empty() ? "" : arguments_.front();
  if (content_ && arguments_.empty()) return false;
  if (content_) {
    arguments_.erase(arguments_.begin());
    option(has_any(first, expression_signs) ? "--contains-regex" : "--contains", first);
    Words paths = std::move(arguments_);
    arguments_.clear();
    for (const std::string& path : paths) {
      if (has_pattern_ || looks_like_path(path)) {
        if (path != "." || paths.size() > 1) arguments_.push_back(path);
      } else {
        option("--in", path);
      }
    }
    return true;
  }
  if (program_ == Program::rg && has_pattern_ &&
      std::find(options_.begin(), options_.end(), "-i") == options_.end()) {
    options_.insert(options_.begin(), "-s");
  }
  if (arguments_.empty()) return true;
  if (program_ == Program::rg) {
    for (const std::string& path : arguments_) {
      if (path != "." || arguments_.size() > 1) option("--in", path);
    }
    arguments_.clear();
    return true;
  }
  if (glob_flag_ || regex_flag_) {
    arguments_.erase(arguments_.begin());
    option(glob_flag_ ? "-g" : "-e", first);
    has_pattern_ = true;
    return true;
  }
  if (has_pattern_ || fixed_ || program_ != Program::fd) return true;
  if (first == "." || first == "^") {
    arguments_.erase(arguments_.begin());
    Words paths = std::move(arguments_);
    arguments_.clear();
    for (const std::string& path : paths) {
      if (looks_like_path(path)) {
        arguments_.push_back(path);
      } else {
        option("--in", path);
      }
    }
    return true;
  }
  if (has_any(first, expression_signs)) {
    arguments_.erase(arguments_.begin());
    option("-e", first);
    has_pattern_ = true;
  }
  return true;
}

Words Translator::line() {
  Words words = options_;
  if (!wheres_.empty()) {
    std::string where;
    for (const std::string& each : wheres_) where += (where.empty() ? "" : " and ") + each;
    words.emplace_back("--where");
    words.push_back(where);
  }
  if (after_dashes_) words.emplace_back("--");
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), commands_.begin(), commands_.end());
  return words;
}

namespace {

/// `/etc passwd` and `. src`: TEXT first, or --in.
bool put_text_first(Words& arguments, Words& options, const IsDirectory& is_directory) {
  if (arguments.size() < 2 || !looks_like_path(arguments.front())) return false;
  const auto is_path = [](const std::string& word) { return looks_like_path(word); };
  const auto text = std::find_if_not(arguments.begin(), arguments.end(), is_path);
  if (text == arguments.end()) return false;
  if (arguments.front() == "." && is_directory(*text)) {
    arguments.erase(arguments.begin());
    for (const std::string& path : arguments) {
      options.emplace_back("--in");
      options.push_back(path);
    }
    arguments.clear();
    return true;
  }
  const std::string first = *text;
  arguments.erase(text);
  if (arguments.size() == 1 && arguments.front() == ".") arguments.clear();
  arguments.insert(arguments.begin(), first);
  return true;
}

}  // namespace

std::optional<Words> Translator::translate() {
  if (!scan()) return {};
  sort_order();
  if (!settle_pattern()) return {};
  if (!has_pattern_ && put_text_first(arguments_, options_, is_directory_)) changed_ = true;
  if (!changed_) return {};
  return line();
}

std::optional<Words> translate(const Words& words, const IsDirectory& is_directory) {
  const bool of_mdfind = std::find(words.begin(), words.end(), "-onlyin") != words.end();
  Words own;
  bool of_find = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" || word == "-x" || word == "-X" || word == "--exec" || word == "--exec-batch")
      break;
    of_find =
        of_find || (is_find_predicate(word) && !find_option(word) && !find_foreign(word)) ||
        ((word == "!" || word == "(") && words.size() > i + 1 && words[i + 1].starts_with("-"));
    // -g -name: the value of an option
    if (word.starts_with("-") && word.size() > 1) {
      const OptionRow* const row = find_option(word);
      if (row != nullptr && takes_value(*row)) {
        ++i;
      }
    }
  }
  if (of_mdfind) {
    Words without;
    for (const std::string& word : words) {
      if (word != "-name") without.push_back(word);
    }
    return Translator(without, is_directory).translate();
  }
  if (of_find) {
    if (auto line = translate_find(words, is_directory)) return line;
  }
  return Translator(words, is_directory).translate();
}

std::string line_to_paste(const Words& words) {
  std::string line = "ffind";
  for (const std::string& word : words) line += ' ' + text::shell_word(word);
  return line;
}

}  // namespace ffind
