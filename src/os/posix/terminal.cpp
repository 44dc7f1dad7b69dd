// SPDX-License-Identifier: MIT
// The terminal and the standard streams.
//
// TerminalState records what is drawn: a status line, a colour, a full screen. Signal handlers read
// it, so its members are lock-free atomics, and clean_terminal() erases all of it with functions
// that are safe in a handler. It first sets `closed` and waits for the drawing thread, so that
// nothing is drawn after it. The handlers of this file call it and then end the process by the
// default action.
//
// Status requests (SIGUSR1, SIGINFO) are blocked in all threads but the one in
// wait_for_status_request. Questions are read from /dev/tty by select, with SIGCONT unblocked.
#include "os/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "os/posix/calls.h"
#include "os/posix/process_calls.h"
#include "os/processes.h"

namespace ffind::os {

namespace {

#if defined(SIGINFO)
constexpr std::array requests = {SIGUSR1, SIGINFO};
#else
constexpr std::array requests = {SIGUSR1};
#endif

/// State of a request signal before hold_status_requests(), which commands get back. All false
/// until it is called.
struct Before {
  bool held = false;
  bool blocked = false;
  bool ignored = false;
};

// mutable: set once, when the process starts
std::array<Before, requests.size()> before;

/// State for signal handlers, which have no parameters of ours.
struct TerminalState {
  std::atomic<int> line{-1};                        ///< terminal with a status line; -1 if none
  std::atomic<bool> drawing{false};                 ///< a thread is changing `line`
  std::atomic<bool> colored{false};                 ///< standard output may be coloured
  std::atomic<const ScreenLeave*> screen{nullptr};  ///< set while a full screen is shown
  std::atomic<bool> closed{false};                  ///< a signal ends the process; draw nothing
};

// mutable: signal handlers reach nothing else
TerminalState terminal;

// mutable: signal handlers reach nothing else
std::atomic<bool> request_came{false};

// mutable: the handler of operator new has no parameters
std::string_view words_without_memory;
// mutable: one thread that runs out of memory writes a message
std::atomic_flag ending_without_memory = ATOMIC_FLAG_INIT;

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
              std::atomic<const ScreenLeave*>::is_always_lock_free);

/// Signal handler that cleans the terminal and ends the process by the signal.
void end_by(int number) {
  clean_terminal();
  // The handler was reset, so the default action ends the process.
  ::raise(number);
}

/// Installs end_by for those of the signals that end the process by default, and are not ignored,
/// as after nohup. SA_RESETHAND and SA_NODEFER let the handler raise the signal again. While
/// Processes exists, its watcher receives SIGINT and its like instead.
void handle_signals(std::span<const int> numbers) {
  constexpr int flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int number : numbers) {
    if (handler_of(number) == SIG_DFL) handle_signal(number, end_by, flags);
  }
}

/// One write, safe in a signal handler; a failure has no remedy there.
void write_to_terminal(int fd, std::string_view text) {
  [[maybe_unused]] const ssize_t ignored = ::write(fd, text.data(), text.size());
}

/// Lets one of several threads that end the process go on; blocks the others.
void be_the_one_that_ends() {
  while (ending_without_memory.test_and_set()) ::pause();
  clean_terminal();
}

/// Handler of operator new. Unwinds nothing: destructors and other threads would need memory, too.
[[noreturn]] void end_without_memory() {
  be_the_one_that_ends();
  write_all(STDERR_FILENO, words_without_memory);
  std::_Exit(EXIT_FAILURE);
}

/// Handler of std::terminate, for an exception that left a thread or a destructor. Without an
/// exception it ends the process by SIGABRT, as usual.
[[noreturn]] void end_by_exception() {
  be_the_one_that_ends();
  const std::exception_ptr exception = std::current_exception();
  if (exception == nullptr) std::abort();
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    // No message with --no-messages, or without memory for one.
    if (!words_without_memory.empty()) {
      for (const std::string_view part : {"ffind: ", error.what(), "\n"}) {
        write_all(STDERR_FILENO, part);
      }
    }
  } catch (...) {
  }
  std::_Exit(EXIT_FAILURE);
}

/// Signals that end a process by default, other than those by which users end programs: faults,
/// limits, timers. They restore a full screen first.
constexpr std::array screen_ending_signals = {SIGABRT, SIGALRM,   SIGBUS,  SIGFPE, SIGILL,
                                              SIGPIPE, SIGPROF,   SIGSEGV, SIGSYS, SIGTRAP,
                                              SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ};

/// Whether this process is in the foreground of the terminal.
bool shows_us(int fd) {
  const pid_t group = ::tcgetpgrp(fd);
  // A terminal other than the controlling one has no foreground.
  return group < 0 || group == ::getpgrp();
}

/// Stops this process, as a read would, as long as it is in the background of the terminal `fd`.
/// Returns false if no shell could continue it.
bool comes_to_foreground(int fd) {
  // POSIX: tcdrain() in the background causes SIGTTOU, or fails with EIO if no shell controls the
  // process. In the foreground it returns, and consumes nothing, unlike read(2).
  return shows_us(fd) || ::tcdrain(fd) == 0;
}

/// Waits until something was typed; false if this process was stopped and continued.
bool wait_for_typing(int fd) {
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(fd, &readable);
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  sigdelset(&mask, SIGCONT);
  // A SIGCONT that is pending ends it at once, so none is lost.
  return ::pselect(fd + 1, &readable, nullptr, nullptr, nullptr, &mask) >= 0 || errno != EINTR;
}

int wait_by_poll(std::span<Wait> waits, int milliseconds) {
  std::vector<pollfd> states;
  for (const Wait& wait : waits) {
    states.push_back({wait.fd, static_cast<short>(wait.for_room ? POLLOUT : POLLIN), 0});
  }
  const int count = ::poll(states.data(), static_cast<nfds_t>(states.size()), milliseconds);
  for (std::size_t index = 0; index < waits.size(); ++index) {
    waits[index].ready = count > 0 && states[index].revents != 0;
  }
  return count;
}

/// Moves the cursor to the start of the line and clears the line.
constexpr std::string_view erasure = "\r\x1b[K";

}  // namespace

SignalHandler handler_of(int number) {
  struct sigaction action {};
  ::sigaction(number, nullptr, &action);
  return action.sa_handler;
}

void handle_signal(int number, SignalHandler handler, int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

void hold_status_requests() {
  const sigset_t set = set_of(requests);
  sigset_t mask;
  ::pthread_sigmask(SIG_BLOCK, &set, &mask);
  for (std::size_t index = 0; index < requests.size(); ++index) {
    const int number = requests[index];
    // Commands inherit ignored signals and the mask through exec, but no handlers.
    before[index] = {true, sigismember(&mask, number) == 1, handler_of(number) == SIG_IGN};
    // An ignored signal, as SIGINFO is by default, would not end a wait.
    handle_signal(
        number, [](int) { request_came.store(true); }, SA_RESTART);
  }
}

void release_status_requests(sigset_t& mask) {
  for (std::size_t index = 0; index < requests.size(); ++index) {
    if (before[index].held && !before[index].blocked) sigdelset(&mask, requests[index]);
  }
}

void forget_handlers() {
  // Real-time signals have no handler of ours.
  for (int number = 1; number < 32; ++number) {
    const SignalHandler handler = handler_of(number);
    if (handler != SIG_DFL && handler != SIG_IGN) handle_signal(number, SIG_DFL);
  }
  for (std::size_t index = 0; index < requests.size(); ++index) {
    if (before[index].ignored) ::signal(requests[index], SIG_IGN);
  }
}

bool wait_for_status_request(std::optional<Nanoseconds> at_most) {
  // All other signals are for the other threads, since this one may be drawing. It receives
  // requests even while it draws: macOS assigns a signal that all threads block to one of them, and
  // pselect in another never sees it (XNU, kern_sig.c, get_signalthread).
  const sigset_t requests_only = set_of(requests);
  sigset_t drawing;
  sigfillset(&drawing);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&drawing, fault);
  for (const int number : requests) sigdelset(&drawing, number);
  timespec time{};
  if (at_most) {
    time.tv_sec = static_cast<time_t>(*at_most / 1'000'000'000);
    time.tv_nsec = static_cast<long>(*at_most % 1'000'000'000);
  }
  ::pthread_sigmask(SIG_SETMASK, &drawing, nullptr);
  ::pthread_sigmask(SIG_BLOCK, &requests_only, nullptr);
  // A request from here on ends pselect at once, so none is lost.
  if (!request_came.load()) {
    ::pselect(0, nullptr, nullptr, nullptr, at_most ? &time : nullptr, &drawing);
  }
  ::pthread_sigmask(SIG_UNBLOCK, &requests_only, nullptr);
  return request_came.exchange(false);
}

// 0 columns: a terminal whose size was never set, such as a serial line.
ScreenSize terminal_size(int fd) {
  winsize size{};
  ::ioctl(fd, TIOCGWINSZ, &size);
  return {.rows = size.ws_row > 0 ? std::size_t{size.ws_row} : 24,
          .columns = size.ws_col > 0 ? std::size_t{size.ws_col} : 80};
}

bool is_in_foreground(int fd) {
  return is_terminal(fd) && shows_us(fd);
}

bool can_ask(bool urgent) {
  // tcgetpgrp() fails for a terminal other than the controlling one, as after setsid(1).
  const pid_t group = ::getpgrp();
  if (::tcgetpgrp(STDIN_FILENO) != group) return false;
  return ::tcgetpgrp(STDERR_FILENO) == group || (urgent && ::access("/dev/tty", R_OK | W_OK) == 0);
}

bool is_piped(int fd) {
  struct ::stat status {};
  return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

bool gives_text(int fd) {
  struct ::stat status {};
  return is_piped(fd) || (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode));
}

// At least 512 by POSIX; 4096 on Linux.
const std::size_t taken_at_once = PIPE_BUF;

bool takes_more(int fd) {
  Wait state{.fd = fd, .for_room = true};
  return wait_for({&state, 1}, 0) == 1;
}

bool reader_is_gone(int fd) {
  // POLLERR on Linux, POLLHUP on macOS, which looks at nothing if no event is requested (XNU,
  // sys_generic.c, poll_nocancel).
  pollfd state{fd, POLLOUT, 0};
  return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

bool lead_to_same(int one, int other) {
  struct ::stat first {};
  struct ::stat second {};
  return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool draw_status(int fd, std::string_view text) {
  // A terminal stopped by Ctrl-S takes nothing; do not wait for it.
  Wait ready{.fd = fd, .for_room = true};
  if (wait_for({&ready, 1}, 0) == 0) return false;
  std::string line = "\r";
  line += text;
  // Back to its start, so that typed characters do not run over its end.
  line += "\x1b[K\r";
  // `drawing` before `closed`, in clean_terminal the other way round: one of the two threads sees
  // the other, so nothing is drawn after the line was erased.
  terminal.drawing.store(true);
  const bool open = !terminal.closed.load();
  if (open) {
    terminal.line.store(fd);
    write_all(fd, line);
  }
  terminal.drawing.store(false);
  return open;
}

void erase_status(int fd) {
  terminal.drawing.store(true);
  // After Ctrl-Z, the line of the cursor belongs to the shell.
  if (terminal.line.exchange(-1) >= 0 && shows_us(fd)) write_all(fd, erasure);
  terminal.drawing.store(false);
}

void clean_terminal() {
  terminal.closed.store(true);
  // A drawing thread finishes at once, unless it is the one interrupted here. On a busy machine it
  // may have to wait for a processor: 20 ms were too few once in some hundred runs.
  constexpr int milliseconds = 100;
  for (int tries = 0; tries < milliseconds && terminal.drawing.load(); ++tries) {
    ::poll(nullptr, 0, 1);
  }
  const int fd = terminal.line.exchange(-1);
  if (fd >= 0 && shows_us(fd)) write_to_terminal(fd, erasure);
  if (terminal.colored.load()) write_to_terminal(STDOUT_FILENO, "\x1b[0m");
  const ScreenLeave* const screen = terminal.screen.exchange(nullptr);
  if (screen != nullptr && shows_us(screen->fd)) {
    write_to_terminal(screen->fd, screen->bytes);
    ::tcsetattr(screen->fd, TCSANOW, &screen->modes);
  }
}

sigset_t set_of(std::span<const int> numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : numbers) sigaddset(&set, number);
  return set;
}

// By the signal itself, since a shell ends its script after a command that SIGINT ended, but not
// after one that exited with the status 130. The last line is reached if the signal ends nothing.
void die_by(int number) {
  ::signal(number, SIG_DFL);
  const sigset_t set = set_of(std::array{number});
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(number);
  std::_Exit(128 + number);
}

void end_when_out_of_memory(std::string_view last_words) {
  words_without_memory = last_words;
  std::set_new_handler(end_without_memory);
  std::set_terminate(end_by_exception);
}

void throw_when_out_of_memory() {
  std::set_new_handler(nullptr);
}

void erase_status_when_interrupted() {
  handle_signals(ending_signals);
}

// `leave` is stored first, so that a handler that runs at once finds it.
void leave_screen_when_interrupted(const ScreenLeave* leave) {
  terminal.screen.store(leave);
  if (leave == nullptr) return;
  handle_signals(ending_signals);
  handle_signals(screen_ending_signals);
}

void reset_colors_when_interrupted() {
  terminal.colored.store(true);
  handle_signals(ending_signals);
}

Terminal::Terminal(const char* need) : tty_(open_terminal(need)) {
  // SIGCONT is for the thread that waits for an answer; it must not interrupt calls of others.
  const sigset_t going_on = set_of(std::array{SIGCONT});
  sigset_t blocked;
  ::pthread_sigmask(SIG_BLOCK, &going_on, &blocked);
  was_blocked_ = sigismember(&blocked, SIGCONT) == 1;
  handle_signal(
      SIGCONT, [](int) {}, SA_RESTART);
}

Terminal::~Terminal() {
  ::signal(SIGCONT, SIG_DFL);
  if (!was_blocked_) {
    const sigset_t going_on = set_of(std::array{SIGCONT});
    ::pthread_sigmask(SIG_UNBLOCK, &going_on, nullptr);
  }
}

void Terminal::put(std::string_view question) const {
  write_all(tty_.get(), question);
}

// The terminal is in its usual mode, so the kernel edits the line, and it can be read when Enter
// was pressed. Bytes without a newline at the end of input are no reply.
bool Terminal::wait_for_answer(std::string_view question, std::string& answer) {
  answer.clear();
  while (comes_to_foreground(tty_.get())) {
    if (!wait_for_typing(tty_.get())) {
      // After Ctrl-Z and `fg`, the shell's message is below the question, and the part of a reply
      // that was typed before is lost.
      if (comes_to_foreground(tty_.get())) put(question);
      answer.clear();
      continue;
    }
    char character = 0;
    // Byte by byte: what was typed after the line belongs to the next question, or to the shell.
    const ssize_t count = ::read(tty_.get(), &character, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (character == '\n') return true;
    answer += character;
  }
  write_all(tty_.get(), "\n");
  return false;
}

void secure_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1) continue;
    // In the wrong direction on purpose, so that reading or writing fails with EBADF. open() takes
    // the lowest free number, and all lower ones are in use by now.
    const int opened = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened < 0 || opened == fd) continue;
    ::close(opened);
  }
}

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

int close_stream(int fd) {
  // The descriptor is closed even on EINTR; a second close could close another file.
  return ::close(fd) == 0 || errno == EINTR || errno == EBADF ? 0 : errno;
}

bool is_selectable(int fd) {
  return fd < static_cast<int>(FD_SETSIZE);
}

// On macOS it could not be waited for if its number were too large for select.
Descriptor open_terminal(const char* need) {
  Descriptor tty(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  const int error = tty.get() < 0 ? errno : EMFILE;
  if (tty.get() >= 0 && is_selectable(tty.get())) return tty;
  throw std::system_error(error, std::generic_category(), need);
}

int wait_for(std::span<Wait> waits, int milliseconds) {
  fd_set readable;
  fd_set writable;
  FD_ZERO(&readable);
  FD_ZERO(&writable);
  int numbers = 0;
  for (const Wait& wait : waits) {
    if (wait.fd < 0) continue;
    if (!is_selectable(wait.fd)) return wait_by_poll(waits, milliseconds);
    FD_SET(wait.fd, wait.for_room ? &writable : &readable);
    numbers = std::max(numbers, wait.fd + 1);
  }
  timespec time{};
  time.tv_sec = milliseconds / 1000;
  time.tv_nsec = milliseconds % 1000 * 1'000'000L;
  const int count = ::pselect(numbers, &readable, &writable, nullptr,
                              milliseconds < 0 ? nullptr : &time, nullptr);
  for (Wait& wait : waits) {
    wait.ready =
        count > 0 && wait.fd >= 0 && FD_ISSET(wait.fd, wait.for_room ? &writable : &readable) != 0;
  }
  return count;
}

int create_file(const std::string& path, Descriptor& file) {
  file = Descriptor(uninterrupted(
      [&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); }));
  return file.get() < 0 ? errno : 0;
}

bool read_line(std::string& line) {
  char byte = 0;
  line.clear();
  while (uninterrupted([&] { return ::read(STDIN_FILENO, &byte, 1); }) == 1) {
    if (byte == '\n') return true;
    line += byte;
  }
  return !line.empty();
}

int write_all(int fd, std::string_view bytes) {
  // macOS refuses more than INT_MAX bytes (EINVAL).
  constexpr std::size_t most = std::size_t{1} << 30U;
  while (!bytes.empty()) {
    const ssize_t written =
        uninterrupted([&] { return ::write(fd, bytes.data(), std::min(bytes.size(), most)); });
    if (written < 0) {
      // Another process that shares the file may have set O_NONBLOCK.
      Wait ready{.fd = fd, .for_room = true};
      if (errno != EAGAIN) return errno;
      wait_for({&ready, 1}, -1);
      continue;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void die_of_broken_pipe() {
  clean_terminal();
  die_by(SIGPIPE);
}

}  // namespace ffind::os
