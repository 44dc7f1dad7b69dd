// SPDX-License-Identifier: MIT
// Commands, run for real: by the system's own shell.

#include "os/processes.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.h"

namespace process_test {

using namespace ffind::os;

namespace {

struct Collected final : CommandOutput {
  std::string output;
  std::string error_output;
  void append(Stream stream, std::string_view bytes) override {
    (stream == Stream::output ? output : error_output) += bytes;
  }
};

Command shell(const char* script) {
  return {"/bin/sh", {"sh", "-c", script}};
}

Ending run(const char* script, Collected& collected) {
  Processes processes;
  return processes.run(shell(script), &collected);
}

}  // namespace

TEST_CASE("what a command writes is collected, each stream by itself") {
  Collected collected;
  const Ending ending = run("echo out; echo err >&2; echo more", collected);
  CHECK_FALSE(ending.failed());
  CHECK(collected.output == "out\nmore\n");
  CHECK(collected.error_output == "err\n");
}

TEST_CASE("how a command ended is told") {
  Collected collected;
  CHECK(run("exit 3", collected).status == 3);
  CHECK(run("kill -9 $$", collected).signal == 9);
  CHECK(run("exit 0", collected).failed() == false);
}

TEST_CASE("who ignores the end of children hears of it all the same, and they ignore it") {
  ::signal(SIGCHLD, SIG_IGN);
  Collected collected;
  CHECK(run("exit 3", collected).status == 3);
  struct sigaction action {};
  ::sigaction(SIGCHLD, nullptr, &action);
  CHECK(action.sa_handler == SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
}

TEST_CASE("a megabyte on both streams blocks nobody") {
  Collected collected;
  run("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; head -c 9 /dev/zero", collected);
  CHECK(collected.output.size() == 1'000'009);
  CHECK(collected.error_output.size() == 1'000'000);
}

TEST_CASE("what a command leaves behind is not waited for while it writes without a pause") {
  struct Slow final : CommandOutput {
    std::size_t bytes = 0;
    void append(Stream, std::string_view more) override {
      bytes += more.size();
      // The pipe is full again by the next look at it.
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  };
  constexpr std::size_t all = 20'000'000;
  Slow slow;
  Processes processes;
  CHECK_FALSE(processes.run(shell("head -c 20000000 /dev/zero & exit 0"), &slow).failed());
  CHECK(slow.bytes < all / 2);
}

TEST_CASE("standard input is empty where the output is collected") {
  Collected collected;
  CHECK(run("cat; echo end", collected).status == 0);
  CHECK(collected.output == "end\n");
}

TEST_CASE("what cannot be started says why, and leaves nothing behind") {
  Processes processes;
  Collected collected;
  CHECK(processes.run({"/nonexistent", {"x"}}, &collected).error == ENOENT);
  CHECK(processes.run({"/", {"x"}}, &collected).error == EACCES);
  CHECK_FALSE(processes.run(shell("exit 0"), &collected).failed());
}

TEST_CASE("a script without #! is the shell's") {
  const std::string path = "./script";
  std::ofstream(path) << "echo \"$1\" from $#\n";
  ::chmod(path.c_str(), 0755);
  Processes processes;
  Collected collected;
  CHECK_FALSE(processes.run({path, {"name", "a b"}}, &collected).failed());
  CHECK(collected.output == "a b from 1\n");
  std::remove(path.c_str());
}

TEST_CASE("a script without #! takes as many arguments as a program") {
  const std::string path = "./long-script";
  std::ofstream(path) << "echo $#\n";
  ::chmod(path.c_str(), 0755);
  Processes processes;
  Collected collected;
  Command command{path, {"name"}};
  command.arguments.insert(command.arguments.end(), 5000, "x");
  CHECK_FALSE(processes.run(command, &collected).failed());
  CHECK(collected.output == "5000\n");
  std::remove(path.c_str());
}

TEST_CASE("commands of several threads keep their output apart") {
  Processes processes;
  std::vector<std::thread> threads;
  std::vector<Collected> collected(8);
  for (Collected& one : collected) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) processes.run(shell("echo a; echo b"), &one);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Collected& one : collected) {
    CHECK(one.output.size() == 80);
    CHECK(one.output.find("a\na") == std::string::npos);
  }
}

TEST_CASE("one can wait until some command has ended, if any runs") {
  Processes processes;
  CHECK_FALSE(processes.wait_for_ending());
  const std::string path = "runs";
  std::remove(path.c_str());
  std::thread thread([&] { processes.run(shell("touch runs; sleep 0.3"), nullptr); });
  while (!std::ifstream(path)) std::this_thread::yield();
  while (processes.wait_for_ending()) {
  }
  thread.join();
  CHECK_FALSE(processes.wait_for_ending());
}

TEST_CASE("who is to end by a signal hears of that, not of a shortage") {
  const pid_t child = ::fork();
  if (child == 0) {
    struct Ready final : CommandOutput {
      std::atomic<bool> ready{false};
      void append(Stream, std::string_view) override { ready = true; }
    };
    Ready output;
    Collected collected;
    const std::string waits = "trap '' TERM; echo ready; while kill -0 " +
                              std::to_string(::getpid()) + " 2>&-; do sleep 0.1; done";
    Processes processes;
    std::thread busy([&] { processes.run(shell(waits.c_str()), &output); });
    while (!output.ready) std::this_thread::yield();
    ::kill(::getpid(), SIGTERM);
    while (!processes.run(shell("exit 0"), &collected).interrupted) std::this_thread::yield();
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 0;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::_exit(processes.run(shell("exit 0"), &collected).interrupted ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("programs are looked up as a shell does") {
  std::string path;
  CHECK(find_program("sh", path) == 0);
  CHECK(path.substr(path.size() - 3) == "/sh");
  CHECK(find_program("/bin/sh", path) == 0);
  CHECK(find_program("no-such-program", path) == ENOENT);
  CHECK(find_program("", path) == ENOENT);
  CHECK(find_program("/", path) == EACCES);
  CHECK(find_program("./sh", path) == ENOENT);
}

}  // namespace process_test
