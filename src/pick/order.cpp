// SPDX-License-Identifier: MIT
// The ordering thread.
//
//     order_once()    copies state under the lock ─▶ without it: ids_of, sort or sum, in_order
//                     ─▶ with it: publish, unless order or query have changed
//     sort()          new matches with known values: added to the ordering, which a new query stops
//                     not read yet: requested from LateLoads once, sorted when they come
//     sum()           for PickOrder::space: all entries of the store are added up when values have
//                     come, and those that are shown sorted
//
//     rank_once()     for PickOrder::match: waits until everything is judged, 40 ms at most, so
//                     that the first row does not flicker ─▶ the best 1,000 sorted, the others in
//                     the order found ─▶ after sort_rest() all sorted by their ranks
#include "pick/order.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

namespace ffind::pick {
namespace {

/// Time between two lists in an order while they grow, at least.
constexpr std::chrono::milliseconds least_time_between_orders{10};
/// Time between two sums of values that are still coming, at least.
constexpr std::chrono::milliseconds least_time_between_sums{500};
/// More matches are not ranked in full before that is needed.
constexpr std::size_t sorted_at_once = 10'000;

/// Sorted first of more matches: enough for any screen.
constexpr std::size_t best_first = 1000;
/// A ranked list is not shown before everything is judged, unless that takes longer.
constexpr std::chrono::milliseconds judging_patience{40};

/// A match: its rank in the upper half, its id in the lower.
using Ranked = std::uint64_t;
constexpr unsigned rank_shift = 32;

Rank rank_in(Ranked match) {
  return static_cast<Rank>(match >> rank_shift);
}
EntryId id_in(Ranked match) {
  return static_cast<EntryId>(match);
}

/// Calls `take` with each match, ascending by id.
template <typename Take>
void for_each_match(const Slices& slices, Take take) {
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    if (!slices[slice]) continue;
    const SliceMatches& found = *slices[slice];
    const std::size_t first = slice * slice_size;
    for (std::size_t i = 0; i < found.ranks.size(); ++i) {
      take(Ranked{found.ranks[i]} << rank_shift | (first + (found.all ? i : found.matches[i])));
    }
  }
}

/// Returns the best 1,000 of more matches, in any order. Of the same rank, those with lower ids are
/// taken. One pass: matches that are worse than 1,000 before them are only compared.
std::vector<Ranked> best_of(const Slices& slices) {
  constexpr std::size_t gathered = 4 * best_first;
  std::vector<Ranked> best;
  best.reserve(gathered);
  Ranked worst = std::numeric_limits<Ranked>::max();
  const auto drop_others = [&best] {
    std::nth_element(best.begin(), best.begin() + (best_first - 1), best.end());
    best.resize(best_first);
    return best.back();
  };
  for_each_match(slices, [&](Ranked match) {
    if (match >= worst) return;
    best.push_back(match);
    if (best.size() == gathered) worst = drop_others();
  });
  drop_others();
  return best;
}

/// Keeps what is on the level of `place`, as far as it is added up.
void keep_level(const EntryStore& store, const SpaceSums* sums, DirectoryId place,
                std::vector<EntryId>& matches) {
  if (sums == nullptr) return matches.clear();
  const std::vector<bool> level = sums->level(place);
  std::erase_if(matches,
                [&](EntryId id) { return id >= sums->count() || !level[store.directory_of(id)]; });
}

/// Returns all matches, ascending.
std::vector<EntryId> ids_of(const Slices& slices) {
  std::vector<EntryId> ids;
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    if (!slices[slice]) continue;
    const auto first = static_cast<EntryId>(slice * slice_size);
    const std::uint32_t whole = slices[slice]->all ? slices[slice]->looked_at : 0;
    for (std::uint32_t place = 0; place < whole; ++place) ids.push_back(first + place);
    for (const std::uint16_t place : slices[slice]->matches) ids.push_back(first + place);
  }
  return ids;
}

}  // namespace

/// The order found needs no sorting, so it is shown at once; any other once a list in it is made.
/// Loads for the order before are dropped, and what they have read stays in the store.
void ListOrder::set(PickSort sort) {
  if (wanted_ == sort) return;
  wanted_ = sort;
  shared_.is_ordered = has_to_sort(sort.order);
  if (shared_.late && needs_of(sort.order) != needs::none) late_.start();
  ++shared_.order_generation;
  late_.drop(false);
  values_wanted_ = 0;
  sums_due_ = Clock::now() + least_time_between_sums;
  sorts_rest_ = rest_is_left_ = false;
  if (!shared_.is_ordered) {
    shown_ = sort;
    sorted_ = nullptr;
    list_ = nullptr;
  }
  shared_.has_changed();
}

bool ListOrder::has_to_sort(PickOrder order) const {
  return order != PickOrder::found && (order != PickOrder::match || judge_.is_ranked());
}

/// Without ranks the list is in the order found at once; the list before is shown until then.
void ListOrder::query_has_changed() {
  sorts_rest_ = rest_is_left_ = false;
  shared_.is_ordered = has_to_sort(wanted_.order);
  if (shared_.is_ordered) {
    shared_.ordering.notify_all();
  } else {
    sorted_ = nullptr;
    shown_ = wanted_;
  }
}

void ListOrder::sort_rest() {
  sorts_rest_ = true;
  shared_.ordering.notify_all();
}

bool ListOrder::has_work() const {
  if (!has_to_sort(wanted_.order)) return false;
  return is_outdated() || (sorts_rest_ && rest_is_left_);
}

bool ListOrder::is_outdated() const {
  return ordered_version_ != shared_.version || ordered_generation_ != shared_.order_generation ||
         again_;
}

void ListOrder::run() {
  std::unique_lock lock(shared_.mutex);
  while (!shared_.ending) {
    if (has_work()) {
      order_once(lock);
    } else {
      shared_.ordering.wait(lock);
    }
  }
}

/// True if the result for `from` is not needed any more. Needs no lock.
bool ListOrder::is_other(const Input& from) const {
  return shared_.ending || shared_.order_generation != from.order_generation ||
         shared_.generation != from.made_of.generation;
}

/// Works on copies of the state without the lock, and publishes the result only if order and query
/// are still the same. Until all values are known, the list stays in the order shown before.
void ListOrder::order_once(std::unique_lock<std::mutex>& lock) {
  again_ = false;
  if (wanted_.order == PickOrder::match) return rank_once(lock);
  Input from = input();
  lock.unlock();

  std::vector<EntryId> matches = ids_of(from.slices);
  if (from.order_generation != requested_generation_) {
    requested_generation_ = from.order_generation;
    requested_ = {};
    requested_end_ = 0;
  }
  const bool by_space = from.sort.order == PickOrder::space;
  const Growth growth = by_space ? sum(from, matches) : sort(from, matches);
  SortedList list = growth.complete || growth.is_shown
                        ? SortedList{from.sort, growth.complete,
                                     in_order(*growth.ordering, from.sort.reversed, matches)}
                        : in_shown_order(from, matches);

  lock.lock();
  // The growth of the ordering is lost, but not the values.
  if (is_other(from)) return;
  std::shared_ptr<const Ordering>& ordering = orderings_[static_cast<std::size_t>(from.sort.order)];
  if (growth.ordering->sums() != ordering->sums()) {
    const auto took = Clock::now() - from.began;
    sums_due_ = Clock::now() + std::max<Clock::duration>(least_time_between_sums, 4 * took);
  }
  ordering = growth.ordering;
  for (const EntryId id : growth.to_read) requested_.add(id);
  requested_end_ = from.made_of.found;
  publish(lock, from, std::move(list), growth.to_read);
}

/// Adds the matches that the ordering does not contain. Entries whose value could not be read are
/// known to be unknown: they are sorted, at the end, and so are those that are no longer waited
/// for.
ListOrder::Growth ListOrder::sort(const Input& from, const std::vector<EntryId>& matches) const {
  const SpaceSums* const sums = from.ordering->sums().get();
  const Needs value = shared_.late && sums == nullptr ? needs_of(from.sort.order) : needs::none;
  Growth growth{from.ordering};
  std::vector<EntryId> added;
  bool all_read = true;
  Metadata metadata{};
  Needs failed = needs::none;
  for (const EntryId id : matches) {
    if (from.ordering->contains(id) || (sums != nullptr && id >= sums->count())) continue;
    const bool unread = value != needs::none &&
                        (shared_.store->known(id, value, metadata, failed) | failed) == needs::none;
    if (!unread) added.push_back(id);
    if (unread && !requested_.contains(id)) growth.to_read.push_back(id);
    all_read = all_read && !unread;
  }
  growth.is_shown = from.sort.order == from.shown.order;
  growth.complete = all_read || (growth.to_read.empty() && from.values_are_known);
  if (added.empty()) return growth;
  const auto grown = std::make_shared<Ordering>(*from.ordering);
  grown->add(std::move(added), [&] { return is_other(from); });
  growth.ordering = grown;
  return growth;
}

/// Sums take the values of all entries in the store, and change with each, so that the list is
/// sorted again whenever all requested values have come. While that takes long, what has come so
/// far is added up from time to time. There is no level before.
ListOrder::Growth ListOrder::sum(Input& from, std::vector<EntryId>& matches) const {
  const std::size_t found = from.made_of.found;
  std::vector<EntryId> to_read = unread(requested_end_, found);
  const bool known = to_read.empty() && from.values_are_known;
  std::shared_ptr<const SpaceSums> sums = from.ordering->sums();
  bool current = sums != nullptr && sums->count() == found && sums->values() == from.values;
  if (!current && (known || from.sums_are_due)) {
    sums = std::make_shared<const SpaceSums>(*shared_.store, found, from.values);
    from.ordering = std::make_shared<const Ordering>(*shared_.store, PickOrder::space, sums);
    current = true;
  }
  const ListPlace& place = from.made_of.place;
  if (place.by_level) keep_level(*shared_.store, sums.get(), place.directory, matches);
  Growth growth = sums ? sort(from, matches) : Growth{from.ordering};
  growth.to_read = std::move(to_read);
  growth.is_shown = sums != nullptr || place.by_level;
  growth.complete = growth.complete && current && known;
  return growth;
}

/// Copies what a list is made of. Call with the lock.
ListOrder::Input ListOrder::input() {
  Input from;
  from.began = Clock::now();
  from.version = shared_.version;
  from.order_generation = shared_.order_generation;
  from.values_are_known = values_wanted_ == 0 || late_.done();
  from.values = values_taken_ + shared_.store->taken_out();
  from.sums_are_due = from.began >= sums_due_;
  from.slices = judge_.slices();
  from.made_of = judge_.state();
  from.matches = judge_.matches();
  from.sort = wanted_;
  from.ordering = ordering_of(wanted_.order);
  from.shown = shown_;
  if (has_to_sort(shown_.order)) from.shown_ordering = ordering_of(shown_.order);
  return from;
}

/// Returns the list in the order that is shown. Call without the lock.
ListOrder::SortedList ListOrder::in_shown_order(const Input& from,
                                                const std::vector<EntryId>& matches) const {
  SortedList list{from.shown, false, nullptr};
  if (!from.shown_ordering) return list;
  list.sorted = from.shown.order == PickOrder::match
                    ? ranked(from.slices, matches.size(), from.shown.reversed, false)
                    : in_order(*from.shown_ordering, from.shown.reversed, matches);
  return list;
}

/// Requests values and publishes a list. Returns with the lock.
void ListOrder::publish(std::unique_lock<std::mutex>& lock, const Input& from, SortedList list,
                        const std::vector<EntryId>& to_read) {
  ordered_version_ = from.version;
  ordered_generation_ = from.order_generation;
  if (!to_read.empty()) {
    values_wanted_ += to_read.size();
    late_.add({nullptr, needs_of(from.sort.order), from.order_generation}, to_read);
  }
  PickList::State made_of = from.made_of;
  const auto took = Clock::now() - from.began;
  // There is nothing to show of a new query yet.
  const bool too_early = from.matches == 0 && made_of.looked_at < made_of.found;
  if ((list.sorted || sorted_) && !too_early) {
    made_of.sort = shown_ = list.sort;
    made_of.complete = made_of.complete && list.complete;
    made_of.best_only = list.best_only;
    sorted_state_ = made_of;
    sorted_ = std::move(list.sorted);
    list_ = nullptr;
    if (shared_.changed) shared_.changed();
  }
  // While many matches are still coming, at most half of the time goes to the list.
  if (made_of.complete) return;
  const bool ranks = from.sort.order == PickOrder::match;
  shared_.ordering.wait_for(lock, std::max<Clock::duration>(least_time_between_orders, took),
                            [&] { return is_other(from) || (ranks && judge_.has_judged_all()); });
}

/// Publishes the best matches, and all of them when it is called again, unless those have changed
/// or no row has been reached that is after the best. Returns with the lock.
void ListOrder::rank_once(std::unique_lock<std::mutex>& lock) {
  const Input from = input();
  if (ranked_generation_ != from.made_of.generation) {
    ranked_generation_ = from.made_of.generation;
    judging_deadline_ = from.began + judging_patience;
  }
  if (!judge_.has_judged_all() && from.began < judging_deadline_) {
    shared_.ordering.wait_until(lock, judging_deadline_,
                                [&] { return is_other(from) || judge_.has_judged_all(); });
    return;
  }
  const bool whole = from.matches <= sorted_at_once || from.sort.reversed ||
                     (sorts_rest_ && best_version_ == from.version);
  lock.unlock();
  SortedList list{from.sort, true, ranked(from.slices, from.matches, from.sort.reversed, whole),
                  !whole};
  lock.lock();
  if (is_other(from)) return;
  if (!whole) best_version_ = from.version;
  rest_is_left_ = !whole;
  publish(lock, from, std::move(list), {});
}

/// Returns the matches by rank, the best first; those with the same rank by their paths among the
/// best, else in the order found. Not `whole`: the best only, then the others in the order found.
ListOrder::Sorted ListOrder::ranked(const Slices& slices, std::size_t count, bool reversed,
                                    bool whole) const {
  const Ordering by_path(*shared_.store, PickOrder::path);
  const auto is_better = [&](Ranked a, Ranked b) {
    return rank_in(a) != rank_in(b) ? rank_in(a) < rank_in(b)
                                    : by_path.comes_before(id_in(a), id_in(b));
  };
  auto ids = std::make_shared<std::vector<EntryId>>();
  ids->reserve(count);
  if (count > sorted_at_once && !whole) {
    std::vector<Ranked> best = best_of(slices);
    const Ranked last = *std::max_element(best.begin(), best.end());
    std::sort(best.begin(), best.end(), is_better);
    for (const Ranked match : best) ids->push_back(id_in(match));
    for_each_match(slices, [&](Ranked match) {
      if (match > last) ids->push_back(id_in(match));
    });
    return ids;
  }
  std::vector<Ranked> matches;
  matches.reserve(count);
  for_each_match(slices, [&](Ranked match) { matches.push_back(match); });
  // By rank and number; of many only the best by path.
  if (count > sorted_at_once) std::sort(matches.begin(), matches.end());
  const std::size_t sorted = count > sorted_at_once ? best_first : count;
  std::sort(matches.begin(), matches.begin() + static_cast<std::ptrdiff_t>(sorted), is_better);
  for (const Ranked match : matches) ids->push_back(id_in(match));
  if (reversed) std::reverse(ids->begin(), ids->end());
  return ids;
}

/// An empty one at first. Never null.
std::shared_ptr<const Ordering> ListOrder::ordering_of(PickOrder order) {
  std::shared_ptr<const Ordering>& ordering = orderings_[static_cast<std::size_t>(order)];
  if (!ordering) ordering = std::make_shared<const Ordering>(*shared_.store, order);
  return ordering;
}

/// Returns the entries in [begin, end) whose space is not known yet.
std::vector<EntryId> ListOrder::unread(std::size_t begin, std::size_t end) const {
  std::vector<EntryId> ids;
  if (!shared_.late) return ids;
  Metadata metadata{};
  Needs failed = needs::none;
  for (auto id = static_cast<EntryId>(begin); id < end; ++id) {
    const Needs known = shared_.store->known(id, SpaceSums::needs, metadata, failed);
    if ((known | failed) != SpaceSums::needs) ids.push_back(id);
  }
  return ids;
}

/// Returns `matches` in that order; those that the ordering does not contain yet come last.
ListOrder::Sorted ListOrder::in_order(const Ordering& ordering, bool reversed,
                                      const std::vector<EntryId>& matches) {
  EntrySet matching;
  for (const EntryId id : matches) matching.add(id);
  std::vector<EntryId> sorted = ordering.filter(matching, matches.size(), reversed);
  if (sorted.size() < matches.size()) {
    std::copy_if(matches.begin(), matches.end(), std::back_inserter(sorted),
                 [&](EntryId id) { return !ordering.contains(id); });
  }
  return std::make_shared<const std::vector<EntryId>>(std::move(sorted));
}

/// Orders again once all requested values are there, or what is there is to be added up.
void ListOrder::values_were_loaded(std::size_t count) {
  values_taken_ += count;
  values_wanted_ -= std::min(values_wanted_, count);
  const bool is_due = wanted_.order == PickOrder::space && Clock::now() >= sums_due_;
  if (values_wanted_ > 0 && !is_due) return;
  again_ = true;
  shared_.ordering.notify_all();
}

void ListOrder::loads_are_done() {
  if (values_wanted_ > 0) again_ = true;
}

/// Makes a list if the matches or the store have changed since the last. A new query with no match
/// yet keeps the previous list, so that the screen does not flicker.
std::shared_ptr<const PickList> ListOrder::list() {
  const std::size_t found = shared_.store->size();
  // The store may have grown without a change of the matches; the counts on the screen show it.
  const bool same = list_ != nullptr && list_version_ == shared_.version;
  if (same && list_->state().found == found) return list_;
  if (sorted_) {
    PickList::State shown = sorted_state_;
    // Only if nothing was found or judged since it was sorted.
    shown.complete = shown.complete && !is_outdated() && shown.found == found;
    const auto& ordering = orderings_[static_cast<std::size_t>(shown_.order)];
    list_ = std::make_shared<const PickList>(shown, sorted_, ordering ? ordering->sums() : nullptr);
  } else if ((wanted_.order == PickOrder::match && judge_.is_ranked()) ||
             (wanted_.order == PickOrder::space && judge_.state().place.by_level)) {
    // The first sorted list is a moment away: another order would only flicker, and Enter would
    // pick its first row.
    return list_ != nullptr ? list_ : std::make_shared<const PickList>();
  } else {
    PickList::State now = judge_.state();
    now.sort = shown_;
    // It is being sorted: the shown list is in the previous order.
    if (wanted_.order != shown_.order) now.complete = false;
    const bool too_early = judge_.matches() == 0 && now.looked_at < now.found;
    if (too_early && list_ != nullptr && list_->state().generation != now.generation) return list_;
    list_ = std::make_shared<const PickList>(now, judge_.slices());
  }
  list_version_ = shared_.version;
  return list_;
}

}  // namespace ffind::pick
