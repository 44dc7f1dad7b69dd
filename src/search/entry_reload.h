// SPDX-License-Identifier: MIT
// Loads data of entries after the search that found them: for a list that is narrowed later, and
// for entries picked from it. Reads what a worker's EntryAccess reads, in the same way and of the
// same file systems. Made by cli; knows no list.
//
//     EntryReload       plan, scope, and one file system per volume, shared by all threads
//       └ loaders       one per thread: an Opener, a position and an EntryAccess per root
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "ffind/entry.h"
#include "ffind/searcher.h"
#include "search/boundaries.h"
#include "search/state.h"

namespace ffind::search {

/// Makes the loaders, and keeps for them what they share. Thread-safe; kept alive by its loaders.
class EntryReload final : public std::enable_shared_from_this<EntryReload> {
 public:
  /// Takes the plan of the search and the matcher of its query, whose scope it keeps to. Each issue
  /// goes to `sink` once; the sink outlives all loaders.
  EntryReload(Plan plan, Matcher matcher, Sink& sink, FileSystemFactory open_file_system);
  ~EntryReload();

  /// Creates a loader for one thread.
  std::unique_ptr<LateLoader> make_loader();
  /// Returns the counts of all loaders that are gone.
  Statistics statistics();
  /// Stops loaders that are reading a file's contents.
  void stop() { state_.stop(); }

 private:
  friend class ReloadLoader;

  /// Volume of a task, opened for the first entry of it.
  struct OpenVolume {
    const Task* task = nullptr;
    std::unique_ptr<os::FileSystem> file_system{};
    Boundaries boundaries;
  };
  /// Sink that passes an issue on the first time only: the same file is read again for the next
  /// query.
  class FirstReports final : public Sink {
   public:
    explicit FirstReports(Sink& next) : next_(next) {}
    std::unique_ptr<Lane> open_lane() override { return nullptr; }
    void report(const Issue& issue) override;
    void notice(const std::string& path, const std::string& text) override {
      next_.notice(path, text);
    }

   private:
    Sink& next_;
    std::mutex mutex_;
    std::unordered_set<PathKey> reported_;
  };

  /// Returns the volume of `root`, which may be a copy of the plan's; null if the plan has no such
  /// root.
  OpenVolume* volume_of(const Root& root);

  const Plan plan_;
  const Matcher matcher_;
  FirstReports issues_;
  SearchState state_;
  const FileSystemFactory open_file_system_;
  std::mutex mutex_;  ///< guards what follows
  std::vector<std::unique_ptr<OpenVolume>> volumes_;
  Statistics counts_;
};

}  // namespace ffind::search
