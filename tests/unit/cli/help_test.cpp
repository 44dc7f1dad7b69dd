// SPDX-License-Identifier: MIT
// Help and man page speak of every option there is; completions_test.cpp looks after the
// completions.
#include "cli/help.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>

#include "catch.h"
#include "cli/option_table.h"
#include "output/record_fields.h"
#include "output/template.h"
#include "query/kinds.h"
#include "query/language/fields.h"
#include "text/unicode.h"
#include "unit/source_text.h"

namespace help_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

using Words = std::vector<std::string>;

Words words_of(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Words sorted(Words words) {
  std::sort(words.begin(), words.end());
  return words;
}

/// The words behind `macro` on each line that begins with it.
Words words_behind(const std::string& macro, const std::string& man) {
  Words words;
  std::istringstream stream(man);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(macro + " ", 0) != 0) continue;
    for (const std::string& word : words_of(line.substr(macro.size()))) words.push_back(word);
  }
  return words;
}

/// The manual pages by file name, such as "ffind-query.7", with their source.
std::map<std::string, std::string> manual_pages() {
  std::map<std::string, std::string> pages;
  const std::filesystem::path man = std::filesystem::path(source_directory()) / "man";
  for (const auto& entry : std::filesystem::directory_iterator(man)) {
    const std::string extension = entry.path().extension();
    if (extension != ".1" && extension != ".5" && extension != ".7") continue;
    const std::string name = entry.path().filename();
    pages[name] = source_text("man/" + name);
  }
  return pages;
}

}  // namespace

TEST_CASE("every option stands in the help and has its place in the man page") {
  const std::string man = source_text("man/ffind.1");
  std::vector<std::string> told;  // "-e", "--regex", "-n" of `.It Fl e , -regex Ar RE , Fl n`
  std::istringstream stream(man);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(".It Fl ", 0) != 0) continue;
    bool is_name = true;
    for (const std::string& word : words_of(line.substr(7))) {
      if (word == "Ar" || word == "Ns" || word == "Op") is_name = false;
      if (is_name && word != "Fl") told.push_back("-" + word);
      if (word == "Fl") is_name = true;
    }
  }
  const std::string help = long_help();
  for (const OptionRow& row : option_table()) {
    std::string spelling;
    for (const std::string_view name : names_of(row)) {
      INFO(name);
      CHECK(std::count(told.begin(), told.end(), name) == 1);
      spelling.append(spelling.empty() ? "" : ", ").append(name);
    }
    if (!row.value.empty()) spelling.append(" ").append(row.value);
    INFO(spelling);
    // One line is about all of these.
    if (!row.help.starts_with("Undo ")) CHECK(has(help, "  " + spelling));
  }
  for (const std::string& name : told) {
    INFO(name);
    CHECK(find_option(name) != nullptr);
  }
}

TEST_CASE("the man page names every field and flag of the language, and nothing else") {
  const std::string expressions =
      between(source_text("man/ffind-query.7"), ".Sh EXPRESSIONS", "\n.Sh ");
  Words names;
  Words other_names;
  const auto take = [&](const auto& row) {
    names.emplace_back(row.name);
    const Words others = words_of(std::string(row.other_names));
    other_names.insert(other_names.end(), others.begin(), others.end());
    if (!others.empty()) other_names.push_back("=" + std::string(row.name));
  };
  for (const query::Field& field : query::fields()) take(field);
  for (const query::Flag& flag : query::flags()) take(flag);
  CHECK(sorted(words_behind(".It Cm", expressions)) == sorted(names));

  // ".Cm btime , birth" and on the next line ".Pq Cm created", whose other names they are.
  Words told;
  std::istringstream stream(between(expressions, "Other names are\n", "in each"));
  for (std::string line; std::getline(stream, line);) {
    for (const std::string& word : words_behind(".Cm", line)) told.push_back(word);
    for (const std::string& word : words_behind(".Pq Cm", line)) {
      if (word != ";") told.push_back("=" + word);
    }
  }
  CHECK(told == other_names);
}

TEST_CASE("help and man page name the same kinds, and all of them") {
  Words kinds;
  for (const std::string_view name : query::kind_names()) kinds.emplace_back(name);
  const std::string help(find_option("--kind")->help);
  CHECK(words_of(help.substr(0, help.find(';'))) == kinds);
  const std::string man = between(source_text("man/ffind-query.7"), ".Sh KINDS", "\n.Sh ");
  CHECK(words_behind(".It Cm", man) == kinds);
  const std::string option = between(source_text("man/ffind.1"), ".It Fl -kind ", ".It Fl -ext ");
  const Words named = words_behind(".Cm", option);
  CHECK(std::includes(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(kinds.size()),
                      kinds.begin(), kinds.end()));
}

TEST_CASE("man page and schema name the same fields, and all of them") {
  Words fields;
  Words sorts;
  const std::string schema = source_text("man/ffind.schema.json");
  for (const output::RecordField& field : output::record_fields()) {
    constexpr const char* names[] = {"bytes", "text", "number", "size", "mode", "time", "list"};
    fields.emplace_back(field.name);
    sorts.emplace_back(names[static_cast<std::size_t>(field.sort)]);
    INFO(field.name);
    CHECK(has(schema, "\"" + fields.back() + "\": {"));
    CHECK(has(schema, "\"" + fields.back() + "_b64\"") == (field.sort == output::ValueSort::bytes));
  }
  const std::string man = between(source_text("man/ffind-output.7"), ".Sh FIELDS", ".Sh TEMPLATES");
  Words told;
  Words told_sorts;
  std::istringstream stream(man);
  for (std::string line; std::getline(stream, line);) {
    const Words words = words_of(line);
    if (words.size() < 6 || words[0] != ".It") continue;
    told.push_back(words[2]);  // ".It Li path Ta bytes Ta ..."
    told_sorts.push_back(words[4]);
  }
  CHECK(told == fields);
  CHECK(told_sorts == sorts);
}

TEST_CASE("the man page has each section once, and those that all have in their order") {
  std::vector<std::string> usual;
  std::vector<std::string> all;
  const std::vector<std::string> order = {"NAME",      "SYNOPSIS",    "DESCRIPTION", "ENVIRONMENT",
                                          "FILES",     "EXIT STATUS", "EXAMPLES",    "SEE ALSO",
                                          "STANDARDS", "CAVEATS"};
  std::istringstream stream(source_text("man/ffind.1"));
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(".Sh ", 0) != 0) continue;
    all.push_back(line.substr(4));
    if (std::count(order.begin(), order.end(), all.back()) > 0) usual.push_back(all.back());
  }
  CHECK(usual == order);
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("--help has each name of the tables") {
  Words names = {"NO_COLOR", "exit status", "{path:q}", "today", "Ctrl-S", "duplicates", "recipes"};
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) names.emplace_back(name);
    for (const std::string_view name : words_in(row.other_names)) names.emplace_back(name);
  }
  const auto take = [&](const auto& row) {
    names.emplace_back(row.name);
    for (const std::string& other : words_of(std::string(row.other_names))) names.push_back(other);
  };
  for (const query::Field& field : query::fields()) take(field);
  for (const query::Flag& flag : query::flags()) take(flag);
  for (const std::string_view kind : query::kind_names()) names.emplace_back(kind);
  for (const output::RecordField& field : output::record_fields()) names.emplace_back(field.name);
  for (const output::Conversion& row : output::conversions()) names.emplace_back(row.name);
  for (const std::string& name : names) {
    INFO(name);
    CHECK_NOTHROW(help_on({name}));
  }
  CHECK(help_on({"prune"}) == help_on({"--prune"}));
  CHECK(has(help_on({"-S"}), "  -S, --size RANGE\n"));
  for (const char* const title :
       {"  -S, --size RANGE\n", "size in --where\n", "{size} in --format"}) {
    CHECK(has(help_on({"size"}), title));
  }
}

TEST_CASE("--help WORD names pages and sections that exist") {
  const auto pages = manual_pages();
  for (const OptionRow& row : option_table()) {
    std::istringstream stream(help_on({std::string(main_name(row))}, 200));
    for (std::string line; std::getline(stream, line);) {
      const std::size_t more = line.find("More: ");
      if (more == std::string::npos) continue;
      const std::string reference = line.substr(more + 6);
      INFO(reference);
      const std::size_t section = reference.find(", ");
      std::string page = reference.substr(0, section);
      page = page.substr(0, page.size() - 3) + '.' + page[page.size() - 2];
      REQUIRE(pages.count(page) == 1);
      if (section == std::string::npos) continue;
      const std::string title = reference.substr(section + 2) + '\n';
      CHECK((has(pages.at(page), ".Sh " + title) || has(pages.at(page), ".Ss " + title)));
    }
  }
}

TEST_CASE("--help WORD is as wide as asked") {
  for (const std::size_t width : {50U, 80U, 120U}) {
    std::istringstream stream(help_on({"times"}, width));
    for (std::string line; std::getline(stream, line);) CHECK(text::columns_of(line) <= width);
  }
}

TEST_CASE("references between the manual pages lead somewhere, and SEE ALSO both ways") {
  const auto pages = manual_pages();
  CHECK(pages.size() == 9);
  for (const auto& [page, text] : pages) {
    INFO(page);
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      if (line.rfind(".Sx ", 0) == 0) {
        const std::string title = line.substr(4, line.find_last_not_of(" .,;)") - 3);
        INFO(title);
        CHECK((has(text, ".Sh " + title + '\n') || has(text, ".Ss " + title + '\n')));
      } else if (line.rfind(".Xr ffind", 0) == 0) {
        const Words words = words_of(line);
        CHECK(pages.count(words[1] + '.' + words[2]) == 1);
      }
    }
    const std::string see_also = between(text + "\n.Sh ", ".Sh SEE ALSO\n", "\n.Sh ");
    for (const auto& [other, unused] : pages) {
      const std::size_t dot = other.rfind('.');
      const std::string reference = "Xr " + other.substr(0, dot) + ' ' + other.substr(dot + 1);
      INFO(other);
      CHECK(has(see_also, reference) == (other != page));
    }
    // The name of the page is not that of the program.
    if (page != "ffind.1") CHECK_FALSE(has(text, "\n.Nm\n"));
  }
}

TEST_CASE("every variable that is read stands under ENVIRONMENT") {
  const auto section = [](const std::string& page) {
    return between(source_text(page), ".Sh ENVIRONMENT", "\n.Sh ");
  };
  const std::string environment = section("man/ffind.1") + section("man/ffind-as.7");
  std::size_t count = 0;
  const std::filesystem::path source = std::filesystem::path(source_directory()) / "src";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text =
        source_text("src" + entry.path().string().substr(source.string().size()));
    if (!has(text, "getenv(") && !has(text, "environment(")) continue;
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 1)) {
      const std::size_t end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at + 1);
      if (end == std::string::npos || text[end] != '"' || end < at + 3) continue;
      const std::string name = text.substr(at + 1, end - at - 1);
      // In messages; a class of Apple's.
      if (name == "TEXT" || name == "NDJSON" || name == "NSURL") continue;
      INFO(name << " in " << entry.path());
      CHECK(has(environment, name));
      ++count;
    }
  }
  CHECK(count >= 10);
}

TEST_CASE("help fits into 80 columns, the short one on a screen of 120 by 40") {
  std::size_t lines = 0;
  std::istringstream stream(short_help());
  for (std::string line; std::getline(stream, line); ++lines) CHECK(line.size() <= 80);
  CHECK(lines <= 48);
  std::istringstream wide(short_help(120));
  lines = 0;
  for (std::string line; std::getline(wide, line); ++lines) CHECK(line.size() <= 120);
  CHECK(lines <= 39);
  std::istringstream all(long_help());
  for (std::string line; std::getline(all, line);) CHECK(line.size() <= 80);
}

TEST_CASE("help is as wide as the terminal, and says the same") {
  const auto text_of = [](const std::string& help) {
    std::string text;
    std::istringstream stream(help);
    for (std::string word; stream >> word;) text += word + ' ';
    return text;
  };
  for (const std::size_t width : {50U, 60U, 100U, 200U}) {
    INFO(width);
    std::size_t longest = 0;
    for (const std::string& help : {short_help(width), long_help(width)}) {
      std::istringstream stream(help);
      for (std::string line; std::getline(stream, line);) {
        longest = std::max(longest, line.size());
        if (line.rfind("  ffind", 0) != 0) CHECK(line.size() <= width);
      }
    }
    if (width > 80) CHECK(longest > 80);
    CHECK(text_of(long_help(width)) == text_of(long_help()));
  }
}

TEST_CASE("every row can be looked up by each of its names, and by where it goes") {
  for (const OptionRow& row : option_table()) {
    for (const std::string_view name : names_of(row)) CHECK(find_option(name) == &row);
    for (const std::string_view name : words_in(row.other_names)) CHECK(find_option(name) == &row);
    CHECK(&option_of(row.id) == &row);
  }
  CHECK(find_option("--no-such-option") == nullptr);
  CHECK(find_option("") == nullptr);
}

TEST_CASE("rows of the option table agree with each other") {
  for (const OptionRow& row : option_table()) {
    INFO(row.names);
    for (const OptionRow* opposite : options_in(row.opposites)) {
      CHECK(is_flag(row));
      CHECK(is_flag(*opposite));
      const auto back = options_in(opposite->opposites);
      CHECK(std::count(back.begin(), back.end(), &row) == 1);
    }
    for (const OptionRow* excluded : options_in(row.excludes)) CHECK(excluded != &row);
    const auto choices = words_in(row.choices);
    const auto absent = std::count(choices.begin(), choices.end(), row.value_when_absent);
    CHECK(absent == (row.value_when_absent.empty() ? 0 : 1));
    CHECK(row.value.empty() == (is_flag(row) || has_optional_value(row)));
  }
}

TEST_CASE("man page: a mark that stands alone in a cell of a table is text") {
  std::string all;
  for (const auto& [page, text] : manual_pages()) all += text;
  std::istringstream stream(all);
  int cells = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t cell = line.rfind(" Ta ");
    if (line.rfind(".It ", 0) != 0 || cell == std::string::npos) continue;
    ++cells;
    // mdoc would take it for the end of what is before it, and put no space there.
    for (const char* const mark : {" . ", " , ", " : ", " ; ", " ! ", " ? ", " ( ", " ) "}) {
      INFO(line);
      CHECK_FALSE(has(line.substr(cell), mark));
    }
  }
  CHECK(cells > 30);
}

}  // namespace help_test
