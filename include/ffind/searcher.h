// SPDX-License-Identifier: MIT
// The search: carries out a plan and passes matches to a sink. Called once by cli.
//
// Each task of the plan runs in a thread of its own, which starts the workers of its volume. Access
// to the system is passed in as functions, so the search can run over a fake one in tests.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "ffind/issue.h"
#include "ffind/plan.h"
#include "ffind/query.h"

namespace ffind {

// --- The output as the searcher sees it: each worker opens a lane of its own and writes whole
// records into it, without locks; issues go to the sink itself. Implemented by output.

/// A worker's end of the output. Used by one thread.
class Lane {
 public:
  virtual ~Lane() = default;
  /// Takes a match. Returns false if output could not be written: the search has to stop.
  virtual bool emit(Entry& entry) = 0;
  /// Called between blocks of entries. Passes records on if output is a terminal, or if they have
  /// been kept too long.
  virtual void flush_if_due() {}
  /// Passes all records on; called before the worker waits, and at the end.
  virtual void flush() {}
  /// False if all records were passed on.
  virtual bool keeps_records() const { return true; }
  /// Total time that the calls above waited for the consumer.
  virtual Nanoseconds held_up() const { return 0; }

  // Called if the sink follows directories. A token is passed to Sink::leave exactly once.

  /// Returns a token for a root that was opened as a directory. It is valid as Entry::found_from.
  virtual DirectoryToken enter(const Root&) { return 0; }
  /// Returns a token for the directory `name` in `above`, which is about to be opened. `own` is
  /// what a lane has set for its entry, or null if it was not emitted.
  virtual DirectoryToken enter(DirectoryToken /*above*/, std::string_view /*name*/,
                               const OwnSpace* /*own*/) {
    return 0;
  }
  /// Called instead of `emit` for an entry that does not match and is not going to be entered.
  virtual void pass(Entry&) {}
  /// Called after `emit` for a directory that is not going to be entered.
  virtual void stay_out(Entry&) {}
};

/// Thread-safe. Outlives its lanes.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::unique_ptr<Lane> open_lane() = 0;
  virtual void report(const Issue& issue) = 0;
  /// Reports a remark on `path` that is not an error: the search is still complete.
  virtual void notice(const std::string& path, const std::string& text) = 0;

  /// Returns true if directories are followed from their beginning to their end, for sums of what
  /// is below them. The needs of such a sink include needs::inside.
  virtual bool follows_directories() const { return false; }
  /// Called when a directory and everything below it has been searched: after the same call for the
  /// directories below, and after the lanes were flushed that took its entries.
  virtual void leave(DirectoryToken) {}
};

// --- Live progress: each thread of the search registers a Source; the thread of the status line
// sums them up in look(). Counts of threads that have ended are kept in `ended_`.

/// Sum over all threads.
struct SearchProgress {
  std::uint64_t directories = 0;
  std::uint64_t entries = 0;
  std::uint64_t matches = 0;
  std::string where{};  ///< path of a directory being read; empty if unknown
};

/// Thread-safe.
class Progress {
 public:
  /// One thread of the search, whose counts another thread may read.
  class Source {
   public:
    virtual ~Source() = default;
    /// Adds its counts up to now.
    virtual void add_counts(SearchProgress& sum) const = 0;
    /// Path of the directory being read; may be empty.
    virtual std::string where() = 0;
  };

  /// Registers a source for as long as the registration lives.
  class Registration {
   public:
    Registration(Progress* progress, Source& source);
    ~Registration();
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

   private:
    Progress* const progress_;
    Source& source_;
  };

  /// Sets a function that a thread of the search calls once, as soon as the search turns out to
  /// take long. Call before the search.
  void when_long_running(std::function<void()> do_it) { when_long_running_ = std::move(do_it); }
  /// Called once the search takes long: after some milliseconds, with more threads, or many
  /// matches.
  void mark_long_running() {
    if (long_running_.load(std::memory_order_relaxed) || long_running_.exchange(true)) return;
    if (when_long_running_) when_long_running_();
  }

  SearchProgress look();

  /// Called before the status line is first drawn. Until then threads need not publish their path.
  void watch() { watched_.store(true, std::memory_order_relaxed); }
  bool watched() const { return watched_.load(std::memory_order_relaxed); }

 private:
  std::function<void()> when_long_running_;
  std::atomic<bool> long_running_{false};
  std::atomic<bool> watched_{false};
  std::mutex mutex_;  ///< guards the members below
  std::vector<Source*> sources_;
  SearchProgress ended_;  ///< counts of sources that are gone
};

// --- The search

namespace os {
class CatalogScan;
class DirectoryReaders;
class FileSystem;
struct OpenedDevice;
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
  std::uint64_t empty_lines = 0;  ///< of lists of paths
  /// Files whose contents, and directories whose lists, the search needed and exist in a cloud
  /// only.
  std::uint64_t not_local_files = 0;
  std::uint64_t not_local_directories = 0;
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
  /// The limit was reached while workers were blocked on a volume. They still refer to the plan,
  /// the matcher and the sink: the process must exit without destroying any.
  bool abandoned = false;
};

/// Opens the file system of a task; called once for each task, from its own thread.
using FileSystemFactory = std::function<std::unique_ptr<os::FileSystem>(const Task&)>;

/// Opens the flat catalog of a task.
using CatalogFactory = std::function<std::unique_ptr<os::CatalogScan>(const Task&, const Bound&,
                                                                      Needs wanted, int& error)>;

/// Opens the device of a task whose catalog lists directories.
using DeviceDirectoriesFactory = std::function<os::OpenedDevice(const Task&, os::FileSystem&)>;

/// Reads up to `capacity` bytes of a list of paths (Scope::lists); `count` is 0 at its end. Returns
/// 0 or an errno. Waits for bytes.
using ListReader =
    std::function<int(std::size_t list, char* bytes, std::size_t capacity, std::size_t& count)>;

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
  ListReader read_list{};
};

/// Blocks until every task is done, the limit is reached, or the output has ended. Issues are
/// reported to the sink and counted, never thrown. `progress` may be null, and can be read during
/// the search; like the sink it must outlive an abandoned search.
SearchResult run_search(const Plan& plan, const Matcher& matcher, std::uint64_t limit, Sink& sink,
                        Needs sink_needs, const SystemAccess& access, Progress* progress = nullptr);

}  // namespace ffind
