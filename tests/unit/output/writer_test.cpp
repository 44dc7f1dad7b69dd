// SPDX-License-Identifier: MIT
// The status line and what is written above it, on a terminal of the test's own.
#include "output/writer.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <string>

#include "catch.h"
#include "os/terminal.h"

namespace writer_test {

using namespace ffind;
using namespace ffind::output;

namespace {

/// A terminal, and who looks at it.
class Screen {
 public:
  Screen() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(::grantpt(master_) == 0);
    REQUIRE(::unlockpt(master_) == 0);
    terminal = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    termios mode{};
    ::tcgetattr(terminal, &mode);
    mode.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    ::tcsetattr(terminal, TCSANOW, &mode);
    winsize size{};
    size.ws_col = 70;
    ::ioctl(terminal, TIOCSWINSZ, &size);
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~Screen() {
    ::close(terminal);
    ::close(master_);
  }

  /// What came since the last time; drawing as [line], erasing as <>.
  std::string news() const {
    // The kernel brings over what was written in its own time.
    std::string text;
    pollfd coming{master_, POLLIN, 0};
    while (::poll(&coming, 1, 50) > 0 && (coming.revents & POLLIN) != 0) {
      std::array<char, 4096> buffer{};
      const ssize_t count = ::read(master_, buffer.data(), buffer.size());
      if (count <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    const auto replace = [&text](const std::string& from, const std::string& to) {
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
      }
    };
    replace("\x1b[K\r", "]");
    replace("\r\x1b[K", "<>");
    replace("\r", "[");
    return text;
  }

  int terminal = -1;

 private:
  int master_;
};

struct Pipe {
  Pipe() { REQUIRE(::pipe(ends) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  int ends[2] = {-1, -1};
};

}  // namespace

TEST_CASE("the status line makes way for records and messages, and comes back below them") {
  const Screen screen;
  Writer writer(screen.terminal, screen.terminal);
  writer.write("a\n");
  CHECK(screen.news() == "a\n");
  writer.show_status("one");
  CHECK(screen.news() == "[one]");
  writer.show_status("two");
  CHECK(screen.news() == "[two]");
  writer.write("b\n");
  CHECK(screen.news() == "<>b\n[two]");
  writer.write_message("oh\n");
  CHECK(screen.news() == "<>oh\n[two]");
  writer.hide_status();
  CHECK(screen.news() == "<>");
  writer.write("c\n");
  writer.hide_status();
  CHECK(screen.news() == "c\n");
}

TEST_CASE("records that go elsewhere leave the status line alone") {
  const Screen screen;
  const Pipe pipe;
  Writer writer(pipe.ends[1], screen.terminal);
  writer.show_status("one");
  writer.write("a");
  CHECK(screen.news() == "[one]");
  writer.hide_status();
}

TEST_CASE("no status line is drawn over a line that is not at its end") {
  const Screen screen;
  Writer writer(screen.terminal, screen.terminal);
  writer.write("half");
  writer.show_status("one");
  CHECK(screen.news() == "half");
  writer.write(" a line\n");
  CHECK(screen.news() == " a line\n[one]");
  writer.hide_status();
}

TEST_CASE("while a person is asked there is no status line, and none once a command was let in") {
  const Screen screen;
  Writer writer(screen.terminal, screen.terminal);
  writer.show_status("one");
  screen.news();
  {
    const Writer::Question question(writer, [&] { os::write_all(screen.terminal, "well? "); });
    CHECK(screen.news() == "<>well? ");
    writer.show_status("two");
    writer.write_message("oh\n");
    CHECK(screen.news() == "\noh\nwell? ");
    writer.write("found\n");
    CHECK(screen.news() == "\nfound\nwell? ");
  }
  writer.show_status("three");
  CHECK(screen.news() == "[three]");
  writer.leave_terminal();
  CHECK(screen.news() == "<>");
  writer.show_status("four");
  writer.write("a\n");
  CHECK(screen.news() == "a\n");
}

TEST_CASE("a terminal tells its columns, and what is none shows no status") {
  const Screen screen;
  const Pipe pipe;
  CHECK(Writer(pipe.ends[1], screen.terminal).status_columns() == 70);
  CHECK(Writer(screen.terminal, pipe.ends[1]).status_columns() == 0);
}

TEST_CASE("a terminal that takes nothing holds nobody up") {
  const Screen screen;
  Writer writer(screen.terminal, screen.terminal);
  ::tcflow(screen.terminal, TCOOFF);
  writer.show_status("one");
  CHECK(screen.news().empty());
  ::tcflow(screen.terminal, TCOON);
  writer.show_status("two");
  CHECK(screen.news() == "[two]");
  writer.hide_status();
}

}  // namespace writer_test
