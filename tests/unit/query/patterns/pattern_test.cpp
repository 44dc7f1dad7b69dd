// SPDX-License-Identifier: MIT
// Patterns: how case is settled, and that each spec becomes what is cheapest.
#include "query/patterns/pattern.h"

#include "catch.h"

using namespace ffind;

namespace {

std::unique_ptr<const Pattern> pattern(PatternKind kind, std::string text,
                                       CaseRule rule = CaseRule::smart) {
  return compile_pattern({kind, std::move(text), rule, {}});
}

}  // namespace

TEST_CASE("smart case ignores case until the pattern has upper case") {
  CHECK(pattern(PatternKind::contains, "report")->matches("REPORT.pdf"));
  CHECK_FALSE(pattern(PatternKind::contains, "Report")->matches("REPORT.pdf"));
  CHECK(pattern(PatternKind::exact, "größe")->matches("GRÖẞE"));
  CHECK(pattern(PatternKind::glob, "*.c")->ignores_case());
  CHECK_FALSE(pattern(PatternKind::glob, "[A-Z]*")->ignores_case());
  CHECK(pattern(PatternKind::regex, "\\S+x")->ignores_case());
  CHECK_FALSE(pattern(PatternKind::regex, "\\S+X")->ignores_case());
}

TEST_CASE("a case rule overrides smart case") {
  CHECK(pattern(PatternKind::contains, "REPORT", CaseRule::insensitive)->matches("report"));
  CHECK_FALSE(pattern(PatternKind::regex, "r.port", CaseRule::sensitive)->matches("REPORT"));
}

TEST_CASE("every kind publishes what its matches contain") {
  CHECK(pattern(PatternKind::ends, ".PDF", CaseRule::insensitive)->required_literal() == ".pdf");
  CHECK(pattern(PatternKind::glob, "*.tar.*")->required_literal() == ".tar.");
  CHECK(pattern(PatternKind::glob, "a*bcd?e")->required_literal() == "bcd");
  CHECK(pattern(PatternKind::glob, "**/lib[0-9].so")->required_literal() == "lib");
  CHECK(pattern(PatternKind::glob, "*.{c,h}")->required_literal().empty());
  CHECK(pattern(PatternKind::regex, "[0-9]+\\.c")->required_literal() == ".c");
  CHECK(pattern(PatternKind::regex, "\\.h$")->required_literal() == ".h");
}

TEST_CASE("an expression that is a literal costs what a literal costs") {
  const int literal = pattern(PatternKind::ends, ".h")->cost();
  CHECK(pattern(PatternKind::regex, "\\.h$")->cost() == literal);
  CHECK(pattern(PatternKind::regex, ".*\\.h$")->cost() == literal);
  CHECK(pattern(PatternKind::regex, "[0-9]+h")->cost() > literal);
}

TEST_CASE("an anchored literal expression holds on to its anchors") {
  CHECK(pattern(PatternKind::regex, "\\.h$")->matches("a.H"));
  CHECK_FALSE(pattern(PatternKind::regex, "\\.h$")->matches("a.hh"));
  CHECK_FALSE(pattern(PatternKind::regex, "\\.h$")->matches("a.h\n"));
  CHECK(pattern(PatternKind::regex, "^make")->matches("Makefile"));
  CHECK_FALSE(pattern(PatternKind::regex, "^file")->matches("Makefile"));
  CHECK(pattern(PatternKind::regex, "^Makefile$")->matches("Makefile"));
}

TEST_CASE("what cannot be compiled is the user's mistake") {
  CHECK_THROWS_AS(pattern(PatternKind::regex, "[a"), UsageError);
  CHECK_THROWS_AS(pattern(PatternKind::glob, "[a"), UsageError);
  CHECK_NOTHROW(pattern(PatternKind::contains, "[a"));
}
