// SPDX-License-Identifier: MIT
// Extended attributes of an entry, wherever its volume keeps them: in the file, in Samba's streams,
// in AppleDouble files; and what the system reports about its capabilities and its bundle mark. A
// part of the entry access.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/finder_metadata.h"
#include "os/files.h"
#include "search/counts.h"
#include "search/entry_position.h"
#include "search/issues.h"
#include "search/opener.h"
#include "search/sidecars.h"

namespace ffind::search {

/// Belongs to its thread.
class AttributeAccess {
 public:
  /// `mount_point`: of the volume, canonical; empty where that is not known.
  AttributeAccess(Counts& counts, IssueReporter& issues, Opener& opener, EntryPosition& position,
                  const std::string& mount_point)
      : counts_(counts),
        issues_(issues),
        opener_(opener),
        file_system_(opener.file_system()),
        position_(position),
        mount_point_(mount_point) {}

  /// As EntryLoader has it.
  bool attribute(Entry& entry, std::string_view name, AttributeValue* value);
  // As EntryLoader::load, each of what it is named after.
  void load_capabilities(Entry& entry);
  void load_bundle(Entry& entry);
  void load_finder(Entry& entry);

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

  FinderMetadata finder_;  ///< of the entry that was read last
  std::string attribute_names_;
  std::string attribute_value_;
  std::unique_ptr<Sidecars> sidecars_;  ///< made for the first entry
  int refused_ = 0;                     ///< errno of the last attribute that could not be read
  std::string refused_path_;
};

}  // namespace ffind::search
