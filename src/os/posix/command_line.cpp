// SPDX-License-Identifier: MIT
// What has to be known before a command is started: where it is, how much it takes, whether a
// person agrees.
#include <fcntl.h>
#include <signal.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "os/files.h"
#include "os/posix/signals.h"
#include "os/processes.h"
#include "os/terminal.h"

extern "C" char** environ;

namespace ffind::os {
namespace {

/// Whether the terminal `fd` is ours to read. Stops this process, as a read would, while it is in
/// the background; false where nobody could bring it back from there.
bool comes_to_foreground(int fd) {
  const pid_t group = ::tcgetpgrp(fd);
  // POSIX: tcdrain() of who is in the background is a SIGTTOU, or EIO if no shell controls it. It
  // ends in the foreground, without an end of its own as read(2) has.
  return group < 0 || group == ::getpgrp() || ::tcdrain(fd) == 0;
}

/// Until something was typed; false when this process goes on after it had been stopped.
bool wait_for_typing(int fd) {
  fd_set terminal;
  FD_ZERO(&terminal);
  FD_SET(fd, &terminal);
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  sigdelset(&mask, SIGCONT);
  // By select, since macOS cannot poll /dev/tty. One that came before, and was blocked, ends it at
  // once: none gets lost.
  return ::pselect(fd + 1, &terminal, nullptr, nullptr, nullptr, &mask) >= 0 || errno != EINTR;
}

}  // namespace

int find_program(const std::string& word, std::string& path) {
  const auto executable = [](const std::string& file) {
    if (is_directory(file)) return EACCES;
    return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
  };
  path = word;
  if (word.empty()) return ENOENT;
  if (word.find('/') != std::string::npos) return executable(word);
  const char* const variable = std::getenv("PATH");
  // POSIX leaves it open what is searched without one; this is what shells do.
  const std::string folders = variable != nullptr ? variable : "/usr/bin:/bin";
  int error = ENOENT;
  for (std::size_t from = 0; from <= folders.size();) {
    const std::size_t to = std::min(folders.find(':', from), folders.size());
    path = folders.substr(from, to - from);
    path += path.empty() ? "./" : "/";
    path += word;
    const int trouble = executable(path);
    if (trouble == 0) return 0;
    if (trouble == EACCES) error = EACCES;
    from = to + 1;
  }
  return error;
}

ArgumentLimits argument_limits() {
  ArgumentLimits limits;
  const long answer = ::sysconf(_SC_ARG_MAX);
  limits.total = answer > 0 ? static_cast<std::size_t>(answer) : 131072;
  // Linux: three quarters of 8 MiB whatever the stack's limit, and 32 pages for one argument
  // (fs/exec.c, bprm_stack_limits and MAX_ARG_STRLEN). Others have no limit for one.
#if defined(__linux__)
  limits.total = std::min<std::size_t>(limits.total, std::size_t{6} << 20U);
  limits.one = 32 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
#else
  limits.one = limits.total;
#endif
  // POSIX wants 2048 bytes left for what a command may add to its environment; the path of the
  // program and of an interpreter come on top of the arguments.
  std::size_t taken = 2048 + 2 * 4096;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    taken += std::string_view(*variable).size() + 1 + sizeof(char*);
  }
  limits.total -= std::min(limits.total, taken);
  return limits;
}

Terminal::Terminal(const char* need) : fd_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {
  if (fd_ >= static_cast<int>(FD_SETSIZE)) {
    ::close(fd_);
    fd_ = -1;
    errno = EMFILE;
  }
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), need);
  // For the thread that waits for an answer; nobody else's calls are to be interrupted.
  const sigset_t going_on = set_of(SIGCONT);
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, &going_on, &before);
  was_blocked_ = sigismember(&before, SIGCONT) == 1;
  struct sigaction action {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGCONT, &action, nullptr);
}

Terminal::~Terminal() {
  ::signal(SIGCONT, SIG_DFL);
  if (!was_blocked_) {
    const sigset_t going_on = set_of(SIGCONT);
    ::pthread_sigmask(SIG_UNBLOCK, &going_on, nullptr);
  }
  ::close(fd_);
}

void Terminal::put(std::string_view question) const {
  write_all(fd_, question);
}

bool Terminal::wait_for_answer(std::string_view question, std::string& answer) {
  answer.clear();
  while (comes_to_foreground(fd_)) {
    if (!wait_for_typing(fd_)) {
      // After Ctrl-Z and `fg`, the shell's message is below the question. What was typed of an
      // answer is gone.
      if (comes_to_foreground(fd_)) put(question);
      answer.clear();
      continue;
    }
    char character = 0;
    const ssize_t count = ::read(fd_, &character, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (character == '\n') return true;
    answer += character;
  }
  write_all(fd_, "\n");
  return false;
}

}  // namespace ffind::os
