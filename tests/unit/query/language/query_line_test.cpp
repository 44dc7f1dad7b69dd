// SPDX-License-Identifier: MIT
// What the terms of a query mean, spelt in the expression language, and where a caret stands under
// those that are not understood.
#include "query/language/query_line.h"

#include "catch.h"
#include "ffind/query.h"
#include "text/problem.h"

namespace query_line_test {

using namespace ffind;
using namespace ffind::query;

namespace {

std::string meaning(const std::string& text, std::string_view subject = "path",
                    CaseRule rule = CaseRule::smart) {
  const QueryContext context{.clock = {{1'773'576'000}}};
  const Typed typed{text, {"--query", ""}};
  return to_text(parse_query_line(typed, *find_field(subject), {context, rule}));
}

struct Problem {
  std::size_t place;
  std::string what;
};

Problem problem(const std::string& text) {
  try {
    return {std::string::npos, meaning(text)};
  } catch (const text::ValueError& error) {
    return {error.position(), error.what()};
  }
}

}  // namespace

TEST_CASE("a query's words are all in the path") {
  CHECK(meaning("annual report") == "path contains \"annual\" and path contains \"report\"");
  CHECK(meaning("  src/main\t") == "path contains \"src/main\"");
  CHECK(meaning("report", "name") == "name contains \"report\"");
  CHECK(meaning("don't") == "path contains \"don't\"");
  CHECK(meaning("") == meaning("  "));
}

TEST_CASE("a query's word with a wildcard is a glob of the name") {
  CHECK(meaning("IMG_*.jp?g") == "name glob \"IMG_*.jp?g\"");
  CHECK(meaning("\"a*b\"") == "path contains \"a*b\"");
  CHECK(meaning("*.c", "path") == "name glob \"*.c\"");
}

TEST_CASE("a query's FIELD:VALUE is the field of the language") {
  CHECK(meaning("ext:pdf,docx") == "ext in (pdf, docx)");
  CHECK(meaning("size:>1000") == "size >= 1001");
  CHECK(meaning("size:>=1000") == "size >= 1000");
  CHECK(meaning("links:2") == "links = 2");
  CHECK(meaning("Kind:image") == "kind = image");
  CHECK(meaning("depth:<3") == "depth <= 2");
  CHECK(meaning("name:report") == "name contains \"report\"");
  CHECK(meaning("name:=Makefile") == "name is \"Makefile\"");
  CHECK(meaning("name:~^lib") == "name ~ \"^lib\"");
  CHECK(meaning("path:src/*.c") == "path glob \"src/*.c\"");
  CHECK(meaning("tag:Red") == "tag is \"Red\"");
  CHECK(meaning("comment:\"to do\"") == "comment contains \"to do\"");
  CHECK(meaning("has:.git") == "has .git");
}

TEST_CASE("a query's is: names types and flags") {
  CHECK(meaning("is:dir") == "type = directory");
  CHECK(meaning("is:FOLDER") == "type = directory");
  CHECK(meaning("is:link") == "type = symlink");
  CHECK(meaning("is:file is:empty") == "type = file and empty");
}

TEST_CASE("a query excludes by a dash that a term follows") {
  CHECK(meaning("-draft") == "not path contains \"draft\"");
  CHECK(meaning("-ext:o") == "not ext in (o)");
  CHECK(meaning("-is:dir") == "not type = directory");
  CHECK(meaning("-\"a b\"") == "not path contains \"a b\"");
  CHECK(meaning("a - b") == "path contains \"a\" and path contains \"-\" and path contains \"b\"");
  CHECK(meaning("\"-x\"") == "path contains \"-x\"");
  CHECK(meaning("a-b") == "path contains \"a-b\"");
}

TEST_CASE("a query's quotes keep blanks, and a backslash keeps quotes") {
  CHECK(meaning("\"annual report\" 2026") ==
        "path contains \"annual report\" and path contains \"2026\"");
  CHECK(meaning("\"a\\\"b\"") == "path contains \"a\\\"b\"");
  CHECK(meaning("\"ext:pdf\"") == "path contains \"ext:pdf\"");
}

TEST_CASE("a query excludes by an exclamation mark, too") {
  CHECK(meaning("!draft") == meaning("-draft"));
  CHECK(meaning("!ext:o") == meaning("-ext:o"));
  CHECK(meaning("\"!x\"") == "path contains \"!x\"");
  CHECK(meaning("a!b") == "path contains \"a!b\"");
}

TEST_CASE("a query's alternatives bind tighter than the blank") {
  CHECK(meaning("a | b") == "path contains \"a\" or path contains \"b\"");
  CHECK(meaning("x a | b y") ==
        "path contains \"x\" and (path contains \"a\" or path contains \"b\") and path contains "
        "\"y\"");
  CHECK(meaning("ext:c | is:dir") == "ext in (c) or type = directory");
  CHECK(meaning("a | -b") == "path contains \"a\" or not path contains \"b\"");
  CHECK(meaning("x a|b y") == meaning("x a | b y"));
  CHECK(meaning("ext:c|-\"b\"|^d") == meaning("ext:c | -\"b\" | ^d"));
  CHECK(meaning("name:~a|b") == "name ~ \"a|b\"");
  CHECK(meaning("\"a|b\"") == "path contains \"a|b\"");
  CHECK(meaning("a||b") == "path contains \"a||b\"");
  CHECK(meaning("\"|\"") == "path contains \"|\"");
}

TEST_CASE("a query's anchors are at the ends of the name, or of a path with a slash") {
  CHECK(meaning("^lib") == "name starts with \"lib\"");
  CHECK(meaning("lib$") == "name ends with \"lib\"");
  CHECK(meaning("^lib$") == "name is \"lib\"");
  CHECK(meaning("^src/a") == "path starts with \"src/a\"");
  CHECK(meaning("src/a$") == "path ends with \"src/a\"");
  CHECK(meaning("!^lib") == "not name starts with \"lib\"");
  CHECK(meaning("^a?c") == "name glob \"a?c*\"");
  CHECK(meaning("a?c$") == "name glob \"*a?c\"");
  CHECK(meaning("^a?c$") == "name glob \"a?c\"");
  CHECK(meaning("src/*.c$") == "path glob \"**/src/*.c\"");
  CHECK(meaning("^\"a b\"$") == "name is \"a b\"");
  CHECK(meaning("\"^a$\"") == "path contains \"^a$\"");
  CHECK(meaning("name:~^a$") == "name ~ \"^a$\"");
}

TEST_CASE("a colon behind no field belongs to a query's word") {
  CHECK(meaning("12:30") == "path contains \"12:30\"");
  CHECK(meaning("http://x") == "path contains \"http://x\"");
  CHECK(meaning("std::sort") == "path contains \"std::sort\"");
  CHECK(meaning("c:") == "path contains \"c:\"");
}

TEST_CASE("a query's mistakes are shown where they are") {
  const struct {
    const char* text;
    std::size_t place;
    const char* part;
  } rows[] = {
      {"report size:", 12, "a value is missing, as in size:>10M"},
      {"size:>", 6, "a value is missing"},
      {"modified:", 9, "as in modified:7d"},
      {"is:", 3, "a word is missing, as in is:dir"},
      {"a is:emty", 5, "did you mean 'empty'?"},
      {"sise:>1M", 0, "did you mean 'size'?"},
      {"a \"b c", 6, "unclosed quote"},
      {"kind:nonsense", 5, "nonsense"},
      {"size:>1Q", 7, "1Q"},
      {"name:~(", 6, "("},
      {"ext:pdf,,doc", 8, "an extension is missing"},
      {"a DM:today", 2, "unknown field 'DM'"},
      {"nonsense:x", 0, "unknown field 'nonsense'. Quote it"},
      {"a !", 2, "a word is missing at !, as in !draft"},
      {"a |", 2, "a word is missing at |, as in report | invoice"},
      {"| a", 0, "a word is missing at |"},
      {"a | | b", 4, "a word is missing at |"},
      {"a ^ b", 2, "a word is missing at ^, as in ^report"},
      {"$", 0, "a word is missing at $, as in report$"},
      {"a -^", 2, "a word is missing at -^"},
      {"a NOT b", 2, "NOT is written - before the word"},
      {"a OR b", 2, "OR is written |"},
      {"a && b", 2, "&& is not needed"},
      {"c <a b>", 2, "< > do not group"},
  };
  for (const auto& row : rows) {
    const Problem found = problem(row.text);
    INFO(row.text << ": " << found.what);
    CHECK(found.place == row.place);
    CHECK(found.what.find(row.part) != std::string::npos);
  }
}

TEST_CASE("the terms of a query that is being typed know their places") {
  const Typed typed{"inv ext:p -size:> \"open", {"--query", ""}};
  const std::vector<Alternatives> terms = terms_of(typed);
  REQUIRE(terms.size() == 4);
  CHECK(terms[0][0].field == nullptr);
  CHECK(terms[1][0].field == find_field("ext"));
  CHECK((terms[1][0].begin == 4 && terms[1][0].end == 9));
  CHECK((terms[2][0].excluded && terms[2][0].op == Operator::more));
  CHECK(terms[2][0].value.text.empty());
  CHECK(terms[3][0].is_open);
}

TEST_CASE("lone signs of a query that is being typed come last, each by itself") {
  const Typed typed{"! a | b | | c $", {"--query", ""}};
  const std::vector<Alternatives> terms = terms_of(typed);
  REQUIRE(terms.size() == 4);
  CHECK(terms[0].size() == 3);
  for (std::size_t i = 1; i < 4; ++i) CHECK((terms[i].size() == 1 && terms[i][0].is_lone));
}

}  // namespace query_line_test
