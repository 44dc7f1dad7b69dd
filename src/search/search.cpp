// SPDX-License-Identifier: MIT
// Carries out a plan: one Searcher per task, each with its file system, directory readers, walker
// and perhaps a flat catalog. Tasks are concurrent, so that no volume waits for another: up to
// --threads or 16 local ones, and 16 of servers, which may hang.
// Called by cli. Statistics and the registration of progress sources, declared in include/ffind,
// are defined here as well.
//
//     run_search ──▶ prepare: two queues of tasks, descriptors shared out
//                ──▶ one local task, or tasks in turn: work() in this thread
//                    else: work() in some threads for each queue, and this one waits for the end of
//                    all tasks or for a stop
//                ──▶ totals of the tasks
//
// All of it is kept in a Run that every thread co-owns: a thread that hangs on a dead server is
// detached when the search ends.
#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "ffind/searcher.h"
#include "os/directory_reader.h"
#include "os/files.h"
#include "os/machine.h"
#include "search/catalog_search.h"
#include "search/list_search.h"
#include "search/ordered_walk.h"
#include "search/walker.h"

namespace ffind {

Statistics& Statistics::operator+=(const Statistics& other) {
  directories += other.directories;
  entries += other.entries;
  matches += other.matches;
  stats += other.stats;
  vanished += other.vanished;
  empty_lines += other.empty_lines;
  files_read += other.files_read;
  bytes_read += other.bytes_read;
  not_local_files += other.not_local_files;
  not_local_directories += other.not_local_directories;
  walked += other.walked;
  issues += other.issues;
  threads += other.threads;
  added_threads += other.added_threads;
  return *this;
}

Progress::Registration::Registration(Progress* progress, Source& source)
    : progress_(progress), source_(source) {
  if (progress_ == nullptr) return;
  const std::lock_guard lock(progress_->mutex_);
  progress_->sources_.push_back(&source_);
}

Progress::Registration::~Registration() {
  if (progress_ == nullptr) return;
  const std::lock_guard lock(progress_->mutex_);
  auto& sources = progress_->sources_;
  sources.erase(std::find(sources.begin(), sources.end(), &source_));
  source_.add_counts(progress_->ended_);
}

SearchProgress Progress::look() {
  const std::lock_guard lock(mutex_);
  SearchProgress sum = ended_;
  for (Source* const source : sources_) {
    source->add_counts(sum);
    // One path is enough, and the line stays calm while it is from the same source.
    if (sum.where.empty()) sum.where = source->where();
  }
  return sum;
}

namespace {

/// Descriptors that are not the walk's: the standard three, and some for opening by path, reading
/// the beginning of a directory, and libraries.
constexpr std::size_t reserved_descriptors = 6;
/// A worker reads one directory while it opens another; fts opens the former two more times.
std::size_t descriptors_per_worker(const Task& task) {
  return task.choice.reader == Reader::fts ? 4 : 2;
}

/// Local volumes that are searched at once unless --threads says how many, and servers in any case:
/// more disks are rare, and hosts of containers have thousands of volumes.
constexpr unsigned most_at_once = 16;

/// Searches one task: lists of paths, or by a flat catalog if there is one, then with the walker
/// what that left over.
struct Searcher {
  std::unique_ptr<os::FileSystem> file_system;
  std::unique_ptr<os::DirectoryReaders> device{};  ///< null: read through the file system
  std::unique_ptr<search::Catalog> catalog{};
  std::unique_ptr<search::Walker> walker{};
  std::unique_ptr<search::ListSearch> list{};  ///< in place of all others, as is the next
  std::unique_ptr<search::OrderedWalk> ordered{};

  void run(const Task& task) {
    if (list) return list->run();
    if (ordered) return ordered->run();
    if (catalog) return walker->run(catalog->run());
    std::vector<const Root*> roots;
    for (const Root& root : task.roots) roots.push_back(&root);
    walker->run(roots);
  }
  void add_to(SearchResult& result) const {
    if (catalog) catalog->add_to(result);
    if (walker) walker->add_to(result);
    if (list) list->add_to(result);
    if (ordered) ordered->add_to(result);
  }
};

/// Tasks that some threads take in turn.
struct Queue {
  std::vector<std::size_t> tasks{};
  std::size_t threads = 0;
  std::atomic<std::size_t> next{0};
};

/// State of a whole search, kept alive by each of its threads.
struct Run {
  Run(const Plan& plan, const Matcher& matcher, Sink& sink, Needs sink_needs, std::uint64_t limit,
      Progress* progress, SystemAccess access_)
      : access(std::move(access_)),
        state(matcher, sink, sink_needs, limit, progress, access.admits),
        tasks(plan.tasks),
        searchers(tasks.size()),
        results(tasks.size()) {}

  const SystemAccess access;
  search::SearchState state;
  const std::vector<Task>& tasks;
  Queue local{};
  Queue servers{};        ///< which may not answer
  std::size_t share = 1;  ///< of the descriptors, for a task that is searched

  std::mutex mutex{};                                ///< guards what follows
  std::vector<std::unique_ptr<Searcher>> searchers;  ///< of the tasks that are searched
  std::vector<SearchResult> results;                 ///< of the tasks
};

/// Limits workers to the task's share of the descriptors; threads that are added later may take
/// half of it.
search::ThreadBounds affordable_threads(const Task& task, std::size_t descriptors) {
  const std::size_t most = std::max<std::size_t>(1, descriptors / descriptors_per_worker(task));
  const auto at_most = [](unsigned threads, std::size_t bound) {
    return static_cast<unsigned>(std::min<std::size_t>(threads, bound));
  };
  return {.planned = at_most(task.choice.threads, most),
          .most = at_most(task.choice.most_threads, most / 2),
          .busy = task.choice.busy_threads,
          .on_device = task.volume.kind != VolumeKind::network};
}

/// Readers of the device; null if the plan has none, or they cannot be had.
std::unique_ptr<os::DirectoryReaders> device_of(const Task& task, os::FileSystem& file_system,
                                                Run& run) {
  if (task.choice.method == Method::catalog && task.choice.catalog_shape != CatalogShape::flat) {
    os::OpenedDevice opened = run.access.device_directories(task, file_system);
    if (opened.directories) return std::move(opened.directories);
    run.state.report_walked_instead(task, "its catalog cannot be read: " + opened.refusal);
  }
  return nullptr;
}

Searcher make_searcher(Run& run, const Task& task) {
  const search::ThreadBounds threads = affordable_threads(task, run.share);
  const std::size_t for_workers =
      std::max(threads.planned, threads.most) * descriptors_per_worker(task);
  const std::size_t kept = run.share > for_workers ? run.share - for_workers : 1;
  const Scope& scope = run.state.matcher().scope();
  Searcher searcher{run.access.open_file_system(task)};
  os::FileSystem& file_system = *searcher.file_system;
  if (!scope.lists.empty()) {
    searcher.list = std::make_unique<search::ListSearch>(task, threads.planned, run.state,
                                                         file_system, run.access.read_list);
    return searcher;
  }
  if (scope.order) {
    searcher.ordered = std::make_unique<search::OrderedWalk>(task, run.state, file_system, kept);
    return searcher;
  }
  const search::EmittedSet* emitted = nullptr;
  searcher.device = device_of(task, file_system, run);
  os::DirectoryReaders& directories = searcher.device ? *searcher.device : file_system;
  if (task.choice.method == Method::catalog && task.choice.catalog_shape == CatalogShape::flat) {
    run.state.mark_long_running();
    searcher.catalog = std::make_unique<search::Catalog>(task, threads.planned, run.state,
                                                         file_system, run.access.open_catalog);
    emitted = &searcher.catalog->emitted();
  }
  searcher.walker = std::make_unique<search::Walker>(task, threads, run.state, file_system,
                                                     directories, kept, emitted);
  return searcher;
}

/// Searches the tasks of the queue that no other thread takes. Of a task that is done, only its
/// result is kept.
void work(Run& run, Queue& queue) {
  for (std::size_t taken = queue.next++; taken < queue.tasks.size(); taken = queue.next++) {
    const std::size_t number = queue.tasks[taken];
    const Task& task = run.tasks[number];
    if (!run.state.stopped()) {
      auto made = std::make_unique<Searcher>(make_searcher(run, task));
      Searcher& searcher = *made;
      {
        const std::lock_guard lock(run.mutex);
        run.searchers[number] = std::move(made);
      }
      searcher.run(task);
      const std::lock_guard lock(run.mutex);
      searcher.add_to(run.results[number]);
      run.searchers[number].reset();
    }
    run.state.task_done();
  }
}

/// Sorts the tasks into queues, and gives each that is searched at once an equal share of the
/// descriptors. In turn, all are in one queue.
void prepare(Run& run, bool in_turn) {
  const Scope& scope = run.state.matcher().scope();
  for (std::size_t number = 0; number < run.tasks.size(); ++number) {
    // A pipe with a list may be silent, as a server.
    const bool may_wait =
        run.tasks[number].volume.kind == VolumeKind::network || !scope.lists.empty();
    (may_wait && !in_turn ? run.servers : run.local).tasks.push_back(number);
  }
  const std::size_t most = scope.threads != 0 ? scope.threads : most_at_once;
  run.local.threads = std::min(run.local.tasks.size(), in_turn ? 1 : most);
  run.servers.threads = std::min<std::size_t>(run.servers.tasks.size(), most_at_once);
  const std::size_t all_descriptors = os::descriptor_limit();
  const std::size_t reserved = reserved_descriptors + run.access.sink_descriptors;
  const std::size_t usable = all_descriptors > reserved ? all_descriptors - reserved : 1;
  run.share = usable / std::max<std::size_t>(1, run.local.threads + run.servers.threads);
}

/// Reserves the roots of tasks for them, but for those of servers, which may not answer.
void reserve_roots(Run& run) {
  for (const Task& task : run.tasks) {
    if (task.volume.kind == VolumeKind::network) continue;
    const std::unique_ptr<os::FileSystem> file_system = run.access.open_file_system(task);
    for (const Root& root : task.roots) {
      Metadata found{};
      Needs got = needs::none;
      const int error = file_system->stat(nullptr, root.open_path.c_str(), {.follow = true},
                                          needs::type | needs::identity, found, got);
      if (error != 0 || os::type_of_mode(found.mode) != FileType::directory) continue;
      run.state.visited().reserve({found.device, found.inode}, root.below.empty());
    }
  }
}

/// Searches the tasks in threads, so that this thread can still end the search if some hang.
/// Without a thread, tasks are searched here. Returns false if some task did not end.
bool run_side_by_side(const std::shared_ptr<Run>& run) {
  std::vector<std::thread> threads;
  std::vector<Queue*> left;  // without a thread
  for (Queue* const queue : {&run->servers, &run->local}) {
    for (std::size_t i = 0; i < queue->threads; ++i) {
      try {
        threads.emplace_back([run, queue] { work(*run, *queue); });
      } catch (const std::system_error&) {
        if (i == 0) left.push_back(queue);
        break;
      }
    }
  }
  for (Queue* const queue : left) work(*run, *queue);
  const bool finished = run->state.wait(run->tasks.size());
  for (std::thread& thread : threads) {
    if (finished) {
      thread.join();
    } else {
      thread.detach();
    }
  }
  return finished;
}

}  // namespace

SearchResult run_search(const Plan& plan, const Matcher& matcher, std::uint64_t limit, Sink& sink,
                        Needs sink_needs, const SystemAccess& access, Progress* progress) {
  const auto run = std::make_shared<Run>(plan, matcher, sink, sink_needs, limit, progress, access);
  const Scope& scope = matcher.scope();
  const bool alone = plan.tasks.size() == 1 && scope.lists.empty() &&
                     plan.tasks.front().volume.kind != VolumeKind::network;
  const bool in_turn = scope.parents_first && scope.lists.empty();
  prepare(*run, in_turn);
  if (scope.unique) reserve_roots(*run);

  SearchResult result;
  if (!alone) run->state.mark_long_running();
  if (alone || in_turn) {
    work(*run, run->local);
  } else {
    result.abandoned = !run_side_by_side(run);
  }
  const std::lock_guard lock(run->mutex);
  for (std::size_t number = 0; number < run->tasks.size(); ++number) {
    if (run->searchers[number]) run->searchers[number]->add_to(run->results[number]);
    result.statistics += run->results[number].statistics;
    std::move(run->results[number].left_out.begin(), run->results[number].left_out.end(),
              std::back_inserter(result.left_out));
  }
  return result;
}

}  // namespace ffind
