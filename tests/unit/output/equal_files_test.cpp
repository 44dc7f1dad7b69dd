// SPDX-License-Identifier: MIT
// Files are narrowed down to groups by size, inode and hash, beside a grouping by all of these at
// once.
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "catch.h"
#include "output/equal_files.h"
#include "random.h"

namespace equal_files_test {

using namespace ffind::output;
using Index = EqualFiles::Index;
using Inode = std::pair<std::uint32_t, std::uint64_t>;

namespace {

FileName name_of(std::uint64_t size, std::uint64_t inode, std::uint32_t device = 0,
                 std::uint32_t directory = 0) {
  return {size, inode, 0, "", directory, device};
}

/// The inodes of each group.
std::set<std::set<Inode>> groups_of(EqualFiles& files) {
  std::set<std::set<Inode>> groups;
  for (const auto& [begin, end] : files.groups()) {
    std::set<Inode> inodes;
    for (Index i = begin; i < end; ++i) {
      const FileName& file = files.file(files.candidate(i));
      inodes.emplace(file.device, file.inode);
    }
    groups.insert(inodes);
  }
  return groups;
}

/// Hashes what is to be read: by inode, `contents` of a whole file.
void read(EqualFiles& files, const std::map<Inode, std::uint64_t>& contents, bool whole) {
  for (const Index index : files.to_read()) {
    Candidate& candidate = files.candidate(index);
    const FileName& file = files.file(candidate);
    const std::uint64_t hash = contents.at({file.device, file.inode});
    candidate.hash = {0, whole ? hash : hash % 2};
    candidate.whole = whole;
  }
}

}  // namespace

TEST_CASE("names of one file are one candidate, and a size that it has alone is dropped") {
  EqualFiles files;
  const std::vector<FileName> names = {name_of(5, 1), name_of(5, 1, 0, 2), name_of(7, 2),
                                       name_of(7, 2, 1), name_of(9, 3)};
  files.add(names);
  files.match_sizes();
  CHECK(files.to_read().size() == 2);
  CHECK(files.number_of_names() == 2);
  CHECK(files.candidate(0).names == 1);
  CHECK(groups_of(files) == std::set<std::set<Inode>>{{{0, 2}, {1, 2}}});
}

TEST_CASE("files are read by directory, then by inode") {
  EqualFiles files;
  const std::vector<FileName> names = {name_of(5, 9, 0, 2), name_of(5, 1, 0, 2),
                                       name_of(5, 7, 0, 1), name_of(6, 8, 0, 1),
                                       name_of(6, 2, 0, 3)};
  files.add(names);
  files.match_sizes();
  std::vector<std::uint64_t> inodes;
  for (const Index index : files.to_read())
    inodes.push_back(files.file(files.candidate(index)).inode);
  CHECK(inodes == std::vector<std::uint64_t>{7, 8, 1, 9, 2});
}

TEST_CASE("a file that is left out is in no group, nor is one that is equal to it alone") {
  EqualFiles files;
  const std::vector<FileName> names = {name_of(5, 1), name_of(5, 2), name_of(5, 3), name_of(6, 4),
                                       name_of(6, 5)};
  files.add(names);
  files.match_sizes();
  read(files, {{{0, 1}, 2}, {{0, 2}, 2}, {{0, 3}, 2}, {{0, 4}, 2}, {{0, 5}, 2}}, true);
  files.candidate(1).left_out = true;
  files.candidate(4).left_out = true;
  files.match_hashes();
  CHECK(groups_of(files) == std::set<std::set<Inode>>{{{0, 1}, {0, 3}}});
  CHECK(files.to_read().empty());
}

TEST_CASE("random files are grouped as by all that they have at once") {
  Random random(1);
  const auto below = [&](std::uint32_t n) { return random() % n; };
  for (int round = 0; round < 200; ++round) {
    EqualFiles files;
    std::map<Inode, std::uint64_t> contents;
    std::map<Inode, std::uint64_t> sizes;
    for (std::uint32_t i = below(60); i > 0; --i) {
      const Inode inode{below(2), 1 + below(30)};
      if (sizes.emplace(inode, 1 + below(4)).second) contents[inode] = below(4);
      const FileName name = name_of(sizes[inode], inode.second, inode.first, below(5));
      files.add({&name, 1});
    }
    files.match_sizes();
    read(files, contents, false);
    files.match_hashes();
    read(files, contents, true);
    files.match_hashes();
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<Inode>> all;
    for (const auto& [inode, size] : sizes) all[{size, contents[inode]}].insert(inode);
    std::set<std::set<Inode>> expected;
    for (const auto& [key, inodes] : all) {
      if (inodes.size() > 1) expected.insert(inodes);
    }
    CHECK(groups_of(files) == expected);
  }
}

}  // namespace equal_files_test
