// SPDX-License-Identifier: MIT
// What lanes pass on in small parts: written together, never kept where nobody comes by to write
// it.
#include "output/writer.h"

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "catch.h"
#include "os/terminal.h"

namespace shared_buffer_test {

using namespace ffind;
using namespace ffind::output;

namespace {

/// What is passed on, part by part.
struct Parts final : RecordStage {
  std::vector<std::string> all{};
  bool wants_more = true;
  bool is_full = false;

  bool takes_more() const override { return !is_full; }
  bool take(std::string_view records) override {
    all.emplace_back(records);
    return wants_more;
  }
};

// However busy the machine is, one does not pass within a test, and the other does in its sleep.
constexpr Nanoseconds hour = 3'600'000'000'000;
constexpr Nanoseconds millisecond = 1'000'000;

void wait_until_due() {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
}

}  // namespace

TEST_CASE("shared buffer: nothing is kept before somebody has come by to write it") {
  Parts next;
  SharedBuffer buffer(next, hour);
  CHECK(buffer.take("a\n"));
  CHECK(next.all == std::vector<std::string>{"a\n"});
}

TEST_CASE("shared buffer: small parts go out together, at the end at the latest") {
  Parts next;
  SharedBuffer buffer(next, hour);
  buffer.write_if_due();
  CHECK(buffer.take("a\n"));
  CHECK(buffer.take("b\n"));
  CHECK(next.all.empty());
  buffer.finish();
  CHECK(next.all == std::vector<std::string>{"a\nb\n"});
  buffer.finish();
  CHECK(next.all.size() == 1);
}

TEST_CASE("shared buffer: whoever comes by writes what has been kept for long") {
  Parts next;
  SharedBuffer buffer(next, millisecond);
  buffer.write_if_due();
  CHECK(buffer.take("a\n"));
  wait_until_due();
  CHECK(next.all.empty());
  buffer.write_if_due();
  CHECK(next.all == std::vector<std::string>{"a\n"});
}

TEST_CASE("shared buffer: the next small part takes along what has been kept for long") {
  Parts next;
  SharedBuffer buffer(next, millisecond);
  buffer.write_if_due();
  CHECK(buffer.take("a\n"));
  wait_until_due();
  CHECK(buffer.take("b\n"));
  CHECK(next.all == std::vector<std::string>{"a\nb\n"});
}

TEST_CASE("shared buffer: a large part follows what was passed on before it") {
  Parts next;
  SharedBuffer buffer(next, hour);
  buffer.write_if_due();
  const std::string large(full_buffer, 'x');
  CHECK(buffer.take("a\n"));
  CHECK(buffer.take(large));
  CHECK(next.all == std::vector<std::string>{"a\n", large});
}

TEST_CASE("shared buffer: no more is kept than a pipe takes at once") {
  Parts next;
  SharedBuffer buffer(next, hour);
  buffer.write_if_due();
  const std::string part(os::taken_at_once / 4, 'x');
  for (int times = 0; times < 4; ++times) CHECK(buffer.take(part));
  CHECK(next.all.empty());
  CHECK(buffer.take("a\n"));
  REQUIRE(next.all.size() == 1);
  CHECK(next.all.front().size() == os::taken_at_once);
  buffer.finish();
  CHECK(next.all.back() == "a\n");
}

TEST_CASE("shared buffer: whoever comes by does not wait for the reader of the output") {
  Parts next;
  next.is_full = true;
  SharedBuffer buffer(next, millisecond);
  buffer.write_if_due();
  CHECK(buffer.take("a\n"));
  wait_until_due();
  buffer.write_if_due();
  CHECK(next.all.empty());
  next.is_full = false;
  buffer.write_if_due();
  CHECK(next.all == std::vector<std::string>{"a\n"});
}

TEST_CASE("shared buffer: the next stage says when no more is wanted") {
  Parts next;
  next.wants_more = false;
  SharedBuffer buffer(next, hour);
  CHECK_FALSE(buffer.take("a\n"));
  buffer.write_if_due();
  CHECK_FALSE(buffer.take(std::string(full_buffer, 'x')));
}

}  // namespace shared_buffer_test
