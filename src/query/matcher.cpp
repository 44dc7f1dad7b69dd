// SPDX-License-Identifier: MIT
// The matcher: a query made ready to judge entries. On the way of every entry; knows no disk.
#include "ffind/matcher.h"

#include <utility>

#include "query/expression.h"
#include "query/kinds.h"

namespace ffind {
namespace {

/// Whether a test is surely `value`, when it may ask the entry for what that does not hold yet.
struct Loading : query::YesOrNo {
  Entry& entry;

  template <bool value>
  bool test(const Test& test) const {
    if constexpr (value) return test.holds(entry);
    if (test.holds(entry)) return false;
    return entry.failed == needs::none || !test.is_unknown(entry);
  }
};

/// The same by what the entry holds.
struct Looking : query::YesOrNo {
  Entry& entry;

  template <bool value>
  bool test(const Test& test) const {
    if ((test.needs() & (~entry.present | entry.failed)) != 0) return false;
    return test.holds(entry) == value;
  }
};

bool holds(const Expression& expression, Entry& entry) {
  return evaluate<true>(expression, Loading{{}, entry});
}

bool is_directory(Entry& entry) {
  if (entry.type == FileType::unknown) entry.require(needs::type);
  return entry.type == FileType::directory;
}

}  // namespace

Matcher::Matcher(const Query& query)
    : where_(optimise(query.where)), scope_(query.scope), needs_(needs::none) {
  scope_.exclude = optimise(std::move(scope_.exclude));
  scope_.prune = optimise(std::move(scope_.prune));
  needs_ = needs_of(where_) | needs_of(scope_.exclude) | needs_of(scope_.prune);
  if (scope_.skip_packages) needs_ |= needs::bundle;
  if (scope_.has_ignore_rules()) needs_ |= needs::type;  // rules may be for directories only
}

bool Matcher::excluded(Entry& entry) const {
  // What was named as a root is wanted, whatever its name.
  if (entry.depth == 0) return false;
  if (scope_.skip_hidden && entry.name.front() == '.') return true;
  return !scope_.exclude.never() && holds(scope_.exclude, entry);
}

/// Whether a directory is listed at most. What costs a call is tested last.
bool Matcher::is_pruned(Entry& entry) const {
  const bool skip_package = scope_.skip_packages && entry.depth > 0;
  if (skip_package && query::has_package_extension(entry.name)) return true;
  if (!scope_.prune.never() && holds(scope_.prune, entry)) return true;
  return skip_package && entry.require(needs::bundle) && entry.bundle;
}

Verdict Matcher::judge(Entry& entry) const {
  if (excluded(entry)) return {};
  Verdict verdict;
  verdict.descend = entry.depth < scope_.max_depth && is_directory(entry) && !is_pruned(entry);
  verdict.emit = entry.depth >= scope_.min_depth && holds(where_, entry);
  return verdict;
}

bool Matcher::emits(Entry& entry) const {
  return !excluded(entry) && entry.depth >= scope_.min_depth && holds(where_, entry);
}

bool Matcher::may_emit(Entry& entry) const {
  if (scope_.skip_hidden && entry.name.front() == '.') return false;
  const Looking looking{{}, entry};
  return !evaluate<false>(where_, looking) && !evaluate<true>(scope_.exclude, looking);
}

Bound Matcher::bound() const {
  Bound bound = bound_of(where_);
  if (scope_.follow) {
    // Of a link the name is its own, and all else is what it leads to.
    Bound name;
    name.name_contains = std::move(bound.name_contains);
    return name;
  }
  return bound;
}

bool Matcher::descends(Entry& entry) const {
  return entry.depth < scope_.max_depth && !excluded(entry) && !is_pruned(entry);
}

}  // namespace ffind
