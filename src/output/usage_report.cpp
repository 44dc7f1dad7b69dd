// SPDX-License-Identifier: MIT
// Rows of --usage that are collected: a sorted table, or a tree for people.
//
//      SIZE     %                  NAME
//      4.9G  100%  ██████████████  /usr
//      2.1G   43%  ██████          ├── lib
//      1.2G   24%  ███▍            │   └── x86_64-linux-gnu
//      800M   16%  ██▎             ├── share
//      310M    6%  ▉               └── … 37 more
//
// The tree has the largest directories, as many as there are lines for. A directory is at least as
// large as each one below it, so they are a tree. The rest is in one row below their root.
#include <algorithm>
#include <string>

#include "output/tree.h"
#include "output/usage.h"
#include "text/format.h"
#include "text/quoting.h"
#include "text/ranges.h"
#include "text/unicode.h"

namespace ffind::output {
namespace {

/// Lines of a terminal that are not for rows: the heading, the row of the rest, the prompt.
constexpr std::size_t other_lines = 3;
constexpr std::size_t fewest_rows = 5;
constexpr std::size_t size_columns = 5;
constexpr std::size_t percent_columns = 4;

/// A quarter of the screen beyond the other columns; none on a narrow one.
std::size_t bar_columns(std::size_t columns) {
  if (columns < 34) return 0;
  return std::min<std::size_t>((columns - 20) / 4, 40);
}

/// A bar of `share` of `columns`, in eighths of a column.
void append_bar(std::string& out, double share, std::size_t columns, bool blocks) {
  const auto eighths = static_cast<std::size_t>(share * static_cast<double>(columns) * 8.0);
  const std::size_t whole = std::min(eighths / 8, columns);
  for (std::size_t i = 0; i < whole; ++i) out += blocks ? "█" : "#";
  std::size_t used = whole;
  if (blocks && used < columns && eighths % 8 != 0) {
    constexpr std::string_view parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    out += parts[eighths % 8];
    ++used;
  }
  out.append(columns - used, ' ');
}

}  // namespace

/// Draws the rows of a Usage as a tree, or writes them as a sorted table.
class UsageReport {
 public:
  explicit UsageReport(Usage& usage)
      : usage_(usage),
        style_(usage.style_),
        totals_(usage.totals()),
        rows_(usage.shown_rows(totals_)) {
    for (const Index root : usage_.roots_) {
      add_up(whole_, usage_.bytes_of(totals_[root]));
    }
    const auto is_name = [](const SortKey& key) { return key.field->name == "name"; };
    if (std::none_of(style_.sort.begin(), style_.sort.end(), is_name)) return;
    natural_.resize(totals_.size());
    std::string path;
    std::string folded;
    for (const Index row : rows_) {
      path.clear();
      usage_.append_path(path, row);
      text::append_natural_name(natural_[row], path, folded);
    }
  }

  void write() { usage_.draws_ ? draw() : write_table(); }

 private:
  using Index = UsageRow::Index;

  /// Leaves the rows of the tree.
  void keep_largest_rows() {
    std::size_t most = style_.limit;
    if (style_.limit == UINT64_MAX) {
      const std::size_t taken = other_lines + (usage_.roots_.size() > 1 ? usage_.roots_.size() : 0);
      most = std::max(style_.screen.rows, taken + fewest_rows) - taken;
    }
    // Roots are always shown, and come first.
    std::sort(rows_.begin(), rows_.end(), [this](Index a, Index b) {
      const bool root = usage_.rows_[a].parent == 0;
      if (root != (usage_.rows_[b].parent == 0)) return root;
      return before(a, b, true);
    });
    rows_.resize(std::min(rows_.size(), std::max(most, usage_.roots_.size())));
  }

  /// The last rows of a stream come as they are.
  void write_table() {
    if (!usage_.streams_) {
      std::sort(rows_.begin(), rows_.end(),
                [this](Index a, Index b) { return before(a, b, false); });
    }
    if (rows_.size() > style_.limit) rows_.resize(style_.limit);
    for (const Index row : rows_) {
      usage_.append_line(usage_.lines_, row, totals_[row]);
      if (!usage_.write_lines(full_buffer)) return;
    }
    usage_.write_lines(1);
  }

  void draw() {
    const TreeSigns& signs = tree_signs(style_);
    std::string& out = usage_.lines_;
    std::vector<std::vector<Index>> children(totals_.size());
    std::vector<char> chosen(totals_.size());
    keep_largest_rows();
    for (const Index row : rows_) {
      chosen[row] = 1;
      children[usage_.rows_[row].parent].push_back(row);
    }
    for (std::vector<Index>& siblings : children) {
      std::sort(siblings.begin(), siblings.end(),
                [this](Index a, Index b) { return before(a, b, false); });
    }
    if (usage_.roots_.empty()) return;
    const std::size_t bar = bar_columns(style_.screen.columns);
    out += shown_heading(text::format("{:>{}} {:>{}}{:{}}  NAME\n", "SIZE", size_columns, "%",
                                      percent_columns, "", bar == 0 ? 0 : bar + 2),
                         style_);
    for (const Index root : children[0]) {
      std::string path;
      usage_.append_path(path, root);
      draw_line(out, usage_.bytes_of(totals_[root]), {}, path, !usage_.rows_[root].is_file);
      // The directories in the root that are not shown: those further down are part of one that is.
      std::uint64_t more = usage_.rows_[root].more;
      std::uint64_t more_bytes = usage_.rows_[root].more_bytes;
      const bool has_levels = !style_.usage->levels || *style_.usage->levels > 0;
      for (Index row = usage_.rows_[root].first_child; row != 0; row = usage_.rows_[row].next) {
        if (!has_levels || chosen[row] != 0 || totals_[row].empty()) continue;
        ++more;
        more_bytes += usage_.bytes_of(totals_[row]);
      }
      // As row 0, which is none, after the others in the root.
      if (more > 0) children[root].push_back(0);
      draw_branches(
          root, signs,
          [&](Index row) { return row == 0 ? std::vector<Index>() : std::move(children[row]); },
          [&](Index row, const std::string& branches) {
            if (row == 0) {
              draw_line(out, more_bytes, branches, text::format("{} {} more", signs.ellipsis, more),
                        false);
            } else {
              draw_line(out, usage_.bytes_of(totals_[row]), branches, usage_.rows_[row].name, true);
            }
            return true;
          });
    }
    if (children[0].size() > 1) draw_line(out, whole_, {}, "total", false);
    usage_.write_lines(1);
  }

  /// Names are cut to the width of the screen, at their beginning.
  void draw_line(std::string& out, std::uint64_t bytes, std::string_view branches,
                 std::string_view name, bool is_directory) const {
    const double share =
        whole_ == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(whole_);
    const std::string size = shown_size(bytes, style_.human_sizes);
    append_aligned(out, size, Alignment::right, size_columns);
    out += text::format("{:>5}", text::format("{}%", static_cast<int>(share * 100.0)));
    const std::size_t bar = bar_columns(style_.screen.columns);
    if (bar > 0) {
      out += "  ";
      append_bar(out, share, bar, style_.box_characters);
    }
    out += "  ";
    out += branches;
    std::string escaped;
    text::append_escaped(escaped, name);
    const std::size_t before = std::max(size.size(), size_columns) + 1 + percent_columns + 2 +
                               (bar > 0 ? bar + 2 : 0) + text::columns_of(branches);
    const std::size_t room =
        style_.screen.columns > before + 8 ? style_.screen.columns - before : 8;
    std::string shown = escaped;
    if (text::columns_of(escaped) > room) {
      const std::string_view ellipsis = tree_signs(style_).ellipsis;
      shown = ellipsis;
      shown += text::end_that_fits(escaped, room - text::columns_of(ellipsis));
    }
    if (style_.palette && is_directory) {
      style_.palette->append_colored(out, style_.palette->directory_color(), shown);
    } else {
      out += shown;
    }
    if (style_.marks_directories && is_directory && shown.back() != '/') out += '/';
    out += '\n';
  }

  /// By --sort, then the largest first, then by path. A tree, whose rows are chosen by size, is
  /// ordered by --sort only among siblings.
  bool before(Index a, Index b, bool by_size) const {
    const std::uint64_t one = usage_.bytes_of(totals_[a]);
    const std::uint64_t other = usage_.bytes_of(totals_[b]);
    if (!by_size) {
      for (const SortKey& key : style_.sort) {
        const Index first = key.reversed ? b : a;
        const Index second = key.reversed ? a : b;
        if (key.field->sort == ValueSort::size) {
          if (one != other) return (one < other) != key.reversed;
        } else if (key.field->name == "path") {
          if (a != b) return usage_.comes_before(first, second);
        } else if (const int order = natural_[first].compare(natural_[second]); order != 0) {
          return order < 0;
        }
      }
    }
    if (one != other) return one > other;
    if (usage_.rows_[a].depth != usage_.rows_[b].depth) {
      return usage_.rows_[a].depth < usage_.rows_[b].depth;
    }
    return usage_.comes_before(a, b);
  }

  Usage& usage_;
  const OutputStyle& style_;
  std::vector<Space> totals_;
  std::vector<Index> rows_;           ///< that may be shown
  std::vector<std::string> natural_;  ///< by row: the path in natural order, if rows are sorted so
  std::uint64_t whole_ = 0;           ///< bytes of all roots
};

/// Called by one thread. Lanes are left if the search was stopped while a volume held them up, for
/// which the only reason is that the next stage takes no more: then there is nothing to do.
void Usage::pass_on() {
  if (!wanted_) return;
  graft_volumes();
  UsageReport(*this).write();
}

}  // namespace ffind::output
