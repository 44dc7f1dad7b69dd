// SPDX-License-Identifier: MIT
// What a catalog searcher remembers: within bounds, and nothing from before a restart.
#include "search/catalog_search.h"

#include "catch.h"
#include "search/seen_sets.h"

namespace directory_memo_test {

using namespace ffind;
using namespace ffind::search;

TEST_CASE("directory memo: remembers, but no more than fits") {
  DirectoryMemo memo;
  CatalogDirectory found;
  constexpr std::uint64_t count = 100'000;
  for (std::uint64_t id = 1; id <= count; ++id) {
    memo.insert(id, {std::string(100, 'x') + std::to_string(id), {3}}, 0);
    if (!memo.find(id, found)) FAIL(id);
  }
  CHECK(found.path == std::string(100, 'x') + "100000");
  CHECK(found.roots == std::vector<std::uint32_t>{3});
  std::size_t held = 0;
  for (std::uint64_t id = 1; id <= count; ++id) held += memo.find(id, found) ? 1U : 0U;
  CHECK(held < 20'000);  // 4 MiB
}

TEST_CASE("directory memo: what was learned before a restart is neither kept nor taken") {
  DirectoryMemo memo;
  CatalogDirectory found;
  memo.insert(1, {"/a", {0}}, 0);
  memo.clear(1);
  CHECK_FALSE(memo.find(1, found));
  memo.insert(1, {"/a", {0}}, 0);
  CHECK_FALSE(memo.find(1, found));
  memo.insert(1, {"/b", {0}}, 1);
  CHECK(memo.find(1, found));
  CHECK(found.path == "/b");
}

TEST_CASE("emitted set: admits everything until it is consulted") {
  EmittedSet emitted;
  const PathKey one = entry_key(directory_key(0, "a/b"), "name");
  CHECK(emitted.admit(one));
  CHECK(emitted.admit(one));
  emitted.consult();
  CHECK_FALSE(emitted.admit(one));
  CHECK(emitted.contains(one));
  for (const PathKey other :
       {entry_key(directory_key(1, "a/b"), "name"), entry_key(directory_key(0, "a"), "name"),
        entry_key(directory_key(0, "a/b"), "nam"), entry_key(directory_key(0, "a"), "bname")}) {
    CHECK_FALSE(emitted.contains(other));
    CHECK(emitted.admit(other));
    CHECK_FALSE(emitted.admit(other));
  }
}

}  // namespace directory_memo_test
