// SPDX-License-Identifier: MIT
// Loads an entry's metadata, link target, emptiness, attributes and contents on demand. Every
// searcher has an EntryAccess; it knows no walk and no catalog, only the entry's location.
//
//     Matcher, Lane ─▶ EntryAccess ─▶ EntryPosition: how a call reaches the entry, what is known
//                        │            Opener: descriptors
//                        ▼
//                      AttributeAccess: extended attributes, Finder metadata, capabilities
//                        │
//                        ▼
//                      Sidecars: the same from AppleDouble files next to the entry (._name) and
//                                from __MACOSX folders of unpacked archives
//
// All of them belong to their worker's thread. Views that they put into an entry are valid until
// the next entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ffind/entry.h"
#include "os/directory_reader.h"
#include "os/formats/finder_attributes.h"
#include "search/entry_position.h"
#include "search/opener.h"
#include "search/state.h"

namespace ffind::search {

/// AppleDouble file with the attributes of an entry.
struct Sidecar {
  FileBeginning beginning{};  ///< longer than a short string, so moving it keeps views valid
  os::AppleDouble decoded{};  ///< views of `beginning`
};

/// Finds the AppleDouble files of entries.
class Sidecars {
 public:
  /// `top`: the canonical mount point of the volume; empty if unknown.
  Sidecars(Opener& opener, EntryPosition& position, std::string top)
      : opener_(opener), position_(position), top_(std::move(top)) {}

  /// Returns the sidecars of the entry at `place`, nearest first; valid until the next call. Sets
  /// `refused` to the errno of one that exists and cannot be read.
  const std::vector<Sidecar>& read(Entry& entry, const EntryPlace& place, int& refused);

 private:
  /// A directory on the path from the top to the entry's directory.
  struct Level {
    std::size_t length;  ///< of its path, in bytes
    /// Directories with the sidecars of its entries: A/__MACOSX/b for A/b.
    std::vector<std::string> sources{};
    int error = 0;  ///< errno if there may be more of them, else 0
  };

  void turn_to(const Entry& entry, const EntryPlace& place);
  void descend_to(std::size_t length, const os::Directory* at);
  bool is_directory(const os::Directory* at, const std::string& path, int& error);
  int open_by_path(const std::string& path, os::Directory& opened);
  int read_in(const std::string& directory, const std::string& name, Sidecar& sidecar);
  int read_one(const os::Directory* at, const std::string& path, Sidecar& sidecar);
  void take(int error, Sidecar&& sidecar, int& refused);
  static void take_error(int error, int& refused);

  Opener& opener_;
  EntryPosition& position_;
  std::string top_;
  bool known_ = false;
  std::string printed_;         ///< the current directory, as in Entry::directory
  std::string path_;            ///< the same, canonical
  bool inside_folder_ = false;  ///< it is within a __MACOSX folder
  std::vector<Level> way_;      ///< to the directory, itself last; each is examined once
  std::vector<Sidecar> found_;
};

/// Loads extended attributes and what is stored in them. Belongs to its thread.
class AttributeAccess {
 public:
  /// `mount_point`: the canonical one of the volume; empty if unknown.
  AttributeAccess(Counts& counts, IssueReporter& issues, Opener& opener, EntryPosition& position,
                  const std::string& mount_point)
      : counts_(counts),
        issues_(issues),
        opener_(opener),
        file_system_(opener.file_system()),
        position_(position),
        mount_point_(mount_point) {}

  /// Implements EntryLoader::attribute.
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value);
  // Each implements one bit of EntryLoader::load; load_resource also loads the Finder metadata.
  void load_capabilities(Entry& entry);
  void load_bundle(Entry& entry);
  void load_finder(Entry& entry);
  void load_resource(Entry& entry);
  void load_acl(Entry& entry);

 private:
  std::optional<EntryPlace> attribute_place(Entry& entry);
  bool list_attributes(Entry& entry, const EntryPlace& place);
  bool read_attribute(Entry& entry, const EntryPlace& place, const std::string& stored,
                      std::string& value);
  const std::vector<Sidecar>& read_sidecars(Entry& entry, const EntryPlace& place);
  bool find_attribute(Entry& entry, std::string_view name, std::string* value);
  void report_refused(Entry& entry, int error);

  Counts& counts_;
  IssueReporter& issues_;
  Opener& opener_;
  os::FileSystem& file_system_;
  EntryPosition& position_;
  const std::string& mount_point_;

  FinderMetadata finder_;            ///< of the last entry
  std::uint64_t resource_fork_ = 0;  ///< its bytes, read with finder_
  std::string attribute_names_;
  std::string attribute_value_;
  std::unique_ptr<Sidecars> sidecars_;  ///< created for the first entry
  int refused_ = 0;                     ///< errno of the last attribute that could not be read
  std::string refused_path_;
};

/// EntryLoader of a searcher's current entry. Belongs to its thread.
class EntryAccess final : public EntryLoader {
 public:
  EntryAccess(SearchState& state, Counts& counts, IssueReporter& issues, Opener& opener,
              EntryPosition& position, const Volume& volume);

  void load(Entry& entry, Needs wanted) override;
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override {
    return attributes_.attribute(entry, name, value);
  }
  bool read_contents(Entry& entry, ContentSink& sink) override;
  std::optional<bool> holds_name(Entry& entry, std::string_view name) override;
  void accounts_failed(Entry& entry) override { issues_.accounts_failed(entry); }
  void flags_unknown(Entry& entry) override { issues_.flags_unknown(entry); }

  /// Returns whether a directory could not be read, and take_closed() the errno, once. The worker
  /// reports it, so that a directory that is entered as well is reported once.
  bool met_closed() const { return closed_ != 0; }
  int take_closed() { return std::exchange(closed_, 0); }

 private:
  // Inlined: after a system call each return is mispredicted, and costs more than what it returns
  // from. A search by size takes 0.99 of its time so.
  [[gnu::always_inline]] inline Needs load_at_hand(Entry& entry, Needs wanted);
  [[gnu::always_inline]] inline void load_metadata(Entry& entry, Needs wanted);
  void load_origin(Entry& entry);
  void load_empty(Entry& entry);
  std::optional<bool> look_into(Entry& entry);
  int read_first(os::ListedDirectory& listed, bool& empty);
  void load_link(Entry& entry, Needs wanted);
  bool read_target(Entry& entry, const EntryPlace& place);
  bool read_target_mode(Entry& entry, const EntryPlace& place);
  int stat_target(const EntryPlace& place, std::uint32_t& mode);
  bool read_target_type(Entry& entry, const EntryPlace& place);
  void load_access(Entry& entry, Needs wanted);
  bool may_read_across(const Boundary& boundary) const;
  int open_file(const EntryPlace& place, os::OpenFlags flags, os::File& file);
  bool read_contents(Entry& entry, ContentSink& sink, std::size_t piece);
  int read_pieces(os::File& file, ContentSink& sink, std::size_t piece);
  void load_alias_target(Entry& entry);

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
  std::string alias_target_;
  const Root* origin_ = nullptr;  ///< has its name in origin_name_
  std::string origin_name_;
  std::unique_ptr<os::DirentBlock> block_;  ///< for a look into a directory
  os::AlreadyOpen already_open_;
  std::unique_ptr<os::DirectoryReader> reader_;  ///< of the same
  std::unique_ptr<char[]> contents_;             ///< where files are read; made for the first
};

}  // namespace ffind::search
