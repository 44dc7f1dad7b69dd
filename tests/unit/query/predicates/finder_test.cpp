// SPDX-License-Identifier: MIT
// Tests of tags, comments, origins and attributes, on entries whose loader has them in hand.
#include "catch.h"
#include "query/predicates/predicates.h"

namespace finder_test {

using namespace ffind;
using namespace ffind::query;

namespace {

struct Loader final : EntryLoader {
  FinderMetadata finder{};
  bool readable = true;
  std::string name{};
  AttributeValue value{};

  void load(Entry& entry, Needs wanted) override {
    entry.finder = &finder;
    (readable ? entry.present : entry.failed) |= wanted;
  }
  bool attribute(Entry&, std::string_view asked, AttributeValue* into) override {
    if (asked != name) return false;
    if (into != nullptr) *into = value;
    return true;
  }
};

PatternSpec spec(const std::string& text, PatternKind kind = PatternKind::exact) {
  PatternSpec made;
  made.kind = kind;
  made.text = text;
  return made;
}

bool holds(const TestPointer& test, Loader& loader) {
  Entry entry;
  entry.name = "x";
  entry.loader = &loader;
  return test->holds(entry);
}

}  // namespace

TEST_CASE("a tag is found by its name, smart case") {
  Loader loader;
  loader.finder.tags = {{"Work", 0}, {"Important", 6}};
  CHECK(holds(text_test(tag_row, spec("work")), loader));
  CHECK_FALSE(holds(text_test(tag_row, spec("WORK")), loader));
  CHECK(holds(text_test(tag_row, spec("port", PatternKind::contains)), loader));
  CHECK_FALSE(holds(text_test(tag_row, spec("port")), loader));
}

TEST_CASE("a tag is found by the English name of its colour, in any case") {
  Loader loader;
  loader.finder.tags = {{"Wichtig", 6}};
  CHECK(holds(text_test(tag_row, spec("Red")), loader));
  CHECK(holds(text_test(tag_row, spec("RED")), loader));
  CHECK_FALSE(holds(text_test(tag_row, spec("blue")), loader));
  CHECK_FALSE(holds(text_test(tag_row, spec("re", PatternKind::contains)), loader));
  loader.finder.tags = {{"Alt", 1}};
  CHECK(holds(text_test(tag_row, spec("grey")), loader));
  CHECK(holds(text_test(tag_row, spec("Gray")), loader));
}

TEST_CASE("untagged is what has no tag, not what cannot be read") {
  Loader loader;
  CHECK(holds(flag_test("untagged"), loader));
  loader.finder.tags = {{"x", 0}};
  CHECK_FALSE(holds(flag_test("untagged"), loader));
  loader.finder.tags.clear();
  loader.readable = false;
  CHECK_FALSE(holds(flag_test("untagged"), loader));
}

TEST_CASE("no comment matches no pattern, not even one that all texts match") {
  Loader loader;
  CHECK_FALSE(holds(text_test(comment_row, spec("", PatternKind::regex)), loader));
  loader.finder.comment = "see the Report";
  CHECK(holds(text_test(comment_row, spec("report", PatternKind::contains)), loader));
}

TEST_CASE("any of the origins may match") {
  Loader loader;
  loader.finder.where_froms = {"https://a.example/x", "https://b.example/"};
  CHECK(holds(text_test(where_from_row, spec("b.example", PatternKind::contains)), loader));
  CHECK_FALSE(holds(text_test(where_from_row, spec("c.example", PatternKind::contains)), loader));
}

TEST_CASE("flags of the Finder") {
  Loader loader;
  CHECK_FALSE(holds(flag_test("alias"), loader));
  loader.finder.flags.alias = true;
  CHECK(holds(flag_test("alias"), loader));
  CHECK_FALSE(holds(flag_test("invisible"), loader));
}

TEST_CASE("an attribute is found by its name, whatever its value") {
  Loader loader;
  loader.name = "user.x";
  CHECK(holds(attribute_test("user.x"), loader));
  CHECK_FALSE(holds(attribute_test("user.y"), loader));
}

TEST_CASE(
    "the value of an attribute is its bytes without the NUL that programs write behind them") {
  Loader loader;
  loader.name = "user.x";
  loader.value.bytes = std::string("text\0", 5);
  CHECK(holds(attribute_test("user.x", spec("text")), loader));
  CHECK_FALSE(holds(attribute_test("user.y", spec("text")), loader));
  loader.value.bytes = "bplist00...";
  loader.value.texts = {"Red\n6"};
  CHECK(holds(attribute_test("user.x", spec("Red", PatternKind::starts)), loader));
}

TEST_CASE("tests of attributes are spelt as the language reads them") {
  CHECK(text_test(tag_row, spec("Red"))->text() == "tag is \"Red\"");
  CHECK(flag_test("untagged")->text() == "untagged");
  CHECK(text_test(comment_row, spec("x", PatternKind::contains))->text() ==
        "comment contains \"x\"");
  PatternSpec cased = spec("x", PatternKind::contains);
  cased.case_rule = CaseRule::sensitive;
  cased.ignore_diacritics = true;
  CHECK(text_test(where_from_row, cased)->text() == "where_from case nodiacritics contains \"x\"");
  CHECK(attribute_test("user.x")->text() == "xattr = \"user.x\"");
  CHECK(attribute_test("user.x", spec("v", PatternKind::contains))->text() ==
        "xattr \"user.x\" contains \"v\"");
  CHECK(flag_test("invisible")->text() == "invisible");
}

}  // namespace finder_test
