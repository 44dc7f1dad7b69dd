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
// stream it is written at once. All others are dropped. A file has a row on the same condition; a
// lane passes on only those that are no smaller than the least of the largest rows.
//
// In the tree for people a chain of directories, each alone in the one before, is folded into one
// row: the last of them takes the place and the sum of the first, and has all their names.
//
// A file with several links counts under the first of its paths in byte order, which is known when
// all of them were seen. LinkTable has an inode's first path so far, and the
// file's space is kept apart from the row's sum (Row::linked). A row with such files stays
// until the end, or until their first paths turn out to be elsewhere. The names of such files are
// kept while their directory is searched, unless no directory can be in it: a million of them took
// 40 MB.
//
// Everything is under one mutex, which is taken some three times for each directory, and for each
// 256 files with several links.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ffind/plan.h"
#include "output/directory_sums.h"
#include "output/link_table.h"
#include "output/output_style.h"
#include "output/pipeline.h"

namespace ffind::output {

/// A directory that is being searched or may be shown, a file that may, or a root. In 128 bytes:
/// there is one for each directory with a file that has several links.
struct UsageRow {
  using Index = DirectoryToken;
  Space sum{};     ///< all that is below, except linked files, each inode once; final if complete
  Space linked{};  ///< files with several links that count directly in it
  /// Names of linked files in it. They are compared with those of files and directories in it, and
  /// with nothing else, so they are only needed until it is complete.
  std::unique_ptr<std::string> link_names{};
  std::string name{};     ///< of a root: as printed, with its slash; of a chain: with slashes
  Index parent = 0;       ///< 0 for a root
  Index first_child = 0;  ///< of those that are kept
  Index next = 0;         ///< sibling
  Index previous = 0;
  std::uint32_t candidates = 0;  ///< linked files whose first path so far is in it
  std::uint32_t more = 0;        ///< entries without a row that would have one if they were larger
  std::uint64_t more_bytes = 0;  ///< of them
  std::uint32_t depth = 0;
  bool used : 1 = false;
  bool complete : 1 = false;
  bool largest : 1 = false;    ///< among the largest complete rows
  bool pinned : 1 = false;     ///< leads to a volume that another root has
  bool is_file : 1 = false;    ///< no directory
  bool counted : 1 = false;    ///< the directory itself is part of its sum
  bool trusted : 1 = false;    ///< a directory without others has two links on its volume
  bool childless : 1 = false;  ///< has no directory in it, so needs no link_names
};

/// A file that a lane has found: with several links, or large enough to be shown.
struct FoundFile {
  std::uint64_t device;
  std::uint64_t inode;
  std::uint64_t allocated;
  std::uint64_t size;
  std::uint32_t name;  ///< offset in UsageBlock::names
};

/// Entries of one directory that a lane passes on.
struct UsageBlock {
  Space sum{};                     ///< of files that are in no list
  std::vector<FoundFile> links{};  ///< files with several links
  std::vector<FoundFile> large{};  ///< others that may be shown
  std::string names{};             ///< of both
};

/// Returns the columns of a bar, a quarter of the screen beyond the other columns; 0 on a narrow
/// one.
std::size_t bar_columns(std::size_t columns);
/// Appends a bar of `share` of `columns`, in eighths of a column if it is of blocks, and a shade up
/// to `around`.
void append_bar(std::string& out, double share, double around, std::size_t columns, bool blocks);

class Usage final : public Collector {
 public:
  using Index = UsageRow::Index;

  /// `style` and `next` outlive it.
  Usage(const OutputStyle& style, RecordStage& next);

  Needs needs() const override;
  std::unique_ptr<Lane> open_lane() override;
  void pass_on() override;
  /// Call before the search, which the plan outlives.
  void set_plan(const Plan& plan);
  void leave(DirectoryToken directory);
  /// Returns the first line of CSV.
  std::string heading() const;

  /// A directory that du -x judges otherwise: the first by path, and the number of all.
  struct Difference {
    std::string path{};
    std::uint64_t count = 0;
  };
  /// Mount points of the same volume, which are left out. Call after the search.
  Difference left_out() const;
  /// Subvolumes, which count.
  const Difference& taken_in() const { return taken_in_; }

 private:
  friend class UsageLane;
  friend class UsageReport;

  // Called by lanes
  Index enter_root(const Root& root);
  void add_root_file(const Entry& entry, const Space& space);
  Index enter(Index above, std::string_view name, const OwnSpace* own);
  void add(Index row, const UsageBlock& block);
  void note_mount_point(const Entry& entry);
  void note_device(const Entry& entry);
  void note(Difference& difference, const Entry& entry) const;
  bool write_lines(std::size_t enough);

  Index new_row(Index parent, std::string_view name);
  void free_row(Index index);
  bool is_pin(Index row) const;
  bool is_on_local_volume(const Root& root) const;
  void complete(Index index);
  void settle(Index index);
  bool can_be_shown(const UsageRow& row) const;
  bool is_shown(const UsageRow& row) const;
  bool is_among_largest(Index directory, std::string_view name, std::uint64_t bytes) const;
  bool folds(Index index) const;
  Index fold(Index index);
  std::uint64_t bytes_of(const Space& space) const {
    return style_.usage->apparent ? space.size : space.allocated;
  }
  std::uint64_t rank_of(const UsageRow& row) const;
  void keep_largest(Index index);
  Index add_row_of_file(Index directory, std::string_view name);
  void link(Index row, std::string_view name, LinkTable& table, const FoundFile& found);
  void count_link(LinkTable::Slot& slot, Index directory, std::string_view name,
                  const Space& space);
  void drop_link(Index old, const Space& space);
  bool comes_before(Index one, std::string_view name, Index other,
                    std::string_view other_name) const;
  bool comes_before(Index one, Index other) const;
  void append_path(std::string& path, Index index) const;
  std::string path_in(Index row, std::string_view name) const;
  void graft_volumes();
  std::vector<Space> totals() const;
  std::vector<Index> shown_rows(const std::vector<Space>& totals) const;
  void append_line(std::string& out, Index row, const Space& total) const;
  void append_data(std::string& out, std::string_view path, std::uint64_t depth, const Space& total,
                   bool is_heading) const;

  const OutputStyle& style_;
  RecordStage& next_;
  const bool draws_;  ///< a tree for people
  const bool shows_files_;
  const bool shows_directories_;
  const bool streams_;                ///< rows are written when they are complete
  const std::size_t most_rows_;       ///< rows kept at a time, if not all are
  std::atomic<bool> wanted_{true};    ///< false once the next stage takes no more
  std::atomic<std::uint64_t> least_;  ///< bytes from which a file may be shown
  bool knows_mounts_ = true;          ///< the mount table has the volumes of all roots
  std::vector<std::string> pins_;     ///< Root::printed of volumes mounted below other roots
  const Plan* plan_ = nullptr;

  std::mutex mutex_;  ///< guards what follows
  std::deque<UsageRow> rows_;
  std::vector<Index> free_;
  std::vector<Index> roots_;
  std::unordered_map<Index, Root> volumes_;             ///< roots mounted below others, by row
  std::unordered_map<std::uint64_t, LinkTable> links_;  ///< by device
  std::set<std::string> named_;                         ///< canonical paths of other roots
  std::set<std::uint64_t> devices_;                     ///< of roots and subvolumes
  std::map<Index, std::uint64_t> root_devices_;         ///< of roots, by row
  /// Mount points that were not entered, by device: its root may be found after them.
  std::map<std::uint64_t, Difference> mount_points_;
  Difference taken_in_;
  /// By bytes, then deeper ones first, then by path from the last.
  struct IsSmaller {
    const Usage& usage;
    bool operator()(Index one, Index other) const;
  };
  std::set<Index, IsSmaller> largest_;  ///< complete rows, at most most_rows_
  /// Files with several links among them, by row: their slots have that row.
  std::unordered_map<Index, FoundFile> linked_files_;
  std::string lines_;
};

}  // namespace ffind::output
