// SPDX-License-Identifier: MIT
// One mutex, held for moments: who judges, loads or sorts does so without it.
#include "pick/narrower.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <mutex>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "os/machine.h"
#include "pick/order.h"
#include "pick/store.h"

namespace ffind::pick {
namespace {

using namespace std::chrono_literals;

/// What an entry of the store has without a call.
constexpr Needs no_call =
    needs::type | needs::directory | needs::relative_path | needs::absolute_path | needs::depth;
constexpr Needs texts = needs::relative_path | needs::absolute_path;

/// A thread looks so often whether the query is still the same.
constexpr std::size_t judged_at_once = 1024;
/// So many entries are loaded between two looks at the list.
constexpr std::size_t late_chunk = 256;
/// Where an entry takes so long on the average, more threads are asking at one time.
constexpr double slow_load = 300'000;
constexpr std::size_t few_late_threads = 4;
/// ... which is looked at so often, and has to bring so much.
constexpr Nanoseconds window = 30'000'000;
constexpr double worthwhile = 1.3;
/// After so long nobody waits for an entry any more, nor asks for others of its root if that has
/// answered nobody meanwhile.
constexpr Nanoseconds dead_load = 300'000'000;
constexpr auto look_round = 5ms;
/// A list in an order is not made anew more often than this while it grows.
constexpr auto least_time_between_orders = 10ms;
/// More than these are sorted aside: they take longer than a key may.
constexpr std::size_t sorted_at_once = 10'000;
/// For those that load to come to an end.
constexpr auto last_wait = 200ms;

using Slices = std::vector<std::shared_ptr<const SliceMatches>>;

/// Adds the places of `more` to those of `all`; both ascending.
std::vector<std::uint16_t> merged(const std::vector<std::uint16_t>& all,
                                  const std::vector<std::uint16_t>& more) {
  std::vector<std::uint16_t> both;
  both.reserve(all.size() + more.size());
  std::set_union(all.begin(), all.end(), more.begin(), more.end(), std::back_inserter(both));
  return both;
}

/// All that match, ascending.
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

std::vector<std::uint16_t> without(const std::vector<std::uint16_t>& all,
                                   const std::vector<std::uint16_t>& less) {
  std::vector<std::uint16_t> rest;
  std::set_difference(all.begin(), all.end(), less.begin(), less.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace

/// What its threads share; each of them keeps it alive.
class Narrower::Shared : public std::enable_shared_from_this<Narrower::Shared> {
 public:
  Shared(std::shared_ptr<EntryStore> store, Options options)
      : store_(std::move(store)), options_(std::move(options)) {}

  void start();
  void work_here();
  std::uint64_t set_query(Narrowing narrowing);
  void set_order(PickOrder order, bool reversed);
  std::shared_ptr<const PickList> list();
  Work work();
  bool stop();
  void grown();

 private:
  struct Slice {
    std::shared_ptr<const SliceMatches> source{};  ///< null: every entry may match
    std::shared_ptr<const SliceMatches> result{};
    bool taken = false;  ///< a thread judges entries of it
  };
  /// What one thread judges at a time: in one slice.
  struct Piece {
    std::uint64_t generation = 0;
    std::size_t slice = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::shared_ptr<const Matcher> matcher{};
    std::shared_ptr<const SliceMatches> source{};
  };
  /// Entries that something is to be loaded of: to judge them, or to order by.
  struct Chunk {
    bool judges = true;
    std::uint64_t generation = 0;  ///< of the query, or the number of the set_order
    std::shared_ptr<const Matcher> matcher{};
    Needs wanted = needs::none;  ///< unless it judges
    std::vector<EntryId> ids{};  ///< of one slice if it judges
    std::atomic<std::size_t> next{0};

    std::shared_ptr<Chunk> with(std::vector<EntryId> others) const {
      auto chunk = std::make_shared<Chunk>();
      chunk->judges = judges;
      chunk->generation = generation;
      chunk->matcher = matcher;
      chunk->wanted = wanted;
      chunk->ids = std::move(others);
      return chunk;
    }
  };
  /// A thread that loads.
  struct LateThread {
    // Guarded by the mutex.
    std::thread thread{};
    std::shared_ptr<Chunk> chunk{};
    bool ended = false;
    // Of the present entry.
    std::atomic<Nanoseconds> began{0};  ///< 0: there is none
    std::atomic<std::uint32_t> origin{0};
    std::atomic<bool> given_up{false};  ///< nobody waits for it
    // What it has loaded of its chunk and not handed on.
    std::mutex results_mutex{};
    std::vector<EntryId> asked{};
    std::vector<EntryId> matching{};
  };

  /// What a thread that judges keeps from one piece to the next.
  struct Judge {
    std::unique_ptr<EntryReader> reader{};
    std::uint64_t generation = 0;  ///< of the query that it reads for
  };

  // Judging
  void judge();
  bool judge_next(std::unique_lock<std::mutex>& lock, Judge& judge);
  bool take_piece(Piece& piece);
  bool judge_piece(const Piece& piece, EntryReader& reader, SliceMatches& found);
  void accept(const Piece& piece, SliceMatches found);
  void post(std::size_t slice, const std::vector<std::uint16_t>& undecided);

  // Loading
  void load(LateThread& self);
  bool load_next(std::unique_lock<std::mutex>& lock, LateThread& self, LateLoader& loader);
  bool load_here(std::unique_lock<std::mutex>& lock);
  void load_chunk(LateThread& self, Chunk& chunk, LateLoader& loader);
  bool is_current(const Chunk& chunk) const;
  bool defers(std::uint32_t origin, const Chunk& chunk, EntryId id);
  void take_up_again(LateThread& self);
  void collect(LateThread& from);
  void settle(const Chunk& chunk, const std::vector<EntryId>& asked,
              const std::vector<EntryId>& matching);
  void supervise();
  void give_up_dead_threads();
  void consider_more_threads();
  void note_late_work();
  void start_late_threads();
  bool add_late_thread();
  std::size_t answering_threads() const;
  bool late_work_done() const;
  void drop_late_work(bool judging);

  // Ordering
  void order();
  /// Matches that an ordering does not contain.
  struct Unsorted {
    std::vector<EntryId> known;   ///< and it could
    std::vector<EntryId> unread;  ///< what they are ordered by is not known yet
  };
  bool has_to_order() const;
  void order_once(std::unique_lock<std::mutex>& lock);
  std::shared_ptr<const Ordering> ordering_of(PickOrder order);
  Unsorted unsorted(const std::vector<EntryId>& matches, PickOrder order,
                    const Ordering& ordering) const;
  static std::shared_ptr<const std::vector<EntryId>> in_order(const Ordering& ordering,
                                                              bool reversed,
                                                              const std::vector<EntryId>& matches);
  void sort_aside(std::unique_lock<std::mutex>& lock, std::shared_ptr<const Ordering> ordering,
                  std::vector<EntryId> ids);
  void post_values(const std::vector<EntryId>& ids, Needs wanted);

  PickList::State state() const;
  Slices results() const;
  void has_changed() {
    ++version_;
    if (has_to_order()) ordering_.notify_all();
    if (options_.changed) options_.changed();
  }

  const std::shared_ptr<EntryStore> store_;
  const Options options_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<std::uint64_t> ordering_wish_{0};  ///< goes up with each set_order
  std::atomic<bool> ending_{false};
  std::atomic<std::size_t> judged_{0};
  std::atomic<std::size_t> loaded_{0};

  std::mutex mutex_;  ///< guards what follows
  std::condition_variable judging_;
  std::condition_variable loading_;
  std::condition_variable ordering_;
  std::condition_variable supervising_;

  Narrowing query_;
  bool everything_ = true;  ///< matches
  bool loads_ = false;      ///< some of its tests may have to load something
  std::vector<Slice> slices_;
  std::size_t handed_out_ = 0;  ///< entries that were given to judging threads, or are judged
  std::size_t looked_at_ = 0;
  std::size_t undecided_ = 0;
  std::size_t matches_ = 0;
  std::uint64_t version_ = 0;  ///< of the matches

  std::deque<std::shared_ptr<Chunk>> chunks_;
  std::vector<std::shared_ptr<Chunk>> deferred_;  ///< on roots that do not answer
  std::deque<LateThread> late_threads_;
  std::atomic<std::size_t> answers_{0};  ///< entries that something was loaded of
  std::atomic<bool> some_given_up_{false};
  /// When an entry of a root was answered last, by the root's number; many have one place.
  std::array<std::atomic<Nanoseconds>, 64> answered_{};
  // Since threads were added, or it was looked whether they are to be.
  Nanoseconds window_began_ = 0;
  std::size_t window_answers_ = 0;
  double rate_then_ = 0;  ///< answers in a second, by fewer threads

  PickOrder wanted_order_ = PickOrder::found;
  bool wanted_reversed_ = false;
  PickOrder shown_order_ = PickOrder::found;
  bool shown_reversed_ = false;
  std::shared_ptr<const std::vector<EntryId>> sorted_;  ///< of the shown order; null for found
  PickList::State sorted_state_;                        ///< what it was made of
  std::uint64_t ordered_version_ = 0;
  std::uint64_t ordered_wish_ = 0;
  std::size_t values_wanted_ = 0;  ///< that are being loaded to order by
  bool order_again_ = false;       ///< with other values, or another ordering
  bool sorting_ = false;           ///< sorter_ is at work
  std::array<std::shared_ptr<const Ordering>, 5> orderings_;

  std::shared_ptr<const PickList> list_;  ///< null: the next is another one
  std::uint64_t list_version_ = 0;

  std::vector<std::thread> threads_;
  std::thread supervisor_;
  std::thread sorter_;

  // Of the thread that calls list(), for threads that could not be started.
  bool judges_here_ = false;
  bool orders_here_ = false;
  Judge judge_here_;
  LateThread late_here_;
  std::unique_ptr<LateLoader> loader_here_;

  // Of the ordering thread alone.
  EntrySet posted_;  ///< entries whose values it has asked for in the present order
  std::uint64_t posted_wish_ = 0;
};

void Narrower::Shared::start() {
  const std::weak_ptr<Shared> self = weak_from_this();
  store_->when_it_grows([self] {
    if (const auto shared = self.lock()) shared->grown();
  });
  const auto keep = shared_from_this();
  try {
    for (unsigned i = 0; i < std::max(1U, options_.threads); ++i) {
      threads_.emplace_back([keep] { keep->judge(); });
    }
  } catch (const std::system_error&) {
    judges_here_ = threads_.empty();
  }
  try {
    threads_.emplace_back([keep] { keep->order(); });
  } catch (const std::system_error&) {
    orders_here_ = true;
  }
}

/// The work of threads that could not be started, for a moment; then the caller is told to come
/// again.
void Narrower::Shared::work_here() {
  constexpr Nanoseconds moment = 20'000'000;
  const Nanoseconds end = os::monotonic_now() + moment;
  std::unique_lock lock(mutex_);
  while (!ending_ && os::monotonic_now() < end) {
    if (judges_here_ && judge_next(lock, judge_here_)) continue;
    if (orders_here_ && has_to_order()) {
      order_once(lock);
      continue;
    }
    if (!load_here(lock)) return;
  }
  if (options_.changed) options_.changed();
}

void Narrower::Shared::grown() {
  const std::lock_guard lock(mutex_);
  judging_.notify_all();
}

std::uint64_t Narrower::Shared::set_query(Narrowing narrowing) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t generation = generation_.load() + 1;
  generation_.store(generation);
  const bool grew = narrowing.grew;
  query_ = std::move(narrowing);
  everything_ = query_.matcher == nullptr || query_.matcher->where().always();
  loads_ = !everything_ && (query_.matcher->needs() & ~no_call) != 0;
  for (Slice& slice : slices_) {
    if (!grew) {
      slice = {};
      continue;
    }
    if (slice.result) slice.source = std::move(slice.result);
    slice.result = nullptr;
    slice.taken = false;
  }
  handed_out_ = looked_at_ = undecided_ = matches_ = 0;
  drop_late_work(true);
  has_changed();
  judging_.notify_all();
  return generation;
}

void Narrower::Shared::set_order(PickOrder order, bool reversed) {
  const std::lock_guard lock(mutex_);
  if (wanted_order_ == order && wanted_reversed_ == reversed) return;
  wanted_order_ = order;
  wanted_reversed_ = reversed;
  ++ordering_wish_;
  drop_late_work(false);
  if (order == PickOrder::found) {
    shown_order_ = order;
    shown_reversed_ = reversed;
    sorted_ = nullptr;
    list_ = nullptr;
  }
  has_changed();
}

// Judging

void Narrower::Shared::judge() {
  std::unique_lock lock(mutex_);
  Judge self;
  while (!ending_) {
    if (!judge_next(lock, self)) judging_.wait(lock);
  }
}

/// False if there is nothing to judge. Called with the lock, and returns with it.
bool Narrower::Shared::judge_next(std::unique_lock<std::mutex>& lock, Judge& judge) {
  Piece piece;
  if (!take_piece(piece)) return false;
  lock.unlock();
  if (!judge.reader || judge.generation != piece.generation) {
    const Needs at_once = piece.matcher ? piece.matcher->needs() : needs::none;
    judge.reader = std::make_unique<EntryReader>(*store_, at_once, nullptr);
    judge.generation = piece.generation;
  }
  SliceMatches found;
  const bool finished = judge_piece(piece, *judge.reader, found);
  lock.lock();
  if (finished && piece.generation == generation_) accept(piece, std::move(found));
  return true;
}

/// The next entries that nobody has looked at.
bool Narrower::Shared::take_piece(Piece& piece) {
  const std::size_t size = store_->size();
  if (handed_out_ >= size) return false;
  const std::size_t slice = handed_out_ / slice_size;
  if (slice >= slices_.size()) slices_.resize(slice + 1);
  if (slices_[slice].taken) return false;
  slices_[slice].taken = true;
  piece.generation = generation_;
  piece.slice = slice;
  piece.begin = static_cast<std::uint32_t>(handed_out_ - slice * slice_size);
  piece.end =
      static_cast<std::uint32_t>(std::min<std::size_t>(size - slice * slice_size, slice_size));
  piece.matcher = everything_ ? nullptr : query_.matcher;
  piece.source = slices_[slice].source;
  handed_out_ = slice * slice_size + piece.end;
  return true;
}

/// False where the query is another one by now.
bool Narrower::Shared::judge_piece(const Piece& piece, EntryReader& reader, SliceMatches& found) {
  found.looked_at = piece.end;
  if (piece.matcher == nullptr) {
    found.all = true;
    return true;
  }
  const Matcher& matcher = *piece.matcher;
  const bool loads = (matcher.needs() & ~no_call) != 0;
  const auto first = static_cast<EntryId>(piece.slice * slice_size);
  std::size_t judged = 0;
  const auto judge_one = [&](std::uint32_t place) {
    Entry& entry = reader.read(first + place);
    if (!loads) {
      if (matcher.emits(entry)) found.matches.push_back(static_cast<std::uint16_t>(place));
    } else if (!matcher.may_emit(entry)) {
      // Nothing that could be read of it would make it match.
    } else if (matcher.emits(entry)) {
      found.matches.push_back(static_cast<std::uint16_t>(place));
    } else if (options_.late) {
      found.undecided.push_back(static_cast<std::uint16_t>(place));
    }
    return ++judged % judged_at_once != 0 ||
           (generation_.load(std::memory_order_relaxed) == piece.generation && !ending_);
  };
  bool same = true;
  std::uint32_t place = piece.begin;
  if (piece.source && !piece.source->all && place < piece.source->looked_at) {
    const std::vector<std::uint16_t> both = merged(piece.source->matches, piece.source->undecided);
    for (auto next = std::lower_bound(both.begin(), both.end(), place); same && next != both.end();
         ++next) {
      same = judge_one(*next);
    }
    place = piece.source->looked_at;
  }
  for (; same && place < piece.end; ++place) same = judge_one(place);
  judged_.fetch_add(judged, std::memory_order_relaxed);
  return same;
}

void Narrower::Shared::accept(const Piece& piece, SliceMatches found) {
  Slice& slice = slices_[piece.slice];
  slice.taken = false;
  looked_at_ += piece.end - piece.begin;
  undecided_ += found.undecided.size();
  if (!found.undecided.empty()) post(piece.slice, found.undecided);
  if (slice.result && !found.all) {
    found.matches = merged(slice.result->matches, found.matches);
    found.undecided = merged(slice.result->undecided, found.undecided);
  }
  if (found.matches.size() == slice_size) {
    found.all = true;
    found.matches = {};
  }
  matches_ += found.size() - (slice.result ? slice.result->size() : 0);
  slice.result = std::make_shared<const SliceMatches>(std::move(found));
  has_changed();
  if (handed_out_ < store_->size()) judging_.notify_all();
}

/// To be loaded, those found first first.
void Narrower::Shared::post(std::size_t slice, const std::vector<std::uint16_t>& undecided) {
  for (std::size_t begin = 0; begin < undecided.size(); begin += late_chunk) {
    auto chunk = std::make_shared<Chunk>();
    chunk->generation = generation_;
    chunk->matcher = query_.matcher;
    const std::size_t end = std::min(begin + late_chunk, undecided.size());
    for (std::size_t i = begin; i < end; ++i) {
      chunk->ids.push_back(static_cast<EntryId>(slice * slice_size + undecided[i]));
    }
    chunks_.push_back(std::move(chunk));
  }
  start_late_threads();
}

// Loading

bool Narrower::Shared::is_current(const Chunk& chunk) const {
  return chunk.generation == (chunk.judges ? generation_ : ordering_wish_).load();
}

void Narrower::Shared::drop_late_work(bool judging) {
  const auto is_stale = [judging](const std::shared_ptr<Chunk>& chunk) {
    return chunk->judges == judging;
  };
  chunks_.erase(std::remove_if(chunks_.begin(), chunks_.end(), is_stale), chunks_.end());
  deferred_.erase(std::remove_if(deferred_.begin(), deferred_.end(), is_stale), deferred_.end());
  if (!judging) values_wanted_ = 0;
}

std::size_t Narrower::Shared::answering_threads() const {
  return static_cast<std::size_t>(
      std::count_if(late_threads_.begin(), late_threads_.end(),
                    [](const LateThread& one) { return !one.given_up && !one.ended; }));
}

/// As many as judge, at first; the supervisor adds more. Called with the lock.
void Narrower::Shared::start_late_threads() {
  while (answering_threads() < std::max(1U, options_.threads) && add_late_thread()) {
  }
  loading_.notify_all();
  supervising_.notify_all();
}

bool Narrower::Shared::add_late_thread() {
  if (answering_threads() >= options_.most_late_threads) return false;
  const auto keep = shared_from_this();
  try {
    if (!supervisor_.joinable()) supervisor_ = std::thread([keep] { keep->supervise(); });
    LateThread& self = late_threads_.emplace_back();
    try {
      self.thread = std::thread([keep, &self] { keep->load(self); });
    } catch (const std::system_error&) {
      late_threads_.pop_back();
      return false;
    }
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void Narrower::Shared::load(LateThread& self) {
  const std::unique_ptr<LateLoader> loader = options_.late();
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (!load_next(lock, self, *loader)) loading_.wait(lock);
  }
  self.ended = true;
  supervising_.notify_all();
}

/// False if there is nothing to load. Called with the lock, and returns with it.
bool Narrower::Shared::load_next(std::unique_lock<std::mutex>& lock, LateThread& self,
                                 LateLoader& loader) {
  if (chunks_.empty()) return false;
  const std::shared_ptr<Chunk> chunk = chunks_.front();
  chunks_.pop_front();
  self.chunk = chunk;
  lock.unlock();
  load_chunk(self, *chunk, loader);
  lock.lock();
  collect(self);
  self.chunk = nullptr;
  note_late_work();
  return true;
}

/// Only if there has never been a thread for it: one that was given up may be stuck for ever.
bool Narrower::Shared::load_here(std::unique_lock<std::mutex>& lock) {
  if (chunks_.empty() || !late_threads_.empty()) return false;
  if (!loader_here_) loader_here_ = options_.late();
  return load_next(lock, late_here_, *loader_here_);
}

void Narrower::Shared::load_chunk(LateThread& self, Chunk& chunk, LateLoader& loader) {
  const Needs at_once = chunk.judges ? chunk.matcher->needs() & texts : needs::none;
  EntryReader reader(*store_, at_once, &loader);
  while (!ending_ && is_current(chunk)) {
    const std::size_t next = chunk.next.fetch_add(1);
    if (next >= chunk.ids.size()) break;
    const EntryId id = chunk.ids[next];
    const std::uint32_t origin = store_->directory(store_->directory_of(id)).origin;
    if (some_given_up_ && defers(origin, chunk, id)) continue;
    self.origin = origin;
    self.began = os::monotonic_now();
    Entry& entry = reader.read(id);
    const bool matches = chunk.judges ? chunk.matcher->emits(entry) : entry.require(chunk.wanted);
    {
      const std::lock_guard lock(self.results_mutex);
      self.asked.push_back(id);
      if (matches) self.matching.push_back(id);
    }
    answered_[origin % answered_.size()] = os::monotonic_now();
    ++answers_;
    if (self.given_up) take_up_again(self);
  }
  self.began = 0;
  loaded_.fetch_add(reader.loads(), std::memory_order_relaxed);
}

/// Whether the entry's root does not answer: since others wait for it, it has answered nobody. Then
/// it is left for later.
bool Narrower::Shared::defers(std::uint32_t origin, const Chunk& chunk, EntryId id) {
  const std::lock_guard lock(mutex_);
  const Nanoseconds answered = answered_[origin % answered_.size()];
  const bool dead =
      std::any_of(late_threads_.begin(), late_threads_.end(), [&](const LateThread& other) {
        return other.given_up && other.origin == origin && other.began > answered;
      });
  if (!dead || !is_current(chunk)) return dead;
  const bool joins = !deferred_.empty() && deferred_.back()->judges == chunk.judges &&
                     deferred_.back()->ids.size() < late_chunk &&
                     deferred_.back()->ids.front() / slice_size == id / slice_size;
  if (!joins) deferred_.push_back(chunk.with({}));
  deferred_.back()->ids.push_back(id);
  return true;
}

/// It answers after all: what waited for that goes on.
void Narrower::Shared::take_up_again(LateThread& self) {
  const std::lock_guard lock(mutex_);
  self.given_up = false;
  some_given_up_ = std::any_of(late_threads_.begin(), late_threads_.end(),
                               [](const LateThread& one) { return one.given_up.load(); });
  for (const std::shared_ptr<Chunk>& chunk : deferred_) {
    std::sort(chunk->ids.begin(), chunk->ids.end());
    chunks_.push_back(chunk);
  }
  deferred_.clear();
  loading_.notify_all();
  supervising_.notify_all();
}

/// Called with the lock.
void Narrower::Shared::collect(LateThread& from) {
  if (!from.chunk) return;
  std::vector<EntryId> asked;
  std::vector<EntryId> matching;
  {
    const std::lock_guard lock(from.results_mutex);
    asked.swap(from.asked);
    matching.swap(from.matching);
  }
  settle(*from.chunk, asked, matching);
}

/// What came of loading. Called with the lock.
void Narrower::Shared::settle(const Chunk& chunk, const std::vector<EntryId>& asked,
                              const std::vector<EntryId>& matching) {
  if (asked.empty() || !is_current(chunk)) return;
  if (!chunk.judges) {
    values_wanted_ -= std::min(values_wanted_, asked.size());
    if (values_wanted_ == 0) order_again_ = true;
    if (values_wanted_ == 0) ordering_.notify_all();
    return;
  }
  const std::size_t number = asked.front() / slice_size;
  const auto places = [](const std::vector<EntryId>& ids) {
    std::vector<std::uint16_t> found;
    found.reserve(ids.size());
    for (const EntryId id : ids) found.push_back(static_cast<std::uint16_t>(id % slice_size));
    return found;
  };
  Slice& slice = slices_[number];
  SliceMatches now = *slice.result;
  now.undecided = without(now.undecided, places(asked));
  now.matches = merged(now.matches, places(matching));
  slice.result = std::make_shared<const SliceMatches>(std::move(now));
  undecided_ -= asked.size();
  matches_ += matching.size();
  has_changed();
}

void Narrower::Shared::supervise() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const bool busy =
        std::any_of(late_threads_.begin(), late_threads_.end(),
                    [](const LateThread& one) { return one.chunk != nullptr && !one.given_up; });
    if (!busy && chunks_.empty()) {
      supervising_.wait(lock);
      rate_then_ = 0;
      window_began_ = os::monotonic_now();
      window_answers_ = answers_;
      continue;
    }
    supervising_.wait_for(lock, look_round);
    if (ending_) break;
    for (LateThread& one : late_threads_) collect(one);
    give_up_dead_threads();
    consider_more_threads();
  }
}

/// Nobody waits for who has waited too long. Called with the lock, as what follows.
void Narrower::Shared::give_up_dead_threads() {
  const Nanoseconds now = os::monotonic_now();
  for (LateThread& one : late_threads_) {
    const Nanoseconds began = one.began;
    if (one.given_up || began == 0 || now - began <= dead_load) continue;
    one.given_up = true;
    some_given_up_ = true;
    if (one.chunk) {
      const std::size_t count = one.chunk->ids.size();
      const std::size_t next = std::min(one.chunk->next.exchange(count), count);
      const auto rest = one.chunk->ids.begin() + static_cast<std::ptrdiff_t>(next);
      if (next < count) chunks_.push_back(one.chunk->with({rest, one.chunk->ids.end()}));
    }
    if (!chunks_.empty()) start_late_threads();
    has_changed();
    note_late_work();
  }
}

/// A volume that takes its time for each entry gets twice as many threads, as long as that makes it
/// answer more.
void Narrower::Shared::consider_more_threads() {
  const Nanoseconds now = os::monotonic_now();
  const auto passed = static_cast<double>(now - window_began_);
  if (passed < static_cast<double>(window)) return;
  const auto answers = static_cast<double>(answers_ - window_answers_);
  const std::size_t running = answering_threads();
  const double rate = answers / passed;
  const bool slow = passed * static_cast<double>(running) >= answers * slow_load;
  const bool helps = running < few_late_threads || rate > rate_then_ * worthwhile;
  window_began_ = now;
  window_answers_ = answers_;
  // The best so far, lest a moment without a processor look like a slow volume.
  rate_then_ = std::max(rate_then_, rate);
  if (!slow || !helps || chunks_.empty()) return;
  for (std::size_t added = 0; added < running && add_late_thread(); ++added) {
  }
}

/// Whoever waits for its end is told. Called with the lock.
void Narrower::Shared::note_late_work() {
  if (!late_work_done()) return;
  if (values_wanted_ > 0) order_again_ = true;
  has_changed();
}

/// But for what does not answer.
bool Narrower::Shared::late_work_done() const {
  return chunks_.empty() &&
         std::all_of(late_threads_.begin(), late_threads_.end(), [this](const LateThread& one) {
           return one.given_up || one.chunk == nullptr || !is_current(*one.chunk);
         });
}

// Ordering

bool Narrower::Shared::has_to_order() const {
  if (wanted_order_ == PickOrder::found) return false;
  return ordered_version_ != version_ || ordered_wish_ != ordering_wish_ || order_again_;
}

void Narrower::Shared::order() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (has_to_order()) {
      order_once(lock);
    } else {
      ordering_.wait(lock);
    }
  }
}

/// Called with the lock, and returns with it.
void Narrower::Shared::order_once(std::unique_lock<std::mutex>& lock) {
  order_again_ = false;
  const std::uint64_t version = version_;
  const std::uint64_t wish = ordering_wish_;
  const bool values_settled = values_wanted_ == 0 || late_work_done();
  const Slices slices = results();
  PickList::State made_of = state();
  PickOrder order = wanted_order_;
  bool reversed = wanted_reversed_;
  std::shared_ptr<const Ordering> ordering = ordering_of(order);
  const std::pair<PickOrder, bool> shown = {shown_order_, shown_reversed_};
  const std::shared_ptr<const Ordering> shown_ordering = ordering_of(shown_order_);
  lock.unlock();

  const auto began = std::chrono::steady_clock::now();
  const std::vector<EntryId> matches = ids_of(slices);
  Unsorted rest = unsorted(matches, order, *ordering);
  const bool sorts_aside = rest.known.size() > sorted_at_once;
  if (!sorts_aside && !rest.known.empty()) {
    auto grown = std::make_shared<Ordering>(*ordering);
    grown->add(std::move(rest.known), ending_);
    ordering = std::move(grown);
  }
  if (wish != posted_wish_) posted_ = {};
  posted_wish_ = wish;
  std::vector<EntryId> to_read;
  std::copy_if(rest.unread.begin(), rest.unread.end(), std::back_inserter(to_read),
               [this](EntryId id) { return !posted_.contains(id); });
  // What nobody waits for any more comes last.
  const bool ready = !sorts_aside && (rest.unread.empty() || (to_read.empty() && values_settled));
  std::shared_ptr<const std::vector<EntryId>> sorted;
  if (ready || order == shown.first) {
    sorted = in_order(*ordering, reversed, matches);
  } else {
    std::tie(order, reversed) = shown;
    if (order != PickOrder::found) sorted = in_order(*shown_ordering, reversed, matches);
  }
  const auto took = std::chrono::steady_clock::now() - began;

  lock.lock();
  if (ordering_wish_ != wish) return;
  orderings_[static_cast<std::size_t>(wanted_order_)] = ordering;
  if (sorts_aside && !sorting_) sort_aside(lock, ordering, std::move(rest.known));
  if (generation_ != made_of.generation) return;
  ordered_version_ = version;
  ordered_wish_ = wish;
  for (const EntryId id : to_read) posted_.add(id);
  if (!to_read.empty()) post_values(to_read, needs_of(wanted_order_));
  // Of a new query nothing is to be seen yet.
  const bool too_early = matches.empty() && made_of.looked_at < made_of.found && sorted_;
  if (order != PickOrder::found && !too_early) {
    made_of.order = shown_order_ = order;
    made_of.reversed = shown_reversed_ = reversed;
    made_of.complete = made_of.complete && ready;
    sorted_state_ = made_of;
    sorted_ = std::move(sorted);
    list_ = nullptr;
    if (options_.changed) options_.changed();
  }
  // While much is still coming, half of the time goes to the list at most.
  if (!made_of.complete && !orders_here_) {
    const auto pause =
        std::max<std::chrono::steady_clock::duration>(least_time_between_orders, took);
    ordering_.wait_for(lock, pause, [&] {
      return ending_ || ordering_wish_ != wish || generation_ != made_of.generation;
    });
  }
}

/// Called with the lock.
std::shared_ptr<const Ordering> Narrower::Shared::ordering_of(PickOrder order) {
  std::shared_ptr<const Ordering>& ordering = orderings_[static_cast<std::size_t>(order)];
  if (!ordering) ordering = std::make_shared<const Ordering>(*store_, order);
  return ordering;
}

/// What of `matches` is not in its place yet.
Narrower::Shared::Unsorted Narrower::Shared::unsorted(const std::vector<EntryId>& matches,
                                                      PickOrder order,
                                                      const Ordering& ordering) const {
  const Needs value = options_.late ? needs_of(order) : needs::none;
  Unsorted rest;
  Metadata metadata{};
  Needs failed = needs::none;
  for (const EntryId id : matches) {
    if (ordering.contains(id)) continue;
    const bool unread = value != needs::none &&
                        (store_->known(id, value, metadata, failed) | failed) == needs::none;
    (unread ? rest.unread : rest.known).push_back(id);
  }
  return rest;
}

/// Behind what is in its place comes what is not yet.
std::shared_ptr<const std::vector<EntryId>> Narrower::Shared::in_order(
    const Ordering& ordering, bool reversed, const std::vector<EntryId>& matches) {
  EntrySet matching;
  for (const EntryId id : matches) matching.add(id);
  std::vector<EntryId> sorted = ordering.filter(matching, matches.size(), reversed);
  if (sorted.size() < matches.size()) {
    std::copy_if(matches.begin(), matches.end(), std::back_inserter(sorted),
                 [&](EntryId id) { return !ordering.contains(id); });
  }
  return std::make_shared<const std::vector<EntryId>>(std::move(sorted));
}

/// Much to sort is sorted by a thread of its own, if one can be had, so that lists are made
/// meanwhile. Called with the lock, and returns with it.
void Narrower::Shared::sort_aside(std::unique_lock<std::mutex>& lock,
                                  std::shared_ptr<const Ordering> ordering,
                                  std::vector<EntryId> ids) {
  const auto number = static_cast<std::size_t>(wanted_order_);
  if (sorter_.joinable()) sorter_.join();  // it has ended, but for the end
  auto sort = [keep = shared_from_this(), number, ordering = std::move(ordering),
               ids = std::move(ids)]() mutable {
    auto grown = std::make_shared<Ordering>(*ordering);
    grown->add(std::move(ids), keep->ending_);
    const std::lock_guard lock(keep->mutex_);
    keep->orderings_[number] = std::move(grown);
    keep->sorting_ = false;
    keep->order_again_ = true;
    keep->ordering_.notify_all();
  };
  sorting_ = true;
  try {
    sorter_ = std::thread(sort);
  } catch (const std::system_error&) {
    lock.unlock();
    sort();
    lock.lock();
  }
}

/// Called with the lock.
void Narrower::Shared::post_values(const std::vector<EntryId>& ids, Needs wanted) {
  values_wanted_ += ids.size();
  for (std::size_t begin = 0; begin < ids.size(); begin += late_chunk) {
    auto chunk = std::make_shared<Chunk>();
    chunk->judges = false;
    chunk->generation = ordering_wish_;
    chunk->wanted = wanted;
    const auto first = ids.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::size_t count = std::min(late_chunk, ids.size() - begin);
    chunk->ids.assign(first, first + static_cast<std::ptrdiff_t>(count));
    chunks_.push_back(std::move(chunk));
  }
  start_late_threads();
}

// What others see

Slices Narrower::Shared::results() const {
  Slices slices;
  slices.reserve(slices_.size());
  for (const Slice& slice : slices_) slices.push_back(slice.result);
  return slices;
}

PickList::State Narrower::Shared::state() const {
  PickList::State state;
  state.generation = generation_;
  state.found = store_->size();
  state.looked_at = looked_at_;
  state.undecided = undecided_;
  state.complete = looked_at_ == state.found && (undecided_ == 0 || late_work_done());
  return state;
}

std::shared_ptr<const PickList> Narrower::Shared::list() {
  const std::lock_guard lock(mutex_);
  const bool same = list_ != nullptr && list_version_ == version_;
  if (same && list_->state().found == store_->size()) return list_;
  if (sorted_) {
    PickList::State shown = sorted_state_;
    shown.complete = shown.complete && !has_to_order() && shown.found == store_->size();
    list_ = std::make_shared<const PickList>(shown, sorted_);
  } else {
    PickList::State now = state();
    now.reversed = shown_reversed_;
    if (wanted_order_ != shown_order_) now.complete = false;
    const bool too_early = matches_ == 0 && now.looked_at < now.found;
    if (too_early && list_ != nullptr && list_->state().generation != now.generation) return list_;
    list_ = std::make_shared<const PickList>(now, results());
  }
  list_version_ = version_;
  return list_;
}

Narrower::Work Narrower::Shared::work() {
  const std::lock_guard lock(mutex_);
  return {judged_, loaded_, static_cast<unsigned>(late_threads_.size())};
}

bool Narrower::Shared::stop() {
  store_->when_it_grows({});
  const auto all_ended = [this] {
    return std::all_of(late_threads_.begin(), late_threads_.end(),
                       [](const LateThread& one) { return one.ended; });
  };
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return all_ended();
    ending_ = true;
    for (auto* const condition : {&judging_, &loading_, &ordering_, &supervising_}) {
      condition->notify_all();
    }
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (supervisor_.joinable()) supervisor_.join();
  if (sorter_.joinable()) sorter_.join();
  std::unique_lock lock(mutex_);
  const bool all = supervising_.wait_for(lock, last_wait, all_ended);
  for (LateThread& one : late_threads_) {
    if (!one.thread.joinable()) continue;
    if (!one.ended) {
      one.thread.detach();
      continue;
    }
    lock.unlock();
    one.thread.join();
    lock.lock();
  }
  return all;
}

Narrower::Narrower(std::shared_ptr<EntryStore> store, Options options)
    : shared_(std::make_shared<Shared>(std::move(store), std::move(options))) {
  shared_->start();
}

Narrower::~Narrower() {
  shared_->stop();
}

std::uint64_t Narrower::set_query(Narrowing narrowing) {
  return shared_->set_query(std::move(narrowing));
}

void Narrower::set_order(PickOrder order, bool reversed) {
  shared_->set_order(order, reversed);
}

std::shared_ptr<const PickList> Narrower::list() {
  shared_->work_here();
  return shared_->list();
}

Narrower::Work Narrower::work() const {
  return shared_->work();
}

bool Narrower::stop() {
  return shared_->stop();
}

}  // namespace ffind::pick
