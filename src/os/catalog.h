// SPDX-License-Identifier: MIT
// Flat catalogs: volumes that can list or search all of their entries at once (searchfs on macOS).
// os implements CatalogScan, search's Catalog reads it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/entry.h"
#include "ffind/plan.h"
#include "ffind/query.h"

namespace ffind::os {

/// One entry of a volume, in any directory; never the root of the volume.
struct CatalogRecord {
  std::string_view name;     ///< not empty, without '/'; in the block, followed by a NUL
  std::uint64_t parent = 0;  ///< id of its directory
  FileType type = FileType::unknown;
  Needs known = needs::none;  ///< parts of type and metadata that can be trusted
  Metadata metadata{};
  /// Not a hit, but a directory that this process may not be allowed to read, so that its entries
  /// are missing; only opening it shows that.
  bool may_be_closed = false;
};

/// A block of records. Belongs to one thread.
struct CatalogBlock {
  std::vector<unsigned char> bytes{};
  std::vector<CatalogRecord> records{};
  bool at_end = false;  ///< the last block
};

/// A search of one volume's catalog. One thread at a time, except path_of, which any thread may
/// call. Results are 0 or an errno.
class CatalogScan {
 public:
  virtual ~CatalogScan() = default;

  /// Reads the next records that may match, in any order; a block may be empty before the end, so
  /// that a stopped search notices. EBUSY: the volume changed and needs a `restart` to be complete;
  /// EMLINK: it has directories with several names; other errors: this volume has no catalog.
  virtual int read(CatalogBlock& block) = 0;
  virtual void restart() = 0;  ///< starts again from the first record
  /// Absolute path, without symbolic links, of the directory with that id, spelled like
  /// Root::canonical. ENOENT: it is gone; other errors: this volume has no catalog.
  virtual int path_of(std::uint64_t directory, std::string& path) = 0;
};

/// Opens the catalog of `task`; null, and the reason in `error`, if there is none. `bound` is a
/// hint: records may violate it, but none that satisfies it is left out. `wanted` is the metadata
/// that records should have if the catalog has it.
std::unique_ptr<CatalogScan> open_catalog(const Task& task, const Bound& bound, Needs wanted,
                                          int& error);

}  // namespace ffind::os
