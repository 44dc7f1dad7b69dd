// SPDX-License-Identifier: MIT
// The seam to catalogs: file systems that can list or search a whole volume flat. os implements it
// (searchfs on macOS), search's Catalog reads it. Must not know query, search or output.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ffind/bound.h"
#include "ffind/entry.h"
#include "ffind/plan.h"

namespace ffind::os {

/// One entry of a volume, wherever it lies; the volume's own root is none.
struct CatalogRecord {
  std::string_view name;     ///< never empty, no '/'; in its block, where it ends with a NUL
  std::uint64_t parent = 0;  ///< id of the directory that holds it
  FileType type = FileType::unknown;
  Needs known = needs::none;  ///< what of type and metadata holds a value that can be trusted
  Metadata metadata{};
  /// No hit, but a directory that this process may not be allowed to read: what lies in it may have
  /// been left out, and it takes an attempt to open it to know.
  bool may_be_closed = false;
};

/// Records as they were read; one thread's.
struct CatalogBlock {
  std::vector<unsigned char> bytes{};
  std::vector<CatalogRecord> records{};
  bool at_end = false;  ///< no more will come
};

/// A search of one volume's catalog. One thread at a time, but for path_of, which any may call.
/// Results are 0 or an errno.
class CatalogReader {
 public:
  virtual ~CatalogReader() = default;

  /// The next records that may match, in any order; may be none before the end, so that a search
  /// that was stopped notices. EBUSY: the volume changed, and only after `restart` is nothing
  /// missed; EMLINK: it has directories with several names; any other error: this volume cannot be
  /// searched so.
  virtual int read(CatalogBlock& block) = 0;
  /// Begins again. What was read before is read again.
  virtual void restart() = 0;
  /// Absolute path, without symbolic links, of the directory with that id, spelt as Root::canonical
  /// spells it: what does not begin with a root's is taken to lie elsewhere. ENOENT: it is gone;
  /// any other error: this volume cannot be searched so.
  virtual int path_of(std::uint64_t directory, std::string& path) = 0;
};

/// `bound` is a hint: a reader may return what does not satisfy it, never leave out what does.
/// `wanted`: what the records should contain if the catalog has it. Null if there is no
/// catalog, with the reason in `error`.
std::unique_ptr<CatalogReader> open_catalog(const Task& task, const Bound& bound, Needs wanted,
                                            int& error);

}  // namespace ffind::os
