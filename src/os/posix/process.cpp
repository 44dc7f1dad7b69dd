// SPDX-License-Identifier: MIT
// Commands, each in a slot, with pipes for what they write.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <vector>

#include "os/machine.h"
#include "os/posix/processes.h"
#include "os/posix/retry.h"
#include "os/posix/signals.h"
#include "os/processes.h"

namespace ffind::os {
namespace {

/// Passes on what comes through the pipes of one command.
class Collector {
 public:
  Collector(const Pipe& output, const Pipe& error_output, CommandOutput& sink)
      : sink_(sink),
        ends_{{{output.reader.get(), POLLIN, 0}, {error_output.reader.get(), POLLIN, 0}}} {}

  /// Until nobody holds the other ends any more; or soon after the child has ended, for what it
  /// left behind may never let go of them. By polling: most commands close their pipes as they end,
  /// and never cost a call more.
  void collect(pid_t child) {
    constexpr int shortest = 10;
    constexpr int longest = 80;
    int pause = shortest;
    Nanoseconds asked = monotonic_now();
    while (open_ > 0) {
      const bool came = read_some(pause);
      // What it left behind may write without a pause.
      if (came && monotonic_now() - asked < longest * Nanoseconds{1'000'000}) continue;
      if (has_ended(child)) break;
      asked = monotonic_now();
      if (!came) pause = std::min(2 * pause, longest);
    }
    // A process that the command did not wait for may be about to say the last of it.
    const Nanoseconds deadline = monotonic_now() + 100'000'000;
    while (open_ > 0 && monotonic_now() < deadline) read_some(shortest);
    read_the_rest();
  }

 private:
  /// False when nothing came within so many milliseconds.
  bool read_some(int milliseconds) {
    const int ready = ::poll(ends_.data(), static_cast<nfds_t>(ends_.size()), milliseconds);
    for (pollfd& end : ends_) {
      if (ready > 0 && end.fd >= 0 && end.revents != 0) read(end, buffer_.size());
    }
    return ready > 0;
  }

  /// What the command itself has written is in the pipes by now. No more of them is read: somebody
  /// else may go on writing for ever.
  void read_the_rest() {
    for (pollfd& end : ends_) {
      int left = 0;
      if (end.fd < 0 || ::ioctl(end.fd, FIONREAD, &left) != 0) continue;
      for (auto rest = static_cast<std::size_t>(left); rest > 0 && end.fd >= 0;) {
        rest -= read(end, std::min(rest, buffer_.size()));
      }
    }
  }

  std::size_t read(pollfd& end, std::size_t most) {
    const ssize_t count = ::read(end.fd, buffer_.data(), most);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (count <= 0) {
      end.fd = -1;
      --open_;
      return 0;
    }
    const auto bytes = static_cast<std::size_t>(count);
    sink_.append(&end == ends_.data() ? Stream::output : Stream::error_output,
                 {buffer_.data(), bytes});
    return bytes;
  }

  CommandOutput& sink_;
  std::array<pollfd, 2> ends_;
  std::array<char, 65536> buffer_;  // NOLINT: read(2) fills it
  int open_ = 2;
};

void reap(pid_t pid, Ending& ending) {
  int status = 0;
  if (uninterrupted([&] { return ::waitpid(pid, &status, 0); }) < 0) {
    ending.error = errno;
    return;
  }
  if (WIFSIGNALED(status)) {
    ending.signal = WTERMSIG(status);
  } else {
    ending.status = WEXITSTATUS(status);
  }
}

/// A shell passes it on as a status.
bool ended_by(const Ending& ending, int number) {
  return ending.signal == number || ending.status == 128 + number;
}

bool ended_by_one_of(const Ending& ending, const sigset_t& watched) {
  return std::any_of(std::begin(ending_signals), std::end(ending_signals), [&](int number) {
    return sigismember(&watched, number) == 1 && ended_by(ending, number);
  });
}

/// Whether who read one of our own streams is gone, as a command may find out first. Linux says
/// POLLERR of a pipe, others POLLHUP.
bool is_reader_gone() {
  std::array<pollfd, 2> streams{{{STDOUT_FILENO, 0, 0}, {STDERR_FILENO, 0, 0}}};
  if (::poll(streams.data(), static_cast<nfds_t>(streams.size()), 0) <= 0) return false;
  return std::any_of(streams.begin(), streams.end(), [](const pollfd& stream) {
    return (stream.revents & (POLLERR | POLLHUP)) != 0;
  });
}

/// Whether it was ignored.
bool stop_ignoring(int number) {
  struct sigaction action {};
  ::sigaction(number, nullptr, &action);
  if (action.sa_handler != SIG_IGN) return false;
  ::signal(number, SIG_DFL);
  return true;
}

}  // namespace

Processes::Processes() : state_(std::make_unique<State>()) {
  State& state = *state_;
  void* const page = ::mmap(nullptr, State::slots * sizeof(int), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "commands");
  state.errors = static_cast<int*>(page);
  state.nothing = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (state.nothing.get() < 0) {
    throw std::system_error(errno, std::generic_category(), "/dev/null");
  }

  sigemptyset(&state.watched);
  for (const int number : ending_signals) {
    struct sigaction action {};
    ::sigaction(number, nullptr, &action);
    // One that is ignored, as behind nohup, stays so.
    if (action.sa_handler == SIG_IGN) continue;
    sigaddset(&state.watched, number);
  }
  sigaddset(&state.watched, SIGPIPE);
  sigset_t blocked = state.watched;
  // For the thread that asks at the terminal, if one does; the watcher must not take it away.
  sigaddset(&blocked, SIGCONT);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &state.original_mask);
  state.mask_of_commands = state.original_mask;
  release_status_requests(state.mask_of_commands);
  // Whoever ignores SIGCHLD never hears how its children ended; one that is ignored wakes nobody.
  state.ignored_children = stop_ignoring(SIGCHLD);
  state.ignored_pipe = stop_ignoring(SIGPIPE);
  try {
    state.watcher = std::thread([&state] { state.watch(); });
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "cannot start a thread");
  }
}

Processes::~Processes() {
  State& state = *state_;
  {
    std::unique_lock lock(state.mutex);
    state.stay_if_interrupted(lock);
    state.over = true;
  }
  ::pthread_kill(state.watcher.native_handle(), SIGPIPE);
  state.watcher.join();
  if (state.ignored_children) ::signal(SIGCHLD, SIG_IGN);
  if (state.ignored_pipe) ::signal(SIGPIPE, SIG_IGN);
  ::pthread_sigmask(SIG_SETMASK, &state.original_mask, nullptr);
  ::munmap(state.errors, State::slots * sizeof(int));
}

/// `slots` once this process is to end and who asks `leaves`; others stay.
std::size_t Processes::State::take_slot(bool leaves) {
  std::unique_lock lock(mutex);
  if (leaves && interrupted_by != 0) return slots;
  stay_if_interrupted(lock);
  std::size_t slot = 0;
  changed.wait(lock, [&] {
    slot = 0;
    while (slot < slots && running[slot].taken) ++slot;
    return slot < slots;
  });
  running[slot] = {true, 0, false};
  errors[slot] = 0;
  ++starting;
  return slot;
}

void Processes::State::started(std::size_t slot, pid_t pid) {
  const std::lock_guard lock(mutex);
  --starting;
  // It may have been too young for the terminal's signal.
  const bool told = interrupted_by != 0 && pid > 0;
  running[slot] = {pid > 0, pid, told};
  if (told) tell(pid, signal_for_commands(interrupted_by));
  // Or the slot is free again.
  if (interrupted_by != 0 || pid <= 0) changed.notify_all();
}

void Processes::State::release(std::size_t slot, bool leaves, Ending& ending) {
  const pid_t pid = running[slot].pid;
  wait_for_end(pid);
  // Under the lock, so that no signal goes to a number that is somebody else's by now.
  std::unique_lock lock(mutex);
  reap(pid, ending);
  if (errors[slot] != 0) ending.error = std::abs(errors[slot]);
  ending.is_directorys = errors[slot] < 0;
  running[slot] = {};
  ++endings;
  changed.notify_all();
  // What the terminal sent came to all of us, and the thread that waits for it may be slower.
  if (ended_by_one_of(ending, watched)) {
    changed.wait_for(lock, std::chrono::milliseconds(100), [this] { return interrupted_by != 0; });
  }
  ending.interrupted = interrupted_by != 0;
  if (!leaves) stay_if_interrupted(lock);
}

bool Processes::wait_for_ending() {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  const auto runs = [](const State::Slot& slot) { return slot.pid > 0; };
  if (std::none_of(state.running.begin(), state.running.end(), runs)) return false;
  const std::size_t before = state.endings;
  // One may have ended before we looked.
  state.changed.wait_for(lock, std::chrono::seconds(1),
                         [&] { return state.endings != before || state.interrupted_by != 0; });
  return true;
}

Ending Processes::run(const Command& command, CommandOutput* output) {
  Ending ending;
  std::vector<char*> arguments;
  arguments.reserve(command.arguments.size() + 1);
  for (const char* argument : command.arguments) arguments.push_back(const_cast<char*>(argument));
  arguments.push_back(nullptr);
  std::vector<char*> script_arguments = {const_cast<char*>("sh"),
                                         const_cast<char*>(command.program.c_str())};
  script_arguments.insert(script_arguments.end(), arguments.begin() + 1, arguments.end());

  State& state = *state_;
  const bool leaves = output != nullptr;
  const std::size_t slot = state.take_slot(leaves);
  ending.interrupted = slot == State::slots;
  if (ending.interrupted) return ending;
  // Only now: who is to end hears of that, not of a shortage that it would wait for.
  Pipe out;
  Pipe err;
  if (output != nullptr) {
    ending.error = out.open();
    if (ending.error == 0) ending.error = err.open();
    if (ending.error != 0) {
      state.started(slot, -1);
      return ending;
    }
  }
  ChildSetup setup{command.program.c_str(), arguments.data(),   script_arguments.data(),
                   command.directory,       {0, 1, 2},          state.mask_of_commands,
                   state.ignored_children,  state.ignored_pipe, &state.errors[slot]};
  if (output != nullptr) {
    setup.streams[0] = state.nothing.get();
    setup.streams[1] = out.writer.get();
    setup.streams[2] = err.writer.get();
  }
  const pid_t child = start_child(setup);
  ending.error = child < 0 ? errno : 0;
  state.started(slot, child);
  if (child < 0) return ending;
  if (output != nullptr) {
    out.writer.close();
    err.writer.close();
    Collector(out, err, *output).collect(child);
  }
  state.release(slot, leaves, ending);
  if (output == nullptr && ended_by(ending, SIGPIPE) && is_reader_gone()) end_by_broken_pipe();
  return ending;
}

}  // namespace ffind::os
