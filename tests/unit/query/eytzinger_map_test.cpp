// SPDX-License-Identifier: MIT
// The read-only map holds what std::map would hold, for every size, kind of key and order.
#include "ffind/eytzinger_map.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "catch.h"

namespace eytzinger_map_test {

using namespace ffind;

namespace {

template <typename Ours, typename Model>
void check_iteration(const Ours& ours, const Model& model) {
  REQUIRE(ours.size() == model.size());
  CHECK(ours.empty() == model.empty());
  std::map<typename Model::key_type, typename Model::mapped_type, typename Model::key_compare> seen;
  for (const auto& [key, value] : ours) seen.insert({key, value});
  CHECK(seen == model);
}

template <typename Ours, typename Iterator, typename Model>
bool agree(const Ours& ours, Iterator it, const Model& model,
           typename Model::const_iterator expected) {
  if (it == ours.end() || expected == model.end()) {
    return (it == ours.end()) == (expected == model.end());
  }
  return it->first == expected->first && (*it).second == expected->second;
}

/// One key, every way to look for it.
template <typename Ours, typename Model, typename Key>
bool looks_up_alike(const Ours& ours, const Model& model, const Key& key) {
  const auto expected = model.find(key);
  const auto [first, last] = ours.equal_range(key);
  bool same = agree(ours, ours.find(key), model, expected) &&
              agree(ours, ours.lower_bound(key), model, model.lower_bound(key)) &&
              agree(ours, ours.upper_bound(key), model, model.upper_bound(key)) &&
              agree(ours, expected == model.end() ? ours.end() : first, model, expected) &&
              static_cast<std::size_t>(last - first) == model.count(key) &&
              ours.contains(key) == (model.count(key) == 1) && ours.count(key) == model.count(key);
  if (expected != model.end()) same = same && ours.at(key) == expected->second;
  return same;
}

struct CaseInsensitive {
  using is_transparent = void;
  static char low(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
  bool operator()(std::string_view a, std::string_view b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return low(x) < low(y); });
  }
};

/// Neither default-constructible nor copyable.
struct Token {
  explicit Token(int number) : held(std::make_unique<int>(number)) {}
  std::unique_ptr<int> held;
};

}  // namespace

TEST_CASE("maps of every size up to 300 hold what std::map holds") {
  std::mt19937 random(5);
  for (int size = 0; size <= 300; ++size) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < size; ++i) pairs.push_back({2 * i + 1, -i});
    std::shuffle(pairs.begin(), pairs.end(), random);
    const EytzingerMap<int, int> ours(pairs.begin(), pairs.end());
    const std::map<int, int> model(pairs.begin(), pairs.end());
    check_iteration(ours, model);
    for (int key = -1; key <= 2 * size + 1; ++key) {
      INFO(size << " keys, looking for " << key);
      REQUIRE(looks_up_alike(ours, model, key));
    }
  }
}

TEST_CASE("large maps of random keys hold what std::map holds") {
  std::mt19937 random(7);
  for (const int size : {1'000, 65'535, 65'536, 65'537, 200'000}) {
    std::vector<std::pair<unsigned, std::size_t>> pairs;
    for (int i = 0; i < size; ++i) pairs.push_back({random() % 300'000, pairs.size()});
    const EytzingerMap<unsigned, std::size_t> ours(pairs.begin(), pairs.end());
    const std::map<unsigned, std::size_t> model(pairs.begin(), pairs.end());
    check_iteration(ours, model);
    bool same = true;
    for (unsigned key = 0; key < 300'000; key += 29)
      same = same && looks_up_alike(ours, model, key);
    CHECK(same);
  }
}

TEST_CASE("of equal keys the first wins, whatever the order of the others") {
  const EytzingerMap<int, std::string> ours{{2, "a"}, {1, "b"}, {2, "c"}, {1, "d"}, {2, "e"}};
  REQUIRE(ours.size() == 2);
  CHECK(ours.at(1) == "b");
  CHECK(ours.at(2) == "a");
}

TEST_CASE("strings are looked up by views, without a string being made") {
  const EytzingerMap<std::string, int> ours{{"zip", 1}, {"tar", 2}, {"", 3}, {"a long one", 4}};
  static_assert(std::is_same_v<decltype(ours.find(std::string_view())),
                               EytzingerMap<std::string, int>::const_iterator>);
  CHECK(ours.at(std::string_view("zipper").substr(0, 3)) == 1);
  CHECK(ours.at("tar") == 2);
  CHECK(ours.at("") == 3);
  CHECK_FALSE(ours.contains("ta"));
  CHECK_FALSE(ours.contains(std::string_view("tarr")));
  CHECK(ours.lower_bound("b")->first == "tar");
  CHECK(ours.upper_bound("tar")->first == "zip");
}

TEST_CASE("a comparison of one's own decides what is equal") {
  using Names = EytzingerMap<std::string, int, CaseInsensitive>;
  const Names names{{"README", 1}, {"Makefile", 2}, {"readme", 3}};
  CHECK(names.size() == 2);
  CHECK(names.at("ReadMe") == 1);
  CHECK(names.count("MAKEFILE") == 1);
  CHECK_FALSE(names.contains("READ"));

  const std::vector<std::pair<int, int>> pairs = {{1, 1}, {5, 5}, {3, 3}, {3, 4}};
  const EytzingerMap<int, int, std::greater<int>> ours(pairs.begin(), pairs.end());
  const std::map<int, int, std::greater<int>> model(pairs.begin(), pairs.end());
  check_iteration(ours, model);
  for (int key = 0; key < 7; ++key) CHECK(looks_up_alike(ours, model, key));
}

TEST_CASE("a comparison may have a state") {
  const std::vector<std::pair<int, int>> pairs = {{1, 1}, {2, 2}, {3, 3}};
  const int sign = GENERATE(values<int>({1, -1}));
  const auto before = [sign](int a, int b) { return sign * a < sign * b; };
  const EytzingerMap<int, int, std::function<bool(int, int)>> ours(pairs.begin(), pairs.end(),
                                                                   before);
  CHECK(ours.upper_bound(2)->first == 2 + sign);
}

TEST_CASE("keys and values need only be movable") {
  std::vector<std::pair<std::unique_ptr<int>, Token>> pairs;
  for (int i = 0; i < 20; ++i) pairs.emplace_back(std::make_unique<int>(i), Token(i));
  std::vector<const int*> addresses;
  for (const auto& pair : pairs) addresses.push_back(pair.first.get());
  const auto by_number = [](const std::unique_ptr<int>& a, const std::unique_ptr<int>& b) {
    return *b < *a;
  };
  EytzingerMap<std::unique_ptr<int>, Token, decltype(by_number)> ours(
      std::make_move_iterator(pairs.begin()), std::make_move_iterator(pairs.end()), by_number);
  const EytzingerMap moved = std::move(ours);
  REQUIRE(moved.size() == 20);
  for (int i = 0; i < 20; ++i) {
    const auto it = moved.find(std::make_unique<int>(i));
    REQUIRE(it != moved.end());
    CHECK(it->first.get() == addresses[static_cast<std::size_t>(i)]);
    CHECK(*it->second.held == i);
  }
}

TEST_CASE("maps are copied, moved and assigned like values") {
  using Map = EytzingerMap<std::string, std::string>;
  Map first{{"a", "1"}, {"b", "2"}};
  Map second = first;
  CHECK(second.at("b") == "2");
  CHECK(&second.at("b") != &first.at("b"));
  first = Map{{"c", "3"}};
  CHECK(first.at("c") == "3");
  CHECK_FALSE(first.contains("a"));
  const Map third = std::move(second);
  CHECK(third.at("a") == "1");
  std::swap(first, second);
  CHECK(second.at("c") == "3");
}

TEST_CASE("what is not there has no value") {
  const EytzingerMap<std::string, int> none;
  CHECK(none.empty());
  CHECK(none.begin() == none.end());
  CHECK(none.find("a") == none.end());
  CHECK_THROWS_AS(none.at("a"), std::out_of_range);
  const EytzingerMap<std::string, int> one{{"a", 1}};
  CHECK_THROWS_AS(one.at("b"), std::out_of_range);
}

TEST_CASE("references are pairs of references to keys and values that lie apart") {
  using Map = EytzingerMap<std::string, bool>;
  static_assert(std::is_same_v<decltype(Map::const_reference::first), const std::string&>);
  static_assert(std::is_same_v<decltype(Map::const_reference::second), const bool&>);
  static_assert(std::is_same_v<decltype(*std::declval<Map&>().begin()), Map::const_reference>);
  static_assert(std::is_same_v<decltype(std::declval<const Map&>().at("")), const bool&>);
  static_assert(std::is_convertible_v<Map::const_reference, Map::value_type>);
  static_assert(std::random_access_iterator<Map::const_iterator>);
  static_assert(std::is_nothrow_move_constructible_v<Map>);
  static_assert(!std::is_default_constructible_v<Token>);

  const Map map{{"a", true}, {"b", false}, {"c", true}};
  const auto it = map.find("b");
  CHECK(&(*it).first == &it->first);
  CHECK(&it->second == &map.at("b"));
  const Map::value_type copy = *it;
  CHECK(copy == Map::value_type("b", false));
}

TEST_CASE("iterators go anywhere") {
  const EytzingerMap<int, int> map{{1, 1}, {2, 2}, {3, 3}};
  auto it = map.begin();
  CHECK((it + 3) == map.end());
  CHECK((3 + it) - it == 3);
  CHECK((it++)->first == map.begin()[0].first);
  CHECK(it->first == map.begin()[1].first);
  CHECK((--it) == map.begin());
  CHECK(it < map.end());
  CHECK((map.end() - 1)->first == map.begin()[2].first);
  CHECK(map.begin()->first == 2);  // the root of three
}

#ifdef __cpp_lib_constexpr_vector
TEST_CASE("a map can be made and read while compiling") {
  static_assert([] {
    const EytzingerMap<int, int> squares{{3, 9}, {1, 1}, {2, 4}, {4, 16}};
    return squares.at(3) == 9 && squares.size() == 4 && !squares.contains(5);
  }());
}
#endif

}  // namespace eytzinger_map_test
