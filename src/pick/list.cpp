// SPDX-License-Identifier: MIT
// Snapshots, and the Narrower, which joins the parts that make them.
//
// A Narrower has, besides the thread that calls it:
//
//     Options::threads         Judge::run()        one per processor
//     2                        ListOrder           run() and run_sorter()
//     Options::late_threads    LateLoads           once something is to be read
//
// All wait on condition variables of NarrowShared::mutex. Each holds a shared_ptr of Parts, so a
// thread that is stuck in the kernel keeps alive what it uses of the Narrower.
#include "pick/list.h"

#include <algorithm>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "os/terminal.h"
#include "pick/judge.h"
#include "pick/order.h"

namespace ffind::pick {

std::thread start_thread(const std::string& purpose, std::function<void()> run) {
  const os::QuietSignals quiet;
  try {
    return std::thread(std::move(run));
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "--pick: cannot start a thread to " + purpose);
  }
}

/// Shares the matches of each slice: a snapshot of a million matches copies 62 pointers.
PickList::PickList(State state, const std::vector<std::shared_ptr<const SliceMatches>>& slices)
    : state_(state) {
  parts_.reserve(slices.size());
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    // Entries after a gap would move down once it is closed.
    if (!slices[slice]) break;
    if (slices[slice]->size() == 0) continue;
    parts_.push_back({slices[slice], static_cast<EntryId>(slice * slice_size), size_});
    size_ += slices[slice]->size();
  }
}

PickList::PickList(State state, std::shared_ptr<const std::vector<EntryId>> sorted,
                   std::shared_ptr<const SpaceSums> sums)
    : state_(state), size_(sorted->size()), sorted_(std::move(sorted)), sums_(std::move(sums)) {}

EntryId PickList::operator[](std::size_t row) const {
  if (sorted_) return (*sorted_)[row];
  if (state_.reversed) row = size_ - 1 - row;
  const auto after = std::upper_bound(
      parts_.begin(), parts_.end(), row,
      [](std::size_t wanted, const Part& part) { return wanted < part.first_row; });
  const Part& part = *std::prev(after);
  const std::size_t place = row - part.first_row;
  return part.first_id +
         (part.matches->all ? static_cast<EntryId>(place) : part.matches->matches[place]);
}

/// A sorted list is searched from the front, one in the order found by bisection of parts and
/// places.
std::optional<std::size_t> PickList::row_of(EntryId id) const {
  if (sorted_) {
    const auto found = std::find(sorted_->begin(), sorted_->end(), id);
    if (found == sorted_->end()) return {};
    return static_cast<std::size_t>(found - sorted_->begin());
  }
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), id,
                       [](EntryId wanted, const Part& part) { return wanted < part.first_id; });
  if (after == parts_.begin()) return {};
  const Part& part = *std::prev(after);
  const EntryId place = id - part.first_id;
  std::size_t row = part.first_row;
  if (part.matches->all) {
    if (place >= part.matches->looked_at) return {};
    row += place;
  } else {
    const std::vector<std::uint16_t>& matches = part.matches->matches;
    const auto found = std::lower_bound(matches.begin(), matches.end(), place);
    if (found == matches.end() || *found != place) return {};
    row += static_cast<std::size_t>(found - matches.begin());
  }
  return state_.reversed ? size_ - 1 - row : row;
}

/// The parts and the threads of a narrower. Each thread owns a share, so that everything lives as
/// long as a thread that is left behind.
class Narrower::Parts : public std::enable_shared_from_this<Narrower::Parts> {
 public:
  Parts(std::shared_ptr<EntryStore> store, Options options)
      : shared_(std::move(store), std::move(options.late), std::move(options.changed)),
        threads_to_judge_(std::max(1U, options.threads)),
        late_(shared_, options.late_threads,
              {[this](const LateTask& task, const std::vector<EntryId>& loaded,
                      const std::vector<EntryId>& matching) {
                 task.judges() ? judge_.take_loaded(loaded, matching)
                               : order_.values_were_loaded(loaded.size());
               },
               [this] { order_.loads_are_done(); }}),
        judge_(shared_, late_),
        order_(shared_, judge_, late_) {}

  void start();
  std::uint64_t set_query(Narrowing narrowing);
  void set_order(PickOrder order, bool reversed);
  void sort_rest();
  void search_is_over();
  std::shared_ptr<const PickList> list();
  Work work();
  bool stop();

 private:
  NarrowShared shared_;
  const unsigned threads_to_judge_;
  LateLoads late_;
  Judge judge_;
  ListOrder order_;
  std::uint64_t list_version_ = 0;
  std::vector<std::thread> threads_;
};

void Narrower::Parts::start() {
  const std::weak_ptr<Parts> self = weak_from_this();
  shared_.owner = self;
  shared_.store->when_it_grows([self] {
    if (const auto parts = self.lock()) {
      const std::lock_guard lock(parts->shared_.mutex);
      parts->judge_.wake();
    }
  });
  const auto keep = shared_from_this();
  for (unsigned i = 0; i < threads_to_judge_; ++i) {
    threads_.push_back(start_thread("match entries", [keep] { keep->judge_.run(); }));
  }
  threads_.push_back(start_thread("sort the list", [keep] { keep->order_.run(); }));
  threads_.push_back(start_thread("sort the list", [keep] { keep->order_.run_sorter(); }));
}

std::uint64_t Narrower::Parts::set_query(Narrowing narrowing) {
  const std::lock_guard lock(shared_.mutex);
  const std::uint64_t generation = shared_.generation + 1;
  judge_.set_query(std::move(narrowing), generation);
  order_.query_has_changed();
  return generation;
}

void Narrower::Parts::set_order(PickOrder order, bool reversed) {
  const std::lock_guard lock(shared_.mutex);
  order_.set(order, reversed);
}

void Narrower::Parts::sort_rest() {
  const std::lock_guard lock(shared_.mutex);
  order_.sort_rest();
}

void Narrower::Parts::search_is_over() {
  const std::lock_guard lock(shared_.mutex);
  judge_.search_is_over();
}

/// Makes a list if the matches or the store have changed since the last. A new query with no match
/// yet keeps the previous list, so that the screen does not flicker.
std::shared_ptr<const PickList> Narrower::Parts::list() {
  const std::lock_guard lock(shared_.mutex);
  std::shared_ptr<const PickList>& list = shared_.list;
  const std::size_t found = shared_.store->size();
  // The store may have grown without a change of the matches; the counts on the screen show it.
  const bool same = list != nullptr && list_version_ == shared_.version;
  if (same && list->state().found == found) return list;
  if (order_.is_shown()) {
    list = order_.list();
  } else if (order_.is_ranking()) {
    // The first ranked list is a moment away: another order would only flicker, and Enter would
    // pick its first row.
    return list != nullptr ? list : std::make_shared<const PickList>();
  } else {
    PickList::State now = judge_.state();
    now.order = order_.shown();
    now.reversed = order_.shown_reversed();
    // It is being sorted: the shown list is in the previous order.
    if (order_.is_wanted()) now.complete = false;
    const bool too_early = judge_.matches() == 0 && now.looked_at < now.found;
    if (too_early && list != nullptr && list->state().generation != now.generation) return list;
    list = std::make_shared<const PickList>(now, judge_.slices());
  }
  list_version_ = shared_.version;
  return list;
}

Narrower::Work Narrower::Parts::work() {
  const std::lock_guard lock(shared_.mutex);
  return {judge_.judged(), late_.loaded(), late_.threads()};
}

/// Threads that judge and sort look at `ending` often and are joined. Those that load may be stuck,
/// and are left behind after a moment.
bool Narrower::Parts::stop() {
  shared_.store->when_it_grows({});
  {
    const std::lock_guard lock(shared_.mutex);
    // Called a second time, by the destructor.
    if (shared_.ending) return late_.all_ended();
    shared_.ending = true;
    judge_.wake();
    late_.wake();
    order_.wake();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  return late_.join();
}

Narrower::Narrower(std::shared_ptr<EntryStore> store, Options options)
    : parts_(std::make_shared<Parts>(std::move(store), std::move(options))) {
  try {
    parts_->start();
  } catch (...) {
    parts_->stop();
    throw;
  }
}

Narrower::~Narrower() {
  parts_->stop();
}

std::uint64_t Narrower::set_query(Narrowing narrowing) {
  return parts_->set_query(std::move(narrowing));
}

void Narrower::set_order(PickOrder order, bool reversed) {
  parts_->set_order(order, reversed);
}

void Narrower::sort_rest() {
  parts_->sort_rest();
}

void Narrower::search_is_over() {
  parts_->search_is_over();
}

std::shared_ptr<const PickList> Narrower::list() {
  return parts_->list();
}

Narrower::Work Narrower::work() const {
  return parts_->work();
}

bool Narrower::stop() {
  return parts_->stop();
}

}  // namespace ffind::pick
