// SPDX-License-Identifier: MIT
// --tree: collects what was found below the directories that lead to it, and draws that at the end.
// Made by Output. Knows no entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "output/output_style.h"
#include "output/path_tree.h"
#include "output/pipeline.h"
#include "text/times.h"

namespace ffind::output {

/// What is in one directory is in the order of names; but where the records come sorted by what
/// only matches have, in their order: a directory is then where the first of what is in it
/// does.
class Tree final : public MatchStage {
 public:
  /// Both outlive it.
  Tree(const OutputStyle& style, RecordStage& next);

  bool take(std::span<const Match> matches) override;
  /// Draws the tree.
  void finish() override;

 private:
  using Index = std::uint32_t;
  static constexpr Index none = UINT32_MAX;

  /// A name in its directory; a root in none.
  struct Node {
    const char* name = nullptr;  ///< and behind it what is shown of it, if that is something else
    std::uint32_t name_size = 0;
    std::uint32_t shown_size = 0;
    Index last_child = none;
    Index previous = none;  ///< of the same directory
    bool found = false;     ///< not only on the way to something
  };
  /// What --long shows of a node, beside it under the same number.
  struct Details {
    std::uint64_t size = 0;  ///< of a directory: of the files that were found below it
    char unsized = '\0';     ///< what is shown instead, if it has no size
    std::optional<Nanoseconds> modified{};
  };
  /// Directories are found again by these.
  struct Place {
    Index directory;
    std::string_view name;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const;
  };
  /// What is being drawn of a directory.
  struct Level {
    std::vector<Index> nodes;
    std::size_t next;
    std::size_t indentation;  ///< bytes of it
  };

  Index directory_at(std::string_view root, std::string_view relative);
  Index place_of(Index directory, std::string_view name);
  Index add_node(Index directory, std::string_view name, std::string_view shown = {});
  void write(Node& node, std::string_view name, std::string_view shown);
  void add(const Match& match);
  void note_details(Index node, const Match& match);
  void add_up();
  void append_heading(std::string& out) const;
  void append_details(std::string& out, Index node);
  std::vector<Index> in_order(Index last);
  void sort_by_name(std::vector<Index>& nodes) const;
  void draw(std::string& line, const Node& node) const;
  bool draw_below(Index root, std::string& buffer);
  bool pass_on(std::string& buffer, std::size_t enough);

  const OutputStyle& style_;
  RecordStage& next_;
  enum class Order : std::uint8_t { arrival, natural, bytes };
  Order order_ = Order::natural;
  bool reversed_ = false;
  bool finished_ = false;
  std::mutex mutex_;
  Arena names_;
  std::vector<Node> nodes_;
  std::vector<Details> details_;  ///< empty without --long
  std::size_t size_columns_ = 0;
  text::LocalZone zone_;
  Index last_root_ = none;
  std::unordered_map<Place, Index, Hash> places_;
  /// A directory on the way to where the record before this one hung, and where its name ends in
  /// the path there.
  struct Step {
    std::size_t end;
    Index directory;
  };
  // Mostly the next one hangs there too, or not far from it.
  std::string root_;
  std::string path_;
  std::vector<Step> steps_;  ///< from the root, which ends at 0
};

}  // namespace ffind::output
