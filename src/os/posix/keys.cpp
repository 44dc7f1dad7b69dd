// SPDX-License-Identifier: MIT
// Keys, pastes and the mouse from a terminal's bytes.
#include "os/posix/keys.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

#include "os/machine.h"
#include "os/posix/calls.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace ffind::os {
namespace {

constexpr char escape = '\x1b';
constexpr int delete_byte = 127;
/// Code of the first of the sequences; those before it are bytes.
constexpr int first_code = 0x100;

constexpr std::string_view paste_end = "\x1b[201~";
/// Time for the rest of a key's sequence, which may come in two pieces over slow lines: as long as
/// fzf waits, and changed by the same variable as in all programs of ncurses.
int escape_milliseconds() {
  constexpr int usual = 100;
  const std::string text = environment("ESCDELAY").value_or("");
  const char* const end = text.data() + text.size();
  int milliseconds = 0;
  const std::from_chars_result read = std::from_chars(text.data(), end, milliseconds);
  return read.ec == std::errc() && read.ptr == end && milliseconds >= 0 ? milliseconds : usual;
}

/// Time for the next byte of a control sequence, a mouse report or a paste, which comes at once,
/// except for long strings over slow lines.
constexpr int rest_milliseconds = 100;
constexpr int string_milliseconds = 500;

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
  struct Row {
    Key key;
    int number;
    std::array<const char*, 4> sequences;
  };
  constexpr Row rows[] = {{Key::up, 0, {"\x1b[A", "\x1bOA"}},
                          {Key::down, 0, {"\x1b[B", "\x1bOB"}},
                          {Key::right, 0, {"\x1b[C", "\x1bOC"}},
                          {Key::left, 0, {"\x1b[D", "\x1bOD"}},
                          {Key::home, 0, {"\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"}},
                          {Key::end, 0, {"\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"}},
                          {Key::remove, 0, {"\x1b[3~"}},
                          {Key::page_up, 0, {"\x1b[5~"}},
                          {Key::page_down, 0, {"\x1b[6~"}},
                          {Key::back_tab, 0, {"\x1b[Z", "\x1b\t"}},
                          {Key::enter, 0, {"\x1bOM"}},
                          {Key::function, 1, {"\x1bOP", "\x1b[11~", "\x1b[[A"}},
                          {Key::function, 2, {"\x1bOQ", "\x1b[12~", "\x1b[[B"}}};
  std::vector<KeySequence> keys = {
      {"\x1b[200~", {}, Kind::paste}, {"\x1b[<", {}, Kind::mouse}, {"\x1b[M", {}, Kind::old_mouse}};
  for (const Row& row : rows) {
    for (const char* const sequence : row.sequences) {
      if (sequence == nullptr) break;
      keys.push_back({sequence, {.key = row.key, .number = row.number}});
    }
  }
  return keys;
}

/// The keys above, and keys with a modifier: xterm's; for Alt also ESC before a cursor key; and
/// rxvt's, a lower-case letter with Shift after ESC [, with Control after ESC O.
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

// Controls that end a string of a terminal.
constexpr int bell = 0x07;
constexpr int cancel = 0x18;
constexpr int substitute = 0x1A;
constexpr int string_terminator = 0x9C;
constexpr int c1_lead = 0xC2;  // of U+0080 to U+00BF in UTF-8

/// Continuation bytes that follow a lead byte of UTF-8; 0 for any other byte.
int continuations_after(int lead) {
  if (lead < c1_lead || lead > 0xF4) return 0;
  if (lead < 0xE0) return 1;
  return lead < 0xF0 ? 2 : 3;
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

void KeyDecoder::put_back(int byte) {
  bytes_.insert(bytes_.begin(), static_cast<char>(byte));
}

int KeyDecoder::next_code(int milliseconds) {
  if (bytes_.empty() && !fill(milliseconds)) return -1;
  while (bytes_.front() == escape) {
    bool is_begun = false;
    for (std::size_t index = 0; index < sequences_.size(); ++index) {
      const std::string& sequence = sequences_[index].bytes;
      if (bytes_.starts_with(sequence)) {
        bytes_.erase(0, sequence.size());
        return first_code + static_cast<int>(index);
      }
      is_begun = is_begun || sequence.starts_with(bytes_);
    }
    if (!is_begun || !fill(patience_)) break;
  }
  const int byte = static_cast<unsigned char>(bytes_.front());
  bytes_.erase(0, 1);
  return byte;
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
      key = code >= first_code ? key_of_code(code) : key_of_byte(code);
    }
    if (key.key != Key::none) return key;
  }
  return {};
}

// Skips the rest of the control sequence or string that ESC and `introducer` begin; false if they
// begin none. Waits for its end.
//
//     ESC [, ESC O                            parameters, then one byte from @ to ~
//     ESC P, ESC X, ESC ], ESC ^, ESC _       any text, then BEL or ESC backslash
//
// The grammar is ECMA-48's, but more lenient: BEL ends each kind of string, and so does a control
// that no string contains, such as Ctrl-C, which then is a key. A string may contain UTF-8, whose
// continuation bytes 0x80 to 0x9F are no C1 controls: 0x9C alone is ST, but in "Ü" (C3 9C) it is a
// part of the letter, and C2 9C is ST in UTF-8.
bool KeyDecoder::skip_sequence(int introducer) {
  constexpr std::string_view string_introducers = "PX]^_";  // DCS, SOS, OSC, PM, APC
  const bool is_string =
      string_introducers.find(static_cast<char>(introducer)) != std::string::npos;
  if (!is_string && introducer != '[' && introducer != 'O') return false;  // CSI, SS3
  // The rest of an endless string becomes keys, so that the caller can draw.
  constexpr int most = 1 << 20;
  int lead = 0;
  int remaining = 0;  // continuation bytes of the current character
  for (int count = 0; count < most; ++count) {
    const int byte = next_code(is_string ? string_milliseconds : rest_milliseconds);
    if (byte >= first_code) code_after_escape_ = byte;  // a key ends it, too
    if (byte < 0 || byte >= first_code) return true;
    if (!is_string) {
      // Parameters and intermediates, as in 1;5, then a final byte; any other byte is a key.
      if (byte >= ' ' && byte < '@') continue;
      if (byte < '@' || byte > '~') put_back(byte);
      return true;
    }
    if (remaining > 0 && byte >= 0x80 && byte < 0xC0) {
      --remaining;
      if (lead == c1_lead && byte == string_terminator) return true;
      continue;
    }
    lead = byte;
    remaining = continuations_after(byte);
    if (byte == bell || byte == cancel || byte == substitute || byte == string_terminator) {
      return true;
    }
    if (byte == escape) {
      const int next = next_code(string_milliseconds);
      if (next >= first_code) {
        code_after_escape_ = next;
      } else if (next != '\\') {
        if (next >= 0) put_back(next);
        put_back(escape);
      }
      return true;
    }
    // NUL is padding, and backspace to carriage return may be in a string (ECMA-48, 5.6).
    if (byte < ' ' && byte != 0 && (byte < '\b' || byte > '\r')) {
      put_back(byte);
      return true;
    }
  }
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
      for (int byte = 0; byte < 3; ++byte) next_code(rest_milliseconds);
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
///     0xC2 0x9D    OSC, a sequence: none    0xFF   none, as all bytes that are not UTF-8
///
/// A C1 control is ESC and a letter in one byte or in UTF-8: 0x9B is CSI, ESC [.
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
  constexpr int to_letter = 0x40;
  // These start no UTF-8 character.
  if (byte >= 0x80 && byte < 0xA0) {
    skip_sequence(byte - to_letter);
    return {};
  }
  std::string character(1, static_cast<char>(byte));
  constexpr int milliseconds = 20;
  // The rest of a character is in the queue, unless a line is slow.
  while (!text::is_utf8(character)) {
    constexpr std::size_t longest = 4;
    const int more = character.size() < longest ? next_code(milliseconds) : -1;
    if (more < 0x80 || more > 0xBF) return {};
    character += static_cast<char>(more);
  }
  // U+0080 to U+009F, never text.
  const int second = character.size() == 2 ? static_cast<unsigned char>(character[1]) : 0;
  if (character[0] == '\xC2' && second < 0xA0) {
    skip_sequence(second - to_letter);
    return {};
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
  if (byte < first_code && skip_sequence(byte)) return {};
  if (byte == delete_byte || byte == '\b') {
    return {.key = Key::backspace, .modifier = Modifier::alt};
  }
  if (byte >= first_code) {
    // Esc, and another key at once.
    code_after_escape_ = byte;
    return {.key = Key::escape};
  }
  if (!text::is_letter(static_cast<char>(byte))) return {};
  return {.key = Key::alt, .text = std::string(1, text::fold_ascii(static_cast<char>(byte)))};
}

/// Reads up to the end of the paste, or until the terminal sends nothing for 100 ms. Text beyond
/// 64 KiB is read and dropped, so that it does not become keys.
KeyPress KeyDecoder::read_paste() {
  std::string pasted;
  constexpr std::size_t most = std::size_t{1} << 16U;
  while (!pasted.ends_with(paste_end)) {
    const int byte = next_code(rest_milliseconds);
    if (byte < 0) break;
    if (byte < first_code && pasted.size() < most) pasted += static_cast<char>(byte);
  }
  if (pasted.ends_with(paste_end)) pasted.resize(pasted.size() - paste_end.size());
  // The prompt has one line.
  std::replace_if(
      pasted.begin(), pasted.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; },
      ' ');
  std::erase_if(pasted, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; });
  if (pasted.empty() || !text::is_utf8(pasted)) return {};
  return {.key = Key::text, .text = std::move(pasted)};
}

/// Parses BUTTON;COLUMN;ROW followed by M (pressed) or m (released); coordinates start at 1.
KeyPress KeyDecoder::read_mouse() {
  std::array<int, 3> numbers{};
  std::size_t index = 0;
  int byte = next_code(rest_milliseconds);
  for (; (byte >= '0' && byte <= '9') || byte == ';'; byte = next_code(rest_milliseconds)) {
    constexpr int most = 100'000;
    if (byte == ';') {
      index = std::min(index + 1, numbers.size() - 1);
    } else {
      numbers[index] = std::min(numbers[index] * 10 + (byte - '0'), most);
    }
  }
  // The rest of the report must not be taken for text.
  if (byte < 0) skip_sequence('[');
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

}  // namespace ffind::os
