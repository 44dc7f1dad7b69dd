// SPDX-License-Identifier: MIT
// The accounts of the machine that the tests run on: every system has root under the number 0.
#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "catch.h"
#include "os/files.h"
#include "os/machine.h"

namespace accounts_test {

namespace {

using namespace ffind;

/// Numbers that systems keep for nobody: 2^32 - 2 is "nobody" in places, this one is free.
constexpr std::uint32_t nobodys_number = 3'999'999'937U;

}  // namespace

TEST_CASE("accounts are found by name and by number") {
  const auto accounts = os::accounts();
  CHECK(accounts->user_id("root") == std::uint32_t{0});
  CHECK(accounts->user_name(0) == std::string("root"));
  const auto group = accounts->group_name(0);  // root, or wheel
  REQUIRE(group.has_value());
  CHECK(accounts->group_id(*group) == std::uint32_t{0});
}

TEST_CASE("a name and a number that no account has are told apart from one that cannot be asked") {
  const auto accounts = os::accounts();
  CHECK_FALSE(accounts->user_id("no such user, surely").has_value());
  CHECK_FALSE(accounts->group_id("no such group, surely").has_value());
  CHECK_FALSE(accounts->user_name(nobodys_number).has_value());
  CHECK_FALSE(accounts->group_name(nobodys_number).has_value());
}

TEST_CASE("threads may ask for accounts at the same time") {
  const auto accounts = os::accounts();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::uint32_t n = 0; n < 200; ++n) {
        if (accounts->user_name(0) != std::string("root")) ++wrong;
        if (accounts->user_name(nobodys_number + n % 8).has_value()) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("a stat that follows links says what lies at a path, or why it cannot") {
  Metadata here{};
  REQUIRE(os::metadata_of(".", here) == 0);
  CHECK(here.inode != 0);
  CHECK(here.modified != Instant{});
  CHECK(os::metadata_of("no such file, surely", here) == ENOENT);
}

}  // namespace accounts_test
