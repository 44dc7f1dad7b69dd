// SPDX-License-Identifier: MIT
// The rules of a directory and its entries, without a walk: taken once a directory, from no more
// files than there can be, and passed on to the directories below.
#include "search/ignore.h"

#include <cerrno>
#include <string>
#include <string_view>

#include "catch.h"
#include "fakes/collecting_sink.h"
#include "fakes/fake_file_system.h"
#include "search/frontier.h"

namespace ignore_filter_test {

using namespace ffind;
using namespace ffind::search;

namespace {

using Paths = std::vector<std::string>;

struct Parts {
  FakeFileSystem files{};
  CollectingSink sink{};
  Query query{};
  Matcher matcher{query};
  SearchState state{matcher, sink, needs::none, unlimited, nullptr};
  Counts counts{};
  IssueReporter issues{state, counts};
  Opener opener{state, files, [] {}};
  Scope scope{.gitignore = {.enabled = true}};
  IgnoreFilter filter{scope, opener, issues};
  Root root{};
  os::DirentBlock block{};

  Parts() {
    root.open_path = ".";
    root.canonical = root.absolute = "/fake";
  }

  /// Opened, and read into `block`, as by a worker.
  Node* open(Node* parent, const std::string& name) {
    Node* const node = Node::make(parent, root, name, 1);
    const os::Directory* const at = parent != nullptr ? &parent->directory : nullptr;
    REQUIRE(files.open(at, name.empty() ? "." : name.c_str(), {}, node->directory) == 0);
    REQUIRE(files.read(node->directory, block) == 0);
    filter.take_rules(*node, block);
    filter.turn_to(*node);
    return node;
  }
  void close(Node* node) {
    files.close(node->directory);
    Node::release(node);
  }
  bool ignores(std::string_view name, FileType type = FileType::file) {
    Entry entry;
    entry.name = name;
    entry.type = type;
    entry.present = needs::type;
    return filter.ignores(entry);
  }
};

}  // namespace

TEST_CASE("ignore filter: a directory's rules are for its entries and for those below") {
  Parts parts;
  parts.files.add_file(".gitignore", "*.o\n/below/secret\nbuild/\n");
  parts.files.add("below/entry");
  Node* const root = parts.open(nullptr, "");
  CHECK(parts.ignores("a.o"));
  CHECK_FALSE(parts.ignores("a.c"));
  CHECK_FALSE(parts.ignores("secret"));
  CHECK_FALSE(parts.ignores("build"));
  CHECK(parts.ignores("build", FileType::directory));

  Node* const below = parts.open(root, "below");
  CHECK(parts.ignores("b.o"));
  CHECK(parts.ignores("secret"));
  CHECK_FALSE(parts.ignores("entry"));
  parts.close(below);
  parts.close(root);
  CHECK(parts.files.open_now == 0);
}

TEST_CASE("ignore filter: what git keeps is no entry, with rules or without") {
  Parts parts;
  parts.files.add("entry");
  Node* const root = parts.open(nullptr, "");
  CHECK(parts.ignores(".git", FileType::directory));
  CHECK_FALSE(parts.ignores("entry"));
  parts.close(root);
}

TEST_CASE("ignore filter: of a whole listing no file is tried that it does not have") {
  Parts parts;
  parts.files.add("below/entry");
  Node* const root = parts.open(nullptr, "");
  Node* const below = Node::make(root, parts.root, "below", 1);
  REQUIRE(parts.files.open(&root->directory, "below", {}, below->directory) == 0);
  REQUIRE(parts.files.read(below->directory, parts.block) == 0);
  below->directory.at_end = true;  // as a reader says that the block is all
  parts.files.files_opened.clear();
  parts.filter.take_rules(*below, parts.block);
  CHECK(parts.files.files_opened.empty());
  os::Dirent dirent;
  REQUIRE(parts.block.next(dirent));  // the listing is given back from its beginning
  CHECK(dirent.name == "entry");
  parts.close(below);
  parts.close(root);
}

TEST_CASE("ignore filter: a file that cannot be read is said, by the path that people know") {
  Parts parts;
  parts.files.add_file("below/.gitignore", "*\n");
  parts.files.add("below/entry");
  parts.files.open_errors["below/.gitignore"] = EACCES;
  Node* const root = parts.open(nullptr, "");
  Node* const below = parts.open(root, "below");
  CHECK_FALSE(parts.ignores("entry"));
  REQUIRE(parts.sink.issues.size() == 1);
  CHECK(parts.sink.issues[0].path == "below/.gitignore");
  CHECK(parts.sink.issues[0].error == EACCES);
  parts.close(below);
  parts.close(root);
}

}  // namespace ignore_filter_test
