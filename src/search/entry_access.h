// SPDX-License-Identifier: MIT
// Loads an entry's metadata, link target, emptiness, attributes and contents on demand. Every
// searcher has an EntryAccess; it knows no walk and no catalog, only the entry's location.
//
//     Matcher, Lane ─▶ EntryAccess ─▶ EntryPosition: how a call reaches the entry, what is known
//                        │            Opener: descriptors
//                        ▼
//                      AttributeAccess: extended attributes, Finder metadata, capabilities
//
// All of them belong to their worker's thread. Views that they put into an entry are valid until
// the next entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "os/directory_reader.h"
#include "os/formats/finder_attributes.h"
#include "search/entry_position.h"
#include "search/opener.h"
#include "search/state.h"

namespace ffind::search {

/// Beginning of the name of an AppleDouble file (the sidecar), before that of the file it is for.
inline constexpr std::string_view sidecar_prefix = "._";

/// Lists directories by descriptors of its own. Belongs to its thread.
class DirectoryLister {
 public:
  explicit DirectoryLister(Opener& opener) : opener_(opener) {}

  /// Opens the directory `name`, relative to `at`, and calls `take` with each name in it until that
  /// returns false. 0 or an errno.
  int list(const os::Directory* at, const char* name, os::OpenFlags flags,
           const std::function<bool(std::string_view name)>& take);

 private:
  Opener& opener_;
  os::AlreadyOpen already_open_;
  std::unique_ptr<os::DirectoryReader> reader_{};  ///< made for the first, as is block_
  std::unique_ptr<os::DirentBlock> block_{};
};

/// Loads extended attributes and what is stored in them. Belongs to its thread.
class AttributeAccess {
 public:
  AttributeAccess(Reach& reach, DirectoryLister& lister, EntryPosition& position)
      : reach_(reach), file_system_(reach.file_system()), lister_(lister), position_(position) {}

  /// Implements EntryLoader::attribute.
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value);
  // Each implements one bit of EntryLoader::load.
  void load_capabilities(Entry& entry);
  void load_bundle(Entry& entry);
  void load_finder(Entry& entry);
  void load_acl(Entry& entry);

 private:
  std::optional<EntryPlace> attribute_place(Entry& entry);
  bool list_attributes(Entry& entry, const EntryPlace& place);
  bool read_attribute(Entry& entry, const EntryPlace& place, const std::string& stored,
                      std::string& value);
  bool read_sidecar(Entry& entry, const EntryPlace& place);
  bool find_attribute(Entry& entry, std::string_view name, std::string* value);
  void report_refused(Entry& entry, int error);

  Reach& reach_;
  os::FileSystem& file_system_;
  DirectoryLister& lister_;
  EntryPosition& position_;

  FinderMetadata finder_;  ///< of the last entry
  std::string attribute_names_;
  std::string attribute_value_;
  FileBeginning sidecar_bytes_;
  os::AppleDouble sidecar_;  ///< views of sidecar_bytes_
  int refused_ = 0;          ///< errno of the last attribute that could not be read
  std::string refused_path_;
};

/// EntryLoader of a searcher's current entry. Belongs to its thread.
class EntryAccess final : public EntryLoader {
 public:
  EntryAccess(Reach& reach, EntryPosition& position, const Volume& volume);

  void load(Entry& entry, Needs wanted) override;
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value) override {
    return attributes_.attribute(entry, name, value);
  }
  bool read_contents(Entry& entry, ContentSink& sink) override;
  std::optional<bool> holds_name(Entry& entry, std::string_view name) override;
  void report_unknown(Entry& entry, Unknown what) override {
    reach_.issues.report_unknown(entry, what);
  }

 private:
  // Inlined: after a system call each return is mispredicted, and costs more than what it returns
  // from. A search by size takes 0.99 of its time so.
  [[gnu::always_inline]] inline Needs load_at_hand(Entry& entry, Needs wanted);
  [[gnu::always_inline]] inline void load_metadata(Entry& entry, Needs wanted);
  void load_origin(Entry& entry);
  void load_empty(Entry& entry);
  std::optional<bool> look_into(Entry& entry);
  void load_link(Entry& entry, Needs wanted);
  bool read_target(Entry& entry, const EntryPlace& place);
  bool read_target_mode(Entry& entry, const EntryPlace& place);
  int stat_target(const EntryPlace& place, std::uint32_t& mode);
  bool read_target_type(Entry& entry, const EntryPlace& place);
  void load_access(Entry& entry, Needs wanted);
  bool may_read_across(const Boundary& boundary) const;
  int open_file(const EntryPlace& place, os::OpenFlags flags, os::File& file);
  int read_pieces(os::File& file, ContentSink& sink);

  Reach& reach_;
  SearchState& state_;
  os::FileSystem& file_system_;
  EntryPosition& position_;
  const std::string mount_point_;
  const std::string volume_type_;
  const std::uint64_t device_;
  DirectoryLister lister_;
  AttributeAccess attributes_;

  std::string target_;
  const Root* origin_ = nullptr;  ///< has its name in origin_name_
  std::string origin_name_;
  std::unique_ptr<char[]> contents_;  ///< where files are read; made for the first
};

}  // namespace ffind::search
