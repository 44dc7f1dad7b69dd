// SPDX-License-Identifier: MIT
// What is held back for a moment: sorted if that is all, else in the order in which it came.
#include "output/sorter.h"

#include <string>

#include "catch.h"
#include "os/machine.h"
#include "unit/output/matches.h"

namespace early_order_test {

using namespace ffind;
using namespace ffind::output;

TEST_CASE("what is all there at once goes out sorted by the bytes of its path") {
  Remembering next;
  EarlyOrder order(next, os::monotonic_now());
  CHECK(order.take("b", "2 b\n"));
  CHECK(order.take("a/c", "1 a/c\n"));
  CHECK(order.take("a-c", "3 a-c\n"));
  order.stream_if_due();
  CHECK_FALSE(order.is_over());
  CHECK(next.text.empty());
  order.finish();
  CHECK(next.text == "3 a-c\n1 a/c\n2 b\n");
}

TEST_CASE("by names, the entries of a directory follow it at once") {
  Remembering next;
  EarlyOrder order(next, os::monotonic_now(), true);
  for (const char* const path : {"a.c", "a/c", "a-c", "a"}) {
    CHECK(order.take(path, std::string(path) + "\n"));
  }
  order.finish();
  CHECK(next.text == "a\na/c\na-c\na.c\n");
}

TEST_CASE("what lies in a Trash comes after the rest") {
  Remembering next;
  EarlyOrder order(next, os::monotonic_now());
  for (const char* const path : {".Trash-1000/files/b", "a/.Trash/501/x", "x/Trash/files/a", "y",
                                 ".Trash-of-mine", "Trash/own"}) {
    CHECK(order.take(path, std::string(path) + "\n"));
  }
  order.finish();
  CHECK(next.text ==
        ".Trash-of-mine\nTrash/own\ny\n"
        ".Trash-1000/files/b\na/.Trash/501/x\nx/Trash/files/a\n");
}

TEST_CASE("once it takes longer, everything goes out as it is found") {
  Remembering next;
  EarlyOrder order(next, os::monotonic_now() - EarlyOrder::moment - 50'000'000);
  CHECK(order.take("b", "b\n"));
  CHECK(order.take("a", "a\n"));
  order.stream_if_due();
  CHECK(order.is_over());
  CHECK(next.text == "b\na\n");
  CHECK(order.take("0", "0\n"));
  order.stream();
  order.finish();
  CHECK(next.text == "b\na\n0\n");
}

TEST_CASE("of much nothing is held back") {
  Remembering next;
  EarlyOrder order(next, os::monotonic_now());
  const std::string record(EarlyOrder::most_bytes - 2, 'x');
  CHECK(order.take("b", "b\n"));
  CHECK(order.take("a", record));
  CHECK(order.is_over());
  CHECK(next.text == "b\n" + record);
}

TEST_CASE("the next stage says when no more is wanted") {
  struct Refusing final : RecordStage {
    bool take(std::string_view) override { return false; }
  } next;
  EarlyOrder order(next, os::monotonic_now());
  CHECK(order.take("a", "a\n"));
  order.stream();
  CHECK_FALSE(order.take("b", "b\n"));
}

}  // namespace early_order_test
