// SPDX-License-Identifier: MIT
// The locale of --tree, and where the words of --sort and --count are told of.
#include "cli/request.h"

#include <cstdlib>
#include <iterator>
#include <memory>
#include <sstream>

#include "catch.h"
#include "cli/option_table.h"
#include "os/machine.h"
#include "output/count_keys.h"
#include "text/format.h"
#include "unit/source_text.h"

namespace output_options_test {

using namespace ffind;
using namespace ffind::cli;

namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Words as_words(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

output::OutputStyle style_of(const Options& options) {
  static const std::unique_ptr<const Accounts> accounts = os::accounts();
  return build_output_style(options, *accounts);
}

}  // namespace

TEST_CASE("trees have lines where the locale is UTF-8") {
  const auto boxes = [](const char* all, const char* type, const char* lang) {
    setenv("LC_ALL", all, 1);
    setenv("LC_CTYPE", type, 1);
    setenv("LANG", lang, 1);
    return style_of({}).box_characters;
  };
  const char* const before = std::getenv("LC_ALL");
  const std::string kept = before != nullptr ? before : "";
  CHECK(boxes("", "", "en_US.UTF-8"));
  CHECK(boxes("", "UTF-8", ""));
  CHECK(boxes("de_AT.utf8@euro", "C", "C"));
  CHECK_FALSE(boxes("", "", ""));
  CHECK_FALSE(boxes("C", "", "en_US.UTF-8"));
  CHECK_FALSE(boxes("", "de_AT.ISO-8859-1", "en_US.UTF-8"));
  setenv("LC_ALL", kept.c_str(), 1);
  unsetenv("LC_CTYPE");
  unsetenv("LANG");
}

TEST_CASE("the man page names the same keys to sort by, and all of them") {
  const Words words = as_words(sort_words());
  std::string man = between(source_text("man/ffind.1"), ".It Fl -sort ", ".It Fl ");
  man = between(man, "One of\n.Cm ", " .\n");
  std::string listed;
  for (const std::string& word : split(man)) {
    if (word != "," && word != ".Cm") listed += word + " ";
  }
  CHECK(split(listed) == words);
}

TEST_CASE("the man page names the words that matches can be counted by, and choices are keys") {
  const std::string man = between(source_text("man/ffind.1"), ".It Fl -count", ".It Fl ");
  for (const std::string_view word : output::count_words()) {
    INFO(word);
    CHECK(man.find(text::format(" {}", word)) != std::string::npos);
  }
  for (const std::string_view word : words_in(option_of(Id::count).choices)) {
    if (word != "matches") CHECK(output::parse_count_key(word, 0, {}).name != "");
  }
}

}  // namespace output_options_test
