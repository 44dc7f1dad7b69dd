// SPDX-License-Identifier: MIT
// Ten million directories, in shapes that would fill the memory of a walk that kept all it has
// found: how many names wait at one time. The tree is made up while it is read.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "catch.h"
#include "fakes/search_harness.h"
#include "random.h"

namespace huge_trees_test {

using namespace ffind;

namespace {

/// Directories alone, `children` in each on each of `levels` levels; with `comb` in the first child
/// of each only. Thread-safe.
struct Shape {
  std::size_t levels;
  std::size_t children;
  bool comb;
  std::size_t name_size = 0;  ///< at least

  std::size_t total() const {
    std::size_t count = 0;
    std::size_t width = 1;
    for (std::size_t level = 0; level < levels; ++level) {
      if (!comb) width *= children;
      count += comb ? children : width;
    }
    return count;
  }
};

struct Counts {
  std::atomic<std::int64_t> named{0};
  std::atomic<std::int64_t> opened{0};
  std::atomic<std::int64_t> pending_at_most{0};

  void look() {
    const std::int64_t pending = named - opened;
    std::int64_t most = pending_at_most;
    while (most < pending && !pending_at_most.compare_exchange_weak(most, pending)) {
    }
  }
};

/// The descriptor of a directory is its level, from 1, or `leaf`; its stream how far it was read.
class HugeTree final : public LentFileSystem {
 public:
  static constexpr int leaf = 1'000'000'000;
  HugeTree(FakeFileSystem& others, const Shape& shape, Counts& counts)
      : LentFileSystem(others), shape_(shape), counts_(counts) {}

  int open(const os::Directory* at, const char* path, os::OpenFlags,
           os::Directory& opened) override {
    opened = {};
    opened.fd = at == nullptr ? 1 : at->fd;
    std::string_view rest = path;
    if (rest == ".") return 0;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      opened.fd = child_of(opened.fd, rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    ++counts_.opened;
    return 0;
  }

  class TreeReader final : public os::KernelReader {
   public:
    TreeReader(HugeTree& tree, os::DirectoryOpener& opener) : KernelReader(opener), tree_(tree) {}
    int read(os::ListedDirectory& listed, os::DirentBlock& block) override {
      return tree_.read(listed.directory, block);
    }

   private:
    HugeTree& tree_;
  };
  std::unique_ptr<os::DirectoryReader> make_reader(os::DirectoryOpener& opener) override {
    return std::make_unique<TreeReader>(*this, opener);
  }

  int read(os::Directory& directory, os::DirentBlock& block) {
    block.clear();
    if (directory.fd == leaf) return 0;
    auto position = reinterpret_cast<std::uintptr_t>(directory.stream);
    std::string name;
    std::int64_t named = 0;
    for (; position < shape_.children && block.size() < block.room(); ++position, ++named) {
      name = "directory-" + std::to_string(position);
      if (name.size() < shape_.name_size) name.append(shape_.name_size - name.size(), 'x');
      if (!block.append(name, position + 1, FileType::directory)) break;
    }
    directory.stream = reinterpret_cast<void*>(position);  // NOLINT(performance-no-int-to-ptr)
    counts_.named += named;
    counts_.look();
    return 0;
  }

  void close(os::Directory& directory) override { directory = {}; }
  int identify(const os::Directory&, os::FileId& id) override {
    id = {1, ++identified_};  // each another one, so that there is no loop
    return 0;
  }

 private:
  int child_of(int level, std::string_view name) const {
    const bool inner =
        !shape_.comb || name == "directory-0" || name.substr(0, 12) == "directory-0x";
    return inner && static_cast<std::size_t>(level) < shape_.levels ? level + 1 : leaf;
  }

  const Shape& shape_;
  Counts& counts_;
  std::atomic<std::uint64_t> identified_{0};
};

struct Walked {
  std::uint64_t entries;
  std::int64_t pending_at_most;
};

Walked walk(const Shape& shape, unsigned threads) {
  FakeFileSystem others;
  Counts counts;
  CollectingSink sink;
  Query query;
  query.where = name_glob("no such name");
  Plan plan;
  plan.tasks.push_back(task_from(".", threads));
  const Matcher matcher(query);
  const SearchResult result = run_search(
      plan, matcher, query.limit, sink, needs::none,
      {[&](const Task&) { return std::make_unique<HugeTree>(others, shape, counts); }, {}, {}});
  CHECK(sink.issues.empty());
  return {result.statistics.entries, counts.pending_at_most};
}

}  // namespace

TEST_CASE("of 10,000,000 siblings only some thousands wait at a time") {
  const Shape shape{1, rounds(10'000'000), false};
  const Walked walked = walk(shape, 4);
  CHECK(walked.entries == shape.total());
  CHECK(walked.pending_at_most < 50'000);  // 4,400,000 when what is left of them was found first
}

TEST_CASE("of a million directories on three levels only some thousands wait at a time") {
  const Shape shape{3, 100, false};
  const Walked walked = walk(shape, 4);
  CHECK(walked.entries == shape.total());
  CHECK(walked.pending_at_most < 5'000);
}

// What lies beside the way waits until the walk comes back up.
TEST_CASE("beside a way that leads ever deeper some dozens wait on each level") {
  const Shape shape{rounds(1'000), 4'000, true};
  const Walked walked = walk(shape, 2);
  CHECK(walked.entries == shape.total());
  CHECK(walked.pending_at_most < 400'000);  // 2,500,000 when whole directories waited
}

TEST_CASE("of directories with long names a few hundred wait at a time") {
  const Shape shape{2, 1'000, false, 255};
  const Walked walked = walk(shape, 2);
  CHECK(walked.entries == shape.total());
  CHECK(walked.pending_at_most < 5'000);
}

}  // namespace huge_trees_test
