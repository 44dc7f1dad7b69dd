// SPDX-License-Identifier: MIT
// The search: carries out a plan and hands what matches to a sink. Called by cli once.
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
  std::uint64_t bytes_read = 0;   ///< of them
  std::uint64_t vanished = 0;     ///< gone between being listed and being looked at
  std::uint64_t not_local = 0;    ///< directories and files whose contents are in a cloud only
  /// Directories that could not be read from the device and were listed by the kernel instead.
  std::uint64_t walked = 0;
  std::uint64_t issues = 0;
  unsigned threads = 0;        ///< that really ran
  unsigned added_threads = 0;  ///< beyond those planned, for volumes that kept them waiting

  Statistics& operator+=(const Statistics& other);
};

struct SearchResult {
  Statistics statistics;
  /// Volumes that were met and not entered although options would enter them. For one that was
  /// mounted after the plan was made, only the path is known.
  std::vector<Boundary> left_out;
  /// The limit was reached while workers were held up by a volume that does not answer. They still
  /// refer to the matcher and the sink: the process must end without destroying either.
  bool abandoned = false;
};

/// Makes the file system that a task is searched through; called once a task, from its own thread.
using FileSystemFactory = std::function<std::unique_ptr<os::FileSystem>(const Task&)>;

/// Opens the catalog of a task that is planned so, as os/catalog.h says.
using CatalogFactory = std::function<std::unique_ptr<os::CatalogReader>(const Task&, const Bound&,
                                                                        Needs wanted, int& error)>;

/// Reads the device of a task that is planned so, as os/directory_reader.h says.
using DeviceDirectoriesFactory = std::function<std::unique_ptr<os::DirectoryReaders>(
    const Task&, os::FileSystem&, std::string& why_not)>;

/// The ways to the system that a search takes.
struct SystemAccess {
  FileSystemFactory open_file_system;
  CatalogFactory open_catalog;
  DeviceDirectoriesFactory device_directories;
  /// Descriptors that the sink takes for itself.
  std::size_t sink_descriptors = 0;
  /// Whether what all tests hold for is emitted; asked by each worker, and may take long. Null: it
  /// is.
  std::function<bool(Entry&)> admits{};
};

/// Blocks until every task is done, or everything that the limit allows is written, or the output
/// has ended. Issues are reported to the sink and counted, never thrown. `progress`, if it is not
/// null, can be looked at meanwhile; like the sink it outlives an abandoned search.
SearchResult run_search(const Plan& plan, const Matcher& matcher, std::uint64_t limit, Sink& sink,
                        Needs sink_needs, const SystemAccess& access, Progress* progress = nullptr);

}  // namespace ffind
