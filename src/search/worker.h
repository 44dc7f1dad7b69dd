// SPDX-License-Identifier: MIT
// One thread of a walker: opens directories, reads them into its own block, has the entries judged
// in place and emits what matches. Made by Walker; belongs to its thread.
#pragma once

#include <memory>
#include <string>

#include "search/walker.h"

namespace ffind {

class Worker final : public EntryLoader {
 public:
  explicit Worker(Walker& walker);
  ~Worker() override;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Until the frontier has no more.
  void run();
  const Statistics& statistics() const { return statistics_; }

  void load(Entry& entry, Needs wanted) override;

 private:
  // worker.cpp: the way of a directory
  void carry_out(Work& work);
  void open_root(Node* node);
  void enter(Node* parent, const std::string& name, bool via_link);
  static std::string root_name(const Root& root);
  bool is_dangling_link(const std::string& path);
  int open_child(const Node& parent, const std::string& name, os::OpenFlags flags,
                 os::Directory& opened);
  int open_by_path(const Node& parent, const std::string& name, os::OpenFlags flags,
                   os::Directory& opened);
  template <typename Call>
  int with_room(Call call);
  int open_with_room(const os::Directory* at, const char* path, os::OpenFlags flags,
                     os::Directory& opened);
  bool closes_a_loop(Node& node);
  void read(Node* node);
  bool hand_over(Node* node);
  void finish(Node* node);
  void begin_directory(Node& node);
  void consider_block(Node* node);
  void consider(const os::Dirent& dirent);
  void note_bundle(const os::Dirent& dirent);
  void pass_over(std::string path, const char* operation, int error);
  void leave_out(std::string path);
  void emit(Entry& entry);
  void flush();
  void offer_root_file(const Root& root);

  // entry_loader.cpp: what an entry is asked for
  void load_metadata(Entry& entry, Needs wanted);
  void load_empty(Entry& entry);
  void load_link(Entry& entry, Needs wanted);
  void load_paths(Entry& entry, Needs wanted);
  void follow(Entry& entry);
  const Boundary* boundary_at(const Entry& entry);
  bool is_listed(const Entry& entry);
  bool first_visit(Entry& entry);

  void build_directory();
  void spell_path();
  const std::string& canonical_path(std::string_view name);
  const os::Directory* at() const { return node_ != nullptr ? &node_->directory : nullptr; }
  const char* name_for_call(const Entry& entry) const;
  void report(std::string path, const char* operation, int error, std::string detail = {});
  void report_entry(Entry& entry, const char* operation, int error);
  std::string path_of(const Node& node) const;
  std::string name_of(const Node& node) const;

  Walker& walker_;
  SearchState& state_;
  const Scope& scope_;
  os::FileSystem& file_system_;
  Frontier& frontier_;
  std::unique_ptr<Lane> lane_;
  os::DirentBlock block_;
  Statistics statistics_;
  std::uint64_t unwritten_ = 0;  ///< records emitted since the last flush

  /// The directory whose entries are looked at; null for a root that is a file.
  Node* node_ = nullptr;
  const Root* root_ = nullptr;
  Entry entry_;
  NameBatch children_;
  std::string path_;  ///< path of node_ as printed, with a slash; behind it room for a name
  std::size_t directory_length_ = 0;
  Node* spelled_ = nullptr;  ///< whose path path_ holds; kept alive, so that no other has its place
  std::size_t spelled_length_ = 0;
  std::size_t below_root_ = 0;  ///< where in path_ the path below the root begins
  bool is_link_ = false;        ///< the entry is a link that was followed
  std::string absolute_;
  std::string canonical_;
  std::string target_;
  std::unique_ptr<os::DirentBlock> spare_block_;  ///< for looking into a directory on the way
};

}  // namespace ffind
