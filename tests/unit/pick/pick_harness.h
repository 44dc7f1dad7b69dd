// SPDX-License-Identifier: MIT
// Entries for the list of --pick, offered as a search does, and a loader that counts, waits and
// hangs on order. Used by the tests of the picker.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "pick/list.h"
#include "pick/store.h"
#include "query/predicates/predicates.h"

namespace ffind::pick {

/// Waits for a condition, ten seconds at most.
template <typename Condition>
bool soon(Condition condition) {
  for (int i = 0; i < 20'000 && !condition(); ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return condition();
}

/// Offers paths below one root to a lane.
class Offering final : public EntryLoader {
 public:
  explicit Offering(PickSink& sink, std::string printed = "") : lane_(sink.open_lane()) {
    root.printed = std::move(printed);
    root.open_path = root.printed.empty() ? "." : root.printed;
    root.absolute = root.canonical = "/where";
  }
  void load(Entry& entry, Needs wanted) override {
    entry.found_from = &root;
    entry.present |= wanted & needs::origin;
  }
  /// A path that ends with a slash is a directory's.
  bool offer(std::string path, Needs known = needs::none, const Metadata& metadata = {}) {
    Entry entry;
    entry.type = path.ends_with('/') ? FileType::directory : FileType::file;
    if (entry.type == FileType::directory) path.pop_back();
    const std::size_t slash = path.rfind('/');
    const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
    std::string directory = root.printed + path.substr(0, name);
    if (!directory.empty() && directory.front() == '-') directory.insert(0, "./");
    entry.directory = directory;
    entry.name = std::string_view(path).substr(name);
    entry.depth = 1;
    for (const char c : path) entry.depth += c == '/' ? 1 : 0;
    entry.present = needs::type | needs::directory | known;
    entry.metadata = metadata;
    entry.loader = this;
    return lane_->emit(entry);
  }
  void flush() { lane_->flush(); }
  Lane& lane() { return *lane_; }

  Root root{};

 private:
  std::unique_ptr<Lane> lane_;
};

/// What is known of files: sizes by their paths below the root.
class FakeVolume : public std::enable_shared_from_this<FakeVolume> {
 public:
  std::map<std::string, std::uint64_t> sizes{};  ///< changed before anything is loaded, or by add
  std::chrono::microseconds takes{0};
  /// Whoever asks for one of these waits until `answer`.
  std::string hangs{};

  void add(const std::string& path, std::uint64_t size) {
    const std::lock_guard lock(mutex_);
    sizes[path] = size;
  }
  std::size_t loads() const { return loads_; }
  std::size_t hanging() {
    const std::lock_guard lock(mutex_);
    return hanging_;
  }
  /// Loaders that exist. A thread that was left behind has none once it is done with the rest.
  std::size_t loaders() {
    const std::lock_guard lock(mutex_);
    return loaders_;
  }
  void answer() {
    const std::lock_guard lock(mutex_);
    answers_ = true;
    changed_.notify_all();
  }
  LateLoaderFactory factory() {
    return [self = shared_from_this()] { return std::make_unique<Loader>(self); };
  }

 private:
  class Loader final : public LateLoader {
   public:
    explicit Loader(std::shared_ptr<FakeVolume> volume) : volume_(std::move(volume)) {
      const std::lock_guard lock(volume_->mutex_);
      ++volume_->loaders_;
    }
    ~Loader() override {
      const std::lock_guard lock(volume_->mutex_);
      --volume_->loaders_;
    }
    Loader(const Loader&) = delete;
    Loader& operator=(const Loader&) = delete;
    void turn_to(const Root& root, std::string_view below) override {
      root_ = &root;
      below_ = below;
    }
    void load(Entry& entry, Needs wanted) override {
      std::string path = below_.empty() ? below_ : below_ + "/";
      volume_->load(path.append(entry.name), entry, wanted);
    }

   private:
    std::shared_ptr<FakeVolume> volume_;
    const Root* root_ = nullptr;
    std::string below_;
  };

  void load(const std::string& path, Entry& entry, Needs wanted) {
    ++loads_;
    if (takes.count() != 0) std::this_thread::sleep_for(takes);
    if (!hangs.empty() && path.starts_with(hangs)) {
      std::unique_lock lock(mutex_);
      ++hanging_;
      changed_.wait(lock, [this] { return answers_; });
      --hanging_;
    }
    const std::lock_guard lock(mutex_);
    const auto found = sizes.find(path);
    if (found == sizes.end()) {
      entry.failed |= wanted;
      return;
    }
    entry.metadata.size = entry.metadata.allocated = found->second;
    entry.metadata.modified = {static_cast<std::int64_t>(found->second)};
    entry.present |= wanted & (needs::size | needs::modified);
    entry.failed |= wanted & ~(needs::size | needs::modified);
  }

  std::atomic<std::size_t> loads_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool answers_ = false;
  std::size_t hanging_ = 0;
  std::size_t loaders_ = 0;
};

inline Expression contains(query::Subject subject, const std::string& text) {
  query::PatternSpec spec;
  spec.kind = query::PatternKind::contains;
  spec.text = text;
  return Expression::of(query::pattern_test(subject, spec));
}
inline Expression name_contains(const std::string& text) {
  return contains(query::Subject::name, text);
}
inline Narrowing narrowing(Expression where, bool grew = false) {
  Query query;
  query.where = std::move(where);
  return {{std::make_shared<const Matcher>(query), {}}, grew};
}

/// A store, what fills it and what narrows it.
struct NarrowedStore {
  explicit NarrowedStore(unsigned threads_ = 2) : threads(threads_) {}

  Narrower& narrower() {
    if (!narrower_) {
      narrower_ =
          std::make_unique<Narrower>(store, Narrower::Options{threads, 32, volume->factory(), {}});
    }
    return *narrower_;
  }
  void offer(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) offering.offer(path);
    offering.flush();
  }
  /// Once nothing is left to be done for it.
  std::shared_ptr<const PickList> complete(std::uint64_t generation) {
    narrower().sort_rest();
    for (int i = 0; i < 20'000; ++i) {
      auto list = narrower().list();
      if (list->state().generation == generation && list->state().complete &&
          !list->state().best_only && list->state().found == store->size()) {
        return list;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    throw std::runtime_error("the list is never complete: " + told(narrower().list()->state()));
  }
  std::shared_ptr<const PickList> in_order(PickOrder order, bool reversed = false) {
    narrower().set_order({order, reversed});
    for (int i = 0; i < 20'000; ++i) {
      auto list = narrower().list();
      const PickList::State& state = list->state();
      if (state.sort == PickSort{order, reversed} && state.complete &&
          state.found == store->size()) {
        return list;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    throw std::runtime_error("the order is never complete: " + told(narrower().list()->state()));
  }
  std::string told(const PickList::State& state) const {
    std::string text = "generation " + std::to_string(state.generation);
    text += ", looked at " + std::to_string(state.looked_at);
    text += " of " + std::to_string(state.found);
    text += ", undecided " + std::to_string(state.undecided);
    text += state.complete ? ", complete" : ", incomplete";
    return text + ", order " + std::to_string(static_cast<int>(state.sort.order));
  }
  std::vector<std::string> paths(const PickList& list) const {
    std::vector<std::string> all;
    for (std::size_t row = 0; row < list.size(); ++row) {
      all.push_back(store->path(list[row]));
    }
    return all;
  }
  std::vector<std::string> ask(Narrowing wanted) {
    return paths(*complete(narrower().set_query(std::move(wanted))));
  }

  unsigned threads;
  std::shared_ptr<EntryStore> store = std::make_shared<EntryStore>();
  std::shared_ptr<FakeVolume> volume = std::make_shared<FakeVolume>();
  PickSink sink{store};
  Offering offering{sink};

 private:
  std::unique_ptr<Narrower> narrower_;
};

using Texts = std::vector<std::string>;

}  // namespace ffind::pick
