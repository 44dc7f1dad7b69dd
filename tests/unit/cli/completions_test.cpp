// SPDX-License-Identifier: MIT
// What the completions offer for --method and --reader. Whether the shells do is for
// tests/completions to see.
#include "catch.h"
#include "cli/option_table.h"
#include "ffind/plan.h"

namespace completions_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

template <typename Range>
Words strings(const Range& range) {
  return {range.begin(), range.end()};
}

}  // namespace

TEST_CASE("the choices of --method and --reader are all methods and readers") {
  Words methods;
  for (const Method method : {Method::automatic, Method::walk, Method::catalog}) {
    methods.emplace_back(to_text(method));
  }
  CHECK(strings(words_in(option_of(Id::method).choices)) == methods);
  Words readers;
  for (const Reader reader :
       {Reader::automatic, Reader::getdents, Reader::readdir, Reader::fts, Reader::bulk}) {
    readers.emplace_back(to_text(reader));
  }
  CHECK(strings(words_in(option_of(Id::reader).choices)) == readers);
}

}  // namespace completions_test
