// SPDX-License-Identifier: MIT
// What an entry is asked for, without a walk or a catalog around it: what the position has at hand
// costs no call, what cannot be got at fails once, and who knows nothing says so.
#include "search/entry_access.h"

#include <cerrno>
#include <string>
#include <string_view>

#include "catch.h"
#include "fakes/collecting_sink.h"
#include "fakes/fake_file_system.h"

namespace entry_access_test {

using namespace ffind;
using namespace ffind::search;

namespace {

using Paths = std::vector<std::string>;

/// An entry of the fake's root, and what is known of it there.
struct FakePosition final : EntryPosition {
  Root entry_root{};
  Boundary boundary{};
  bool is_boundary = false;
  bool followed = false;
  int error = 0;
  bool reported = false;
  Needs at_hand = needs::none;
  Metadata told{};
  std::optional<bool> told_empty{};

  EntryPlace place_of(const Entry& entry) override {
    return {.name = entry.name.data(), .followed = followed, .error = error, .reported = reported};
  }
  void load_paths(Entry& entry, Needs) override {
    entry.directory = "shown/";
    entry.present |= needs::directory;
  }
  const Boundary* boundary_at(const Entry&) override { return is_boundary ? &boundary : nullptr; }
  const Root& root() const override { return entry_root; }
  Needs metadata_at_hand(const Entry&, Needs wanted, Metadata& metadata) override {
    metadata = told;
    return wanted & at_hand;
  }
  std::optional<bool> empty_at_hand() override { return told_empty; }
};

struct Bytes final : ContentSink {
  std::string all{};
  bool take(std::string_view bytes, bool) override {
    all += bytes;
    return true;
  }
};

/// The access with the other parts that it is made of, and nothing else.
struct Parts {
  FakeFileSystem files{};
  CollectingSink sink{};
  Query query{};
  Matcher matcher{query};
  SearchState state{matcher, sink, needs::none, unlimited, nullptr};
  Reach reach{state, files};
  FakePosition position{};
  Volume volume{};
  EntryAccess access{reach, position, volume};

  Parts() {
    files.add_file("file", "some bytes");
    files.add("full/entry");
    files.add("bare", FileType::directory);
    files.add_link("link", "file");
    files.add_link("broken", "nowhere");
    position.entry_root.open_path = ".";
    position.entry_root.canonical = "/fake";
  }

  Entry entry(std::string_view name, FileType type) {
    Entry made;
    made.name = name;
    made.type = type;
    made.present = type != FileType::unknown ? needs::type : needs::none;
    made.loader = &access;
    return made;
  }
};

}  // namespace

TEST_CASE("entry access: one stat answers all that a stat knows") {
  Parts parts;
  Entry entry = parts.entry("file", FileType::unknown);
  REQUIRE(entry.require(needs::size));
  CHECK(entry.metadata.size == 10);
  CHECK(entry.type == FileType::file);
  CHECK(entry.require(needs::mode | needs::links));
  CHECK(parts.files.statted == Paths{"file"});
  CHECK(parts.reach.counts.stats == 1);
}

TEST_CASE("entry access: what the position has at hand costs no call") {
  Parts parts;
  parts.position.at_hand = needs::size | needs::mode;
  parts.position.told.size = 77;
  Entry entry = parts.entry("file", FileType::file);
  REQUIRE(entry.require(needs::size));
  CHECK(entry.metadata.size == 77);
  CHECK(parts.files.statted.empty());
  // The rest is the kernel's, and does not take back what was told.
  REQUIRE(entry.require(needs::links));
  CHECK(parts.files.statted.size() == 1);
  CHECK(parts.reach.counts.stats == 1);
}

TEST_CASE("entry access: of an edge to the network only what the kernel has at hand") {
  Parts parts;
  parts.position.is_boundary = true;
  parts.position.boundary.kind = VolumeKind::network;
  parts.position.boundary.mount_point = true;
  Entry entry = parts.entry("bare", FileType::directory);
  entry.require(needs::mode);
  CHECK(parts.files.statted_at_hand == Paths{"bare"});
  // Never empty: what is mounted there is not ours to look at.
  REQUIRE(entry.require(needs::empty));
  CHECK_FALSE(entry.empty);
  CHECK_FALSE(parts.files.was_opened("bare"));
}

TEST_CASE("entry access: what is gone is counted, what fails is an issue, and neither twice") {
  Parts parts;
  Entry gone = parts.entry("nobody", FileType::file);
  CHECK_FALSE(gone.require(needs::size));
  CHECK_FALSE(gone.require(needs::size));
  CHECK(parts.reach.counts.vanished == 1);
  CHECK(parts.sink.issues.empty());

  parts.files.stat_errors["file"] = EIO;
  Entry entry = parts.entry("file", FileType::file);
  CHECK_FALSE(entry.require(needs::size));
  CHECK_FALSE(entry.require(needs::modified));
  REQUIRE(parts.sink.issues.size() == 1);
  CHECK(parts.sink.issues[0].path == "shown/file");
  CHECK(parts.sink.issues[0].error == EIO);
}

TEST_CASE("entry access: where the directory cannot be got at that was said there") {
  Parts parts;
  parts.position.error = EACCES;
  parts.position.reported = true;
  Entry entry = parts.entry("file", FileType::file);
  CHECK_FALSE(entry.require(needs::size));
  Bytes bytes;
  CHECK_FALSE(parts.access.read_contents(entry, bytes));
  CHECK(parts.sink.issues.empty());
  CHECK(parts.reach.counts.stats == 0);
}

TEST_CASE("entry access: a file is empty by its size, a directory by a look into it") {
  Parts parts;
  Entry file = parts.entry("file", FileType::file);
  REQUIRE(file.require(needs::empty));
  CHECK_FALSE(file.empty);
  Entry full = parts.entry("full", FileType::directory);
  REQUIRE(full.require(needs::empty));
  CHECK_FALSE(full.empty);
  Entry bare = parts.entry("bare", FileType::directory);
  REQUIRE(bare.require(needs::empty));
  CHECK(bare.empty);
  CHECK(parts.files.open_now == 0);

  parts.position.told_empty = false;
  Entry told = parts.entry("bare", FileType::directory);
  REQUIRE(told.require(needs::empty));
  CHECK_FALSE(told.empty);
}

TEST_CASE("entry access: that a directory is closed is for the worker to say") {
  Parts parts;
  parts.files.open_errors["bare"] = EACCES;
  Entry entry = parts.entry("bare", FileType::directory);
  CHECK(entry.unreadable == 0);
  CHECK_FALSE(entry.require(needs::empty));
  CHECK(parts.sink.issues.empty());
  CHECK(entry.unreadable == EACCES);
}

TEST_CASE("entry access: links, with where they lead and what is there") {
  Parts parts;
  Entry link = parts.entry("link", FileType::symlink);
  REQUIRE(link.require(needs::target | needs::target_mode));
  CHECK(link.target == "file");
  CHECK(os::type_of_mode(link.target_mode) == FileType::file);
  Entry broken = parts.entry("broken", FileType::symlink);
  CHECK(broken.require(needs::target));
  CHECK_FALSE(broken.require(needs::target_mode));
  Entry file = parts.entry("file", FileType::file);
  CHECK_FALSE(file.require(needs::target));
  CHECK(parts.sink.issues.empty());
}

TEST_CASE("entry access: contents come in order, and are counted") {
  Parts parts;
  parts.files.bytes_per_read = 4;
  Entry entry = parts.entry("file", FileType::file);
  Bytes bytes;
  REQUIRE(parts.access.read_contents(entry, bytes));
  CHECK(bytes.all == "some bytes");
  CHECK(parts.reach.counts.files_read == 1);
  CHECK(parts.reach.counts.bytes_read == 10);
}

TEST_CASE("entry access: the root that it was found below, and the volume") {
  Parts parts;
  parts.position.entry_root.open_path = "typed/volume";
  parts.position.entry_root.printed = "typed/volume/";
  parts.position.entry_root.below = "volume";
  Entry entry = parts.entry("file", FileType::file);
  REQUIRE(entry.require(needs::origin));
  CHECK(entry.root == "typed");
  CHECK(entry.volume.empty());
}

TEST_CASE("entry access: an attribute, and one that is refused") {
  Parts parts;
  parts.files.attributes["file"]["user.color"] = "green";
  Entry entry = parts.entry("file", FileType::file);
  AttributeValue value;
  REQUIRE(entry.loader->attribute(entry, "color", &value));
  CHECK(value.bytes == "green");
  CHECK_FALSE(entry.loader->attribute(entry, "shape", &value));
  CHECK((entry.failed & needs::attributes) == 0);
  parts.files.attribute_errors["file"] = EIO;
  CHECK_FALSE(entry.loader->attribute(entry, "color", &value));
  CHECK((entry.failed & needs::attributes) != 0);
  CHECK(parts.sink.issues.size() == 1);
}

TEST_CASE("entry access: what a link leads to is one stat, and nowhere an answer") {
  Parts parts;
  Entry link = parts.entry("link", FileType::symlink);
  REQUIRE(link.require(needs::target_type));
  CHECK(link.target_type == FileType::file);
  Entry broken = parts.entry("broken", FileType::symlink);
  REQUIRE(broken.require(needs::target_type));
  CHECK(broken.target_type == FileType::unknown);
  CHECK(parts.reach.counts.stats == 2);
  CHECK(parts.sink.issues.empty());
  Entry file = parts.entry("file", FileType::file);
  CHECK_FALSE(file.require(needs::target_type));
  CHECK(parts.reach.counts.stats == 2);
}

TEST_CASE("entry access: where a link leads and nobody may look is unknown, and said") {
  Parts parts;
  parts.files.stat_errors["link"] = EACCES;
  Entry link = parts.entry("link", FileType::symlink);
  CHECK_FALSE(link.require(needs::target_type));
  CHECK(link.failed == needs::target_type);
  CHECK(parts.sink.issues.size() == 1);
}

TEST_CASE("entry access: to be refused is an answer, and nothing else is asked") {
  Parts parts;
  parts.files.access_errors["file"] = EROFS;
  Entry entry = parts.entry("file", FileType::file);
  REQUIRE(entry.require(needs::writable));
  CHECK_FALSE(entry.writable);
  CHECK((entry.present & (needs::readable | needs::runnable)) == 0);
  CHECK(parts.files.asked_for_access == Paths{"file"});
  CHECK(parts.sink.issues.empty());
  parts.files.access_errors["file"] = EIO;
  Entry again = parts.entry("file", FileType::file);
  CHECK_FALSE(again.require(needs::readable));
  CHECK(parts.sink.issues.size() == 1);
}

TEST_CASE("entry access: whether a network volume may be used is not waited for") {
  Parts parts;
  parts.position.is_boundary = true;
  parts.position.boundary.kind = VolumeKind::network;
  Entry entry = parts.entry("bare", FileType::directory);
  CHECK_FALSE(entry.require(needs::readable));
  CHECK(parts.files.asked_for_access.empty());
}

TEST_CASE("entry access: a name in a directory costs one stat, and opens nothing") {
  Parts parts;
  Entry entry = parts.entry("full", FileType::directory);
  CHECK(parts.access.holds_name(entry, "entry") == std::optional<bool>(true));
  CHECK(parts.access.holds_name(entry, "ENTRY") == std::optional<bool>(false));
  CHECK(parts.files.statted == Paths{"full/entry", "full/ENTRY"});
  CHECK(parts.files.opened.empty());
  parts.files.stat_errors["full/entry"] = EACCES;
  CHECK(parts.access.holds_name(entry, "entry") == std::nullopt);
  CHECK(entry.unreadable == EACCES);
}

}  // namespace entry_access_test
