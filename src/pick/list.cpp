// SPDX-License-Identifier: MIT
// Snapshots, and the Narrower, which joins the parts that make them.
//
// A Narrower has, besides the thread that calls it:
//
//     Options::threads         Judge::run()        one per processor
//     1                        ListOrder           run()
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

bool AbandonableThread::start(const std::string& purpose, std::function<void()> run) try {
  const auto end = std::make_shared<std::promise<void>>();
  ended_ = end->get_future();
  thread_ = start_thread(purpose, [run = std::move(run), end] {
    run();
    end->set_value();
  });
  return true;
} catch (const std::system_error&) {
  return false;
}

bool AbandonableThread::end_by(std::chrono::steady_clock::time_point time) {
  if (!thread_.joinable()) return !abandoned_;
  abandoned_ = ended_.wait_until(time) != std::future_status::ready;
  if (abandoned_) {
    thread_.detach();
  } else {
    // It releases what it uses.
    thread_.join();
  }
  return !abandoned_;
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
  if (state_.sort.reversed) row = size_ - 1 - row;
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
  return state_.sort.reversed ? size_ - 1 - row : row;
}

/// Unknown values come last, whether the largest is the first of the others or the last.
std::uint64_t PickList::largest() const {
  if (!sums_) return 0;
  const auto end = std::partition_point(sorted_->begin(), sorted_->end(),
                                        [this](EntryId id) { return sums_->of(id).has_value(); });
  if (end == sorted_->begin()) return 0;
  return sums_->of(state_.sort.reversed ? *std::prev(end) : sorted_->front()).value_or(0);
}

/// The parts and the threads of a narrower. Each thread owns a share, so that everything lives as
/// long as a thread that is left behind.
struct Narrower::Parts : public std::enable_shared_from_this<Narrower::Parts> {
  Parts(std::shared_ptr<EntryStore> store, const Options& options)
      : shared{std::move(store), options.late, options.changed},
        late(shared, options.late_threads,
             {[this](const LateTask& task, const std::vector<EntryId>& loaded,
                     const std::vector<EntryId>& matching) {
                task.judges() ? judge.take_loaded(loaded, matching)
                              : order.values_were_loaded(loaded.size());
              },
              [this] { order.loads_are_done(); }}),
        judge(shared, late),
        order(shared, judge, late) {}

  void start(unsigned threads_to_judge);

  NarrowShared shared;
  LateLoads late;
  Judge judge;
  ListOrder order;
  std::vector<std::thread> threads{};
};

void Narrower::Parts::start(unsigned threads_to_judge) {
  const std::weak_ptr<Parts> self = weak_from_this();
  shared.owner = self;
  shared.store->when_it_grows([self] {
    if (const auto parts = self.lock()) {
      const std::lock_guard lock(parts->shared.mutex);
      parts->judge.wake();
    }
  });
  const auto keep = shared_from_this();
  for (unsigned i = 0; i < threads_to_judge; ++i) {
    threads.push_back(start_thread("match entries", [keep] { keep->judge.run(); }));
  }
  threads.push_back(start_thread("sort the list", [keep] { keep->order.run(); }));
}

Narrower::Narrower(std::shared_ptr<EntryStore> store, const Options& options)
    : parts_(std::make_shared<Parts>(std::move(store), options)) {
  try {
    parts_->start(std::max(1U, options.threads));
  } catch (...) {
    stop();
    throw;
  }
}

Narrower::~Narrower() {
  stop();
}

std::uint64_t Narrower::set_query(Narrowing narrowing) {
  const std::lock_guard lock(parts_->shared.mutex);
  const std::uint64_t generation = parts_->shared.generation + 1;
  parts_->judge.set_query(std::move(narrowing), generation);
  parts_->order.query_has_changed();
  return generation;
}

void Narrower::set_order(PickSort sort) {
  const std::lock_guard lock(parts_->shared.mutex);
  parts_->order.set(sort);
}

void Narrower::sort_rest() {
  const std::lock_guard lock(parts_->shared.mutex);
  parts_->order.sort_rest();
}

void Narrower::search_is_over() {
  const std::lock_guard lock(parts_->shared.mutex);
  parts_->judge.search_is_over();
}

std::shared_ptr<const PickList> Narrower::list() {
  const std::lock_guard lock(parts_->shared.mutex);
  return parts_->order.list();
}

Narrower::Work Narrower::work() const {
  const std::lock_guard lock(parts_->shared.mutex);
  return {parts_->judge.judged(), parts_->late.threads()};
}

/// Threads that judge and sort look at `ending` often and are joined. Those that load may be stuck,
/// and are left behind after a moment. The destructor calls it a second time.
bool Narrower::stop() {
  parts_->shared.store->when_it_grows({});
  {
    const std::lock_guard lock(parts_->shared.mutex);
    parts_->shared.ending = true;
    parts_->judge.wake();
    parts_->late.wake();
    parts_->shared.ordering.notify_all();
  }
  for (std::thread& thread : parts_->threads) thread.join();
  parts_->threads.clear();
  return parts_->late.join();
}

}  // namespace ffind::pick
