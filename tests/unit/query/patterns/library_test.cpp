// SPDX-License-Identifier: MIT
// Patterns of find, with a library in the place of the system's.
#include <fnmatch.h>

#include <memory>
#include <string>
#include <string_view>

#include "catch.h"
#include "query/patterns/pattern.h"
#include "random.h"

namespace library_test {

using namespace ffind::query;

namespace {

/// A glob that fnmatch(3) matches, and the number of times that it did.
struct Glob {
  Glob(const std::string& text, CaseRule rule)
      : pattern(compile_pattern({PatternKind::glob,
                                 text,
                                 rule,
                                 {},
                                 false,
                                 [this, text, rule](std::string_view subject) {
                                   ++calls;
                                   const int flags =
                                       rule == CaseRule::insensitive ? FNM_CASEFOLD : 0;
                                   return fnmatch(text.c_str(), std::string(subject).c_str(),
                                                  flags) == 0;
                                 }})) {
    calls = 0;
  }

  int calls = 0;
  std::unique_ptr<const Pattern> pattern;
};

}  // namespace

TEST_CASE("ASCII names under a plain glob are matched without the library") {
  Glob glob("*.C", CaseRule::sensitive);
  CHECK(glob.pattern->matches("a.C"));
  CHECK_FALSE(glob.pattern->matches("a.c"));
  CHECK(glob.calls == 0);
  CHECK(glob.pattern->matches("\xC3\xA9.C"));
  CHECK(glob.calls == 1);
}

TEST_CASE("stars in the middle of a glob match slashes without the library") {
  Glob glob("a*b*c", CaseRule::sensitive);
  CHECK(glob.pattern->matches("a/b/c"));
  CHECK(glob.pattern->matches("abbc"));
  CHECK(glob.calls == 0);
}

TEST_CASE("a locale that folds ASCII in its own way has its own answer") {
  // As in Turkish: i has a dot in upper case, too.
  const PatternSpec spec{
      PatternKind::glob, "*i", CaseRule::insensitive, {}, false, [](std::string_view subject) {
        return subject.ends_with('i');
      }};
  const auto pattern = compile_pattern(spec);
  CHECK(pattern->matches("i"));
  CHECK_FALSE(pattern->matches("I"));
}

TEST_CASE("plain globs match what fnmatch matches") {
  Random random;
  constexpr std::string_view letters = "ab.AB/?*";
  for (int round = 0; round < rounds(20000); ++round) {
    const auto text = [&](std::string_view from, std::size_t most) {
      std::string made;
      for (auto left = random() % (most + 1); left > 0; --left) {
        made += from[random() % from.size()];
      }
      return made;
    };
    const std::string glob = text(letters, 5);
    const std::string subject = text(letters.substr(0, 6), 6);
    for (const CaseRule rule : {CaseRule::sensitive, CaseRule::insensitive}) {
      const int flags = rule == CaseRule::insensitive ? FNM_CASEFOLD : 0;
      INFO(glob << " and " << subject);
      CHECK(Glob(glob, rule).pattern->matches(subject) ==
            (fnmatch(glob.c_str(), subject.c_str(), flags) == 0));
    }
  }
}

}  // namespace library_test
