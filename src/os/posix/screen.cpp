// SPDX-License-Identifier: MIT
// The terminal of --pick: its modes, its signals, and waiting. Keys are decoded by keys.cpp, and
// rows drawn by ScreenRegion (screen.h).
//
//     terminal_ ──▶ KeyDecoder ──▶ next()
//     draw()    ──▶ ScreenRegion ──▶ send() ──▶ sender_
//
// The thread of the screen waits in select for keys and for a pipe. wake() and the handlers of
// SIGWINCH, SIGTSTP and SIGCONT write a byte into the pipe; the handlers only set flags, which the
// thread turns into keys. No byte is lost between a look at the flags and the wait, since it stays
// in the pipe.
//
// If a signal ends the process, clean_terminal() writes what leave_screen_when_interrupted() was
// given last.
#include "os/posix/screen.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/process_calls.h"
#include "os/processes.h"
#include "text/format.h"

namespace ffind::os {

// Rows by control sequences:
//
//     CSI 6 n   where is the cursor? CSI row ; column R     CSI ? 7 l, h    lines wrap
//     ESC 7, 8  save and restore the cursor                 CSI ? 25 l, h   the cursor is shown
//     CSI J, K  erase to the end of the screen, the line    CSI r ; c H     move to row and column
//     CSI ? 1049 h, l                                       the alternate screen is shown

namespace {

/// Time for the cursor's place: over slow lines a round trip takes a tenth of a second.
constexpr int cursor_milliseconds = 500;
constexpr std::size_t least_rows = 3;  ///< a prompt, a line of counts and one entry

void append_move(std::string& out, std::size_t row, std::size_t column) {
  out += text::format("\x1b[{};{}H", row + 1, column + 1);
}

}  // namespace

std::optional<ScreenPlace> ScreenRegion::cursor() {
  send_("\x1b[6n");
  return keys_.cursor_reply(cursor_milliseconds);
}

bool ScreenRegion::enter(ScreenSize terminal) {
  if (is_whole()) {
    send_("\x1b[?1049h");
    follow(terminal);
    return true;
  }
  const std::optional<ScreenPlace> place_now = cursor();
  if (!place_now || place_now->row >= terminal.rows) return false;
  rows_above_ = place_now->column > 0 ? 1 : 0;
  const std::size_t rows = rows_of_part(terminal);
  if (rows + rows_above_ > terminal.rows) return false;
  size_ = {rows, terminal.columns};
  place(terminal, *place_now, place_now->row + rows_above_);
  return true;
}

std::size_t ScreenRegion::rows_of_part(ScreenSize terminal) const {
  const bool by_percent = height_.percent > 0;
  return std::max(by_percent ? terminal.rows * height_.percent / 100 : height_.rows, least_rows);
}

/// Scrolls up if the region would end below the screen, and saves the cursor's place.
void ScreenRegion::place(ScreenSize terminal, ScreenPlace saved, std::size_t begin) {
  std::string out;
  const std::size_t end = begin + size_.rows;
  const std::size_t hidden = end - std::min(end, terminal.rows);
  if (hidden > 0) {
    append_move(out, terminal.rows - 1, 0);
    out.append(hidden, '\n');
  }
  begin_ = begin - std::min(begin, hidden);
  saved_column_ = saved.column;
  append_move(out, begin_ - std::min(begin_, rows_above_), saved.column);
  out += "\x1b\x37";
  append_move(out, begin_, 0);
  out += "\x1b[J";
  send_(out);
  forget_picture({});
}

/// The cursor is in the first row of the region, wherever the terminal has moved that.
void ScreenRegion::follow(ScreenSize terminal) {
  if (is_whole()) {
    size_ = terminal;
    send_("\x1b[0m\x1b[H\x1b[J");
    forget_picture({});
    return;
  }
  const ScreenPlace found = cursor().value_or(ScreenPlace{begin_, 0});
  size_ = {std::min(rows_of_part(terminal), terminal.rows), terminal.columns};
  const std::size_t begin = std::min(found.row, terminal.rows - 1);
  rows_above_ = std::min(rows_above_, begin);
  // The row of the saved place may have scrolled off; then it is the region's first.
  const std::size_t column = rows_above_ > 0 ? std::min(saved_column_, terminal.columns - 1) : 0;
  place(terminal, {begin, column}, begin);
}

/// A whole screen is erased for a terminal without an alternate one, such as Linux's console.
std::string_view ScreenRegion::ending() const {
  return is_whole() ? "\x1b[?7h\x1b[0m\x1b[H\x1b[J\x1b[?1049l\x1b[?25h"
                    : "\x1b[?7h\x1b[0m\x1b\x38\x1b[J\x1b[?25h";
}

void ScreenRegion::append_style(std::string& out, const TextStyle& style) const {
  constexpr std::uint8_t bright = 8;
  constexpr std::uint8_t indexed = 16;
  out += "\x1b[0";
  if (style.bold) out += ";1";
  if (style.dim) out += ";2";
  if (style.underline) out += ";4";
  if (style.reverse) out += ";7";
  if (style.color && colors_ > 0) {
    const std::uint8_t color = *style.color;
    if (color < bright) {
      out += ";3" + std::to_string(color);
    } else if (color < indexed) {
      out += (color < colors_ ? ";9" : ";3") + std::to_string(color - bright);
    } else if (color < colors_) {
      out += ";38;5;" + std::to_string(color);
    }
  }
  out += 'm';
}

/// Blanks have the style of what is before them, unless they would look different.
std::vector<ScreenRegion::Cell> ScreenRegion::cells_of(const ScreenRow& row) {
  std::vector<Cell> cells;
  for (const StyledText& part : row) {
    for (const char byte : part.text) {
      const bool is_blank = byte == ' ' && !part.style.underline && !part.style.reverse;
      TextStyle style = is_blank ? TextStyle{} : part.style;
      if (is_blank && !cells.empty() && !cells.back().style.underline &&
          !cells.back().style.reverse) {
        style = cells.back().style;
      }
      cells.push_back({byte, style});
    }
  }
  return cells;
}

/// Leaves out what both rows have at their begin and, if they are equally long, at their end. The
/// column of a byte is known only in ASCII: a terminal may count those of others differently.
void ScreenRegion::append_change(std::string& out, std::size_t row, const std::vector<Cell>& was,
                                 const std::vector<Cell>& now) const {
  const auto is_other = [](const Cell& cell) { return (cell.byte & 0x80) != 0; };
  const auto in_ascii = [&](const std::vector<Cell>& cells) {
    return std::none_of(cells.begin(), cells.end(), is_other);
  };
  auto [from, old] = std::mismatch(now.begin(), std::find_if(now.begin(), now.end(), is_other),
                                   was.begin(), std::find_if(was.begin(), was.end(), is_other));
  // An accent that follows, or followed, belongs to the letter before it.
  const bool has_accent =
      (from != now.end() && is_other(*from)) || (old != was.end() && is_other(*old));
  if (has_accent && from != now.begin()) --from;
  auto end = now.end();
  const bool is_ascii = in_ascii(was) && in_ascii(now);
  if (is_ascii && was.size() == now.size()) {
    end = std::mismatch(now.rbegin(), std::make_reverse_iterator(from), was.rbegin()).first.base();
  }
  append_move(out, begin_ + row, static_cast<std::size_t>(from - now.begin()));
  // Erased first: after its last column a terminal that does not wrap is still in that.
  if (!is_ascii || was.size() > now.size()) out += "\x1b[K";
  TextStyle style;
  for (; from != end; ++from) {
    if (!(from->style == style)) append_style(out, from->style);
    style = from->style;
    out += from->byte;
  }
  if (!(style == TextStyle{})) out += "\x1b[0m";
}

void ScreenRegion::forget_picture(const std::vector<Cell>& row) {
  shown_.assign(size_.rows, row);
  cursor_.reset();
}

/// Sends the changed rows in one write, so that half a picture is hardly ever seen. Sends nothing
/// if no row changed: --pick draws its list each second, since ages change.
void ScreenRegion::draw(std::span<const ScreenRow> rows, ScreenPlace cursor) {
  // Lines do not wrap: a terminal may count the columns of a character differently.
  constexpr std::string_view opening = "\x1b[?25l\x1b[?7l";
  std::string out(opening);
  for (std::size_t row = 0; row < size_.rows; ++row) {
    std::vector<Cell> cells = row < rows.size() ? cells_of(rows[row]) : std::vector<Cell>();
    if (cells == shown_[row]) continue;
    append_change(out, row, shown_[row], cells);
    shown_[row] = std::move(cells);
  }
  if (cursor_ == cursor && out.size() == opening.size()) return;
  cursor_ = cursor;
  out += "\x1b[?7h";
  append_move(out, begin_ + std::min(cursor.row, size_.rows - 1), cursor.column);
  out += "\x1b[?25h";
  if (!send_(out)) forget_picture({Cell{'\xff', {}}});
}

namespace {

// Bracketed paste: the terminal puts ESC [ 200 ~ and ESC [ 201 ~ around what is pasted, so that a
// newline in it is not Enter.
constexpr std::string_view paste_on = "\x1b[?2004h";
constexpr std::string_view paste_off = "\x1b[?2004l";
// Report buttons and the wheel (1000), with decimal coordinates (1006): the older form ends at
// column 223. A report is ESC [ < button ; column ; row and M or m.
constexpr std::string_view mouse_on = "\x1b[?1000h\x1b[?1006h";
constexpr std::string_view mouse_off = "\x1b[?1006l\x1b[?1000l";

/// Largest screen that is used, since a terminal may say that it is of any size. A display of 7,680
/// by 4,320 pixels has 1,920 columns and 720 rows of the smallest fonts, 4 by 6 pixels.
constexpr std::size_t most_columns = 2048;
constexpr std::size_t most_rows = 1024;

/// State for signal handlers, which have no parameters of ours.
struct ScreenSignals {
  std::atomic<int> pipe{-1};  ///< a byte written here ends the wait
  std::atomic<bool> resized{false};
  std::atomic<bool> stopped{false};
  std::atomic<bool> continued{false};
};

// mutable: signal handlers reach nothing else
ScreenSignals signals;

/// Safe in a signal handler: keeps errno. The pipe does not block; if it is full, there is
/// something to read anyway.
void write_wake() {
  const int fd = signals.pipe.load();
  const int error = errno;
  if (fd >= 0) [[maybe_unused]]
    const ssize_t ignored = ::write(fd, "", 1);
  errno = error;
}

/// Handler of the terminal's signals: sets a flag and ends the wait.
void note_signal(int number) {
  if (number == SIGWINCH) signals.resized.store(true);
  if (number == SIGTSTP) signals.stopped.store(true);
  if (number == SIGCONT) signals.continued.store(true);
  write_wake();
}

constexpr std::array screen_signals = {SIGWINCH, SIGTSTP, SIGCONT};

/// Handles the terminal's signals while it exists. Ignored ones, as in a shell without job control,
/// stay ignored.
class SignalHandlers {
 public:
  SignalHandlers() {
    for (std::size_t index = 0; index < screen_signals.size(); ++index) {
      ::sigaction(screen_signals[index], nullptr, &before_[index]);
      if (before_[index].sa_handler != SIG_IGN) handle_signal(screen_signals[index], note_signal);
    }
  }
  ~SignalHandlers() {
    for (std::size_t index = 0; index < screen_signals.size(); ++index) {
      ::sigaction(screen_signals[index], &before_[index], nullptr);
    }
  }
  SignalHandlers(const SignalHandlers&) = delete;
  SignalHandlers& operator=(const SignalHandlers&) = delete;

 private:
  std::array<struct sigaction, screen_signals.size()> before_{};
};

/// Colours of the terminal that TERM names. Throws std::runtime_error if it knows no control
/// sequences.
int colors_of_terminal() {
  const std::string name = environment("TERM").value_or("");
  if (name.empty()) {
    throw std::runtime_error("--pick: nothing is known of this terminal (TERM is not set)");
  }
  for (const char* without : {"dumb", "emacs", "unknown", "vt52"}) {
    if (name != without) continue;
    throw std::runtime_error("--pick: the terminal cannot move its cursor (TERM is " + name + ")");
  }
  constexpr int some = 8;
  constexpr int all = 256;
  if (name.find("256") != name.npos || name.find("direct") != name.npos) return all;
  if (name.starts_with("vt") && !name.starts_with("vte")) return 0;
  if (name == "xterm" || name == "xterm-color") return some;
  for (const char* known : {"ansi", "cygwin", "linux", "rxvt", "screen", "tmux"}) {
    if (name.starts_with(known)) return some;
  }
  return all;
}

class TerminalScreen final : public Screen {
 public:
  TerminalScreen();
  ~TerminalScreen() override;
  /// Takes the terminal. The destructor gives it back if this throws.
  void start(ScreenHeight height);

  ScreenSize size() const override { return region_->size(); }
  void draw(std::span<const ScreenRow> rows, ScreenPlace cursor) override {
    region_->draw(rows, cursor);
  }
  KeyPress next(Nanoseconds at_most) override { return key_within(at_most, true); }
  KeyPress next_key(Nanoseconds at_most) override { return key_within(at_most, false); }
  void wait_for_wake(Nanoseconds at_most) override { wait(at_most, false, true); }
  void wake() override { write_wake(); }
  void suspend() override;
  void send(std::string_view bytes) override { send_all(bytes); }
  void close() override;

 private:
  void set_raw_mode();
  void leave();  ///< turns modes off and gives the screen back; enter() is the opposite
  void enter();
  void take_region(ScreenHeight height);
  ScreenSize known_size() const;
  bool send_all(std::string_view bytes);
  void wait(Nanoseconds at_most, bool for_keys, bool for_wake);
  /// `none` when the time is over or, with `for_wake`, wake() was called.
  KeyPress key_within(Nanoseconds at_most, bool for_wake);
  KeyPress key_after_signal();
  KeyPress read_key();

  const int colors_ = colors_of_terminal();
  const Descriptor terminal_ = open_terminal("--pick needs a terminal: /dev/tty");
  /// For all that is written; a separate open, so that O_NONBLOCK affects nothing else.
  const Descriptor sender_{::open("/dev/tty", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
  Pipe wake_pipe_;
  bool gone_ = false;  ///< the terminal hung up: every wait ends with Ctrl-C
  KeyDecoder keys_{terminal_.get()};
  // State that a signal restores: without the screen, and with it. Handlers read both, so neither
  // changes once it is published.
  ScreenLeave found_;
  ScreenLeave ending_;
  std::unique_ptr<SignalHandlers> handlers_;
  std::optional<ScreenRegion> region_;  ///< none before start() and after close()
};

TerminalScreen::TerminalScreen() {
  int error = wake_pipe_.open();
  if (error == 0 && !is_selectable(wake_pipe_.reader.get())) error = EMFILE;
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), "--pick: pipe");
  }
  // Neither a handler nor the draining of the pipe may block.
  for (const int end : {wake_pipe_.reader.get(), wake_pipe_.writer.get()}) {
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  found_.fd = sender_.get() >= 0 ? sender_.get() : terminal_.get();
  ::tcgetattr(terminal_.get(), &found_.modes);
}

TerminalScreen::~TerminalScreen() {
  close();
  signals.pipe.store(-1);
}

// The state that a signal restores is complete before the terminal is changed. A part of the screen
// can be given back only when its place is known, the whole one before it is taken.
void TerminalScreen::start(ScreenHeight height) {
  signals.pipe.store(wake_pipe_.writer.get());
  handlers_ = std::make_unique<SignalHandlers>();
  leave_screen_when_interrupted(&found_);
  set_raw_mode();
  take_region(height);
  const bool is_part = !region_->is_whole() && region_->enter(known_size());
  if (!is_part) take_region({});
  ending_.fd = found_.fd;
  ending_.modes = found_.modes;
  ending_.bytes = std::string(mouse_off).append(paste_off).append(region_->ending());
  leave_screen_when_interrupted(&ending_);
  if (!is_part) region_->enter(known_size());
  send_all(paste_on);
  send_all(mouse_on);
}

void TerminalScreen::take_region(ScreenHeight height) {
  region_.emplace(height, colors_, keys_,
                  [this](std::string_view bytes) { return send_all(bytes); });
}

void TerminalScreen::close() {
  if (handlers_ == nullptr) return;
  leave();
  leave_screen_when_interrupted(nullptr);
  handlers_.reset();
}

/// Keys come at once, Ctrl-C and Ctrl-Z as bytes; Enter is \r, not \n, which is Ctrl-J.
void TerminalScreen::set_raw_mode() {
  termios modes = found_.modes;
  modes.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | ISTRIP);
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  ::tcsetattr(terminal_.get(), TCSADRAIN, &modes);
}

ScreenSize TerminalScreen::known_size() const {
  const ScreenSize size = terminal_size(terminal_.get());
  return {std::min(size.rows, most_rows), std::min(size.columns, most_columns)};
}

/// Gives up after a second without progress, since no key is read meanwhile. False then.
bool TerminalScreen::send_all(std::string_view bytes) {
  constexpr Nanoseconds patience = 1'000'000'000;
  Nanoseconds end = monotonic_now() + patience;
  while (!bytes.empty()) {
    const ssize_t written = ::write(found_.fd, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      end = monotonic_now() + patience;
    } else if (errno == EAGAIN) {
      if (monotonic_now() > end) return false;
      // macOS cannot poll every terminal.
      ::poll(nullptr, 0, 1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// A signal while the screen is others' restores the modes alone.
void TerminalScreen::leave() {
  send_all(ending_.bytes);
  ::tcsetattr(terminal_.get(), TCSADRAIN, &found_.modes);
  leave_screen_when_interrupted(&found_);
}

void TerminalScreen::enter() {
  set_raw_mode();
  if (region_->is_whole()) leave_screen_when_interrupted(&ending_);
  // A part without a reply goes on where it was.
  if (!region_->enter(known_size())) region_->follow(known_size());
  leave_screen_when_interrupted(&ending_);
  send_all(paste_on);
  send_all(mouse_on);
}

/// With our handler the process would not stop, so the default action is restored for the moment of
/// the signal. The process stops inside kill().
void TerminalScreen::suspend() {
  signals.stopped.store(false);
  if (handler_of(SIGTSTP) == SIG_IGN) return;
  leave();
  handle_signal(SIGTSTP, SIG_DFL);
  // To the whole process group, as the terminal does.
  ::kill(0, SIGTSTP);
  handle_signal(SIGTSTP, note_signal);
  signals.continued.store(false);
  enter();
}

/// Waits until a key can be read, wake() is called, a signal comes, or the time is over.
void TerminalScreen::wait(Nanoseconds at_most, bool for_keys, bool for_wake) {
  constexpr Nanoseconds millisecond = 1'000'000;
  const auto milliseconds = std::min<Nanoseconds>((at_most + millisecond - 1) / millisecond,
                                                  std::numeric_limits<int>::max());
  std::array<Wait, 2> waits = {
      {{.fd = for_keys ? terminal_.get() : -1}, {.fd = for_wake ? wake_pipe_.reader.get() : -1}}};
  wait_for(waits, static_cast<int>(milliseconds));
  std::array<char, 256> drained;
  while (waits[1].ready && ::read(waits[1].fd, drained.data(), drained.size()) > 0) {
  }
  // Ready without a byte: the terminal is gone, and SIGHUP is ignored.
  int bytes = 0;
  if (waits[0].ready && (::ioctl(waits[0].fd, FIONREAD, &bytes) != 0 || bytes == 0)) gone_ = true;
}

/// `resize` after a signal, since the caller has to draw everything again; `none` if none came. A
/// signal that comes meanwhile sets its flag again.
KeyPress TerminalScreen::key_after_signal() {
  if (signals.stopped.exchange(false)) {
    suspend();
    return {.key = Key::resize};
  }
  if (signals.continued.exchange(false)) {
    // After SIGSTOP, which has no handler.
    if (region_->is_whole()) leave();
    enter();
    return {.key = Key::resize};
  }
  if (signals.resized.exchange(false)) {
    region_->follow(known_size());
    return {.key = Key::resize};
  }
  return {};
}

/// Keys that were typed already come before signals and without a call of poll. A terminal that
/// hung up acts like Ctrl-C, since no key will come.
KeyPress TerminalScreen::key_within(Nanoseconds at_most, bool for_wake) {
  KeyPress key = read_key();
  if (key.key != Key::none) return key;
  wait(at_most, true, for_wake);
  if (gone_) return {.key = Key::control, .text = "c"};
  key = key_after_signal();
  return key.key == Key::none ? read_key() : key;
}

/// Places are those of the region; the mouse above it is no key.
KeyPress TerminalScreen::read_key() {
  const std::size_t begin = region_->begin();
  while (true) {
    KeyPress press = keys_.read_key();
    const bool has_place =
        press.key == Key::click || press.key == Key::wheel_up || press.key == Key::wheel_down;
    if (!has_place) return press;
    if (press.place.row < begin) continue;
    press.place.row -= begin;
    return press;
  }
}

}  // namespace

std::unique_ptr<Screen> Screen::open(ScreenHeight height) {
  auto screen = std::make_unique<TerminalScreen>();
  screen->start(height);
  return screen;
}

struct QuietSignals::Mask {
  sigset_t set;
};

// A new thread inherits the mask of the thread that starts it.
QuietSignals::QuietSignals() : before_(std::make_unique<Mask>()) {
  sigset_t quiet = set_of(screen_signals);
  for (const int number : ending_signals) sigaddset(&quiet, number);
  ::pthread_sigmask(SIG_BLOCK, &quiet, &before_->set);
}

QuietSignals::~QuietSignals() {
  ::pthread_sigmask(SIG_SETMASK, &before_->set, nullptr);
}

}  // namespace ffind::os
