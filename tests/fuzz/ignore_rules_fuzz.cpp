// SPDX-License-Identifier: MIT
// Fuzzes ignore files: the rules' tables and the bounded matcher against a naive reading of the
// same lines, which tries everything; and git's configuration. Input: a path, a newline, the file.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/fuzz.h"
#include "search/git_config.h"
#include "search/ignore_rules.h"

namespace ffind::fuzz::ignore_rules_fuzz {

namespace {

/// Tries all that each star may match. Only for short inputs.
bool naive(std::string_view pattern, std::string_view text, search::LetterCase letters, bool path,
           bool begins) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    const std::size_t stars = std::min(pattern.find_first_not_of('*'), pattern.size());
    const std::string_view rest = pattern.substr(stars);
    const bool between =
        stars > 1 && begins && (rest.empty() || rest.front() == '/' || rest.starts_with("\\/"));
    if (path && between && rest.starts_with('/') &&
        naive(rest.substr(1), text, letters, path, true)) {
      return true;
    }
    for (std::size_t length = 0; length <= text.size(); ++length) {
      if (naive(rest, text.substr(length), letters, path, false)) return true;
      if (length < text.size() && text[length] == '/' && path && !between) return false;
    }
    return false;
  }
  if (text.empty()) return false;
  // One piece is what matches a single byte; the matcher for names is asked of that alone.
  std::size_t size = 1;
  if (pattern.front() == '\\') size = 2;
  if (pattern.front() == '[') {
    while (!search::can_match(pattern.substr(0, size))) ++size;
  }
  const bool slash = pattern.front() == '/' || pattern.starts_with("\\/");
  if (path && text.front() == '/' && !slash) return false;
  return search::matches_name(pattern.substr(0, size), text.substr(0, 1), letters) &&
         naive(pattern.substr(size), text.substr(1), letters, path, slash);
}

void compare(std::string_view pattern, std::string_view path, search::LetterCase letters) {
  constexpr std::size_t longest = 16;  // the naive one is exponential
  constexpr std::ptrdiff_t most_stars = 4;
  if (std::count(pattern.begin(), pattern.end(), '*') > most_stars) return;
  if (!search::can_match(pattern) || pattern.size() > longest || path.size() > longest) return;
  require(search::matches_path(pattern, path, letters) == naive(pattern, path, letters, true, true),
          "paths agree");
  if (path.find('/') != std::string_view::npos) return;
  require(
      search::matches_name(pattern, path, letters) == naive(pattern, path, letters, false, true),
      "names agree");
}

/// The rules of `text` against the same line by line, the last first: no table has more than one
/// rule then.
void compare_rules(std::string_view text, std::string_view path, bool directory,
                   search::LetterCase letters) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const search::IgnoreSubject subject(name, directory, letters);
  const search::IgnoreDecision decision =
      search::IgnoreRules(std::string(text), letters).judge(subject, path);
  search::IgnoreDecision expected = search::IgnoreDecision::none;
  std::string_view lines = text;
  if (lines.starts_with("\xEF\xBB\xBF")) lines.remove_prefix(3);
  while (!lines.empty() && lines.size() < 4096) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const search::IgnoreRules one("\n" + std::string(line), letters);
    const search::IgnoreDecision said = one.judge(subject, path);
    if (said != search::IgnoreDecision::none) expected = said;
    compare(line, path, letters);
  }
  require(text.size() >= 4096 || decision == expected, "the last rule decides");
}

/// Whatever is included is the same file once more.
void read_endless_config(std::string_view text) {
  std::size_t reads = 0;
  const search::ReadFile read = [&](const std::string&, std::string& found) {
    ++reads;
    found = text;
    return true;
  };
  search::read_ignore_settings("/config", "/top", "/home", read, {});
  require(reads <= search::most_config_files, "includes come to an end");
}

}  // namespace

FUZZ_TARGET(ignore_rules) {
  Input input(data, size);
  const std::string_view path = input.take_until('\n');
  const std::string_view text = input.rest();
  if (path.empty() || path.ends_with('/') || path.find('\0') != std::string_view::npos) return 0;
  for (const search::LetterCase letters : {search::LetterCase::kept, search::LetterCase::ignored}) {
    for (const bool directory : {false, true}) compare_rules(text, path, directory, letters);
  }
  std::uint64_t steps = 0;
  if (search::can_match(text)) search::matches_path(text, path, search::LetterCase::kept, &steps);
  require(steps <= 4 * (text.size() + 1) * (path.size() + 1), "the work is bounded");
  search::read_git_config(text, [](std::string_view, std::string_view, const std::string&) {});
  read_endless_config(text);
  search::is_git_head(text);
  search::git_directory_of(text);
  return 0;
}

}  // namespace ffind::fuzz::ignore_rules_fuzz
