// SPDX-License-Identifier: MIT
// Patterns: how case is settled, and that each spec becomes what is cheapest.
#include "query/patterns/pattern.h"

#include "catch.h"

namespace pattern_kinds_test {

using namespace ffind;
using namespace ffind::query;

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
  CHECK(pattern(PatternKind::glob, "*.c")->rules().folds());
  CHECK_FALSE(pattern(PatternKind::glob, "[A-Z]*")->rules().folds());
  CHECK(pattern(PatternKind::regex, "\\S+x")->rules().folds());
  CHECK_FALSE(pattern(PatternKind::regex, "\\S+X")->rules().folds());
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

TEST_CASE("with diacritics ignored an o is an ö, both ways and in every kind of pattern") {
  const auto finds = [](PatternKind kind, std::string text, std::string_view subject) {
    PatternSpec spec;
    spec.kind = kind;
    spec.text = std::move(text);
    spec.ignore_diacritics = true;
    return compile_pattern(spec)->matches(subject);
  };
  for (const char* subject : {"Größe.txt", "Gro\u0308ße.txt", "große.txt", "GROẞE.txt"}) {
    for (const char* typed : {"größe", "gro\u0308ße", "große"}) {
      const std::string text = typed;
      CHECK(finds(PatternKind::contains, text, subject));
      CHECK(finds(PatternKind::starts, text, subject));
      CHECK(finds(PatternKind::exact, text + ".txt", subject));
      CHECK(finds(PatternKind::glob, text + ".*", subject));
      CHECK(finds(PatternKind::glob, "[f-h]r[öx]?e.txt", subject));
      CHECK(finds(PatternKind::glob, "gr[!a]?e.txt", subject));
      CHECK(finds(PatternKind::regex, "^" + text + "\\.t.t$", subject));
    }
    CHECK(finds(PatternKind::regex, "^gr[\u00F6]\\x{DF}e", subject));
    CHECK(finds(PatternKind::regex, "^gr\\x{F6}+.e\\.", subject));
    CHECK(finds(PatternKind::regex, "^gro\u0308?ße", subject));
    CHECK_FALSE(finds(PatternKind::contains, "grosse", subject));
  }
  CHECK_FALSE(finds(PatternKind::contains, "Größe", "große"));  // smart case holds
  CHECK(finds(PatternKind::contains, "ö", "bad\xFF ö"));        // bytes as they are
  CHECK_FALSE(finds(PatternKind::contains, "o", "bad\xFF ö"));
  CHECK(finds(PatternKind::glob, "?", "o\u0308\u0323"));
  CHECK(finds(PatternKind::glob, "?", "가"));
  CHECK_FALSE(finds(PatternKind::contains, "가", "각"));
  CHECK_FALSE(pattern(PatternKind::contains, "o")->matches("ö"));
}

TEST_CASE("a letter is not found in the same letter with an accent") {
  for (const char* subject : {"caf\u00E9", "cafe\u0301", "cafe\u0301.d"}) {
    CHECK_FALSE(pattern(PatternKind::contains, "cafe")->matches(subject));
    CHECK_FALSE(pattern(PatternKind::contains, "e")->matches(subject));
    CHECK_FALSE(pattern(PatternKind::glob, "*e*")->matches(subject));
    CHECK(pattern(PatternKind::contains, "caf")->matches(subject));
    CHECK(pattern(PatternKind::contains, "café")->matches(subject));
  }
  CHECK(pattern(PatternKind::contains, "e")->matches("e\u0301 and an e"));
}

}  // namespace pattern_kinds_test
