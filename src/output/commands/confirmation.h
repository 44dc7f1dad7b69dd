// SPDX-License-Identifier: MIT
// "Run this?", asked of the person at the terminal. Made by the stages that ask before each
// command or deletion.
#pragma once

#include <string>

#include "os/terminal.h"
#include "output/writer.h"

namespace ffind::output {

/// Belongs to one thread at a time.
class Confirmation {
 public:
  enum class Answer : unsigned char { yes, no, quit };

  /// Asks about `line`, in which nothing steers a terminal. Once "all" was answered, it is always
  /// yes. What `writer` writes meanwhile has the question put again.
  Answer ask(const std::string& line, Writer& writer);

 private:
  os::Terminal terminal_{"--confirm needs a terminal"};
  bool all_ = false;
};

}  // namespace ffind::output
