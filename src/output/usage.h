// SPDX-License-Identifier: MIT
// --usage: the space below each directory, allocated or apparent, each hard-linked file once. Made
// by Output, which passes it the beginning and the end of each directory.
//
//     worker ──emit──▶ UsageLane: sum of a block ──add──▶ Row of the directory
//            ──enter─▶ a new Row below that of its parent
//     node freed ────▶ leave(): the row is complete; its sum goes to its parent
//
// No tree of all directories is kept. A row lives while its directory is searched; after that only
// if it may be shown: it is one of the largest so far, or the rows are sorted at the end. In a
// stream it is written at once. All others are dropped.
//
// A file with several links counts under the first of its paths in byte order, which is known when
// all of them were seen. LinkTable has an inode's first path so far, and the
// file's space is kept apart from the row's sum (Row::linked). A row with such files stays
// until the end, or until their first paths turn out to be elsewhere.
//
// Everything is under one mutex, which is taken some three times for each directory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ffind/plan.h"
#include "output/output_style.h"
#include "output/pipeline.h"

namespace ffind::output {

/// Sums that exceed the largest number count as that.
struct Space {
  std::uint64_t allocated = 0;
  std::uint64_t size = 0;
  std::uint64_t count = 0;  ///< entries, each inode once

  Space& operator+=(const Space& other);
  /// Stops at 0: a file may have grown since it was added.
  Space& operator-=(const Space& other);
  bool empty() const { return count == 0; }
};

/// A directory that is being searched or may be shown, or a root.
struct UsageRow {
  using Index = DirectoryToken;
  Space sum{};     ///< all that is below, except linked files; final if complete
  Space linked{};  ///< files with several links that count directly in it
  /// Names of linked files in it. They are compared with those of files and directories in it, and
  /// with nothing else, so they are only needed until it is complete.
  std::unique_ptr<std::string> link_names{};
  std::string name{};     ///< of a root: as printed, with its slash
  Index parent = 0;       ///< 0 for a root
  Index first_child = 0;  ///< of those that are kept
  Index next = 0;         ///< sibling
  Index previous = 0;
  std::uint32_t candidates = 0;  ///< linked files whose first path so far is in it
  std::uint32_t depth = 0;
  std::uint32_t more = 0;        ///< child directories that were dropped since others are larger
  std::uint64_t more_bytes = 0;  ///< of them
  bool used = false;
  bool complete = false;
  bool largest = false;        ///< among the largest complete rows
  bool pinned = false;         ///< leads to a volume that another root has
  bool is_file = false;        ///< a root that is no directory
  const Root* root = nullptr;  ///< of a root's row
};

/// The first path so far of each inode with several links, in 16 bytes and an eighth to a fifth of
/// free slots. Its parts, by the upper bits of the hash, grow one at a time.
class LinkTable {
 public:
  struct Slot {
    std::uint64_t inode = 0;
    UsageRow::Index row = 0;  ///< 0: free
    std::uint32_t name = 0;   ///< offset in the row's link_names
  };
  /// Returns the slot of the inode, a new one with row 0 if there was none; the caller sets it.
  Slot& find(std::uint64_t inode);

 private:
  static void grow(std::vector<Slot>& slots);

  static constexpr std::size_t parts = 64;
  std::vector<Slot> slots_[parts];
  std::size_t used_[parts] = {};
};

class Usage final : public Collector {
 public:
  using Index = UsageRow::Index;

  /// `style` and `next` outlive it.
  Usage(const OutputStyle& style, RecordStage& next);

  Needs needs() const override;
  std::unique_ptr<Lane> open_lane() override;
  void pass_on() override;
  /// Call before the search.
  void set_plan(const Plan& plan);
  void leave(DirectoryToken directory);

 private:
  friend class UsageLane;
  friend class UsageReport;

  // Called by lanes
  Index enter_root(const Root& root);
  void add_root_file(const Entry& entry, const Space& space);
  Index enter(Index above, std::string_view name, const Space& own);
  void add(Index row, const Space& space);
  void add_link(Index row, std::string_view name, const Metadata& metadata);
  bool write_lines(std::size_t enough);

  Index new_row(Index parent, std::string_view name);
  void free_row(Index index);
  bool is_pin(const UsageRow& row) const;
  void complete(Index index);
  void settle(Index index);
  bool is_shown(const UsageRow& row) const;
  std::uint64_t bytes_of(const Space& space) const {
    return style_.usage->apparent ? space.size : space.allocated;
  }
  void keep_largest(Index index);
  void link(Index row, std::string_view name, const Metadata& metadata, const Space& space);
  bool comes_before(Index one, std::string_view name, Index other,
                    std::string_view other_name) const;
  void append_path(std::string& path, Index index) const;
  void graft_volumes();
  std::vector<Space> totals() const;
  std::vector<Index> shown_rows(const std::vector<Space>& totals) const;
  void append_line(std::string& out, Index row, const Space& total) const;

  const OutputStyle& style_;
  RecordStage& next_;
  const bool draws_;                ///< a tree for people
  const bool streams_;              ///< rows are written when they are complete
  const std::size_t most_rows_;     ///< rows kept at a time, if not all are
  std::atomic<bool> wanted_{true};  ///< false once the next stage takes no more
  std::vector<std::pair<std::string, std::string>> pins_;  ///< printed root, path below it

  std::mutex mutex_;  ///< guards what follows
  std::deque<UsageRow> rows_;
  std::vector<Index> free_;
  std::vector<Index> roots_;
  std::unordered_map<std::uint64_t, LinkTable> links_;  ///< by device
  /// Complete rows by bytes, deeper ones first among equals; at most most_rows_.
  std::set<std::pair<std::pair<std::uint64_t, std::uint32_t>, Index>> largest_;
  std::string lines_;
};

/// Draws the rows of a Usage as a tree, or writes them as a sorted table.
class UsageReport {
 public:
  explicit UsageReport(Usage& usage);
  void write();

 private:
  using Index = UsageRow::Index;
  std::vector<Index> largest_rows() const;
  void write_table();
  void draw();
  void draw_line(std::string& out, std::uint64_t bytes, std::string_view branches,
                 std::string_view name, bool is_directory) const;
  bool before(Index a, Index b, bool by_size) const;

  Usage& usage_;
  const OutputStyle& style_;
  std::vector<Space> totals_;
  std::uint64_t whole_ = 0;  ///< bytes of all roots
};

}  // namespace ffind::output
