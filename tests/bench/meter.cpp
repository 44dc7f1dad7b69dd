// SPDX-License-Identifier: MIT
// meter: runs one command, reads its output away and reports time and memory as JSON on
// standard output. tests/bench/bench compiles it and runs every program through it, all alike.
// Not Python, because a child's ru_maxrss starts at what its parent had when it was executed:
// a launcher of 15 MiB would hide a finder of 5, and its own start would drown an empty search.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace {

using Clock = std::chrono::steady_clock;

// More than a pipe holds: one call takes all that has been written.
constexpr std::size_t kSpliceBytes = 1024 * 1024;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

[[noreturn]] void give_up(const char* what, int error) {
  std::fprintf(stderr, "meter: %s: %s\n", what, std::strerror(error));
  _exit(125);
}

struct Output {
  double first_seconds = 0;
  unsigned long long bytes = 0;
};

/// Splices the pipe to /dev/null until it ends: the pages are dropped without being copied, so
/// the reader takes as little of the processors from the program as a reader can.
Output read_away(int pipe, Clock::time_point start) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) give_up("/dev/null", errno);
  Output output;
  for (;;) {
    const ssize_t moved = splice(pipe, nullptr, nowhere, nullptr, kSpliceBytes, SPLICE_F_MOVE);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) give_up("splice", errno);
    if (moved == 0) return output;
    if (output.bytes == 0) output.first_seconds = seconds_since(start);
    output.bytes += static_cast<unsigned long long>(moved);
  }
}

pid_t start_command(char** command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, command[0], &actions, nullptr, command, environ);
  if (error != 0) give_up(command[0], error);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: meter PROGRAM [ARGUMENT]...\n", stderr);
    return 2;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) give_up("pipe", errno);

  const Clock::time_point start = Clock::now();
  const pid_t child = start_command(argv + 1, ends[1]);
  close(ends[1]);
  const Output output = read_away(ends[0], start);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) give_up("wait4", errno);
  }
  const double seconds = seconds_since(start);

  std::printf(
      "{\"seconds\": %.6f, \"first_seconds\": %.6f, \"bytes\": %llu, \"peak_kib\": %ld, "
      "\"user_seconds\": %.6f, \"system_seconds\": %.6f, \"status\": %d}\n",
      seconds, output.first_seconds, output.bytes, usage.ru_maxrss, seconds_of(usage.ru_utime),
      seconds_of(usage.ru_stime), WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  return 0;
}
