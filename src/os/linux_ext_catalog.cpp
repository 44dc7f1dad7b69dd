// SPDX-License-Identifier: MIT
// The catalog of ext2, ext3 and ext4. See linux_catalogs.h.
#include "os/linux_catalogs.h"

namespace ffind::os {

void probe_ext(Volume& volume) {
  volume.catalog = CatalogSupport::none;
}

std::unique_ptr<DirectoryCatalog> open_ext_catalog(const Task&, std::string& why_not) {
  why_not = "not yet";
  return nullptr;
}

}  // namespace ffind::os
