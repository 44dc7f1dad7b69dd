// SPDX-License-Identifier: MIT
// What is read of git's configuration, and of the files that say where a repository is.
#include "search/git_config.h"

#include <map>
#include <optional>
#include <string>

#include "catch.h"

namespace git_config_test {

using namespace ffind;
using namespace ffind::search;

namespace {

std::string read(const std::string& text) {
  std::string all;
  read_git_config(text, [&](std::string_view section, std::string_view key, std::string value) {
    all.append(section).append(".").append(key).append("=").append(value).append(";");
  });
  return all;
}

}  // namespace

TEST_CASE("git config: sections, keys and values") {
  CHECK(read("[core]\n\texcludesFile = ~/x\n") == "core.excludesfile=~/x;");
  CHECK(read("[CORE] a=b") == "core.a=b;");
  CHECK(read("# c\n; d\n[core] # e\n a = b # f\n c = d ; g\n") == "core.a=b;core.c=d;");
  CHECK(read("[core]\na = \"x # y\" \n") == "core.a=x # y;");
  CHECK(read("[core]\na = \"x \" y \n") == "core.a=x  y;");
  CHECK(read("[core]\na = x\\\\\\\"\\ty\n") == "core.a=x\\\"\ty;");
  CHECK(read("[core]\na = x \\\n y\nb\r\n") == "core.a=x  y;core.b=true;");
  CHECK(read("[core]\r\na = x\r\n") == "core.a=x;");
  CHECK(read("[core \"sub\"]\na = x\n[core]\nb=y") == "core.b=y;");
  CHECK(read("[core.sub]\na = x\n") == "");
}

TEST_CASE("git config: nothing is read behind a bad line") {
  CHECK(read("[core]\na = b\n!\nc = d\n") == "core.a=b;");
  CHECK(read("[core\na = b\n") == "");
  CHECK(read("[core]\na = \"b\nc = d\n") == "");
  CHECK(read("[core]\na = \\q\n") == "");
  CHECK(read("[core \"x\\") == "");
  CHECK(read("[core]\na = b\\") == "core.a=b;");
}

TEST_CASE("git config: whether case is ignored, and what includes say of it") {
  const auto ignores_case = [](const std::string& value, bool before) {
    const ReadFile read = [&](const std::string& path, std::string& text) {
      text = path == "/c" ? "[include]\npath = d\n" : "[Core]\nignoreCase" + value + "\n";
      return true;
    };
    return *read_ignore_settings("/c", "/top", "/home", read, {{}, before}).ignore_case;
  };
  for (const char* const value : {"", " = true", "=Yes", "= on", " = 1", "=07"}) {
    CHECK(ignores_case(value, false));
  }
  for (const char* const value : {" =", " = false", "=NO", "= off", " = 0"}) {
    CHECK_FALSE(ignores_case(value, true));
  }
  CHECK(ignores_case("s = false", true));
}

TEST_CASE("git config: a file that includes itself is read so often and no more") {
  std::size_t reads = 0;
  const ReadFile read = [&](const std::string&, std::string& text) {
    ++reads;
    text = "[core]\nexcludesFile = /first\n[include]\n";
    for (int i = 0; i < 1000; ++i) text += "path = config\n";
    text += "[core]\nexcludesFile = /last\n";
    return reads <= 2 * most_config_files;
  };
  CHECK(read_ignore_settings("/g/config", "/top", "/home", read, {}).excludes_file == "/last");
  CHECK(reads == most_config_files);
}

TEST_CASE("git config: of many files each is read, also behind one that is missing") {
  const ReadFile read = [](const std::string& path, std::string& text) {
    if (path == "/g/98") text = "[core]\nignoreCase\n";
    if (path != "/g/config") return path == "/g/98";
    text = "[include]\n";
    for (int i = 0; i < 99; ++i) text += "path = " + std::to_string(i) + "\n";
    return true;
  };
  CHECK(read_ignore_settings("/g/config", "/top", "/home", read, {}).ignore_case == true);
}

TEST_CASE("git config: what the environment says") {
  std::map<std::string, std::string> variables = {
      {"GIT_CONFIG_COUNT", "3"},        {"GIT_CONFIG_KEY_0", "Core.excludesFILE"},
      {"GIT_CONFIG_VALUE_0", "~/x"},    {"GIT_CONFIG_KEY_1", "core.other.excludesfile"},
      {"GIT_CONFIG_VALUE_1", "/no"},    {"GIT_CONFIG_KEY_2", "core.ignorecase"},
      {"GIT_CONFIG_VALUE_2", "off"},    {"GIT_CONFIG_KEY_3", "core.excludesfile"},
      {"GIT_CONFIG_VALUE_3", "/beyond"}};
  const ReadVariable read = [&](const std::string& name) -> std::optional<std::string> {
    const auto at = variables.find(name);
    return at == variables.end() ? std::nullopt : std::optional<std::string>(at->second);
  };
  const ReadFile none_there = [](const std::string&, std::string&) { return false; };
  const IgnoreSettings given = read_given_settings("/home", read, none_there);
  CHECK(given.excludes_file == std::string("/home/x"));
  CHECK(given.ignore_case == false);
  variables.erase("GIT_CONFIG_VALUE_2");
  variables["GIT_CONFIG_COUNT"] = "4294967295";
  CHECK(read_given_settings("/home", read, none_there).excludes_file == std::string("/home/x"));
  CHECK_FALSE(read_given_settings("/home", read, none_there).ignore_case.has_value());
  for (const char* const none : {"", "x", "1x", "-1", "99999999999"}) {
    variables["GIT_CONFIG_COUNT"] = none;
    CHECK_FALSE(read_given_settings("/home", read, none_there).excludes_file.has_value());
  }
}

TEST_CASE("git config: paths") {
  CHECK(git_path("/x", "/d", "/h") == "/x");
  CHECK(git_path("~/x", "/d", "/h") == "/h/x");
  CHECK(git_path("~/x", "/d", "") == "");
  CHECK(git_path("~alice/x", "/d", "/h") == "");
  CHECK(git_path("x", "/d", "/h") == "/d/x");
  CHECK(git_path("x", "", "/h") == "");
  CHECK(git_path("", "/d", "/h") == "");
}

TEST_CASE("git files: .git and HEAD") {
  CHECK(git_directory_of("gitdir: ../.git/modules/x\n") == "../.git/modules/x");
  CHECK(git_directory_of("gitdir: /x\r\n") == "/x");
  CHECK(git_directory_of("something else") == "");
  CHECK(is_git_head("ref: refs/heads/main\n"));
  CHECK(is_git_head(std::string(40, 'a') + "\n"));
  CHECK_FALSE(is_git_head("ref: other\n"));
  CHECK_FALSE(is_git_head("0123"));
  CHECK_FALSE(is_git_head(""));
}

}  // namespace git_config_test
