// SPDX-License-Identifier: MIT
// By what two ways of listing one tree are found to agree.
#include "cli/compare.h"

#include <string_view>
#include <vector>

#include "catch.h"

namespace compare_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

Entry entry_of(std::string_view directory, std::string_view name, FileType type = FileType::file) {
  Entry entry;
  entry.directory = directory;
  entry.name = name;
  entry.type = type;
  entry.metadata = {};
  entry.present = needs::directory | metadata_compared;
  return entry;
}

TreeDigest digest_of(std::vector<std::vector<Entry>> lanes, bool metadata = false) {
  DigestSink sink(metadata);
  for (std::vector<Entry>& entries : lanes) {
    const auto lane = sink.open_lane();
    for (Entry& entry : entries) CHECK(lane->emit(entry));
  }
  return sink.digest();
}

}  // namespace

TEST_CASE("a tree has one digest, in whatever order and by how many threads it is listed") {
  const Entry a = entry_of("d/", "a");
  const Entry b = entry_of("d/e/", "a name that is longer than a word");
  const Entry c = entry_of("", "d", FileType::directory);
  CHECK(digest_of({{a, b, c}}) == digest_of({{c, a}, {b}}));
  CHECK(digest_of({{a, b, c}}).entries == 3);
}

TEST_CASE("another name, directory or type is another digest, and so is an entry too often") {
  const Entry a = entry_of("d/", "a");
  for (const Entry& other : {entry_of("d/", "b"), entry_of("e/", "a"), entry_of("", "a"),
                             entry_of("d/", "a", FileType::symlink)}) {
    CHECK_FALSE(digest_of({{a}}) == digest_of({{other}}));
  }
  CHECK_FALSE(digest_of({{a}}) == digest_of({{a, a}}));
  // What moved from one directory to another beside it.
  CHECK_FALSE(digest_of({{entry_of("d/", "a"), entry_of("e/", "b")}}) ==
              digest_of({{entry_of("d/", "b"), entry_of("e/", "a")}}));
}

TEST_CASE("metadata counts where it is compared, the size only of files") {
  const Entry a = entry_of("d/", "a");
  Entry larger = a;
  larger.metadata.size = 1;
  CHECK(digest_of({{a}}) == digest_of({{larger}}));
  CHECK_FALSE(digest_of({{a}}, true) == digest_of({{larger}}, true));
  Entry unread = a;
  unread.present &= ~needs::modified;
  unread.failed |= needs::modified;
  CHECK_FALSE(digest_of({{a}}, true) == digest_of({{unread}}, true));
  const Entry directory = entry_of("", "d", FileType::directory);
  Entry grown = directory;
  grown.metadata.size = 4096;
  CHECK(digest_of({{directory}}, true) == digest_of({{grown}}, true));
}

}  // namespace compare_test
