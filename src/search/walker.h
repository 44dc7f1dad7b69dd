// SPDX-License-Identifier: MIT
// The walker: searches one task, the roots on one volume, with several workers over one frontier.
// Made by run_search(); never crosses a volume boundary.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
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
#include "search/seen_sets.h"
#include "search/state.h"
#include "search/thread_limit.h"

namespace ffind::search {

class Walker {
 public:
  /// `directories` says what is in one, `file_system` all else. What is in `emitted`, if it is not
  /// null, is not emitted again.
  Walker(const Task& task, SearchState& state, os::FileSystem& file_system,
         os::DirectoryReaders& directories, std::size_t descriptors, const EmittedSet* emitted);

  /// Blocks until those roots of the task are walked or the search stopped; the caller is the first
  /// worker.
  void run(const std::vector<const Root*>& roots);

  /// What the workers that have ended counted and met. Thread-safe.
  void add_to(SearchResult& result);

 private:
  friend class Worker;

  /// Starts more workers when there is enough to do for them.
  void consider_more_workers(bool crowded_directory);
  bool consider_another_worker(bool crowded_directory);
  /// A worker tells what it did with its time, which may change how many there are to be.
  void report(const WorkTimes& times);
  bool is_enough(std::size_t pending, unsigned workers) const;
  void work();
  /// Keeps a root that is not what was planned, for as long as the walk.
  const Root& correct(Root root);

  const Task& task_;
  SearchState& state_;
  os::FileSystem& file_system_;
  os::DirectoryReaders& directories_;
  const Boundaries boundaries_;
  const EmittedSet* const emitted_;
  Frontier frontier_;
  ThreadLimit limit_;
  LeftOut left_out_;
  std::atomic<unsigned> workers_{1};

  std::mutex mutex_;  ///< guards what follows
  std::vector<std::thread> threads_;
  Statistics statistics_;
  std::deque<Root> corrected_;  ///< stay where they are
};

/// A root that is no directory, as it was seen once.
struct RootFile {
  FileType type = FileType::unknown;
  Metadata metadata{};
  Needs known = needs::none;
};

/// Belongs to its thread.
class RootOpener {
 public:
  RootOpener(SearchState& state, Opener& opener) : state_(state), opener_(opener) {}

  enum class Found : std::uint8_t { directory, file, nothing };
  /// Opens a directory, and looks at what is none; `error` says why there is nothing.
  Found open(const Root& root, os::Directory& opened, RootFile& file, int& error);

 private:
  bool look_at(const Root& root, RootFile& file);

  SearchState& state_;
  Opener& opener_;
};

/// What it cannot open it reports. Belongs to its thread; the directories that it opens are
/// Nodes.
class NodeOpener final : public os::DirectoryOpener {
 public:
  NodeOpener(const Scope& scope, Opener& opener, IssueReporter& issues, Frontier& frontier,
             LeftOut& left_out)
      : scope_(scope), opener_(opener), issues_(issues), frontier_(frontier), left_out_(left_out) {}

  /// Tries once: an unreadable directory costs one line, whatever is requested of it.
  int open(os::ListedDirectory& directory) override;

 private:
  int open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened);

  const Scope& scope_;
  Opener& opener_;
  IssueReporter& issues_;
  Frontier& frontier_;
  LeftOut& left_out_;
};

/// Belongs to its thread.
class WalkPosition final : public EntryPosition {
 public:
  WalkPosition(const Boundaries& boundaries, os::DirectoryReader& reader,
               os::DirectoryOpener& opener)
      : boundaries_(boundaries),
        has_boundaries_(!boundaries.empty()),
        reader_(reader),
        opener_(opener) {}
  ~WalkPosition() { Node::release(spelled_); }
  WalkPosition(const WalkPosition&) = delete;
  WalkPosition& operator=(const WalkPosition&) = delete;

  /// The entries that were read of it last.
  void turn_to(Node& node) {
    node_ = &node;
    root_ = &node.root();
    // A link may have led to another volume, or round what is mounted on this one.
    reader_knows_ = node.behind_link ? needs::none : reader_.knows();
  }
  void turn_to_file(const Root& root) {
    node_ = nullptr;
    root_ = &root;
  }
  /// The next entry, by its Dirent::inode.
  void turn_to_entry(std::uint64_t inode) {
    inode_ = inode;
    is_link_ = false;
  }
  /// The entry is a link, and counts as what it leads to.
  void follow_link() { is_link_ = true; }

  /// Null for a root that is a file.
  Node* node() const { return node_; }
  bool is_link() const { return is_link_; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override;
  std::string canonical_directory() override;
  const Root& root() const override { return *root_; }
  Needs metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) override;
  std::optional<bool> empty_at_hand() override;

 private:
  void spell_directory();
  const std::string& canonical_path(std::string_view name);

  const Boundaries& boundaries_;
  const bool has_boundaries_;
  os::DirectoryReader& reader_;
  os::DirectoryOpener& opener_;

  Node* node_ = nullptr;
  const Root* root_ = nullptr;
  std::uint64_t inode_ = 0;
  bool is_link_ = false;
  Needs reader_knows_ = needs::none;  ///< of the metadata of the present entries
  EntryPath path_;
  Node* spelled_ = nullptr;  ///< whose path path_ holds; kept alive, so that no other has its place
  std::string canonical_;
};

/// The directory that a worker is at, for the status line.
class WatchedPlace {
 public:
  ~WatchedPlace() { Node::release(node_); }
  /// Only the node: its path is spelled when somebody looks, ten times a second at most. The lock
  /// and the two references cost some 40 ns, which a directory of a local disk takes a hundredfold
  /// of.
  void set(Node* node) {
    node->add_reference();
    {
      const std::lock_guard lock(mutex_);
      std::swap(node_, node);
    }
    Node::release(node);
  }
  /// Of any thread.
  std::string path() {
    const std::lock_guard lock(mutex_);
    return node_ != nullptr ? node_->display_name() : std::string();
  }

 private:
  std::mutex mutex_;
  Node* node_ = nullptr;  ///< kept alive
};

/// Belongs to its thread.
class Worker final : public Progress::Source {
 public:
  explicit Worker(Walker& walker);

  /// Until the frontier has no more.
  void run();
  const Statistics& statistics() const { return counts_; }

  void add_counts(SearchProgress& sum) const override { counts_.add_to(sum); }
  std::string where() override { return place_.path(); }

 private:
  // The way of a directory
  void carry_out(Work& work);
  void report_times();
  void enter_root(Node* node);
  bool may_enter_root(Node& node);
  void enter(Node* parent, const Work& work);
  bool identify(Node& node);
  bool closes_a_loop(const Node& node);
  bool is_own_ancestor(const os::Dirent& dirent);
  void read(Node* node);
  void finish(Node* node, std::size_t uses = 1);

  // Shared with other workers
  bool hand_over(Node* node, bool more);
  void choose_room(const Node& node);
  bool enough_children() const;
  /// With `read_on` the node is read on when they have been taken.
  void push_children(Node* node, bool read_on = false);
  void share_children(Node* node);
  void give_back_run();
  bool is_slow() const;
  bool take_long();
  void share_block(Node* node);
  bool may_be_held_up() const;
  void leave_rest_to_others();
  void consider_share(Work& work);

  // The way of an entry
  void turn_to(Node& node);
  void offer_root_file(const Root& root, const RootFile& file);
  void consider_block(Node* node);
  void consider(const os::Dirent& dirent);
  bool is_covered_file();
  void follow();
  void note_bundle(const os::Dirent& dirent);
  bool is_listed();
  bool first_visit();
  bool was_emitted();
  void report_closed();
  void consider_entering(const os::Dirent& dirent);

  Walker& walker_;
  SearchState& state_;
  const Scope& scope_;
  Frontier& frontier_;
  const bool slow_volume_;
  const bool may_loop_;  ///< a directory can be its own ancestor: by a link, or as a server has it
  const bool asks_the_volume_;  ///< for more than the names of entries
  const Needs never_asked_;     ///< what is known of all entries: that none is marked as a bundle
  const bool asks_for_bundles_;

  Counts counts_;
  IssueReporter issues_;
  Opener opener_;
  RootOpener root_opener_;
  NodeOpener node_opener_;
  const std::unique_ptr<os::DirectoryReader> reader_;
  WalkPosition position_;
  EntryAccess access_;
  std::optional<IgnoreFilter> ignored_;  ///< none unless what git ignores is passed over
  OutputEnd output_;
  WatchedPlace place_;
  StallMeter meter_;
  Nanoseconds slept_ = 0;  ///< for want of work, or of a turn at the frontier

  os::DirentBlock block_;
  bool reads_parts_ = false;                   ///< of the directory, the rest of which is to wait
  Entry entry_;                                ///< the one that is looked at
  bool leads_elsewhere_ = false;               ///< it is a link to another volume
  bool closed_reported_ = false;               ///< it is a directory that cannot be read
  int own_entries_left_ = 1;                   ///< until it is looked how long they take
  std::uint64_t work_seen_ = 0;                ///< files read and commands asked by then
  std::uint64_t stats_seen_ = 0;               ///< entries that were asked for by then
  NameBatch children_;                         ///< of the directory that is being read
  std::vector<os::DirectoryHandle> expected_;  ///< of the children; kept for its memory
  Work* run_ = nullptr;                        ///< the names that are being entered
};

}  // namespace ffind::search
