// SPDX-License-Identifier: MIT
// Compiled query. Decides for each entry whether to emit it and, for a directory, whether to list
// it. Built once from a Query, then shared by all workers; src/query/matcher.cpp explains how an
// expression is evaluated.
#pragma once

#include "ffind/query.h"

namespace ffind {

struct Verdict {
  bool emit = false;
  bool descend = false;
};

/// Immutable after construction, so one is shared by all threads.
class Matcher {
 public:
  /// Optimises the query's expressions.
  explicit Matcher(const Query& query);

  /// The full decision. May block in the kernel if a test needs attributes that the entry does not
  /// have yet.
  Verdict judge(Entry& entry) const;

  /// True if `judge` would descend into `entry`, assuming that it is a directory.
  bool descends(Entry& entry) const;

  /// True if `judge` would emit `entry`. Its parent directories are not checked.
  bool emits(Entry& entry) const;

  /// Evaluates only what is already loaded and treats the depth as unknown. False if `judge` cannot
  /// emit `entry`, whatever its remaining attributes turn out to be.
  bool may_emit(Entry& entry) const;

  /// Satisfied by every entry that `judge` emits.
  Bound bound() const;

  /// All attributes that evaluating the query may load.
  Needs needs() const { return needs_; }
  /// The optimised expression, as printed by `--explain`.
  const Expression& where() const { return where_; }
  const Scope& scope() const { return scope_; }

 private:
  bool excluded(Entry& entry) const;
  bool is_pruned(Entry& entry) const;

  Expression where_;
  Scope scope_;
  Needs needs_;
};

/// Returns an equivalent expression: nested `all` and `any` flattened, constants folded, repeated
/// tests dropped, and operands sorted by cost, those without a system call first.
Expression optimise(Expression expression);

/// Satisfied by every entry for which `expression` is true.
Bound bound_of(const Expression& expression);

/// False if `expression` matches practically every entry and so selects nothing (`name glob '*'`).
/// A heuristic: contrived expressions that match everything may get true.
bool narrows(const Expression& expression);

/// All attributes that evaluating `expression` may load.
Needs needs_of(const Expression& expression);

}  // namespace ffind
