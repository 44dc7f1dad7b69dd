// SPDX-License-Identifier: MIT
// A volume that keeps its workers waiting: more of them, but for nothing else that they wait for.
// Meant to be run under ThreadSanitizer.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "catch.h"
#include "fakes/search_harness.h"
#include "os/machine.h"
#include "search/frontier.h"
#include "search/thread_limit.h"

namespace slow_volume_test {

using namespace ffind;
using namespace ffind::search;
using namespace std::chrono_literals;

namespace {

constexpr unsigned planned = 2;
constexpr unsigned most = 16;

Task adaptive_task() {
  Task task = task_from(".", planned);
  task.volume.kind = VolumeKind::local;
  task.choice.most_threads = most;
  return task;
}

/// 200 directories with two files each.
std::size_t fill(FakeFileSystem& files) {
  for (int index = 0; index < 200; ++index) {
    const std::string directory = "d" + std::to_string(index);
    files.add(directory + "/f1");
    files.add(directory + "/f2");
  }
  return 600;
}

/// Whoever takes what it is given takes a millisecond.
class SlowSink final : public Sink {
 public:
  std::unique_ptr<Lane> open_lane() override { return std::make_unique<SlowLane>(); }
  void report(const Issue&) override {}
  void notice(const std::string&, const std::string&) override {}

 private:
  class SlowLane final : public Lane {
   public:
    bool emit(Entry&) override {
      const Nanoseconds begin = os::monotonic_now();
      std::this_thread::sleep_for(1ms);
      held_up_ += os::monotonic_now() - begin;
      return true;
    }
    Nanoseconds held_up() const override { return held_up_; }

   private:
    Nanoseconds held_up_ = 0;
  };
};

/// Counts what was emitted and not passed on yet. For one thread.
class HoldingSink final : public Sink {
 public:
  std::size_t taken = 0;
  std::size_t held = 0;

  std::unique_ptr<Lane> open_lane() override { return std::make_unique<HoldingLane>(*this); }
  void report(const Issue&) override {}
  void notice(const std::string&, const std::string&) override {}

 private:
  class HoldingLane final : public Lane {
   public:
    explicit HoldingLane(HoldingSink& sink) : sink_(sink) {}
    bool emit(Entry&) override {
      ++sink_.taken;
      ++sink_.held;
      return true;
    }
    void flush() override { sink_.held = 0; }

   private:
    HoldingSink& sink_;
  };
};

}  // namespace

TEST_CASE("directories of a slow volume get more workers than planned") {
  FakeFileSystem files;
  files.open_takes = 3ms;
  const std::size_t count = fill(files);
  CollectingSink sink;
  const SearchResult result = search_fake(files, {}, sink, adaptive_task());
  CHECK(sink.paths.size() == count);
  CHECK(result.statistics.threads > planned);
  CHECK(result.statistics.threads <= most);
  CHECK(result.statistics.added_threads == result.statistics.threads - planned);
  CHECK(files.sleeping_at_most > planned);
  CHECK(files.sleeping_at_most <= most);
  CHECK(files.open_now == 0);
}

TEST_CASE("entries of one directory of a slow volume are shared out") {
  FakeFileSystem files;
  files.stat_takes = 3ms;
  constexpr std::size_t count = 300;
  for (std::size_t index = 0; index < count; ++index) {
    files.add("f" + std::to_string(index), FileType::file, index);
  }
  CollectingSink sink;
  Query query;
  query.where = Expression::of(query::range_test(query::size_row, {0, count}));
  const SearchResult result = search_fake(files, query, sink, adaptive_task());
  CHECK(sink.paths.size() == count);
  CHECK(result.statistics.stats == count);
  CHECK(files.sleeping_at_most > planned);
}

TEST_CASE("a directory among names without types is read before all of them were asked for") {
  FakeFileSystem files;
  files.stat_takes = 2ms;
  files.types_known = false;
  files.add("0/below");
  for (int index = 1; index < 300; ++index) files.add(std::to_string(index));
  CollectingSink sink;
  Task task = task_from(".", planned);
  task.volume.kind = VolumeKind::network;
  search_fake(files, {}, sink, task);
  REQUIRE(sink.paths.size() == 301);
  const auto below = std::find(sink.paths.begin(), sink.paths.end(), "0/below");
  CHECK(below - sink.paths.begin() < 100);
}

TEST_CASE("little is read first of a directory of a server, whole blocks of the rest") {
  FakeFileSystem files;
  files.entries_per_block = 2;
  for (const char* const name : {"a", "b", "c", "d"}) files.add(name);
  CollectingSink sink;
  Task task = task_from(".", 1);
  task.volume.kind = VolumeKind::local;
  search_fake(files, {}, sink, task);
  const std::size_t whole = os::DirentBlock::capacity;
  CHECK(files.rooms == std::vector<std::size_t>{whole, whole, whole});
  files.rooms.clear();
  task.volume.kind = VolumeKind::network;
  search_fake(files, {}, sink, task);
  REQUIRE(files.rooms.size() == 3);
  CHECK(files.rooms.front() < whole);
  CHECK(files.rooms[1] == whole);
  CHECK(sink.paths.size() == 8);
}

TEST_CASE("nothing is in hand while a server is asked for more of a directory") {
  FakeFileSystem files;
  files.entries_per_block = 2;
  for (const char* const name : {"a", "b", "c", "d/e"}) files.add(name);
  HoldingSink sink;
  std::size_t most_held = 0;
  files.before_read = [&] { most_held = std::max(most_held, sink.held); };
  Plan plan;
  plan.tasks.push_back(task_from(".", 1));
  REQUIRE(plan.tasks.front().volume.kind == VolumeKind::network);
  const Matcher matcher{Query{}};
  run_search(plan, matcher, unlimited, sink, needs::none,
             {[&](const Task&) { return std::make_unique<LentFileSystem>(files); }, {}, {}});
  CHECK(sink.taken == 5);
  CHECK(most_held == 0);
}

/// Searches `count` volumes of that kind; returns the most that were searched at one time.
int at_one_time(VolumeKind kind, int count, unsigned jobs) {
  FakeFileSystem files;
  files.add("f");
  std::atomic<int> active{0};
  std::atomic<int> at_most{0};
  files.before_read = [&] {
    const int now = ++active;
    int before = at_most;
    while (before < now && !at_most.compare_exchange_weak(before, now)) {
    }
    std::this_thread::sleep_for(2ms);
    --active;
  };
  Plan plan;
  for (int number = 0; number < count; ++number) {
    plan.tasks.push_back(task_from(".", 1));
    plan.tasks.back().volume.kind = kind;
  }
  Query query;
  query.scope.threads = jobs;
  const Matcher matcher(query);
  CollectingSink sink;
  const SearchResult result =
      run_search(plan, matcher, unlimited, sink, needs::none,
                 {[&](const Task&) { return std::make_unique<LentFileSystem>(files); }, {}, {}});
  CHECK(sink.paths.size() == static_cast<std::size_t>(count));
  CHECK(result.statistics.entries == static_cast<std::uint64_t>(count));
  CHECK_FALSE(result.abandoned);
  return at_most;
}

TEST_CASE("volumes take turns: as many at one time as threads were asked for, servers sixteen") {
  CHECK(at_one_time(VolumeKind::local, 20, 1) == 1);
  CHECK(at_one_time(VolumeKind::local, 20, 3) <= 3);
  CHECK(at_one_time(VolumeKind::local, 40, 0) <= 16);
  CHECK(at_one_time(VolumeKind::network, 40, 1) <= 16);
  CHECK(at_one_time(VolumeKind::network, 20, 1) > 1);
}

TEST_CASE("a number of threads that was asked for stays") {
  FakeFileSystem files;
  files.open_takes = 3ms;
  fill(files);
  CollectingSink sink;
  Task task = adaptive_task();
  task.choice.most_threads = planned;
  const SearchResult result = search_fake(files, {}, sink, task);
  CHECK(result.statistics.threads == planned);
  CHECK(result.statistics.added_threads == 0);
}

TEST_CASE("waiting for other than a device adds no threads") {
  FakeFileSystem files;
  files.open_takes = 3ms;
  files.device_is_slow = false;
  fill(files);
  CollectingSink sink;
  CHECK(search_fake(files, {}, sink, adaptive_task()).statistics.threads == planned);
}

TEST_CASE("a slow reader of the output adds no threads") {
  FakeFileSystem files;
  fill(files);
  SlowSink sink;
  Plan plan;
  Task task = adaptive_task();
  task.choice.threads = 1;  // two would wait for each other, in the fake
  plan.tasks.push_back(task);
  const Matcher matcher{Query{}};
  // A thread under a sanitizer on a loaded machine has stalls of its own; the reader's would add
  // threads each time.
  constexpr int tries = 5;
  unsigned threads = 0;
  for (int attempt = 0; attempt < tries && threads != 1; ++attempt) {
    const SearchResult result =
        run_search(plan, matcher, unlimited, sink, needs::none,
                   {[&](const Task&) { return std::make_unique<LentFileSystem>(files); }, {}, {}});
    CHECK(result.statistics.entries == 600);
    threads = result.statistics.threads;
  }
  CHECK(threads == 1);
}

TEST_CASE("no more workers than allowed get work from a frontier at one time") {
  Frontier frontier(100);
  const Root root;
  constexpr int count = 400;
  for (int index = 0; index < count; ++index) {
    frontier.push_root(Node::make(nullptr, root, {}, 0));
  }
  std::atomic<int> active{0};
  std::atomic<int> done{0};
  std::atomic<int> at_most{0};
  std::atomic<int> at_most_later{0};
  frontier.allow(2);
  std::vector<std::thread> threads;
  threads.reserve(6);
  for (int index = 0; index < 6; ++index) {
    frontier.add_worker();
    threads.emplace_back([&] {
      Work work;
      Frontier::Caller caller;
      while (true) {
        frontier.pop(work, caller);
        if (work.kind == Work::Kind::nothing) return;
        const int now = ++active;
        const int before = done++;
        std::atomic<int>& peak = before < count / 2 ? at_most : at_most_later;
        for (int seen = peak; seen < now && !peak.compare_exchange_weak(seen, now);) {
        }
        if (before == count / 2) frontier.allow(6);
        std::this_thread::sleep_for(100us);
        // Until a third has got a processor.
        while (before >= count / 2 && at_most_later <= 2) std::this_thread::yield();
        --active;
        if (work.node->drop_uses(Node::one_active)) Node::release(work.node);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(done == count);
  CHECK(at_most <= 2);
  CHECK(at_most_later > 2);
}

TEST_CASE("workers of a slow volume are sent to different directories") {
  const Root root;
  Frontier::Caller caller;
  const auto order = [&](bool spreads) {
    Frontier frontier(100, spreads);
    for (const std::string name : {"a", "b", "c"}) {
      Node* const node = Node::make(nullptr, root, {}, 0);
      NameBatch names;
      for (const char* const number : {"1", "2"}) names.add(name + number, 0);
      frontier.push_children(node, names, false, caller);
      node->drop_uses(Node::one_active);
    }
    Paths taken;
    std::vector<Node*> held;
    for (int worker = 0; worker < 5; ++worker) {
      frontier.add_worker();
      Work work;
      frontier.pop(work, caller);
      REQUIRE(work.next_name());
      taken.push_back(work.name);
      held.push_back(work.node);
    }
    for (Node* const node : held) {
      if (node->drop_uses(Node::one_active)) Node::release(node);
    }
    return taken;
  };
  CHECK(order(true) == Paths{"c1", "b1", "a1", "c2", "b2"});
  CHECK(order(false) == Paths{"c1", "c2", "b1", "b2", "a1"});
}

TEST_CASE("many threads do not delay the first look at a worker's times") {
  FakeFileSystem files;
  StallMeter meter(files);
  std::this_thread::sleep_for(8ms);
  CHECK(meter.is_due(64));
}

TEST_CASE("time asleep in calls counts as stalled") {
  FakeFileSystem files;
  files.open_takes = 20ms;
  StallMeter meter(files);
  const auto open = [&] {
    os::Directory directory;
    REQUIRE(files.open(nullptr, ".", {}, directory) == 0);
    directory.close();
    return meter.take(0);
  };
  open();  // what this thread waited for before is counted once
  const WorkTimes times = open();
  CHECK(times.stalled >= 18'000'000);
  CHECK(times.stalled <= times.at_work);
  CHECK(times.device_reads == 1);
}

TEST_CASE("time ready to run is no time at work") {
  FakeFileSystem files;
  StallMeter meter(files);
  std::this_thread::sleep_for(5ms);
  meter.take(0);  // what this thread waited for before is counted once
  std::this_thread::sleep_for(20ms);
  files.more_ready = 15'000'000;
  const WorkTimes times = meter.take(0);
  CHECK(times.stalled >= 4'000'000);
  CHECK(times.stalled <= times.at_work);
  CHECK(times.at_work - times.stalled < 5'000'000);
}

TEST_CASE("time asleep elsewhere is no time at work") {
  FakeFileSystem files;
  StallMeter meter(files);
  const Nanoseconds begin = os::monotonic_now();
  std::this_thread::sleep_for(20ms);
  const WorkTimes times = meter.take(os::monotonic_now() - begin);
  CHECK(times.at_work < 20'000'000);
  CHECK(times.stalled <= times.at_work);
}

}  // namespace slow_volume_test
