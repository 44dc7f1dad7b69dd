// SPDX-License-Identifier: MIT
// --tree: collects matches below the directories that lead to them, and draws them at the end. Made
// by Output. Knows no entries.
//
// A Node is a name in its directory; its children are a list from the last to the first.
// Directories are found again by their paths, which are in a PathTree; its first names are the
// roots. No function recurses, since trees may be of any depth.
//
//     matches       src/a.c   src/x/b.c          src           last_root_ ─▶ 0 src
//     nodes_        0 src   1 a.c   2 x   3 b.c  ├── a.c       0.last_child ─▶ 2 x ─previous▶ 1 a.c
//     directories_  1 src   2 src/x              └── x         2.last_child ─▶ 3 b.c
//     node_of_      1 ─▶ 0  2 ─▶ 2                  └── b.c
//
// A node takes 32 bytes and its name. All members are under one mutex, which a lane takes once for
// a block of matches.
//
// With details, a directory that was found shows the sum of all regular files below it, whether
// they match or not: -t d finds no file. A file counts in the nearest directory above it that was
// found, whose number is the token of all directories in between; sums are added up at the end. A
// volume mounted below a root is searched as one of its own, so all of it counts at its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/searcher.h"
#include "output/output_style.h"
#include "output/path_tree.h"
#include "output/pipeline.h"
#include "output/record_fields.h"

namespace ffind::output {

/// Signs before a name, and before the names below it, in this order: for one of many, for the
/// last, and below each of these.
struct TreeSigns {
  std::string_view one_of_many;
  std::string_view last;
  std::string_view beside_more;
  std::string_view beside_nothing;
  std::string_view ellipsis;
};
/// Lines of boxes in a UTF-8 locale, else ASCII.
const TreeSigns& tree_signs(const OutputStyle& style);

/// Draws what is below `root`, depth first, with a stack of levels. `draw(node, branches)` draws a
/// line and returns false to end, `children_of(node)` returns a vector.
template <typename Node, typename ChildrenOf, typename Draw>
bool draw_branches(Node root, const TreeSigns& signs, ChildrenOf children_of, Draw draw) {
  struct Level {
    std::vector<Node> nodes;
    std::size_t next;
    std::size_t indentation;  ///< in bytes
  };
  std::string branches;
  std::vector<Level> levels = {{children_of(root), 0, 0}};
  while (!levels.empty()) {
    Level& level = levels.back();
    branches.resize(level.indentation);
    if (level.next == level.nodes.size()) {
      levels.pop_back();
      continue;
    }
    const Node node = level.nodes[level.next++];
    const bool last = level.next == level.nodes.size();
    branches += last ? signs.last : signs.one_of_many;
    if (!draw(node, branches)) return false;
    std::vector<Node> below = children_of(node);
    if (below.empty()) continue;
    branches.resize(level.indentation);
    branches += last ? signs.beside_nothing : signs.beside_more;
    levels.push_back({std::move(below), 0, branches.size()});
  }
  return true;
}

/// The children of a directory are in the order of their names, unless --sort has another field:
/// then they are in the order of the matches, and a directory takes the place of its first match.
///
/// An empty line separates the trees of several roots, and the last line counts what was drawn:
/// "6 directories, 20 files", as tree(1) does, into pipes too. Without a match nothing is written.
class Tree final : public MatchStage {
 public:
  /// `style` and `next` outlive it.
  Tree(const OutputStyle& style, RecordStage& next);

  bool take(std::span<const Match> matches) override;
  /// Draws the tree.
  void finish() override;
  /// Returns a lane that adds up what `lane` gets, and what does not match.
  std::unique_ptr<Lane> follow(std::unique_ptr<Lane> lane);

 private:
  class SummingLane;

  /// Numbers of nodes, in the order of creation: a directory has a lower one than what is in it.
  using Index = std::uint32_t;
  static constexpr Index none = UINT32_MAX;

  /// A name in its directory, or a root.
  struct Node {
    const char* name = nullptr;  ///< followed by the text to show, if that differs
    std::uint32_t name_size = 0;
    std::uint32_t shown_size = 0;
    Index last_child = none;
    Index previous = none;   ///< child of the same directory
    bool found = false;      ///< a match, not only on the way to one
    bool directory = false;  ///< or has children, which makes it one as well
    bool cut = false;        ///< a directory that was not entered, at the greatest depth
  };
  /// Columns of --long for the node of the same number.
  struct Details {
    std::uint64_t size = 0;  ///< of a directory: the sum of the files that were found below it
    char unsized = '\0';     ///< shown instead if there is no size
    std::optional<std::uint64_t> total{};  ///< of a directory that was found: all files below it
    std::optional<Instant> modified{};
  };
  DirectoryToken token_of(std::string_view root, std::string_view relative);
  void count(DirectoryToken directory, std::uint64_t bytes);
  PathTree::Index path_of(std::string_view root, std::string_view relative);
  Index node_at(PathTree::Index directory);
  Index add_node(Index directory, std::string_view name);
  void write(Node& node, std::string_view name, std::string_view shown);
  void add(const Match& match);
  void note_details(Index node, const Match& match);
  void add_up_totals();
  void sum_up();
  void append_heading(std::string& out) const;
  void append_details(std::string& out, Index node);
  std::vector<Index> in_order(Index last);
  void sort_by_name(std::vector<Index>& nodes) const;
  void draw(std::string& line, const Node& node, bool is_root);
  bool draw_below(Index root, std::string& buffer);
  bool pass_on(std::string& buffer, std::size_t enough);

  const OutputStyle& style_;
  RecordStage& next_;
  enum class Order : std::uint8_t { arrival, natural, bytes };
  Order order_ = Order::natural;
  bool reversed_ = false;
  bool finished_ = false;
  std::uint64_t directory_count_ = 0;  ///< of the nodes drawn
  std::uint64_t file_count_ = 0;
  std::mutex mutex_;
  Arena names_;
  std::vector<Node> nodes_;
  std::vector<Details> details_;  ///< empty without --long
  std::size_t size_columns_ = 0;
  TimeColumn time_;
  Index last_root_ = none;
  PathTree directories_;
  std::vector<Index> node_of_;         ///< by directory; none if nothing was found in it
  std::vector<std::uint64_t> totals_;  ///< by directory: of files, in bytes
};

}  // namespace ffind::output
