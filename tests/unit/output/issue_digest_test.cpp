// SPDX-License-Identifier: MIT
// Which issues a person sees, and what is said of the others.
#include "output/messages.h"

#include <cerrno>
#include <string>

#include "catch.h"

namespace issue_digest_test {

using namespace ffind;
using namespace ffind::output;

TEST_CASE("ten issues of one reason are shown, of each reason, and those of roots anyway") {
  IssueDigest digest;
  Plan plan;
  plan.tasks.emplace_back().roots.emplace_back().printed = "r/";
  plan.missing.emplace_back().typed = "gone";
  digest.set_roots(plan);
  int shown = 0;
  for (int i = 0; i < 25; ++i) {
    const std::string path = "r/" + std::to_string(i);
    shown += digest.shows({path, "", EACCES}) ? 1 : 0;
    CHECK(digest.shows({path, "read metadata", EACCES}) == (i < 10));
  }
  CHECK(shown == 10);
  CHECK(digest.shows({"r", "", EACCES}));
  CHECK(digest.shows({"gone", "", EACCES}));
  CHECK(digest.shows({"r/x", "run", 0, "cp: ended by signal 9 (KILL)"}));
  CHECK(digest.summary() ==
        "ffind: Permission denied: 15 more\n"
        "ffind: cannot read metadata: Permission denied: 15 more\n");
  CHECK(digest.summary().empty());
}

}  // namespace issue_digest_test
