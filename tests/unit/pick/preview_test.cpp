// SPDX-License-Identifier: MIT
// Output of a command as lines: what gets through, and what the command line is.
#include "pick/preview.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "os/processes.h"

namespace ffind::pick::preview_test {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("colours of a command's output stay, and go on in the next line") {
  CHECK(preview_lines("\x1b[1;31mred\x1b[0m x\n") == Lines{"\x1b[1;31mred\x1b[0m x"});
  CHECK(preview_lines("\x1b[01;34ma\nb\x1b[mc\nd\n") ==
        Lines{"\x1b[01;34ma", "\x1b[01;34mb\x1b[mc", "d"});
  CHECK(preview_lines("\x1b[4:3mx") == Lines{"\x1b[4:3mx"});
}

TEST_CASE("nothing else in a command's output steers the terminal") {
  CHECK(preview_lines("a\x1b[2Jb\x1b[?25lc\x1b(Bd") == Lines{"abcd"});
  CHECK(preview_lines("\x1b]0;title\ax\x1b]8;;u\x1b\\y") == Lines{"xy"});
  CHECK(preview_lines("\x1b]never ended\nnext") == Lines{"", "next"});
  CHECK(preview_lines("\b\b\a\ba").front().find('\b') == std::string::npos);
  CHECK(preview_lines("\a\x7f") == Lines{"\\x07\\x7f"});
  CHECK(preview_lines("\x1b[31\x1b").size() <= 1);
  CHECK(preview_lines("\x1b[>31mx") == Lines{"x"});
}

TEST_CASE("characters that are struck over themselves are bold, over an underscore underlined") {
  CHECK(preview_lines("N\bNA\bA x\n") == Lines{"\x1b[1mNA\x1b[22m x"});
  CHECK(preview_lines("_\bf_\bi\b_") == Lines{"\x1b[4mfi\x1b[24m"});
  CHECK(preview_lines("_\bü\bü") == Lines{"\x1b[1m\x1b[4mü\x1b[22m\x1b[24m"});
  CHECK(preview_lines("\x1b[31ma\ba\nb") == Lines{"\x1b[31m\x1b[1ma\x1b[22m", "\x1b[31mb"});
  CHECK(preview_lines("+\bo |\b\b-\b") == Lines{"o -"});
  CHECK(preview_lines("a\b\n\b").front() == "a");
}

TEST_CASE("tabs of a command's output end at each eighth column") {
  CHECK(preview_lines("a\tb\r\n\tc") == Lines{"a       b", "        c"});
  CHECK(preview_lines("").empty());
  CHECK(preview_lines("\n\n") == Lines{"", ""});
}

/// The command's last line.
std::string command_of(std::string_view command) {
  const std::string line = preview_command(command, 40, 9);
  return line.substr(line.find('\n') + 1);
}

TEST_CASE("the path in a preview's command is a parameter, and its last word if it has no place") {
  const std::string path(os::shell_parameter());
  CHECK(preview_command("bat {}", 40, 9) ==
        "export COLUMNS=40 LINES=9 FZF_PREVIEW_COLUMNS=40 FZF_PREVIEW_LINES=9\nbat " + path);
  CHECK(command_of("cat {} {} | head") == "cat " + path + " " + path + " | head");
  CHECK(command_of("file") == "file " + path);
  CHECK(command_of("awk '{print $1}'") == "awk '{print $1}' " + path);
  CHECK(command_of("echo \\$1") == "echo \\$1 " + path);
  for (const std::string_view own : {"cat \"$1\" | head", "cat \"${1}\"", "cat $argv[1]"}) {
    CHECK(command_of(own) == own);
  }
}

TEST_CASE("no path in a preview's command runs anything") {
  constexpr std::string_view commands[] = {
      "printf %s {}",
      "printf %s \"$1\"",
      "(true; printf %s {})",
      "case {} in x) ;; *) printf %s {};; esac",
      "true \\' \\\" '\"' \"'\"; printf %s {}",
      "sh -c 'printf %s \"$1\"' _ {}",
      "printf %s",
  };
  for (const std::string path :
       {"/a b", "/it's", "/\"", "/$(echo x)`echo y`$HOME\\;&|*{}", "/\n"}) {
    for (const std::string_view command : commands) {
      CAPTURE(command, path);
      os::ShellCommand shell(preview_command(command, 40, 9), path);
      std::string output;
      while (shell.read(output)) {
      }
      CHECK(output == path);
    }
  }
}

TEST_CASE("sequences of colours change a style one after the other") {
  os::TextStyle style;
  apply_sgr(style, "1;38;2;255;0;0");
  CHECK(style == os::TextStyle{.color = 196, .bold = true});
  apply_sgr(style, "48;5;3;4");
  CHECK(style == os::TextStyle{.color = 196, .bold = true, .underline = true});
  apply_sgr(style, "22;39");
  CHECK(style == os::TextStyle{.underline = true});
  apply_sgr(style, "");
  CHECK(style == os::TextStyle{});
}

TEST_CASE("a shell command's outputs are one text, without a terminal") {
  os::ShellCommand command("echo a; echo b >&2; cat; (: </dev/tty) 2>/dev/null || echo none");
  std::string output;
  while (command.read(output)) {
  }
  CHECK(output == "a\nb\nnone\n");
  CHECK(command.error() == 0);
}

TEST_CASE("a shell command ends when it is cancelled, even if it ignores SIGTERM") {
  const auto began = std::chrono::steady_clock::now();
  {
    os::ShellCommand command("trap '' TERM; echo $$; while :; do sleep 1; done");
    std::string output;
    REQUIRE(command.read(output));
    std::thread other([&] { command.cancel(); });
    while (command.read(output)) {
    }
    other.join();
  }
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(20));
}

}  // namespace
}  // namespace ffind::pick::preview_test
