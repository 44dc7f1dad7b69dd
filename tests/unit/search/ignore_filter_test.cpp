// SPDX-License-Identifier: MIT
// Rules are taken from no file that a whole listing does not have.
#include "search/ignore.h"

#include <string>

#include "catch.h"
#include "fakes/collecting_sink.h"
#include "fakes/fake_file_system.h"
#include "search/frontier.h"

namespace ignore_filter_test {

using namespace ffind;
using namespace ffind::search;

namespace {

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
};

}  // namespace

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

}  // namespace ignore_filter_test
