// SPDX-License-Identifier: MIT
// One thread of a catalog searcher: takes blocks of records, has them judged, finds out where those
// that may match lie, and emits them as the walk would. Made by Catalog; belongs to its thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/catalog.h"
#include "search/catalog_position.h"
#include "search/entry_access.h"
#include "search/output_end.h"

namespace ffind::search {

class CatalogWorker final : public Progress::Source {
 public:
  explicit CatalogWorker(Catalog& catalog);

  /// Until the reader has no more.
  void run();
  const Statistics& statistics() const { return counts_; }

  void add_counts(SearchProgress& sum) const override { counts_.add_to(sum); }
  /// The volume: a catalog lists it in no order that means anything to a person.
  std::string where() override { return catalog_.task_.volume.mount_point; }
  /// Emits the boundaries that the walks of the roots would list, as far as they match: what is
  /// mounted there is no catalog's to find. Returns those of them that are left out.
  std::vector<Boundary> offer_boundaries();

 private:
  void consider(const os::CatalogRecord& record);
  void offer(const os::CatalogRecord& record, std::uint32_t root_number);
  void look_into(const os::CatalogRecord& record);
  int try_to_enter(const Root& root, const std::string& below);
  void begin_entry(const os::CatalogRecord& record);
  bool find_directory(std::uint64_t id);
  void find_path(std::uint64_t id);
  bool leads_to(const Root& root, std::string_view below);
  bool is_boundary(const Root& root, std::string_view below);
  void turn_to(const Root& root, std::string_view below);
  void report_closed(Entry& entry);

  Catalog& catalog_;
  SearchState& state_;
  const Scope& scope_;

  Counts counts_;
  IssueReporter issues_;
  Opener opener_;
  CatalogPosition position_;
  EntryAccess access_;
  OutputEnd output_;

  os::CatalogBlock block_;
  Entry entry_;
  CatalogDirectory directory_;  ///< of the records that are looked at
  std::uint64_t directory_id_ = 0;
  bool directory_known_ = false;
  unsigned pass_ = 0;  ///< of the block
  PathKey key_ = 0;
  bool key_known_ = false;  ///< key_ is that of the directory that the position is at
};

}  // namespace ffind::search
