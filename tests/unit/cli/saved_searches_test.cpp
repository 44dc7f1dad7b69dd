// SPDX-License-Identifier: MIT
// Names of saved searches, and what of a command line is kept.

#include "catch.h"
#include "cli/argument_file.h"
#include "cli/arguments.h"
#include "ffind/issue.h"

namespace saved_searches_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

Words kept(const Words& arguments) {
  return arguments_to_save(parse(arguments));
}

std::string called(const Words& arguments) {
  const Options options = parse(arguments);
  return search_called(options);
}

}  // namespace

TEST_CASE("a search is named by letters, digits, dashes, lines and dots") {
  for (const char* const name : {"big", "a", "2026-01", "a_b.c", "größe", "B"}) {
    INFO(name);
    CHECK(is_search_name(name));
  }
  for (const char* const name :
       {"", ".", "..", ".a", "-a", "a/b", "a b", "a\n", "a~", "\xFF", "@a", "a\xE2\x80\xAE"}) {
    INFO(name);
    CHECK_FALSE(is_search_name(name));
  }
  CHECK(is_search_name(std::string(200, 'a')));
  CHECK_FALSE(is_search_name(std::string(201, 'a')));
}

TEST_CASE("only the first argument that is no option calls a search") {
  CHECK(called({"@big", "x"}) == "big");
  CHECK(called({"-l", "-E", "y", "@big"}) == "big");
  CHECK(called({"x", "@big"}).empty());
  CHECK(called({"--", "@big"}).empty());
  CHECK(called({"-E", "@big"}).empty());
  CHECK(called({"@types/node"}).empty());
  CHECK(called({"@"}).empty());
}

TEST_CASE("what is kept is all but --save, as it was typed") {
  CHECK(kept({"--save", "a", "x", "-tf"}) == Words{"x", "-tf"});
  CHECK(kept({"x", "--save=a", "-e", "--save", "--", "--save"}) ==
        Words{"x", "-e", "--save", "--", "--save"});
  CHECK(kept({"-x", "echo", "--save", "b", ";", "--save", "a"}) ==
        Words{"-x", "echo", "--save", "b", ";"});
}

TEST_CASE("what cannot be kept is refused") {
  CHECK_THROWS_AS(kept({"--save", "a"}), UsageError);
  CHECK_THROWS_AS(kept({"--save", "a", "--save", "b", "x"}), UsageError);
  CHECK_THROWS_AS(kept({"--save", "a/b", "x"}), UsageError);
}

TEST_CASE("what is for one search has no place in a configuration") {
  for (const Words& words : {Words{"x"}, Words{"--in", "a"}, Words{"-x", "echo"}, Words{"-Lx"},
                             Words{"--delete"}, Words{"--no-config"}, Words{"@a"}}) {
    INFO(words.front());
    CHECK_THROWS_AS(check_place_in_configuration(parse(words)), UsageError);
  }
  CHECK_NOTHROW(check_place_in_configuration(parse({"-l", "-E", "x", "--color=always"})));
}

}  // namespace saved_searches_test
