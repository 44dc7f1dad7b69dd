// SPDX-License-Identifier: MIT
// Loads what is wanted of entries long after the search found them. Implemented by search and by
// fakes; used by the picker, whose list outlives the search.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "ffind/entry.h"

namespace ffind {

/// Belongs to one thread. May block in the kernel for as long as the entry's volume does.
class LateLoader : public EntryLoader {
 public:
  /// What is loaded from now on is of entries in the directory `below` `root`: its path from there
  /// without slashes at its ends; empty for the root itself. `root` is Entry::found_from of an
  /// entry in it, or a copy of that, and stays as it is.
  virtual void turn_to(const Root& root, std::string_view below) = 0;
};

/// Thread-safe.
using LateLoaderFactory = std::function<std::unique_ptr<LateLoader>()>;

}  // namespace ffind
