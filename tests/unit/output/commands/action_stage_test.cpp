// SPDX-License-Identifier: MIT
// Stages that run commands, fed by several threads, as lanes do.
#include "output/commands/action_stage.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <thread>

#include "catch.h"
#include "os/processes.h"

namespace action_stage_test {

using namespace ffind;
using namespace ffind::output;

namespace {

using Words = std::vector<std::string>;

/// A file in the place of standard output and error.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()), fd_(::fileno(file_)) { REQUIRE(fd_ >= 0); }
  ~Scratch() { std::fclose(file_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  int fd() const { return fd_; }

  Words lines() const {
    std::string text(static_cast<std::size_t>(::lseek(fd_, 0, SEEK_END)), '\0');
    REQUIRE(::pread(fd_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    Words lines;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t to = std::min(text.find('\n', from), text.size());
      lines.push_back(text.substr(from, to - from));
      from = to + 1;
    }
    return lines;
  }

 private:
  std::FILE* file_;
  int fd_;
};

struct Bench {
  Scratch output;
  Scratch errors;
  Writer writer{output.fd(), errors.fd()};
  Action action;
  os::Processes processes;
  std::atomic<int> issues{0};

  std::unique_ptr<ActionStage> make(ActionKind kind, const std::vector<Words>& commands,
                                    unsigned jobs) {
    action.kind = kind;
    action.commands = std::vector<CommandTemplate>(commands.begin(), commands.end());
    action.jobs = jobs;
    return make_action_stage(
        {action, writer, false, [this](const Issue&) { ++issues; }, &processes});
  }
};

bool take(ActionStage& stage, const Words& paths) {
  std::vector<Match> matches;
  for (const std::string& path : paths) matches.push_back({path});
  return stage.take(matches);
}

}  // namespace

TEST_CASE("every match of every lane gets its command once, its lines together") {
  Bench bench;
  const auto stage = bench.make(ActionKind::each, {{"sh", "-c", "echo \"$0\"; echo \"$0\""}}, 4);
  std::vector<std::thread> lanes;
  for (int lane = 0; lane < 4; ++lane) {
    lanes.emplace_back([&, lane] {
      for (int match = 0; match < 10; ++match) {
        const std::string path = std::to_string(lane * 100 + match);
        take(*stage, {path, "also-" + path});
      }
    });
  }
  for (std::thread& lane : lanes) lane.join();
  stage->finish();
  Words lines = bench.output.lines();
  REQUIRE(lines.size() == 160);
  for (std::size_t line = 0; line < lines.size(); line += 2) CHECK(lines[line] == lines[line + 1]);
  std::sort(lines.begin(), lines.end());
  CHECK(std::unique(lines.begin(), lines.end()) - lines.begin() == 80);
  CHECK_FALSE(stage->failed());
}

TEST_CASE("slow commands hold the search back") {
  Bench bench;
  const auto stage = bench.make(ActionKind::each, {{"sleep", "0.1{/}"}}, 2);
  const auto begin = std::chrono::steady_clock::now();
  for (int match = 0; match < 12; ++match) take(*stage, {"0"});
  const auto taken = std::chrono::steady_clock::now() - begin;
  // Two run and four wait: the other six had to wait for room.
  CHECK(taken >= std::chrono::milliseconds(200));
  stage->finish();
}

TEST_CASE("commands that fail are told at the end, and stop nothing") {
  Bench bench;
  const auto stage = bench.make(ActionKind::each, {{"sh", "-c", "echo ran; exit 1"}}, 2);
  CHECK(take(*stage, {"a", "b"}));
  stage->finish();
  CHECK(stage->failed());
  CHECK(bench.output.lines() == Words{"ran", "ran"});
  CHECK(bench.issues == 0);
}

TEST_CASE("a match that is no program is an issue, and the next one follows") {
  Bench bench;
  const auto stage = bench.make(ActionKind::each, {{"{}", "ran"}}, 2);
  CHECK(take(*stage, {"/nonexistent/x", "/bin/echo"}));
  stage->finish();
  CHECK(stage->failed());
  CHECK(bench.issues == 1);
  CHECK(bench.output.lines() == Words{"ran"});
}

TEST_CASE("a program that is not to be found is told before anything is run") {
  Bench bench;
  CHECK_THROWS_AS(bench.make(ActionKind::each, {{"true"}, {"no-such-program"}}, 2),
                  std::system_error);
  CHECK_THROWS_AS(bench.make(ActionKind::batch, {{"no-such-program"}}, 0), std::system_error);
}

TEST_CASE("output that cannot be written stops commands") {
  Bench bench;
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) return;  // Linux has it
  Writer writer(full, full);
  bench.action.commands = {CommandTemplate({"echo"})};
  bench.action.jobs = 1;
  const auto stage = make_action_stage(
      {bench.action, writer, false, [&](const Issue&) { ++bench.issues; }, &bench.processes});
  bool taken = true;
  for (int match = 0; taken && match < 1000; ++match) taken = take(*stage, {"x"});
  CHECK_FALSE(taken);
  stage->finish();
  ::close(full);
}

TEST_CASE("a batch is one command, and nothing is run for nothing") {
  Bench bench;
  bench.action.dry_run = true;
  const auto stage = bench.make(ActionKind::batch, {{"echo"}}, 0);
  stage->finish();
  CHECK(bench.output.lines().empty());
  take(*stage, {"a", "b c"});
  take(*stage, {"d"});
  stage->finish();
  CHECK(bench.output.lines() == Words{"echo a 'b c' d"});
}

TEST_CASE("a batch that is run where its matches lie is of one directory") {
  Bench bench;
  bench.action.dry_run = true;
  bench.action.in_directory = true;
  const auto stage = bench.make(ActionKind::batch, {{"cat"}}, 0);
  take(*stage, {"a/x", "a/y", "b/x", "z"});
  stage->finish();
  CHECK(bench.output.lines() == Words{"(cd a/ && cat ./x ./y)", "(cd b/ && cat ./x)", "cat ./z"});
}

TEST_CASE("files, their size and directories are counted in words") {
  const auto text = [](std::vector<os::Identity> all) {
    ActionTally tally;
    for (const os::Identity& one : all) tally.add(one);
    return tally.text();
  };
  const os::Identity file{.type = FileType::file, .size = 600'000};
  const os::Identity link{.type = FileType::symlink, .size = 9};
  const os::Identity directory{.type = FileType::directory, .size = 4096};
  const os::Identity sparse{.type = FileType::file, .size = UINT64_MAX};
  CHECK(text({file}) == "1 file, 600 kB");
  CHECK(text({file, link, file}) == "3 files, 1.2 MB");
  CHECK(text({directory}) == "1 directory");
  CHECK(text({link, directory, directory}) == "1 file, 0 B, and 2 directories");
  CHECK(text({sparse, sparse}) == "2 files, 18 EB");
}

}  // namespace action_stage_test
