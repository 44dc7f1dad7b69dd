// SPDX-License-Identifier: MIT
// Keys, pastes and the mouse from a terminal's bytes.
#include "os/posix/keys.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "os/machine.h"
#include "os/posix/calls.h"
#include "text/utf8.h"

namespace ffind::os {
namespace {

constexpr char escape = '\x1b';
constexpr int delete_byte = 127;
/// Code of the first of the sequences; those before it are bytes.
constexpr int first_code = 0x100;

constexpr std::string_view paste_end = "\x1b[201~";
/// Time for the rest of a mouse report, which may come in two pieces.
constexpr int mouse_milliseconds = 100;

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

/// A key whose sequence with a modifier is ESC [ 1 ; MODIFIER FINAL, or ESC [ NUMBER ; MODIFIER ~,
/// as xterm sends it. MODIFIER less 1 has the bits Shift, Alt, Control and Meta.
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

constexpr int shift_bit = 1;
constexpr int alt_bit = 2;
constexpr int control_bit = 4;
constexpr int meta_bit = 8;

Modifier modifier_of(int bits) {
  if ((bits & control_bit) != 0) return Modifier::control;
  return (bits & (alt_bit | meta_bit)) != 0 ? Modifier::alt : Modifier::shift;
}

/// Cursor keys in both modes, Home and End of the VT220, rxvt and tmux, Shift-Tab of Linux's
/// console, Enter of a keypad, F1 and F2 of xterm, rxvt and Linux's console.
std::vector<KeySequence> plain_keys() {
  using Kind = KeySequence::Kind;
  const KeyPress f1{.key = Key::function, .number = 1};
  const KeyPress f2{.key = Key::function, .number = 2};
  return {
      {"\x1b[A", {Key::up}},
      {"\x1bOA", {Key::up}},
      {"\x1b[B", {Key::down}},
      {"\x1bOB", {Key::down}},
      {"\x1b[C", {Key::right}},
      {"\x1bOC", {Key::right}},
      {"\x1b[D", {Key::left}},
      {"\x1bOD", {Key::left}},
      {"\x1b[H", {Key::home}},
      {"\x1bOH", {Key::home}},
      {"\x1b[1~", {Key::home}},
      {"\x1b[7~", {Key::home}},
      {"\x1b[F", {Key::end}},
      {"\x1bOF", {Key::end}},
      {"\x1b[4~", {Key::end}},
      {"\x1b[8~", {Key::end}},
      {"\x1b[3~", {Key::remove}},
      {"\x1b[5~", {Key::page_up}},
      {"\x1b[6~", {Key::page_down}},
      {"\x1b[Z", {Key::back_tab}},
      {"\x1b\t", {Key::back_tab}},
      {"\x1bOM", {Key::enter}},
      {"\x1bOP", f1},
      {"\x1b[11~", f1},
      {"\x1b[[A", f1},
      {"\x1bOQ", f2},
      {"\x1b[12~", f2},
      {"\x1b[[B", f2},
      {"\x1b[200~", {}, Kind::paste},
      {"\x1b[<", {}, Kind::mouse},
      {"\x1b[M", {}, Kind::old_mouse},
  };
}

/// Those and keys with a modifier. The latter are xterm's; for Alt also ESC before a cursor key;
/// and rxvt's, a lower-case letter with Shift after ESC [, with Control after ESC O.
std::vector<KeySequence> all_keys() {
  constexpr int modifiers = 16;
  constexpr std::size_t arrows = 4;
  std::vector<KeySequence> keys = plain_keys();
  for (std::size_t index = 0; index < modified_keys.size(); ++index) {
    const ModifiedKey& key = modified_keys[index];
    const auto add = [&](std::string sequence, char last, int bits) {
      sequence += last;
      keys.push_back({std::move(sequence), {.key = key.key, .modifier = modifier_of(bits)}});
    };
    for (int bits = 1; bits < modifiers; ++bits) {
      add(std::string("\x1b[") + key.number + ';' + std::to_string(bits + 1), key.final, bits);
    }
    if (index >= arrows) continue;
    const auto lower = static_cast<char>(key.final - 'A' + 'a');
    add("\x1b\x1b[", key.final, alt_bit);
    add("\x1b\x1bO", key.final, alt_bit);
    add("\x1b[", lower, shift_bit);
    add("\x1bO", lower, control_bit);
  }
  return keys;
}

}  // namespace

KeyDecoder::KeyDecoder(int fd)
    : fd_(fd), patience_(escape_milliseconds()), sequences_(all_keys()) {}

/// Appends what can be read within the time to `bytes_`.
bool KeyDecoder::fill(int milliseconds) {
  Wait readable{.fd = fd_};
  if (wait_for({&readable, 1}, milliseconds) <= 0) return false;
  std::array<char, 4096> buffer;
  const ssize_t count = uninterrupted([&] { return ::read(fd_, buffer.data(), buffer.size()); });
  if (count <= 0) return false;
  bytes_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

int KeyDecoder::take(std::size_t count, int code) {
  bytes_.erase(0, count);
  return code;
}

int KeyDecoder::next_code(int milliseconds) {
  if (bytes_.empty() && !fill(milliseconds)) return -1;
  while (bytes_.front() == escape) {
    bool is_begun = false;
    for (std::size_t index = 0; index < sequences_.size(); ++index) {
      const std::string& sequence = sequences_[index].bytes;
      if (bytes_.starts_with(sequence)) {
        return take(sequence.size(), first_code + static_cast<int>(index));
      }
      is_begun = is_begun || sequence.starts_with(bytes_);
    }
    if (!is_begun || !fill(patience_)) break;
  }
  return take(1, static_cast<unsigned char>(bytes_.front()));
}

std::optional<ScreenPlace> KeyDecoder::cursor_reply(int milliseconds) {
  const Nanoseconds end = monotonic_now() + Nanoseconds{milliseconds} * 1'000'000;
  while (true) {
    for (std::size_t at = bytes_.find("\x1b["); at != std::string::npos;
         at = bytes_.find("\x1b[", at + 1)) {
      const char* const begin = bytes_.data() + at;
      const char* const all = bytes_.data() + bytes_.size();
      ScreenPlace place;
      const auto row = std::from_chars(begin + 2, all, place.row);
      if (row.ec != std::errc() || row.ptr == all || *row.ptr != ';') continue;
      const auto column = std::from_chars(row.ptr + 1, all, place.column);
      if (column.ec != std::errc() || column.ptr == all || *column.ptr != 'R') continue;
      if (place.row == 0 || place.column == 0) continue;
      bytes_.erase(at, static_cast<std::size_t>(column.ptr + 1 - begin));
      return ScreenPlace{place.row - 1, place.column - 1};
    }
    const Nanoseconds now = monotonic_now();
    if (now >= end || !fill(static_cast<int>((end - now) / 1'000'000) + 1)) return {};
  }
}

KeyPress KeyDecoder::read_key() {
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
      const int code = next_code(0);
      if (code < 0) return {};
      key = key_of_input(code);
    }
    if (key.key != Key::none) return key;
  }
  return {};
}

/// `none` for a part of a sequence and for input without meaning.
KeyPress KeyDecoder::key_of_input(int code) {
  if (belongs_to_sequence(code)) return {};
  return code >= first_code ? key_of_code(code) : key_of_byte(code);
}

/// True if `code` is the next byte of the sequence being read, which it may end. False, and the
/// sequence is closed, if it is too late for it or cannot be a part of it: then it is a key.
bool KeyDecoder::belongs_to_sequence(int code) {
  if (!sequence_.is_open()) return false;
  // The ESC of a key ends a string, too.
  if (code >= first_code || monotonic_now() > sequence_until_) {
    sequence_.close();
    return false;
  }
  if (!sequence_.take(static_cast<unsigned char>(code))) return false;
  keep_sequence_open();
  return true;
}

void KeyDecoder::keep_sequence_open() {
  sequence_until_ =
      monotonic_now() + (sequence_.is_string() ? string_patience : parameters_patience);
}

/// False if `control` is not a C1 control, or does not start a sequence.
bool KeyDecoder::begin_c1_sequence(int control) {
  if (control < 0x80 || control > 0x9F) return false;
  if (!sequence_.begin_c1(static_cast<unsigned char>(control))) return false;
  keep_sequence_open();
  return true;
}

KeyPress KeyDecoder::key_of_code(int code) {
  const KeySequence& sequence = sequences_[static_cast<std::size_t>(code - first_code)];
  switch (sequence.kind) {
    case KeySequence::Kind::paste:
      return read_paste();
    case KeySequence::Kind::mouse:
      return read_mouse();
    case KeySequence::Kind::old_mouse:
      // The old protocol, which was not requested: three bytes.
      for (int byte = 0; byte < 3; ++byte) next_code(mouse_milliseconds);
      return {};
    case KeySequence::Kind::key:
      break;
  }
  return sequence.press;
}

/// Bytes that are no part of a key's sequence. Examples:
///
///     0x01         control, "a"             0x0D   enter
///     0xC3 0xA4    text, "ä"                0x1B   the Esc key, or the start of a sequence
///     0xC2 0x9D    start of an OSC: none    0xFF   none, as all bytes that are not UTF-8
KeyPress KeyDecoder::key_of_byte(int byte) {
  constexpr int carriage_return = 13;
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
    const int more = character.size() < longest ? next_code(milliseconds) : -1;
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

/// Decides between the Esc key, Alt and a letter, and a sequence that is no key's, whose rest
/// comes at once.
KeyPress KeyDecoder::after_escape() {
  const int byte = next_code(0);
  if (byte < 0) return {.key = Key::escape};
  if (byte == escape) {
    // Esc was pressed twice, faster than this thread reads.
    second_escape_ = true;
    return {.key = Key::escape};
  }
  if (byte < first_code && sequence_.begin(static_cast<unsigned char>(byte))) {
    keep_sequence_open();
    return {};
  }
  if (byte == delete_byte || byte == '\b') {
    return {.key = Key::backspace, .modifier = Modifier::alt};
  }
  if (byte >= first_code) {
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
KeyPress KeyDecoder::read_paste() {
  std::string pasted;
  constexpr std::size_t most = std::size_t{1} << 16U;
  constexpr int milliseconds = 100;
  while (!pasted.ends_with(paste_end)) {
    const int byte = next_code(milliseconds);
    if (byte < 0) break;
    if (byte < first_code && pasted.size() < most) pasted += static_cast<char>(byte);
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
KeyPress KeyDecoder::read_mouse() {
  std::array<int, 3> numbers{};
  std::size_t index = 0;
  int byte = next_code(mouse_milliseconds);
  for (; (byte >= '0' && byte <= '9') || byte == ';'; byte = next_code(mouse_milliseconds)) {
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
  KeyPress press{
      .place = {static_cast<std::size_t>(row - 1), static_cast<std::size_t>(column - 1)}};
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

// State machine of a control sequence. It is more lenient than a terminal: BEL ends each kind of
// string, and a control that a string cannot contain, Ctrl-C for example, is a key again.
//
//     none ──begin──▶ parameters ──@ to ~──▶ none         ESC [ 1 ; 5 A, ESC O A
//     none ──begin──▶ string ─────BEL, CAN, SUB, ST──▶ none
//                       └──ESC──▶ escaped ──any byte──▶ none, or the next sequence
//
// A string may contain UTF-8, whose continuation bytes 0x80 to 0x9F would otherwise be C1 controls:
// 0x9C alone is ST, but in "Ü" (C3 9C) it is a part of the letter. So the lead byte of the current
// character is remembered, and C2 9C is ST in UTF-8.

namespace {

constexpr unsigned char bell = 0x07;
constexpr unsigned char cancel = 0x18;
constexpr unsigned char substitute = 0x1A;
constexpr unsigned char escape_byte = 0x1B;
constexpr unsigned char string_terminator = 0x9C;
constexpr unsigned char c1_lead = 0xC2;  // of U+0080 to U+00BF in UTF-8

bool is_utf8_continuation(unsigned char byte) {
  return byte >= 0x80 && byte < 0xC0;
}

/// True for controls that no string contains, such as Ctrl-C (0x03). NUL is padding, and backspace
/// to carriage return may be in a string (ECMA-48, 5.6).
bool ends_string_as_key(unsigned char byte) {
  return byte < ' ' && byte != 0 && (byte < '\b' || byte > '\r');
}

/// Continuation bytes that follow a lead byte of UTF-8; 0 for any other byte.
std::uint8_t continuations_after(unsigned char lead) {
  if (lead < c1_lead || lead > 0xF4) return 0;
  if (lead < 0xE0) return 1;
  return lead < 0xF0 ? 2 : 3;
}

}  // namespace

bool ControlSequence::begin(unsigned char byte) {
  close();
  switch (byte) {
    case '[':  // CSI
    case 'O':  // SS3
      kind_ = Kind::parameters;
      return true;
    case 'P':  // DCS
    case 'X':  // SOS
    case ']':  // OSC
    case '^':  // PM
    case '_':  // APC
      kind_ = Kind::string;
      return true;
    default:
      return false;
  }
}

bool ControlSequence::begin_c1(unsigned char control) {
  // 0x9B is CSI, ESC [; 0x9D is OSC, ESC ].
  constexpr unsigned char to_letter = 0x40;
  return begin(static_cast<unsigned char>(control - to_letter));
}

bool ControlSequence::take(unsigned char byte) {
  if (kind_ == Kind::parameters) return take_parameter(byte);
  return escaped_ ? take_after_escape(byte) : take_text(byte);
}

bool ControlSequence::take_parameter(unsigned char byte) {
  // Parameters and intermediates, as in 1;5. A final byte belongs to the sequence, others are keys.
  if (byte >= ' ' && byte < '@') return true;
  close();
  return byte >= '@' && byte <= '~';
}

/// ESC ends the string; the byte after it may introduce the next sequence.
bool ControlSequence::take_after_escape(unsigned char byte) {
  if (byte == escape_byte) {
    close();
    return false;
  }
  begin(byte);
  return true;
}

bool ControlSequence::take_text(unsigned char byte) {
  if (remaining_ > 0 && is_utf8_continuation(byte)) {
    --remaining_;
    if (lead_ == c1_lead && byte == string_terminator) close();
    return true;
  }
  remaining_ = continuations_after(byte);
  lead_ = byte;
  if (byte == escape_byte) {
    escaped_ = true;
  } else if (byte == bell || byte == cancel || byte == substitute || byte == string_terminator) {
    close();
  } else if (ends_string_as_key(byte)) {
    close();
    return false;
  }
  return true;
}

}  // namespace ffind::os
