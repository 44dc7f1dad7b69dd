// SPDX-License-Identifier: MIT
// Every change of the stack is made under the mutex; notifying is done after it is released. take()
// chooses the item and turns it into an active thread, wait_for_work() sleeps for lack of work or
// of allowance, evict() closes descriptors from the bottom of the stack. Nodes are freed in
// Node::release().
//
// Names wait packed in one string, so that a pending directory costs its name and two bytes. A
// record of a NameBatch, an Item and a Work:
//
//     flags    1 byte: via_link, has_handle, reported, has_space
//     handle   0 or 8 bytes, or all words of a long one; unaligned
//     space    0 bytes or an OwnSpace; unaligned
//     name     and a NUL
//
// The uses of a node follow its items. An item is one use, from push to the end of its last name. A
// name that is taken becomes an active thread, whose finish() ends it:
//
//     item of 3 names    one_item
//     take 1 name        one_item + 1 active
//     take 2 names       3 active, if the first is still at work; the item is used up
#include "search/frontier.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "os/machine.h"

namespace ffind::search {

namespace {

/// The mutex is held for some 50 ns, sleeping on it costs 5 us: spin for about as long before
/// sleeping. A walk of 51,000 directories by two threads slept 4,000 times without, 90 times with
/// spinning, and took a tenth less.
std::unique_lock<std::mutex> lock_soon(std::mutex& mutex, Nanoseconds& slept) {
  constexpr int tries = 200;
  for (int attempt = 0; attempt < tries; ++attempt) {
    std::unique_lock lock(mutex, std::try_to_lock);
    if (lock.owns_lock()) return lock;
    os::spin_pause();
  }
  const Nanoseconds begin = os::monotonic_now();
  std::unique_lock lock(mutex);
  slept += os::monotonic_now() - begin;
  return lock;
}

/// Bytes of the handle in a record with these flags.
std::size_t handle_size(char flags) {
  return (flags & NameBatch::has_handle) != 0 ? sizeof(os::DirectoryHandle) : 0;
}

/// Returns the offset of the name in the record at `at`.
std::size_t name_at(const std::string& bytes, std::size_t at) {
  const bool has_space = (bytes[at] & NameBatch::has_space) != 0;
  return at + 1 + handle_size(bytes[at]) + (has_space ? sizeof(OwnSpace) : 0);
}

/// True for work that continues in an open directory, at the descriptor's position.
bool goes_on(Work::Kind kind) {
  return kind == Work::Kind::resume || kind == Work::Kind::consider;
}

bool looks_names_up(Work::Kind kind) {
  return kind == Work::Kind::enter || kind == Work::Kind::consider;
}

/// Bytes of the record at `at`, with the NUL of its name.
std::size_t record_size(const std::string& bytes, std::size_t at) {
  return bytes.find('\0', name_at(bytes, at)) + 1 - at;
}

os::DirectoryHandle handle_at(const std::string& bytes, std::size_t at) {
  return os::DirectoryHandle::unpack(bytes.data() + at + 1, handle_size(bytes[at]));
}

}  // namespace

os::DirectoryHandle Frontier::handle_of_next(const Item& item) {
  return item.kind == Work::Kind::enter ? handle_at(item.names, item.position)
                                        : os::DirectoryHandle();
}

bool Work::next_name() {
  if (position >= names.size()) return false;
  const std::size_t begin = name_at(names, position);
  const std::size_t end = position + record_size(names, position);
  via_link = (names[position] & NameBatch::via_link) != 0;
  reported = (names[position] & NameBatch::reported) != 0;
  handle = handle_at(names, position);
  space.reset();
  if ((names[position] & NameBatch::has_space) != 0) {
    std::memcpy(&space.emplace(), names.data() + begin - sizeof(OwnSpace), sizeof(OwnSpace));
  }
  name.assign(names, begin, end - 1 - begin);
  position = end;
  return true;
}

void NameBatch::sort() {
  struct Place {
    os::DirectoryHandle handle;
    std::size_t begin;
    bool operator<(const Place& other) const { return lies_before(handle, other.handle); }
  };
  std::vector<Place> places;
  places.reserve(count_);
  for (std::size_t at = 0; at < bytes_.size(); at += record_size(bytes_, at)) {
    places.push_back({handle_at(bytes_, at), at});
  }
  // Most directories are small or listed in that order already.
  if (std::is_sorted(places.begin(), places.end())) return;
  std::sort(places.begin(), places.end());
  std::string sorted;
  sorted.reserve(bytes_.size());
  for (const Place& place : places) {
    sorted.append(bytes_, place.begin, record_size(bytes_, place.begin));
  }
  bytes_.swap(sorted);
}

Frontier::Frontier(std::size_t descriptors, bool spreads)
    : descriptors_(descriptors), spreads_(spreads) {}

Frontier::~Frontier() {
  const auto drop = [](Node* node) {
    if (!node->drop_uses(Node::one_item)) return;
    node->directory.close();
    Node::release(node);
  };
  // Items are left if the search was stopped.
  for (const Item& item : stack_) drop(item.node);
  for (Node* const root : queued_roots_) drop(root);
}

void Frontier::push_root(Node* node) {
  node->item_from_active();
  Caller caller;
  push({node, Work::Kind::root}, 1, caller);
}

void Frontier::queue_root(Node* node) {
  node->item_from_active();
  const std::lock_guard lock(mutex_);
  queued_roots_.push_back(node);
}

/// Call under the mutex. The pusher of the next root is its taker.
void Frontier::start_queued_root() {
  put_on_top({queued_roots_.front(), Work::Kind::root});
  queued_roots_.pop_front();
  pending_.fetch_add(1, std::memory_order_relaxed);
}

void Frontier::push_children(Node* node, const NameBatch& names, bool read_on, Caller& caller) {
  node->add_uses(read_on ? 2 * Node::one_item : Node::one_item);
  push({node, Work::Kind::enter, names.bytes()}, names.count(), caller, read_on);
}

void Frontier::push_resume(Node* node, Caller& caller) {
  node->add_uses(Node::one_item);
  push({node, Work::Kind::resume}, 1, caller);
}

void Frontier::push_entries(Node* node, std::string records, Caller& caller) {
  node->add_uses(Node::one_item);
  push({node, Work::Kind::consider, std::move(records)}, 1, caller);
}

// The names become an item again; the caller then ends the uses that it had for them.
std::size_t Frontier::give_back(Work& work, Caller& caller) {
  std::size_t count = 0;
  for (std::size_t at = work.position; at < work.names.size(); ++count) {
    at += record_size(work.names, at);
  }
  if (count > 0) {
    work.node->add_uses(Node::one_item);
    push({work.node, Work::Kind::enter, work.names.substr(work.position)}, count, caller);
  }
  work.position = work.names.size();
  return count;
}

void Frontier::put_on_top(Item item) {
  if (goes_on(item.kind)) ++item.node->half_read;
  pending_bytes_.fetch_add(item.bytes(), std::memory_order_relaxed);
  stack_.push_back(std::move(item));
}

void Frontier::push(Item item, std::size_t count, Caller& caller, bool read_on) {
  bool wake_one = false;
  bool wake_all = false;
  if (caller.output) item.lines = LineMark(caller.output);
  {
    const auto lock = lock_soon(mutex_, caller.slept);
    // Below the names, so that they are taken first.
    if (read_on) {
      put_on_top({.node = item.node, .kind = Work::Kind::resume, .lines = item.lines});
      ++count;
    }
    const bool resume = goes_on(item.kind);
    put_on_top(std::move(item));
    const std::size_t pending = pending_.load(std::memory_order_relaxed) + count;
    pending_.store(pending, std::memory_order_relaxed);
    if (descriptors_short()) evict(descriptors_.load(std::memory_order_relaxed) / 2);
    // The pusher pops next, so a single name needs no wake-up: waking a thread for each link of a
    // chain would cost more than reading it. After handing over a directory the pusher is still
    // busy.
    const std::size_t waiting = waiting_.load(std::memory_order_relaxed);
    wake_one = waiting > 0 && (resume || pending > 1);
    wake_all = waiting > 1 && pending > 2;
  }
  if (wake_all) {
    changed_.notify_all();
  } else if (wake_one) {
    changed_.notify_one();
  }
}

void Frontier::pop(Work& work, Caller& caller) {
  auto lock = lock_soon(mutex_, caller.slept);
  if (caller.output && (stack_.empty() || active_ > allowed_)) {
    // A worker that sleeps has written its lines: the next root may begin meanwhile.
    lock.unlock();
    caller.output->write_lines();
    lock.lock();
  }
  // The caller, until here an active worker. If it was the last and nothing is pending, the walk is
  // over.
  --active_;
  if (active_ == 0 && stack_.empty() && !queued_roots_.empty()) start_queued_root();
  if (stack_.empty() || active_ >= allowed_) {
    const Nanoseconds begin = os::monotonic_now();
    wait_for_work(lock);
    caller.slept += os::monotonic_now() - begin;
  }
  if (stack_.empty() || stopped_) {
    // No work is left and no active worker could add any: wake the others so that they end, too.
    work.kind = Work::Kind::nothing;
    lock.unlock();
    changed_.notify_all();
    allowance_.notify_all();
    return;
  }
  ++active_;
  take(work, caller);
  lock.unlock();
  if (work.lines.is_of_another(caller.output)) work.lines.write();
}

/// The workers that sleep for lack of work are at least as many as the allowance has room for, so
/// waking one of them is enough.
void Frontier::wait_for_work(std::unique_lock<std::mutex>& lock) {
  while (!stopped_ && (active_ > 0 || !stack_.empty())) {
    if (active_ >= allowed_) {
      allowance_.wait(lock);
    } else if (stack_.empty()) {
      waiting_.fetch_add(1, std::memory_order_relaxed);
      changed_.wait(lock);
      waiting_.fetch_sub(1, std::memory_order_relaxed);
    } else {
      return;
    }
  }
}

void Frontier::allow(unsigned workers) {
  {
    const std::lock_guard lock(mutex_);
    allowed_ = workers;
  }
  allowance_.notify_all();
}

void Frontier::take(Work& work, const Caller& caller) {
  // work.handle is still that of the caller's last directory.
  const std::size_t place = next_place(work.handle, caller);
  Item& top = stack_[place];
  work.kind = top.kind;
  work.node = top.node;
  work.lines = top.lines;
  bool last = true;
  std::size_t count = 1;
  if (top.kind == Work::Kind::enter) {
    count = take_names(top, work);
    last = top.position == top.names.size();
  }
  if (goes_on(top.kind)) --top.node->half_read;
  if (last) pending_bytes_.fetch_sub(top.bytes(), std::memory_order_relaxed);
  if (top.kind == Work::Kind::consider) work.names.swap(top.names);
  pending_.store(pending_.load(std::memory_order_relaxed) - count, std::memory_order_relaxed);
  if (last) --count;  // the item itself becomes an active thread
  top.node->add_uses(count * Node::one_active);
  if (!last) return;
  top.node->item_to_active();
  stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(place));
  // Items above the erased one have moved down.
  if (evicted_below_ > place) --evicted_below_;
}

/// Index of the item to take next for a worker whose last directory was `last`: the top, or, while
/// memory allows a choice, a better one near the top.
std::size_t Frontier::next_place(const os::DirectoryHandle& last, const Caller& caller) const {
  const Item& top = stack_.back();
  if (is_full()) return stack_.size() - 1;
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  if (caller.output) {
    const auto waits = [&](const Item& item) -> std::uint64_t {
      return item.lines.is_of_another(caller.output) && !item.lines.are_written() ? 1 : 0;
    };
    const std::size_t place = best_near_top(64, waits);
    return waits(stack_[place]) == 0 ? place : 0;
  }
  if (last && handle_of_next(top)) {
    // Neighbours on the volume are read at once, so two threads that alternated there read much of
    // it twice: 750 MB of a volume's 840,000 entries, 500 with this.
    return best_near_top(32, [&](const Item& item) {
      const os::DirectoryHandle next = handle_of_next(item);
      return next ? distance_between(last, next) : never;
    });
  }
  if (spreads_ && looks_names_up(top.kind)) {
    // The directory with the fewest threads at work: names in one are looked up one after the
    // other.
    return best_near_top(64, [](const Item& item) {
      return looks_names_up(item.kind) ? item.node->active() : never;
    });
  }
  return stack_.size() - 1;
}

/// Index of the topmost item with the least `cost` among the top one and `count` below it.
template <typename Cost>
std::size_t Frontier::best_near_top(std::size_t count, Cost cost) const {
  std::size_t best = stack_.size() - 1;
  std::uint64_t least = cost(stack_[best]);
  const std::size_t end = best > count ? best - count : 0;
  for (std::size_t place = best; least > 0 && place > end;) {
    const std::uint64_t here = cost(stack_[--place]);
    if (here >= least) continue;
    best = place;
    least = here;
  }
  return best;
}

/// Moves names from the item to a worker; returns their number.
std::size_t Frontier::take_names(Item& top, Work& work) {
  // Directories with handles are best read by the thread that reads their neighbours: each of
  // 450,000 siblings took 2.2 calls if two threads alternated, and 0.7 in runs of 32.
  constexpr std::size_t longest_run = 32;
  const bool run = (top.names[top.position] & NameBatch::has_handle) != 0;
  const std::size_t share = pending_.load(std::memory_order_relaxed) / (4 * active_);
  const std::size_t most = run ? std::clamp<std::size_t>(share, 1, longest_run) : 1;
  const std::size_t begin = top.position;
  std::size_t count = 0;
  for (; count < most && top.position < top.names.size(); ++count) {
    top.position += record_size(top.names, top.position);
  }
  work.names.assign(top.names, begin, top.position - begin);
  work.position = 0;
  return count;
}

void Frontier::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  allowance_.notify_all();
}

void Frontier::add_worker() {
  const std::lock_guard lock(mutex_);
  ++active_;
}

void Frontier::remove_worker() {
  const std::lock_guard lock(mutex_);
  --active_;
}

bool Frontier::has_descriptor() {
  if (!descriptors_short()) return true;
  const std::lock_guard lock(mutex_);
  const std::size_t before = descriptors_.load(std::memory_order_relaxed);
  // Half of them at once, so that not every directory from here on closes one.
  evict(before / 2);
  if (!descriptors_short()) return true;
  descriptors_.store(before + os::raise_descriptor_limit(), std::memory_order_relaxed);
  return !descriptors_short();
}

void Frontier::evict_all() {
  const std::lock_guard lock(mutex_);
  // Looks at all items again: those that were busy the last time may be idle now.
  evicted_below_ = 0;
  evict(0);
}

void Frontier::evict(std::size_t down_to) {
  for (; evicted_below_ < stack_.size(); ++evicted_below_) {
    if (open_.load(std::memory_order_relaxed) <= down_to) return;
    Item& item = stack_[evicted_below_];
    // A half-read directory would lose its position.
    if (item.node->half_read > 0 || item.node->active() > 0) continue;
    if (!item.node->directory.is_open()) continue;
    item.node->directory.close();
    descriptor_closed();
  }
}

Node* Node::make(Node* parent, const Root& root, std::string_view name, std::uint32_t depth) {
  // name_ has room for the NUL, and the name extends past the object.
  void* const memory = ::operator new(sizeof(Node) + name.size());
  Node* const node = new (memory) Node(parent, root, depth);
  if (parent != nullptr) parent->refs_.fetch_add(1, std::memory_order_relaxed);
  *std::copy(name.begin(), name.end(), node->name_) = '\0';
  node->name_length_ = static_cast<std::uint32_t>(name.size());
  return node;
}

void Node::release(Node* node) {
  // A loop, since a chain of 20,000 directories would recurse as deep.
  while (node != nullptr && node->refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    Node* const parent = node->parent_;
    if (node->token != 0) node->follower->leave(node->token);
    node->~Node();
    ::operator delete(node);
    node = parent;
  }
}

void Node::append_relative_path(std::string& path) const {
  // Two passes up the tree: the length, then the names from the last to the first.
  std::size_t length = 0;
  for (const Node* node = this; node->parent_ != nullptr; node = node->parent_) {
    length += node->name_length_ + 1;
  }
  if (length == 0) return;
  std::size_t end = path.size() + length - 1;
  path.resize(end);
  for (const Node* node = this; node->parent_ != nullptr; node = node->parent_) {
    end -= node->name_length_;
    std::memcpy(path.data() + end, node->name_, node->name_length_);
    if (node->parent_->parent_ != nullptr) path[--end] = '/';
  }
}

std::string Node::printed_path() const {
  std::string path = root_->printed;
  append_relative_path(path);
  if (!path.empty() && path.back() != '/') path += '/';
  return path;
}

std::string Node::display_name() const {
  std::string path = printed_path();
  if (path.size() > 1) path.pop_back();
  return path.empty() ? "." : path;
}

void Node::spell_canonical(std::string& path) const {
  path = root_->canonical;
  if (path.empty() || path.back() != '/') path += '/';
  const std::size_t root_length = path.size();
  append_relative_path(path);
  if (path.size() > root_length) path += '/';
}

}  // namespace ffind::search
