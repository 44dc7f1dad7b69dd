// SPDX-License-Identifier: MIT
// The pass over the store, and the threads that load entries.
//
// Judging. The store is handed out from its beginning (handed_out_), each slice to one thread at a
// time. A thread judges its piece without the lock and accept()s the result: a new SliceMatches
// replaces that of the slice, so a snapshot that shares the old one does not change. If the query
// has changed meanwhile, the generation of the piece is not the current one, and the result is
// dropped.
//
// Loading. add() cuts the ids into chunks of 256, which threads take from the front of chunks_.
//
//     thread        began = now; load; results; began = 0 after the chunk
//     supervisor    each 5 ms: collect results, so that they are shown before a chunk is done;
//                   began 0.3 s ago: given up, the rest of its chunk goes back to chunks_
//                   each 30 ms: twice the threads, if the volume is slow and more have helped
//     given up      its root is dead unless another thread was answered since: entries there go to
//                   deferred_. When the thread comes back, all of those are tried again.
//
// So a dead server costs 0.3 s and the threads that are in calls to it. New threads take their
// place for the entries of other roots.
#include "pick/judge.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "os/machine.h"

namespace ffind::pick {
namespace {

using namespace std::chrono_literals;

/// Attributes that an entry of the store has without a system call.
constexpr Needs no_call =
    needs::type | needs::directory | needs::relative_path | needs::absolute_path | needs::depth;
constexpr Needs texts = needs::relative_path | needs::absolute_path;

/// Entries that a thread judges between two looks at the query's generation.
constexpr std::size_t judged_at_once = 1024;
/// Entries that are loaded as one chunk.
constexpr std::size_t late_chunk = 256;
/// A volume is slow if its entries take this long on average; then more threads are added.
constexpr double slow_load = 300'000;
/// Up to here threads are added to a slow volume even if the last ones did not pay.
constexpr std::size_t few_late_threads = 4;
/// Time between two considerations, and by how much the last threads must have raised the rate.
constexpr Nanoseconds window = 30'000'000;
constexpr double worthwhile = 1.3;
/// An entry that takes longer is no longer waited for. Neither are others of its root, unless that
/// root has answered another thread meanwhile.
constexpr Nanoseconds dead_load = 300'000'000;
constexpr auto look_round = 5ms;
/// Patience at the end with threads that are in a call.
constexpr auto last_wait = 200ms;

using Places = std::vector<std::uint16_t>;

/// The union of two ascending lists of places.
Places merged(const Places& all, const Places& more) {
  Places both;
  both.reserve(all.size() + more.size());
  std::set_union(all.begin(), all.end(), more.begin(), more.end(), std::back_inserter(both));
  return both;
}

/// The places of `all` that are not in `less`. Both ascend.
Places without(const Places& all, const Places& less) {
  Places rest;
  std::set_difference(all.begin(), all.end(), less.begin(), less.end(), std::back_inserter(rest));
  return rest;
}

/// The places of `ids` in their slice.
Places places_of(const std::vector<EntryId>& ids) {
  Places places;
  places.reserve(ids.size());
  for (const EntryId id : ids) places.push_back(static_cast<std::uint16_t>(id % slice_size));
  return places;
}

/// Adds matches, with their ranks unless there are none, to those that `to` has already.
void add_matches(SliceMatches& to, const Places& places, const std::vector<Rank>& ranks) {
  if (ranks.empty()) {
    to.matches = merged(to.matches, places);
    return;
  }
  SliceMatches both;
  both.matches.reserve(to.matches.size() + places.size());
  both.ranks.reserve(both.matches.capacity());
  std::size_t old = 0;
  for (std::size_t next = 0; next < places.size() || old < to.matches.size();) {
    const bool takes_old =
        next == places.size() || (old < to.matches.size() && to.matches[old] < places[next]);
    both.matches.push_back(takes_old ? to.matches[old] : places[next]);
    both.ranks.push_back(takes_old ? to.ranks[old++] : ranks[next++]);
  }
  to.matches = std::move(both.matches);
  to.ranks = std::move(both.ranks);
}

/// Lets the ranker enter an entry's directory, whose path is put together for that.
void turn(Ranker& ranker, Entry& entry, DirectoryId directory) {
  entry.require(needs::relative_path);
  std::string_view path = entry.relative_path;
  path.remove_suffix(entry.name.size());
  ranker.enter(directory, path);
}

Rank rank_of(Entry& entry, Ranker& ranker, const EntryStore& store, EntryId id) {
  const DirectoryId directory = store.directory_of(id);
  if (!ranker.is_in(directory)) turn(ranker, entry, directory);
  entry.require(needs::relative_path);
  return ranker.rank(entry.relative_path, entry.name.size());
}

}  // namespace

// Judging

/// If the query grew, the result of each slice becomes the source of the next pass. A slice that
/// was not judged keeps its source: it is that of a query before, of which this one is narrower
/// still. If the query before had to take the letters apart, so has this one: it has no more
/// matches as typed, which were none.
void Judge::set_query(Narrowing query, std::uint64_t generation) {
  is_apart_ = is_apart_ && query.grew && query.apart.matcher != nullptr;
  apart_ = std::move(query.apart);
  for (Slice& slice : slices_) {
    if (!query.grew) {
      slice = {};
      continue;
    }
    if (slice.result) slice.source = std::move(slice.result);
    slice.result = nullptr;
    slice.taken = false;
  }
  shared_.generation.store(generation);
  late_.drop(true);
  if (is_apart_) {
    begin_pass(apart_.matcher, apart_.ranking);
  } else {
    begin_pass(std::move(query.matcher), std::move(query.ranking));
  }
}

/// Judges everything again.
void Judge::begin_pass(std::shared_ptr<const Matcher> matcher,
                       std::shared_ptr<const Ranking> ranking) {
  // Whole slices are then accepted without a look at their entries.
  const bool everything = matcher == nullptr || matcher->where().always();
  matcher_ = everything ? nullptr : std::move(matcher);
  ranking_ = everything ? nullptr : std::move(ranking);
  handed_out_ = looked_at_ = undecided_ = matches_ = 0;
  ++pass_;
  shared_.has_changed();
  judging_.notify_all();
}

void Judge::search_is_over() {
  search_is_over_ = true;
  try_apart();
}

/// Takes the letters apart if there is no match as typed, and none can come.
void Judge::try_apart() {
  const bool nothing = has_judged_all() && matches_ == 0 && undecided_ == 0 && looked_at_ > 0;
  if (!nothing || !search_is_over_ || is_apart_ || !apart_.matcher) return;
  is_apart_ = true;
  for (Slice& slice : slices_) slice = {};
  begin_pass(apart_.matcher, apart_.ranking);
}

void Judge::run() {
  std::unique_lock lock(shared_.mutex);
  Worker self;
  while (!shared_.ending) {
    if (!judge_next(lock, self)) judging_.wait(lock);
  }
}

bool Judge::judge_next(std::unique_lock<std::mutex>& lock, Worker& worker) {
  Piece piece;
  if (!take_piece(piece)) return false;
  lock.unlock();
  prepare(worker, piece);
  SliceMatches found;
  const bool finished = judge_piece(piece, worker, found);
  lock.lock();
  if (finished && piece.generation == shared_.generation) accept(piece, std::move(found));
  return true;
}

/// The reader and the ranker are kept during a pass: they have the path of the last directory.
void Judge::prepare(Worker& worker, const Piece& piece) const {
  if (worker.reader && worker.pass == piece.pass) return;
  const Needs at_once = piece.matcher ? piece.matcher->needs() : needs::none;
  worker.reader = std::make_unique<StoreCursor>(*shared_.store, at_once, nullptr);
  worker.ranker = piece.ranking ? std::make_unique<Ranker>(piece.ranking) : nullptr;
  worker.pass = piece.pass;
}

/// Hands out the entries after the last ones that were, to the end of their slice or of the store.
bool Judge::take_piece(Piece& piece) {
  const std::size_t size = shared_.store->size();
  if (handed_out_ >= size) return false;
  const std::size_t slice = handed_out_ / slice_size;
  if (slice >= slices_.size()) slices_.resize(slice + 1);
  // Pieces of a slice follow one another, so that `looked_at` has no gaps.
  if (slices_[slice].taken) return false;
  slices_[slice].taken = true;
  piece.generation = shared_.generation;
  piece.pass = pass_;
  piece.slice = slice;
  piece.begin = static_cast<std::uint32_t>(handed_out_ - slice * slice_size);
  piece.end =
      static_cast<std::uint32_t>(std::min<std::size_t>(size - slice * slice_size, slice_size));
  piece.matcher = matcher_;
  piece.ranking = ranking_;
  piece.source = slices_[slice].source;
  handed_out_ = slice * slice_size + piece.end;
  return true;
}

/// Returns false if the query has changed meanwhile. Called without the lock.
bool Judge::judge_piece(const Piece& piece, Worker& worker, SliceMatches& found) {
  found.looked_at = piece.end;
  if (piece.matcher == nullptr) {
    found.all = true;
    return true;
  }
  const Matcher& matcher = *piece.matcher;
  // False for queries by name, path or type: nothing can be undecided.
  const bool loads = (matcher.needs() & ~no_call) != 0;
  const auto first = static_cast<EntryId>(piece.slice * slice_size);
  std::size_t judged = 0;
  const auto add = [&](std::uint32_t place, Rank rank) {
    found.matches.push_back(static_cast<std::uint16_t>(place));
    if (worker.ranker) found.ranks.push_back(rank);
  };
  // By the words alone: a directory is searched for them once, and no entry is made. Of a million,
  // a letter takes 70 ns an entry instead of 99. Returns false if that does not decide.
  const auto judge_by_words = [&](std::uint32_t place) {
    const EntryId id = first + place;
    const DirectoryId directory = shared_.store->directory_of(id);
    Ranker& ranker = *worker.ranker;
    if (!ranker.is_in(directory)) turn(ranker, worker.reader->read(id), directory);
    Rank rank = 0;
    const Ranker::Verdict verdict = ranker.judge(shared_.store->name(id), rank);
    if (verdict == Ranker::Verdict::matches) add(place, rank);
    return verdict != Ranker::Verdict::unknown;
  };
  const auto judge_by_matcher = [&](std::uint32_t place) {
    Entry& entry = worker.reader->read(first + place);
    if (loads && !matcher.may_emit(entry)) return;  // whatever could be read of it
    if (matcher.emits(entry)) {
      add(place, worker.ranker ? rank_of(entry, *worker.ranker, *shared_.store, first + place) : 0);
    } else if (loads && shared_.late) {
      found.undecided.push_back(static_cast<std::uint16_t>(place));
    }
  };
  const bool words_decide = piece.ranking != nullptr && piece.ranking->decides();
  const auto judge_one = [&](std::uint32_t place) {
    if (!words_decide || !judge_by_words(place)) judge_by_matcher(place);
    return ++judged % judged_at_once != 0 ||
           (shared_.generation.load(std::memory_order_relaxed) == piece.generation &&
            !shared_.ending);
  };
  bool same = true;
  std::uint32_t place = piece.begin;
  if (piece.source && !piece.source->all && place < piece.source->looked_at) {
    // Undecided ones may still match.
    const Places both = merged(piece.source->matches, piece.source->undecided);
    for (auto next = std::lower_bound(both.begin(), both.end(), place); same && next != both.end();
         ++next) {
      same = judge_one(*next);
    }
    // Entries that were found since the source was made are all judged.
    place = piece.source->looked_at;
  }
  for (; same && place < piece.end; ++place) same = judge_one(place);
  judged_.fetch_add(judged, std::memory_order_relaxed);
  return same;
}

/// Adds the matches of a piece to those of its slice, and passes undecided entries to LateLoads.
void Judge::accept(const Piece& piece, SliceMatches found) {
  Slice& slice = slices_[piece.slice];
  slice.taken = false;
  looked_at_ += piece.end - piece.begin;
  undecided_ += found.undecided.size();
  if (!found.undecided.empty()) {
    std::vector<EntryId> ids;
    ids.reserve(found.undecided.size());
    for (const std::uint16_t place : found.undecided) {
      ids.push_back(static_cast<EntryId>(piece.slice * slice_size + place));
    }
    late_.add({matcher_, needs::none, shared_.generation}, ids);
  }
  // The slice was judged in part before; `found` has the entries after those.
  if (slice.result && !found.all) {
    add_matches(found, slice.result->matches, slice.result->ranks);
    found.undecided = merged(slice.result->undecided, found.undecided);
  }
  // Two bytes for each of 16,384 matches are saved.
  if (found.matches.size() == slice_size) {
    found.all = true;
    found.matches = {};
  }
  matches_ += found.size() - (slice.result ? slice.result->size() : 0);
  slice.result = std::make_shared<const SliceMatches>(std::move(found));
  shared_.has_changed();
  try_apart();
  if (handed_out_ < shared_.store->size()) judging_.notify_all();
}

/// Results come from a chunk, which is of one slice. They replace its matches, since lists may
/// share the old ones.
void Judge::settle(const std::vector<EntryId>& loaded, const std::vector<EntryId>& matching) {
  Slice& slice = slices_[loaded.front() / slice_size];
  SliceMatches now = *slice.result;
  now.undecided = without(now.undecided, places_of(loaded));
  add_matches(now, places_of(matching), ranks_of(matching));
  slice.result = std::make_shared<const SliceMatches>(std::move(now));
  undecided_ -= loaded.size();
  matches_ += matching.size();
  shared_.has_changed();
  try_apart();
}

/// For a chunk at most, so it may be done with the lock.
std::vector<Rank> Judge::ranks_of(const std::vector<EntryId>& ids) {
  std::vector<Rank> ranks;
  if (!ranking_) return ranks;
  Piece piece;
  piece.pass = pass_;
  piece.ranking = ranking_;
  prepare(settling_, piece);
  ranks.reserve(ids.size());
  for (const EntryId id : ids) {
    ranks.push_back(rank_of(settling_.reader->read(id), *settling_.ranker, *shared_.store, id));
  }
  return ranks;
}

Slices Judge::slices() const {
  Slices slices;
  slices.reserve(slices_.size());
  for (const Slice& slice : slices_) slices.push_back(slice.result);
  return slices;
}

PickList::State Judge::state() const {
  PickList::State state;
  state.generation = shared_.generation;
  state.found = shared_.store->size();
  state.looked_at = looked_at_;
  state.undecided = undecided_;
  state.apart = is_apart_;
  state.complete = looked_at_ == state.found && (undecided_ == 0 || late_.done());
  return state;
}

// Loading

LateLoads::LateLoads(NarrowShared& shared, unsigned threads, unsigned most_threads, Clients clients)
    : shared_(shared),
      usual_threads_(std::max(1U, threads)),
      most_threads_(most_threads),
      clients_(std::move(clients)) {}

LateLoads::~LateLoads() = default;

std::shared_ptr<LateLoads::Chunk> LateLoads::chunk_of(const LateTask& task,
                                                      std::vector<EntryId> ids) {
  auto chunk = std::make_shared<Chunk>();
  chunk->task = task;
  chunk->ids = std::move(ids);
  return chunk;
}

void LateLoads::add(const LateTask& task, const std::vector<EntryId>& ids) {
  for (std::size_t begin = 0; begin < ids.size(); begin += late_chunk) {
    const auto first = ids.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto count = static_cast<std::ptrdiff_t>(std::min(late_chunk, ids.size() - begin));
    chunks_.push_back(chunk_of(task, {first, first + count}));
  }
  start_threads();
}

void LateLoads::drop(bool judging) {
  const auto is_stale = [judging](const std::shared_ptr<Chunk>& chunk) {
    return chunk->task.judges() == judging;
  };
  chunks_.erase(std::remove_if(chunks_.begin(), chunks_.end(), is_stale), chunks_.end());
  deferred_.erase(std::remove_if(deferred_.begin(), deferred_.end(), is_stale), deferred_.end());
}

bool LateLoads::done() const {
  return chunks_.empty() &&
         std::all_of(threads_.begin(), threads_.end(), [this](const Thread& one) {
           // A stuck thread is not waited for, nor one that works for an old query.
           return one.given_up || one.chunk == nullptr || !is_current(one.chunk->task);
         });
}

bool LateLoads::is_current(const LateTask& task) const {
  return task.number == (task.judges() ? shared_.generation : shared_.wish).load();
}

std::size_t LateLoads::answering_threads() const {
  return static_cast<std::size_t>(
      std::count_if(threads_.begin(), threads_.end(),
                    [](const Thread& one) { return !one.given_up && !one.ended; }));
}

/// Starts as many threads as judge; the supervisor adds more.
void LateLoads::start_threads() {
  while (answering_threads() < usual_threads_ && add_thread()) {
  }
  loading_.notify_all();
  supervising_.notify_all();
}

/// Returns false if no more are allowed, or the system has none. The first call also starts the
/// supervisor.
bool LateLoads::add_thread() {
  if (answering_threads() >= most_threads_) return false;
  const auto keep = shared_.owner.lock();
  try {
    if (!supervisor_.joinable()) supervisor_ = std::thread([this, keep] { supervise(); });
    Thread& self = threads_.emplace_back();
    try {
      self.thread = std::thread([this, keep, &self] { run(self); });
    } catch (const std::system_error&) {
      threads_.pop_back();
      return false;
    }
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

/// A thread's life. It owns its loader, which keeps the last directory open.
void LateLoads::run(Thread& self) {
  const std::unique_ptr<LateLoader> loader = shared_.late();
  std::unique_lock lock(shared_.mutex);
  while (!shared_.ending) {
    if (!load_next(lock, self, *loader)) loading_.wait(lock);
  }
  self.ended = true;
  supervising_.notify_all();
}

/// Loads one chunk. Returns false if there is none. Returns with the lock.
bool LateLoads::load_next(std::unique_lock<std::mutex>& lock, Thread& self, LateLoader& loader) {
  if (chunks_.empty()) return false;
  const std::shared_ptr<Chunk> chunk = chunks_.front();
  chunks_.pop_front();
  self.chunk = chunk;
  lock.unlock();
  load_chunk(self, *chunk, loader);
  lock.lock();
  collect(self);
  self.chunk = nullptr;
  note_progress();
  return true;
}

/// A thread that was given up may be stuck for ever, so the calling thread does not follow it.
bool LateLoads::load_here(std::unique_lock<std::mutex>& lock) {
  if (chunks_.empty() || !threads_.empty()) return false;
  if (!loader_here_) loader_here_ = shared_.late();
  return load_next(lock, here_, *loader_here_);
}

/// Called without the lock. The time at which each entry began is what the supervisor goes by.
void LateLoads::load_chunk(Thread& self, Chunk& chunk, LateLoader& loader) {
  const LateTask& task = chunk.task;
  const EntryStore& store = *shared_.store;
  const Needs at_once = task.judges() ? task.matcher->needs() & texts : needs::none;
  StoreCursor reader(*shared_.store, at_once, &loader);
  while (!shared_.ending && is_current(task)) {
    // A supervisor that takes the rest of the chunk raises this to its end.
    const std::size_t next = chunk.next.fetch_add(1);
    if (next >= chunk.ids.size()) break;
    const EntryId id = chunk.ids[next];
    const std::uint32_t origin = store.directory(store.directory_of(id)).origin;
    if (some_given_up_ && defers(origin, chunk, id)) continue;
    self.origin = origin;
    self.began = os::monotonic_now();
    Entry& entry = reader.read(id);
    const bool matches = task.judges() ? task.matcher->emits(entry) : entry.require(task.wanted);
    {
      const std::lock_guard lock(self.results_mutex);
      self.loaded.push_back(id);
      if (matches) self.matching.push_back(id);
    }
    answered_[origin % answered_.size()] = os::monotonic_now();
    ++answers_;
    // The call has returned after all, with whatever result.
    if (self.given_up) take_up_again(self);
  }
  self.began = 0;
  loaded_.fetch_add(reader.loads(), std::memory_order_relaxed);
}

/// Defers an entry if its root does not answer: a thread was given up there, and no other one has
/// been answered since it began. Returns whether it did. Called without the lock.
bool LateLoads::defers(std::uint32_t origin, const Chunk& chunk, EntryId id) {
  const std::lock_guard lock(shared_.mutex);
  const Nanoseconds answered = answered_[origin % answered_.size()];
  const bool dead = std::any_of(threads_.begin(), threads_.end(), [&](const Thread& other) {
    return other.given_up && other.origin == origin && other.began > answered;
  });
  if (!dead || !is_current(chunk.task)) return dead;
  // Entries of one slice go into one chunk: Judge::settle() needs that.
  const bool joins = !deferred_.empty() && deferred_.back()->task.judges() == chunk.task.judges() &&
                     deferred_.back()->ids.size() < late_chunk &&
                     deferred_.back()->ids.front() / slice_size == id / slice_size;
  if (!joins) deferred_.push_back(chunk_of(chunk.task, {}));
  deferred_.back()->ids.push_back(id);
  return true;
}

/// The thread's volume has answered after all: everything that was deferred is tried again. Called
/// without the lock.
void LateLoads::take_up_again(Thread& self) {
  const std::lock_guard lock(shared_.mutex);
  self.given_up = false;
  some_given_up_ = std::any_of(threads_.begin(), threads_.end(),
                               [](const Thread& one) { return one.given_up.load(); });
  for (const std::shared_ptr<Chunk>& chunk : deferred_) {
    std::sort(chunk->ids.begin(), chunk->ids.end());
    chunks_.push_back(chunk);
  }
  deferred_.clear();
  loading_.notify_all();
  supervising_.notify_all();
}

/// Takes the results so far, so that they are shown before the chunk is complete.
void LateLoads::collect(Thread& from) {
  if (!from.chunk) return;
  std::vector<EntryId> loaded;
  std::vector<EntryId> matching;
  {
    const std::lock_guard lock(from.results_mutex);
    loaded.swap(from.loaded);
    matching.swap(from.matching);
  }
  const LateTask& task = from.chunk->task;
  if (!loaded.empty() && is_current(task)) clients_.take(task, loaded, matching);
}

/// Sleeps while nothing is loaded; otherwise looks round every 5 ms.
void LateLoads::supervise() {
  std::unique_lock lock(shared_.mutex);
  while (!shared_.ending) {
    const bool busy = std::any_of(threads_.begin(), threads_.end(), [](const Thread& one) {
      return one.chunk != nullptr && !one.given_up;
    });
    if (!busy && chunks_.empty()) {
      // Rates from before the pause say nothing about the next work.
      supervising_.wait(lock);
      best_rate_ = 0;
      window_began_ = os::monotonic_now();
      window_answers_ = answers_;
      continue;
    }
    supervising_.wait_for(lock, look_round);
    if (shared_.ending) break;
    for (Thread& one : threads_) collect(one);
    give_up_dead_threads();
    consider_more_threads();
  }
}

/// Gives up threads that have been in one call for too long, and puts the rest of their chunks
/// back.
void LateLoads::give_up_dead_threads() {
  const Nanoseconds now = os::monotonic_now();
  for (Thread& one : threads_) {
    const Nanoseconds began = one.began;
    if (one.given_up || began == 0 || now - began <= dead_load) continue;
    one.given_up = true;
    some_given_up_ = true;
    if (one.chunk) {
      const std::size_t count = one.chunk->ids.size();
      const std::size_t next = std::min(one.chunk->next.exchange(count), count);
      const auto rest = one.chunk->ids.begin() + static_cast<std::ptrdiff_t>(next);
      if (next < count) chunks_.push_back(chunk_of(one.chunk->task, {rest, one.chunk->ids.end()}));
    }
    if (!chunks_.empty()) start_threads();
    shared_.has_changed();
    note_progress();
  }
}

/// Doubles the threads of a slow volume, as long as that makes it answer more.
void LateLoads::consider_more_threads() {
  const Nanoseconds now = os::monotonic_now();
  const auto passed = static_cast<double>(now - window_began_);
  if (passed < static_cast<double>(window)) return;
  const auto answers = static_cast<double>(answers_ - window_answers_);
  const std::size_t running = answering_threads();
  const double rate = answers / passed;
  // A thread takes 0.3 ms or more for an entry: it waits for something else than a processor.
  const bool slow = passed * static_cast<double>(running) >= answers * slow_load;
  const bool helps = running < few_late_threads || rate > best_rate_ * worthwhile;
  window_began_ = now;
  window_answers_ = answers_;
  // The best so far, lest a moment without a processor look like a slow volume.
  best_rate_ = std::max(best_rate_, rate);
  if (!slow || !helps || chunks_.empty()) return;
  for (std::size_t added = 0; added < running && add_thread(); ++added) {
  }
}

void LateLoads::note_progress() {
  if (!done()) return;
  clients_.done();
  shared_.has_changed();
}

bool LateLoads::all_ended() const {
  return std::all_of(threads_.begin(), threads_.end(), [](const Thread& one) { return one.ended; });
}

void LateLoads::wake() {
  loading_.notify_all();
  supervising_.notify_all();
}

bool LateLoads::join() {
  if (supervisor_.joinable()) supervisor_.join();
  std::unique_lock lock(shared_.mutex);
  const bool all = supervising_.wait_for(lock, last_wait, [this] { return all_ended(); });
  for (Thread& one : threads_) {
    if (!one.thread.joinable()) continue;
    // In the kernel. It still owns a share of the Parts.
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

}  // namespace ffind::pick
