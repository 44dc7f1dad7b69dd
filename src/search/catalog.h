// SPDX-License-Identifier: MIT
// The catalog searcher: searches one task by listing its volume flat, with several workers over one
// reader. Made by run_search() for tasks that are planned so; what it cannot do, the walker does
// after it. Knows no file system's catalog.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ffind/searcher.h"
#include "os/catalog.h"
#include "search/boundaries.h"
#include "search/directory_memo.h"
#include "search/seen_sets.h"
#include "search/state.h"

namespace ffind::search {

///     reader ──▶ block of records ──▶ worker: may the name match?
///    (one at      (a worker's own)      │ yes
///     a time)                           ▼
///                                     directory: its path, and which roots' walks enter it (memo)
///                                       │ some
///                                       ▼
///                                     matcher in full, once a root ──▶ lane
class Catalog {
 public:
  Catalog(const Task& task, SearchState& state, os::FileSystem& file_system,
          CatalogFactory open_catalog);
  ~Catalog();

  /// Blocks until the catalog is searched or the search stopped; the caller is the first worker.
  /// Returns the roots that are left to walk: those that are no directories, or cannot be opened,
  /// which the walker knows what to say of; all of them when the catalog had to be given up, which
  /// the sink is told.
  std::vector<const Root*> run();

  /// What the roots that are left must not list once more.
  const EmittedSet& emitted() const { return emitted_; }

  /// What the workers counted and met. To be called after `run`.
  void add_to(SearchResult& result);

 private:
  friend class CatalogWorker;

  /// The next block; false at the end. `pass`: how often the reader was restarted.
  bool read(os::CatalogBlock& block, unsigned& pass);
  void consider_another_worker();
  /// The whole task is left to the walker.
  void give_up(std::string reason);
  /// The same, from a worker that met with `error`; ends the reading.
  void give_up_for(int error);
  void search();

  const Task& task_;
  SearchState& state_;
  os::FileSystem& file_system_;
  const CatalogFactory open_catalog_;
  const Boundaries boundaries_;
  std::vector<std::uint32_t> roots_;  ///< numbers of the roots that are directories
  std::unique_ptr<os::CatalogReader> reader_;
  DirectoryMemo memo_;
  EmittedSet emitted_;

  std::mutex reading_;  ///< guards the reader, but for path_of, and what follows
  unsigned pass_ = 0;
  bool at_end_ = false;

  std::mutex mutex_;     ///< guards what follows
  std::string why_not_;  ///< why it was given up; empty while it was not
  std::vector<std::thread> threads_;
  unsigned workers_ = 1;
  Statistics statistics_;
  std::vector<Boundary> left_out_;
};

}  // namespace ffind::search
