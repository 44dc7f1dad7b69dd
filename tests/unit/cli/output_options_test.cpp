// SPDX-License-Identifier: MIT
// What --sort, --tree and --count make of their words, and where those are told of.
#include "cli/request.h"

#include <cstdlib>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include "catch.h"
#include "cli/arguments.h"
#include "cli/option_table.h"
#include "ffind/issue.h"
#include "os/machine.h"
#include "output/count_keys.h"
#include "text/format.h"
#include "unit/source_text.h"

namespace output_options_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Words as_words(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

output::OutputStyle style_of(const Options& options) {
  static const std::unique_ptr<const Accounts> accounts = os::accounts();
  return build_output_style(options, *accounts);
}

std::string complaint(const Words& words) {
  try {
    style_of(parse(words));
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("keys to sort by are read with their signs, from all lists") {
  const output::OutputStyle style = style_of(parse({"--sort=ext,-size", "--sort=path"}));
  REQUIRE(style.sort.size() == 3);
  CHECK(style.sort[0].field->name == "ext");
  CHECK_FALSE(style.sort[0].reversed);
  CHECK(style.sort[1].field->name == "size");
  CHECK(style.sort[1].reversed);
  CHECK(style.sort[2].field->name == "path");
}

TEST_CASE("what is wrong with a key is shown where it is") {
  CHECK(complaint({"--sort=name,siz"}) ==
        "--sort: unknown sort key 'siz'; did you mean 'size'?\n"
        "  name,siz\n"
        "       ^\n"
        "  for example: --sort name, --sort -size or --sort ext,-modified");
  for (const char* const list : {"", "-", "name,", ",name", "tags", "--name", "NAME"}) {
    INFO(list);
    CHECK_FALSE(complaint({"--sort", list}).empty());
  }
}

TEST_CASE("matches are counted by what is asked for last") {
  CHECK(style_of(parse({"--count"})).count_by.empty());
  const output::OutputStyle last = style_of(parse({"--count=dir", "--count=ext,owner,ext"}));
  REQUIRE(last.count_by.size() == 2);
  CHECK(last.count_by[0].name == "ext");
  CHECK(last.count_by[1].name == "owner");
  CHECK(complaint({"--count=blubb"}).find("--count: cannot count by 'blubb'") != std::string::npos);
  const output::OutputStyle deep = style_of(parse({"--count=dir:12"}));
  CHECK(deep.count_by[0].grouping == output::Grouping::above);
  CHECK(deep.count_by[0].depth == 12U);
  CHECK(style_of(parse({"--count=dir:2", "--count=dir"})).count_by[0].grouping ==
        output::Grouping::plain);
  const std::pair<const char*, const char*> wrong[] = {
      {"dir:", "a number is missing"},
      {"age:h", "'age' has no conversions"},
      {"dir:x", "'x' is not a conversion for 'dir'"},
      {"dir:2x", "'2x' is not a whole number"},
      {"dir:-1", "must be 0 or more"},
      {"dir:99999999999", "more than 4294967294"}};
  for (const auto& [value, what] : wrong) {
    INFO(value);
    CHECK(complaint({text::format("--count={}", value)}).find(what) != std::string::npos);
  }
}

TEST_CASE("what cannot be had together is refused") {
  CHECK(complaint({"--tree", "--json"}) == "--json and --tree exclude each other");
  CHECK_FALSE(complaint({"--tree", "--json=size"}).empty());
  CHECK(complaint({"--tree", "-0"}) == "--tree and --null exclude each other");
  CHECK(complaint({"--tree", "--count=dir"}) == "--tree and --count exclude each other");
  CHECK(complaint({"-0", "--count"}) == "--count and --null exclude each other");
  CHECK(complaint({"-0", "--count=dir"}).empty());
  CHECK_FALSE(complaint({"--count", "--sort=name"}).empty());
}

TEST_CASE("a table of counts is sorted by what its rows have") {
  CHECK(style_of(parse({"--count=ext", "--sort=-size,name,path"})).sort.size() == 3);
  CHECK(complaint({"--count=ext", "--sort=modified"}).find("unknown sort key 'modified'") !=
        std::string::npos);
}

TEST_CASE("trees have lines where the locale is UTF-8") {
  const auto boxes = [](const char* all, const char* type, const char* lang) {
    setenv("LC_ALL", all, 1);
    setenv("LC_CTYPE", type, 1);
    setenv("LANG", lang, 1);
    return style_of({}).box_characters;
  };
  const char* const before = std::getenv("LC_ALL");
  const std::string kept = before != nullptr ? before : "";
  CHECK(boxes("", "", "en_US.UTF-8"));
  CHECK(boxes("", "UTF-8", ""));
  CHECK(boxes("de_AT.utf8@euro", "C", "C"));
  CHECK_FALSE(boxes("", "", ""));
  CHECK_FALSE(boxes("C", "", "en_US.UTF-8"));
  CHECK_FALSE(boxes("", "de_AT.ISO-8859-1", "en_US.UTF-8"));
  setenv("LC_ALL", kept.c_str(), 1);
  unsetenv("LC_CTYPE");
  unsetenv("LANG");
}

TEST_CASE("the man page names the same keys to sort by, and all of them") {
  const Words words = as_words(sort_words());
  std::string man = between(source_text("man/ffind.1"), ".It Fl -sort ", ".It Fl ");
  man = between(man, "One of\n.Cm ", " .\n");
  std::string listed;
  for (const std::string& word : split(man)) {
    if (word != "," && word != ".Cm") listed += word + " ";
  }
  CHECK(split(listed) == words);
}

TEST_CASE("the man page names the words that matches can be counted by, and choices are keys") {
  const std::string man = between(source_text("man/ffind.1"), ".It Fl -count", ".It Fl ");
  for (const std::string_view word : output::count_words()) {
    INFO(word);
    CHECK(man.find(text::format(" {}", word)) != std::string::npos);
  }
  for (const std::string_view word : words_in(option_of(Id::count).choices)) {
    if (word != "matches") CHECK(output::parse_count_key(word, 0, {}).name != "");
  }
}

}  // namespace output_options_test
