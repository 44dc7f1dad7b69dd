// SPDX-License-Identifier: MIT
// The pass over the store, and the threads that load entries.
//
// Judging. The store is handed out from its beginning (handed_out_), each slice to one thread at a
// time. A thread judges its piece without the lock and accept()s the result: a new SliceMatches
// replaces that of the slice, so a snapshot that shares the old one does not change. If the query
// has changed meanwhile, the generation of the piece is not the current one, and the result is
// dropped.
//
// Loading. add() cuts the ids into chunks of 256 entries of one root, which threads take:
//
//     thread    every 5 ms and after the chunk: hands over what it has read, so that it is shown,
//               and gives half of the rest back if other threads have nothing to do
//     stuck     a thread that turned to its entry 0.3 s ago. A list is complete without what it
//               has, and without the rest once all are stuck but the last, which takes nothing and
//               looks every 50 ms.
//
// So a dead server costs 0.3 s, and the threads that took entries of it.
#include "pick/judge.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "os/machine.h"

namespace ffind::pick {
namespace {

using namespace std::chrono_literals;

/// Attributes that an entry of the store has without a system call.
constexpr Needs no_call =
    needs::type | needs::directory | needs::relative_path | needs::absolute_path | needs::depth;
constexpr Needs texts = needs::relative_path | needs::absolute_path;

bool loads(const Matcher& matcher) {
  return (matcher.needs() & ~no_call) != 0;
}

/// Entries that a thread judges between two looks at the query's generation.
constexpr std::size_t judged_at_once = 1024;
/// Entries that are loaded as one chunk.
constexpr std::size_t late_chunk = 256;
/// An entry that takes longer is no longer waited for.
constexpr Nanoseconds dead_load = 300'000'000;
constexpr Nanoseconds between_results = 5'000'000;
constexpr auto look_round = 50ms;
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

/// True if a list of the place has what is in the directory, whose number is larger than that of
/// its parent.
bool is_in(const EntryStore& store, DirectoryId directory, const ListPlace& place) {
  while (!place.directly && directory != no_directory && directory > place.directory) {
    directory = store.directory(directory).parent;
  }
  return directory == place.directory;
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
  place_ = query.place;
  for (Slice& slice : slices_) {
    if (!query.grew) {
      slice = {};
      continue;
    }
    if (slice.result) slice.source = std::move(slice.result);
    slice.result = nullptr;
    slice.taken = false;
  }
  if (query.typed.matcher && loads(*query.typed.matcher)) late_.start();
  shared_.generation.store(generation);
  late_.drop(true);
  begin_pass(is_apart_ ? apart_ : std::move(query.typed));
}

/// Judges everything again.
void Judge::begin_pass(Criteria criteria) {
  // Whole slices are then accepted without a look at their entries.
  const bool everything = criteria.matcher == nullptr || criteria.matcher->where().always();
  criteria_ = everything ? Criteria{} : std::move(criteria);
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
  begin_pass(apart_);
}

void Judge::run() {
  std::unique_lock lock(shared_.mutex);
  Worker self;
  while (!shared_.ending) {
    Piece piece;
    if (!take_piece(piece)) {
      judging_.wait(lock);
      continue;
    }
    lock.unlock();
    prepare(self, piece.criteria, piece.pass);
    SliceMatches found;
    const bool finished = judge_piece(piece, self, found);
    lock.lock();
    if (finished && piece.generation == shared_.generation) accept(piece, std::move(found));
  }
}

/// The reader and the ranker are kept during a pass: they have the path of the last directory.
void Judge::prepare(Worker& worker, const Criteria& criteria, std::uint64_t pass) const {
  if (worker.reader && worker.pass == pass) return;
  const auto& [matcher, ranking] = criteria;
  const Needs at_once = matcher ? matcher->needs() : needs::none;
  worker.reader = std::make_unique<StoreCursor>(*shared_.store, at_once, nullptr);
  worker.ranker = ranking ? std::make_unique<Ranker>(ranking) : nullptr;
  worker.pass = pass;
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
  piece.criteria = criteria_;
  piece.place = place_;
  piece.source = slices_[slice].source;
  handed_out_ = slice * slice_size + piece.end;
  return true;
}

/// Returns false if the query has changed meanwhile. Called without the lock.
bool Judge::judge_piece(const Piece& piece, Worker& worker, SliceMatches& found) {
  found.looked_at = piece.end;
  const Matcher* const matcher = piece.criteria.matcher.get();
  const bool everywhere = piece.place.directory == no_directory;
  if (matcher == nullptr && everywhere && shared_.store->taken_out() == 0) {
    found.all = true;
    return true;
  }
  // False for queries by name, path or type: nothing can be undecided.
  const bool may_load = matcher != nullptr && loads(*matcher);
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
    if (matcher == nullptr) return add(place, 0);
    Entry& entry = worker.reader->read(first + place);
    if (may_load && !matcher->may_emit(entry)) return;  // whatever could be read of it
    if (matcher->emits(entry)) {
      add(place, worker.ranker ? rank_of(entry, *worker.ranker, *shared_.store, first + place) : 0);
    } else if (may_load && shared_.late) {
      found.undecided.push_back(static_cast<std::uint16_t>(place));
    }
  };
  const Ranking* const ranking = piece.criteria.ranking.get();
  const bool words_decide = ranking != nullptr && ranking->decides;
  DirectoryId last = no_directory;
  bool is_last_inside = false;
  const auto is_inside = [&](std::uint32_t place) {
    const DirectoryId directory = shared_.store->directory_of(first + place);
    if (directory != last) is_last_inside = is_in(*shared_.store, directory, piece.place);
    last = directory;
    return is_last_inside;
  };
  const auto judge_one = [&](std::uint32_t place) {
    if ((everywhere || is_inside(place)) && !shared_.store->is_taken_out(first + place)) {
      if (!words_decide || !judge_by_words(place)) judge_by_matcher(place);
    }
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
    late_.add({criteria_.matcher, needs::none, shared_.generation}, ids);
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
void Judge::take_loaded(const std::vector<EntryId>& loaded, const std::vector<EntryId>& matching) {
  Slice& slice = slices_[loaded.front() / slice_size];
  SliceMatches now = *slice.result;
  const Places decided = places_of(loaded);
  now.undecided.clear();
  std::set_difference(slice.result->undecided.begin(), slice.result->undecided.end(),
                      decided.begin(), decided.end(), std::back_inserter(now.undecided));
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
  if (!criteria_.ranking) return ranks;
  prepare(late_worker_, {nullptr, criteria_.ranking}, pass_);
  ranks.reserve(ids.size());
  for (const EntryId id : ids) {
    ranks.push_back(
        rank_of(late_worker_.reader->read(id), *late_worker_.ranker, *shared_.store, id));
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
  state.place = place_;
  state.lacks_threads = late_.lacks_threads();
  state.complete = looked_at_ == state.found && (undecided_ == 0 || late_.done());
  return state;
}

// Loading

void LateLoads::start() {
  if (!threads_.empty() || !shared_.late) return;
  while (threads_.size() < thread_count_) {
    Thread& self = threads_.emplace_back();
    const auto keep = shared_.owner.lock();
    if (self.thread.start("read entries", [this, keep, &self] { run(self); })) continue;
    threads_.pop_back();
    break;
  }
  lacks_threads_ = threads_.empty();
}

void LateLoads::add(const LateTask& task, const std::vector<EntryId>& ids) {
  if (lacks_threads_) return;
  const EntryStore& store = *shared_.store;
  auto last = static_cast<std::size_t>(-1);
  for (const EntryId id : ids) {
    const std::size_t origin = store.directory(store.directory_of(id)).origin;
    if (origin != last || chunks_.back().ids.size() == late_chunk) chunks_.push_back({task, {}});
    chunks_.back().ids.push_back(id);
    last = origin;
  }
  was_done_ = false;
  loading_.notify_all();
}

void LateLoads::drop(bool judging) {
  std::erase_if(chunks_, [judging](const Chunk& chunk) { return chunk.task.judges() == judging; });
}

bool LateLoads::is_stuck(const Thread& thread, Nanoseconds now) {
  return thread.task != nullptr && now - thread.began > dead_load;
}

/// But for the last one, if there are several.
bool LateLoads::are_all_busy() const {
  const auto busy = std::count_if(threads_.begin(), threads_.end(),
                                  [](const Thread& one) { return one.task != nullptr; });
  return busy > 0 && static_cast<std::size_t>(busy) + 1 >= threads_.size();
}

bool LateLoads::done() const {
  const Nanoseconds now = os::monotonic_now();
  if (!chunks_.empty() && !are_all_busy()) return false;
  return std::none_of(threads_.begin(), threads_.end(), [&](const Thread& one) {
    return one.task != nullptr && (is_current(*one.task) || !chunks_.empty()) &&
           !is_stuck(one, now);
  });
}

bool LateLoads::is_current(const LateTask& task) const {
  return task.generation == (task.judges() ? shared_.generation : shared_.order_generation).load();
}

/// A thread's life. It owns its loader, which keeps the last directory open.
void LateLoads::run(Thread& self) {
  std::unique_ptr<LateLoader> loader;
  std::unique_lock lock(shared_.mutex);
  while (!shared_.ending) {
    self.began = os::monotonic_now();
    if (chunks_.empty() || are_all_busy()) {
      note_progress();
      // Looks meanwhile whether the rest is on volumes that do not answer.
      if (was_done_) {
        loading_.wait(lock);
      } else {
        loading_.wait_for(lock, look_round);
      }
      continue;
    }
    Chunk chunk = std::move(chunks_.front());
    chunks_.pop_front();
    self.task = &chunk.task;
    was_done_ = false;
    lock.unlock();
    if (!loader) loader = shared_.late();
    lock.lock();
    load(lock, self, chunk, *loader);
    self.task = nullptr;
    note_progress();
  }
}

/// Called and returns with the lock, which it does not hold while it reads.
void LateLoads::load(std::unique_lock<std::mutex>& lock, Thread& self, Chunk& chunk,
                     LateLoader& loader) {
  const LateTask& task = chunk.task;
  const Needs at_once = task.judges() ? task.matcher->needs() & texts : needs::none;
  StoreCursor reader(*shared_.store, at_once, &loader);
  std::vector<EntryId> loaded;
  std::vector<EntryId> matching;
  std::size_t next = 0;
  while (next < chunk.ids.size() && is_current(task) && !shared_.ending) {
    lock.unlock();
    const Nanoseconds began = os::monotonic_now();
    Nanoseconds now = began;
    while (next < chunk.ids.size() && now - began < between_results && is_current(task) &&
           !shared_.ending) {
      const EntryId id = chunk.ids[next++];
      self.began = now;
      Entry& entry = reader.read(id);
      const bool matches = task.judges() ? task.matcher->emits(entry) : entry.require(task.wanted);
      loaded.push_back(id);
      if (matches) matching.push_back(id);
      now = os::monotonic_now();
    }
    lock.lock();
    self.began = now;
    if (is_current(task) && !loaded.empty()) clients_.take(task, loaded, matching);
    loaded.clear();
    matching.clear();
    if (const std::size_t left = chunk.ids.size() - next; chunks_.empty() && left > 1) {
      const auto half = chunk.ids.end() - static_cast<std::ptrdiff_t>(left / 2);
      chunks_.push_back({task, {half, chunk.ids.end()}});
      chunk.ids.erase(half, chunk.ids.end());
      loading_.notify_one();
    }
    // All were stuck, and the last one waits.
    if (std::exchange(was_done_, false)) loading_.notify_all();
  }
}

void LateLoads::note_progress() {
  if (!done() || std::exchange(was_done_, true)) return;
  clients_.done();
  shared_.has_changed();
}

/// One that is in the kernel still owns a share of the Parts.
bool LateLoads::join() {
  const auto end = std::chrono::steady_clock::now() + last_wait;
  bool all = true;
  for (Thread& one : threads_) all = one.thread.end_by(end) && all;
  return all;
}

}  // namespace ffind::pick
