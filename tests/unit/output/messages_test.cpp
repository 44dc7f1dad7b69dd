// SPDX-License-Identifier: MIT
// What Output says on standard error: how issues read, and when advice is given.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "catch.h"
#include "output/messages.h"
#include "output/output.h"

namespace messages_test {

using namespace ffind;
using namespace ffind::output;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::string_view full_disk_access =
    "macOS protects such folders: allow your terminal Full Disk Access in System Settings > "
    "Privacy & Security";

std::string_view advice_of_macos(const std::string&, int error) {
  return error == EPERM ? full_disk_access : std::string_view();
}

/// Standard error of an Output, and what has come there.
class Reported {
 public:
  explicit Reported(OutputStyle style)
      : file_(std::tmpfile()),
        writer_(::fileno(file_), ::fileno(file_)),
        output(std::move(style), writer_) {}
  ~Reported() { std::fclose(file_); }
  Reported(const Reported&) = delete;
  Reported& operator=(const Reported&) = delete;

  std::string text() {
    std::string text(4096, '\0');
    const ssize_t size = ::pread(::fileno(file_), text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
  }

 private:
  std::FILE* file_;
  Writer writer_;

 public:
  Output output;
};

OutputStyle style_with_advice() {
  OutputStyle style;
  style.advice = advice_of_macos;
  return style;
}

}  // namespace

TEST_CASE("an issue names the path, the operation and the reason") {
  CHECK(message_of({"a", "", EACCES}) == "ffind: a: Permission denied\n");
  CHECK(message_of({"a", "", EPERM}) == "ffind: a: Operation not permitted\n");
  CHECK(message_of({"a", "read directory", ENOTDIR}) ==
        "ffind: a: cannot read directory: Not a directory\n");
  CHECK(message_of({"a", "", 0, "not entered"}) == "ffind: a: not entered\n");
}

TEST_CASE("advice follows the first issue that it is about, once") {
  Reported reported(style_with_advice());
  reported.output.report({"a", "", EACCES});
  CHECK(reported.text() == "ffind: a: Permission denied\n");
  reported.output.report({"Mail", "", EPERM});
  reported.output.report({"Safari", "", EPERM});
  reported.output.report({"b", "", EACCES});
  CHECK(reported.text() ==
        "ffind: a: Permission denied\n"
        "ffind: Mail: Operation not permitted\n"
        "ffind: macOS protects such folders: allow your terminal Full Disk Access in System "
        "Settings > Privacy & Security\n"
        "ffind: Safari: Operation not permitted\n"
        "ffind: b: Permission denied\n");
}

TEST_CASE("advice is about opening and listing, not about a locked file that cannot be deleted") {
  Reported reported(style_with_advice());
  reported.output.report({"locked", "delete", EPERM});
  CHECK(reported.text() == "ffind: locked: cannot delete: Operation not permitted\n");
  reported.output.report({"Mail", "read directory", EPERM});
  CHECK_THAT(reported.text(), ContainsSubstring("Full Disk Access"));
}

TEST_CASE("advice before the search is not repeated after an issue") {
  Reported reported(style_with_advice());
  reported.output.advise("");
  reported.output.advise("allow it first");
  reported.output.report({"Mail", "", EPERM});
  CHECK(reported.text() == "ffind: allow it first\nffind: Mail: Operation not permitted\n");
}

TEST_CASE("what is only in a cloud is one issue with its numbers, in words") {
  CHECK(message_of(not_local_issue(1, 0)) ==
        "ffind: 1 file is only in a cloud and was not read; --download fetches it\n");
  CHECK(message_of(not_local_issue(0, 2)) ==
        "ffind: 2 directories are only in a cloud and were not read; --download fetches them\n");
  CHECK_THAT(record_of(not_local_issue(3, 1)), ContainsSubstring("\"files\":3,\"directories\":1}"));
  CHECK(message_of({"d", "delete", EDEADLK}) ==
        "ffind: d: cannot delete: its contents are only in a cloud; download it first\n");
}

TEST_CASE("without messages there is no advice either") {
  OutputStyle style = style_with_advice();
  style.messages = false;
  Reported reported(std::move(style));
  reported.output.report({"Mail", "", EPERM});
  CHECK(reported.text().empty());
}

TEST_CASE("unless told otherwise the advice is the system's") {
  CHECK(OutputStyle().advice == &os::advice);
}

TEST_CASE("an issue as a record names its errno and keeps every byte of its path") {
  CHECK(record_of({"a\xff", "", EACCES}) ==
        "{\"type\":\"error\",\"path\":\"a\uFFFD\",\"path_b64\":\"Yf8=\",\"operation\":\"open\","
        "\"errno\":\"EACCES\",\"message\":\"Permission denied\"}\n");
  CHECK(record_of({"a", "read metadata", 0, "strange \"thing\""}) ==
        "{\"type\":\"error\",\"path\":\"a\",\"operation\":\"read metadata\","
        "\"message\":\"strange \\\"thing\\\"\"}\n");
  CHECK(record_of({"", "write", ENOSPC}) ==
        "{\"type\":\"error\",\"operation\":\"write\",\"errno\":\"ENOSPC\","
        "\"message\":\"No space left on device\"}\n");
}

TEST_CASE("where errors are records, advice and notices are records too") {
  OutputStyle style = style_with_advice();
  style.json_messages = true;
  Reported reported(style);
  reported.output.report({"a", "", EPERM});
  reported.output.notice("b", "is walked");
  CHECK(reported.text() == record_of({"a", "", EPERM}) + notice_record("", full_disk_access) +
                               "{\"type\":\"notice\",\"path\":\"b\",\"message\":\"is walked\"}\n");
}

}  // namespace messages_test
