// SPDX-License-Identifier: MIT
// The compiled query: decides for each entry whether to emit it and whether to descend into it.
// Made once by cli from a query, asked by every worker. Knows no file system.
#pragma once

#include "ffind/query.h"

namespace ffind {

struct Verdict {
  bool emit = false;
  bool descend = false;
};

/// Immutable after construction: all workers share one.
class Matcher {
 public:
  /// Optimises the query's expressions: flattens, drops what is constant, puts cheap tests first.
  explicit Matcher(const Query& query);

  /// May block in the kernel when a test needs more than the entry holds.
  Verdict judge(Entry& entry) const;

  /// Whether what `judge` would say of `entry`, were it a directory, includes descending into it.
  bool descends(Entry& entry) const;

  /// Whether `judge` would emit it; the directories around it are not tested.
  bool emits(Entry& entry) const;

  /// False when nothing that could still be learned of the entry would make `judge` emit it.
  /// Nothing is loaded, and the depth is taken for unknown.
  bool may_emit(Entry& entry) const;

  /// What every entry that `judge` emits satisfies.
  Bound bound() const;

  /// Everything that the query may ask an entry for.
  Needs needs() const { return needs_; }
  /// The optimised expression; `--explain` shows it.
  const Expression& where() const { return where_; }
  const Scope& scope() const { return scope_; }

 private:
  bool excluded(Entry& entry) const;
  bool is_pruned(Entry& entry) const;

  Expression where_;
  Scope scope_;
  Needs needs_;
};

/// The expression with nested `all`/`any` flattened, constants folded, repeated tests dropped and
/// operands in the order of what they cost: free of the kernel first, then by nanoseconds.
Expression optimise(Expression expression);

/// What every entry satisfies that `expression` holds for.
Bound bound_of(const Expression& expression);

/// Whether `expression` chooses: false where it holds for as good as every entry, however that was
/// put. It may be true of what nobody would write.
bool narrows(const Expression& expression);

/// Everything that `expression` may ask an entry for.
Needs needs_of(const Expression& expression);

}  // namespace ffind
