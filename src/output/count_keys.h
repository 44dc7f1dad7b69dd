// SPDX-License-Identifier: MIT
// Keys of --count=KEY[,KEY]: the columns that matches are grouped by. A key is a field, with any
// conversion of templates, or a word for one (year, month, age, tag). Parsed by cli; a KeyReader in
// each lane makes the text that a match counts under.
//
//     key             grouping     text in the table   shown
//     ext             folded       jpg                 jpg
//     dir:2           above        a/b                 a/b
//     owner           account      ann                 ann
//     kind            plain        image               image
//     modified:%Y     written      2026                2026
//     modified        written      2026-01-31          2026-01-31
//     size            powers       05                  10k..100k
//     age             ages         3                   last 7 days
//     tags            elements     Red                 Red
//
// Texts sort by bytes in the order of what they stand for. An empty one is unknown, or no value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/template.h"
#include "text/data_row.h"
#include "text/ranges.h"

namespace ffind::output {

enum class Grouping : std::uint8_t {
  written,  ///< as in templates
  plain,    ///< the same of a text without a conversion, in place
  folded,
  above,
  account,
  powers,
  ages,
  elements,
};

constexpr std::size_t age_count = 7;

struct CountKey {
  std::string name;  ///< in headings, NDJSON and CSV
  TemplateField field;
  Grouping grouping = Grouping::written;
  std::uint32_t depth = 0;                        ///< of the directories of dir:N
  std::array<text::TimeRange, age_count> ages{};  ///< the first that fits counts

  bool is_bytes() const { return field.field->sort == ValueSort::bytes; }
};

/// Returns the words for keys that are not names of fields.
std::vector<std::string_view> count_words();

/// Parses one key, which begins at `begin` of the text that positions are of. Throws TemplateError.
CountKey parse_count_key(std::string_view word, std::size_t begin, const text::Clock& clock);

/// Appends a text of the key as people read it.
void append_shown(std::string& out, const CountKey& key, std::string_view text);
/// Adds it to a row.
void add_key(text::DataRow& row, const CountKey& key, std::string_view text);

/// Reads the texts of a key. Belongs to one thread.
class KeyReader {
 public:
  /// Both outlive it.
  KeyReader(const CountKey& key, const Accounts* accounts)
      : key_(key), writer_(accounts, false), scratch_{accounts} {}

  /// Returns the text, valid until the next call; of a list all elements.
  std::string_view text_of(Entry& entry);
  /// Calls `use(text)`, for a list once for each element. The text is valid during the call.
  template <typename Use>
  void read(Entry& entry, Use use) {
    if (key_.grouping != Grouping::elements) return use(text_of(entry));
    const FieldValue value = key_.field.field->read(entry, scratch_);
    if (value.list.empty()) return use(std::string_view());
    for (const std::string& element : value.list) use(without_nuls(element));
  }

  /// Returns the levels from the directory of a match up to the one that it is counted in.
  std::uint32_t levels_above(const Entry& entry) const {
    // A match of depth d is in a directory of depth d - 1. Directories that are not that deep count
    // for themselves.
    const bool is_deeper = key_.grouping == Grouping::above && entry.depth > key_.depth + 1;
    return is_deeper ? entry.depth - 1 - key_.depth : 0;
  }

 private:
  std::string_view without_nuls(std::string_view text);

  const CountKey& key_;
  FieldWriter writer_;
  FieldScratch scratch_;
  std::string text_;
};

/// Returns the directory `levels` above `path`, which has no slash at its end.
std::string_view directory_above(std::string_view path, std::uint32_t levels);

}  // namespace ffind::output
