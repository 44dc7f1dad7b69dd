// SPDX-License-Identifier: MIT
// The list follows what is typed: how much is judged and loaded for it, what is seen before it is
// complete, and that nothing waits for a volume that does not answer.
#include "pick/list.h"

#include <algorithm>
#include <atomic>
#include <random>

#include "catch.h"
#include "random.h"
#include "unit/pick/pick_harness.h"

namespace narrower_test {

using namespace ffind;
using namespace ffind::pick;

namespace {

/// So many files, a hundred to a directory.
void offer_many(NarrowedStore& picker, int count) {
  for (int i = 0; i < count; ++i) {
    picker.offering.offer("dir" + std::to_string(i / 100) + "/file" + std::to_string(i));
  }
  picker.offering.flush();
}

Expression size_at_least(std::uint64_t bytes) {
  return Expression::of(query::range_test(query::size_row, {.first = bytes}));
}

}  // namespace

TEST_CASE("without a query everything is in the list, in the order found") {
  NarrowedStore picker;
  picker.offer({"b", "dir/", "dir/a"});
  CHECK(picker.ask({}) == Texts{"b", "dir", "dir/a"});
  CHECK(picker.narrower().work().judged == 0);
}

TEST_CASE("names and paths narrow without loading anything") {
  NarrowedStore picker;
  picker.offer({"report", "dir/", "dir/report.pdf", "report/photo", "photo"});
  CHECK(picker.ask(narrowing(name_contains("report"))) == Texts{"report", "dir/report.pdf"});
  CHECK(picker.ask(narrowing(contains(query::Subject::path, "report"))) ==
        Texts{"report", "dir/report.pdf", "report/photo"});
  CHECK(picker.ask(narrowing(Expression::of(query::type_test({FileType::directory})))) ==
        Texts{"dir"});
  CHECK(picker.ask(narrowing(name_contains("nothing"))).empty());
  CHECK(picker.volume->loads() == 0);
  CHECK(picker.narrower().work().late_threads == 0);
}

TEST_CASE("a query that grew is asked of what matched before only") {
  NarrowedStore picker;
  offer_many(picker, 50'000);
  const auto count = [](const std::string& text) {
    return [text](const Texts& paths) {
      return std::count_if(paths.begin(), paths.end(), [&](const std::string& path) {
        return path.find(text, path.find('/')) != std::string::npos;
      });
    };
  };
  const Texts all = picker.ask({});
  const Texts first = picker.ask(narrowing(name_contains("99")));
  CHECK(static_cast<std::ptrdiff_t>(first.size()) == count("99")(all));
  CHECK(picker.narrower().work().judged == 50'000);
  const Texts second = picker.ask(narrowing(name_contains("999"), true));
  CHECK(static_cast<std::ptrdiff_t>(second.size()) == count("999")(all));
  CHECK(picker.narrower().work().judged == 50'000 + first.size());
  const Texts third = picker.ask(narrowing(name_contains("12")));
  CHECK(static_cast<std::ptrdiff_t>(third.size()) == count("12")(all));
  CHECK(picker.narrower().work().judged == 100'000 + first.size());
}

TEST_CASE("what is found while the query is there joins the list in its place") {
  NarrowedStore picker(GENERATE(1U, 3U));
  picker.offer({"a1", "b1"});
  CHECK(picker.ask(narrowing(name_contains("a"))) == Texts{"a1"});
  picker.offer({"b2", "a2"});
  CHECK(picker.paths(*picker.complete(1)) == Texts{"a1", "a2"});
  // What matched before is asked, and what came after that as well.
  CHECK(picker.ask(narrowing(name_contains("2"), true)) == Texts{"a2"});
  picker.offer({"a3", "c2"});
  CHECK(picker.paths(*picker.complete(2)) == Texts{"a2", "c2"});
}

TEST_CASE("a pass is dropped half way, and what it had judged is not lost") {
  class Slow final : public Test {
   public:
    Slow(std::string text, std::atomic<int>& asked) : text_(std::move(text)), asked_(asked) {}
    bool holds(Entry& entry) const override {
      ++asked_;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      return entry.name.find(text_) != std::string_view::npos;
    }
    Needs needs() const override { return needs::none; }
    int cost() const override { return 1; }
    std::string text() const override { return text_; }

   private:
    std::string text_;
    std::atomic<int>& asked_;
  };
  std::atomic<int> asked{0};
  NarrowedStore picker;
  offer_many(picker, 200'000);
  const auto slow = [&](const std::string& text) {
    return Expression::of(std::make_shared<Slow>(text, asked));
  };
  Narrower& narrower = picker.narrower();
  narrower.set_query(narrowing(slow("file")));
  REQUIRE(soon([&] { return narrower.list()->size() > 0; }));
  const Texts found = picker.ask(narrowing(name_contains("1999"), true));
  CHECK(found.size() == 140);
  CHECK(asked < 200'000);
  CHECK(narrower.work().judged < 400'000);
}

TEST_CASE(
    "the first rows are there before everything was judged, and the list of the query before "
    "until then") {
  class Gate final : public Test {
   public:
    bool holds(Entry& entry) const override {
      if (entry.name == "file90000") {
        while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      return entry.name.ends_with('1');
    }
    Needs needs() const override { return needs::none; }
    int cost() const override { return 1; }
    std::string text() const override { return "gate"; }
    std::atomic<bool> open{false};
  };
  NarrowedStore picker;
  offer_many(picker, 100'000);
  CHECK(picker.ask({}).size() == 100'000);
  const auto gate = std::make_shared<Gate>();
  Query query;
  query.where = Expression::of(gate);
  const std::uint64_t generation =
      picker.narrower().set_query({{std::make_shared<const Matcher>(query), {}}});
  CHECK(soon([&] { return picker.narrower().list()->state().generation == generation; }));
  CHECK(soon([&] { return picker.narrower().list()->size() >= 1'000; }));
  const auto list = picker.narrower().list();
  CHECK_FALSE(list->state().complete);
  CHECK(picker.paths(*list)[0] == "dir0/file1");
  gate->open = true;
  CHECK(picker.complete(generation)->size() == 10'000);
}

TEST_CASE("rows are found again by their entries") {
  NarrowedStore picker;
  offer_many(picker, 40'000);
  for (const bool narrowed : {false, true}) {
    picker.ask(narrowed ? narrowing(name_contains("7")) : Narrowing{});
    for (const PickOrder order : {PickOrder::found, PickOrder::name}) {
      for (const bool reversed : {false, true}) {
        const auto list = picker.in_order(order, reversed);
        for (const std::size_t row : {std::size_t{0}, list->size() / 2, list->size() - 1}) {
          CHECK(list->row_of((*list)[row]) == row);
        }
        CHECK_FALSE(list->row_of(50'000));
        if (narrowed) CHECK_FALSE(list->row_of(0));
      }
    }
  }
}

TEST_CASE("a size is loaded once, whatever is asked about it") {
  NarrowedStore picker;
  picker.volume->sizes = {{"a", 1}, {"dir/b", 20}, {"dir/c", 30}};
  picker.offer({"a", "dir/b", "dir/c", "dir/gone"});
  CHECK(picker.ask(narrowing(size_at_least(10))) == Texts{"dir/b", "dir/c"});
  CHECK(picker.volume->loads() == 4);
  CHECK(picker.ask(narrowing(size_at_least(25))) == Texts{"dir/c"});
  CHECK(picker.ask(narrowing(Expression::negation(size_at_least(25)))) == Texts{"a", "dir/b"});
  CHECK(picker.paths(*picker.in_order(PickOrder::size, true)) == Texts{"dir/b", "a"});
  CHECK(picker.volume->loads() == 4);
}

TEST_CASE("only what the cheaper tests leave is loaded") {
  NarrowedStore picker;
  offer_many(picker, 10'000);
  for (int i = 0; i < 10'000; ++i) {
    picker.volume->sizes["dir" + std::to_string(i / 100) + "/file" + std::to_string(i)] = 5;
  }
  CHECK(picker.ask(narrowing(Expression::all({size_at_least(5), name_contains("999")}))).size() ==
        19);
  CHECK(picker.volume->loads() == 19);
  CHECK(picker.ask(narrowing(Expression::any({size_at_least(6), name_contains("999")}))).size() ==
        19);
  CHECK(picker.volume->loads() == 10'000);
}

TEST_CASE("values that arrive one by one narrow the list as they do") {
  NarrowedStore picker;
  picker.volume->takes = std::chrono::milliseconds(2);
  for (int i = 0; i < 600; ++i) {
    picker.volume->sizes["dir" + std::to_string(i / 100) + "/file" + std::to_string(i)] = 5;
  }
  offer_many(picker, 600);
  Narrower& narrower = picker.narrower();
  const std::uint64_t generation = narrower.set_query(narrowing(size_at_least(5)));
  CHECK(soon([&] { return narrower.list()->size() > 0; }));
  CHECK_FALSE(narrower.list()->state().complete);
  CHECK(picker.complete(generation)->size() == 600);
}

TEST_CASE("nothing waits for a volume that does not answer") {
  NarrowedStore picker;
  Offering dead(picker.sink, "dead/");
  picker.volume->hangs = "hung";
  picker.volume->sizes = {{"a", 10}, {"b", 20}, {"hung1", 30}};
  dead.offer("hung1");
  for (int i = 2; i < 100; ++i) dead.offer("hung" + std::to_string(i));
  dead.flush();
  picker.offer({"a", "b"});
  Narrower& narrower = picker.narrower();
  // The pass is complete without them, and those of other roots are there.
  CHECK(picker.ask(narrowing(size_at_least(15))) == Texts{"b"});
  CHECK(narrower.list()->state().undecided > 0);
  CHECK(picker.volume->hanging() > 0);
  CHECK(picker.ask(narrowing(name_contains("a"))) == Texts{"a"});
  CHECK(picker.ask(narrowing(name_contains("hung1"))).size() == 11);
  const auto list = picker.in_order(PickOrder::size);
  CHECK(list->size() == 11);
  CHECK(picker.ask({}).size() == 101);
  CHECK(picker.paths(*picker.in_order(PickOrder::size, true))[0] == "b");
  picker.narrower().set_query(narrowing(size_at_least(15)));
  picker.volume->answer();
  CHECK(soon([&] { return picker.narrower().list()->size() == 2; }));
}

TEST_CASE("volumes that do not answer take all threads but one") {
  NarrowedStore picker;
  picker.volume->hangs = "hung";
  Texts paths;
  for (int i = 0; i < 10'000; ++i) paths.push_back("hung" + std::to_string(i));
  picker.offer(paths);
  CHECK(picker.ask(narrowing(size_at_least(15))).empty());
  CHECK(picker.volume->hanging() == 31);
  picker.volume->answer();
}

TEST_CASE("who hangs for ever is left behind") {
  auto volume = std::make_shared<FakeVolume>();
  volume->hangs = "hung";
  auto store = std::make_shared<EntryStore>();
  PickSink sink(store);
  Offering offering(sink);
  offering.offer("hung");
  offering.flush();
  {
    Narrower narrower(store, {.threads = 1, .late = volume->factory()});
    narrower.set_query(narrowing(size_at_least(15)));
    CHECK(soon([&] { return volume->hanging() == 1; }));
    CHECK_FALSE(narrower.stop());
  }
  volume->answer();
  CHECK(soon([&] { return volume.use_count() == 1; }));
}

TEST_CASE("orders: names as people count, paths by bytes, sizes, and back") {
  NarrowedStore picker;
  picker.volume->sizes = {{"file10", 5}, {"File2", 30}, {"a/file1", 5}, {"a-b", 7}};
  picker.offer({"file10", "File2", "a/", "a/file1", "a-b"});
  CHECK(picker.ask({}).size() == 5);
  CHECK(picker.paths(*picker.in_order(PickOrder::name)) ==
        Texts{"a", "a-b", "a/file1", "File2", "file10"});
  CHECK(picker.paths(*picker.in_order(PickOrder::name, true)) ==
        Texts{"file10", "File2", "a/file1", "a-b", "a"});
  CHECK(picker.paths(*picker.in_order(PickOrder::path)) ==
        Texts{"File2", "a", "a-b", "a/file1", "file10"});
  CHECK(picker.paths(*picker.in_order(PickOrder::path, true)) ==
        Texts{"file10", "a/file1", "a-b", "a", "File2"});
  // What is unknown comes last either way; among equals the path decides.
  CHECK(picker.paths(*picker.in_order(PickOrder::size)) ==
        Texts{"a/file1", "file10", "a-b", "File2", "a"});
  CHECK(picker.paths(*picker.in_order(PickOrder::size, true)) ==
        Texts{"File2", "a-b", "a/file1", "file10", "a"});
  CHECK(picker.paths(*picker.in_order(PickOrder::found, true)) ==
        Texts{"a-b", "a/file1", "a", "File2", "file10"});
}

TEST_CASE("a list in an order follows the query, and what is found later") {
  NarrowedStore picker;
  picker.offer({"b2", "a10", "a9"});
  picker.in_order(PickOrder::name);
  CHECK(picker.ask(narrowing(name_contains("a"))) == Texts{"a9", "a10"});
  picker.offer({"a1", "c"});
  CHECK(picker.paths(*picker.complete(1)) == Texts{"a1", "a9", "a10"});
  CHECK(picker.ask({}) == Texts{"a1", "a9", "a10", "b2", "c"});
}

TEST_CASE("a query that is replaced while it reads leaves the next one complete") {
  NarrowedStore picker;
  picker.offer({"a", "b"});
  picker.in_order(PickOrder::path);
  for (int round = 0; round < rounds(150); ++round) {
    picker.narrower().set_query(narrowing(size_at_least(1)));
    if (round % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(round % 15 * 30));
    REQUIRE(picker.ask({}) == Texts{"a", "b"});
  }
}

TEST_CASE("while it is being sorted the list is in the order before") {
  NarrowedStore picker;
  picker.volume->hangs = "dir";
  picker.offer({"dir/b", "dir/a"});
  picker.in_order(PickOrder::name);
  picker.narrower().set_order({PickOrder::size});
  // The list of the moment before says that it is complete.
  CHECK(soon([&] { return !picker.narrower().list()->state().complete; }));
  const auto list = picker.narrower().list();
  CHECK(list->state().sort.order == PickOrder::name);
  CHECK(picker.paths(*list) == Texts{"dir/a", "dir/b"});
  picker.volume->answer();
  CHECK(picker.in_order(PickOrder::size)->size() == 2);
}

TEST_CASE("all orders agree with sorting everything at once, whatever was found when") {
  std::mt19937 random(GENERATE(1U, 2U, 3U));
  NarrowedStore picker;
  Texts all;
  const auto word = [&] {
    constexpr std::string_view words[] = {"a", "B", "a-b", "c10", "c9", "d", "ä"};
    return std::string(words[random() % std::size(words)]);
  };
  const PickOrder order = GENERATE(PickOrder::name, PickOrder::path, PickOrder::size);
  picker.narrower().set_order({order});
  for (int batch = 0; batch < 10; ++batch) {
    Texts paths;
    for (int i = 0; i < 200; ++i) {
      std::string path;
      for (unsigned depth = random() % 4; depth > 0; --depth) path += word() + "/";
      path += word() + std::to_string(batch) + "_" + std::to_string(random() % 1000);
      if (std::find(all.begin(), all.end(), path) != all.end()) continue;
      all.push_back(path);
      paths.push_back(path);
      picker.volume->add(path, random() % 50);
    }
    picker.offer(paths);
    if (batch % 3 == 0) picker.ask(narrowing(name_contains(batch % 2 == 0 ? "c" : "a")));
  }
  const Texts found = picker.ask({});
  NarrowedStore once;
  once.volume->sizes = picker.volume->sizes;
  std::shuffle(all.begin(), all.end(), random);
  once.offer(all);
  CHECK(found == once.paths(*once.in_order(order)));
  if (order == PickOrder::path) CHECK(std::is_sorted(found.begin(), found.end()));
}

}  // namespace narrower_test
