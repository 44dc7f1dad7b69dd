// SPDX-License-Identifier: MIT
// The screen, drawn by ncurses. CursesScreen owns the terminal: two streams of /dev/tty for
// ncurses, and a descriptor of its own for bytes that bypass it.
//
//     input_  ──▶ wgetch ──▶ key_of_input ─┬─▶ key_of_code   a key that ncurses knows (> 255)
//                                          ├─▶ key_of_byte   a letter, a control, part of UTF-8
//                                          └─▶ sequence_     a reply of the terminal: skipped
//     draw()  ──▶ window_ ──▶ output_
//     send()  ──────────────▶ sender_      OSC, modes of the mouse and of pasting
//
// The thread of the screen waits in select for keys and for a pipe. wake() and the handlers of
// SIGWINCH, SIGTSTP and SIGCONT write a byte into the pipe; the handlers only set flags, which the
// thread turns into keys. No byte is lost between a look at the flags and the wait, since it stays
// in the pipe.
//
// Input goes through ncurses for keys that it knows. Pastes and the mouse of xterm are decoded from
// their sequences here, since Apple's old ncurses has no event for scrolling down: define_key gives
// the first bytes of each a code of our own, and the rest is read byte by byte. All other sequences
// are recognised by ControlSequence and skipped.
//
// Life cycle: the constructor checks the description of the terminal (terminfo), installs handlers,
// lets ncurses switch to the screen, and turns modes on; leave() and enter() do the same around a
// stop by Ctrl-Z; close() restores everything. If a signal ends the process, clean_terminal()
// writes what leave_screen_when_interrupted() was given last instead.
#include "os/terminal.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "os/formats/control_sequence.h"
#include "os/machine.h"
#include "os/posix/calls.h"
#include "os/posix/curses.h"
#include "os/posix/screen_region.h"
#include "os/posix/signals.h"
#include "os/processes.h"
#include "text/utf8.h"

namespace ffind::os {
namespace {

// Key codes of our own, above those of ncurses (KEY_MAX is 511), for define_key.
constexpr int paste_code = 0x1000;
constexpr int mouse_code = 0x1001;
/// The code of a key with a modifier: this, 8 times the key's place in modified_keys, and the
/// modifier's number less 1, the bits of which are Shift, Alt and Control.
constexpr int modified_code = 0x2000;
constexpr int modifier_codes = 8;

// Bracketed paste: the terminal puts ESC [ 200 ~ and ESC [ 201 ~ around what is pasted, so that a
// newline in it is not Enter.
constexpr std::string_view paste_on = "\x1b[?2004h";
constexpr std::string_view paste_off = "\x1b[?2004l";
constexpr std::string_view paste_end = "\x1b[201~";
// Report buttons and the wheel (1000), with decimal coordinates (1006): the older form ends at
// column 223. A report is ESC [ < button ; column ; row and M or m.
constexpr std::string_view mouse_on = "\x1b[?1000h\x1b[?1006h";
constexpr std::string_view mouse_off = "\x1b[?1006l\x1b[?1000l";

constexpr int escape = 0x1B;

/// Time for the rest of a mouse report, which may come in two pieces.
constexpr int mouse_milliseconds = 100;

/// Largest screen that is used. ncurses counts rows and columns in a short and ends in
/// SIGSEGV at 32,768, and keeps 112 bytes for each cell in four windows. A display of 7,680 by
/// 4,320 pixels has 1,920 columns and 720 rows of the smallest fonts, 4 by 6 pixels.
constexpr std::size_t most_columns = 2048;
constexpr std::size_t most_rows = 1024;

/// Time for the rest of a key's sequence, which may come in two pieces over slow lines: as long as
/// fzf waits, and changed by the same variable as in all programs of ncurses.
int escape_milliseconds() {
  constexpr int usual = 100;
  const char* const variable = std::getenv("ESCDELAY");
  const std::string_view text = variable != nullptr ? variable : "";
  const char* const end = text.data() + text.size();
  int milliseconds = 0;
  const std::from_chars_result read = std::from_chars(text.data(), end, milliseconds);
  return read.ec == std::errc() && read.ptr == end && milliseconds >= 0 ? milliseconds : usual;
}

/// Time for the rest of a control sequence, which comes at once, except for long strings over slow
/// lines.
constexpr Nanoseconds parameters_patience = 100'000'000;
constexpr Nanoseconds string_patience = 500'000'000;

/// A sequence and the key code that wgetch is to return for it.
struct KeySequence {
  const char* bytes;
  int code;
};
/// Sequences of keys that terminals send regardless of TERM: cursor keys in both modes, Home and
/// End of the VT220, rxvt and tmux, and Shift-Tab of Linux's console. The last two are the
/// beginnings of pastes and mouse reports.
constexpr KeySequence key_sequences[] = {
    {"\x1b[A", curses::key_up},     {"\x1bOA", curses::key_up},    {"\x1b[B", curses::key_down},
    {"\x1bOB", curses::key_down},   {"\x1b[C", curses::key_right}, {"\x1bOC", curses::key_right},
    {"\x1b[D", curses::key_left},   {"\x1bOD", curses::key_left},  {"\x1b[H", curses::key_home},
    {"\x1bOH", curses::key_home},   {"\x1b[1~", curses::key_home}, {"\x1b[7~", curses::key_home},
    {"\x1b[F", curses::key_end},    {"\x1bOF", curses::key_end},   {"\x1b[4~", curses::key_end},
    {"\x1b[8~", curses::key_end},   {"\x1b[3~", curses::key_dc},   {"\x1b[5~", curses::key_ppage},
    {"\x1b[6~", curses::key_npage}, {"\x1b[Z", curses::key_btab},  {"\x1b\t", curses::key_btab},
    {"\x1b[200~", paste_code},      {"\x1b[<", mouse_code},
};

/// A key that xterm sends with a modifier as ESC [ 1 ; MODIFIER FINAL, or ESC [ NUMBER ; MODIFIER
/// ~. terminfo has some of these only, under names of its own.
struct ModifiedKey {
  Key key;
  const char* number;
  char final;
};
constexpr std::array<ModifiedKey, 9> modified_keys = {{{Key::up, "1", 'A'},
                                                       {Key::down, "1", 'B'},
                                                       {Key::right, "1", 'C'},
                                                       {Key::left, "1", 'D'},
                                                       {Key::home, "1", 'H'},
                                                       {Key::end, "1", 'F'},
                                                       {Key::remove, "3", '~'},
                                                       {Key::page_up, "5", '~'},
                                                       {Key::page_down, "6", '~'}}};

constexpr int code_of(std::size_t modified_key, int bits) {
  return modified_code + static_cast<int>(modified_key) * modifier_codes + bits;
}

/// Sequences of all keys with their codes: those of key_sequences, F1 and F2, and keys with a
/// modifier. The latter are xterm's; for Alt also ESC before a cursor key; and rxvt's, a lower-case
/// letter with Shift after ESC [, with Control after ESC O.
std::vector<KeyCode> all_keys() {
  constexpr int shift = 1;
  constexpr int alt = 2;
  constexpr int control = 4;
  std::vector<KeyCode> keys;
  for (const KeySequence& key : key_sequences) keys.emplace_back(key.bytes, key.code);
  for (std::size_t index = 0; index < modified_keys.size(); ++index) {
    const ModifiedKey& key = modified_keys[index];
    for (int bits = 1; bits < modifier_codes; ++bits) {
      std::string sequence = "\x1b[";
      sequence += key.number;
      sequence += ';';
      sequence += std::to_string(bits + 1);
      sequence += key.final;
      keys.emplace_back(std::move(sequence), code_of(index, bits));
    }
    constexpr std::size_t arrows = 4;
    if (index >= arrows) continue;
    const auto lower = static_cast<char>(key.final - 'A' + 'a');
    const auto add = [&](std::string sequence, char last, int bits) {
      sequence += last;
      keys.emplace_back(std::move(sequence), code_of(index, bits));
    };
    add("\x1b\x1b[", key.final, alt);
    add("\x1b\x1bO", key.final, alt);
    add("\x1b[", lower, shift);
    add("\x1bO", lower, control);
  }
  return keys;
}

/// Sequences of F1 and F2, which ncurses has from terminfo.
std::vector<KeyCode> keys_without_ncurses() {
  std::vector<KeyCode> keys = all_keys();
  for (const char* sequence : {"\x1bOP", "\x1b[11~", "\x1b[[A"}) {
    keys.emplace_back(sequence, curses::key_f0 + 1);
  }
  for (const char* sequence : {"\x1bOQ", "\x1b[12~", "\x1b[[B"}) {
    keys.emplace_back(sequence, curses::key_f0 + 2);
  }
  return keys;
}

Modifier modifier_of(int bits) {
  if ((bits & 4) != 0) return Modifier::control;
  return (bits & 2) != 0 ? Modifier::alt : Modifier::shift;
}

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
      if (before_[index].sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_handler = note_signal;
      sigemptyset(&action.sa_mask);
      ::sigaction(screen_signals[index], &action, nullptr);
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

/// Deleter of Stream.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, CloseFile>;

/// /dev/tty, since the standard streams may be pipes. Throws std::system_error.
Stream open_terminal(const char* mode) {
  Stream stream(std::fopen("/dev/tty", mode));
  if (stream == nullptr) {
    throw std::system_error(errno, std::generic_category(), "--pick needs a terminal: /dev/tty");
  }
  // On macOS ncurses waits by select, too.
  if (!is_selectable(::fileno(stream.get()))) {
    throw std::system_error(EMFILE, std::generic_category(), "--pick: /dev/tty");
  }
  return stream;
}

/// Sets a UTF-8 locale in the drawing thread regardless of the environment: ncurses decodes
/// characters by its thread's locale, and all names in this program are UTF-8. uselocale and not
/// setlocale: the other threads keep theirs. Does nothing if the system has no such locale.
class Utf8Locale {
 public:
  Utf8Locale() {
    for (const char* name : {"C.UTF-8", "", "en_US.UTF-8", "UTF-8"}) {
      locale_ = ::newlocale(LC_CTYPE_MASK, name, nullptr);
      if (locale_ == nullptr) continue;
      if (std::strcmp(::nl_langinfo_l(CODESET, locale_), "UTF-8") == 0) break;
      ::freelocale(locale_);
      locale_ = nullptr;
    }
    if (locale_ != nullptr) before_ = ::uselocale(locale_);
  }
  ~Utf8Locale() {
    if (locale_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(locale_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t locale_ = nullptr;
  locale_t before_ = nullptr;
};

/// Descriptions to use for a terminal without one of its own, best first. A terminal that is
/// reached over ssh often has none on the other side. These understand xterm's sequences, or
/// tmux's.
std::vector<const char*> descriptions_for(std::string_view name) {
  constexpr std::array<std::string_view, 16> like_xterm = {
      "xterm",   "alacritty", "contour", "foot", "ghostty", "gnome",  "iterm", "kitty",
      "konsole", "mintty",    "mlterm",  "rio",  "st-",     "vscode", "vte",   "wezterm"};
  constexpr std::array<std::string_view, 2> like_screen = {"tmux", "screen"};
  const auto begins = [&](std::string_view known) { return name.starts_with(known); };
  if (std::any_of(like_xterm.begin(), like_xterm.end(), begins)) {
    return {"xterm-256color", "xterm", "vt100"};
  }
  if (std::any_of(like_screen.begin(), like_screen.end(), begins)) {
    return {"screen-256color", "screen", "vt100"};
  }
  return {};
}

class CursesScreen final : public Screen {
 public:
  explicit CursesScreen(ScreenHeight height);
  ~CursesScreen() override;

  ScreenSize size() const override { return size_; }
  void draw(std::span<const ScreenRow> rows, ScreenPlace cursor) override;
  KeyPress next(Nanoseconds at_most) override { return key_within(at_most, true); }
  KeyPress next_key(Nanoseconds at_most) override { return key_within(at_most, false); }
  void wait_for_wake(Nanoseconds at_most) override { wait(at_most, false, true); }
  void wake() override { write_wake(); }
  void suspend() override;
  void send(std::string_view bytes) override;
  void close() override;

 private:
  /// The name of a description of this terminal in terminfo. Throws std::runtime_error.
  const char* find_description() const;
  bool open_region(ScreenHeight height);
  void set_raw_mode();
  /// Turns modes off and switches back from the screen; enter() is the opposite.
  void leave();
  void enter();
  /// The terminal's sequence for a capability of terminfo, such as "cup"; empty if it has none.
  std::string capability(const char* name) const;
  bool lets_ncurses_find_size() const;
  winsize kernel_size() const;
  void take_size();
  void set_style(const TextStyle& style);
  /// The colour pair with that foreground; 0, the default colours, if there is none.
  short pair_of(std::uint8_t color);
  void wait(Nanoseconds at_most, bool for_keys, bool for_wake);
  /// `none` when the time is over or, with `for_wake`, wake() was called.
  KeyPress key_within(Nanoseconds at_most, bool for_wake);
  KeyPress key_after_signal();
  KeyPress read_key();
  KeyPress key_of_input(int code);
  bool belongs_to_sequence(int code);
  bool begin_c1_sequence(int control);
  void keep_sequence_open();
  KeyPress key_of_code(int code);
  KeyPress key_of_byte(int byte);
  KeyPress after_escape();
  KeyPress read_paste();
  KeyPress read_mouse();
  /// Next byte or key code of wgetch; -1 if none comes in time.
  int next_byte(int milliseconds);

  const Curses& curses_ = curses_functions();
  const Utf8Locale locale_;
  // ncurses writes to the one and reads from the descriptor of the other.
  const Stream input_ = open_terminal("r");
  const Stream output_ = open_terminal("w");
  const int fd_ = ::fileno(output_.get());
  /// For bytes that bypass ncurses; a separate open, so that O_NONBLOCK affects nothing else.
  const Descriptor sender_{::open("/dev/tty", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
  Pipe wake_pipe_;
  /// The terminal hung up: every wait ends with Ctrl-C.
  bool gone_ = false;
  int code_after_escape_ = -1;      ///< of a key that was read after it; -1: none
  bool second_escape_ = false;      ///< another escape was read after the first
  ControlSequence sequence_;        ///< sequence being read
  Nanoseconds sequence_until_ = 0;  ///< end of the wait for its next byte
  // What a signal has to restore: before there is a screen, and with it. A handler reads them, so
  // they stay as they are once they were published.
  ScreenLeave found_;
  ScreenLeave ending_;
  std::unique_ptr<SignalHandlers> handlers_;
  /// SCREEN of newterm; null before it, after close(), and with a region.
  void* terminal_ = nullptr;
  const int escape_milliseconds_ = escape_milliseconds();
  KeyDecoder keys_{::fileno(input_.get()), keys_without_ncurses(), escape_milliseconds_};
  std::unique_ptr<ScreenRegion> region_;  ///< null if ncurses draws on the whole terminal
  void* window_ = nullptr;
  bool has_mouse_ = false;
  /// Colours of the terminal, by terminfo; 0: none.
  int colors_ = 0;
  /// Colour pairs defined so far, by foreground.
  std::map<std::uint8_t, short> pairs_;
  ScreenSize size_;
  TextStyle style_;
  /// Time and place of the last click, for recognising a double one.
  Nanoseconds clicked_at_ = 0;
  ScreenPlace clicked_;
};

// The order matters: terminals that cannot be drawn on are refused before anything is changed, and
// what a signal has to restore is known before newterm changes the terminal.
CursesScreen::CursesScreen(ScreenHeight height) {
  // Otherwise it overwrites the size from terminfo.
  curses_.use_env(false);
  const char* const name = find_description();
  if (capability("cup").empty() || capability("el").empty()) {
    throw std::runtime_error("--pick: the terminal cannot move its cursor (TERM is " +
                             std::string(name) + ")");
  }
  int error = wake_pipe_.open();
  if (error == 0 && !is_selectable(wake_pipe_.reader.get())) error = EMFILE;
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), "--pick: pipe");
  }
  // Neither a handler nor the draining of the pipe may block.
  for (const int end : {wake_pipe_.reader.get(), wake_pipe_.writer.get()}) {
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  ::fcntl(fd_, F_SETFD, FD_CLOEXEC);
  ::fcntl(::fileno(input_.get()), F_SETFD, FD_CLOEXEC);
  has_mouse_ = !capability("kmous").empty();
  found_.fd = sender_.get() >= 0 ? sender_.get() : fd_;
  ::tcgetattr(fd_, &found_.modes);
  ending_ = found_;
  // In the order of their effects: modes off, attributes and keypad reset, back to the normal
  // screen, cursor visible.
  std::string ending = std::string(mouse_off) + std::string(paste_off) + capability("sgr0") +
                       capability("rmkx") + capability("rmcup") + capability("cnorm");
  curses_.use_env(lets_ncurses_find_size());
  colors_ = curses_.tigetnum("colors");
  // newterm reads the description again, for a terminal of its own.
  curses_.del_curterm(curses_.set_curterm(nullptr));
  signals.pipe.store(wake_pipe_.writer.get());
  handlers_ = std::make_unique<SignalHandlers>();
  // Before ncurses, which would install its own.
  leave_screen_when_interrupted(&found_);
  if ((height.rows > 0 || height.percent > 0) && open_region(height)) return;
  ending_.bytes = std::move(ending);
  leave_screen_when_interrupted(&ending_);
  terminal_ = curses_.newterm(name, output_.get(), input_.get());
  if (terminal_ == nullptr) {
    leave_screen_when_interrupted(nullptr);
    throw std::runtime_error("--pick: the terminal cannot be drawn on");
  }
  // ncurses looks at setlocale, not at this thread's locale, to decide whether to support more than
  // ASCII.
  curses_.use_legacy_coding(0);
  // Keys come at once, Ctrl-C and Ctrl-Z as bytes; Enter is \r, not \n, which is Ctrl-J.
  curses_.raw();
  curses_.noecho();
  curses_.nonl();
  curses_.set_escdelay(escape_milliseconds_);
  if (curses_.start_color() != 0 || curses_.use_default_colors() != 0) colors_ = 0;
  window_ = curses_.newwin(0, 0, 0, 0);
  if (window_ == nullptr) {
    close();
    throw std::runtime_error("--pick: there is not enough memory to draw");
  }
  curses_.keypad(window_, true);
  // wgetch returns at once; waiting is done by poll, which also sees the pipe.
  curses_.wtimeout(window_, 0);
  for (const auto& [bytes, code] : all_keys()) curses_.define_key(bytes.c_str(), code);
  take_size();
  send(paste_on);
  if (has_mouse_) send(mouse_on);
}

CursesScreen::~CursesScreen() {
  close();
  signals.pipe.store(-1);
}

const char* CursesScreen::find_description() const {
  const char* const name = std::getenv("TERM");
  if (name == nullptr || *name == '\0') {
    throw std::runtime_error("--pick: nothing is known of this terminal (TERM is not set)");
  }
  int found = 0;
  if (curses_.setupterm(name, fd_, &found) == 0) return name;
  for (const char* other : descriptions_for(name)) {
    if (curses_.setupterm(other, fd_, &found) == 0) return other;
  }
  throw std::runtime_error("--pick: nothing is known of this terminal (TERM is " +
                           std::string(name) + "; TERM=xterm-256color works with most)");
}

/// Keys come at once and as bytes, as curses_.raw() and nonl() have it.
void CursesScreen::set_raw_mode() {
  termios modes = found_.modes;
  modes.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | ISTRIP);
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  ::tcsetattr(fd_, TCSADRAIN, &modes);
}

/// False, and the terminal is as before, if the region cannot be had.
bool CursesScreen::open_region(ScreenHeight height) {
  set_raw_mode();
  region_ = std::make_unique<ScreenRegion>(height, colors_, keys_,
                                           [this](std::string_view bytes) { send(bytes); });
  const winsize size = kernel_size();
  if (!region_->enter({size.ws_row, size.ws_col})) {
    region_.reset();
    ::tcsetattr(fd_, TCSADRAIN, &found_.modes);
    return false;
  }
  ending_.bytes.append(mouse_off).append(paste_off).append(ScreenRegion::ending());
  leave_screen_when_interrupted(&ending_);
  take_size();
  send(paste_on);
  if (has_mouse_) send(mouse_on);
  return true;
}

/// Restores the terminal before the library's own data is freed.
void CursesScreen::close() {
  if (terminal_ == nullptr && region_ == nullptr) return;
  leave();
  if (terminal_ != nullptr) curses_.delscreen(terminal_);
  terminal_ = nullptr;
  region_.reset();
  leave_screen_when_interrupted(nullptr);
  handlers_.reset();
}

/// Removes padding, the pauses for old terminals, which only ncurses can make.
std::string CursesScreen::capability(const char* name) const {
  const char* const value = curses_.tigetstr(name);
  if (value == nullptr || value == reinterpret_cast<const char*>(-1)) return {};
  std::string text = value;
  for (std::size_t begin = text.find("$<"); begin != std::string::npos; begin = text.find("$<")) {
    const std::size_t end = text.find('>', begin);
    text.erase(begin, end == std::string::npos ? end : end + 1 - begin);
  }
  return text;
}

/// Size by the kernel; 24 by 80 if it does not know.
winsize CursesScreen::kernel_size() const {
  winsize size{};
  if (::ioctl(fd_, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
    size.ws_row = 24;
    size.ws_col = 80;
  }
  return size;
}

/// Starts ncurses with the size in terminfo, which cannot be too large; take_size() follows. A
/// terminal without one, as Linux's console, gets it from LINES and COLUMNS or from the kernel, and
/// ncurses does not start if that is too large.
bool CursesScreen::lets_ncurses_find_size() const {
  if (curses_.tigetnum("lines") > 0 && curses_.tigetnum("cols") > 0) return false;
  const auto fits = [](const char* variable, std::size_t known, std::size_t most) {
    const char* const value = std::getenv(variable);
    constexpr int decimal = 10;
    return (value == nullptr ? known : std::strtoul(value, nullptr, decimal)) <= most;
  };
  const winsize size = kernel_size();
  return fits("LINES", size.ws_row, most_rows) && fits("COLUMNS", size.ws_col, most_columns);
}

/// Adopts the kernel's size of the terminal, up to most_rows and most_columns. The handler of
/// SIGWINCH is ours, so ncurses learns of a new size only here.
void CursesScreen::take_size() {
  const winsize size = kernel_size();
  const ScreenSize wanted = {std::min<std::size_t>(size.ws_row, most_rows),
                             std::min<std::size_t>(size.ws_col, most_columns)};
  if (region_ != nullptr) {
    size_ = region_->size();
    return;
  }
  const auto rows = static_cast<int>(wanted.rows);
  const auto columns = static_cast<int>(wanted.columns);
  // Both fail without memory; the old size remains usable.
  if (curses_.resizeterm(rows, columns) != 0 || curses_.wresize(window_, rows, columns) != 0) {
    if (size_ == ScreenSize{}) {
      close();
      throw std::runtime_error("--pick: there is not enough memory to draw");
    }
    return;
  }
  size_ = wanted;
}

/// Gives up after a second without progress, since no key is read meanwhile.
void CursesScreen::send(std::string_view bytes) {
  constexpr Nanoseconds patience = 1'000'000'000;
  const Nanoseconds end = monotonic_now() + patience;
  while (!bytes.empty() && monotonic_now() < end) {
    const ssize_t written = ::write(found_.fd, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      // macOS cannot poll every terminal.
      ::poll(nullptr, 0, 1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

void CursesScreen::leave() {
  send(mouse_off);
  send(paste_off);
  if (region_ == nullptr) {
    curses_.endwin();
    return;
  }
  region_->leave();
  ::tcsetattr(fd_, TCSADRAIN, &found_.modes);
}

/// clearok: the next refresh draws everything, since others have drawn on the terminal.
void CursesScreen::enter() {
  if (region_ != nullptr) {
    set_raw_mode();
    const winsize size = kernel_size();
    // Without a reply it goes on where it was.
    if (!region_->enter({size.ws_row, size.ws_col})) region_->follow({size.ws_row, size.ws_col});
  } else {
    curses_.clearok(window_, true);
    curses_.wrefresh(window_);
  }
  take_size();
  send(paste_on);
  if (has_mouse_) send(mouse_on);
}

/// With our handler the process would not stop, so the default action is restored for the moment of
/// the signal. The process stops inside kill().
void CursesScreen::suspend() {
  signals.stopped.store(false);
  struct sigaction ours {};
  ::sigaction(SIGTSTP, nullptr, &ours);
  if (ours.sa_handler == SIG_IGN) return;
  leave();
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigemptyset(&usual.sa_mask);
  ::sigaction(SIGTSTP, &usual, nullptr);
  // To the whole process group, as the terminal does.
  ::kill(0, SIGTSTP);
  ::sigaction(SIGTSTP, &ours, nullptr);
  signals.continued.store(false);
  enter();
}

short CursesScreen::pair_of(std::uint8_t color) {
  const auto known = pairs_.find(color);
  if (known != pairs_.end()) return known->second;
  constexpr short most = 63;  // 8-colour terminals have 64 pairs
  const auto pair = static_cast<short>(pairs_.size() + 1);
  // With eight colours, bright ones become their dark counterparts.
  const int shown = color < colors_ ? color : color < 16 ? color - 8 : -1;
  if (pair > most || shown < 0 || shown >= colors_ ||
      curses_.init_pair(pair, static_cast<short>(shown), -1) != 0) {
    return 0;
  }
  pairs_.emplace(color, pair);
  return pair;
}

void CursesScreen::set_style(const TextStyle& style) {
  unsigned long attributes = 0;
  if (style.bold) attributes |= curses::bold;
  if (style.dim) attributes |= curses::dim;
  if (style.underline) attributes |= curses::underline;
  if (style.reverse) attributes |= curses::reverse;
  const short pair = style.color && colors_ > 0 ? pair_of(*style.color) : short{0};
  curses_.wattr_set(window_, attributes, pair, nullptr);
}

// ncurses compares the window with what the terminal shows and sends the difference, so drawing all
// rows anew costs few bytes.
void CursesScreen::draw(std::span<const ScreenRow> rows, ScreenPlace cursor) {
  if (region_ != nullptr) return region_->draw(rows, cursor);
  curses_.werase(window_);
  for (std::size_t row = 0; row < std::min(rows.size(), size_.rows); ++row) {
    curses_.wmove(window_, static_cast<int>(row), 0);
    for (const StyledText& part : rows[row]) {
      set_style(part.style);
      curses_.waddnstr(window_, part.text.data(), static_cast<int>(part.text.size()));
    }
  }
  set_style({});
  curses_.wmove(window_, static_cast<int>(cursor.row), static_cast<int>(cursor.column));
  curses_.wrefresh(window_);
}

int CursesScreen::next_byte(int milliseconds) {
  // Without a region: what was typed while the terminal was asked for its cursor.
  if (region_ != nullptr || keys_.has_bytes()) return keys_.next(milliseconds);
  curses_.wtimeout(window_, milliseconds);
  const int code = curses_.wgetch(window_);
  curses_.wtimeout(window_, 0);
  return code;
}

/// Waits until a key can be read, wake() is called, a signal comes, or the time is over.
void CursesScreen::wait(Nanoseconds at_most, bool for_keys, bool for_wake) {
  constexpr Nanoseconds millisecond = 1'000'000;
  const auto milliseconds = std::min<Nanoseconds>((at_most + millisecond - 1) / millisecond,
                                                  std::numeric_limits<int>::max());
  std::array<Wait, 2> waits = {{{.fd = for_keys ? ::fileno(input_.get()) : -1},
                                {.fd = for_wake ? wake_pipe_.reader.get() : -1}}};
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
KeyPress CursesScreen::key_after_signal() {
  if (signals.stopped.exchange(false)) {
    suspend();
    return {.key = Key::resize};
  }
  if (signals.continued.exchange(false)) {
    // After SIGSTOP, which has no handler.
    if (region_ == nullptr) curses_.endwin();
    enter();
    return {.key = Key::resize};
  }
  if (signals.resized.exchange(false)) {
    const winsize size = kernel_size();
    if (region_ != nullptr) region_->follow({size.ws_row, size.ws_col});
    take_size();
    return {.key = Key::resize};
  }
  return {};
}

/// Keys that were typed already come before signals and without a call of poll. A terminal that
/// hung up acts like Ctrl-C, since no key will come.
KeyPress CursesScreen::key_within(Nanoseconds at_most, bool for_wake) {
  KeyPress key = read_key();
  if (key.key != Key::none) return key;
  wait(at_most, true, for_wake);
  if (gone_) return {.key = Key::control, .text = "c"};
  key = key_after_signal();
  return key.key == Key::none ? read_key() : key;
}

/// Decodes the input that is there, up to the first key.
KeyPress CursesScreen::read_key() {
  // Leaves time to draw if the terminal never stops sending.
  constexpr int most = 1 << 16;
  for (int read = 0; read < most; ++read) {
    KeyPress key;
    if (second_escape_) {
      second_escape_ = false;
      key = after_escape();
    } else if (code_after_escape_ >= 0) {
      key = key_of_code(std::exchange(code_after_escape_, -1));
    } else {
      const int code = next_byte(0);
      if (code < 0) return {};
      key = key_of_input(code);
    }
    if (key.key != Key::none) return key;
  }
  return {};
}

/// `none` for a part of a sequence and for input without meaning.
KeyPress CursesScreen::key_of_input(int code) {
  if (belongs_to_sequence(code)) return {};
  return code > 0xFF ? key_of_code(code) : key_of_byte(code);
}

/// True if `code` is the next byte of the sequence being read, which it may end. False, and the
/// sequence is closed, if it is too late for it or cannot be a part of it: then it is a key.
bool CursesScreen::belongs_to_sequence(int code) {
  if (!sequence_.is_open()) return false;
  // The ESC of a key that ncurses knows ends a string, too.
  if (code > 0xFF || monotonic_now() > sequence_until_) {
    sequence_.close();
    return false;
  }
  if (!sequence_.take(static_cast<unsigned char>(code))) return false;
  keep_sequence_open();
  return true;
}

void CursesScreen::keep_sequence_open() {
  sequence_until_ =
      monotonic_now() + (sequence_.is_string() ? string_patience : parameters_patience);
}

/// False if `control` is not a C1 control, or does not start a sequence.
bool CursesScreen::begin_c1_sequence(int control) {
  if (control < 0x80 || control > 0x9F) return false;
  if (!sequence_.begin_c1(static_cast<unsigned char>(control))) return false;
  keep_sequence_open();
  return true;
}

/// Keys for codes of ncurses and of our own; `none` for all others.
KeyPress CursesScreen::key_of_code(int code) {
  switch (code) {
    case curses::key_down:
      return {.key = Key::down};
    case curses::key_up:
      return {.key = Key::up};
    case curses::key_left:
      return {.key = Key::left};
    case curses::key_right:
      return {.key = Key::right};
    case curses::key_home:
      return {.key = Key::home};
    case curses::key_end:
      return {.key = Key::end};
    case curses::key_npage:
      return {.key = Key::page_down};
    case curses::key_ppage:
      return {.key = Key::page_up};
    case curses::key_backspace:
      return {.key = Key::backspace};
    case curses::key_dc:
      return {.key = Key::remove};
    case curses::key_enter:
      return {.key = Key::enter};
    case curses::key_btab:
      return {.key = Key::back_tab};
    case paste_code:
      return read_paste();
    case mouse_code:
      return read_mouse();
    case curses::key_mouse:
      // The old mouse protocol, which was not requested: three bytes.
      for (int byte = 0; byte < 3; ++byte) next_byte(mouse_milliseconds);
      return {};
    default:
      break;
  }
  const int modified = code - modified_code;
  if (modified >= 0 && modified < static_cast<int>(modified_keys.size()) * modifier_codes) {
    return {.key = modified_keys[static_cast<std::size_t>(modified / modifier_codes)].key,
            .modifier = modifier_of(modified % modifier_codes)};
  }
  constexpr int functions = 12;
  if (code > curses::key_f0 && code <= curses::key_f0 + functions) {
    return {.key = Key::function, .number = code - curses::key_f0};
  }
  return {};
}

/// Bytes that ncurses does not know as a part of a key. Examples:
///
///     0x01         control, "a"             0x0D   enter
///     0xC3 0xA4    text, "ä"                0x1B   the Esc key, or the start of a sequence
///     0xC2 0x9D    start of an OSC: none    0xFF   none, as all bytes that are not UTF-8
KeyPress CursesScreen::key_of_byte(int byte) {
  constexpr int carriage_return = 13;
  constexpr int delete_byte = 127;
  switch (byte) {
    case '\t':
      return {.key = Key::tab};
    case carriage_return:
      return {.key = Key::enter};
    case '\b':
    case delete_byte:
      return {.key = Key::backspace};
    case escape:
      return after_escape();
    case 0:
      return {};
    default:
      break;
  }
  if (byte < ' ') {
    constexpr int letters = 26;
    if (byte > letters) return {};
    return {.key = Key::control, .text = std::string(1, static_cast<char>('a' + byte - 1))};
  }
  // These start no UTF-8 character.
  if (begin_c1_sequence(byte)) return {};
  std::string character(1, static_cast<char>(byte));
  constexpr int milliseconds = 20;
  // The rest of a character is in the queue, unless a line is slow.
  while (!text::is_utf8(character)) {
    constexpr std::size_t longest = 4;
    const int more = character.size() < longest ? next_byte(milliseconds) : -1;
    if (more < 0x80 || more > 0xBF) return {};
    character += static_cast<char>(more);
  }
  // U+0080 to U+009F: controls, some of which start a sequence. Never text.
  if (character.size() == 2 && character[0] == '\xC2') {
    const int code_point = static_cast<unsigned char>(character[1]);
    begin_c1_sequence(code_point);
    if (code_point < 0xA0) return {};
  }
  return {.key = Key::text, .text = character};
}

/// Decides between the Esc key, Alt and a letter, and a sequence unknown to ncurses, whose rest
/// comes at once.
KeyPress CursesScreen::after_escape() {
  const int byte = next_byte(0);
  if (byte < 0) return {.key = Key::escape};
  if (byte == escape) {
    // Esc was pressed twice, faster than this thread reads.
    second_escape_ = true;
    return {.key = Key::escape};
  }
  if (byte <= 0xFF && sequence_.begin(static_cast<unsigned char>(byte))) {
    keep_sequence_open();
    return {};
  }
  constexpr int delete_byte = 127;
  if (byte == delete_byte || byte == '\b' || byte == curses::key_backspace) {
    return {.key = Key::backspace, .modifier = Modifier::alt};
  }
  if (byte > 0xFF) {
    // Esc, and another key at once.
    code_after_escape_ = byte;
    return {.key = Key::escape};
  }
  if (byte >= 'A' && byte <= 'Z') {
    return {.key = Key::alt, .text = std::string(1, static_cast<char>(byte - 'A' + 'a'))};
  }
  if (byte < 'a' || byte > 'z') return {};
  return {.key = Key::alt, .text = std::string(1, static_cast<char>(byte))};
}

/// Reads up to the end of the paste; a terminal that stops before it is given up after 100 ms. Text
/// beyond 64 KiB is read and dropped, so that it does not become keys.
KeyPress CursesScreen::read_paste() {
  std::string pasted;
  constexpr std::size_t most = std::size_t{1} << 16U;
  constexpr int milliseconds = 100;
  while (!pasted.ends_with(paste_end)) {
    const int byte = next_byte(milliseconds);
    if (byte < 0) break;
    if (byte <= 0xFF && pasted.size() < most) pasted += static_cast<char>(byte);
  }
  if (pasted.ends_with(paste_end)) pasted.resize(pasted.size() - paste_end.size());
  // The prompt has one line.
  std::replace_if(
      pasted.begin(), pasted.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; },
      ' ');
  std::erase_if(pasted, [](char c) { return (c >= 0 && c < ' ') || c == '\x7F'; });
  if (pasted.empty() || !text::is_utf8(pasted)) return {};
  return {.key = Key::text, .text = std::move(pasted)};
}

/// Parses BUTTON;COLUMN;ROW followed by M (pressed) or m (released); coordinates start at 1.
KeyPress CursesScreen::read_mouse() {
  std::array<int, 3> numbers{};
  std::size_t index = 0;
  int byte = next_byte(mouse_milliseconds);
  for (; (byte >= '0' && byte <= '9') || byte == ';'; byte = next_byte(mouse_milliseconds)) {
    constexpr int most = 100'000;
    if (byte == ';') {
      index = std::min(index + 1, numbers.size() - 1);
    } else {
      numbers[index] = std::min(numbers[index] * 10 + (byte - '0'), most);
    }
  }
  // The rest of the report must not be taken for text.
  if (byte < 0 && sequence_.begin('[')) keep_sequence_open();
  const auto [button, column, row] = numbers;
  // Button 0 is the left one, 64 and 65 are the wheel. Shift, Alt and Ctrl add 4, 8 and 16.
  constexpr int wheel = 64;
  if (byte != 'M' || column < 1 || row < 1) return {};
  const std::size_t begin = region_ != nullptr ? region_->begin() : 0;
  if (static_cast<std::size_t>(row) <= begin) return {};
  KeyPress press{
      .place = {static_cast<std::size_t>(row - 1) - begin, static_cast<std::size_t>(column - 1)}};
  if (button == wheel) press.key = Key::wheel_up;
  if (button == wheel + 1) press.key = Key::wheel_down;
  if (button != 0) return press;
  press.key = Key::click;
  constexpr Nanoseconds double_click = 400'000'000;
  const Nanoseconds now = monotonic_now();
  // The second click of a pair; a third one begins a new pair.
  const bool second = now - clicked_at_ < double_click && clicked_.row == press.place.row;
  press.number = second ? 2 : 1;
  clicked_at_ = second ? 0 : now;
  clicked_ = press.place;
  return press;
}

}  // namespace

std::unique_ptr<Screen> Screen::open(ScreenHeight height) {
  return std::make_unique<CursesScreen>(height);
}

struct QuietSignals::Mask {
  sigset_t set;
};

// A new thread inherits the mask of the thread that starts it.
QuietSignals::QuietSignals() : before_(std::make_unique<Mask>()) {
  sigset_t quiet;
  sigemptyset(&quiet);
  for (const int number : screen_signals) sigaddset(&quiet, number);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&quiet, number);
  ::pthread_sigmask(SIG_BLOCK, &quiet, &before_->set);
}

QuietSignals::~QuietSignals() {
  ::pthread_sigmask(SIG_SETMASK, &before_->set, nullptr);
}

}  // namespace ffind::os
