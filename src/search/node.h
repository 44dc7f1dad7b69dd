// SPDX-License-Identifier: MIT
// A directory of the walk, from the moment it is opened until nothing below it is pending. Made and
// freed by workers, shared through the frontier. Knows no entries.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

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

}  // namespace ffind::search
