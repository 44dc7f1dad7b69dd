// SPDX-License-Identifier: MIT
// Walks one task: the roots on one volume, with several workers over one frontier. Made by
// run_search(). A walk never crosses a volume boundary: a mounted volume is a task of its own.
//
//     roots ──▶ ┌────────────┐  pop   Worker, one per thread
//               │  Frontier  │ ─────▶   open    NodeOpener: a Node gets its descriptor
//               │            │          read    os::DirectoryReader: a block of entries at a time
//               │  stack of  │          match   each entry: IgnoreFilter, then the Matcher, which
//               │  Nodes and │                  loads what it needs with EntryAccess, which gets
//               │  names     │                  the entry's location from WalkPosition
//               │            │ ◀─────   emit    WorkerOutput, into the worker's own Lane
//               └────────────┘  push    enter   the names of child directories go to the frontier,
//                                               and, for idle workers, the rest of a directory or
//                                               a part of a block
//
// Shared by the workers of one walk:
//
//     Frontier       stack, allowance of workers and descriptors, under its mutex
//     Walker         threads and totals, under its mutex
//     ThreadLimit    the workers' times, under its mutex; decides how many threads there may be
//     LeftOut        boundaries that were met and not entered, under its mutex
//     Boundaries     immutable
//
// Shared by all searchers of one search: SearchState, with atomics and a mutex for its end. All
// else belongs to one worker and its thread, except for two things that the status line reads:
// CurrentDirectory, under its mutex, and the published Counts, which are atomics.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/searcher.h"
#include "os/directory_reader.h"
#include "search/boundaries.h"
#include "search/entry_access.h"
#include "search/entry_position.h"
#include "search/frontier.h"
#include "search/ignore.h"
#include "search/opener.h"
#include "search/path_position.h"
#include "search/search_thread.h"
#include "search/seen_sets.h"
#include "search/state.h"
#include "search/thread_limit.h"
#include "search/worker_threads.h"

namespace ffind::search {

class WalkPosition;

/// One walk: starts the workers, as many as the ThreadLimit allows and the pending directories
/// justify, and adds up their counts.
class Walker {
 public:
  /// `directories` lists directories, `file_system` does everything else. The frontier may keep
  /// `descriptors` open. Entries in `emitted`, if it is not null, are not emitted again.
  Walker(const Task& task, const ThreadBounds& threads, SearchState& state,
         os::FileSystem& file_system, os::DirectoryReaders& directories, std::size_t descriptors,
         const EmittedSet* emitted);

  /// Blocks until `roots`, which are the task's, are walked or the search is stopped. The calling
  /// thread is the first worker.
  void run(const std::vector<const Root*>& roots);

  /// Adds the counts of the workers that have ended, and the volumes left out. Thread-safe.
  void add_to(SearchResult& result);

 private:
  friend class Worker;

  /// Starts workers until there are enough for the pending directories. `crowded_directory`: an
  /// idle worker could also help with the directory being read.
  void consider_more_workers(bool crowded_directory);
  bool consider_another_worker(bool crowded_directory);
  /// Passes a worker's times to the thread limit and applies the new limit.
  void report(const WorkTimes& times);
  bool is_enough(std::size_t pending, unsigned workers) const;
  bool was_emitted(const WalkPosition& position, std::string_view name) const;
  void work();

  const Task& task_;
  SearchState& state_;
  os::FileSystem& file_system_;
  os::DirectoryReaders& directories_;
  const Boundaries boundaries_;
  const Boundaries mounted_;  ///< Task::mounted
  const EmittedSet* const emitted_;
  Frontier frontier_;
  ThreadLimit limit_;
  LeftOut left_out_;
  std::atomic<unsigned> workers_{1};

  WorkerThreads threads_;

  std::mutex mutex_;  ///< guards what follows
  Statistics statistics_;
};

/// Opens the directories of a walk, which are all Nodes, and reports those that it cannot open.
/// Belongs to its thread.
class NodeOpener final : public os::DirectoryOpener {
 public:
  NodeOpener(Reach& reach, Frontier& frontier, LeftOut& left_out)
      : reach_(reach),
        scope_(reach.state.matcher().scope()),
        frontier_(frontier),
        left_out_(left_out) {}

  /// Tries once per directory, so that an unreadable one is reported once, however often it is
  /// needed.
  int open(os::ListedDirectory& directory) override;

 private:
  int open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened);
  bool enters_mount(const Node& node);

  Reach& reach_;
  const Scope& scope_;
  Frontier& frontier_;
  LeftOut& left_out_;
};

/// Location of a worker's current entry: an entry of a Node, or a root that is a file. The path of
/// the directory is built when it is first needed. Belongs to its thread.
class WalkPosition final : public EntryPosition {
 public:
  /// `meets_mounts`: any entry may be a mount point.
  WalkPosition(const Boundaries& boundaries, const Boundaries& mounted, bool meets_mounts,
               os::DirectoryReader& reader, os::DirectoryOpener& opener)
      : boundaries_(boundaries),
        mounted_(mounted),
        meets_mounts_(meets_mounts),
        reader_(reader),
        opener_(opener) {}
  ~WalkPosition() { Node::release(spelled_); }
  WalkPosition(const WalkPosition&) = delete;
  WalkPosition& operator=(const WalkPosition&) = delete;

  /// Moves to `node`, whose entries were the last that the reader read.
  void turn_to(Node& node) {
    node_ = &node;
    root_ = &node.root();
    sidecar_calls_ = 0;
    volume_.reset();
    has_boundaries_ = !boundaries_.empty() && find_boundaries();
    // A link may have led to another volume, or bypassed a mount point of this one.
    const bool certain = !node.behind_link && !node.elsewhere && !meets_mounts_;
    reader_knows_ = certain ? reader_.knows() : needs::none;
  }
  /// Moves to a root that is not a directory.
  void turn_to_file(const Root& root, bool is_listed_root) {
    node_ = nullptr;
    has_boundaries_ = false;
    root_ = &root;
    is_listed_root_ = is_listed_root;
  }
  /// Moves to the next entry; `inode` is its Dirent::inode.
  void turn_to_entry(std::uint64_t inode) {
    inode_ = inode;
    is_link_ = false;
  }
  /// Makes the current entry, a link, stand for its target.
  void follow_link() { is_link_ = true; }

  /// Directory of the entry; null for a root that is a file.
  Node* node() const { return node_; }
  bool is_link() const { return is_link_; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override {
    return has_boundaries_ ? boundary_named(entry.name) : nullptr;
  }
  const Boundary* volume_at(const Entry& entry) override;
  const Root& root() const override { return *root_; }
  Needs metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) override;
  std::optional<bool> empty_at_hand() override;
  std::optional<bool> has_sidecars() override;
  void set_sidecars(bool some) override {
    node_->sidecars = some ? SidecarNames::some : SidecarNames::none;
  }

 private:
  void spell_directory();
  bool find_boundaries();
  const Boundary* boundary_named(std::string_view name);

  const Boundaries& boundaries_;
  const Boundaries& mounted_;
  const bool meets_mounts_;
  os::DirectoryReader& reader_;
  os::DirectoryOpener& opener_;

  Node* node_ = nullptr;
  const Root* root_ = nullptr;
  std::uint64_t inode_ = 0;
  bool is_listed_root_ = false;  ///< its path below itself is empty
  bool is_link_ = false;
  bool has_boundaries_ = false;              ///< in this directory
  std::optional<const Boundary*> volume_{};  ///< of this directory, once it was needed
  int sidecar_calls_ = 0;                    ///< of has_sidecars() in this directory
  Needs reader_knows_ = needs::none;         ///< about the metadata of the current entries
  EntryPath path_;
  Node* spelled_ = nullptr;  ///< has its path in path_; referenced, so not reused
  std::string canonical_;
};

/// Directory that a worker is reading, for the status line. Set by the worker, read by any thread.
class CurrentDirectory {
 public:
  ~CurrentDirectory() { Node::release(node_); }
  /// Stores only the node: the status line spells the path, at most ten times a second. The lock
  /// and the two references cost some 40 ns; a directory of a local disk takes a hundred times
  /// that.
  void set(Node* node) {
    node->add_reference();
    {
      const std::lock_guard lock(mutex_);
      std::swap(node_, node);
    }
    Node::release(node);
  }
  /// Thread-safe; empty before the first directory.
  std::string path() {
    const std::lock_guard lock(mutex_);
    return node_ != nullptr ? node_->display_name() : std::string();
  }

 private:
  std::mutex mutex_;
  Node* node_ = nullptr;  ///< referenced
};

/// One thread of a walk. Takes work from the frontier, reads directories, matches their entries,
/// emits the matches, and pushes the directories to enter. Shares the rest of its work when other
/// workers are idle. Belongs to its thread.
class Worker final : public SearchThread {
 public:
  explicit Worker(Walker& walker);

  /// Works until the frontier is exhausted or the search is stopped.
  void run();

  std::string where() override { return current_directory_.path(); }

 private:
  // Reading a directory: opened, read block by block, paused or shared, closed
  void carry_out(Work& work);
  void report_times();
  void enter_root(Node* node);
  bool offer_listed_root(const Root& root);
  bool may_enter_root(Node& node);
  void enter(Node* parent, const Work& work);
  bool identify(Node& node);
  bool is_of_another_device(const Node& node) const;
  bool closes_a_loop(const Node& node);
  const Node* same_above(const os::Dirent& dirent);
  void read(Node* node);
  void look_for_sidecars(Node& node);
  void finish(Node* node, std::size_t uses = 1);

  // Sharing work with other workers
  bool hand_over(Node* node, bool more);
  void choose_room(const Node& node);
  bool enough_children() const;
  /// With `read_on`, reading of the node resumes after its children have been taken.
  void push_children(Node* node, bool read_on = false);
  void share_children(Node* node);
  void give_back_run();
  bool is_slow() const;
  bool take_long();
  void share_block(Node* node);
  bool may_be_held_up() const;
  void leave_rest_to_others();
  void consider_share(Work& work);

  // Matching an entry
  void turn_to(Node& node);
  void offer_root_file(const Root& root, const RootFile& file);
  bool offer_root_directory(const Root& root, const RootFile& file);
  void offer_root(const Root& root, const os::Dirent& dirent, bool via_link);
  void consider_block(Node* node);
  void consider(const os::Dirent& dirent, bool via_link = false);
  bool is_covered_file();
  void follow();
  void note_bundle(const os::Dirent& dirent);
  bool is_listed();
  bool first_visit();
  void report_closed();
  bool consider_entering(const os::Dirent& dirent);

  Walker& walker_;
  Frontier& frontier_;
  const bool slow_volume_;
  const bool may_loop_;         ///< by a link, or because a server lists a directory in itself
  const bool passes_mounts_;    ///< enters other volumes
  const bool calls_per_entry_;  ///< entries may take calls of their own
  const bool reads_attributes_;
  const bool has_near_misses_;
  const Needs root_needs_;  ///< of a root that is an entry itself
  const bool follows_directories_;  ///< the sink does
  const Needs known_of_all_;        ///< no entry is a bundle on systems without the mark
  const bool needs_bundles_;

  NodeOpener node_opener_;
  const std::unique_ptr<os::DirectoryReader> reader_;
  WalkPosition position_;
  EntryAccess access_;
  std::optional<IgnoreFilter> ignored_;  ///< only if the scope has ignore rules
  Frontier::Caller caller_;              ///< has the output if lines have an order
  CurrentDirectory current_directory_;
  StallMeter meter_;

  os::DirentBlock block_;
  bool reads_parts_ = false;                   ///< pause after a part: much is pending already
  bool leads_elsewhere_ = false;               ///< the entry is a link to another volume
  bool closed_reported_ = false;               ///< the entry is an unreadable directory, reported
  int own_entries_left_ = 1;                   ///< until the next timing check
  std::uint64_t work_seen_ = 0;                ///< files read and commands run at the last check
  std::uint64_t stats_seen_ = 0;               ///< entries queried at the last check
  NameBatch children_;                         ///< of the current directory, not yet pushed
  std::vector<os::DirectoryHandle> expected_;  ///< handles of the children; member for its capacity
  Work* run_ = nullptr;                        ///< names being entered; null during other work
};

}  // namespace ffind::search
