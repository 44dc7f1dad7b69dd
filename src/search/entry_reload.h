// SPDX-License-Identifier: MIT
// What is read of entries after the search that found them: for a list that a person narrows, and
// for what was picked from it. Reads what a worker's access reads, in the same way and of the same
// file systems. Made by cli; knows no list.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "ffind/late_loader.h"
#include "ffind/searcher.h"
#include "search/boundaries.h"
#include "search/state.h"

namespace ffind::search {

/// Thread-safe. Kept alive by its loaders.
class LateAccess final : public std::enable_shared_from_this<LateAccess> {
 public:
  /// By the plan of the search, and the scope of its query. Issues go to `sink`, each once; it
  /// outlives all loaders.
  LateAccess(Plan plan, Matcher matcher, Sink& sink, FileSystemFactory open_file_system);
  ~LateAccess();

  std::unique_ptr<LateLoader> make_loader();
  /// Loaders in the middle of a file's contents leave it.
  void stop() { state_.stop(); }

 private:
  friend class LateEntryLoader;

  /// A volume of the plan.
  struct Place {
    const Task* task = nullptr;
    std::unique_ptr<os::FileSystem> file_system{};
    Boundaries boundaries;
  };
  /// Passes on an issue the first time: the same file is read again for the next query.
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
    std::unordered_set<std::size_t> reported_;  ///< by hash
  };

  /// The volume that `root`, or what it was copied from, is of; null: it is not the plan's.
  Place* place_of(const Root& root);

  const Plan plan_;
  const Matcher matcher_;
  FirstReports issues_;
  SearchState state_;
  const FileSystemFactory open_file_system_;
  std::mutex mutex_;  ///< guards what follows
  std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace ffind::search
