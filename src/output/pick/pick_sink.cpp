// SPDX-License-Identifier: MIT
// Lanes that gather, and publish by the thousand. See pick_sink.h.
#include "output/pick/pick_sink.h"

#include <algorithm>

#include "os/machine.h"
#include "output/path_tree.h"

namespace ffind::output {
namespace {

/// So many are published together: taking the lock for each would cost as much as keeping it.
constexpr std::size_t batch = 4096;
/// Of the first ones each block is published: a screen full of them is waited for.
constexpr std::size_t first_entries = 1000;
/// Later ones are held back no longer.
constexpr Nanoseconds longest_delay = 20'000'000;

constexpr Needs known_needs = needs::metadata & ~needs::type;

BundleMark mark_of(const Entry& entry) {
  if ((entry.present & needs::bundle) == 0) return BundleMark::unknown;
  return entry.bundle ? BundleMark::yes : BundleMark::no;
}

class PickLane final : public Lane {
 public:
  PickLane(const PickSink& sink, std::shared_ptr<EntryStore> store)
      : sink_(sink), store_(std::move(store)) {}

  bool emit(Entry& entry) override {
    if (sink_.stopped() || full_) return false;
    entry.require(needs::directory | needs::type);
    if (!is_here(entry)) turn_to(entry);
    if (gathered_.empty()) since_ = os::monotonic_coarse_now();
    if (const Needs known = entry.present & known_needs; known != 0) {
      gathered_.known.push_back({gathered_.items.size(), known, entry.metadata});
    }
    gathered_.names += entry.name;
    gathered_.items.push_back(
        {directory_, static_cast<std::uint16_t>(entry.name.size()), entry.type, mark_of(entry)});
    if (gathered_.items.size() >= batch) flush();
    return !full_;
  }

  void flush_if_due() override {
    if (gathered_.empty()) return;
    if (store_->size() < first_entries || os::monotonic_coarse_now() - since_ > longest_delay) {
      flush();
    }
    sink_.do_meanwhile();
  }

  void flush() override {
    if (!gathered_.empty()) full_ = !store_->publish(gathered_);
  }

 private:
  /// A name of the path, where it ends in that, and the directory.
  struct Level {
    std::size_t end;
    DirectoryId directory;
  };

  bool is_here(const Entry& entry) const {
    if (directory_ == no_directory || entry.depth != depth_) return false;
    if (!dotted_) return entry.directory == path_;
    return entry.directory.starts_with("./") && entry.directory.substr(2) == path_;
  }

  /// What the path has in common with the last one is only compared: in a chain of 20,000
  /// directories looking up each name of each path would take longer than everything else.
  void turn_to(Entry& entry) {
    entry.require(needs::origin);
    const Root& root = *entry.found_from;
    std::string_view path = entry.directory;
    depth_ = entry.depth;
    // What would begin with "-" has "./" before it (search/entry_path.h).
    dotted_ = path.starts_with("./-") && !root.printed.starts_with("./");
    if (dotted_) path.remove_prefix(2);
    const std::size_t common = root_ == &root ? common_beginning(path_, path) : 0;
    if (root_ != &root) {
      root_ = &root;
      origin_ = store_->origin_of(root);
      levels_.clear();
    }
    const auto is_shared = [&](const Level& level) { return level.end <= common; };
    while (!levels_.empty() && !is_shared(levels_.back())) levels_.pop_back();
    const std::uint32_t first_depth = root.is_file ? root.depth : root.depth + 1;
    if (levels_.empty()) {
      levels_.push_back(
          {root.printed.size(), store_->add_directory(origin_, no_directory, {}, first_depth)});
    }
    for (std::size_t from = levels_.back().end; from < path.size();) {
      const std::size_t slash = path.find('/', from);
      const auto depth = first_depth + static_cast<std::uint32_t>(levels_.size());
      const DirectoryId next = store_->add_directory(origin_, levels_.back().directory,
                                                     path.substr(from, slash - from), depth);
      from = slash + 1;
      levels_.push_back({from, next});
    }
    directory_ = levels_.back().directory;
    path_.resize(std::min(path_.size(), common));
    path_ += path.substr(path_.size());
  }

  const PickSink& sink_;
  const std::shared_ptr<EntryStore> store_;
  EntryStore::Gathered gathered_;
  Nanoseconds since_ = 0;  ///< when the first that is gathered was found
  bool full_ = false;

  const Root* root_ = nullptr;
  std::uint32_t origin_ = 0;
  std::uint32_t depth_ = 0;
  DirectoryId directory_ = no_directory;
  std::string path_;     ///< of the directory, as it is printed
  bool dotted_ = false;  ///< with "./" before it
  std::vector<Level> levels_;
};

}  // namespace

std::unique_ptr<Lane> PickSink::open_lane() {
  return std::make_unique<PickLane>(*this, store_);
}

void PickSink::report(const Issue& issue) {
  issue_count_.fetch_add(1, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  if (issues_.size() < most_issues) issues_.push_back(issue);
}

void PickSink::notice(const std::string& path, const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (notices_.size() < most_issues) notices_.push_back({path, text});
}

std::vector<Issue> PickSink::take_issues() {
  const std::lock_guard lock(mutex_);
  return std::exchange(issues_, {});
}

std::vector<PickSink::Notice> PickSink::take_notices() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace ffind::output
