// SPDX-License-Identifier: MIT
// --duplicates: groups of equal files, those with the largest waste first. Made by Output.
//
//     workers ──emit──▶ DuplicateLane: names of files ──▶ EqualFiles, their directories in a
//     PathTree threads           group(): read the first and last 16 KiB of files of one size, then
//     the whole
//                       of those that are still equal
//     main thread       pass_on(): entries made again, in their groups ──▶ records ─▶ Writer
//                                                         all but the kept ──▶ ActionStage
//
// A file that is not what the search found once its contents were read is in no group. Before an
// action, why_not() compares it with the kept file once more, byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/plan.h"
#include "output/commands/root_directories.h"
#include "output/equal_files.h"
#include "output/output_style.h"
#include "output/path_tree.h"
#include "output/pipeline.h"
#include "output/records.h"

namespace ffind::output {

class Duplicates final : public Collector {
 public:
  /// Records go to `next`, or with an action Matches to `stage`, which is null without one. Both
  /// and `style` outlive it.
  Duplicates(const OutputStyle& style, RecordStage& next, MatchStage* stage,
             std::function<void(const Issue&)> report);
  ~Duplicates() override;

  /// Call before the search. `late` loads what is read after it.
  void begin(const Plan& plan, LateLoaderFactory late);
  Needs needs() const override;
  std::unique_ptr<Lane> open_lane() override;
  /// Finds the groups. Call once, when all lanes are gone.
  void group();
  void pass_on() override;
  /// Returns "no duplicates among 7 files" if there is no group but there are files.
  std::string absence() const;
  /// Returns why the file that was passed on as `found` must stay; empty if it is still equal to
  /// the file that is kept, which is there and another one.
  std::string why_not(const os::FileId& found);
  /// Call last: frees what loads entries, so that its issues are counted.
  void end();
  /// Returns true if a file was reported that must stay.
  bool failed() const { return failed_; }

 private:
  class DuplicateLane;
  class Cursor;
  using Index = EqualFiles::Index;

  /// A directory with files, below a root.
  struct Directory {
    const Root* root;
    PathTree::Index path;  ///< below the name that stands for the root
  };
  struct Group {
    std::uint64_t waste;
    std::size_t first;  ///< in members_
    std::size_t count;
    std::string_view first_path;
  };
  /// A file that an action is to take, and the name that is kept instead.
  struct Taken {
    std::uint32_t device;
    std::uint64_t inode;
    Index name;
    Index kept;
    auto operator<=>(const Taken&) const = default;
  };

  template <typename Use>
  void read(const std::vector<Index>& order, std::size_t share, Use use);
  void add_group(Cursor& cursor, Index begin, Index end);
  bool pass_on(const Group& group, std::uint32_t number);
  bool pass_on_file(Index name, Index kept, std::uint32_t number);
  std::string heading(const Group& group) const;
  std::string summary() const;
  std::string why_not(Index name, Index kept);
  int open_parent(os::OpenAncestors& ancestors, std::string_view path, int& directory) const;

  const OutputStyle& style_;
  RecordStage& next_;
  MatchStage* const stage_;
  const std::function<void(const Issue&)> report_;
  const std::unique_ptr<RecordFormat> format_;  ///< null with an action
  MatchBuilder builder_;
  const bool heads_;      ///< groups have headings, for people
  const bool separates_;  ///< an empty record is between groups
  LateLoaderFactory late_;
  RootDirectories roots_;
  os::OpenAncestors one_way_;  ///< to a file that is to be acted on
  os::OpenAncestors kept_way_;
  std::unique_ptr<Cursor> cursor_;
  std::vector<Taken> taken_;
  bool is_question_ = false;  ///< the next pass_on() is for a question
  bool failed_ = false;
  std::string buffer_;

  std::mutex mutex_;  ///< guards what follows while lanes exist
  EqualFiles files_;
  PathTree paths_;
  std::vector<Directory> directories_;
  std::deque<Root> listed_roots_;  ///< copies of those that are not the plan's
  std::map<const Root*, std::pair<const Root*, PathTree::Index>> root_places_;
  std::vector<Arena> names_;  ///< of lanes that have ended

  std::size_t compared_ = 0;
  std::vector<Group> groups_;
  std::vector<Index> members_;  ///< names, in the order of their groups
  Arena texts_;
};

}  // namespace ffind::output
