// SPDX-License-Identifier: MIT
// What a catalog searcher remembers: within bounds, and nothing from before a restart.
#include "search/catalog_search.h"

#include "catch.h"
#include "search/seen_sets.h"

namespace directory_cache_test {

using namespace ffind;
using namespace ffind::search;

TEST_CASE("directory cache: remembers, but no more than fits") {
  DirectoryCache cache;
  CatalogDirectory found;
  constexpr std::uint64_t count = 100'000;
  for (std::uint64_t id = 1; id <= count; ++id) {
    cache.insert(id, {std::string(100, 'x') + std::to_string(id), {3}}, 0);
    if (!cache.find(id, found)) FAIL(id);
  }
  CHECK(found.path == std::string(100, 'x') + "100000");
  CHECK(found.roots == std::vector<std::uint32_t>{3});
  std::size_t held = 0;
  for (std::uint64_t id = 1; id <= count; ++id) held += cache.find(id, found) ? 1U : 0U;
  CHECK(held < 20'000);  // 4 MiB
}

TEST_CASE("directory cache: what was learned before a restart is neither kept nor taken") {
  DirectoryCache cache;
  CatalogDirectory found;
  cache.insert(1, {"/a", {0}}, 0);
  cache.clear(1);
  CHECK_FALSE(cache.find(1, found));
  cache.insert(1, {"/a", {0}}, 0);
  CHECK_FALSE(cache.find(1, found));
  cache.insert(1, {"/b", {0}}, 1);
  CHECK(cache.find(1, found));
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

}  // namespace directory_cache_test
