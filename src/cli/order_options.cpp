// SPDX-License-Identifier: MIT
// See order_options.h.
#include "cli/order_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cli/environment.h"
#include "cli/option_table.h"
#include "cli/suggest.h"
#include "ffind/issue.h"
#include "text/format.h"
#include "text/problem.h"

namespace ffind {
namespace {

/// As --count has its choices in the option table.
constexpr CountBy ways_to_count[] = {CountBy::nothing, CountBy::directory, CountBy::kind,
                                     CountBy::extension};

using Words = std::vector<std::string_view>;

[[noreturn]] void fail_unknown(ValueTarget target, const std::string& text, std::size_t position,
                               const std::string& word, std::string_view what, const Words& words) {
  const std::string near = field_suggestion(word, words);
  text::fail_at(source_of(target), text, position,
                text::format("unknown {} '{}'{}", what, word,
                             near.empty() ? text::format(": {}", fmt::join(words, ", ")) : near));
}

/// Rows of a table of counts have only these.
Words words_for_counts() {
  return {"name", "path", "size"};
}

SortKey sort_key(const std::string& list, std::size_t from, std::size_t to, const Words& words) {
  const bool reversed = from < to && list[from] == '-';
  const std::size_t begin = from + (reversed ? 1 : 0);
  const std::string word = list.substr(begin, to - begin);
  if (word.empty()) text::fail_at(source_of(&Options::sort), list, begin, "a key is missing here");
  const RecordField* const field = find_record_field(word);
  if (field == nullptr || std::find(words.begin(), words.end(), field->name) == words.end()) {
    fail_unknown(&Options::sort, list, begin, word, "sort key", words);
  }
  return {field, reversed};
}

void add_keys(std::vector<SortKey>& keys, const std::string& list, const Words& words) {
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t to = std::min(list.find(',', from), list.size());
    keys.push_back(sort_key(list, from, to, words));
    from = to + 1;
  }
}

CountBy count_by(const std::string& word) {
  const Words words = words_in(option_of(&Options::count).choices);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return ways_to_count[found - words.begin()];
  fail_unknown(&Options::count, word, 0, word, "way to count", words);
}

/// As setlocale finds it; without asking it, since what it says depends on what is installed.
bool is_utf8_locale() {
  std::string locale;
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    locale = value;
    break;
  }
  const std::size_t dot = locale.find('.');
  std::string encoding;
  for (const char c : locale.substr(std::min(dot, locale.size()))) {
    if (c == '@') break;
    if (c != '.' && c != '-') encoding += static_cast<char>(c | 0x20);
  }
  return encoding == "utf8" || locale == "UTF-8";  // the latter is what macOS calls LC_CTYPE's
}

}  // namespace

std::vector<std::string_view> sort_words() {
  Words words;
  for (const RecordField& field : record_fields()) {
    if (has_order(field)) words.push_back(field.name);
  }
  return words;
}

void add_order(OutputStyle& style, const Options& options) {
  const bool counts = !options.count.empty();
  for (const std::string& word : options.count) style.count = count_by(word);
  if (style.count == CountBy::nothing && !options.sort.empty()) {
    throw UsageError(
        "--count prints one number, which --sort cannot sort\n  for example: --count=ext --sort "
        "-size");
  }
  const Words words = counts ? words_for_counts() : sort_words();
  for (const std::string& list : options.sort) add_keys(style.sort, list, words);
  const bool dumb = style.terminal && environment("TERM") == "dumb";
  style.box_characters = is_utf8_locale() && !dumb;
}

}  // namespace ffind
