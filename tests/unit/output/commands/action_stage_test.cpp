// SPDX-License-Identifier: MIT
// A stage that runs commands takes no more matches than it has room for.
#include "output/commands/action_stage.h"

#include <chrono>

#include "catch.h"
#include "os/processes.h"

namespace action_stage_test {

using namespace ffind;
using namespace ffind::output;

TEST_CASE("slow commands hold the search back") {
  Writer writer{1, 2};
  os::Processes processes;
  Action action;
  action.kind = ActionKind::each;
  action.commands = {CommandTemplate({"sleep", "0.1{/}"})};
  action.jobs = 2;
  const auto stage = make_action_stage({action, writer, false, [](const Issue&) {}, &processes});
  const auto begin = std::chrono::steady_clock::now();
  for (int match = 0; match < 12; ++match) {
    const std::vector<Match> matches = {{"0"}};
    stage->take(matches);
  }
  const auto taken = std::chrono::steady_clock::now() - begin;
  // Two run and four wait: the other six had to wait for room.
  CHECK(taken >= std::chrono::milliseconds(200));
  stage->finish();
}

}  // namespace action_stage_test
