// SPDX-License-Identifier: MIT
// Programs of this system: look-up in PATH, the limits of their arguments, and the programs of a
// desktop that open files and hold the clipboard.
//
// A desktop has a table of programs for each purpose: the first that is installed and can be
// started is used. It has a session of its own, so that Ctrl-C at our terminal does not end it; a
// detached thread reaps one that runs on.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "os/files.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/process_calls.h"
#include "os/processes.h"
#include "os/terminal.h"

extern "C" char** environ;

namespace ffind::os {

// Like execvp(3) and shells: the first executable file on the way counts, and EACCES, for a file
// that is there but not executable, is returned only if no other is found. An empty part of PATH,
// as in "/bin::/usr/bin", is the current directory.
int find_program(const std::string& word, std::string& path) {
  // access(2) with X_OK succeeds for directories, too.
  const auto executable = [](const std::string& file) {
    if (is_directory(file)) return EACCES;
    return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
  };
  path = word;
  if (word.empty()) return ENOENT;
  if (word.find('/') != std::string::npos) return executable(word);
  // Without PATH, which POSIX leaves undefined: the default of shells.
  const std::string folders = environment("PATH").value_or("/usr/bin:/bin");
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
  limits.one = argument_limit(limits.total);
  // POSIX wants 2048 bytes left for what a command may add to its environment; the path of the
  // program and of an interpreter come on top of the arguments.
  std::size_t taken = 2048 + 2 * 4096;
  // Arguments and environment share the space. Each string has a NUL and a pointer to it.
  for (char** variable = environ; *variable != nullptr; ++variable) {
    taken += std::string_view(*variable).size() + 1 + sizeof(char*);
  }
  limits.total -= std::min(limits.total, taken);
  return limits;
}

namespace {

/// Starts `program` in a session of its own. Descriptors are for standard input, and for standard
/// output and error; -1 for /dev/null. 0 or an errno. With `only_looks` it may not download.
int start_apart(const char* program, std::vector<const char*> arguments, char* const* environment,
                int input, int both_outputs, pid_t& child, bool only_looks = false) {
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (nothing.get() < 0) return errno;
  const auto given = [&](int fd) { return fd >= 0 ? fd : nothing.get(); };
  arguments.push_back(nullptr);
  ChildSetup setup{.program = program,
                   .arguments = const_cast<char* const*>(arguments.data()),
                   .environment = environment,
                   .streams = {given(input), given(both_outputs), given(both_outputs)},
                   .has_own_session = true,
                   .only_looks = only_looks,
                   .descriptors = given_descriptor_limit()};
  sigemptyset(&setup.mask);
  child = start(setup);
  return child < 0 ? errno : 0;
}

/// While it exists, writing to `pipe` without a reader fails with EPIPE in this thread without a
/// signal. Blocks SIGPIPE and takes a pending one: ignoring it would concern all threads.
class IgnoredPipeSignal {
 public:
  explicit IgnoredPipeSignal(int pipe) {
    prevent_signal(pipe);
    const sigset_t set = set_of(std::array{SIGPIPE});
    ::pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~IgnoredPipeSignal() {
    const sigset_t set = set_of(std::array{SIGPIPE});
    sigset_t pending;
    // SIGPIPE was sent to the writing thread, so it is pending here, if it was sent at all.
    if (::sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1) {
      int number = 0;
      ::sigwait(&set, &number);
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
  IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;

 private:
  sigset_t before_{};
};

/// The environment with the encoding that `program` needs; LC_ALL would override it.
std::vector<char*> environment_of(const DesktopProgram& program) {
  std::vector<char*> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    const bool overrides = text.starts_with("LC_ALL=") || text.starts_with("LC_CTYPE=");
    if (program.encoding == nullptr || !overrides) variables.push_back(*each);
  }
  if (program.encoding != nullptr) variables.push_back(const_cast<char*>(program.encoding));
  variables.push_back(nullptr);
  return variables;
}

/// Starts `program` with `more` arguments as `child`; 0 or an errno, ENOENT if it is not installed.
int start_program(const DesktopProgram& program, const std::vector<std::string>& more, int input,
                  pid_t& child) {
  std::string path;
  if (const int error = find_program(program.words.front(), path); error != 0) return error;
  std::vector<const char*> arguments(
      program.words.begin(), std::find(program.words.begin(), program.words.end(), nullptr));
  for (const std::string& argument : more) arguments.push_back(argument.c_str());
  const std::vector<char*> variables = environment_of(program);
  return start_apart(path.c_str(), std::move(arguments), variables.data(), input, -1, child);
}

/// Reaps `child` once it ends, by a thread. If none can be had, it stays a zombie until this
/// process ends.
void reap_later(pid_t child) {
  const QuietSignals quiet;
  try {
    std::thread([child] { uninterrupted([&] { return ::waitpid(child, nullptr, 0); }); }).detach();
  } catch (const std::system_error&) {
  }
}

/// Waits for `child`, two seconds at most: some openers run as long as what they open. Returns why
/// it failed; empty if it did not, or runs on.
std::string failure_of(pid_t child) {
  constexpr int tries = 200;
  constexpr std::chrono::milliseconds pause{10};
  int status = 0;
  for (int attempt = 0; attempt < tries; ++attempt) {
    if (uninterrupted([&] { return ::waitpid(child, &status, WNOHANG); }) != 0) {
      return status == 0 ? "" : "status " + std::to_string(WEXITSTATUS(status));
    }
    std::this_thread::sleep_for(pause);
  }
  reap_later(child);
  return {};
}

/// Writes `text` to a program that may have ended or may never read. Gives up after a second
/// without progress, since no key is read meanwhile.
bool write_to_reader(int fd, std::string_view text) {
  constexpr int patience = 1000;
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  const IgnoredPipeSignal ignored(fd);
  while (!text.empty()) {
    Wait ready{.fd = fd, .for_room = true};
    const int count = uninterrupted([&] { return wait_for({&ready, 1}, patience); });
    if (count <= 0) return false;
    const ssize_t written = uninterrupted([&] { return ::write(fd, text.data(), text.size()); });
    if (written < 0 && errno != EAGAIN) return false;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

/// True if its variable, such as DISPLAY, is set.
bool is_of_use(const DesktopProgram& program) {
  return program.variable == nullptr || !environment(program.variable).value_or("").empty();
}

/// The user's shell, in whose language commands are written that the user gives to programs.
std::string command_shell() {
  constexpr std::array<std::string_view, 10> known = {"bash", "zsh",  "fish", "ksh", "ksh93",
                                                      "mksh", "dash", "ash",  "sh",  "yash"};
  const std::string shell = environment("SHELL").value_or("");
  const std::string_view name = std::string_view(shell).substr(shell.rfind('/') + 1);
  const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
  const bool is_usable = shell.starts_with('/') && is_known && ::access(shell.c_str(), X_OK) == 0;
  return is_usable ? shell : "/bin/sh";
}

/// fish has no $0 before the parameters.
bool is_fish(const std::string& shell) {
  return shell.ends_with("/fish");
}

}  // namespace

// The message names the first of the programs, since that is the one to install.
std::string open_on_desktop(const std::string& path) {
  std::string problem;
  for (const DesktopProgram& program : openers()) {
    pid_t child = 0;
    const int error = start_program(program, {path}, -1, child);
    const std::string failure = error != 0 ? std::strerror(error) : failure_of(child);
    if (failure.empty()) return {};
    if (problem.empty()) {
      problem = std::string("cannot open it: ") + program.words.front() + ": " + failure;
    }
  }
  return problem;
}

// The folder is opened if that fails: the bus may have no file manager.
std::string reveal_on_desktop(const std::string& path, const std::string& url) {
  const std::vector<std::string> arguments = reveal_arguments(path, url);
  for (const DesktopProgram& program : revealers()) {
    pid_t child = 0;
    if (!is_of_use(program) || start_program(program, arguments, -1, child) != 0) continue;
    if (failure_of(child).empty()) return {};
  }
  return open_on_desktop(path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)));
}

bool copy_to_clipboard(std::string_view text) {
  for (const DesktopProgram& program : clipboards()) {
    if (!is_of_use(program)) continue;
    Pipe pipe;
    if (pipe.open() != 0) return false;
    pid_t child = 0;
    if (start_program(program, {}, pipe.reader.get(), child) != 0) continue;
    // The child has the only reading end, so that writing fails when it ends.
    pipe.reader.close();
    const bool taken = write_to_reader(pipe.writer.get(), text);
    // It must not store a part of the text at the end of its input.
    if (!taken) ::kill(child, SIGKILL);
    reap_later(child);
    if (taken) return true;
  }
  return false;
}

struct ShellCommand::Parts {
  Pipe output;
  Pipe cancelling;
  pid_t child = -1;
  int error = 0;
  Pipe life;                ///< its writing end closes when this process ends, however it does
  pid_t guard = -1;         ///< reads from it
  bool is_guarded = false;  ///< or it cannot be

  void start(const std::string& line, const std::string& parameter);
  void start_guard();
  void end();
};

std::string_view shell_parameter() {
  return is_fish(command_shell()) ? "$argv[1]" : "\"$1\"";
}

void ShellCommand::Parts::start(const std::string& line, const std::string& parameter) {
  error = output.open();
  if (error == 0) error = cancelling.open();
  if (error != 0) return;
  const std::string shell = command_shell();
  std::vector<const char*> arguments = {shell.c_str(), "-c", line.c_str()};
  if (!is_fish(shell)) arguments.push_back("sh");
  arguments.push_back(parameter.c_str());
  error = start_apart(shell.c_str(), std::move(arguments), environ, -1, output.writer.get(), child,
                      true);
  // From now on the output ends when the command does.
  output.writer.close();
}

/// Starts a process that ends the command's group if this process is killed: the command has a
/// session of its own, so no signal of the terminal reaches it. One that writes is ended by SIGPIPE
/// then, so only a silent one needs this.
void ShellCommand::Parts::start_guard() {
  is_guarded = true;
  if (life.open() != 0) return;
  const std::string group = std::to_string(child);
  start_apart("/bin/sh",
              {"sh", "-c", "read -r line || kill -s KILL -- \"-$1\"", "sh", group.c_str()}, environ,
              life.reader.get(), -1, guard, true);
  life.reader.close();
}

/// The child is reaped last: until then its number is that of its group. A command that has left
/// processes with its output open counts as running.
void ShellCommand::Parts::end() {
  constexpr int patience = 100;
  constexpr int slice = 10;
  ::kill(-child, SIGTERM);
  std::array<char, 4096> rest{};
  for (int waited = 0; waited < patience; waited += slice) {
    Wait wait{.fd = output.reader.get()};
    if (uninterrupted([&] { return wait_for({&wait, 1}, slice); }) <= 0) continue;
    if (uninterrupted([&] { return ::read(wait.fd, rest.data(), rest.size()); }) <= 0) break;
  }
  ::kill(-child, SIGKILL);
  if (guard > 0) {
    // Its number may be that of another group as soon as the child is reaped.
    const IgnoredPipeSignal ignored(life.writer.get());
    uninterrupted([&] { return ::write(life.writer.get(), "\n", 1); });
    uninterrupted([&] { return ::waitpid(guard, nullptr, 0); });
  }
  uninterrupted([&] { return ::waitpid(child, nullptr, 0); });
}

ShellCommand::ShellCommand(const std::string& line, const std::string& parameter)
    : parts_(std::make_unique<Parts>()) {
  parts_->start(line, parameter);
}

ShellCommand::~ShellCommand() {
  if (parts_->child > 0) parts_->end();
}

int ShellCommand::error() const {
  return parts_->error;
}

bool ShellCommand::has_ended() const {
  return parts_->child <= 0 || os::has_ended(parts_->child);
}

bool ShellCommand::read(std::string& output) {
  if (parts_->error != 0) return false;
  std::array<Wait, 2> waits = {Wait{.fd = parts_->output.reader.get()},
                               Wait{.fd = parts_->cancelling.reader.get()}};
  constexpr int soon = 200;
  int ready = 0;
  if (!parts_->is_guarded) {
    ready = uninterrupted([&] { return wait_for(waits, soon); });
    if (ready == 0) parts_->start_guard();
  }
  if (ready == 0) ready = uninterrupted([&] { return wait_for(waits, -1); });
  if (ready < 0 || waits[1].ready) return false;
  std::array<char, 16384> bytes{};
  const ssize_t count =
      uninterrupted([&] { return ::read(waits[0].fd, bytes.data(), bytes.size()); });
  if (count <= 0) return false;
  output.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

void ShellCommand::cancel() {
  if (parts_->error != 0) return;
  uninterrupted([&] { return ::write(parts_->cancelling.writer.get(), "", 1); });
}

}  // namespace ffind::os
