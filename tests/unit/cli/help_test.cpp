// SPDX-License-Identifier: MIT
// Help, man page and completions speak of every option there is.
#include "cli/help.h"

#include <fstream>
#include <sstream>

#include "catch.h"
#include "cli/option_table.h"

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
