// SPDX-License-Identifier: MIT
// Help, man page and completions speak of every option there is.
#include "cli/help.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "catch.h"
#include "cli/option_table.h"
#include "query/kinds.h"
#include "query/where/field.h"

using namespace ffind;

namespace {

std::string file(const std::string& name) {
  std::ifstream stream(std::string(FFIND_SOURCE_DIR) + "/" + name);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// As mdoc spells "-e" and "--regex": `.Fl e , -regex`.
bool in_mdoc(const std::string& man, std::string_view name) {
  const std::string flag(name.substr(1));
  return has(man, "Fl " + flag) || has(man, ", " + flag);
}

/// What stands between the first `from` and the first `to` behind it.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  REQUIRE(start != std::string::npos);
  const std::size_t end = text.find(to, start + from.size());
  REQUIRE(end != std::string::npos);
  return text.substr(start + from.size(), end - start - from.size());
}

using Words = std::vector<std::string>;

Words words_of(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Words sorted(Words words) {
  std::sort(words.begin(), words.end());
  return words;
}

/// The words behind `macro` on each line that begins with it.
Words words_behind(const std::string& macro, const std::string& man) {
  Words words;
  std::istringstream stream(man);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(macro + " ", 0) != 0) continue;
    for (const std::string& word : words_of(line.substr(macro.size()))) words.push_back(word);
  }
  return words;
}

}  // namespace

TEST_CASE("every option stands in the help, the man page and each completion") {
  const std::string man = file("man/ffind.1");
  const std::string bash = file("completions/ffind.bash");
  const std::string zsh = file("completions/_ffind");
  const std::string fish = file("completions/ffind.fish");
  const std::string help = long_help();
  for (const OptionRow& row : option_table()) {
    for (const std::string_view view : names_of(row)) {
      const std::string name(view);
      INFO(name);
      CHECK(has(help, name));
      CHECK(in_mdoc(man, view));
      CHECK(has(bash, name));
      CHECK(has(zsh, name));
      const bool is_long = name.substr(0, 2) == "--";
      CHECK(has(fish, is_long ? "-l " + name.substr(2) : "-s " + name.substr(1)));
    }
  }
}

TEST_CASE("the man page names every field and flag of the language, and nothing else") {
  const std::string expressions = between(file("man/ffind.1"), ".Sh EXPRESSIONS", "\n.Sh ");
  Words names;
  Words other_names;
  const auto take = [&](const auto& row) {
    names.emplace_back(row.name);
    const Words others = words_of(std::string(row.other_names));
    other_names.insert(other_names.end(), others.begin(), others.end());
    if (!others.empty()) other_names.push_back("=" + std::string(row.name));
  };
  for (const Field& field : fields()) take(field);
  for (const Flag& flag : flags()) take(flag);
  CHECK(sorted(words_behind(".It Cm", expressions)) == sorted(names));

  // ".Cm btime , birth" and on the next line ".Pq Cm created", whose other names they are.
  Words told;
  std::istringstream stream(between(expressions, "Other names are\n", "in each"));
  for (std::string line; std::getline(stream, line);) {
    for (const std::string& word : words_behind(".Cm", line)) told.push_back(word);
    for (const std::string& word : words_behind(".Pq Cm", line)) {
      if (word != ";") told.push_back("=" + word);
    }
  }
  CHECK(told == other_names);
}

TEST_CASE("help, man page and completions name the same kinds, and all of them") {
  Words kinds;
  for (const std::string_view name : kind_names()) kinds.emplace_back(name);
  const std::string help(find_option("--kind")->help);
  CHECK(words_of(help.substr(0, help.find(';'))) == kinds);
  const std::string man = between(file("man/ffind.1"), ".It Fl -kind ", ".It Fl -ext ");
  CHECK(words_behind(".It Cm", man) == kinds);
  CHECK(words_of(between(file("completions/_ffind"), "kinds=(", ")")) == kinds);
  const std::string fish = between(file("completions/ffind.fish"), "-l kind ", "\n");
  CHECK(words_of(between(fish, "\"", "\"")) == kinds);
  const std::string bash = between(file("completions/ffind.bash"), "--kind)", ";;");
  CHECK(words_of(between(bash, "\"", "\"")) == kinds);
}

TEST_CASE("help fits into 80 columns, the short one on a screen") {
  std::size_t lines = 0;
  std::istringstream stream(short_help());
  for (std::string line; std::getline(stream, line); ++lines) CHECK(line.size() <= 80);
  CHECK(lines <= 50);
  std::istringstream all(long_help());
  for (std::string line; std::getline(all, line);) CHECK(line.size() <= 80);
}

TEST_CASE("every row can be looked up by each of its names") {
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) CHECK(find_option(name) == &row);
  }
}
