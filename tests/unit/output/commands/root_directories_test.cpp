// SPDX-License-Identifier: MIT
// Which of many roots a match lies below costs no more than the way to it.
#include "output/commands/root_directories.h"

#include "catch.h"

namespace root_directories_test {

using namespace ffind;
using namespace ffind::output;

namespace {

RootDirectory directory(std::string printed, std::string path) {
  return {std::move(printed), {std::move(path), {}}};
}

}  // namespace

TEST_CASE("a hundred thousand roots cost each match no more than the way to one of them") {
  constexpr int count = 100'000;
  std::vector<RootDirectory> all;
  for (int i = 0; i < count; ++i) all.push_back(directory("a/" + std::to_string(i) + "/", "a"));
  const RootDirectories roots(std::move(all));
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const std::string path = "a/" + std::to_string(i) + "/x";
    if (locate_below(roots, path).path == "x") ++found;
  }
  CHECK(found == count);
  // Asking each root would take ten thousand million questions, and all the time that a test has.
}

}  // namespace root_directories_test
