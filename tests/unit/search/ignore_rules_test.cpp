// SPDX-License-Identifier: MIT
// Ignore files, sentence by sentence of gitignore(5).
#include "search/ignore_rules.h"

#include <array>
#include <ctime>
#include <string>
#include <string_view>

#include "catch.h"

namespace rules_test {

using namespace ffind;
using namespace ffind::search;

namespace {

constexpr auto none = IgnoreDecision::none;
constexpr auto ignored = IgnoreDecision::ignored;
constexpr auto included = IgnoreDecision::included;

/// What the rules say of `path`, of a directory if it ends with a slash.
IgnoreDecision say(const std::string& rules, std::string path) {
  const bool directory = path.back() == '/';
  if (directory) path.pop_back();
  const std::string name = path.substr(path.rfind('/') + 1);
  return IgnoreRules(rules).judge(IgnoreSubject(name, directory), path);
}

}  // namespace

TEST_CASE("ignore rules: case counts unless it is to be ignored") {
  const std::string text = "Name\n*.EXT\nsome/Path\npre*Tail\n/dir/*x[b]\n*y\\b*\n!NAME2\n";
  for (const std::string path : {"nAME", "a.eXt", "SOME/path", "PREfixTAIL", "DIR/aXB", "aYBc"}) {
    const std::string name = path.substr(path.rfind('/') + 1);
    INFO(path);
    CHECK(say(text, path) == none);
    CHECK(IgnoreRules(text, LetterCase::ignored)
              .judge(IgnoreSubject(name, false, LetterCase::ignored), path) == ignored);
  }
  CHECK(IgnoreRules(text + "name2\n", LetterCase::ignored)
            .judge(IgnoreSubject("Name2", false, LetterCase::ignored), "Name2") == ignored);
}

TEST_CASE("ignore rules: what stands behind the last wildcard must end the name") {
  CHECK(say("a*b*c\n", "axbxc") == ignored);
  CHECK(say("a*b*c\n", "axbxcd") == none);
  CHECK(say("[a*]c\n", "*c") == ignored);
  CHECK(say("?[a\\]b]c\n", "x]c") == ignored);
  CHECK(say("*\\c\n", "abc") == ignored);
  CHECK(say("x/**/b\n", "x/b") == ignored);
  CHECK(say("**/b\n", "b") == ignored);
  CHECK(say("x/**/a/b\n", "x/a/b") == ignored);
  CHECK(say("x/*\\/b\n", "x/y/b") == ignored);
  CHECK(say("ab*ab\n", "ab") == none);
}

TEST_CASE("ignore rules: blank lines and comments say nothing") {
  CHECK(IgnoreRules("").empty());
  CHECK(IgnoreRules("\n\r\n  \n# a\n#b").empty());
  CHECK(say("#a\n", "#a") == none);
  CHECK(say("\\#a\n", "#a") == ignored);
  CHECK(say(" #a\n", " #a") == ignored);
}

TEST_CASE("ignore rules: blanks at the end of a line are none of it, unless escaped") {
  CHECK(say("a  \n", "a") == ignored);
  CHECK(say("a\\ \n", "a ") == ignored);
  CHECK(say("a\\  \n", "a ") == ignored);
  CHECK(say("a b\n", "a b") == ignored);
  CHECK(say("a\t\n", "a\t") == ignored);
  CHECK(say("a\t\n", "a") == none);
}

TEST_CASE("ignore rules: line ends and the mark at the beginning of a file") {
  CHECK(say("a\r\nb\r\n", "a") == ignored);
  CHECK(say("a\r\nb", "b") == ignored);
  CHECK(say("a\r", "a") == ignored);
  CHECK(say("a\rb\n", "a\rb") == ignored);
  CHECK(say("\xEF\xBB\xBF"
            "a\n",
            "a") == ignored);
  CHECK(say("b\n\xEF\xBB\xBF"
            "a\n",
            "a") == none);
  CHECK(say(std::string("a\0b\n", 4), "a") == ignored);
}

TEST_CASE("ignore rules: the last rule that matches decides") {
  CHECK(say("*.o\n!a.o\n", "a.o") == included);
  CHECK(say("!a.o\n*.o\n", "a.o") == ignored);
  CHECK(say("a\n!a\na\n", "a") == ignored);
  CHECK(say("a*\n!ab\n", "ab") == included);
  CHECK(say("!ab\na*\n", "ab") == ignored);
  CHECK(say("x\n!a/\na\n!a/\n", "a/") == included);
  CHECK(say("x\n!a/\na\n!a/\n", "a") == ignored);
  CHECK(say("*\n!abc\n", "abc") == included);
  CHECK(say("*\n!abc\n", "abd") == ignored);
  CHECK(say("\\!a\n", "!a") == ignored);
  CHECK(say("!\n", "a") == none);
}

TEST_CASE("ignore rules: a slash at the beginning or in the middle ties a rule to its directory") {
  CHECK(say("a\n", "x/y/a") == ignored);
  CHECK(say("/a\n", "a") == ignored);
  CHECK(say("/a\n", "x/a") == none);
  CHECK(say("x/a\n", "x/a") == ignored);
  CHECK(say("x/a\n", "y/x/a") == none);
  CHECK(say("/x/a\n", "x/a") == ignored);
  CHECK(say("//a\n", "a") == none);
  CHECK(say("/*.c\n", "a.c") == ignored);
  CHECK(say("/*.c\n", "x/a.c") == none);
}

TEST_CASE("ignore rules: a slash at the end means directories only") {
  CHECK(say("a/\n", "a/") == ignored);
  CHECK(say("a/\n", "a") == none);
  CHECK(say("a/\n", "x/a/") == ignored);
  CHECK(say("*.d/\n", "a.d/") == ignored);
  CHECK(say("*.d/\n", "a.d") == none);
  CHECK(say("/x/a*/\n", "x/ab/") == ignored);
  CHECK(say("/x/a*/\n", "x/ab") == none);
  CHECK(say("/\n", "a/") == none);
}

TEST_CASE("ignore rules: two stars") {
  CHECK(say("**/foo\n", "foo") == ignored);
  CHECK(say("**/foo/bar\n", "x/foo/bar") == ignored);
  CHECK(say("abc/**\n", "abc/x/y") == ignored);
  CHECK(say("abc/**\n", "abc/") == none);
  CHECK(say("a/**/b\n", "a/x/y/b") == ignored);
  CHECK(say("foo/*/*\n", "foo/a/b/") == ignored);
  CHECK(say("foo**bar\n", "foobar") == ignored);
}

TEST_CASE("ignore rules: extensions of all kinds") {
  CHECK(say("*.o\n", ".o") == ignored);
  CHECK(say("*.o\n", "a.o.x") == none);
  CHECK(say("*.tar.gz\n", "a.tar.gz") == ignored);
  CHECK(say("*.tar.gz\n", "a.gz") == none);
  CHECK(say("*~\n", "a~") == ignored);
  CHECK(say("*.\n", "a.") == ignored);
  CHECK(say("*.O\n", "a.o") == none);
  CHECK(say(".o\n", "a.o") == none);
  CHECK(say("*.o\n!.o\n", "a.o") == ignored);
}

TEST_CASE("ignore rules: what git cannot read matches nothing, and harms no other rule") {
  CHECK(say("[\n[a\na[[:x:]]\nfoo\\\n", "a") == none);
  CHECK(say("[\na\n", "a") == ignored);
}

TEST_CASE("ignore rules: many rules are all found") {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    text += "n" + number + "\n*.e" + number + "\n/p/" + number + "\nd" + number + "/\n";
  }
  text += "!n7\n";
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    CHECK(say(text, "x/n" + number) == (i == 7 ? included : ignored));
    CHECK(say(text, "x.e" + number) == ignored);
    CHECK(say(text, "p/" + number) == ignored);
    CHECK(say(text, "q/" + number) == none);
    CHECK(say(text, "d" + number) == none);
    if (i > 20) i += 50;
  }
}

namespace {

/// Behind the ones before it, each of a pair leaves the same 44 bits at the end of FNV-1a's hash:
/// found by trying some millions. A table of up to 2^15 slots looks at no others.
constexpr std::array<std::array<std::string_view, 2>, 14> blocks_alike = {{
    {"sprxggpcto", "xpsmyzczpo"},
    {"hvrayiuwxa", "wgnmomctqm"},
    {"xafjvxlsal", "poglscpotl"},
    {"ifgcntcdhh", "uyferowlxa"},
    {"hxeypjnepo", "zeheiivjxh"},
    {"fvcrkhbutg", "gpycsszhon"},
    {"zgjchcbeof", "yleodalcxf"},
    {"kploirkgqc", "vxeexopeap"},
    {"ccakutvaxc", "xbtrqznpaq"},
    {"nmervotgpy", "psxrsllsdz"},
    {"liniiuruke", "gnpmqjnmze"},
    {"fvkvfgxefd", "zgiuihkiwx"},
    {"nysclxptqr", "sctldtllrp"},
    {"jmlwoiqtxh", "apjythrgjt"},
}};

/// One of 2^14 names that all belong to the same slot.
std::string name_alike(unsigned number) {
  std::string name;
  for (const auto& pair : blocks_alike) {
    name += pair[number & 1U];
    number >>= 1U;
  }
  return name;
}

}  // namespace

TEST_CASE("ignore rules: names that were made for one slot are loaded in no time") {
  constexpr unsigned count = 1U << blocks_alike.size();
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += name_alike(i) + "\n";
  const std::clock_t begin = std::clock();
  const IgnoreRules rules(text);
  // Searching for the slot of each among all before it takes fifty times as long: a second.
  CHECK(std::clock() - begin < 5 * CLOCKS_PER_SEC);
  for (const unsigned i : {0U, 1U, 127U, 128U, 129U, 5000U, count - 1}) {
    CAPTURE(i);
    const std::string name = name_alike(i);
    CHECK(rules.judge(IgnoreSubject(name, false), name) == ignored);
  }
  const std::string other = name_alike(0) + "x";
  CHECK(rules.judge(IgnoreSubject(other, false), other) == none);
}

TEST_CASE("ignore rules: the last rule decides also among names that were made for one slot") {
  std::string text;
  for (unsigned i = 0; i < 1000; ++i) text += name_alike(i) + "\n!" + name_alike(i) + "/\n";
  text += "!" + name_alike(7) + "\n!" + name_alike(900) + "\n" + name_alike(901) + "/\n";
  const IgnoreRules rules(text);
  const auto of = [&](unsigned i, bool directory) {
    const std::string name = name_alike(i);
    return rules.judge(IgnoreSubject(name, directory), name);
  };
  for (const unsigned i : {3U, 300U, 999U}) {
    CAPTURE(i);
    CHECK(of(i, false) == ignored);
    CHECK(of(i, true) == included);
  }
  CHECK(of(7, false) == included);
  CHECK(of(900, false) == included);
  CHECK(of(901, true) == ignored);
}

TEST_CASE("ignore rules: braces become a line for each alternative") {
  CHECK(with_braces_spelt_out("*.c\n# {a}\n\\{x") == "*.c\n# {a}\n\\{x\n");
  CHECK(with_braces_spelt_out("*.{c,h}\r\n!{a,b{1,2}}\n") == "*.c\n*.h\n!a\n!b1\n!b2\n");
  CHECK(with_braces_spelt_out("{a/b,c}\n{d,e}/\n/{f,g}\n") == "/a/b\n/c\nd/\ne/\n/f\n/g\n");
  CHECK(with_braces_spelt_out("a{b\na}b\n[{]\na{,b}\n{}x\n") == "[{]\nab\nx\n");
  CHECK(with_braces_spelt_out(std::string(20, '{')).empty());
}

}  // namespace rules_test
