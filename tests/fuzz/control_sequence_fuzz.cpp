// SPDX-License-Identifier: MIT
// Fuzzes the decoder of keys with what a terminal may send, replies to other programs first of all.
// Input: the bytes of a terminal, after which it is gone.
#include <unistd.h>

#include <string>
#include <string_view>

#include "fuzz/fuzz.h"
#include "os/posix/calls.h"
#include "os/posix/keys.h"

namespace ffind::fuzz::control_sequence_fuzz {
namespace {

/// The text of the keys in `bytes`.
std::string keys_in(std::string_view bytes) {
  os::Pipe pipe;
  if (pipe.open() != 0) return {};
  constexpr std::size_t most = 4096;  // a pipe takes them at once
  bytes = bytes.substr(0, most);
  if (::write(pipe.writer.get(), bytes.data(), bytes.size()) < 0) return {};
  pipe.writer.close();
  os::KeyDecoder keys(pipe.reader.get());
  std::string text;
  while (true) {
    const os::KeyPress press = keys.read_key();
    if (press.key == os::Key::none) return text;
    text += press.text;
  }
}

}  // namespace

FUZZ_TARGET(control_sequence) {
  const std::string_view bytes = Input(data, size).rest();
  require(keys_in(bytes).size() <= bytes.size(), "nothing is added");
  for (const std::string_view reply :
       {"\x1b]11;rgb:00/00/00\a", "\x1b]52;c;QUJD\x1b\\", "\x1bP1+r4=3\x1b\\", "\x1b_G\x1b\\",
        "\x1b[12;40R", "\x1bO5P", "\x9d?\x9c"}) {
    require(keys_in(std::string(reply) + "q") == "q", "a whole reply leaves nothing");
  }
  return 0;
}

}  // namespace ffind::fuzz::control_sequence_fuzz
