// SPDX-License-Identifier: MIT
// Pipes, and steps of running programs on Linux: pipe2, vfork, sigwaitinfo, the limits of execve,
// and the desktop's programs, which depend on the window system.
#include "os/posix/process_calls.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/machine.h"
#include "os/terminal.h"

namespace ffind::os {

int open_pipe(int (&ends)[2]) {
  return ::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
}

// An unprivileged user may have 64 MiB in all pipes; beyond that it fails, and the pipe stays.
void widen_pipe(int fd) {
  constexpr int size = 256 * 1024;
  if (::fcntl(fd, F_GETPIPE_SZ) < size) ::fcntl(fd, F_SETPIPE_SZ, size);
}

// The child runs `become` in the frames of the parent, which waits for exec.
[[gnu::noinline]] pid_t start_child(void (*become)(const void* setup), const void* setup) {
  const pid_t child = ::vfork();
  if (child == 0) become(setup);
  return child;
}

int wait_for_signal(const sigset_t& watched, bool& from_terminal) {
  siginfo_t information{};
  const int number = ::sigwaitinfo(&watched, &information);
  from_terminal = information.si_code == SI_KERNEL;
  return std::max(number, 0);
}

// It is 1024, and a walk that needs more raises it on demand.
void raise_low_descriptor_limit() {}

// SIGPIPE is sent to the writing thread (man 7 signal).
void prevent_signal(int) {}

// A quarter of the stack's limit, which musl's sysconf does not say, three quarters of 8 MiB at
// most, and 32 pages for one argument (fs/exec.c, bprm_stack_limits and MAX_ARG_STRLEN).
std::size_t argument_limit(std::size_t& total) {
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0) stack.rlim_cur = 0;
  total = static_cast<std::size_t>(
      std::clamp<rlim_t>(stack.rlim_cur / 4, std::size_t{1} << 17U, std::size_t{6} << 20U));
  return 32 * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::span<const DesktopProgram> openers() {
  static constexpr DesktopProgram programs[] = {{nullptr, {"xdg-open"}},
                                                {nullptr, {"gio", "open"}}};
  return programs;
}

// org.freedesktop.FileManager1, which file managers implement. dbus-send(1) comes with the bus; a
// file manager that is not running is started by it.
std::string_view viewer_command() {
  return {};
}

std::span<const DesktopProgram> revealers() {
  static constexpr DesktopProgram programs[] = {
      {"DBUS_SESSION_BUS_ADDRESS",
       {"dbus-send", "--session", "--print-reply", "--reply-timeout=3000",
        "--dest=org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
        "org.freedesktop.FileManager1.ShowItems"}}};
  return programs;
}

// An array of one string, and an empty id of the start-up notification.
std::vector<std::string> reveal_arguments(const std::string&, const std::string& url) {
  return {"array:string:" + url, "string:"};
}

std::span<const DesktopProgram> clipboards() {
  static constexpr DesktopProgram programs[] = {{"WAYLAND_DISPLAY", {"wl-copy"}},
                                                {"DISPLAY", {"xclip", "-selection", "clipboard"}},
                                                {"DISPLAY", {"xsel", "--input", "--clipboard"}}};
  return programs;
}

}  // namespace ffind::os
