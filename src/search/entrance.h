// SPDX-License-Identifier: MIT
// The entrance of a walk's entries. A worker turns it to a directory, and passes it each entry that
// it has read; the directories to enter gather in children().
//
//     Dirent ─▶ consider ─▶ boundary, link, loop, bundle   facts that the listing does not have
//                        ─▶ IgnoreFilter                    rules of .gitignore and others
//                        ─▶ Matcher                         loads what it needs with EntryAccess,
//                        │                                  which gets the place from WalkPosition
//                        ├▶ WorkerOutput                    a match
//                        └▶ children                        a directory to enter
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/directory_reader.h"
#include "search/boundaries.h"
#include "search/entry_access.h"
#include "search/entry_position.h"
#include "search/frontier.h"
#include "search/ignore.h"
#include "search/path_position.h"
#include "search/search_thread.h"
#include "search/seen_sets.h"

namespace ffind::search {

/// Opens the directories of a walk, which are all Nodes, and reports those that it cannot open.
/// Belongs to its thread.
class NodeOpener final : public os::DirectoryOpener {
 public:
  NodeOpener(Reach& reach, Frontier& frontier, LeftOut& left_out)
      : reach_(reach),
        scope_(reach.state.matcher().scope()),
        frontier_(frontier),
        left_out_(left_out) {}

  /// Tries once per directory, so that an unreadable one is reported once, however often it is
  /// needed.
  int open(os::ListedDirectory& directory) override;

 private:
  int open_by_path(const Node& node, os::OpenFlags flags, os::Directory& opened);
  bool enters_mount(const Node& node);

  Reach& reach_;
  const Scope& scope_;
  Frontier& frontier_;
  LeftOut& left_out_;
};

/// Location of a worker's current entry: an entry of a Node, or a root that is a file. The path of
/// the directory is built when it is first needed. Belongs to its thread.
class WalkPosition final : public EntryPosition {
 public:
  /// `meets_mounts`: any entry may be a mount point.
  WalkPosition(const Boundaries& boundaries, const Boundaries& mounted, bool meets_mounts,
               os::DirectoryReader& reader, os::DirectoryOpener& opener)
      : boundaries_(boundaries),
        mounted_(mounted),
        meets_mounts_(meets_mounts),
        reader_(reader),
        opener_(opener) {}
  ~WalkPosition() { Node::release(spelled_); }
  WalkPosition(const WalkPosition&) = delete;
  WalkPosition& operator=(const WalkPosition&) = delete;

  /// Moves to `node`, whose entries were the last that the reader read.
  void turn_to(Node& node) {
    node_ = &node;
    root_ = &node.root();
    sidecar_calls_ = 0;
    volume_.reset();
    has_boundaries_ = !boundaries_.empty() && find_boundaries();
    // A link may have led to another volume, or bypassed a mount point of this one.
    const bool certain = !node.behind_link && !node.elsewhere && !meets_mounts_;
    reader_knows_ = certain ? reader_.knows() : needs::none;
  }
  /// Moves to a root that is not a directory.
  void turn_to_file(const Root& root, bool is_listed_root) {
    node_ = nullptr;
    has_boundaries_ = false;
    root_ = &root;
    is_listed_root_ = is_listed_root;
  }
  /// Moves to the next entry; `inode` is its Dirent::inode.
  void turn_to_entry(std::uint64_t inode) {
    inode_ = inode;
    is_link_ = false;
  }
  /// Makes the current entry, a link, stand for its target.
  void follow_link() { is_link_ = true; }

  /// Directory of the entry; null for a root that is a file.
  Node* node() const { return node_; }
  bool is_link() const { return is_link_; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override {
    return has_boundaries_ ? boundary_named(entry.name) : nullptr;
  }
  const Boundary* volume_at(const Entry& entry) override;
  const Root& root() const override { return *root_; }
  Needs metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) override;
  std::optional<bool> empty_at_hand() override;
  std::optional<bool> has_sidecars() override;
  void set_sidecars(bool some) override {
    node_->sidecars = some ? SidecarNames::some : SidecarNames::none;
  }

 private:
  void spell_directory();
  bool find_boundaries();
  const Boundary* boundary_named(std::string_view name);

  const Boundaries& boundaries_;
  const Boundaries& mounted_;
  const bool meets_mounts_;
  os::DirectoryReader& reader_;
  os::DirectoryOpener& opener_;

  Node* node_ = nullptr;
  const Root* root_ = nullptr;
  std::uint64_t inode_ = 0;
  bool is_listed_root_ = false;  ///< its path below itself is empty
  bool is_link_ = false;
  bool has_boundaries_ = false;              ///< in this directory
  std::optional<const Boundary*> volume_{};  ///< of this directory, once it was needed
  int sidecar_calls_ = 0;                    ///< of has_sidecars() in this directory
  Needs reader_knows_ = needs::none;         ///< about the metadata of the current entries
  EntryPath path_;
  Node* spelled_ = nullptr;  ///< has its path in path_; referenced, so not reused
  std::string canonical_;
};

/// Facts of one walk that all of its workers read.
struct WalkFacts {
  const Task& task;
  os::FileSystem& file_system;
  os::DirectoryReaders& directories;  ///< lists directories; the file system does everything else
  const Boundaries boundaries;
  const Boundaries mounted;   ///< Task::mounted
  const EmittedSet* emitted;  ///< by a catalog that was given up; null if there was none
};

/// Tests the entries of a worker, emits the matches, and gathers the directories to enter. Belongs
/// to its thread.
class Entrance : public SearchThread {
 public:
  Entrance(const Entrance&) = delete;
  Entrance& operator=(const Entrance&) = delete;
  ~Entrance() override = default;

 protected:
  Entrance(SearchState& state, const WalkFacts& walk, Frontier& frontier, LeftOut& left_out);

  /// Moves to `node`, whose entries were the last that the reader read.
  void turn_to(Node& node);
  void consider(const os::Dirent& dirent, bool via_link = false);
  /// Matches a root that is not a directory.
  void offer_root_file(const Root& root, const RootFile& file);
  /// Matches a root that is a directory. Returns whether it is entered.
  bool offer_root_directory(const Root& root, const RootFile& file);
  /// Called before an --if command, which may take any time.
  virtual void leave_rest_to_others() = 0;

  const WalkFacts& walk_;
  LeftOut& left_out_;
  const bool passes_mounts_;        ///< enters other volumes
  const bool compares_links_;       ///< and nothing else with the directories above: fd's rule
  const bool follows_directories_;  ///< the sink does
  NodeOpener node_opener_;
  const std::unique_ptr<os::DirectoryReader> reader_;
  WalkPosition position_;
  std::optional<IgnoreFilter> ignored_{};        ///< only if the scope has ignore rules
  NameBatch children_;                           ///< of the current directory, not yet pushed
  std::vector<os::DirectoryHandle> expected_{};  ///< handles of them; member for its capacity

 private:
  void offer_root(const Root& root, const os::Dirent& dirent, bool via_link);
  bool was_emitted() const;
  const Node* same_above(const os::Dirent& dirent);
  bool is_covered_file();
  void follow();
  void note_bundle(const os::Dirent& dirent);
  bool is_listed();
  bool first_visit();
  void report_closed();
  bool consider_entering(const os::Dirent& dirent);

  const bool has_near_misses_;
  const Needs known_of_all_;  ///< no entry is a bundle on systems without the mark
  const bool needs_bundles_;
  EntryAccess access_;
  bool leads_elsewhere_ = false;  ///< the entry is a link to another volume
  bool closed_reported_ = false;  ///< the entry is an unreadable directory, reported
};

}  // namespace ffind::search
