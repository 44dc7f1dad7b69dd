// SPDX-License-Identifier: MIT
// Verdicts: what is emitted, what is entered, and what an entry is asked for on the way.
#include "ffind/query.h"

#include <limits>

#include "catch.h"
#include "query/predicates/predicates.h"

namespace matcher_test {

using namespace ffind;
using namespace ffind::query;

namespace {

/// Gives metadata of a file of 100 bytes and counts how often it was asked.
class CountingLoader final : public EntryLoader {
 public:
  int loads = 0;
  Needs asked = needs::none;

  void load(Entry& entry, Needs wanted) override {
    ++loads;
    asked |= wanted;
    entry.metadata.size = 100;
    entry.present |= wanted;
  }
};

Entry entry_of(std::string_view name, FileType type, std::uint32_t depth = 1) {
  Entry entry;
  entry.name = name;
  entry.type = type;
  entry.depth = depth;
  entry.present = needs::type;
  return entry;
}

Expression glob(const std::string& text) {
  PatternSpec spec;
  spec.kind = PatternKind::glob;
  spec.text = text;
  return Expression::of(pattern_test(Subject::name, spec));
}

Verdict judge(const Query& query, Entry entry) {
  return Matcher(query).judge(entry);
}

}  // namespace

TEST_CASE("an empty query emits everything and enters directories") {
  const Verdict file = judge({}, entry_of("a", FileType::file));
  CHECK(file.emit);
  CHECK_FALSE(file.descend());
  CHECK(judge({}, entry_of("a", FileType::directory)).descend());
}

TEST_CASE("a directory whose name does not match is entered all the same") {
  Query query;
  query.where = glob("*.txt");
  const Verdict verdict = judge(query, entry_of("a", FileType::directory));
  CHECK_FALSE(verdict.emit);
  CHECK(verdict.descend());
}

TEST_CASE("what cannot be known of an entry neither holds nor does its negation") {
  class FailingLoader final : public EntryLoader {
    void load(Entry& entry, Needs wanted) override { entry.failed |= wanted; }
  };
  const auto emits = [](Expression where, bool fails) {
    FailingLoader failing;
    CountingLoader hundred;
    Entry entry = entry_of("a.txt", FileType::file);
    entry.loader = fails ? static_cast<EntryLoader*>(&failing) : &hundred;
    Query query;
    query.where = std::move(where);
    return judge(query, entry).emit;
  };
  const Expression large = Expression::of(range_test(size_row, {200, 300}));
  const Expression txt = glob("*.txt");
  const Expression other = glob("*.c");
  const auto no = [](const Expression& e) { return Expression::negation(e); };
  for (const Expression& unknown :
       {large, no(large), no(no(large)), no(Expression::all({large, txt})),
        no(Expression::any({large, other})), Expression::all({no(large), txt}),
        no(Expression::all({txt, no(large)})),
        no(Expression::all({txt, no(Expression::any({other, no(large)}))}))}) {
    CHECK_FALSE(emits(unknown, true));
  }
  CHECK(emits(no(large), false));
  CHECK(emits(no(Expression::all({large, other})), true));
  CHECK(emits(Expression::any({no(large), txt}), true));
  CHECK_FALSE(emits(no(Expression::any({large, txt})), true));
}

TEST_CASE("depths bound what is emitted below and what is entered above") {
  Query query;
  query.scope.min_depth = 2;
  query.scope.max_depth = 2;
  CHECK_FALSE(judge(query, entry_of("a", FileType::directory, 1)).emit);
  CHECK(judge(query, entry_of("a", FileType::directory, 1)).descend());
  CHECK(judge(query, entry_of("a", FileType::directory, 2)).emit);
  CHECK_FALSE(judge(query, entry_of("a", FileType::directory, 2)).descend());
}

TEST_CASE("what is excluded is neither emitted nor entered, what is pruned is emitted") {
  Query query;
  query.scope.exclude = glob("build");
  query.scope.prune = glob(".git");
  const Verdict excluded = judge(query, entry_of("build", FileType::directory));
  CHECK_FALSE(excluded.emit);
  CHECK_FALSE(excluded.descend());
  CHECK(excluded.excluded());
  const Verdict pruned = judge(query, entry_of(".git", FileType::directory));
  CHECK(pruned.emit);
  CHECK_FALSE(pruned.descend());
  CHECK_FALSE(pruned.excluded());
}

TEST_CASE("a package is emitted, not entered, and only when that was asked for") {
  Query query;
  CHECK(judge(query, entry_of("Safari.app", FileType::directory)).descend());
  query.scope.skip_packages = true;
  const Verdict package = judge(query, entry_of("Safari.app", FileType::directory));
  CHECK(package.emit);
  CHECK_FALSE(package.descend());
  CHECK(judge(query, entry_of("Safari", FileType::directory)).descend());
  CHECK(judge(query, entry_of("Safari.app", FileType::directory, 0)).descend());
}

TEST_CASE("what the Finder marks is a package whatever it is called") {
  Query query;
  query.scope.skip_packages = true;
  Entry marked = entry_of("Odd", FileType::directory);
  marked.bundle = true;
  CHECK(judge(query, marked).descend());  // nobody has looked
  marked.present |= needs::bundle;
  CHECK_FALSE(judge(query, marked).descend());
  CHECK(judge({}, marked).descend());
  marked.depth = 0;
  CHECK(judge(query, marked).descend());
}

TEST_CASE("the Finder's mark is asked for where nothing else has decided") {
  Query query;
  query.scope.skip_packages = true;
  query.scope.prune = glob("build");
  query.scope.max_depth = 2;
  const Matcher matcher(query);
  CHECK((matcher.needs() & needs::bundle) != 0);
  CHECK((Matcher({}).needs() & needs::bundle) == 0);
  CountingLoader loader;
  const auto ask = [&](Entry entry) {
    entry.loader = &loader;
    matcher.judge(entry);
    return loader.loads;
  };
  CHECK(ask(entry_of("a.app", FileType::directory)) == 0);
  CHECK(ask(entry_of("build", FileType::directory)) == 0);
  CHECK(ask(entry_of("a", FileType::directory, 2)) == 0);
  CHECK(ask(entry_of("a", FileType::file)) == 0);
  CHECK(ask(entry_of("a", FileType::directory)) == 1);
  CHECK(loader.asked == needs::bundle);
}

TEST_CASE("whether the way to a root leads through a package is told without a loader") {
  Query query;
  query.scope.skip_packages = true;
  const Matcher matcher(query);
  Entry package = entry_of("Safari.app", FileType::directory);
  CHECK_FALSE(matcher.descends(package));
  Entry folder = entry_of("Safari", FileType::directory);
  CHECK(matcher.descends(folder));
}

TEST_CASE("a root that is a file is never excluded or hidden") {
  Query query;
  query.scope.exclude = glob("*");
  query.scope.skip_hidden = true;
  CHECK(judge(query, entry_of(".profile", FileType::file, 0)).emit);
}

TEST_CASE("metadata is not asked for when the name has decided") {
  Query query;
  query.where = Expression::all({Expression::of(range_test(size_row, {1, 1000})), glob("*.txt")});
  const Matcher matcher(query);
  CountingLoader loader;
  Entry entry = entry_of("a.log", FileType::file);
  entry.loader = &loader;
  CHECK_FALSE(matcher.judge(entry).emit);
  CHECK(loader.loads == 0);
  entry.name = "a.txt";
  CHECK(matcher.judge(entry).emit);
  CHECK(loader.loads == 1);
  CHECK(loader.asked == needs::length);
}

TEST_CASE("the time since a change before all others is the longest") {
  Query query;
  query.where =
      Expression::of(range_test(used_row, {Instant{1}, std::numeric_limits<Instant>::max()}));
  Entry entry = entry_of("a", FileType::file);
  entry.metadata.changed = std::numeric_limits<Instant>::min();
  entry.metadata.accessed = {};
  entry.present |= needs::accessed | needs::changed;
  CHECK(judge(query, entry).emit);
}

TEST_CASE("the size of what is no regular file is not asked for") {
  Query query;
  query.where = Expression::of(range_test(size_row, {0, 1000}));
  const Matcher matcher(query);
  CountingLoader loader;
  for (const FileType type : {FileType::directory, FileType::symlink, FileType::fifo}) {
    Entry entry = entry_of("a", type);
    entry.loader = &loader;
    CHECK_FALSE(matcher.judge(entry).emit);
  }
  CHECK(loader.loads == 0);
}

TEST_CASE("metadata that cannot be had does not match") {
  Query query;
  query.where = Expression::of(range_test(size_row, {0, 1000}));
  CHECK_FALSE(judge(query, entry_of("a", FileType::file)).emit);
}

TEST_CASE("an extension needs a stem and a dot") {
  const auto has = [](const char* name, bool case_sensitive = false) {
    Query query;
    query.where = Expression::of(extension_test({"pdf", "tar.gz"}, case_sensitive));
    return judge(query, entry_of(name, FileType::file)).emit;
  };
  CHECK(has("a.pdf"));
  CHECK(has("a.PDF"));
  CHECK_FALSE(has("a.PDF", true));
  CHECK(has("a.tar.gz"));
  CHECK_FALSE(has(".pdf"));
  CHECK_FALSE(has("apdf"));
  CHECK_FALSE(has("a.gz"));
}

TEST_CASE("many extensions are found as each alone would be") {
  const std::vector<std::string> extensions = {"c",
                                               "tar.gz",
                                               "jpeg",
                                               "migratedphotolibrary",
                                               "\u00E9t\u00E9",
                                               "a.b.c",
                                               "\xFFx",
                                               "K",
                                               "eight888",
                                               "nine99999",
                                               "e\u0301"};
  const std::vector<std::string> names = {"a.c",
                                          "A.C",
                                          ".c",
                                          "c",
                                          "a.",
                                          "a..c",
                                          "a.tar.gz",
                                          ".tar.gz",
                                          "tar.gz",
                                          "a.TAR.gz",
                                          "a.gz",
                                          "a.migratedphotolibrary",
                                          "a.migratedphotolibrarY",
                                          "a.migratedphotolibrari",
                                          "a.a.b.c",
                                          "a.b.c",
                                          ".a.b.c",
                                          "\u00E9.c",
                                          "a.\u00E9t\u00E9",
                                          "a.e\u0301te\u0301",
                                          "a.\u00C9T\u00C9",
                                          "a.\xFFx",
                                          "a.\xFFX",
                                          "\xFF.c",
                                          "\xFF.C",
                                          "a.\u212A",
                                          "a.k",
                                          "a.eight888",
                                          "a.EIGHT888",
                                          "a.nine99999",
                                          "a.Nine99999",
                                          "a.nine9999",
                                          "a.\u00E9",
                                          "jpeg",
                                          "x.jpegs",
                                          ".\xFFx"};
  const bool case_sensitive = GENERATE(values<int>({0, 1})) == 1;
  const TestPointer together = extension_test(extensions, case_sensitive);
  for (const std::string& name : names) {
    INFO(name);
    Entry entry = entry_of(name.c_str(), FileType::file);
    bool expected = false;
    for (const std::string& extension : extensions) {
      PatternSpec spec;
      spec.kind = PatternKind::ends;
      spec.text = "." + extension;
      spec.case_rule = case_sensitive ? CaseRule::sensitive : CaseRule::insensitive;
      bool one = compile_pattern(spec)->matches(name);
      spec.kind = PatternKind::exact;  // then nothing stands before the dot
      one = one && !compile_pattern(spec)->matches(name);
      CHECK(extension_test({extension}, case_sensitive)->holds(entry) == one);
      expected = expected || one;
    }
    CHECK(together->holds(entry) == expected);
  }
}

TEST_CASE("may_emit goes by what the entry holds, and loads nothing") {
  const auto may = [](const Query& query, Entry entry) {
    CountingLoader loader;
    entry.loader = &loader;
    const bool answer = Matcher(query).may_emit(entry);
    CHECK(loader.loads == 0);
    return answer;
  };
  const Expression size = Expression::of(range_test(size_row, {1000, 2000}));
  Entry unknown = entry_of("a.txt", FileType::file);
  Entry known = unknown;
  known.present |= needs::size;
  known.metadata.size = 10;
  Query query;
  query.where = size;
  CHECK(may(query, unknown));
  CHECK_FALSE(may(query, known));
  query.where = Expression::negation(size);
  CHECK(may(query, unknown));
  CHECK(may(query, known));
  query.where = Expression::negation(glob("*.txt"));
  CHECK_FALSE(may(query, unknown));
  query.where = Expression::all({size, glob("*.log")});
  CHECK_FALSE(may(query, unknown));
  query.where = Expression::any({size, glob("*.log")});
  CHECK(may(query, unknown));
  CHECK_FALSE(may(query, known));
  query.where = Expression::of(range_test(depth_row, {3, 4}));
  CHECK(may(query, known));
  query.where = Expression::all({});
  query.scope.exclude = size;
  CHECK(may(query, unknown));
  query.scope.exclude = Expression::negation(size);
  CHECK(may(query, unknown));
  CHECK_FALSE(may(query, known));
  query.scope.exclude = Expression::any({size, glob("*.txt")});
  CHECK_FALSE(may(query, unknown));
  query.scope.exclude = Expression::any({});
  query.scope.skip_hidden = true;
  CHECK_FALSE(may(query, entry_of(".a", FileType::file)));
  query.scope.min_depth = 5;
  CHECK(may(query, unknown));
}

namespace {

Expression exact(const std::string& text) {
  PatternSpec spec;
  spec.kind = PatternKind::exact;
  spec.text = text;
  return Expression::of(pattern_test(Subject::name, spec));
}

/// Whether a variant that looks for "b", and for nothing that `scope` excludes, notes a match or a
/// directory that a query for "a", without hidden entries, leaves out.
struct Noted {
  bool matches;
  bool enters;
};

Query query_for(Expression where, Scope scope = {}) {
  Query query;
  query.where = std::move(where);
  query.scope = std::move(scope);
  return query;
}

Noted note(Entry entry, Expression where = exact("b"), const Scope& scope = {}) {
  NearMiss near(query_for(std::move(where), scope));
  Query query = query_for(exact("a"));
  query.near_misses = {&near};
  query.scope.skip_hidden = true;
  const Matcher matcher(query);
  matcher.note_judged(entry, matcher.judge(entry));
  return {near.matches(), near.enters()};
}

}  // namespace

TEST_CASE("a near miss notes what only the variant matches or enters") {
  CHECK(note(entry_of("b", FileType::file)).matches);
  CHECK_FALSE(note(entry_of("c", FileType::file)).matches);
  CHECK_FALSE(note(entry_of("a", FileType::file), Expression::all({})).matches);
  CHECK(note(entry_of(".a", FileType::file), exact(".a")).matches);
  CHECK(note(entry_of(".d", FileType::directory)).enters);
  CHECK_FALSE(note(entry_of("d", FileType::directory)).enters);
  CHECK_FALSE(note(entry_of(".d", FileType::file)).enters);
  Scope hidden;
  hidden.skip_hidden = true;
  CHECK_FALSE(note(entry_of(".a", FileType::file), exact(".a"), hidden).matches);
  CHECK_FALSE(note(entry_of(".d", FileType::directory), exact("b"), hidden).enters);
}

TEST_CASE("a near miss notes nothing once the query matches, and by diacritics no ASCII") {
  const Expression any = Expression::all({});
  NearMiss near(query_for(any));
  NearMiss by_diacritics(query_for(any), true);
  Query query = query_for(exact("a"));
  query.near_misses = {&near, &by_diacritics};
  const Matcher matcher(query);
  const auto show = [&](const char* name) {
    Entry entry = entry_of(name, FileType::file);
    matcher.note_judged(entry, matcher.judge(entry));
  };
  show("a");
  show("b");
  CHECK_FALSE(near.matches());
  NearMiss other(query_for(any));
  query.near_misses = {&other, &by_diacritics};
  Entry entry = entry_of("b", FileType::file);
  Matcher(query).note_judged(entry, {});
  CHECK(other.matches());
  CHECK_FALSE(by_diacritics.matches());
}

TEST_CASE("a near miss counts what the variant matches if it is to") {
  NearMiss first(query_for(Expression::all({})));
  NearMiss all(query_for(Expression::all({})), false, true);
  Query query = query_for(exact("a"));
  query.near_misses = {&first, &all};
  const Matcher matcher(query);
  for (const char* const name : {"b", "c", "d"}) {
    Entry entry = entry_of(name, FileType::file);
    matcher.note_judged(entry, matcher.judge(entry));
  }
  CHECK(first.count() == 1);
  CHECK(all.count() == 3);
}

TEST_CASE("a near miss loads nothing, and notes nothing in doubt") {
  CountingLoader loader;
  Entry entry = entry_of("b", FileType::file);
  entry.loader = &loader;
  const Expression sized = Expression::of(range_test(size_row, {0, 1000}));
  CHECK_FALSE(note(entry, sized).matches);
  CHECK(loader.loads == 0);
  entry.present |= needs::size;
  CHECK(note(entry, sized).matches);
}

TEST_CASE("a near miss with ignore rules of its own is shown nothing that is ignored") {
  Entry entry = entry_of("b", FileType::file);
  NearMiss without(query_for(exact("b")));
  Scope scope;
  scope.gitignore.enabled = true;
  NearMiss with(query_for(exact("b"), scope));
  Query query = query_for(exact("a"));
  query.near_misses = {&without, &with};
  Matcher(query).note_ignored(entry);
  CHECK(without.matches());
  CHECK_FALSE(with.matches());
}

}  // namespace matcher_test
