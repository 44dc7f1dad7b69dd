// SPDX-License-Identifier: MIT
// Capabilities as the kernel prints them, and a process that gave them up or went into a user
// namespace of its own. Processes are forked, so that this one keeps what it has.
#include "os/linux/device_access.h"

#include <linux/capability.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "catch.h"

namespace ffind::privileges_test {
namespace {

std::uint64_t effective_set() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "CapEff:") continue;
    status >> word;
    return std::stoull(word, nullptr, 16);
  }
  FAIL("/proc/self/status has no CapEff");
  return 0;
}

constexpr int no_answer = 77;

/// What `ask` returns in a process of its own.
int in_child(int (*ask)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(ask());
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

bool says(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

TEST_CASE("privileges: capabilities are those that the kernel lists") {
  const std::uint64_t set = effective_set();
  for (int capability = 0; capability < 64; ++capability) {
    CAPTURE(capability);
    CHECK(os::has_capability(capability) == ((set >> capability & 1U) != 0));
  }
  CHECK_FALSE(os::has_capability(64));
  CHECK_FALSE(os::has_capability(-1));
}

TEST_CASE("privileges: who has given up being root may not read every directory") {
  const int answer = in_child([] {
    if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return no_answer;
    if (os::has_capability(CAP_DAC_READ_SEARCH))
      return no_answer;  // from a file or the ambient set
    return says(os::closed_directories(), "--method catalog") ? 0 : 1;
  });
  CHECK((answer == 0 || answer == no_answer));
}

TEST_CASE("privileges: capabilities in a user namespace of one's own are not enough") {
  const int answer = in_child([] {
    if (::unshare(CLONE_NEWUSER) != 0) return no_answer;
    if (!os::has_capability(CAP_DAC_READ_SEARCH)) return 1;  // its maker has all of them
    return says(os::closed_directories(), "user namespace") ? 0 : 2;
  });
  CHECK((answer == 0 || answer == no_answer));
}

TEST_CASE("privileges: root of the machine may read every directory") {
  if (!os::has_capability(CAP_DAC_READ_SEARCH) || !os::in_first_user_namespace()) {
    WARN("skipped: not root of the machine");
    return;
  }
  CHECK(os::closed_directories() == "");
}

}  // namespace
}  // namespace ffind::privileges_test
