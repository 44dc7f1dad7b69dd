// SPDX-License-Identifier: MIT
// The catalog of btrfs. See linux_catalogs.h.
#include "os/linux_catalogs.h"

namespace ffind::os {

void probe_btrfs(Volume& volume) {
  volume.catalog = CatalogSupport::none;
}

std::unique_ptr<DirectoryCatalog> open_btrfs_catalog(const Task&, std::string& why_not) {
  why_not = "not yet";
  return nullptr;
}

}  // namespace ffind::os
