// SPDX-License-Identifier: MIT
// A line of find as find follows it for each entry: operators, tests and actions in their order.
// Read by foreign, carried out by output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ffind/query.h"

namespace ffind {

/// A node of the tree. An `all` without steps is true.
struct FindStep {
  enum class Kind : std::uint8_t {
    all,
    any,
    negation,
    list,     ///< the operator `,`: every step is carried out, the last one is the value
    test,     ///< `test`, with no action in it
    prune,    ///< true; the search has seen to it unless the value of a command decides
    print,    ///< the path and `end`
    escaped,  ///< the path as -printx has it, for xargs(1)
    format,   ///< `text`, as of -printf
    listing,  ///< the line of -ls
    command,
    remove,
    quit,
    safe,  ///< true unless xargs(1) would split the path, which is reported
  };
  Kind kind = Kind::all;
  std::vector<FindStep> steps{};
  Expression test{};
  std::string text{};
  std::string file{};  ///< of -fprint and its like; empty: standard output
  char end = '\n';
  std::optional<int> status{};         ///< of -exit, which is a `quit`
  std::vector<std::string> command{};  ///< `{}` is the path; a batch has its paths at the end
  bool is_batch = false;               ///< -exec COMMAND {} +
  bool in_directory = false;
  bool asks = false;

  /// True if it is there, or below.
  template <typename Condition>
  bool has(Condition condition) const {
    return condition(*this) || std::any_of(steps.begin(), steps.end(), [&](const FindStep& inner) {
             return inner.has(condition);
           });
  }
};

/// All that is done with the entries that a search for find emits.
struct FindSteps {
  FindStep top{};
  std::optional<Scope::Order> order{};  ///< of -depth and -s
  bool ignores_vanished = false;        ///< Scope::ignores_vanished, for -delete
  /// By BSD's rules: -execdir has names without "./", and -delete says nothing of a directory that
  /// is not empty (shell_cmds, find/function.c).
  bool of_bsd = false;

  /// True if more is done than printing to standard output: then entries are taken one at a time,
  /// in find's order.
  bool in_order() const {
    return order || top.has([](const FindStep& step) {
      return step.kind >= FindStep::Kind::command || !step.file.empty();
    });
  }
  bool runs_commands() const {
    return top.has([](const FindStep& step) { return step.kind == FindStep::Kind::command; });
  }
};

}  // namespace ffind
