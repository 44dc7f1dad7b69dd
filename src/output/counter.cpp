// SPDX-License-Identifier: MIT
// Lanes that count matches, and the table of counts.
//
// A lane finds the row of a match in its own Tallies, a PathTree with a Tally for each number.
// Kinds and extensions are keys of one name; for directories, the key is a path, and the tree makes
// the next match in the same directory cost a comparison with the last path. When a worker ends,
// its keys are translated to the numbers of the common Tallies. The table is made once, from all of
// them: rows are sorted by numbers (place, count, size), and keys are spelt only for natural order
// and for the rows that are written.
#include "output/counter.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "output/pipeline.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

struct Row {
  PathTree::Index key;
  bool unknown;       ///< the key is empty
  std::size_t place;  ///< of the key, in the order of bytes
  Tally tally;
  std::string order{};  ///< key in natural order, if rows are sorted so
};

int compare(std::uint64_t a, std::uint64_t b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/// For the keys of --sort that a table knows: size, name (natural order) and path (order of bytes).
int compare(const Row& a, const Row& b, const SortKey& key) {
  int order = 0;
  if (key.field->sort == ValueSort::size) {
    order = compare(a.tally.sum.size, b.tally.sum.size);
  } else if (a.unknown != b.unknown) {
    return a.unknown ? 1 : -1;  // unknown keys come last, reversed or not
  } else if (key.field->name == "name") {
    order = a.order.compare(b.order);
  } else {
    order = compare(a.place, b.place);
  }
  return key.reversed ? -order : order;
}

/// Compares by --sort, then by count, the most frequent first, then by bytes.
bool before(const Row& a, const Row& b, const std::vector<SortKey>& keys) {
  for (const SortKey& key : keys) {
    if (const int order = compare(a, b, key); order != 0) return order < 0;
  }
  if (a.tally.sum.count != b.tally.sum.count) return a.tally.sum.count > b.tally.sum.count;
  return a.place < b.place;
}

/// Returns the rows in the order of --sort, as many as the limit allows. Keys are compared by their
/// index in the order of bytes, or by a natural key if --sort has `name`.
std::vector<Row> rows_of(const Tallies& tallies, const OutputStyle& style) {
  const PathTree& keys = tallies.keys();
  const bool naturally = std::any_of(style.sort.begin(), style.sort.end(),
                                     [](const SortKey& key) { return key.field->name == "name"; });
  std::vector<Row> rows;
  std::string folded;
  std::string text;
  std::size_t place = 0;
  for (const PathTree::Index key : keys.sorted()) {
    ++place;
    const Tally tally = tallies.tallies()[key];
    // A directory on the way to others, without matches of its own.
    if (tally.sum.empty()) continue;
    const bool unknown = keys.parent(key) == PathTree::root && keys.name(key).empty();
    Row& row = rows.emplace_back(Row{key, unknown, place, tally});
    if (!naturally) continue;
    text.clear();
    keys.append(text, key);
    text::append_natural_name(row.order, text, folded);
  }
  std::sort(rows.begin(), rows.end(),
            [&](const Row& a, const Row& b) { return before(a, b, style.sort); });
  if (rows.size() > style.limit) rows.resize(style.limit);
  return rows;
}

/// Columns for count and size, as wide as the total needs, and the key.
class TextTable {
 public:
  TextTable(const Space& total, const OutputStyle& style) : style_(style) {
    // The total has the longest count. It need not have the longest size: 9.9k is longer than 10M.
    count_width_ = std::to_string(total.count).size();
    size_width_ = style.human_sizes ? human_size_width : std::to_string(total.size).size();
    if (style.for_people()) {
      count_width_ = std::max(count_width_, count_heading.size());
      size_width_ = std::max(size_width_, size_heading.size());
    }
  }

  void add_heading(std::string& out, std::string_view key) const {
    if (!style_.for_people()) return;
    std::string line;
    append_aligned(line, count_heading, Alignment::right, count_width_);
    append_aligned(line += "  ", size_heading, Alignment::right, size_width_);
    line += "  ";
    // Names of fields are ASCII letters.
    std::transform(key.begin(), key.end(), std::back_inserter(line),
                   [](char c) { return static_cast<char>(c & ~0x20); });
    out += shown_heading(line += '\n', style_);
  }

  void add(std::string& out, const Space& sum, std::string_view key) const {
    append_aligned(out, std::to_string(sum.count), Alignment::right, count_width_);
    append_aligned(out += "  ", shown_size(sum.size, style_.human_sizes), Alignment::right,
                   size_width_);
    out += "  ";
    append_text(out, key, style_.escapes());
    out += style_.end;
  }

 private:
  static constexpr std::size_t human_size_width = 4;
  static constexpr std::string_view count_heading = "COUNT";
  static constexpr std::string_view size_heading = "SIZE";

  const OutputStyle& style_;
  std::size_t count_width_;
  std::size_t size_width_;
};

/// Members of a row. With a depth, count and size are of the matches directly in a directory, as
/// without one.
void add_json_sums(text::JsonObject& object, const Space& own, const Space& sum, bool has_depth) {
  object.add("count", own.count);
  object.add("size", own.size);
  object.add("allocated", own.allocated);
  if (has_depth) {
    object.add("sum_count", sum.count);
    object.add("sum_size", sum.size);
    object.add("sum_allocated", sum.allocated);
  }
  object.end();
}

/// Passes the table on: a row for each of `tallies`, up to the limit of `style`, and a last one for
/// the total. `field` is the key.
void write_count_table(const Tallies& tallies, const RecordField& field, const OutputStyle& style,
                       RecordStage& next) {
  Space total;
  for (const Tally& tally : tallies.tallies()) total += tally.sum;
  const bool json = style.format == Format::json;
  const bool has_depth = style.count_depth.has_value();
  const TextTable table(total, style);
  std::string out;
  if (!json) table.add_heading(out, field.name);
  std::string key;
  for (const Row& row : rows_of(tallies, style)) {
    key.clear();
    tallies.keys().append(key, row.key);
    if (json) {
      text::JsonObject object(out);
      // As in the records of matches: no extension is an empty one, no kind is none.
      if (!key.empty() || field.sort == ValueSort::bytes) object.add_bytes(field.name, key);
      add_json_sums(object, has_depth ? row.tally.own : row.tally.sum, row.tally.sum, has_depth);
    } else {
      table.add(out, row.tally.sum, key.empty() ? std::string_view("(none)") : key);
    }
    if (out.size() < full_buffer) continue;
    if (!next.take(out)) return;
    out.clear();
  }
  if (json) {
    text::JsonObject object(out);
    object.add("total", true);
    add_json_sums(object, total, total, has_depth);
  } else {
    table.add(out, total, "total");
  }
  next.take(out);
}

}  // namespace

void Tallies::add(const Tallies& others) {
  // Translates their numbers to ours; a parent has a lower number than its children.
  std::vector<PathTree::Index> ours(others.tallies_.size());
  for (PathTree::Index key = 1; key < ours.size(); ++key) {
    // The key 0 is the root of both trees.
    ours[key] = keys_.add_below(ours[others.keys_.parent(key)], others.keys_.name(key));
    Tally& tally = at(ours[key]);
    tally.sum += others.tallies_[key].sum;
    tally.own += others.tallies_[key].own;
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

/// Counts without reading anything. Adds its count up before its worker waits, perhaps for ever.
class CountLane final : public Lane {
 public:
  explicit CountLane(Counter& counter) : counter_(counter) {}
  bool emit(Entry&) override {
    ++count_;
    return true;
  }
  void flush() override {
    counter_.count_ += count_;
    count_ = 0;
  }

 private:
  Counter& counter_;
  std::uint64_t count_ = 0;
};

/// Counts by the value of a field. An extension is folded, so that JPG counts as jpg.
class TableLane final : public Lane {
 public:
  explicit TableLane(Counter& counter)
      : counter_(counter),
        scratch_{counter.style_.accounts},
        folds_(counter.field_->name == "ext") {}
  ~TableLane() override { counter_.add(tallies_); }
  TableLane(const TableLane&) = delete;
  TableLane& operator=(const TableLane&) = delete;

  bool emit(Entry& entry) override {
    std::string_view key = key_of(entry);
    const std::uint32_t above = levels_above(entry);
    key = directory_above(key, above);
    if (folds_ && !key.empty()) {
      folded_.clear();
      text::append_folded_name(folded_, key);
      key = folded_;
    }
    Tally& tally = tallies_[key];
    // Only regular files are statted.
    entry.require(needs::type);
    const bool sized = entry.type == FileType::file && entry.require(needs::size);
    const Space space{sized ? entry.metadata.allocated : 0, sized ? entry.metadata.size : 0, 1};
    tally.sum += space;
    if (above == 0) tally.own += space;
    return true;
  }

 private:
  /// An account that has no name is counted by its number.
  std::string_view key_of(Entry& entry) {
    const FieldValue value = counter_.field_->read(entry, scratch_);
    if (value.known || counter_.field_->needs != needs::owner) return value.text;
    if (!entry.require(needs::owner)) return {};
    const bool of_owner = counter_.field_->name == "owner";
    number_ = std::to_string(of_owner ? entry.metadata.uid : entry.metadata.gid);
    return number_;
  }

  /// Returns the levels from the directory of a match up to the one that it is counted in.
  std::uint32_t levels_above(const Entry& entry) const {
    const auto& depth = counter_.style_.count_depth;
    // A match of depth d is in a directory of depth d - 1. Directories that are not that deep count
    // for themselves.
    return depth && entry.depth > *depth + 1 ? entry.depth - 1 - *depth : 0;
  }

  Counter& counter_;
  FieldScratch scratch_;
  const bool folds_;  ///< JPG is counted as jpg
  std::string folded_;
  std::string number_;
  Tallies tallies_;
};

Counter::Counter(const OutputStyle& style, RecordStage& next)
    : style_(style), next_(next), field_(style.count_by) {}

Needs Counter::needs() const {
  if (field_ == nullptr) return needs::none;
  return needs::type | needs::size | field_->needs;
}

std::unique_ptr<Lane> Counter::open_lane() {
  if (field_ == nullptr) return std::make_unique<CountLane>(*this);
  return std::make_unique<TableLane>(*this);
}

void Counter::add(const Tallies& tallies) {
  const std::lock_guard lock(mutex_);
  tallies_.add(tallies);
}

/// Writes the table or the one number; called by one thread, when no lane is left.
void Counter::pass_on() {
  if (field_ != nullptr) {
    write_count_table(tallies_, *field_, style_, next_);
    return;
  }
  std::string text;
  if (style_.format == Format::json) {
    text::JsonObject object(text);
    object.add("count", count_.load());
    object.end();
  } else {
    text = std::to_string(count_) + '\n';
  }
  next_.take(text);
}

}  // namespace ffind::output
