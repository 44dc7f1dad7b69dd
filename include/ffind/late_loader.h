// SPDX-License-Identifier: MIT
// Loads attributes of entries after the search has gone on. Implemented by search and by fakes;
// used by the picker, whose list outlives the search.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "ffind/entry.h"

namespace ffind {

/// Used by one thread. Calls may block on the volume of the entry.
class LateLoader : public EntryLoader {
 public:
  /// Sets the directory of the entries to load: `below` is its path from `root`, without slashes at
  /// its ends and empty for the root itself. `root` is Entry::found_from of an entry in it or a
  /// copy of that, and must outlive the loads.
  virtual void turn_to(const Root& root, std::string_view below) = 0;
};

/// Thread-safe.
using LateLoaderFactory = std::function<std::unique_ptr<LateLoader>()>;

}  // namespace ffind
