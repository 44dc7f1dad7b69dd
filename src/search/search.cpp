// SPDX-License-Identifier: MIT
// Carries out a plan: one Searcher per task, each with its file system, directory readers, walker
// and perhaps a flat catalog, and all tasks concurrently, so that no volume waits for another.
// Called by cli. Statistics and the registration of progress sources, declared in include/ffind,
// are defined here as well.
//
//     run_search ──▶ prepare: descriptors shared out, searchers made
//                ──▶ one local task, or tasks in turn: in this thread
//                    else: a thread each, and this one waits for all of them or for a stop
//                ──▶ totals of the searchers
//
// All of it is kept in a Run that every thread co-owns: a thread that hangs on a dead server is
// detached when the search ends.
#include <algorithm>
#include <memory>
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

/// Searches one task: lists of paths, or by a flat catalog if there is one, then with the walker
/// what that left over.
struct Searcher {
  const Task* task;
  std::unique_ptr<os::FileSystem> file_system;
  std::unique_ptr<os::DirectoryReaders> device{};  ///< null: read through the file system
  std::unique_ptr<search::Catalog> catalog{};
  std::unique_ptr<search::Walker> walker{};
  std::unique_ptr<search::ListSearch> list{};  ///< in place of all others, as is the next
  std::unique_ptr<search::OrderedWalk> ordered{};

  void run() {
    if (list) return list->run();
    if (ordered) return ordered->run();
    if (catalog) return walker->run(catalog->run());
    std::vector<const Root*> roots;
    for (const Root& root : task->roots) roots.push_back(&root);
    walker->run(roots);
  }
};

/// State of a whole search, kept alive by each of its threads.
struct Run {
  Run(const Matcher& matcher, Sink& sink, Needs sink_needs, std::uint64_t limit, Progress* progress,
      std::function<bool(Entry&)> admits)
      : state(matcher, sink, sink_needs, limit, progress, std::move(admits)) {}

  search::SearchState state;
  std::vector<Task> tasks{};
  std::vector<Searcher> searchers{};
};

/// Limits workers to the task's share of the descriptors; threads that are added later may take
/// half of it.
void afford_threads(Task& task, std::size_t descriptors) {
  const std::size_t most = std::max<std::size_t>(1, descriptors / descriptors_per_worker(task));
  task.choice.threads = static_cast<unsigned>(std::min<std::size_t>(task.choice.threads, most));
  task.choice.most_threads =
      static_cast<unsigned>(std::min<std::size_t>(task.choice.most_threads, most / 2));
}

/// Readers of the device; null if the plan has none, or they cannot be had.
std::unique_ptr<os::DirectoryReaders> device_of(const Task& task, os::FileSystem& file_system,
                                                search::SearchState& state,
                                                const SystemAccess& access) {
  if (task.choice.method == Method::catalog && task.choice.catalog_shape != CatalogShape::flat) {
    os::OpenedDevice opened = access.device_directories(task, file_system);
    if (opened.directories) return std::move(opened.directories);
    state.report_walked_instead(task, "its catalog cannot be read: " + opened.refusal);
  }
  return nullptr;
}

/// Creates a searcher for each task and gives each an equal share of the descriptors.
void prepare(Run& run, const SystemAccess& access) {
  const std::size_t all_descriptors = os::descriptor_limit();
  const std::size_t reserved = reserved_descriptors + access.sink_descriptors;
  const std::size_t usable = all_descriptors > reserved ? all_descriptors - reserved : 1;
  const std::size_t share = usable / std::max<std::size_t>(1, run.tasks.size());
  for (Task& task : run.tasks) {
    afford_threads(task, share);
    const std::size_t for_workers =
        std::max(task.choice.threads, task.choice.most_threads) * descriptors_per_worker(task);
    const std::size_t kept = share > for_workers ? share - for_workers : 1;
    Searcher searcher{&task, access.open_file_system(task)};
    os::FileSystem& file_system = *searcher.file_system;
    if (!run.state.matcher().scope().lists.empty()) {
      searcher.list =
          std::make_unique<search::ListSearch>(task, run.state, file_system, access.read_list);
      run.searchers.push_back(std::move(searcher));
      continue;
    }
    if (run.state.matcher().scope().order) {
      searcher.ordered = std::make_unique<search::OrderedWalk>(task, run.state, file_system, kept);
      run.searchers.push_back(std::move(searcher));
      continue;
    }
    const search::EmittedSet* emitted = nullptr;
    searcher.device = device_of(task, file_system, run.state, access);
    os::DirectoryReaders& directories = searcher.device ? *searcher.device : file_system;
    if (task.choice.method == Method::catalog && task.choice.catalog_shape == CatalogShape::flat) {
      searcher.catalog =
          std::make_unique<search::Catalog>(task, run.state, file_system, access.open_catalog);
      emitted = &searcher.catalog->emitted();
    }
    searcher.walker =
        std::make_unique<search::Walker>(task, run.state, file_system, directories, kept, emitted);
    run.searchers.push_back(std::move(searcher));
  }
}

/// Reserves the roots of tasks for them, but for those of servers, which may not answer.
void reserve_roots(Run& run) {
  for (const Searcher& searcher : run.searchers) {
    if (searcher.task->volume.kind == VolumeKind::network) continue;
    for (const Root& root : searcher.task->roots) {
      Metadata found{};
      Needs got = needs::none;
      const int error =
          searcher.file_system->stat(nullptr, root.open_path.c_str(), {.follow = true},
                                     needs::type | needs::identity, found, got);
      if (error != 0 || os::type_of_mode(found.mode) != FileType::directory) continue;
      run.state.visited().reserve({found.device, found.inode}, root.below.empty());
    }
  }
}

/// Runs each task in its own thread, so this thread can still end the search if they hang. Without
/// a thread, a task runs here. Returns false if some task did not end.
bool run_side_by_side(const std::shared_ptr<Run>& run) {
  std::vector<std::thread> threads;
  for (Searcher& searcher : run->searchers) {
    const auto search = [run, &searcher] {
      searcher.run();
      run->state.task_done();
    };
    try {
      threads.emplace_back(search);
    } catch (const std::system_error&) {
      search();
    }
  }
  const bool finished = run->state.wait(run->searchers.size());
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
  const auto run = std::make_shared<Run>(matcher, sink, sink_needs, limit, progress, access.admits);
  run->tasks = plan.tasks;
  prepare(*run, access);
  if (matcher.scope().unique) reserve_roots(*run);

  SearchResult result;
  // A pipe with a list may be silent, as a server.
  const bool alone = plan.tasks.size() == 1 && matcher.scope().lists.empty() &&
                     plan.tasks.front().volume.kind != VolumeKind::network;
  const bool in_turn = matcher.scope().parents_first && matcher.scope().lists.empty();
  if (!alone || run->searchers.front().catalog) run->state.mark_long_running();
  if (alone || in_turn) {
    for (Searcher& searcher : run->searchers) {
      if (!run->state.stopped()) searcher.run();
    }
  } else {
    result.abandoned = !run_side_by_side(run);
  }
  for (const Searcher& searcher : run->searchers) {
    if (searcher.catalog) searcher.catalog->add_to(result);
    if (searcher.walker) searcher.walker->add_to(result);
    if (searcher.list) searcher.list->add_to(result);
    if (searcher.ordered) searcher.ordered->add_to(result);
  }
  return result;
}

}  // namespace ffind
