// SPDX-License-Identifier: MIT
// "Run this?", asked of the person at the terminal. Made by the receivers that ask before each
// deed.
#pragma once

#include <string>

#include "os/process.h"

namespace ffind {

/// Belongs to one thread at a time.
class Confirmation {
 public:
  enum class Answer : unsigned char { yes, no, quit };

  /// Asks about `line`, which may hold any bytes. Once "all" was answered, it is always yes.
  Answer ask(const std::string& line);

 private:
  os::Terminal terminal_{"--confirm needs a terminal"};
  bool all_ = false;
};

}  // namespace ffind
