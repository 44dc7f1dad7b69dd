// SPDX-License-Identifier: MIT
// The completions know every option, whether it takes a value, and the words that there are for it.
// Whether the shells offer them is for tests/completions to see.
#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "catch.h"
#include "cli/option_table.h"
#include "cli/request.h"
#include "ffind/plan.h"
#include "output/record_fields.h"
#include "query/expression.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "unit/source_text.h"

namespace completions_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

std::string completion(const std::string& name) {
  return source_text("completions/" + name);
}
std::string bash() {
  return completion("ffind.bash");
}
std::string zsh() {
  return completion("_ffind");
}
std::string fish() {
  return completion("ffind.fish");
}

Words words_of(std::string text) {
  std::replace(text.begin(), text.end(), '\\', ' ');
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

template <typename Range>
Words strings(const Range& range) {
  return {range.begin(), range.end()};
}

/// In fish a backslash ends each line of a list but the last.
std::string fish_list(const std::string& name) {
  const std::string text = fish();
  std::size_t start = text.find("set -g __ffind_" + name + " ");
  REQUIRE(start != std::string::npos);
  start = text.find(' ', start + 8) + 1;
  std::size_t end = text.find('\n', start);
  while (text[end - 1] == '\\') end = text.find('\n', end + 1);
  return text.substr(start, end - start);
}

/// The list called `name` is these words in each of the three.
void check_list(const std::string& name, const Words& words) {
  INFO(name);
  CHECK(words_of(between(bash(), "_ffind_" + name + "=\"", "\"")) == words);
  CHECK(words_of(between(zsh(), "local -a " + name + "=(", ")")) == words);
  CHECK(words_of(fish_list(name)) == words);
}

/// What follows an option.
enum class Follows { nothing, value, value_in_the_same_word };

Follows what_follows(const OptionRow& row) {
  if (is_flag(row)) return Follows::nothing;
  return row.value_when_absent.empty() ? Follows::value : Follows::value_in_the_same_word;
}

using Told = std::map<std::string, Follows>;

/// Rows such as '*'{-e+,--regex=}'[text]:value:action' and '--json=-[text]::value:action'.
Told told_by_zsh() {
  Told told;
  std::istringstream lines(between(zsh(), "local -a options=(\n", "\n)\n"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t text = line.find('[');
    REQUIRE(text != std::string::npos);
    std::string names = line.substr(0, text);
    if (const std::size_t excluded = names.rfind(')'); excluded != std::string::npos) {
      names.erase(0, excluded);  // '(-s --case-sensitive)' before them
    }
    for (char& c : names)
      c = std::string_view("'*{},()\"").find(c) == std::string_view::npos ? c : ' ';
    for (std::string name : words_of(names)) {
      const bool joined = name.size() > 2 && name.substr(name.size() - 2) == "=-";
      if (joined) name.resize(name.size() - 2);
      const bool value = !joined && (name.back() == '=' || name.back() == '+');
      if (value) name.pop_back();
      const bool action = line.find("]:", text) != std::string::npos;
      INFO(line);
      CHECK(action == (joined || value || name == "--help"));  // whose words all follow
      told[name] = joined  ? Follows::value_in_the_same_word
                   : value ? Follows::value
                           : Follows::nothing;
    }
  }
  return told;
}

/// Rows such as complete $own -s e -l regex -x -d "text".
Told told_by_fish() {
  Told told;
  std::istringstream lines(fish());
  for (std::string line; std::getline(lines, line);) {
    const Words words = words_of(line);
    if (words.empty() || words[0] != "complete") continue;
    Words names;
    Follows follows = Follows::nothing;
    for (std::size_t i = 1; i < words.size() && words[i] != "-d"; ++i) {
      if (words[i] == "-s") names.push_back("-" + words[++i]);
      if (words[i] == "-l") names.push_back("--" + words[++i]);
      if (words[i] == "-x" || words[i] == "-r") follows = Follows::value;
      if (words[i] == "-f") follows = Follows::value_in_the_same_word;
      if (words[i] == "-a") break;
    }
    INFO(line);
    if (!names.empty()) CHECK(line.find(" -d \"") != std::string::npos);
    for (const std::string& name : names) told[name] = follows;
  }
  return told;
}

Told told_by_bash() {
  Told told;
  for (const std::string& name : words_of(between(bash(), "_ffind_options=\"", "\""))) {
    told[name] = Follows::nothing;
  }
  const auto correct = [&](const std::string& name, Follows follows) {
    if (told.count(name) > 0) told[name] = follows;
  };
  for (const std::string& name : words_of(between(bash(), "_ffind_options_with_value=\"", "\""))) {
    correct(name, Follows::value);
  }
  // Whose command goes on to the end, and whose value is told behind "=" only.
  for (const char* const name : {"-x", "--exec", "-X", "--exec-batch", "--if"}) {
    correct(name, Follows::value);
  }
  for (const char* const name : {"--json", "--count", "--usage", "--human", "--hyperlink"}) {
    correct(name, Follows::value_in_the_same_word);
  }
  return told;
}

void check_options(const char* shell, const Told& told) {
  INFO(shell);
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) {
      INFO(name);
      const auto found = told.find(std::string(name));
      REQUIRE(found != told.end());
      CHECK(found->second == what_follows(row));
    }
  }
  for (const auto& [name, follows] : told) {
    INFO(name);
    CHECK(find_option(name) != nullptr);
  }
}

}  // namespace

TEST_CASE("each completion knows every option and what follows it") {
  check_options("bash", told_by_bash());
  check_options("zsh", told_by_zsh());
  check_options("fish", told_by_fish());
}

TEST_CASE("the completions know which options have their value in the next word") {
  Words expected;
  for (const OptionRow& row : option_table()) {
    const bool command = takes_command(row);
    if (command || what_follows(row) != Follows::value) continue;
    for (const std::string_view name : names_of(row)) expected.emplace_back(name);
  }
  CHECK(words_of(between(bash(), "_ffind_options_with_value=\"", "\"")) == expected);
  CHECK(words_of(fish_list("with_value")) == expected);
}

TEST_CASE("the completions name the same types, kinds, fields, keys and words as the program") {
  Words types;
  for (const FileType type :
       {FileType::file, FileType::directory, FileType::symlink, FileType::socket, FileType::fifo,
        FileType::block, FileType::character}) {
    types.emplace_back(to_text(type));
  }
  check_list("types", types);
  check_list("kinds", strings(query::kind_names()));
  Words record_names;
  for (const output::RecordField& field : output::record_fields())
    record_names.emplace_back(field.name);
  check_list("fields", record_names);
  check_list("sort_keys", strings(sort_words()));
  Words where_words;
  for (const query::Field& field : query::fields()) where_words.emplace_back(field.name);
  for (const query::Flag& flag : query::flags()) where_words.emplace_back(flag.name);
  check_list("where_words", where_words);

  Words switches;
  for (const OptionRow& row : option_table()) {
    const std::string name(main_name(row));
    if (is_switch(row) && !name.starts_with("--no-")) switches.push_back(name.substr(2));
  }
  check_list("switches", switches);
}

TEST_CASE("the completions name the choices that options have") {
  Words counts = strings(words_in(option_of(Id::count).choices));
  counts.erase(counts.begin());  // what --count means anyway
  counts.insert(counts.end(), {"dir:1", "dir:2"});
  CHECK(words_of(between(bash(), "--count) _ffind_offer ", ";;")) == counts);
  std::string zsh_counts = between(zsh(), "::by:(", ")");
  zsh_counts.erase(std::remove(zsh_counts.begin(), zsh_counts.end(), '\\'), zsh_counts.end());
  CHECK(words_of(zsh_counts) == counts);
  CHECK(words_of(between(fish(), "-l count -f -a \"(__ffind_joined ", ")")) == counts);

  for (const std::string name : {"method", "reader"}) {
    INFO(name);
    const Words choices = strings(words_in(find_option("--" + name)->choices));
    CHECK(words_of(between(bash(), "--" + name + ") _ffind_offer ", ";;")) == choices);
    CHECK(words_of(between(zsh(), ":" + name + ":(", ")")) == choices);
    CHECK(words_of(between(fish(), "-l " + name + " -x -a \"(__ffind_words ", ")")) == choices);
  }
}

TEST_CASE("the completions name the shells that there are completions for") {
  const Words shells = strings(words_in(find_option("--completions")->choices));
  CHECK(words_of(between(bash(), "--completions) _ffind_offer ", ";;")) == shells);
  CHECK(words_of(between(zsh(), ":shell:(", ")")) == shells);
  CHECK(words_of(between(fish(), "-l completions -x -a \"(__ffind_words ", ")")) == shells);
}

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
