// SPDX-License-Identifier: MIT
// Arguments in files: what a line says, which arguments survive, which line is to blame.
#include "cli/argument_file.h"

#include "catch.h"
#include "cli/arguments.h"
#include "ffind/issue.h"
#include "text/problem.h"

namespace argument_file_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

Words read(const std::string& text) {
  return read_arguments("file", text).arguments;
}

std::string problem_with(const std::string& text) {
  try {
    read(text);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return {};
}

/// The line that is named when `check` finds fault with the lines of `text`.
std::string blamed(const std::string& text, const OptionCheck& check) {
  try {
    options_of(read_arguments("file", text), check);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    return what.substr(0, what.find(':'));
  }
  return {};
}

void accept_all(const Options& /*options*/) {}

/// Refuses two options of which each may be there alone.
void exclude_json_and_long(const Options& options) {
  refuse_contradictions(options);
}

UsageError no_place_for(const std::string& option) {
  return UsageError(UsageParts{.what = "no place", .place = {.options = {option}}});
}

}  // namespace

TEST_CASE("a line is an argument, white space around it and comments are not") {
  CHECK(read("--json\n\n  -E\t\n\tnode modules \r\n# -l\n   # -l\n--color=always") ==
        Words{"--json", "-E", "node modules", "--color=always"});
  CHECK(read_arguments("file", "\n# x\n-E\n\na#b\n").lines == std::vector<std::size_t>{3, 5});
  CHECK(read("\xEF\xBB\xBF# x\r\n--json\r\n") == Words{"--json"});
  CHECK(read("").empty());
}

TEST_CASE("a line is an argument as it is") {
  CHECK(read(R"(\.cc$)") == Words{R"(\.cc$)"});
  CHECK(read(R"(--format=x"{path}")") == Words{R"(--format=x"{path}")"});
  CHECK(problem_with(std::string("-l\n\n-\0", 6)) ==
        "in file, line 3: not a text file: it contains a NUL byte");
}

TEST_CASE("an option and its value on one line are two arguments") {
  const std::string two = "in file, line 1: each line is one argument, but this looks like two";
  CHECK(problem_with("-E node_modules") == two);
  CHECK(problem_with("--color always") == two);
  CHECK(problem_with("--where\tsize > 10M") == two);
  CHECK(problem_with("--where=size > 10M").empty());
  CHECK(problem_with("-Enode modules").empty());
}

TEST_CASE("quotes that only a shell would drop are refused") {
  const std::string refusal =
      "in file, line 1: the quotes would be part of the value; a line needs none";
  for (const char* const line :
       {"--exclude='*.o'", "'*.o'", "-E\"a b\"", "\"a b\"", R"("a \"b\"")"}) {
    INFO(line);
    CHECK(problem_with(line) == refusal);
  }
  for (const char* const fine :
       {"--where=name = 'a b'", "c#", "--exclude=#x", "a~/b", "it's", "node_modules #x",
        "--where=name = 'a' or name = 'b'", "--exclude='a' or 'b'", "'"}) {
    INFO(fine);
    CHECK(problem_with(fine).empty());
  }
}

TEST_CASE("an argument that a line holds survives, others cannot be saved") {
  const Words words = {"-E", "a#b", "\"", "\\n", "a \"b\"", "-", "--", "-Eb c", "\xFF", "it's"};
  CHECK(read(lines_of(words)) == words);
  CHECK(lines_of({"-e", "\\.(cc|h)$", "a b"}) == "-e\n\\.(cc|h)$\na b\n");
  for (const char* const word : {"", " lead", "trail ", "#x", "a\nb", "\r", "\"q\"", "'a b'",
                                 "-E x", "--a b=c", "\xEF\xBB\xBF", "\t"}) {
    INFO(word);
    CHECK_THROWS_AS(lines_of({word}), UsageError);
  }
}

TEST_CASE("the line to blame is named") {
  CHECK(blamed("-l\n# x\n--colr\n-0\n", accept_all) == "in file, line 3");
  CHECK(blamed("-0\n-e\n--json\n-l\n-zl\n", accept_all) == "in file, line 5");
  CHECK(blamed("--size\n10M\n--size\n", accept_all) == "in file, line 3");
  CHECK(blamed("-L\n--json\n-E\na\n-l\n-a\n", exclude_json_and_long) == "in file, line 5");
  CHECK(blamed("-0\n-l\n", exclude_json_and_long).empty());
}

TEST_CASE("of an option and its value, the line with the fault is named") {
  const auto refuse = [](const Options& options) {
    for (const std::string& size : options.all(Id::size)) {
      if (size == "10Q") text::fail_at({"--size", ""}, size, 2, "no unit");
    }
  };
  CHECK(blamed("--size\n1\n--size\n10Q\n-l\n--size\n2\n", refuse) == "in file, line 4");
  const auto refuse_option = [](const Options& options) {
    if (options.has(Id::size)) throw no_place_for("--size");
  };
  CHECK(blamed("-l\n--size\n1\n-l\n", refuse_option) == "in file, line 2");
}

TEST_CASE("the line to blame is found among thousands without trying each") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "-E\nx\n";
  std::size_t tried = 0;
  const auto refuse = [&](const Options& options) {
    ++tried;
    if (options.has(Id::json)) throw no_place_for("--json");
  };
  CHECK(blamed(text + "--json\n" + text, refuse) == "in file, line 10001");
  CHECK(tried < 30);
}

}  // namespace argument_file_test
