// SPDX-License-Identifier: MIT
// What find's expressions are made of, and what each part says here. Used by the find_*.cpp files
// alone; see habits.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/translator.h"

namespace ffind::cli::find_habits {

/// What has no translation. Never leaves this file.
struct Untranslatable {};

struct Test {
  /// Of patterns: what it is matched against, "glob" or "~", and whether case matters.
  std::string field{};
  std::string op{};
  std::string text{};
  bool sensitive = true;
  /// Of everything else: as options and in an expression.
  std::string option{};
  std::vector<std::string> values{};
  std::string where{};
  bool may_repeat = false;  ///< the option given twice narrows

  bool is_pattern() const { return !field.empty(); }
};

struct Node {
  enum class Kind { all, any, negation, test, prune, action };
  Kind kind = Kind::all;
  std::vector<Node> nodes{};
  Test test{};
  Words action{};  ///< our options for it
};

using Kind = Node::Kind;

inline Node everything() {
  return {};
}

// --- Predicates by their form

enum class Form : unsigned char {
  nothing,  ///< changes nothing here
  skipped,  ///< neither does its value
  depth,    ///< an option of ours that takes the value
  name,
  path,
  regex,
  type,
  size,
  permissions,
  count,
  account,
  days,
  minutes,
  newer,
  beside,  ///< a file, whose modification a time is compared with
  file,
  flag,
  link_text,
  file_system,
  action,
  command,
  format,
  junction,
};

struct Predicate {
  std::string_view word;
  Form form;
  std::string_view here = {};   ///< an option, or the action
  std::string_view field = {};  ///< of the expression language
};

const Predicate* find_predicate(std::string_view word);

/// A value of an expression in double quotes, and one in quotes only where it needs them.
std::string quoted(std::string_view text);
std::string value_of(std::string_view text);

// find_values.cpp: sizes, times, permissions

struct Signed {
  char sign = ' ';
  std::uint64_t number = 0;
  std::string_view rest{};
};

Signed signed_number(std::string_view text);
Test range_test(std::string_view option, std::string_view field,
                const std::vector<std::string>& values);
Test size_test_of(std::string_view text);
Test days_test(const Predicate& predicate, const std::string& text, bool from_midnight);
Test beside_test(const Predicate& predicate, const std::string& file);
Test minutes_test(const Predicate& predicate, const std::string& text);
Test newer_test(const Predicate& predicate, std::string_view text);
Test permission_test(std::string text);

// find_patterns.cpp: globs, expressions, formats

std::string name_glob(std::string_view glob);
std::string path_glob(const std::string& typed, const Words& roots);
/// The same of a text that does not begin with a root.
std::string crossing_glob(std::string_view glob);
std::string from_emacs(std::string_view text);
std::string path_regex(std::string text, const Words& roots);
std::string template_of(std::string_view format, bool& null);

}  // namespace ffind::cli::find_habits
