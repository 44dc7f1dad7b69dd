// SPDX-License-Identifier: MIT
// One thread of a catalog searcher: takes blocks of records, has them judged, finds out where those
// that may match lie, and emits them as the walk would. Made by Catalog; belongs to its thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/catalog.h"
#include "search/entry_path.h"
#include "search/entry_worker.h"

namespace ffind {

class CatalogWorker final : public EntryWorker {
 public:
  explicit CatalogWorker(Catalog& catalog);
  ~CatalogWorker() override;
  CatalogWorker(const CatalogWorker&) = delete;
  CatalogWorker& operator=(const CatalogWorker&) = delete;

  /// Until the reader has no more.
  void run();
  /// The volume: a catalog tells of it in no order that a person knows.
  std::string where() override { return catalog_.task_.volume.mount_point; }
  /// Emits the boundaries that the walks of the roots would list, as far as they match: what is
  /// mounted there is no catalog's to find. Returns those of them that are left out.
  std::vector<Boundary> offer_boundaries();

 private:
  // What is asked of entries
  Place place_of(const Entry& entry) override;
  Place find_place(const Entry& entry);
  void load_paths(Entry& entry, Needs wanted) override;
  const Boundary* boundary_at(const Entry& entry) override;
  std::string canonical_directory() override;
  const Root& current_root() override { return *root_; }
  void report_closed(Entry& entry, int error) override;

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
  void close_far();

  Catalog& catalog_;
  os::CatalogBlock block_;
  Entry entry_;

  CatalogDirectory directory_;  ///< of the records that are looked at
  std::uint64_t directory_id_ = 0;
  bool directory_known_ = false;
  unsigned pass_ = 0;  ///< of the block

  // Where the entry that is being asked for lies
  const Root* root_ = nullptr;
  std::string_view below_;  ///< its directory, below the root
  EntryPath path_;
  bool spelled_ = false;  ///< path_ holds that directory
  PathKey key_ = 0;
  bool key_known_ = false;  ///< key_ is that directory's
  Place place_;
  bool placed_ = false;  ///< place_ holds the entry
  std::string call_path_;
  os::Directory far_;  ///< that directory, once something is asked of its entries
  std::string canonical_;
};

}  // namespace ffind
