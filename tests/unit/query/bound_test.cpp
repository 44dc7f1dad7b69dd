// SPDX-License-Identifier: MIT
// Bounds: what each test says of all its matches, how expressions put that together, and that a
// file system with rules of its own finds every match by it.
#include "ffind/query.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "query/predicates/predicates.h"
#include "random.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace bound_test {

using namespace ffind;
using namespace ffind::query;

namespace {

Expression name(PatternKind kind, const std::string& text, CaseRule rule = CaseRule::smart) {
  PatternSpec spec;
  spec.kind = kind;
  spec.text = text;
  spec.case_rule = rule;
  return Expression::of(pattern_test(Subject::name, spec));
}

Expression contains(const std::string& text) {
  return name(PatternKind::contains, text);
}

std::string required_name(const Expression& expression) {
  return bound_of(expression).name_contains;
}

Expression types(std::vector<FileType> which) {
  return Expression::of(type_test(std::move(which)));
}

Expression size(std::uint64_t first, std::uint64_t last) {
  return Expression::of(range_test(size_row, {first, last}));
}

}  // namespace

TEST_CASE("a piece of a literal is portable where no file system sees it differently") {
  struct Row {
    std::string literal;
    std::string folded;
    std::string kept;
  };
  const std::vector<Row> rows = {
      {"report", "report", "report"},
      {"hosts", "ho", "hosts"},           // U+017F is an s to us
      {"makefile", "efile", "makefile"},  // U+212A is a k to us
      {"Makefile", "efile", "Makefile"},
      {"KB;`x:yz/a", "yz", "yz"},  // other ways to write K ; ` are canonical
      {"ss", "", "ss"},
      {"", "", ""},
      {"umé.pdf", "umé.pdf", "umé.pdf"},
      {"café", "caf", "caf"},  // behind it a mark may belong between its parts
      {"éa", "éa", "éa"},
      {"aéé", "aé", "aé"},
      {"é", "", ""},
      {"tiếng", "tiếng", "tiếng"},
      {"straße.txt", "e.txt", "e.txt"},
      {"aσbc", "bc", "bc"},
      {"xıab", "ab", "ab"},
      {"xİab", "ab", "ab"},
      {"aşbb", "bb", "aşbb"},
      {"aåbb", "bb", "bb"},  // U+212B is no å to HFS+
      {"aůbb", "bb", "bb"},
      {"a≠bb", "bb", "bb"},
      {"a\u0345bbb", "bbb", "bbb"},
      {"ax\u0302bb", "ax", "ax"},
      {"日本", "", ""},
      {"bad\xFFworn", "worn", "worn"},
      {"bad\xC3", "bad", "bad"},
  };
  for (const Row& row : rows) {
    INFO(row.literal);
    CHECK(text::portable_part(row.literal, text::KeyCase::folded) == row.folded);
    CHECK(text::portable_part(row.literal, text::KeyCase::kept) == row.kept);
  }
}

TEST_CASE("a test of the name says what the name contains") {
  CHECK(required_name(contains("report")) == "report");
  CHECK(required_name(contains("RePort")) == "RePort");
  CHECK(required_name(contains("hosts")) == "ho");
  CHECK(required_name(name(PatternKind::contains, "HOSTS", CaseRule::insensitive)) == "ho");
  CHECK(required_name(name(PatternKind::contains, "hosts", CaseRule::sensitive)) == "hosts");
  CHECK(required_name(name(PatternKind::contains, "re\u0301gime")) == "régime");
  CHECK(required_name(name(PatternKind::exact, "report")) == "report");
  CHECK(required_name(name(PatternKind::glob, "*.tar.*")) == ".tar.");
  CHECK(required_name(name(PatternKind::glob, "[ab]*")).empty());
  CHECK(required_name(name(PatternKind::regex, "a+report[0-9]+\\.pdf$")) == "report");
  CHECK(required_name(name(PatternKind::regex, "a|b")).empty());
  CHECK(required_name(name(PatternKind::contains, "bad\xFF")) == "bad");
}

TEST_CASE("what a path contains says nothing of the name") {
  for (const Subject subject : {Subject::path, Subject::absolute_path}) {
    PatternSpec spec;
    spec.text = "report";
    CHECK(bound_of(Expression::of(pattern_test(subject, spec))) == Bound{});
  }
}

TEST_CASE("extensions are in the name as far as they agree") {
  const auto extensions = [](std::vector<std::string> list, bool case_sensitive = false) {
    return required_name(Expression::of(extension_test(std::move(list), case_sensitive)));
  };
  CHECK(extensions({"pdf"}) == ".pdf");
  CHECK(extensions({"PDF"}) == ".pdf");
  CHECK(extensions({"PDF"}, true) == ".PDF");
  CHECK(extensions({"docx", "doc"}) == ".doc");
  CHECK(extensions({"doc", "docx", "docm"}) == ".doc");
  CHECK(extensions({"jpg", "png"}).empty());
}

TEST_CASE("tests of metadata say their ranges and types") {
  const Bound large = bound_of(size(10, 20));
  CHECK(large.types == bit_of(FileType::file));
  CHECK(large.least_size == 10);
  CHECK(large.most_size == 20);
  const Bound recent = bound_of(Expression::of(range_test(modified_row, {{-5}, {7}})));
  CHECK(recent.first_modified == Instant{-5});
  CHECK(recent.last_modified == Instant{7});
  CHECK(recent.types == all_types);
  CHECK(bound_of(types({FileType::directory, FileType::symlink})).types ==
        (bit_of(FileType::directory) | bit_of(FileType::symlink)));
  CHECK(bound_of(Expression::of(flag_test("empty"))).types ==
        (bit_of(FileType::directory) | bit_of(FileType::file)));
  CHECK(bound_of(Expression::of(hidden_test(false))) == Bound{});
  CHECK(bound_of(Expression::of(range_test(depth_row, {1, 2}))).most_depth == 2);
  CHECK(bound_of(Expression::any({Expression::of(range_test(depth_row, {1, 2})), size(1, 2)}))
            .most_depth == unlimited_depth);
}

TEST_CASE("all narrows, any widens, not says nothing") {
  const Bound both = bound_of(Expression::all(
      {contains("ab"), contains("report"), size(10, 99), size(0, 50), types({FileType::file})}));
  CHECK(both.name_contains == "report");
  CHECK(both.least_size == 10);
  CHECK(both.most_size == 50);
  const Bound either = bound_of(Expression::any({size(10, 20), types({FileType::directory})}));
  CHECK(either.types == (bit_of(FileType::directory) | bit_of(FileType::file)));
  CHECK(either.least_size == 0);
  CHECK(either.most_size == Bound{}.most_size);
  const Bound ranges = bound_of(Expression::any({size(10, 20), size(15, 40)}));
  CHECK(ranges.least_size == 10);
  CHECK(ranges.most_size == 40);
  CHECK(required_name(Expression::any({contains("report"), contains("reporter")})) == "report");
  CHECK(required_name(Expression::any({contains("report"), contains("notice")})).empty());
  CHECK(required_name(Expression::any({contains("report"), size(1, 2)})).empty());
  CHECK(bound_of(Expression::negation(contains("report"))) == Bound{});
  CHECK(bound_of(Expression{}) == Bound{});
}

namespace {

class CountingTest final : public Test {
 public:
  explicit CountingTest(int& asked) : asked_(asked) {}
  bool holds(Entry&) const override { return false; }
  Needs needs() const override { return needs::none; }
  int cost() const override { return 1; }
  Bound bound() const override {
    ++asked_;
    return {};
  }
  std::string text() const override { return "counted"; }

 private:
  int& asked_;
};

}  // namespace

TEST_CASE("however deep a test lies, it is asked for its bound once") {
  int asked = 0;
  Expression deep = Expression::of(std::make_shared<CountingTest>(asked));
  for (int level = 0; level < 20; ++level) {
    deep = Expression::any({Expression::all({std::move(deep), contains("a")}), contains("b")});
  }
  bound_of(deep);
  CHECK(asked == 1);
}

TEST_CASE("where links are followed only the name is the entry's own") {
  Query query;
  query.where = Expression::all({contains("report"), size(10, 20)});
  CHECK(Matcher(query).bound().types == bit_of(FileType::file));
  query.scope.follow = true;
  Bound name_only;
  name_only.name_contains = "report";
  CHECK(Matcher(query).bound() == name_only);
}

namespace {

struct Letter {
  std::u32string parts;  ///< its full canonical decomposition
  int mark_class = 0;    ///< canonical combining class
};

/// Written down by hand from the Unicode tables: what is tested must not test itself.
const std::map<char32_t, Letter>& letters() {
  static const std::map<char32_t, Letter> all = [] {
    std::map<char32_t, Letter> map;
    for (const char32_t c : std::u32string_view(U"abeiksoABEIKSO.-;ßẞıσςΣ日")) {
      map[c] = {std::u32string(1, c)};
    }
    for (const char32_t c : {U'\u017F', U'\u0301', U'\u0308', U'\u030A'}) map[c] = {{c}};
    map[U'\u0301'].mark_class = map[U'\u0308'].mark_class = map[U'\u030A'].mark_class = 230;
    map[U'\u0307'] = {U"\u0307", 230};
    map[U'\u0323'] = {U"\u0323", 220};
    map[U'\u0321'] = {U"\u0321", 202};
    map[U'\u0327'] = {U"\u0327", 202};
    const std::u32string_view marks = U"\u0301\u0308\u030A\u0307\u0323\u0327";
    const std::pair<char32_t, std::u32string_view> composites[] = {
        {U'a', U"áäåȧạ-"}, {U'b', U"---ḃḅ-"}, {U'e', U"éë-ėẹȩ"}, {U'i', U"íï--ị-"},
        {U'k', U"ḱ---ḳķ"}, {U'o', U"óö-ȯọ-"}, {U's', U"ś--ṡṣş"}, {U'A', U"ÁÄÅȦẠ-"},
        {U'B', U"---ḂḄ-"}, {U'E', U"ÉË-ĖẸȨ"}, {U'I', U"ÍÏ-İỊ-"}, {U'K', U"Ḱ---ḲĶ"},
        {U'O', U"ÓÖ-ȮỌ-"}, {U'S', U"Ś--ṠṢŞ"},
    };
    for (const auto& [base, row] : composites) {
      for (std::size_t i = 0; i < marks.size(); ++i) {
        if (row[i] != U'-') map[row[i]] = {{base, marks[i]}};
      }
    }
    map[U'ṩ'] = {U"s\u0323\u0307"};
    map[U'Ṩ'] = {U"S\u0323\u0307"};
    map[U'ǻ'] = {U"a\u030A\u0301"};
    map[U'Ǻ'] = {U"A\u030A\u0301"};
    map[U'\u1E9B'] = {U"\u017F\u0307"};
    map[U'\u212A'] = {U"K"};
    map[U'\u212B'] = {U"A\u030A"};
    map[U'\u037E'] = {U";"};
    return map;
  }();
  return all;
}

int mark_class(char32_t c) {
  const auto found = letters().find(c);
  return found != letters().end() ? found->second.mark_class : 0;
}

/// The text as a file system stores it: taken apart, its marks in order, ASCII in lower case. HFS+
/// leaves alone what lies from U+2000 to U+2FFF.
std::u32string stored(const std::string& text, bool as_hfs) {
  std::u32string parts;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = text::next_code_point(text, position);
    const auto found = letters().find(c);
    const bool left_alone = as_hfs && c >= 0x2000 && c <= 0x2FFF;
    parts += found == letters().end() || left_alone ? std::u32string(1, c) : found->second.parts;
  }
  for (std::size_t from = 0; from < parts.size();) {
    std::size_t to = from + 1;
    while (to < parts.size() && mark_class(parts[to]) != 0) ++to;
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(from + 1);
    const auto last = parts.begin() + static_cast<std::ptrdiff_t>(to);
    std::stable_sort(first, last,
                     [](char32_t a, char32_t b) { return mark_class(a) < mark_class(b); });
    from = to;
  }
  for (char32_t& c : parts) {
    if (c >= U'A' && c <= U'Z') c += U'a' - U'A';
  }
  return parts;
}

std::string random_text(Random& random, std::size_t most) {
  static const std::vector<char32_t> alphabet = [] {
    std::vector<char32_t> all;
    for (const auto& [c, letter] : letters()) all.push_back(c);
    return all;
  }();
  std::string text;
  for (std::size_t i = 1 + random() % most; i > 0; --i) {
    text::append_utf8(text, alphabet[random() % alphabet.size()]);
  }
  return text;
}

Expression random_expression(Random& random, const std::string& name_made_of, int depth) {
  const auto operands = [&] {
    std::vector<Expression> list;
    for (unsigned i = 1 + random() % 3; i > 0; --i) {
      list.push_back(random_expression(random, name_made_of, depth - 1));
    }
    return list;
  };
  if (depth > 0 && random() % 2 == 0) {
    switch (random() % 5) {
      case 0:
        return Expression::negation(random_expression(random, name_made_of, depth - 1));
      case 1:
      case 2:
        return Expression::any(operands());
      default:
        return Expression::all(operands());
    }
  }
  // Half of them a piece of the name, so that enough of them match.
  std::string text = random_text(random, 3);
  if (random() % 2 == 0) {
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < name_made_of.size(); text::next_code_point(name_made_of, at)) {
      starts.push_back(at);
    }
    const std::size_t first = random() % starts.size();
    const std::size_t last = std::min(starts.size(), first + 1 + random() % 4);
    const std::size_t end = last < starts.size() ? starts[last] : name_made_of.size();
    text = name_made_of.substr(starts[first], end - starts[first]);
  }
  const auto rule = static_cast<CaseRule>(random() % 3);
  switch (random() % 4) {
    case 0:
      return name(PatternKind::glob, "*" + text + "*", rule);
    case 1:
      return name(
          PatternKind::regex,
          "(?:.?)" + (text.find_first_of(".-;") == std::string::npos ? text : std::string("a")),
          rule);
    case 2:
      return Expression::of(
          extension_test({text.find('.') == 0 ? text.substr(1) + "a" : text}, random() % 2 == 0));
    default:
      return name(PatternKind::contains, text, rule);
  }
}

}  // namespace

TEST_CASE("whatever matches, a file system finds by the bound of the name") {
  Random random(11);
  int matched = 0;
  int bounded = 0;
  for (int round = 0; round < rounds(8'000); ++round) {
    const std::string subject = random_text(random, 10);
    Query query;
    query.where = random_expression(random, subject, 2);
    const Matcher matcher(query);
    Entry entry;
    entry.name = subject;
    entry.depth = 1;
    if (!matcher.emits(entry)) continue;
    ++matched;
    const std::string text = matcher.bound().name_contains;
    if (!text.empty()) ++bounded;
    for (const bool as_hfs : {false, true}) {
      if (stored(subject, as_hfs).find(stored(text, as_hfs)) == std::u32string::npos) {
        FAIL(subject << " matches " << to_text(matcher.where()) << " without '" << text << "'");
      }
    }
  }
  CHECK(matched > rounds(1'200));
  CHECK(bounded > rounds(120));
}

}  // namespace bound_test
