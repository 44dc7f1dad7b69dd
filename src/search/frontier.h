// SPDX-License-Identifier: MIT
// Stack of directories waiting to be read, shared by the workers of one walk under one mutex. A
// Node is one directory, from the moment it is entered until no path below it can be needed;
// directories that were only listed are names in a NameBatch. Work is what a worker takes from the
// Frontier. Knows nodes and names, no entries and no matcher.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"
#include "ffind/searcher.h"
#include "os/directory_reader.h"
#include "search/ignore.h"
#include "search/state.h"

namespace ffind::search {

/// Knowledge about the names in a directory that begin with "._", as those of AppleDouble files do.
enum class SidecarNames : std::uint8_t { unknown, none, some };

/// One directory of a walk: its name, its descriptor while it is open, and its ignore rules. Two
/// counts decide its life, and each falls to zero exactly once:
///
///     uses   threads at work with the descriptor, plus items of the frontier that will need it:
///            at zero the descriptor is closed
///     refs   child nodes, which need the name to build their paths, plus one for all uses
///            together: at zero the node is freed
///
/// `uses` holds active threads in its lower and frontier items in its upper half, so that taking an
/// item (one item less, one thread more) is a single step and never passes through zero.
class Node final : public os::ListedDirectory {
 public:
  static constexpr std::uint64_t one_active = 1;
  static constexpr std::uint64_t one_item = std::uint64_t{1} << 32;

  /// Created with one active thread, the caller. Keeps a reference to `parent` (null for a root).
  static Node* make(Node* parent, const Root& root, std::string_view name, std::uint32_t depth);

  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  Node* parent() const { return parent_; }
  const Root& root() const { return *root_; }
  /// Empty for a root.
  std::string_view name() const { return {name_, name_length_}; }
  const char* c_name() const { return name_; }
  std::uint32_t depth() const { return depth_; }

  void add_uses(std::uint64_t uses) { uses_.fetch_add(uses, std::memory_order_relaxed); }
  /// Turns an active thread into an item, and an item into an active thread.
  void item_from_active() { uses_.fetch_add(one_item - one_active, std::memory_order_relaxed); }
  void item_to_active() { uses_.fetch_sub(one_item - one_active, std::memory_order_relaxed); }
  /// Returns true for the last use: the caller then closes the descriptor and drops the reference.
  bool drop_uses(std::uint64_t uses) {
    return uses_.fetch_sub(uses, std::memory_order_acq_rel) == uses;
  }
  /// Threads at work with it. Cannot grow while the frontier's mutex is held, since items become
  /// threads under it.
  std::uint64_t active() const { return uses_.load(std::memory_order_acquire) & (one_item - 1); }

  void add_reference() { refs_.fetch_add(1, std::memory_order_relaxed); }
  /// Drops one reference, and those to parents that fall to zero with it.
  static void release(Node* node);

  /// The node of the root.
  const Node& top() const {
    const Node* node = this;
    while (node->parent_ != nullptr) node = node->parent_;
    return *node;
  }
  /// Appends the path relative to the root, without slashes at its ends; empty for a root.
  void append_relative_path(std::string& path) const;
  /// Path as printed, with a slash at its end like Root::printed.
  std::string printed_path() const;
  /// Path for messages: no slash at its end, "." for the current directory.
  std::string display_name() const;
  /// Sets `path` to the canonical path, with a slash at its end.
  void spell_canonical(std::string& path) const;

  /// Items that will continue in the open directory; guarded by the frontier's mutex.
  std::uint32_t half_read = 0;
  os::FileId id;        ///< of a root; of others only if links are followed
  int open_error = 0;   ///< from opening it; reported
  IgnoreChains ignore;  ///< rules for its entries; empty without ignore files
  bool seen = false;    ///< its first block was read, so that `ignore` is set
  std::atomic<SidecarNames> sidecars{SidecarNames::unknown};
  bool is_whole = false;      ///< everything in it is emitted; set by its maker
  bool behind_link = false;   ///< a link was followed on the way to it; set by its maker
  bool begun = false;         ///< a block of it was matched; set by its reader, as is has_children
  bool reported = false;      ///< reported as unreadable before
  bool has_children = false;  ///< some of its entries so far are to be entered
  DirectoryToken token = 0;   ///< of the sink, if that follows directories
  Sink* follower = nullptr;   ///< the sink; is told when the node is freed

 private:
  Node(Node* parent, const Root& root, std::uint32_t depth)
      : parent_(parent), root_(&root), depth_(depth) {
    above = parent;
  }

  Node* parent_;
  const Root* root_;
  std::atomic<std::uint64_t> uses_{one_active};
  std::atomic<std::uint32_t> refs_{1};
  std::uint32_t depth_;
  std::uint32_t name_length_ = 0;
  char name_[1];  // with a NUL; extends past the object: one allocation per directory
};

/// Names of directories in one parent, packed in one string: per name a byte of flags, the
/// directory's handle if its reader gave one, its own space if a lane has set that, the name and a
/// NUL.
class NameBatch {
 public:
  static constexpr char via_link = 1;
  static constexpr char has_handle = 2;
  static constexpr char reported = 8;  ///< it is unreadable, and that was reported
  static constexpr char has_space = 16;

  /// `about`: a combination of `via_link` and `reported`.
  void add(std::string_view name, char about, const os::DirectoryHandle& handle = {},
           const std::optional<OwnSpace>& space = {}) {
    const std::size_t size = handle.packed_size();
    const int flags = about | (size > 0 ? has_handle : 0) | (space ? has_space : 0);
    bytes_.push_back(static_cast<char>(flags));
    handle.pack(bytes_);
    if (space) bytes_.append(reinterpret_cast<const char*>(&*space), sizeof *space);
    bytes_.append(name);
    bytes_.push_back('\0');
    ++count_;
  }
  /// Sorts by handle, names without one first: the best known approximation to their order on the
  /// volume.
  void sort();
  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  void clear() {
    constexpr std::size_t worth_keeping = std::size_t{64} * 1024;
    if (bytes_.capacity() > worth_keeping) std::string().swap(bytes_);
    bytes_.clear();
    count_ = 0;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::size_t count_ = 0;
};

/// A worker's next step. The worker counts as an active thread of `node`; with `enter`, once for
/// each name.
struct Work {
  enum class Kind : std::uint8_t {
    nothing,   ///< the walk is over
    root,      ///< open the root itself
    enter,     ///< open the directories called `names` in `node`
    resume,    ///< read on in `node`
    consider,  ///< match the entries of `node` whose records are in `names`
  };
  Kind kind = Kind::nothing;
  Node* node = nullptr;
  std::string names{};  ///< packed as in a NameBatch; with `consider` as in a DirentBlock
  std::size_t position = 0;
  LineMark lines{};  ///< of the worker that pushed it

  /// Sets the members below from the next of `names`; false after the last.
  bool next_name();
  bool via_link = false;
  bool reported = false;
  std::string name{};
  std::optional<OwnSpace> space{};
  os::DirectoryHandle handle{};  ///< of the last name; kept during other work
};

/// Stack of the work of all workers of a walk. Thread-safe. Last in, first out, except near the
/// top: a million pending directories cost 3 MiB that way and 111 MiB in the order of their
/// discovery. Descriptors of waiting directories are kept open while `descriptors` allows, so that
/// their children can be opened relative to them; beyond that, those that wait longest are closed
/// first, and their children are opened by path.
///
/// If a directory's line has to come before those of what is in it, an item carries a mark of the
/// lines that its pusher had emitted: pop() has them written before another worker gets the item.
/// That costs a write of few lines, so a worker prefers its own items and those whose lines are
/// written, or else takes the oldest item, at the bottom.
///
///        push ──▶ ┌───────────────────────────┐ ◀── pop (sleeps while others are still at work)
///                 │ c1 c2 c3 … of node d      │
///                 │ rest of node d (resume)   │
///                 │ b4 b5 … of node b         │
///                 └───────────────────────────┘ ◀── evict closes descriptors from this end
class Frontier {
 public:
  /// With `spreads`, workers are sent to different directories while little is pending: most FUSE
  /// volumes look up the names of one directory one after the other.
  explicit Frontier(std::size_t descriptors, bool spreads = false);
  ~Frontier();

  /// The worker that calls.
  struct Caller {
    Nanoseconds slept = 0;  ///< time spent in here, waiting for other workers, not for the volume
    std::shared_ptr<WorkerOutput> output{};  ///< null if the order of lines is free
  };

  void push_root(Node* node);
  /// Adds a root that is pushed when all work before it is done and its lines are written.
  void queue_root(Node* node);
  /// The caller must be an active thread of `node`. With `read_on` the rest of the directory is
  /// pushed below its children, in the same step: a worker that found the rest alone would read on,
  /// and so would the next, until all of a huge directory was pending.
  void push_children(Node* node, const NameBatch& names, bool read_on, Caller& caller);
  /// Pushes the rest of an open directory.
  void push_resume(Node* node, Caller& caller);
  /// Pushes `records`, a part of a block that was read from `node`, which must be open.
  void push_entries(Node* node, std::string records, Caller& caller);
  /// Pushes the remaining names of `work` again and returns their number: the caller is still an
  /// active thread for each of them.
  std::size_t give_back(Work& work, Caller& caller);

  /// Sleeps until there is work for the caller, or until there can be no more. The caller counts as
  /// idle meanwhile.
  void pop(Work& work, Caller& caller);
  /// Limits the workers that have work at once to `workers`, at least 1; the others sleep in `pop`.
  void allow(unsigned workers);
  /// Wakes all workers; pop returns Kind::nothing from now on.
  void stop();

  /// True if workers sleep in pop for lack of work; a hint, read without the mutex.
  bool someone_waits() const { return waiting_.load(std::memory_order_relaxed) > 0; }
  bool has_work() const { return pending() > 0; }
  /// Number of waiting directories; a hint.
  std::size_t pending() const { return pending_.load(std::memory_order_relaxed); }
  /// Memory of the waiting items, in bytes; a hint.
  std::size_t pending_bytes() const { return pending_bytes_.load(std::memory_order_relaxed); }
  /// Pending bytes from which memory counts for more than speed. Real trees come to some 100 KiB.
  static constexpr std::size_t much_pending = std::size_t{1024} * 1024;
  bool is_full() const { return pending_bytes() >= much_pending; }
  /// Counts a new worker as active; called before its first pop, by the thread that starts it.
  void add_worker();
  /// Reverts add_worker() if the thread could not be started.
  void remove_worker();

  void descriptor_opened() { open_.fetch_add(1, std::memory_order_relaxed); }
  void descriptor_closed() { open_.fetch_sub(1, std::memory_order_relaxed); }
  bool descriptors_short() const {
    return open_.load(std::memory_order_relaxed) >= descriptors_.load(std::memory_order_relaxed);
  }
  /// Returns true if one more directory may wait half-read, with its descriptor. If they are short,
  /// closes those that can be reopened and raises the process's limit.
  bool has_descriptor();
  /// Closes every descriptor that only waiting items need; called when the process has no more.
  void evict_all();

 private:
  struct Item {
    Node* node = nullptr;
    Work::Kind kind = Work::Kind::nothing;
    std::string names{};
    std::size_t position = 0;
    LineMark lines{};

    std::size_t bytes() const { return sizeof(Item) + names.size(); }
  };

  void put_on_top(Item item);
  void push(Item item, std::size_t count, Caller& caller, bool read_on = false);
  void wait_for_work(std::unique_lock<std::mutex>& lock);
  void start_queued_root();
  void take(Work& work, const Caller& caller);
  static os::DirectoryHandle handle_of_next(const Item& item);
  std::size_t next_place(const os::DirectoryHandle& last, const Caller& caller) const;
  template <typename Cost>
  std::size_t best_near_top(std::size_t count, Cost cost) const;
  std::size_t take_names(Item& top, Work& work);
  void evict(std::size_t down_to);

  std::mutex mutex_;
  std::condition_variable changed_;    ///< work was pushed, or the walk is over
  std::condition_variable allowance_;  ///< `allowed_` changed
  std::vector<Item> stack_;
  std::deque<Node*> queued_roots_;  ///< each one an item
  std::size_t evicted_below_ = 0;   ///< items below this index have no descriptor to close
  std::size_t active_ = 0;
  std::size_t allowed_ = std::numeric_limits<std::size_t>::max();
  bool stopped_ = false;
  std::atomic<std::size_t> waiting_{0};
  std::atomic<std::size_t> pending_{0};
  std::atomic<std::size_t> pending_bytes_{0};
  std::atomic<std::size_t> open_{0};
  std::atomic<std::size_t> descriptors_;  ///< changed under the mutex
  const bool spreads_;
};

}  // namespace ffind::search
