// SPDX-License-Identifier: MIT
// One thread of a walker: opens directories, reads them into its own block, has the entries judged
// in place and emits what matches. Made by Walker; belongs to its thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "search/entry_path.h"
#include "search/entry_worker.h"
#include "search/ignore.h"
#include "search/walker.h"

namespace ffind {

class Worker final : public EntryWorker {
 public:
  explicit Worker(Walker& walker);
  ~Worker() override;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Until the frontier has no more.
  void run();
  std::string where() override;

 private:
  // worker.cpp: the way of a directory
  void carry_out(Work& work);
  void enter(Node* parent, const Work& work);
  int open_child(const Node& parent, const std::string& name, os::OpenFlags flags,
                 os::Directory& opened);
  int open_by_path(const Node& parent, const std::string& name, os::OpenFlags flags,
                   os::Directory& opened);
  void make_room() override { frontier_.evict_all(); }
  bool identify(Node& node);
  bool closes_a_loop(Node& node, bool via_link);
  bool enter_by_catalog(Node* parent, const Work& work);
  void read_catalog(Node* node);
  bool pause_catalog(Node* node);
  void read_what_was_not_told(Node* node);
  void read(Node* node);
  bool enough_children() const;
  void give_back_run();
  void push_children(Node* node);
  bool may_hand_over(const Node& node) const;
  bool hand_over(Node* node);
  void finish(Node* node, std::size_t uses = 1);
  void begin_directory(Node& node);
  void consider_block(Node* node);
  void consider(const os::Dirent& dirent);
  bool is_covered_file();
  void note_bundle(const os::Dirent& dirent);

  // worker_root.cpp: where a walk begins
  /// A root that is no directory, as it was seen once.
  struct RootFile {
    FileType type = FileType::unknown;
    Metadata metadata{};
    Needs known = needs::none;
  };
  void open_root(Node* node);
  void enter_root(Node* node);
  bool look_at_root_file(const Root& root, RootFile& file);
  void offer_root_file(const Root& root, const RootFile& file);

  // worker_progress.cpp: what a person is told of it
  void tell_place(Node* node) {
    Progress* const progress = state_.progress();
    if (progress != nullptr && (tells_all_places_ || progress->watched())) keep_place(node);
  }
  void keep_place(Node* node);

  // block_sharing.cpp: entries whose files take long to read
  void share_block(Node* node);
  void consider_share(Work& work);

  // entry_loader.cpp: what an entry of the walk is asked for
  Place place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override;
  void take_metadata(const os::Dirent& dirent);
  std::string canonical_directory() override;
  const Root& current_root() override { return *root_; }
  Needs metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) override;
  std::optional<bool> empty_at_hand() override;
  void open_here();
  void follow(Entry& entry);
  bool is_listed(const Entry& entry);
  bool first_visit(Entry& entry);
  bool was_emitted();
  void spell_directory();
  const std::string& canonical_path(std::string_view name);

  // worker_ignore.cpp: what git ignores
  class IgnoreReader;
  void heed_gitignore();
  void take_ignore_rules(Node& node);
  bool is_ignored(Entry& entry);

  // worker_issues.cpp: what cannot be read, and what it is called
  void report_closed(Entry& entry, int error) override;
  void pass_over(std::string path, const char* operation, int error);
  void leave_out(std::string path);
  static std::string root_name(const Root& root);
  std::string path_of(const Node& node) const;
  std::string name_of(const Node& node) const;

  Walker& walker_;
  Frontier& frontier_;
  os::DirentBlock block_;
  std::unique_ptr<os::DirectoryReader> catalog_;        ///< null in an ordinary walk
  std::unique_ptr<os::DirectoryReader> spare_catalog_;  ///< for looking into a directory on the way

  /// The directory whose entries are looked at; null for a root that is a file.
  Node* node_ = nullptr;
  const Root* root_ = nullptr;
  bool from_catalog_ = false;  ///< it told what is in that directory
  bool untold_only_ = false;   ///< the kernel tells only what the catalog has not told
  int open_error_ = 0;         ///< why the kernel could not be asked for what it did not tell
  std::uint64_t inode_ = 0;    ///< of the entry, as its directory tells
  Entry entry_;
  NameBatch children_;
  Work* run_ = nullptr;  ///< the names that are being entered
  EntryPath path_;
  Node* spelled_ = nullptr;  ///< whose path path_ holds; kept alive, so that no other has its place
  /// Of a slow volume they are told even before somebody asks: it may never come to the next.
  const bool tells_all_places_;
  std::mutex place_mutex_;                     ///< guards what follows
  Node* place_ = nullptr;                      ///< the directory last told; kept alive
  bool is_link_ = false;                       ///< the entry is a link that was followed
  bool closed_reported_ = false;               ///< it is a directory that cannot be read
  bool leads_elsewhere_ = false;               ///< to another volume
  std::vector<os::DirectoryNumber> expected_;  ///< of the children; kept for its memory
  std::string canonical_;

  std::unique_ptr<IgnoreAccess> ignore_reader_;
  std::unique_ptr<IgnoreFiles> ignore_files_;  ///< null unless what git ignores is passed over
  std::string ignore_path_;                    ///< of the entry, canonical
  std::size_t ignore_path_length_ = 0;         ///< of its directory in that, with a slash
  bool ignore_path_known_ = false;             ///< of the present directory
  bool ignore_path_needed_ = false;
};

}  // namespace ffind
