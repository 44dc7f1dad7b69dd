// SPDX-License-Identifier: MIT
// Which directory a worker is given next, where directories can be told apart by where they lie.
#include <string>
#include <vector>

#include "catch.h"
#include "fakes/search_harness.h"
#include "search/frontier.h"

namespace frontier_test {

using namespace ffind;
using namespace ffind::search;

namespace {

os::DirectoryHandle handle(std::uint64_t inode) {
  return {.inode = inode};
}

/// A frontier with one waiting directory for each push, and its workers.
class Waiting {
 public:
  void push(const std::string& name, const os::DirectoryHandle& where) {
    NameBatch names;
    names.add(name, 0, where);
    Node* const node = Node::make(nullptr, root_, {}, 0);
    frontier_.push_children(node, names, false, caller_);
    node->drop_uses(Node::one_active);
  }
  /// What a worker is given whose last directory lay at `last`.
  std::string next(const os::DirectoryHandle& last) {
    frontier_.add_worker();
    Work work;
    work.handle = last;
    frontier_.pop(work, caller_);
    REQUIRE(work.next_name());
    if (work.node->drop_uses(Node::one_active)) Node::release(work.node);
    return work.name;
  }

 private:
  const Root root_{};
  Frontier frontier_{100};
  Frontier::Caller caller_;
};

}  // namespace

TEST_CASE("a worker reads on near its last directory") {
  Waiting waiting;
  waiting.push("far", handle(9'000));
  waiting.push("below", handle(80));
  waiting.push("above", handle(130));
  waiting.push("further", handle(20'000));
  CHECK(waiting.next(handle(100)) == "below");
  CHECK(waiting.next(handle(10'000)) == "far");
  CHECK(waiting.next(handle(10'000)) == "above");
  CHECK(waiting.next(handle(100)) == "further");
}

TEST_CASE("a worker that was nowhere yet takes the last that was found") {
  Waiting waiting;
  waiting.push("first", handle(1));
  waiting.push("last", handle(2));
  CHECK(waiting.next({}) == "last");
  CHECK(waiting.next({}) == "first");
}

TEST_CASE("what has no place is not near to anything") {
  Waiting waiting;
  waiting.push("placed", handle(1));
  waiting.push("unplaced", {});
  CHECK(waiting.next(handle(1)) == "unplaced");
}

TEST_CASE("a full frontier gives the last that was found, wherever that lies") {
  Waiting waiting;
  const std::string long_name(Frontier::much_pending, 'x');
  waiting.push("near", handle(100));
  waiting.push(long_name, handle(9'000));
  waiting.push("last", handle(10'000));
  CHECK(waiting.next(handle(100)) == "last");
  CHECK(waiting.next(handle(100)).size() == long_name.size());
}

}  // namespace frontier_test
