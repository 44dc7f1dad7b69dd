// SPDX-License-Identifier: MIT
// Places for parts of paths in commands.
#include "output/commands/action.h"

#include "catch.h"

namespace commands_template_test {

using namespace ffind;
using namespace ffind::output;

namespace {

std::string expanded(std::string_view text, std::string_view path) {
  const ArgumentTemplate argument(text);
  std::string out;
  argument.append(out, path);
  CHECK(argument.size(path) == out.size());
  return out;
}

}  // namespace

TEST_CASE("each place stands for its part of the path") {
  CHECK(expanded("{}", "a/b/c.tar.gz") == "a/b/c.tar.gz");
  CHECK(expanded("{/}", "a/b/c.tar.gz") == "c.tar.gz");
  CHECK(expanded("{//}", "a/b/c.tar.gz") == "a/b");
  CHECK(expanded("{.}", "a/b/c.tar.gz") == "a/b/c.tar");
  CHECK(expanded("{/.}", "a/b/c.tar.gz") == "c.tar");
}

TEST_CASE("a path without a directory lies in the current one, and below / in /") {
  CHECK(expanded("{//}", "a.txt") == ".");
  CHECK(expanded("{/}|{.}", "a.txt") == "a.txt|a");
  CHECK(expanded("{//}|{/}", "/etc") == "/|etc");
  CHECK(expanded("{//}", "/etc/hosts") == "/etc");
}

TEST_CASE("a dot in a directory, or at the beginning, begins no extension") {
  CHECK(expanded("{.}", "a.d/b") == "a.d/b");
  CHECK(expanded("{.}", "a/.profile") == "a/.profile");
  CHECK(expanded("{/.}", ".profile.bak") == ".profile");
}

TEST_CASE("text around places stays, and several places may stand in one argument") {
  CHECK(expanded("<{/}> of <{//}>", "a/b") == "<b> of <a>");
  CHECK(expanded("{}{}", "x") == "xx");
}

TEST_CASE("doubled braces are braces, others stand for themselves") {
  CHECK(expanded("{{}}", "x") == "{}");
  CHECK_FALSE(ArgumentTemplate("{{}}").has_place());
  CHECK(expanded("{{{}}}", "x") == "{x}");
  CHECK(expanded("{}}", "x") == "x}");
  CHECK(expanded("awk {print $1} ${HOME} {x} { }", "p") == "awk {print $1} ${HOME} {x} { }");
  CHECK(expanded("{", "x") == "{");
  CHECK(expanded("", "x").empty());
}

TEST_CASE("bytes that are not UTF-8 arrive as they are") {
  CHECK(expanded("-{}-", "a\xfe/\xff.x") == "-a\xfe/\xff.x-");
}

TEST_CASE("a command without a place takes the path at its end") {
  const CommandTemplate bare({"echo", "{{}}"});
  REQUIRE(bare.arguments.size() == 3);
  CHECK(bare.arguments.back().has_place());
  CHECK(CommandTemplate({"echo", "{/}"}).arguments.size() == 2);
  CHECK(CommandTemplate({"{}"}).arguments.size() == 1);
  CHECK(CommandTemplate({"{}"}).program_varies());
  CHECK_FALSE(bare.program_varies());
}

}  // namespace commands_template_test
