// SPDX-License-Identifier: MIT
// fill: makes many directories with empty files in each, fast, and prints how many entries that is:
//
//     fill DIR DIRECTORIES FILES_IN_EACH
//
// tests/bench/volumes.py compiles and runs it for volumes that Python would need an hour to fill.
// Each directory holds up to `fan` others, so that no directory is huge and none is deep. One file
// in ten has "config" in its name, for searches by name.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr long fan = 64;
constexpr long one_in = 10;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "fill: %s: %s\n", what.c_str(), std::strerror(errno));
  std::_Exit(1);
}

/// Of directory `number`, from 1; its parent is (number - 1) / fan, and 0 the one that is filled.
std::string path_of(long number) {
  if (number == 0) return ".";
  char name[32];
  std::snprintf(name, sizeof name, "/directory-%06ld", number);
  return path_of((number - 1) / fan) + name;
}

/// One call a file: mknod leaves nothing open.
void make_files(long directory, long files) {
  const std::string path = path_of(directory);
  const int at = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (at < 0) give_up(path);
  for (long number = 0; number < files; ++number) {
    char name[32];
    const char* const form = number % one_in == 3 ? "config-%04ld.h" : "file-%04ld.txt";
    std::snprintf(name, sizeof name, form, number);
    if (::mknodat(at, name, S_IFREG | 0644, 0) != 0) give_up(path + '/' + name);
  }
  ::close(at);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fputs("usage: fill DIR DIRECTORIES FILES_IN_EACH\n", stderr);
    return 2;
  }
  const long directories = std::atol(words[2]);
  const long files = std::atol(words[3]);
  if (::chdir(words[1]) != 0) give_up(words[1]);
  for (long number = 1; number <= directories; ++number) {
    const std::string path = path_of(number);
    if (::mkdir(path.c_str(), 0755) != 0) give_up(path);
  }
  std::atomic<long> next{1};
  std::vector<std::thread> workers;
  for (unsigned worker = 0; worker < std::thread::hardware_concurrency(); ++worker) {
    workers.emplace_back([&] {
      for (long number = next++; number <= directories; number = next++) make_files(number, files);
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::printf("%ld\n", directories + directories * files);
  return 0;
}
