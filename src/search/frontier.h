// SPDX-License-Identifier: MIT
// The frontier: directories that wait to be read. One mutex and a stack, shared by the workers of
// one walker. Knows nodes and names, no entries, no matcher.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"
#include "os/directory_reader.h"
#include "search/ignore.h"

namespace ffind::search {

/// Two counts decide a node's life, and each falls to zero exactly once:
///
///     uses   threads at work with the descriptor, plus items of the frontier that will need it:
///            at zero the descriptor is closed
///     refs   child nodes, which need the name to spell their paths, plus one for all uses
///            together: at zero the node is freed
///
/// `uses` holds active threads in its lower and frontier items in its upper half, so that taking an
/// item (one item less, one thread more) is a single step and never passes through zero.
class Node final : public os::ListedDirectory {
 public:
  static constexpr std::uint64_t one_active = 1;
  static constexpr std::uint64_t one_item = std::uint64_t{1} << 32;

  /// Starts with one active thread, its maker. Holds `parent` (null for a root) by a reference.
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
  /// An active thread becomes an item, and an item an active thread.
  void item_from_active() { uses_.fetch_add(one_item - one_active, std::memory_order_relaxed); }
  void item_to_active() { uses_.fetch_sub(one_item - one_active, std::memory_order_relaxed); }
  /// True when that was the last one: the caller closes the descriptor and drops the reference.
  bool drop_uses(std::uint64_t uses) {
    return uses_.fetch_sub(uses, std::memory_order_acq_rel) == uses;
  }
  /// Threads at work with it. Under the frontier's mutex, where items are turned into threads, it
  /// does not grow.
  std::uint64_t active() const { return uses_.load(std::memory_order_acquire) & (one_item - 1); }

  void add_reference() { refs_.fetch_add(1, std::memory_order_relaxed); }
  /// Drops one reference, and in turn the parents' that fall to zero with it.
  static void release(Node* node);

  /// Appends the path below the root, without slashes at its ends; nothing for a root.
  void append_relative_path(std::string& path) const;
  /// As it is printed, with a slash at its end like Root::printed.
  std::string printed_path() const;
  /// For messages: no slash at its end, and the current directory has a name.
  std::string display_name() const;
  /// Without links, with a slash at its end; `path` is replaced.
  void spell_canonical(std::string& path) const;

  /// Items that wait to go on in the open directory; guarded by the frontier's mutex.
  std::uint32_t half_read = 0;
  os::FileId id;              ///< of a root; of others only where the scope follows links
  int open_error = 0;         ///< why it could not be opened; that was reported
  IgnoreChains ignore;        ///< rules for its entries; empty without ignore files
  bool ignore_known = false;  ///< that was found out; set by who reads it first
  bool behind_link = false;   ///< a link was followed on the way to it; set by its maker
  bool begun = false;         ///< a block of it was looked at; set by who reads it, as the next
  bool reported = false;      ///< that it cannot be read was reported before
  bool has_children = false;  ///< some of what was read of it is to be entered

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
  char name_[1];  // with a NUL; goes on behind the object: one allocation a directory
};

/// Names of directories below one parent, packed: a byte of flags, the directory's handle if its
/// reader gave one, the name, a NUL each.
class NameBatch {
 public:
  static constexpr char via_link = 1;
  static constexpr char has_handle = 2;
  static constexpr char long_handle = 4;  ///< it takes more than 8 bytes
  static constexpr char reported = 8;     ///< it cannot be opened or read, and that was reported

  /// `about`: of `via_link` and `reported`.
  void add(std::string_view name, char about, const os::DirectoryHandle& handle = {}) {
    const std::size_t size = handle.packed_size();
    const int flags = about | (size > 0 ? has_handle : 0) | (size > 8 ? long_handle : 0);
    bytes_.push_back(static_cast<char>(flags));
    handle.pack(bytes_);
    bytes_.append(name);
    bytes_.push_back('\0');
    ++count_;
  }
  /// By handle, those that have none first: as near to the order in which they lie on the volume as
  /// can be known.
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

/// What a worker is to do next. It is counted as an active thread of `node`, with `enter` once for
/// each name.
struct Work {
  enum class Kind : std::uint8_t {
    nothing,   ///< the walk is over
    root,      ///< open the root itself
    enter,     ///< open the directories called `names` in `node`
    resume,    ///< read on in `node`
    consider,  ///< look at the entries of `node` whose records are in `names`
  };
  Kind kind = Kind::nothing;
  Node* node = nullptr;
  std::string names{};  ///< packed as in a NameBatch; with `consider` as in a DirentBlock
  std::size_t position = 0;

  /// Sets what follows to the next of `names`; false when there is none.
  bool next_name();
  bool via_link = false;
  bool reported = false;
  std::string name{};
  os::DirectoryHandle handle{};  ///< of the last name; other work leaves it as it is
};

/// Thread-safe. Last in, first out, except near the top: a million pending directories cost 3 MiB
/// that way and 111 MiB in the order of their discovery. Descriptors of waiting directories are
/// kept for opening their children by, as long as `descriptors` lasts; then the ones that wait
/// longest are closed first, and their children are opened by path.
///
///        push ──▶ ┌───────────────────────────┐ ◀── pop (sleeps while others are still at work)
///                 │ c1 c2 c3 … of node d      │
///                 │ rest of node d (resume)   │
///                 │ b4 b5 … of node b         │
///                 └───────────────────────────┘ ◀── evict closes descriptors from this end
class Frontier {
 public:
  /// With `spreads` workers are sent to different directories while little waits: in each directory
  /// of most FUSE volumes names are looked up one after the other.
  Frontier(std::size_t descriptors, os::FileSystem& file_system, bool spreads = false);
  ~Frontier();

  // Where there is a `slept`, the time that the caller slept in here is added to it: it waited for
  // other workers, not for the volume.

  void push_root(Node* node);
  /// `node` must be held by the caller as an active thread. With `read_on` the rest of it waits
  /// below its children, from the same moment: a worker that found the rest alone would read on,
  /// and so would the next, until all of a huge directory was pending.
  void push_children(Node* node, const NameBatch& names, bool read_on, Nanoseconds& slept);
  void push_resume(Node* node, Nanoseconds& slept);
  /// `records` are a part of a block that `node`, which must be open, was read into.
  void push_entries(Node* node, std::string records, Nanoseconds& slept);
  /// What is left of the names in `work` waits again, on top. Returns how many: the caller is still
  /// counted for them.
  std::size_t give_back(Work& work, Nanoseconds& slept);

  /// Sleeps until there is work that the caller may do, or none can come any more. The caller
  /// counts as idle meanwhile.
  void pop(Work& work, Nanoseconds& slept);
  /// At least 1: no more workers than that get work at one time; the others sleep in `pop`.
  void allow(unsigned workers);
  /// Ends the sleep of all; pop gives nothing from now on.
  void stop();

  /// Workers that sleep in pop for want of work; a hint, read without the mutex.
  bool someone_waits() const { return waiting_.load(std::memory_order_relaxed) > 0; }
  bool has_work() const { return pending() > 0; }
  /// Directories that wait; a hint.
  std::size_t pending() const { return pending_.load(std::memory_order_relaxed); }
  /// What they take of memory, in bytes; a hint.
  std::size_t pending_bytes() const { return pending_bytes_.load(std::memory_order_relaxed); }
  /// So much that memory counts for more than speed. Trees that people have come to some 100 KiB.
  static constexpr std::size_t much_pending = std::size_t{1024} * 1024;
  bool is_full() const { return pending_bytes() >= much_pending; }
  /// To be called before a new worker's first pop, by the one who starts it.
  void add_worker();
  /// Takes that back when the worker could not be started.
  void remove_worker();

  void descriptor_opened() { open_.fetch_add(1, std::memory_order_relaxed); }
  void descriptor_closed() { open_.fetch_sub(1, std::memory_order_relaxed); }
  bool descriptors_short() const {
    return open_.load(std::memory_order_relaxed) >= descriptors_.load(std::memory_order_relaxed);
  }
  /// Whether one more directory may wait half-read, with its descriptor: closes what can be
  /// reopened, and has the system allow more, if they are short.
  bool has_descriptor();
  /// Closes every descriptor that only waiting items hold; for when the process has no more.
  void evict_all();

 private:
  struct Item {
    Node* node = nullptr;
    Work::Kind kind = Work::Kind::nothing;
    std::string names{};
    std::size_t position = 0;

    std::size_t bytes() const { return sizeof(Item) + names.size(); }
  };

  void put_on_top(Item item);
  void push(Item item, std::size_t count, Nanoseconds& slept, bool read_on = false);
  void wait_for_work(std::unique_lock<std::mutex>& lock);
  void take(Work& work);
  static os::DirectoryHandle handle_of_next(const Item& item);
  std::size_t next_place(const os::DirectoryHandle& last) const;
  template <typename Cost>
  std::size_t best_near_top(std::size_t count, Cost cost) const;
  std::size_t take_names(Item& top, Work& work);
  void evict(std::size_t down_to);

  std::mutex mutex_;
  std::condition_variable changed_;    ///< there is work, or there is none any more
  std::condition_variable allowance_;  ///< that of workers
  std::vector<Item> stack_;
  std::size_t evicted_below_ = 0;  ///< items below this index hold no descriptor that could close
  std::size_t active_ = 0;
  std::size_t allowed_ = std::numeric_limits<std::size_t>::max();
  bool stopped_ = false;
  std::atomic<std::size_t> waiting_{0};
  std::atomic<std::size_t> pending_{0};
  std::atomic<std::size_t> pending_bytes_{0};
  std::atomic<std::size_t> open_{0};
  std::atomic<std::size_t> descriptors_;  ///< changed under the mutex
  const bool spreads_;
  os::FileSystem& file_system_;
};

}  // namespace ffind::search
