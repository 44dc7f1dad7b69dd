// SPDX-License-Identifier: MIT
// Commands, and the signals that end this process while commands run.
//
// Processes::State has one slot for each running command. run() does all of it in the calling
// thread:
//
//     take_slot ──▶ start_child ──▶ started ──▶ Collector ──▶ release
//                   vfork, exec     pid into    reads both    waits, reaps, frees the slot
//                                   the slot    pipes
//
// A slot with a pid of 0 is being started: the watcher waits for those before it signals any.
//
// The signals in `watched` are blocked in all threads but the watcher, which waits for them
// (State::watch). When one comes it
//
//     1. sets `interrupted_by`; no command gets a slot from then on
//     2. ends the status line, colours and screen of the terminal
//     3. signals all children, and waits for them
//     4. waits for the threads that write output of commands: those with a slot or an OutputHold
//     5. ends the process by the same signal, so that a shell sees it
//
// If the system has no thread for the watcher, or no process but it (ulimit -u, a pids limit),
// there is none: signals have their own effect, on commands too if a terminal sends them.
//
// Other threads stay inside the functions of this file (stay_if_interrupted), so that nothing more
// is written. SIGPIPE is among the watched signals as a message from our own threads: the reader of
// our output is gone, or the destructor wants the watcher to return.
//
// A terminal signals its whole foreground process group, commands included, and a second SIGINT has
// another meaning for some of them. So each command is to get one signal, and `told` and
// `from_terminal` record which have theirs.
//
// `mutex` guards all of State; `changed` is notified of every change.
#include "os/processes.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "os/files.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/process_calls.h"
#include "os/terminal.h"

extern "C" char** environ;

namespace ffind::os {

namespace {

/// The signal for commands when this process ends by `number`: SIGTERM for SIGPIPE, which concerns
/// our output and not theirs.
constexpr int signal_for_commands(int number) {
  return number == SIGPIPE ? SIGTERM : number;
}

/// Waits for the end of the child `pid` without reaping it: until it is reaped, its pid belongs to
/// no other process and may be signalled.
void wait_for_end(pid_t pid) {
  siginfo_t information{};
  uninterrupted(
      [&] { return ::waitid(P_PID, static_cast<id_t>(pid), &information, WEXITED | WNOWAIT); });
}

/// Sends a signal to `child`, and continues that: a stopped process would not receive it.
void tell(pid_t child, int number) {
  ::kill(child, number);
  ::kill(child, SIGCONT);
}

/// Gives a command the limit that this process had, since select(2) ends at 1024.
void lower_descriptor_limit(rlim_t given) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= given) return;
  limit.rlim_cur = given;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Runs in the child: sets up descriptors, signals and directory, and becomes the command. Signals
/// stay blocked until all else is done.
[[noreturn]] void become(const ChildSetup& setup) {
  forget_handlers();
  lower_descriptor_limit(setup.descriptors);
  if (setup.has_own_session) ::setsid();
  if (setup.ignores_children) ::signal(SIGCHLD, SIG_IGN);
  if (setup.ignores_pipe) ::signal(SIGPIPE, SIG_IGN);
  if (setup.directory >= 0 && ::fchdir(setup.directory) != 0) {
    *setup.error = -errno;
    ::_exit(127);
  }
  bool ready = true;
  for (int fd = 0; fd < 3; ++fd) {
    // dup2 clears close-on-exec in the copy.
    if (setup.streams[fd] != fd) ready = ready && ::dup2(setup.streams[fd], fd) == fd;
  }
  ::sigprocmask(SIG_SETMASK, &setup.mask, nullptr);
  if (ready) {
    if (!setup.only_looks) allow_side_effects();
    ::execve(setup.program, setup.arguments, setup.environment);
    // As execvp(3) and shells do for a script without `#!`.
    if (errno == ENOEXEC && setup.script_arguments != nullptr) {
      ::execve("/bin/sh", setup.script_arguments, setup.environment);
    }
  }
  if (setup.error != nullptr) *setup.error = errno;
  ::_exit(127);
}

/// Drops signals right after the first, which are the same one: timeout(1) signals the process and
/// then its process group.
void drop_pending(const sigset_t& watched) {
  sigset_t pending;
  while (::sigpending(&pending) == 0) {
    sigset_t some;
    sigemptyset(&some);
    bool any = false;
    for (const int number : ending_signals) {
      if (sigismember(&pending, number) != 1 || sigismember(&watched, number) != 1) continue;
      sigaddset(&some, number);
      any = true;
    }
    if (!any) return;
    int number = 0;
    ::sigwait(&some, &number);
  }
}

}  // namespace

/// Running commands and the watcher.
struct Processes::State {
  /// One page of numbers in `errors`. If all are taken, take_slot waits.
  static constexpr std::size_t slots = 4096 / sizeof(int);
  struct Slot {
    bool taken = false;
    pid_t pid = 0;      ///< 0 while it is being started
    bool told = false;  ///< has been sent the ending signal
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::array<Slot, slots> running;
  std::size_t endings = 0;  ///< commands that have ended, ever; wait_for_ending waits for a change
  std::size_t holds = 0;    ///< OutputHolds
  int interrupted_by = 0;   ///< signal that is ending this process; 0 if none; never reset
  /// Our output has no reader, so there is no point in waiting for output.
  bool reader_is_gone = false;
  bool over = false;  ///< the watcher returns, or there is none
  std::atomic<bool> is_watched{true};

  Descriptor nothing;     ///< /dev/null, or a pipe at its end
  int* errors = nullptr;  ///< one for each slot, shared with the children
  sigset_t original_mask;
  sigset_t mask_of_commands;
  sigset_t watched;  ///< includes SIGPIPE, by which writing threads wake the watcher
  /// State of SIGCHLD and SIGPIPE at the start, which commands get back.
  bool ignored_children = false;
  bool ignored_pipe = false;
  std::thread watcher;

  void watch();
  void stop_watching();
  bool make_room();
  bool some_run() const;
  void end_with(int number, bool from_terminal);
  std::vector<pid_t> tell_all(int number, bool from_terminal);
  void stay_if_interrupted(std::unique_lock<std::mutex>& lock);
  std::size_t take_slot(bool leaves);
  void started(std::size_t slot, pid_t pid);
  void release(std::size_t slot, bool leaves, Ending& ending);
};

int Pipe::open() {
  int ends[2];
  if (const int error = open_pipe(ends); error != 0) return error;
  reader = Descriptor(ends[0]);
  writer = Descriptor(ends[1]);
  return 0;
}

bool has_ended(pid_t pid) {
  siginfo_t information{};
  const int how = WEXITED | WNOWAIT | WNOHANG;
  // ECHILD: it has been reaped.
  return ::waitid(P_PID, static_cast<id_t>(pid), &information, how) != 0 || information.si_pid != 0;
}

// Not by posix_spawn, which cannot do what macOS needs between fork and exec, and on Linux queries
// each of 64 signals, a twentieth of the time of a short command. All signals are blocked
// meanwhile: a signal to the child before exec would run our handlers in it.
pid_t start(const ChildSetup& setup) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child =
      start_child([](const void* own) { become(*static_cast<const ChildSetup*>(own)); }, &setup);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return child;
}

/// The watcher's thread. Returns when the destructor wakes it by SIGPIPE with `over` set; otherwise
/// end_with does not return.
void Processes::State::watch() {
  while (true) {
    bool from_terminal = false;
    const int number = wait_for_signal(watched, from_terminal);
    if (number == 0) continue;
    // No key sends the others. SIGHUP may have been sent to the session leader alone.
    from_terminal = from_terminal && (number == SIGINT || number == SIGQUIT);
    {
      const std::lock_guard lock(mutex);
      if (over) {
        if (number != SIGPIPE) ::kill(::getpid(), number);
        return;
      }
      interrupted_by = number;
      changed.notify_all();
      if (number == SIGPIPE) reader_is_gone = true;
    }
    clean_terminal();
    end_with(number, from_terminal);
  }
}

/// Ends the commands, waits for them and for the output that they left, and ends this process.
void Processes::State::end_with(int number, bool from_terminal) {
  const std::vector<pid_t> children = tell_all(number, from_terminal);
  const auto have_ended = [&] { return std::all_of(children.begin(), children.end(), has_ended); };
  // Up to a tenth of a second in steps of 5 ms. Signals right after the first are duplicates and
  // are dropped; a later one is the user's wish to wait no longer.
  for (int tries = 0; tries < 20 && !have_ended(); ++tries) ::poll(nullptr, 0, 5);
  drop_pending(watched);
  // From here on a second signal ends the process at once.
  sigset_t seconds = watched;
  sigdelset(&seconds, SIGPIPE);
  ::pthread_sigmask(SIG_UNBLOCK, &seconds, nullptr);
  for (const pid_t child : children) wait_for_end(child);
  {
    // The reader of our output may have stopped reading. If it is gone, the thread that noticed
    // keeps its slot.
    constexpr std::chrono::seconds patience{2};
    std::unique_lock lock(mutex);
    changed.wait_for(lock, patience, [this] {
      const auto is_taken = [](const Slot& slot) { return slot.taken; };
      return reader_is_gone ||
             (holds == 0 && std::none_of(running.begin(), running.end(), is_taken));
    });
  }
  // Reap those whose threads have not.
  for (const pid_t child : children) ::waitpid(child, nullptr, WNOHANG);
  die_by(number);
}

/// Sends the ending signal to all commands; returns their pids.
std::vector<pid_t> Processes::State::tell_all(int number, bool from_terminal) {
  std::vector<pid_t> children;
  {
    std::unique_lock lock(mutex);
    const auto is_starting = [](const Slot& slot) { return slot.taken && slot.pid == 0; };
    changed.wait(lock, [&] { return std::none_of(running.begin(), running.end(), is_starting); });
    for (const Slot& slot : running) {
      if (!slot.taken) continue;
      children.push_back(slot.pid);
      // Some programs treat a second signal differently. Not all are in our process group:
      // timeout(1) creates its own, which the terminal does not signal.
      const bool has_it = slot.told || (from_terminal && ::getpgid(slot.pid) == ::getpgrp());
      tell(slot.pid, has_it ? SIGCONT : signal_for_commands(number));
    }
  }
  return children;
}

/// Blocks forever if this process is about to end: it must do and write nothing more.
void Processes::State::stay_if_interrupted(std::unique_lock<std::mutex>& lock) {
  while (interrupted_by != 0) changed.wait(lock);
}

void Processes::end_by_broken_pipe() {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  state.reader_is_gone = true;
  state.changed.notify_all();
  if (!state.is_watched) die_by(SIGPIPE);
  // If another signal came first, the watcher is ending the process by that one.
  if (state.interrupted_by == 0) ::pthread_kill(state.watcher.native_handle(), SIGPIPE);
  while (true) state.changed.wait(lock);
}

bool Processes::is_ending() const {
  const std::lock_guard lock(state_->mutex);
  return state_->interrupted_by != 0;
}

Processes::OutputHold::OutputHold(Processes& processes) : state_(*processes.state_) {
  std::unique_lock lock(state_.mutex);
  state_.stay_if_interrupted(lock);
  ++state_.holds;
}

Processes::OutputHold::~OutputHold() {
  std::unique_lock lock(state_.mutex);
  --state_.holds;
  if (state_.interrupted_by == 0) return;
  state_.changed.notify_all();
  state_.stay_if_interrupted(lock);
}

// The names are those of kill -l, which are portable; the numbers are not.
std::string_view signal_name(int number) {
  struct Row {
    int number;
    std::string_view name;
  };
  constexpr Row rows[] = {
      {SIGABRT, "ABRT"},     {SIGALRM, "ALRM"}, {SIGBUS, "BUS"},   {SIGCHLD, "CHLD"},
      {SIGCONT, "CONT"},     {SIGFPE, "FPE"},   {SIGHUP, "HUP"},   {SIGILL, "ILL"},
      {SIGINT, "INT"},       {SIGKILL, "KILL"}, {SIGPIPE, "PIPE"}, {SIGPROF, "PROF"},
      {SIGQUIT, "QUIT"},     {SIGSEGV, "SEGV"}, {SIGSTOP, "STOP"}, {SIGSYS, "SYS"},
      {SIGTERM, "TERM"},     {SIGTRAP, "TRAP"}, {SIGTSTP, "TSTP"}, {SIGTTIN, "TTIN"},
      {SIGTTOU, "TTOU"},     {SIGURG, "URG"},   {SIGUSR1, "USR1"}, {SIGUSR2, "USR2"},
      {SIGVTALRM, "VTALRM"}, {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}};
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [number](const Row& each) { return each.number == number; });
  return row == std::end(rows) ? std::string_view() : row->name;
}

namespace {

/// Reads the two pipes of one command into its CommandOutput, in the calling thread. 64 KiB is what
/// a pipe of Linux holds by default, so one read mostly empties it. A pipe at its end has fd -1,
/// which poll ignores.
class Collector {
 public:
  Collector(const Pipe& output, const Pipe& error_output, CommandOutput& sink)
      : sink_(sink),
        ends_{{{output.reader.get(), POLLIN, 0}, {error_output.reader.get(), POLLIN, 0}}} {}

  /// Reads until the other ends are closed, or until shortly after the child has ended, since
  /// processes that it left running may keep them open. Checks for its end by polling: most
  /// commands close their pipes as they end, and cost no further call.
  void collect(pid_t child) {
    constexpr int shortest = 10;
    constexpr int longest = 80;
    int pause = shortest;
    Nanoseconds asked = monotonic_now();
    while (open_ > 0) {
      const bool came = read_some(pause);
      // Processes that it left running may write continuously.
      if (came && monotonic_now() - asked < longest * Nanoseconds{1'000'000}) continue;
      if (has_ended(child)) break;
      asked = monotonic_now();
      if (!came) pause = std::min(2 * pause, longest);
    }
    // A process that the command did not wait for may be about to write its last output.
    const Nanoseconds deadline = monotonic_now() + 100'000'000;
    while (open_ > 0 && monotonic_now() < deadline) read_some(shortest);
    read_the_rest();
  }

 private:
  /// False if nothing came within `milliseconds`.
  bool read_some(int milliseconds) {
    const int ready = ::poll(ends_.data(), static_cast<nfds_t>(ends_.size()), milliseconds);
    for (pollfd& end : ends_) {
      if (ready > 0 && end.fd >= 0 && end.revents != 0) read(end, buffer_.size());
    }
    return ready > 0;
  }

  /// Reads the bytes that are in the pipes by now (FIONREAD) and no more: the command's own output
  /// is among them, and other processes may go on writing.
  void read_the_rest() {
    for (pollfd& end : ends_) {
      int left = 0;
      if (end.fd < 0 || ::ioctl(end.fd, FIONREAD, &left) != 0) continue;
      for (auto rest = static_cast<std::size_t>(left); rest > 0 && end.fd >= 0;) {
        rest -= read(end, std::min(rest, buffer_.size()));
      }
    }
  }

  /// Bytes read; 0 if none were there or the pipe is at its end.
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

/// Reaps the child and stores its status or signal.
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

/// A shell reports the signal of its command as a status.
bool ended_by(const Ending& ending, int number) {
  return ending.signal == number || ending.status == 128 + number;
}

/// True if the command ended by a signal that ends this process, too.
bool ended_by_one_of(const Ending& ending, const sigset_t& watched) {
  return std::any_of(ending_signals.begin(), ending_signals.end(), [&](int number) {
    return sigismember(&watched, number) == 1 && ended_by(ending, number);
  });
}

/// Restores the default action of a signal; returns whether it was ignored.
bool stop_ignoring(int number) {
  if (handler_of(number) != SIG_IGN) return false;
  ::signal(number, SIG_DFL);
  return true;
}

}  // namespace

Processes::Processes() : state_(std::make_unique<State>()) {
  State& state = *state_;
  // Shared, so that a forked child can report its errno through it, and not only one of vfork.
  void* const page = ::mmap(nullptr, State::slots * sizeof(int), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "commands");
  state.errors = static_cast<int*>(page);
  state.nothing = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (state.nothing.get() < 0) {
    // As in an empty chroot. A pipe without a writer is as empty.
    Pipe pipe;
    if (const int error = pipe.open(); error != 0) {
      throw std::system_error(error, std::generic_category(), "/dev/null");
    }
    state.nothing = std::move(pipe.reader);
  }

  sigemptyset(&state.watched);
  for (const int number : ending_signals) {
    // An ignored signal, as after nohup, stays ignored.
    if (handler_of(number) != SIG_IGN) sigaddset(&state.watched, number);
  }
  sigaddset(&state.watched, SIGPIPE);
  sigset_t blocked = state.watched;
  // For the thread that asks questions at the terminal; the watcher must not receive it.
  sigaddset(&blocked, SIGCONT);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &state.original_mask);
  state.mask_of_commands = state.original_mask;
  release_status_requests(state.mask_of_commands);
  // With SIGCHLD ignored the kernel reaps children itself; an ignored SIGPIPE wakes no thread.
  state.ignored_children = stop_ignoring(SIGCHLD);
  state.ignored_pipe = stop_ignoring(SIGPIPE);
  try {
    state.watcher = std::thread([&state] { state.watch(); });
  } catch (const std::system_error&) {
    state.over = true;
    state.is_watched = false;
    ::pthread_sigmask(SIG_SETMASK, &state.original_mask, nullptr);
  }
}

/// Ends the watcher, so that signals have their own effect again.
void Processes::State::stop_watching() {
  ::pthread_kill(watcher.native_handle(), SIGPIPE);
  watcher.join();
  is_watched = false;
}

/// Makes room for a command, if the watcher has the last thread. False if commands run,
/// whose end makes room, or nothing can be done.
bool Processes::State::make_room() {
  {
    const std::lock_guard lock(mutex);
    if (some_run() || interrupted_by != 0 || std::exchange(over, true)) return false;
  }
  stop_watching();
  ::pthread_sigmask(SIG_SETMASK, &original_mask, nullptr);
  return true;
}

bool Processes::lacks_room() const {
  return !state_->is_watched;
}

Processes::~Processes() {
  State& state = *state_;
  bool is_watched = false;
  {
    std::unique_lock lock(state.mutex);
    state.stay_if_interrupted(lock);
    is_watched = !std::exchange(state.over, true);
  }
  if (is_watched) state.stop_watching();
  if (state.ignored_children) ::signal(SIGCHLD, SIG_IGN);
  if (state.ignored_pipe) ::signal(SIGPIPE, SIG_IGN);
  ::pthread_sigmask(SIG_SETMASK, &state.original_mask, nullptr);
  ::munmap(state.errors, State::slots * sizeof(int));
}

/// Returns a free slot. Once this process is to end, returns `slots` if `leaves`, else blocks.
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
  return slot;
}

/// Records the pid of a new command, or frees its slot if `pid` is -1.
void Processes::State::started(std::size_t slot, pid_t pid) {
  const std::lock_guard lock(mutex);
  // It may have been started after the terminal's signal.
  const bool told = interrupted_by != 0 && pid > 0;
  running[slot] = {pid > 0, pid, told};
  if (told) tell(pid, signal_for_commands(interrupted_by));
  // On failure the slot is free again.
  if (interrupted_by != 0 || pid <= 0) changed.notify_all();
}

/// Waits for the end of a command, reaps it and frees its slot. With `leaves` the thread returns
/// even if a signal is ending the process, since it has output to write.
void Processes::State::release(std::size_t slot, bool leaves, Ending& ending) {
  const pid_t pid = running[slot].pid;
  wait_for_end(pid);
  // Under the lock, so that no signal is sent to a pid that another process has by now.
  std::unique_lock lock(mutex);
  reap(pid, ending);
  if (errors[slot] != 0) ending.error = std::abs(errors[slot]);
  ending.is_directorys = errors[slot] < 0;
  running[slot] = {};
  ++endings;
  changed.notify_all();
  // A signal from the terminal reached the whole process group, and the watcher may be slower.
  if (ended_by_one_of(ending, watched)) {
    changed.wait_for(lock, std::chrono::milliseconds(100), [this] { return interrupted_by != 0; });
  }
  ending.interrupted = interrupted_by != 0;
  if (!leaves) stay_if_interrupted(lock);
}

/// Call with the lock.
bool Processes::State::some_run() const {
  return std::any_of(running.begin(), running.end(), [](const Slot& slot) { return slot.pid > 0; });
}

bool Processes::wait_for_ending() {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  if (!state.some_run()) return false;
  const std::size_t before = state.endings;
  // A command may have ended before `endings` was read.
  state.changed.wait_for(lock, std::chrono::seconds(1),
                         [&] { return state.endings != before || state.interrupted_by != 0; });
  return true;
}

// With `output` the thread returns even if a signal came: its caller holds an OutputHold, writes
// what the command wrote, and is stopped when it releases that. Without, the command writes for
// itself, and the thread stays here.
Ending Processes::run(const Command& command, CommandOutput* output) {
  Ending ending;
  std::vector<char*> arguments;
  arguments.reserve(command.arguments.size() + 1);
  for (const std::string& argument : command.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  std::vector<char*> script_arguments = {const_cast<char*>("sh"),
                                         const_cast<char*>(command.program.c_str())};
  script_arguments.insert(script_arguments.end(), arguments.begin() + 1, arguments.end());

  State& state = *state_;
  const bool leaves = output != nullptr;
  if (!state.is_watched) ::pthread_sigmask(SIG_SETMASK, &state.original_mask, nullptr);
  const std::size_t slot = state.take_slot(leaves);
  ending.interrupted = slot == State::slots;
  if (ending.interrupted) return ending;
  // Only after the slot: a thread that is to end must not wait for a shortage of descriptors.
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
  ChildSetup setup{.program = command.program.c_str(),
                   .arguments = arguments.data(),
                   .script_arguments = command.runs_scripts ? script_arguments.data() : nullptr,
                   .environment = environ,
                   .directory = command.directory,
                   .mask = state.mask_of_commands,
                   .ignores_children = state.ignored_children,
                   .ignores_pipe = state.ignored_pipe,
                   .descriptors = given_descriptor_limit(),
                   .error = &state.errors[slot]};
  if (output != nullptr || !command.has_input) setup.streams[0] = state.nothing.get();
  if (output != nullptr) {
    setup.streams[1] = out.writer.get();
    setup.streams[2] = err.writer.get();
  }
  pid_t child = start(setup);
  ending.error = child < 0 ? errno : 0;
  if (ending.error == EAGAIN && state.make_room()) {
    // The kernel counts a thread that has ended a moment longer.
    for (int tries = 0; ending.error == EAGAIN && tries < 100; ++tries) {
      child = start(setup);
      ending.error = child < 0 ? errno : 0;
      if (child < 0) ::poll(nullptr, 0, 1);
    }
  }
  state.started(slot, child);
  if (child < 0) return ending;
  if (output != nullptr) {
    out.writer.close();
    err.writer.close();
    Collector(out, err, *output).collect(child);
  }
  state.release(slot, leaves, ending);
  // A command may notice first that the reader of our output or errors is gone.
  if (output == nullptr && ended_by(ending, SIGPIPE) &&
      (reader_is_gone(STDOUT_FILENO) || reader_is_gone(STDERR_FILENO))) {
    end_by_broken_pipe();
  }
  return ending;
}

}  // namespace ffind::os
