// SPDX-License-Identifier: MIT
// Fuzzes what is left out of a terminal's input: control sequences and strings. Input: bytes as a
// terminal sends them, with "\x1b" and C1 controls where a sequence begins.
#include <string>
#include <string_view>

#include "fuzz/fuzz.h"
#include "os/posix/keys.h"

namespace ffind::fuzz::control_sequence_fuzz {
namespace {

/// What a reader of keys does with it, one byte at a time.
class Reader {
 public:
  void read(std::string_view bytes) {
    for (const char c : bytes) read(static_cast<unsigned char>(c));
  }
  const std::string& keys() const { return keys_; }
  bool is_open() const { return sequence_.is_open(); }

 private:
  void read(unsigned char byte) {
    if (sequence_.is_open()) {
      const bool was_string = sequence_.is_string();
      const bool taken = sequence_.take(byte);
      require(taken || !sequence_.is_open(), "what takes no byte is over");
      require(taken || byte < ' ' || byte > '~' || !was_string, "a string takes each character");
      require(byte != '\a' || !was_string || !sequence_.is_open(), "BEL ends a string");
      if (taken) return;
    }
    if (escape_) {
      escape_ = false;
      if (sequence_.begin(byte)) return;
      keys_ += '\x1b';
    } else if (byte >= 0x80 && byte < 0xA0 && sequence_.begin_c1(byte)) {
      return;
    }
    escape_ = byte == 0x1B;
    if (!escape_) keys_ += static_cast<char>(byte);
  }

  os::ControlSequence sequence_;
  bool escape_ = false;
  std::string keys_;
};

}  // namespace

FUZZ_TARGET(control_sequence) {
  const std::string_view bytes = Input(data, size).rest();
  Reader reader;
  reader.read(bytes);
  require(reader.keys().size() <= bytes.size(), "nothing is added");
  // However it began, Ctrl-C after the byte that a pending ESC takes is a key.
  reader.read("x\x03");
  require(reader.keys().ends_with('\x03') && !reader.is_open(), "Ctrl-C is a key");
  const std::string before = reader.keys();
  for (const std::string_view reply :
       {"\x1b]11;rgb:00/00/00\a", "\x1b]52;c;QUJD\x1b\\", "\x1bP1+r4=3\x1b\\", "\x1b_G\x1b\\",
        "\x1b[12;40R", "\x1bOP", "\x9d?\x9c"}) {
    reader.read(reply);
    require(!reader.is_open() && reader.keys() == before, "a whole reply leaves nothing");
  }
  return 0;
}

}  // namespace ffind::fuzz::control_sequence_fuzz
