// SPDX-License-Identifier: MIT
// Searches one task by listing the catalog of its volume flat, with several workers over one
// scan. Made by run_search() for tasks that are planned so; what it cannot do, the walker does
// afterwards. Knows no file system's catalog.
//
//     Catalog          scan, workers, restarts, and the roots that are left to the walker
//     CatalogWorker    one thread: tests the records of a block
//     DirectoryCache   paths of directories by id, shared by the workers
//     EmittedSet       (seen_sets) what was emitted, for restarts and for the walker
//
// The records come in any order and are not from one moment: a record is tested again in full, and
// if the volume changes while it is listed, the scan starts again and emits what is new.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ffind/searcher.h"
#include "os/catalog.h"
#include "search/boundaries.h"
#include "search/entry_access.h"
#include "search/opener.h"
#include "search/path_position.h"
#include "search/search_thread.h"
#include "search/seen_sets.h"
#include "search/state.h"
#include "search/worker_threads.h"

namespace ffind::search {

/// Path of a directory, and the roots that reach it.
struct CatalogDirectory {
  std::string path{};  ///< canonical
  /// Numbers of the task's roots whose walks would enter it; mostly none or one.
  std::vector<std::uint32_t> roots{};
};

/// Cache of directories by their catalog id. Thread-safe.
class DirectoryCache {
 public:
  bool find(std::uint64_t id, CatalogDirectory& directory);
  /// Ignored unless `pass`, in which the path was read, is the current one.
  void insert(std::uint64_t id, const CatalogDirectory& directory, unsigned pass);
  /// Removes everything and starts `pass`.
  void clear(unsigned pass);

 private:
  /// All of 450,000 directories would take 80 MB. Catalogs list the entries of a directory more or
  /// less together, so removed ones are rarely needed again.
  static constexpr std::size_t most_bytes = std::size_t{4} << 20U;

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, CatalogDirectory> directories_;
  std::size_t bytes_ = 0;
  unsigned pass_ = 0;
};

/// The search of one task:
///
///     scan   ──▶ block of records ──▶ worker: may the name match?
///    (one at      (a worker's own)      │ yes
///     a time)                           ▼
///                                     directory: its path, and which roots' walks enter it (cache)
///                                       │ some
///                                       ▼
///                                     matcher in full, once per root ──▶ lane
class Catalog {
 public:
  Catalog(const Task& task, unsigned threads, SearchState& state, os::FileSystem& file_system,
          CatalogFactory open_catalog);
  ~Catalog();

  /// Blocks until the catalog is searched or the search is stopped; the calling thread is the first
  /// worker. Returns the roots that are left to walk: those that are not directories, or cannot be
  /// opened, which the walker reports; all of them if the catalog was given up, of which the sink
  /// is notified.
  std::vector<const Root*> run();

  /// Paths that the walk of the remaining roots must not emit again.
  const EmittedSet& emitted() const { return emitted_; }

  /// Adds the workers' counts and the boundaries not entered. To be called after `run`.
  void add_to(SearchResult& result);

 private:
  friend class CatalogWorker;

  /// Reads the next block; false at the end. `pass`: number of restarts before it.
  bool read(os::CatalogBlock& block, unsigned& pass);
  void consider_another_worker();
  /// Leaves the whole task to the walker.
  void give_up(std::string reason);
  /// The same after an error of a worker; ends the reading.
  void give_up_for(int error);
  void search();

  const Task& task_;
  const unsigned most_threads_;
  SearchState& state_;
  os::FileSystem& file_system_;
  const CatalogFactory open_catalog_;
  const Boundaries boundaries_;
  std::vector<std::uint32_t> roots_;  ///< numbers of the roots that are directories
  std::unique_ptr<os::CatalogScan> scan_;
  DirectoryCache cache_;
  EmittedSet emitted_;

  std::mutex reading_;  ///< guards the scan, except for path_of, and what follows
  unsigned pass_ = 0;
  bool at_end_ = false;

  WorkerThreads threads_;

  std::mutex mutex_;     ///< guards what follows
  std::string why_not_;  ///< reason for giving up, or empty
  Statistics statistics_;
  std::vector<Boundary> left_out_;
};

/// One thread of a catalog search: reads blocks, tests their records, emits the matches.
class CatalogWorker final : public SearchThread {
 public:
  explicit CatalogWorker(Catalog& catalog);

  /// Works until the end of the scan or the end of the search.
  void run();

  /// The volume: the order in which a catalog lists it has no meaning for users.
  std::string where() override { return catalog_.task_.volume.mount_point; }
  /// Emits the boundaries that the walks of the roots would list, if they match: the catalog does
  /// not have what is mounted there. Returns those that are left out.
  std::vector<Boundary> offer_boundaries();

 private:
  void consider(const os::CatalogRecord& record);
  void offer(const os::CatalogRecord& record, std::uint32_t root_number);
  void look_into(const os::CatalogRecord& record);
  int try_to_enter(const Root& root, const std::string& below);
  void begin_entry(const os::CatalogRecord& record);
  bool find_directory(std::uint64_t id);
  void find_path(std::uint64_t id);
  bool leads_to(const Root& root, std::string_view below);
  bool is_boundary(const Root& root, std::string_view below);
  void turn_to(const Root& root, std::string_view below);
  void report_closed(Entry& entry);

  Catalog& catalog_;
  PathPosition position_;
  EntryAccess access_;
  os::CatalogBlock block_;
  CatalogDirectory directory_;  ///< of the current records
  std::uint64_t directory_id_ = 0;
  bool directory_known_ = false;
  unsigned pass_ = 0;  ///< in which the block was read
  PathKey key_ = 0;
  bool key_known_ = false;  ///< key_ is that of the position's directory
};

}  // namespace ffind::search
