// SPDX-License-Identifier: MIT
// Where the entries of a walk lie: in a directory that is being listed, or a root that is a file. A
// part of the walk's worker, which turns it to each directory and each entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "os/directory_reader.h"
#include "search/boundaries.h"
#include "search/entry_path.h"
#include "search/entry_position.h"
#include "search/node.h"

namespace ffind::search {

/// Belongs to its thread.
class WalkPosition final : public EntryPosition {
 public:
  WalkPosition(const Boundaries& boundaries, os::DirectoryReader& reader,
               os::DirectoryOpener& opener)
      : boundaries_(boundaries),
        has_boundaries_(!boundaries.empty()),
        reader_(reader),
        opener_(opener) {}
  ~WalkPosition() { Node::release(spelled_); }
  WalkPosition(const WalkPosition&) = delete;
  WalkPosition& operator=(const WalkPosition&) = delete;

  /// The entries that were read of it last.
  void turn_to(Node& node) {
    node_ = &node;
    root_ = &node.root();
    // A link may have led to another volume, or round what is mounted on this one.
    reader_knows_ = node.behind_link ? needs::none : reader_.knows();
  }
  void turn_to_file(const Root& root) {
    node_ = nullptr;
    root_ = &root;
  }
  /// The next entry, by its Dirent::inode.
  void turn_to_entry(std::uint64_t inode) {
    inode_ = inode;
    is_link_ = false;
  }
  /// The entry is a link, and counts as what it leads to.
  void follow_link() { is_link_ = true; }

  /// Null for a root that is a file.
  Node* node() const { return node_; }
  bool is_link() const { return is_link_; }

  EntryPlace place_of(const Entry& entry) override;
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override;
  std::string canonical_directory() override;
  const Root& root() const override { return *root_; }
  Needs metadata_at_hand(const Entry& entry, Needs wanted, Metadata& metadata) override;
  std::optional<bool> empty_at_hand() override;

 private:
  void spell_directory();
  const std::string& canonical_path(std::string_view name);

  const Boundaries& boundaries_;
  const bool has_boundaries_;
  os::DirectoryReader& reader_;
  os::DirectoryOpener& opener_;

  Node* node_ = nullptr;
  const Root* root_ = nullptr;
  std::uint64_t inode_ = 0;
  bool is_link_ = false;
  Needs reader_knows_ = needs::none;  ///< of the metadata of the present entries
  EntryPath path_;
  Node* spelled_ = nullptr;  ///< whose path path_ holds; kept alive, so that no other has its place
  std::string canonical_;
};

}  // namespace ffind::search
