// SPDX-License-Identifier: MIT
// The catalog searcher: searches one task by listing its volume flat, with several workers over one
// reader. Made by run_search() for tasks that are planned so; what it cannot do, the walker does
// after it. Knows no file system's catalog.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "ffind/searcher.h"
#include "os/catalog.h"
#include "search/boundaries.h"
#include "search/entry_access.h"
#include "search/entry_position.h"
#include "search/opener.h"
#include "search/seen_sets.h"
#include "search/state.h"

namespace ffind::search {

struct CatalogDirectory {
  std::string path{};  ///< canonical
  /// Numbers of the task's roots whose walks would enter it; of most directories none or one.
  std::vector<std::uint32_t> roots{};
};

/// Thread-safe.
class DirectoryMemo {
 public:
  bool find(std::uint64_t id, CatalogDirectory& directory);
  /// `pass`: the one in which the path was learned; since `clear` it may be another one.
  void insert(std::uint64_t id, const CatalogDirectory& directory, unsigned pass);
  /// Forgets all that was learned before `pass`.
  void clear(unsigned pass);

 private:
  /// Of 450,000 directories, all would take 80 MB. Catalogs list the entries of a directory more or
  /// less together, so that what is forgotten is rarely needed again.
  static constexpr std::size_t most_bytes = std::size_t{4} << 20U;

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, CatalogDirectory> directories_;
  std::size_t bytes_ = 0;
  unsigned pass_ = 0;
};

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

/// Belongs to its thread.
class CatalogPosition final : public EntryPosition {
 public:
  /// `flags`: how directories are opened.
  CatalogPosition(const Boundaries& boundaries, Opener& opener, os::OpenFlags flags = {})
      : boundaries_(boundaries), opener_(opener), flags_(flags) {}
  ~CatalogPosition() { close(); }
  CatalogPosition(const CatalogPosition&) = delete;
  CatalogPosition& operator=(const CatalogPosition&) = delete;

  /// The directory `below` `root`, a text that stays as it is until the next call, or `leave`.
  /// False where it is there already.
  bool turn_to(const Root& root, std::string_view below);
  void leave() { root_ = nullptr; }
  /// Another entry of that directory.
  void turn_to_entry() { placed_ = false; }
  /// Closes the directory, which is opened again when it is needed.
  void close();

  std::string_view below() const { return below_; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override;
  std::string canonical_directory() override;
  const Root& root() const override { return *root_; }

 private:
  EntryPlace find_place(const Entry& entry);

  const Boundaries& boundaries_;
  Opener& opener_;
  const os::OpenFlags flags_;
  const Root* root_ = nullptr;
  std::string_view below_;  ///< the directory, below the root
  EntryPath path_;
  bool spelled_ = false;  ///< path_ holds that directory
  os::Directory opened_;  ///< that directory, once something is read of its entries
  EntryPlace place_;
  bool placed_ = false;  ///< place_ holds the entry
  std::string name_;     ///< of the entry, with a NUL
};

class CatalogWorker final : public Progress::Source {
 public:
  explicit CatalogWorker(Catalog& catalog);

  /// Until the reader has no more.
  void run();
  const Statistics& statistics() const { return counts_; }

  void add_counts(SearchProgress& sum) const override { counts_.add_to(sum); }
  /// The volume: a catalog lists it in no order that means anything to a person.
  std::string where() override { return catalog_.task_.volume.mount_point; }
  /// Emits the boundaries that the walks of the roots would list, as far as they match: what is
  /// mounted there is no catalog's to find. Returns those of them that are left out.
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
  SearchState& state_;
  const Scope& scope_;

  Counts counts_;
  IssueReporter issues_;
  Opener opener_;
  CatalogPosition position_;
  EntryAccess access_;
  OutputEnd output_;

  os::CatalogBlock block_;
  Entry entry_;
  CatalogDirectory directory_;  ///< of the records that are looked at
  std::uint64_t directory_id_ = 0;
  bool directory_known_ = false;
  unsigned pass_ = 0;  ///< of the block
  PathKey key_ = 0;
  bool key_known_ = false;  ///< key_ is that of the directory that the position is at
};

}  // namespace ffind::search
