// SPDX-License-Identifier: MIT
// Ordered walk: one thread that emits the entries of a task in find's order, for lines whose
// actions change what is searched. Made by run_search() for a scope with an order, in place of the
// Walker.
//
//     OrderedWalk     roots one after the other, and a Level for each directory on the way
//     OrderedPosition location of the current entry, for EntryAccess
//     OneLook         EntryLoader of the current entry: one stat for all metadata of its line
//
// The rules of find for roots and directories are kept here:
//
//     look      a root, a directory, and under -L a link is statted before it is emitted; other
//               entries when a test first needs that, and then for all tests of the line
//     enter     after the entry was emitted, relative to its parent's descriptor, and never through
//               a link that has replaced it
//     leave     with Order::contents_first a directory keeps its stat and is emitted when it is
//     left
//
//     way_      t/    t/a/    t/a/b/         Levels: names that were read and not yet visited
//     open      -     fd      fd             the deepest; a closed one is opened as ".." of the
//     next
//
// Memory is that of the way: a Level has at most `most_names` names of its directory at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/searcher.h"
#include "os/directory_reader.h"
#include "search/boundaries.h"
#include "search/entry_access.h"
#include "search/entry_position.h"
#include "search/opener.h"
#include "search/search_thread.h"
#include "search/state.h"

namespace ffind::search {

/// Location of an entry by its directory's descriptor and its name. Moved by the walk.
class OrderedPosition final : public EntryPosition {
 public:
  explicit OrderedPosition(const Task& task);

  void turn_to_root(const Root& root, bool followed);
  /// `name` has a NUL after it. The text of the path belongs to the walk.
  void turn_to(const os::Directory& directory, const char* name, bool followed);
  /// Errno of a directory that could not be opened again, for the entries in it.
  void set_error(int error) { error_ = error; }
  /// Device of the root, and the volume that the current directory is on.
  void set_volume(const Boundary* volume) { volume_ = volume; }
  const Boundary* volume() const { return volume_; }
  /// The volume mounted at the entry; null if the mount table has none there.
  const Boundary* mounted_at(const Entry& entry);

  /// Descriptor of the directory of the current entry; -1 for a root.
  int descriptor() const { return directory_ != nullptr ? directory_->fd : -1; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry&) override { return nullptr; }
  const Boundary* volume_at(const Entry& entry) override;
  const Root& root() const override { return *root_; }

 private:
  const Boundaries mounts_;
  const Root* root_ = nullptr;
  const os::Directory* directory_ = nullptr;
  const char* name_ = nullptr;
  bool followed_ = false;
  int error_ = 0;
  const Boundary* volume_ = nullptr;
  std::string absolute_;
  std::string canonical_;
};

/// The walk. Belongs to its thread, but for the published counts.
class OrderedWalk final : public SearchThread {
 public:
  /// Keeps at most `descriptors` directories open, and two in any case.
  OrderedWalk(const Task& task, SearchState& state, os::FileSystem& file_system,
              std::size_t descriptors);

  /// Blocks until the roots are walked or the search is stopped.
  void run();
  void add_to(SearchResult& result) const { result.statistics += statistics(); }

 private:
  /// Loads with the first metadata all that the line may need.
  class OneLook final : public EntryLoader {
   public:
    explicit OneLook(OrderedWalk& walk) : walk_(walk) {}
    void load(Entry& entry, Needs wanted) override;
    bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override {
      return walk_.access_.attribute(entry, name, value);
    }
    bool read_contents(Entry& entry, ContentSink& sink) override {
      return walk_.access_.read_contents(entry, sink);
    }
    std::optional<bool> holds_name(Entry& entry, std::string_view name) override {
      return walk_.access_.holds_name(entry, name);
    }
    void report_unknown(Entry& entry, Unknown what) override {
      walk_.access_.report_unknown(entry, what);
    }
    int directory_descriptor() const override { return walk_.position_.descriptor(); }

   private:
    OrderedWalk& walk_;
  };

  /// Facts about a directory from the look before it was entered.
  struct Look {
    FileType type = FileType::unknown;
    bool via_link = false;
    Needs present = needs::none;
    Needs failed = needs::none;
    Metadata metadata{};
  };
  /// A directory on the way.
  struct Level {
    os::ListedDirectory listed{};
    os::FileId id{};
    Look look{};
    const Boundary* volume = nullptr;
    std::size_t length = 0;  ///< of its path in path_, with the slash
    std::string names{};     ///< read and not yet visited: a type, the name and a NUL each
    std::size_t next = 0;    ///< offset of the next one
    bool more = true;        ///< the directory has not been read to its end
    int error = 0;           ///< it was closed and could not be opened again
  };

  void name_root(const Root& root);
  void visit_root(const Root& root);
  void visit(FileType type, std::string_view name);
  void look(FileType type);
  bool follow();
  bool closes_a_loop();
  bool may_enter();
  void emit();
  bool enter();
  void leave();
  void turn_to_last(std::size_t level);
  void read_names(Level& level, std::size_t most);
  void sort_names(Level& level);
  void make_room();
  void reopen(Level& level, Level& below);
  std::string shown_path(std::size_t length) const;

  const Task& task_;
  const Scope::Order order_;
  const Needs stat_needs_;  ///< of one look
  const std::size_t most_open_;

  os::AlreadyOpen already_open_;
  const std::unique_ptr<os::DirectoryReader> reader_;
  OrderedPosition position_;
  EntryAccess access_;
  OneLook loader_{*this};

  os::DirentBlock block_;
  std::string path_;          ///< of the current entry, as printed
  std::size_t prefix_ = 0;    ///< length of the root's part, with the slash
  std::uint64_t device_ = 0;  ///< of the root
  std::deque<Level> way_;
  std::vector<os::FileId> ids_;  ///< of the directories on the way, close together
  std::size_t first_open_ = 0;   ///< directories of way_ before it are closed
};

}  // namespace ffind::search
