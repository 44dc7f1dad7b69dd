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

std::string path_of(const Entry& entry) {
  return std::string(entry.directory).append(entry.name);
}

}  // namespace

TEST_CASE("a search that is kept loads nothing, and all its entries are there again") {
  FakeFileSystem files;
  files.add("dir/sub/file");
  files.add("-odd/file");
  files.add_link("link", "dir");
  Kept kept(files);
  CHECK(files.statted.empty());
  Paths paths;
  for (EntryId id = 0; id < kept.store->size(); ++id) {
    Entry& entry = kept.reader->read(id);
    paths.push_back(path_of(entry));
    const std::string own = kept.store->path(id);
    CHECK((own == paths.back() || own == "./" + paths.back()));
  }
  std::sort(paths.begin(), paths.end());
  CHECK(paths == Paths{"-odd", "./-odd/file", "dir", "dir/sub", "dir/sub/file", "link"});
  Entry& entry = kept.read("dir/sub/file");
  CHECK(entry.depth == 3);
  CHECK(entry.require(needs::relative_path | needs::absolute_path | needs::depth));
  CHECK(entry.relative_path == "dir/sub/file");
  CHECK(entry.absolute_path == "/fake/dir/sub/file");
  CHECK(entry.require(needs::origin));
  CHECK(entry.root == ".");
  CHECK(files.statted.empty());
}

TEST_CASE("metadata of an entry found earlier is read by its directory, once") {
  FakeFileSystem files;
  files.add("dir/file", FileType::file, 42);
  files.add("dir/other", FileType::file, 43);
  Kept kept(files);
  files.opened.clear();
  Entry& entry = kept.read("dir/file");
  REQUIRE(entry.require(needs::size));
  CHECK(entry.metadata.size == 42);
  Entry& again = kept.read("dir/file");
  REQUIRE(again.require(needs::size | needs::modified));
  CHECK(again.metadata.size == 42);
  CHECK(files.statted == Paths{"dir/file"});
  REQUIRE(kept.read("dir/other").require(needs::size));
  // The root, and below it the directory.
  CHECK(files.opened == Paths{"", "dir"});
}

TEST_CASE("everything that a test may want is read late") {
  FakeFileSystem files;
  files.add("dir/full/file");
  files.add("dir/empty", FileType::directory);
  files.add_file("dir/text", "some words");
  files.add_link("dir/link", "dir/text");
  files.attributes["dir/text"]["user.note"] = "yes";
  Kept kept(files);
  Entry& empty = kept.read("dir/empty");
  REQUIRE(empty.require(needs::empty));
  CHECK(empty.empty);
  Entry& full = kept.read("dir/full");
  REQUIRE(full.require(needs::empty));
  CHECK_FALSE(full.empty);
  Entry& link = kept.read("dir/link");
  REQUIRE(link.require(needs::target | needs::target_type));
  CHECK(link.target == "dir/text");
  Entry& text = kept.read("dir/text");
  REQUIRE(text.require(needs::readable));
  CHECK(text.readable);
  AttributeValue value;
  CHECK(text.loader->attribute(text, "note", &value));
  CHECK(value.bytes == "yes");
  Entry& holder = kept.read("dir/full");
  CHECK(holder.loader->holds_name(holder, "file") == true);
  struct Reader final : ContentSink {
    bool take(std::string_view bytes, bool) override {
      read += bytes;
      return true;
    }
    std::string read;
  } reader;
  Entry& contents = kept.read("dir/text");
  CHECK(contents.loader->read_contents(contents, reader));
  CHECK(reader.read == "some words");
}

TEST_CASE("a root that is a file is read by its own path") {
  FakeFileSystem files;
  files.add("dir/file", FileType::file, 42);
  Task task = task_from("dir/file", 1);
  task.roots[0].absolute = task.roots[0].canonical = "/fake/dir/file";
  task.roots[0].is_file = true;
  Kept kept(files, {}, task);
  REQUIRE(kept.store->size() == 1);
  Entry& entry = kept.read("dir/file");
  CHECK(entry.depth == 0);
  REQUIRE(entry.require(needs::size | needs::relative_path | needs::absolute_path));
  CHECK(entry.metadata.size == 42);
  CHECK(entry.relative_path == "file");
  CHECK(entry.absolute_path == "/fake/dir/file");
}

TEST_CASE("what a followed link leads to is read, and of a broken one the link") {
  FakeFileSystem files;
  files.add("dir/file", FileType::file, 42);
  files.add_link("link", "dir");
  files.add_link("dir/broken", "nowhere");
  Query query;
  query.scope.follow = true;
  Kept kept(files, query);
  Entry& file = kept.read("link/file");
  REQUIRE(file.require(needs::size));
  CHECK(file.metadata.size == 42);
  CHECK(kept.read("link").type == FileType::directory);
  CHECK(kept.read("dir/broken").type == FileType::symlink);
  CHECK(kept.read("dir/broken").require(needs::mode));
  CHECK(kept.issues.issues.empty());
}

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
