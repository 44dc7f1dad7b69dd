// SPDX-License-Identifier: MIT
// Every query that can be made prints as an expression that reads back as the same query: same
// text, same verdict on random entries.
#include <map>
#include <random>
#include <sstream>

#include "catch.h"
#include "ffind/query.h"
#include "query/language/fields.h"
#include "query/language/parser.h"
#include "query/predicates/predicates.h"
#include "random.h"
#include "unit/source_text.h"

namespace round_trip_test {

using namespace ffind;
using namespace ffind::query;

namespace {

class FewAccounts final : public Accounts {
 public:
  std::optional<std::uint32_t> user_id(const std::string& name) const override {
    if (name == "alice") return 1;
    if (name == "in") return 2;
    if (name == "b c") return 3;
    if (name == "OR") return 6;
    if (name == "Not") return 7;
    return {};
  }
  std::optional<std::uint32_t> group_id(const std::string& name) const override {
    return user_id(name);
  }
  std::optional<std::string> user_name(std::uint32_t id) const override {
    if (id == 1) return "alice";
    return {};
  }
  std::optional<std::string> group_name(std::uint32_t id) const override { return user_name(id); }
};

int metadata_of(const std::string& path, Metadata& found) {
  found.device = 1;
  found.inode = path.size() % 4;
  return 0;
}

const std::vector<std::string> pieces = {
    "a", "B",    "report", ".",  ".c",   "txt", " ",   "\"", "\\",  "'",   "(",
    ")", ",",    "\n",     "\t", "\xff", "é",   "É",   "ß",  "\\x", "and", "or",
    "*", "\x1b", "\u202e", "日", "AND",  "Or",  "NOT", "In", "True"};

class Source {
 public:
  explicit Source(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename T>
  T of(const std::vector<T>& values) {
    return values[below(values.size())];
  }
  std::string text(std::size_t most) {
    std::string text;
    for (std::size_t i = below(most + 1); i > 0; --i) text += of(pieces);
    return text;
  }
  template <typename T>
  text::Range<T> range(const std::vector<T>& ends) {
    const text::Range<T> range{of(ends), of(ends)};
    // Beginning and end of everything: there is no text for the last value alone.
    return range.first == std::numeric_limits<T>::max() ? text::Range<T>{} : range;
  }

 private:
  std::mt19937 random_;
};

const std::vector<std::uint64_t> numbers = {0, 1, 2, 3, 1000, 1001, 4294967296, unlimited};
const std::vector<Instant> times = {std::numeric_limits<Instant>::min(),
                                    {INT64_MIN, 1},
                                    {-11'676'096'000},
                                    {-1},
                                    {-1, 999'999'999},
                                    {0},
                                    {0, 1},
                                    {0, 999'999'999},
                                    {1},
                                    {1'700'000'000, 123'456'789},
                                    {253'402'300'800},
                                    {INT64_MAX, 999'999'998},
                                    std::numeric_limits<Instant>::max()};

PatternSpec random_pattern(Source& source, bool searched_only = false) {
  PatternSpec spec;
  spec.kind = static_cast<PatternKind>(source.below(6));
  if (searched_only) spec.kind = source.one_in(2) ? PatternKind::contains : PatternKind::regex;
  // Most fields refuse an empty one.
  spec.text = source.text(2) + source.of<std::string>({"a", "B", "é", "."});
  if (spec.kind == PatternKind::regex) {
    spec.text = source.of<std::string>({"a|B", "^\\.", "\\.(c|txt)$", "\"", "\\\\", "é+", "\\S"});
  } else if (spec.kind == PatternKind::glob) {
    spec.text = source.of<std::string>({"*a*", "[!a]*", "*.{c,txt}", "\\**", "?", "* *"});
  }
  spec.case_rule = static_cast<CaseRule>(source.below(3));
  spec.ignore_diacritics = source.one_in(4);
  return spec;
}

std::vector<Account> random_accounts(Source& source) {
  const std::vector<Account> known = {{1, "alice"}, {2, "in"}, {3, "b c"}, {4, "4"},
                                      {5, "0005"},  {6, "OR"}, {7, "Not"}};
  std::vector<Account> accounts;
  const std::size_t first = source.below(known.size());
  for (std::size_t i = first; i < known.size() && i < first + 1 + source.below(3); ++i) {
    accounts.push_back(known[i]);
  }
  return accounts;
}

const std::vector<std::string> names_of_children = {".git", "a b", "and", "\"", "\xff", "(x)", "="};

constexpr std::size_t kinds_of_tests = 29;

/// One of that many kinds; throws UsageError for a pattern that is none.
TestPointer random_test(Source& source, const Accounts& accounts, std::size_t which) {
  switch (which) {
    case 0:
      return pattern_test(static_cast<Subject>(source.below(3)), random_pattern(source));
    case 1:
      return extension_test(
          {source.of<std::string>({"c", "TXT", ".c", "a b", "and", "é", "a,b", "OR", "And", "NOT",
                                   "In", "True", "iN.Or", "a*"}),
           source.of<std::string>({"c", "\"", "tar.gz"})},
          source.one_in(3));
    case 2:
      return type_test(source.one_in(2) ? std::vector{FileType::file}
                                        : std::vector{FileType::directory, FileType::character});
    case 3:
      return range_test(size_row, source.range(numbers));
    case 4:
      return range_test(*source.of<const TimeRow*>({&modified_row, &created_row, &accessed_row,
                                                    &changed_row, &added_row, &last_opened_row}),
                        source.range(times));
    case 5:
      return range_test(depth_row, source.range<std::uint32_t>({0, 1, 2, 3, unlimited_depth}));
    case 6:
      return source.of<TestPointer>(
          {flag_test("empty"), hidden_test(false), flag_test("executable")});
    case 7:
      return account_test(users, random_accounts(source));
    case 8:
      return account_test(groups, random_accounts(source));
    case 9:
      return permissions_test(text::parse_permissions(
          source.of<std::string>({"644", "-111", "/022", "u+w", "-u=rw,go=r", "/a+x", "0"}), {}));
    case 10:
      return range_test(links_row, source.range(numbers));
    case 11:
      return range_test(inode_row, source.range(numbers));
    case 12:
      return same_file_test(1, 3, source.of<std::string>({"abc", "a\"b", "\xff\\)", "1234567"}));
    case 13:
      return source.one_in(2) ? orphan_test(users, accounts) : orphan_test(groups, accounts);
    case 14:
      return text_test(tag_row, random_pattern(source));
    case 15:
      return source.one_in(2) ? text_test(comment_row, random_pattern(source))
                              : text_test(where_from_row, random_pattern(source));
    case 16:
      return attribute_test(source.text(1) + "x");
    case 17:
      return attribute_test(source.text(1) + "x", random_pattern(source));
    case 18:
      return content_test(random_pattern(source, true), source.one_in(2));
    case 19: {
      Kinds kinds = 0;
      for (std::size_t i = source.below(3) + 1; i > 0; --i) {
        kinds |= bit_of(source.of<Kind>(
            {Kind::folder, Kind::code, Kind::text, Kind::disk_image, Kind::app, Kind::archive}));
      }
      return kind_test(kinds);
    }
    case 20:
      return source.of<TestPointer>(
          {flag_test("locked"), flag_test("untagged"), flag_test("broken"), flag_test("is_link"),
           flag_test("loop"), flag_test("readable"), flag_test("writable"), flag_test("runnable")});
    case 21:
      return source.one_in(2) ? range_test(uid_row, source.range(numbers))
                              : range_test(gid_row, source.range(numbers));
    case 22:
      return range_test(
          *source.of<const NumberRow*>({&allocated_row, &private_size_row, &stat_size_row}),
          source.range(numbers));
    case 23:
      return source.one_in(2) ? text_test(target_row, random_pattern(source))
                              : text_test(fstype_row, random_pattern(source));
    case 24:
      return target_type_test(source.one_in(2)
                                  ? std::vector{FileType::file, FileType::unknown}
                                  : std::vector{FileType::directory, FileType::symlink});
    case 25:
      return has_test(source.of(names_of_children));
    case 26:
      return source.of<TestPointer>(
          {flags_test(file_flags::uchg, {"uchg"}), flags_test(0, {"none"}), flag_test("acl"),
           flags_test(file_flags::schg | file_flags::uchg | file_flags::nodump,
                      {"immutable", "nodump"})});
    case 27:
      return source.one_in(2) ? text_test(type_code_row, random_pattern(source))
                              : text_test(creator_row, random_pattern(source));
    default:
      return flag_test(source.of<std::string_view>({"alias", "invisible"}));
  }
}

/// A pattern that is none counts as `hidden`.
Expression random_expression(Source& source, const Accounts& accounts, int depth = 0) {
  const std::size_t shape = source.below(depth > 3 ? 4 : 10);
  if (shape < 5) {
    try {
      return Expression::of(random_test(source, accounts, source.below(kinds_of_tests)));
    } catch (const UsageError&) {
      return Expression::of(hidden_test(false));
    }
  }
  if (shape < 6) return Expression::negation(random_expression(source, accounts, depth + 1));
  std::vector<Expression> operands;
  for (std::size_t i = source.below(4); i > 0; --i) {
    operands.push_back(random_expression(source, accounts, depth + 1));
  }
  return shape < 8 ? Expression::all(std::move(operands)) : Expression::any(std::move(operands));
}

/// An entry, and what its volume would tell of it.
struct RandomEntry final : EntryLoader {
  std::string name;
  std::string path;
  std::string absolute;
  std::string bytes;
  std::string target;
  std::string file_system;
  std::string child;  ///< the only entry of it
  FinderMetadata finder;
  std::map<std::string, std::string, std::less<>> attributes;
  Entry entry;

  void load(Entry& asked, Needs wanted) override { asked.failed |= wanted; }
  std::optional<bool> holds_name(Entry&, std::string_view asked) override { return asked == child; }
  bool read_contents(Entry&, ContentSink& sink) override {
    if (!bytes.empty()) sink.take(bytes, true);
    return true;
  }
  bool attribute(Entry&, std::string_view asked, AttributeValue* value) override {
    const auto found = attributes.find(asked);
    if (found != attributes.end() && value != nullptr) value->bytes = found->second;
    return found != attributes.end();
  }
};

void add_finder_metadata(Source& source, RandomEntry& random) {
  FinderMetadata& finder = random.finder;
  for (std::size_t i = source.below(3); i > 0; --i) {
    finder.tags.push_back({source.text(2) + "a", static_cast<std::uint8_t>(source.below(8))});
  }
  finder.comment = source.text(3);
  finder.type_code = source.text(2);
  finder.creator = source.text(2);
  if (source.one_in(2)) finder.last_opened = source.of(times);
  for (std::size_t i = source.below(3); i > 0; --i) finder.where_froms.push_back(source.text(3));
  for (const auto flag :
       {&FinderFlags::locked, &FinderFlags::bundle, &FinderFlags::invisible, &FinderFlags::alias}) {
    finder.flags.*flag = source.one_in(3);
  }
  for (std::size_t i = source.below(4); i > 0; --i) {
    random.attributes[source.text(1) + "x"] = source.text(3);
  }
}

RandomEntry random_entry(Source& source) {
  RandomEntry random;
  random.name =
      source.text(4) + source.of<std::string>({"a", ".c", ".TXT", "é", "\xff", ".app", ".img.xz"});
  random.path = source.of<std::string>({"", "a/", "\xff/B/"}) + random.name;
  random.absolute = "/" + random.path;
  random.bytes = source.text(8);
  if (source.one_in(4)) random.bytes += '\0';
  add_finder_metadata(source, random);
  Entry& entry = random.entry;
  entry.type = source.one_in(2) ? FileType::file : static_cast<FileType>(1 + source.below(7));
  entry.depth = static_cast<std::uint32_t>(source.below(4));
  entry.empty = source.one_in(2);
  entry.bundle = source.one_in(3);
  Metadata& metadata = entry.metadata;
  metadata.size = source.of(numbers);
  metadata.allocated = source.of(numbers);
  metadata.private_size = source.of(numbers);
  metadata.inode = source.below(4);
  metadata.device = 1;
  metadata.links = static_cast<std::uint32_t>(source.below(4));
  metadata.uid = static_cast<std::uint32_t>(source.below(6));
  metadata.gid = static_cast<std::uint32_t>(source.below(6));
  metadata.mode = static_cast<std::uint32_t>(source.of(std::vector<int>{0, 0644, 0755, 0222}));
  metadata.flags = static_cast<FileFlags>(source.below(32));
  metadata.known_flags = source.one_in(2) ? file_flags::of_macos : file_flags::uchg;
  for (const auto member : {&Metadata::modified, &Metadata::created, &Metadata::accessed,
                            &Metadata::changed, &Metadata::added}) {
    metadata.*member = source.of(times);
  }
  random.target = source.text(3);
  entry.acl = static_cast<AclKinds>(source.below(2));
  random.file_system = source.text(2);
  random.child = source.of(names_of_children);
  entry.target_type = static_cast<FileType>(source.below(4));
  entry.readable = source.one_in(2);
  entry.writable = source.one_in(2);
  entry.runnable = source.one_in(2);
  entry.present = needs::metadata | needs::empty | needs::origin | needs::target |
                  needs::target_type | needs::readable | needs::writable | needs::runnable |
                  needs::depth | needs::relative_path | needs::absolute_path | needs::bundle |
                  needs::finder | needs::acl;
  return random;
}

bool emits(const Expression& expression, RandomEntry& random) {
  Query query;
  query.where = expression;
  Entry entry = random.entry;
  entry.name = random.name;
  entry.relative_path = random.path;
  entry.absolute_path = random.absolute;
  entry.target = random.target;
  entry.file_system = random.file_system;
  entry.finder = &random.finder;
  entry.loader = &random;
  return Matcher(query).emits(entry);
}

}  // namespace

TEST_CASE("what a query prints is read as the same query") {
  const FewAccounts accounts;
  const QueryContext context{{0}, &accounts, metadata_of, needs::none};
  Source source(5);
  std::vector<RandomEntry> entries;
  for (int i = 0; i < 60; ++i) entries.push_back(random_entry(source));
  std::size_t matches = 0;
  std::size_t refused = 0;
  for (int i = 0; i < rounds(1500); ++i) {
    const Expression expression = random_expression(source, accounts);
    const std::string text = to_text(expression);
    CAPTURE(text);
    Expression again;
    try {
      again = parse_expression({text, {}}, {context});
    } catch (const UsageError& error) {
      // What could never match is refused when it is read, and no option makes it.
      const std::string_view why = error.what();
      if (why.find("in it; hold it against") == std::string_view::npos &&
          why.find("the path below a root") == std::string_view::npos &&
          why.find("no path ends with") == std::string_view::npos) {
        FAIL(error.what());
      }
      ++refused;
      continue;
    }
    CHECK(to_text(again) == text);
    for (RandomEntry& entry : entries) {
      const bool expected = emits(expression, entry);
      matches += expected ? 1 : 0;
      if (emits(again, entry) != expected) FAIL("another verdict on " << entry.path);
    }
  }
  // Neither of them all nor none of them.
  CHECK(matches > std::size_t{rounds(10'000)});
  CHECK(matches < 80'000);
  CHECK(refused == 0);
}

TEST_CASE("each kind of test holds of some of the entries that these are tried on") {
  const FewAccounts accounts;
  Source source(6);
  std::vector<RandomEntry> entries;
  for (int i = 0; i < 200; ++i) entries.push_back(random_entry(source));
  for (std::size_t which = 0; which < kinds_of_tests; ++which) {
    CAPTURE(which);
    std::size_t matches = 0;
    std::size_t verdicts = 0;
    for (int i = 0; i < 40; ++i) {
      TestPointer test;
      try {
        test = random_test(source, accounts, which);
      } catch (const UsageError&) {
        continue;
      }
      for (RandomEntry& entry : entries) {
        matches += emits(Expression::of(test), entry) ? 1U : 0U;
        ++verdicts;
      }
    }
    CHECK(matches > 10);
    CHECK(matches < verdicts - 10);
  }
}

TEST_CASE("every example of a field is understood") {
  const FewAccounts accounts;
  const QueryContext context{{0}, &accounts, metadata_of, needs::none};
  for (const Field& field : fields()) {
    CAPTURE(field.example);
    try {
      parse_expression({std::string(field.example), {}}, {context});
    } catch (const text::ValueError& error) {
      // Of values the names of accounts and kinds are not the language's.
      CHECK(error.position() > field.name.size());
    } catch (const UsageError&) {
    }
  }
}

namespace {

/// A line of the man page as it is shown: without macros and escapes.
std::string shown(std::string line) {
  if (line.starts_with('.')) line.erase(0, line.find(' ') + 1);
  while (line.ends_with(" ,") || line.ends_with(" .")) line.resize(line.size() - 2);
  const std::pair<std::string, std::string> escapes[] = {
      {"\\(dq", "\""}, {"\\(aq", "'"}, {"\\e", "\\"}, {"\\&", ""}, {" Ns ", ""}};
  for (const auto& [written, meant] : escapes) {
    for (std::size_t at = 0; (at = line.find(written)) != std::string::npos;) {
      line.replace(at, written.size(), meant);
    }
  }
  return line;
}

void check_understood(const std::string& text) {
  CAPTURE(text);
  const FewAccounts accounts;
  const QueryContext context{{0}, &accounts, metadata_of, needs::none};
  CHECK_NOTHROW(parse_expression({text, {}}, {context}));
}

}  // namespace

TEST_CASE("every flag, type and example of the manual's expressions is understood") {
  const std::string man = source_text("man/ffind.1");
  const std::string all = between(source_text("man/ffind-query.7"), ".Sh EXPRESSIONS", "\n.Sh ");
  for (const Flag& flag : flags()) check_understood(std::string(flag.name));

  std::size_t examples = 0;
  std::istringstream stream(all);
  bool literal = false;
  bool grammar = false;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(".Bd")) literal = true;
    if (line.starts_with(".Ed")) literal = grammar = false;
    grammar = grammar || (literal && line.starts_with("expression = "));
    const bool quoted = line.starts_with(".Ql ") &&
                        find_field(shown(line).substr(0, shown(line).find(' '))) != nullptr;
    if (!quoted && (!literal || grammar || line.starts_with('.'))) continue;
    check_understood(shown(line));
    ++examples;
  }
  CHECK(examples > 10);

  // ".Cm f", ".Pq Cm file ,"
  std::istringstream types(between(man, ".It Fl t , -type ", ".It Fl "));
  std::size_t names = 0;
  for (std::string line; std::getline(types, line);) {
    if (!line.starts_with(".Cm ") && !line.starts_with(".Pq Cm ")) continue;
    const std::string name = shown(line.substr(line.find("Cm ") + 3));
    check_understood("type = " + name);
    check_understood("target_type in (" + name + ", broken)");
    ++names;
  }
  CHECK(names == 14);
  std::istringstream targets(between(all, ".It Cm target_type\n", ".It Cm "));
  for (std::string line; std::getline(targets, line);) {
    if (line.starts_with(".Cm ") && line != ".Cm =" && line != ".Cm in")
      check_understood("target_type = " + shown(line));
  }
}

}  // namespace round_trip_test
