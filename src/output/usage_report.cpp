// SPDX-License-Identifier: MIT
// Rows of --usage that are collected: a sorted table, or a tree for people.
//
//      SIZE     %                  NAME
//      4.9G  100%  ██████████████  /usr
//      2.1G   43%  ██████░░░░░░░░  ├── lib
//      1.2G   24%  ███▍░░          │   ├── x86_64-linux-gnu
//      900M   18%  ██▌░░░          │   └── … 12 more
//      800M   16%  ██▎░░░░░░░░░░░  ├── share/fonts/all.ttf
//      310M    6%  ▉░░░░░░░░░░░░░  └── … 37 more
//
// The tree has the largest rows, as many as there are lines for. A directory is at least as large
// as each one below it, so they are a tree. The rest of what is in a directory is in one row, if
// that is as large as the others; that of a root always. A directory with nothing but one file is
// one row with it. Files without directories are listed below their root. The shade of a bar is the
// directory's around it.
//
// Lines are made first and then fitted to the screen: bars give way to names down to a few columns,
// then names are cut in the middle, and branches that take half of their room at the beginning.
#include <algorithm>
#include <string>

#include "os/files.h"
#include "output/tree.h"
#include "output/usage.h"
#include "text/ascii.h"
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

constexpr std::size_t fewest_bar_columns = 6;
constexpr std::size_t fewest_name_columns = 8;

/// Columns of `all` that are left after `part`.
std::size_t beyond(std::size_t all, std::size_t part) {
  return all - std::min(all, part);
}

}  // namespace

std::size_t bar_columns(std::size_t columns) {
  if (columns <= 40) return 0;
  return std::min<std::size_t>((columns - 20) / 4, 40);
}

void append_bar(std::string& out, double share, double around, std::size_t columns, bool blocks) {
  const auto eighths = static_cast<std::size_t>(share * static_cast<double>(columns) * 8.0);
  const std::size_t whole = std::min(eighths / 8, columns);
  for (std::size_t i = 0; i < whole; ++i) out += blocks ? "█" : "#";
  std::size_t used = whole;
  if (blocks && used < columns && eighths % 8 != 0) {
    constexpr std::string_view parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    out += parts[eighths % 8];
    ++used;
  }
  const auto shaded = static_cast<std::size_t>(around * static_cast<double>(columns));
  for (; used < std::min(shaded, columns); ++used) out += blocks ? "░" : "-";
  out.append(columns - used, ' ');
}

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

  struct Line {
    std::uint64_t bytes = 0;
    std::uint64_t around = 0;  ///< bytes of the row above
    std::string size{};
    std::string branches{};
    std::string name{};  ///< escaped
    std::string_view color{};
    bool ends_with_slash = false;
  };
  struct Rest {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
  };

  /// The number of rows that the tree may have.
  std::size_t most_lines() const {
    if (style_.limit != SIZE_MAX) return style_.limit;
    const std::size_t taken = other_lines + (usage_.roots_.size() > 1 ? usage_.roots_.size() : 0);
    return std::max(style_.screen.rows, taken + fewest_rows) - taken;
  }

  /// Sorts the rows for a tree: roots first, which are always shown, then by size.
  void sort_for_tree() {
    std::sort(rows_.begin(), rows_.end(), [this](Index a, Index b) {
      const bool root = usage_.rows_[a].parent == 0;
      if (root != (usage_.rows_[b].parent == 0)) return root;
      return before(a, b, true);
    });
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

  /// The row that a line is below: files alone are listed in their roots.
  Index above(Index row) const {
    do {
      row = usage_.rows_[row].parent;
    } while (!usage_.shows_directories_ && usage_.rows_[row].parent != 0);
    return row;
  }

  /// By directory: what is in it without a line of its own.
  std::vector<Rest> rests(const std::vector<char>& chosen) const {
    std::vector<Rest> rests(totals_.size());
    if (style_.usage->levels && *style_.usage->levels == 0) return rests;
    const auto add = [&](Index to, std::uint64_t count, std::uint64_t bytes) {
      rests[to].count += count;
      add_up(rests[to].bytes, bytes);
    };
    for (Index index = 1; index < totals_.size(); ++index) {
      const UsageRow& row = usage_.rows_[index];
      if (!row.used || row.is_file) continue;
      const Index to = usage_.shows_directories_ || row.parent == 0 ? index : above(index);
      add(to, row.more, row.more_bytes);
      if (usage_.shows_files_) add(to, row.candidates, usage_.bytes_of(row.linked));
    }
    for (const Index row : rows_) {
      if (chosen[row] == 0) add(above(row), 1, usage_.bytes_of(totals_[row]));
    }
    return rests;
  }

  /// The tree of the largest `most` rows.
  struct Branches {
    std::vector<std::vector<Index>> children;  ///< by row; of 0: the roots
    std::vector<Rest> rest;                    ///< by row; none if it has no line
    std::vector<Index> around;                 ///< by row: the one that it is below
    std::size_t lines = 0;                     ///< without those of roots' rests
  };
  Branches tree_of(std::size_t most) const {
    const std::size_t size = totals_.size();
    std::vector<char> chosen(size);
    Branches tree{std::vector<std::vector<Index>>(size), {}, std::vector<Index>(size), most};
    for (std::size_t i = 0; i < most; ++i) {
      const Index row = rows_[i];
      chosen[row] = 1;
      tree.around[row] = usage_.rows_[row].parent == 0 ? 0 : above(row);
      tree.children[tree.around[row]].push_back(row);
    }
    tree.rest = rests(chosen);
    const std::uint64_t least = most == 0 ? 0 : usage_.bytes_of(totals_[rows_[most - 1]]);
    for (Index row = 1; row < size; ++row) {
      Rest& rest = tree.rest[row];
      const bool is_root = chosen[row] != 0 && usage_.rows_[row].parent == 0;
      if (is_root || rest.count == 0) continue;
      const bool is_shown =
          !tree.children[row].empty() && rest.bytes >= std::max<std::uint64_t>(least, 1);
      if (is_shown) ++tree.lines;
      if (!is_shown) rest = {};
    }
    for (std::vector<Index>& siblings : tree.children) {
      for (Index& row : siblings) fold_into_file(tree, row);
    }
    for (std::vector<Index>& siblings : tree.children) {
      std::sort(siblings.begin(), siblings.end(),
                [this](Index a, Index b) { return before(a, b, false); });
    }
    return tree;
  }

  /// Replaces a directory that has nothing but one file, which has a row, by that.
  void fold_into_file(Branches& tree, Index& row) const {
    const UsageRow& directory = usage_.rows_[row];
    const std::vector<Index>& children = tree.children[row];
    if (directory.parent == 0 || directory.is_file || children.size() != 1) return;
    const Index file = children.front();
    const std::uint64_t others = totals_[row].count - totals_[file].count;
    if (!usage_.rows_[file].is_file || others != (directory.counted ? 1U : 0U)) return;
    tree.around[file] = tree.around[row];
    row = file;
    --tree.lines;
  }

  void draw() {
    if (usage_.roots_.empty()) return;
    sort_for_tree();
    const std::size_t most = std::max(most_lines(), usage_.roots_.size());
    std::size_t rows = std::min(rows_.size(), most);
    Branches tree = tree_of(rows);
    while (tree.lines > most && rows > usage_.roots_.size()) tree = tree_of(--rows);
    auto& children = tree.children;
    const TreeSigns& signs = tree_signs(style_);
    // The rest of a row is a node beyond all rows.
    const auto rest_of = [size = totals_.size()](Index row) {
      return static_cast<Index>(size + row);
    };
    for (Index row = 1; row < children.size(); ++row) {
      if (tree.rest[row].count > 0) children[row].push_back(rest_of(row));
    }
    for (const Index root : children[0]) {
      add_line(usage_.bytes_of(totals_[root]), whole_, {}, path_of(root), root);
      draw_branches(
          root, signs,
          [&](Index row) {
            return row < children.size() ? std::move(children[row]) : std::vector<Index>();
          },
          [&](Index row, const std::string& branches) {
            if (row >= children.size()) {
              const Index directory = row - rest_of(0);
              const Rest& rest = tree.rest[directory];
              add_line(rest.bytes, usage_.bytes_of(totals_[directory]), branches,
                       text::format("{} {} more", signs.ellipsis, rest.count), 0);
              return true;
            }
            std::string name = usage_.rows_[row].name;
            const Index around = tree.around[row];
            for (Index at = usage_.rows_[row].parent; at != around; at = usage_.rows_[at].parent) {
              name.insert(0, usage_.rows_[at].name + '/');
            }
            add_line(usage_.bytes_of(totals_[row]), usage_.bytes_of(totals_[around]), branches,
                     name, row);
            return true;
          });
    }
    if (children[0].size() > 1) add_line(whole_, whole_, {}, "total", 0);
    write_lines();
  }

  std::string path_of(Index row) const {
    std::string path;
    usage_.append_path(path, row);
    return path;
  }

  /// Looks at a file once more, since rows have no types: as many are shown as fit on a screen.
  std::string_view color_of(Index row) const {
    if (!usage_.rows_[row].is_file) return style_.palette->directory_color();
    Entry entry;
    entry.name = usage_.rows_[row].name;
    if (os::metadata_of_link(path_of(row), entry.metadata) == 0) {
      entry.type = os::type_of_mode(entry.metadata.mode);
      entry.present = needs::type | needs::mode | needs::links;
    }
    return style_.palette->color_of(entry);
  }

  /// `row` is 0 for a sum of others.
  void add_line(std::uint64_t bytes, std::uint64_t around, std::string_view branches,
                std::string_view name, Index row) {
    Line line{.bytes = bytes,
              .around = around,
              .size = shown_size(bytes, style_.human_sizes),
              .branches = std::string(branches)};
    const bool is_directory = row != 0 && !usage_.rows_[row].is_file;
    if (row != 0 && style_.palette) line.color = color_of(row);
    text::append_escaped(line.name, name);
    line.ends_with_slash = style_.marks_directories && is_directory && !line.name.ends_with('/');
    lines_.push_back(std::move(line));
  }

  void write_lines() {
    std::string& out = usage_.lines_;
    std::size_t sizes = size_columns;
    std::size_t names = 0;
    for (const Line& line : lines_) {
      sizes = std::max(sizes, line.size.size());
      names = std::max(names, text::columns_of(line.branches) + text::columns_of(line.name) +
                                  (line.ends_with_slash ? 1 : 0));
    }
    const std::size_t screen = style_.screen.columns;
    const std::size_t room = beyond(screen, sizes + 1 + percent_columns + 2);
    std::size_t bar = bar_columns(screen);
    bar = std::min(bar, std::max(fewest_bar_columns, beyond(room, names + 2)));
    const std::size_t for_name =
        std::max(beyond(room, bar == 0 ? 0 : bar + 2), fewest_name_columns);
    out += shown_heading(text::format("{:>{}} {:>{}}{:{}}  NAME\n", "SIZE", sizes, "%",
                                      percent_columns, "", bar == 0 ? 0 : bar + 2),
                         style_);
    for (const Line& line : lines_) write_line(out, line, sizes, bar, for_name);
    usage_.write_lines(1);
  }

  void write_line(std::string& out, const Line& line, std::size_t sizes, std::size_t bar,
                  std::size_t room) const {
    const std::string_view ellipsis = tree_signs(style_).ellipsis;
    const auto share_of = [&](std::uint64_t bytes) {
      return whole_ == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(whole_);
    };
    const double share = share_of(line.bytes);
    append_aligned(out, line.size, Alignment::right, sizes);
    out += text::format("{:>5}", text::format("{}%", static_cast<int>(share * 100.0)));
    if (bar > 0) {
      out += "  ";
      append_bar(out, share, share_of(line.around), bar, style_.box_characters);
    }
    out += "  ";
    std::string branches = line.branches;
    if (text::columns_of(branches) > room / 2) {
      const std::size_t level = text::columns_of(tree_signs(style_).last);
      branches.clear();
      append_aligned(branches, ellipsis, Alignment::left, level);
      branches += text::end_that_fits(line.branches, beyond(room / 2 / level * level, level));
    }
    out += branches;
    room = beyond(room, text::columns_of(branches) + (line.ends_with_slash ? 1 : 0));
    const std::string shown = text::cut_in_the_middle(line.name, room, ellipsis);
    if (style_.palette) {
      style_.palette->append_colored(out, line.color, shown);
    } else {
      out += shown;
    }
    if (line.ends_with_slash) out += '/';
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
  std::vector<Line> lines_;           ///< of the tree
};

/// Called by one thread. Lanes are left if the search was stopped while a volume held them up, for
/// which the only reason is that the next stage takes no more: then there is nothing to do.
void Usage::pass_on() {
  if (!wanted_) return;
  graft_volumes();
  // Some directories turn out to be chains only when all links of their files are known.
  for (Index row = 1; row < rows_.size(); ++row) {
    if (rows_[row].used && folds(row)) fold(row);
  }
  UsageReport(*this).write();
}

/// Puts the volumes that were mounted below a root, and searched as roots of their own, into the
/// place where they are mounted. Those nearer to the root come first.
void Usage::graft_volumes() {
  if (pins_.empty()) return;
  const auto path_of = [this](Index row) {
    std::string path;
    append_path(path, row);
    return path;
  };
  std::vector<std::pair<std::string, Index>> mounted;
  for (const auto& each : volumes_) mounted.emplace_back(path_of(each.first), each.first);
  std::sort(mounted.begin(), mounted.end());
  for (const auto& each : mounted) {
    const Index volume = each.second;
    const Root& mount = volumes_[volume];
    const auto upper = std::find_if(roots_.begin(), roots_.end(), [&](Index root) {
      return !rows_[root].is_file && !volumes_.contains(root) && path_of(root) == named_root(mount);
    });
    if (upper == roots_.end()) continue;
    Index at = *upper;
    std::vector<Index> way = {at};
    for (std::string_view rest = mount.below; !rest.empty();) {
      const std::string_view name = text::take_part(rest, '/');
      Index child = rows_[at].first_child;
      while (child != 0 && rows_[child].name != name) child = rows_[child].next;
      if (child == 0) child = new_row(at, name);
      rows_[child].complete = true;
      way.push_back(at = child);
    }
    UsageRow& from = rows_[volume];
    for (const Index row : way) rows_[row].sum += from.sum;
    rows_[at].linked += from.linked;
    rows_[at].more += from.more;
    rows_[at].more_bytes += from.more_bytes;
    for (Index child = from.first_child; child != 0;) {
      const Index next = rows_[child].next;
      UsageRow& row = rows_[child];
      row.parent = at;
      row.previous = 0;
      row.next = rows_[at].first_child;
      if (row.next != 0) rows_[row.next].previous = child;
      rows_[at].first_child = child;
      child = next;
    }
    roots_.erase(std::find(roots_.begin(), roots_.end(), volume));
  }
}

}  // namespace ffind::output
