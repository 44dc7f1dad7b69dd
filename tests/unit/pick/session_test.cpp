// SPDX-License-Identifier: MIT
// The details of an entry are read by a thread of their own, which a volume may hold up.
#include "pick/session.h"

#include <algorithm>

#include "catch.h"
#include "unit/pick/pick_harness.h"

namespace session_test {

using namespace ffind;
using namespace ffind::pick;

namespace {

const Texts reading{"reading..."};

}  // namespace

TEST_CASE("details are about the entry that was shown last") {
  NarrowedStore picker;
  picker.offer({"a", "b"});
  picker.volume->sizes = {{"a", 1500}, {"b", 7}};
  EntryDetails details(picker.store, picker.volume->factory(), nullptr, {}, [] {});
  CHECK(details.lines().empty());
  details.show(1);
  details.show(0);
  REQUIRE(soon([&] { return details.lines() != reading; }));
  const Texts lines = details.lines();
  REQUIRE_FALSE(lines.empty());
  CHECK(lines.front() == "path      /where/a");
  CHECK(std::count(lines.begin(), lines.end(), "bytes     1500") == 1);
  details.show(std::nullopt);
  CHECK(details.lines().empty());
  CHECK(details.stop());
}

TEST_CASE("details that a volume holds up are left behind") {
  NarrowedStore picker;
  picker.offer({"dead/a"});
  picker.volume->hangs = "dead/";
  EntryDetails details(picker.store, picker.volume->factory(), nullptr, {}, [] {});
  details.show(0);
  REQUIRE(soon([&] { return picker.volume->hanging() == 1; }));
  CHECK(details.lines() == reading);
  CHECK_FALSE(details.stop());
  picker.volume->answer();
  // Its thread must not outlive what the program destroys at its end.
  CHECK(soon([&] { return picker.volume->loaders() == 0; }));
}

}  // namespace session_test
