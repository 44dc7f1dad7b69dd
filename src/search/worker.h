// SPDX-License-Identifier: MIT
// One thread of a walker: takes directories from the frontier, lists them, has their entries judged
// in place and emits what matches. Made of parts that know nothing of it: what lists, where an
// entry lies, what is read of it, what is ignored, where matches go. Made by Walker.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "search/entry_access.h"
#include "search/ignore_filter.h"
#include "search/node_opener.h"
#include "search/output_end.h"
#include "search/stall_meter.h"
#include "search/walk_position.h"
#include "search/walker.h"

namespace ffind::search {

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
