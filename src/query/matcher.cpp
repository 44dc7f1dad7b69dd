// SPDX-License-Identifier: MIT
// Matcher: evaluates a query's expressions on each entry that a search finds.
//
//     Query ──optimise──▶ where ───needs──▶ attributes that readers and loaders may have to fetch
//                           │  └──bound──▶ condition that a volume's own catalog can search for
//                           ▼
//       Entry ──▶ judge: excluded? ──▶ descend: depth, type, packages, prune
//                                  └─▶ emit:    depth, where
//
// Expressions are three-valued. Attributes are loaded while a test runs, and loading can fail, so a
// test is true, false or unknown of an entry (Kleene's logic):
//
//     size > 1M      true       the size was read and is larger
//                    false      the size was read and is not, or the entry is no regular file
//                    unknown    the size could not be read; `not size > 1M` is unknown as well
//
// Only entries for which the whole expression is true are emitted. No caller needs all three values
// at once: evaluate<value> in query/expression.h computes whether an expression is certainly
// `value`, and a negation evaluates its operand with the opposite. That makes one walk over the
// tree serve three purposes, which differ in how a single test is evaluated:
//
//     Loading    loads missing attributes, which may call the kernel: the decision on an entry
//     Looking    reads only attributes that are present: rules out entries early, for free
//     Bounds     combines the bounds of tests: the bound of the expression
//
// The bound is only a necessary condition: `size > 1M and contents contains TODO` is bounded by the
// size alone, and a catalog folds names by rules of its own. So entries that were found by a bound
// are always judged by the whole expression, never by a residual of it.
#include "ffind/query.h"

#include <utility>

#include "query/expression.h"
#include "query/kinds.h"
#include "text/ascii.h"

namespace ffind {
namespace {

/// Evaluates a test, loading the attributes that it needs.
struct Loading : query::YesOrNo {
  Entry& entry;
  bool two_valued = false;  ///< what cannot be read is false, as in find(1)

  template <bool value>
  bool test(const Test& test) const {
    // True needs no more. False also has to be known, or the negation would match entries that
    // could not be read. Most entries have no failure, which one comparison shows.
    if constexpr (value) return test.holds(entry);
    if (test.holds(entry)) return false;
    return entry.failed == needs::none || two_valued || !test.is_unknown(entry);
  }
};

/// Evaluates a test on attributes that are already present, or `free` to load; uncertain if another
/// is missing.
struct Looking : query::YesOrNo {
  Entry& entry;
  Needs free = needs::none;

  template <bool value>
  bool test(const Test& test) const {
    // An attribute that is both present and failed was read in part, so it decides nothing here.
    if ((test.needs() & ((~entry.present & ~free) | entry.failed)) != 0) return false;
    return test.holds(entry) == value;
  }
};

bool holds(const Expression& expression, Entry& entry, const Scope& scope) {
  return evaluate<true>(expression, Loading{{}, entry, scope.list_roots});
}

bool is_directory(Entry& entry) {
  if (entry.type == FileType::unknown) entry.require(needs::type);
  return entry.type == FileType::directory;
}

}  // namespace

Matcher::Matcher(const Query& query)
    : where_(optimise(query.where)),
      scope_(query.scope),
      needs_(needs::none),
      near_misses_(query.near_misses) {
  scope_.exclude = optimise(std::move(scope_.exclude));
  scope_.prune = optimise(std::move(scope_.prune));
  needs_ = needs_of(where_) | needs_of(scope_.exclude) | needs_of(scope_.prune);
  if (scope_.skip_packages) needs_ |= needs::bundle;
  if (scope_.has_ignore_rules()) needs_ |= needs::type;  // some apply to directories only
}

bool Matcher::excluded(Entry& entry) const {
  // A root was named by the user and is never excluded.
  if (entry.depth == 0) return false;
  if (scope_.skip_hidden && entry.name.front() == '.') return true;
  return !scope_.exclude.never() && holds(scope_.exclude, entry, scope_);
}

/// True if a directory may be emitted but not descended into. Conditions that may cost a system
/// call come last.
bool Matcher::is_pruned(Entry& entry) const {
  const bool skip_package = scope_.skip_packages && entry.depth > 0;
  if (skip_package && query::kind_of_package(entry.name)) return true;
  if (!scope_.prune.never() && holds(scope_.prune, entry, scope_)) return true;
  return skip_package && entry.require(needs::bundle) && entry.bundle;
}

Verdict Matcher::judge(Entry& entry) const {
  if (excluded(entry)) return {.descent = Verdict::Descent::excluded};
  Verdict verdict;
  verdict.descent = static_cast<Verdict::Descent>(entry.depth < scope_.max_depth &&
                                                  is_directory(entry) && !is_pruned(entry));
  verdict.emit = entry.depth >= scope_.min_depth && holds(where_, entry, scope_);
  return verdict;
}

void Matcher::note_judged(Entry& entry, Verdict verdict) const {
  for (NearMiss* const near : near_misses_) near->note(entry, verdict);
}

/// A variant without ignore rules is meant: with some, which ones exclude the entry is unknown.
void Matcher::note_ignored(Entry& entry) const {
  for (NearMiss* const near : near_misses_) {
    if (!near->matcher_.scope().has_ignore_rules()) near->note(entry, {});
  }
}

bool Matcher::emits(Entry& entry) const {
  return !excluded(entry) && entry.depth >= scope_.min_depth && holds(where_, entry, scope_);
}

// Called for each record of a catalog, before the directory of the record is looked up.
bool Matcher::may_emit(Entry& entry) const {
  if (scope_.skip_hidden && entry.name.front() == '.') return false;
  const Looking looking{{}, entry, needs::none};
  return !evaluate<false>(where_, looking) && !evaluate<true>(scope_.exclude, looking);
}

Bound Matcher::bound() const {
  Bound bound = bound_of(where_);
  if (scope_.follow) {
    // A followed link keeps its own name; all other attributes are its target's.
    return {.name_contains = std::move(bound.name_contains)};
  }
  return bound;
}

bool Matcher::descends(Entry& entry) const {
  return entry.depth < scope_.max_depth && !excluded(entry) && !is_pruned(entry);
}

void NearMiss::note(Entry& entry, Verdict verdict) {
  if (verdict.emit) is_over_.store(true, std::memory_order_relaxed);
  const bool judges = counts_         ? !verdict.emit
                      : beyond_ascii_ ? !verdict.emit && !text::is_ascii(entry.name)
                                      : !is_over_.load(std::memory_order_relaxed);
  if (!judges) return;
  const Scope& scope = matcher_.scope();
  constexpr Needs free =
      needs::relative_path | needs::absolute_path | needs::directory | needs::depth;
  const Looking looking{{}, entry, free};
  const auto excludes = [&] {
    if (entry.depth == 0) return false;
    const bool hidden = scope.skip_hidden && entry.name.front() == '.';
    return hidden || !evaluate<false>(scope.exclude, looking);
  };
  if ((counts_ || !matches()) && entry.depth >= scope.min_depth &&
      evaluate<true>(matcher_.where(), looking) && !excludes()) {
    if (count_.fetch_add(1, std::memory_order_relaxed) == 0) first_name_ = entry.name;
  }
  if (!verdict.descend() && !enters() && entry.type == FileType::directory &&
      entry.depth < scope.max_depth && !scope.skip_packages &&
      evaluate<false>(scope.prune, looking) && !excludes()) {
    enters_.store(true, std::memory_order_relaxed);
  }
}

}  // namespace ffind
