// SPDX-License-Identifier: MIT
// The words for keys, the groups of sizes and times, and the texts.
#include "output/count_keys.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "text/format.h"
#include "text/quoting.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace ffind::output {
namespace {

struct CountWord {
  std::string_view word;
  std::string_view key;
};
constexpr CountWord words[] = {{"age", "modified:age"},
                               {"year", "modified:%Y"},
                               {"month", "modified:%Y-%m"},
                               {"day", "modified:%F"},
                               {"tag", "tags"}};

struct Age {
  std::string_view name;
  std::string_view range;  ///< as for --modified
};
constexpr Age ages[age_count] = {{"future", ">now"},         {"today", "today"},
                                 {"yesterday", "yesterday"}, {"last 7 days", "7d"},
                                 {"last 30 days", "30d"},    {"this year", "this year"},
                                 {"older", "<=now"}};
constexpr std::string_view unknown_age = "unknown";

bool is_text(const RecordField& field) {
  return field.sort == ValueSort::bytes || field.sort == ValueSort::text;
}

/// Groups a field without a conversion, in the way that makes few rows of it.
void group(CountKey& key) {
  const RecordField& field = *key.field.field;
  if (field.name == "ext") {
    key.grouping = Grouping::folded;
  } else if (field.name == "owner" || field.name == "group") {
    key.grouping = Grouping::account;
  } else if (field.sort == ValueSort::size) {
    key.grouping = Grouping::powers;
    key.name += "_from";
  } else if (field.sort == ValueSort::time) {
    key.field.time_format.emplace("%F");
  } else if (field.sort == ValueSort::list) {
    key.grouping = Grouping::elements;
  } else if (is_text(field) && (field.needs & needs::finder) == 0) {
    key.grouping = Grouping::plain;
  }
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// 10 to the power of `exponent`, at most 19.
std::uint64_t power(unsigned exponent) {
  std::uint64_t number = 1;
  for (; exponent > 0; --exponent) number *= 10;
  return number;
}

/// 1, 10, 100, 1k, ...
void append_power(std::string& out, unsigned exponent) {
  text::append_number(out, power(exponent % 3));
  constexpr std::string_view units = " kMGTPE";
  if (exponent >= 3) out += units[exponent / 3];
}

}  // namespace

std::vector<std::string_view> count_words() {
  std::vector<std::string_view> names;
  for (const CountWord& row : words) names.push_back(row.word);
  return names;
}

CountKey parse_count_key(std::string_view word, std::size_t begin, const text::Clock& clock) {
  CountKey key;
  for (const CountWord& row : words) {
    if (row.word != word) continue;
    key = parse_count_key(row.key, begin, clock);
    if (key.grouping != Grouping::elements) key.name = word;
    return key;
  }
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  const RecordField* const field = find_record_field(name);
  if (field == nullptr) {
    std::vector<std::string_view> choices = count_words();
    if (std::find(choices.begin(), choices.end(), name) != choices.end()) {
      throw TemplateError(begin, text::format("'{}' has no conversions", name));
    }
    for (const RecordField& row : record_fields()) choices.push_back(row.name);
    throw TemplateError(
        begin, name.empty() ? "a key is missing" : text::format("cannot count by '{}'", name),
        std::string(name), choices);
  }
  key.name = field->name;
  const std::string_view how = colon == std::string_view::npos ? "" : word.substr(colon + 1);
  if (how == "age" && field->sort == ValueSort::time) {
    key.field.field = field;
    key.grouping = Grouping::ages;
    std::transform(std::begin(ages), std::end(ages), key.ages.begin(),
                   [&](const Age& age) { return text::parse_time_range(age.range, clock, {}); });
  } else {
    key.field = parse_inner_field(word, begin);
  }
  if (colon == std::string_view::npos) {
    group(key);
  } else {
    key.name.append(":").append(how);
  }
  return key;
}

void append_shown(std::string& out, const CountKey& key, std::string_view text) {
  if (key.grouping == Grouping::ages) {
    out += text.empty() ? unknown_age : ages[number_in(text)].name;
  } else if (text.empty()) {
    out += "(none)";
  } else if (key.grouping == Grouping::powers) {
    const auto digits = static_cast<unsigned>(number_in(text));
    if (digits == 0) {
      out += '0';
      return;
    }
    append_power(out, digits - 1);
    append_power(out += "..", digits);
  } else {
    out += text;
  }
}

/// As in the records of matches: no extension is an empty one, no kind is none.
void add_key(text::DataRow& row, const CountKey& key, std::string_view text) {
  const RecordField& field = *key.field.field;
  const bool is_converted = key.field.conversion != nullptr || key.field.time_format;
  if (key.grouping == Grouping::ages) {
    std::string shown;
    append_shown(shown, key, text);
    row.add(key.name, shown);
  } else if (text.empty() && (!key.is_bytes() || field.needs != needs::none)) {
    row.add_unknown(key.name, key.is_bytes());
  } else if (key.is_bytes()) {
    row.add_bytes(key.name, text);
  } else if (key.grouping == Grouping::powers) {
    const auto digits = static_cast<unsigned>(number_in(text));
    row.add(key.name, digits == 0 ? 0 : power(digits - 1));
  } else if (field.sort == ValueSort::number && !is_converted) {
    row.add(key.name, number_in(text));
  } else {
    row.add(key.name, text);
  }
}

/// ("a/b/c", 1) is "a/b", ("a", 1) is ".", ("/a", 1) is "/". Doubled slashes count as one.
std::string_view directory_above(std::string_view path, std::uint32_t levels) {
  if (levels == 0) return path;
  const bool absolute = path.starts_with('/');
  for (; levels > 0; --levels) {
    const std::size_t slash = path.rfind('/');
    path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
    while (path.ends_with('/')) path.remove_suffix(1);
  }
  if (path.empty()) return absolute ? "/" : ".";
  return path;
}

/// NULs separate the keys of a row. Only what people have written into attributes can contain one.
std::string_view KeyReader::without_nuls(std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return text;
  std::string replaced;
  for (const char c : text) {
    if (c != '\0') {
      replaced += c;
    } else {
      text::append_utf8(replaced, text::replacement_character);
    }
  }
  text_ = std::move(replaced);
  return text_;
}

std::string_view KeyReader::text_of(Entry& entry) {
  const RecordField& field = *key_.field.field;
  if (key_.grouping == Grouping::plain) return field.read(entry, scratch_).text;
  text_.clear();
  switch (key_.grouping) {
    case Grouping::plain:
    case Grouping::folded: {
      // JPG is counted as jpg.
      const std::string_view text = field.read(entry, scratch_).text;
      if (text.empty()) return text;
      text::append_folded_name(text_, text);
      return text_;
    }
    case Grouping::above:
      return directory_above(field.read(entry, scratch_).text, levels_above(entry));
    case Grouping::account: {
      const FieldValue value = field.read(entry, scratch_);
      if (value.known) return value.text;
      // One without a name is counted by its number.
      if (!entry.require(field.needs)) break;
      text::append_number(text_, field.name == "owner" ? entry.metadata.uid : entry.metadata.gid);
      break;
    }
    case Grouping::powers: {
      const FieldValue value = field.read(entry, scratch_);
      if (!value.known) break;
      char digits = 0;
      for (std::uint64_t rest = value.number; rest > 0; rest /= 10) ++digits;
      text_ += static_cast<char>('0' + digits / 10);
      text_ += static_cast<char>('0' + digits % 10);
      break;
    }
    case Grouping::ages: {
      const FieldValue value = field.read(entry, scratch_);
      const auto* const fits =
          std::find_if(key_.ages.begin(), key_.ages.end(),
                       [&](const text::TimeRange& age) { return age.contains(value.time); });
      if (value.known) text_ += static_cast<char>('0' + (fits - key_.ages.begin()));
      break;
    }
    case Grouping::written:
    case Grouping::elements:
      writer_.append(text_, key_.field, entry);
      return without_nuls(text_);
  }
  return text_;
}

}  // namespace ffind::output
