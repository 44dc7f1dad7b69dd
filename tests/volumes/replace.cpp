// SPDX-License-Identifier: MIT
// Replaces files while ffind searches by their metadata, and checks each answer; run by stress.py.
//   replace FFIND METHOD DIRECTORY PROCESSES SECONDS SEED
// Each directory has files of four kinds, some of each. Those that `keep` their names always have
// the mode that is searched for, those named `never` never have it; both are replaced all the time,
// by renaming to their names other files, which have rested with the other mode until then (`spare`
// and `loose`). Whoever takes the mode that a number had a moment ago for that of the file finds a
// `never`, or misses a `keep`. Knows no file system.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int directories = 2000;
constexpr int of_each_kind = 6;
constexpr mode_t searched = 0644;
constexpr mode_t other = 0600;
/// A file that has not changed for so long may be believed to stay as it is.
constexpr auto rest = std::chrono::milliseconds(2500);

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "replace: %s: %s\n", what.c_str(), std::strerror(errno));
  std::_Exit(3);
}

std::string path_of(const std::string& top, int directory, const char* kind, int index) {
  return top + "/d" + std::to_string(directory) + "/" + kind + "-" + std::to_string(index);
}

void make(const std::string& path, mode_t mode) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0 || ::fchmod(file, mode) != 0) fail(path);
  ::close(file);
}

void fill(const std::string& top) {
  for (int directory = 0; directory < directories; ++directory) {
    if (::mkdir((top + "/d" + std::to_string(directory)).c_str(), 0755) != 0) fail(top);
    for (int index = 0; index < of_each_kind; ++index) {
      make(path_of(top, directory, "keep", index), searched);
      make(path_of(top, directory, "never", index), other);
      make(path_of(top, directory, "spare", index), other);
      make(path_of(top, directory, "loose", index), searched);
    }
  }
}

/// Takes the spare and loose files of its share of the directories, one by one, and makes new ones
/// in their place; begins again when those have rested.
[[noreturn]] void replace(const std::string& top, int share, int shares, unsigned seed) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::mt19937 random(seed);
  const auto below = [&](int end) {
    return static_cast<int>(random() % static_cast<unsigned>(end));
  };
  while (true) {
    const auto began = Clock::now();
    for (int i = share; i < directories * of_each_kind; i += shares) {
      const int from = i % directories;
      const int index = i / directories;
      const int to = below(directories);
      const std::string spare = path_of(top, from, "spare", index);
      if (::chmod(spare.c_str(), searched) != 0 ||
          ::rename(spare.c_str(), path_of(top, to, "keep", below(of_each_kind)).c_str()) != 0) {
        fail(spare);
      }
      const std::string loose = path_of(top, from, "loose", index);
      if (::chmod(loose.c_str(), other) != 0 ||
          ::rename(loose.c_str(), path_of(top, to, "never", below(of_each_kind)).c_str()) != 0) {
        fail(loose);
      }
      make(spare, other);
      make(loose, searched);
      ::usleep(150);  // so that a round lasts for several searches
    }
    const auto rested = began + rest;
    while (Clock::now() < rested) ::usleep(10000);
  }
}

/// What the search prints, NUL after each; its status must be 0.
std::string ask(const std::string& ffind, const std::string& method, const std::string& top) {
  const std::string command = ffind + " -0 --method " + method + " --perm 0644 -t f --in " + top;
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) fail(command);
  std::string out;
  std::array<char, 65536> buffer{};
  for (std::size_t count = 0; (count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    out.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  if (status != 0) {
    std::printf("%s: status %d\n", command.c_str(), status);
    std::_Exit(1);
  }
  return out;
}

/// How many names are wrong.
long check(const std::string& out, const std::string& top) {
  std::unordered_map<std::string, int> kept;
  for (int directory = 0; directory < directories; ++directory) {
    for (int index = 0; index < of_each_kind; ++index) {
      kept[path_of(top, directory, "keep", index)] = 0;
    }
  }
  long wrong = 0;
  const auto complain = [&](const std::string& path, const char* what) {
    if (++wrong <= 5) std::printf("  %s %s\n", path.c_str(), what);
  };
  for (std::size_t at = 0; at < out.size();) {
    const std::string path(out.c_str() + at);
    at += path.size() + 1;
    if (path.find("/never-") != std::string::npos) complain(path, "never matched");
    const auto found = kept.find(path);
    if (found != kept.end() && ++found->second > 1) complain(path, "was found again");
  }
  for (const auto& [path, times] : kept) {
    if (times == 0) complain(path, "was not found");
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "replace FFIND METHOD DIRECTORY PROCESSES SECONDS SEED\n");
    return 2;
  }
  const std::string ffind = argv[1];
  const std::string method = argv[2];
  const std::string top = argv[3];
  const int processes = std::atoi(argv[4]);
  const auto seconds = std::chrono::duration<double>(std::atof(argv[5]));
  fill(top);
  ::usleep(3'000'000);
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = ::fork();
    if (child < 0) fail("fork");
    if (child == 0) replace(top, i, processes, static_cast<unsigned>(std::atoi(argv[6]) + i));
    children.push_back(child);
  }
  long searches = 0;
  long wrong = 0;
  for (const auto end = Clock::now() + seconds; Clock::now() < end; ++searches) {
    wrong += check(ask(ffind, method, top), top);
  }
  bool alive = true;
  for (const pid_t child : children) {
    alive = ::waitpid(child, nullptr, WNOHANG) == 0 && alive;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  std::printf("replaced files: %ld searches, %ld wrong\n", searches, wrong);
  return wrong == 0 && searches > 0 && alive ? 0 : 1;
}
