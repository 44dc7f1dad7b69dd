// SPDX-License-Identifier: MIT
// Globs and regular expressions over whole paths: what is left of them below a root, as a glob or
// an expression of ours.
//
// find matches -path and -regex against root and path together, ours against the path below the
// root. So the root has to be taken off the pattern. Cutting its letters off the text of the
// pattern would be wrong for alternatives, classes and stars. Instead the pattern is parsed into an
// Expression (find_regex.cpp), and the root is taken off by derivatives (find_expression.h):
//
//     -regex './s[rt]c/.*\.c'   root `.`
//         derive by `.`  /s[rt]c/.*\.c
//         derive by `/`  s[rt]c/.*\.c     spelled as ^s[rt]c/.*\.c$
//
// Patterns match whole paths, as in find, until regex_of() writes them for a matcher that searches
// anywhere.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "foreign/find_expression.h"

namespace ffind::foreign {

namespace {

using Sort = Expression::Kind;

}  // namespace

/// find puts a slash between root and name unless the root ends with one.
Pattern below_root(Pattern pattern, std::string_view root, bool sensitive) {
  pattern = derive_all(std::move(pattern), root, sensitive);
  if (!root.ends_with('/')) pattern = derive_all(std::move(pattern), "/", sensitive);
  if (pattern->kind == Sort::empty) return nothing();
  if (pattern->kind != Sort::either) return pattern;
  // A path below the root has at least one character.
  std::vector<Pattern> parts;
  for (const Pattern& part : pattern->parts) {
    if (part->kind != Sort::empty) parts.push_back(part);
  }
  return either(parts);
}

bool matches_everything(const Pattern& pattern) {
  return is_any_text(pattern);
}

bool matches_nothing(const Pattern& pattern) {
  return pattern->kind == Sort::nothing;
}

namespace {

std::vector<Pattern> parts_of(const Pattern& pattern, Sort kind) {
  return pattern->kind == kind ? pattern->parts : std::vector{pattern};
}

bool is_slash(const Pattern& pattern) {
  return pattern->kind == Sort::one && pattern->character == '/';
}

/// True if no text that the pattern matches has a slash in it, nor is empty.
bool stays_in_name(const Expression& expression) {
  const auto stays = [](const Pattern& part) { return stays_in_name(*part); };
  switch (expression.kind) {
    case Sort::one:
      return expression.character != '/';
    case Sort::set:
      return is_in_set(expression, '/') == expression.negated;
    case Sort::join:
    case Sort::either:
    case Sort::repeat:
      return std::all_of(expression.parts.begin(), expression.parts.end(), stays);
    case Sort::nothing:
    case Sort::empty:
    case Sort::any:
      break;
  }
  return false;
}

/// The rest after `.*/`; nullopt for another beginning. `.*/x` is x in any directory.
std::optional<Pattern> after_any_directory(const Pattern& pattern) {
  const std::vector<Pattern> parts = parts_of(pattern, Sort::join);
  if (parts.size() < 3 || !is_any_text(parts[0]) || !is_slash(parts[1])) return {};
  return join({parts.begin() + 2, parts.end()});
}

/// The pattern that the name has to match, if it alone decides; else nullopt. A pattern has to be
/// about the end of the path, or about all of it in every directory.
///
///     .*\.c           .*\.c
///     .*/x|x          x
///     .*/x            none: x/x matches, x does not
std::optional<Pattern> pattern_of_name(const Pattern& pattern) {
  if (pattern->kind == Sort::nothing) return {};
  const std::vector<Pattern> alternatives = parts_of(pattern, Sort::either);
  std::vector<Pattern> names;
  std::vector<Pattern> in_directories;
  for (const Pattern& alternative : alternatives) {
    const auto rest = after_any_directory(alternative);
    const std::vector<Pattern> parts = parts_of(alternative, Sort::join);
    if (rest && stays_in_name(**rest)) {
      in_directories.push_back(*rest);
    } else if (stays_in_name(*alternative)) {
      names.push_back(alternative);
    } else if (parts.size() > 1 && is_any_text(parts[0]) &&
               stays_in_name(*join({parts.begin() + 1, parts.end()}))) {
      names.push_back(alternative);
      in_directories.push_back(alternative);
    } else {
      return {};
    }
  }
  const Pattern name = either(names);
  if (!is_same(name, either(in_directories))) return {};
  return name;
}

/// The pattern as a glob of ours; empty unless it consists of letters and stars. A star of find
/// crosses slashes, as `**` does here. But `a/**/b` matches a/b too, and `a/*/b` of find does not:
/// hence `*/**`. `src/.*` is src/**, `.*/a/.*` is */**/a/**.
std::string glob_of(const Pattern& pattern) {
  std::string glob;
  const std::vector<Pattern> parts = parts_of(pattern, Sort::join);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Expression& part = *parts[i];
    if (part.kind == Sort::one) {
      if (part.character == '\n') return {};
      glob += escaped(part.character, "\\*?[]{}");
      continue;
    }
    if (!is_any_text(parts[i])) return {};
    const bool after_slash = i == 0 || is_slash(parts[i - 1]);
    const bool before_slash = i + 1 < parts.size() && is_slash(parts[i + 1]);
    glob += after_slash && before_slash ? "*/**" : "**";
  }
  return glob;
}

/// The pattern as a regular expression of ours, which matches anywhere: an alternative has an
/// anchor unless it begins or ends with `.*`. `X|.*/X` is written (^|/)X.
///
///     src/.*                ^src/
///     .*\.c                 \.c$
///     .*/lib/x|lib/x        (^|/)lib/x$
std::string regex_of(const Pattern& pattern) {
  std::vector<Pattern> alternatives = parts_of(pattern, Sort::either);
  std::string text;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    std::string head;
    Pattern alternative = alternatives[i];
    if (const auto rest = after_any_directory(alternative)) {
      const auto same = std::find_if(alternatives.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                     alternatives.end(),
                                     [&](const Pattern& each) { return is_same(each, *rest); });
      if (same != alternatives.end()) {
        head = "(^|/)";
        alternative = *rest;
        alternatives.erase(same);
      }
    }
    std::vector<Pattern> parts = parts_of(alternative, Sort::join);
    if (head.empty()) {
      if (is_any_text(parts.front())) {
        parts.erase(parts.begin());
      } else {
        head = "^";
      }
    }
    const bool open_end = !parts.empty() && is_any_text(parts.back());
    if (open_end) parts.pop_back();
    if (i > 0) text += '|';
    text += head + spelled(*join(parts), Level::sequence) + (open_end ? "" : "$");
  }
  return text;
}

}  // namespace

std::optional<Test> name_test(const Pattern& below, bool may_be_glob, bool sensitive) {
  const auto name = pattern_of_name(below);
  if (!name) return {};
  Test test;
  test.field = "name";
  test.sensitive = sensitive;
  if (may_be_glob) test.text = glob_of(*name);
  test.op = test.text.empty() ? "~" : "glob";
  if (test.text.empty()) test.text = regex_of(*name);
  // A name has no slashes to cross.
  if (test.text.starts_with("**")) test.text.erase(0, 1);
  return test;
}

/// Also for `X|.*/X`, which `*/X` leaves of root `.`: the glob is **/X.
Test path_test(const Pattern& below, bool may_be_glob, bool sensitive) {
  Test test;
  test.field = "path";
  test.sensitive = sensitive;
  test.op = "glob";
  if (may_be_glob) {
    const std::vector<Pattern> alternatives = parts_of(below, Sort::either);
    const auto rest = after_any_directory(alternatives.front());
    if (alternatives.size() == 1) {
      test.text = glob_of(below);
    } else if (alternatives.size() == 2 && rest && is_same(*rest, alternatives[1])) {
      const std::string glob = glob_of(*rest);
      if (!glob.empty()) test.text = "**/" + glob;
    }
    if (!test.text.empty()) return test;
  }
  test.op = "~";
  test.text = regex_of(below);
  if (test.text.empty()) throw Untranslatable();
  return test;
}

}  // namespace ffind::foreign
