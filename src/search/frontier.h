// SPDX-License-Identifier: MIT
// The frontier: directories that wait to be read. One mutex and a stack, shared by the workers of
// one walker. Knows nodes and names, no entries, no matcher.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "search/node.h"

namespace ffind::search {

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
