// SPDX-License-Identifier: MIT
// Searches lists of paths (--from), or of records of an earlier search (--from-json), in place of a
// walk. Made by run_search() for a scope with lists.
//
//     ListReader ──▶ take()  ──▶ ListWorker: a batch of lines    emit, batch by batch in the order
//                    (one at      each: may the name match?      of the list ──▶ Lane
//                     a time)     one stat or a record, matcher
//
//     ListLines      text that was read
//     ListSearch     turns of the workers, entries that were emitted, lines that name nothing
//     ListWorker     one thread: judges a batch, waits for its turn, emits what matches
//     ListPosition   location of a worker's current path; keeps the directory of the last ones open
//     RecordLoader   loads an entry from its record alone
//
// The entries of a Trash are a list as well: of the paths that they had. What is read of them is
// read where they are now (Trashed).
//
// A path is relative to the current directory or to "/", which are the roots of the task, and its
// depth is its number of names: nothing is resolved, so links and ".." may be on the way. A record
// with a depth is below the root of its search, which is what precedes that many names.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/searcher.h"
#include "search/boundaries.h"
#include "search/entry_access.h"
#include "search/entry_position.h"
#include "search/list_lines.h"
#include "search/opener.h"
#include "search/record.h"
#include "search/search_thread.h"
#include "search/seen_sets.h"
#include "search/state.h"
#include "search/worker_threads.h"

namespace ffind::search {

/// Root of an earlier search; without one, that of the task.
struct RecordedRoot {
  const Root* root = nullptr;
  std::size_t size = 0;  ///< bytes of a path before what is below it
  bool is_file = false;  ///< the root itself is the entry
};

/// Location of an entry by its path as written. Used by one thread.
class ListPosition final : public EntryPosition {
 public:
  /// `mounted` has the volumes of Task::mounted.
  ListPosition(const Task& task, const Boundaries& mounted, bool plain_paths, Opener& opener)
      : task_(task), mounted_(mounted), plain_paths_(plain_paths), opener_(opener) {}

  /// Moves to a path, which has a NUL after it and stays as it is until the next call, or `leave`.
  /// An entry of a Trash is reached at another place.
  void turn_to(std::string_view path, RecordedRoot found_below = {},
               const Trashed* trashed = nullptr);
  /// Closes the directory, and forgets its text.
  void leave();

  std::string_view name() const { return name_; }
  /// The rest of the path after the name: slashes, and dots between them.
  std::string_view slashes() const { return slashes_; }
  /// Depth of the entry: 0 for a root itself.
  std::uint32_t depth() const { return depth_; }
  /// Path of the directory below the root, without "." and doubled slashes.
  std::string_view below() const { return below_; }
  /// The beginning of the path, before below().
  std::string_view before() const { return directory_.substr(0, before_); }
  const RecordedRoot& recorded_root() const { return found_below_; }
  /// The entry, a link, counts as its target.
  void follow_link(bool follow) { followed_ = follow; }
  bool followed() const { return followed_; }
  /// Number of directories that were turned to.
  std::uint64_t directories() const { return directories_; }

  /// As place_of(), but a directory of few paths is not opened.
  EntryPlace quick_place();
  /// Id of the directory; false if it cannot be read.
  bool identify(os::FileId& id);

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry&) override { return nullptr; }
  const Boundary* volume_at(const Entry&) override;
  const Trashed* trashed(const Entry&) override { return trashed_; }
  const Root& root() const override { return *root_; }

 private:
  void turn_to_directory(std::string_view directory);
  int open();

  const Task& task_;
  const Boundaries& mounted_;
  const bool plain_paths_;
  Opener& opener_;

  RecordedRoot found_below_;
  std::size_t before_ = 0;
  const Root* root_ = nullptr;
  const Trashed* trashed_ = nullptr;
  std::string_view path_;
  std::string_view directory_;  ///< beginning of path_, with its last slash; or empty
  std::string_view name_;
  std::string_view slashes_;
  std::string_view below_;         ///< of directory_, or normal_
  std::string normal_;             ///< if directory_ is written in another way
  bool plain_ = true;              ///< below_ is a part of directory_
  std::uint32_t depth_ = 0;        ///< of the entry
  std::uint32_t names_above_ = 0;  ///< in below_
  bool followed_ = false;

  const Boundary* volume_ = nullptr;  ///< of the directory with the number volume_of_
  std::uint64_t volume_of_ = 0;
  std::string last_;  ///< text of directory_ when it was turned to
  std::uint64_t directories_ = 0;
  unsigned uses_ = 0;     ///< paths in a row in this directory
  os::Directory opened_;  ///< the directory, after some uses
  int error_ = 0;         ///< errno from opening it
  std::string shown_;     ///< directory as printed, if that differs
  std::string relative_;
  std::string absolute_;
};

/// EntryLoader for the entry of a record. Belongs to its thread.
class RecordLoader final : public EntryLoader {
 public:
  explicit RecordLoader(EntryPosition& position) : position_(position) {}

  RecordReader::Line read(std::string_view line, std::string_view path = {}) {
    return reader_.read(line, path);
  }
  const Record& record() const { return reader_.record(); }
  /// Sets all that the record says of the entry.
  void fill(Entry& entry);
  /// Returns what had to be loaded since the last call, and is not in the record.
  Needs take_missing() { return std::exchange(missing_, needs::none); }

  void load(Entry& entry, Needs wanted) override;

 private:
  EntryPosition& position_;
  RecordReader reader_;
  RecordedAccounts accounts_;
  Needs missing_ = needs::none;
};

/// The search of all lists.
class ListSearch {
 public:
  ListSearch(const Task& task, unsigned threads, SearchState& state, os::FileSystem& file_system,
             ListReader read);

  /// Blocks until the lists have ended or the search is stopped. The calling thread is the first
  /// worker.
  void run();

  /// Adds the counts of the workers that have ended. Thread-safe.
  void add_to(SearchResult& result) {
    const std::lock_guard lock(mutex_);
    result.statistics += statistics_;
  }

 private:
  friend class ListWorker;

  /// Lines of one list, each with a NUL after it.
  struct Batch {
    std::string text{};
    std::uint64_t number = 0;
    std::size_t list = 0;
    std::uint64_t number_of_first = 0;  ///< of the lines; 0 if they are sorted
  };
  /// Lines of a list that name nothing.
  struct Missing {
    std::uint64_t count = 0;
    std::uint64_t number = 0;  ///< of the first
    std::string path{};        ///< of the first
  };

  bool take(Batch& batch);
  void sort();
  const Root& root_at(std::string_view path);
  void note_unknown(const Batch& batch, std::uint64_t number, Needs unknown);
  void say_what_is_unknown();
  const Trashed* trashed(std::uint64_t number) const;
  void note_missing(const Batch& batch, std::uint64_t number, std::string_view path);
  void say_what_is_missing();
  void begin_trash();
  void work();
  bool wait_for_turn(std::uint64_t number);
  void end_turn();
  void leave_last();

  const Task& task_;
  const unsigned most_threads_;
  SearchState& state_;
  os::FileSystem& file_system_;
  const Boundaries mounted_;
  const bool of_records_;
  const bool in_order_;           ///< batches are emitted in the order of the list
  const std::size_t most_lines_;  ///< of a batch

  std::mutex reading_;  ///< guards what follows
  ListLines lines_;
  std::vector<std::uint64_t> lines_of_;  ///< each list, taken
  std::uint64_t batches_ = 0;

  std::mutex turning_;  ///< guards what follows
  std::condition_variable turned_;
  std::uint64_t turn_ = 0;

  WorkerThreads threads_;

  std::mutex mutex_;  ///< guards what follows
  Statistics statistics_;
  std::vector<Missing> missing_;                           ///< of each list
  std::map<std::string, const Root*, std::less<>> roots_;  ///< of records, by path
  /// Lists and lines of the first records without these.
  std::map<Needs, std::pair<std::size_t, std::uint64_t>> unknown_;

  // Belong to the worker whose turn it is:

  struct OpenDirectory {
    const Root* root;
    std::string path;  ///< below the root
    DirectoryToken token;
  };
  std::vector<OpenDirectory> open_;  ///< the root and the directories on the way
  EmittedSet emitted_;
};

}  // namespace ffind::search
