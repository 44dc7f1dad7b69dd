// SPDX-License-Identifier: MIT
// Which chunks of inodes are read, how often, and when reading them does not pay.
#include "os/devices/xfs/inodes.h"

#include <memory>

#include "catch.h"
#include "unit/os/devices/xfs/calls.h"

namespace ffind::os::xfs::inodes_test {
namespace {

constexpr Nanoseconds stat_takes = 400;
/// What a chunk takes whose inodes are in memory, and whose are not.
constexpr Nanoseconds warm = 42'000;
constexpr Nanoseconds cold = 290'000;

/// Waits until a chunk may be read again, at most so often; how often that was.
std::uint64_t refusals(Worth& worth, std::uint64_t most = 1'000'000) {
  std::uint64_t count = 0;
  while (count < most && !worth.may_read()) ++count;
  return count;
}

Worth begun() {
  Worth worth(false);
  CHECK(refusals(worth) == Worth::first_wait);
  worth.set_stat(stat_takes);
  return worth;
}

/// Reads chunks as long as that is allowed.
unsigned reads(Worth& worth, Nanoseconds took, unsigned answers, unsigned asked, unsigned most) {
  unsigned count = 0;
  while (count < most && worth.may_read()) {
    worth.read(took, answers);
    worth.answered(asked);
    ++count;
  }
  return count;
}

TEST_CASE("xfs inodes: chunks whose inodes are in memory and asked for are read on and on") {
  Worth worth = begun();
  CHECK(reads(worth, warm, 64, 60, 10000) == 10000);
}

TEST_CASE("xfs inodes: chunks whose inodes are not in memory are left to stat, which keeps them") {
  Worth worth = begun();
  CHECK(reads(worth, cold, 64, 64, 10000) == Worth::most_losses);
  CHECK(refusals(worth) == Worth::shortest_wait - 1);
  CHECK(reads(worth, cold, 64, 64, 10000) == Worth::most_losses);
  CHECK(refusals(worth) == 4 * Worth::shortest_wait - 1);
  CHECK(reads(worth, cold, 64, 64, 10000) == Worth::most_losses);
  for (int i = 0; i < 10; ++i) {
    CHECK(refusals(worth) <= Worth::longest_wait);
    CHECK(reads(worth, cold, 64, 64, 10000) == Worth::most_losses);
  }
}

TEST_CASE("xfs inodes: chunks of which a few inodes are asked for are given up") {
  Worth worth = begun();
  const unsigned count = reads(worth, warm, 64, 10, 10000);
  CHECK(count > Worth::chunks_in_advance);
  CHECK(count < 3 * Worth::chunks_in_advance);
  CHECK(refusals(worth) > 0);
}

TEST_CASE("xfs inodes: what was saved is spent where the answers come late") {
  Worth worth = begun();
  reads(worth, warm, 64, 64, 5000);
  const unsigned count = reads(worth, warm, 64, 0, 10000);
  CHECK(count > 500);
  CHECK(count < 2000);
}

TEST_CASE("xfs inodes: chunks that cannot answer are losses") {
  Worth worth = begun();
  CHECK(reads(worth, warm, 0, 0, 10000) == Worth::most_losses);
}

TEST_CASE("xfs inodes: requested, they are read whether it pays or not") {
  Worth worth(true);
  worth.set_stat(stat_takes);
  CHECK(reads(worth, cold, 0, 0, 1000) == 1000);
}

/// All of them in use.
void fill(FakeVolume& volume, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t i = first; i < end; ++i) volume.add(settled_file(i, i));
}

struct Asked {
  FakeVolume volume{};
  std::unique_ptr<Inodes> inodes{};

  void begin(Needs wanted = needs::size, bool always = true) {
    inodes = std::make_unique<Inodes>(std::make_unique<FakeCalls>(volume), trust(), wanted, always);
  }
  const Record* find(std::uint64_t inode) {
    found_ = inodes->find(inode, 1);
    return found_.chunk ? &found_.chunk->records[inode % inodes_per_chunk] : nullptr;
  }
  std::uint64_t size_of(std::uint64_t inode) {
    const Record* const record = find(inode);
    REQUIRE(record != nullptr);
    if (record->certain() == needs::none) return 0;
    Metadata metadata{};
    record->fill(metadata);
    return metadata.size;
  }

 private:
  Inodes::Found found_;
};

TEST_CASE("xfs inodes: a chunk is read once") {
  Asked asked;
  fill(asked.volume, 128, 320);
  asked.begin();
  for (const std::uint64_t inode : {130U, 191U, 192U, 128U, 200U}) {
    CHECK(asked.size_of(inode) == inode);
  }
  CHECK(asked.volume.read_from == std::vector<std::uint64_t>{128, 192});
  CHECK(asked.inodes->now() == 2);
}

TEST_CASE("xfs inodes: a call that goes on in the next chunks reads those it has all of") {
  Asked asked;
  fill(asked.volume, 64, 80);
  fill(asked.volume, 130, 160);
  fill(asked.volume, 200, 256);
  asked.begin();
  CHECK(asked.size_of(70) == 70);
  CHECK(asked.size_of(90) == 0);  // free
  CHECK(asked.size_of(159) == 159);
  CHECK(asked.volume.read_from == std::vector<std::uint64_t>{64});
  // Of the third a part was returned.
  CHECK(asked.size_of(200) == 200);
  CHECK(asked.size_of(255) == 255);
  CHECK(asked.volume.read_from == std::vector<std::uint64_t>{64, 192});
}

TEST_CASE("xfs inodes: what cannot be read answers nothing, and is not tried again") {
  Asked asked;
  fill(asked.volume, 0, 64);
  asked.volume.error = EIO;
  asked.begin();
  CHECK(asked.size_of(1) == 0);
  CHECK(asked.size_of(2) == 0);
  CHECK(asked.volume.read_from.size() == 1);
}

TEST_CASE("xfs inodes: the chunks used last are kept") {
  Asked asked;
  fill(asked.volume, 0, 1100 * 64);
  asked.begin();
  for (std::uint64_t chunk = 0; chunk < 1100; ++chunk) {
    asked.size_of(0);
    asked.size_of(chunk * 64);
  }
  CHECK(asked.volume.read_from.size() == 1100);
  CHECK(asked.size_of(1099 * 64) == 1099 * 64);
  CHECK(asked.volume.read_from.size() == 1100);
  CHECK(asked.size_of(64) == 64);
  CHECK(asked.volume.read_from.size() == 1101);
}

TEST_CASE("xfs inodes: a small search reads none") {
  Asked asked;
  fill(asked.volume, 0, 64);
  asked.begin(needs::size, false);
  CHECK(asked.find(1) == nullptr);
  CHECK(asked.volume.read_from.empty());
}

TEST_CASE("xfs inodes: what answers nothing that is wanted does not pay") {
  Asked asked;
  fill(asked.volume, 0, 6400);
  for (auto& [inode, from] : asked.volume.inodes) from.ctime = 1600;  // not written yet
  const bool sizes = GENERATE(true, false);
  asked.begin(sizes ? needs::size : needs::mode, false);
  for (std::uint64_t inode = 0; inode < 6400; inode += 64) asked.find(inode);
  CHECK(asked.volume.read_from.size() == (sizes ? Worth::most_losses : 100 - Worth::first_wait));
}

}  // namespace
}  // namespace ffind::os::xfs::inodes_test
