// SPDX-License-Identifier: MIT
// Carries out a plan: one walker a task, side by side, so that no volume waits for another. Called
// by cli.
#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "ffind/searcher.h"
#include "os/os.h"
#include "search/walker.h"

namespace ffind {
namespace {

/// Descriptors that are not the walk's: the standard three, and some for opening by path, looking
/// into a directory, and libraries.
constexpr std::size_t reserved_descriptors = 6;
/// At one time a worker reads one directory and opens another; fts opens the former twice more.
std::size_t descriptors_per_worker(const Task& task) {
  return task.reader == Reader::fts ? 4 : 2;
}

/// Everything that the threads of a search use, kept alive by each of them.
struct Run {
  Run(const Matcher& matcher, Sink& sink, Needs sink_needs, std::uint64_t limit)
      : state(matcher, sink, sink_needs, limit) {}

  SearchState state;
  std::vector<Task> tasks{};
  std::vector<std::unique_ptr<os::FileSystem>> file_systems{};
  std::vector<std::unique_ptr<Walker>> walkers{};
};

/// As many workers as the task's share of the descriptors allows.
unsigned affordable_threads(const Task& task, std::size_t descriptors) {
  const std::size_t most = std::max<std::size_t>(1, descriptors / descriptors_per_worker(task));
  return static_cast<unsigned>(std::min<std::size_t>(task.threads, most));
}

void prepare(Run& run, const FileSystemFactory& open_file_system) {
  const std::size_t all_descriptors = os::descriptor_limit();
  const std::size_t usable =
      all_descriptors > reserved_descriptors ? all_descriptors - reserved_descriptors : 1;
  const std::size_t share = usable / std::max<std::size_t>(1, run.tasks.size());
  for (Task& task : run.tasks) {
    task.threads = affordable_threads(task, share);
    const std::size_t for_workers = task.threads * descriptors_per_worker(task);
    const std::size_t kept = share > for_workers ? share - for_workers : 1;
    run.file_systems.push_back(open_file_system(task));
    run.walkers.push_back(
        std::make_unique<Walker>(task, run.state, *run.file_systems.back(), kept));
  }
}

/// Each task in a thread of its own, and this one free to end the search when they cannot.
bool run_side_by_side(const std::shared_ptr<Run>& run) {
  std::vector<std::thread> threads;
  for (const auto& walker : run->walkers) {
    threads.emplace_back([run, &walker = *walker] {
      walker.run();
      run->state.task_done();
    });
  }
  const bool finished = run->state.wait(threads.size());
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

SearchResult search(const Plan& plan, const Matcher& matcher, std::uint64_t limit, Sink& sink,
                    Needs sink_needs, const FileSystemFactory& open_file_system) {
  const auto run = std::make_shared<Run>(matcher, sink, sink_needs, limit);
  run->tasks = plan.tasks;
  prepare(*run, open_file_system);

  SearchResult result;
  const bool alone =
      plan.tasks.size() == 1 && plan.tasks.front().volume.kind != VolumeKind::network;
  if (alone) {
    run->walkers.front()->run();
  } else {
    result.abandoned = !run_side_by_side(run);
  }
  for (const auto& walker : run->walkers) walker->add_to(result);
  return result;
}

}  // namespace ffind
