// SPDX-License-Identifier: MIT
// The search: carries out a plan and passes matches to a sink. Called once by cli.
//
// Each task of the plan runs in a thread of its own, which starts the workers of its volume. Access
// to the system is passed in as functions, so the search can run over a fake one in tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ffind/matcher.h"
#include "ffind/plan.h"
#include "ffind/progress.h"
#include "ffind/sink.h"

namespace ffind {

namespace os {
class CatalogReader;
class DirectoryReaders;
class FileSystem;
}  // namespace os

/// Counts over all workers; `--stats` prints them.
struct Statistics {
  std::uint64_t directories = 0;  ///< opened and read
  std::uint64_t entries = 0;      ///< offered to the matcher
  std::uint64_t matches = 0;      ///< emitted
  std::uint64_t stats = 0;        ///< entries whose metadata was requested from the kernel
  std::uint64_t files_read = 0;   ///< opened for their contents
  std::uint64_t bytes_read = 0;   ///< of their contents
  std::uint64_t vanished = 0;     ///< removed between listing and stat or open
  std::uint64_t not_local = 0;    ///< directories and files whose contents are only in a cloud
  /// Directories that could not be read from the device and were listed by the kernel instead.
  std::uint64_t walked = 0;
  std::uint64_t issues = 0;
  unsigned threads = 0;        ///< workers that ran
  unsigned added_threads = 0;  ///< more than planned, for volumes that kept them waiting

  Statistics& operator+=(const Statistics& other);
};

struct SearchResult {
  Statistics statistics;
  /// Volumes below the roots that an option would have searched. Only the path is known of one that
  /// was mounted after the plan was made.
  std::vector<Boundary> left_out;
  /// The limit was reached while workers were blocked on a volume. They still refer to the matcher
  /// and the sink: the process must exit without destroying either.
  bool abandoned = false;
};

/// Opens the file system of a task; called once for each task, from its own thread.
using FileSystemFactory = std::function<std::unique_ptr<os::FileSystem>(const Task&)>;

/// Opens the flat catalog of a task.
using CatalogFactory = std::function<std::unique_ptr<os::CatalogReader>(const Task&, const Bound&,
                                                                        Needs wanted, int& error)>;

/// Opens the device of a task whose catalog lists directories.
using DeviceDirectoriesFactory = std::function<std::unique_ptr<os::DirectoryReaders>(
    const Task&, os::FileSystem&, std::string& why_not)>;

/// Access of a search to the system.
struct SystemAccess {
  FileSystemFactory open_file_system;
  CatalogFactory open_catalog;
  DeviceDirectoriesFactory device_directories;
  /// Descriptors that the sink uses.
  std::size_t sink_descriptors = 0;
  /// Last test of an entry that matches, such as the command of --if; called by all workers, may
  /// take long. Null if there is none.
  std::function<bool(Entry&)> admits{};
};

/// Blocks until every task is done, the limit is reached, or the output has ended. Issues are
/// reported to the sink and counted, never thrown. `progress` may be null, and can be read during
/// the search; like the sink it must outlive an abandoned search.
SearchResult run_search(const Plan& plan, const Matcher& matcher, std::uint64_t limit, Sink& sink,
                        Needs sink_needs, const SystemAccess& access, Progress* progress = nullptr);

}  // namespace ffind
