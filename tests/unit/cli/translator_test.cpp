// SPDX-License-Identifier: MIT
// Command lines of other programs as ours; tests/cli/habits.txt has many more, and runs both.
#include "cli/translator.h"

#include <sstream>

#include "catch.h"

namespace translator_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

/// What is typed has no quotes here: words are what is between spaces.
std::string translated(const std::string& typed) {
  std::istringstream stream(typed);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  const auto is_directory = [](const std::string& path) { return path == "src"; };
  const auto line = translate(words, is_directory);
  return line ? line_to_paste(*line) : "";
}

}  // namespace

TEST_CASE("translator: tests of find are options, and what no option says is an expression") {
  CHECK(translated(". -name *.c") == "ffind -s -g '*.c'");
  CHECK(translated("src -type d -empty") == "ffind -t d --empty --in src");
  CHECK(translated(". -type f -o -size +1M") == "ffind --where 'type = f or size > 1Mi'");
  CHECK(translated(". -mtime +3") == "ffind --modified '>4d'");
  CHECK(translated(". -anewer a.txt") == "ffind --accessed '>a.txt'");
  CHECK(translated(". -cnewer today") == "ffind --changed '>./today'");
  CHECK(translated(". -daystart -mtime -1") == "ffind --modified '>=today'");
  CHECK(translated(". -daystart -mtime +1") == "ffind --modified '<yesterday'");
  CHECK(translated(". -daystart -mtime 5").empty());
  CHECK(translated(". -daystart -mmin 5").empty());
}

TEST_CASE("translator: a command before something else is a condition") {
  CHECK(translated(". -exec test -s {} ; -print") == "ffind --if test -s '{}'");
  CHECK(translated(". -exec test -s {} ; -print0") == "ffind --if test -s '{}' ';' -0");
  CHECK(translated(". ! -exec test -s {} ; -print") ==
        "ffind --if sh -c '! \"$@\"' sh test -s '{}'");
  CHECK(translated(". -exec test -s {} ;") == "ffind -x test -s '{}'");
  CHECK(translated(". -exec a {} ; -exec b {} ;") == "ffind -x a '{}' ';' -x b '{}'");
  CHECK(translated(". ( -exec a {} ; -o -name x ) -print").empty());
}

TEST_CASE("translator: what is pruned is a glob where one says it, or an expression") {
  CHECK(translated(". -name .git -prune -o -print") == "ffind -s -E .git");
  CHECK(translated(". -name .git -prune -o -type f -print") == "ffind -s -t f -E .git");
  CHECK(translated(". -empty -prune -o -print") == "ffind --exclude-where empty");
  CHECK(translated(". -name a -empty -prune -o -print") ==
        "ffind -s --exclude-where 'name glob \"a\" and empty'");
  CHECK(translated(". -iname a -prune -o -name b -print") ==
        "ffind --where 'name case glob \"b\"' --exclude-where 'name nocase glob \"a\"'");
}

TEST_CASE("translator: fd's options whose letters mean something else here") {
  CHECK(translated("-e py main") == "");
  CHECK(translated("-c never main") == "ffind --color never main");
  CHECK(translated("-e py -c never main") == "ffind --ext py --color never main");
  CHECK(translated("main --prune") == "ffind --prune-where 'name contains \"main\"' main");
  CHECK(translated("--prune -t d main") ==
        "ffind -t d --prune-where 'name contains \"main\"' main");
  CHECK(translated("main --prune -t f") == "ffind -t f main");
  CHECK(translated(". src") == "ffind --in src");
  CHECK(translated("/etc passwd") == "ffind passwd /etc");
}

TEST_CASE("translator: a line that is ours is left alone") {
  for (const char* const line : {"report", "-g *.c src", "--ext c -x wc -l", "name -e x", "-t f"}) {
    INFO(line);
    CHECK(translated(line).empty());
  }
}

}  // namespace translator_test
