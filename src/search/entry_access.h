// SPDX-License-Identifier: MIT
// What is read of an entry beyond what its directory was listed with: metadata, where a link
// leads, whether it is empty, what is in it. A part of every worker; knows no walk and no catalog,
// only where the entry lies.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "os/files.h"
#include "search/attribute_access.h"
#include "search/counts.h"
#include "search/entry_position.h"
#include "search/issues.h"
#include "search/opener.h"

namespace ffind::search {

/// Belongs to its thread.
class EntryAccess final : public EntryLoader {
 public:
  EntryAccess(SearchState& state, Counts& counts, IssueReporter& issues, Opener& opener,
              EntryPosition& position, const Volume& volume);

  void load(Entry& entry, Needs wanted) override;
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override {
    return attributes_.attribute(entry, name, value);
  }
  bool read_contents(Entry& entry, ContentReader& reader) override;
  std::optional<bool> holds_name(Entry& entry, std::string_view name) override;
  void accounts_failed(Entry& entry) override { issues_.accounts_failed(entry); }

  /// Whether a directory could not be looked into, and why. That is for the worker to report: of
  /// what is entered as well it is said once.
  bool met_closed() const { return closed_ != 0; }
  int take_closed() { return std::exchange(closed_, 0); }

 private:
  Needs load_at_hand(Entry& entry, Needs wanted);
  void load_metadata(Entry& entry, Needs wanted);
  void load_origin(Entry& entry);
  void load_empty(Entry& entry);
  std::optional<bool> look_into(Entry& entry);
  int read_first(os::Directory& directory, bool& empty);
  void load_link(Entry& entry, Needs wanted);
  bool read_target(Entry& entry, const EntryPlace& place);
  bool read_target_mode(Entry& entry, const EntryPlace& place);
  int stat_target(const EntryPlace& place, std::uint32_t& mode);
  bool read_target_type(Entry& entry, const EntryPlace& place);
  void load_access(Entry& entry, Needs wanted);
  bool may_read_across(const Boundary& boundary) const;
  int open_file(const EntryPlace& place, os::OpenFlags flags, os::File& file);
  int read_pieces(os::File& file, ContentReader& reader);

  SearchState& state_;
  Counts& counts_;
  IssueReporter& issues_;
  Opener& opener_;
  os::FileSystem& file_system_;
  EntryPosition& position_;
  const std::string mount_point_;
  const std::string volume_type_;
  AttributeAccess attributes_;

  int closed_ = 0;
  std::string target_;
  const Root* origin_ = nullptr;  ///< whose name is spelled out in origin_name_
  std::string origin_name_;
  std::unique_ptr<os::DirentBlock> block_;  ///< for a look into a directory
  std::unique_ptr<char[]> contents_;        ///< where files are read; made for the first
};

}  // namespace ffind::search
