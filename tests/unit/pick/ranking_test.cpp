// SPDX-License-Identifier: MIT
// Order of matches: the place of a word, several words, letters apart.
#include "pick/ranking.h"

#include <algorithm>
#include <random>

#include "catch.h"
#include "pick/letters_apart.h"
#include "pick/prompt.h"
#include "query/language/fields.h"
#include "unit/pick/pick_harness.h"

namespace ffind::pick::ranking_test {
namespace {

PromptMeaning read(std::string_view prompt) {
  static const query::QueryContext context{};
  return read_prompt(prompt, query::Meaning{context});
}

/// The paths by rank, those of the same rank as given.
Texts ranked(const std::shared_ptr<const Ranking>& ranking, Texts paths) {
  std::vector<std::pair<Rank, std::string>> ranks;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Ranker ranker(ranking);
    const std::size_t name = paths[i].rfind('/') + 1;
    ranker.enter(0, std::string_view(paths[i]).substr(0, name));
    ranks.emplace_back(ranker.rank(paths[i], paths[i].size() - name), paths[i]);
  }
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::transform(ranks.begin(), ranks.end(), paths.begin(), [](const auto& r) { return r.second; });
  return paths;
}

/// Checks that these paths are in the order of their ranks, whatever order they come in.
void check_order(std::string_view prompt, const Texts& paths) {
  Texts backwards(paths.rbegin(), paths.rend());
  CHECK(ranked(read(prompt).typed.ranking, backwards) == paths);
}

std::vector<std::size_t> apart_places(std::string_view word, std::string_view path) {
  const LettersApart letters(word, text::KeyRules(text::KeyCase::folded));
  if (!letters.is_in(path)) return {};
  return letters.places(path, path.rfind('/') + 1);
}

}  // namespace

TEST_CASE("a word ranks by its place in the name, then in the path, then by length") {
  check_order("main", {"main", "a/b/main", "main.c", "a/main.c", "main.cpp", "main-loop.c",
                       "mainly.c", "xMain.c", "x-main.c", "x_mainly.c", "domain.c", "main/c",
                       "mainly/c", "a-main/c", "remain/c"});
  check_order("Main", {"Main.c", "theMain.c", "xMainy.c"});
  check_order("bashrc", {".bashrc", "x.bashrc"});
  check_order("übung", {"Übung.txt", "Die Übung.txt", "Vorübung.txt"});
}

TEST_CASE("what a system leaves in directories comes after the files in them") {
  check_order("lisbon", {"lisbon/tram in the morning.jpg", "lisbon/.DS_Store"});
  check_order("lisbon", {"lisbon/tram in the morning.jpg", "lisbon/Thumbs.db"});
  check_order("ds", {"a/.DS_Store", "ds/b.jpg"});
}

TEST_CASE("of several words a directory counts as much as the name") {
  check_order("sched core", {"kernel/sched/core.c", "kernel/sched/core_sched.c",
                             "kernel/sched_core.c", "kernel/mysched/score.c", "core/sched/x.c"});
  check_order("core sched", {"kernel/sched/core.c", "core/sched/x.c"});
  check_order("sched/core", {"kernel/sched/core.c", "kernel/mysched/core.c", "sched/core/x.c"});
}

TEST_CASE("nothing ranks a prompt without a text") {
  CHECK(read("").typed.ranking == nullptr);
  CHECK(read("ext:pdf").typed.ranking == nullptr);
  CHECK(read("-draft").typed.ranking == nullptr);
  CHECK(read("ext:pdf a").typed.ranking != nullptr);
}

TEST_CASE("words decide only if all of the prompt are texts in the path, in ASCII") {
  for (const std::string_view prompt :
       {"a", "Ab c", "a | b", "a/b", "\"a b\"", "path:a", "'a c'"}) {
    CAPTURE(prompt);
    CHECK(read(prompt).typed.ranking->decides);
  }
  for (const std::string_view prompt : {"a -b", "a ext:c", "^a", "a$", "é", "a é", "a | ext:c",
                                        "name:a", "a !b", "a*b c", "absolute_path:a"}) {
    CAPTURE(prompt);
    CHECK_FALSE(read(prompt).typed.ranking->decides);
  }
}

TEST_CASE("words that decide agree with the matcher") {
  std::mt19937 random(GENERATE(1U, 2U, 3U, 4U));
  const auto text = [&](const Texts& pieces, std::size_t most) {
    std::string made;
    for (std::size_t i = random() % most + 1; i-- > 0;) made += pieces[random() % pieces.size()];
    return made;
  };
  // The sign of kelvin and the long s fold to k and s.
  const Texts of_paths = {"a", "k",      "K",      "s",       ".",    "-", "Ab",
                          "é", "\u212a", "\u017f", "e\u0301", "\xff", "_", "9"};
  const Texts of_words = {"a", "k", "K", "s", ".", "Ab", "_", "9", "b"};
  NarrowedStore picker;
  for (int i = 0; i < 400; ++i) {
    std::string path;
    for (std::size_t level = random() % 4; level-- > 0;) path += text(of_paths, 3) + "/";
    picker.offering.offer(path + text(of_paths, 4) + std::to_string(i));
  }
  picker.offering.flush();
  std::size_t decided = 0;
  for (int round = 0; round < 60; ++round) {
    std::string prompt = text(of_words, 3);
    if (random() % 3 == 0) prompt += "/" + text(of_words, 2);
    if (random() % 5 == 0) prompt += "/";
    if (random() % 3 == 0) prompt += (random() % 2 == 0 ? " | " : " ") + text(of_words, 2);
    const PromptMeaning meaning = read(prompt);
    REQUIRE(meaning.typed.ranking != nullptr);
    REQUIRE(meaning.typed.ranking->decides);
    Ranker ranker(meaning.typed.ranking);
    StoreCursor cursor(*picker.store, needs::relative_path, nullptr);
    for (EntryId id = 0; id < picker.store->size(); ++id) {
      Entry& entry = cursor.read(id);
      std::string_view directory = entry.relative_path;
      directory.remove_suffix(entry.name.size());
      ranker.enter(picker.store->directory_of(id), directory);
      Rank rank = 0;
      const Ranker::Verdict verdict = ranker.judge(entry.name, rank);
      if (verdict == Ranker::Verdict::unknown) continue;
      ++decided;
      const bool matches = verdict == Ranker::Verdict::matches;
      if (matches != meaning.typed.matcher->emits(entry)) {
        FAIL(prompt << " in " << entry.relative_path);
      }
      if (matches) CHECK(rank == ranker.rank(entry.relative_path, entry.name.size()));
    }
  }
  CHECK(decided > 1000);
}

TEST_CASE("letters apart are at the beginnings of words, next to each other, in the name") {
  CHECK(apart_places("mnc", "src/main.c") == std::vector<std::size_t>{4, 7, 9});
  CHECK(apart_places("fbb", "foob/bar/baz") == std::vector<std::size_t>{0, 5, 9});
  CHECK(apart_places("core", "c/o/core.c") == std::vector<std::size_t>{4, 5, 6, 7});
  CHECK(apart_places("xyz", "src/main.c").empty());
  CHECK(ranked(read("mnc").apart.ranking, {"m/n/c/x", "domain.c", "main.c", "many/main.c"}) ==
        Texts{"main.c", "many/main.c", "m/n/c/x", "domain.c"});
}

TEST_CASE("only bare words may be apart") {
  CHECK(read("mnc").apart.matcher != nullptr);
  CHECK(read("m").apart.matcher == nullptr);
  CHECK(read("\"mnc\"").apart.matcher == nullptr);
  CHECK(read("^mnc").apart.matcher == nullptr);
  CHECK(read("name:mnc").apart.matcher == nullptr);
}

TEST_CASE("letters of several words are all looked for") {
  const auto word = [](std::string_view key) {
    return letters_apart_test(
        std::make_shared<const LettersApart>(key, text::KeyRules(text::KeyCase::folded)));
  };
  CHECK(word("ap")->text() != word("banana")->text());  // else one of them is left out
  const auto where = [](std::string_view prompt) {
    return to_text(read(prompt).apart.matcher->where());
  };
  CHECK(where("ap banana") != where("ap"));
}

TEST_CASE("letters apart take over once the search is over and nothing matches as typed") {
  NarrowedStore picker;
  const auto ask = [&](std::string_view prompt, bool grew) {
    const PromptMeaning meaning = read(prompt);
    return picker.complete(picker.narrower().set_query({meaning.typed, grew, meaning.apart}));
  };
  picker.offer({"doc/many.text", "src/monitor.txt", "src/main.c"});
  CHECK(ask("mnc", false)->size() == 0);
  picker.narrower().search_is_over();
  auto list = ask("mn", false);
  CHECK(list->state().apart);
  CHECK(picker.paths(*list) == Texts{"doc/many.text", "src/monitor.txt", "src/main.c"});
  list = ask("mnc", true);
  CHECK(list->state().apart);
  CHECK(picker.paths(*list) == Texts{"src/main.c"});
  list = ask("ma", false);
  CHECK_FALSE(list->state().apart);
  CHECK(picker.paths(*list) == Texts{"src/main.c", "doc/many.text"});
}

TEST_CASE("many matches are sorted by rank, and again when more are found") {
  NarrowedStore picker;
  Texts paths;
  for (int i = 0; i < 30'000; ++i) paths.push_back("dir/xa" + std::to_string(i));
  picker.offer(paths);
  picker.offer({"dir/a"});
  const PromptMeaning meaning = read("a");
  const std::uint64_t generation = picker.narrower().set_query({meaning.typed});
  // The first list is asked for when everything is judged and nothing sorted.
  while (picker.narrower().work().judged < paths.size() + 1) std::this_thread::yield();
  auto list = picker.complete(generation);
  CHECK(list->size() == 30'001);
  CHECK(picker.paths(*list)[0] == "dir/a");
  CHECK(picker.paths(*list)[1] == "dir/xa0");
  CHECK(picker.paths(*list)[30'000] == "dir/xa29999");
  picker.offer({"a"});
  list = picker.complete(generation);
  CHECK(picker.paths(*list)[0] == "a");
  CHECK(picker.paths(*picker.in_order(PickOrder::match, true))[30'001] == "a");
  // Nothing typed: as found.
  CHECK(picker.ask({})[0] == "a");
}

TEST_CASE("of many matches only the best are sorted, until others are asked for") {
  NarrowedStore picker;
  Texts paths;
  for (unsigned i = 20'000; i-- > 0;) paths.push_back("xa" + std::string(i % 100, 'x'));
  picker.offer(paths);
  const PromptMeaning meaning = read("a");
  const auto list_of = [&](std::uint64_t generation, bool best_only) {
    std::shared_ptr<const PickList> list;
    for (int i = 0; i < 20'000; ++i) {
      list = picker.narrower().list();
      const PickList::State& state = list->state();
      if (state.generation == generation && state.complete && state.best_only == best_only) break;
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return list;
  };
  const auto are_sorted = [&](const PickList& list, std::size_t rows) {
    const Texts all = picker.paths(list);
    return std::is_sorted(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rows),
        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  };
  const std::uint64_t generation = picker.narrower().set_query({meaning.typed});
  auto list = list_of(generation, true);
  REQUIRE(list->size() == 20'000);
  CHECK(are_sorted(*list, 1000));
  CHECK_FALSE(are_sorted(*list, 20'000));
  picker.narrower().sort_rest();
  CHECK(are_sorted(*list_of(generation, false), 20'000));
  // The next query does without again.
  CHECK_FALSE(are_sorted(*list_of(picker.narrower().set_query({meaning.typed}), true), 20'000));
}

}  // namespace ffind::pick::ranking_test
