// SPDX-License-Identifier: MIT
// Where a search looks for attributes, and what it does not ask for.
#include <cerrno>

#include "catch.h"
#include "fakes/search_harness.h"
#include "unit/os/formats/finder_data.h"

namespace attributes_test {

using namespace ffind;
using ffind::testing::finder_data;

namespace {

constexpr const char* tags = "user.com.apple.metadata:_kMDItemUserTags";

query::PatternSpec word(const std::string& text) {
  query::PatternSpec spec;
  spec.kind = query::PatternKind::exact;
  spec.text = text;
  return spec;
}

Paths found(FakeFileSystem& files, const query::TestPointer& test, CollectingSink& sink,
            const Task& task = task_from(".", 1)) {
  Query query;
  query.where = Expression::of(test);
  search_fake(files, query, sink, task);
  return sink.sorted();
}

Paths found(FakeFileSystem& files, const query::TestPointer& test) {
  CollectingSink sink;
  return found(files, test, sink);
}

void add_double(FakeFileSystem& files, const std::string& path, const std::string& data) {
  files.add_file(path, finder_data(data));
}

}  // namespace

TEST_CASE("a search by name alone asks for no attributes") {
  FakeFileSystem files;
  files.add("a/one.txt");
  CollectingSink sink;
  Query query;
  query.where = name_glob("*.txt");
  search_fake(files, query, sink);
  CHECK(files.asked_for_attributes.empty());
  CHECK(files.files_opened.empty());
  CHECK(files.statted.empty());
}

TEST_CASE("of a file without attributes only their names are asked for") {
  FakeFileSystem files;
  files.add("a/one.txt");
  found(files, query::text_test(query::tag_row, word("Red")));
  CHECK(files.asked_for_attributes == Paths{"a", "a/one.txt"});
  CHECK(files.asked_for_value.empty());
  CHECK(files.files_opened == Paths{"._a", "a/._one.txt"});
}

TEST_CASE("only attributes of the Finder's are read for tags") {
  FakeFileSystem files;
  files.add("one");
  files.attributes["one"] = {{"security.selinux", "x"}, {tags, finder_data("tags.bplist")}};
  CHECK(found(files, query::text_test(query::tag_row, word("Red"))) == Paths{"one"});
  CHECK(files.asked_for_value == Paths{std::string("one ") + tags});
}

TEST_CASE("tags lie in the file, in Samba's streams or in a file beside it") {
  FakeFileSystem files;
  for (const char* const name : {"own", "samba", "beside", "none", "desktop"}) files.add(name);
  files.attributes["own"][tags] = finder_data("tags.bplist");
  files.attributes["samba"]["user.DosStream.com.apple.metadata\xEF\x80\xA2_kMDItemUserTags:$DATA"] =
      finder_data("tags.bplist") + '\0';
  files.attributes["desktop"]["user.xdg.tags"] = "red,work";
  add_double(files, "._beside", "two_attributes.double");
  CHECK(found(files, query::text_test(query::tag_row, word("Red"))) ==
        Paths{"beside", "desktop", "own", "samba"});
  CHECK(found(files, query::flag_test("untagged")) == Paths{"._beside", "none"});
}

TEST_CASE("a file beside is no source for itself, nor has it one") {
  FakeFileSystem files;
  add_double(files, "._x", "two_attributes.double");
  CHECK(found(files, query::text_test(query::tag_row, word("Red"))).empty());
  CHECK(files.files_opened.empty());
}

TEST_CASE("no file beside is opened where no listed name begins with ._") {
  FakeFileSystem files;
  for (int i = 10; i < 60; ++i) files.add("a/" + std::to_string(i));
  for (int i = 10; i < 15; ++i) files.add("c/" + std::to_string(i));
  add_double(files, "c/._14", "two_attributes.double");
  const auto block = GENERATE(values<std::size_t>({1000, 7}));
  files.entries_per_block = block;
  CHECK(found(files, query::text_test(query::tag_row, word("Red"))) == Paths{"c/14"});
  // The first two of a directory are looked for before it is listed.
  CHECK(files.files_opened ==
        Paths{"._a", "._c", "c/._10", "c/._11", "c/._12", "c/._13", "c/._14", "a/._10", "a/._11"});
}

TEST_CASE("a root that is a file may have a file beside, although nothing was listed") {
  FakeFileSystem files;
  files.add("d/photo");
  add_double(files, "d/._photo", "two_attributes.double");
  CollectingSink sink;
  CHECK(found(files, query::text_test(query::tag_row, word("Red")), sink,
              task_from("d/photo", 1)) == Paths{"photo"});
  CHECK(files.files_opened == Paths{"d/._photo"});
}

TEST_CASE("an attribute is found under its own name and as others store it") {
  FakeFileSystem files;
  for (const char* const name : {"exact", "user", "samba", "beside", "none"}) files.add(name);
  files.attributes["exact"]["com.example"] = "v";
  files.attributes["user"]["user.com.example"] = "v";
  files.attributes["samba"]["user.DosStream.com.example:$DATA"] = std::string("v\0", 2);
  add_double(files, "._beside", "two_attributes.double");
  CHECK(found(files, query::attribute_test("com.example")) == Paths{"exact", "samba", "user"});
  CHECK(files.asked_for_value.empty());
  CHECK(found(files, query::attribute_test("com.example", word("v"))) ==
        Paths{"exact", "samba", "user"});
  CHECK(found(files, query::attribute_test("com.apple.quarantine", word("0083;5e"))) ==
        Paths{"beside"});
}

TEST_CASE("a volume without attributes is no issue, a refusal is one issue a file") {
  FakeFileSystem files;
  files.add("one");
  files.attributes["one"] = {{"user.xdg.tags", "x"}, {"user.xdg.comment", "y"}};
  const int error = GENERATE(values<int>({ENOTSUP, EACCES}));
  files.attribute_errors["one user.xdg.tags"] = error;
  files.attribute_errors["one user.xdg.comment"] = error;
  CollectingSink sink;
  CHECK(found(files, query::flag_test("untagged"), sink) ==
        (error == EACCES ? Paths{} : Paths{"one"}));
  CHECK(sink.issues.size() == (error == EACCES ? 1 : 0));
}

TEST_CASE("beside a refusal what was read counts, and what was not found is unknown") {
  FakeFileSystem files;
  files.add("one");
  files.add("two");
  files.attributes["one"] = {{"user.xdg.tags", "x"}, {"user.xdg.comment", "y"}};
  files.attributes["two"] = {{"user.xdg.tags", "x"}, {"user.xdg.comment", "y"}};
  files.attribute_errors["one user.xdg.tags"] = EACCES;
  files.attribute_errors["two user.xdg.comment"] = EACCES;
  const auto not_found = [&](const query::TestPointer& test) {
    CollectingSink sink;
    Query query;
    query.where = Expression::negation(Expression::of(test));
    search_fake(files, query, sink);
    return sink.paths;
  };
  CHECK(found(files, query::text_test(query::comment_row, word("y"))) == Paths{"one"});
  CHECK(found(files, query::text_test(query::tag_row, word("x"))) == Paths{"two"});
  CHECK(found(files, query::flag_test("untagged")).empty());
  CHECK(not_found(query::flag_test("untagged")) == Paths{"two"});
  CHECK(not_found(query::text_test(query::tag_row, word("Red"))).empty());
  CHECK(not_found(query::text_test(query::tag_row, word("x"))).empty());
}

TEST_CASE("what vanished before its attributes were listed is counted, not reported") {
  FakeFileSystem files;
  files.add("one");
  files.attribute_errors["one"] = ENOENT;
  CollectingSink sink;
  Query query;
  query.where = Expression::of(query::flag_test("untagged"));
  const SearchResult result = search_fake(files, query, sink);
  CHECK(sink.paths.empty());
  CHECK(sink.issues.empty());
  CHECK(result.statistics.vanished == 1);
}

}  // namespace attributes_test
