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
/// At one time a worker reads one directory and opens another.
constexpr std::size_t descriptors_per_worker = 2;

/// A task being carried out.
struct Run {
  std::unique_ptr<os::FileSystem> file_system;
  std::unique_ptr<Walker> walker;
};

/// As many workers as the task's share of the descriptors allows.
unsigned affordable_threads(unsigned wanted, std::size_t descriptors) {
  const std::size_t most = std::max<std::size_t>(1, descriptors / descriptors_per_worker);
  return static_cast<unsigned>(std::min<std::size_t>(wanted, most));
}

}  // namespace

SearchResult search(const Plan& plan, const Matcher& matcher, std::uint64_t limit, Sink& sink,
                    Needs sink_needs, const FileSystemFactory& open_file_system) {
  SearchState state{matcher, sink, sink_needs, limit};
  std::vector<Task> tasks = plan.tasks;
  const std::size_t all_descriptors = os::descriptor_limit();
  const std::size_t usable =
      all_descriptors > reserved_descriptors ? all_descriptors - reserved_descriptors : 1;
  const std::size_t share = usable / std::max<std::size_t>(1, tasks.size());

  std::vector<Run> runs;
  for (Task& task : tasks) {
    task.threads = affordable_threads(task.threads, share);
    const std::size_t for_workers = task.threads * descriptors_per_worker;
    const std::size_t kept = share > for_workers ? share - for_workers : 1;
    Run run;
    run.file_system = open_file_system(task);
    run.walker = std::make_unique<Walker>(task, state, *run.file_system, kept);
    runs.push_back(std::move(run));
  }

  std::vector<std::thread> threads;
  for (std::size_t index = 1; index < runs.size(); ++index) {
    threads.emplace_back([&run = runs[index]] { run.walker->run(); });
  }
  if (!runs.empty()) runs.front().walker->run();
  for (std::thread& thread : threads) thread.join();

  SearchResult result;
  for (const Run& run : runs) {
    result.statistics += run.walker->statistics();
    const auto& left_out = run.walker->left_out();
    result.left_out.insert(result.left_out.end(), left_out.begin(), left_out.end());
  }
  return result;
}

}  // namespace ffind
