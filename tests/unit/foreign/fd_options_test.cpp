// SPDX-License-Identifier: MIT
// Words of a line of fd as its options. tests/cli/cases/fd-*.case run whole lines.
#include <sstream>

#include "catch.h"
#include "foreign/fd_options.h"

namespace fd_options_test {

using namespace ffind;
using namespace ffind::foreign;

namespace {

Words words_of(const std::string& typed) {
  std::istringstream stream(typed);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string first_line_of_error(const std::string& typed) {
  const Words words = words_of(typed);
  try {
    const FdOptions options(words);
  } catch (const UsageError& error) {
    const std::string text = error.what();  // escaped
    return text.substr(0, text.find(R"(\n)"));
  }
  return "none";
}

}  // namespace

TEST_CASE("options of fd: letters, attached values and operands") {
  const Words words = words_of("-Htf -ec -e=h pattern --exclude=a -S -1k -- -d");
  const FdOptions line(words);
  CHECK(line.has("hidden"));
  CHECK(line.last("type") == "f");
  CHECK(line.all("extension") == Words{"c", "h"});
  CHECK(line.last("exclude") == "a");
  CHECK(line.last("size") == "-1k");
  CHECK(line.operands() == Words{"pattern", "-d"});
}

TEST_CASE("options of fd: a later word takes back those that it overrides") {
  const Words words = words_of("-u --no-hidden -1 --max-results 3 -g --regex");
  const FdOptions line(words);
  CHECK(!line.has("unrestricted"));
  CHECK(!line.has("1"));
  CHECK(line.last("max-results") == "3");
  CHECK(!line.has("glob"));
}

TEST_CASE("options of fd: a command ends at a semicolon") {
  const Words words = words_of("-x echo -n ; -H x --exec=true");
  const FdOptions line(words);
  REQUIRE(line.commands().size() == 2);
  CHECK(line.commands()[0].command == Words{"echo", "-n"});
  CHECK(line.commands()[1].command == Words{"true"});
  CHECK(line.has("hidden"));
  CHECK(line.operands() == Words{"x"});
}

TEST_CASE("options of fd: what it refuses, in its words") {
  CHECK(first_line_of_error("--nope") == "error: unexpected argument '--nope' found");
  CHECK(first_line_of_error("-e") ==
        "error: a value is required for '--extension <ext>' but none was supplied");
  CHECK(first_line_of_error("-x") ==
        "error: a value is required for '--exec <cmd>...' but none was supplied");
  CHECK(first_line_of_error("-g -F x") ==
        "error: the argument '--glob' cannot be used with '--fixed-strings'");
  CHECK(first_line_of_error("--hidden=1") ==
        "error: unexpected value '1' for '--hidden' found; no more were expected");
}

}  // namespace fd_options_test
