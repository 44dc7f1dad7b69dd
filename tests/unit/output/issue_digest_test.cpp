// SPDX-License-Identifier: MIT
// Which issues a person sees, and what is said of the others.
#include "output/messages.h"

#include <cerrno>
#include <string>

#include "catch.h"

namespace issue_digest_test {

using namespace ffind;
using namespace ffind::output;

TEST_CASE("few issues of one reason are shown, of each reason, and those of roots anyway") {
  IssueDigest digest;
  Plan plan;
  plan.tasks.emplace_back().roots.emplace_back().printed = "r/";
  plan.missing.emplace_back().typed = "gone";
  digest.set_roots(plan);
  int shown = 0;
  for (int i = 0; i < 25; ++i) {
    const std::string path = "r/" + std::to_string(i);
    shown += digest.shows({path, "", EACCES}, 3) ? 1 : 0;
    CHECK(digest.shows({path, "delete", EACCES}, 10) == (i < 10));
  }
  CHECK(shown == 3);
  CHECK(digest.shows({"r", "", EACCES}, 3));
  CHECK(digest.shows({"gone", "", EACCES}, 3));
  CHECK(digest.shows({"r/x", "run", 0, "cp: ended by signal 9 (KILL)"}, 10));
  CHECK(digest.keep("kept\n"));
  CHECK(digest.summary() ==
        "kept\n"
        "ffind: Permission denied: 22 more\n"
        "ffind: cannot delete: Permission denied: 15 more\n");
  CHECK(digest.summary().empty());
}

}  // namespace issue_digest_test
