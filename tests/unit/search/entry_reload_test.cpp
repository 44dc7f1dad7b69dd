// SPDX-License-Identifier: MIT
// What is read of entries after the search that found them: each through the file system, root and
// scope it was found by.
#include "search/entry_reload.h"

#include <cerrno>

#include "catch.h"
#include "fakes/search_harness.h"
#include "pick/store.h"

namespace entry_reload_test {

using namespace ffind;
using pick::EntryId;

namespace {

/// A search whose entries are kept, and read again.
struct Kept {
  explicit Kept(FakeFileSystem& files_, const Query& query = {}, Task task_ = task_from(".", 1))
      : files(files_) {
    plan.tasks = {std::move(task_)};
    const Matcher matcher(query);
    const auto open = [this](const Task&) { return std::make_unique<LentFileSystem>(files); };
    run_search(plan, matcher, unlimited, sink, pick::PickSink::needs, {open, {}, {}});
    // The plan that the entries were found by is gone, and so are its roots.
    access = std::make_shared<search::EntryReload>(plan, matcher, issues, open);
    loader = access->make_loader();
    reader = std::make_unique<pick::StoreCursor>(*store, needs::none, loader.get());
  }
  Entry& read(const std::string& path) {
    for (EntryId id = 0; id < store->size(); ++id) {
      if (store->path(id) == path) return reader->read(id);
    }
    FAIL("not found: " + path);
    return reader->read(0);
  }

  FakeFileSystem& files;
  Plan plan;
  std::shared_ptr<pick::EntryStore> store = std::make_shared<pick::EntryStore>();
  pick::PickSink sink{store};
  CollectingSink issues;
  std::shared_ptr<search::EntryReload> access;
  std::unique_ptr<LateLoader> loader;
  std::unique_ptr<pick::StoreCursor> reader;
};

}  // namespace

TEST_CASE("what is mounted below a root is looked at only as far as the kernel has it at hand") {
  FakeFileSystem files;
  files.add("mnt/dead", FileType::directory);
  Task task = task_from(".", 1);
  task.boundaries.push_back({.path = "/fake/mnt/dead", .kind = VolumeKind::network});
  Kept kept(files, {}, task);
  kept.read("mnt/dead").require(needs::size);
  CHECK(files.statted_at_hand == Paths{"mnt/dead"});
  CHECK(kept.read("mnt/dead").require(needs::empty));
  CHECK_FALSE(files.was_opened("mnt/dead"));
}

TEST_CASE("a directory that closed meanwhile is reported once, and its entries have failed") {
  FakeFileSystem files;
  files.add("dir/one");
  files.add("dir/two");
  Kept kept(files);
  files.open_errors["dir"] = EACCES;
  for (int round = 0; round < 2; ++round) {
    CHECK_FALSE(kept.read("dir/one").require(needs::size));
    CHECK_FALSE(kept.read("dir/two").require(needs::size));
  }
  REQUIRE(kept.issues.issues.size() == 1);
  CHECK(kept.issues.issues[0].path == "dir");
  CHECK(kept.issues.issues[0].error == EACCES);
}

TEST_CASE("an entry that cannot be read is reported once, whatever is asked of it again") {
  FakeFileSystem files;
  files.add_file("file", "bytes");
  files.open_errors["file"] = EACCES;
  Kept kept(files);
  struct Reader final : ContentSink {
    bool take(std::string_view, bool) override { return true; }
  } reader;
  for (int round = 0; round < 3; ++round) {
    Entry& entry = kept.read("file");
    CHECK_FALSE(entry.loader->read_contents(entry, reader));
  }
  CHECK(kept.issues.issues.size() == 1);
}

}  // namespace entry_reload_test
