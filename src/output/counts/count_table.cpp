// SPDX-License-Identifier: MIT
// See count_table.h.
#include "output/counts/count_table.h"

#include <algorithm>
#include <string_view>

#include "output/json.h"
#include "output/ordered/natural.h"
#include "text/escape.h"

namespace ffind {
namespace {

struct Row {
  std::string_view key;
  Tally tally;
  std::string order{};  ///< of the key, where rows are sorted by it naturally
};

int compare(std::uint64_t a, std::uint64_t b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare(const Row& a, const Row& b, const SortKey& key) {
  int order = 0;
  if (key.field->sort == ValueSort::size) {
    order = compare(a.tally.size, b.tally.size);
  } else if (a.key.empty() != b.key.empty()) {
    return a.key.empty() ? 1 : -1;  // what is unknown comes last
  } else if (key.field->name == "name") {
    order = a.order.compare(b.order);
  } else {
    order = a.key.compare(b.key);
  }
  return key.reversed ? -order : order;
}

/// As asked for; then the most frequent first, and bytes.
bool before(const Row& a, const Row& b, const std::vector<SortKey>& keys) {
  for (const SortKey& key : keys) {
    if (const int order = compare(a, b, key); order != 0) return order < 0;
  }
  if (a.tally.count != b.tally.count) return a.tally.count > b.tally.count;
  return a.key < b.key;
}

std::vector<Row> rows_of(const Tallies& tallies, const OutputStyle& style) {
  const auto fold = style.describer.fold_name;
  std::vector<Row> rows;
  rows.reserve(tallies.size());
  for (const auto& [key, tally] : tallies) {
    Row row{key, tally};
    std::string folded;
    if (fold != nullptr) fold(folded, key);
    append_natural(row.order, fold != nullptr ? folded : key);
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(),
            [&](const Row& a, const Row& b) { return before(a, b, style.sort); });
  if (rows.size() > style.limit) rows.resize(style.limit);
  return rows;
}

void append_right(std::string& out, std::uint64_t number, std::size_t width) {
  const std::string text = std::to_string(number);
  out.append(width - text.size(), ' ') += text;
}

class TextTable {
 public:
  TextTable(const Tally& total, const OutputStyle& style)
      : count_width_(std::to_string(total.count).size()),
        size_width_(std::to_string(total.size).size()),
        escapes_(style.escapes()),
        end_(style.end) {}

  void add(std::string& out, const Tally& tally, std::string_view key) const {
    append_right(out, tally.count, count_width_);
    append_right(out += "  ", tally.size, size_width_);
    out += "  ";
    if (escapes_) {
      text::append_escaped(out, key);
    } else {
      out += key;
    }
    out += end_;
  }

 private:
  std::size_t count_width_;
  std::size_t size_width_;
  bool escapes_;
  char end_;
};

void add_json(std::string& out, const Row& row, const RecordField& field) {
  JsonObject object(out);
  // As in the records of matches: no extension is an empty one, no kind is none.
  if (!row.key.empty() || field.sort == ValueSort::bytes) object.add_bytes(field.name, row.key);
  object.add("count", row.tally.count);
  object.add("size", row.tally.size);
  object.end();
}

void add_json_total(std::string& out, const Tally& total) {
  JsonObject object(out);
  object.add("total", true);
  object.add("count", total.count);
  object.add("size", total.size);
  object.end();
}

}  // namespace

std::string count_table(const Tallies& tallies, const RecordField& field,
                        const OutputStyle& style) {
  Tally total;
  for (const auto& [key, tally] : tallies) total += tally;
  const std::vector<Row> rows = rows_of(tallies, style);
  std::string out;
  if (style.format == Format::json) {
    for (const Row& row : rows) add_json(out, row, field);
    add_json_total(out, total);
    return out;
  }
  const TextTable table(total, style);
  for (const Row& row : rows) table.add(out, row.tally, row.key.empty() ? "(none)" : row.key);
  table.add(out, total, "total");
  return out;
}

}  // namespace ffind
