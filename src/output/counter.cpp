// SPDX-License-Identifier: MIT
// Lanes that count matches, and the table of counts.
//
// A lane finds the row of a match in its own Tallies, a PathTree with a sum for each number. Texts
// of several keys are joined by NULs; for directories, the tree makes the next match in the same
// directory cost a comparison with the last path. When a worker ends, its keys are translated to
// the numbers of the common Tallies. The table is made once, from all of them: rows are sorted by
// numbers (place, count, size), and keys are spelt only for natural order, for the widths of
// columns and for the rows that are written.
#include "output/counter.h"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "output/count_keys.h"
#include "output/pipeline.h"
#include "text/ascii.h"
#include "text/data_row.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

bool has_grouping(const OutputStyle& style, Grouping grouping) {
  return std::any_of(style.count_by.begin(), style.count_by.end(),
                     [&](const CountKey& key) { return key.grouping == grouping; });
}

/// True if matches are added up to directories of a depth.
bool has_depth(const OutputStyle& style) {
  return has_grouping(style, Grouping::above);
}

struct Row {
  PathTree::Index key;
  std::uint32_t place;  ///< of the key, in the order of bytes
};

int compare(std::uint64_t a, std::uint64_t b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/// Calls `use(number, text)` for each key of a row.
template <typename Use>
void for_each_key(std::string_view keys, Use use) {
  std::size_t number = 0;
  text::for_each_part(keys, '\0', [&](std::size_t, std::string_view key) { use(number++, key); });
}

/// The rows in the order of --sort, as many as the limit allows.
class Rows {
 public:
  Rows(const Tallies& tallies, const OutputStyle& style)
      : tallies_(tallies), style_(style), texts_(style.sort.size()) {
    std::string keys;
    std::string folded;
    std::uint32_t place = 0;
    for (const PathTree::Index key : tallies.keys().sorted()) {
      // A directory on the way to others, without matches of its own.
      if (tallies.sums()[key].empty()) continue;
      rows_.push_back({key, place++});
      for (std::size_t i = 0; i < style.sort.size(); ++i) {
        if (!goes_by_keys(style.sort[i])) continue;
        keys.clear();
        tallies.keys().append(keys, key);
        texts_[i].push_back(text_of(style.sort[i], keys, folded));
      }
    }
    std::sort(rows_.begin(), rows_.end(),
              [this](const Row& a, const Row& b) { return before(a, b); });
    if (rows_.size() > style.limit) rows_.resize(style.limit);
  }

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

 private:
  static bool goes_by_keys(const SortKey& key) {
    return key.key > 0 || (key.field != nullptr && key.field->sort != ValueSort::size);
  }

  /// By `path` the bytes of all keys, else in natural order: of one key, or by `name` of all.
  static std::string text_of(const SortKey& sort, const std::string& keys, std::string& folded) {
    if (sort.key == 0 && sort.field->name == "path") return keys;
    std::string text;
    for_each_key(keys, [&](std::size_t number, std::string_view key) {
      if (sort.key != 0 && number != sort.key - 1) return;
      if (sort.key == 0 && number > 0) text += '\0';
      text::append_natural_name(text, key, folded);
    });
    return text;
  }

  int compare_by(std::size_t i, const Row& a, const Row& b) const {
    const SortKey& key = style_.sort[i];
    const Space& one = tallies_.sums()[a.key];
    const Space& other = tallies_.sums()[b.key];
    int order = 0;
    if (goes_by_keys(key)) {
      const std::string& text = texts_[i][a.place];
      const std::string& other_text = texts_[i][b.place];
      // Unknown keys come last, reversed or not.
      const auto is_unknown = [](const std::string& keys) {
        return keys.empty() || keys.front() == '\0';
      };
      if (is_unknown(text) != is_unknown(other_text)) return is_unknown(text) ? 1 : -1;
      order = text.compare(other_text);
    } else {
      order =
          key.field == nullptr ? compare(one.count, other.count) : compare(one.size, other.size);
    }
    return key.reversed ? -order : order;
  }

  /// Compares by --sort, then by count, the most frequent first, then by bytes.
  bool before(const Row& a, const Row& b) const {
    for (std::size_t i = 0; i < style_.sort.size(); ++i) {
      if (const int order = compare_by(i, a, b); order != 0) return order < 0;
    }
    const std::uint64_t count = tallies_.sums()[a.key].count;
    const std::uint64_t other = tallies_.sums()[b.key].count;
    return count != other ? count > other : a.place < b.place;
  }

  const Tallies& tallies_;
  const OutputStyle& style_;
  std::vector<Row> rows_;
  std::vector<std::vector<std::string>> texts_;  ///< by key of --sort and place
};

/// Columns for count and size, as wide as the total needs, and the keys; for people the share of
/// what the rows are ordered by, too.
class TextTable {
 public:
  TextTable(const Space& total, const OutputStyle& style)
      : style_(style),
        total_(total),
        is_by_size_(!style.sort.empty() && style.sort.front().field != nullptr &&
                    style.sort.front().field->name == "size"),
        widths_(style.count_by.size()) {
    // The total has the longest count. It need not have the longest size: 9.9k is longer than 10M.
    count_width_ = std::to_string(total.count).size();
    size_width_ = style.human_sizes ? human_size_width : std::to_string(total.size).size();
    if (style.for_people()) {
      count_width_ = std::max(count_width_, count_heading.size());
      size_width_ = std::max(size_width_, size_heading.size());
      std::transform(style.count_by.begin(), style.count_by.end(), widths_.begin(),
                     [](const CountKey& key) { return heading(key).size(); });
    }
  }

  /// Makes the columns as wide as the keys of a row.
  void fit(std::string_view keys) {
    for_each_key(keys, [&](std::size_t number, std::string_view key) {
      widths_[number] = std::max(widths_[number], text::columns_of(cell(number, key)));
    });
  }

  void add_heading(std::string& out) const {
    if (!style_.for_people()) return;
    std::string line;
    append_aligned(line, count_heading, Alignment::right, count_width_);
    if (!is_by_size_) append_percent(line, "%");
    append_aligned(line += "  ", size_heading, Alignment::right, size_width_);
    if (is_by_size_) append_percent(line, "%");
    for (std::size_t i = 0; i < widths_.size(); ++i) add_cell(line, heading(style_.count_by[i]), i);
    out += shown_heading(line += '\n', style_);
  }

  void add(std::string& out, const Space& sum, std::string_view keys) {
    add_sums(out, sum);
    for_each_key(keys, [&](std::size_t number, std::string_view key) {
      add_cell(out, cell(number, key), number);
    });
    out += style_.end;
  }

  void add_total(std::string& out, const Space& total) const {
    add_sums(out, total);
    out += "  total";
    out += style_.end;
  }

 private:
  static constexpr std::size_t human_size_width = 4;
  static constexpr std::size_t percent_width = 4;
  static constexpr std::string_view count_heading = "COUNT";
  static constexpr std::string_view size_heading = "SIZE";

  /// The name in upper case, but for a conversion.
  static std::string heading(const CountKey& key) {
    std::string text = key.name;
    const auto end = std::find(text.begin(), text.end(), ':');
    std::transform(text.begin(), end, text.begin(),
                   [](char c) { return text::is_letter(c) ? static_cast<char>(c & ~0x20) : c; });
    return text;
  }
  /// Valid until the next call. A path may have 400 kB, so each row does not allocate its own.
  const std::string& cell(std::size_t number, std::string_view key) {
    shown_.clear();
    append_shown(shown_, style_.count_by[number], key);
    text_.clear();
    append_text(text_, shown_, style_.escapes());
    return text_;
  }
  void add_sums(std::string& out, const Space& sum) const {
    append_aligned(out, std::to_string(sum.count), Alignment::right, count_width_);
    if (!is_by_size_) append_share(out, sum.count, total_.count);
    append_aligned(out += "  ", shown_size(sum.size, style_.human_sizes), Alignment::right,
                   size_width_);
    if (is_by_size_) append_share(out, sum.size, total_.size);
  }
  /// Appends a column of shares, for people, right of what they are shares of.
  void append_percent(std::string& out, std::string_view text) const {
    if (style_.for_people()) append_aligned(out += "  ", text, Alignment::right, percent_width);
  }
  void append_share(std::string& out, std::uint64_t part, std::uint64_t whole) const {
    const double share =
        whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole) * 100.0;
    append_percent(out, std::to_string(static_cast<int>(share)) + "%");
  }
  void add_cell(std::string& out, std::string_view text, std::size_t number) const {
    const bool is_last = number + 1 == widths_.size();
    append_aligned(out += "  ", text, Alignment::left, is_last ? 0 : widths_[number]);
  }

  const OutputStyle& style_;
  const Space total_;
  const bool is_by_size_;  ///< the shares are of the size, not of the count
  std::size_t count_width_;
  std::size_t size_width_;
  std::vector<std::size_t> widths_;  ///< of the keys
  std::string shown_;
  std::string text_;
};

/// Adds a row for programs. With a depth, count and size are of the matches directly in a
/// directory, as without one.
void add_row(std::string& out, const OutputStyle& style, const std::string* keys, const Space& own,
             const Space& sum, bool is_heading = false) {
  text::DataRow row(out, style.row_form(), is_heading);
  if (keys == nullptr) {
    row.add("total", true);
  } else {
    for_each_key(*keys, [&](std::size_t number, std::string_view key) {
      add_key(row, style.count_by[number], key);
    });
  }
  row.add("count", own.count);
  row.add("size", own.size);
  row.add("allocated", own.allocated);
  if (has_depth(style)) {
    row.add("sum_count", sum.count);
    row.add("sum_size", sum.size);
    row.add("sum_allocated", sum.allocated);
  }
  row.end();
}

/// Passes the table on: a row for each of `tallies`, up to the limit of `style`, and a last one for
/// the total, which in CSV would be counted among the others.
void write_count_table(const Tallies& tallies, const OutputStyle& style, RecordStage& next) {
  const Rows rows(tallies, style);
  TextTable table(tallies.total(), style);
  std::string out;
  std::string keys(style.count_by.size() - 1, '\0');
  const auto spell = [&](const Row& row) {
    keys.clear();
    tallies.keys().append(keys, row.key);
  };
  if (!style.for_programs()) {
    for (const Row& row : rows) {
      if (style.count_by.size() == 1) break;
      spell(row);
      table.fit(keys);
    }
    table.add_heading(out);
  } else if (style.format == Format::csv) {
    add_row(out, style, &keys, {}, {}, true);
  }
  for (const Row& row : rows) {
    spell(row);
    const Space& sum = tallies.sums()[row.key];
    if (style.for_programs()) {
      add_row(out, style, &keys, has_depth(style) ? tallies.own(row.key) : sum, sum);
    } else {
      table.add(out, sum, keys);
    }
    if (out.size() < full_buffer) continue;
    if (!next.take(out)) return;
    out.clear();
  }
  if (style.format == Format::json) add_row(out, style, nullptr, tallies.total(), tallies.total());
  if (!style.for_programs()) table.add_total(out, tallies.total());
  next.take(out);
}

}  // namespace

Space Tallies::total() const {
  Space total = total_;
  if (total.empty()) {
    for (const Space& sum : sums_) total += sum;
  }
  return total;
}

void Tallies::add(Tallies&& others) {
  if (sums_.empty()) {
    *this = std::move(others);
    return;
  }
  total_ += others.total_;
  // Translates their numbers to ours; a parent has a lower number than its children.
  std::vector<PathTree::Index> ours(others.sums_.size());
  for (PathTree::Index key = 1; key < ours.size(); ++key) {
    // The key 0 is the root of both trees.
    ours[key] = keys_.add_below(ours[others.keys_.parent(key)], others.keys_.name(key));
    at(sums_, ours[key], keys_.size()) += others.sums_[key];
    if (key < others.own_.size()) at(own_, ours[key], keys_.size()) += others.own_[key];
  }
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

/// Counts by the keys.
class TableLane final : public Lane {
 public:
  explicit TableLane(Counter& counter)
      : counter_(counter),
        has_depth_(has_depth(counter.style_)),
        has_lists_(has_grouping(counter.style_, Grouping::elements)) {
    for (const CountKey& key : counter.style_.count_by) {
      readers_.emplace_back(key, counter.style_.accounts);
    }
    if (readers_.size() == 1 && !has_lists_) single_ = &readers_.front();
  }
  ~TableLane() override { counter_.add(std::move(tallies_)); }
  TableLane(const TableLane&) = delete;
  TableLane& operator=(const TableLane&) = delete;

  bool emit(Entry& entry) override {
    // Only regular files are statted.
    entry.require(needs::type);
    Space space{0, 0, 1};
    if (entry.type == FileType::file) {
      entry.require(needs::size);
      if ((entry.present & needs::allocated) != 0) space.allocated = entry.metadata.allocated;
      if ((entry.present & needs::length) != 0) space.size = entry.metadata.size;
    }
    if (has_lists_) tallies_.add_to_total(space);
    const bool is_own = has_depth_ && std::all_of(readers_.begin(), readers_.end(), [&](auto& one) {
                          return one.levels_above(entry) == 0;
                        });
    if (single_ != nullptr) {
      tallies_.add(single_->text_of(entry), space, is_own);
    } else {
      keys_.clear();
      add(entry, 0, space, is_own);
    }
    return true;
  }

 private:
  /// Adds the texts of the keys from this number on to keys_, and counts the match under each.
  void add(Entry& entry, std::size_t number, const Space& space, bool is_own) {
    const std::size_t next = number + 1;
    readers_[number].read(entry, [&](std::string_view text) {
      const std::size_t begin = keys_.size();
      keys_ += text;
      if (next == readers_.size()) {
        tallies_.add(keys_, space, is_own);
      } else {
        keys_ += '\0';
        add(entry, next, space, is_own);
      }
      keys_.resize(begin);
    });
  }

  Counter& counter_;
  std::deque<KeyReader> readers_;
  const bool has_depth_;
  const bool has_lists_;
  KeyReader* single_ = nullptr;  ///< the only one, if it is no list
  std::string keys_;
  Tallies tallies_;
};

Counter::Counter(const OutputStyle& style, RecordStage& next) : style_(style), next_(next) {}

Needs Counter::needs() const {
  Needs all = style_.count_by.empty() ? needs::none : needs::type | needs::size;
  for (const CountKey& key : style_.count_by) all |= key.field.field->needs;
  return all;
}

std::unique_ptr<Lane> Counter::open_lane() {
  if (style_.count_by.empty()) return std::make_unique<CountLane>(*this);
  return std::make_unique<TableLane>(*this);
}

void Counter::add(Tallies&& tallies) {
  const std::lock_guard lock(mutex_);
  tallies_.add(std::move(tallies));
}

/// Writes the table or the one number; called by one thread, when no lane is left.
void Counter::pass_on() {
  if (!style_.count_by.empty()) return write_count_table(tallies_, style_, next_);
  std::string text;
  if (!style_.for_programs()) {
    text = std::to_string(count_) + '\n';
  } else {
    for (const bool is_heading : {true, false}) {
      if (is_heading && style_.format == Format::json) continue;
      text::DataRow row(text, style_.row_form(), is_heading);
      row.add("count", count_.load());
      row.end();
    }
  }
  next_.take(text);
}

}  // namespace ffind::output
